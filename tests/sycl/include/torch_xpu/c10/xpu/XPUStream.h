// SPDX-License-Identifier: Apache-2.0
// See XPUFunctions.h. There is a pool of four queues; the first is the default stream.
#pragma once

#include <c10/core/Stream.h>
#include <c10/util/Exception.h>
#include <c10/xpu/XPUFunctions.h>
#include <vector>

namespace c10 {
namespace xpu {

inline sycl::queue &queue_of_pool(StreamId id) {
    static std::vector<sycl::queue> queues(
        4, sycl::queue(get_device_context(), get_raw_device(0),
                       sycl::property_list{sycl::property::queue::in_order()}));
    return queues.at(static_cast<std::size_t>(id));
}

class XPUStream {
    Stream stream_;

  public:
    enum Unchecked { UNCHECKED };
    explicit XPUStream(Stream stream) : stream_(stream) {
        TORCH_CHECK(stream_.device_type() == DeviceType::XPU);
    }
    XPUStream(Unchecked, Stream stream) : stream_(stream) {}
    operator Stream() const { return stream_; }
    operator sycl::queue &() const { return queue(); }
    bool operator==(const XPUStream &other) const { return stream_ == other.stream_; }
    bool operator!=(const XPUStream &other) const { return !(*this == other); }
    DeviceIndex device_index() const { return stream_.device_index(); }
    Device device() const { return Device(DeviceType::XPU, device_index()); }
    DeviceType device_type() const { return DeviceType::XPU; }
    StreamId id() const { return stream_.id(); }
    void synchronize() const { queue().wait_and_throw(); }
    sycl::queue &queue() const { return queue_of_pool(id()); }
    Stream unwrap() const { return stream_; }
};

inline thread_local StreamId current_stream = 0;
inline XPUStream stream_of_id(StreamId id) {
    return XPUStream(Stream(Stream::UNSAFE, Device(DeviceType::XPU, 0), id));
}
inline XPUStream getCurrentXPUStream(DeviceIndex = -1) { return stream_of_id(current_stream); }
inline XPUStream getStreamFromPool(bool = false, DeviceIndex = -1) {
    static thread_local StreamId next = 0;
    return stream_of_id(1 + next++ % 3);
}
inline void setCurrentXPUStream(XPUStream stream) { current_stream = stream.id(); }
inline void syncStreamsOnDevice(DeviceIndex = -1) {
    for (StreamId id = 0; id < 4; id++) queue_of_pool(id).wait_and_throw();
}
#ifdef CUDA_MORPH_TORCH_ALONE // whose guards ask for it
inline const bool told = (streams = {[] { return getCurrentXPUStream().unwrap(); },
                                     [](Stream stream) { current_stream = stream.id(); }},
                          true);
#endif

} // namespace xpu
} // namespace c10
