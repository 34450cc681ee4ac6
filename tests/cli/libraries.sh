#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# port --libraries roc: calls of rocBLAS and its sisters themselves, what their arguments forbid,
# and that nothing changes without it.
. "${0%/*}/helper"

cat >a.cu <<'EOF'
#include <cublas_v2.h>
#include <curand_kernel.h>
int f(cublasHandle_t h, int n, const cuComplex *a, float *r, cuComplex *y) {
    cuComplex one = make_cuComplex(1, 0);
    if (cublasCaxpy(h, n, &one, a, 1, y, 1) != CUBLAS_STATUS_SUCCESS) return 1;
    cublasSgemm(h, CUBLAS_OP_N, CUBLAS_OP_T, n, n, n, r, r, n, r, n, r, r, n);
    return cublasGemmEx(h, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, r, r, CUDA_R_32F, n, r, CUDA_R_32F, n,
                        r, r, CUDA_R_32F, n, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
}
__global__ void k(curandState *s, float *x) { *x = curand_uniform(s); }
EOF
run port a.cu --target rocm --libraries roc
for line in '#define ROCM_MATHLIBS_API_USE_HIP_COMPLEX' '#include <rocblas/rocblas.h>' \
    '#include <rocrand/rocrand_kernel.h>' \
    '    if (rocblas_caxpy(h, n, &one, a, 1, y, 1) != rocblas_status_success) return 1;' \
    '__global__ void k(rocrand_state_xorwow *s, float *x) { *x = rocrand_uniform(s); }'; do
    prints "$line" "roc: $line"
done
check 'other arguments are for a human' \
    grep -q '`cublasGemmEx` needs manual porting' "$err"
check 'and stay' grep -q 'return cublasGemmEx(' "$out"

run port a.cu --target rocm
prints '#include <hipblas/hipblas.h>' 'without it hipBLAS is called'
check 'and nothing of rocBLAS' sh -c '! grep -q rocblas "$0"' "$out"

cat >s.cu <<'EOF'
#include <cusolverDn.h>
int g(cusolverDnHandle_t h, int n, float *a, float *w, int lw, int *info) {
    return cusolverDnSpotrf(h, CUBLAS_FILL_MODE_LOWER, n, a, n, w, lw, info);
}
EOF
run port s.cu --target rocm --libraries roc
prints '    return rocsolver_spotrf(h, rocblas_fill_lower, n, a, n, info);' \
    'rocSOLVER needs no memory to work in'

status_of() {
    run port a.cu "$@"
    [ "$status" -eq 2 ]
}
check 'other targets have no such libraries' status_of --target musa --libraries roc
check 'the rules of it are sound' "$tool" rules check "$top/rules/data/rocm-native.json"
check 'and their examples hold' "$tool" rules test "$top/rules/data/rocm-native.json"
done_testing
