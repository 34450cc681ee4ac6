// The core of cuBLAS: vectors, matrix times vector, matrix times matrix, in float and double.
// cublasSgemm() is cmBlasSgemm(), with the same arguments; matrices are column-major. Calls return
// at once and run in the order of the handle's stream, but those whose result is a host variable.
#ifndef CUDA_MORPH_BLAS_H
#define CUDA_MORPH_BLAS_H

#include <cmath>
#include <cuda_morph/cuda.h>

enum cmBlasStatus_t {
    CM_BLAS_STATUS_SUCCESS = 0,
    CM_BLAS_STATUS_NOT_INITIALIZED = 1,
    CM_BLAS_STATUS_ALLOC_FAILED = 3,
    CM_BLAS_STATUS_INVALID_VALUE = 7,
    CM_BLAS_STATUS_ARCH_MISMATCH = 8,
    CM_BLAS_STATUS_MAPPING_ERROR = 11,
    CM_BLAS_STATUS_EXECUTION_FAILED = 13,
    CM_BLAS_STATUS_INTERNAL_ERROR = 14,
    CM_BLAS_STATUS_NOT_SUPPORTED = 15
};
enum cmBlasOperation_t { CM_BLAS_OP_N = 0, CM_BLAS_OP_T = 1, CM_BLAS_OP_C = 2 };
enum cmBlasPointerMode_t { CM_BLAS_POINTER_MODE_HOST = 0, CM_BLAS_POINTER_MODE_DEVICE = 1 };

struct cmBlasContext {
    cmStream_t stream;
    cmBlasPointerMode_t mode;
};
using cmBlasHandle_t = cmBlasContext *;

namespace cm {
namespace blas {

template <class Work> inline cmBlasStatus_t enqueue(cmBlasHandle_t h, Work work) {
    if (!h) return CM_BLAS_STATUS_NOT_INITIALIZED;
    Work *const kept = new (std::nothrow) Work(work);
    if (!kept) return CM_BLAS_STATUS_ALLOC_FAILED;
    const auto run = [](void *data) {
        (*static_cast<Work *>(data))();
        delete static_cast<Work *>(data);
    };
    if (cmLaunchHostFunc(h->stream, run, kept)) {
        delete kept;
        return CM_BLAS_STATUS_EXECUTION_FAILED;
    }
    return CM_BLAS_STATUS_SUCCESS;
}

// A number that the caller gives by pointer: read now, or on the device when the work runs.
template <class T> class scalar {
    const T *pointer_;
    T value_;

  public:
    scalar(cmBlasHandle_t h, const T *p)
        : pointer_(h && h->mode == CM_BLAS_POINTER_MODE_DEVICE ? p : nullptr),
          value_(pointer_ || !p ? T() : *p) {}
    T get() const { return pointer_ ? *pointer_ : value_; }
};

// Where a result goes; the caller may read it when the call returns, in host mode.
template <class T, class Work>
inline cmBlasStatus_t answer(cmBlasHandle_t h, T *result, Work work) {
    if (h && !result) return CM_BLAS_STATUS_INVALID_VALUE;
    const cmBlasStatus_t status = enqueue(h, [=] { *result = work(); });
    if (status || h->mode == CM_BLAS_POINTER_MODE_DEVICE) return status;
    return cmStreamSynchronize(h->stream) ? CM_BLAS_STATUS_EXECUTION_FAILED : status;
}

// With a negative step a vector is read from its end.
template <class T> inline T *begin(T *x, int n, int step) {
    return step < 0 ? x + static_cast<ptrdiff_t>(1 - n) * step : x;
}

template <class T>
inline void gemm(bool ta, bool tb, int m, int n, int k, T alpha, const T *a, int lda, const T *b,
                 int ldb, T beta, T *c, int ldc) {
    for (int j = 0; j < n; j++) {
        T *const column = c + static_cast<ptrdiff_t>(j) * ldc;
        for (int i = 0; i < m; i++) column[i] = beta == T(0) ? T(0) : beta * column[i];
        for (int l = 0; l < k && alpha != T(0); l++) {
            const ptrdiff_t at =
                tb ? j + static_cast<ptrdiff_t>(l) * ldb : l + static_cast<ptrdiff_t>(j) * ldb;
            const T factor = alpha * b[at];
            if (ta)
                for (int i = 0; i < m; i++)
                    column[i] += factor * a[l + static_cast<ptrdiff_t>(i) * lda];
            else
                for (int i = 0; i < m; i++)
                    column[i] += factor * a[i + static_cast<ptrdiff_t>(l) * lda];
        }
    }
}

inline bool bad_shape(int rows, int leading) { return leading < (rows > 1 ? rows : 1); }

} // namespace blas
} // namespace cm

