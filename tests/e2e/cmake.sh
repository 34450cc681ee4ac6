#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# CMake projects for CUDA as they are, with cmcc as their compiler: enable_language(CUDA),
# find_package(CUDAToolkit), C++ files that the host's compiler gets, device linking, by a toolchain
# file, by CUDACXX and in the environment of `cuda-morph env`.
. "${0%/*}/../cli/helper"

needs c++ cmake
unset CUDA_MORPH_TARGET CUDACXX CUDA_HOME CUDA_PATH CMAKE_TOOLCHAIN_FILE CUDAHOSTCXX
toolkit=$build/cuda
mkdir -p src include
cat >CMakeLists.txt <<'C'
cmake_minimum_required(VERSION 3.18)
project(demo LANGUAGES CXX CUDA)
find_package(CUDAToolkit REQUIRED)
set(CMAKE_CUDA_STANDARD 14)
add_library(kernels SHARED src/kernel.cu)
set_target_properties(kernels PROPERTIES CUDA_SEPARABLE_COMPILATION ON)
target_include_directories(kernels PUBLIC include)
add_executable(demo src/main.cpp src/more.cu)
set_target_properties(demo PROPERTIES CUDA_SEPARABLE_COMPILATION ON CUDA_ARCHITECTURES "70;80")
target_link_libraries(demo kernels CUDA::cudart CUDA::cublas)
target_compile_options(demo PRIVATE $<$<COMPILE_LANGUAGE:CUDA>:-lineinfo --expt-relaxed-constexpr>)
# Of a project in which one program wants what nothing answers, the others are built.
add_executable(unanswered EXCLUDE_FROM_ALL src/unanswered.cpp)
target_link_libraries(unanswered CUDA::cudart CUDA::nppisu CUDA::nppc CUDA::nvjpeg)
add_custom_command(TARGET demo POST_BUILD COMMAND ${CMAKE_COMMAND} -E copy_directory
    ${CUDAToolkit_INCLUDE_DIRS}/cccl/cuda ${CMAKE_CURRENT_BINARY_DIR}/cuda)
