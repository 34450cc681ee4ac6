#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# verify_emulated.sh [DEVICE...] - `cuda-morph verify` and `bench` on emulated accelerators (`make
# test SUITE=emulated`), in Debian unstable (tests/emulate/README.md): every operator of every device
# is right, one that crashes stops none of the others, and one without a kernel of the device is
# named.
# DEVICE `none`: only what comes after the devices. BUILD is the build folder. EXISTING=1: only
# where a Debian unstable is there already.
set -u
top=$(cd "${0%/*}/.." && pwd)
. "$top/tests/helper"
cd "$top" || exit 2
LC_ALL=C.UTF-8
OMP_NUM_THREADS=1
export LC_ALL OMP_NUM_THREADS
python=$PWD/tests/emulate/python3

# tried DEVICE STATUS ARGUMENTS...: the program with that device emulated ends with that status.
tried() {
    device=$1
    want=$2
    shift 2
    CUDA_MORPH_EMULATE=$device timeout 500 "$tool" "$@" --device "$device" --python "$python" \
        >"$out" 2>"$err"
    status=$?
    check "$device: $*: exit status $status is not $want" test "$status" -eq "$want"
}

if ! tests/emulate/sid.sh ${EXISTING:+--existing} >"$out" 2>"$err"; then
    skip everything "$(tail -n 1 "$err")"
    done_testing
fi

for device in ${*:-npu mlu musa xpu}; do
    [ "$device" != none ] || continue
    timeout 300 "$python" "$device" tests/emulate/strict.py >"$out" 2>"$err"
    check "$device: no names but the vendor's" test $? -eq 0
    CUDA_MORPH_EMULATE=$device timeout 500 "$tool" verify --device "$device" --python "$python" \
        >"$out" 2>"$err"
    check "$device: sixty operators at least" \
        grep -qE "^$device: ([6-9][0-9]|1[0-9]{2}) operators: " "$out"
    grep -vE ' ok( |$)' "$out" | grep -v "^$device: " >"$scratch/wrong"
    check "$device: not right: $(cut -d ' ' -f 1 "$scratch/wrong" | tr '\n' ' ')" test ! -s \
        "$scratch/wrong"
    for part in rng_randn generator autocast streams grad_linear sdpa collectives_1_rank \
        collectives_2_ranks; do
        check "$device: $part" grep -qE "^$part +[a-z]+ +ok" "$out"
    done
done

# A crash in the middle, on a device.
CUDA_MORPH_VERIFY_CRASH=tanh
export CUDA_MORPH_VERIFY_CRASH
tried npu 1 verify --only exp,tanh,sin
check 'a crash is named' grep -q '^tanh .*ended by SIGSEGV' "$out"
check 'the others go on' test "$(grep -c '  ok' "$out")" -eq 2
unset CUDA_MORPH_VERIFY_CRASH

# A device with a kernel of its own for one operator: the others have none, and it says so.
mkdir "$scratch/own"
cat >"$scratch/own/sitecustomize.py" <<'PY'
import torch

library = torch.library.Library("aten", "IMPL")
library.impl("add.out", lambda x, y, *, alpha=1, out: out.copy_(x.cpu() + alpha * y.cpu()), "PrivateUse1")
PY
PYTHONPATH=$scratch/own tried npu 0 verify --only add,exp
check 'an operator without a kernel' grep -q '^exp .*fell back to the CPU: aten::exp' "$out"
check 'an operator with one' not grep -q '^add .*fell back' "$out"

tried npu 0 bench ops --iterations 3 --csv "$scratch/ops.csv"
check 'bench: the device is in the fingerprint' grep -q '^# device: npu' "$scratch/ops.csv"
check 'bench: a row of it' grep -q '^"matmul 512",us,' "$scratch/ops.csv"

done_testing
