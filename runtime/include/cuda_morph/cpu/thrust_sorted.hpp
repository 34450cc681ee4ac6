// SPDX-License-Identifier: Apache-2.0
// Thrust: sorting, removing, partitions, searching in what is sorted, sets.
#ifndef CUDA_MORPH_CPU_THRUST_SORTED_HPP
#define CUDA_MORPH_CPU_THRUST_SORTED_HPP

namespace thrust {
namespace detail {

// The elements of a range, by value; and back.
template <class I> inline std::vector<value_of<I>> taken(I first, I last) {
    std::vector<value_of<I>> v;
    v.reserve(static_cast<size_t>(last - first));
    for (auto p = plain(first), end = plain(last); p != end; ++p) v.push_back(*p);
    return v;
}
template <class V, class O> inline O given(const V &v, O out) {
    const auto q = plain(out);
    auto to = q;
    for (const auto &e : v) {
        *to = e;
        ++to;
    }
    return moved(out, q, to);
}

struct stable_sort_ {
    template <class I> static void run(I first, I last) { run(first, last, std::less<>()); }
    template <class I, class F> static void run(I first, I last, F less) {
        auto p = plain(first), end = plain(last);
        if constexpr (std::is_pointer<decltype(p)>::value) {
            std::stable_sort(p, end, less);
        } else { // an iterator of references that are values themselves (zip) cannot be sorted
            auto v = taken(p, end);
            std::stable_sort(v.begin(), v.end(), less);
            given(v, p);
        }
    }
};
struct sort_ : stable_sort_ {};
struct stable_sort_by_key_ {
    template <class K, class V> static void run(K first, K last, V values) {
        run(first, last, values, std::less<>());
    }
    template <class K, class V, class F> static void run(K first, K last, V values, F less) {
        const auto keys = taken(first, last);
        const auto old = taken(values, values + (last - first));
        std::vector<size_t> order(keys.size());
        std::iota(order.begin(), order.end(), size_t(0));
        std::stable_sort(order.begin(), order.end(),
                         [&](size_t a, size_t b) { return less(keys[a], keys[b]); });
        auto k = plain(first);
        auto v = plain(values);
        for (size_t i : order) {
            *k = keys[i], *v = old[i];
            ++k, ++v;
        }
    }
};
struct sort_by_key_ : stable_sort_by_key_ {};
struct is_sorted_until_ {
    template <class I> static I run(I first, I last) { return run(first, last, std::less<>()); }
    template <class I, class F> static I run(I first, I last, F less) {
        const auto begin = plain(first), end = plain(last);
        if (begin == end) return last;
        auto p = begin;
        for (auto next = p; ++next != end; ++p)
            if (less(*next, *p)) return moved(first, begin, next);
        return last;
    }
};
struct is_sorted_ {
    template <class I> static bool run(I first, I last) {
        return is_sorted_until_::run(first, last) == last;
    }
    template <class I, class F> static bool run(I first, I last, F less) {
        return is_sorted_until_::run(first, last, less) == last;
    }
};

// ---- leaving out ----

struct remove_copy_if_ {
    template <class I, class O, class P> static O run(I first, I last, O out, P unwanted) {
        return run(first, last, first, out, unwanted);
    }
    template <class I, class S, class O, class P>
    static O run(I first, I last, S stencil, O out, P unwanted) {
        return copy_if_::run(first, last, stencil, out,
                             [&](const auto &v) { return !unwanted(v); });
    }
};
struct remove_if_ {
    template <class I, class P> static I run(I first, I last, P unwanted) {
        return remove_copy_if_::run(first, last, first, unwanted);
    }
    template <class I, class S, class P> static I run(I first, I last, S stencil, P unwanted) {
        return remove_copy_if_::run(first, last, stencil, first, unwanted);
    }
};
struct remove_copy_ {
    template <class I, class O, class T> static O run(I first, I last, O out, const T &value) {
        return remove_copy_if_::run(first, last, out, [&](const auto &v) { return v == value; });
    }
};
struct remove_ {
    template <class I, class T> static I run(I first, I last, const T &value) {
        return remove_copy_::run(first, last, first, value);
    }
};
struct unique_copy_ {
    template <class I, class O> static O run(I first, I last, O out) {
        return run(first, last, out, std::equal_to<>());
    }
    template <class I, class O, class E> static O run(I first, I last, O out, E same) {
        std::vector<value_of<I>> kept;
        for (auto p = plain(first), end = plain(last); p != end; ++p)
            if (kept.empty() || !same(kept.back(), *p)) kept.push_back(*p);
        return given(kept, out);
    }
};
struct unique_ {
    template <class I> static I run(I first, I last) {
        return unique_copy_::run(first, last, first);
    }
    template <class I, class E> static I run(I first, I last, E same) {
        return unique_copy_::run(first, last, first, same);
    }
};
struct unique_count_ {
    template <class I> static ptrdiff_t run(I first, I last) {
        return run(first, last, std::equal_to<>());
    }
    template <class I, class E> static ptrdiff_t run(I first, I last, E same) {
        ptrdiff_t n = 0;
        const auto begin = plain(first), end = plain(last);
        for (auto p = begin; p != end; ++p)
            if (p == begin || !same(*(p - 1), *p)) n++;
        return n;
    }
};
struct unique_by_key_copy_ {
    template <class K, class V, class KO, class VO>
    static std::pair<KO, VO> run(K first, K last, V values, KO keys_out, VO out) {
        return run(first, last, values, keys_out, out, std::equal_to<>());
    }
    template <class K, class V, class KO, class VO, class E>
    static std::pair<KO, VO> run(K first, K last, V values, KO keys_out, VO out, E same) {
        std::vector<value_of<K>> keys;
        std::vector<value_of<V>> kept;
        auto v = plain(values);
        for (auto k = plain(first), end = plain(last); k != end; ++k, ++v)
            if (keys.empty() || !same(keys.back(), *k)) keys.push_back(*k), kept.push_back(*v);
        return {given(keys, keys_out), given(kept, out)};
    }
};
struct unique_by_key_ {
    template <class K, class V> static std::pair<K, V> run(K first, K last, V values) {
        return unique_by_key_copy_::run(first, last, values, first, values);
    }
    template <class K, class V, class E>
    static std::pair<K, V> run(K first, K last, V values, E same) {
        return unique_by_key_copy_::run(first, last, values, first, values, same);
    }
};
struct stable_partition_ {
    template <class I, class P> static I run(I first, I last, P wanted) {
        return run(first, last, first, wanted);
    }
    template <class I, class S, class P> static I run(I first, I last, S stencil, P wanted) {
        std::vector<value_of<I>> yes, no;
        auto s = plain(stencil);
        for (auto p = plain(first), end = plain(last); p != end; ++p, ++s)
            (wanted(*s) ? yes : no).push_back(*p);
        const I middle = given(yes, first);
        given(no, middle);
        return middle;
    }
};
struct partition_ : stable_partition_ {};
struct partition_copy_ {
    template <class I, class A, class B, class P>
    static std::pair<A, B> run(I first, I last, A yes, B no, P wanted) {
        return run(first, last, first, yes, no, wanted);
    }
    // by what a second range says
    template <class I, class S, class A, class B, class P>
    static std::pair<A, B> run(I first, I last, S stencil, A yes, B no, P wanted) {
        const auto a0 = plain(yes);
        const auto b0 = plain(no);
        auto a = a0;
        auto b = b0;
        auto s = plain(stencil);
        for (auto p = plain(first), end = plain(last); p != end; ++p, ++s) {
            if (wanted(*s)) {
                *a = *p;
                ++a;
            } else {
                *b = *p;
                ++b;
            }
        }
        return {moved(yes, a0, a), moved(no, b0, b)};
    }
};
struct stable_partition_copy_ : partition_copy_ {};
struct partition_point_ {
    template <class I, class P> static I run(I first, I last, P wanted) {
        return find_if_not_::run(first, last, wanted);
    }
};
struct is_partitioned_ {
    template <class I, class P> static bool run(I first, I last, P wanted) {
        return none_of_::run(find_if_not_::run(first, last, wanted), last, wanted);
    }
};

// ---- searching in sorted ranges: one value, or a range of them ----

template <class How> struct search {
    template <class I, class T> static auto run(I first, I last, const T &value) {
        return How::one(first, last, value, std::less<>());
    }
    template <class I, class A, class B, class C>
    static auto run(I first, I last, A a, B b, C out) {
        return many(first, last, a, b, out, std::less<>());
    }
    template <class I, class A, class B> static auto run(I first, I last, const A &value, B less) {
        return How::one(first, last, value, less);
    }
    template <class I, class A, class B, class C, class F>
    static auto run(I first, I last, A a, B b, C out, F less) {
        return many(first, last, a, b, out, less);
    }
    template <class I, class V, class O, class F>
    static O many(I first, I last, V values, V values_end, O out, F less) {
        const auto begin = plain(first), end = plain(last);
        const auto q = plain(out);
        auto to = q;
        for (auto v = plain(values), stop = plain(values_end); v != stop; ++v, ++to) {
            const value_of<V> wanted = *v;
            const auto found = How::one(begin, end, wanted, less);
            if constexpr (std::is_same<std::decay_t<decltype(found)>, bool>::value)
                *to = found;
            else
                *to = found - begin;
        }
        return moved(out, q, to);
    }
};
// The first element that is no longer `before`: those that are stand in front.
template <class I, class F> I bound(I first, I last, F before) {
    const auto begin = plain(first);
    ptrdiff_t low = 0, high = last - first;
    while (low < high) {
        const ptrdiff_t middle = low + (high - low) / 2;
        before(begin[middle]) ? low = middle + 1 : high = middle;
    }
    return first + low;
}
struct lower_bound_ : search<lower_bound_> {
    template <class I, class T, class F> static I one(I first, I last, const T &value, F less) {
        return bound(first, last, [&](auto &&x) { return less(x, value); });
    }
};
struct upper_bound_ : search<upper_bound_> {
    template <class I, class T, class F> static I one(I first, I last, const T &value, F less) {
        return bound(first, last, [&](auto &&x) { return !less(value, x); });
    }
};
struct binary_search_ : search<binary_search_> {
    template <class I, class T, class F> static bool one(I first, I last, const T &value, F less) {
        const I at = lower_bound_::one(first, last, value, less);
        return at != last && !less(value, *plain(at));
    }
};
struct equal_range_ {
    template <class I, class T> static std::pair<I, I> run(I first, I last, const T &value) {
        return run(first, last, value, std::less<>());
    }
    template <class I, class T, class F>
    static std::pair<I, I> run(I first, I last, const T &value, F less) {
        return {lower_bound_::one(first, last, value, less),
                upper_bound_::one(first, last, value, less)};
    }
};

// ---- two sorted ranges ----

#define CM_THRUST_SET(name)                                                                       \
    struct name##_ {                                                                              \
        template <class I, class J, class O>                                                      \
        static O run(I first, I last, J other, J end, O out) {                                    \
            return run(first, last, other, end, out, std::less<>());                              \
        }                                                                                         \
        template <class I, class J, class O, class F>                                             \
        static O run(I first, I last, J other, J end, O out, F less) {                            \
            const auto a = taken(first, last);                                                    \
            const auto b = taken(other, end);                                                     \
            std::vector<value_of<I>> result;                                                      \
            std::name(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(result), less);  \
            return given(result, out);                                                            \
        }                                                                                         \
    };
CM_THRUST_SET(merge)
CM_THRUST_SET(set_union)
CM_THRUST_SET(set_intersection)
CM_THRUST_SET(set_difference)
CM_THRUST_SET(set_symmetric_difference)
#undef CM_THRUST_SET
// The same with a value for each key. What is kept of the first range, of keys that both have (the
// first range's), and of the second.
template <bool First, bool Both, bool Second> struct set_by_key {
    template <class K, class L, class V, class W, class KO, class VO, class F>
    static std::pair<KO, VO> both(K first, K last, L other, L end, V values, W more, KO keys_out,
                                  VO out, F less) {
        const auto ka = taken(first, last);
        const auto kb = taken(other, end);
        const auto va = taken(values, values + (last - first));
        std::vector<value_of<K>> keys;
        std::vector<value_of<V>> result;
        size_t i = 0, j = 0;
        while (i < ka.size() || j < kb.size()) {
            const bool one = j == kb.size() || (i < ka.size() && less(ka[i], kb[j]));
            const bool two = !one && (i == ka.size() || less(kb[j], ka[i]));
            if (two ? false : one ? First : Both) keys.push_back(ka[i]), result.push_back(va[i]);
            if constexpr (Second)
                if (two) keys.push_back(kb[j]), result.push_back(*(plain(more) + ptrdiff_t(j)));
            i += !two, j += !one;
        }
        return {given(keys, keys_out), given(result, out)};
    }
};
#define CM_THRUST_SET(name, ...)                                                                  \
    struct name##_by_key_ : set_by_key<__VA_ARGS__> {                                             \
        template <class K, class L, class V, class W, class KO, class VO>                         \
        static std::pair<KO, VO> run(K a, K b, L c, L d, V v, W w, KO keys_out, VO out) {         \
            return name##_by_key_::both(a, b, c, d, v, w, keys_out, out, std::less<>());          \
        }                                                                                         \
        template <class K, class L, class V, class W, class KO, class VO, class F>                \
        static std::pair<KO, VO> run(K a, K b, L c, L d, V v, W w, KO keys_out, VO out, F less) { \
            return name##_by_key_::both(a, b, c, d, v, w, keys_out, out, less);                   \
        }                                                                                         \
    };
