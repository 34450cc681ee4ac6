// Every backward function of cuDNN's against the slope of its forward function, by differences in
// double; forward functions against the formula of cuDNN's documentation, written out here; and
// float beside double, which may be another engine (oneDNN on the CPU).
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cuda_fp16.h>
#include <cuda_runtime.h>
#include <cudnn.h>
#include <functional>
#include <vector>

using std::vector;
static int failures = 0;

#define OK(call)                                                                                  \
    do {                                                                                          \
        cudnnStatus_t status_ = (call);                                                           \
        if (status_ != CUDNN_STATUS_SUCCESS) {                                                    \
            printf("FAIL: line %d: %s\n", __LINE__, cudnnGetErrorString(status_));                \
            failures++;                                                                           \
        }                                                                                         \
    } while (0)

static void close(const vector<double> &a, const vector<double> &b, double within,
                  const char *what) {
    double worst = a.size() == b.size() ? 0 : 1e9;
    for (size_t i = 0; i < a.size() && i < b.size(); i++) {
        const double d = fabs(a[i] - b[i]) / (1 + fabs(b[i]));
        if (!(d <= worst)) worst = d;
    }
    if (worst <= within) return;
    printf("FAIL: %s: differs by %g\n", what, worst);
    failures++;
}
static double number() { return rand() % 2001 / 1000.0 - 1; }
static vector<double> numbers(size_t n) {
    vector<double> v(n);
    for (double &x : v) x = number();
    return v;
}

static cudnnHandle_t handle;
static const double one = 1, zero = 0;
static const float onef = 1, zerof = 0;

// Memory of the device with these numbers, as double or float.
struct data {
    void *p = nullptr;
    size_t n;
    bool twice;
    data(const vector<double> &v, bool t = true) : n(v.size()), twice(t) {
        cudaMalloc(&p, n * (twice ? 8 : 4));
        put(v);
    }
    ~data() { cudaFree(p); }
    data(const data &) = delete;
    void put(const vector<double> &v) {
        if (twice) {
            cudaMemcpy(p, v.data(), n * 8, cudaMemcpyHostToDevice);
        } else {
            vector<float> f(v.begin(), v.end());
            cudaMemcpy(p, f.data(), n * 4, cudaMemcpyHostToDevice);
        }
    }
    vector<double> get() const {
        cudaDeviceSynchronize();
        if (twice) {
            vector<double> v(n);
            cudaMemcpy(v.data(), p, n * 8, cudaMemcpyDeviceToHost);
            return v;
        }
        vector<float> f(n);
        cudaMemcpy(f.data(), p, n * 4, cudaMemcpyDeviceToHost);
        return vector<double>(f.begin(), f.end());
    }
};

// The slope of sum(weights * f(x)) in each x.
static vector<double> slope(const std::function<vector<double>(const vector<double> &)> &f,
                            vector<double> x, const vector<double> &weights) {
    vector<double> s(x.size());
    const double step = 1e-5;
    for (size_t i = 0; i < x.size(); i++) {
        const double kept = x[i];
        double sum[2] = {};
        for (int side = 0; side < 2; side++) {
            x[i] = side ? kept + step : kept - step;
            const vector<double> y = f(x);
            for (size_t j = 0; j < y.size(); j++) sum[side] += weights[j] * y[j];
        }
        x[i] = kept;
        s[i] = (sum[1] - sum[0]) / (2 * step);
    }
    return s;
}

static cudnnTensorDescriptor_t tensor(int n, int c, int h, int w, bool twice = true,
                                      cudnnTensorFormat_t format = CUDNN_TENSOR_NCHW) {
    cudnnTensorDescriptor_t t;
    OK(cudnnCreateTensorDescriptor(&t));
    OK(cudnnSetTensor4dDescriptor(t, format, twice ? CUDNN_DATA_DOUBLE : CUDNN_DATA_FLOAT, n, c, h,
                                  w));
    return t;
}

// ---- convolutions ----

struct shape {
    int n, c, h, w, k, fh, fw, pad, stride, dilation, groups;
    cudnnConvolutionMode_t mode;
    cudnnTensorFormat_t format;
};

// Sums as the definition has them, on NCHW.
static vector<double> convolved(const shape &s, const vector<double> &x, const vector<double> &w,
                                int oh, int ow) {
    vector<double> y(static_cast<size_t>(s.n * s.k * oh * ow));
    const int cg = s.c / s.groups, kg = s.k / s.groups;
    for (int n = 0; n < s.n; n++)
        for (int k = 0; k < s.k; k++)
            for (int i = 0; i < oh; i++)
                for (int j = 0; j < ow; j++) {
                    double sum = 0;
                    for (int c = 0; c < cg; c++)
                        for (int a = 0; a < s.fh; a++)
                            for (int b = 0; b < s.fw; b++) {
                                const int p = i * s.stride - s.pad + a * s.dilation;
                                const int q = j * s.stride - s.pad + b * s.dilation;
                                if (p < 0 || q < 0 || p >= s.h || q >= s.w) continue;
                                const int in = ((n * s.c + k / kg * cg + c) * s.h + p) * s.w + q;
                                const bool turn = s.mode == CUDNN_CONVOLUTION;
                                const int u = turn ? s.fh - 1 - a : a, v = turn ? s.fw - 1 - b : b;
                                sum += x[in] * w[((k * cg + c) * s.fh + u) * s.fw + v];
                            }
                    y[((n * s.k + k) * oh + i) * ow + j] = sum;
                }
    return y;
}
// NCHW to the order of a format, and back.
static vector<double> ordered(const vector<double> &v, int n, int c, int h, int w,
                              cudnnTensorFormat_t format, bool back) {
    if (format == CUDNN_TENSOR_NCHW) return v;
    vector<double> r(v.size());
    for (int i = 0; i < n * c * h * w; i++) {
        const int x = i % w, y = i / w % h, k = i / w / h % c, m = i / w / h / c;
        const int last = ((m * h + y) * w + x) * c + k;
        if (back)
            r[i] = v[last];
        else
            r[last] = v[i];
    }
    return r;
}

