// SPDX-License-Identifier: Apache-2.0
// Kernels as C++ functions: qualifiers, built-in variables, barriers, and the launch.
//
// The loop over a block's threads and the kernel's body are in one function, so that the compiler
// can inline and vectorise them. For that, no store of the kernel may be mistaken for one to the
// built-in variables: their members are char32_t, which behaves like unsigned int in expressions,
// but is a type of its own, so that nothing else aliases it.
#ifndef CUDA_MORPH_CPU_KERNEL_HPP
#define CUDA_MORPH_CPU_KERNEL_HPP

#ifdef CUDA_MORPH_WATCHED
#include <cuda_morph/check.h>
#endif
#include <cuda_morph/qualifiers.h>
#include <cuda_morph/runtime.h>

#include <assert.h>
#include <functional>
#include <new>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <tuple>
#include <type_traits>
#include <utility>

#define CM_NOINLINE __attribute__((noinline))

namespace cm {
namespace detail {

struct index3 {
    char32_t x, y, z;
    constexpr operator uint3() const { return uint3{x, y, z}; }
    constexpr operator dim3() const { return dim3(x, y, z); }
    void set(unsigned x_, unsigned y_, unsigned z_) { x = x_, y = y_, z = z_; }
};

} // namespace detail
} // namespace cm

// CUDA's built-in variables; one of each per thread of the machine, for the whole program.
inline thread_local ::cm::detail::index3 threadIdx{}, blockIdx{}, blockDim{}, gridDim{};
// 32, or 64 with CUDA_MORPH_WARP_SIZE=64.
inline const int warpSize = cmKernelWarpSize();