inline cmBlasStatus_t cmBlasCreate(cmBlasHandle_t *h) {
    if (!h) return CM_BLAS_STATUS_INVALID_VALUE;
    *h = new (std::nothrow) cmBlasContext{nullptr, CM_BLAS_POINTER_MODE_HOST};
    return *h ? CM_BLAS_STATUS_SUCCESS : CM_BLAS_STATUS_ALLOC_FAILED;
}
inline cmBlasStatus_t cmBlasDestroy(cmBlasHandle_t h) {
    if (!h) return CM_BLAS_STATUS_NOT_INITIALIZED;
    cmDeviceSynchronize();
    delete h;
    return CM_BLAS_STATUS_SUCCESS;
}
inline cmBlasStatus_t cmBlasSetStream(cmBlasHandle_t h, cmStream_t stream) {
    if (!h) return CM_BLAS_STATUS_NOT_INITIALIZED;
    h->stream = stream;
    return CM_BLAS_STATUS_SUCCESS;
}
inline cmBlasStatus_t cmBlasGetStream(cmBlasHandle_t h, cmStream_t *stream) {
    if (!h) return CM_BLAS_STATUS_NOT_INITIALIZED;
    *stream = h->stream;
    return CM_BLAS_STATUS_SUCCESS;
}
inline cmBlasStatus_t cmBlasSetPointerMode(cmBlasHandle_t h, cmBlasPointerMode_t mode) {
    if (!h) return CM_BLAS_STATUS_NOT_INITIALIZED;
    h->mode = mode;
    return CM_BLAS_STATUS_SUCCESS;
}
inline cmBlasStatus_t cmBlasGetPointerMode(cmBlasHandle_t h, cmBlasPointerMode_t *mode) {
    if (!h) return CM_BLAS_STATUS_NOT_INITIALIZED;
    *mode = h->mode;
    return CM_BLAS_STATUS_SUCCESS;
}
inline cmBlasStatus_t cmBlasSetVector(int n, int size, const void *from, int from_step, void *to,
                                      int to_step) {
    if (n < 0 || size <= 0 || from_step <= 0 || to_step <= 0) return CM_BLAS_STATUS_INVALID_VALUE;
    const size_t bytes = static_cast<size_t>(size), fp = bytes * static_cast<size_t>(from_step),
                 tp = bytes * static_cast<size_t>(to_step);
    return cmMemcpy2D(to, tp, from, fp, bytes, static_cast<size_t>(n), cmMemcpyDefault)
               ? CM_BLAS_STATUS_MAPPING_ERROR
               : CM_BLAS_STATUS_SUCCESS;
}
inline cmBlasStatus_t cmBlasGetVector(int n, int size, const void *from, int from_step, void *to,
                                      int to_step) {
    return cmBlasSetVector(n, size, from, from_step, to, to_step);
}
inline cmBlasStatus_t cmBlasSetMatrix(int rows, int columns, int size, const void *from, int lda,
                                      void *to, int ldb) {
    if (rows < 0 || columns < 0 || size <= 0 || lda < rows || ldb < rows)
        return CM_BLAS_STATUS_INVALID_VALUE;
    const size_t bytes = static_cast<size_t>(size);
    return cmMemcpy2D(to, bytes * static_cast<size_t>(ldb), from, bytes * static_cast<size_t>(lda),
                      bytes * static_cast<size_t>(rows), static_cast<size_t>(columns),
                      cmMemcpyDefault)
               ? CM_BLAS_STATUS_MAPPING_ERROR
               : CM_BLAS_STATUS_SUCCESS;
}
inline cmBlasStatus_t cmBlasGetMatrix(int rows, int columns, int size, const void *from, int lda,
                                      void *to, int ldb) {
    return cmBlasSetMatrix(rows, columns, size, from, lda, to, ldb);
}

