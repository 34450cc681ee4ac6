// cuSPARSE's products, solutions and conversions, each against the same on dense matrices: all
// formats, directions and orders; half, too.
#include <cmath>
#include <complex>
#include <cstdio>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <cusparse.h>
#include <vector>

static int failures;
static cusparseHandle_t handle;
static unsigned seed = 7;

#define OK(call)                                                                                  \
    do {                                                                                          \
        const int status = int(call);                                                             \
        if (status) {                                                                             \
            printf("line %d: status %d\n", __LINE__, status);                                     \
            failures++;                                                                           \
        }                                                                                         \
    } while (0)

static int next(int n) {
    seed = seed * 1664525u + 1013904223u;
    return int((seed >> 16) % unsigned(n));
}
template <class T> struct number {
    static T make() { return T(next(9) - 4); }
    static double far(T a, T b) { return std::fabs(double(a) - double(b)); }
    static T conj(T v) { return v; }
};
template <class R> struct number<std::complex<R>> {
    static std::complex<R> make() { return {R(next(9) - 4), R(next(9) - 4)}; }
    static double far(std::complex<R> a, std::complex<R> b) { return std::abs(a - b); }
    static std::complex<R> conj(std::complex<R> v) { return std::conj(v); }
};

template <class T> struct on_device {
    T *p = nullptr;
    size_t n;
    explicit on_device(const std::vector<T> &v) : n(v.size()) {
        OK(cudaMalloc(&p, (n + 1) * sizeof(T)));
        OK(cudaMemcpy(p, v.data(), n * sizeof(T), cudaMemcpyHostToDevice));
    }
    std::vector<T> back() const {
        std::vector<T> v(n);
        OK(cudaMemcpy(v.data(), p, n * sizeof(T), cudaMemcpyDeviceToHost));
        return v;
    }
    ~on_device() { cudaFree(p); }
};

template <class T> struct dense {
    int rows, cols;
    std::vector<T> v; // by rows
    dense(int r, int c) : rows(r), cols(c), v(size_t(r) * size_t(c)) {}
    T &at(int i, int j) { return v[size_t(i) * size_t(cols) + size_t(j)]; }
    const T &at(int i, int j) const { return v[size_t(i) * size_t(cols) + size_t(j)]; }
    static dense random(int r, int c, int percent = 100) {
        dense m(r, c);
        for (T &x : m.v)
            if (next(100) < percent) x = number<T>::make();
        return m;
    }
    dense op(int how) const {
        if (how == CUSPARSE_OPERATION_NON_TRANSPOSE) return *this;
        dense m(cols, rows);
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < cols; j++)
                m.at(j, i) = how == CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE
                                 ? number<T>::conj(at(i, j))
                                 : at(i, j);
        return m;
    }
    std::vector<T> laid_out(cusparseOrder_t order, int ld) const {
        const bool by_columns = order == CUSPARSE_ORDER_COL;
        std::vector<T> out(size_t(ld) * size_t(by_columns ? cols : rows));
        for (int i = 0; i < rows; i++)
            for (int j = 0; j < cols; j++) out[size_t(by_columns ? i + j * ld : i * ld + j)] = at(i, j);
        return out;
    }
};
template <class T> static dense<T> operator*(const dense<T> &a, const dense<T> &b) {
    dense<T> c(a.rows, b.cols);
    for (int i = 0; i < a.rows; i++)
        for (int j = 0; j < b.cols; j++)
            for (int k = 0; k < a.cols; k++) c.at(i, j) += a.at(i, k) * b.at(k, j);
    return c;
}
template <class T>
static void same(const std::vector<T> &a, const std::vector<T> &b, const char *what, int line) {
    double worst = 0, size = 1;
    for (size_t i = 0; i < b.size(); i++) {
        worst = std::fmax(worst, number<T>::far(a[i], b[i]));
        size = std::fmax(size, number<T>::far(b[i], T(0)));
    }
    if (a.size() == b.size() && worst <= 1e-4 * size) return;
    printf("line %d: %s is wrong by %g of %g\n", line, what, worst, size);
    failures++;
}
#define SAME(a, b, what) same(a, b, what, __LINE__)

