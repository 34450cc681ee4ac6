// target: rocm
// select: cuda-silent,cuda-ptx
// Tensor cores: the first of each kind is told.
// want: cuda-silent/tensor-core
#include <cutlass/gemm/device/gemm.h>
// ok: cuda-silent/tensor-core
#include <cute/atom/mma_atom.hpp>

__device__ int something(int x);
