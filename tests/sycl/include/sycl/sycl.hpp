// SPDX-License-Identifier: Apache-2.0
// As much of SYCL 2020 as cuda_morph/sycl.hpp uses, on the host, for tests on machines without an
// implementation: a work-group's items are fibers, sub-groups have 32 of them, and every command
// is carried out when it is submitted. It checks no types and no rights: it is no implementation.
#pragma once
#define SYCL_LANGUAGE_VERSION 202003
#include "../../../scaffold/fibers.hpp"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <system_error>
#include <vector>

namespace sycl {

// ---- errors ----

enum class errc { success, nd_range, invalid, memory_allocation, feature_not_supported };
} // namespace sycl
template <> struct std::is_error_code_enum<sycl::errc> : std::true_type {};
namespace sycl {
inline std::error_code make_error_code(errc e) {
    return {static_cast<int>(e), std::generic_category()};
}
struct exception : std::exception {
    std::error_code code_;
    explicit exception(std::error_code code) : code_(code) {}
    const std::error_code &code() const noexcept { return code_; }
};

// ---- devices ----

enum class aspect { usm_shared_allocations, usm_system_allocations };
namespace info {
enum class device_type { gpu };
namespace device {
struct name {
    using type = std::string;
};
struct max_work_group_size {
    using type = size_t;
};
struct local_mem_size : max_work_group_size {};
struct global_mem_size : max_work_group_size {};
struct max_compute_units : max_work_group_size {};
struct max_clock_frequency : max_work_group_size {};
} // namespace device
enum class event_command_status { complete };
namespace event {
struct command_execution_status {};
} // namespace event
namespace event_profiling {
struct command_end {};
} // namespace event_profiling
} // namespace info

struct platform {
    bool operator==(const platform &) const { return true; }
};
struct default_selector_t {};
inline constexpr default_selector_t default_selector_v{};
struct device {
    device() = default;
    explicit device(default_selector_t) {}
    bool operator==(const device &) const { return true; } // there is one
    static std::vector<device> get_devices(info::device_type) { return {}; }
    platform get_platform() const { return {}; }
    bool has(aspect) const { return true; }
    template <class Q> typename Q::type get_info() const {
        if constexpr (std::is_same<Q, info::device::name>::value)
            return "stand-in";
        else if constexpr (std::is_same<Q, info::device::max_work_group_size>::value)
            return 1024;
        else if constexpr (std::is_same<Q, info::device::local_mem_size>::value)
            return 64 * 1024;
        else if constexpr (std::is_same<Q, info::device::global_mem_size>::value)
            return size_t(8) << 30;
        else
            return 4;
    }
};
class context {
    std::vector<device> devices_;