enum format { CSR, CSC, COO };
// The sparse form of a dense matrix.
template <class T> struct sparse {
    std::vector<int> lines{0}, others, own;
    std::vector<T> values;
    sparse(const dense<T> &m, format f, int base = 0) {
        lines[0] = base;
        for (int l = 0; l < (f == CSC ? m.cols : m.rows); l++) {
            for (int k = 0; k < (f == CSC ? m.rows : m.cols); k++) {
                const T v = f == CSC ? m.at(k, l) : m.at(l, k);
                if (v == T(0)) continue;
                own.push_back(l + base), others.push_back(k + base), values.push_back(v);
            }
            lines.push_back(int(values.size()) + base);
        }
    }
};
template <class T> struct uploaded {
    sparse<T> s;
    on_device<int> lines, others, own;
    on_device<T> values;
    cusparseSpMatDescr_t a;
    uploaded(const dense<T> &m, format f, cudaDataType type, int base = 0)
        : s(m, f, base), lines(s.lines), others(s.others), own(s.own), values(s.values) {
        const auto b = base ? CUSPARSE_INDEX_BASE_ONE : CUSPARSE_INDEX_BASE_ZERO;
        const int64_t n = int64_t(s.values.size());
        if (f == CSR)
            OK(cusparseCreateCsr(&a, m.rows, m.cols, n, lines.p, others.p, values.p,
                                 CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, b, type));
        else if (f == CSC)
            OK(cusparseCreateCsc(&a, m.rows, m.cols, n, lines.p, others.p, values.p,
                                 CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, b, type));
        else
            OK(cusparseCreateCoo(&a, m.rows, m.cols, n, own.p, others.p, values.p,
                                 CUSPARSE_INDEX_32I, b, type));
    }
    ~uploaded() { cusparseDestroySpMat(a); }
};

static const cusparseOperation_t operations[] = {CUSPARSE_OPERATION_NON_TRANSPOSE,
                                                 CUSPARSE_OPERATION_TRANSPOSE,
                                                 CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE};

template <class T> static void products(cudaDataType type) {
    for (format f : {CSR, CSC, COO})
        for (cusparseOperation_t op : operations)
            for (cusparseOrder_t order : {CUSPARSE_ORDER_COL, CUSPARSE_ORDER_ROW}) {
                const dense<T> m = dense<T>::random(7, 5, 40);
                uploaded<T> a(m, f, type, f == CSR);
                const dense<T> o = m.op(op), x = dense<T>::random(o.cols, 1),
                               y = dense<T>::random(o.rows, 1);
                T alpha = T(2), beta = op == operations[1] ? T(0) : T(3);
                on_device<T> dx(x.v), dy(y.v);
                cusparseDnVecDescr_t vx, vy;
                OK(cusparseCreateDnVec(&vx, o.cols, dx.p, type));
                OK(cusparseCreateDnVec(&vy, o.rows, dy.p, type));
                size_t size = 0;
                void *buffer;
                OK(cusparseSpMV_bufferSize(handle, op, &alpha, a.a, vx, &beta, vy, type,
                                           CUSPARSE_SPMV_ALG_DEFAULT, &size));
                OK(cudaMalloc(&buffer, size));
                OK(cusparseSpMV(handle, op, &alpha, a.a, vx, &beta, vy, type,
                                CUSPARSE_SPMV_ALG_DEFAULT, buffer));
                cudaFree(buffer);
                dense<T> want = o * x;
                for (size_t i = 0; i < want.v.size(); i++)
                    want.v[i] = alpha * want.v[i] + beta * y.v[i];
                SAME(dy.back(), want.v, "SpMV");

                const cusparseOperation_t ob = operations[next(2)];
                const dense<T> straight = dense<T>::random(o.cols, 3), b = straight.op(ob),
                               c = dense<T>::random(o.rows, 3);
                const int ldb = 9, ldc = 8;
                on_device<T> db(b.laid_out(order, ldb)), dc(c.laid_out(order, ldc));
                cusparseDnMatDescr_t mb, mc;
                OK(cusparseCreateDnMat(&mb, b.rows, b.cols, ldb, db.p, type, order));
                OK(cusparseCreateDnMat(&mc, c.rows, c.cols, ldc, dc.p, type, order));
                OK(cusparseSpMM(handle, op, ob, &alpha, a.a, mb, &beta, mc, type,
                                CUSPARSE_SPMM_ALG_DEFAULT, nullptr));
                want = o * straight;
                for (size_t i = 0; i < want.v.size(); i++)
                    want.v[i] = alpha * want.v[i] + beta * c.v[i];
                SAME(dc.back(), want.laid_out(order, ldc), "SpMM");
                cusparseDestroyDnMat(mb), cusparseDestroyDnMat(mc);
                cusparseDestroyDnVec(vx), cusparseDestroyDnVec(vy);
            }
}

