#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# What cuda_morph/hip_ext.h computes on waves of 32 and of 64 lanes, emulated by threads of the
# host (tests/hip_ext), and what hip_rounding.h does, beside the processor. `make test SUITE=compile` compiles
# the header for the GPUs.
. "${0%/*}/../cli/helper"

needs c++
for lanes in 32 64; do
    # shellcheck disable=SC2086
    ${CXX:-c++} -std=c++11 -O1 -Wall -Wextra -Werror "-DWAVE=$lanes" -I "$top/tests/hip_ext" \
        -I "$top/runtime/include" -o "$scratch/lanes" "$top/tests/hip_ext/lanes.cpp" -pthread \
        >"$out" 2>"$err"
    check "compile for waves of $lanes lanes" test $? -eq 0
    timeout 60 "$scratch/lanes" >"$out" 2>"$err"
    check "waves of $lanes lanes" test $? -eq 0
done
${CXX:-c++} -std=c++11 -O1 -frounding-math -ffp-contract=off -Wall -Wextra -Werror -DWAVE=32 \
    -I "$top/tests/hip_ext" -I "$top/runtime/include" -o "$scratch/rounding" \
    "$top/tests/hip_ext/rounding.cpp" -pthread >"$out" 2>"$err"
check 'compile directed rounding' test $? -eq 0
timeout 60 "$scratch/rounding" >"$out" 2>"$err"
check 'directed rounding' test $? -eq 0
done_testing
