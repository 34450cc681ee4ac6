// SPDX-License-Identifier: Apache-2.0
// Convolutions in float by oneDNN, which is opened when the first one runs. Its C interface has
// two forms, those of oneDNN 2 and 3: descriptors are structures of the caller's in the one and
// handles in the other. Both are declared here as far as they are used, so that programs need no
// header of its; numbers and structures are those of its dnnl_types.h.
#ifndef CUDA_MORPH_CPU_DNN_ONEDNN_HPP
#define CUDA_MORPH_CPU_DNN_ONEDNN_HPP

#include <utility>
#include <vector>

namespace cm {
namespace dnn {

class onednn {
    using handle = void *;
    enum : int { F32 = 3, FORWARD_TRAINING = 64, DIRECT = 1, CPU = 1, DEFAULT = 1 };
    enum : int {
        SRC = 1,
        DST = 17,
        WEIGHTS = 33,
        DIFF_SRC = 129,
        DIFF_DST = 145,
        DIFF_WEIGHTS = 161
    };
    struct argument {
        int what;
        handle memory;
    };
    // Room for a descriptor of oneDNN 2, whose largest has about 6 KB; or a handle of oneDNN 3.
    struct alignas(64) room {
        unsigned char bytes[16384];
    };
    using dims = const int64_t *;

    int (*engine_create_)(handle *, int, size_t) = nullptr;
    int (*stream_create_)(handle *, handle, unsigned) = nullptr;
    int (*stream_wait_)(handle) = nullptr;
    int (*stream_destroy_)(handle) = nullptr;
    int (*primitive_create_)(handle *, handle) = nullptr;
    int (*primitive_destroy_)(handle) = nullptr;
    int (*description_destroy_)(handle) = nullptr;
    int (*memory_create_)(handle *, const void *, handle, void *) = nullptr;
    int (*memory_destroy_)(handle) = nullptr;
    int (*execute_)(handle, handle, int, const argument *) = nullptr;
    // oneDNN 2
    int (*strides2_)(void *, int, dims, int, dims) = nullptr;
    int (*forward2_)(void *, int, int, const void *, const void *, const void *, const void *,
                     dims, dims, dims, dims) = nullptr;
    int (*data2_)(void *, int, const void *, const void *, const void *, dims, dims, dims,
                  dims) = nullptr;
    int (*weight2_)(void *, int, const void *, const void *, const void *, const void *, dims,
                    dims, dims, dims) = nullptr;
    int (*describe2_)(handle *, const void *, handle, handle, handle) = nullptr;
    // oneDNN 3
    int (*strides3_)(handle *, int, dims, int, dims) = nullptr;
    int (*layout_destroy3_)(handle) = nullptr;
    int (*forward3_)(handle *, handle, int, int, handle, handle, handle, handle, dims, dims, dims,
                     dims, handle) = nullptr;
    int (*data3_)(handle *, handle, int, handle, handle, handle, dims, dims, dims, dims, handle,
                  handle) = nullptr;
    int (*weight3_)(handle *, handle, int, handle, handle, handle, handle, dims, dims, dims, dims,
                    handle, handle) = nullptr;
    handle engine_ = nullptr;
    bool third_ = false;

    template <class F> static void find(void *library, const char *name, F *f) {
        *f = library::symbol<F>(library, name);
    }
    onednn() {
        void *const lib = library::open(
            {"libdnnl.so.3", "libdnnl.so.3.6", "libdnnl.so.2", "libdnnl.dylib"}, nullptr);
        find(lib, "dnnl_engine_create", &engine_create_);
        find(lib, "dnnl_stream_create", &stream_create_);
        find(lib, "dnnl_stream_wait", &stream_wait_);
        find(lib, "dnnl_stream_destroy", &stream_destroy_);
        find(lib, "dnnl_primitive_create", &primitive_create_);
        find(lib, "dnnl_primitive_destroy", &primitive_destroy_);
        find(lib, "dnnl_primitive_desc_destroy", &description_destroy_);
        find(lib, "dnnl_memory_create", &memory_create_);
        find(lib, "dnnl_memory_destroy", &memory_destroy_);
        find(lib, "dnnl_primitive_execute", &execute_);
        find(lib, "dnnl_memory_desc_init_by_strides", &strides2_);
        find(lib, "dnnl_dilated_convolution_forward_desc_init", &forward2_);
        find(lib, "dnnl_dilated_convolution_backward_data_desc_init", &data2_);
        find(lib, "dnnl_dilated_convolution_backward_weights_desc_init", &weight2_);
        find(lib, "dnnl_primitive_desc_create", &describe2_);
        find(lib, "dnnl_memory_desc_create_with_strides", &strides3_);
        find(lib, "dnnl_memory_desc_destroy", &layout_destroy3_);
        find(lib, "dnnl_convolution_forward_primitive_desc_create", &forward3_);
        find(lib, "dnnl_convolution_backward_data_primitive_desc_create", &data3_);
        find(lib, "dnnl_convolution_backward_weights_primitive_desc_create", &weight3_);
        third_ = strides3_ && layout_destroy3_ && forward3_ && data3_ && weight3_;
        const bool second = strides2_ && forward2_ && data2_ && weight2_ && describe2_;
        const bool both = engine_create_ && stream_create_ && stream_wait_ && stream_destroy_ &&
                          primitive_create_ && primitive_destroy_ && description_destroy_ &&
                          memory_create_ && memory_destroy_ && execute_;
        if (!both || (!third_ && !second) || engine_create_(&engine_, CPU, 0)) engine_ = nullptr;
    }

