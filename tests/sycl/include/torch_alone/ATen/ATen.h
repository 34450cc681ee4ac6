// SPDX-License-Identifier: Apache-2.0
// As much of PyTorch's C++ as tests/sycl/torch uses, on the CPU, for machines without PyTorch.
// What stands here has PyTorch's names and meaning; nothing else of it is there.
#pragma once

#define CUDA_MORPH_TORCH_ALONE

#include <cstdint>
#include <initializer_list>
#include <memory>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <vector>

namespace c10 {

enum class DeviceType : int8_t { CPU, XPU };
constexpr DeviceType kXPU = DeviceType::XPU;
using DeviceIndex = int8_t;
using StreamId = int64_t;

class Device {
    DeviceType type_;
    DeviceIndex index_;

  public:
    Device(DeviceType type, DeviceIndex index = -1) : type_(type), index_(index) {}
    DeviceType type() const { return type_; }
    DeviceIndex index() const { return index_; }
    bool operator==(const Device &o) const { return type_ == o.type_ && index_ == o.index_; }
};

class Stream {
    Device device_;
    StreamId id_;

  public:
    enum Unsafe { UNSAFE };
    enum Default { DEFAULT };
    Stream(Unsafe, Device device, StreamId id) : device_(device), id_(id) {}
    Stream(Default, Device device) : device_(device), id_(0) {}
    bool operator==(const Stream &o) const { return device_ == o.device_ && id_ == o.id_; }
    DeviceType device_type() const { return device_.type(); }
    DeviceIndex device_index() const { return device_.index(); }
    StreamId id() const { return id_; }
};

// There is one device: guards of it have nothing to change.
class OptionalDeviceGuard {
    std::optional<Device> at;

  public:
    OptionalDeviceGuard() = default;
    explicit OptionalDeviceGuard(std::optional<Device> device) : at(device) {}
    void reset_device(Device device) { at = device; }
    std::optional<Device> original_device() const { return at; }
    std::optional<Device> current_device() const { return at; }
};
class DeviceGuard {
    Device at;

  public:
    explicit DeviceGuard(Device device) : at(device) {}
    void reset_device(Device device) { at = device; }
    void set_index(DeviceIndex) {}
    Device original_device() const { return at; }
    Device current_device() const { return at; }
};

// Of the one back end there is, which c10/xpu tells of.
struct StreamsOf {
    Stream (*current)();
    void (*set)(Stream);
};
inline StreamsOf streams;
class StreamGuard {
    Stream before, now;

  public:
    explicit StreamGuard(Stream stream) : before(streams.current()), now(stream) {
        streams.set(stream);
    }
    ~StreamGuard() { streams.set(before); }
    void reset_stream(Stream stream) { streams.set(now = stream); }
    Stream original_stream() const { return before; }
    Stream current_stream() const { return now; }
};

template <class... T> std::string text(const T &...parts) {
    std::ostringstream s;
    (s << ... << parts);
    return s.str();
}

} // namespace c10

#define TORCH_CHECK(condition, ...)                                                               \
    do {                                                                                          \
        if (!(condition)) throw std::runtime_error(c10::text(__VA_ARGS__));                       \
    } while (0)
#define TORCH_WARN(...) ((void)c10::text(__VA_ARGS__))

namespace at {

enum class ScalarType : int8_t { Float, Double };
template <class T> constexpr ScalarType type_of = ScalarType::Float;
template <> inline constexpr ScalarType type_of<double> = ScalarType::Double;
constexpr ScalarType kFloat = ScalarType::Float, kDouble = ScalarType::Double;

template <class T> struct DefaultPtrTraits {
    typedef T *PtrType;
};

template <class T, std::size_t N, template <class> class Traits = DefaultPtrTraits>
class PackedTensorAccessor32 {
    typename Traits<T>::PtrType data;
    int32_t sizes[N], strides[N];

  public:
    PackedTensorAccessor32(T *p, const int64_t *of, const int64_t *by) : data(p) {
        for (std::size_t i = 0; i < N; i++) {
            sizes[i] = static_cast<int32_t>(of[i]);
            strides[i] = static_cast<int32_t>(by[i]);
        }
    }
    int32_t size(std::size_t i) const { return sizes[i]; }
    struct row {
        T *data;
        int32_t stride;
        T &operator[](int32_t i) const { return data[i * stride]; }
    };
    row operator[](int32_t i) const { return {data + i * strides[0], strides[N - 1]}; }
};

// Up to two dimensions, contiguous.
class Tensor {
    std::shared_ptr<std::vector<double>> room;
    std::vector<int64_t> sizes_, strides_;
    ScalarType type_;

  public:
    Tensor(std::vector<int64_t> sizes, ScalarType type) : sizes_(sizes), type_(type) {
        int64_t n = 1;
        strides_.resize(sizes.size());
        for (std::size_t i = sizes.size(); i-- > 0; n *= sizes[i]) strides_[i] = n;
        room = std::make_shared<std::vector<double>>(static_cast<std::size_t>(n));
    }
    ScalarType scalar_type() const { return type_; }
    int64_t numel() const { return static_cast<int64_t>(room->size()); }
    int64_t size(std::size_t i) const { return sizes_[i]; }
    const std::vector<int64_t> &sizes() const { return sizes_; }
    c10::Device device() const { return c10::Device(c10::DeviceType::XPU, 0); }
    c10::DeviceIndex get_device() const { return 0; }
    bool is_cpu() const { return true; }
    template <class T> T *data_ptr() const {
        TORCH_CHECK(type_of<T> == type_, "another type");
        return reinterpret_cast<T *>(room->data());
    }
    template <class T, std::size_t N, template <class> class Traits>
    PackedTensorAccessor32<T, N, Traits> packed_accessor32() const {
        return {data_ptr<T>(), sizes_.data(), strides_.data()};
    }
};
template <class T> using ArrayRef = std::vector<T>;
inline Tensor zeros(std::vector<int64_t> sizes, ScalarType type) { return Tensor(sizes, type); }
inline Tensor empty_like(const Tensor &t) { return Tensor(t.sizes(), t.scalar_type()); }
inline std::optional<c10::Device> device_of(const Tensor &t) { return t.device(); }

} // namespace at

#define AT_DISPATCH_FLOATING_TYPES(type, name, ...)                                               \
    [&] {                                                                                         \
        if ((type) == at::ScalarType::Float) {                                                    \
            using scalar_t = float;                                                               \
            return __VA_ARGS__();                                                                 \
        }                                                                                         \
        using scalar_t = double;                                                                  \
        return __VA_ARGS__();                                                                     \
    }()