// Is: the functions whose names begin with I, as in cublasIsamax().
#define CM_BLAS_TYPE(L, l, T)                                                                     \
    inline cmBlasStatus_t cmBlas##L##axpy(cmBlasHandle_t h, int n, const T *alpha, const T *x,    \
                                          int incx, T *y, int incy) {                             \
        const cm::blas::scalar<T> a(h, alpha);                                                    \
        return cm::blas::enqueue(h, [=] {                                                         \
            const T *p = cm::blas::begin(x, n, incx);                                             \
            T *q = cm::blas::begin(y, n, incy);                                                   \
            for (ptrdiff_t i = 0; i < n; i++) q[i * incy] += a.get() * p[i * incx];               \
        });                                                                                       \
    }                                                                                             \
    inline cmBlasStatus_t cmBlas##L##copy(cmBlasHandle_t h, int n, const T *x, int incx, T *y,    \
                                          int incy) {                                             \
        return cm::blas::enqueue(h, [=] {                                                         \
            const T *p = cm::blas::begin(x, n, incx);                                             \
            T *q = cm::blas::begin(y, n, incy);                                                   \
            for (ptrdiff_t i = 0; i < n; i++) q[i * incy] = p[i * incx];                          \
        });                                                                                       \
    }                                                                                             \
    inline cmBlasStatus_t cmBlas##L##swap(cmBlasHandle_t h, int n, T *x, int incx, T *y,          \
                                          int incy) {                                             \
        return cm::blas::enqueue(h, [=] {                                                         \
            T *p = cm::blas::begin(x, n, incx), *q = cm::blas::begin(y, n, incy);                 \
            for (ptrdiff_t i = 0; i < n; i++) std::swap(p[i * incx], q[i * incy]);                \
        });                                                                                       \
    }                                                                                             \
    inline cmBlasStatus_t cmBlas##L##scal(cmBlasHandle_t h, int n, const T *alpha, T *x,          \
                                          int incx) {                                             \
        const cm::blas::scalar<T> a(h, alpha);                                                    \
        return cm::blas::enqueue(h, [=] {                                                         \
            for (ptrdiff_t i = 0; i < n && incx > 0; i++) x[i * incx] *= a.get();                 \
        });                                                                                       \
    }                                                                                             \
    inline cmBlasStatus_t cmBlas##L##dot(cmBlasHandle_t h, int n, const T *x, int incx,           \
                                         const T *y, int incy, T *result) {                       \
        return cm::blas::answer(h, result, [=] {                                                  \
            const T *p = cm::blas::begin(x, n, incx), *q = cm::blas::begin(y, n, incy);           \
            double sum = 0;                                                                       \
            for (ptrdiff_t i = 0; i < n; i++) sum += double(p[i * incx]) * q[i * incy];           \
            return static_cast<T>(sum);                                                           \
        });                                                                                       \
    }                                                                                             \
    inline cmBlasStatus_t cmBlas##L##nrm2(cmBlasHandle_t h, int n, const T *x, int incx,          \
                                          T *result) {                                            \
        return cm::blas::answer(h, result, [=] {                                                  \
            double sum = 0;                                                                       \
            for (ptrdiff_t i = 0; i < n && incx > 0; i++)                                         \
                sum = std::hypot(sum, double(x[i * incx]));                                       \
            return static_cast<T>(sum);                                                           \
        });                                                                                       \
    }                                                                                             \
    inline cmBlasStatus_t cmBlas##L##asum(cmBlasHandle_t h, int n, const T *x, int incx,          \
                                          T *result) {                                            \
        return cm::blas::answer(h, result, [=] {                                                  \
            double sum = 0;                                                                       \
            for (ptrdiff_t i = 0; i < n && incx > 0; i++) sum += std::fabs(x[i * incx]);          \
            return static_cast<T>(sum);                                                           \
        });                                                                                       \
    }                                                                                             \
    /* Counted from 1; the first one of equals; 0 for an empty vector. */                         \
    inline cmBlasStatus_t cmBlasI##l##amax(cmBlasHandle_t h, int n, const T *x, int incx,         \
                                           int *result) {                                         \
        return cm::blas::answer(h, result, [=] {                                                  \
            int at = n > 0 && incx > 0 ? 1 : 0;                                                   \
            for (ptrdiff_t i = 1; i < n && incx > 0; i++)                                         \
                if (std::fabs(x[i * incx]) > std::fabs(x[(at - ptrdiff_t(1)) * incx]))            \
                    at = static_cast<int>(i) + 1;                                                 \
            return at;                                                                            \
        });                                                                                       \
    }                                                                                             \
    inline cmBlasStatus_t cmBlasI##l##amin(cmBlasHandle_t h, int n, const T *x, int incx,         \
                                           int *result) {                                         \
        return cm::blas::answer(h, result, [=] {                                                  \
            int at = n > 0 && incx > 0 ? 1 : 0;                                                   \
            for (ptrdiff_t i = 1; i < n && incx > 0; i++)                                         \
                if (std::fabs(x[i * incx]) < std::fabs(x[(at - ptrdiff_t(1)) * incx]))            \
                    at = static_cast<int>(i) + 1;                                                 \
            return at;                                                                            \
        });                                                                                       \
    }                                                                                             \
    inline cmBlasStatus_t cmBlas##L##gemv(cmBlasHandle_t h, cmBlasOperation_t op, int m, int n,   \
                                          const T *alpha, const T *a, int lda, const T *x,        \
                                          int incx, const T *beta, T *y, int incy) {              \
        if (m < 0 || n < 0 || !incx || !incy || cm::blas::bad_shape(m, lda))                      \
            return CM_BLAS_STATUS_INVALID_VALUE;                                                  \
        const cm::blas::scalar<T> s(h, alpha), t(h, beta);                                        \
        const int rows = op ? n : m, columns = op ? m : n;                                        \
        return cm::blas::enqueue(h, [=] {                                                         \
            const T *p = cm::blas::begin(x, columns, incx);                                       \
            T *q = cm::blas::begin(y, rows, incy);                                                \
            for (ptrdiff_t i = 0; i < rows; i++) {                                                \
                T sum = 0;                                                                        \
                for (ptrdiff_t k = 0; k < columns; k++)                                           \
                    sum += (op ? a[k + i * lda] : a[i + k * lda]) * p[k * incx];                  \
                const T old = t.get() == T(0) ? T(0) : t.get() * q[i * incy];                     \
                q[i * incy] = s.get() * sum + old;                                                \
            }                                                                                     \
        });                                                                                       \
    }                                                                                             \
    inline cmBlasStatus_t cmBlas##L##ger(cmBlasHandle_t h, int m, int n, const T *alpha,          \
                                         const T *x, int incx, const T *y, int incy, T *a,        \
                                         int lda) {                                               \
        if (m < 0 || n < 0 || !incx || !incy || cm::blas::bad_shape(m, lda))                      \
            return CM_BLAS_STATUS_INVALID_VALUE;                                                  \
        const cm::blas::scalar<T> s(h, alpha);                                                    \
        return cm::blas::enqueue(h, [=] {                                                         \
            const T *p = cm::blas::begin(x, m, incx), *q = cm::blas::begin(y, n, incy);           \
            for (ptrdiff_t j = 0; j < n; j++)                                                     \
                for (ptrdiff_t i = 0; i < m; i++)                                                 \
                    a[i + j * lda] += s.get() * p[i * incx] * q[j * incy];                        \
        });                                                                                       \
    }                                                                                             \
    inline cmBlasStatus_t cmBlas##L##gemmStridedBatched(                                          \
        cmBlasHandle_t h, cmBlasOperation_t ta, cmBlasOperation_t tb, int m, int n, int k,        \
        const T *alpha, const T *a, int lda, long long as, const T *b, int ldb, long long bs,     \
        const T *beta, T *c, int ldc, long long cs, int count) {                                  \
        if (m < 0 || n < 0 || k < 0 || count < 0 || cm::blas::bad_shape(ta ? k : m, lda) ||       \
            cm::blas::bad_shape(tb ? n : k, ldb) || cm::blas::bad_shape(m, ldc))                  \
            return CM_BLAS_STATUS_INVALID_VALUE;                                                  \
        const cm::blas::scalar<T> s(h, alpha), t(h, beta);                                        \
        return cm::blas::enqueue(h, [=] {                                                         \
            for (int i = 0; i < count; i++)                                                       \
                cm::blas::gemm(ta != 0, tb != 0, m, n, k, s.get(), a + i * as, lda, b + i * bs,   \
                               ldb, t.get(), c + i * cs, ldc);                                    \
        });                                                                                       \
    }                                                                                             \
    inline cmBlasStatus_t cmBlas##L##gemm(                                                        \
        cmBlasHandle_t h, cmBlasOperation_t ta, cmBlasOperation_t tb, int m, int n, int k,        \
        const T *alpha, const T *a, int lda, const T *b, int ldb, const T *beta, T *c, int ldc) { \
        return cmBlas##L##gemmStridedBatched(h, ta, tb, m, n, k, alpha, a, lda, 0, b, ldb, 0,     \
                                             beta, c, ldc, 0, 1);                                 \
    }

CM_BLAS_TYPE(S, s, float)
CM_BLAS_TYPE(D, d, double)
#undef CM_BLAS_TYPE

#endif
