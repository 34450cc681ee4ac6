"""cuda_morph_rt.apex and cuda_morph_rt.xformers: the same numbers as PyTorch's own, or as the
formula of the papers."""

import contextlib
import copy
import io
import itertools
import math
import os
import pickle
import subprocess
import sys
import unittest
from unittest import mock

import torch
from torch import nn

from cuda_morph_rt.apex import amp, parallel
from cuda_morph_rt.apex.normalization import (
    FusedLayerNorm,
    FusedRMSNorm,
    MixedFusedLayerNorm,
    MixedFusedRMSNorm,
    fused_layer_norm,
    fused_rms_norm_affine,
)
from cuda_morph_rt.apex.optimizers import (
    FusedAdagrad,
    FusedAdam,
    FusedLAMB,
    FusedNovoGrad,
    FusedSGD,
)
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


def novograd(x, gradients, lr, eps, decay, corrected, inside, averaging, order, from_zero):
    """One tensor's way under NovoGrad in float64, number by number, with betas (0.9, 0.98)."""
    m, v = [0.0] * len(x), None
    for step, g in enumerate(gradients, 1):
        size = max(map(abs, g)) if order == 0 else math.sqrt(sum(e * e for e in g))
        old = v if v is not None else 0.0 if from_zero else size
        if order == 0:
            v = 0.98 * old + 0.02 * size
        else:
            v = math.sqrt(0.98 * old**2 + 0.02 * size**2)
        m_scale = 1 - 0.9**step if corrected else 1.0
        v_scale = math.sqrt(1 - 0.98**step) if corrected else 1.0
        by = v / v_scale + eps
        for i, e in enumerate(g):
            taken = e / by + decay * x[i] if inside else e
            m[i] = 0.9 * m[i] + (0.1 if averaging else 1.0) * taken
            way = m[i] / m_scale
            x[i] -= lr * (way if inside else way / by + decay * x[i])
    return x


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
        self.same(
            lambda p: FusedAdam(p, lr=0.05, weight_decay=0.1),
            lambda p: o.AdamW(p, lr=0.05, weight_decay=0.1),
        )
        self.same(
            lambda p: FusedAdam(p, lr=0.05, weight_decay=0.1, adam_w_mode=False),
            lambda p: o.Adam(p, lr=0.05, weight_decay=0.1),
        )
        self.same(
            lambda p: FusedSGD(p, lr=0.05, momentum=0.9, weight_decay=0.1, nesterov=True),
            lambda p: o.SGD(p, lr=0.05, momentum=0.9, weight_decay=0.1, nesterov=True),
        )
        self.same(
            lambda p: FusedAdagrad(p, lr=0.05, weight_decay=0.1),
            lambda p: o.Adagrad(p, lr=0.05, weight_decay=0.1),
        )

    def test_lamb_by_its_formula(self):
        p = nn.Parameter(torch.tensor([3.0, 4.0]))
        optimizer = FusedLAMB([p], lr=0.1, weight_decay=0.01, max_grad_norm=1.0)
        p.grad = torch.tensor([0.0, 2.0])  # clipped to length 1
        optimizer.step()
        way = torch.tensor([0.0, 1.0]) / (1 + 1e-6) + 0.01 * torch.tensor([3.0, 4.0])
        wanted = torch.tensor([3.0, 4.0]) - 0.1 * 5.0 / way.norm() * way
        torch.testing.assert_close(p.detach(), wanted)

    def test_novograd_by_its_formula(self):
        torch.manual_seed(3)
        both = False, True
        for case in itertools.product(both, both, both, (0, 2), both):
            corrected, inside, averaging, order, from_zero = case
            start = torch.randn(2, 3), torch.randn(5)
            gradients = [[torch.randn_like(x) for _ in range(4)] for x in start]
            params = [nn.Parameter(x.clone()) for x in start]
            options = corrected, (0.9, 0.98), 1e-6, 0.1, False, inside, averaging, order
            optimizer = FusedNovoGrad(params, 0.05, *options, init_zero=from_zero)
            for step in range(4):
                for p, mine in zip(params, gradients):
                    p.grad = mine[step].clone()
                optimizer.step()
            for p, x, mine in zip(params, start, gradients):
                wanted = novograd(
                    x.flatten().tolist(), [g.flatten().tolist() for g in mine], 0.05, 1e-6, 0.1, *case
                )
                wanted = torch.tensor(wanted, dtype=torch.float64).reshape(p.shape)
                torch.testing.assert_close(p.detach().double(), wanted, rtol=2e-5, atol=2e-6)

    def test_novograd_of_mixed_types_and_its_checkpoint(self):
        params = [nn.Parameter(torch.ones(3, dtype=d)) for d in (torch.half, torch.float32)]
        one = FusedNovoGrad(params, lr=0.1)
        for p in params:
            p.grad = torch.full_like(p, 2.0)
        one.step()
        self.assertEqual([len(v) for v in one.param_groups[0]["exp_avg_sq"]], [1, 1])
        self.assertEqual([p.dtype for p in params], [torch.half, torch.float32])
        torch.testing.assert_close(params[0].float(), params[1], rtol=1e-3, atol=1e-3)
        two = FusedNovoGrad([nn.Parameter(p.detach().clone()) for p in params], lr=0.1)
        two.load_state_dict(copy.deepcopy(one.state_dict()))
        for optimizer in one, two:
            for p in optimizer.param_groups[0]["params"]:
                p.grad = torch.full_like(p, -1.0)
            optimizer.step()
        torch.testing.assert_close(*(o.param_groups[0]["params"][1].detach() for o in (one, two)))
        params[1].grad = None
        self.assertRaises(RuntimeError, one.step)
        self.assertRaises(RuntimeError, FusedNovoGrad, params, norm_type=1)

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


