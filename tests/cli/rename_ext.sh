#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# port --rename-ext: sources get the name that the target's compiler knows.
. "${0%/*}/helper"

mkdir -p src/lib
printf '__global__ void k(float *p) { p[threadIdx.x] = 1; }\n' >src/lib/k.cu
cat >src/main.cu <<'X'
#include "lib/k.cu"
# include  "./lib/../lib/k.cu" // "lib/k.cu"
#include "lib/other.cu"
#include <lib/k.cu>
/*
#include "lib/k.cu"
*/
const char *name = "lib/k.cu"; /* #include "lib/k.cu" */
X
printf '#pragma once\n' >src/lib/h.cuh
printf 'x = "lib/k.cu"\n' >src/x.py

run port src --target rocm,musa,ascend -o out --rename-ext
exits 0 'three targets'
check 'rocm' test -f out/rocm/main.hip -a -f out/rocm/lib/k.hip
check 'musa' test -f out/musa/main.mu -a -f out/musa/lib/k.mu
check 'a target that says nothing' test -f out/ascend/main.cu -a -f out/ascend/lib/k.cu
check 'no file twice' test ! -e out/rocm/main.cu
check 'headers stay' test -f out/rocm/lib/h.cuh
check 'other languages stay' cmp -s src/x.py out/rocm/x.py
sed '1s/k.cu/k.hip/; 2s/k.cu"/k.hip"/' src/main.cu >expected
check 'what includes it includes the new name, and nothing else changes' sh -c \
    'grep -v "^#include <hip/hip_runtime.h>" out/rocm/main.hip | cmp -s expected -'
run port src/lib/k.cu --target rocm -o one --rename-ext
check 'one file' test -f one/k.hip

cp src/lib/k.cu src/lib/k.hip
run port src --target rocm -o again --rename-ext
exits 2 'the new name is taken'
says 'would both become lib/k.hip' 'the new name is taken'
check 'the new name is taken: nothing is written' test ! -e again
run port src --target rocm --rename-ext
exits 2 'without -o'
says '--rename-ext goes with --output' 'without -o'
run port src --target rocm --in-place --rename-ext
exits 2 'in place'
done_testing