namespace cm {
namespace detail {

// The running kernel function carries one thread only: it has waited.
inline thread_local char32_t held = 0;
// Checked mode: where to say which thread runs; else NULL.
inline thread_local unsigned *now = nullptr;
inline thread_local const unsigned short *order = nullptr; // CUDA_MORPH_ORDER

// The thread's number in its block.
inline unsigned rank() {
    return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}

// A loop over the block's threads runs that was taken for one in which nobody waits.
inline thread_local char32_t in_loop = 0;
// A kernel runs that runs all threads of its block by itself, in such loops and between them.
inline thread_local char32_t is_whole = 0;

[[noreturn]] __attribute__((noinline, cold)) inline void wait_in_loop() {
    fprintf(stderr,
            "cuda-morph: a thread waits for others of its block in a loop that the port "
            "took for one without that; compile with -DCUDA_MORPH_FIBERS, and report it\n");
    in_loop = 0;
    cmKernelTrap(cmErrorLaunchFailure);
}

// Calls something that may switch to other threads of the block, and finds back.
template <class Call> inline auto waiting(Call call) {
    if (__builtin_expect(in_loop != 0, 0)) wait_in_loop();
    struct back {
        index3 thread;
        ~back() {
            threadIdx = thread;
            held = 1;
        }
    } now{threadIdx};
    return call(rank());
}

inline unsigned barrier(int predicate, unsigned *threads) {
    return waiting([&](unsigned t) { return cmKernelBarrier(t, predicate, threads); });
}

// How often threads of the block looked in vain at what others write; a number that changes when
// one of them got on; what the condition of such a loop was last.
inline thread_local char32_t failures = 0, advances = 0, spun_last = 1;

// Lets others run, of the block and other blocks: the thread still sees this value there.
__attribute__((noinline, cold)) inline void give_way(const void *place, uint64_t seen) {
    if (!cmKernelInside()) return;
    cmKernelInVain(in_loop || !is_whole ? rank() : 0, place, seen, advances);
    if (!in_loop && !is_whole) waiting([](unsigned t) { cmKernelYield(t); });
}

// All threads went through a barrier. A block that does so for ever may ask for a flag in between.
inline thread_local char32_t barriers = 0;
inline void passed_barrier() {
    if (__builtin_expect(++barriers % 4096 == 0, 0) && cmKernelInside())
        cmKernelInVain(0, nullptr, 0, advances);
}

// In checked mode every thread says who it is, and the compiler may not reorder across threads.
inline void announce(const cmKernelBlock *b) {
    *static_cast<volatile unsigned *>(b->now) = rank();
    __asm__ volatile("" ::: "memory");
}

// Runs the threads of a block from number `first` on, until one of them had to wait.
template <bool Check, class Body>
__attribute__((flatten)) inline void threads_from(const cmKernelBlock *b, unsigned first,
                                                  const Body &body) {
    const unsigned nx = b->block.x, ny = b->block.y, nz = b->block.z;
    unsigned x = 0, y = 0, z = 0;
    if (Check && b->order) {
        held = 0;
        for (unsigned i = first; i < b->threads; i++) {
            const unsigned t = b->order[i];
            threadIdx.set(t % nx, t / nx % ny, t / nx / ny);
            announce(b);
            body();
            if (held) return;
        }
        return;
    }
    if (first) x = first % nx, y = first / nx % ny, z = first / nx / ny;
    held = 0;
    for (; z < nz; z++, y = 0) {
        threadIdx.z = z;
        for (; y < ny; y++, x = 0) {
            threadIdx.y = y;
            for (; x < nx; x++) {
                threadIdx.x = x;
                if (Check) announce(b);
                body();
                if (held) return;
            }
        }
    }
}

// A thread's number in the grid needs all 32 bits: loops that count on less are not for its block.
// Checked mode's are, which run threads one by one.
inline bool far_block() { return static_cast<int>(blockIdx.x * blockDim.x) < 0; }
inline thread_local unsigned nowhere = 0;

inline void enter(const cmKernelBlock *b) {
    blockIdx.set(b->index.x, b->index.y, b->index.z);
    blockDim.set(b->block.x, b->block.y, b->block.z);
    gridDim.set(b->grid.x, b->grid.y, b->grid.z);
    now = b->now;
    order = b->order;
    if (far_block()) now = &nowhere;
    in_loop = is_whole = 0; // a kernel before this one may have ended in the middle of a loop
}

// A kernel's arguments, and how to call it with them.
template <class Call, class... P> struct packet {
    std::tuple<P...> arguments;
    Call call;

    static void threads(const void *self, const cmKernelBlock *b, unsigned first) {
        const packet *const p = static_cast<const packet *>(self);
        const auto body = [call = p->call, arguments = p->arguments] {
            std::apply([&](const P &...a) { call(a...); }, arguments);
        };
        enter(b);
        if (b->now)
            threads_from<true>(b, first, body);
        else
            threads_from<false>(b, first, body);
    }
    static void copy(void *to, const void *from) {
        new (to) packet(*static_cast<const packet *>(from));
    }
    static void drop(void *self) { static_cast<packet *>(self)->~packet(); }
};

struct shape {
    dim3 grid, block;
    size_t shared;
    cmStream_t stream;
    int cooperative;
};

template <class Call, class... P>
cmKernelCall describe(const shape &s, const char *name, const packet<Call, P...> &p) {
    using packet_type = packet<Call, P...>;
    cmKernelCall call{};
    call.name = name;
    call.grid = s.grid, call.block = s.block;
    call.shared = s.shared, call.stream = s.stream, call.cooperative = s.cooperative;
    call.threads = packet_type::threads;
    call.arguments = &p, call.size = sizeof p;
    if (!std::is_trivially_copyable<packet_type>::value) call.copy = packet_type::copy;
    if (!std::is_trivially_destructible<packet_type>::value) call.drop = packet_type::drop;
    return call;
}

// A kernel that is known at compile time, called directly.
template <auto Kernel> struct constant {
    template <class... P> void operator()(const P &...a) const { Kernel(a...); }
    static const char *name() { return __PRETTY_FUNCTION__; }
};

// What a launch keeps of an argument: a copy; of one that the kernel takes by reference its
// address, as CUDA does: managed memory, which kernels before this one may still write.
template <class P> struct kept {
    using type = std::decay_t<P>;
    static type &from(void *argument) { return *static_cast<type *>(argument); }
};
template <class T> struct kept<T &> {
    using type = std::reference_wrapper<T>;
    static type from(void *argument) { return **static_cast<T **>(argument); }
};

template <class F> struct signature;
template <class... P> struct signature<void (*)(P...)> {
    // The parameters are the kernel's own: conversions happen at the launch, as for a call.
    template <class Call> struct launcher {
        shape where;
        Call call;
        const char *name;
        cmError_t operator()(P... a) const {
            packet<Call, typename kept<P>::type...> p{std::tuple<typename kept<P>::type...>(a...),
                                                      call};
            const cmKernelCall described = describe(where, name, p);
            return cmKernelLaunch(&described);
        }
    };
    template <class Call>
    static cmKernelCall unpack(const shape &s, Call call, const char *name, void **arguments,
                               cmGraphNode_t *node, cmGraph_t graph, const cmGraphNode_t *after,
                               size_t count, cmError_t *error) {
        return unpack(s, call, name, arguments, node, graph, after, count, error,
                      std::index_sequence_for<P...>());
    }
    template <class Call, size_t... I>
    static cmKernelCall unpack(const shape &s, Call call, const char *name, void **arguments,
                               cmGraphNode_t *node, cmGraph_t graph, const cmGraphNode_t *after,
                               size_t count, cmError_t *error, std::index_sequence<I...>) {
        (void)arguments;
        packet<Call, typename kept<P>::type...> p{
            std::tuple<typename kept<P>::type...>(kept<P>::from(arguments[I])...), call};
        const cmKernelCall described = describe(s, name, p);
        *error = node ? cmGraphAddKernelCall(node, graph, after, count, &described)
                      : cmKernelLaunch(&described);
        return described;
    }
};

} // namespace detail

// What `#ifdef __CUDA_ARCH__` asks in a function that kernels and host code call. Constants are
// made by the host's branch; the port chooses so only where the device's cannot make any.
#if defined __has_builtin
#if __has_builtin(__builtin_is_constant_evaluated)
#define CM_CONSTANT_EVALUATED __builtin_is_constant_evaluated()
#endif
#endif
#ifdef CM_CONSTANT_EVALUATED
constexpr bool in_kernel() { return !CM_CONSTANT_EVALUATED && cmKernelInside(); }
#else
inline bool in_kernel() { return cmKernelInside(); }
#endif

// The memory that `extern __shared__ T name[];` stands for in CUDA.
template <class T> inline T *dynamic_shared() { return static_cast<T *>(cmKernelShared()); }

// cm::launch<kernel>(grid, block, shared, stream)(arguments...)
template <auto Kernel>
auto launch(dim3 grid, dim3 block, size_t shared = 0, cmStream_t stream = nullptr) {
    using call = detail::constant<Kernel>;
    using signature = detail::signature<std::decay_t<decltype(Kernel)>>;
    return typename signature::template launcher<call>{
        {grid, block, shared, stream, 0}, call{}, call::name()};
}

// The same for a kernel that a variable points to.
template <class... P>
auto launch(void (*kernel)(P...), dim3 grid, dim3 block, size_t shared = 0,
            cmStream_t stream = nullptr) {
    using pointer = void (*)(P...);
    return typename detail::signature<pointer>::template launcher<pointer>{
        {grid, block, shared, stream, 0}, kernel, "(through a pointer)"};
}

namespace detail {
template <class Call> struct deduced {
    shape where;
    Call call;
    const char *name;
    template <class... A> cmError_t operator()(const A &...a) const {
        packet<Call, std::decay_t<const A>...> p{std::tuple<std::decay_t<const A>...>(a...), call};
        const cmKernelCall described = describe(where, name, p);
        return cmKernelLaunch(&described);
    }
};
} // namespace detail

// And for templates and overloads, where only the call can tell which kernel is meant:
// cm::launch(CM_KERNEL(k), ...)(...)
template <class Call> struct by_call {
    Call call;
    const char *name;
};
template <class Call>
auto launch(by_call<Call> kernel, dim3 grid, dim3 block, size_t shared = 0,
            cmStream_t stream = nullptr) {
    return detail::deduced<Call>{{grid, block, shared, stream, 0}, kernel.call, kernel.name};
}
template <class Call> by_call<Call> called(Call call, const char *name) { return {call, name}; }

} // namespace cm