static void convolution(const shape &s, bool twice) {
    cudnnConvolutionDescriptor_t conv;
    cudnnFilterDescriptor_t filter;
    const cudnnDataType_t type = twice ? CUDNN_DATA_DOUBLE : CUDNN_DATA_FLOAT;
    OK(cudnnCreateConvolutionDescriptor(&conv));
    OK(cudnnSetConvolution2dDescriptor(conv, s.pad, s.pad, s.stride, s.stride, s.dilation,
                                       s.dilation, s.mode, type));
    OK(cudnnSetConvolutionGroupCount(conv, s.groups));
    OK(cudnnCreateFilterDescriptor(&filter));
    const int cg = s.c / s.groups;
    OK(cudnnSetFilter4dDescriptor(filter, type, s.format, s.k, cg, s.fh, s.fw));
    cudnnTensorDescriptor_t xt = tensor(s.n, s.c, s.h, s.w, twice, s.format);
    int n, k, oh, ow;
    OK(cudnnGetConvolution2dForwardOutputDim(conv, xt, filter, &n, &k, &oh, &ow));
    cudnnTensorDescriptor_t yt = tensor(n, k, oh, ow, twice, s.format);
    const vector<double> xv = numbers(s.n * s.c * s.h * s.w), wv = numbers(s.k * cg * s.fh * s.fw),
                         gv = numbers(n * k * oh * ow);
    data x(ordered(xv, s.n, s.c, s.h, s.w, s.format, false), twice),
        w(ordered(wv, s.k, cg, s.fh, s.fw, s.format, false), twice),
        y(vector<double>(gv.size()), twice),
        g(ordered(gv, n, k, oh, ow, s.format, false), twice), dx(vector<double>(xv.size()), twice),
        dw(vector<double>(wv.size()), twice);
    const double within = twice ? 1e-10 : 2e-4;
    const void *full = twice ? (const void *)&one : &onef, *none = twice ? (const void *)&zero
                                                                          : &zerof;
    cudnnConvolutionFwdAlgoPerf_t found[4];
    int given = 0;
    OK(cudnnFindConvolutionForwardAlgorithm(handle, xt, filter, conv, yt, 4, &given, found));
    size_t bytes = 1;
    OK(cudnnGetConvolutionForwardWorkspaceSize(handle, xt, filter, conv, yt, found[0].algo,
                                               &bytes));
    void *space = nullptr;
    if (bytes) cudaMalloc(&space, bytes);
    OK(cudnnConvolutionForward(handle, full, xt, x.p, filter, w.p, conv, found[0].algo, space,
                               bytes, none, yt, y.p));
    close(ordered(y.get(), n, k, oh, ow, s.format, true), convolved(s, xv, wv, oh, ow), within,
          "convolution");
    // half of it beside a quarter of what is there
    const double a = 0.5, b = 0.25;
    const float af = 0.5f, bf = 0.25f;
    y.put(ordered(gv, n, k, oh, ow, s.format, false));
    OK(cudnnConvolutionForward(handle, twice ? (const void *)&a : &af, xt, x.p, filter, w.p, conv,
                               found[0].algo, space, bytes, twice ? (const void *)&b : &bf, yt,
                               y.p));
    vector<double> mixed = convolved(s, xv, wv, oh, ow);
    for (size_t i = 0; i < mixed.size(); i++) mixed[i] = 0.5 * mixed[i] + 0.25 * gv[i];
    close(ordered(y.get(), n, k, oh, ow, s.format, true), mixed, within, "blended convolution");

    OK(cudnnConvolutionBackwardData(handle, full, filter, w.p, yt, g.p, conv,
                                    CUDNN_CONVOLUTION_BWD_DATA_ALGO_1, nullptr, 0, none, xt,
                                    dx.p));
    OK(cudnnConvolutionBackwardFilter(handle, full, xt, x.p, yt, g.p, conv,
                                      CUDNN_CONVOLUTION_BWD_FILTER_ALGO_1, nullptr, 0, none,
                                      filter, dw.p));
    // a convolution is linear: its slopes are differences of any width
    close(ordered(dx.get(), s.n, s.c, s.h, s.w, s.format, true),
          slope([&](const vector<double> &v) { return convolved(s, v, wv, oh, ow); }, xv, gv),
          twice ? 1e-8 : 2e-4, "slope of data");
    close(ordered(dw.get(), s.k, cg, s.fh, s.fw, s.format, true),
          slope([&](const vector<double> &v) { return convolved(s, xv, v, oh, ow); }, wv, gv),
          twice ? 1e-8 : 2e-4, "slope of filter");

    cudnnTensorDescriptor_t bt = tensor(1, s.k, 1, 1, twice);
    data bias(numbers(s.k), twice);
    OK(cudnnConvolutionBackwardBias(handle, full, yt, g.p, none, bt, bias.p));
    vector<double> sums(s.k);
    for (size_t i = 0; i < gv.size(); i++) sums[i / (oh * ow) % s.k] += gv[i];
    close(bias.get(), sums, twice ? 1e-12 : 1e-4, "slope of bias");

    cudnnActivationDescriptor_t relu;
    OK(cudnnCreateActivationDescriptor(&relu));
    OK(cudnnSetActivationDescriptor(relu, CUDNN_ACTIVATION_RELU, CUDNN_NOT_PROPAGATE_NAN, 0));
    OK(cudnnConvolutionBiasActivationForward(handle, full, xt, x.p, filter, w.p, conv,
                                             found[0].algo, space, bytes, none, yt, y.p, bt,
                                             bias.p, relu, yt, y.p));
    vector<double> fused = convolved(s, xv, wv, oh, ow);
    for (size_t i = 0; i < fused.size(); i++)
        fused[i] = fmax(0, fused[i] + sums[i / (oh * ow) % s.k]);
    close(ordered(y.get(), n, k, oh, ow, s.format, true), fused, twice ? 1e-10 : 3e-4,
          "convolution, bias and activation");
    cudaFree(space);
    OK(cudnnDestroyActivationDescriptor(relu));
    OK(cudnnDestroyTensorDescriptor(bt));
    OK(cudnnDestroyTensorDescriptor(xt));
    OK(cudnnDestroyTensorDescriptor(yt));
    OK(cudnnDestroyFilterDescriptor(filter));
    OK(cudnnDestroyConvolutionDescriptor(conv));
}

