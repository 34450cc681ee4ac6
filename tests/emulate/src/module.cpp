// module.cpp - what the Python side calls.
#include "collectives.h"
#include "emulated.h"

#include <torch/csrc/utils/pybind.h>

namespace {

void install(const std::string &type, int count) {
    using c10::DispatchKey;
    auto &k = emulated::kind;
    if (type == "cuda")
        k = {c10::DeviceType::CUDA, DispatchKey::CUDA, DispatchKey::AutogradCUDA};
    else if (type == "xpu")
        k = {c10::DeviceType::XPU, DispatchKey::XPU, DispatchKey::AutogradXPU};
    else if (type == "hpu")
        k = {c10::DeviceType::HPU, DispatchKey::HPU, DispatchKey::AutogradHPU};
    k.count = static_cast<c10::DeviceIndex>(count);
    emulated::install_device();
    emulated::install_kernels();
    emulated::install_timer();
    emulated::install_collectives();
}

// resize_() of a storage, which PyTorch does not offer for CUDA where it was built without.
void resize_storage(const at::Tensor &bytes, size_t size) {
    auto *cpu = c10::GetAllocator(c10::kCPU);
    c10::Storage grown({}, size, cpu->allocate(size), cpu, true);
    std::memcpy(grown.mutable_data(), bytes.storage().data(),
                std::min(size, bytes.storage().nbytes()));
    emulated::adopt_into(bytes.storage(), grown);
}

} // namespace

PYBIND11_MODULE(_emulated_device, m) {
    py::module::import("torch._C._distributed_c10d");
    m.def("install", &install);
    m.def("resize_storage", &resize_storage);
    m.def("default_generator", [](int index) {
        return at::globalContext().defaultGenerator(
            {emulated::kind.type, static_cast<c10::DeviceIndex>(index)});
    });
    m.def("device_count", [] { return static_cast<int>(emulated::kind.count); });
    m.def("graph_begin", &emulated::graph_begin);
    m.def("graph_end", &emulated::graph_end);
    m.def("graph_replay", &emulated::graph_replay, py::call_guard<py::gil_scoped_release>());
    m.def("graph_drop", &emulated::graph_drop);
    m.def("capturing", &emulated::capturing);
    m.def("collectives", &emulated::collectives);
}