class Amp(unittest.TestCase):
    """apex.amp on the CPU, where all levels compute in float32."""

    def start(self, level="O1", **options):
        torch.manual_seed(0)
        net = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
        optimizer = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
        return amp.initialize(net, optimizer, opt_level=level, verbosity=0, **options)

    def train(self, net, optimizer, scaled, accumulate=1):
        torch.manual_seed(1)
        for step in range(6):
            loss = net(torch.randn(8, 4)).square().mean()
            if scaled:
                with amp.scale_loss(loss, optimizer) as scaled_loss:
                    scaled_loss.backward()
            else:
                loss.backward()
            if step % accumulate == accumulate - 1:
                optimizer.step()
                optimizer.zero_grad()
        return [p.detach().clone() for p in net.parameters()]

    def test_training_is_what_it_is_without(self):
        plain = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 1))
        for level in "O0", "O1", "O2", "O3":
            for accumulate in 1, 3:
                net, optimizer = self.start(level)
                plain.load_state_dict(net.state_dict())
                own = torch.optim.SGD(plain.parameters(), lr=0.1, momentum=0.9)
                wanted = self.train(plain, own, False, accumulate)
                for x, y in zip(self.train(net, optimizer, True, accumulate), wanted):
                    torch.testing.assert_close(x, y, rtol=1e-6, atol=1e-7)

    def test_what_is_delayed_stays_scaled(self):
        net, optimizer = self.start(loss_scale=128)
        x = torch.randn(8, 4)
        with amp.scale_loss(net(x).sum(), optimizer, delay_unscale=True) as scaled:
            scaled.backward()
        first = net[0].weight.grad.clone()
        with amp.scale_loss(net(x).sum(), optimizer) as scaled:
            scaled.backward()
        torch.testing.assert_close(net[0].weight.grad, first * 2 / 128)

    def test_an_overflow_skips_one_step_and_halves_the_scale(self):
        net, optimizer = self.start()
        before = net[0].weight.detach().clone()
        with amp.scale_loss(net(torch.randn(8, 4)).sum() * math.inf, optimizer) as scaled:
            scaled.backward()
        self.assertEqual(
            amp.state_dict()["loss_scaler0"], {"loss_scale": 2.0**15, "unskipped": 0}
        )
        with contextlib.redirect_stdout(io.StringIO()) as said:
            optimizer.step()
        self.assertEqual(said.getvalue(), "")  # verbosity=0
        torch.testing.assert_close(net[0].weight.detach(), before)
        optimizer.zero_grad()
        with amp.scale_loss(net(torch.randn(8, 4)).sum(), optimizer) as scaled:
            scaled.backward()
        optimizer.step()
        self.assertFalse(torch.equal(net[0].weight, before))

    def test_checkpoints_and_losses_of_their_own(self):
        net, optimizer = self.start(num_losses=2, loss_scale=64.0)
        with amp.scale_loss(net(torch.ones(1, 4)).sum(), optimizer, loss_id=1) as scaled:
            scaled.backward()
        saved = amp.state_dict()
        self.assertEqual([saved[f"loss_scaler{i}"]["unskipped"] for i in (0, 1)], [0, 1])
        saved["loss_scaler0"]["loss_scale"] = 2.0
        amp.load_state_dict(saved)
        self.assertEqual(amp.state_dict(), saved)
        self.assertEqual(list(amp.master_params(optimizer)), list(net.parameters()))

    def test_the_half_type_of_a_device(self):
        """As on a device with bfloat16: the CPU's own autocast stands for the device's."""
        with mock.patch.object(amp, "_half_type", return_value=torch.bfloat16):
            x, y = torch.randn(2, 4), torch.randn(2, 4)
            one, _ = self.start("O1")
            two, _ = self.start("O2")
            self.assertEqual((one(x).dtype, two(x).dtype), (torch.bfloat16, torch.float32))
            self.assertIsInstance(one, nn.Sequential)
            for again in copy.deepcopy(one), pickle.loads(pickle.dumps(one)):
                self.assertIs(type(again), nn.Sequential)
                torch.testing.assert_close(again[0].weight, one[0].weight)
            self.assertEqual(amp.half_function(torch.add)(x, y).dtype, torch.bfloat16)
            self.assertEqual(amp.float_function(torch.add)(x.half(), y).dtype, torch.float32)
            self.assertEqual(amp.promote_function(torch.add)(x.bfloat16(), y).dtype, torch.float32)

    def test_switched_off_and_refusals(self):
        net, optimizer = self.start(enabled=False)
        loss = net(torch.ones(1, 4)).sum()
        with amp.scale_loss(loss, optimizer) as same:
            self.assertIs(same, loss)
        self.assertRaises(RuntimeError, self.start, "O4")
        self.assertIs(amp.initialize(net, opt_level="O0"), net)
        both = amp.initialize([net], [optimizer])
        self.assertEqual([len(x) for x in both], [1, 1])