template <class T> static void solutions(cudaDataType type) {
    for (format f : {CSR, CSC, COO})
        for (cusparseOperation_t op : operations)
            for (int kind = 0; kind < 4; kind++) {
                const int n = 6;
                dense<T> m = dense<T>::random(n, n, 60), triangle(n, n);
                cusparseFillMode_t fill =
                    kind & 1 ? CUSPARSE_FILL_MODE_UPPER : CUSPARSE_FILL_MODE_LOWER;
                cusparseDiagType_t unit =
                    kind & 2 ? CUSPARSE_DIAG_TYPE_UNIT : CUSPARSE_DIAG_TYPE_NON_UNIT;
                for (int i = 0; i < n; i++) {
                    m.at(i, i) = T(2);
                    for (int j = 0; j < n; j++)
                        if (kind & 1 ? j > i : j < i) triangle.at(i, j) = m.at(i, j);
                    triangle.at(i, i) = kind & 2 ? T(1) : T(2);
                }
                uploaded<T> a(m, f, type);
                OK(cusparseSpMatSetAttribute(a.a, CUSPARSE_SPMAT_FILL_MODE, &fill, sizeof fill));
                OK(cusparseSpMatSetAttribute(a.a, CUSPARSE_SPMAT_DIAG_TYPE, &unit, sizeof unit));
                T alpha = T(3);
                const dense<T> x = dense<T>::random(n, 2);
                dense<T> b = triangle.op(op) * x;
                const std::vector<T> first = b.laid_out(CUSPARSE_ORDER_COL, n);
                on_device<T> db(first), dx(first);
                cusparseDnVecDescr_t vb, vx;
                OK(cusparseCreateDnVec(&vb, n, db.p, type));
                OK(cusparseCreateDnVec(&vx, n, dx.p, type));
                cusparseSpSVDescr_t d;
                size_t size;
                void *buffer;
                OK(cusparseSpSV_createDescr(&d));
                OK(cusparseSpSV_bufferSize(handle, op, &alpha, a.a, vb, vx, type,
                                           CUSPARSE_SPSV_ALG_DEFAULT, d, &size));
                OK(cudaMalloc(&buffer, size));
                OK(cusparseSpSV_analysis(handle, op, &alpha, a.a, vb, vx, type,
                                         CUSPARSE_SPSV_ALG_DEFAULT, d, buffer));
                OK(cusparseSpSV_solve(handle, op, &alpha, a.a, vb, vx, type,
                                      CUSPARSE_SPSV_ALG_DEFAULT, d));
                std::vector<T> want = x.laid_out(CUSPARSE_ORDER_COL, n);
                for (T &v : want) v = alpha * v;
                std::vector<T> got = dx.back();
                SAME(std::vector<T>(got.begin(), got.begin() + n),
                     std::vector<T>(want.begin(), want.begin() + n), "SpSV");
                OK(cusparseSpSV_destroyDescr(d));

                cusparseDnMatDescr_t mb, mx;
                cusparseSpSMDescr_t e;
                const cusparseOperation_t ob = operations[kind % 2];
                on_device<T> dt(b.op(ob).laid_out(CUSPARSE_ORDER_ROW, n));
                OK(cusparseCreateDnMat(&mb, kind % 2 ? 2 : n, kind % 2 ? n : 2, n, dt.p, type,
                                       CUSPARSE_ORDER_ROW));
                OK(cusparseCreateDnMat(&mx, n, 2, n, dx.p, type, CUSPARSE_ORDER_COL));
                OK(cusparseSpSM_createDescr(&e));
                OK(cusparseSpSM_analysis(handle, op, ob, &alpha, a.a, mb, mx, type,
                                         CUSPARSE_SPSM_ALG_DEFAULT, e, buffer));
                OK(cusparseSpSM_solve(handle, op, ob, &alpha, a.a, mb, mx, type,
                                      CUSPARSE_SPSM_ALG_DEFAULT, e));
                SAME(dx.back(), want, "SpSM");
                OK(cusparseSpSM_destroyDescr(e));
                cudaFree(buffer);
                cusparseDestroyDnMat(mb), cusparseDestroyDnMat(mx);
                cusparseDestroyDnVec(vb), cusparseDestroyDnVec(vx);
            }
}

