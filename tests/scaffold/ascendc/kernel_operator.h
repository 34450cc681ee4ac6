// Declarations in the shape of Ascend C's kernel headers, as far as the scaffolds use them: enough
// to compile, nothing to run.
#pragma once
#include <cstdint>

#define __aicore__
#define __global__
#define __gm__
#define REGISTER_TILING_DEFAULT(type) static_assert(sizeof(type) > 0, "")
#define GET_TILING_DATA_WITH_STRUCT(type, name, from) \
    type name = *reinterpret_cast<__gm__ const type *>(from)
using GM_ADDR = uint8_t *;
struct half {
    uint16_t bits;
    half() = default;
    explicit half(int) : bits(0) {}
};
using event_t = int32_t;

namespace AscendC {
enum class TPosition { GM, VECIN, VECOUT, VECCALC };
enum class HardEvent { V_S };
enum class CubeFormat { ND };
template <typename T> struct GlobalTensor {
    void SetGlobalBuffer(__gm__ T *p, uint64_t n);
    GlobalTensor operator[](uint64_t offset) const;
};
template <typename T> struct LocalTensor {
    T GetValue(uint32_t i) const;
};
struct DataCopyExtParams {
    uint16_t blockCount;
    uint32_t blockLen, srcStride, dstStride, rsv;
};
template <typename T> struct DataCopyPadExtParams {
    bool isPad;
    uint8_t leftPadding, rightPadding;
    T paddingValue;
    DataCopyPadExtParams(bool, uint8_t, uint8_t, int);
};
template <TPosition P, int32_t DEPTH> struct TQue {
    template <typename T> LocalTensor<T> AllocTensor();
    template <typename T> LocalTensor<T> DeQue();
    template <typename T> bool EnQue(const LocalTensor<T> &t);
    template <typename T> void FreeTensor(LocalTensor<T> &t);
};
template <TPosition P> struct TBuf {
    template <typename T> LocalTensor<T> Get();
};
struct TPipe {
    template <TPosition P, int32_t D> bool InitBuffer(TQue<P, D> &q, uint8_t n, uint32_t bytes);
    template <TPosition P> bool InitBuffer(TBuf<P> &b, uint32_t bytes);
    int32_t FetchEventID(HardEvent e);
};
TPipe *GetTPipePtr();
int64_t GetBlockIdx();
GM_ADDR GetSysWorkSpacePtr();
template <HardEvent E> void SetFlag(int32_t id);
template <HardEvent E> void WaitFlag(int32_t id);
template <typename T>
void DataCopyPad(const LocalTensor<T> &to, const GlobalTensor<T> &from, const DataCopyExtParams &,
                 const DataCopyPadExtParams<T> &);
template <typename T>
void DataCopyPad(const GlobalTensor<T> &to, const LocalTensor<T> &from, const DataCopyExtParams &);
template <typename T>
void Add(const LocalTensor<T> &z, const LocalTensor<T> &x, const LocalTensor<T> &y, const int32_t &n);
template <typename T>
void Adds(const LocalTensor<T> &z, const LocalTensor<T> &x, const T &v, const int32_t &n);
template <typename T>
void ReduceSum(const LocalTensor<T> &z, const LocalTensor<T> &x, const LocalTensor<T> &work, int32_t n);
template <typename T> void Duplicate(const LocalTensor<T> &z, const T &v, const int32_t &n);
} // namespace AscendC
