// SPDX-License-Identifier: Apache-2.0
// Thrust in SYCL: who runs an algorithm. Its policy says it, or where there is none what the
// iterators are: with one into a device_vector or of device_ptr's, or with none but such as count
// (counting_iterator), kernels do; else the host does. In kernels it just runs.
// Included by sycl/thrust.hpp.
#ifndef CUDA_MORPH_SYCL_THRUST_CALL_HPP
#define CUDA_MORPH_SYCL_THRUST_CALL_HPP

namespace thrust {
namespace detail {

// ---- where what an iterator goes through is ----

enum class side { none, any, host, device }; // none: it is no iterator

constexpr side joined(side a, side b) {
    return a == side::device || b == side::device ? side::device
           : a == side::host || b == side::host   ? side::host
           : a == side::any || b == side::any     ? side::any
                                                  : side::none;
}
template <class T, class = void> struct side_of { static constexpr side value = side::none; };
template <class I>
struct side_of<I, std::void_t<typename std::iterator_traits<I>::iterator_category>> {
    static constexpr side value = side::host;
};
template <class T> struct side_of<device_ptr<T>> { static constexpr side value = side::device; };
template <class T, class A, class B, class C> struct side_of<counting_iterator<T, A, B, C>> {
    static constexpr side value = side::any;
};
template <class T, class A, class B> struct side_of<constant_iterator<T, A, B>> {
    static constexpr side value = side::any;
};
template <class T> struct side_of<discard_iterator<T>> {
    static constexpr side value = side::any;
};
template <class I> struct side_of<std::reverse_iterator<I>> : side_of<I> {};
template <class F, class I, class A, class B>
struct side_of<transform_iterator<F, I, A, B>> : side_of<I> {};
template <class F, class I> struct side_of<transform_output_iterator<F, I>> : side_of<I> {};
template <class E, class I> struct side_of<permutation_iterator<E, I>> {
    static constexpr side value = joined(side_of<E>::value, side_of<I>::value);
};
template <class... I> struct side_of<zip_iterator<std::tuple<I...>>> {
    static constexpr side value = [] {
        side all = side::any;
        ((all = joined(all, side_of<I>::value)), ...);
        return all;
    }();
};
template <class... A> constexpr side side_of_all() {
    side all = side::none;
    ((all = joined(all, side_of<std::decay_t<A>>::value)), ...);
    return all;
}

// An iterator of the host's, also beside a policy, which makes a pointer one of the device's.
template <class T>
constexpr bool is_the_hosts =
    side_of<std::decay_t<T>>::value == side::host && !std::is_pointer<std::decay_t<T>>::value;

// ---- carrying it out ----

// Impl by kernels in the stream; run() ends when they have ended. thrust_parallel.hpp has one for
// each algorithm that is worth it; the others are one work-item's.
template <class Impl> struct parallel;
// From one side's memory to the other's.
template <class Impl> struct between { static constexpr bool is = false; };

template <class Impl, class... A> auto by_kernels(cmStream_t stream, A &&...a) {
    if (cm::in_kernel()) {
        using result = decltype(Impl::run(std::forward<A>(a)...));
        return static_cast<result>(Impl::run(std::forward<A>(a)...));
    }
    settle(stream); // memory that was filled by the host, or by another stream
    return parallel<Impl>::run(stream, std::forward<A>(a)...);
}

template <class Impl, class A, class... R> decltype(auto) call(A &&a, R &&...rest) {
    using policy = std::decay_t<A>;
    if constexpr (std::is_base_of<host_policy, policy>::value) {
        return Impl::run(std::forward<R>(rest)...);
    } else if constexpr (std::is_base_of<stream_policy, policy>::value) {
        if constexpr (between<Impl>::is && (is_the_hosts<R> || ...))
            return between<Impl>::template run<true>(a.stream, std::forward<R>(rest)...);
        else
            return by_kernels<Impl>(a.stream, std::forward<R>(rest)...);
    } else if constexpr (is_policy<A>) { // of the program's own
        return by_kernels<Impl>(nullptr, std::forward<R>(rest)...);
    } else if constexpr (side_of_all<A, R...>() == side::host) {
        return Impl::run(std::forward<A>(a), std::forward<R>(rest)...);
    } else if constexpr (between<Impl>::is) {
        return between<Impl>::template run<false>(nullptr, std::forward<A>(a),
                                                  std::forward<R>(rest)...);
    } else {
        return by_kernels<Impl>(nullptr, std::forward<A>(a), std::forward<R>(rest)...);
    }
}

} // namespace detail
} // namespace thrust

#endif