CM_THRUST_SET(set_union, true, true, true)
CM_THRUST_SET(set_difference, true, false, false)
CM_THRUST_SET(set_symmetric_difference, true, false, true)
#undef CM_THRUST_SET
// With values of the first alone.
struct set_intersection_by_key_ : set_by_key<false, true, false> {
    template <class K, class L, class V, class KO, class VO, class F = std::less<>>
    static std::pair<KO, VO> run(K a, K b, L c, L d, V v, KO keys_out, VO out, F less = {}) {
        return both(a, b, c, d, v, v, keys_out, out, less);
    }
};
struct merge_by_key_ {
    template <class K, class L, class V, class W, class KO, class VO>
    static std::pair<KO, VO> run(K first, K last, L other, L end, V values, W more, KO keys_out,
                                 VO out) {
        return run(first, last, other, end, values, more, keys_out, out, std::less<>());
    }
    template <class K, class L, class V, class W, class KO, class VO, class F>
    static std::pair<KO, VO> run(K first, K last, L other, L end, V values, W more, KO keys_out,
                                 VO out, F less) {
        const auto ka = taken(first, last);
        const auto kb = taken(other, end);
        const auto va = taken(values, values + (last - first));
        const auto vb = taken(more, more + (end - other));
        auto k = plain(keys_out);
        auto v = plain(out);
        const auto k0 = k;
        const auto v0 = v;
        for (size_t i = 0, j = 0; i < ka.size() || j < kb.size(); ++k, ++v) {
            const bool second = i == ka.size() || (j < kb.size() && less(kb[j], ka[i]));
            if (second)
                *k = kb[j], *v = vb[j], j++;
            else
                *k = ka[i], *v = va[i], i++;
        }
        return {moved(keys_out, k0, k), moved(out, v0, v)};
    }
};
struct shuffle_copy_ {
    template <class I, class O, class G> static O run(I first, I last, O out, G &&engine) {
        auto v = taken(first, last);
        std::shuffle(v.begin(), v.end(), engine);
        return given(v, out);
    }
};
struct shuffle_ {
    template <class I, class G> static void run(I first, I last, G &&engine) {
        auto v = taken(first, last);
        std::shuffle(v.begin(), v.end(), engine);
        given(v, first);
    }
};

} // namespace detail