#define CM_KERNEL(...) ::cm::called([](const auto &...a) { __VA_ARGS__(a...); }, #__VA_ARGS__)

inline void __syncthreads() { ::cm::detail::barrier(0, nullptr); }
inline int __syncthreads_count(int predicate) {
    return static_cast<int>(::cm::detail::barrier(predicate, nullptr));
}
inline int __syncthreads_or(int predicate) {
    return ::cm::detail::barrier(predicate, nullptr) != 0;
}
inline int __syncthreads_and(int predicate) {
    unsigned threads;
    const unsigned votes = ::cm::detail::barrier(predicate, &threads);
    return votes == threads;
}
#ifdef CUDA_MORPH_WATCHED // two barriers are two, in one line, too, and if a compiler merges them
#define __syncthreads() (cmCheckBarrier(__COUNTER__ + 1), ::cm::detail::barrier(0, nullptr))
#endif

#if defined(__has_feature) // clang's way to say it
#if __has_feature(thread_sanitizer) && !defined(__SANITIZE_THREAD__)
#define __SANITIZE_THREAD__ 1
#endif
#endif
#if defined(__SANITIZE_THREAD__) // which does not know fences
inline unsigned cm_fence_word;
inline void __threadfence() { __atomic_fetch_add(&cm_fence_word, 1u, __ATOMIC_SEQ_CST); }
#else
inline void __threadfence() { __atomic_thread_fence(__ATOMIC_SEQ_CST); }
#endif
inline void __threadfence_block() { __threadfence(); }
inline void __threadfence_system() { __threadfence(); }

