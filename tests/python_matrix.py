# SPDX-License-Identifier: Apache-2.0
"""Writes small Python programs, one per name of CUDA's and place in the grammar, that CPython takes;
and says which of their ports CPython refuses.

    python_matrix.py write DIR      the programs
    python_matrix.py judge DIR      their ports: a line for each that does not compile

The names are those whose rewrites are more than another name: a call, a comparison, a condition.
The places are all in which Python's grammar has an expression, a target or a string."""

import os
import sys

NAMES = """
torch.cuda torch.has_cuda torch.cuda.is_available() torch.cuda.device_count() x.is_cuda x.cuda()
x.cuda(0) x.device.type torch.cuda.memory_allocated() torch.cuda.memory_stats()
torch.cuda.current_device() torch.cuda.current_stream() torch.cuda.synchronize()
torch.cuda.empty_cache() torch.cuda.FloatTensor torch.cuda.FloatTensor(3) torch.version.cuda
torch.cuda.amp.autocast() torch.backends.cudnn.benchmark torch.backends.cuda.is_built()
torch.cuda.Stream() torch.cuda.get_device_name(0) torch.cuda.manual_seed_all(0)
""".split()

EXPRESSIONS = """
X
y = X
y: X = X
y += X
y = z = X
y = (X)
y = X,
y = X, X
y = [X, X]
y = {X: X}
y = {X, X}
y = [*X]
y = *X, 1
y = {**X}
y = X[0]
y = z[X]
y = z[X:X, X]
y = X.a
y = X.a.b(X)[X]
y = f(X, a=X, *X, **X)
y = -X
y = not X
y = ~X ** X
y = X + X * X - (X)
y = X and X or not X
y = X == X
y = X < X <= X
y = X is not X
y = X not in (X, X)
y = X if X else X
y = lambda a=X: X
y = [X for a in X if X]
y = {X: X for a in X}
y = {a for a in X for b in X}
y = (a for a in X)
y = (z := X)
y = f"{X}"
y = f"{X!r:>{X}}"
y = f'{X=}'
y = "%s" % X
y = "{}".format(X)
y = \\\n  X
y = (\n  X  # a comment\n)
assert X
assert X, X
return_ = X; y = X
if X: pass
if X: X
if X:\n    X\nelif X:\n    X\nelse:\n    X
while X: break
while X:\n    X\nelse:\n    X
for a in X: X
for a in X, X: pass
with X: X
with X as a, X as b: pass
with (X as a, X as b): pass
try:\n    X\nexcept X:\n    X\nelse:\n    X\nfinally:\n    X
try: X\nexcept (X, X) as a: X
raise X
raise X from X
del z[X]
def f(a=X, *, b: X = X) -> X: return X
def f():\n    X
def f():\n    yield X
def f():\n    y = yield X\n    yield from X
def f():\n    return X
async def f():\n    await X
async def f():\n    async with X as a: X
async def f():\n    async for a in X: X
async def f():\n    return [a async for a in X if await X]
@X\ndef f(): pass
@f(X)\nclass C(X, a=X): y: X = X
class C:\n    X\n    y = X
match X:\n    case 1 if X: X
match X, X:\n    case [a, *b]: X
global y; y = X
print(X, file=X)
y = X  # X
"""

TARGETS = """
X = z
X = y = z
y = X = z
X, y = z
(X, y) = z
[X, *y] = z
[y, *X] = z
(X) = z
X: int
X: int = 3
X += 1
X @= 1
del X
del (X)
del y, X
del (y, [X])
for X in z: pass
for X, y in z: pass
for (y, X) in z: pass
[1 for X in z]
{y for y, X in z}
async def f():\n    async for X in z: pass
async def f():\n    async with z as X: pass
with z as X: pass
with z as (y, X): pass
with z as y, z as X: pass
with (z as y, z as X): pass
with z as [y, *X]: pass
X.a = z
X[0] = z
del X.a, X[0]
"""

STRINGS = """
torch.device(S)
torch.device(S, 0)
torch.device(S + str(1))
torch.device(S % 1)
torch.device(S.format(1))
torch.zeros(1, device=S)
torch.zeros(1, device=(S))
x.to(S)
x.to(device=S, dtype=y)
y = x.device == S
y = S == x.device.type
y = x.device.type in (S, "cpu")
y = x.device.type.startswith(S)
torch.load(p, map_location=S)
torch.load(p, map_location={S: S})
torch.autocast(S)
torch.autocast(device_type=S)
p.add_argument("--device", default=S, choices=[S, "cpu"])
device = S if torch.cuda.is_available() else "cpu"
def f(device=S): return torch.device(device)
torch.Generator(device=S)
torch.set_default_device(S)
y = {"device": S}
@f(device=S)\nclass C: pass
dist.init_process_group(S)
with torch.device(S): pass
match x.device.type:\n    case S: pass
x.to(f(S))
"""

PREFIXES = ["", "u", "U", "r", "R", "f", "F", "rf", "fR", "b", "Br"]
QUOTES = ["'", '"', "'''", '"""']
CONTENTS = ["cuda", "cuda:0", "cuda:1", "cuda:%d", "cuda:{}", "cuda:{y}", "cuda:{{0}}", "nccl"]


def programs():
    for kind, table in (("expression", EXPRESSIONS), ("target", TARGETS)):
        for line in table.strip().split("\n"):
            for name in NAMES:
                yield kind, line.replace("\\n", "\n").replace("X", name)
    for line in STRINGS.strip().split("\n"):
        line = line.replace("\\n", "\n")
        for prefix in PREFIXES:
            texts = [prefix + quote + content + quote for quote in QUOTES for content in CONTENTS]
            uses = [line.replace("S", text) for text in texts]
            yield "string", "\n".join(use for use in uses if not compiles(use))


def compiles(text):
    """None, or what CPython says."""
    try:
        compile(text, "x", "exec", dont_inherit=True)
    except (SyntaxError, ValueError) as e:
        return str(e)
    return None


def write(folder):
    number = 0
    head = "import torch\nimport torch.distributed as dist\n"
    for kind, text in programs():
        if not text or compiles(head + text):
            continue
        with open(os.path.join(folder, f"{kind}{number}.py"), "w") as f:
            f.write(head + text + "\n")
        number += 1
    print(number)


def judge(folder):
    for name in sorted(os.listdir(folder)):
        with open(os.path.join(folder, name)) as f:
            text = f.read()
        problem = compiles(text)
        if problem:
            print(f"{name}: {problem}")


{"write": write, "judge": judge}[sys.argv[1]](sys.argv[2])
