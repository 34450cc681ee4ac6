#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# `cuda-morph cc`: nvcc's command line. What each kind of option does is seen with --dryrun; the
# programs that it builds run in tests/e2e/cc.sh.
. "${0%/*}/helper"

needs c++
unset NVCC_PREPEND_FLAGS NVCC_APPEND_FLAGS NVCC_CCBIN CUDA_MORPH_TARGET
cat >a.cu <<'C'
__global__ void k(int *p) { p[threadIdx.x] = 1; }
int main() { return 0; }
C
echo 'int f() { return 0; }' >host.cpp
echo 'int g(void) { return 0; }' >plain.c
: >x.o
mkdir include
# dry WHAT ARGS...: the line of the host's compiler, or of the last program, in $out
dry() {
    what=$1
    shift
    run cc --dryrun "$@"
    exits 0 "$what"
    grep '^#\$ ' "$err" | grep -v '^#\$ [A-Z_]*=' | grep -v '^#\$ port' | tail -n "${lines:-1}" >"$out"
}
lacks() { check "$2: the line holds '$1'" not grep -qF -e "$1" "$out"; }

# ---- who it is ----

ln -s "$tool" cmcc
ln -s "$tool" nvcc
for program in ./cmcc ./nvcc; do
    $program --version >"$out" 2>"$err"
    prints 'nvcc: NVIDIA (R) Cuda compiler driver' "$program"
    prints 'cuda-morph' "$program"
    check "$program: a release as CMake and PyTorch read it" grep -qE 'release [0-9]+\.[0-9]+, V' "$out"
done
run cc --list-gpu-code
prints sm_80 'list'
run cc --list-gpu-arch
prints compute_80 'list'
run cc --help
prints '--generate-code' 'help'
run cc -v __probe
exits 2 'a word that is no file'
says "Don't know what to do with '__probe'" 'a word that is no file'
says '#$ TOP=' 'what a build asks -v for'
run cc
exits 2 'no file'

# ---- options ----

dry 'an object' -c a.cu
prints ' -c ' 'an object'
prints '-o a.o' 'an object'
prints '-D__CUDACC__' 'an object'
prints '-O2' 'kernels are optimised'
dry 'names' -dc a.cu -odir include -D A=1,B -DC -UD -Iinclude -isystem include -include host.cpp
for word in '-D A=1' '-D B' '-D C' '-U D' '-I include' '-isystem include' '-include host.cpp' \
    '-o include/a.o'; do
    prints "$word" 'names'
done
dry 'harmless options' -c a.cu -arch=sm_80 -gencode arch=compute_80,code=sm_80 \
    --generate-code=arch=compute_90,code=[sm_90,compute_90] -Xptxas -v,-O3 --use_fast_math \
    --expt-relaxed-constexpr --extended-lambda -lineinfo -rdc=true -maxrregcount 32 -t 4 \
    --diag-suppress 20012 -Wno-deprecated-gpu-targets --resource-usage -restrict -m64
for word in sm_80 compute_90 Xptxas fast_math 20012; do lacks "$word" 'harmless options'; done
prints '-m64' 'harmless options'
dry "the host's options" -c a.cu -Xcompiler -fPIC,-Wall -Xcompiler '"-Wextra -g3"' \
    --compiler-options=-fopenmp -g -O3 -std=c++20
for word in -fPIC -Wall -Wextra -g3 -fopenmp -O3 -std=c++20; do prints "$word" "the host's options"; done
dry 'an early standard' -c a.cu -std=c++11
prints -std=c++17 'an early standard'
dry 'debugging' -c a.cu -G
prints -O0 'debugging'
dry 'unknown options' -c a.cu -fno-rtti -forward-unknown-to-host-compiler
prints -fno-rtti 'unknown options'
run cc --dryrun -c a.cu -fno-rtti
exits 2 'an unknown option'
says "Unknown option '-fno-rtti'" 'an unknown option'
dry 'a program to be watched' -c a.cu -sanitize memcheck
prints '-fsanitize=thread' 'a program to be watched'
dry 'the link of a program to be watched' x.o -o program -sanitize memcheck
prints '-lcmrt_check' 'the link of a program to be watched'
prints 'wrap=memcpy' 'the link of a program to be watched'
dry 'a program like any other' x.o -o program
lacks '-lcmrt_check' 'a program like any other'
run cc --dryrun --ltoir a.cu
exits 2 'a refused option'
says 'cannot be done here' 'a refused option'
run cc --dryrun -c a.cu -o
exits 2 'a missing value'
printf -- '-c a.cu\n-D "X=a b" -o there.o' >options
dry 'a file of options' --options-file options
prints "-D 'X=a b'" 'a file of options'
prints '-o there.o' 'a file of options'
dry 'a file of options' @options
prints '-o there.o' 'a response file'
NVCC_PREPEND_FLAGS=-DFIRST NVCC_APPEND_FLAGS='-DLAST -Xcompiler -Wall'
export NVCC_PREPEND_FLAGS NVCC_APPEND_FLAGS
dry 'variables' -c a.cu
prints '-D FIRST' 'variables'
prints '-D LAST' 'variables'
unset NVCC_PREPEND_FLAGS NVCC_APPEND_FLAGS

# ---- languages ----