// What a sparse matrix on the device is, as a dense one.
template <class T>
static dense<T> back(cusparseSpMatDescr_t a, cudaDataType type, cusparseOrder_t order) {
    int64_t rows, cols, nnz;
    OK(cusparseSpMatGetSize(a, &rows, &cols, &nnz));
    const int ld = int(order == CUSPARSE_ORDER_COL ? rows : cols);
    on_device<T> to(dense<T>::random(int(rows), int(cols)).v);
    cusparseDnMatDescr_t m;
    OK(cusparseCreateDnMat(&m, rows, cols, ld, to.p, type, order));
    OK(cusparseSparseToDense(handle, a, m, CUSPARSE_SPARSETODENSE_ALG_DEFAULT, nullptr));
    const std::vector<T> got = to.back();
    dense<T> d{int(rows), int(cols)};
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++)
            d.at(i, j) = got[size_t(order == CUSPARSE_ORDER_COL ? i + j * ld : i * ld + j)];
    cusparseDestroyDnMat(m);
    return d;
}

template <class T> static void gemm(cudaDataType type) {
    const dense<T> m = dense<T>::random(6, 8, 40), q = dense<T>::random(8, 5, 40);
    uploaded<T> a(m, CSR, type), b(q, CSR, type, 1);
    on_device<int> offsets(std::vector<int>(7));
    cusparseSpMatDescr_t c;
    OK(cusparseCreateCsr(&c, 6, 5, 0, offsets.p, nullptr, nullptr, CUSPARSE_INDEX_32I,
                         CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, type));
    T alpha = T(3), beta = T(0);
    const auto n = CUSPARSE_OPERATION_NON_TRANSPOSE;
    cusparseSpGEMMDescr_t d;
    OK(cusparseSpGEMM_createDescr(&d));
    size_t size = 0, size2 = 0;
    void *buffer = nullptr, *buffer2 = nullptr;
    OK(cusparseSpGEMM_workEstimation(handle, n, n, &alpha, a.a, b.a, &beta, c, type,
                                     CUSPARSE_SPGEMM_DEFAULT, d, &size, nullptr));
    OK(cudaMalloc(&buffer, size));
    OK(cusparseSpGEMM_workEstimation(handle, n, n, &alpha, a.a, b.a, &beta, c, type,
                                     CUSPARSE_SPGEMM_DEFAULT, d, &size, buffer));
    int64_t products, counted = 0;
    OK(cusparseSpGEMM_getNumProducts(d, &products));
    for (int i = 0; i < m.rows; i++)
        for (int k = 0; k < m.cols; k++)
            for (int j = 0; j < q.cols; j++) counted += m.at(i, k) != T(0) && q.at(k, j) != T(0);
    OK(products != counted);
    OK(cusparseSpGEMM_compute(handle, n, n, &alpha, a.a, b.a, &beta, c, type,
                              CUSPARSE_SPGEMM_DEFAULT, d, &size2, nullptr));
    OK(cudaMalloc(&buffer2, size2));
    OK(cusparseSpGEMM_compute(handle, n, n, &alpha, a.a, b.a, &beta, c, type,
                              CUSPARSE_SPGEMM_DEFAULT, d, &size2, buffer2));
    int64_t rows, cols, nnz;
    OK(cusparseSpMatGetSize(c, &rows, &cols, &nnz));
    on_device<int> columns{std::vector<int>(size_t(nnz))};
    on_device<T> values{std::vector<T>(size_t(nnz))};
    OK(cusparseCsrSetPointers(c, offsets.p, columns.p, values.p));
    dense<T> want = m * q;
    for (int round = 0; round < 2; round++) { // the second adds to the first
        OK(cusparseSpGEMM_copy(handle, n, n, &alpha, a.a, b.a, &beta, c, type,
                               CUSPARSE_SPGEMM_DEFAULT, d));
        if (!round)
            for (T &v : want.v) v = alpha * v;
        else
            for (T &v : want.v) v = v + beta * v;
        SAME(back<T>(c, type, CUSPARSE_ORDER_ROW).v, want.v, "SpGEMM");
        beta = T(2);
    }
    OK(cusparseSpGEMM_destroyDescr(d));
    const std::vector<int> o = offsets.back(), k = columns.back();
    for (int i = 0; i < 6; i++)
        for (int at = o[size_t(i)] + 1; at < o[size_t(i) + 1]; at++)
            if (k[size_t(at) - 1] >= k[size_t(at)]) failures++, printf("columns of a product\n");
    cusparseDestroySpMat(c);
    cudaFree(buffer), cudaFree(buffer2);

    for (format f : {CSR, CSC, COO}) { // SDDMM
        const dense<T> shape = dense<T>::random(4, 5, 50), p = dense<T>::random(4, 3),
                       r = dense<T>::random(3, 5);
        uploaded<T> s(shape, f, type);
        on_device<T> dp(p.laid_out(CUSPARSE_ORDER_ROW, 3)), dr(r.op(1).laid_out(CUSPARSE_ORDER_COL, 5));
        cusparseDnMatDescr_t mp, mr;
        OK(cusparseCreateDnMat(&mp, 4, 3, 3, dp.p, type, CUSPARSE_ORDER_ROW));
        OK(cusparseCreateDnMat(&mr, 5, 3, 5, dr.p, type, CUSPARSE_ORDER_COL));
        OK(cusparseSDDMM(handle, n, CUSPARSE_OPERATION_TRANSPOSE, &alpha, mp, mr, &beta, s.a, type,
                         CUSPARSE_SDDMM_ALG_DEFAULT, nullptr));
        dense<T> all = p * r;
        for (size_t i = 0; i < all.v.size(); i++)
            all.v[i] = shape.v[i] == T(0) ? T(0) : alpha * all.v[i] + beta * shape.v[i];
        SAME(back<T>(s.a, type, CUSPARSE_ORDER_COL).v, all.v, "SDDMM");
        cusparseDestroyDnMat(mp), cusparseDestroyDnMat(mr);
    }
}

