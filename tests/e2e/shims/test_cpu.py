"""cuda_morph_rt.cpu: streams and events where one operation follows the other."""

import inspect
import sys
import time
import unittest

import torch

import cuda_morph_rt


class RandomStates(unittest.TestCase):
    def test_a_state_is_restored(self):
        state = torch.get_rng_state()
        drawn = torch.rand(3)
        cuda_morph_rt.cpu.set_rng_state(state, device="cuda:0")
        self.assertTrue(torch.equal(drawn, torch.rand(3)))

    def test_the_state_of_a_list_is_restored(self):
        states = [torch.get_rng_state()]
        drawn = torch.rand(3)
        cuda_morph_rt.cpu.set_rng_state_all(states)
        self.assertTrue(torch.equal(drawn, torch.rand(3)))
        cuda_morph_rt.cpu.set_rng_state_all([])

    def test_a_state_of_a_gpu_is_told(self):
        state = torch.get_rng_state()
        with self.assertWarns(UserWarning):
            cuda_morph_rt.cpu.set_rng_state(torch.zeros(16, dtype=torch.uint8))
        self.assertTrue(torch.equal(state, torch.get_rng_state()))


class Streams(unittest.TestCase):
    def test_events_tell_the_time(self):
        a, b = (cuda_morph_rt.cpu.Event(enable_timing=True) for _ in "ab")
        a.record()
        time.sleep(0.02)
        b.record(cuda_morph_rt.cpu.current_stream())
        self.assertTrue(19 < a.elapsed_time(b) < 5000)
        self.assertAlmostEqual(a.elapsed_time(b), -b.elapsed_time(a))
        self.assertTrue(a.query())

    def test_what_cuda_refuses_is_refused(self):
        timed, plain = cuda_morph_rt.cpu.Event(True), cuda_morph_rt.cpu.Event()
        timed.record()
        plain.record()
        for other in plain, cuda_morph_rt.cpu.Event(True):
            with self.assertRaises(RuntimeError):
                timed.elapsed_time(other)

    def test_streams(self):
        side, main = cuda_morph_rt.cpu.Stream(priority=-1), cuda_morph_rt.cpu.current_stream()
        side.wait_stream(main)
        event = side.record_event()
        main.wait_event(event)
        event.wait(main)
        side.synchronize()
        event.synchronize()
        self.assertEqual((side.query(), side.priority), (True, -1))
        with side as inside:
            self.assertIs(inside, side)
        self.assertEqual(cuda_morph_rt.cpu.default_stream(), main)
        self.assertEqual(side.device, torch.device("cpu"))

    def test_the_methods_of_torch(self):
        """Whatever a CUDA stream or event can do, these can."""
        for theirs, ours in (
            (torch.cuda.Stream, cuda_morph_rt.cpu.Stream),
            (torch.cuda.Event, cuda_morph_rt.cpu.Event),
        ):
            for name, _ in inspect.getmembers(theirs, inspect.isfunction):
                if name[0] != "_" and "ipc" not in name:
                    self.assertTrue(hasattr(ours, name), name)


if __name__ == "__main__":
    result = unittest.main(exit=False, verbosity=0).result
    bad = len(result.failures) + len(result.errors)
    print(f"cpu with torch {torch.__version__}: {result.testsRun - bad} passed, {bad} failed")
    sys.exit(bad > 0)
