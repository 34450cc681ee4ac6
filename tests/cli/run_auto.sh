#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# run_auto.sh - `import cuda_morph_rt.auto`: a program begins again under `run`, once, with its
# options and arguments, and ends as it would have.
. "${0%/*}/helper"

mkdir stand
printf 'class npu:\n    device_count = staticmethod(lambda: 7)\n' >stand/torch.py
: >stand/torch_npu.py
cat >p.py <<'PY'
import cuda_morph_rt.auto
import sys
import torch

print(torch.cuda.device_count(), sys.argv[1:], sys.flags.optimize, __name__)
sys.exit(3)
PY
PYTHONPATH=$PWD/stand:$top/runtime/python
CUDA_MORPH=$tool
CUDA_MORPH_TARGET=ascend
export PYTHONPATH CUDA_MORPH CUDA_MORPH_TARGET
begin() {
    "$@" >"$out" 2>"$err"
    echo "status $?" >>"$out"
}
begin python3 -O p.py 'a b' --c
check 'a file' test "$(cat "$out")" = "7 ['a b', '--c'] 1 __main__
status 3"
begin python3 -m p x
check '-m' test "$(cat "$out")" = "7 ['x'] 0 __main__
status 3"
begin python3 -c 'import cuda_morph_rt.auto, torch; print(torch.cuda.device_count())'
check '-c' test "$(cat "$out")" = "7
status 0"
begin "$tool" run p.py
check 'under run it does nothing' test "$(cat "$out")" = "7 [] 0 __main__
status 3"
begin sh -c 'python3 - <p.py'
check 'standard input cannot be read twice: it says so' grep -q 'cuda-morph run' "$err"
begin sh -c 'python3 - x <p.py'
check 'nor by the name -' grep -q 'cuda-morph run' "$err"
begin python3 p.py -
check 'an argument of that name' test "$(cat "$out")" = "7 ['-'] 0 __main__
status 3"
CUDA_MORPH="" PATH=/usr/bin:/bin begin python3 p.py
check 'without cuda-morph it says so' grep -q 'not in PATH' "$err"
done_testing
