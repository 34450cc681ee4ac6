// SPDX-License-Identifier: Apache-2.0
// Thrust in SYCL: the algorithms by kernels that go through a range once. Where each element is
// for itself, a work-item runs the serial algorithm on a range of one; sums and scans are made of
// up to PARTS parts, in order, so that operators need be no more than associative. Right on every
// device, and slower than oneDPL where there is much to do. Included by sycl/thrust.hpp.
#ifndef CUDA_MORPH_SYCL_THRUST_PARALLEL_HPP
#define CUDA_MORPH_SYCL_THRUST_PARALLEL_HPP

namespace thrust {
namespace detail {

constexpr ptrdiff_t PARTS = 4096, FEW = 64;

// body(i) for i in [0, n), a work-item each.
template <class Body> void each(cmStream_t stream, ptrdiff_t n, Body body) {
    if (n <= 0) return;
    good(cm::detail::submit(stream, [=](sycl::handler &h, const sycl::device &) {
        h.parallel_for(sycl::range<1>(static_cast<size_t>(n)),
                       [=](sycl::id<1> i) { body(static_cast<ptrdiff_t>(i[0])); });
        return cmSuccess;
    }));
}

// Memory of kernels for the time of an algorithm, without values at first.
template <class T> class scratch {
    T *p_ = nullptr;

  public:
    explicit scratch(ptrdiff_t n) {
        if (n > 0 && ::cmMallocManaged(reinterpret_cast<void **>(&p_),
                                       static_cast<size_t>(n) * sizeof(T), cmMemAttachGlobal))
            throw std::bad_alloc();
    }
    ~scratch() { cmFree(p_); }
    scratch(const scratch &) = delete;
    scratch &operator=(const scratch &) = delete;
    T *get() const { return p_; }
};

// What one work-item finds out, for the host.
template <class T, class Ask> T answer(cmStream_t stream, Ask ask) {
    const scratch<T> result(1);
    T *const p = result.get();
    each(stream, 1, [=](ptrdiff_t) {
        Ask now = ask;
        new (p) T(now());
    });
    settle(stream);
    return *p;
}

// The whole algorithm as it is, by one work-item.
template <class Impl> struct parallel {
    template <class... A> static auto run(cmStream_t stream, A... a) {
        using result = decltype(Impl::run(a...));
        if constexpr (std::is_void<result>::value) {
            each(stream, 1, [=](ptrdiff_t) { Impl::run(a...); });
            settle(stream);
        } else {
            return answer<std::decay_t<result>>(stream, [=] { return Impl::run(a...); });
        }
    }
};

// ---- each element for itself: Impl on a range of one. N iterators follow the range's two ----

template <class Impl, int N> struct elementwise;
template <class Impl> struct elementwise<Impl, 0> {
    template <class I, class... A> static auto run(cmStream_t stream, I first, I last, A... a) {
        each(stream, last - first,
             [=](ptrdiff_t i) { Impl::run(first + i, first + i + 1, a...); });
        settle(stream);
        if constexpr (!std::is_void<decltype(Impl::run(first, last, a...))>::value) return last;
    }
};
template <class Impl> struct elementwise<Impl, 1> {
    template <class I, class O, class... A>
    static auto run(cmStream_t stream, I first, I last, O out, A... a) {
        each(stream, last - first,
             [=](ptrdiff_t i) { Impl::run(first + i, first + i + 1, out + i, a...); });
        settle(stream);
        if constexpr (!std::is_void<decltype(Impl::run(first, last, out, a...))>::value)
            return out + (last - first);
    }
};
template <class Impl> struct elementwise<Impl, 2> {
    template <class I, class J, class O, class... A>
    static O run(cmStream_t stream, I first, I last, J second, O out, A... a) {
        each(stream, last - first,
             [=](ptrdiff_t i) { Impl::run(first + i, first + i + 1, second + i, out + i, a...); });
        settle(stream);
        return out + (last - first);
    }
};
template <class Impl> struct elementwise<Impl, 3> {
    template <class I, class J, class S, class O, class... A>
    static O run(cmStream_t stream, I first, I last, J second, S third, O out, A... a) {
        each(stream, last - first, [=](ptrdiff_t i) {
            Impl::run(first + i, first + i + 1, second + i, third + i, out + i, a...);
        });
        settle(stream);
        return out + (last - first);
    }
};
// Of so many arguments in all, the range's two among them.
template <class Impl, int Least> struct elementwise_from {
    template <class... A> static auto run(cmStream_t stream, A... a) {
        return elementwise<Impl, static_cast<int>(sizeof...(A)) - Least>::run(stream, a...);
    }
};
template <> struct parallel<for_each_> : elementwise<for_each_, 0> {};
template <> struct parallel<transform_> : elementwise_from<transform_, 3> {};
template <> struct parallel<transform_if_> : elementwise_from<transform_if_, 4> {};
template <> struct parallel<fill_> : elementwise<fill_, 0> {};
template <> struct parallel<generate_> : elementwise<generate_, 0> {};
template <> struct parallel<copy_> : elementwise<copy_, 1> {};
template <> struct parallel<swap_ranges_> : elementwise<swap_ranges_, 1> {};
template <> struct parallel<replace_> : elementwise<replace_, 0> {};
template <> struct parallel<replace_if_> : elementwise_from<replace_if_, 4> {};
template <> struct parallel<replace_copy_> : elementwise<replace_copy_, 1> {};
template <> struct parallel<replace_copy_if_> : elementwise_from<replace_copy_if_, 4> {};

template <> struct parallel<sequence_> {
    template <class I> static void run(cmStream_t stream, I first, I last) {
        run(stream, first, last, value_of<I>());
    }
    template <class I, class T> static void run(cmStream_t stream, I first, I last, T from) {
        run(stream, first, last, from, T(1));
    }
    template <class I, class T, class S>
    static void run(cmStream_t stream, I first, I last, T from, S step) {
        const auto p = plain(first);
        each(stream, last - first, [=](ptrdiff_t i) {
            *(p + i) = static_cast<value_of<I>>(from + static_cast<T>(i) * step);
        });
        settle(stream);
    }
};
template <> struct parallel<tabulate_> {
    template <class I, class F> static void run(cmStream_t stream, I first, I last, F f) {
        const auto p = plain(first);
        each(stream, last - first, [=](ptrdiff_t i) {
            F g = f;
            *(p + i) = g(i);
        });
        settle(stream);
    }
};
// N elements from `first` on.
template <class Impl> struct counted {
    template <class I, class N, class... A>
    static auto run(cmStream_t stream, I first, N n, A... a) {
        const I last = first + static_cast<ptrdiff_t>(n);
        using result = decltype(parallel<Impl>::run(stream, first, last, a...));
        if constexpr (std::is_void<result>::value) {
            parallel<Impl>::run(stream, first, last, a...);
            return last;
        } else {
            return parallel<Impl>::run(stream, first, last, a...);
        }
    }
};
template <> struct parallel<for_each_n_> : counted<for_each_> {};
template <> struct parallel<fill_n_> : counted<fill_> {};
template <> struct parallel<generate_n_> : counted<generate_> {};
template <> struct parallel<copy_n_> : counted<copy_> {};

template <> struct parallel<gather_> {
    template <class I, class J, class O>
    static O run(cmStream_t stream, I first, I last, J from, O out) {
        each(stream, last - first,
             [=](ptrdiff_t i) { gather_::run(first + i, first + i + 1, from, out + i); });
        settle(stream);
        return out + (last - first);
    }
};
template <> struct parallel<gather_if_> {
    template <class I, class S, class J, class O, class... P>
    static O run(cmStream_t stream, I first, I last, S stencil, J from, O out, P... wanted) {
        each(stream, last - first, [=](ptrdiff_t i) {
            gather_if_::run(first + i, first + i + 1, stencil + i, from, out + i, wanted...);
        });
        settle(stream);
        return out + (last - first);
    }
};
template <> struct parallel<scatter_> {
    template <class I, class M, class O>
    static void run(cmStream_t stream, I first, I last, M map, O out) {
        each(stream, last - first,
             [=](ptrdiff_t i) { scatter_::run(first + i, first + i + 1, map + i, out); });
        settle(stream);
    }
};
template <> struct parallel<scatter_if_> {
    template <class I, class M, class S, class O, class... P>
    static void run(cmStream_t stream, I first, I last, M map, S stencil, O out, P... wanted) {
        each(stream, last - first, [=](ptrdiff_t i) {
            scatter_if_::run(first + i, first + i + 1, map + i, stencil + i, out, wanted...);
        });
        settle(stream);
    }
};
template <> struct parallel<reverse_> {
    template <class I> static void run(cmStream_t stream, I first, I last) {
        const auto p = plain(first);
        const ptrdiff_t n = last - first;
        each(stream, n / 2, [=](ptrdiff_t i) {
            const value_of<I> a = *(p + i), b = *(p + (n - 1 - i));
            *(p + i) = b;
            *(p + (n - 1 - i)) = a;
        });
        settle(stream);
    }
};
template <> struct parallel<reverse_copy_> {
    template <class I, class O> static O run(cmStream_t stream, I first, I last, O out) {
        const auto p = plain(first);
        const auto q = plain(out);
        const ptrdiff_t n = last - first;
        each(stream, n, [=](ptrdiff_t i) { *(q + i) = *(p + (n - 1 - i)); });
        settle(stream);
        return out + n;
    }
};
// The range's values in memory of their own, which the caller's may be written over then.
template <class I> void keep(cmStream_t stream, I first, ptrdiff_t n, value_of<I> *to) {
    const auto p = plain(first);
    each(stream, n, [=](ptrdiff_t i) { new (to + i) value_of<I>(*(p + i)); });
}
template <class T, class O> void give(cmStream_t stream, const T *from, ptrdiff_t n, O out) {
    const auto q = plain(out);
    each(stream, n, [=](ptrdiff_t i) { *(q + i) = from[i]; });
    settle(stream);
}
template <> struct parallel<adjacent_difference_> {
    template <class I, class O> static O run(cmStream_t stream, I first, I last, O out) {
        return run(stream, first, last, out, std::minus<>());
    }
    template <class I, class O, class F>
    static O run(cmStream_t stream, I first, I last, O out, F f) {
        const ptrdiff_t n = last - first;
        const scratch<value_of<I>> kept(n);
        const value_of<I> *const p = kept.get();
        const auto q = plain(out);
        keep(stream, first, n, kept.get());
        each(stream, n, [=](ptrdiff_t i) {
            F g = f;
            if (i)
                *(q + i) = g(p[i], p[i - 1]);
            else
                *q = p[0];
        });
        settle(stream);
        return out + n;
    }
};

// ---- from one side's memory to the other's ----

template <> struct between<copy_> {
    static constexpr bool is = true;
    template <class V, bool Pointers, class I> static constexpr bool on_device() {
        return side_of<I>::value == side::device || side_of<I>::value == side::any ||
               (Pointers && std::is_pointer<I>::value);
    }
    // Pointers: those that are raw are the device's, as a policy says.
    template <bool Pointers, class I, class O>
    static O run(cmStream_t stream, I first, I last, O out) {
        using T = value_of<I>;
        constexpr bool from = on_device<T, Pointers, I>(), to = on_device<T, Pointers, O>();
        settle(stream);
        if constexpr (from && to) {
            return parallel<copy_>::run(stream, first, last, out);
        } else if constexpr (from) {
            const ptrdiff_t n = last - first;
            const scratch<T> kept(n);
            keep(stream, first, n, kept.get());
            settle(stream);
            for (ptrdiff_t i = 0; i < n; i++, ++out) *out = kept.get()[i];
            return out;
        } else if constexpr (to) {
            const ptrdiff_t n = static_cast<ptrdiff_t>(std::distance(first, last));
            const scratch<T> kept(n);
            for (ptrdiff_t i = 0; i < n; i++, ++first) new (kept.get() + i) T(*first);
            give(stream, kept.get(), n, out);
            return out + n;
        } else {
            return copy_::run(first, last, out);
        }
    }
};
template <> struct between<copy_n_> {
    static constexpr bool is = true;
    template <bool Pointers, class I, class N, class O>
    static O run(cmStream_t stream, I first, N n, O out) {
        return between<copy_>::run<Pointers>(stream, first, first + static_cast<ptrdiff_t>(n),
                                             out);
    }
};

// ---- reductions: g(0), g(1) ... g(n - 1), of type T ----

template <class T> struct element { // no lambda: the scan of sums is by the scan itself
    const T *p;
    T operator()(ptrdiff_t i) const { return p[i]; }
};
// Into at most `most` sums; their number.
template <class T, class G, class F>
ptrdiff_t folded(cmStream_t stream, ptrdiff_t n, G g, F f, ptrdiff_t most, T *sums) {
    const ptrdiff_t size = (n + most - 1) / most, parts = (n + size - 1) / size;
    each(stream, parts, [=](ptrdiff_t part) {
        G get = g;
        F add = f;
        const ptrdiff_t begin = part * size, end = begin + size < n ? begin + size : n;
        T sum = get(begin);
        for (ptrdiff_t i = begin + 1; i < end; i++) sum = add(sum, get(i));
        new (sums + part) T(sum);
    });
    return parts;
}
template <class T, class G, class F> T reduced(cmStream_t stream, ptrdiff_t n, G g, T start, F f) {
    if (n <= 0) return start;
    const scratch<T> many(PARTS), few(FEW);
    T *const first = many.get(), *const second = few.get();
    const ptrdiff_t parts = folded(stream, n, g, f, PARTS, first);
    const ptrdiff_t left = folded(stream, parts, element<T>{first}, f, FEW, second);
    return answer<T>(stream, [=] {
        F add = f;
        T sum = start;
        for (ptrdiff_t i = 0; i < left; i++) sum = add(sum, second[i]);
        return sum;
    });
}
template <> struct parallel<reduce_> {
    template <class I> static value_of<I> run(cmStream_t stream, I first, I last) {
        return run(stream, first, last, value_of<I>());
    }
    template <class I, class T> static T run(cmStream_t stream, I first, I last, T start) {
        return run(stream, first, last, start, std::plus<>());
    }
    template <class I, class T, class F>
    static T run(cmStream_t stream, I first, I last, T start, F f) {
        const auto p = plain(first);
        return reduced(
            stream, last - first, [p](ptrdiff_t i) { return static_cast<T>(*(p + i)); }, start, f);
    }
};
template <> struct parallel<transform_reduce_> {
    template <class I, class U, class T, class F>
    static T run(cmStream_t stream, I first, I last, U u, T start, F f) {
        const auto p = plain(first);
        return reduced(
            stream, last - first,
            [p, u](ptrdiff_t i) mutable { return static_cast<T>(u(*(p + i))); }, start, f);
    }
};
template <> struct parallel<inner_product_> {
    template <class I, class J, class T>
    static T run(cmStream_t stream, I first, I last, J second, T start) {
        return run(stream, first, last, second, start, std::plus<>(), std::multiplies<>());
    }
    template <class I, class J, class T, class F, class G>
    static T run(cmStream_t stream, I first, I last, J second, T start, F f, G g) {
        const auto p = plain(first);
        const auto q = plain(second);
        return reduced(
            stream, last - first,
            [p, q, g](ptrdiff_t i) mutable { return static_cast<T>(g(*(p + i), *(q + i))); },
            start, f);
    }
};

// ---- questions ----

template <> struct parallel<count_if_> {
    template <class I, class P>
    static ptrdiff_t run(cmStream_t stream, I first, I last, P wanted) {
        const auto p = plain(first);
        const auto one = [p, wanted](ptrdiff_t i) mutable -> ptrdiff_t {
            return wanted(*(p + i)) ? 1 : 0;
        };
        return reduced(stream, last - first, one, ptrdiff_t(0), std::plus<>());
    }
};
template <> struct parallel<count_> {
    template <class I, class T> static ptrdiff_t run(cmStream_t stream, I first, I last, T value) {
        return parallel<count_if_>::run(stream, first, last,
                                        [value](const auto &v) { return v == value; });
    }
};
// The first number that is wanted; n: none is.
template <class P> ptrdiff_t first_of(cmStream_t stream, ptrdiff_t n, P wanted) {
    const auto place = [n, wanted](ptrdiff_t i) mutable { return wanted(i) ? i : n; };
    return reduced(stream, n, place, n, minimum<ptrdiff_t>());
}
template <> struct parallel<find_if_> {
    template <class I, class P> static I run(cmStream_t stream, I first, I last, P wanted) {
        const auto p = plain(first);
        return first + first_of(stream, last - first, [p, wanted](ptrdiff_t i) mutable {
                   return static_cast<bool>(wanted(*(p + i)));
               });
    }
};
template <> struct parallel<find_if_not_> {
    template <class I, class P> static I run(cmStream_t stream, I first, I last, P wanted) {
        return parallel<find_if_>::run(stream, first, last,
                                       [wanted](const auto &v) mutable { return !wanted(v); });
    }
};
template <> struct parallel<find_> {
    template <class I, class T> static I run(cmStream_t stream, I first, I last, T value) {
        return parallel<find_if_>::run(stream, first, last,
                                       [value](const auto &v) { return v == value; });
    }
};
template <> struct parallel<all_of_> {
    template <class I, class P> static bool run(cmStream_t stream, I first, I last, P wanted) {
        return parallel<find_if_not_>::run(stream, first, last, wanted) == last;
    }
};
template <> struct parallel<any_of_> {
    template <class I, class P> static bool run(cmStream_t stream, I first, I last, P wanted) {
        return parallel<find_if_>::run(stream, first, last, wanted) != last;
    }
};
template <> struct parallel<none_of_> {
    template <class I, class P> static bool run(cmStream_t stream, I first, I last, P wanted) {
        return parallel<find_if_>::run(stream, first, last, wanted) == last;
    }
};
template <> struct parallel<mismatch_> {
    template <class I, class J>
    static std::pair<I, J> run(cmStream_t stream, I first, I last, J second) {
        return run(stream, first, last, second, std::equal_to<>());
    }
    template <class I, class J, class E>
    static std::pair<I, J> run(cmStream_t stream, I first, I last, J second, E same) {
        const auto p = plain(first);
        const auto q = plain(second);
        const ptrdiff_t at = first_of(stream, last - first, [p, q, same](ptrdiff_t i) mutable {
            return !same(*(p + i), *(q + i));
        });
        return {first + at, second + at};
    }
};
template <> struct parallel<equal_> {
    template <class I, class J, class... E>
    static bool run(cmStream_t stream, I first, I last, J second, E... same) {
        return parallel<mismatch_>::run(stream, first, last, second, same...).first == last;
    }
};
template <> struct parallel<min_element_> {
    template <class I> static I run(cmStream_t stream, I first, I last) {
        return run(stream, first, last, std::less<>());
    }
    template <class I, class F> static I run(cmStream_t stream, I first, I last, F less) {
        if (first == last) return last;
        const auto p = plain(first);
        const auto best = [p, less](ptrdiff_t a, ptrdiff_t b) mutable {
            return less(*(p + b), *(p + a)) ? b : a;
        };
        return first +
               reduced(
                   stream, last - first, [](ptrdiff_t i) { return i; }, ptrdiff_t(0), best);
    }
};
template <> struct parallel<max_element_> {
    template <class I> static I run(cmStream_t stream, I first, I last) {
        return run(stream, first, last, std::less<>());
    }
    template <class I, class F> static I run(cmStream_t stream, I first, I last, F less) {
        return parallel<min_element_>::run(
            stream, first, last,
            [less](const auto &a, const auto &b) mutable { return less(b, a); });
    }
};
template <> struct parallel<minmax_element_> {
    template <class I, class... F>
    static std::pair<I, I> run(cmStream_t stream, I first, I last, F... less) {
        return {parallel<min_element_>::run(stream, first, last, less...),
                parallel<max_element_>::run(stream, first, last, less...)};
    }
};

// ---- scans ----

// out[i] of g(0) ... g(i), or of what is before it; behind `start`, where there is one.
template <class T, class G, class O, class F>
void scanned(cmStream_t stream, ptrdiff_t n, G g, O out, F f, bool inclusive, bool has_start,
             T start, ptrdiff_t most = PARTS) {
    if (n <= 0) return;
    const ptrdiff_t size = (n + most - 1) / most, parts = (n + size - 1) / size;
    const scratch<T> memory(parts);
    T *const sums = memory.get();
    if (parts > 1) {
        folded(stream, n, g, f, most, sums);
        scanned<T>(stream, parts, element<T>{sums}, sums, f, true, false, start,
                   most > FEW ? FEW : 1);
    }
    each(stream, parts, [=](ptrdiff_t part) {
        G get = g;
        F add = f;
        const ptrdiff_t begin = part * size, end = begin + size < n ? begin + size : n;
        bool has = has_start || part > 0;
        T before = part == 0 ? start : has_start ? add(start, sums[part - 1]) : sums[part - 1];
        for (ptrdiff_t i = begin; i < end; i++) {
            const T own = get(i);
            const T sum = has ? static_cast<T>(add(before, own)) : own;
            *(out + i) = inclusive ? sum : before;
            before = sum;
            has = true;
        }
    });
    settle(stream);
}
template <> struct parallel<transform_inclusive_scan_> {
    template <class I, class O, class U, class F>
    static O run(cmStream_t stream, I first, I last, O out, U u, F f) {
        const auto p = plain(first);
        using T = std::decay_t<decltype(u(*p))>;
        if (first == last) return out;
        auto get = [p, u](ptrdiff_t i) mutable { return static_cast<T>(u(*(p + i))); };
        // Without a start any value does.
        const T any = answer<T>(stream, [=]() mutable { return get(0); });
        scanned<T>(stream, last - first, get, plain(out), f, true, false, any);
        return out + (last - first);
    }
};
template <> struct parallel<transform_exclusive_scan_> {
    template <class I, class O, class U, class T, class F>
    static O run(cmStream_t stream, I first, I last, O out, U u, T start, F f) {
        const auto p = plain(first);
        auto get = [p, u](ptrdiff_t i) mutable { return static_cast<T>(u(*(p + i))); };
        scanned<T>(stream, last - first, get, plain(out), f, false, true, start);
        return out + (last - first);
    }
};
template <class T> struct as {
    template <class V> T operator()(const V &v) const { return static_cast<T>(v); }
};
template <> struct parallel<inclusive_scan_> {
    template <class I, class O> static O run(cmStream_t stream, I first, I last, O out) {
        return run(stream, first, last, out, std::plus<>());
    }
    template <class I, class O, class F>
    static O run(cmStream_t stream, I first, I last, O out, F f) {
        return parallel<transform_inclusive_scan_>::run(stream, first, last, out,
                                                        as<value_of<I>>(), f);
    }
};
template <> struct parallel<exclusive_scan_> {
    template <class I, class O> static O run(cmStream_t stream, I first, I last, O out) {
        return run(stream, first, last, out, value_of<I>());
    }
    template <class I, class O, class T>
    static O run(cmStream_t stream, I first, I last, O out, T start) {
        return run(stream, first, last, out, start, std::plus<>());
    }
    template <class I, class O, class T, class F>
    static O run(cmStream_t stream, I first, I last, O out, T start, F f) {
        return parallel<transform_exclusive_scan_>::run(stream, first, last, out,
                                                        as<value_of<I>>(), start, f);
    }
};

// Values of several keys in one scan: what stands behind a first one of its key begins anew.
template <class T> struct segment {
    bool fresh;
    T value;
};
template <class F> struct segmented {
    mutable F f;
    template <class T> segment<T> operator()(const segment<T> &a, const segment<T> &b) const {
        return b.fresh ? b : segment<T>{a.fresh, static_cast<T>(f(a.value, b.value))};
    }
};
template <class T, class Fresh, class G, class F>
void scanned_by_key(cmStream_t stream, ptrdiff_t n, Fresh fresh, G g, segment<T> *to, F f) {
    if (n <= 0) return;
    auto get = [fresh, g](ptrdiff_t i) mutable { return segment<T>{fresh(i), g(i)}; };
    const auto any = answer<segment<T>>(stream, [=]() mutable { return get(0); });
    scanned<segment<T>>(stream, n, get, to, segmented<F>{f}, true, false, any);
}
template <class P, class E> auto begins(P keys, E same) {
    return [keys, same](ptrdiff_t i) mutable {
        return i == 0 || !same(*(keys + (i - 1)), *(keys + i));
    };
}
template <bool Inclusive> struct parallel_scan_by_key {
    template <class K, class V, class O, class T, class E, class F>
    static O scan(cmStream_t stream, K first, K last, V values, O out, T start, E same, F f) {
        const ptrdiff_t n = last - first;
        const auto v = plain(values);
        auto fresh = begins(plain(first), same);
        const scratch<segment<T>> memory(n);
        segment<T> *const sums = memory.get();
        const auto get = [=](ptrdiff_t i) mutable -> T {
            if (Inclusive) return static_cast<T>(*(v + i));
            return fresh(i) ? start : static_cast<T>(*(v + (i - 1)));
        };
        scanned_by_key<T>(stream, n, fresh, get, sums, f);
        const auto q = plain(out);
        each(stream, n, [=](ptrdiff_t i) { *(q + i) = sums[i].value; });
        settle(stream);
        return out + n;
    }
};
template <> struct parallel<inclusive_scan_by_key_> : parallel_scan_by_key<true> {
    template <class K, class V, class O>
    static O run(cmStream_t stream, K first, K last, V v, O out) {
        return run(stream, first, last, v, out, std::equal_to<>());
    }
    template <class K, class V, class O, class E>
    static O run(cmStream_t stream, K first, K last, V v, O out, E same) {
        return run(stream, first, last, v, out, same, std::plus<>());
    }
    template <class K, class V, class O, class E, class F>
    static O run(cmStream_t stream, K first, K last, V v, O out, E same, F f) {
        return scan(stream, first, last, v, out, value_of<V>(), same, f);
    }
};
template <> struct parallel<exclusive_scan_by_key_> : parallel_scan_by_key<false> {
    template <class K, class V, class O>
    static O run(cmStream_t stream, K first, K last, V v, O out) {
        return run(stream, first, last, v, out, value_of<V>());
    }
    template <class K, class V, class O, class T>
    static O run(cmStream_t stream, K first, K last, V v, O out, T start) {
        return run(stream, first, last, v, out, start, std::equal_to<>());
    }
    template <class K, class V, class O, class T, class E>
    static O run(cmStream_t stream, K first, K last, V v, O out, T start, E same) {
        return run(stream, first, last, v, out, start, same, std::plus<>());
    }
    template <class K, class V, class O, class T, class E, class F>
    static O run(cmStream_t stream, K first, K last, V v, O out, T start, E same, F f) {
        return scan(stream, first, last, v, out, start, same, f);
    }
};

} // namespace detail
} // namespace thrust

#endif
