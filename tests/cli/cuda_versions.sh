#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Names of HIP that came and went: --target-version decides; without it the names are ROCm 6.4's.
. "${0%/*}/helper"

ported() { # ported VERSION CUDA HIP: what stands in the file for that version of ROCm
    printf '#include <cuda_runtime.h>\nvoid f() { %s; }\n' "$2" >name.cu
    # shellcheck disable=SC2086
    run port name.cu --target rocm ${1:+--target-version rocm=$1}
    prints "void f() { $3; }" "ROCm ${1:-6.4}: $2"
}
manual() { # manual VERSION CUDA: there is no such name yet
    ported "$1" "$2" "$2"
    says ': manual: ' "ROCm $1: $2"
}

ported '' 'cublasCaxpy(h)' 'hipblasCaxpy_v2(h)'
ported 6.4 'cublasCaxpy(h)' 'hipblasCaxpy_v2(h)'
ported 7.0 'cublasCaxpy(h)' 'hipblasCaxpy(h)'
ported 5.2 'cublasCaxpy(h)' 'hipblasCaxpy(h)'
manual 5.2 'cublasCaxpy_64(h)'
ported 6.4 'cublasSaxpy_64(h)' 'hipblasSaxpy_64(h)'
ported 5.2 'cudaHostAlloc(p, 1, 0)' 'hipHostMalloc(p, 1, 0)'
ported 6.4 'cudaHostAlloc(p, 1, 0)' 'hipHostAlloc(p, 1, 0)'
ported 5.2 'cudaMallocPitch(&p, n, w, h)' 'hipMallocPitch((void **)(&p), n, w, h)'
ported 6.4 'cudaMallocPitch(&p, n, w, h)' 'hipMallocPitch(&p, n, w, h)'
manual 5.2 'cudaArrayGetInfo(a, b, c, d)'
ported 6.4 'cudaArrayGetInfo(a, b, c, d)' 'hipArrayGetInfo(a, b, c, d)'
manual 5.2 '__nv_bfloat16 x'
ported 6.4 '__nv_bfloat16 x' '__hip_bfloat16 x'
manual 6.2 '__nv_fp8_e4m3 x'
ported 7.0 '__nv_fp8_e4m3 x' '__hip_fp8_e4m3 x'
manual 6.4 'cudaLaunchKernelExC(c, f, a)'
ported 7 'cudaLaunchKernelExC(c, f, a)' 'hipLaunchKernelExC(c, f, a)'
ported 7 'CUDA_MEMSET_NODE_PARAMS p' 'hipMemsetParams p'
ported 6.4 'CUDA_MEMSET_NODE_PARAMS p' 'HIP_MEMSET_NODE_PARAMS p'
manual 7 'cudaStreamGetId(s, &i)'
ported 7.2 'cudaStreamGetId(s, &i)' 'hipStreamGetId(s, &i)'
ported 7.2 'cudaLibraryUnload(l)' 'hipLibraryUnload(l)'
ported 7.2 '__nv_fp6_e3m2 x' '__hip_fp6_e3m2 x'
manual 7.2 'cudaMemcpyBatchAsync(d, s, n, 2, a, i, 1, t)'
done_testing