dry 'a source of C++' -c host.cpp
lacks -D__CUDACC__ 'a source of C++'
prints '-x c++' 'a source of C++'
dry 'C' -c plain.c
prints '-x c ' 'C'
dry '-x cu' -x cu -c host.cpp
prints -D__CUDACC__ '-x cu'
lines=3 dry 'several sources' a.cu host.cpp x.o -o program -lcublas -lm -L. -Xlinker -z,now
prints -c 'several sources'
prints 'x.o -Xlinker -z -Xlinker now -L. -lm -Wl,--end-group' 'the link, in nvcc'"'"'s order'
prints '-lcmrt' 'the link'
lacks '-lcublas' 'the link'
dry 'libraries before objects' -lm -L. x.o y.a -o program
prints '-Wl,--start-group x.o y.a -L. -lm -Wl,--end-group' 'libraries before objects'
run cc --dryrun x.o -lcutensor -o program
says '-lcutensor is left out' 'a library that nothing answers'
dry 'a shared library' -shared -o libx.so a.cu -Xcompiler -fPIC
prints '-shared' 'a shared library'
dry 'an archive' -lib a.cu x.o -o libx.a
prints 'ar rcs libx.a' 'an archive'
prints 'x.o' 'an archive'
dry 'device code' -dlink x.o -o link.o
prints '-o link.o' 'device code'
dry 'a module' -ptx a.cu -o a.ptx
prints '-shared' 'a module'

# ---- files behind a source: ported, too, and the compiler names the user's ----

mkdir src
echo 'inline int first() { cudaDeviceSynchronize(); return 1; }' >src/first.cuh
printf '%s\n' '#pragma once' '#include <cstdio>' '' \
    'inline int second() { cudaGetLastError(); return 2; }' >src/second.cuh
printf '#  include\t"first.cuh"\n#include"second.cuh"\n' >src/main.cu
printf '%s\n' '__global__ void k() {}' 'int line() { k<<<1, 1>>>(); return __LINE__; }' >>src/main.cu
cp src/main.cu src/bad.cu
printf '%s\n' 'const char *raw = R"(' '#include "first.cuh"' '")";' 'int last() { return __LINE__; }' >>src/main.cu
echo '#include"gone.cuh"' >>src/bad.cu
run cc -E src/main.cu
exits 0 'the preprocessed text'
prints 'cmDeviceSynchronize' 'a header with blanks around its include'
prints 'cmGetLastError' 'the next header'
prints '"src/first.cuh"' 'a header as the compiler names it'
prints '"src/second.cuh"' 'the next header as the compiler names it'
prints 'return 4;' "a line's number is the original's"
prints 'return 8;' 'the same behind a text of several lines'
printf '%s\n' '#include "first.cuh"' '")";' >wanted
check 'a text of several lines stays' sh -c 'grep -A1 -x "#include .first.cuh." "$1" | cmp - wanted' sh "$out"
run cc -M src/main.cu
prints 'src/second.cuh' 'what the object depends on'
# #pragma once: one file by two paths, and two that include each other by ever longer ones
mkdir src/one src/two
printf '%s\n' '#pragma once' '#include "../two/b.cuh"' 'struct once { int device; };' \
    'inline int sync() { return cudaDeviceSynchronize(); }' >src/one/a.cuh
printf '%s\n' '#pragma once' '#include "../one/a.cuh"' 'inline int error() { return cudaGetLastError(); }' >src/two/b.cuh
printf '%s\n' '#include "one/a.cuh"' '#include "two/../one/a.cuh"' 'once o;' >src/twice.cu
run cc -c src/twice.cu
exits 0 'a header that is included by two paths'
run cc -c src/bad.cu
check 'a header that is not there' test "$status" -ne 0
says 'src/bad.cu:5:' 'a header that is not there'
says 'gone.cuh: No such file' 'a header that is not there'

# ---- compilers and targets ----

mkdir bin
for program in hipcc other-g++; do
    printf '#!/bin/sh\nexit 0\n' >bin/$program
    chmod +x bin/$program
done
dry 'another compiler' -c a.cu -ccbin bin/other-gcc
prints 'bin/other-g++' 'another compiler'
run cc --dryrun -c a.cu -ccbin missing/compiler
exits 2 'a compiler that is not there'
dry 'a release of a compiler that is not there' -c a.cu -ccbin missing/g++-4.8
prints 'g++' 'a release of a compiler that is not there'
lacks 'g++-4.8' 'a release of a compiler that is not there'
says "no host compiler 'missing/g++-4.8'" 'a release of a compiler that is not there'
run cc -w --dryrun -c a.cu -ccbin missing/gcc-4.8
exits 0 'the same without warnings'
check 'the same without warnings: nothing is said' not grep -q 'no host compiler' "$err"
PATH=$PWD/none "$tool" cc -c a.cu >"$out" 2>"$err"
says 'apt-get install g++' 'no compiler: what to install'
PATH=$PWD/bin:$PATH
dry 'HIP' --target rocm -c a.cu -arch=sm_80
prints hipcc 'HIP'
prints '-x hip' 'HIP'
CUDA_MORPH_TARGET=rocm
export CUDA_MORPH_TARGET
dry 'HIP by the variable' x.o -lcublas -o program
prints '-lhipblas' 'HIP by the variable'
for program in icpx acpp; do
    printf '#!/bin/sh\nexit 0\n' >bin/$program
    chmod +x bin/$program
done
CUDA_MORPH_TARGET=xpu
dry 'SYCL' -c a.cu -arch=sm_80
prints 'bin/icpx' 'SYCL: the compiler'
prints ' -fsycl' 'SYCL: its own option'
rm bin/icpx
dry 'SYCL, the other compiler' a.cu -lcublas -o program
prints '--acpp-targets=omp.library-only' 'SYCL: the option of the other compiler'
check 'SYCL: not the option of the first' not grep -q 'fsycl' "$out"
run cc --target ascend -c a.cu
exits 2 'a target that is compiled otherwise'
says 'cc does not compile for target' 'a target that is compiled otherwise'

done_testing
