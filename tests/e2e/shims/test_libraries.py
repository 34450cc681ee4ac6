"""cuda_morph_rt.apex and cuda_morph_rt.xformers: the same numbers as PyTorch's own, or as the
formula of the papers."""

import copy
import math
import sys
import unittest

import torch
from torch import nn

from cuda_morph_rt.apex.normalization import (
    FusedLayerNorm,
    FusedRMSNorm,
    MixedFusedLayerNorm,
    MixedFusedRMSNorm,
    fused_layer_norm,
    fused_rms_norm_affine,
)
from cuda_morph_rt.apex.optimizers import FusedAdagrad, FusedAdam, FusedLAMB, FusedSGD
from cuda_morph_rt.xformers import ops
from cuda_morph_rt.xformers.ops.fmha import BlockDiagonalMask
from cuda_morph_rt.xformers.ops.fmha.attn_bias import LowerTriangularFromBottomRightMask


def trained(net, optimizer, steps=6):
    torch.manual_seed(1)
    for _ in range(steps):
        optimizer.zero_grad()
        net(torch.randn(8, 4)).square().mean().backward()
        optimizer.step()
    return [p.detach().clone() for p in net.parameters()]


class Optimizers(unittest.TestCase):
    def same(self, ours, theirs):
        torch.manual_seed(0)
        net = nn.Linear(4, 3)
        other = copy.deepcopy(net)
        a = trained(net, ours(net.parameters()))
        b = trained(other, theirs(other.parameters()))
        for x, y in zip(a, b):
            torch.testing.assert_close(x, y, rtol=2e-5, atol=2e-6)

    def test_those_that_pytorch_has(self):
        o = torch.optim
        self.same(lambda p: FusedAdam(p, lr=0.05, weight_decay=0.1),
                  lambda p: o.AdamW(p, lr=0.05, weight_decay=0.1))
        self.same(lambda p: FusedAdam(p, lr=0.05, weight_decay=0.1, adam_w_mode=False),
                  lambda p: o.Adam(p, lr=0.05, weight_decay=0.1))
        self.same(lambda p: FusedSGD(p, lr=0.05, momentum=0.9, weight_decay=0.1, nesterov=True),
                  lambda p: o.SGD(p, lr=0.05, momentum=0.9, weight_decay=0.1, nesterov=True))
        self.same(lambda p: FusedAdagrad(p, lr=0.05, weight_decay=0.1),
                  lambda p: o.Adagrad(p, lr=0.05, weight_decay=0.1))

    def test_lamb_by_its_formula(self):
        p = nn.Parameter(torch.tensor([3.0, 4.0]))
        optimizer = FusedLAMB([p], lr=0.1, weight_decay=0.01, max_grad_norm=1.0)
        p.grad = torch.tensor([0.0, 2.0])  # clipped to length 1
        optimizer.step()
        way = torch.tensor([0.0, 1.0]) / (1 + 1e-6) + 0.01 * torch.tensor([3.0, 4.0])
        wanted = torch.tensor([3.0, 4.0]) - 0.1 * 5.0 / way.norm() * way
        torch.testing.assert_close(p.detach(), wanted)

    def test_a_checkpoint_goes_on(self):
        torch.manual_seed(0)
        net = nn.Linear(4, 3)
        one = FusedAdam(net.parameters())
        trained(net, one, 2)
        self.assertEqual(one.param_groups[0]["step"], 2)
        self.assertEqual(set(one.state[net.weight]), {"exp_avg", "exp_avg_sq"})
        other = copy.deepcopy(net)
        two = FusedAdam(other.parameters())
        two.load_state_dict(copy.deepcopy(one.state_dict()))
        for x, y in zip(trained(net, one, 2), trained(other, two, 2)):
            torch.testing.assert_close(x, y)

    def test_half_parameters_and_refusals(self):
        p = nn.Parameter(torch.ones(3, dtype=torch.bfloat16))
        optimizer = FusedAdam([p], lr=0.5)
        p.grad = torch.ones_like(p)
        optimizer.step()
        self.assertEqual(p.dtype, torch.bfloat16)
        self.assertEqual(optimizer.state[p]["exp_avg"].dtype, torch.float32)
        optimizer.zero_grad()
        self.assertIsNone(p.grad)
        for options in {"amsgrad": True}, {"capturable": True}, {"master_weights": True}:
            self.assertRaises(RuntimeError, FusedAdam, [p], **options)
        self.assertRaises(RuntimeError, FusedSGD, [p], 0.1, wd_after_momentum=True)


