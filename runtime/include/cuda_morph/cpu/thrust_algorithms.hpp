// SPDX-License-Identifier: Apache-2.0
// Thrust: the algorithms that go through a range once. Each is a function object whose run() gets
// the arguments without the policy, and goes from the first element to the last; CM_THRUST makes
// the function that has thrust_call.hpp carry it out.
#ifndef CUDA_MORPH_CPU_THRUST_ALGORITHMS_HPP
#define CUDA_MORPH_CPU_THRUST_ALGORITHMS_HPP

#define CM_THRUST(name)                                                                           \
    template <class... A> inline decltype(auto) name(A &&...a) {                                  \
        return detail::call<detail::name##_>(std::forward<A>(a)...);                              \
    }

namespace thrust {
namespace detail {

// ---- one element at a time ----

struct for_each_ {
    template <class I, class F> static I run(I first, I last, F f) {
        auto p = plain(first);
        for (auto end = plain(last); p != end; ++p) f(*p);
        return last;
    }
};
struct for_each_n_ {
    template <class I, class N, class F> static I run(I first, N n, F f) {
        return for_each_::run(first, first + static_cast<ptrdiff_t>(n), f);
    }
};
struct transform_ {
    template <class I, class O, class F> static O run(I first, I last, O out, F f) {
        auto p = plain(first);
        const auto q = plain(out);
        auto to = q;
        for (auto end = plain(last); p != end; ++p, ++to) *to = f(*p);
        return moved(out, q, to);
    }
    template <class I, class J, class O, class F>
    static O run(I first, I last, J second, O out, F f) {
        auto p = plain(first);
        auto s = plain(second);
        const auto q = plain(out);
        auto to = q;
        for (auto end = plain(last); p != end; ++p, ++s, ++to) *to = f(*p, *s);
        return moved(out, q, to);
    }
};
struct transform_if_ {
    template <class I, class O, class F, class P>
    static O run(I first, I last, O out, F f, P wanted) {
        return run(first, last, first, out, f, wanted);
    }
    template <class I, class S, class O, class F, class P>
    static O run(I first, I last, S stencil, O out, F f, P wanted) {
        auto p = plain(first);
        auto s = plain(stencil);
        const auto q = plain(out);
        auto to = q;
        for (auto end = plain(last); p != end; ++p, ++s, ++to)
            if (wanted(*s)) *to = f(*p);
        return moved(out, q, to);
    }
    template <class I, class J, class S, class O, class F, class P>
    static O run(I first, I last, J second, S stencil, O out, F f, P wanted) {
        auto p = plain(first);
        auto r = plain(second);
        auto s = plain(stencil);
        const auto q = plain(out);
        auto to = q;
        for (auto end = plain(last); p != end; ++p, ++r, ++s, ++to)
            if (wanted(*s)) *to = f(*p, *r);
        return moved(out, q, to);
    }
};
struct fill_ {
    template <class I, class T> static void run(I first, I last, const T &value) {
        const T kept = value;
        auto p = plain(first);
        for (auto end = plain(last); p != end; ++p) *p = kept;
    }
};
struct fill_n_ {
    template <class I, class N, class T> static I run(I first, N n, const T &value) {
        fill_::run(first, first + static_cast<ptrdiff_t>(n), value);
        return first + static_cast<ptrdiff_t>(n);
    }
};
struct sequence_ {
    template <class I> static void run(I first, I last) { run(first, last, value_of<I>()); }
    template <class I, class T> static void run(I first, I last, T from) {
        run(first, last, from, T(1));
    }
    template <class I, class T, class S> static void run(I first, I last, T from, S step) {
        auto p = plain(first);
        ptrdiff_t i = 0;
        for (auto end = plain(last); p != end; ++p, i++)
            *p = static_cast<value_of<I>>(from + static_cast<T>(i) * step);
    }
};
struct tabulate_ {
    template <class I, class F> static void run(I first, I last, F f) {
        auto p = plain(first);
        ptrdiff_t i = 0;
        for (auto end = plain(last); p != end; ++p, i++) *p = f(i);
    }
};
struct generate_ {
    template <class I, class F> static void run(I first, I last, F &&f) {
        auto p = plain(first);
        for (auto end = plain(last); p != end; ++p) *p = f();
    }
};
struct generate_n_ {
    template <class I, class N, class F> static I run(I first, N n, F &&f) {
        generate_::run(first, first + static_cast<ptrdiff_t>(n), f);
        return first + static_cast<ptrdiff_t>(n);
    }
};

// ---- copying ----

struct copy_ {
    template <class I, class O> static O run(I first, I last, O out) {
        auto p = plain(first);
        const auto q = plain(out);
        auto to = q;
        for (auto end = plain(last); p != end; ++p, ++to) *to = *p;
        return moved(out, q, to);
    }
};
struct copy_n_ {
    template <class I, class N, class O> static O run(I first, N n, O out) {
        return copy_::run(first, first + static_cast<ptrdiff_t>(n), out);
    }
};
struct copy_if_ {
    template <class I, class O, class P> static O run(I first, I last, O out, P wanted) {
        return run(first, last, first, out, wanted);
    }
    template <class I, class S, class O, class P>
    static O run(I first, I last, S stencil, O out, P wanted) {
        auto p = plain(first);
        auto s = plain(stencil);
        const auto q = plain(out);
        auto to = q;
        for (auto end = plain(last); p != end; ++p, ++s)
            if (wanted(*s)) {
                *to = *p;
                ++to;
            }
        return moved(out, q, to);
    }
};
struct gather_ {
    template <class I, class J, class O> static O run(I first, I last, J from, O out) {
        auto p = plain(first);
        const auto source = plain(from);
        const auto q = plain(out);
        auto to = q;
        for (auto end = plain(last); p != end; ++p, ++to) *to = source[static_cast<ptrdiff_t>(*p)];
        return moved(out, q, to);
    }
};
struct gather_if_ {
    template <class I, class S, class J, class O, class P>
    static O run(I first, I last, S stencil, J from, O out, P wanted) {
        auto p = plain(first);
        auto s = plain(stencil);
        const auto source = plain(from);
        const auto q = plain(out);
        auto to = q;
        for (auto end = plain(last); p != end; ++p, ++s, ++to)
            if (wanted(*s)) *to = source[static_cast<ptrdiff_t>(*p)];
        return moved(out, q, to);
    }
    template <class I, class S, class J, class O>
    static O run(I first, I last, S stencil, J from, O out) {
        return run(first, last, stencil, from, out, [](const auto &v) { return bool(v); });
    }
};
struct scatter_ {
    template <class I, class M, class O> static void run(I first, I last, M map, O out) {
        auto p = plain(first);
        auto m = plain(map);
        const auto to = plain(out);
        for (auto end = plain(last); p != end; ++p, ++m) to[static_cast<ptrdiff_t>(*m)] = *p;
    }
};
struct scatter_if_ {
    template <class I, class M, class S, class O>
    static void run(I first, I last, M map, S stencil, O out) {
        run(first, last, map, stencil, out, [](const auto &v) { return bool(v); });
    }
    template <class I, class M, class S, class O, class P>
    static void run(I first, I last, M map, S stencil, O out, P wanted) {
        auto p = plain(first);
        auto m = plain(map);
        auto s = plain(stencil);
        const auto to = plain(out);
        for (auto end = plain(last); p != end; ++p, ++m, ++s)
            if (wanted(*s)) to[static_cast<ptrdiff_t>(*m)] = *p;
    }
};
struct reverse_ {
    template <class I> static void run(I first, I last) {
        std::vector<value_of<I>> all;
        for (auto p = plain(first), end = plain(last); p != end; ++p) all.push_back(*p);
        auto p = plain(first);
        for (size_t i = all.size(); i-- > 0; ++p) *p = all[i];
    }
};
struct reverse_copy_ {
    template <class I, class O> static O run(I first, I last, O out) {
        const auto begin = plain(first);
        auto p = plain(last);
        const auto q = plain(out);
        auto to = q;
        while (p != begin) {
            --p;
            *to = *p;
            ++to;
        }
        return moved(out, q, to);
    }
};
struct swap_ranges_ {
    template <class I, class J> static J run(I first, I last, J second) {
        auto p = plain(first);
        const auto q = plain(second);
        auto s = q;
        for (auto end = plain(last); p != end; ++p, ++s) {
            const value_of<I> v = *p;
            *p = *s;
            *s = v;
        }
        return moved(second, q, s);
    }
};
struct replace_if_ {
    template <class I, class P, class T>
    static void run(I first, I last, P wanted, const T &value) {
        for (auto p = plain(first), end = plain(last); p != end; ++p)
            if (wanted(*p)) *p = value;
    }
    template <class I, class S, class P, class T>
    static void run(I first, I last, S stencil, P wanted, const T &value) {
        auto s = plain(stencil);
        for (auto p = plain(first), end = plain(last); p != end; ++p, ++s)
            if (wanted(*s)) *p = value;
    }
};
struct replace_copy_if_ {
    template <class I, class O, class P, class T>
    static O run(I first, I last, O out, P wanted, const T &value) {
        return run(first, last, first, out, wanted, value);
    }
    template <class I, class S, class O, class P, class T>
    static O run(I first, I last, S stencil, O out, P wanted, const T &value) {
        auto s = plain(stencil);
        const auto begin = plain(out);
        auto to = begin;
        for (auto p = plain(first), end = plain(last); p != end; ++p, ++s, ++to) {
            if (wanted(*s))
                *to = value;
            else
                *to = *p;
        }
        return moved(out, begin, to);
    }
};
struct replace_copy_ {
    template <class I, class O, class T>
    static O run(I first, I last, O out, const T &old, const T &value) {
        return replace_copy_if_::run(
            first, last, out, [&](const auto &v) { return v == old; }, value);
    }
};
struct replace_ {
    template <class I, class T> static void run(I first, I last, const T &old, const T &value) {
        for (auto p = plain(first), end = plain(last); p != end; ++p)
            if (*p == old) *p = value;
    }
};
struct adjacent_difference_ {
    template <class I, class O> static O run(I first, I last, O out) {
        return run(first, last, out, std::minus<>());
    }
    template <class I, class O, class F> static O run(I first, I last, O out, F f) {
        auto p = plain(first);
        const auto q = plain(out);
        auto to = q;
        value_of<I> before{};
        bool some = false;
        for (auto stop = plain(last); p != stop; ++p, ++to) {
            const value_of<I> v = *p;
            if (some)
                *to = f(v, before);
            else
                *to = v;
            before = v, some = true;
        }
        return moved(out, q, to);
    }
};

// ---- reductions and scans ----

struct reduce_ {
    template <class I> static value_of<I> run(I first, I last) {
        return run(first, last, value_of<I>());
    }
    template <class I, class T> static T run(I first, I last, T sum) {
        return run(first, last, sum, std::plus<>());
    }
    template <class I, class T, class F> static T run(I first, I last, T sum, F f) {
        for (auto p = plain(first), end = plain(last); p != end; ++p) sum = f(sum, *p);
        return sum;
    }
};
struct transform_reduce_ {
    template <class I, class U, class T, class F> static T run(I first, I last, U u, T sum, F f) {
        for (auto p = plain(first), end = plain(last); p != end; ++p) sum = f(sum, u(*p));
        return sum;
    }
};
struct inner_product_ {
    template <class I, class J, class T> static T run(I first, I last, J second, T sum) {
        return run(first, last, second, sum, std::plus<>(), std::multiplies<>());
    }
    template <class I, class J, class T, class F, class G>
    static T run(I first, I last, J second, T sum, F f, G g) {
        auto s = plain(second);
        for (auto p = plain(first), end = plain(last); p != end; ++p, ++s) sum = f(sum, g(*p, *s));
        return sum;
    }
};
struct reduce_by_key_ {
    template <class K, class V, class KO, class VO>
    static std::pair<KO, VO> run(K first, K last, V values, KO keys_out, VO out) {
        return run(first, last, values, keys_out, out, std::equal_to<>());
    }
    template <class K, class V, class KO, class VO, class E>
    static std::pair<KO, VO> run(K first, K last, V values, KO keys_out, VO out, E same) {
        return run(first, last, values, keys_out, out, same, std::plus<>());
    }
    template <class K, class V, class KO, class VO, class E, class F>
    static std::pair<KO, VO> run(K first, K last, V values, KO keys_out, VO out, E same, F f) {
        auto k = plain(first);
        auto v = plain(values);
        const auto ko = plain(keys_out);
        const auto vo = plain(out);
        auto kt = ko;
        auto vt = vo;
        for (auto end = plain(last); k != end; ++kt, ++vt) {
            const value_of<K> key = *k;
            value_of<V> sum = *v;
            for (++k, ++v; k != end && same(key, *k); ++k, ++v) sum = f(sum, *v);
            *kt = key, *vt = sum;
        }
        return {moved(keys_out, ko, kt), moved(out, vo, vt)};
    }
};
struct transform_inclusive_scan_ {
    template <class I, class O, class U, class F> static O run(I first, I last, O out, U u, F f) {
        auto p = plain(first);
        const auto q = plain(out);
        auto to = q;
        const auto end = plain(last);
        if (p == end) return out;
        std::decay_t<decltype(u(*p))> sum = u(*p);
        *to = sum;
        for (++p, ++to; p != end; ++p, ++to) {
            sum = f(sum, u(*p));
            *to = sum;
        }
        return moved(out, q, to);
    }
};
struct transform_exclusive_scan_ {
    template <class I, class O, class U, class T, class F>
    static O run(I first, I last, O out, U u, T sum, F f) {
        auto p = plain(first);
        const auto q = plain(out);
        auto to = q;
        for (auto end = plain(last); p != end; ++p, ++to) {
            const T next = f(sum, u(*p));
            *to = sum;
            sum = next;
        }
        return moved(out, q, to);
    }
};
struct itself {
    template <class T> T operator()(const T &v) const { return v; }
};
struct inclusive_scan_ {
    template <class I, class O> static O run(I first, I last, O out) {
        return run(first, last, out, std::plus<>());
    }
    template <class I, class O, class F> static O run(I first, I last, O out, F f) {
        const auto value = [](const auto &v) { return static_cast<value_of<I>>(v); };
        return transform_inclusive_scan_::run(first, last, out, value, f);
    }
};
struct exclusive_scan_ {
    template <class I, class O> static O run(I first, I last, O out) {
        return run(first, last, out, value_of<I>());
    }
    template <class I, class O, class T> static O run(I first, I last, O out, T sum) {
        return run(first, last, out, sum, std::plus<>());
    }
    template <class I, class O, class T, class F>
    static O run(I first, I last, O out, T sum, F f) {
        const auto value = [](const auto &v) { return static_cast<value_of<I>>(v); };
        return transform_exclusive_scan_::run(first, last, out, value, sum, f);
    }
};
template <bool Inclusive> struct scan_by_key {
    template <class K, class V, class O, class T, class E, class F>
    static O scan(K first, K last, V values, O out, T start, E same, F f) {
        auto k = plain(first);
        auto v = plain(values);
        const auto q = plain(out);
        auto to = q;
        value_of<K> key{};
        T sum = start;
        bool some = false;
        for (auto end = plain(last); k != end; ++k, ++v, ++to) {
            const value_of<K> now = *k;
            const bool fresh = !some || !same(key, now);
            const T value = static_cast<T>(*v);
            if (Inclusive) {
                sum = fresh ? value : f(sum, value);
                *to = sum;
            } else {
                if (fresh) sum = start;
                const T next = f(sum, value);
                *to = sum;
                sum = next;
            }
            key = now, some = true;
        }
        return moved(out, q, to);
    }
};
struct inclusive_scan_by_key_ : scan_by_key<true> {
    template <class K, class V, class O> static O run(K first, K last, V v, O out) {
        return run(first, last, v, out, std::equal_to<>());
    }
    template <class K, class V, class O, class E>
    static O run(K first, K last, V v, O out, E same) {
        return run(first, last, v, out, same, std::plus<>());
    }
    template <class K, class V, class O, class E, class F>
    static O run(K first, K last, V v, O out, E same, F f) {
        return scan(first, last, v, out, value_of<V>(), same, f);
    }
};
struct exclusive_scan_by_key_ : scan_by_key<false> {
    template <class K, class V, class O> static O run(K first, K last, V v, O out) {
        return run(first, last, v, out, value_of<V>());
    }
    template <class K, class V, class O, class T>
    static O run(K first, K last, V v, O out, T start) {
        return run(first, last, v, out, start, std::equal_to<>());
    }
    template <class K, class V, class O, class T, class E>
    static O run(K first, K last, V v, O out, T start, E same) {
        return run(first, last, v, out, start, same, std::plus<>());
    }
    template <class K, class V, class O, class T, class E, class F>
    static O run(K first, K last, V v, O out, T start, E same, F f) {
        return scan(first, last, v, out, start, same, f);
    }
};

// ---- questions ----

struct count_if_ {
    template <class I, class P> static ptrdiff_t run(I first, I last, P wanted) {
        ptrdiff_t n = 0;
        for (auto p = plain(first), end = plain(last); p != end; ++p) n += wanted(*p) ? 1 : 0;
        return n;
    }
};
struct count_ {
    template <class I, class T> static ptrdiff_t run(I first, I last, const T &value) {
        return count_if_::run(first, last, [&](const auto &v) { return v == value; });
    }
};
struct find_if_ {
    template <class I, class P> static I run(I first, I last, P wanted) {
        const auto begin = plain(first), end = plain(last);
        auto p = begin;
        while (p != end && !wanted(*p)) ++p;
        return moved(first, begin, p);
    }
};
struct find_if_not_ {
    template <class I, class P> static I run(I first, I last, P wanted) {
        return find_if_::run(first, last, [&](const auto &v) { return !wanted(v); });
    }
};
struct find_ {
    template <class I, class T> static I run(I first, I last, const T &value) {
        return find_if_::run(first, last, [&](const auto &v) { return v == value; });
    }
};
struct all_of_ {
    template <class I, class P> static bool run(I first, I last, P wanted) {
        return find_if_not_::run(first, last, wanted) == last;
    }
};
struct any_of_ {
    template <class I, class P> static bool run(I first, I last, P wanted) {
        return find_if_::run(first, last, wanted) != last;
    }
};
struct none_of_ {
    template <class I, class P> static bool run(I first, I last, P wanted) {
        return !any_of_::run(first, last, wanted);
    }
};
struct mismatch_ {
    template <class I, class J> static std::pair<I, J> run(I first, I last, J second) {
        return run(first, last, second, std::equal_to<>());
    }
    template <class I, class J, class E>
    static std::pair<I, J> run(I first, I last, J second, E same) {
        const auto p0 = plain(first), end = plain(last);
        const auto s0 = plain(second);
        auto p = p0;
        auto s = s0;
        for (; p != end && same(*p, *s); ++p) ++s;
        return {moved(first, p0, p), moved(second, s0, s)};
    }
};
struct equal_ {
    template <class I, class J> static bool run(I first, I last, J second) {
        return mismatch_::run(first, last, second).first == last;
    }
    template <class I, class J, class E> static bool run(I first, I last, J second, E same) {
        return mismatch_::run(first, last, second, same).first == last;
    }
};
// The first of equals; of minmax_element() the last one of the largest is not asked for by Thrust.
struct min_element_ {
    template <class I> static I run(I first, I last) { return run(first, last, std::less<>()); }
    template <class I, class F> static I run(I first, I last, F less) {
        const auto begin = plain(first), end = plain(last);
        auto best = begin;
        for (auto p = begin; p != end; ++p)
            if (less(*p, *best)) best = p;
        return moved(first, begin, best);
    }
};
struct max_element_ {
    template <class I> static I run(I first, I last) { return run(first, last, std::less<>()); }
    template <class I, class F> static I run(I first, I last, F less) {
        return min_element_::run(first, last,
                                 [less](const auto &a, const auto &b) { return less(b, a); });
    }
};
struct minmax_element_ {
    template <class I> static std::pair<I, I> run(I first, I last) {
        return {min_element_::run(first, last), max_element_::run(first, last)};
    }
    template <class I, class F> static std::pair<I, I> run(I first, I last, F less) {
        return {min_element_::run(first, last, less), max_element_::run(first, last, less)};
    }
};

} // namespace detail

CM_THRUST(for_each)
CM_THRUST(for_each_n)
CM_THRUST(transform)
CM_THRUST(transform_if)
CM_THRUST(fill)
CM_THRUST(fill_n)
CM_THRUST(sequence)
CM_THRUST(tabulate)
CM_THRUST(generate)
CM_THRUST(generate_n)
CM_THRUST(copy)
CM_THRUST(copy_n)
CM_THRUST(copy_if)
CM_THRUST(gather)
CM_THRUST(gather_if)
CM_THRUST(scatter)
CM_THRUST(scatter_if)
CM_THRUST(reverse)
CM_THRUST(reverse_copy)
CM_THRUST(swap_ranges)
CM_THRUST(replace)
CM_THRUST(replace_if)
CM_THRUST(replace_copy)
CM_THRUST(replace_copy_if)
CM_THRUST(adjacent_difference)
CM_THRUST(reduce)
CM_THRUST(transform_reduce)
CM_THRUST(inner_product)
CM_THRUST(reduce_by_key)
CM_THRUST(inclusive_scan)
CM_THRUST(exclusive_scan)
CM_THRUST(transform_inclusive_scan)
CM_THRUST(transform_exclusive_scan)
CM_THRUST(inclusive_scan_by_key)
CM_THRUST(exclusive_scan_by_key)
CM_THRUST(count)
CM_THRUST(count_if)
CM_THRUST(find)
CM_THRUST(find_if)
CM_THRUST(find_if_not)
CM_THRUST(all_of)
CM_THRUST(any_of)
CM_THRUST(none_of)
CM_THRUST(mismatch)
CM_THRUST(equal)
CM_THRUST(min_element)
CM_THRUST(max_element)
CM_THRUST(minmax_element)
template <class... A> inline decltype(auto) uninitialized_fill(A &&...a) {
    return detail::call<detail::fill_>(std::forward<A>(a)...);
}
template <class... A> inline decltype(auto) uninitialized_fill_n(A &&...a) {
    return detail::call<detail::fill_n_>(std::forward<A>(a)...);
}
template <class... A> inline decltype(auto) uninitialized_copy(A &&...a) {
    return detail::call<detail::copy_>(std::forward<A>(a)...);
}
template <class... A> inline decltype(auto) uninitialized_copy_n(A &&...a) {
    return detail::call<detail::copy_n_>(std::forward<A>(a)...);
}

} // namespace thrust

#endif