// A volume, by the N-dimensional interface.
static void volume() {
    const int xd[] = {2, 2, 3, 4, 5}, xs[] = {120, 60, 20, 5, 1}, wd[] = {3, 2, 2, 3, 2};
    const int pad[] = {1, 0, 1}, step[] = {1, 2, 1}, dilation[] = {1, 1, 2};
    cudnnTensorDescriptor_t xt, yt;
    cudnnFilterDescriptor_t wt;
    cudnnConvolutionDescriptor_t conv;
    OK(cudnnCreateTensorDescriptor(&xt));
    OK(cudnnCreateTensorDescriptor(&yt));
    OK(cudnnCreateFilterDescriptor(&wt));
    OK(cudnnCreateConvolutionDescriptor(&conv));
    OK(cudnnSetTensorNdDescriptor(xt, CUDNN_DATA_DOUBLE, 5, xd, xs));
    OK(cudnnSetFilterNdDescriptor(wt, CUDNN_DATA_DOUBLE, CUDNN_TENSOR_NCHW, 5, wd));
    OK(cudnnSetConvolutionNdDescriptor(conv, 3, pad, step, dilation, CUDNN_CROSS_CORRELATION,
                                       CUDNN_DATA_DOUBLE));
    int yd[5], ys[5];
    OK(cudnnGetConvolutionNdForwardOutputDim(conv, xt, wt, 5, yd));
    int next = 1;
    for (int d = 4; d >= 0; d--) {
        ys[d] = next;
        next *= yd[d];
    }
    OK(cudnnSetTensorNdDescriptor(yt, CUDNN_DATA_DOUBLE, 5, yd, ys));
    const vector<double> xv = numbers(240), wv = numbers(72), gv = numbers(next);
    data x(xv), w(wv), y(gv), g(gv), dx(xv), dw(wv);
    const auto forward = [&](const vector<double> &in, const vector<double> &by) {
        x.put(in), w.put(by);
        OK(cudnnConvolutionForward(handle, &one, xt, x.p, wt, w.p, conv,
                                   CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM, nullptr, 0, &zero, yt,
                                   y.p));
        return y.get();
    };
    vector<double> expected(next);
    for (int i = 0; i < next; i++) {
        int o[5], rest = i;
        for (int d = 4; d >= 0; d--) o[d] = rest % yd[d], rest /= yd[d];
        for (int j = 0; j < 24; j++) {
            const int f[] = {j / 6 % 2, j / 2 % 3, j % 2}, c = j / 12;
            int at = o[0] * 120 + c * 60;
            bool inside = true;
            for (int d = 0; d < 3; d++) {
                const int p = o[d + 2] * step[d] - pad[d] + f[d] * dilation[d];
                inside = inside && p >= 0 && p < xd[d + 2];
                at += p * xs[d + 2];
            }
            if (inside) expected[i] += xv[at] * wv[o[1] * 24 + j];
        }
    }
    close(forward(xv, wv), expected, 1e-10, "convolution of a volume");
    const vector<double> by_x =
        slope([&](const vector<double> &v) { return forward(v, wv); }, xv, gv);
    const vector<double> by_w =
        slope([&](const vector<double> &v) { return forward(xv, v); }, wv, gv);
    x.put(xv), w.put(wv);
    OK(cudnnConvolutionBackwardData(handle, &one, wt, w.p, yt, g.p, conv,
                                    CUDNN_CONVOLUTION_BWD_DATA_ALGO_0, nullptr, 0, &zero, xt,
                                    dx.p));
    OK(cudnnConvolutionBackwardFilter(handle, &one, xt, x.p, yt, g.p, conv,
                                      CUDNN_CONVOLUTION_BWD_FILTER_ALGO_0, nullptr, 0, &zero, wt,
                                      dw.p));
    close(dx.get(), by_x, 1e-8, "slope of a volume's data");
    close(dw.get(), by_w, 1e-8, "slope of a volume's filter");
}

