# SPDX-License-Identifier: Apache-2.0
"""The operators that `verify` tries: each a function of tensors, its inputs, and how exact it is.

A case is run twice: on the device in its own type, and on the CPU in float64 with inputs rounded
to that type. Integers have to be equal; the allowed difference of floating types is TOLERANCE,
relative to the largest value of the result (at least 1), times the case's own factor.
"""

from dataclasses import dataclass, field

# Relative to the result's largest value: about 8, 4 and 4 units in the last place times the few
# dozen operations that these small cases chain.
TOLERANCE = {"float64": 1e-12, "float32": 2e-5, "float16": 1e-2, "bfloat16": 6e-2}


@dataclass
class Case:
    name: str
    kind: str
    run: object  # run(torch, *tensors) -> tensor or tuple
    inputs: tuple = ()  # shapes, or functions of (torch, generator)
    dtype: str = "float32"
    optional: bool = False  # a device may lack it
    factor: float = 1.0
    special: bool = False  # run(torch, device) judges itself: returns None, or what is wrong
    needs: str = ""  # an attribute of torch that old versions lack
    tags: tuple = field(default_factory=tuple)


CASES = []


def case(name, kind, inputs=(), **options):
    def add(run):
        CASES.append(Case(name, kind, run, inputs, **options))
        return run

    return add


def simple(kind, names, inputs, **options):
    """Functions of torch that are called with the tensors alone."""
    for name in names.split():

        def run(torch, *tensors, name=name):
            function = torch
            for part in name.split("."):
                function = getattr(function, part)
            return function(*tensors)

        CASES.append(Case(name, kind, run, inputs, **options))


def positive(*shape):
    return lambda torch, g: torch.rand(shape, generator=g, dtype=torch.float64) + 0.5


def integers(high, *shape):
    return lambda torch, g: torch.randint(0, high, shape, generator=g)


def booleans(*shape):
    return lambda torch, g: torch.rand(shape, generator=g) < 0.5


M = (33, 47)

# ---- creation: on the device of the first tensor ----
for name, make in {
    "zeros": lambda t, x: t.zeros(5, 7, device=x.device),
    "ones": lambda t, x: t.ones(5, 7, device=x.device),
    "full": lambda t, x: t.full((5, 7), 3.5, device=x.device),
    "arange": lambda t, x: t.arange(0, 100, 3, device=x.device),
    "linspace": lambda t, x: t.linspace(-1, 1, 33, device=x.device),
    "eye": lambda t, x: t.eye(9, device=x.device),
    "zeros_like": lambda t, x: t.zeros_like(x),
    "tril": lambda t, x: t.tril(x),
    "triu": lambda t, x: t.triu(x, 1),
    "tensor": lambda t, x: t.tensor([[1.0, 2.0], [3.0, 4.0]], device=x.device),
}.items():
    CASES.append(Case(name, "creation", make, (M,)))

# ---- elementwise ----
simple("elementwise", "add sub mul maximum minimum atan2", (M, M))
simple("elementwise", "div pow", (positive(*M), positive(*M)))
simple("elementwise", "exp tanh sigmoid relu abs neg sin cos erf floor round sign", (M,))
simple("elementwise", "log sqrt rsqrt reciprocal log1p", (positive(*M),))
simple("elementwise", "nn.functional.gelu nn.functional.silu nn.functional.softplus", (M,))
simple("elementwise", "logical_and logical_xor", (booleans(*M), booleans(*M)))
simple("elementwise", "bitwise_and bitwise_or", (integers(100, *M), integers(100, *M)))
for name, run in {
    "clamp": lambda t, x: x.clamp(-0.5, 0.5),
    "where": lambda t, x: t.where(x > 0, x, -x * 2),
    "lerp": lambda t, x: t.lerp(x, x * 2, 0.25),
    "add_broadcast": lambda t, x: x + x[:, :1] + x[:1],
    "compare": lambda t, x: (x > 0) | (x < -1),
    "to_integer": lambda t, x: (x * 10).to(t.int32),
}.items():
    CASES.append(Case(name, "elementwise", run, (M,)))
