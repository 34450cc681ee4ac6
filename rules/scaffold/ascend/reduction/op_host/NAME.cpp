#include <algorithm>

#include "../op_kernel/@name@_tiling.h"
#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"

namespace optiling {
/* Each core gets some rows; a row that does not fit the unified buffer is summed in parts. */
static ge::graphStatus Tiling(gert::TilingContext *context)
{
    constexpr uint64_t UNIT = 8; // floats in 32 bytes
    auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
    const gert::Shape &shape = context->GetInputShape(0)->GetStorageShape();
    uint64_t memory = 0;
    platform.GetCoreMemSize(platform_ascendc::CoreMemType::UB, memory);
    uint64_t cores = std::max<uint64_t>(1, platform.GetCoreNumAiv());
    uint64_t columns = shape.GetDimNum() ? shape.GetDim(shape.GetDimNum() - 1) : 1;
    uint64_t rows = columns ? shape.GetShapeSize() / columns : 0;
    uint64_t tile = (memory / 2 - 1024) / (3 * sizeof(float)) / UNIT * UNIT;

    auto *data = context->GetTilingData<@Name@TilingData>();
    data->rows = rows;
    data->columns = columns;
    data->perCore = (rows + cores - 1) / cores;
    data->tile = std::max(UNIT, std::min(tile, (columns + UNIT - 1) / UNIT * UNIT));
    context->SetBlockDim(static_cast<uint32_t>(
        data->perCore ? (rows + data->perCore - 1) / data->perCore : 1));
    context->GetWorkspaceSizes(1)[0] = 0;
    return ge::GRAPH_SUCCESS;
}
} // namespace optiling

namespace ge {
/* The last axis goes away. */
static graphStatus InferShape(gert::InferShapeContext *context)
{
    const gert::Shape *x = context->GetInputShape(0);
    gert::Shape *z = context->GetOutputShape(0);
    z->SetDimNum(0);
    for (size_t i = 0; i + 1 < x->GetDimNum(); i++) z->AppendDim(x->GetDim(i));
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
            .DataType({ge::DT_FLOAT})
            .Format({ge::FORMAT_ND});
        this->Output("z")
            .ParamType(REQUIRED)
            .DataType({ge::DT_FLOAT})
            .Format({ge::FORMAT_ND});
        this->SetInferShape(ge::InferShape).SetInferDataType(ge::InferDataType);
        this->AICore().SetTiling(optiling::Tiling);
        this->AICore().AddConfig("ascend910b");
    }
};

OP_ADD(@Name@);
} // namespace ops
