// target: rocm
// select: cuda-silent,cuda-ptx
// Nothing of NVIDIA's.
// ok: cuda-silent/tensor-core
#include "cutlass_wrapper.h"
// ok: cuda-silent/tensor-core
#include <execute/plan.h>
// ok: cuda-silent/tensor-core
#include <rocwmma/rocwmma.hpp>
// ok: cuda-silent/tensor-core
int wmma_tiles = 4;
