// Declarations in the shape of CANN's registration of operators: enough to compile.
#pragma once
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>
namespace fe {
struct PlatFormInfos;
}
namespace ge {
using graphStatus = uint32_t;
constexpr graphStatus GRAPH_SUCCESS = 0, GRAPH_FAILED = 0xFFFFFFFF;
enum DataType { DT_FLOAT = 0, DT_FLOAT16 = 1 };
enum Format { FORMAT_ND = 2 };
} // namespace ge
namespace gert {
struct Shape {
    size_t GetDimNum() const;
    int64_t GetDim(size_t i) const;
    int64_t GetShapeSize() const;
    void SetDimNum(size_t n);
    Shape &AppendDim(int64_t d);
};
struct StorageShape {
    const Shape &GetStorageShape() const;
};
struct CompileTimeTensorDesc {
    ge::DataType GetDataType() const;
};
struct InferShapeContext {
    const Shape *GetInputShape(size_t i) const;
    Shape *GetOutputShape(size_t i);
};
struct InferDataTypeContext {
    ge::DataType GetInputDataType(size_t i) const;
    ge::graphStatus SetOutputDataType(size_t i, ge::DataType t);
};
struct TilingContext {
    fe::PlatFormInfos *GetPlatformInfo() const;
    const CompileTimeTensorDesc *GetInputDesc(size_t i) const;
    const StorageShape *GetInputShape(size_t i) const;
    template <class T> T *GetTilingData();
    ge::graphStatus SetBlockDim(uint32_t n);
    size_t *GetWorkspaceSizes(size_t n);
};
} // namespace gert
namespace ops {
enum Option { REQUIRED };
using Infer = ge::graphStatus (*)(gert::InferShapeContext *);
using InferType = ge::graphStatus (*)(gert::InferDataTypeContext *);
struct OpParamDef {
    OpParamDef &ParamType(Option);
    OpParamDef &DataType(std::vector<ge::DataType>);
    OpParamDef &Format(std::vector<ge::Format>);
};
struct OpAICoreDef {
    OpAICoreDef &SetTiling(ge::graphStatus (*)(gert::TilingContext *));
    OpAICoreDef &AddConfig(const char *soc);
};
struct OpDef {
    explicit OpDef(const char *name);
    OpParamDef &Input(const char *name);
    OpParamDef &Output(const char *name);
    OpDef &SetInferShape(Infer);
    OpDef &SetInferDataType(InferType);
    OpAICoreDef &AICore();
};
} // namespace ops
#define OP_ADD(type) [[maybe_unused]] static const auto *const type##_ops = new type(#type)
