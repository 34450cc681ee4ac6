#include "kernel_operator.h"

#include "@name@_tiling.h"

using namespace AscendC;

// The sum of each row, in float.
class @Name@Kernel {
public:
    __aicore__ inline @Name@Kernel() {}

    __aicore__ inline void Init(GM_ADDR x, GM_ADDR z, const @Name@TilingData &tiling)
    {
        uint64_t first = static_cast<uint64_t>(GetBlockIdx()) * tiling.perCore;
        uint64_t rest = first < tiling.rows ? tiling.rows - first : 0;
        rows_ = rest < tiling.perCore ? rest : tiling.perCore;
        columns_ = tiling.columns;
        tile_ = tiling.tile;
        x_.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(x) + first * columns_,
                           rows_ * columns_);
        z_.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(z) + first, rows_);
        pipe_.InitBuffer(queueX_, 2, tile_ * sizeof(float));
        pipe_.InitBuffer(queueZ_, 1, 32);
        pipe_.InitBuffer(work_, tile_ * sizeof(float));
    }

    __aicore__ inline void Process()
    {
        for (uint64_t row = 0; row < rows_; row++) {
            float sum = 0; // Yours: what an empty row gives
            for (uint64_t at = 0; at < columns_; at += tile_) {
                uint64_t n = columns_ - at < tile_ ? columns_ - at : tile_;
                CopyIn(row * columns_ + at, n);
                sum += Reduce(n); // Yours: how parts are put together
            }
            CopyOut(row, sum);
        }
    }

private:
    __aicore__ inline void CopyIn(uint64_t at, uint64_t n)
    {
        DataCopyExtParams run{1, static_cast<uint32_t>(n * sizeof(float)), 0, 0, 0};
        DataCopyPadExtParams<float> pad{false, 0, 0, 0};
        LocalTensor<float> x = queueX_.AllocTensor<float>();
        DataCopyPad(x, x_[at], run, pad);
        queueX_.EnQue(x);
    }

    __aicore__ inline float Reduce(uint64_t n)
    {
        LocalTensor<float> x = queueX_.DeQue<float>();
        LocalTensor<float> work = work_.Get<float>();
        ReduceSum(x, x, work, static_cast<int32_t>(n)); // Yours
        event_t done = static_cast<event_t>(GetTPipePtr()->FetchEventID(HardEvent::V_S));
        SetFlag<HardEvent::V_S>(done);
        WaitFlag<HardEvent::V_S>(done);
        float sum = x.GetValue(0);
        queueX_.FreeTensor(x);
        return sum;
    }

    __aicore__ inline void CopyOut(uint64_t row, float sum)
    {
        DataCopyExtParams run{1, sizeof(float), 0, 0, 0};
        LocalTensor<float> z = queueZ_.AllocTensor<float>();
        Duplicate(z, sum, 8);
        queueZ_.EnQue(z);
        z = queueZ_.DeQue<float>();
        DataCopyPad(z_[row], z, run);
        queueZ_.FreeTensor(z);
    }

    TPipe pipe_;
    TQue<TPosition::VECIN, 2> queueX_;
    TQue<TPosition::VECOUT, 1> queueZ_;
    TBuf<TPosition::VECCALC> work_;
    GlobalTensor<float> x_, z_;
    uint64_t rows_ = 0, columns_ = 0, tile_ = 1;
};

extern "C" __global__ __aicore__ void @name@(GM_ADDR x, GM_ADDR z, GM_ADDR workspace,
                                             GM_ADDR tiling)
{
    REGISTER_TILING_DEFAULT(@Name@TilingData);
    GET_TILING_DATA_WITH_STRUCT(@Name@TilingData, data, tiling);
    @Name@Kernel op;
    op.Init(x, z, data);
    op.Process();
}