  public:
    explicit context(const std::vector<device> &devices) : devices_(devices) {}
    const std::vector<device> &get_devices() const { return devices_; }
};

// ---- work-items ----

enum class memory_order { relaxed, acq_rel, seq_cst };
enum class memory_scope { work_item, sub_group, work_group, device, system };
namespace access {
enum class address_space { generic_space };
}

template <int D> struct range;
template <> struct range<1> {
    size_t v;
    explicit range(size_t n) : v(n) {}
};
template <int D> struct id;
template <> struct id<1> {
    size_t v;
    size_t operator[](int) const { return v; }
};
template <> struct range<3> {
    size_t v[3];
    range(size_t a, size_t b, size_t c) : v{a, b, c} {}
    size_t size() const { return v[0] * v[1] * v[2]; }
    range operator*(const range &o) const { return {v[0] * o.v[0], v[1] * o.v[1], v[2] * o.v[2]}; }
};
template <int D> struct nd_range {
    range<D> global, local;
    nd_range(range<D> g, range<D> l) : global(g), local(l) {}
};
struct group3 {};
struct sub_group {};

template <int D> class nd_item {
    nd_range<3> all_;
    size_t group_[3];

  public:
    nd_item(const nd_range<3> &all, size_t z, size_t y, size_t x) : all_(all), group_{z, y, x} {}
    size_t get_local_linear_id() const { return fibers::current; }
    size_t get_local_id(int d) const {
        const size_t *v = all_.local.v;
        const size_t i = fibers::current;
        return d == 2 ? i % v[2] : d == 1 ? i / v[2] % v[1] : i / v[2] / v[1];
    }
    size_t get_group(int d) const { return group_[d]; }
    size_t get_local_range(int d) const { return all_.local.v[d]; }
    range<3> get_local_range() const { return all_.local; }
    size_t get_group_range(int d) const { return all_.global.v[d] / all_.local.v[d]; }
    size_t get_global_id(int d) const { return group_[d] * all_.local.v[d] + get_local_id(d); }
    size_t get_global_range(int d) const { return all_.global.v[d]; }
    group3 get_group() const { return {}; }
    sub_group get_sub_group() const { return {}; }
};

namespace ext::oneapi::this_work_item {
inline const nd_item<3> *current = nullptr; // any of the group: it asks which fiber runs
template <int D> nd_item<D> get_nd_item() { return *current; }
} // namespace ext::oneapi::this_work_item

struct some_lanes { // of a sub-group; DPC++'s opportunistic_group is like it, but has no mask
    unsigned mask;
};
inline void group_barrier(some_lanes g) { fibers::meet_lanes(g.mask); }
inline void group_barrier(group3) { fibers::meet_block(); }
inline void group_barrier(sub_group) { fibers::meet_wave(); }
inline void atomic_fence(memory_order, memory_scope) {}

template <class T = void> struct plus {
    T operator()(T a, T b) const { return a + b; }
};
template <class T = void> struct bit_or {
    T operator()(T a, T b) const { return a | b; }
};

namespace detail {
// What each item of the group posted; it stays until all have read.
template <class T, class Meet> T *posted(const T &value, Meet meet) {
    static std::vector<T> values;
    if (values.size() < fibers::count) values.resize(fibers::count);
    values[fibers::current] = value;
    meet();
    return values.data();
}
template <class T> T from(sub_group, T value, size_t lane) {
    const size_t first = fibers::current / 32 * 32;
    const T *all = posted(value, fibers::meet_wave);
    const T result = first + lane < fibers::count ? all[first + lane] : value;
    fibers::meet_wave();
    return result;
}
} // namespace detail
template <class T> T select_from_group(sub_group g, T value, size_t lane) {
    return detail::from(g, value, lane);
}
template <class T> T permute_group_by_xor(sub_group g, T value, size_t bits) {
    return detail::from(g, value, (fibers::current % 32) ^ bits);
}
template <class T, class F> T reduce_over_group(group3, T value, F combine) {
    const T *all = detail::posted(value, fibers::meet_block);
    T result = all[0];
    for (size_t i = 1; i < fibers::count; i++) result = combine(result, all[i]);
    fibers::meet_block();
    return result;
}
template <class T, class F> T reduce_over_group(sub_group, T value, F combine) {
    const size_t first = fibers::current / 32 * 32;
    const T *all = detail::posted(value, fibers::meet_wave);
    T result = all[first];
    for (size_t i = first + 1; i < first + 32 && i < fibers::count; i++)
        result = combine(result, all[i]);
    fibers::meet_wave();
    return result;
}

template <class T, class F> T reduce_over_group(some_lanes g, T value, F combine) {
    const size_t first = fibers::current / 32 * 32;
    const T *all = detail::posted(value, [g] { fibers::meet_lanes(g.mask); });
    const unsigned lanes = fibers::all[fibers::current].met;
    T result = all[first + size_t(__builtin_ctz(lanes))];
    for (size_t i = size_t(__builtin_ctz(lanes)) + 1; i < 32; i++)
        if (lanes >> i & 1) result = combine(result, all[first + i]);
    fibers::meet_lanes(g.mask);
    return result;
}
template <class T> T select_from_group(some_lanes g, T value, size_t number) {
    const size_t first = fibers::current / 32 * 32;
    const T *all = detail::posted(value, [g] { fibers::meet_lanes(g.mask); });
    unsigned lanes = fibers::all[fibers::current].met;
    for (; number > 0; number--) lanes &= lanes - 1;
    const T result = all[first + size_t(__builtin_ctz(lanes))];
    fibers::meet_lanes(g.mask);
    return result;
}
template <class T> T popcount(T v) { return static_cast<T>(__builtin_popcountll(v)); }

// Items take turns only at barriers, so that plain operations are atomic.
template <class T, memory_order, memory_scope, access::address_space> class atomic_ref {
    T &at_;
    T set(T v) {
        const T old = at_;
        at_ = v;
        return old;
    }

  public:
    explicit atomic_ref(T &at) : at_(at) {}
    T load() const { return at_; }
    T exchange(T v) { return set(v); }
    T fetch_add(T v) { return set(at_ + v); }
    T fetch_sub(T v) { return set(at_ - v); }
    T fetch_min(T v) { return set(v < at_ ? v : at_); }
    T fetch_max(T v) { return set(at_ < v ? v : at_); }
    template <class U = T> T fetch_and(U v) { return set(at_ & v); }
    template <class U = T> T fetch_or(U v) { return set(at_ | v); }
    template <class U = T> T fetch_xor(U v) { return set(at_ ^ v); }
    bool compare_exchange_strong(T &expected, T v) {
        if (at_ == expected) return at_ = v, true;
        expected = at_;
        return false;
    }
};

// ---- commands ----

struct event {
    unsigned long long at = 0;
    void wait() {}
    void wait_and_throw() {}
    template <class Q> info::event_command_status get_info() const {
        return info::event_command_status::complete;
    }
    template <class Q> unsigned long long get_profiling_info() const { return at; }
};
struct handler {
    void depends_on(const event &) {}
    void depends_on(const std::vector<event> &) {}
    void memcpy(void *to, const void *from, size_t n) { std::memmove(to, from, n); }
    void memset(void *to, int value, size_t n) { std::memset(to, value, n); }
    template <class T> void fill(void *to, const T &value, size_t n) {
        std::fill_n(static_cast<T *>(to), n, value);
    }
    template <class F> void single_task(F f) { f(); }
    template <class F> void parallel_for(const range<1> &all, F kernel) { // from the last one on
        for (size_t i = all.v; i-- > 0;) kernel(id<1>{i});
    }
    template <class F> void parallel_for(const nd_range<3> &all, F kernel) {
        const size_t *l = all.local.v, *g = all.global.v;
        fibers::wave = 32;
        for (size_t z = 0; z < g[0] / l[0]; z++)
            for (size_t y = 0; y < g[1] / l[1]; y++)
                for (size_t x = 0; x < g[2] / l[2]; x++) {
                    const nd_item<3> item(all, z, y, x);
                    ext::oneapi::this_work_item::current = &item;
                    fibers::run_block(all.local.size(), [&] { kernel(item); });
                    ext::oneapi::this_work_item::current = nullptr;
                }
    }
};
template <class T, int D> class local_accessor {
    std::shared_ptr<std::vector<T>> words_;

  public:
    local_accessor(range<D> n, handler &) : words_(std::make_shared<std::vector<T>>(n.v)) {}
    T &operator[](size_t i) const { return (*words_)[i]; }
};
namespace property::queue {
struct in_order {};
struct enable_profiling {};
} // namespace property::queue
struct property_list {
    template <class... P> property_list(P...) {}
};
class queue {
    device device_;

  public:
    explicit queue(const device &d) : device_(d) {}
    queue(const context &, const device &d, const property_list &) : device_(d) {}
    device get_device() const { return device_; }
    context get_context() const { return context({device_}); }
    void wait_and_throw() {}
    template <class F> event submit(F command) {
        handler h;
        command(h);
        const auto now = std::chrono::steady_clock::now().time_since_epoch();
        return {static_cast<unsigned long long>(
            std::chrono::duration_cast<std::chrono::nanoseconds>(now).count())};
    }
};

namespace usm {
enum class alloc { host, device, shared };
}
inline void *malloc_device(size_t n, const device &, const context &) { return std::malloc(n); }
inline void *malloc_shared(size_t n, const device &, const context &) { return std::malloc(n); }
inline void *malloc_host(size_t n, const context &) { return std::malloc(n); }
inline void free(void *p, const context &) { std::free(p); }

} // namespace sycl