// Bytes are summed as whole numbers, also beyond the 24 bits that a float has; halves are read and
// written as such.
template <class T, class U>
static void kept_as(cudnnDataType_t in, cudnnDataType_t out, cudnnDataType_t computed, T one_x,
                    T one_w, double wanted) {
    cudnnTensorDescriptor_t xt, yt;
    cudnnFilterDescriptor_t wt;
    cudnnConvolutionDescriptor_t conv;
    OK(cudnnCreateTensorDescriptor(&xt));
    OK(cudnnCreateTensorDescriptor(&yt));
    OK(cudnnCreateFilterDescriptor(&wt));
    OK(cudnnCreateConvolutionDescriptor(&conv));
    const int channels = 1701;
    OK(cudnnSetTensor4dDescriptor(xt, CUDNN_TENSOR_NHWC, in, 1, channels, 1, 1));
    OK(cudnnSetTensor4dDescriptor(yt, CUDNN_TENSOR_NHWC, out, 1, 1, 1, 1));
    OK(cudnnSetFilter4dDescriptor(wt, in, CUDNN_TENSOR_NHWC, 1, channels, 1, 1));
    OK(cudnnSetConvolution2dDescriptor(conv, 0, 0, 1, 1, 1, 1, CUDNN_CROSS_CORRELATION, computed));
    const vector<T> xs(channels, one_x), ws(channels, one_w);
    void *x, *w, *y;
    cudaMalloc(&x, channels * sizeof(T));
    cudaMalloc(&w, channels * sizeof(T));
    cudaMalloc(&y, sizeof(U));
    cudaMemcpy(x, xs.data(), channels * sizeof(T), cudaMemcpyHostToDevice);
    cudaMemcpy(w, ws.data(), channels * sizeof(T), cudaMemcpyHostToDevice);
    OK(cudnnConvolutionForward(handle, &onef, xt, x, wt, w, conv,
                               CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM, nullptr, 0,
                               &zerof, yt, y));
    U result;
    cudaDeviceSynchronize();
    cudaMemcpy(&result, y, sizeof result, cudaMemcpyDeviceToHost);
    close({(double)(float)result, 0}, {(double)(float)wanted, 0}, 0, "a convolution's type");
    if (sizeof(U) == 4 && (double)result != wanted) printf("FAIL: a whole sum\n"), failures++;
    cudaFree(x);
    cudaFree(w);
    cudaFree(y);
    OK(cudnnDestroyTensorDescriptor(xt));
    OK(cudnnDestroyTensorDescriptor(yt));
    OK(cudnnDestroyFilterDescriptor(wt));
    OK(cudnnDestroyConvolutionDescriptor(conv));
}
static void types() {
    // 1701 * 127 * 121 is odd and more than 2^24
    kept_as<signed char, int>(CUDNN_DATA_INT8, CUDNN_DATA_INT32, CUDNN_DATA_INT32, 127, 121,
                              1701 * 127 * 121);
    kept_as<__half, __half>(CUDNN_DATA_HALF, CUDNN_DATA_HALF, CUDNN_DATA_FLOAT, __float2half(0.5f),
                            __float2half(0.25f), 212.625);
}

// ---- layers ----

static void activations() {
    cudnnActivationDescriptor_t act;
    OK(cudnnCreateActivationDescriptor(&act));
    cudnnTensorDescriptor_t t = tensor(2, 3, 2, 5);
    const struct {
        cudnnActivationMode_t mode;
        double coefficient;
        double (*value)(double);
    } all[] = {{CUDNN_ACTIVATION_SIGMOID, 0, [](double v) { return 1 / (1 + exp(-v)); }},
               {CUDNN_ACTIVATION_RELU, 0, [](double v) { return v > 0 ? v : 0; }},
               {CUDNN_ACTIVATION_TANH, 0, [](double v) { return tanh(v); }},
               {CUDNN_ACTIVATION_CLIPPED_RELU, 0.6,
                [](double v) { return v < 0 ? 0 : v > 0.6 ? 0.6 : v; }},
               {CUDNN_ACTIVATION_ELU, 0.7, [](double v) { return v > 0 ? v : 0.7 * expm1(v); }},
               {CUDNN_ACTIVATION_SWISH, 0, [](double v) { return v / (1 + exp(-v)); }}};
    for (const auto &a : all) {
        OK(cudnnSetActivationDescriptor(act, a.mode, CUDNN_PROPAGATE_NAN, a.coefficient));
        vector<double> xv = numbers(60), gv = numbers(60), expected;
        for (double &v : xv) v = v * 1.5 + 0.00037; // on no edge
        for (double v : xv) expected.push_back(a.value(v));
        data x(xv), y(xv), g(gv), dx(xv);
        const auto forward = [&](const vector<double> &v) {
            x.put(v);
            OK(cudnnActivationForward(handle, act, &one, t, x.p, &zero, t, y.p));
            return y.get();
        };
        const vector<double> s = slope(forward, xv, gv);
        close(forward(xv), expected, 1e-12, "activation");
        OK(cudnnActivationBackward(handle, act, &one, t, y.p, t, g.p, t, x.p, &zero, t, dx.p));
        close(dx.get(), s, 1e-6, "slope of an activation");
    }
    OK(cudnnDestroyActivationDescriptor(act));
    OK(cudnnDestroyTensorDescriptor(t));
}

