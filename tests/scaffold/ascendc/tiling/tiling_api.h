#pragma once
#include "kernel_tiling/kernel_tiling.h"
#include "tiling/platform/platform_ascendc.h"
namespace matmul_tiling {
enum class TPosition { GM };
enum class CubeFormat { ND };
enum class DataType { DT_FLOAT, DT_FLOAT16 };
struct MultiCoreMatmulTiling {
    explicit MultiCoreMatmulTiling(const platform_ascendc::PlatformAscendC &);
    int32_t SetDim(int32_t n);
    int32_t SetAType(TPosition, CubeFormat, DataType, bool transposed = false);
    int32_t SetBType(TPosition, CubeFormat, DataType, bool transposed = false);
    int32_t SetCType(TPosition, CubeFormat, DataType);
    int32_t SetShape(int32_t m, int32_t n, int32_t k);
    int32_t SetOrgShape(int32_t m, int32_t n, int32_t k);
    int32_t SetBufferSpace(int32_t l1, int32_t l0c, int32_t ub);
    int64_t GetTiling(TCubeTiling &tiling);
};
} // namespace matmul_tiling
