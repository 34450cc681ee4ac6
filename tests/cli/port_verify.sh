#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What stays and is known to check to go wrong on the target is said by port and report, too.
. "${0%/*}/helper"

printf 'import torch\n\nif torch.cuda.get_device_capability() >= (9, 0):\n    print("Hopper")\n' >c.py
run port c.py --target rocm
exits 0 'a number that means another chip'
says 'c.py:3:4: to verify: Compute capability on ROCm' 'its place'
says 'rocm: 1 file, 0 changed; 1 CUDA token: 0 ported, 0 kept, 1 to verify, 0 manual, 0 suppressed' 'the sum'
check 'its text is unchanged' cmp -s c.py "$out"
run port c.py --target rocm --strict
exits 1 '--strict'
run port c.py --target rocm --accounting a.json -q
check 'the accounting names the outcome' grep -q '"outcome": "to verify"' a.json
run report c.py --target rocm --format text
prints '0 kept, 1 to verify, 0 manual' 'report: the sum'
prints '0 % done' 'report: the share'
prints 'Compute capability on ROCm' 'report: the place'

# The lint's word about a test freezes nothing of the test.
cat >guard.py <<'END'
import torch


def f(x):
    return x.cuda() if not x.is_cuda or x.dtype == torch.float64 else x
END
run port guard.py --target ascend
prints 'x.npu() if not x.is_npu or x.dtype == torch.float64' 'a hint beside a guard'
says '1 to verify, 0 manual' 'a hint beside a guard: the sum'

# A token that is manual already is not counted twice; notes are for check alone.
run port c.py --target ascend
says '1 CUDA token: 0 ported, 0 kept, 1 manual, 0 suppressed' 'manual says more'
printf 'import torch\n\nx = torch.load("x.pt")\n' >load.py
run port load.py --target ascend
says '0 CUDA tokens: 0 ported, 0 kept, 0 manual, 0 suppressed' 'a note'
check 'a note changes nothing' cmp -s load.py "$out"

# A safe fix of a rule for check is made.
printf 'import torch\n\nwith torch.random.fork_rng():\n    pass\n' >fork.py
run port fork.py --target xpu
prints 'fork_rng(device_type="xpu")' 'a safe fix'
says '1 ported, 0 kept, 0 manual' 'a safe fix: the sum'
run port fork.py --target xpu --in-place -q
run port fork.py --target xpu
says '0 changed' 'the result is ported already'

# A comment silences it.
sed 's/:$/:  # cuda-morph: ignore[silent] the number is printed/' c.py >quiet.py
run port quiet.py --target rocm --strict
exits 0 'suppressed'
says '0 manual, 1 suppressed' 'suppressed: the sum'

done_testing
