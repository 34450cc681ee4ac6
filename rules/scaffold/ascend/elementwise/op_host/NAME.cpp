#include <algorithm>

#include "../op_kernel/@name@_tiling.h"
#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {
/* Each core gets one run of elements, and works on it tile by tile. */
static ge::graphStatus Tiling(gert::TilingContext *context)
{
    constexpr uint64_t ALIGN = 32; // bytes that a copy moves at once
    constexpr uint64_t BUFFERS = 3; // tensors in the unified buffer, each twice
    auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
    uint64_t memory = 0;
    platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, memory);
    uint64_t size = context->GetInputDesc(0)->GetDataType() == ge::DT_FLOAT ? 4 : 2;
    uint64_t length = context->GetInputShape(0)->GetStorageShape().GetShapeSize();
    uint64_t cores = std::max<uint64_t>(1, platform.GetCoreNumAiv());
    uint64_t unit = ALIGN / size;
    uint64_t perCore = ((length + cores - 1) / cores + unit - 1) / unit * unit;
    uint64_t tile = memory / (2 * BUFFERS * size) / unit * unit;

    auto *data = context->GetTilingData<@Name@TilingData>();
    data->length = length;
    data->perCore = perCore;
    data->tile = std::max<uint64_t>(unit, std::min(tile, perCore));
    context->SetBlockDim(static_cast<uint32_t>(perCore ? (length + perCore - 1) / perCore : 1));
    context->GetWorkspaceSizes(1)[0] = 0;
    return ge::GRAPH_SUCCESS;
}
} // namespace optiling

namespace ge {
static graphStatus InferShape(gert::InferShapeContext *context)
{
    *context->GetOutputShape(0) = *context->GetInputShape(0);
    return GRAPH_SUCCESS;
}

static graphStatus InferDataType(gert::InferDataTypeContext *context)
{
    context->SetOutputDataType(0, context->GetInputDataType(0));
    return GRAPH_SUCCESS;
}
} // namespace ge

namespace ops {
class @Name@ : public OpDef {
public:
    explicit @Name@(const char *name) : OpDef(name)
    {
        this->Input("x")
            .ParamType(REQUIRED)
            .DataType({ge::DT_FLOAT16, ge::DT_FLOAT})
            .Format({ge::FORMAT_ND, ge::FORMAT_ND});
        this->Input("y")
            .ParamType(REQUIRED)
            .DataType({ge::DT_FLOAT16, ge::DT_FLOAT})
            .Format({ge::FORMAT_ND, ge::FORMAT_ND});
        this->Output("z")
            .ParamType(REQUIRED)
            .DataType({ge::DT_FLOAT16, ge::DT_FLOAT})
            .Format({ge::FORMAT_ND, ge::FORMAT_ND});
        this->SetInferShape(ge::InferShape).SetInferDataType(ge::InferDataType);
        this->AICore().SetTiling(optiling::Tiling);
        this->AICore().AddConfig("ascend910b");
    }
};

OP_ADD(@Name@);
} // namespace ops
