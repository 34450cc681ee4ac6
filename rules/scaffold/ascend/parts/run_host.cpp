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

