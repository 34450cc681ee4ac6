// Kernels that the port has split at their barriers: what runs for each thread of the block is a
// loop with its body in place, which the compiler can vectorise; what stands between the loops
// runs once per block. With -DCUDA_MORPH_FIBERS the same text means what it meant in CUDA, every
// thread running the whole kernel: both must compute the same. All files of a program choose
// alike.
//
//     __global__ void k(float *a, int n) CM_EACH_THREAD { ... } CM_END   no barrier: one loop
//
//     __global__ void k(float *a, int n) {
//         CM_BLOCK;                              runs once per block from here on
//         cm::each<float> v;                     a variable that every thread has for itself
//         CM_THREADS(threadIdx, v) {             for each thread; what it has for itself is named
//             v = a[threadIdx.x];
//         };
//         CM_BARRIER(__syncthreads());           all have come here: nothing to wait for
//         CM_ASKING_THREADS(threadIdx, v) {      the same where functions look at threadIdx
//             if (v < 0) CM_LEAVE;               a return before the kernel's end
//             v = f(v);                          (then it begins with CM_LEAVING_BLOCK)
//         };
//         CM_STEPS(threadIdx, v) {               a loop that the threads go through together
//             for (int i = CM_FIRST(threadIdx.x, blockDim.x); CM_GOES(i < n);
//                  CM_NEXT(i, blockDim.x))
//                 v += a[i];
//         };
//         CM_CALLING_THREADS(threadIdx, v) {     the same where functions are called that may wait
//             g(v);
//         };
//     }
//
// What only some threads go through is masked: the threads run its pieces together, without the
// others. Loops go on until no thread is left in them.
//         cm::each<bool> cm_if_0;
//         CM_THREADS(threadIdx, v, cm_if_0) { cm_if_0 = (v < 0) != 0; };
//         if (CM_WHERE(cm_if_0)) {
//             CM_HERE;                           from here on those
//             CM_THREADS(threadIdx) { ... };
//             CM_BARRIER(__syncwarp());
//         }
//         for (CM_WHILE(cm_in_1)) {
//             CM_HERE;
//             CM_THREADS(threadIdx, v, cm_in_1) { if (v > 5) CM_BREAK(cm_in_1); };
//         }
//
// Operations of a warp, where all of the block's threads come to them, are cut in two: every
// thread leaves its value in a variable of its own; then each reads what it wants of the others':
//         cm::each<float> cm_lane_0;
//         CM_THREADS(threadIdx, v, cm_lane_0) { cm_lane_0 = v; };
//         CM_THREADS(threadIdx, v, cm_lane_0) {
//             v += CM_LANES(__shfl_down_sync)(0xffffffff, cm_lane_0, 16);
//         };
#ifndef CUDA_MORPH_CPU_SPLIT_HPP
#define CUDA_MORPH_CPU_SPLIT_HPP

#include <cuda_morph/cpu/warp.hpp>
#include <initializer_list>
#include <memory>

#define CM_INLINE __attribute__((always_inline))