static void softmaxes() {
    const cudnnSoftmaxAlgorithm_t algorithms[] = {CUDNN_SOFTMAX_FAST, CUDNN_SOFTMAX_ACCURATE,
                                                  CUDNN_SOFTMAX_LOG};
    for (int channel = 0; channel < 2; channel++)
        for (cudnnSoftmaxAlgorithm_t algorithm : algorithms) {
            const cudnnSoftmaxMode_t mode =
                channel ? CUDNN_SOFTMAX_MODE_CHANNEL : CUDNN_SOFTMAX_MODE_INSTANCE;
            cudnnTensorDescriptor_t t = tensor(2, 3, 2, 2);
            const vector<double> xv = numbers(24), gv = numbers(24);
            data x(xv), y(xv), g(gv), dx(xv);
            const auto forward = [&](const vector<double> &v) {
                x.put(v);
                OK(cudnnSoftmaxForward(handle, algorithm, mode, &one, t, x.p, &zero, t, y.p));
                return y.get();
            };
            vector<double> expected(24);
            for (int i = 0; i < 24; i++) {
                double sum = 0;
                for (int j = 0; j < 24; j++)
                    if (j / 12 == i / 12 && (!channel || j % 4 == i % 4)) sum += exp(xv[j]);
                expected[i] = exp(xv[i]) / sum;
                if (algorithm == CUDNN_SOFTMAX_LOG) expected[i] = log(expected[i]);
            }
            const vector<double> s = slope(forward, xv, gv);
            close(forward(xv), expected, 1e-12, "softmax");
            OK(cudnnSoftmaxBackward(handle, algorithm, mode, &one, t, y.p, t, g.p, &zero, t,
                                    dx.p));
            close(dx.get(), s, 1e-7, "slope of softmax");
            OK(cudnnDestroyTensorDescriptor(t));
        }
}

static void poolings() {
    const cudnnPoolingMode_t modes[] = {CUDNN_POOLING_MAX,
                                        CUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING,
                                        CUDNN_POOLING_AVERAGE_COUNT_EXCLUDE_PADDING,
                                        CUDNN_POOLING_MAX_DETERMINISTIC};
    for (cudnnPoolingMode_t mode : modes)
        for (int pad = 0; pad < 2; pad++) {
            cudnnPoolingDescriptor_t pool;
            OK(cudnnCreatePoolingDescriptor(&pool));
            OK(cudnnSetPooling2dDescriptor(pool, mode, CUDNN_NOT_PROPAGATE_NAN, 3, 2, pad, pad, 2,
                                           1));
            cudnnTensorDescriptor_t xt = tensor(2, 2, 7, 5);
            int n, c, h, w;
            OK(cudnnGetPooling2dForwardOutputDim(pool, xt, &n, &c, &h, &w));
            cudnnTensorDescriptor_t yt = tensor(n, c, h, w);
            const vector<double> xv = numbers(140), gv = numbers(n * c * h * w);
            data x(xv), y(gv), g(gv), dx(xv);
            const auto forward = [&](const vector<double> &v) {
                x.put(v);
                OK(cudnnPoolingForward(handle, pool, &one, xt, x.p, &zero, yt, y.p));
                return y.get();
            };
            vector<double> expected(gv.size());
            for (size_t i = 0; i < expected.size(); i++) {
                const int ow = i % w, oh = i / w % h, plane = i / w / h;
                double sum = 0, most = -1e9;
                int inside = 0;
                for (int a = 0; a < 3; a++)
                    for (int b = 0; b < 2; b++) {
                        const int p = oh * 2 - pad + a, q = ow - pad + b;
                        if (p < 0 || q < 0 || p >= 7 || q >= 5) continue;
                        const double v = xv[(plane * 7 + p) * 5 + q];
                        sum += v, most = fmax(most, v), inside++;
                    }
                const bool largest =
                    mode == CUDNN_POOLING_MAX || mode == CUDNN_POOLING_MAX_DETERMINISTIC;
                const bool whole = mode == CUDNN_POOLING_AVERAGE_COUNT_INCLUDE_PADDING;
                expected[i] = largest ? most : sum / (whole ? 6 : inside);
            }
            const vector<double> s = slope(forward, xv, gv);
            close(forward(xv), expected, 1e-12, "pooling");
            OK(cudnnPoolingBackward(handle, pool, &one, yt, y.p, yt, g.p, xt, x.p, &zero, xt,
                                    dx.p));
            close(dx.get(), s, 1e-7, "slope of pooling");
            OK(cudnnDestroyPoolingDescriptor(pool));
            OK(cudnnDestroyTensorDescriptor(xt));
            OK(cudnnDestroyTensorDescriptor(yt));
        }
}

