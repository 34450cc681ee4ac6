#!/bin/sh
# --semantic, --verify and -p: options, errors, and what libclang adds where it is installed.
. "${0%/*}/helper"

cat >c.cu <<'X'
#include <cuda_runtime.h>
#include "own.cuh"

int main() {
    float *p = 0;
    cudaMalloc(&p, 4);
    return use(p);
}
X
printf '#pragma once\ninline int use(float *p) { return p != 0; }\n' >own.cuh

# Without libclang: said, and nothing done.
CUDA_MORPH_LIBCLANG=/no/such/libclang.so
export CUDA_MORPH_LIBCLANG
run port c.cu --target rocm --verify
exits 2 'no libclang'
says '/no/such/libclang.so' 'no libclang'
silent out 'no libclang'
run port c.cu --target rocm --semantic
exits 2 'no libclang, --semantic'
run check c.cu --semantic
exits 2 'no libclang, check --semantic'
run port c.cu --target rocm
check 'without --semantic nobody asks for it' test "$status" -ne 2
unset CUDA_MORPH_LIBCLANG

# Options that do not go together.
run port c.cu --target rocm -p .
exits 2 '-p alone'
says 'goes with --semantic or --verify' '-p alone'
run check c.cu -p .
exits 2 'check -p alone'
run port --target rocm -- c.cu
check 'without --verify, paths stand behind --' test "$status" -ne 2

run port c.cu --target rocm --semantic
if [ "$status" -eq 2 ] && grep -q 'libclang was not found' "$err"; then
    echo 'semantic: the rest is skipped: libclang is not installed'
    done_testing
fi

run port c.cu --target rocm --semantic -p no/such/folder
exits 2 'no such compile_commands.json'
says no/such/folder 'no such compile_commands.json'
printf '[{]' >compile_commands.json
run port c.cu --target rocm --semantic -p .
exits 2 'damaged compile_commands.json'
says 'compile_commands.json:1:' 'damaged compile_commands.json'
printf '[{"directory": ".", "file": "c.cu", "command": "nvcc -arch=sm_80 -c c.cu"}]' \
    >compile_commands.json
run port c.cu --target rocm --semantic -p .
check 'compile_commands.json' test "$status" -ne 2
run check c.cu --semantic -p compile_commands.json
check 'the file itself' test "$status" -ne 2

# A target that says nothing about a compiler.
run port c.cu --target ascend --verify -q
exits 2 '--verify for ascend'
says 'compile_device' '--verify for ascend'
ROCM_PATH=$scratch/none
export ROCM_PATH
run port c.cu --target musa --verify -q
if [ "$status" -eq 2 ]; then says 'musa_runtime.h was not found' 'no headers of MUSA'; fi

# Headers of MUSA's kind: enough to parse.
mkdir musa
cat >musa/musa_runtime.h <<'X'
typedef int musaError_t;
struct dim3 { unsigned x, y, z; dim3(unsigned x = 1, unsigned y = 1, unsigned z = 1) : x(x), y(y), z(z) {} };
#define __global__ __attribute__((global))
template <class T> musaError_t musaMalloc(T **p, unsigned long n);
X
cat >m.cu <<'X'
#include <musa_runtime.h>
__global__ void k(float *p) { *p = 1; }
int main() {
    float *p;
    musaMalloc(&p, 4);
    k<<<1, 32>>>(p);
    k<<<dim3(1), dim3(2), 0, 0>>>(p);
    return 0;
}
X
run port m.cu --target musa --verify -q -- -I musa
exits 0 'what compiles'
silent err 'what compiles'
sed -i 's/musaMalloc(&p, 4)/no_such_function(p)/' m.cu
run port m.cu --target musa --verify -q -- -I musa
exits 0 'what the original has wrong, too, is not the port'\''s doing'
done_testing
