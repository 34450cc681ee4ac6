#include "kernel_operator.h"
#include "lib/matmul_intf.h"

#include "@name@_tiling.h"

using namespace AscendC;

// c = a x b; inputs half, sums in float. Each core makes one block of c.
class @Name@Kernel {
public:
    __aicore__ inline @Name@Kernel() {}

    __aicore__ inline void Init(GM_ADDR a, GM_ADDR b, GM_ADDR c, const @Name@TilingData &tiling)
    {
        a_.SetGlobalBuffer(reinterpret_cast<__gm__ half *>(a),
                           static_cast<uint64_t>(tiling.m) * tiling.k);
        b_.SetGlobalBuffer(reinterpret_cast<__gm__ half *>(b),
                           static_cast<uint64_t>(tiling.k) * tiling.n);
        c_.SetGlobalBuffer(reinterpret_cast<__gm__ float *>(c),
                           static_cast<uint64_t>(tiling.m) * tiling.n);
    }

    __aicore__ inline void Process(TPipe *pipe, const @Name@TilingData &tiling)
    {
        const TCubeTiling &cube = tiling.cube;
        int32_t core = static_cast<int32_t>(GetBlockIdx());
        int32_t blocksM = (tiling.m + cube.singleCoreM - 1) / cube.singleCoreM;
        int32_t row = core % blocksM * cube.singleCoreM;
        int32_t column = core / blocksM * cube.singleCoreN;
        REGIST_MATMUL_OBJ(pipe, GetSysWorkSpacePtr(), product_, &cube);
        if (core >= cube.usedCoreNum || row >= tiling.m || column >= tiling.n) return;
        int32_t rows = tiling.m - row < cube.singleCoreM ? tiling.m - row : cube.singleCoreM;
        int32_t columns =
            tiling.n - column < cube.singleCoreN ? tiling.n - column : cube.singleCoreN;
        product_.SetTail(rows, columns);
        product_.SetTensorA(a_[static_cast<uint64_t>(row) * tiling.k]);
        product_.SetTensorB(b_[column]);
        product_.IterateAll(c_[static_cast<uint64_t>(row) * tiling.n + column]); // Yours
        product_.End();
    }

private:
    using A = matmul::MatmulType<TPosition::GM, CubeFormat::ND, half>;
    using B = matmul::MatmulType<TPosition::GM, CubeFormat::ND, half>;
    using C = matmul::MatmulType<TPosition::GM, CubeFormat::ND, float>;
    matmul::Matmul<A, B, C> product_;
    GlobalTensor<half> a_, b_;
    GlobalTensor<float> c_;
};

extern "C" __global__ __aicore__ void @name@(GM_ADDR a, GM_ADDR b, GM_ADDR c, GM_ADDR workspace,
                                             GM_ADDR tiling)
{
    REGISTER_TILING_DEFAULT(@Name@TilingData);
    GET_TILING_DATA_WITH_STRUCT(@Name@TilingData, data, tiling);
    TPipe pipe;
    @Name@Kernel op;
    op.Init(a, b, c, data);
    op.Process(&pipe, data);
}
