// SPDX-License-Identifier: Apache-2.0
// What extensions see of c10/xpu in a PyTorch that was built for XPU, for tests with one that was
// not: one device, whose tensors are the CPU's.
#pragma once

#include <ATen/ATen.h>
#include <sycl/sycl.hpp>
#include <vector>

#define is_xpu is_cpu

namespace c10 {
namespace xpu {

inline DeviceIndex device_count() { return 1; }
inline DeviceIndex current_device() { return 0; }
inline void set_device(DeviceIndex) {}
inline sycl::device &get_raw_device(DeviceIndex) {
    static sycl::device device{sycl::default_selector_v};
    return device;
}
inline sycl::context &get_device_context() {
    static sycl::context context(std::vector<sycl::device>{get_raw_device(0)});
    return context;
}

} // namespace xpu
} // namespace c10
