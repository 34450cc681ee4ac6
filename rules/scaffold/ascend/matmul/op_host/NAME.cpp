#include <algorithm>

#include "../op_kernel/@name@_tiling.h"
#include "register/op_def_registry.h"
#include "tiling/platform/platform_ascendc.h"
#include "tiling/tiling_api.h"

namespace optiling {
/* The library of matrix products tiles for itself. */
static ge::graphStatus Tiling(gert::TilingContext *context)
{
    using namespace matmul_tiling;
    auto platform = platform_ascendc::PlatformAscendC(context->GetPlatformInfo());
    const gert::Shape &a = context->GetInputShape(0)->GetStorageShape();
    const gert::Shape &b = context->GetInputShape(1)->GetStorageShape();
    if (a.GetDimNum() != 2 || b.GetDimNum() != 2 || a.GetDim(1) != b.GetDim(0))
        return ge::GRAPH_FAILED;
    int32_t m = static_cast<int32_t>(a.GetDim(0)), k = static_cast<int32_t>(a.GetDim(1));
    int32_t n = static_cast<int32_t>(b.GetDim(1));
    int32_t cores = static_cast<int32_t>(std::max<uint32_t>(1, platform.GetCoreNumAic()));

    auto *data = context->GetTilingData<@Name@TilingData>();
    MultiCoreMatmulTiling product(platform);
    product.SetDim(cores);
    product.SetAType(TPosition::GM, CubeFormat::ND, DataType::DT_FLOAT16);
    product.SetBType(TPosition::GM, CubeFormat::ND, DataType::DT_FLOAT16);
    product.SetCType(TPosition::GM, CubeFormat::ND, DataType::DT_FLOAT);
    product.SetShape(m, n, k);
    product.SetOrgShape(m, n, k);
    product.SetBufferSpace(-1, -1, -1);
    if (product.GetTiling(data->cube) == -1) return ge::GRAPH_FAILED;
    data->m = m;
    data->n = n;
    data->k = k;
    context->SetBlockDim(static_cast<uint32_t>(data->cube.usedCoreNum));
    context->GetWorkspaceSizes(1)[0] = platform.GetLibApiWorkSpaceSize();
    return ge::GRAPH_SUCCESS;
}
} // namespace optiling

namespace ge {
static graphStatus InferShape(gert::InferShapeContext *context)
{
    gert::Shape *c = context->GetOutputShape(0);
    c->SetDimNum(0);
    c->AppendDim(context->GetInputShape(0)->GetDim(0));
    c->AppendDim(context->GetInputShape(1)->GetDim(1));
    return GRAPH_SUCCESS;
}

static graphStatus InferDataType(gert::InferDataTypeContext *context)
{
    context->SetOutputDataType(0, DT_FLOAT);
    return GRAPH_SUCCESS;
}
} // namespace ge

namespace ops {
class @Name@ : public OpDef {
public:
    explicit @Name@(const char *name) : OpDef(name)
    {
        this->Input("a")
            .ParamType(REQUIRED)
            .DataType({ge::DT_FLOAT16})
            .Format({ge::FORMAT_ND});
        this->Input("b")
            .ParamType(REQUIRED)
            .DataType({ge::DT_FLOAT16})
            .Format({ge::FORMAT_ND});
        this->Output("c")
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
