# SPDX-License-Identifier: Apache-2.0
"""cuda_morph_rt.torch_scatter: the same numbers as loops over the elements."""

import itertools
import unittest

import torch

import cuda_morph_rt.torch_scatter.segment_csr as by_its_path
from cuda_morph_rt import torch_scatter as ts

START = {"sum": 0.0, "mul": 1.0, "mean": 0.0, "min": float("inf"), "max": -float("inf")}


def by_loops(src, index, dim, size, reduce):
    """What each group comes to; the index has the shape of the source."""
    shape = list(src.shape)
    shape[dim] = size
    out, count = torch.full(shape, START[reduce]).double(), torch.zeros(shape)
    for at in itertools.product(*map(range, src.shape)):
        to = list(at)
        to[dim] = int(index[at])
        to = tuple(to)
        count[to] += 1
        one = src[at].double()
        if reduce in ("sum", "mean"):
            out[to] += one
        elif reduce == "mul":
            out[to] *= one
        else:
            out[to] = min(out[to], one) if reduce == "min" else max(out[to], one)
    if reduce == "mean":
        out = out / count.clamp(min=1)
    return out if reduce == "mul" else torch.where(count > 0, out, torch.zeros_like(out))


class Scatter(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(0)

    def assertClose(self, a, b):
        self.assertEqual(a.shape, b.shape)
        self.assertTrue(torch.allclose(a.double(), b.double(), rtol=1e-4, atol=1e-6), (a, b))

    def test_each_reduction_along_each_dimension(self):
        src = torch.randn(3, 4, 5)
        for dim in (-1, 0, 1):
            index = torch.randint(0, 4, (src.size(dim),))
            index[0] = 5  # and 4 has nothing
            full = index.view([-1 if d == dim % 3 else 1 for d in range(3)]).expand(src.shape)
            for reduce in START:
                want = by_loops(src, full, dim, 6, reduce)
                self.assertClose(ts.scatter(src, index, dim, reduce=reduce), want)
                self.assertClose(ts.scatter(src, full, dim, dim_size=6, reduce=reduce), want)

    def test_which_element_it_was_and_its_gradient(self):
        src = torch.tensor([2.0, 7.0, 7.0, float("nan"), 1.0], requires_grad=True)
        index = torch.tensor([0, 0, 0, 2, 2])
        most, which = ts.scatter_max(src, index)
        self.assertEqual(most.tolist(), [7.0, 0.0, 1.0])
        self.assertEqual(which.tolist(), [1, 5, 4])
        low = torch.tensor([-float("inf"), -float("inf")])
        self.assertEqual(ts.scatter_max(low, torch.tensor([0, 0]))[0].tolist(), [0.0])
        most.sum().backward()
        self.assertEqual(src.grad.tolist(), [0.0, 1.0, 0.0, 0.0, 1.0])
        whole = ts.scatter_min(torch.tensor([3, 2, 9]), torch.tensor([1, 1, 1]), dim_size=3)
        self.assertEqual([t.tolist() for t in whole], [[0, 2, 0], [3, 1, 3]])

    def test_into_what_is_there(self):
        src, index = torch.tensor([1.0, 5.0, 2.0]), torch.tensor([0, 0, 1])
        for reduce, want in (("sum", [16.0, 3.0]), ("mul", [50.0, 2.0]), ("max", [10.0, 2.0]),
                             ("min", [1.0, 1.0]), ("mean", [8.0, 3.0])):
            out = torch.tensor([10.0, 1.0])
            self.assertIs(ts.scatter(src, index, out=out, reduce=reduce), out)
            self.assertEqual(out.tolist(), want, reduce)

    def test_nothing_at_all(self):
        none, index = torch.empty(0, 3), torch.empty(0, dtype=torch.long)
        self.assertEqual(ts.scatter_sum(none, index, 0).shape, (0, 3))
        self.assertEqual(ts.scatter_max(none, index, 0, dim_size=2)[0].tolist(), [[0.0] * 3] * 2)

    def test_by_the_paths_of_its_modules(self):
        self.assertIs(by_its_path, ts.segment_csr)
        self.assertTrue(callable(ts.scatter) and callable(ts.segment_coo))

    def test_segments(self):
        src = torch.randn(2, 6, 3)
        index, starts = torch.tensor([[0, 0, 1, 3, 3, 3]]), torch.tensor([[0, 2, 3, 3, 6]])
        full = index.view(1, 6, 1).expand(src.shape)
        for reduce in ("sum", "mean", "min", "max"):
            want = by_loops(src, full, 1, 4, reduce)
            self.assertClose(ts.segment_coo(src, index, reduce=reduce), want)
            self.assertClose(ts.segment_csr(src, starts, reduce=reduce), want)
        inner = torch.tensor([1, 3])  # neither from the first element nor to the last
        self.assertEqual(ts.segment_csr(torch.arange(5), inner).tolist(), [3])
        rows = torch.randn(2, 4, 3)
        self.assertClose(ts.gather_coo(rows, index), rows[:, index[0]])
        self.assertClose(ts.gather_csr(rows, starts), rows[:, index[0]])

    def test_what_is_made_of_these(self):
        src, index = torch.randn(2, 8), torch.tensor([0, 1, 0, 2, 1, 0, 2, 2])
        soft, logs = ts.scatter_softmax(src, index), ts.scatter_log_softmax(src, index)
        sums, std = ts.scatter_logsumexp(src, index), ts.scatter_std(src, index)
        for group in range(3):
            own = src[:, index == group]
            self.assertClose(soft[:, index == group], own.softmax(-1))
            self.assertClose(logs[:, index == group], own.log_softmax(-1))
            self.assertClose(sums[:, group], own.logsumexp(-1))
            self.assertClose(std[:, group], own.std(-1))


if __name__ == "__main__":
    unittest.main()