template <class T> static void conversions(cudaDataType type) {
    for (format f : {CSR, CSC, COO}) {
        const dense<T> m = dense<T>::random(5, 7, 40);
        on_device<T> values(m.laid_out(CUSPARSE_ORDER_ROW, 7));
        on_device<int64_t> offsets(std::vector<int64_t>(8));
        cusparseDnMatDescr_t d;
        cusparseSpMatDescr_t a;
        OK(cusparseCreateDnMat(&d, 5, 7, 7, values.p, type, CUSPARSE_ORDER_ROW));
        const auto wide = CUSPARSE_INDEX_64I;
        const auto one = CUSPARSE_INDEX_BASE_ONE;
        if (f == CSR)
            OK(cusparseCreateCsr(&a, 5, 7, 0, offsets.p, nullptr, nullptr, wide, wide, one, type));
        else if (f == CSC)
            OK(cusparseCreateCsc(&a, 5, 7, 0, offsets.p, nullptr, nullptr, wide, wide, one, type));
        else
            OK(cusparseCreateCoo(&a, 5, 7, 0, nullptr, nullptr, nullptr, wide, one, type));
        size_t size;
        void *buffer;
        OK(cusparseDenseToSparse_bufferSize(handle, d, a, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT,
                                            &size));
        OK(cudaMalloc(&buffer, size));
        OK(cusparseDenseToSparse_analysis(handle, d, a, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT,
                                          buffer));
        int64_t rows, cols, nnz;
        OK(cusparseSpMatGetSize(a, &rows, &cols, &nnz));
        on_device<int64_t> own(std::vector<int64_t>(size_t(nnz), 0)),
            others(std::vector<int64_t>(size_t(nnz), 0));
        on_device<T> kept(std::vector<T>(size_t(nnz), T(0)));
        if (f == CSR)
            OK(cusparseCsrSetPointers(a, offsets.p, others.p, kept.p));
        else if (f == CSC)
            OK(cusparseCscSetPointers(a, offsets.p, others.p, kept.p));
        else
            OK(cusparseCooSetPointers(a, own.p, others.p, kept.p));
        OK(cusparseDenseToSparse_convert(handle, d, a, CUSPARSE_DENSETOSPARSE_ALG_DEFAULT,
                                         buffer));
        SAME(back<T>(a, type, CUSPARSE_ORDER_COL).v, m.v, "DenseToSparse");
        cudaFree(buffer);
        cusparseDestroyDnMat(d);
        cusparseDestroySpMat(a);
    }
    const dense<T> m = dense<T>::random(6, 5, 50);
    const sparse<T> rows(m, CSR), columns(m, CSC);
    on_device<int> offsets(rows.lines), others(rows.others), out(std::vector<int>(6)),
        out_rows(std::vector<int>(rows.others.size())), own(std::vector<int>(rows.others.size())),
        again(std::vector<int>(7));
    on_device<T> values(rows.values), out_values(std::vector<T>(rows.values.size()));
    OK(cusparseCsr2cscEx2(handle, 6, 5, int(rows.values.size()), values.p, offsets.p, others.p,
                          out_values.p, out.p, out_rows.p, type, CUSPARSE_ACTION_NUMERIC,
                          CUSPARSE_INDEX_BASE_ZERO, CUSPARSE_CSR2CSC_ALG1, nullptr));
    SAME(out_values.back(), columns.values, "csr2csc's values");
    if (out.back() != columns.lines || out_rows.back() != columns.others)
        failures++, printf("csr2csc\n");
    OK(cusparseXcsr2coo(handle, offsets.p, int(rows.values.size()), 6, own.p,
                        CUSPARSE_INDEX_BASE_ZERO));
    OK(cusparseXcoo2csr(handle, own.p, int(rows.values.size()), 6, again.p,
                        CUSPARSE_INDEX_BASE_ZERO));
    if (own.back() != rows.own || again.back() != rows.lines) failures++, printf("csr2coo\n");
}

