@include run_head.cpp@
    constexpr uint64_t BUFFERS = 2; // tensors in the unified buffer, each twice
@include run_host.cpp@
namespace ops {
class @Name@ : public OpDef {
public:
    explicit @Name@(const char *name) : OpDef(name)
    {
        this->Input("x")
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
