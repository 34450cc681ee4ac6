#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `run --trace`: at its end a program's places are told at which "cuda" reached PyTorch or was not
# found; the program does what it does without. The torch of these programs is a stub.
. "${0%/*}/helper"

python=$(command -v python3) && "$python" -c 'import ctypes, multiprocessing' 2>/dev/null || {
    needs python3
}
if grep -q __asan_init "$(dirname "$tool")/libcudamorph.so"; then
    skip everything \
        'python3 cannot load a library with a sanitizer (tests/unit/test_capi.c has it)'
    done_testing
fi
XDG_CACHE_HOME=$scratch/cache
export XDG_CACHE_HOME PYTHONDONTWRITEBYTECODE=1
unset PYTHONPATH PYTHONSTARTUP VIRTUAL_ENV CUDA_MORPH_TARGET CUDA_MORPH_TRACE

mkdir torch torch_npu
: >torch_npu/__init__.py
cat >torch/__init__.py <<'END'
class device:
    def __init__(self, name):
        self.type, _, self.index = name.partition(":")

    def __str__(self):
        return self.type


class Tensor:
    device = device("npu")

    def to(self, where):
        return self


def ones(n, device="cpu"):
    return Tensor()


def load(path, map_location=None):
    if map_location is None:
        raise RuntimeError("Attempting to deserialize object on a CUDA device")
    return {}


class npu:
    @staticmethod
    def is_available():
        return True
END
cat >sizes.py <<'END'
TABLE = {"npu": 1, "cpu": 2}


def size(kind):
    return TABLE.get(kind, 0)
END
cat >main.py <<'END'
import json
import torch
from sizes import TABLE, size

settings = json.loads('{"device": "CUDA:0", "kind": "CUDA"}'.lower())
kind = settings["kind"]


class Base:
    def __init__(self, x: "list[int]" = None, *rest):
        self.x = x


class Model(Base):
    def __init__(self):
        super().__init__(torch.ones(2, device=kind))
        self.x.to(settings["device"])


for _ in range(2):
    model = Model()
x = model.x
print(size(kind), x.device.type == kind, x.device.type in [kind, "cpu"])
try:
    TABLE[kind]
except KeyError as error:
    print("no", error)
print(getattr(torch, kind, None), torch.load("a.pt", map_location={"cpu": settings["device"]}))
try:
    torch.load("b.pt")
except RuntimeError as error:
    print(error)
print(f"{settings['kind']}", [size(k) for k in TABLE], sorted(TABLE, key=lambda k: TABLE[k]))
print(isinstance(torch.device("cpu"), torch.device), {**TABLE}["npu"])
END
run run --target ascend main.py
exits 0 'without it'
mv "$out" plain
silent err 'without it'
run run --target ascend --trace main.py
exits 0 'with it'
check 'the program prints the same' cmp plain "$out"
says 'cuda-morph: trace: 9 places of 2 modules asked for "cuda"' 'a head'
says 'main.py:16: "cuda" reaches torch.ones(), 2 times' 'a function of PyTorch'
says 'main.py:17: "cuda:0" reaches Tensor.to(), 2 times' 'a method'
says 'main.py:23: "cuda" is compared with '"'npu'" 'a comparison'
says "main.py:23: 'npu' is looked for beside \"cuda\"" 'a list'
says 'sizes.py:5: a look-up of "cuda" misses' 'get(), in a file without a word of CUDA'
says 'main.py:25: a look-up of "cuda" misses' 'a key'
says 'main.py:28: an attribute "cuda" is missing' 'an attribute'
says 'main.py:28: "cuda:0" reaches torch.load()' 'a map_location'
says "main.py:30: torch.load() finds tensors of CUDA's in the file" 'a checkpoint'

CUDA_MORPH_TRACE=1 run run --target ascend -c 'import torch; print(torch.device("npu").type)'
says 'trace: no place of 1 module ' 'nothing asked'
printf 'import torch\nraise ValueError(torch.device(chr(99) + "uda").type)\n' >ends.py
run run --target ascend --trace ends.py
exits 1 'a program that fails'
says 'ends.py:2: "cuda" reaches torch.device()' 'is told of, too'
run run --target rocm --trace main.py
says 'trace: on rocm the device is called "cuda" itself; nothing is traced' 'a device of that name'
cat >forks.py <<'END'
import multiprocessing
import torch


def work(kind):
    torch.device(kind)


if __name__ == "__main__":
    for way in ("fork", "spawn"):
        child = multiprocessing.get_context(way).Process(target=work, args=("cuda" + ":1",))
        child.start()
        child.join()
END
run run --target ascend --trace forks.py
exits 0 'processes'
check 'each process tells' [ "$(grep -c 'forks.py:6: "cuda:1" reaches torch.device()' "$err")" -eq 2 ]
check 'and the main one' grep -q 'trace: no place of 1 module ' "$err"
run help run
prints '--trace' 'the help'
done_testing