static void vectors() {
    const std::vector<float> y = {1, 2, 3, 4, 5, 6}, x = {10, 20, 30};
    const std::vector<int> at = {4, 0, 3};
    on_device<float> dy(y), dx(x);
    on_device<int> di(at);
    cusparseSpVecDescr_t s;
    cusparseDnVecDescr_t d;
    OK(cusparseCreateSpVec(&s, 6, 3, di.p, dx.p, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                           CUDA_R_32F));
    OK(cusparseCreateDnVec(&d, 6, dy.p, CUDA_R_32F));
    float dot = 0, alpha = 2, beta = 3;
    OK(cusparseSpVV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, s, d, &dot, CUDA_R_32F, nullptr));
    if (dot != 10 * 5 + 20 * 1 + 30 * 4) failures++, printf("SpVV\n");
    OK(cusparseAxpby(handle, &alpha, s, &beta, d));
    SAME(dy.back(), (std::vector<float>{43, 6, 9, 72, 35, 18}), "Axpby");
    OK(cusparseGather(handle, d, s));
    SAME(dx.back(), (std::vector<float>{35, 43, 72}), "Gather");
    OK(cudaMemset(dy.p, 0, 6 * sizeof(float)));
    OK(cusparseScatter(handle, s, d));
    SAME(dy.back(), (std::vector<float>{43, 0, 0, 72, 35, 0}), "Scatter");
    cusparseDestroySpVec(s), cusparseDestroyDnVec(d);
}

