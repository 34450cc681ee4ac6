// SPDX-License-Identifier: Apache-2.0
// What cuDNN's recurrent networks compute: cells with relu or tanh, LSTM, GRU, in layers and two
// directions, over sequences of different lengths; and their slopes. The equations are those of
// cuDNN's documentation (cudnnRNNMode_t): the GRU's reset gate acts behind the recurrent product.
// A network is one piece of work in its stream, on one thread.
#ifndef CUDA_MORPH_CPU_DNN_RNN_ENGINE_HPP
#define CUDA_MORPH_CPU_DNN_RNN_ENGINE_HPP

namespace cm {
namespace dnn {

// What a network is; cmDnnRNNDescriptor_t points to it.
struct recurrent {
    cmDnnRNNMode_t mode = CM_DNN_RNN_TANH;
    cmDnnRNNBiasMode_t bias = CM_DNN_RNN_DOUBLE_BIAS;
    cmDnnDirectionMode_t direction = CM_DNN_UNIDIRECTIONAL;
    cmDnnRNNInputMode_t input = CM_DNN_LINEAR_INPUT;
    cmDnnRNNAlgo_t algorithm = CM_DNN_RNN_ALGO_STANDARD;
    cmDnnDataType_t type = CM_DNN_DATA_FLOAT, precision = CM_DNN_DATA_FLOAT;
    cmDnnMathType_t math = CM_DNN_DEFAULT_MATH;
    int input_size = 0, hidden = 0, layers = 0;
    dropping *drop = nullptr;
    unsigned padded = CM_DNN_RNN_PADDED_IO_DISABLED;

    int directions() const { return direction == CM_DNN_BIDIRECTIONAL ? 2 : 1; }
    int gates() const { return mode == CM_DNN_LSTM ? 4 : mode == CM_DNN_GRU ? 3 : 1; }
    int width() const { return directions() * hidden; } // of a layer's output
    float rate() const { return drop ? drop->rate : 0; }
};

// The sequences of a batch; cmDnnRNNDataDescriptor_t points to it.
struct sequences {
    cmDnnDataType_t type = CM_DNN_DATA_FLOAT;
    cmDnnRNNDataLayout_t layout = CM_DNN_RNN_DATA_LAYOUT_SEQ_MAJOR_PACKED;
    int longest = 0, batch = 0, vector = 0;
    std::vector<int> length;     // of each
    double fill = 0;             // what stands behind a sequence's end in results
    std::vector<int64_t> before; // packed: how many elements the steps before have

    void packed() {
        before.assign(static_cast<size_t>(longest) + 1, 0);
        for (int t = 0; t < longest; t++) {
            int64_t n = before[static_cast<size_t>(t)];
            for (int l : length) n += l > t;
            before[static_cast<size_t>(t) + 1] = n;
        }
    }
    int64_t place(int t, int n) const {
        const int64_t at = layout == CM_DNN_RNN_DATA_LAYOUT_SEQ_MAJOR_PACKED
                               ? before[static_cast<size_t>(t)] + n
                           : layout == CM_DNN_RNN_DATA_LAYOUT_SEQ_MAJOR_UNPACKED
                               ? static_cast<int64_t>(t) * batch + n
                               : static_cast<int64_t>(n) * longest + t;
        return at * vector;
    }
};

// Where a network's weights lie, in elements: all matrices, then all biases.
struct weighing {
    const recurrent &net;
    int input;
    explicit weighing(const recurrent &r, int size) : net(r), input(size) {}

