"""cuda_morph_rt.graphs: what was captured on the CPU is replayed."""

import os
import sys
import tempfile
import unittest

import torch

from cuda_morph_rt import device_graphs, graphs


def captured(work):
    record = graphs.CUDAGraph()
    with graphs.graph(record, pool=None, stream=None):
        result = work()
    return record, result


class Graphs(unittest.TestCase):
    def test_inputs_are_read_anew_and_results_stay_in_place(self):
        x = torch.zeros(4, 3)
        net = torch.nn.Sequential(torch.nn.Linear(3, 8), torch.nn.ReLU(), torch.nn.Linear(8, 2))
        record, y = captured(lambda: net(x).softmax(-1).view(2, 4).t() * 2)
        place = y.data_ptr()
        for i in range(3):
            x.copy_(torch.randn(4, 3))
            record.replay()
            self.assertEqual(y.data_ptr(), place)
            torch.testing.assert_close(y, net(x).softmax(-1).view(2, 4).t() * 2)

    def test_a_whole_training_step(self):
        """Forward, backward and update captured: the same weights as the same steps plainly."""
        torch.manual_seed(0)
        plain, recorded = torch.nn.Linear(3, 1), torch.nn.Linear(3, 1)
        recorded.load_state_dict(plain.state_dict())
        batches = [torch.randn(5, 3) for _ in range(4)]
        x = torch.zeros(5, 3)

        def step(net, batch):
            loss = net(batch).square().mean()
            loss.backward()
            with torch.no_grad():
                for p in net.parameters():
                    p -= 0.1 * p.grad
                    p.grad.zero_()
            return loss

        step(recorded, x)  # the warm-up makes the gradients, as CUDA's rules ask
        recorded.load_state_dict(plain.state_dict())
        record, loss = captured(lambda: step(recorded, x))
        recorded.load_state_dict(plain.state_dict())
        for batch in batches:
            x.copy_(batch)
            record.replay()
            torch.testing.assert_close(loss, step(plain, batch))
        for p, q in zip(plain.parameters(), recorded.parameters()):
            torch.testing.assert_close(p, q)

    def test_a_capture_leaves_no_trace(self):
        """What a program had before is as it was: nothing runs on CUDA in a capture."""
        torch.manual_seed(2)
        net = torch.nn.Linear(3, 1)
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
        x, count = torch.randn(5, 3), torch.zeros(4)
        views = count[:2], count[1:]

        def step():
            optimizer.zero_grad(set_to_none=True)
            loss = (net(x) + torch.rand(5, 1)).square().mean()
            loss.backward()
            optimizer.step()
            for view in views:
                view += 1
            return loss

        step()
        weights = [p.detach().clone() for p in net.parameters()]
        momenta = [optimizer.state[p]["momentum_buffer"].clone() for p in net.parameters()]
        state, before = torch.get_rng_state(), count.clone()
        record, loss = captured(step)
        self.assertTrue(torch.equal(torch.get_rng_state(), state))
        torch.testing.assert_close(count, before)
        for p, weight, momentum in zip(net.parameters(), weights, momenta):
            torch.testing.assert_close(p.detach(), weight)
            torch.testing.assert_close(optimizer.state[p]["momentum_buffer"], momentum)
        record.replay()
        torch.testing.assert_close(count, before + torch.tensor([1.0, 2.0, 1.0, 1.0]))
        first = loss.item()
        record.replay()
        self.assertNotEqual(first, loss.item())

    def test_marks_of_the_profiler_are_not_replayed(self):
        x = torch.ones(2)

        def work():
            with torch.autograd.profiler.record_function("mine"):
                return x + 1

        record, y = captured(work)
        x.fill_(3)
        record.replay()
        torch.testing.assert_close(y, torch.full((2,), 4.0))
        self.assertFalse([step for step in record._steps if "profiler" in str(step[0])])

    def test_portable_graphs_are_those_of_the_cpu_here(self):
        x = torch.zeros(2)
        record = device_graphs.CUDAGraph()
        self.assertIsInstance(record, graphs.CUDAGraph)
        self.assertIsInstance(record, device_graphs.CUDAGraph)
        self.assertNotIsInstance(x, device_graphs.CUDAGraph)
        with device_graphs.graph(cuda_graph=record, pool=device_graphs.graph_pool_handle()):
            y = x + 1
        x.fill_(2)
        record.replay()
        torch.testing.assert_close(y, torch.full((2,), 3.0))
        self.assertIs(device_graphs.make_graphed_callables(torch.sin, (x,)), torch.sin)

    def test_in_place_and_several_results(self):
        x = torch.arange(6.0)
        total = torch.zeros(())

        def work():
            total.add_(x.sum())
            return x.view(2, 3).max(dim=1)

        record, (values, indices) = captured(work)
        total.zero_()
        x.copy_(torch.tensor([3.0, 9.0, 1.0, 0.0, 0.0, 7.0]))
        record.replay()
        record.replay()
        self.assertEqual((values.tolist(), indices.tolist()), ([9.0, 7.0], [1, 2]))
        self.assertEqual(total.item(), 40.0)

    def test_what_cuda_refuses_is_refused(self):
        x = torch.ones(2)
        for work in (lambda: x.sum().item(), lambda: x.nonzero(), lambda: x[x > 0]):
            record = graphs.CUDAGraph()
            with self.assertRaises(RuntimeError):
                with graphs.graph(record):
                    work()
        fresh = graphs.CUDAGraph()
        self.assertRaises(RuntimeError, fresh.replay)
        self.assertRaises(RuntimeError, fresh.capture_end)
        record, _ = captured(lambda: x + 1)
        self.assertRaises(RuntimeError, record.capture_begin)
        record.reset()
        record.capture_begin()
        record.capture_end()
        self.assertEqual(x.sum().item(), 2.0)  # nothing goes on recording

    def test_the_methods_of_torch(self):
        for (
            name
        ) in "capture_begin capture_end replay reset pool debug_dump enable_debug_mode".split():
            self.assertTrue(hasattr(graphs.CUDAGraph, name), name)
        record, _ = captured(lambda: torch.ones(2) + 1)
        with tempfile.TemporaryDirectory() as folder:
            record.debug_dump(os.path.join(folder, "dump"))
            with open(os.path.join(folder, "dump"), encoding="utf-8") as file:
                self.assertIn("add", file.read())


if __name__ == "__main__":
    result = unittest.main(exit=False, verbosity=0).result
    bad = len(result.failures) + len(result.errors)
    print(f"graphs with torch {torch.__version__}: {result.testsRun - bad} passed, {bad} failed")
    sys.exit(bad > 0)