CASES.append(Case("add_float16", "elementwise", lambda t, x, y: x + y, (M, M), dtype="float16"))
CASES.append(Case("add_bfloat16", "elementwise", lambda t, x, y: x + y, (M, M), dtype="bfloat16"))

# ---- reduction ----
for name, run in {
    "sum": lambda t, x: x.sum(),
    "sum_dim": lambda t, x: x.sum(1),
    "mean": lambda t, x: x.mean(0),
    "amax": lambda t, x: x.amax(1),
    "amin": lambda t, x: x.amin(0),
    "argmax": lambda t, x: x.argmax(1),
    "var": lambda t, x: x.var(1),
    "std": lambda t, x: x.std(0),
    "norm": lambda t, x: t.norm(x),
    "cumsum": lambda t, x: x.cumsum(1),
    "logsumexp": lambda t, x: t.logsumexp(x, 1),
    "prod": lambda t, x: (x * 0.1 + 1).prod(1),
    "any_all": lambda t, x: t.stack([(x > 2).any(), (x > -9).all()]),
    "count_nonzero": lambda t, x: t.count_nonzero(x > 0),
}.items():
    CASES.append(Case(name, "reduction", run, (M,)))

# ---- matrix products, in every type ----
for dtype in ("float32", "float16", "bfloat16", "float64"):
    CASES.append(
        Case(
            f"matmul_{dtype}",
            "matmul",
            lambda t, a, b: a @ b,
            ((65, 33), (33, 47)),
            dtype=dtype,
            optional=dtype != "float32",
        )
    )
for dtype in ("int8", "int32"):
    CASES.append(
        Case(
            f"matmul_{dtype}",
            "matmul",
            lambda t, a, b, d=dtype: a.to(getattr(t, d)) @ b.to(getattr(t, d)),
            (integers(3, 65, 33), integers(3, 33, 47)),
            optional=True,
        )
    )
simple("matmul", "bmm", ((4, 9, 17), (4, 17, 5)))
simple("matmul", "addmm baddbmm".split()[0], ((9, 5), (9, 17), (17, 5)))
simple("matmul", "mv", ((9, 17), (17,)))
simple("matmul", "nn.functional.linear", ((9, 17), (5, 17), (5,)))
CASES.append(
    Case(
        "einsum",
        "matmul",
        lambda t, a, b: t.einsum("bij,bjk->bik", a, b),
        ((4, 9, 17), (4, 17, 5)),
    )
)
CASES.append(
    Case("matmul_transposed", "matmul", lambda t, a, b: a.t() @ b.t(), ((33, 65), (47, 33)))
)

# ---- convolution and pooling ----
F = "nn.functional."
simple("conv", F + "conv1d", ((2, 4, 33), (6, 4, 3)))
simple("conv", F + "conv2d", ((2, 4, 17, 19), (6, 4, 3, 3)))
simple("conv", F + "conv3d", ((1, 2, 7, 8, 9), (3, 2, 3, 3, 3)))
simple("conv", F + "conv_transpose2d", ((2, 4, 9, 9), (4, 5, 3, 3)))
for name, run in {
    "conv2d_stride_pad": lambda t, x, w: t.nn.functional.conv2d(x, w, stride=2, padding=1),
    "conv2d_dilated": lambda t, x, w: t.nn.functional.conv2d(x, w, dilation=2),
}.items():
    CASES.append(Case(name, "conv", run, ((2, 4, 17, 19), (6, 4, 3, 3))))
CASES.append(
    Case(
        "conv2d_depthwise",
        "conv",
        lambda t, x, w: t.nn.functional.conv2d(x, w, groups=4),
        ((2, 4, 17, 19), (4, 1, 3, 3)),
    )
)
for name, run in {
    "max_pool2d": lambda t, x: t.nn.functional.max_pool2d(x, 2),
    "avg_pool2d": lambda t, x: t.nn.functional.avg_pool2d(x, 3, stride=2),
    "adaptive_avg_pool2d": lambda t, x: t.nn.functional.adaptive_avg_pool2d(x, 3),
    "interpolate_nearest": lambda t, x: t.nn.functional.interpolate(x, scale_factor=2),
    "interpolate_bilinear": lambda t, x: t.nn.functional.interpolate(
        x, scale_factor=2, mode="bilinear"
    ),
    "pad_reflect": lambda t, x: t.nn.functional.pad(x, (1, 2, 2, 1), mode="reflect"),
}.items():
    CASES.append(Case(name, "conv", run, ((2, 4, 16, 18),)))