// Sorting, and counts: what programs of CUDA 11 and before use.
static void older() {
    const std::vector<int> lines = {0, 3, 4, 7}, columns = {5, 1, 3, 2, 9, 0, 4};
    on_device<int> dl(lines), dc(columns), p(std::vector<int>(7));
    cusparseMatDescr_t d;
    OK(cusparseCreateMatDescr(&d));
    OK(cusparseCreateIdentityPermutation(handle, 7, p.p));
    OK(cusparseXcsrsort(handle, 3, 10, 7, d, dl.p, dc.p, p.p, nullptr));
    if (dc.back() != std::vector<int>{1, 3, 5, 2, 0, 4, 9} ||
        p.back() != std::vector<int>{1, 2, 0, 3, 5, 6, 4})
        failures++, printf("csrsort\n");
    on_device<int> rows(std::vector<int>{2, 0, 1, 0, 2}), other(std::vector<int>{1, 4, 0, 2, 0}),
        q(std::vector<int>{0, 1, 2, 3, 4});
    OK(cusparseXcoosortByRow(handle, 3, 5, 5, rows.p, other.p, q.p, nullptr));
    if (rows.back() != std::vector<int>{0, 0, 1, 2, 2} ||
        other.back() != std::vector<int>{2, 4, 0, 0, 1} ||
        q.back() != std::vector<int>{3, 1, 2, 4, 0})
        failures++, printf("coosort\n");
    const dense<double> m = dense<double>::random(4, 6, 50);
    on_device<double> values(m.laid_out(CUSPARSE_ORDER_COL, 5));
    on_device<int> counts(std::vector<int>(4));
    int total = 0;
    OK(cusparseDnnz(handle, CUSPARSE_DIRECTION_ROW, 4, 6, d, values.p, 5, counts.p, &total));
    const sparse<double> s(m, CSR);
    if (total != int(s.values.size())) failures++, printf("nnz\n");
    const std::vector<int> found = counts.back();
    for (size_t i = 0; i < 4; i++)
        if (found[i] != s.lines[i + 1] - s.lines[i]) failures++, printf("nnz of a row\n");
    OK(cusparseDestroyMatDescr(d));
}