namespace cm {

// What `T a[n] = {...}` does, as an assignment.
template <class T, size_t N>
inline void assign(T (&to)[N], std::initializer_list<std::remove_all_extents_t<T>> from) {
    using element = std::remove_all_extents_t<T>;
    element *const first = reinterpret_cast<element *>(&to);
    size_t i = 0;
    for (const element &e : from) first[i++] = e;
    for (; i < sizeof to / sizeof(element); i++) first[i] = element{};
}

#ifdef CUDA_MORPH_FIBERS

template <class T> using each = T;

#define CM_EACH_THREAD
#define CM_END
#define CM_BLOCK                                                                                  \
    do {                                                                                          \
    } while (0)
#define CM_LEAVING_BLOCK CM_BLOCK
#define CM_THREADS(...)
#define CM_STEPS(...)
#define CM_FIRST(value, width) value
#define CM_GOES(condition) condition
#define CM_NEXT(i, width) i += width
#define CM_ASKING_THREADS(...)
#define CM_CALLING_THREADS(...)
#define CM_BARRIER(...) __VA_ARGS__
#define CM_LEAVE return
#define CM_ALL_LEFT CM_BLOCK
#define CM_LANES(function) function
#define CM_WHERE(mask) mask
#define CM_WHILE(mask)                                                                            \
    ;                                                                                             \
    mask;
#define CM_HERE CM_BLOCK
#define CM_BREAK(mask) break

#else

// A variable of each thread of the block, side by side.
template <class T> class each {
    static constexpr size_t most = CM_MAX_THREADS_PER_BLOCK, size = most * sizeof(T);
    static constexpr bool small = size <= size_t(1) << 19;
    struct alignas(64) on_stack {
        unsigned char bytes[small ? size : 1];
        void *get() { return bytes; }
    };
    struct on_heap {
        void *memory = aligned_alloc(64, (size + 63) / 64 * 64);
        void *get() {
            if (!memory) cmKernelTrap(cmErrorLaunchOutOfResources);
            return memory;
        }
        ~on_heap() { free(memory); }
    };
    std::conditional_t<small, on_stack, on_heap> place;
    static unsigned all() { return blockDim.x * blockDim.y * blockDim.z; }
    static constexpr bool plain = std::is_trivially_default_constructible<T>::value &&
                                  std::is_trivially_destructible<T>::value;

  public:
    using type = T;
    CM_INLINE each() {
        if constexpr (!plain)
            for (unsigned i = 0; i < all(); i++) new (&at(i)) T;
    }
    CM_INLINE explicit each(T all_get) {
        for (unsigned i = 0; i < all(); i++) new (&at(i)) T(all_get);
    }
    CM_INLINE ~each() {
        if constexpr (!plain)
            for (unsigned i = 0; i < all(); i++) std::destroy_at(&at(i));
    }
    each(const each &) = delete;
    each &operator=(const each &) = delete;
    CM_INLINE T &at(size_t thread) { return static_cast<T *>(place.get())[thread]; }
};

namespace detail {

// Stands where threadIdx would be read once for the whole block: that is an error of the port.
// Compile with -DCUDA_MORPH_FIBERS, and report it.
struct no_thread {};

// A member of threadIdx in a loop: an unsigned int, but for a sum with it the compiler may count
// on the loop's going up by one in int, too. Without that, g++ cannot see that a[i] of
//     int i = blockIdx.x * blockDim.x + threadIdx.x;
// are neighbours.
struct coordinate {
    unsigned value;
    CM_INLINE constexpr operator unsigned() const { return value; }
};
template <class T>
using small_integer = std::enable_if_t<std::is_integral<T>::value && sizeof(T) <= 4, unsigned>;
template <class T> CM_INLINE constexpr small_integer<T> operator+(T a, coordinate b) {
    return unsigned(int(a) + int(b.value));
}
template <class T> CM_INLINE constexpr small_integer<T> operator+(coordinate a, T b) {
    return unsigned(int(a.value) + int(b));
}
CM_INLINE constexpr unsigned operator+(coordinate a, coordinate b) { return a.value + b.value; }

struct loop_index3 {
    coordinate x, y, z;
    constexpr operator uint3() const { return uint3{x, y, z}; }
    constexpr operator dim3() const { return dim3(x, y, z); }
};

// The block, in a kernel that runs all of its threads by itself.
struct whole_block {
    const unsigned nx = blockDim.x, ny = blockDim.y, nz = blockDim.z;
    ~whole_block() { held = 1; } // the caller's loop over the threads is done
    whole_block() = default;
    whole_block(const whole_block &) = delete;
    static constexpr bool gone(unsigned) { return false; }
    static constexpr bool all_here() { return true; }
    static constexpr bool all_left() { return false; }
    static constexpr const unsigned char *leavers() { return nullptr; }
};

// The same where threads return before others do.
struct leaving_block : whole_block {
    unsigned left = 0;
    unsigned char has_left[CM_MAX_THREADS_PER_BLOCK] = {};
    bool gone(unsigned thread) const { return has_left[thread]; }
    bool all_here() const { return !left; }
    const unsigned char *leavers() const { return left ? has_left : nullptr; }
    bool all_left() const { return left == nx * ny * nz; }
    void leave(unsigned thread) { has_left[thread] = 1, left++; }
};

// Those of its threads that a mask says.
template <class Block> struct where {
    Block &all;
    each<bool> &mask;
    const unsigned nx = all.nx, ny = all.ny, nz = all.nz;
    unsigned char others[CM_MAX_THREADS_PER_BLOCK];

    where(Block &block, each<bool> &which) : all(block), mask(which) {}
    bool gone(unsigned thread) const { return all.gone(thread) || !mask.at(thread); }
    static constexpr bool all_here() { return false; }
    bool any() const {
        for (unsigned i = 0; i < nx * ny * nz; i++)
            if (!gone(i)) return true;
        return false;
    }
    const unsigned char *leavers() {
        for (unsigned i = 0; i < nx * ny * nz; i++) others[i] = gone(i);
        return others;
    }
    bool all_left() const { return all.all_left(); }
    void leave(unsigned thread) { all.leave(thread); }
};

// What the lanes of a thread's warp left in a variable of their own.
template <class Block> struct lanes_of {
    const Block &block;
    const unsigned thread;

    unsigned lane() const { return thread & (unsigned(warpSize) - 1); }
    bool present(unsigned other) const { // lane number
        const unsigned t = thread - lane() + other;
        return t < block.nx * block.ny * block.nz && !block.gone(t);
    }
    template <shuffle How, class T> T get(const T &own, int by, int width) const {
        const int me = int(lane()), from = shuffle_source<How>(me, by, width);
        return from < 0 ? own : present(unsigned(from)) ? (&own)[from - me] : T();
    }
    uint64_t votes(const int &own, uint64_t &here) const {
        const int *const first = &own - lane();
        uint64_t yes = 0;
        here = 0;
        for (unsigned i = 0; i < unsigned(warpSize); i++) {
            if (!present(i)) continue;
            here |= uint64_t(1) << i;
            yes |= uint64_t(first[i] != 0) << i;
        }
        return yes;
    }

    template <class T>
    T __shfl_sync(mask_t, const T &own, int source, int width = warpSize) const {
        return get<shuffle::index>(own, source, width);
    }
    template <class T>
    T __shfl_up_sync(mask_t, const T &own, unsigned by, int width = warpSize) const {
        return get<shuffle::up>(own, int(by), width);
    }
    template <class T>
    T __shfl_down_sync(mask_t, const T &own, unsigned by, int width = warpSize) const {
        return get<shuffle::down>(own, int(by), width);
    }
    template <class T>
    T __shfl_xor_sync(mask_t, const T &own, int by, int width = warpSize) const {
        return get<shuffle::exclusive>(own, by, width);
    }
    cm_lanemask_t __ballot_sync(mask_t, const int &own) const {
        uint64_t here;
        return votes(own, here);
    }
    int __any_sync(mask_t, const int &own) const {
        uint64_t here;
        return votes(own, here) != 0;
    }
    int __all_sync(mask_t, const int &own) const {
        uint64_t here;
        return votes(own, here) == here;
    }
};
template <class Block> lanes_of<Block> lanes(const Block &block, unsigned thread) {
    return {block, thread};
}

// Which threads a loop runs, and what it says of them while it does.
enum class who { all, some, telling, checked };

template <who Who, class Block, class Body>
CM_INLINE inline void loop(const Block &b, const Body &body) {
    const unsigned nx = b.nx, ny = b.ny, nz = b.nz;
    if (nx > CM_MAX_THREADS_PER_BLOCK) __builtin_unreachable();
    for (unsigned z = 0; z < nz; z++)
        for (unsigned y = 0; y < ny; y++) {
            const size_t first = size_t(nx) * (y + size_t(ny) * z);
            if (Who == who::all) {
                // What the threads do between two barriers does not depend on their order.
#ifndef __clang__
#pragma GCC ivdep
#endif
                for (unsigned x = 0; x < nx; x++) body(loop_index3{{x}, {y}, {z}}, first + x);
            } else {
                for (unsigned x = 0; x < nx; x++) {
                    if (b.gone(first + x)) continue;
                    if (Who != who::some) threadIdx.set(x, y, z);
                    if (Who == who::checked) {
                        *static_cast<volatile unsigned *>(now) = first + x;
                        __asm__ volatile("" ::: "memory");
                    }
                    body(loop_index3{{x}, {y}, {z}}, first + x);
                }
            }
        }
}

// The loop over the threads, with references to what each has for itself.
template <bool Telling, class Block, class... T> struct phase {
    Block &block;
    std::tuple<each<T> &...> own;

    template <class Body> CM_INLINE void operator->*(const Body &body) const {
        run(body, std::index_sequence_for<T...>());
    }
    template <class Body, size_t... I>
    CM_INLINE void run(const Body &body, std::index_sequence<I...>) const {
        const auto one = [&](loop_index3 i, size_t t)
                             CM_INLINE { body(i, t, std::get<I>(own).at(t)...); };
        in_loop = 1;
        if (now)
            loop<who::checked>(block, one);
        else if (Telling)
            loop<who::telling>(block, one);
        else if (block.all_here())
            loop<who::all>(block, one);
        else
            loop<who::some>(block, one);
        in_loop = 0;
    }
};

// The same for a loop that deals elements out to the threads, `width` further on in each step,
// which is more than lies between two threads: once one of them has none left, that step is the
// last.
template <class Block, class... T> struct stepping_phase {
    Block &block;
    std::tuple<each<T> &...> own;

    template <class Body> CM_INLINE void operator->*(const Body &body) const {
        unsigned all = 1;
        for (size_t step = 0; all && !block.all_left(); step++) {
            unsigned go = 1;
            phase<false, Block, T...>{block, own}->*
                [&](loop_index3 i, size_t t, T &...mine)
                    CM_INLINE { body(i, t, step, go, true, mine...); };
            all = go;
        }
    }
};

// Where a thread begins in a step, as a number of the counter's type. One of 32 bits is a sum of
// int, which counts on up: see coordinate.
template <class First, class Width> struct first_of_step {
    First first;
    Width width;
    size_t step;
    template <class T> CM_INLINE operator T() const {
        if constexpr (std::is_integral<T>::value && sizeof(T) == sizeof(int))
            return T(int(first) + int(unsigned(width) * unsigned(step)));
        else
            return T(first) + T(width) * T(step);
    }
};
template <class First, class Width>
CM_INLINE inline first_of_step<First, Width> step_to(First first, Width width, size_t step) {
    return {first, width, step};
}
CM_INLINE inline bool goes(bool condition, unsigned &all) {
    all &= condition;
    return condition;
}

// The same where functions are called that may wait: the threads can become fibers.
template <class Block, class... T> struct calling_phase {
    Block &block;
    std::tuple<each<T> &...> own;

    template <class Body> struct part {
        const calling_phase &phase;
        const Body &body;
        template <size_t... I> CM_INLINE void one(unsigned t, std::index_sequence<I...>) const {
            body(loop_index3{{threadIdx.x}, {threadIdx.y}, {threadIdx.z}}, t,
                 std::get<I>(phase.own).at(t)...);
        }
        static void threads(const void *self, const cmKernelBlock *b, unsigned first) {
            const part *const p = static_cast<const part *>(self);
            const auto &block = p->phase.block;
            if (b->now)
                threads_from<true>(b, first, [&] {
                    if (!block.gone(rank())) p->one(rank(), std::index_sequence_for<T...>());
                });
            else
                threads_from<false>(b, first, [&] {
                    if (!block.gone(rank())) p->one(rank(), std::index_sequence_for<T...>());
                });
        }
    };
    template <class Body> void operator->*(const Body &body) const {
        const part<Body> p{*this, body};
        cmKernelPart(part<Body>::threads, &p, block.leavers());
    }
};

template <class Block, class... T>
CM_INLINE inline phase<false, Block, T...> threads(Block &block, each<T> &...own) {
    return {block, std::tuple<each<T> &...>(own...)};
}
template <class Block, class... T>
CM_INLINE inline stepping_phase<Block, T...> steps(Block &block, each<T> &...own) {
    return {block, std::tuple<each<T> &...>(own...)};
}
template <class Block, class... T>
CM_INLINE inline phase<true, Block, T...> asking_threads(Block &block, each<T> &...own) {
    return {block, std::tuple<each<T> &...>(own...)};
}
template <class Block, class... T>
CM_INLINE inline calling_phase<Block, T...> calling_threads(Block &block, each<T> &...own) {
    return {block, std::tuple<each<T> &...>(own...)};
}

} // namespace detail

// CM_OWN(threadIdx, a, b): , a, b
// CM_PARAMETERS(threadIdx, a, b): what the loop's body gets, with a reference for each name.
// A macro that names itself is not expanded again until the text is looked at once more.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpedantic" // __VA_OPT__ is C++20's, and has long been there
#define CM_AGAIN(...) CM_AGAIN_3(CM_AGAIN_3(CM_AGAIN_3(__VA_ARGS__)))
#define CM_AGAIN_3(...) CM_AGAIN_2(CM_AGAIN_2(CM_AGAIN_2(CM_AGAIN_2(__VA_ARGS__))))
#define CM_AGAIN_2(...) CM_AGAIN_1(CM_AGAIN_1(CM_AGAIN_1(CM_AGAIN_1(__VA_ARGS__))))
#define CM_AGAIN_1(...) __VA_ARGS__
#define CM_NOTHING ()
#define CM_OWN_NEXT(a, ...) , a __VA_OPT__(CM_OWN_AGAIN CM_NOTHING(__VA_ARGS__))
#define CM_OWN_AGAIN() CM_OWN_NEXT
#define CM_OWN(i, ...) __VA_OPT__(CM_AGAIN(CM_OWN_NEXT(__VA_ARGS__)))
#define CM_PARAMETER_NEXT(a, ...)                                                                 \
    , typename decltype(a)::type &a __VA_OPT__(CM_PARAMETER_AGAIN CM_NOTHING(__VA_ARGS__))
#define CM_PARAMETER_AGAIN() CM_PARAMETER_NEXT
#define CM_PARAMETERS(i, ...) __VA_OPT__(CM_AGAIN(CM_PARAMETER_NEXT(__VA_ARGS__)))
#pragma GCC diagnostic pop
#define CM_FIRST_OF(i, ...) i
#define CM_LOOP(kind, ...)                                                                        \
    ::cm::detail::kind(cm_block CM_OWN(__VA_ARGS__))                                              \
            ->*[&]([[maybe_unused]] const ::cm::detail::loop_index3 CM_FIRST_OF(__VA_ARGS__, 0),  \
                   [[maybe_unused]] const unsigned cm_thread CM_PARAMETERS(__VA_ARGS__))          \
                   CM_INLINE

#define CM_THREADS(...) CM_LOOP(threads, __VA_ARGS__)
#define CM_STEPS(...)                                                                             \
    ::cm::detail::steps(cm_block CM_OWN(__VA_ARGS__))                                             \
            ->*[&]([[maybe_unused]] const ::cm::detail::loop_index3 CM_FIRST_OF(__VA_ARGS__, 0),  \
                   [[maybe_unused]] const unsigned cm_thread, const size_t cm_step,               \
                   unsigned &cm_all, bool cm_goes CM_PARAMETERS(__VA_ARGS__)) CM_INLINE
#define CM_FIRST(value, width) ::cm::detail::step_to(value, width, cm_step)
#define CM_GOES(condition) cm_goes && ::cm::detail::goes(condition, cm_all)
#define CM_NEXT(i, width) cm_goes = false
#define CM_ASKING_THREADS(...) CM_LOOP(asking_threads, __VA_ARGS__)
#define CM_CALLING_THREADS(...) CM_LOOP(calling_threads, __VA_ARGS__)
#define CM_EACH_THREAD                                                                            \
    {                                                                                             \
        CM_BLOCK;                                                                                 \
        CM_THREADS(threadIdx)
#define CM_END                                                                                    \
    ;                                                                                             \
    }
#define CM_BLOCK_AS(kind)                                                                         \
    ::cm::detail::kind cm_block;                                                                  \
    constexpr ::cm::detail::no_thread threadIdx{};                                                \
    (void)threadIdx
#define CM_BLOCK CM_BLOCK_AS(whole_block)
#define CM_LEAVING_BLOCK CM_BLOCK_AS(leaving_block)
#define CM_BARRIER(...)                                                                           \
    do {                                                                                          \
    } while (0)
#define CM_LANES(function) ::cm::detail::lanes(cm_block, cm_thread).function
#define CM_WHERE(mask)                                                                            \
    ::cm::detail::where cm_inner(cm_block, mask);                                                 \
    cm_inner.any()
#define CM_WHILE(mask) CM_WHERE(mask);
#define CM_HERE [[maybe_unused]] auto &cm_block = cm_inner
#define CM_BREAK(mask) return void(mask = false)
#define CM_LEAVE return cm_block.leave(cm_thread)
#define CM_ALL_LEFT                                                                               \
    if (cm_block.all_left()) return

#endif

} // namespace cm

#endif