static void responses() {
    for (unsigned size = 1; size <= 5; size++) {
        cudnnLRNDescriptor_t lrn;
        OK(cudnnCreateLRNDescriptor(&lrn));
        OK(cudnnSetLRNDescriptor(lrn, size, 0.9, 0.75, 1.5));
        cudnnTensorDescriptor_t t = tensor(2, 7, 2, 2);
        const vector<double> xv = numbers(56), gv = numbers(56);
        data x(xv), y(xv), g(gv), dx(xv);
        const auto forward = [&](const vector<double> &v) {
            x.put(v);
            OK(cudnnLRNCrossChannelForward(handle, lrn, CUDNN_LRN_CROSS_CHANNEL_DIM1, &one, t, x.p,
                                           &zero, t, y.p));
            return y.get();
        };
        vector<double> expected(56);
        for (int i = 0; i < 56; i++) {
            const int c = i / 4 % 7, before = ((int)size - 1) / 2, after = (int)size - 1 - before;
            double sum = 0;
            for (int j = c - before; j <= c + after; j++)
                if (j >= 0 && j < 7) sum += xv[i + (j - c) * 4] * xv[i + (j - c) * 4];
            expected[i] = xv[i] / pow(1.5 + 0.9 / size * sum, 0.75);
        }
        const vector<double> s = slope(forward, xv, gv);
        close(forward(xv), expected, 1e-12, "normalization across channels");
        OK(cudnnLRNCrossChannelBackward(handle, lrn, CUDNN_LRN_CROSS_CHANNEL_DIM1, &one, t, y.p, t,
                                        g.p, t, x.p, &zero, t, dx.p));
        close(dx.get(), s, 1e-7, "slope of normalization across channels");
        OK(cudnnDestroyLRNDescriptor(lrn));
        OK(cudnnDestroyTensorDescriptor(t));
    }
}

static void batches(cudnnBatchNormMode_t mode) {
    const bool spatial = mode != CUDNN_BATCHNORM_PER_ACTIVATION;
    const int n = 4, c = 3, plane = 6, stats = spatial ? c : c * plane;
    const double epsilon = 1e-3, factor = 0.3;
    cudnnTensorDescriptor_t t = tensor(n, c, 2, 3), st = tensor(1, 1, 1, 1);
    OK(cudnnDeriveBNTensorDescriptor(st, t, mode));
    const vector<double> xv = numbers(72), gv = numbers(72), sv = numbers(stats),
                         bv = numbers(stats), rv = numbers(stats);
    data x(xv), y(xv), g(gv), dx(xv), scale(sv), bias(bv), mean(rv), variance(rv), kept(rv),
        inverse(rv), dscale(rv), dbias(rv);
    const auto forward = [&](const vector<double> &in, const vector<double> &s,
                             const vector<double> &b) {
        x.put(in), scale.put(s), bias.put(b), mean.put(rv), variance.put(rv);
        OK(cudnnBatchNormalizationForwardTraining(handle, mode, &one, &zero, t, x.p, t, y.p, st,
                                                  scale.p, bias.p, factor, mean.p, variance.p,
                                                  epsilon, kept.p, inverse.p));
        return y.get();
    };
    vector<double> m(stats), v(stats), expected(72), running_mean(stats), running(stats);
    const int many = 72 / stats;
    const auto group = [&](int i) { return spatial ? i / plane % c : i % (c * plane); };
    for (int i = 0; i < 72; i++) m[group(i)] += xv[i] / many;
    for (int i = 0; i < 72; i++) v[group(i)] += pow(xv[i] - m[group(i)], 2) / many;
    for (int i = 0; i < 72; i++)
        expected[i] = sv[group(i)] * (xv[i] - m[group(i)]) / sqrt(v[group(i)] + epsilon) +
                      bv[group(i)];
    for (int i = 0; i < stats; i++) {
        running_mean[i] = factor * m[i] + (1 - factor) * rv[i];
        running[i] = factor * v[i] * many / (many - 1) + (1 - factor) * rv[i];
    }
    const auto by_x = slope([&](const vector<double> &a) { return forward(a, sv, bv); }, xv, gv),
               by_s = slope([&](const vector<double> &a) { return forward(xv, a, bv); }, sv, gv),
               by_b = slope([&](const vector<double> &a) { return forward(xv, sv, a); }, bv, gv);
    close(forward(xv, sv, bv), expected, 1e-12, "batch normalization");
    close(mean.get(), running_mean, 1e-12, "running mean");
    close(variance.get(), running, 1e-12, "running variance");
    for (int saved = 0; saved < 2; saved++) {
        OK(cudnnBatchNormalizationBackward(handle, mode, &one, &zero, &one, &zero, t, x.p, t, g.p,
                                           t, dx.p, st, scale.p, dscale.p, dbias.p, epsilon,
                                           saved ? kept.p : nullptr, saved ? inverse.p : nullptr));
        close(dx.get(), by_x, 1e-6, "slope of batch normalization");
        close(dscale.get(), by_s, 1e-7, "slope of its scale");
        close(dbias.get(), by_b, 1e-7, "slope of its bias");
    }
    variance.put(v), mean.put(m);
    OK(cudnnBatchNormalizationForwardInference(handle, mode, &one, &zero, t, x.p, t, y.p, st,
                                               scale.p, bias.p, mean.p, variance.p, epsilon));
    close(y.get(), expected, 1e-12, "batch normalization of inference");

    // joined with a sum and an activation
    cudnnActivationDescriptor_t relu;
    OK(cudnnCreateActivationDescriptor(&relu));
    OK(cudnnSetActivationDescriptor(relu, CUDNN_ACTIVATION_RELU, CUDNN_PROPAGATE_NAN, 0));
    const vector<double> zv = numbers(72);
    data z(zv), dz(zv);
    const auto joined = [&](const vector<double> &in, const vector<double> &more) {
        x.put(in), z.put(more);
        OK(cudnnBatchNormalizationForwardTrainingEx(
            handle, mode, CUDNN_BATCHNORM_OPS_BN_ADD_ACTIVATION, &one, &zero, t, x.p, t, z.p, t,
            y.p, st, scale.p, bias.p, factor, nullptr, nullptr, epsilon, kept.p, inverse.p, relu,
            nullptr, 0, nullptr, 0));
        return y.get();
    };
    const auto from_x = slope([&](const vector<double> &a) { return joined(a, zv); }, xv, gv),
               from_z = slope([&](const vector<double> &a) { return joined(xv, a); }, zv, gv);
    for (int i = 0; i < 72; i++) expected[i] = fmax(0, expected[i] + zv[i]);
    close(joined(xv, zv), expected, 1e-12, "batch normalization, sum and activation");
    OK(cudnnBatchNormalizationBackwardEx(
        handle, mode, CUDNN_BATCHNORM_OPS_BN_ADD_ACTIVATION, &one, &zero, &one, &zero, t, x.p, t,
        y.p, t, g.p, t, dz.p, t, dx.p, st, scale.p, bias.p, dscale.p, dbias.p, epsilon, kept.p,
        inverse.p, relu, nullptr, 0, nullptr, 0));
    close(dx.get(), from_x, 1e-6, "slope of it");
    close(dz.get(), from_z, 1e-6, "slope of the sum");
    OK(cudnnDestroyActivationDescriptor(relu));
    OK(cudnnDestroyTensorDescriptor(t));
    OK(cudnnDestroyTensorDescriptor(st));
}

