// SPDX-License-Identifier: Apache-2.0
// Thrust in SYCL: by kernels, what leaves out, parts, sorts, merges and compares sorted ranges.
// What is left out is found by a scan over what is kept. Sorting is by merges: each element finds
// its place in the other run by a binary search, so that all of a pass are for themselves and
// equal ones keep their order. Included by sycl/thrust.hpp.
#ifndef CUDA_MORPH_SYCL_THRUST_SORTED_HPP
#define CUDA_MORPH_SYCL_THRUST_SORTED_HPP

namespace thrust {
namespace detail {

// ---- leaving out ----

// How many of [0, i) are kept, for each i in [0, n].
class places {
    scratch<ptrdiff_t> before_;
    ptrdiff_t n_;

  public:
    template <class Keep>
    places(cmStream_t stream, ptrdiff_t n, Keep keep) : before_(n + 1), n_(n > 0 ? n : 0) {
        ptrdiff_t *const p = before_.get();
        each(stream, 1, [p](ptrdiff_t) { p[0] = 0; });
        const auto one = [keep](ptrdiff_t i) mutable -> ptrdiff_t { return keep(i) ? 1 : 0; };
        scanned<ptrdiff_t>(stream, n, one, p + 1, std::plus<>(), true, false, ptrdiff_t(0));
        settle(stream);
    }
    const ptrdiff_t *get() const { return before_.get(); }
    ptrdiff_t count() const { return get()[n_]; }
};
inline bool is_kept(const ptrdiff_t *before, ptrdiff_t i) { return before[i] != before[i + 1]; }

// The kept values of [0, n): in memory of their own, and then in `out`. Others, where there is
// somewhere to put them, to `rest`.
template <class I, class O, class Keep>
O compacted(cmStream_t stream, I first, ptrdiff_t n, O out, Keep keep) {
    using T = value_of<I>;
    const places at(stream, n, keep);
    const ptrdiff_t *const before = at.get();
    const scratch<T> memory(at.count());
    T *const to = memory.get();
    const auto p = plain(first);
    each(stream, n, [=](ptrdiff_t i) {
        if (is_kept(before, i)) new (to + before[i]) T(*(p + i));
    });
    give(stream, to, at.count(), out);
    return out + at.count();
}
template <class S, class P> auto asks_if(S stencil, P wanted, bool is) {
    const auto s = plain(stencil);
    return
        [s, wanted, is](ptrdiff_t i) mutable { return static_cast<bool>(wanted(*(s + i))) == is; };
}
template <> struct parallel<copy_if_> {
    template <class I, class O, class P>
    static O run(cmStream_t stream, I first, I last, O out, P wanted) {
        return run(stream, first, last, first, out, wanted);
    }
    template <class I, class S, class O, class P>
    static O run(cmStream_t stream, I first, I last, S stencil, O out, P wanted) {
        return compacted(stream, first, last - first, out, asks_if(stencil, wanted, true));
    }
};
template <> struct parallel<remove_copy_if_> {
    template <class I, class O, class P>
    static O run(cmStream_t stream, I first, I last, O out, P unwanted) {
        return run(stream, first, last, first, out, unwanted);
    }
    template <class I, class S, class O, class P>
    static O run(cmStream_t stream, I first, I last, S stencil, O out, P unwanted) {
        return compacted(stream, first, last - first, out, asks_if(stencil, unwanted, false));
    }
};
template <> struct parallel<remove_if_> {
    template <class I, class P> static I run(cmStream_t stream, I first, I last, P unwanted) {
        return parallel<remove_copy_if_>::run(stream, first, last, first, unwanted);
    }
    template <class I, class S, class P>
    static I run(cmStream_t stream, I first, I last, S stencil, P unwanted) {
        return parallel<remove_copy_if_>::run(stream, first, last, stencil, first, unwanted);
    }
};
template <> struct parallel<remove_copy_> {
    template <class I, class O, class T>
    static O run(cmStream_t stream, I first, I last, O out, T value) {
        return parallel<remove_copy_if_>::run(stream, first, last, out,
                                              [value](const auto &v) { return v == value; });
    }
};
template <> struct parallel<remove_> {
    template <class I, class T> static I run(cmStream_t stream, I first, I last, T value) {
        return parallel<remove_copy_>::run(stream, first, last, first, value);
    }
};
template <> struct parallel<unique_copy_> {
    template <class I, class O> static O run(cmStream_t stream, I first, I last, O out) {
        return run(stream, first, last, out, std::equal_to<>());
    }
    template <class I, class O, class E>
    static O run(cmStream_t stream, I first, I last, O out, E same) {
        return compacted(stream, first, last - first, out, begins(plain(first), same));
    }
};
template <> struct parallel<unique_> {
    template <class I, class... E> static I run(cmStream_t stream, I first, I last, E... same) {
        return parallel<unique_copy_>::run(stream, first, last, first, same...);
    }
};
template <> struct parallel<unique_count_> {
    template <class I> static ptrdiff_t run(cmStream_t stream, I first, I last) {
        return run(stream, first, last, std::equal_to<>());
    }
    template <class I, class E> static ptrdiff_t run(cmStream_t stream, I first, I last, E same) {
        return places(stream, last - first, begins(plain(first), same)).count();
    }
};
template <> struct parallel<unique_by_key_copy_> {
    template <class K, class V, class KO, class VO>
    static std::pair<KO, VO> run(cmStream_t stream, K first, K last, V values, KO keys_out,
                                 VO out) {
        return run(stream, first, last, values, keys_out, out, std::equal_to<>());
    }
    template <class K, class V, class KO, class VO, class E>
    static std::pair<KO, VO> run(cmStream_t stream, K first, K last, V values, KO keys_out, VO out,
                                 E same) {
        const ptrdiff_t n = last - first;
        const scratch<value_of<K>> kept(n); // the keys, which their output may overwrite
        keep(stream, first, n, kept.get());
        const auto fresh = begins(static_cast<const value_of<K> *>(kept.get()), same);
        const KO keys_end = compacted(stream, first, n, keys_out, fresh);
        return {keys_end, compacted(stream, values, n, out, fresh)};
    }
};
template <> struct parallel<unique_by_key_> {
    template <class K, class V, class... E>
    static std::pair<K, V> run(cmStream_t stream, K first, K last, V values, E... same) {
        return parallel<unique_by_key_copy_>::run(stream, first, last, values, first, values,
                                                  same...);
    }
};
template <> struct parallel<reduce_by_key_> {
    template <class K, class V, class KO, class VO>
    static std::pair<KO, VO> run(cmStream_t stream, K first, K last, V values, KO keys_out,
                                 VO out) {
        return run(stream, first, last, values, keys_out, out, std::equal_to<>());
    }
    template <class K, class V, class KO, class VO, class E>
    static std::pair<KO, VO> run(cmStream_t stream, K first, K last, V values, KO keys_out, VO out,
                                 E same) {
        return run(stream, first, last, values, keys_out, out, same, std::plus<>());
    }
    template <class K, class V, class KO, class VO, class E, class F>
    static std::pair<KO, VO> run(cmStream_t stream, K first, K last, V values, KO keys_out, VO out,
                                 E same, F f) {
        using T = value_of<V>;
        const ptrdiff_t n = last - first;
        const auto fresh = begins(plain(first), same);
        const places at(stream, n, fresh);
        const ptrdiff_t *const before = at.get();
        const scratch<segment<T>> memory(n);
        segment<T> *const sums = memory.get();
        const auto v = plain(values);
        const auto get = [v](ptrdiff_t i) { return static_cast<T>(*(v + i)); };
        scanned_by_key<T>(stream, n, fresh, get, sums, f);
        const KO keys_end = compacted(stream, first, n, keys_out, fresh);
        const auto q = plain(out);
        each(stream, n, [=](ptrdiff_t i) { // before[n] is their number, and no key begins there
            if (i + 1 == n || is_kept(before, i + 1)) *(q + (before[i + 1] - 1)) = sums[i].value;
        });
        settle(stream);
        return {keys_end, out + at.count()};
    }
};
template <> struct parallel<stable_partition_> {
    template <class I, class P> static I run(cmStream_t stream, I first, I last, P wanted) {
        return run(stream, first, last, first, wanted);
    }
    template <class I, class S, class P>
    static I run(cmStream_t stream, I first, I last, S stencil, P wanted) {
        using T = value_of<I>;
        const ptrdiff_t n = last - first;
        const places at(stream, n, asks_if(stencil, wanted, true));
        const ptrdiff_t *const before = at.get();
        const ptrdiff_t count = at.count();
        const scratch<T> memory(n);
        T *const to = memory.get();
        const auto p = plain(first);
        each(stream, n, [=](ptrdiff_t i) {
            new (to + (is_kept(before, i) ? before[i] : count + i - before[i])) T(*(p + i));
        });
        give(stream, to, n, first);
        return first + count;
    }
};
template <> struct parallel<partition_> : parallel<stable_partition_> {};
template <> struct parallel<partition_copy_> {
    template <class I, class A, class B, class P>
    static std::pair<A, B> run(cmStream_t stream, I first, I last, A yes, B no, P wanted) {
        const ptrdiff_t n = last - first;
        const A end = compacted(stream, first, n, yes, asks_if(first, wanted, true));
        return {end, compacted(stream, first, n, no, asks_if(first, wanted, false))};
    }
};
template <> struct parallel<stable_partition_copy_> : parallel<partition_copy_> {};
template <> struct parallel<partition_point_> : parallel<find_if_not_> {};
template <> struct parallel<is_partitioned_> {
    template <class I, class P> static bool run(cmStream_t stream, I first, I last, P wanted) {
        const I middle = parallel<find_if_not_>::run(stream, first, last, wanted);
        return parallel<none_of_>::run(stream, middle, last, wanted);
    }
};

// ---- sorting ----

// Where in the sorted p[0] ... p[n - 1] values stand that `before` is true of no longer.
template <class P, class F> ptrdiff_t place_in(P p, ptrdiff_t n, F before) {
    ptrdiff_t low = 0, high = n;
    while (low < high) {
        const ptrdiff_t middle = low + (high - low) / 2;
        if (before(*(p + middle)))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}
// Runs of RUN are sorted by insertion; then pairs of runs are merged from one memory to the other.
constexpr ptrdiff_t RUN = 8;
struct no_numbers {};

// `keys`, or `more`: where the sorted keys are; V: the number that goes with each, or no_numbers.
template <class K, class V, class F>
bool merge_sorted(cmStream_t stream, ptrdiff_t n, K *keys, K *more, V *numbers, V *more_numbers,
                  F less) {
    constexpr bool numbered = !std::is_same<V, no_numbers>::value;
    each(stream, (n + RUN - 1) / RUN, [=](ptrdiff_t run) {
        F is_less = less;
        const ptrdiff_t begin = run * RUN, end = begin + RUN < n ? begin + RUN : n;
        for (ptrdiff_t i = begin + 1; i < end; i++) {
            const K key = keys[i];
            ptrdiff_t to = i;
            if constexpr (numbered) {
                const V number = numbers[i];
                for (; to > begin && is_less(key, keys[to - 1]); to--) {
                    keys[to] = keys[to - 1];
                    numbers[to] = numbers[to - 1];
                }
                numbers[to] = number;
            } else {
                for (; to > begin && is_less(key, keys[to - 1]); to--) keys[to] = keys[to - 1];
            }
            keys[to] = key;
        }
    });
    bool in_more = false;
    for (ptrdiff_t width = RUN; width < n; width *= 2, in_more = !in_more) {
        const K *const from = in_more ? more : keys;
        K *const to = in_more ? keys : more;
        const V *const from_numbers = in_more ? more_numbers : numbers;
        V *const to_numbers = in_more ? numbers : more_numbers;
        each(stream, n, [=](ptrdiff_t i) {
            F is_less = less;
            const ptrdiff_t pair = i / (2 * width) * (2 * width);
            const ptrdiff_t middle = pair + width < n ? pair + width : n;
            const ptrdiff_t end = pair + 2 * width < n ? pair + 2 * width : n;
            const K &key = from[i];
            ptrdiff_t at;
            if (i < middle) // behind those of the second run that are less
                at = i + place_in(from + middle, end - middle,
                                  [&](const K &other) { return is_less(other, key); });
            else // behind those of the first that are not greater
                at = pair + (i - middle) +
                     place_in(from + pair, middle - pair,
                              [&](const K &other) { return !is_less(key, other); });
            new (to + at) K(key);
            if constexpr (numbered) to_numbers[at] = from_numbers[i];
        });
    }
    settle(stream);
    return in_more;
}
template <> struct parallel<stable_sort_> {
    template <class I> static void run(cmStream_t stream, I first, I last) {
        run(stream, first, last, std::less<>());
    }
    template <class I, class F> static void run(cmStream_t stream, I first, I last, F less) {
        using K = value_of<I>;
        const ptrdiff_t n = last - first;
        const scratch<K> keys(n), more(n);
        no_numbers *const none = nullptr;
        keep(stream, first, n, keys.get());
        const bool in_more = merge_sorted(stream, n, keys.get(), more.get(), none, none, less);
        give(stream, in_more ? more.get() : keys.get(), n, first);
    }
};
template <> struct parallel<sort_> : parallel<stable_sort_> {};
template <> struct parallel<stable_sort_by_key_> {
    template <class K, class V> static void run(cmStream_t stream, K first, K last, V values) {
        run(stream, first, last, values, std::less<>());
    }
    template <class K, class V, class F>
    static void run(cmStream_t stream, K first, K last, V values, F less) {
        const ptrdiff_t n = last - first;
        const scratch<value_of<K>> keys(n), more(n);
        const scratch<ptrdiff_t> numbers(n), more_numbers(n);
        const scratch<value_of<V>> kept(n);
        keep(stream, first, n, keys.get());
        keep(stream, counting_iterator<ptrdiff_t>(0), n, numbers.get());
        keep(stream, values, n, kept.get());
        const bool in_more = merge_sorted(stream, n, keys.get(), more.get(), numbers.get(),
                                          more_numbers.get(), less);
        give(stream, in_more ? more.get() : keys.get(), n, first);
        const ptrdiff_t *const order = in_more ? more_numbers.get() : numbers.get();
        const value_of<V> *const old = kept.get();
        const auto v = plain(values);
        each(stream, n, [=](ptrdiff_t i) { *(v + i) = old[order[i]]; });
        settle(stream);
    }
};
template <> struct parallel<sort_by_key_> : parallel<stable_sort_by_key_> {};
template <> struct parallel<is_sorted_until_> {
    template <class I> static I run(cmStream_t stream, I first, I last) {
        return run(stream, first, last, std::less<>());
    }
    template <class I, class F> static I run(cmStream_t stream, I first, I last, F less) {
        const auto p = plain(first);
        return first + first_of(stream, last - first, [p, less](ptrdiff_t i) mutable {
                   return i > 0 && less(*(p + i), *(p + (i - 1)));
               });
    }
};
template <> struct parallel<is_sorted_> {
    template <class I, class... F> static bool run(cmStream_t stream, I first, I last, F... less) {
        return parallel<is_sorted_until_>::run(stream, first, last, less...) == last;
    }
};

// ---- searching: a range of values, each for itself; one value by one work-item ----

template <class Search> struct parallel_search {
    template <class I, class T> static auto run(cmStream_t stream, I first, I last, T value) {
        return one(stream, first, last, value, std::less<>());
    }
    template <class I, class A, class B, class C>
    static auto run(cmStream_t stream, I first, I last, A a, B b, C out) {
        return many(stream, first, last, a, b, out, std::less<>());
    }
    template <class I, class T, class F>
    static auto run(cmStream_t stream, I first, I last, T value, F less) {
        return one(stream, first, last, value, less);
    }
    template <class I, class A, class B, class C, class F>
    static auto run(cmStream_t stream, I first, I last, A a, B b, C out, F less) {
        return many(stream, first, last, a, b, out, less);
    }
    template <class I, class T, class F>
    static auto one(cmStream_t stream, I first, I last, T value, F less) {
        using result = decltype(Search::one(first, last, value, less));
        return answer<result>(stream, [=] { return Search::one(first, last, value, less); });
    }
    template <class I, class V, class O, class F>
    static O many(cmStream_t stream, I first, I last, V values, V values_end, O out, F less) {
        const ptrdiff_t n = values_end - values;
        each(stream, n, [=](ptrdiff_t i) {
            Search::many(first, last, values + i, values + (i + 1), out + i, less);
        });
        settle(stream);
        return out + n;
    }
};
template <> struct parallel<lower_bound_> : parallel_search<lower_bound_> {};
template <> struct parallel<upper_bound_> : parallel_search<upper_bound_> {};
template <> struct parallel<binary_search_> : parallel_search<binary_search_> {};

// ---- two sorted ranges ----

// The merged places of a[i] and b[j]: of equals the first range's are first.
template <class P, class Q, class F>
ptrdiff_t merged_first(P a, ptrdiff_t i, Q b, ptrdiff_t m, F less) {
    return i + place_in(b, m, [&](const auto &other) { return less(other, *(a + i)); });
}
template <class P, class Q, class F>
ptrdiff_t merged_second(P a, ptrdiff_t n, Q b, ptrdiff_t j, F less) {
    return j + place_in(a, n, [&](const auto &other) { return !less(*(b + j), other); });
}
template <> struct parallel<merge_> {
    template <class I, class J, class O>
    static O run(cmStream_t stream, I first, I last, J other, J end, O out) {
        return run(stream, first, last, other, end, out, std::less<>());
    }
    template <class I, class J, class O, class F>
    static O run(cmStream_t stream, I first, I last, J other, J end, O out, F less) {
        const ptrdiff_t n = last - first, m = end - other;
        const auto a = plain(first);
        const auto b = plain(other);
        const auto q = plain(out);
        each(stream, n, [=](ptrdiff_t i) { *(q + merged_first(a, i, b, m, less)) = *(a + i); });
        each(stream, m, [=](ptrdiff_t j) { *(q + merged_second(a, n, b, j, less)) = *(b + j); });
        settle(stream);
        return out + (n + m);
    }
};
template <> struct parallel<merge_by_key_> {
    template <class K, class L, class V, class W, class KO, class VO>
    static std::pair<KO, VO> run(cmStream_t stream, K first, K last, L other, L end, V values,
                                 W more, KO keys_out, VO out) {
        return run(stream, first, last, other, end, values, more, keys_out, out, std::less<>());
    }
    template <class K, class L, class V, class W, class KO, class VO, class F>
    static std::pair<KO, VO> run(cmStream_t stream, K first, K last, L other, L end, V values,
                                 W more, KO keys_out, VO out, F less) {
        const ptrdiff_t n = last - first, m = end - other;
        const auto a = plain(first);
        const auto b = plain(other);
        const auto v = plain(values);
        const auto w = plain(more);
        const auto k = plain(keys_out);
        const auto q = plain(out);
        each(stream, n, [=](ptrdiff_t i) {
            const ptrdiff_t at = merged_first(a, i, b, m, less);
            *(k + at) = *(a + i);
            *(q + at) = *(v + i);
        });
        each(stream, m, [=](ptrdiff_t j) {
            const ptrdiff_t at = merged_second(a, n, b, j, less);
            *(k + at) = *(b + j);
            *(q + at) = *(w + j);
        });
        settle(stream);
        return {keys_out + (n + m), out + (n + m)};
    }
};

// Which elements a set operation takes of one range: by how many equals stand before one in it,
// and how many the other range has. ALL of them, those that the other has as many of (BOTH), or
// MORE.
enum class takes { NONE, ALL, BOTH, MORE };
template <takes Which, class P, class Q, class F> auto taken_of(P a, Q b, ptrdiff_t m, F less) {
    return [=](ptrdiff_t i) {
        if (Which == takes::NONE) return false;
        if (Which == takes::ALL) return true;
        const auto is_less = [&](const auto &other) { return less(other, *(a + i)); };
        const auto is_not_greater = [&](const auto &other) { return !less(*(a + i), other); };
        const ptrdiff_t equals = i - place_in(a, i, is_less);
        const ptrdiff_t others = place_in(b, m, is_not_greater) - place_in(b, m, is_less);
        return (Which == takes::BOTH) == (equals < others);
    };
}
template <takes First, takes Second> struct parallel_set {
    template <class I, class J, class O>
    static O run(cmStream_t stream, I first, I last, J other, J end, O out) {
        return run(stream, first, last, other, end, out, std::less<>());
    }
    template <class I, class J, class O, class F>
    static O run(cmStream_t stream, I first, I last, J other, J end, O out, F less) {
        const ptrdiff_t n = last - first, m = end - other;
        const auto a = plain(first);
        const auto b = plain(other);
        const scratch<value_of<I>> one(n);
        const scratch<value_of<J>> two(m);
        const auto *one_end =
            compacted(stream, first, n, one.get(), taken_of<First>(a, b, m, less));
        const auto *two_end =
            compacted(stream, other, m, two.get(), taken_of<Second>(b, a, n, less));
        return parallel<merge_>::run(stream, static_cast<const value_of<I> *>(one.get()), one_end,
                                     static_cast<const value_of<J> *>(two.get()), two_end, out,
                                     less);
    }
};
template <> struct parallel<set_union_> : parallel_set<takes::ALL, takes::MORE> {};
template <> struct parallel<set_intersection_> : parallel_set<takes::BOTH, takes::NONE> {};
template <> struct parallel<set_difference_> : parallel_set<takes::MORE, takes::NONE> {};
template <> struct parallel<set_symmetric_difference_> : parallel_set<takes::MORE, takes::MORE> {};

template <takes First, takes Second> struct parallel_set_by_key {
    template <class K, class L, class V, class W, class KO, class VO, class F = std::less<>>
    static std::pair<KO, VO> run(cmStream_t stream, K first, K last, L other, L end, V values,
                                 W more, KO keys_out, VO out, F less = {}) {
        const ptrdiff_t n = last - first, m = end - other;
        const auto a = plain(first);
        const auto b = plain(other);
        const scratch<value_of<K>> one(n);
        const scratch<value_of<L>> two(m);
        const scratch<value_of<V>> one_values(n);
        const scratch<value_of<W>> two_values(m);
        const auto of_first = taken_of<First>(a, b, m, less);
        const auto of_second = taken_of<Second>(b, a, n, less);
        const auto *one_end = compacted(stream, first, n, one.get(), of_first);
        const auto *two_end = compacted(stream, other, m, two.get(), of_second);
        compacted(stream, values, n, one_values.get(), of_first);
        if (Second != takes::NONE) compacted(stream, more, m, two_values.get(), of_second);
        return parallel<merge_by_key_>::run(
            stream, static_cast<const value_of<K> *>(one.get()), one_end,
            static_cast<const value_of<L> *>(two.get()), two_end,
            static_cast<const value_of<V> *>(one_values.get()),
            static_cast<const value_of<W> *>(two_values.get()), keys_out, out, less);
    }
};
template <> struct parallel<set_union_by_key_> : parallel_set_by_key<takes::ALL, takes::MORE> {};
template <>
struct parallel<set_difference_by_key_> : parallel_set_by_key<takes::MORE, takes::NONE> {};
template <>
struct parallel<set_symmetric_difference_by_key_> : parallel_set_by_key<takes::MORE, takes::MORE> {
};
template <> struct parallel<set_intersection_by_key_> { // with values of the first alone
    template <class K, class L, class V, class KO, class VO, class F = std::less<>>
    static std::pair<KO, VO> run(cmStream_t stream, K first, K last, L other, L end, V values,
                                 KO keys_out, VO out, F less = {}) {
        return parallel_set_by_key<takes::BOTH, takes::NONE>::run(
            stream, first, last, other, end, values, values, keys_out, out, less);
    }
};

// ---- by the host, as the engine of random numbers is its ----

template <> struct parallel<shuffle_copy_> {
    template <class I, class O, class G>
    static O run(cmStream_t stream, I first, I last, O out, G &&engine) {
        const ptrdiff_t n = last - first;
        const scratch<value_of<I>> kept(n);
        keep(stream, first, n, kept.get());
        settle(stream);
        std::shuffle(kept.get(), kept.get() + n, engine);
        give(stream, kept.get(), n, out);
        return out + n;
    }
};
template <> struct parallel<shuffle_> {
    template <class I, class G> static void run(cmStream_t stream, I first, I last, G &&engine) {
        parallel<shuffle_copy_>::run(stream, first, last, first, engine);
    }
};

} // namespace detail
} // namespace thrust

#endif