    // How the numbers of a tensor lie; the filter's with a dimension for groups in front.
    struct layout {
        const onednn &all;
        room kept; // oneDNN 2
        handle made = nullptr;
        layout(const onednn &a, const volume &v, int groups, bool filter, int first) : all(a) {
            int64_t dim[6], stride[6];
            int n = 0;
            if (filter) dim[n] = groups, stride[n++] = v.n / groups * v.sn;
            dim[n] = filter ? v.n / groups : v.n, stride[n++] = v.sn;
            dim[n] = v.c, stride[n++] = v.sc;
            for (int d = first; d < 3; d++, n++) {
                dim[n] = v.size[d], stride[n] = v.step[d];
                if (!stride[n]) stride[n] = v.size[2] * v.step[2]; // a height that is not there
            }
            if (all.third_)
                all.strides3_(&made, n, dim, F32, stride);
            else if (!all.strides2_(kept.bytes, n, dim, F32, stride))
                made = kept.bytes;
        }
        ~layout() {
            if (all.third_ && made) all.layout_destroy3_(made);
        }
        layout(const layout &) = delete;
        layout &operator=(const layout &) = delete;
    };

  public:
    static const onednn &get() {
        static const onednn one;
        return one;
    }
    bool is_there() const { return engine_ != nullptr; }