RANK = """
import copy, os, sys, torch
import torch.distributed as dist
from cuda_morph_rt.apex import parallel
dist.init_process_group("gloo")
rank = dist.get_rank()
torch.manual_seed(0)
x, w = torch.randn(6, 3, 4, 5) * 2 + 3, torch.randn(6, 3, 4, 5)
norm = torch.nn.BatchNorm2d(3)
torch.nn.init.uniform_(norm.weight)
net = parallel.convert_syncbn_model(torch.nn.Sequential(copy.deepcopy(norm)))
whole = x.clone().requires_grad_()
(norm(whole) * w).sum().backward()
part = slice(0, 2) if rank == 0 else slice(2, 6)  # of different sizes
mine = x[part].clone().requires_grad_()
(net(mine) * w[part]).sum().backward()
torch.testing.assert_close(mine.grad, whole.grad[part], rtol=1e-4, atol=1e-5)
grad = net[0].weight.grad
dist.all_reduce(grad)
torch.testing.assert_close(grad, norm.weight.grad, rtol=1e-4, atol=1e-5)
torch.testing.assert_close(net[0].running_var, norm.running_var)
torch.testing.assert_close(net.eval()(x), norm.eval()(x))
ddp = parallel.DistributedDataParallel(torch.nn.Linear(2, 1, bias=False), delay_allreduce=True)
ddp(torch.full((1, 2), 1.0 + rank)).sum().backward()
assert ddp.module.weight.grad.tolist() == [[1.5, 1.5]], ddp.module.weight.grad
assert parallel.create_syncbn_process_group(0) is None
assert dist.get_world_size(parallel.create_syncbn_process_group(1)) == 1
"""


