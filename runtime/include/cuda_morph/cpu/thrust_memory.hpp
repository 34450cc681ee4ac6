// SPDX-License-Identifier: Apache-2.0
// Thrust: policies, device memory, vectors. Included by thrust.h, and by sycl/thrust.hpp: what
// differs between them (where memory is, what is waited for, who runs an algorithm) is in
// thrust_system.hpp and thrust_call.hpp of either.
#ifndef CUDA_MORPH_CPU_THRUST_MEMORY_HPP
#define CUDA_MORPH_CPU_THRUST_MEMORY_HPP

namespace thrust {

using std::errc;
using std::error_code;
using std::error_condition;
using std::get;
using std::make_pair;
using std::make_tuple;
using std::next;
using std::pair;
using std::prev;
using std::swap;
using std::system_error;
using std::tie;
using std::tuple;
using std::tuple_element;
using std::tuple_size;

// ---- policies: where an algorithm runs is what it waits for ----

namespace detail {

struct policy_tag {};
template <class T> constexpr bool is_policy = std::is_base_of<policy_tag, std::decay_t<T>>::value;

struct host_policy : policy_tag {
    void ready() const {}
};
struct stream_policy : policy_tag {
    cmStream_t stream = nullptr;
    void ready() const { settle(stream); }
    stream_policy on(cmStream_t s) const {
        stream_policy p;
        p.stream = s;
        return p;
    }
    template <class Allocator> stream_policy operator()(Allocator &&) const { return *this; }
};

} // namespace detail

template <class = void> struct execution_policy : detail::policy_tag {};
struct host_system_tag : detail::host_policy {};
struct device_system_tag : detail::stream_policy {};
inline const detail::host_policy host{}, seq{};
inline const detail::stream_policy device{};
namespace cuda {
inline const detail::stream_policy par{}, par_nosync{};
using tag = device_system_tag;
} // namespace cuda
namespace system {
using std::error_category;
using std::error_code;
using std::system_error;
namespace cuda {
using thrust::cuda::par;
using thrust::cuda::par_nosync;
using thrust::cuda::tag;
} // namespace cuda
} // namespace system
namespace cuda_cub {
using thrust::cuda::par;
}
namespace omp {
inline const detail::host_policy par{};
}
namespace cpp {
inline const detail::host_policy par{};
}
inline std::error_category const &cuda_category() { return std::generic_category(); }

// ---- pointers and references ----

template <class T> class device_ptr;

// An element of the device's memory: reading and writing it wait for the default stream.
template <class T> class device_reference {
    T *p_;

  public:
    using value_type = std::remove_cv_t<T>;
    explicit device_reference(T *p) : p_(p) {}
    device_reference(const device_reference &) = default;
    operator value_type() const {
        const detail::on_device here(nullptr);
        return cm::library::load(p_);
    }
    const device_reference &operator=(const device_reference &other) const {
        return *this = static_cast<value_type>(other);
    }
    const device_reference &operator=(const value_type &v) const {
        const detail::on_device here(nullptr);
        cm::library::store(p_, v);
        return *this;
    }
    device_reference &operator=(const device_reference &other) {
        *this = static_cast<value_type>(other);
        return *this;
    }
    template <class U> const device_reference &operator=(const device_reference<U> &other) const {
        return *this = static_cast<value_type>(
                   static_cast<typename device_reference<U>::value_type>(other));
    }
    device_ptr<T> operator&() const { return device_ptr<T>(p_); }
    T &raw() const { return *p_; }
#define CM_THRUST_ASSIGN(op)                                                                      \
    template <class U> const device_reference &operator op(const U &v) const {                    \
        value_type now = *this;                                                                   \
        now op v;                                                                                 \
        return *this = now;                                                                       \
    }
    CM_THRUST_ASSIGN(+=)
    CM_THRUST_ASSIGN(-=)
    CM_THRUST_ASSIGN(*=)
    CM_THRUST_ASSIGN(/=)
    CM_THRUST_ASSIGN(%=)
    CM_THRUST_ASSIGN(&=)
    CM_THRUST_ASSIGN(|=)
    CM_THRUST_ASSIGN(^=)
#undef CM_THRUST_ASSIGN
    const device_reference &operator++() const { return *this += 1; }
    const device_reference &operator--() const { return *this -= 1; }
    value_type operator++(int) const {
        const value_type old = *this;
        *this += 1;
        return old;
    }
    friend void swap(const device_reference &a, const device_reference &b) {
        const value_type v = a;
        a = static_cast<value_type>(b);
        b = v;
    }
    template <class S> friend S &operator<<(S &out, const device_reference &r) {
        out << static_cast<value_type>(r);
        return out;
    }
};

// A pointer to the device's memory, and the iterator of device_vector.
template <class T> class device_ptr {
    T *p_ = nullptr;

  public:
    using iterator_category = std::random_access_iterator_tag;
    using value_type = std::remove_cv_t<T>;
    using element_type = T;
    using difference_type = ptrdiff_t;
    using pointer = device_ptr;
    using reference = device_reference<T>;

    device_ptr() = default;
    device_ptr(std::nullptr_t) {}
    explicit device_ptr(T *p) : p_(p) {}
    template <class U, class = std::enable_if_t<std::is_convertible<U *, T *>::value>>
    device_ptr(const device_ptr<U> &other) : p_(other.get()) {}
    T *get() const { return p_; }
    reference operator*() const { return reference(p_); }
    T *operator->() const {
        const detail::on_device here(nullptr);
        return p_;
    }
    reference operator[](ptrdiff_t i) const { return reference(p_ + i); }
    explicit operator bool() const { return p_ != nullptr; }
    device_ptr &operator++() { return p_++, *this; }
    device_ptr &operator--() { return p_--, *this; }
    device_ptr operator++(int) { return device_ptr(p_++); }
    device_ptr operator--(int) { return device_ptr(p_--); }
    device_ptr &operator+=(ptrdiff_t n) { return p_ += n, *this; }
    device_ptr &operator-=(ptrdiff_t n) { return p_ -= n, *this; }
    friend device_ptr operator+(device_ptr a, ptrdiff_t n) { return device_ptr(a.p_ + n); }
    friend device_ptr operator+(ptrdiff_t n, device_ptr a) { return device_ptr(a.p_ + n); }
    friend device_ptr operator-(device_ptr a, ptrdiff_t n) { return device_ptr(a.p_ - n); }
};
template <> class device_ptr<void> {
    void *p_ = nullptr;

  public:
    device_ptr() = default;
    explicit device_ptr(void *p) : p_(p) {}
    void *get() const { return p_; }
};
template <class T, class U>
inline auto operator-(const device_ptr<T> &a, const device_ptr<U> &b)
    -> decltype(a.get() - b.get()) {
    return a.get() - b.get();
}
#define CM_THRUST_COMPARE(op)                                                                     \
    template <class T, class U>                                                                   \
    inline bool operator op(const device_ptr<T> &a, const device_ptr<U> &b) {                     \
        return a.get() op b.get();                                                                \
    }
CM_THRUST_COMPARE(==)
CM_THRUST_COMPARE(!=)
CM_THRUST_COMPARE(<)
CM_THRUST_COMPARE(>)
CM_THRUST_COMPARE(<=)
CM_THRUST_COMPARE(>=)
#undef CM_THRUST_COMPARE

template <class T> inline device_ptr<T> device_pointer_cast(T *p) { return device_ptr<T>(p); }
template <class T> inline device_ptr<T> device_pointer_cast(device_ptr<T> p) { return p; }
template <class T> inline T *raw_pointer_cast(T *p) { return p; }
template <class T> inline T *raw_pointer_cast(device_ptr<T> p) { return p.get(); }
template <class T> inline T &raw_reference_cast(T &r) { return r; }
template <class T> inline T &raw_reference_cast(device_reference<T> &r) { return r.raw(); }
template <class T> inline T &raw_reference_cast(const device_reference<T> &r) { return r.raw(); }

template <class T> inline device_ptr<T> device_malloc(size_t n) {
    return device_ptr<T>(static_cast<T *>(detail::allocate(n * sizeof(T))));
}
inline device_ptr<void> device_malloc(size_t bytes) {
    return device_ptr<void>(detail::allocate(bytes));
}
template <class T> inline void device_free(device_ptr<T> p) { detail::release(p.get()); }
template <class T, class Policy> inline device_ptr<T> malloc(const Policy &, size_t n) {
    return device_malloc<T>(n);
}
template <class Policy, class T> inline void free(const Policy &, device_ptr<T> p) {
    device_free(p);
}
template <class Policy, class T> inline void free(const Policy &, T *p) { detail::release(p); }
template <class T> inline device_ptr<T> device_new(size_t n = 1) {
    const device_ptr<T> p = device_malloc<T>(n);
    for (size_t i = 0; i < n; i++) new (p.get() + i) T();
    return p;
}
// In memory that is there already; each element as this one.
template <class T, class P>
inline device_ptr<T> device_new(device_ptr<P> where, const T &like, size_t n = 1) {
    T *const p = reinterpret_cast<T *>(where.get());
    const detail::on_device here(nullptr);
    for (size_t i = 0; i < n; i++) new (p + i) T(like);
    return device_ptr<T>(p);
}
template <class T, class P> inline device_ptr<T> device_new(device_ptr<P> where, size_t n = 1) {
    return device_new<T, P>(where, T(), n);
}
template <class T> inline void device_delete(device_ptr<T> p, size_t n = 1) {
    const detail::on_device here(nullptr);
    for (size_t i = 0; i < n && p; i++) p.get()[i].~T();
    device_free(p);
}
template <class T> struct device_allocator {
    using value_type = T;
    using pointer = device_ptr<T>;
    using const_pointer = device_ptr<const T>;
    using reference = device_reference<T>;
    using const_reference = device_reference<const T>;
    using size_type = size_t;
    using difference_type = ptrdiff_t;
    device_allocator() = default;
    template <class U> device_allocator(const device_allocator<U> &) {}
    template <class U> struct rebind { using other = device_allocator<U>; };
    pointer allocate(size_t n) { return device_malloc<T>(n); }
    void deallocate(pointer p, size_t) { device_free(p); }
};
template <class T> using device_malloc_allocator = device_allocator<T>;

// ---- vectors ----

template <class T, class A = device_allocator<T>> class device_vector;

template <class T, class A = std::allocator<T>> class host_vector : public std::vector<T> {
    using base = std::vector<T>;

  public:
    using base::base;
    host_vector() = default;
    host_vector(const base &v) : base(v) {}
    host_vector(base &&v) : base(std::move(v)) {}
    template <class U, class B>
    host_vector(const host_vector<U, B> &v) : base(v.begin(), v.end()) {}
    template <class U, class B> host_vector(const device_vector<U, B> &v) { *this = v; }
    template <class U, class B> host_vector &operator=(const device_vector<U, B> &v) {
        const detail::on_device here(nullptr);
        this->assign(v.raw(), v.raw() + v.size());
        return *this;
    }
    template <class I> host_vector(device_ptr<I> first, device_ptr<I> last) {
        const detail::on_device here(nullptr);
        detail::reachable(first.get());
        base::assign(first.get(), last.get());
    }
};

// Elements lie in the device's memory; what the allocator is does not matter.
template <class T, class A> class device_vector {
    T *data_ = nullptr;
    size_t size_ = 0, capacity_ = 0;

    void grow(size_t n) {
        if (n <= capacity_) return;
        n = n > 2 * capacity_ ? n : 2 * capacity_;
        T *const fresh = static_cast<T *>(detail::allocate(n * sizeof(T)));
        const detail::on_device here(nullptr);
        for (size_t i = 0; i < size_; i++) {
            new (fresh + i) T(std::move(data_[i]));
            data_[i].~T();
        }
        detail::release(data_);
        data_ = fresh, capacity_ = n;
    }
    void shrink(size_t n) {
        for (; size_ > n; size_--) data_[size_ - 1].~T();
    }

  public:
    using value_type = T;
    using size_type = size_t;
    using difference_type = ptrdiff_t;
    using pointer = device_ptr<T>;
    using const_pointer = device_ptr<const T>;
    using iterator = device_ptr<T>;
    using const_iterator = device_ptr<const T>;
    using reverse_iterator = std::reverse_iterator<iterator>;
    using reference = device_reference<T>;
    using const_reference = device_reference<const T>;
    using allocator_type = A;

    device_vector() = default;
    explicit device_vector(const A &) {}
    explicit device_vector(size_t n) { resize(n); }
    device_vector(size_t n, const T &value) { resize(n, value); }
    device_vector(const device_vector &v) : device_vector() { assign(v.begin(), v.end()); }
    device_vector(device_vector &&v) noexcept { swap(v); }
    device_vector(std::initializer_list<T> v) { assign(v.begin(), v.end()); }
    template <class U, class B> device_vector(const device_vector<U, B> &v) {
        assign(v.begin(), v.end());
    }
    template <class U, class B> device_vector(const std::vector<U, B> &v) {
        assign(v.begin(), v.end());
    }
    template <class I, class = typename std::iterator_traits<I>::iterator_category>
    device_vector(I first, I last) {
        assign(first, last);
    }
    ~device_vector() {
        if (!data_) return;
        const detail::on_device here(nullptr);
        shrink(0);
        detail::release(data_);
    }
    device_vector &operator=(const device_vector &v) {
        if (this != &v) assign(v.begin(), v.end());
        return *this;
    }
    device_vector &operator=(device_vector &&v) noexcept { return swap(v), *this; }
    template <class U, class B> device_vector &operator=(const device_vector<U, B> &v) {
        return assign(v.begin(), v.end()), *this;
    }
    template <class U, class B> device_vector &operator=(const std::vector<U, B> &v) {
        return assign(v.begin(), v.end()), *this;
    }

    template <class I, class = typename std::iterator_traits<I>::iterator_category>
    void assign(I first, I last) {
        const detail::on_device here(nullptr);
        shrink(0);
        grow(static_cast<size_t>(std::distance(first, last)));
        for (; first != last; ++first) new (data_ + size_++) T(*first);
    }
    void assign(size_t n, const T &value) {
        const detail::on_device here(nullptr);
        shrink(0);
        resize(n, value);
    }
    void resize(size_t n, const T &value = T()) {
        const detail::on_device here(nullptr);
        grow(n);
        shrink(n);
        while (size_ < n) new (data_ + size_++) T(value);
    }
    void reserve(size_t n) { grow(n); }
    void shrink_to_fit() {}
    void clear() { resize(0); }
    void push_back(const T &value) {
        const detail::on_device here(nullptr);
        const T kept = value;
        grow(size_ + 1);
        new (data_ + size_++) T(kept);
    }
    void pop_back() { shrink(size_ - 1); }
    iterator insert(iterator at, const T &value) { return insert(at, &value, &value + 1); }
    template <class I> iterator insert(iterator at, I first, I last) {
        const detail::on_device here(nullptr);
        const ptrdiff_t i = at - begin();
        std::vector<T> all(data_, data_ + i);
        all.insert(all.end(), first, last);
        all.insert(all.end(), data_ + i, data_ + size_);
        assign(all.begin(), all.end());
        return begin() + i;
    }
    iterator erase(iterator at) { return erase(at, at + 1); }
    iterator erase(iterator first, iterator last) {
        const detail::on_device here(nullptr);
        T *const end = std::move(last.get(), data_ + size_, first.get());
        shrink(static_cast<size_t>(end - data_));
        return first;
    }
    void swap(device_vector &v) noexcept {
        std::swap(data_, v.data_), std::swap(size_, v.size_), std::swap(capacity_, v.capacity_);
    }

    size_t size() const { return size_; }
    size_t capacity() const { return capacity_; }
    bool empty() const { return !size_; }
    T *raw() const { return data_; }
    pointer data() { return pointer(data_); }
    const_pointer data() const { return const_pointer(data_); }
    iterator begin() { return iterator(data_); }
    iterator end() { return iterator(data_ + size_); }
    const_iterator begin() const { return const_iterator(data_); }
    const_iterator end() const { return const_iterator(data_ + size_); }
    const_iterator cbegin() const { return begin(); }
    const_iterator cend() const { return end(); }
    reverse_iterator rbegin() { return reverse_iterator(end()); }
    reverse_iterator rend() { return reverse_iterator(begin()); }
    reference operator[](size_t i) { return reference(data_ + i); }
    const_reference operator[](size_t i) const { return const_reference(data_ + i); }
    reference front() { return reference(data_); }
    reference back() { return reference(data_ + size_ - 1); }
    const_reference front() const { return const_reference(data_); }
    const_reference back() const { return const_reference(data_ + size_ - 1); }
    friend bool operator==(const device_vector &a, const device_vector &b) {
        const detail::on_device here(nullptr);
        return a.size_ == b.size_ && std::equal(a.data_, a.data_ + a.size_, b.data_);
    }
    friend bool operator!=(const device_vector &a, const device_vector &b) { return !(a == b); }
};
template <class T, class B>
inline bool operator==(const device_vector<T> &a, const std::vector<T, B> &b) {
    return host_vector<T>(a) == b;
}
template <class T, class B>
inline bool operator==(const std::vector<T, B> &a, const device_vector<T> &b) {
    return b == a;
}
template <class T, class A> inline void swap(device_vector<T, A> &a, device_vector<T, A> &b) {
    a.swap(b);
}
template <class T, class A = std::allocator<T>> using universal_vector = device_vector<T>;
template <class T> using universal_ptr = device_ptr<T>;

} // namespace thrust

#endif