    int inputs(int layer) const { return layer ? net.width() : input; }
    bool skips(int layer) const { return !layer && net.input == CM_DNN_SKIP_INPUT; }
    int64_t matrices(int layer) const { // of one direction
        const int64_t own = static_cast<int64_t>(net.hidden) * net.hidden,
                      in = static_cast<int64_t>(net.hidden) * inputs(layer);
        return net.gates() * (own + (skips(layer) ? 0 : in));
    }
    int64_t all_matrices() const {
        int64_t n = 0;
        for (int l = 0; l < net.layers; l++) n += net.directions() * matrices(l);
        return n;
    }
    // Of linear layer `id` (the input's gates, then the recurrent ones) of a pseudo layer.
    int64_t matrix(int pseudo, int id) const {
        const int layer = pseudo / net.directions(), g = net.gates();
        int64_t at = pseudo % net.directions() * matrices(layer);
        for (int l = 0; l < layer; l++) at += net.directions() * matrices(l);
        const int64_t in = skips(layer) ? 0 : static_cast<int64_t>(net.hidden) * inputs(layer);
        if (id < g) return at + id * in;
        return at + g * in + static_cast<int64_t>(id - g) * net.hidden * net.hidden;
    }
    int biases() const { // how many of each gate
        return net.bias == CM_DNN_RNN_NO_BIAS ? 0 : net.bias == CM_DNN_RNN_DOUBLE_BIAS ? 2 : 1;
    }
    // -1: it has none
    int64_t bias(int pseudo, int id) const {
        const int g = net.gates();
        const bool recurrent = id >= g;
        if (!biases() || (net.bias == CM_DNN_RNN_SINGLE_INP_BIAS && recurrent) ||
            (net.bias == CM_DNN_RNN_SINGLE_REC_BIAS && !recurrent))
            return -1;
        const int64_t index = net.bias == CM_DNN_RNN_DOUBLE_BIAS ? id : id % g;
        return all_matrices() + (static_cast<int64_t>(pseudo) * g * biases() + index) * net.hidden;
    }
    int64_t count() const {
        return all_matrices() + static_cast<int64_t>(net.layers) * net.directions() * net.gates() *
                                    biases() * net.hidden;
    }
};

// One network at work. What the way back needs of the way forward lies in the reserve space: for
// each pseudo layer, step and sequence the gates, the recurrent part of the GRU's new gate, cell
// and output, and the slopes of the gates, which the weights' slopes are made of; then what
// dropout left of each layer's output.
template <class R> struct network {
    recurrent net;
    sequences xs, ys;
    R *reserve = nullptr;
    const weighing weights{net, xs.vector};

    network(const recurrent &r, const sequences &x, const sequences &y) : net(r), xs(x), ys(y) {}
    network(const network &o) : net(o.net), xs(o.xs), ys(o.ys), reserve(o.reserve) {}

    enum part { PRODUCT, CELL, OUTPUT, PARTS };
    int64_t kept() const {
        return (2 * net.gates() + 1 + PARTS) * static_cast<int64_t>(net.hidden);
    }
    int64_t cells() const { return static_cast<int64_t>(xs.longest) * xs.batch; }
    int64_t reserved() const {
        return net.layers * net.directions() * cells() * kept() +
               (net.layers - 1) * cells() * net.width();
    }
    R *record(int pseudo, int t, int n) const {
        return reserve + (pseudo * cells() + static_cast<int64_t>(t) * xs.batch + n) * kept();
    }
    R *gate(int pseudo, int t, int n, int g) const {
        return record(pseudo, t, n) + g * net.hidden;
    }
    R *value(int pseudo, int t, int n, part p) const {
        return record(pseudo, t, n) + (net.gates() + p) * net.hidden;
    }
    R *grown(int pseudo, int t, int n, int g) const { // g == gates(): of the GRU's product
        return record(pseudo, t, n) + (net.gates() + PARTS + g) * net.hidden;
    }
    R *mask(int layer, int t, int n) const {
        return reserve + net.layers * net.directions() * cells() * kept() +
               (layer * cells() + static_cast<int64_t>(t) * xs.batch + n) * net.width();
    }
    int length(int n) const { return xs.length[static_cast<size_t>(n)]; }
    // The step before in a direction; -1: none.
    int previous(int dir, int t, int n) const {
        return dir ? (t + 1 < length(n) ? t + 1 : -1) : t - 1;
    }
    static R sigmoid(R v) { return R(1) / (R(1) + exp(-v)); }

    // What a layer gets, from x or from the layer below.
    void take(int layer, const numbers<R> &x, int t, int n, R *to) const {
        const int size = weights.inputs(layer);
        if (!layer) {
            const int64_t at = xs.place(t, n);
            for (int i = 0; i < size; i++) to[i] = x.get(at + i);
            return;
        }
        for (int i = 0; i < size; i++)
            to[i] = value((layer - 1) * net.directions() + i / net.hidden, t, n,
                          OUTPUT)[i % net.hidden] *
                    mask(layer - 1, t, n)[i];
    }
    // sum += matrix * v, by rows
    static void multiply(const numbers<R> &w, int64_t at, const R *v, int rows, int columns,
                         R *sum) {
        for (int r = 0; r < rows; r++) {
            R s = 0;
            for (int c = 0; c < columns; c++)
                s += w.get(at + static_cast<int64_t>(r) * columns + c) * v[c];
            sum[r] += s;
        }
    }
    static void multiply_turned(const numbers<R> &w, int64_t at, const R *v, int rows, int columns,
                                R *sum) {
        for (int r = 0; r < rows; r++)
            for (int c = 0; c < columns; c++)
                sum[c] += w.get(at + static_cast<int64_t>(r) * columns + c) * v[r];
    }
    void add_bias(const numbers<R> &w, int pseudo, int id, R *sum) const {
        const int64_t at = weights.bias(pseudo, id);
        for (int j = 0; at >= 0 && j < net.hidden; j++) sum[j] += w.get(at + j);
    }

    // One step of one sequence; `in`: the layer's input, `h`, `c`: the state, renewed.
    void step(const numbers<R> &w, int pseudo, int t, int n, const R *in, R *h, R *c) const {
        const int layer = pseudo / net.directions(), many = net.gates(), size = net.hidden;
        std::vector<R> by_input(static_cast<size_t>(size)), by_state(static_cast<size_t>(size));
        for (int g = 0; g < many; g++) {
            std::fill(by_input.begin(), by_input.end(), R(0));
            std::fill(by_state.begin(), by_state.end(), R(0));
            if (weights.skips(layer))
                std::copy(in, in + size, by_input.begin());
            else
                multiply(w, weights.matrix(pseudo, g), in, size, weights.inputs(layer),
                         by_input.data());
            add_bias(w, pseudo, g, by_input.data());
            multiply(w, weights.matrix(pseudo, many + g), h, size, size, by_state.data());
            add_bias(w, pseudo, many + g, by_state.data());
            R *const out = gate(pseudo, t, n, g);
            const bool last = g == 2; // of the GRU the new memory, of the LSTM the new cell
            for (int j = 0; j < size; j++) {
                const auto u = static_cast<size_t>(j);
                if (net.mode == CM_DNN_GRU && last) {
                    value(pseudo, t, n, PRODUCT)[j] = by_state[u];
                    out[j] = tanh(by_input[u] + gate(pseudo, t, n, 0)[j] * by_state[u]);
                    continue;
                }
                const R v = by_input[u] + by_state[u];
                out[j] = net.mode == CM_DNN_RNN_RELU           ? (v > R(0) ? v : R(0))
                         : net.mode == CM_DNN_RNN_TANH || last ? tanh(v)
                                                               : sigmoid(v);
            }
        }
        for (int j = 0; j < size; j++) {
            const auto g = [&](int k) { return gate(pseudo, t, n, k)[j]; };
            if (net.mode == CM_DNN_LSTM) {
                c[j] = g(1) * c[j] + g(0) * g(2);
                h[j] = g(3) * tanh(c[j]);
            } else {
                h[j] = net.mode == CM_DNN_GRU ? (R(1) - g(1)) * g(2) + g(1) * h[j] : g(0);
            }
            value(pseudo, t, n, CELL)[j] = c[j];
            value(pseudo, t, n, OUTPUT)[j] = h[j];
        }
    }

    void forward(const numbers<R> &x, const numbers<R> &w, const numbers<R> &hx,
                 const numbers<R> &cx, const numbers<R> &y, const numbers<R> &hy,
                 const numbers<R> &cy, bool training) const {
        const int size = net.hidden, both = net.directions();
        const auto wide = static_cast<size_t>(size);
        std::vector<R> in, h(wide), c(wide);
        for (int layer = 0; layer < net.layers; layer++) {
            in.resize(static_cast<size_t>(weights.inputs(layer)));
            for (int dir = 0; dir < both; dir++)
                for (int n = 0; n < xs.batch; n++) {
                    const int pseudo = layer * both + dir;
                    const int64_t state = (static_cast<int64_t>(pseudo) * xs.batch + n) * size;
                    for (int j = 0; j < size; j++) {
                        h[static_cast<size_t>(j)] = hx.data ? hx.get(state + j) : R(0);
                        c[static_cast<size_t>(j)] = cx.data ? cx.get(state + j) : R(0);
                    }
                    for (int s = 0; s < length(n); s++) {
                        const int t = dir ? length(n) - 1 - s : s;
                        take(layer, x, t, n, in.data());
                        step(w, pseudo, t, n, in.data(), h.data(), c.data());
                    }
                    for (int j = 0; j < size; j++) {
                        if (hy.data) hy.put(state + j, h[static_cast<size_t>(j)]);
                        if (cy.data) cy.put(state + j, c[static_cast<size_t>(j)]);
                    }
                }
            if (layer + 1 < net.layers) leave_out(layer, training);
        }
        const bool unpacked = ys.layout != CM_DNN_RNN_DATA_LAYOUT_SEQ_MAJOR_PACKED;
        for (int n = 0; n < xs.batch; n++)
            for (int t = 0; t < (unpacked ? ys.longest : length(n)); t++)
                for (int i = 0; i < net.width(); i++)
                    y.put(ys.place(t, n) + i,
                          t < length(n)
                              ? value((net.layers - 1) * both + i / size, t, n, OUTPUT)[i % size]
                              : static_cast<R>(ys.fill));
    }
    // Dropout between two layers.
    void leave_out(int layer, bool training) const {
        const float rate = training ? net.rate() : 0;
        uint64_t *const states = net.drop ? net.drop->states : nullptr;
        const R larger = rate < 1 ? R(1) / (R(1) - static_cast<R>(rate)) : R(0);
        for (int t = 0; t < xs.longest; t++)
            for (int n = 0; n < xs.batch; n++)
                for (int i = 0; i < net.width(); i++) {
                    const bool stays =
                        rate <= 0 || !states || drawn(states[0], states[1]++) >= rate;
                    mask(layer, t, n)[i] = stays ? larger : R(0);
                }
    }

    // The slopes of a step's gates from that of its output, dh, and of its cell, dc; both become
    // those of the state before.
    void step_back(const numbers<R> &w, int pseudo, int t, int n, const R *h, const R *c, R *dh,
                   R *dc) const {
        const int many = net.gates(), size = net.hidden;
        for (int j = 0; j < size; j++) {
            const auto g = [&](int k) { return gate(pseudo, t, n, k)[j]; };
            const auto d = [&](int k) -> R & { return grown(pseudo, t, n, k)[j]; };
            if (net.mode == CM_DNN_LSTM) {
                const R cell = tanh(value(pseudo, t, n, CELL)[j]);
                d(3) = dh[j] * cell * g(3) * (R(1) - g(3));
                dc[j] += dh[j] * g(3) * (R(1) - cell * cell);
                d(0) = dc[j] * g(2) * g(0) * (R(1) - g(0));
                d(1) = dc[j] * c[j] * g(1) * (R(1) - g(1));
                d(2) = dc[j] * g(0) * (R(1) - g(2) * g(2));
                dc[j] *= g(1);
                dh[j] = 0;
            } else if (net.mode == CM_DNN_GRU) {
                d(2) = dh[j] * (R(1) - g(1)) * (R(1) - g(2) * g(2));
                d(1) = dh[j] * (h[j] - g(2)) * g(1) * (R(1) - g(1));
                d(0) = d(2) * value(pseudo, t, n, PRODUCT)[j] * g(0) * (R(1) - g(0));
                d(3) = d(2) * g(0);
                dh[j] *= g(1);
            } else {
                const R v = g(0);
                d(0) = dh[j] * (net.mode == CM_DNN_RNN_TANH ? R(1) - v * v
                                : v > R(0)                  ? R(1)
                                                            : R(0));
                dh[j] = 0;
            }
        }
        for (int g = 0; g < many; g++)
            multiply_turned(w, weights.matrix(pseudo, many + g), by_state(pseudo, t, n, g), size,
                            size, dh);
    }
    // The slope that the recurrent product of a gate has.
    R *by_state(int pseudo, int t, int n, int g) const {
        return grown(pseudo, t, n, net.mode == CM_DNN_GRU && g == 2 ? 3 : g);
    }
    // The state that a step of a direction began with.
    void began(int pseudo, int t, int n, const numbers<R> &hx, const numbers<R> &cx, R *h,
               R *c) const {
        const int size = net.hidden, before = previous(pseudo % net.directions(), t, n);
        const int64_t state = (static_cast<int64_t>(pseudo) * xs.batch + n) * size;
        for (int j = 0; j < size; j++) {
            h[j] = before >= 0 ? value(pseudo, before, n, OUTPUT)[j]
                   : hx.data   ? hx.get(state + j)
                               : R(0);
            c[j] = before >= 0 ? value(pseudo, before, n, CELL)[j]
                   : cx.data   ? cx.get(state + j)
                               : R(0);
        }
    }

    void backward(const numbers<R> &dy, const numbers<R> &dhy, const numbers<R> &dcy,
                  const numbers<R> &w, const numbers<R> &hx, const numbers<R> &cx,
                  const numbers<R> &dx, const numbers<R> &dhx, const numbers<R> &dcx) const {
        const int size = net.hidden, both = net.directions(), width = net.width();
        const auto wide = static_cast<size_t>(size);
        // of the output of a layer, and of its input
        std::vector<R> above(static_cast<size_t>(cells() * width)), below;
        for (int n = 0; n < xs.batch; n++)
            for (int t = 0; t < length(n); t++)
                for (int i = 0; i < width; i++)
                    above[static_cast<size_t>((static_cast<int64_t>(t) * xs.batch + n) * width +
                                              i)] = dy.get(ys.place(t, n) + i);
        std::vector<R> h(wide), c(wide), dh(wide), dc(wide);
        for (int layer = net.layers - 1; layer >= 0; layer--) {
            const int in = weights.inputs(layer);
            below.assign(static_cast<size_t>(cells() * in), R(0));
            for (int dir = 0; dir < both; dir++)
                for (int n = 0; n < xs.batch; n++) {
                    const int pseudo = layer * both + dir;
                    const int64_t state = (static_cast<int64_t>(pseudo) * xs.batch + n) * size;
                    for (int j = 0; j < size; j++) {
                        dh[static_cast<size_t>(j)] = dhy.data ? dhy.get(state + j) : R(0);
                        dc[static_cast<size_t>(j)] = dcy.data ? dcy.get(state + j) : R(0);
                    }
                    for (int s = length(n) - 1; s >= 0; s--) {
                        const int t = dir ? length(n) - 1 - s : s;
                        const int64_t cell = static_cast<int64_t>(t) * xs.batch + n;
                        for (int j = 0; j < size; j++)
                            dh[static_cast<size_t>(j)] +=
                                above[static_cast<size_t>(cell * width + dir * size + j)];
                        began(pseudo, t, n, hx, cx, h.data(), c.data());
                        step_back(w, pseudo, t, n, h.data(), c.data(), dh.data(), dc.data());
                        R *const to = below.data() + cell * in;
                        for (int g = 0; g < net.gates(); g++) {
                            const R *const d = grown(pseudo, t, n, g);
                            for (int j = 0; weights.skips(layer) && j < size; j++) to[j] += d[j];
                            if (!weights.skips(layer))
                                multiply_turned(w, weights.matrix(pseudo, g), d, size, in, to);
                        }
                    }
                    for (int j = 0; j < size; j++) {
                        if (dhx.data) dhx.put(state + j, dh[static_cast<size_t>(j)]);
                        if (dcx.data) dcx.put(state + j, dc[static_cast<size_t>(j)]);
                    }
                }
            if (!layer) break;
            for (int t = 0; t < xs.longest; t++)
                for (int n = 0; n < xs.batch; n++)
                    for (int i = 0; i < in; i++)
                        below[static_cast<size_t>((static_cast<int64_t>(t) * xs.batch + n) * in +
                                                  i)] *= mask(layer - 1, t, n)[i];
            above.swap(below);
        }
        const bool unpacked = xs.layout != CM_DNN_RNN_DATA_LAYOUT_SEQ_MAJOR_PACKED;
        for (int n = 0; dx.data && n < xs.batch; n++)
            for (int t = 0; t < (unpacked ? xs.longest : length(n)); t++)
                for (int i = 0; i < xs.vector; i++)
                    dx.put(xs.place(t, n) + i,
                           below[static_cast<size_t>(
                               (static_cast<int64_t>(t) * xs.batch + n) * xs.vector + i)]);
    }

    // Adds to the slopes of all weights what backward() left.
    void weigh(const numbers<R> &x, const numbers<R> &hx, const numbers<R> &dw) const {
        const int size = net.hidden, many = net.gates();
        const numbers<R> none = {nullptr, x.type};
        std::vector<R> in, h(static_cast<size_t>(size)), c(static_cast<size_t>(size));
        const auto add = [&](int64_t at, const R *rows, const R *columns, int width) {
            for (int r = 0; r < size; r++)
                for (int k = 0; k < width; k++) {
                    const int64_t p = at + static_cast<int64_t>(r) * width + k;
                    dw.put(p, dw.get(p) + rows[r] * (columns ? columns[k] : R(1)));
                }
        };
        for (int pseudo = 0; pseudo < net.layers * net.directions(); pseudo++) {
            const int layer = pseudo / net.directions();
            in.resize(static_cast<size_t>(weights.inputs(layer)));
            for (int n = 0; n < xs.batch; n++)
                for (int t = 0; t < length(n); t++) {
                    take(layer, x, t, n, in.data());
                    began(pseudo, t, n, hx, none, h.data(), c.data());
                    for (int g = 0; g < many; g++) {
                        const R *const d = grown(pseudo, t, n, g), *const e =
                                                                       by_state(pseudo, t, n, g);
                        if (!weights.skips(layer))
                            add(weights.matrix(pseudo, g), d, in.data(), weights.inputs(layer));
                        add(weights.matrix(pseudo, many + g), e, h.data(), size);
                        const int64_t one = weights.bias(pseudo, g),
                                      two = weights.bias(pseudo, many + g);
                        if (one >= 0) add(one, d, nullptr, 1);
                        if (two >= 0) add(two, e, nullptr, 1);
                    }
                }
        }
    }
};

} // namespace dnn
} // namespace cm

#endif