class Parallel(unittest.TestCase):
    def test_two_ranks(self):
        port = str(20000 + os.getpid() % 20000)
        ranks = [
            subprocess.Popen(
                [sys.executable, "-W", "ignore", "-c", RANK],
                stderr=subprocess.PIPE,
                text=True,
                env={
                    **os.environ,
                    "RANK": rank,
                    "WORLD_SIZE": "2",
                    "MASTER_ADDR": "127.0.0.1",
                    "MASTER_PORT": port,
                    "USE_LIBUV": "0",
                },
            )
            for rank in "01"
        ]
        for rank in ranks:
            said = rank.communicate(timeout=120)[1]
            self.assertEqual(rank.returncode, 0, said)

    def test_alone(self):
        net = parallel.convert_syncbn_model(nn.Sequential(nn.BatchNorm1d(3)))
        plain, x = nn.BatchNorm1d(3), torch.randn(5, 3)
        torch.testing.assert_close(net(x), plain(x))
        self.assertIsInstance(net[0], nn.SyncBatchNorm)
        self.assertIsInstance(parallel.SyncBatchNorm(3, channel_last=True), nn.SyncBatchNorm)

    def test_larc_by_its_formula(self):
        p = nn.Parameter(torch.tensor([3.0, 4.0]))
        for clip, rate in (False, 0.1 * 5 / (2 + 0.5 * 5)), (True, 0.1 * 5 / (2 + 0.5 * 5) / 0.2):
            with torch.no_grad():
                p.copy_(torch.tensor([3.0, 4.0]))
            inner = torch.optim.SGD([p], lr=0.2, weight_decay=0.5)
            larc = parallel.LARC(inner, trust_coefficient=0.1, clip=clip, eps=0)
            larc.zero_grad()
            p.grad = torch.tensor([0.0, 2.0])
            larc.step()
            wanted = torch.tensor([3.0, 4.0]) - 0.2 * rate * torch.tensor([1.5, 4.0])
            torch.testing.assert_close(p.detach(), wanted)
            self.assertEqual(larc.param_groups[0]["weight_decay"], 0.5)


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
                    own, ops.memory_efficient_attention(part, part, part, bias)
                )
        mask, joined = BlockDiagonalMask.from_tensor_list([x[:, :3], x[:, 3:]])
        self.assertEqual([t.shape[1] for t in mask.split(joined)], [3, 5])

    def test_what_is_beside_attention(self):
        torch.manual_seed(0)
        x = torch.randn(2, 4)
        packed, apart = ops.SwiGLU(4, 6, 3), ops.SwiGLU(4, 6, 3, _pack_weights=False)
        self.assertEqual(
            set(packed.state_dict()),
            {f"{m}.{n}" for m in ("w12", "w3") for n in ("weight", "bias")},
        )
        with torch.no_grad():
            for name in "weight", "bias":
                for part, own in zip(getattr(packed.w12, name).chunk(2), (apart.w1, apart.w2)):
                    getattr(own, name).copy_(part)
                getattr(apart.w3, name).copy_(getattr(packed.w3, name))
        torch.testing.assert_close(packed(x), apart(x))
        weights = [t for m in (apart.w1, apart.w2, apart.w3) for t in (m.weight, m.bias)]
        torch.testing.assert_close(ops.swiglu(x, *weights), packed(x))
        a, b = torch.arange(6.0).view(3, 2), torch.arange(4.0).view(4, 1)
        joined = ops.index_select_cat([a, b], [torch.tensor([2, 0]), torch.tensor([3])])
        self.assertEqual(joined.tolist(), [4.0, 5.0, 0.0, 1.0, 3.0])
        out = ops.scaled_index_add(
            a, torch.tensor([1]), torch.ones(1, 2), torch.tensor([1.0, 2.0]), alpha=10.0
        )
        self.assertEqual((out is a, a[1].tolist()), (True, [12.0, 23.0]))
        ops.fmha.memory_efficient_attention(
            self.q, self.k, self.v, op=(ops.fmha.cutlass.FwOp, ops.fmha.flash.BwOp)
        )

    def test_shapes_types_gradients_and_refusals(self):
        q = torch.randn(2, 5, 8, requires_grad=True)
        out = ops.memory_efficient_attention(q, q, q, p=0.0, op=None)
        out.sum().backward()
        self.assertEqual((out.shape, q.grad.shape), (q.shape, q.shape))
        five = torch.randn(1, 5, 2, 3, 8)
        whole = ops.memory_efficient_attention(five, five, five)
        flat = five.reshape(1, 5, 6, 8)
        torch.testing.assert_close(
            whole.reshape(1, 5, 6, 8), ops.memory_efficient_attention(flat, flat, flat)
        )
        half = self.q.bfloat16()
        self.assertEqual(ops.memory_efficient_attention(half, half, half).dtype, torch.bfloat16)
        with self.assertRaises(NotImplementedError):
            ops.memory_efficient_attention(half, half, half, attn_bias="causal")
        with self.assertRaises(ValueError):
            ops.memory_efficient_attention(q, five, five)


if __name__ == "__main__":
    result = unittest.main(exit=False, verbosity=0).result
    bad = len(result.failures) + len(result.errors)
    print(
        f"libraries with torch {torch.__version__}: {result.testsRun - bad} passed, {bad} failed"
    )
    sys.exit(bad > 0)
