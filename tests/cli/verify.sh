#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# verify.sh - `cuda-morph verify` and `bench`. What needs PyTorch is tried with the first of
# $TORCH_PYTHON, python3 and /usr/bin/python3 that has it, and skipped without.
. "${0%/*}/helper"

run bench
exits 2 'bench without a mode'
run bench speed
exits 2 'bench with an unknown mode'
run bench ops --iterations 0
exits 2 'bench with a number that is none'
run bench --compare a.csv
exits 2 'bench --compare with one file'
run verify x
exits 2 'verify with an operand'
PATH=/nonexistent run verify
exits 2 'verify without Python'
says 'no python3 in PATH' 'verify without Python'

plain=$(command -v python3)
if can python3 'bench'; then
    mkdir empty
    printf 'raise ImportError("no torch in this test")\n' >empty/torch.py
    PYTHONPATH=$PWD/empty run verify --python "$plain"
    exits 2 'verify without PyTorch'
    says 'has no PyTorch' 'verify without PyTorch'
    silent out 'verify without PyTorch'
    printf '#!/bin/sh\nexit 0\n' >m && chmod +x m
    run bench model --cmd ./m --iterations 4 --csv m.csv --svg m.svg --python "$plain"
    exits 0 'bench model'
    for p in p50 p95 p99; do prints "$p" "bench model: $p"; done
    check 'bench: the file has a fingerprint' grep -q '^# cpu: ' m.csv
    check 'bench: the file has a header' grep -q '^name,unit,median' m.csv
    check 'bench --svg is SVG' grep -q '^<svg xmlns' m.svg
    run bench --compare m.csv m.csv --python "$plain"
    exits 0 'bench --compare'
    prints 'within the spread' 'bench --compare: equal files'
    run bench --compare m.csv m --python "$plain"
    exits 2 'bench --compare with another file'
    run bench model --cmd false --python "$plain"
    exits 2 'bench model with a command that fails'
    run bench model --python "$plain"
    exits 2 'bench model without a command'
    run bench overhead --iterations 3 --python "$plain"
    exits 0 'bench overhead'
    prints 'hook: a module of 1 KiB without CUDA' 'bench overhead: of the hook itself'
    prints 'ns' 'bench overhead: in nanoseconds'
fi

python=
for p in "${TORCH_PYTHON-}" "$plain" /usr/bin/python3; do
    [ "$p" ] && [ -z "$python" ] && "$p" -c 'import torch' 2>/dev/null && python=$p
done
if [ -z "$python" ]; then
    can torch 'the operators' || done_testing
fi

run verify --device cpu --python "$python" --format json
exits 0 'verify on the CPU'
check 'verify: 60 operators at least' test "$(grep -c '"name": ' "$out")" -ge 60
check 'verify: none is wrong' not grep -q '"status": "wrong"' "$out"
run verify --device npu --python "$python"
exits 2 'verify on a device that is not here'
run verify --device toaster --python "$python"
exits 2 'verify on an unknown device'
run verify --only no-such-operator --python "$python"
exits 2 'verify with an unknown operator'

CUDA_MORPH_VERIFY_CRASH=tanh
export CUDA_MORPH_VERIFY_CRASH
run verify --only exp,tanh,sin --python "$python"
exits 1 'a crash of one operator'
prints 'ended by SIGSEGV' 'a crash is named'
check 'the others go on after a crash' test "$(grep -c ' ok' "$out")" -ge 2
unset CUDA_MORPH_VERIFY_CRASH

mkdir broken
cat >broken/sitecustomize.py <<'PY'
import torch
right = torch.tanh
torch.tanh = lambda x: right(x) * (1.001 if x.dtype == torch.float32 else 1)
torch.sin = lambda x: (_ for _ in ()).throw(NotImplementedError("sin"))
PY
PYTHONPATH=$PWD/broken run verify --only exp,tanh,sin --python "$python"
exits 1 'a wrong operator'
prints 'times what is allowed' 'a wrong operator is found'
check 'a missing operator is found' grep -q '^sin .*unsupported' "$out"

# What has no kernel for a device is found by asking the dispatcher; oneDNN's key stands in for
# one.
PYTHONPATH=$top/runtime/python/cuda_morph_tools "$python" - >"$out" 2>"$err" <<'PY'
import torch
from fallbacks import is_answerable, without_kernel
x = torch.ones(3)
print(is_answerable(torch, "MkldnnCPU"), is_answerable(torch, "NoSuchKey"), is_answerable(torch, None))
print(without_kernel(torch, "MkldnnCPU", lambda: torch.linalg.eigvalsh(x.view(3, 1) * x)))
print(without_kernel(torch, "CPU", lambda: torch.nn.functional.linear(x, x.view(1, 3)).exp()))
PY
prints 'True False False' 'silent fallbacks: a device with kernels of its own'
prints 'aten::_linalg_eigh' 'silent fallbacks: an operator without a kernel'
check 'silent fallbacks: none where all have one' test "$(tail -n 1 "$out")" = '[]'

run bench ops --device cpu --iterations 5 --csv a.csv --python "$python"
exits 0 'bench ops'
check 'bench ops: nine rows' test "$(grep -c ' us ' "$out")" -eq 9
check 'bench ops: PyTorch is in the fingerprint' grep -q '^# torch: ' a.csv

done_testing
