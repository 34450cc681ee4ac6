#include <algorithm>

#include "../op_kernel/@name@_tiling.h"
#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {
/* Each core gets one run of elements, and works on it tile by tile. */
static ge::graphStatus Tiling(gert::TilingContext *context)
{
    constexpr uint64_t ALIGN = 32; // bytes that a copy moves at once
