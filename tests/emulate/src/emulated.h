/* SPDX-License-Identifier: Apache-2.0 */
// emulated.h - an accelerator for PyTorch whose memory is the CPU's and whose kernels are the
// CPU's.
//
// One process emulates one device type: PrivateUse1 (npu, mlu, musa) or one of PyTorch's own keys
// (xpu, cuda). A device tensor is a tensor of that key over host memory; an operator runs on CPU
// tensors that share this memory (fallback.cpp). What real hardware refuses is refused here, too:
// tensors of two devices in one call, .numpy() on a device tensor, devices that do not exist.
#pragma once

#include <ATen/ATen.h>
#include <ATen/core/dispatch/Dispatcher.h>
#include <c10/core/CachingDeviceAllocator.h>

#include <unordered_map>
#include <utility>
#include <vector>

namespace emulated {

// The device type of this process and how many devices there are; set once by install().
struct Kind {
    c10::DeviceType type = c10::DeviceType::PrivateUse1;
    c10::DispatchKey key = c10::DispatchKey::PrivateUse1;
    c10::DispatchKey autograd = c10::DispatchKey::AutogradPrivateUse1;
    c10::DeviceIndex count = 2;
};
extern Kind kind;

// device.cpp
c10::DeviceIndex current_device();
bool is_emulated(const at::Tensor &t);
// The CPU generator behind one of the device; any other generator is returned as it is.
at::Generator host_generator(const at::Generator &generator);
void install_device();

// memory.cpp: counts bytes per device and makes device memory of the CPU's.
c10::DeviceAllocator *device_allocator();
c10::Allocator *pinned_allocator();
bool is_pinned(const void *pointer);
// A storage on `index` that owns `host`, a storage on the CPU.
c10::Storage adopt(const c10::Storage &host, c10::DeviceIndex index);
void adopt_into(const c10::Storage &device, const c10::Storage &host);

// fallback.cpp
// The CPU's view of what one call gets, and back.
class Call {
  public:
    // CPU tensors (devices, generators, storages) in place of the device's, in lists, too.
    c10::IValue to_host(const c10::IValue &value);
    at::Tensor to_host(const at::Tensor &t);
    // Device tensors in place of the CPU's that the operator made.
    c10::IValue to_device(const c10::IValue &value);
    at::Tensor to_device(const at::Tensor &t);
    // Sizes and storages that the operator changed, handed on to the device tensors.
    void write_back();
    // Throws when tensors of several devices meet that the hardware would not take together.
    void check_devices(const char *operator_name) const;
    bool keep_on_host = false;

  private:
    c10::Storage host_storage(const c10::Storage &device);
    c10::Storage device_storage(const c10::Storage &host);
    c10::DeviceIndex index() const;

    c10::DeviceIndex index_ = -1;
    bool mixed_ = false;
    at::Tensor first_, stranger_;
    std::vector<std::pair<at::Tensor, at::Tensor>> pairs_;        // device tensor, its alias
    std::vector<std::pair<c10::Storage, c10::Storage>> storages_; // device, host
    std::vector<void *> addresses_;                               // of storages_, before the call
    std::vector<c10::Storage> strangers_;                         // of CPU arguments
    std::vector<std::pair<c10::Storage, c10::Storage>> made_;     // host, device: of results
};
void install_kernels();
// A tensor of `key` over `storage` with the sizes and properties of `t`.
at::Tensor tensor_like(const at::Tensor &t, c10::Storage storage, c10::DispatchKey key);

// graph.cpp: what CUDA graphs are here: the operators that ran, to be run again.
bool capturing();
void graph_sees(std::vector<c10::IValue> &arguments);
void graph_saw(const c10::OperatorHandle &op, std::vector<c10::IValue> arguments,
               std::vector<c10::IValue> results);
int64_t graph_begin();
void graph_end();
void graph_replay(int64_t graph);
void graph_drop(int64_t graph);

} // namespace emulated
