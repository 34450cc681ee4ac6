// What the host tells the kernel; plain data, read by both sides.
#pragma once

#include <cstdint>

#include "kernel_tiling/kernel_tiling.h"

struct @Name@TilingData {
    int32_t m, n, k;  // a is m x k, b is k x n
    TCubeTiling cube; // made by the library's own tiling
};
