#pragma once
#include "kernel_operator.h"
#include "kernel_tiling/kernel_tiling.h"
#define REGIST_MATMUL_OBJ(pipe, workspace, object, tiling) (object).Init(tiling, pipe, workspace)
namespace matmul {
template <AscendC::TPosition P, AscendC::CubeFormat F, typename TYPE> struct MatmulType {
    using T = TYPE;
};
template <class A, class B, class C> struct Matmul {
    void Init(const TCubeTiling *tiling, AscendC::TPipe *pipe, GM_ADDR workspace);
    void SetTail(int m, int n);
    void SetTensorA(const AscendC::GlobalTensor<typename A::T> &a);
    void SetTensorB(const AscendC::GlobalTensor<typename B::T> &b);
    void IterateAll(const AscendC::GlobalTensor<typename C::T> &c);
    void End();
};
} // namespace matmul
