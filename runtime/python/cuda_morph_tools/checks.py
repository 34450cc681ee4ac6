# SPDX-License-Identifier: Apache-2.0
"""Cases of `verify` that judge themselves: random numbers, copies, streams, mixed precision,
optimisers, collectives. Each returns None, or a sentence that says what is wrong."""

import os
import socket
import subprocess
import sys
import tempfile

from operators import Case, CASES
from devices import namespace


class Unsupported(Exception):
    """The device or this PyTorch does not have it."""


def check(name, kind, **options):
    def add(run):
        CASES.append(Case(name, kind, run, special=True, **options))
        return run

    return add


def reproducible(make):
    def run(torch, device):
        torch.manual_seed(7)
        first = make(torch, device)
        again = make(torch, device)
        torch.manual_seed(7)
        second = make(torch, device)
        if not torch.equal(first.cpu(), second.cpu()):
            return "the same seed gives other numbers"
        if torch.equal(first.cpu(), again.cpu()):
            return "two calls after one seed give the same numbers"
        return None

    return run


for name, make in {
    "rand": lambda t, d: t.rand(1000, device=d),
    "randn": lambda t, d: t.randn(1000, device=d),
    "randint": lambda t, d: t.randint(0, 1000, (1000,), device=d),
    "randperm": lambda t, d: t.randperm(1000, device=d),
    "bernoulli": lambda t, d: t.full((1000,), 0.5, device=d).bernoulli(),
    "dropout": lambda t, d: t.nn.functional.dropout(t.ones(1000, device=d), 0.5),
    "multinomial": lambda t, d: t.multinomial(t.ones(100, device=d), 500, replacement=True),
}.items():
    CASES.append(Case("rng_" + name, "rng", reproducible(make), special=True))


@check("rng_distribution", "rng")
def _(torch, device):
    torch.manual_seed(1)
    x = torch.randn(100000, device=device).cpu().double()
    if abs(x.mean()) > 0.02 or abs(x.std() - 1) > 0.02:
        return f"mean {x.mean():.3f}, deviation {x.std():.3f}"
    return None


@check("rng_permutation", "rng")
def _(torch, device):
    x = torch.randperm(1000, device=device).cpu().sort()[0]
    return None if torch.equal(x, torch.arange(1000)) else "randperm is no permutation"


@check("generator", "rng")
def _(torch, device):
    def numbers():
        g = torch.Generator(device=device).manual_seed(3)
        return torch.rand(100, device=device, generator=g).cpu()

    return None if torch.equal(numbers(), numbers()) else "a generator does not repeat itself"


@check("copy_round_trip", "copy")
def _(torch, device):
    for dtype in (
        torch.float32,
        torch.float16,
        torch.bfloat16,
        torch.int64,
        torch.int8,
        torch.bool,
    ):
        x = torch.arange(1000).to(dtype)
        if not torch.equal(x.to(device).to("cpu"), x):
            return f"{dtype} comes back changed"
    return None


@check("copy_strided", "copy")
def _(torch, device):
    x = torch.arange(600.0).view(20, 30)
    y = torch.zeros(30, 20, device=device)
    y.t().copy_(x[:, :].to(device))
    return None if torch.equal(y.cpu(), x.t()) else "a copy between strides is wrong"


@check("copy_pinned", "copy", optional=True)
def _(torch, device):
    if device.type == "cpu":
        raise Unsupported("the CPU has no pinned memory of its own")
    x = torch.arange(100000.0).pin_memory()
    y = x.to(device, non_blocking=True)
    namespace(torch, device.type).synchronize()
    return None if torch.equal(y.cpu(), x) else "a pinned copy is wrong"


@check("streams", "streams", optional=True)
def _(torch, device):
    module = namespace(torch, device.type)
    if module is None or not hasattr(module, "Stream"):
        raise Unsupported("no streams on this device")
    side = module.Stream()
    x = torch.ones(512, 512, device=device)
    side.wait_stream(module.current_stream())
    with module.stream(side):
        for _ in range(10):
            x = x @ torch.full((512, 512), 1 / 512, device=device)
        done = module.Event()
        done.record(side)
    module.current_stream().wait_event(done)
    worst = (x - 1).abs().max().item()
    return None if worst < 1e-3 else f"the main stream read too early (difference {worst:g})"


@check("events", "streams", optional=True)
def _(torch, device):
    module = namespace(torch, device.type)
    if module is None or not hasattr(module, "Event"):
        raise Unsupported("no events on this device")
    start, end = module.Event(enable_timing=True), module.Event(enable_timing=True)
    x = torch.ones(1024, 1024, device=device)
    start.record()
    x @ x
    end.record()
    module.synchronize()
    return None if start.elapsed_time(end) > 0 else "the time between two events is not positive"


@check("autocast", "amp", optional=True)
def _(torch, device):
    a, b = torch.randn(32, 32, device=device), torch.randn(32, 32, device=device)
    try:
        with torch.autocast(device.type, dtype=torch.bfloat16):
            c = a @ b
    except RuntimeError as error:
        raise Unsupported(str(error)) from None
    if c.dtype != torch.bfloat16:
        return f"the product under autocast is {c.dtype}"
    worst = (c.float() - a @ b).abs().max().item()
    return None if worst < 0.5 else f"the product under autocast is off by {worst:g}"