# ---- normalisation ----
for name, run in {
    "layer_norm": lambda t, x: t.nn.functional.layer_norm(x, (12,)),
    "group_norm": lambda t, x: t.nn.functional.group_norm(x, 3),
    "batch_norm_train": lambda t, x: t.nn.functional.batch_norm(x, None, None, training=True),
    "instance_norm": lambda t, x: t.nn.functional.instance_norm(x),
    "rms_norm": lambda t, x: x * t.rsqrt(x.pow(2).mean(-1, keepdim=True) + 1e-6),
    "softmax": lambda t, x: x.softmax(-1),
    "log_softmax": lambda t, x: x.log_softmax(1),
}.items():
    CASES.append(Case(name, "norm", run, ((4, 6, 12),)))
CASES.append(
    Case(
        "batch_norm_eval",
        "norm",
        lambda t, x, m, v: t.nn.functional.batch_norm(x, m, v),
        ((4, 6, 12), (6,), positive(6)),
    )
)
CASES.append(
    Case(
        "softmax_float16",
        "norm",
        lambda t, x: x.softmax(-1),
        ((4, 6, 12),),
        dtype="float16",
        optional=True,
    )
)


# ---- attention ----
def attention(torch, q, k, v, mask=None):
    scores = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    if mask is not None:
        scores = scores.masked_fill(~mask, float("-inf"))
    return scores.softmax(-1) @ v


QKV = ((2, 3, 17, 8),) * 3


@case("attention", "attention", QKV)
def _(torch, q, k, v):
    return attention(torch, q, k, v)


@case("attention_causal", "attention", QKV)
def _(torch, q, k, v):
    return attention(torch, q, k, v, torch.ones(17, 17, dtype=torch.bool, device=q.device).tril())


@case("attention_padding", "attention", QKV)
def _(torch, q, k, v):
    return attention(torch, q, k, v, torch.arange(17, device=q.device) < 11)


@case("sdpa", "attention", QKV, needs="nn.functional.scaled_dot_product_attention")
def _(torch, q, k, v):
    return torch.nn.functional.scaled_dot_product_attention(q, k, v)


@case("sdpa_causal", "attention", QKV, needs="nn.functional.scaled_dot_product_attention")
def _(torch, q, k, v):
    return torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=True)


@case("sdpa_mask", "attention", QKV, needs="nn.functional.scaled_dot_product_attention")
def _(torch, q, k, v):
    mask = torch.arange(17, device=q.device) < 11
    return torch.nn.functional.scaled_dot_product_attention(q, k, v, attn_mask=mask.expand(17, 17))


# ---- indexing and shape ----
for name, run in {
    "slice": lambda t, x, i: x[1:-1, ::3],
    "index": lambda t, x, i: x[i],
    "index_select": lambda t, x, i: x.index_select(0, i),
    "index_add": lambda t, x, i: t.zeros_like(x).index_add(0, i, x[: len(i)]),
    "index_put": lambda t, x, i: x.clone().index_put((i,), x[: len(i)] * 0 + 7),
    "gather": lambda t, x, i: x.gather(0, i[:, None].expand(len(i), x.shape[1])),
    "scatter_add": lambda t, x, i: t.zeros_like(x).scatter_add(
        0, i[:, None].expand(len(i), x.shape[1]), x
    ),
    "masked_fill": lambda t, x, i: x.masked_fill(x > 0, 0.0),
    "masked_select": lambda t, x, i: x.masked_select(x > 0),
    "nonzero": lambda t, x, i: (x > 1).nonzero(),
    "embedding": lambda t, x, i: t.nn.functional.embedding(i, x),
    "one_hot": lambda t, x, i: t.nn.functional.one_hot(i, 33),
    "cat": lambda t, x, i: t.cat([x, x[:3]], 0),
    "stack_unbind": lambda t, x, i: t.stack(x.unbind(0)[::-1], 1),
    "split": lambda t, x, i: t.cat(x.split(10)[::-1]),
    "permute_contiguous": lambda t, x, i: x.t().contiguous().view(-1),
    "flip": lambda t, x, i: x.flip(1),
    "roll": lambda t, x, i: x.roll(3, 0),
    "repeat": lambda t, x, i: x.repeat(2, 3),
    "pad": lambda t, x, i: t.nn.functional.pad(x, (1, 2), value=5.0),
}.items():
    CASES.append(Case(name, "indexing", run, (M, integers(33, 21))))