// Lets others run, of the block and other blocks. What is known of the loop around it is what its
// condition said last (CM_SPIN).
inline void __nanosleep(unsigned) {
    ::cm::detail::give_way(&::cm::detail::failures, ::cm::detail::spun_last != 0);
}

[[noreturn]] inline void __trap() { cmKernelTrap(cmErrorLaunchFailure); }
inline void __brkpt() {}
inline void __prof_trigger(int) {}

inline long long clock64() {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec * 1000000000LL + now.tv_nsec;
}

// What the C library's assert() calls: in a kernel it ends the kernel, and not the program. Like
// any function of a program it is taken instead of the library's.
extern "C" __attribute__((noreturn)) inline void
__assert_fail(const char *what, const char *file, unsigned int line, const char *where) noexcept {
    if (!cmKernelInside()) {
        fprintf(stderr, "%s:%u: %s: Assertion `%s' failed.\n", file, line, where, what);
        abort();
    }
    const uint3 b = blockIdx, t = threadIdx;
    fprintf(stderr, "%s:%u: %s: block: [%u,%u,%u], thread: [%u,%u,%u] Assertion `%s` failed.\n",
            file, line, where, b.x, b.y, b.z, t.x, t.y, t.z, what);
    cmKernelTrap(cmErrorAssert);
}

// What CUDA's own assert() calls in kernels, which programs do by themselves, too.
extern "C" __attribute__((noreturn)) inline void
__assertfail(const char *what, const char *file, unsigned int line, const char *where, size_t) {
    __assert_fail(what, file, line, where);
}

#endif
