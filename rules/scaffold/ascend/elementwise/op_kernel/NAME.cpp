#include "kernel_operator.h"

#include "@name@_tiling.h"

using namespace AscendC;

template <typename T> class @Name@Kernel {
public:
    __aicore__ inline @Name@Kernel() {}

    __aicore__ inline void Init(GM_ADDR x, GM_ADDR y, GM_ADDR z, const @Name@TilingData &tiling)
    {
        uint64_t first = static_cast<uint64_t>(GetBlockIdx()) * tiling.perCore;
        uint64_t rest = first < tiling.length ? tiling.length - first : 0;
        count_ = rest < tiling.perCore ? rest : tiling.perCore;
        tile_ = tiling.tile;
        x_.SetGlobalBuffer(reinterpret_cast<__gm__ T *>(x) + first, count_);
        y_.SetGlobalBuffer(reinterpret_cast<__gm__ T *>(y) + first, count_);
        z_.SetGlobalBuffer(reinterpret_cast<__gm__ T *>(z) + first, count_);
        pipe_.InitBuffer(queueX_, 2, tile_ * sizeof(T));
        pipe_.InitBuffer(queueY_, 2, tile_ * sizeof(T));
        pipe_.InitBuffer(queueZ_, 2, tile_ * sizeof(T));
    }

    __aicore__ inline void Process()
    {
        for (uint64_t at = 0; at < count_; at += tile_) {
            uint64_t n = count_ - at < tile_ ? count_ - at : tile_;
            CopyIn(at, n);
            Compute(n);
            CopyOut(at, n);
        }
    }

private:
    // DataCopyPad takes any length, so a tail needs no care of its own.
    __aicore__ inline void CopyIn(uint64_t at, uint64_t n)
    {
        DataCopyExtParams run{1, static_cast<uint32_t>(n * sizeof(T)), 0, 0, 0};
        DataCopyPadExtParams<T> pad{false, 0, 0, 0};
        LocalTensor<T> x = queueX_.template AllocTensor<T>();
        DataCopyPad(x, x_[at], run, pad);
        queueX_.EnQue(x);
        LocalTensor<T> y = queueY_.template AllocTensor<T>();
        DataCopyPad(y, y_[at], run, pad);
        queueY_.EnQue(y);
    }

    __aicore__ inline void Compute(uint64_t n)
    {
        LocalTensor<T> x = queueX_.template DeQue<T>();
        LocalTensor<T> y = queueY_.template DeQue<T>();
        LocalTensor<T> z = queueZ_.template AllocTensor<T>();
        Add(z, x, y, static_cast<int32_t>(n)); // Yours
        queueZ_.EnQue(z);
        queueX_.FreeTensor(x);
        queueY_.FreeTensor(y);
    }

    __aicore__ inline void CopyOut(uint64_t at, uint64_t n)
    {
        DataCopyExtParams run{1, static_cast<uint32_t>(n * sizeof(T)), 0, 0, 0};
        LocalTensor<T> z = queueZ_.template DeQue<T>();
        DataCopyPad(z_[at], z, run);
        queueZ_.FreeTensor(z);
    }

    TPipe pipe_;
    TQue<TPosition::VECIN, 2> queueX_;
    TQue<TPosition::VECIN, 2> queueY_;
    TQue<TPosition::VECOUT, 2> queueZ_;
    GlobalTensor<T> x_, y_, z_;
    uint64_t count_ = 0, tile_ = 1;
};

extern "C" __global__ __aicore__ void @name@(GM_ADDR x, GM_ADDR y, GM_ADDR z, GM_ADDR workspace,
                                             GM_ADDR tiling)
{
    REGISTER_TILING_DEFAULT(@Name@TilingData);
    GET_TILING_DATA_WITH_STRUCT(@Name@TilingData, data, tiling);
    @Name@Kernel<DTYPE_X> op;
    op.Init(x, y, z, data);
    op.Process();
}