enable_testing()
add_test(NAME demo COMMAND demo)
C
cat >include/api.h <<'C'
#pragma once
#include <cuda_runtime.h>
void launch(int *p, int n, cudaStream_t stream);
int more(int x);
C
printf '#include <npp.h>\nint main() { return nppGetLibVersion() == 0; }\n' >src/unanswered.cpp
cat >src/kernel.cu <<'C'
#include "api.h"
__global__ void fill(int *p) { p[threadIdx.x] = threadIdx.x; }
void launch(int *p, int n, cudaStream_t stream) { fill<<<1, n, 0, stream>>>(p); }
C
cat >src/more.cu <<'C'
#include "api.h"
__global__ void one(int *p, int x) { *p = x + 1; }
int more(int x) {
    int *p, result;
    cudaMalloc(&p, sizeof(int));
    one<<<1, 1>>>(p, x);
    cudaMemcpy(&result, p, sizeof result, cudaMemcpyDeviceToHost);
    cudaFree(p);
    return result;
}
C
cat >src/main.cpp <<'C'
#include "api.h"
#include <cstdio>
#include <cublas_v2.h>
int main() {
    int *p, h[32];
    cudaStream_t stream;
    cudaDeviceProp properties;
    if (cudaGetDeviceProperties(&properties, 0) != cudaSuccess) return 1;
    cudaStreamCreate(&stream);
    cudaMalloc((void **)&p, sizeof h);
    launch(p, 32, stream);
    cudaMemcpyAsync(h, p, sizeof h, cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    cublasHandle_t handle;
    if (cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS) return 1;
    cublasDestroy(handle);
    std::printf("%d %d %d\n", h[31], more(41), properties.warpSize);
    return h[31] == 31 ? 0 : 1;
}
C
# project WHAT FOLDER OPTIONS...: configured, built, run
project() {
    what=$1
    folder=$2
    shift 2
    cmake -S . -B "$folder" "$@" >"$out" 2>"$err"
    check "$what: configured" test $? -eq 0
    prints 'The CUDA compiler identification is NVIDIA' "$what"
    cmake --build "$folder" -j 2 >"$out" 2>"$err"
    check "$what: built" test $? -eq 0
    "$folder/demo" >"$out" 2>"$err"
    check "$what: runs" test "$(cat "$out")" = '31 42 32'
}
project 'toolchain file' a -DCMAKE_TOOLCHAIN_FILE="$toolkit/toolchain.cmake"
CUDACXX=$toolkit/bin/nvcc
export CUDACXX
project 'CUDACXX' b
unset CUDACXX
run env --target cpu
exits 0 'env'
for variable in NVCC CUDACXX CUDA_HOME CUDA_PATH CUDAToolkit_ROOT CMAKE_TOOLCHAIN_FILE PATH; do
    prints "export $variable=" 'env'
done
eval "$(cat "$out")"
check 'env: nvcc is the first of PATH' test "$(command -v nvcc)" = "$toolkit/bin/nvcc"
project 'the environment of env' c -DCMAKE_BUILD_TYPE=Debug
cmake --build c >"$out" 2>"$err"
check 'nothing is built twice' not grep -q Building "$out"
cmake --build c --target unanswered >"$out" 2>&1
check 'what nothing answers is not built' test $? -ne 0
prints 'npp.h' 'what nothing answers is named'
touch include/api.h
cmake --build c >"$out" 2>"$err"
check 'a header that changes builds what includes it' grep -q 'Building CUDA object.*kernel.cu' "$out"

# ---- host code that is compiled as it is ----

"${CXX:-c++}" -I"$CUDA_HOME/include" -Iinclude -c src/main.cpp -o main.o >"$out" 2>"$err"
check "CUDA's headers for the host's compiler" test $? -eq 0
printf '#include <cuda_runtime.h>\nint main(void) { return cudaSuccess; }\n' >bare.c
cp bare.c bare.cpp
"${CC:-cc}" -std=c99 -fsyntax-only bare.c >"$out" 2>"$err"
check "env: C finds CUDA's headers where builds say nothing of them" test $? -eq 0
"${CXX:-c++}" -fsyntax-only bare.cpp >"$out" 2>"$err"
check 'env: so does C++' test $? -eq 0
for header in cuda.h cuda_runtime_api.h cuda_fp16.h cublas_v2.h cufft.h curand.h cusparse.h \
    cusolverDn.h nvToolsExt.h vector_types.h; do
    printf '#include <%s>\nint main() { return 0; }\n' "$header" >one.cpp
    "${CXX:-c++}" -std=c++17 -fsyntax-only -I"$CUDA_HOME/include" one.cpp >"$out" 2>"$err"
    check "$header for the host's compiler" test $? -eq 0
done

# ---- a toolkit in a folder that no loader knows of, and that was moved there ----

# Who links (the C++ compiler for CMake, cmcc, the host's compiler of a Makefile): programs start.
unset NVCC CUDACXX CUDA_HOME CUDA_PATH CUDA_ROOT CUDA_TOOLKIT_ROOT_DIR CUDAToolkit_ROOT CUDA_DIR \
    CUDA_INSTALL_PATH CMAKE_TOOLCHAIN_FILE LIBRARY_PATH LD_LIBRARY_PATH C_INCLUDE_PATH CPLUS_INCLUDE_PATH
if [ -n "${CUDA_MORPH-}" ]; then
    skip 'an installed toolkit' 'this is no build folder'
    done_testing
fi
make -C "$top" -s -o all -o "$tool" -o "$build/libcudamorph.so" -o runtime BUILD="$build" \
    PREFIX="$scratch/prefix" install >"$out" 2>"$err" </dev/null
check 'install to a folder' test $? -eq 0
mv "$scratch/prefix" "$scratch/moved"
toolkit=$scratch/moved/lib/cuda-morph/cuda
# alone FOLDER: a project with nothing but CUDA in it, built there by CMake
alone() {
    what="moved: $1"
    folder=$1
    shift
    cmake -S alone -B "$folder" "$@" >"$out" 2>"$err" && cmake --build "$folder" >"$out" 2>>"$err"
    check "$what is built" test $? -eq 0
    check "$what starts: $(head -n 1 "$err")" test "$("$folder/alone" 2>"$err")" = 42
    cmake --install "$folder" --prefix "$folder/there" >"$out" 2>"$err"
    check "$what, installed, starts" test "$("$folder/there/bin/alone" 2>"$err")" = 42
}
mkdir alone
cat >alone/CMakeLists.txt <<'C'
cmake_minimum_required(VERSION 3.18)
project(alone LANGUAGES CXX CUDA)
add_executable(alone alone.cu)
install(TARGETS alone)
C
sed 's/^int more/static int more/; /api.h/c #include <cstdio>' src/more.cu >alone/alone.cu
printf '%s\n' 'int main() { std::printf("%d\n", more(41)); }' >>alone/alone.cu
alone compiler -DCMAKE_CUDA_COMPILER="$scratch/moved/bin/cmcc"
alone toolchain -DCMAKE_TOOLCHAIN_FILE="$toolkit/toolchain.cmake"
CUDACXX=$scratch/moved/bin/cmcc alone variable
"$scratch/moved/bin/cmcc" alone/alone.cu -o by_cmcc >"$out" 2>"$err"
check 'moved: what cmcc links starts' test "$(./by_cmcc 2>"$err")" = 42
"$scratch/moved/bin/cmcc" -c alone/alone.cu -o alone.o >"$out" 2>"$err"
for library in cudart cudart_static cublas; do
    "${CXX:-c++}" alone.o -L"$toolkit/lib64" -l$library -o by_host >"$out" 2>"$err"
    check "moved: what the host's compiler links with -l$library starts" test "$(./by_host 2>"$err")" = 42
done
project 'moved: C++ and CUDA' d -DCMAKE_TOOLCHAIN_FILE="$toolkit/toolchain.cmake"
eval "$("$scratch/moved/bin/cuda-morph" env --target cpu)"
alone environment

done_testing
