// Recurrent networks of cuDNN's: what they compute against the equations of its documentation,
// written out here over the weights that its functions point to, and their slopes against
// differences; by the interface with a tensor for each step and by that with sequences.
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <cudnn.h>
#include <functional>
#include <vector>

using std::vector;
static int failures = 0;
static cudnnHandle_t handle;

#define OK(call)                                                                                  \
    do {                                                                                          \
        cudnnStatus_t status_ = (call);                                                           \
        if (status_ != CUDNN_STATUS_SUCCESS) {                                                    \
            printf("FAIL: line %d: %s\n", __LINE__, cudnnGetErrorString(status_));                \
            failures++;                                                                           \
        }                                                                                         \
    } while (0)

static void close(const vector<double> &a, const vector<double> &b, double within,
                  const char *what, const char *net) {
    double worst = a.size() == b.size() ? 0 : 1e9;
    for (size_t i = 0; i < a.size() && i < b.size(); i++) {
        const double d = fabs(a[i] - b[i]) / (1 + fabs(b[i]));
        if (!(d <= worst)) worst = d;
    }
    if (worst <= within) return;
    printf("FAIL: %s of %s: differs by %g\n", what, net, worst);
    failures++;
}
static vector<double> numbers(size_t n) {
    vector<double> v(n);
    for (double &x : v) x = rand() % 2001 / 1000.0 - 1;
    return v;
}
struct data {
    double *p = nullptr;
    size_t n;
    explicit data(const vector<double> &v) : n(v.size()) {
        cudaMalloc(&p, n * 8 + 8);
        put(v);
    }
    ~data() { cudaFree(p); }
    data(const data &) = delete;
    void put(const vector<double> &v) { cudaMemcpy(p, v.data(), n * 8, cudaMemcpyHostToDevice); }
    vector<double> get() const {
        vector<double> v(n);
        cudaDeviceSynchronize();
        cudaMemcpy(v.data(), p, n * 8, cudaMemcpyDeviceToHost);
        return v;
    }
};
static vector<double> slope(const std::function<double(const vector<double> &)> &loss,
                            vector<double> x) {
    vector<double> s(x.size());
    for (size_t i = 0; i < x.size(); i++) {
        const double kept = x[i], step = 1e-5;
        x[i] = kept + step;
        const double above = loss(x);
        x[i] = kept - step;
        s[i] = (above - loss(x)) / (2 * step);
        x[i] = kept;
    }
    return s;
}
static double dot(const vector<double> &a, const vector<double> &b) {
    double s = 0;
    for (size_t i = 0; i < a.size(); i++) s += a[i] * b[i];
    return s;
}

struct net {
    cudnnRNNMode_t mode;
    bool both, skip, packed; // packed: with a tensor for each step
    int layers;
    const char *name;
};
enum { IN = 3, HIDDEN = 4, BATCH = 3, STEPS = 4 };
static const int lengths[BATCH] = {4, 3, 1};

// The place of a step in memory, packed or [batch][step].
static int place(bool packed, int t, int n) {
    if (!packed) return n * STEPS + t;
    int at = n;
    for (int s = 0; s < t; s++)
        for (int l : lengths) at += l > s;
    return at;
}

