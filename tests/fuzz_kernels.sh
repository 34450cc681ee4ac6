#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# fuzz_kernels.sh - the short run of tests/fuzz/kernels.py that is part of `make test`: 48 random
# kernels, the same ones each time. `make fuzz-kernels` runs others.
set -u
top=$(cd "${0%/*}/.." && pwd)
. "$top/tests/helper"
can c++ 'random kernels' && can python3 'random kernels' || done_testing
exec python3 "$top/tests/fuzz/kernels.py" --seed 1 --count 48 --batch 48