@check("grad_scaler", "amp", optional=True)
def _(torch, device):
    make = getattr(getattr(torch, "amp", None), "GradScaler", None)
    if make is None:
        raise Unsupported("this PyTorch has no torch.amp.GradScaler")
    w = torch.ones(4, device=device, requires_grad=True)
    optimizer, scaler = torch.optim.SGD([w], lr=0.5), make(device.type, init_scale=8.0)
    scaler.scale((w * 2).sum()).backward()
    scaler.step(optimizer)
    scaler.update()
    return (
        None
        if torch.allclose(w.detach().cpu(), torch.zeros(4))
        else "a scaled step gives other weights"
    )


def optimizer_case(make):
    def train(torch, device, dtype):
        g = torch.Generator().manual_seed(5)
        w = torch.randn(8, 4, generator=g, dtype=torch.float64).to(device, dtype).requires_grad_()
        x = torch.randn(16, 8, generator=g, dtype=torch.float64).to(device, dtype)
        optimizer = make(torch, [w])
        for _ in range(5):
            optimizer.zero_grad()
            (x @ w).pow(2).mean().backward()
            optimizer.step()
        return w.detach().cpu().double()

    def run(torch, device):
        worst = (
            (train(torch, device, torch.float32) - train(torch, "cpu", torch.float64))
            .abs()
            .max()
            .item()
        )
        return None if worst < 1e-3 else f"after five steps the weights differ by {worst:g}"

    return run


for name, make in {
    "sgd": lambda t, p: t.optim.SGD(p, lr=0.1, momentum=0.9),
    "adam": lambda t, p: t.optim.Adam(p, lr=0.01),
    "adamw": lambda t, p: t.optim.AdamW(p, lr=0.01),
}.items():
    CASES.append(Case("optimizer_" + name, "autograd", optimizer_case(make), special=True))


def recurrent(kind):
    def run(torch, device):
        torch.manual_seed(2)
        module = getattr(torch.nn, kind)(5, 7, batch_first=True)
        x = torch.randn(3, 11, 5)
        want = module.double()(x.double())[0]
        got = module.float().to(device)(x.to(device))[0]
        worst = (got.detach().cpu().double() - want.detach()).abs().max().item()
        return None if worst < 1e-4 else f"differs by {worst:g}"

    return run


for kind in ("LSTM", "GRU"):
    CASES.append(Case(kind.lower(), "recurrent", recurrent(kind), special=True, optional=True))

# ---- collectives: processes of their own, so that a hang is no hang of ours ----

RANK = """
import os, sys
sys.path.insert(0, sys.argv[1])
from devices import load, DEVICES
torch, device = load(sys.argv[2])
rank, world = int(os.environ["RANK"]), int(os.environ["WORLD_SIZE"])
if device.type != "cpu":
    device = torch.device(device.type, rank)
    getattr(torch, device.type).set_device(device)
import torch.distributed as dist
if not dist.is_available():
    print("unsupported: this PyTorch has no torch.distributed"); sys.exit(0)
dist.init_process_group(DEVICES[device.type][1])
x = torch.full((1000,), float(rank + 1), device=device)
dist.all_reduce(x)
assert x.cpu().eq(world * (world + 1) / 2).all(), "all_reduce"
y = torch.full((10,), float(rank), device=device)
dist.broadcast(y, world - 1)
assert y.cpu().eq(world - 1).all(), "broadcast"
parts = [torch.zeros(3, device=device) for _ in range(world)]
dist.all_gather(parts, torch.full((3,), float(rank), device=device))
assert all(p.cpu().eq(i).all() for i, p in enumerate(parts)), "all_gather"
dist.barrier()
dist.destroy_process_group()
"""


def free_port():
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        return s.getsockname()[1]


def collectives(world):
    def run(torch, device):
        module = namespace(torch, device.type)
        if not torch.distributed.is_available():
            raise Unsupported("this PyTorch has no torch.distributed")
        if module is not None and module.device_count() < world:
            raise Unsupported(f"{world} ranks need {world} devices")
        here = os.path.dirname(os.path.abspath(__file__))
        env = dict(
            os.environ,
            MASTER_ADDR="127.0.0.1",
            MASTER_PORT=str(free_port()),
            WORLD_SIZE=str(world),
        )
        with tempfile.TemporaryFile("w+") as log:
            ranks = [
                subprocess.Popen(
                    [sys.executable, "-c", RANK, here, device.type],
                    stdin=subprocess.DEVNULL,
                    env=dict(env, RANK=str(r), LOCAL_RANK=str(r)),
                    stdout=log,
                    stderr=log,
                )
                for r in range(world)
            ]
            try:
                codes = [r.wait(timeout=60) for r in ranks]
            except subprocess.TimeoutExpired:
                return f"{world} ranks do not meet within 60 seconds"
            finally:
                for r in ranks:
                    r.kill()
                    r.wait()
            log.seek(0)
            text = log.read().strip().splitlines()
        if any(codes):
            return f"rank exit statuses {codes}: {text[-1] if text else 'no message'}"
        if text and text[-1].startswith("unsupported: "):
            raise Unsupported(text[-1][len("unsupported: ") :])
        return None

    return run


CASES.append(Case("collectives_1_rank", "collectives", collectives(1), special=True))
CASES.append(
    Case("collectives_2_ranks", "collectives", collectives(2), special=True, optional=True)
)