# ---- sorting and counting ----
for name, run in {
    "sort": lambda t, x: tuple(x.sort(1)),
    "argsort": lambda t, x: x.argsort(0),
    "topk": lambda t, x: tuple(x.topk(5, 1)),
    "kthvalue": lambda t, x: x.kthvalue(3, 1)[0],
    "median": lambda t, x: x.median(1)[0],
    "unique": lambda t, x: (x * 3).round().unique(),
    "searchsorted": lambda t, x: t.searchsorted(x[0].sort()[0], x[1]),
    "bincount": lambda t, x: ((x.abs() * 5).long().view(-1)).bincount(),
    "histc": lambda t, x: t.histc(x, 10, -2.0, 2.0),
}.items():
    CASES.append(Case(name, "sort", run, (M,), optional=name == "histc"))

# ---- linear algebra ----
for name, run in {
    "cholesky": lambda t, x: t.linalg.cholesky(
        x @ x.t() + 9 * t.eye(9, device=x.device, dtype=x.dtype)
    ),
    "solve": lambda t, x: t.linalg.solve(
        x @ x.t() + 9 * t.eye(9, device=x.device, dtype=x.dtype), x
    ),
    "inverse": lambda t, x: t.linalg.inv(x @ x.t() + 9 * t.eye(9, device=x.device, dtype=x.dtype)),
    "det": lambda t, x: t.linalg.det(x * 0.3),
    "svdvals": lambda t, x: t.linalg.svdvals(x),
}.items():
    CASES.append(Case(name, "linalg", run, ((9, 9),), optional=True, factor=20))


# ---- gradients ----
def gradient(function):
    def run(torch, *tensors):
        with torch.enable_grad():
            leaves = [x.detach().clone().requires_grad_(x.is_floating_point()) for x in tensors]
            out = function(torch, *leaves)
            out.backward()
        return tuple(x.grad for x in leaves if x.grad is not None) + (out.detach(),)

    return run


for name, function, inputs in (
    (
        "grad_linear",
        lambda t, x, w, b: t.nn.functional.gelu(t.nn.functional.linear(x, w, b)).pow(2).mean(),
        ((9, 17), (5, 17), (5,)),
    ),
    (
        "grad_conv2d",
        lambda t, x, w: t.nn.functional.conv2d(x, w, padding=1).tanh().sum(),
        ((2, 3, 9, 9), (4, 3, 3, 3)),
    ),
    (
        "grad_layer_norm",
        lambda t, x, w: (t.nn.functional.layer_norm(x, (12,), w) ** 3).mean(),
        ((4, 12), (12,)),
    ),
    ("grad_attention", lambda t, q, k, v: attention(t, q, k, v).pow(2).sum(), QKV),
    (
        "grad_embedding",
        lambda t, w, i: t.nn.functional.embedding(i, w).pow(2).sum(),
        ((33, 8), integers(33, 21)),
    ),
    (
        "grad_cross_entropy",
        lambda t, x, i: t.nn.functional.cross_entropy(x, i),
        ((21, 9), integers(9, 21)),
    ),
    ("grad_mse", lambda t, x, y: t.nn.functional.mse_loss(x, y), (M, M)),
    (
        "grad_max_pool2d",
        lambda t, x: t.nn.functional.max_pool2d(x, 2).pow(2).sum(),
        ((2, 3, 8, 8),),
    ),
    (
        "grad_batch_norm",
        lambda t, x: t.nn.functional.batch_norm(x, None, None, training=True).pow(3).sum(),
        ((6, 4, 5),),
    ),
    ("grad_softmax", lambda t, x: (x.softmax(-1) * x).sum(), (M,)),
):
    CASES.append(Case(name, "autograd", gradient(function), inputs, factor=4))