// Half, computed in float, and a batch of matrices.
static void half_and_batches() {
    const dense<float> m = dense<float>::random(4, 6, 50), x = dense<float>::random(6, 1);
    for (format f : {CSR, COO}) {
        const sparse<float> s(m, f);
        std::vector<__half> values, hx, hy(4, __float2half(0.0f));
        for (float v : s.values) values.push_back(__float2half(v));
        for (float v : x.v) hx.push_back(__float2half(v));
        on_device<__half> dv(values), dx(hx), dy(hy);
        on_device<int> lines(f == CSR ? s.lines : s.own), others(s.others);
        cusparseSpMatDescr_t a;
        cusparseDnVecDescr_t vx, vy;
        if (f == CSR)
            OK(cusparseCreateCsr(&a, 4, 6, int64_t(values.size()), lines.p, others.p, dv.p,
                                 CUSPARSE_INDEX_32I, CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO,
                                 CUDA_R_16F));
        else
            OK(cusparseCreateCoo(&a, 4, 6, int64_t(values.size()), lines.p, others.p, dv.p,
                                 CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_16F));
        OK(cusparseCreateDnVec(&vx, 6, dx.p, CUDA_R_16F));
        OK(cusparseCreateDnVec(&vy, 4, dy.p, CUDA_R_16F));
        float alpha = 1, beta = 0;
        OK(cusparseSpMV(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, &alpha, a, vx, &beta, vy,
                        CUDA_R_32F, CUSPARSE_SPMV_ALG_DEFAULT, nullptr));
        std::vector<float> got;
        for (__half v : dy.back()) got.push_back(__half2float(v));
        SAME(got, (m * x).v, "SpMV in half");
        cusparseDestroySpMat(a), cusparseDestroyDnVec(vx), cusparseDestroyDnVec(vy);
    }
    uploaded<float> a(m, CSR, CUDA_R_32F); // one A, two of B and C
    const dense<float> b = dense<float>::random(6, 2), b2 = dense<float>::random(6, 2);
    std::vector<float> both = b.laid_out(CUSPARSE_ORDER_COL, 6),
                       second = b2.laid_out(CUSPARSE_ORDER_COL, 6),
                       want = (m * b).laid_out(CUSPARSE_ORDER_COL, 4),
                       want2 = (m * b2).laid_out(CUSPARSE_ORDER_COL, 4);
    both.insert(both.end(), second.begin(), second.end());
    want.insert(want.end(), want2.begin(), want2.end());
    on_device<float> db(both), dc(std::vector<float>(16));
    cusparseDnMatDescr_t mb, mc;
    OK(cusparseCreateDnMat(&mb, 6, 2, 6, db.p, CUDA_R_32F, CUSPARSE_ORDER_COL));
    OK(cusparseCreateDnMat(&mc, 4, 2, 4, dc.p, CUDA_R_32F, CUSPARSE_ORDER_COL));
    OK(cusparseCsrSetStridedBatch(a.a, 2, 0, 0));
    OK(cusparseDnMatSetStridedBatch(mb, 2, 12));
    OK(cusparseDnMatSetStridedBatch(mc, 2, 8));
    float alpha = 1, beta = 0;
    OK(cusparseSpMM(handle, CUSPARSE_OPERATION_NON_TRANSPOSE, CUSPARSE_OPERATION_NON_TRANSPOSE,
                    &alpha, a.a, mb, &beta, mc, CUDA_R_32F, CUSPARSE_SPMM_CSR_ALG2, nullptr));
    SAME(dc.back(), want, "a batch");
    cusparseDestroyDnMat(mb), cusparseDestroyDnMat(mc);
}

int main() {
    OK(cusparseCreate(&handle));
    products<std::complex<float>>(CUDA_C_32F); // each for one type: it is the same source
    solutions<std::complex<double>>(CUDA_C_64F);
    gemm<double>(CUDA_R_64F);
    conversions<float>(CUDA_R_32F);
    vectors();
    older();
    half_and_batches();
    OK(cusparseDestroy(handle));
    if (!failures) printf("PASS\n");
    return failures != 0;
}