class Normalization(unittest.TestCase):
    def test_layer_norm(self):
        x = torch.randn(5, 2, 3)
        for shape in 3, (2, 3):
            ours, theirs = FusedLayerNorm(shape), nn.LayerNorm(shape)
            torch.testing.assert_close(ours(x), theirs(x))
            self.assertEqual(set(ours.state_dict()), {"weight", "bias"})
        plain = FusedLayerNorm(3, elementwise_affine=False)
        torch.testing.assert_close(plain(x), fused_layer_norm(x, 3, eps=1e-5))
        mixed = MixedFusedLayerNorm(3)(x.bfloat16())
        self.assertEqual(mixed.dtype, torch.float32)

    def test_rms_norm(self):
        x, weight = torch.randn(4, 6, requires_grad=True), torch.rand(6)
        wanted = x / (x.square().mean(-1, keepdim=True) + 1e-6).sqrt() * weight
        torch.testing.assert_close(fused_rms_norm_affine(x, weight, 6), wanted)
        net = FusedRMSNorm(6, eps=1e-6)
        net(x).sum().backward()
        self.assertEqual(set(net.state_dict()), {"weight"})
        self.assertEqual(MixedFusedRMSNorm(6)(x.half()).dtype, torch.float32)


def reference(q, k, v, bias):
    """(batch, n, heads, d) in float64, by loops over batch and heads."""
    out = torch.zeros(*q.shape[:3], v.shape[-1], dtype=torch.float64)
    for b in range(q.shape[0]):
        for h in range(q.shape[2]):
            scores = q[b, :, h].double() @ k[b, :, h].double().T / math.sqrt(q.shape[-1])
            out[b, :, h] = (scores + bias[b, h].double()).softmax(-1) @ v[b, :, h].double()
    return out


class Attention(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(0)
        self.q, self.k, self.v = (torch.randn(2, n, 3, d) for n, d in ((5, 8), (7, 8), (7, 4)))

    def check(self, bias, as_tensor):
        out = ops.memory_efficient_attention(self.q, self.k, self.v, attn_bias=bias)
        wanted = reference(self.q, self.k, self.v, as_tensor.expand(2, 3, 5, 7))
        torch.testing.assert_close(out.double(), wanted, rtol=1e-5, atol=1e-5)

    def test_masks(self):
        hidden = torch.full((5, 7), -math.inf)
        self.check(None, torch.zeros(1))
        self.check(ops.LowerTriangularMask(), hidden.triu(1))
        self.check(LowerTriangularFromBottomRightMask(), hidden.triu(3))
        bias = torch.randn(2, 3, 5, 7)
        self.check(bias, bias)
        self.check(ops.LowerTriangularMask().add_bias(bias), bias + hidden.triu(1))

    def test_packed_sequences_do_not_see_each_other(self):
        lengths = [3, 1, 4]
        x = torch.randn(1, 8, 2, 8)
        plain = BlockDiagonalMask.from_seqlens(lengths)
        for mask, bias in (plain, None), (plain.make_causal(), ops.LowerTriangularMask()):
            packed = mask.split(ops.memory_efficient_attention(x, x, x, mask))
            for part, own in zip(x.split(lengths, dim=1), packed):
                torch.testing.assert_close(
                    own, ops.memory_efficient_attention(part, part, part, bias))
        mask, joined = BlockDiagonalMask.from_tensor_list([x[:, :3], x[:, 3:]])
        self.assertEqual([t.shape[1] for t in mask.split(joined)], [3, 5])

    def test_shapes_types_gradients_and_refusals(self):
        q = torch.randn(2, 5, 8, requires_grad=True)
        out = ops.memory_efficient_attention(q, q, q, p=0.0, op=None)
        out.sum().backward()
        self.assertEqual((out.shape, q.grad.shape), (q.shape, q.shape))
        five = torch.randn(1, 5, 2, 3, 8)
        whole = ops.memory_efficient_attention(five, five, five)
        flat = five.reshape(1, 5, 6, 8)
        torch.testing.assert_close(
            whole.reshape(1, 5, 6, 8), ops.memory_efficient_attention(flat, flat, flat))
        half = self.q.bfloat16()
        self.assertEqual(ops.memory_efficient_attention(half, half, half).dtype, torch.bfloat16)
        with self.assertRaises(NotImplementedError):
            ops.memory_efficient_attention(half, half, half, attn_bias="causal")
        with self.assertRaises(ValueError):
            ops.memory_efficient_attention(q, five, five)


if __name__ == "__main__":
    result = unittest.main(exit=False, verbosity=0).result
    bad = len(result.failures) + len(result.errors)
    print(f"libraries with torch {torch.__version__}: {result.testsRun - bad} passed, {bad} failed")
    sys.exit(bad > 0)