static void dropouts() {
    cudnnDropoutDescriptor_t drop;
    OK(cudnnCreateDropoutDescriptor(&drop));
    size_t bytes, reserve;
    OK(cudnnDropoutGetStatesSize(handle, &bytes));
    void *states, *space;
    cudaMalloc(&states, bytes);
    OK(cudnnSetDropoutDescriptor(drop, handle, 0.25f, states, bytes, 42));
    cudnnTensorDescriptor_t t = tensor(10, 10, 10, 10);
    OK(cudnnDropoutGetReserveSpaceSize(t, &reserve));
    cudaMalloc(&space, reserve);
    const vector<double> ones(10000, 1);
    data x(ones), y(ones), again(ones), dx(ones);
    OK(cudnnDropoutForward(handle, drop, t, x.p, t, again.p, space, reserve));
    OK(cudnnDropoutForward(handle, drop, t, x.p, t, y.p, space, reserve));
    OK(cudnnDropoutBackward(handle, drop, t, x.p, t, dx.p, space, reserve));
    const vector<double> first = again.get(), second = y.get();
    int gone = 0, same = 0;
    for (int i = 0; i < 10000; i++) {
        gone += second[i] == 0;
        same += (first[i] == 0) == (second[i] == 0);
        if (second[i] != 0 && fabs(second[i] - 1 / 0.75) > 1e-6) gone += 100000;
    }
    if (gone < 2300 || gone > 2700 || same > 7000) {
        printf("FAIL: dropout leaves out %d of 10000, %d as before\n", gone, same);
        failures++;
    }
    close(dx.get(), second, 0, "slope of dropout");
    cudaFree(states);
    cudaFree(space);
    OK(cudnnDestroyDropoutDescriptor(drop));
    OK(cudnnDestroyTensorDescriptor(t));
}

// ---- tensors ----

