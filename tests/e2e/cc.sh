#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Programs that `cuda-morph cc` builds as nvcc would, from files as they are: they run, messages and
# depfiles name the user's files and lines, and a second build starts no compiler.
. "${0%/*}/../cli/helper"

needs c++
unset NVCC_PREPEND_FLAGS NVCC_APPEND_FLAGS NVCC_CCBIN CUDA_MORPH_TARGET
nvcc=$build/cuda/bin/nvcc
case $tool in */build/*) ;; *) nvcc=${tool%/*}/cuda/bin/nvcc ;; esac
# nvcc WHAT ARGS...: it succeeds
nvcc() {
    what=$1
    shift
    "$nvcc" "$@" >"$out" 2>"$err"
    status=$?
    exits 0 "$what"
}
runs() {
    "./$1" >"$out" 2>"$err"
    check "$2: $1 prints $(cat "$out")" test "$(cat "$out")" = "$3"
}

# ---- a program of several files ----

mkdir -p src include/deep
cat >include/common.cuh <<'C'
#pragma once
#ifndef __CUDACC__
#error "this header is for nvcc"
#endif
#include "deep/scale.cuh"
#ifdef __CUDACC__
#define BOTH __host__ __device__
#else
#define BOTH
#endif
BOTH inline int twice(int x) { return scale(x, 2); }
extern __device__ int counter;
void launch(int *p, int n);
C
cat >include/deep/scale.cuh <<'C'
#pragma once
__host__ __device__ inline int scale(int x, int by) { return x * by; }
C
cat >src/kernel.cu <<'C'
#include <common.cuh>
__device__ int counter;
__global__ void fill(int *p) {
    __shared__ int s[64];
    s[threadIdx.x] = twice(threadIdx.x);
    __syncthreads();
    p[threadIdx.x] = s[63 - threadIdx.x];
    atomicAdd(&counter, 1);
}
void launch(int *p, int n) { fill<<<1, n>>>(p); }
C
cat >src/main.cu <<'C'
#include "../include/common.cuh"
#include <cstdio>
#include <cublas_v2.h>

int main() {
    int *p, count;
    cudaMallocManaged(&p, 64 * sizeof(int));
    launch(p, 64);
    cudaDeviceSynchronize();
    cudaMemcpyFromSymbol(&count, counter, sizeof count);
    std::printf("%d %d %d %s:%d\n", p[0], count, __CUDACC_VER_MAJOR__ > 10, __FILE__, __LINE__);
    return 0;
}
C
want='126 64 1 src/main.cu:11'
nvcc 'one step' -Iinclude -o one src/main.cu src/kernel.cu -lcublas -arch=sm_80 -rdc=true
runs one 'one step' "$want"
nvcc 'an object' -Iinclude -dc src/main.cu -o main.o -MD -MF main.d
nvcc 'an object' -Iinclude -dc src/kernel.cu -o kernel.o -Xcompiler -fPIC
nvcc 'device code' -dlink main.o kernel.o -o link.o
nvcc 'the link' main.o kernel.o link.o -o two -lcudart -lcublas
runs two 'objects' "$want"
nvcc 'an archive' -lib -Iinclude src/kernel.cu -o libkernel.a
nvcc 'with an archive' main.o -L. -lkernel -o three
runs three 'an archive' "$want"
nvcc 'a shared library' -shared -Iinclude -Xcompiler -fPIC src/kernel.cu -o libshared.so
nvcc 'with a shared library' main.o -L. -lshared -o four -Xlinker -rpath,"$PWD"
runs four 'a shared library' "$want"
nvcc 'compile and run' -run -Iinclude -o five src/main.cu src/kernel.cu
check 'compile and run' grep -qF "$want" "$out"

# ---- depfiles ----

tr -d '\\' <main.d | tr ' ' '\n' >names
for file in src/main.cu src/../include/common.cuh src/../include/deep/scale.cuh main.o:; do
    check "the depfile has $file" grep -qx -e "$file" names
done
check 'the depfile has nothing of the cache' not grep -q "$XDG_CACHE_HOME" main.d
nvcc 'dependencies' -M -Iinclude src/kernel.cu
prints 'include/deep/scale.cuh' 'dependencies'
nvcc 'own dependencies' -MMD -MP -c -Iinclude src/kernel.cu -o kernel.o
check 'own dependencies leave the system out' not grep -q '/usr/' kernel.d
check 'own dependencies have empty rules' grep -q '^include/common.cuh:$' kernel.d

# ---- the preprocessor, and messages at the user's lines ----

nvcc 'preprocessed' -E -Iinclude src/kernel.cu
check 'preprocessed' grep -qF '"include/deep/scale.cuh"' "$out"
check 'preprocessed: nothing of the cache' not grep -q "$XDG_CACHE_HOME" "$out"
cat >wrong.cu <<'C'
#include <cstdio>
__global__ void k(int *p) {
    __shared__ int s[32];
    s[threadIdx.x] = 1;
    __syncthreads();
    p[threadIdx.x] = s[0] + nowhere;
}
C
"$nvcc" -c wrong.cu >"$out" 2>"$err"
check 'an error ends with a status' test $? -ne 0
check "an error has the user's line" grep -q "^wrong.cu:6:.*nowhere" "$err"
check "no message has the cache's name" not grep -q "$XDG_CACHE_HOME" "$err"
cat >manual.cu <<'C'
__global__ void k(unsigned *p) {
    asm("" : "+r"(p[0]));
    asm volatile("mov.u32 %0, %%smid;" : "=r"(*p));
}
C
"$nvcc" -Xcompiler -fsyntax-only -c manual.cu -o manual.o >"$out" 2>"$err"
check 'what needs manual porting is a warning at its line' grep -q '^manual.cu:3:.*: warning: ' "$err"
"$nvcc" -Werror all-warnings -c manual.cu >"$out" 2>"$err"
check 'it is an error with -Werror' test $? -ne 0
check 'it is an error with -Werror' grep -q '^manual.cu:3:.*: error: ' "$err"
"$nvcc" -w -Xcompiler -fsyntax-only -c manual.cu -o manual.o >"$out" 2>"$err"
check 'it is silent with -w' not grep -q 'manual porting' "$err"

# ---- the second build ----

# A compiler that says when it is started.
cat >counting-g++ <<C
#!/bin/sh
echo "\$*" >>"$PWD/starts"
exec ${CXX:-c++} "\$@"
C
chmod +x counting-g++
build_all() {
    : >starts
    nvcc 'build' -ccbin ./counting-g++ -Iinclude -c src/main.cu -o main.o -MD
    nvcc 'build' -ccbin ./counting-g++ -Iinclude -c src/kernel.cu -o kernel.o
}
build_all
check 'the first build compiles' test "$(grep -c . starts)" -eq 2
rm -f main.o kernel.o main.d
build_all
check 'the second build starts no compiler' test ! -s starts
check 'the second build makes the objects' test -s main.o -a -s kernel.o -a -s main.d
sleep 0.01
echo '// changed' >>include/deep/scale.cuh
build_all
check 'a header that changes compiles what includes it' test "$(grep -c . starts)" -eq 2
nvcc 'the link' main.o kernel.o -o six
runs six 'after the cache' "$want"
# Too large: what was used longest ago goes, what is new stays.
cache=$XDG_CACHE_HOME/cuda-morph/cc
mkdir "$cache/0ld"
head -c 300000 /dev/zero >"$cache/0ld/0-text.cu"
head -c 300000 /dev/zero >"$cache/0ld.o"
touch -d '2 days ago' "$cache/0ld" "$cache/0ld/0-text.cu"
touch -d '1 day ago' "$cache/0ld.o"
size=$(find "$cache" -printf '%s\n' | awk '{ n += $1 } END { print n }') # du counts folders or not
echo '// changed again' >>include/deep/scale.cuh
CUDA_MORPH_CACHE_SIZE=$((size - 200000)) build_all
check 'the oldest goes from a cache that is too large' test ! -e "$cache/0ld" -a -e "$cache/0ld.o"
echo '// and again' >>include/deep/scale.cuh
CUDA_MORPH_CACHE_SIZE=1k build_all
check 'what was used just now stays' test ! -e "$cache/0ld.o" -a -n "$(ls "$cache"/*.o)"
build_all
check 'it is found again' test ! -s starts
rm -rf "$XDG_CACHE_HOME"
mkdir "$XDG_CACHE_HOME"
chmod 500 "$XDG_CACHE_HOME"
nvcc 'without a cache' -Iinclude -o seven src/main.cu src/kernel.cu
runs seven 'without a cache' "$want"
chmod 700 "$XDG_CACHE_HOME"

# ---- make and modules ----

cat >Makefile <<'C'
NVCC ?= nvcc
OBJECTS = main.o kernel.o
program: $(OBJECTS)
	$(NVCC) -o $@ $^ -lcublas
%.o: src/%.cu
	$(NVCC) -Iinclude -rdc=true -MMD -c $< -o $@
-include $(OBJECTS:.o=.d)
C
rm -f ./*.o ./*.d
make -s -j2 NVCC="$nvcc" program >"$out" 2>"$err"
check 'make -j' test $? -eq 0
runs program 'make -j' "$want"
cat >module.cu <<'C'
extern "C" __global__ void add(int *p) { p[threadIdx.x] += 1; }
C
cat >load.cu <<'C'
#include <cuda.h>
#include <cstdio>
int main() {
    CUdevice d; CUcontext c; CUmodule m; CUfunction f; CUdeviceptr p; int h[4] = {1, 2, 3, 4};
    cuInit(0); cuDeviceGet(&d, 0); cuCtxCreate(&c, 0, d);
    if (cuModuleLoad(&m, "module.ptx") || cuModuleGetFunction(&f, m, "add")) return 1;
    cuMemAlloc(&p, sizeof h); cuMemcpyHtoD(p, h, sizeof h);
    void *args[] = {&p};
    cuLaunchKernel(f, 1, 1, 1, 4, 1, 1, 0, 0, args, 0);
    cuMemcpyDtoH(h, p, sizeof h);
    std::printf("%d %d\n", h[0], h[3]);
}
C
nvcc 'a module' -ptx module.cu
nvcc 'its program' load.cu -o load -lcuda
runs load 'a module' '2 5'

# ---- files of the host's, as older C++ ----

cat >host.cpp <<'C'
#include <cuda_runtime.h>
#include <cstdio>
#include <vector>
__global__ void fill(int *p);
void start(int *p);
int main() {
    int *p, h = 0;
    std::vector<float4> v(2, make_float4(1, 2, 3, 4));
    dim3 grid(2);
    if (cudaMalloc(&p, sizeof h) != cudaSuccess) return 1;
    start(p);
    cudaMemcpy(&h, p, sizeof h, cudaMemcpyDeviceToHost);
    std::printf("%d %d %d\n", h, grid.y, (int)v[1].w);
    return cudaFree(p);
}
C
printf '#include <cuda_runtime.h>\n__global__ void fill(int *p) { *p = 7; }\nvoid start(int *p) { fill<<<1, 1>>>(p); }\n' >start.cu
nvcc 'the kernel beside it' -c start.cu -o start.o
for standard in 11 14; do
    "${CXX:-c++}" -std=c++$standard -Wall -Wextra -Werror -I"$build/cuda/include" -c host.cpp -o host.o >"$out" 2>"$err"
    check "the host's file as C++$standard" test $? -eq 0
    nvcc 'both' host.o start.o -o host
    runs host "a host's file in C++$standard" '7 1 4'
done
printf '#include <cuda_runtime.h>\n#include <cublas_v2.h>\n' >library.cpp
"${CXX:-c++}" -std=c++14 -I"$build/cuda/include" -c library.cpp >"$out" 2>"$err"
check 'what is C++17 says so' grep -q 'compile with -std=c++17' "$err"

# ---- a process with PyTorch, whose operators know nothing of streams ----

mkdir torch
echo 'int c10_version() { return 1; }' >torch/c10.c
"${CC:-cc}" -shared -fPIC -o torch/libc10.so torch/c10.c
cat >beside.cu <<'C'
#include <cstdio>
extern "C" int c10_version();
__global__ void slow(volatile int *p, int n) { for (int i = 0; i < n; i++) p[0] = p[0] + 1; }
int main() {
    int *tensor = new int[1]();
    slow<<<1, 1>>>(tensor, 50000000 * c10_version());
    std::printf("%d\n", ((volatile int *)tensor)[0]); // what PyTorch's next operator reads
    return 0;
}
C
nvcc 'a library of PyTorch' beside.cu -o beside -Ltorch -lc10 -Xlinker -rpath=$PWD/torch
runs beside 'a launch beside PyTorch is done when it returns' '50000000'

# ---- a setup script, in the environment and under run, with a PyTorch that was built for the CPU ----

mkdir -p stub/torch/cuda stub/torch/utils
printf 'from . import version\nfrom . import cuda\n' >stub/torch/__init__.py
printf 'cuda = None\nhip = None\n' >stub/torch/version.py
printf 'def is_available():\n    return False\n' >stub/torch/cuda/__init__.py
: >stub/torch/utils/__init__.py
cat >stub/torch/utils/cpp_extension.py <<'P'
def _check_cuda_version(*arguments):
    raise TypeError("there is no version of CUDA")
def CUDAExtension(name, sources):
    _check_cuda_version()
    return name
P
cat >setup_ops.py <<'P'
import torch
if not torch.cuda.is_available():
    raise SystemExit("no GPU, no extension")
from torch.utils.cpp_extension import CUDAExtension
def setup(modules):
    print("builds", modules, torch.cuda.get_device_capability())
setup(CUDAExtension("ops", ["ops.cu"]))
P
sed -e 's/^if.*/if torch.cuda.is_available():/' -e '/^from torch.utils/,$d' setup_ops.py >train.py
if command -v python3 >/dev/null; then
    run env --target cpu
    (eval "$(cat "$out")" && PYTHONPATH=$PYTHONPATH:stub python3 setup_ops.py) >got 2>"$err"
    check 'env: a setup script that asks for a GPU builds' grep -qx 'builds ops (8, 0)' got
    (eval "$(cat "$out")" && PYTHONPATH=$PYTHONPATH:stub python3 train.py) >got 2>"$err"
    check 'env: a program is told that there is none' test $? -eq 0
    PYTHONPATH=stub "$tool" run --target cpu setup_ops.py >got 2>"$err"
    check 'run: a setup script that asks for a GPU builds' grep -qx 'builds ops (8, 0)' got
fi

# ---- shuffles whose mask leaves out lanes that take part ----

# CUDA leaves open what those get. GPUs read the source lane, which is there: so do loops. (Not in
# tests/cpu: each fiber waits for whom it names, and loops and fibers are compared there.)
cat >masks.cu <<'C'
#include <cstdio>
__global__ void half_named(int *out) {
    int v = 100 + threadIdx.x;
    out[threadIdx.x] = __shfl_xor_sync(0x0000ffffu, v, 1);
    out[32 + threadIdx.x] = __shfl_down_sync(0x0000ffffu, v, 8);
}
int main() {
    int *out, good = 1;
    cudaMallocManaged(&out, 64 * sizeof(*out));
    half_named<<<1, 32>>>(out);
    cudaDeviceSynchronize();
    for (int i = 0; i < 32; i++) good &= out[i] == 100 + (i ^ 1);
    for (int i = 0; i < 24; i++) good &= out[32 + i] == 108 + i;
    puts(good ? "right" : "wrong");
}
C
nvcc 'lanes that no mask names' -w masks.cu -o masks
./masks >"$out"
prints right 'lanes that no mask names'

done_testing