static void run(const net &k) {
    const int in = k.skip ? (int)HIDDEN : (int)IN, dirs = k.both ? 2 : 1, width = dirs * HIDDEN;
    const int cells = k.packed ? 8 : BATCH * STEPS;
    const int gates = k.mode == CUDNN_LSTM ? 4 : k.mode == CUDNN_GRU ? 3 : 1;
    const int states = k.layers * dirs * BATCH * HIDDEN;
    cudnnDropoutDescriptor_t drop;
    cudnnRNNDescriptor_t rnn;
    OK(cudnnCreateDropoutDescriptor(&drop));
    OK(cudnnSetDropoutDescriptor(drop, handle, 0, nullptr, 0, 0));
    OK(cudnnCreateRNNDescriptor(&rnn));
    const cudnnDirectionMode_t way = k.both ? CUDNN_BIDIRECTIONAL : CUDNN_UNIDIRECTIONAL;
    const cudnnRNNInputMode_t first = k.skip ? CUDNN_SKIP_INPUT : CUDNN_LINEAR_INPUT;
    if (k.packed)
        OK(cudnnSetRNNDescriptor_v6(handle, rnn, HIDDEN, k.layers, drop, first, way, k.mode,
                                    CUDNN_RNN_ALGO_STANDARD, CUDNN_DATA_DOUBLE));
    else
        OK(cudnnSetRNNDescriptor_v8(rnn, CUDNN_RNN_ALGO_STANDARD, k.mode, CUDNN_RNN_DOUBLE_BIAS,
                                    way, first, CUDNN_DATA_DOUBLE, CUDNN_DATA_DOUBLE,
                                    CUDNN_DEFAULT_MATH, in, HIDDEN, HIDDEN, k.layers, drop,
                                    CUDNN_RNN_PADDED_IO_ENABLED));
    // descriptors of either interface
    cudnnTensorDescriptor_t xt[STEPS], yt[STEPS], ht;
    for (int t = 0; t < STEPS; t++) {
        int batch = 0;
        for (int l : lengths) batch += l > t;
        const int xd[] = {batch, in, 1}, xs[] = {in, 1, 1}, yd[] = {batch, width, 1},
                  ys[] = {width, 1, 1};
        OK(cudnnCreateTensorDescriptor(&xt[t]));
        OK(cudnnCreateTensorDescriptor(&yt[t]));
        OK(cudnnSetTensorNdDescriptor(xt[t], CUDNN_DATA_DOUBLE, 3, xd, xs));
        OK(cudnnSetTensorNdDescriptor(yt[t], CUDNN_DATA_DOUBLE, 3, yd, ys));
    }
    const int hd[] = {k.layers * dirs, BATCH, HIDDEN}, hs[] = {BATCH * HIDDEN, HIDDEN, 1};
    OK(cudnnCreateTensorDescriptor(&ht));
    OK(cudnnSetTensorNdDescriptor(ht, CUDNN_DATA_DOUBLE, 3, hd, hs));
    cudnnRNNDataDescriptor_t xq, yq;
    OK(cudnnCreateRNNDataDescriptor(&xq));
    OK(cudnnCreateRNNDataDescriptor(&yq));
    double fill = -7;
    OK(cudnnSetRNNDataDescriptor(xq, CUDNN_DATA_DOUBLE,
                                 CUDNN_RNN_DATA_LAYOUT_BATCH_MAJOR_UNPACKED, STEPS, BATCH, in,
                                 lengths, nullptr));
    OK(cudnnSetRNNDataDescriptor(yq, CUDNN_DATA_DOUBLE,
                                 CUDNN_RNN_DATA_LAYOUT_BATCH_MAJOR_UNPACKED, STEPS, BATCH, width,
                                 lengths, &fill));
    size_t bytes = 0, reserve_bytes = 0, space;
    if (k.packed) {
        OK(cudnnGetRNNParamsSize(handle, rnn, xt[0], &bytes, CUDNN_DATA_DOUBLE));
        OK(cudnnGetRNNTrainingReserveSize(handle, rnn, STEPS, xt, &reserve_bytes));
        OK(cudnnGetRNNWorkspaceSize(handle, rnn, STEPS, xt, &space));
    } else {
        OK(cudnnGetRNNWeightSpaceSize(handle, rnn, &bytes));
        OK(cudnnGetRNNTempSpaceSizes(handle, rnn, CUDNN_FWD_MODE_TRAINING, xq, &space,
                                     &reserve_bytes));
    }
    const int weights = (int)(bytes / 8);
    void *reserve;
    cudaMalloc(&reserve, reserve_bytes);
    cudnnFilterDescriptor_t wt, part;
    const int wd[] = {weights, 1, 1};
    OK(cudnnCreateFilterDescriptor(&wt));
    OK(cudnnCreateFilterDescriptor(&part));
    OK(cudnnSetFilterNdDescriptor(wt, CUDNN_DATA_DOUBLE, CUDNN_TENSOR_NCHW, 3, wd));

    const vector<double> xv = numbers(cells * in), hv = numbers(states), cv = numbers(states),
                         wv = numbers(weights), gy = numbers(cells * width), gh = numbers(states),
                         gc = numbers(states);
    data x(xv), h(hv), c(cv), w(wv), y(gy), hy(gh), cy(gc), dy(gy), dhy(gh), dcy(gc), dx(xv),
        dh(hv), dc(cv), dw(vector<double>(weights, 0.0));
    const bool lstm = k.mode == CUDNN_LSTM;
    const auto forward = [&] {
        if (k.packed)
            OK(cudnnRNNForwardTraining(handle, rnn, STEPS, xt, x.p, ht, h.p, ht, c.p, wt, w.p, yt,
                                       y.p, ht, hy.p, ht, cy.p, nullptr, 0, reserve,
                                       reserve_bytes));
        else
            OK(cudnnRNNForward(handle, rnn, CUDNN_FWD_MODE_TRAINING, nullptr, xq, x.p, yq, y.p, ht,
                               h.p, hy.p, ht, c.p, cy.p, bytes, w.p, 0, nullptr, reserve_bytes,
                               reserve));
    };
    // y of steps that no sequence has is the fill: no slope
    const auto loss = [&] {
        forward();
        return dot(y.get(), gy) + dot(hy.get(), gh) + (lstm ? dot(cy.get(), gc) : 0);
    };

    // ---- the equations ----
    const auto linear = [&](int pseudo, int id, const vector<double> &v) {
        double *matrix = nullptr, *bias = nullptr;
        int columns = 0;
        if (k.packed) {
            cudnnDataType_t type;
            cudnnTensorFormat_t format;
            int rank, dim[3];
            OK(cudnnGetRNNLinLayerMatrixParams(handle, rnn, pseudo, xt[0], wt, w.p, id, part,
                                               (void **)&matrix));
            if (matrix) {
                OK(cudnnGetFilterNdDescriptor(part, 3, &type, &format, &rank, dim));
                columns = dim[0] * dim[1] * dim[2] / HIDDEN;
            }
            OK(cudnnGetRNNLinLayerBiasParams(handle, rnn, pseudo, xt[0], wt, w.p, id, part,
                                             (void **)&bias));
        } else {
            cudnnTensorDescriptor_t mt, bt;
            cudnnDataType_t type;
            int rank, dim[3], stride[3];
            OK(cudnnCreateTensorDescriptor(&mt));
            OK(cudnnCreateTensorDescriptor(&bt));
            OK(cudnnGetRNNWeightParams(handle, rnn, pseudo, bytes, w.p, id, mt, (void **)&matrix,
                                       bt, (void **)&bias));
            if (matrix) {
                OK(cudnnGetTensorNdDescriptor(mt, 3, &type, &rank, dim, stride));
                columns = dim[2];
            }
            OK(cudnnDestroyTensorDescriptor(mt));
            OK(cudnnDestroyTensorDescriptor(bt));
        }
        if (!bias || (!matrix && !(k.skip && pseudo < dirs && id < gates))) {
            printf("FAIL: no weights\n"), failures++;
            return vector<double>(HIDDEN);
        }
        vector<double> b(HIDDEN), m(HIDDEN * columns), r(HIDDEN);
        cudaMemcpy(b.data(), bias, HIDDEN * 8, cudaMemcpyDeviceToHost);
        if (matrix) cudaMemcpy(m.data(), matrix, m.size() * 8, cudaMemcpyDeviceToHost);
        if (matrix && columns != (int)v.size()) printf("FAIL: a matrix's width\n"), failures++;
        for (int j = 0; j < HIDDEN; j++) {
            r[j] = b[j] + (matrix ? 0 : v[j]);
            for (int i = 0; i < columns; i++) r[j] += m[j * columns + i] * v[i];
        }
        return r;
    };
    const auto s = [](double v) { return 1 / (1 + exp(-v)); };
    vector<double> expected(cells * width, k.packed ? 0 : -7), he(states), ce(states);
    for (int n = 0; n < BATCH; n++) {
        vector<vector<double>> inputs(lengths[n]);
        for (int t = 0; t < lengths[n]; t++)
            for (int i = 0; i < in; i++)
                inputs[t].push_back(xv[place(k.packed, t, n) * in + i]);
        for (int layer = 0; layer < k.layers; layer++) {
            vector<vector<double>> outputs(lengths[n], vector<double>(width));
            for (int dir = 0; dir < dirs; dir++) {
                const int pseudo = layer * dirs + dir, at = (pseudo * BATCH + n) * HIDDEN;
                vector<double> hs2(hv.begin() + at, hv.begin() + at + HIDDEN),
                    cs(cv.begin() + at, cv.begin() + at + HIDDEN);
                for (int step = 0; step < lengths[n]; step++) {
                    const int t = dir ? lengths[n] - 1 - step : step;
                    vector<vector<double>> a, b;
                    for (int g = 0; g < gates; g++) {
                        a.push_back(linear(pseudo, g, inputs[t]));
                        b.push_back(linear(pseudo, gates + g, hs2));
                    }
                    for (int j = 0; j < HIDDEN; j++) {
                        if (lstm) {
                            const double i = s(a[0][j] + b[0][j]), f = s(a[1][j] + b[1][j]),
                                         m = tanh(a[2][j] + b[2][j]), o = s(a[3][j] + b[3][j]);
                            cs[j] = f * cs[j] + i * m;
                            hs2[j] = o * tanh(cs[j]);
                        } else if (k.mode == CUDNN_GRU) {
                            const double r = s(a[0][j] + b[0][j]), i = s(a[1][j] + b[1][j]),
                                         m = tanh(a[2][j] + r * b[2][j]);
                            hs2[j] = (1 - i) * m + i * hs2[j];
                        } else {
                            const double v = a[0][j] + b[0][j];
                            hs2[j] = k.mode == CUDNN_RNN_RELU ? fmax(v, 0) : tanh(v);
                        }
                        outputs[t][dir * HIDDEN + j] = hs2[j];
                    }
                }
                for (int j = 0; j < HIDDEN; j++) he[at + j] = hs2[j], ce[at + j] = cs[j];
            }
            inputs = outputs;
        }
        for (int t = 0; t < lengths[n]; t++)
            for (int i = 0; i < width; i++)
                expected[place(k.packed, t, n) * width + i] = inputs[t][i];
    }
    forward();
    close(y.get(), expected, 1e-12, "output", k.name);
    close(hy.get(), he, 1e-12, "last state", k.name);
    if (lstm) close(cy.get(), ce, 1e-12, "last cell", k.name);
    if (k.packed)
        OK(cudnnRNNForwardInference(handle, rnn, STEPS, xt, x.p, ht, h.p, ht, c.p, wt, w.p, yt,
                                    y.p, ht, nullptr, ht, nullptr, nullptr, 0));
    else
        OK(cudnnRNNForward(handle, rnn, CUDNN_FWD_MODE_INFERENCE, nullptr, xq, x.p, yq, y.p, ht,
                           h.p, nullptr, ht, c.p, nullptr, bytes, w.p, 0, nullptr, 0, nullptr));
    close(y.get(), expected, 1e-12, "output of inference", k.name);

    // ---- the slopes ----
    const auto by = [&](data &d, const vector<double> &v) {
        const vector<double> r = slope([&](const vector<double> &a) { d.put(a); return loss(); },
                                       v);
        d.put(v);
        return r;
    };
    vector<double> by_x = by(x, xv), by_h = by(h, hv), by_w = by(w, wv), by_c = by(c, cv);
    forward();
    if (k.packed) {
        OK(cudnnRNNBackwardData(handle, rnn, STEPS, yt, y.p, yt, dy.p, ht, dhy.p, ht,
                                lstm ? dcy.p : nullptr, wt, w.p, ht, h.p, ht, c.p, xt, dx.p, ht,
                                dh.p, ht, dc.p, nullptr, 0, reserve, reserve_bytes));
        OK(cudnnRNNBackwardWeights(handle, rnn, STEPS, xt, x.p, ht, h.p, yt, y.p, nullptr, 0, wt,
                                   dw.p, reserve, reserve_bytes));
    } else {
        OK(cudnnRNNBackwardData_v8(handle, rnn, nullptr, yq, y.p, dy.p, xq, dx.p, ht, h.p, dhy.p,
                                   dh.p, ht, c.p, lstm ? dcy.p : nullptr, dc.p, bytes, w.p, 0,
                                   nullptr, reserve_bytes, reserve));
        OK(cudnnRNNBackwardWeights_v8(handle, rnn, CUDNN_WGRAD_MODE_ADD, nullptr, xq, x.p, ht, h.p,
                                      yq, y.p, bytes, dw.p, 0, nullptr, reserve_bytes, reserve));
    }
    close(dx.get(), by_x, 1e-6, "slope of the input", k.name);
    close(dh.get(), by_h, 1e-6, "slope of the first state", k.name);
    close(dw.get(), by_w, 1e-6, "slope of the weights", k.name);
    if (lstm) close(dc.get(), by_c, 1e-6, "slope of the first cell", k.name);
    cudaFree(reserve);
    OK(cudnnDestroyRNNDescriptor(rnn));
    OK(cudnnDestroyDropoutDescriptor(drop));
    OK(cudnnDestroyRNNDataDescriptor(xq));
    OK(cudnnDestroyRNNDataDescriptor(yq));
    OK(cudnnDestroyFilterDescriptor(wt));
    OK(cudnnDestroyFilterDescriptor(part));
    OK(cudnnDestroyTensorDescriptor(ht));
    for (int t = 0; t < STEPS; t++) {
        OK(cudnnDestroyTensorDescriptor(xt[t]));
        OK(cudnnDestroyTensorDescriptor(yt[t]));
    }
}

int main() {
    OK(cudnnCreate(&handle));
    const net nets[] = {{CUDNN_LSTM, false, false, true, 2, "LSTM by steps"},
                        {CUDNN_LSTM, true, false, false, 2, "LSTM in both directions"},
                        {CUDNN_GRU, false, false, false, 2, "GRU"},
                        {CUDNN_GRU, true, false, true, 2, "GRU by steps in both directions"},
                        {CUDNN_RNN_TANH, true, true, true, 2, "tanh by steps, without a matrix"},
                        {CUDNN_RNN_RELU, false, false, false, 1, "relu"},
                        {CUDNN_LSTM, false, true, false, 1, "LSTM without a matrix"}};
    for (const net &k : nets) run(k);
    OK(cudnnDestroy(handle));
    if (!failures) printf("PASS\n");
    return failures != 0;
}
