// As much of SYCL 2020 as the scaffolds use, on the host: work-groups made of fibers.
#pragma once
#include "../fibers.hpp"

#include <cstring>
#include <memory>

namespace sycl {

struct default_selector_t {};
constexpr default_selector_t default_selector_v{};
namespace property::queue {
struct in_order {};
} // namespace property::queue

template <int D> struct range {
    size_t v[2];
    range(size_t a, size_t b = 1) : v{a, b} {}
};
template <int D> struct nd_range {
    range<D> global, local;
    nd_range(range<D> g, range<D> l) : global(g), local(l) {}
};
template <int D> struct group {
    size_t id[2];
};
template <class T = void> struct plus {
    T operator()(T a, T b) const { return a + b; }
};

template <int D> struct nd_item {
    nd_range<D> all;
    group<D> g;
    size_t get_local_id(int d) const
    {
        size_t inner = all.local.v[1];
        return d == 0 && D == 2 ? fibers::current / inner : D == 2 ? fibers::current % inner : fibers::current;
    }
    size_t get_group(int d) const { return g.id[d]; }
    group<D> get_group() const { return g; }
    size_t get_global_id(int d) const { return g.id[d] * all.local.v[d] + get_local_id(d); }
};

template <class G> void group_barrier(G) { fibers::meet_block(); }
template <class G, class T, class F> T reduce_over_group(G, T v, F combine)
{
    static T words[1024];
    words[fibers::current] = v;
    fibers::meet_block();
    T sum = words[0];
    for (size_t i = 1; i < fibers::count; i++) sum = combine(sum, words[i]);
    fibers::meet_block();
    return sum;
}

struct event {
    void wait() {}
};
struct handler {
    template <int D, class F> void parallel_for(nd_range<D> all, F kernel)
    {
        size_t n = all.local.v[0] * (D == 2 ? all.local.v[1] : 1);
        fibers::wave = n;
        group<D> g;
        for (g.id[0] = 0; g.id[0] < all.global.v[0] / all.local.v[0]; g.id[0]++)
            for (g.id[1] = 0; g.id[1] < (D == 2 ? all.global.v[1] / all.local.v[1] : 1); g.id[1]++)
                fibers::run_block(n, [=] { kernel(nd_item<D>{all, g}); });
    }
};
template <class T, int D> struct local_accessor {
    std::shared_ptr<std::vector<T>> words;
    size_t inner;
    local_accessor(range<D> r, handler &)
        : words(std::make_shared<std::vector<T>>(r.v[0] * r.v[1])), inner(r.v[1])
    {
    }
    T *operator[](size_t i) const { return words->data() + i * inner; }
};

struct queue {
    template <class... A> queue(A...) {}
    template <int D, class F> event parallel_for(nd_range<D> all, F kernel)
    {
        handler().parallel_for(all, kernel);
        return {};
    }
    template <class F> event submit(F f)
    {
        handler h;
        f(h);
        return {};
    }
    event memcpy(void *to, const void *from, size_t n)
    {
        std::memcpy(to, from, n);
        return {};
    }
    void wait_and_throw() {}
};
template <class T> T *malloc_device(size_t n, queue &) { return static_cast<T *>(std::malloc(n * sizeof(T))); }

} // namespace sycl
