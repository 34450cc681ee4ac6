"""cuda_morph_rt.flash_attn against a float64 reference that is written from flash-attn's
documentation, one query and one key at a time."""

import itertools
import math
import random
import sys
import unittest

import torch

from cuda_morph_rt import flash_attn as fa
from cuda_morph_rt.flash_attn import bert_padding, core
from cuda_morph_rt.flash_attn.layers import rotary

CASES = 600
TOLERANCE = {torch.float32: 1e-4, torch.float16: 6e-3, torch.bfloat16: 4e-2}


def reference(q, k, v, causal, window, softcap, slopes, scale, start=0, end=None):
    """One sequence: q (n_q, heads, d), k and v (n_k, kv heads, d), all float64; differentiable.
    Returns the output and the log-sum-exp (heads, n_q)."""
    n_q, heads, size = q.shape
    end = k.shape[0] if end is None else end
    group = heads // k.shape[1]
    out, lse = [], []
    for i in range(n_q):
        at = i + end - n_q
        low, high = start, end - 1
        if window[0] >= 0:
            low = max(low, at - window[0])
        if causal:
            high = min(high, at)
        elif window[1] >= 0:
            high = min(high, at + window[1])
        row, row_lse = [], []
        for h in range(heads):
            if high < low:
                row.append(q[i, h] * 0.0)
                row_lse.append(torch.tensor(math.inf, dtype=torch.float64))
                continue
            keys, values = k[low : high + 1, h // group], v[low : high + 1, h // group]
            scores = (keys @ q[i, h]) * scale
            if softcap:
                scores = softcap * torch.tanh(scores / softcap)
            if slopes is not None:
                j = torch.arange(low, high + 1, dtype=torch.float64)
                scores = scores - slopes[h].double() * (at - j).abs()
            row.append(torch.softmax(scores, 0) @ values)
            row_lse.append(torch.logsumexp(scores.detach(), 0))
        out.append(torch.stack(row))
        lse.append(torch.stack(row_lse))
    return torch.stack(out), torch.stack(lse, 1)


class Case:
    """Random shapes, options and tensors."""

    def __init__(self, seed):
        r = random.Random(seed)
        torch.manual_seed(seed)
        self.dtype = r.choice(list(TOLERANCE))
        self.kv_heads = r.choice((1, 2, 3))
        self.heads = self.kv_heads * r.choice((1, 1, 2, 4))
        self.size = r.choice((4, 8, 16, 40))
        self.batch = r.choice((1, 2, 3))
        self.lengths = [(r.randint(1, 12), r.randint(1, 12)) for _ in range(self.batch)]
        self.causal = r.random() < 0.5
        self.window = r.choice(((-1, -1), (-1, -1), (3, 0), (2, 2), (-1, 1), (0, -1), (0, 0)))
        self.softcap = r.choice((0.0, 0.0, 0.0, 3.0))
        self.scale = r.choice((None, None, 0.3))
        self.slopes = None
        if r.random() < 0.3:
            shape = r.choice(((self.heads,), (self.batch, self.heads)))
            self.slopes = torch.rand(shape) * 0.5
        self.want_lse = r.random() < 0.3

    def tensor(self, *shape):
        return torch.randn(*shape).to(self.dtype).requires_grad_()

    def options(self):
        return {
            "softmax_scale": self.scale,
            "causal": self.causal,
            "window_size": self.window,
            "softcap": self.softcap,
            "alibi_slopes": self.slopes,
            "return_attn_probs": self.want_lse,
        }

    def reference(self, q, k, v, i, **bounds):
        slopes = self.slopes
        if slopes is not None and slopes.dim() == 2:
            slopes = slopes[i]
        scale = self.size**-0.5 if self.scale is None else self.scale
        return reference(q, k, v, self.causal, self.window, self.softcap, slopes, scale, **bounds)


class Numbers(unittest.TestCase):
    worst = {}

    def close(self, got, want, dtype, what):
        error = 0.0
        if want.numel():
            same = (got.double() == want.double()) | (got.double() - want.double()).abs().le(
                1e-300
            )
            error = (got.double() - want.double()).masked_fill(same, 0.0).abs().max().item()
        bound = TOLERANCE[dtype] * max(
            1.0,
            want[torch.isfinite(want)].abs().max().item() if torch.isfinite(want).any() else 1.0,
        )
        self.assertLessEqual(error, bound, what)
        Numbers.worst[dtype] = max(Numbers.worst.get(dtype, 0.0), error)

    def compare(self, case, inputs, call, wanted):
        """Forward and backward of call(*inputs) against wanted(*float64 inputs)."""
        result = call(*inputs)
        out = result[0] if isinstance(result, tuple) else result
        self.assertEqual(out.dtype, case.dtype)
        doubles = [x.detach().double().requires_grad_() for x in inputs]
        want, lse = wanted(*doubles)
        self.assertEqual(out.shape, want.shape)
        self.close(out.detach(), want.detach(), case.dtype, "output")
        if isinstance(result, tuple):
            self.assertEqual(result[1].dtype, torch.float32)
            self.close(
                result[1], lse, torch.float32 if case.dtype == torch.float32 else case.dtype, "lse"
            )
        weights = torch.randn(out.shape, dtype=torch.float64)
        (out.double() * weights).sum().backward()
        (want * weights).sum().backward()
        for got, double in zip(inputs, doubles):
            gradient = torch.zeros_like(double) if double.grad is None else double.grad
            self.close(got.grad, gradient, case.dtype, "gradient")

    def test_equal_lengths(self):
        for seed in range(0, CASES, 2):
            case = Case(seed)
            (n_q, n_k), b = case.lengths[0], case.batch
            q = case.tensor(b, n_q, case.heads, case.size)
            k, v = (case.tensor(b, n_k, case.kv_heads, case.size) for _ in "kv")

            def wanted(q, k, v):
                parts = [case.reference(q[i], k[i], v[i], i) for i in range(b)]
                return tuple(torch.stack(x) for x in zip(*parts))

            with self.subTest(seed=seed, **vars(case)):
                self.compare(
                    case, (q, k, v), lambda *t: fa.flash_attn_func(*t, **case.options()), wanted
                )

    def test_packed_lengths(self):
        for seed in range(1, CASES, 2):
            case = Case(seed)
            bounds = [[0, *itertools.accumulate(x)] for x in zip(*case.lengths)]
            q = case.tensor(bounds[0][-1], case.heads, case.size)
            k, v = (case.tensor(bounds[1][-1], case.kv_heads, case.size) for _ in "kv")
            cu_q, cu_k = (torch.tensor(x, dtype=torch.int32) for x in bounds)

            def wanted(q, k, v):
                parts = []
                for i in range(case.batch):
                    (a, b), (c, d) = bounds[0][i : i + 2], bounds[1][i : i + 2]
                    parts.append(case.reference(q[a:b], k[c:d], v[c:d], i))
                out, lse = zip(*parts)
                return torch.cat(out), torch.cat(lse, 1)

            def call(q, k, v):
                longest = [max(x) for x in zip(*case.lengths)]
                return fa.flash_attn_varlen_func(q, k, v, cu_q, cu_k, *longest, **case.options())

            with self.subTest(seed=seed, **vars(case)):
                self.compare(case, (q, k, v), call, wanted)

    def test_cache(self):
        for seed in range(2000, 2000 + CASES // 4):
            case, r = Case(seed), random.Random(seed)
            b, n_q, room = case.batch, r.randint(1, 4), 16
            paged, new = r.random() < 0.4, r.random() < 0.6
            used = [r.randint(1, 9) for _ in range(b)]
            left = None
            if not paged and r.random() < 0.4:
                left = [r.randint(0, u - 1) for u in used]
            q = torch.randn(b, n_q, case.heads, case.size)
            cache = [torch.randn(b + 2, room, case.kv_heads, case.size) for _ in "kv"]
            order = list(range(b + 2))
            r.shuffle(order)
            fresh = [torch.randn(b, n_q, case.kv_heads, case.size) for _ in "kv"] if new else ()
            plain = [c[order[:b]].clone() for c in cache]
            for c, x in zip(plain, fresh):
                for i in range(b):
                    c[i, used[i] : used[i] + n_q] = x[i]
            arguments = {**case.options(), "cache_seqlens": torch.tensor(used, dtype=torch.int32)}
            arguments["return_softmax_lse"] = True
            del arguments["return_attn_probs"]
            pages = cache
            if paged:
                pages = [c.reshape(-1, 4, case.kv_heads, case.size).clone() for c in cache]
                table = [[4 * o + p for p in range(4)] for o in order[:b]]
                arguments["block_table"] = torch.tensor(table, dtype=torch.int32)
            else:
                arguments["cache_batch_idx"] = torch.tensor(order[:b], dtype=torch.int32)
                if left:
                    arguments["cache_leftpad"] = torch.tensor(left, dtype=torch.int32)
            k, v = fresh or (None, None)
            out, lse = fa.flash_attn_with_kvcache(q, *pages, k, v, **arguments)
            parts = []
            for i in range(b):
                end = used[i] + (n_q if new else 0)
                parts.append(
                    case.reference(
                        q[i].double(),
                        plain[0][i].double(),
                        plain[1][i].double(),
                        i,
                        start=left[i] if left else 0,
                        end=end,
                    )
                )
            want, want_lse = (torch.stack(x) for x in zip(*parts))
            with self.subTest(seed=seed, paged=paged, new=new, left=left, **vars(case)):
                self.close(out, want, torch.float32, "output")
                self.close(lse, want_lse, torch.float32, "lse")
                for c, p in zip(pages, plain):
                    flat = c.reshape(b + 2, room, *c.shape[2:])
                    self.assertTrue(torch.equal(flat[order[:b]], p), "the cache is updated")


class Functions(unittest.TestCase):
    def setUp(self):
        torch.manual_seed(0)

    def test_packed_arguments(self):
        qkv = torch.randn(2, 5, 3, 2, 8)
        want = fa.flash_attn_func(*qkv.unbind(2), causal=True)
        self.assertTrue(torch.equal(fa.flash_attn_qkvpacked_func(qkv, 0.0, None, True), want))
        got = fa.flash_attn_kvpacked_func(qkv[:, :, 0], qkv[:, :, 1:], causal=True)
        self.assertTrue(torch.equal(got, want))
        flat = qkv.flatten(0, 1)
        bounds = torch.tensor([0, 5, 10], dtype=torch.int32)
        got = fa.flash_attn_varlen_qkvpacked_func(flat, bounds, 5, 0.0, None, True)
        self.assertTrue(torch.allclose(got, want.flatten(0, 1), atol=1e-6))
        got = fa.flash_attn_varlen_kvpacked_func(
            flat[:, 0], flat[:, 1:], bounds, bounds, 5, 5, causal=True
        )
        self.assertTrue(torch.allclose(got, want.flatten(0, 1), atol=1e-6))

    def test_names_of_version_1(self):
        qkv = torch.randn(10, 3, 4, 8)
        bounds = torch.tensor([0, 5, 10], dtype=torch.int32)
        want = fa.flash_attn_varlen_qkvpacked_func(qkv, bounds, 5, 0.0, 0.5, True)
        from cuda_morph_rt.flash_attn import flash_attn_interface as v1

        got = v1.flash_attn_unpadded_qkvpacked_func(qkv, bounds, 5, 0.0, 0.5, True)
        self.assertTrue(torch.equal(got, want))
        rest = (bounds, bounds, 5, 5, 0.0, 0.5, True)
        got = v1.flash_attn_unpadded_kvpacked_func(qkv[:, 0], qkv[:, 1:], *rest)
        self.assertTrue(torch.equal(got, want))
        got = v1.flash_attn_unpadded_func(*qkv.unbind(1), *rest)
        self.assertTrue(torch.equal(got, want))
        with self.assertRaises(NotImplementedError):  # the mask stood in the other corner
            other = torch.tensor([0, 4, 10], dtype=torch.int32)
            v1.flash_attn_unpadded_func(*qkv.unbind(1), bounds, other, 5, 6, 0.0, None, True)
        with self.assertRaises(NotImplementedError):
            v1.flash_attn_unpadded_qkvpacked_func(qkv, bounds, 5, 0.0, return_attn_probs=True)

    def test_dropout(self):
        q = torch.randn(1, 64, 2, 8)
        v = torch.ones(1, 64, 2, 8)
        out, lse, p = fa.flash_attn_func(q, q, v, 0.25, return_attn_probs=True)
        kept = p[p > 0]
        self.assertEqual(p.shape, (1, 2, 64, 64))
        self.assertAlmostEqual((p < 0).float().mean().item(), 0.25, delta=0.03)
        self.assertTrue(torch.allclose(p.abs().sum(-1), torch.ones(1, 2, 64), atol=1e-5))
        want = torch.where(p > 0, p, torch.zeros_like(p)).sum(-1) / 0.75
        self.assertTrue(torch.allclose(out[..., 0], want.transpose(1, 2), atol=1e-5))
        self.assertGreater(kept.numel(), 0)
        out = fa.flash_attn_func(q, q, v, 0.5)
        self.assertAlmostEqual(out.mean().item(), 1.0, delta=0.05)

    def test_return_values(self):
        q = torch.randn(1, 3, 2, 8)
        out, lse, p = fa.flash_attn_func(q, q, q, return_attn_probs=True)
        self.assertEqual((lse.shape, p.numel()), ((1, 2, 3), 0))
        bounds = torch.tensor([0, 3], dtype=torch.int32)
        out, lse, p = fa.flash_attn_varlen_func(
            q[0], q[0], q[0], bounds, bounds, 3, 3, return_attn_probs=True
        )
        self.assertEqual(lse.shape, (2, 3))

    def test_paged_varlen(self):
        k = torch.randn(6, 4, 2, 8)
        table = torch.tensor([[3, 1], [5, 0]], dtype=torch.int32)
        q = torch.randn(5, 2, 8)
        cu_q = torch.tensor([0, 2, 5], dtype=torch.int32)
        cu_k = torch.tensor([0, 7, 10], dtype=torch.int32)
        got = fa.flash_attn_varlen_func(q, k, k, cu_q, cu_k, 3, 7, block_table=table)
        flat = torch.cat((k[3], k[1, :3], k[5, :3]))
        want = fa.flash_attn_varlen_func(q, flat, flat, cu_q, cu_k, 3, 7)
        self.assertTrue(torch.equal(got, want))

    def test_refusals(self):
        q = torch.randn(1, 3, 4, 8)
        k = torch.randn(1, 3, 3, 8)
        bounds = torch.tensor([0, 9], dtype=torch.int32)
        for error, call in (
            (ValueError, lambda: fa.flash_attn_func(q, k, k)),
            (ValueError, lambda: fa.flash_attn_func(q, q[..., :4], q[..., :4])),
            (ValueError, lambda: fa.flash_attn_func(q, q.half(), q)),
            (ValueError, lambda: fa.flash_attn_func(q, q, q, 1.5)),
            (ValueError, lambda: fa.flash_attn_func(q, q, q, alibi_slopes=torch.ones(3))),
            (NotImplementedError, lambda: fa.flash_attn_func(q, q, q, 0.1, softcap=1.0)),
            (
                ValueError,
                lambda: fa.flash_attn_varlen_func(q[0], q[0], q[0], bounds, bounds, 9, 9),
            ),
            (ValueError, lambda: fa.flash_attn_with_kvcache(q, q, q, k=q)),
            (ValueError, lambda: fa.flash_attn_with_kvcache(q, q, q, q, q)),
            (ValueError, lambda: fa.flash_attn_with_kvcache(q, q, q, q, q, cache_seqlens=2)),
        ):
            with self.assertRaises(error):
                call()

    def test_cache_with_rotary(self):
        """Decoding token by token gives what one call over the whole sequence gives."""
        n, heads, size = 7, 2, 16
        q, k, v = (torch.randn(2, n, heads, size) for _ in "qkv")
        angles = torch.outer(torch.arange(n).float(), torch.rand(size // 4))
        tables = angles.cos(), angles.sin()
        for interleaved in (False, True):
            turned = [rotary.apply_rotary_emb(x, *tables, interleaved) for x in (q, k)]
            want = fa.flash_attn_func(*turned, v, causal=True)
            caches = [torch.zeros(2, n, heads, size) for _ in "kv"]
            got = [
                fa.flash_attn_with_kvcache(
                    q[:, i : i + 1],
                    *caches,
                    k[:, i : i + 1],
                    v[:, i : i + 1],
                    *tables,
                    cache_seqlens=i,
                    causal=True,
                    rotary_interleaved=interleaved,
                )
                for i in range(n)
            ]
            self.assertTrue(torch.allclose(torch.cat(got, 1), want, atol=1e-5))


class Padding(unittest.TestCase):
    def test_round_trip(self):
        mask = torch.tensor([[1, 1, 0, 0], [1, 1, 1, 1], [0, 1, 1, 0]])
        x = torch.randn(3, 4, 2, 5, requires_grad=True)
        tokens, indices, bounds, longest, used = bert_padding.unpad_input(x, mask)
        self.assertEqual(tokens.shape, (8, 2, 5))
        self.assertEqual(bounds.tolist(), [0, 2, 6, 8])
        self.assertEqual((bounds.dtype, longest, used.tolist()), (torch.int32, 4, [2, 4, 2]))
        back = bert_padding.pad_input(tokens, indices, 3, 4)
        self.assertTrue(torch.equal(back, x * mask[..., None, None]))
        back.sum().backward()
        self.assertTrue(torch.equal(x.grad, mask[..., None, None].expand_as(x).float()))

    def test_unused_and_concatenated(self):
        mask = torch.tensor([[1, 0, 0], [1, 1, 0]])
        unused = torch.tensor([[0, 1, 0], [0, 0, 0]])
        tokens, _, bounds, longest, used = bert_padding.unpad_input(
            torch.ones(2, 3, 1), mask, unused
        )
        self.assertEqual((len(tokens), bounds.tolist(), used.tolist()), (4, [0, 2, 4], [1, 2]))
        lengths = torch.tensor([[2, 3, 0, 0, 0, 0], [6, 0, 0, 0, 0, 0]])
        tokens, indices, bounds, longest = bert_padding.unpad_input_for_concatenated_sequences(
            torch.ones(2, 6, 1), lengths
        )
        self.assertEqual((len(tokens), bounds.tolist(), longest), (11, [0, 2, 5, 11], 6))


class Rotary(unittest.TestCase):
    def tables(self, n, half):
        angles = torch.outer(torch.arange(n).double(), torch.rand(half).double())
        return angles.cos().float(), angles.sin().float()

    def test_against_complex_numbers(self):
        x = torch.randn(2, 6, 3, 10)
        cos, sin = self.tables(20, 4)
        offsets = torch.tensor([3, 11])
        turned = rotary.apply_rotary_emb(x, cos, sin, True, seqlen_offsets=offsets)
        for b, i in itertools.product(range(2), range(6)):
            at = i + offsets[b]
            pairs = torch.view_as_complex(x[b, i, :, :8].reshape(3, 4, 2).contiguous())
            want = torch.view_as_real(pairs * torch.complex(cos[at], sin[at])).reshape(3, 8)
            self.assertTrue(torch.allclose(turned[b, i, :, :8], want, atol=1e-5))
        self.assertTrue(torch.equal(turned[..., 8:], x[..., 8:]))
        halves = torch.cat((x[..., :8:2], x[..., 1:8:2], x[..., 8:]), -1)
        other = rotary.apply_rotary_emb(halves, cos, sin, False, seqlen_offsets=offsets)
        self.assertTrue(torch.allclose(other[..., :4], turned[..., :8:2], atol=1e-6))

    def test_packed(self):
        x = torch.randn(9, 2, 8)
        cos, sin = self.tables(9, 4)
        bounds = torch.tensor([0, 4, 4, 9], dtype=torch.int32)
        got = rotary.apply_rotary_emb(x, cos, sin, cu_seqlens=bounds, max_seqlen=5)
        want = [rotary.apply_rotary_emb(x[None, a:b], cos, sin)[0] for a, b in ((0, 4), (4, 9))]
        self.assertTrue(torch.allclose(got, torch.cat(want)))

    def test_gradients_in_place(self):
        cos, sin = self.tables(5, 3)
        cos, sin = cos.double(), sin.double()
        x = torch.randn(1, 5, 3, 2, 8, dtype=torch.float64, requires_grad=True)
        call = lambda t: rotary.apply_rotary_emb_qkv_(t * 1.0, cos, sin)
        self.assertTrue(torch.autograd.gradcheck(call, (x,)))
        heads = torch.randn(1, 5, 4 + 2 * 2, 8, dtype=torch.float64, requires_grad=True)
        call = lambda t: rotary.apply_rotary_emb_qkv_(t * 1.0, cos, sin, num_heads_q=4)
        self.assertTrue(torch.autograd.gradcheck(call, (heads,)))
        kv = torch.randn(1, 5, 2, 2, 8, dtype=torch.float64, requires_grad=True)
        call = lambda t: rotary.apply_rotary_emb_kv_(t * 1.0, cos, sin)
        self.assertTrue(torch.autograd.gradcheck(call, (kv,)))

    def test_module(self):
        module = rotary.RotaryEmbedding(8)
        qkv = torch.randn(2, 5, 3, 2, 8)
        before = qkv.clone()
        result = module(qkv)
        self.assertEqual(result.data_ptr(), qkv.data_ptr())
        angles = torch.outer(torch.arange(5.0), 10000.0 ** (-torch.arange(0, 8, 2) / 8))
        want = rotary.apply_rotary_emb_torch(before[:, :, 0], angles.cos(), angles.sin())
        self.assertTrue(torch.allclose(result[:, :, 0], want, atol=1e-5))
        self.assertTrue(torch.equal(result[:, :, 2], before[:, :, 2]))
        q, kv = module(before[:, :, 0].clone(), before[:, :, 1:].clone(), seqlen_offset=2)
        self.assertEqual((q.shape, kv.shape), ((2, 5, 2, 8), (2, 5, 2, 2, 8)))
        xpos = rotary.RotaryEmbedding(8, scale_base=512)(before.clone())
        self.assertTrue(
            torch.allclose(
                (xpos[:, :, 0] * xpos[:, :, 1]).sum(-1),
                (
                    want
                    * rotary.apply_rotary_emb_torch(before[:, :, 1], angles.cos(), angles.sin())
                ).sum(-1),
                atol=1e-3,
            )
        )


class Norms(unittest.TestCase):
    def test_against_torch(self):
        from cuda_morph_rt.flash_attn.ops import layer_norm, rms_norm
        from cuda_morph_rt.flash_attn.ops.triton import layer_norm as triton_norm

        x, residual = torch.randn(4, 16), torch.randn(4, 16)
        weight, bias = torch.rand(16), torch.rand(16)
        want = torch.nn.functional.layer_norm(x + residual, (16,), weight, bias, 1e-5)
        got, total = layer_norm.dropout_add_layer_norm(
            x, residual, weight, bias, 0.0, 1e-5, prenorm=True
        )
        self.assertTrue(torch.allclose(got, want, atol=1e-5))
        self.assertTrue(torch.equal(total, x + residual))
        self.assertTrue(
            torch.allclose(
                layer_norm.layer_norm(x, weight, bias, 1e-5),
                torch.nn.functional.layer_norm(x, (16,), weight, bias, 1e-5),
                atol=1e-5,
            )
        )
        rms = x * torch.rsqrt(x.square().mean(-1, keepdim=True) + 1e-6) * weight
        self.assertTrue(torch.allclose(rms_norm.rms_norm(x, weight, 1e-6), rms, atol=1e-6))
        self.assertTrue(torch.allclose(triton_norm.rms_norm_fn(x, weight, None), rms, atol=1e-6))
        zero = triton_norm.rms_norm_fn(x, weight - 1, None, zero_centered_weight=True)
        self.assertTrue(torch.allclose(zero, rms, atol=1e-5))
        got, other, total = triton_norm.layer_norm_fn(
            x, weight, bias, residual, weight1=weight, bias1=bias, eps=1e-5, prenorm=True
        )
        self.assertTrue(torch.allclose(got, want, atol=1e-5) and torch.equal(got, other))
        linear = torch.nn.Linear(16, 3)
        got = triton_norm.layer_norm_linear_fn(
            x, weight, bias, linear.weight, linear.bias, eps=1e-5
        )
        want = linear(torch.nn.functional.layer_norm(x, (16,), weight, bias, 1e-5))
        self.assertTrue(torch.allclose(got, want, atol=1e-5))
        half = triton_norm.RMSNorm(16, dtype=torch.bfloat16)(x.bfloat16())
        self.assertEqual(half.dtype, torch.bfloat16)

    def test_dropout_masks(self):
        from cuda_morph_rt.flash_attn.ops.layer_norm import dropout_add_layer_norm
        from cuda_morph_rt.flash_attn.ops.rms_norm import DropoutAddRMSNorm, RMSNorm

        x = torch.ones(100, 50)
        weight = torch.ones(50)
        _, total, kept = dropout_add_layer_norm(
            x, None, weight, None, 0.3, 1e-5, prenorm=True, return_dropout_mask=True
        )
        self.assertAlmostEqual(kept.float().mean().item(), 0.7, delta=0.03)
        self.assertTrue(torch.allclose(total, kept / 0.7))
        module = DropoutAddRMSNorm(50, prenorm=True, p=0.5).eval()
        y, total = module(x)
        self.assertTrue(torch.equal(total, x) and torch.allclose(y, RMSNorm(50)(x), atol=1e-4))


class Losses(unittest.TestCase):
    def test_against_torch(self):
        from cuda_morph_rt.flash_attn.losses.cross_entropy import CrossEntropyLoss

        logits = torch.randn(6, 11, requires_grad=True)
        labels = torch.tensor([1, 5, -100, 0, 10, 3])
        for smoothing, reduction in itertools.product((0.0, 0.2), ("mean", "sum", "none")):
            got = CrossEntropyLoss(label_smoothing=smoothing, reduction=reduction)(logits, labels)
            want = torch.nn.functional.cross_entropy(
                logits, labels, label_smoothing=smoothing, reduction=reduction
            )
            self.assertTrue(torch.allclose(got, want, atol=1e-5))
            gradients = [torch.autograd.grad(x.sum(), logits)[0] for x in (got, want)]
            self.assertTrue(torch.allclose(*gradients, atol=1e-5))
        loss, z = CrossEntropyLoss(
            lse_square_scale=0.1, logit_scale=0.5, return_z_loss=True, reduction="sum"
        )(logits, labels)
        kept = labels != -100
        lse = torch.logsumexp(logits * 0.5, -1)[kept]
        self.assertAlmostEqual(z.item(), 0.1 * lse.square().sum().item(), places=4)
        plain = torch.nn.functional.cross_entropy(logits * 0.5, labels, reduction="sum")
        self.assertAlmostEqual(loss.item(), plain.item() + z.item(), places=4)


class Ascend(unittest.TestCase):
    """The path over npu_fusion_attention, with a stand-in that does what torch_npu documents."""

    class Fake:
        calls = []

        @classmethod
        def npu_fusion_attention(
            cls,
            query,
            key,
            value,
            head_num,
            input_layout,
            pse=None,
            padding_mask=None,
            atten_mask=None,
            scale=1.0,
            keep_prob=1.0,
            pre_tockens=2147483647,
            next_tockens=2147483647,
            inner_precise=0,
            prefix=None,
            actual_seq_qlen=None,
            actual_seq_kvlen=None,
            sparse_mode=0,
            softmax_layout="",
        ):
            assert head_num == query.shape[-2] and keep_prob == 1.0
            cls.calls.append((input_layout, sparse_mode))
            left, right = -1, -1
            if sparse_mode:
                upper = torch.ones(2048, 2048, dtype=torch.bool).triu(1)
                assert torch.equal(atten_mask, upper)
                left, right = (-1, 0) if sparse_mode == 3 else (pre_tockens, next_tockens)
            else:
                assert atten_mask is None
            if input_layout == "BSND":
                parts = [
                    reference(
                        q.double(), k.double(), v.double(), False, (left, right), 0.0, None, scale
                    )
                    for q, k, v in zip(query, key, value)
                ]
                out, lse = (torch.stack(x) for x in zip(*parts))
                statistics = lse[..., None].expand(*lse.shape, 8)
            else:
                ends = list(
                    zip(
                        [0, *actual_seq_qlen],
                        actual_seq_qlen,
                        [0, *actual_seq_kvlen],
                        actual_seq_kvlen,
                    )
                )
                parts = [
                    reference(
                        query[a:b].double(),
                        key[c:d].double(),
                        value[c:d].double(),
                        False,
                        (left, right),
                        0.0,
                        None,
                        scale,
                    )
                    for a, b, c, d in ends
                ]
                out, lse = torch.cat([p[0] for p in parts]), torch.cat([p[1] for p in parts], 1)
                statistics = lse.transpose(0, 1)[..., None].expand(-1, -1, 8)
                if softmax_layout != "TND":  # op-plugin's page: the numbers stand as NTD
                    shape = statistics.shape
                    statistics = lse[..., None].expand(*lse.shape, 8).contiguous().view(shape)
            return (
                out.to(query.dtype),
                statistics.float(),
                torch.ones_like(statistics).float(),
                None,
                0,
                0,
                0,
            )

    def setUp(self):
        self.before = core._can_use_npu
        core._can_use_npu = lambda q, o: o.is_plain()
        sys.modules["torch_npu"] = self.Fake
        self.Fake.calls.clear()

    def tearDown(self):
        core._can_use_npu = self.before
        del sys.modules["torch_npu"]

    def test_the_same_numbers(self):
        expected = set()
        for causal, window, n_k in itertools.product(
            (False, True), ((-1, -1), (2, 0), (1, 2)), (3, 5, 9)
        ):
            q, k = torch.randn(2, 5, 4, 8), torch.randn(2, n_k, 2, 8)
            options = {"causal": causal, "window_size": window}
            got = fa.flash_attn_func(q, k, k, return_attn_probs=True, **options)
            cu_q = torch.tensor([0, 5, 10], dtype=torch.int32)
            cu_k = torch.tensor([0, n_k, 2 * n_k], dtype=torch.int32)
            flat = q.flatten(0, 1), k.flatten(0, 1), k.flatten(0, 1)
            packed = fa.flash_attn_varlen_func(
                *flat, cu_q, cu_k, 5, n_k, return_attn_probs=True, **options
            )
            core._can_use_npu = lambda q, o: False
            want = fa.flash_attn_func(q, k, k, return_attn_probs=True, **options)
            core._can_use_npu = lambda q, o: o.is_plain()
            for a, b in ((got[0], want[0]), (got[1], want[1])):
                self.assertTrue(torch.allclose(a, b, atol=1e-5))
            self.assertTrue(torch.allclose(packed[0], want[0].flatten(0, 1), atol=1e-5))
            self.assertTrue(
                torch.allclose(packed[1], want[1].transpose(0, 1).flatten(1), atol=1e-5)
            )
        self.assertEqual(
            set(self.Fake.calls),
            {(layout, mode) for layout in ("BSND", "TND") for mode in (0, 3, 4)},
        )

    def test_packed_sequences_of_any_lengths(self):
        """The log-sum-exp of each token and head, as computed without the operator."""
        for heads, lengths, causal in itertools.product(
            (1, 4, 8), ((3,), (5, 2, 7), (1, 9, 4, 6)), (False, True)
        ):
            bounds = [0, *itertools.accumulate(lengths)]
            cu = torch.tensor(bounds, dtype=torch.int32)
            q, k, v = (torch.randn(bounds[-1], heads, 8) for _ in range(3))
            most = max(lengths)
            ask = lambda: fa.flash_attn_varlen_func(
                q, k, v, cu, cu, most, most, causal=causal, return_attn_probs=True
            )
            got = ask()
            self.assertEqual(self.Fake.calls[-1][0], "TND")
            core._can_use_npu = lambda q, o: False
            want = ask()
            core._can_use_npu = lambda q, o: o.is_plain()
            for a, b in ((got[0], want[0]), (got[1], want[1])):
                self.assertTrue(torch.allclose(a, b, atol=1e-5))

    def test_cases_against_float64(self):
        """As many cases as the paths of one's own have, on the operator: 1, 4 and 8 heads."""
        asked = 0
        for seed in itertools.count():
            if asked == CASES:
                break
            r = random.Random(10000 + seed)
            torch.manual_seed(seed)
            dtype = r.choice(list(TOLERANCE))
            heads = (1, 4, 8)[seed % 3]
            kv_heads = r.choice([x for x in (1, 2, 4, 8) if heads % x == 0])
            size, count = r.choice((4, 8, 16)), r.choice((1, 2, 3))
            causal, window = r.random() < 0.5, r.choice(((-1, -1), (-1, -1), (3, 0), (2, 2)))
            packed = seed % 2 == 1
            lengths = [(r.randint(1, 12), r.randint(1, 12)) for _ in range(count)]
            if not packed:
                lengths = lengths[:1] * count
            bounds = [[0, *itertools.accumulate(x)] for x in zip(*lengths)]
            q = torch.randn(bounds[0][-1], heads, size).to(dtype)
            k, v = (torch.randn(bounds[1][-1], kv_heads, size).to(dtype) for _ in "kv")
            options = {"causal": causal, "window_size": window, "return_attn_probs": True}
            before = len(self.Fake.calls)
            if packed:
                cu_q, cu_k = (torch.tensor(x, dtype=torch.int32) for x in bounds)
                longest = [max(x) for x in zip(*lengths)]
                out, lse = fa.flash_attn_varlen_func(q, k, v, cu_q, cu_k, *longest, **options)[:2]
            else:
                shaped = (x.unflatten(0, (count, -1)) for x in (q, k, v))
                out, lse = fa.flash_attn_func(*shaped, **options)[:2]
                out, lse = out.flatten(0, 1), lse.transpose(0, 1).flatten(1)
            asked += len(self.Fake.calls) > before
            parts = [
                reference(
                    *(x.double() for x in (q[a:b], k[c:d], v[c:d])),
                    causal, window, 0.0, None, size**-0.5,
                )
                for a, b, c, d in zip(bounds[0], bounds[0][1:], bounds[1], bounds[1][1:])
            ]
            want, sums = torch.cat([p[0] for p in parts]), torch.cat([p[1] for p in parts], 1)
            with self.subTest(seed=seed, heads=heads, packed=packed, causal=causal, window=window):
                for got, one in ((out.double(), want), (lse.double(), sums)):
                    same = got == one
                    error = (got - one).masked_fill(same, 0.0).abs().max().item()
                    self.assertLessEqual(error, TOLERANCE[dtype] * max(1.0, one.abs().max()))
        self.assertLess(seed, 2 * CASES, "the operator is asked for most of them")

    def test_releases_without_the_layout(self):
        """They are asked for one sequence at a time."""
        newer = self.Fake.npu_fusion_attention

        class Older(self.Fake):
            @classmethod
            def npu_fusion_attention(
                cls,
                query,
                key,
                value,
                head_num,
                input_layout,
                atten_mask=None,
                scale=1.0,
                keep_prob=1.0,
                pre_tockens=2147483647,
                next_tockens=2147483647,
                sparse_mode=0,
                actual_seq_qlen=None,
                actual_seq_kvlen=None,
            ):
                given = {k: v for k, v in locals().items() if k not in ("cls", "newer")}
                return newer(**given)

        sys.modules["torch_npu"] = Older
        cu = torch.tensor([0, 5, 7, 14], dtype=torch.int32)
        q = torch.randn(14, 4, 8)
        got = fa.flash_attn_varlen_func(
            q, q, q, cu, cu, 7, 7, causal=True, return_attn_probs=True
        )
        self.assertEqual({c[0] for c in self.Fake.calls}, {"BSND"})
        core._can_use_npu = lambda q, o: False
        want = fa.flash_attn_varlen_func(
            q, q, q, cu, cu, 7, 7, causal=True, return_attn_probs=True
        )
        for a, b in ((got[0], want[0]), (got[1], want[1])):
            self.assertTrue(torch.allclose(a, b, atol=1e-5))

    def test_what_it_does_not_know_is_computed(self):
        q = torch.randn(1, 4, 2, 8)
        fa.flash_attn_func(q, q, q, softcap=2.0)
        fa.flash_attn_func(q, q, q, alibi_slopes=torch.ones(2))
        fa.flash_attn_func(q, q[:, :2], q[:, :2], causal=True)
        self.assertEqual(self.Fake.calls, [])


if __name__ == "__main__":
    result = unittest.main(exit=False, verbosity=0).result
    bad = len(result.failures) + len(result.errors)
    for dtype, error in Numbers.worst.items():
        print(f"largest error, {dtype}: {error:.2e}")
    print(
        f"flash_attn with torch {torch.__version__}: {result.testsRun - bad} passed, {bad} failed"
    )
    sys.exit(bad > 0)
