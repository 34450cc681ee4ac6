/* SPDX-License-Identifier: Apache-2.0 */
// Declares what runtime/include/cuda_morph/sycl/onemkl_blas.hpp calls of oneMKL's, for programs
// that use none of it: to test what of cuBLAS are kernels of our own. Nothing here is defined;
// dft.hpp and lapack.hpp are.
#pragma once
#include <oneapi/dft.hpp>
#include <sycl/sycl.hpp>

namespace oneapi::math {
enum class transpose { nontrans, trans, conjtrans };
enum class uplo { upper, lower };
enum class diag { nonunit, unit };
enum class side { left, right };
namespace blas::column_major {
#define DECLARED(name) template <class... A> sycl::event name(sycl::queue &, A &&...);
DECLARED(axpy)
DECLARED(scal)
DECLARED(copy)
DECLARED(swap)
DECLARED(nrm2)
DECLARED(asum)
DECLARED(gemv)
DECLARED(trsv)
DECLARED(gemm)
DECLARED(gemm_batch)
DECLARED(symm)
DECLARED(syrk)
DECLARED(trsm)
DECLARED(omatadd)
DECLARED(iamax)
DECLARED(iamin)
DECLARED(rot)
DECLARED(dot)
DECLARED(dotu)
DECLARED(dotc)
DECLARED(ger)
DECLARED(geru)
DECLARED(gerc)
DECLARED(symv)
DECLARED(hemv)
#undef DECLARED
} // namespace blas::column_major
} // namespace oneapi::math
#include <oneapi/lapack.hpp>
