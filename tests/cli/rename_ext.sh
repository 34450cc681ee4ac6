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

mkdir -p build/csrc
cp src/lib/k.cu build/csrc/k.cu
cat >build/setup.py <<'X'
# csrc/k.cu
sources = ["csrc/k.cu", os.path.join(here, 'csrc', 'k.cu'), "other.cu", "k.cute", "# k.cu"]
sources += glob.glob("csrc/*.cu") + [f for f in files if f.endswith(".cu")]
X
cat >build/CMakeLists.txt <<'X'
add_library(k ${CMAKE_CURRENT_SOURCE_DIR}/csrc/k.cu csrc/k.cu) # csrc/k.cu
target_sources(k PRIVATE csrc/k.cu absent.cu)
X
cat >build/Makefile <<'X'
%.o: %.cu
	$(CC) -c $(SRC)/k.cu
X
run port build --target xpu -o built --rename-ext
check 'SYCL: what PyTorch builds' test -f built/csrc/k.sycl
check 'setup.py names the sources as they are called now' grep -qxF \
    'sources = ["csrc/k.sycl", os.path.join(here, '"'csrc', 'k.sycl'"'), "other.cu", "k.cute", "# k.sycl"]' \
    built/setup.py
check 'patterns, and the extension' grep -qxF \
    'sources += glob.glob("csrc/*.sycl") + [f for f in files if f.endswith(".sycl")]' built/setup.py
check 'comments stay' grep -qx '# csrc/k.cu' built/setup.py
check 'CMake' grep -qxF \
    'add_library(k ${CMAKE_CURRENT_SOURCE_DIR}/csrc/k.sycl csrc/k.sycl) # csrc/k.cu' \
    built/CMakeLists.txt
check 'a source that is not there stays' grep -qxF 'target_sources(k PRIVATE csrc/k.sycl absent.cu)' \
    built/CMakeLists.txt
check 'make' sh -c 'grep -qxF "%.o: %.sycl" built/Makefile && grep -qF "(SRC)/k.sycl" built/Makefile'

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