    // Runs one convolution on dense floats; false: oneDNN does not do it.
    bool run(convolves what, const convolving &c, float *x, float *w, float *y) const {
        int64_t steps[3], dilations[3], before[3], after[3];
        for (int d = 0; d < 3; d++) {
            steps[d] = c.stride[d], dilations[d] = c.dilation[d] - 1, before[d] = c.padding[d];
            const int64_t reach = (c.y.size[d] - 1) * steps[d] +
                                  (c.w.size[d] - 1) * static_cast<int64_t>(c.dilation[d]) + 1;
            after[d] = reach - before[d] - c.x.size[d];
        }
        // its quick ways are for two dimensions, and know a third only where there is one
        const int first = c.x.size[0] == 1 && c.w.size[0] == 1 && c.y.size[0] == 1;
        const layout xl(*this, c.x, 1, false, first), wl(*this, c.w, c.groups, true, first),
            yl(*this, c.y, 1, false, first);
        if (!xl.made || !wl.made || !yl.made) return false;
        const dims stride = steps + first, dilation = dilations + first, padding = before + first,
                   behind = after + first;
        handle forward = nullptr, chosen = nullptr;
        room how;
        if (third_) {
            forward3_(&forward, engine_, FORWARD_TRAINING, DIRECT, xl.made, wl.made, nullptr,
                      yl.made, stride, dilation, padding, behind, nullptr);
            if (forward && what == convolves::data)
                data3_(&chosen, engine_, DIRECT, xl.made, wl.made, yl.made, stride, dilation,
                       padding, behind, forward, nullptr);
            if (forward && what == convolves::weight)
                weight3_(&chosen, engine_, DIRECT, xl.made, wl.made, nullptr, yl.made, stride,
                         dilation, padding, behind, forward, nullptr);
        } else {
            if (!forward2_(how.bytes, FORWARD_TRAINING, DIRECT, xl.made, wl.made, nullptr, yl.made,
                           stride, dilation, padding, behind))
                describe2_(&forward, how.bytes, nullptr, engine_, nullptr);
            if (forward && what == convolves::data &&
                !data2_(how.bytes, DIRECT, xl.made, wl.made, yl.made, stride, dilation, padding,
                        behind))
                describe2_(&chosen, how.bytes, nullptr, engine_, forward);
            if (forward && what == convolves::weight &&
                !weight2_(how.bytes, DIRECT, xl.made, wl.made, nullptr, yl.made, stride, dilation,
                          padding, behind))
                describe2_(&chosen, how.bytes, nullptr, engine_, forward);
        }
        if (what == convolves::forward) std::swap(chosen, forward);
        handle primitive = nullptr, stream = nullptr, memory[3] = {};
        bool done = chosen && !primitive_create_(&primitive, chosen) &&
                    !stream_create_(&stream, engine_, DEFAULT) &&
                    !memory_create_(&memory[0], xl.made, engine_, x) &&
                    !memory_create_(&memory[1], wl.made, engine_, w) &&
                    !memory_create_(&memory[2], yl.made, engine_, y);
        if (done) {
            const argument arguments[] = {
                {what == convolves::data ? DIFF_SRC : SRC, memory[0]},
                {what == convolves::weight ? DIFF_WEIGHTS : WEIGHTS, memory[1]},
                {what == convolves::forward ? DST : DIFF_DST, memory[2]}};
            done = !execute_(primitive, stream, 3, arguments) && !stream_wait_(stream);
        }
        for (handle m : memory)
            if (m) memory_destroy_(m);
        if (primitive) primitive_destroy_(primitive);
        if (stream) stream_destroy_(stream);
        if (chosen) description_destroy_(chosen);
        if (forward) description_destroy_(forward);
        return done;
    }
};

// Numbers as floats, where they lie in their volume; `turned`: the taps of a filter turned around.
template <class R>
inline std::vector<float> floats(const numbers<R> &from, const volume &v, bool turned) {
    std::vector<float> made(static_cast<size_t>(v.extent()));
    for (int64_t i = 0, n = v.count(); i < n; i++) {
        int a, b, s[3];
        v.index(i, &a, &b, s);
        const int64_t p = v.place(a, b, s);
        for (int d = 0; turned && d < 3; d++) s[d] = v.size[d] - 1 - s[d];
        made[static_cast<size_t>(v.place(a, b, s))] = static_cast<float>(from.get(p));
    }
    return made;
}

// Puts the convolution into the handle's stream, if oneDNN is there and float will do; *status:
// what became of it. put(i, v) takes element i of the result; `plain`: it stores it as it is.
template <class R, class Put>
inline bool by_onednn(cmDnnHandle_t h, convolves what, const convolving &c, const numbers<R> &x,
                      const numbers<R> &w, const numbers<R> &y, bool plain, Put put,
                      cmDnnStatus_t *status) {
    if (!h || sizeof(R) > sizeof(float) || !onednn::get().is_there()) return false;
    const auto work = [=] {
        const numbers<R> kept[] = {x, w, y};
        const volume *const lie[] = {&c.x, &c.w, &c.y};
        const volume &out = c.result(what);
        const int result = &out == &c.x ? 0 : &out == &c.w ? 1 : 2;
        std::vector<float> made[3];
        float *at[3];
        for (int i = 0; i < 3; i++) {
            const bool turn = c.turned && i == 1, as_it_is = kept[i].type == CM_DNN_DATA_FLOAT;
            at[i] = static_cast<float *>(kept[i].data);
            if (i == result ? as_it_is && plain && !turn : as_it_is && !turn) continue;
            if (i == result)
                made[i].resize(static_cast<size_t>(lie[i]->extent()));
            else
                made[i] = floats(kept[i], *lie[i], turn);
            at[i] = made[i].data();
        }
        const bool done = onednn::get().run(what, c, at[0], at[1], at[2]);
        if (done && made[result].empty()) return;
        for (int64_t i = 0, n = out.count(); i < n; i++) {
            int a, b, s[3];
            out.index(i, &a, &b, s);
            for (int d = 0; c.turned && result == 1 && d < 3; d++) s[d] = out.size[d] - 1 - s[d];
            put(i, done ? static_cast<R>(made[result][static_cast<size_t>(out.place(a, b, s))])
                        : c.element(what, x, w, y, i));
        }
    };
    *status =
        library::enqueue(h->stream, work) ? CM_DNN_STATUS_EXECUTION_FAILED : CM_DNN_STATUS_SUCCESS;
    return true;
}

} // namespace dnn
} // namespace cm

#endif