CM_THRUST(sort)
CM_THRUST(stable_sort)
CM_THRUST(sort_by_key)
CM_THRUST(stable_sort_by_key)
CM_THRUST(is_sorted)
CM_THRUST(is_sorted_until)
CM_THRUST(remove)
CM_THRUST(remove_if)
CM_THRUST(remove_copy)
CM_THRUST(remove_copy_if)
CM_THRUST(unique)
CM_THRUST(unique_copy)
CM_THRUST(unique_count)
CM_THRUST(unique_by_key)
CM_THRUST(unique_by_key_copy)
CM_THRUST(partition)
CM_THRUST(stable_partition)
CM_THRUST(partition_copy)
CM_THRUST(stable_partition_copy)
CM_THRUST(partition_point)
CM_THRUST(is_partitioned)
CM_THRUST(lower_bound)
CM_THRUST(upper_bound)
CM_THRUST(binary_search)
CM_THRUST(equal_range)
CM_THRUST(merge)
CM_THRUST(merge_by_key)
CM_THRUST(set_union_by_key)
CM_THRUST(set_intersection_by_key)
CM_THRUST(set_difference_by_key)
CM_THRUST(set_symmetric_difference_by_key)
CM_THRUST(set_union)
CM_THRUST(set_intersection)
CM_THRUST(set_difference)
CM_THRUST(set_symmetric_difference)
CM_THRUST(shuffle_copy)
CM_THRUST(shuffle)
#undef CM_THRUST

} // namespace thrust

#endif