static void tensors() {
    cudnnTensorDescriptor_t t = tensor(2, 3, 2, 2), bt = tensor(1, 3, 1, 1),
                            last = tensor(2, 3, 2, 2, true, CUDNN_TENSOR_NHWC);
    const vector<double> av = numbers(24), bv = numbers(3), cv = numbers(24);
    const double a = 0.5, b = 2, c = 0.25;
    data x(av), y(bv), z(cv);
    OK(cudnnAddTensor(handle, &a, bt, y.p, &c, t, z.p));
    vector<double> expected(24);
    for (int i = 0; i < 24; i++) expected[i] = 0.5 * bv[i / 4 % 3] + 0.25 * cv[i];
    close(z.get(), expected, 1e-12, "sum of tensors");
    OK(cudnnTransformTensor(handle, &one, t, x.p, &zero, last, z.p));
    close(z.get(), ordered(av, 2, 3, 2, 2, CUDNN_TENSOR_NHWC, false), 0, "order of a tensor");
    cudnnOpTensorDescriptor_t op;
    OK(cudnnCreateOpTensorDescriptor(&op));
    for (int which = 0; which < 6; which++) {
        OK(cudnnSetOpTensorDescriptor(op, (cudnnOpTensorOp_t)which, CUDNN_DATA_DOUBLE,
                                      CUDNN_NOT_PROPAGATE_NAN));
        vector<double> positive = av;
        for (double &v : positive) v = fabs(v);
        x.put(positive), z.put(cv);
        OK(cudnnOpTensor(handle, op, &a, t, x.p, &b, bt, y.p, &c, t, z.p));
        for (int i = 0; i < 24; i++) {
            const double p = 0.5 * positive[i], q = 2 * bv[i / 4 % 3];
            const double r[] = {p + q, p * q, fmin(p, q), fmax(p, q), sqrt(p), 1 - p};
            expected[i] = r[which] + 0.25 * cv[i];
        }
        close(z.get(), expected, 1e-12, "operation of tensors");
    }
    cudnnReduceTensorDescriptor_t reduce;
    OK(cudnnCreateReduceTensorDescriptor(&reduce));
    for (int which = 0; which < 9; which++) {
        const bool extreme = which == CUDNN_REDUCE_TENSOR_MIN || which == CUDNN_REDUCE_TENSOR_MAX;
        OK(cudnnSetReduceTensorDescriptor(
            reduce, (cudnnReduceTensorOp_t)which, CUDNN_DATA_DOUBLE, CUDNN_NOT_PROPAGATE_NAN,
            extreme ? CUDNN_REDUCE_TENSOR_FLATTENED_INDICES : CUDNN_REDUCE_TENSOR_NO_INDICES,
            CUDNN_32BIT_INDICES));
        vector<double> in = av;
        in[4] = 0;
        x.put(in);
        size_t bytes, space;
        OK(cudnnGetReductionIndicesSize(handle, reduce, t, bt, &bytes));
        OK(cudnnGetReductionWorkspaceSize(handle, reduce, t, bt, &space));
        unsigned *at = nullptr;
        if (bytes) cudaMalloc(&at, bytes);
        OK(cudnnReduceTensor(handle, reduce, at, bytes, nullptr, 0, &one, t, x.p, &zero, bt, y.p));
        vector<double> found(3);
        vector<unsigned> where(3);
        for (int k = 0; k < 3; k++) {
            double sum = 0, product = 1, least = 1e9, most = -1e9, large = 0, sizes = 0,
                   squares = 0, rest = 1;
            for (int j = 0; j < 8; j++) {
                const double v = in[j / 4 * 12 + k * 4 + j % 4];
                if (extreme && (which == CUDNN_REDUCE_TENSOR_MIN ? v < least : v > most))
                    where[k] = j;
                sum += v, product *= v, least = fmin(least, v), most = fmax(most, v);
                large = fmax(large, fabs(v)), sizes += fabs(v), squares += v * v;
                if (v != 0) rest *= v;
            }
            const double r[] = {sum, product, least, most, large, sum / 8, sizes, sqrt(squares),
                                rest};
            found[k] = r[which];
        }
        close(y.get(), found, 1e-12, "reduction");
        if (at) {
            vector<unsigned> places(3);
            cudaMemcpy(places.data(), at, 12, cudaMemcpyDeviceToHost);
            for (int k = 0; k < 3; k++)
                if (places[k] != where[k]) printf("FAIL: place of a reduction\n"), failures++;
            cudaFree(at);
        }
    }
    const double seven = 7;
    OK(cudnnSetTensor(handle, t, z.p, &seven));
    OK(cudnnScaleTensor(handle, t, z.p, &a));
    close(z.get(), vector<double>(24, 3.5), 0, "scaled tensor");
    // what does not fit together is refused, not done
    if (cudnnAddTensor(handle, &one, t, x.p, &zero, bt, y.p) != CUDNN_STATUS_BAD_PARAM)
        printf("FAIL: a sum of tensors that do not fit\n"), failures++;
    OK(cudnnDestroyReduceTensorDescriptor(reduce));
    OK(cudnnDestroyOpTensorDescriptor(op));
}

int main() {
    cudaStream_t stream;
    cudaStreamCreate(&stream);
    OK(cudnnCreate(&handle));
    OK(cudnnSetStream(handle, stream));
    const cudnnConvolutionMode_t cross = CUDNN_CROSS_CORRELATION, turned = CUDNN_CONVOLUTION;
    const cudnnTensorFormat_t first = CUDNN_TENSOR_NCHW, last = CUDNN_TENSOR_NHWC;
    const shape shapes[] = {
        {2, 3, 6, 7, 4, 3, 3, 1, 1, 1, 1, cross, first},
        {1, 4, 7, 6, 6, 3, 2, 0, 2, 1, 2, cross, first},
        {2, 2, 8, 8, 2, 3, 3, 2, 1, 2, 1, cross, last},
        {2, 4, 5, 5, 4, 3, 3, 1, 2, 1, 4, cross, first},
        {1, 2, 6, 6, 3, 2, 3, 1, 1, 1, 1, turned, first},
        {3, 5, 4, 4, 2, 1, 1, 0, 1, 1, 1, cross, last},
    };
    for (const shape &s : shapes)
        for (int twice = 0; twice < 2; twice++) convolution(s, twice);
    volume();
    types();
    activations();
    softmaxes();
    poolings();
    responses();
    batches(CUDNN_BATCHNORM_SPATIAL);
    batches(CUDNN_BATCHNORM_PER_ACTIVATION);
    dropouts();
    tensors();
    OK(cudnnDestroy(handle));
    cudaStreamDestroy(stream);
    if (!failures) printf("PASS\n");
    return failures != 0;
}
