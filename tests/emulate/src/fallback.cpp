// fallback.cpp - every operator of the device is the CPU's, on tensors that share the memory.
#include "emulated.h"

#include <ATen/autocast_mode.h>
#include <ATen/core/LegacyTypeDispatch.h>
#include <torch/library.h>

#include <set>
#include <string>

namespace emulated {

// ---- one call ----

c10::DeviceIndex Call::index() const { return index_ < 0 ? current_device() : index_; }

c10::Storage Call::host_storage(const c10::Storage &device) {
    for (auto &[d, h] : storages_)
        if (d.is_alias_of(device)) return h;
    auto *keep = new c10::Storage(device);
    c10::DataPtr data(
        device.mutable_data(), keep, [](void *p) { delete static_cast<c10::Storage *>(p); },
        c10::Device(c10::kCPU));
    auto *cpu = c10::GetAllocator(c10::kCPU);
    storages_.emplace_back(device, c10::Storage({}, device.nbytes(), std::move(data), cpu, true));
    addresses_.push_back(device.mutable_data());
    return storages_.back().second;
}

c10::Storage Call::device_storage(const c10::Storage &host) {
    for (auto &[d, h] : storages_)
        if (h.is_alias_of(host)) return d;
    for (auto &[h, d] : made_)
        if (h.is_alias_of(host)) return d;
    made_.emplace_back(host, adopt(host, index()));
    return made_.back().second;
}

at::Tensor tensor_like(const at::Tensor &t, c10::Storage storage, c10::DispatchKey key) {
    auto made = at::detail::make_tensor<c10::TensorImpl>(std::move(storage),
                                                         c10::DispatchKeySet(key), t.dtype());
    auto *impl = made.unsafeGetTensorImpl();
    impl->set_sizes_and_strides(t.sizes(), t.strides(), t.storage_offset());
    if (t.unsafeGetTensorImpl()->is_wrapped_number()) impl->set_wrapped_number(true);
    if (t.is_conj()) made._set_conj(true);
    if (t.is_neg()) made._set_neg(true);
    return made;
}

at::Tensor Call::to_host(const at::Tensor &t) {
    if (!t.defined()) return t;
    if (!is_emulated(t)) {
        if (t.device().is_cpu() && t.layout() == c10::kStrided && t.has_storage()) {
            strangers_.push_back(t.storage());
            if (t.dim() > 0) stranger_ = t;
        }
        return t;
    }
    for (auto &[d, h] : pairs_)
        if (d.is_same(t)) return h;
    TORCH_CHECK_NOT_IMPLEMENTED(t.layout() == c10::kStrided, "sparse tensors are not emulated");
    if (index_ < 0) index_ = t.device().index();
    if (!first_.defined()) first_ = t;
    if (first_.device() != t.device() && t.dim() > 0) mixed_ = true, stranger_ = t;
    pairs_.emplace_back(t, tensor_like(t, host_storage(t.storage()), c10::DispatchKey::CPU));
    return pairs_.back().second;
}

c10::IValue Call::to_host(const c10::IValue &value) {
    if (value.isTensor()) return to_host(value.toTensor());
    if (value.isTensorList()) {
        c10::List<at::Tensor> list;
        for (const at::Tensor &t : value.toTensorVector()) list.push_back(to_host(t));
        return list;
    }
    if (value.isOptionalTensorList()) {
        c10::List<std::optional<at::Tensor>> list;
        for (const std::optional<at::Tensor> &t : value.toOptionalTensorVector())
            list.push_back(t ? std::optional<at::Tensor>(to_host(*t)) : std::nullopt);
        return list;
    }
    if (value.isDevice()) {
        auto d = value.toDevice();
        keep_on_host |= d.type() == c10::kCPU;
        if (d.type() != kind.type) return value;
        index_ = d.has_index() ? d.index() : current_device();
        TORCH_CHECK(index_ < kind.count, "invalid device ordinal ", static_cast<int>(index_));
        return c10::Device(c10::kCPU);
    }
    if (value.isGenerator()) return host_generator(value.toGenerator());
    if (value.isStorage() && value.toStorage().device_type() == kind.type)
        return host_storage(value.toStorage());
    return value;
}

at::Tensor Call::to_device(const at::Tensor &t) {
    if (!t.defined() || !t.device().is_cpu()) return t;
    for (auto &[d, h] : pairs_)
        if (h.is_same(t)) return d;
    if (keep_on_host) return t;
    TORCH_CHECK_NOT_IMPLEMENTED(t.layout() == c10::kStrided && t.has_storage(),
                                "sparse tensors are not emulated");
    for (auto &s : strangers_)
        if (s.is_alias_of(t.storage())) return t;
    // A view has the keys of its base: that of an ordinary tensor is one in inference mode, too.
    for (auto &[d, h] : pairs_) {
        if (!h.storage().is_alias_of(t.storage())) continue;
        auto view = at::detail::make_tensor<c10::TensorImpl>(
            c10::TensorImpl::VIEW, c10::Storage(d.storage()), d.key_set(), t.dtype());
        view.unsafeGetTensorImpl()->set_sizes_and_strides(t.sizes(), t.strides(),
                                                          t.storage_offset());
        view._set_conj(t.is_conj());
        view._set_neg(t.is_neg());
        return view;
    }
    return tensor_like(t, device_storage(t.storage()), kind.key);
}

c10::IValue Call::to_device(const c10::IValue &value) {
    if (value.isTensor()) return to_device(value.toTensor());
    if (value.isTensorList()) {
        c10::List<at::Tensor> list;
        for (const at::Tensor &t : value.toTensorVector()) list.push_back(to_device(t));
        return list;
    }
    return value;
}

void Call::write_back() {
    for (size_t i = 0; i < storages_.size(); i++)
        if (storages_[i].second.mutable_data() != addresses_[i])
            adopt_into(storages_[i].first, storages_[i].second);
    for (auto &[d, h] : pairs_) {
        auto *impl = d.unsafeGetTensorImpl();
        auto storage = device_storage(h.storage());
        if (!storage.is_alias_of(d.storage())) impl->set_storage_keep_dtype(storage);
        if (d.sizes() != h.sizes() || d.strides() != h.strides() ||
            d.storage_offset() != h.storage_offset())
            impl->set_sizes_and_strides(h.sizes(), h.strides(), h.storage_offset());
    }
}

void Call::check_devices(const char *operator_name) const {
    // Indices and the like may be the CPU's; kernels of vendors copy them.
    static const std::set<std::string> mixing = {
        "aten::index",         "aten::index_put_",          "aten::index_put",
        "aten::copy_",         "aten::_copy_from",          "aten::_copy_from_and_resize",
        "aten::set_",          "aten::_index_put_impl_",    "aten::_pack_padded_sequence",
        "aten::_ctc_loss",     "aten::_unsafe_index_put",   "aten::_ctc_loss_backward",
        "aten::_unsafe_index", "aten::_pad_packed_sequence"};
    if (!first_.defined() || !stranger_.defined() || mixing.count(operator_name)) return;
    TORCH_CHECK(false,
                "Expected all tensors to be on the same device, but found at least two "
                "devices, ",
                first_.device(), " and ", stranger_.device(), "! (when running ", operator_name,
                ")");
}

// ---- kernels ----

static void run_on_host(const c10::OperatorHandle &op, torch::jit::Stack *stack) {
    const auto &schema = op.schema();
    const auto &name = schema.name();
    TORCH_CHECK_NOT_IMPLEMENTED(name.rfind("aten::", 0) == 0 || name.rfind("prims::", 0) == 0 ||
                                    name.rfind("torchvision::", 0) == 0,
                                "there is no kernel of ", name, " for the emulated device");
    size_t begin = stack->size() - schema.arguments().size();
    std::vector<c10::IValue> arguments(stack->begin() + begin, stack->end());
    bool watched = capturing();
    if (watched) graph_sees(arguments);
    Call call;
    for (size_t i = begin; i < stack->size(); i++) (*stack)[i] = call.to_host((*stack)[i]);
    call.check_devices(name.c_str());
    {
        at::AutoDispatchBelowADInplaceOrView below;
        c10::impl::ExcludeDispatchKeyGuard no_autocast(c10::autocast_dispatch_keyset);
        op.callBoxed(stack);
    }
    call.write_back();
    // The lengths of packed sequences live on the CPU on every device.
    bool lengths = name == "aten::_pack_padded_sequence";
    for (size_t i = begin; i < stack->size(); i++)
        if (!lengths || i == begin) (*stack)[i] = call.to_device((*stack)[i]);
    if (watched) graph_saw(op, std::move(arguments), {stack->begin() + begin, stack->end()});
}

static at::Tensor copy_from(const at::Tensor &from, const at::Tensor &to, bool non_blocking) {
    const_cast<at::Tensor &>(to).copy_(from, non_blocking);
    return to;
}

// What LSTM and GRU call on an accelerator, in operators that have derivatives.
static std::tuple<at::Tensor, at::Tensor, at::Tensor>
lstm_cell(const at::Tensor &input, const at::Tensor &hidden, const at::Tensor &cx,
          const std::optional<at::Tensor> &b_input, const std::optional<at::Tensor> &b_hidden) {
    auto gates = input + hidden;
    if (b_input && b_input->defined()) gates = gates + *b_input;
    if (b_hidden && b_hidden->defined()) gates = gates + *b_hidden;
    auto parts = gates.unsafe_chunk(4, 1);
    auto cy = parts[1].sigmoid() * cx + parts[0].sigmoid() * parts[2].tanh();
    return {parts[3].sigmoid() * cy.tanh(), cy, at::empty({0}, gates.options())};
}

static std::tuple<at::Tensor, at::Tensor> gru_cell(const at::Tensor &input,
                                                   const at::Tensor &hidden, const at::Tensor &hx,
                                                   const std::optional<at::Tensor> &b_input,
                                                   const std::optional<at::Tensor> &b_hidden) {
    auto x = b_input && b_input->defined() ? input + *b_input : input;
    auto h = b_hidden && b_hidden->defined() ? hidden + *b_hidden : hidden;
    auto xs = x.unsafe_chunk(3, 1), hs = h.unsafe_chunk(3, 1);
    auto reset = (xs[0] + hs[0]).sigmoid(), update = (xs[1] + hs[1]).sigmoid();
    auto fresh = (xs[2] + reset * hs[2]).tanh();
    return {(hx - fresh) * update + fresh, at::empty({0}, x.options())};
}

// Module.to() and set_data() keep a parameter's identity: what vendors register, too.
static bool shallow_copy_type(const at::Tensor &, const at::Tensor &from) {
    return from.layout() == c10::kStrided;
}

// Which kernel computes attention: plain arithmetic.
static int64_t attention_choice(const at::Tensor &, const at::Tensor &, const at::Tensor &,
                                const std::optional<at::Tensor> &, double, bool,
                                std::optional<double>, bool) {
    return 0;
}

// PyTorch without Intel's kernels doesn't even ask for the choice on an XPU.
static at::Tensor attention(const at::Tensor &q, const at::Tensor &k, const at::Tensor &v,
                            const std::optional<at::Tensor> &mask, double dropout, bool causal,
                            std::optional<double> scale, bool grouped) {
    auto weights = mask;
    if (mask && mask->defined() && mask->scalar_type() == at::kBool)
        weights = at::zeros(mask->sizes(), q.options())
                      .masked_fill(mask->logical_not(), -std::numeric_limits<double>::infinity());
    return std::get<0>(at::_scaled_dot_product_attention_math(q, k, v, weights, dropout, causal,
                                                              std::nullopt, scale, grouped));
}

static void record_stream(at::Tensor &, c10::Stream) {}

template <c10::DeviceType type> static void install_autocast(c10::DispatchKey key) {
    static torch::Library all(torch::Library::IMPL, "_", key, __FILE__, __LINE__);
    all.fallback(torch::CppFunction::makeFallthrough());
    static torch::Library m(torch::Library::IMPL, "aten", key, __FILE__, __LINE__);
    using namespace at::autocast;
    using at::IntArrayRef, at::Scalar, at::ScalarType, at::Tensor;
#define LOWER(...) KERNEL(type, __VA_ARGS__, lower_precision_fp)
#define FULL(...) KERNEL(type, __VA_ARGS__, fp32)
#define FULL_OPT(...) KERNEL(type, __VA_ARGS__, fp32_set_opt_dtype)
#define PROMOTE(...) KERNEL(type, __VA_ARGS__, promote)
    AT_FORALL_LOWER_PRECISION_FP(LOWER)
    AT_FORALL_FP32(FULL)
    AT_FORALL_FP32_SET_OPT_DTYPE(FULL_OPT)
#define OTHERS(...) KERNEL_DIFFERENT_REDISPATCH_SIGNATURE(type, __VA_ARGS__)
    AT_FORALL_DIFFERENT_REDISPATCH_SIGNATURE(OTHERS)
    AT_FORALL_PROMOTE(PROMOTE)
    KERNEL(type, stack, promote)
    KERNEL(type, cat, promote)
}

void install_kernels() {
    auto boxed = [] { return torch::CppFunction::makeFromBoxedFunction<&run_on_host>(); };
    static torch::Library all(torch::Library::IMPL, "_", kind.key, __FILE__, __LINE__);
    all.fallback(boxed());
    static torch::Library m(torch::Library::IMPL, "aten", kind.key, __FILE__, __LINE__);
    // These have kernels for all devices that ask for the vendor's library.
    for (const char *name : {"copy_", "convolution", "convolution_backward"})
        m.impl(name, boxed());
    m.impl("_copy_from", &copy_from);
    m.impl("record_stream", &record_stream);
    m.impl("_fused_sdp_choice", &attention_choice);
    m.impl("_has_compatible_shallow_copy_type", &shallow_copy_type);
    m.impl("_thnn_fused_lstm_cell", &lstm_cell);
    m.impl("_thnn_fused_gru_cell", &gru_cell);
    static torch::Library a(torch::Library::IMPL, "aten", kind.autograd, __FILE__, __LINE__);
    a.impl("_thnn_fused_lstm_cell", &lstm_cell);
    a.impl("_thnn_fused_gru_cell", &gru_cell);
    a.impl("_has_compatible_shallow_copy_type", &shallow_copy_type);
    if (kind.type == c10::DeviceType::PrivateUse1)
        install_autocast<c10::DeviceType::PrivateUse1>(c10::DispatchKey::AutocastPrivateUse1);
    if (kind.type == c10::DeviceType::HPU)
        install_autocast<c10::DeviceType::HPU>(c10::DispatchKey::AutocastHPU);
    if (kind.type != c10::DeviceType::XPU) return;
    m.impl("scaled_dot_product_attention", &attention);
    a.impl("scaled_dot_product_attention", &attention);
}

} // namespace emulated
