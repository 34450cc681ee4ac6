#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# CUDA's names in every place of C++'s grammar: each port is judged by libclang against the headers
# of HIP, no name of CUDA's is left, and a second port changes nothing; tests/cuda_matrix.py makes
# the programs.
. "${0%/*}/helper"
needs python3

mkdir programs
made=$(python3 "$top/tests/cuda_matrix.py" programs)
check "cases: $made, not 1100 at least" test "$made" -ge 1100
for target in rocm musa; do
    run port programs --target $target -o "ported-$target" -q
    check "$target: nothing is refused" not grep -q 'error' "$err"
    # In types.cu there are types alone, which all have another name there.
    check "$target: a type is left" not grep -q '\bcuda[A-Z]' "ported-$target/types.cu"
    run port "ported-$target" --target $target --check -q
    exits 0 "$target: a second port changes nothing"
done
run port programs --target cpu -o ported-cpu -q
run port ported-cpu --target cpu --check -q
exits 0 'cpu: a second port changes nothing'
can libclang '--verify' || done_testing
run port programs --target rocm --verify -q
if grep -q 'hip/hip_runtime.h was not found' "$err"; then
    can hip '--verify with HIP' || done_testing
fi
exits 0 'what was ported compiles with HIP'
silent err 'what was ported compiles with HIP'
done_testing
