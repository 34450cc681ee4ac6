// SPDX-License-Identifier: Apache-2.0
// Kernels that the port has split at their barriers: what runs for each thread of the block is a
// loop with its body in place, which the compiler can vectorise; what stands between the loops
// runs once per block. With -DCUDA_MORPH_FIBERS the same text means what it meant in CUDA, every
// thread running the whole kernel: both must compute the same. All files of a program choose
// alike.
//
//     __global__ void k(float *a, int n) CM_EACH_THREAD { ... } CM_END   no barrier: one loop
//     __global__ void k(float *a, int n) CM_EACH_ROW { ... } CM_END      the same, cut as below,
//                                                for each row of threads by itself
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
//         CM_THREADS_BELOW(k, int)(threadIdx) {  those of each row before the k-th
//             if (CM_BELOW(t < k)) ...
//         };
//         CM_THREADS_MOSTLY(threadIdx, v) {      the same where a condition mostly holds for whole
//             if (CM_RARELY(i >= n, j >= m))     rows: each thread is asked first, and the loop
//             over
//                 CM_LEAVE_RARELY;               those that stay in has no condition
//             ...
//         };                                     (without barriers: CM_EACH_THREAD_MOSTLY)
//         CM_THREADS_MOSTLY(threadIdx, v) {
//             if (CM_MOSTLY(i > 0, i < n)) v = a[i];
//         };
//         CM_STEPS(threadIdx, v) {               a loop that the threads go through together
//             for (int i = CM_FIRST(threadIdx.x, blockDim.x); CM_GOES(i < n);
//                  CM_NEXT(i, blockDim.x))
//                 v += a[i];
//         };
//         CM_CALLING_THREADS(threadIdx, v) {     the same where functions are called that may wait
//             g(v);
//         };
//         CM_OBJECT(r, Seed);                    a variable of a class: each thread makes its own
//         CM_THREADS(threadIdx, r) {             where the declaration stood
//             new (cm::place(r)) Seed(7);
//         };
//     }
//
// What only some threads go through is masked: the threads run its pieces together, without the
// others. Loops go on until no thread is left in them.
//         cm::mask cm_if_0;
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
//         auto cm_lane_1 = CM_VALUES(threadIdx, v) { return v * 2; };     where the type is not
//         written CM_THREADS(threadIdx, v, cm_lane_1) {
//             v = cg::reduce(CM_LANES_OF(tile), cm_lane_1, cg::plus<float>());
//             v = CM_BLOCK_OF(BlockReduce(storage)).Sum(cm_lane_1);      cub::BlockReduce
//         };
//
// A device function that waits has a second form, for all threads of a block at once. A kernel
// calls that one, or where there is none the function itself, in threads that become fibers:
//         auto cm_call_2 = CM_CALL(sum)(threadIdx, v) { return CM_WITH(v + 1, 3); };
//         CM_THREADS(threadIdx, v, cm_call_2) { v = cm_call_2; };
//
//     template <class cm_Block, class cm_Given>
//     cm::each<float> sum(cm_Block &cm_outer, cm_Given &cm_given, float cm_arg_x, int cm_arg_n) {
//         CM_FUNCTION;                           the parameters above choose among overloads;
//         cm::each<float> cm_result;             what each thread gave is in cm_given
//         CM_ARGUMENT(x, 0, float);
//         CM_ARGUMENT(n, 1, int);
//         CM_THREADS(threadIdx, x, n, cm_result) { if (n > 2) CM_RETURN(x); ... };
//         CM_ALL_RETURNED;
//         ...
//         return cm_result;
//     }
#ifndef CUDA_MORPH_CPU_SPLIT_HPP
#define CUDA_MORPH_CPU_SPLIT_HPP

#include <cuda_morph/cpu/warp.hpp>
#include <initializer_list>
#include <memory>

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

// Room for an object that is made later, where its declaration stood: `new (cm::place(v)) T(x)`.
// It goes with its room, if it was made.
template <class T, bool Plain = std::is_trivially_destructible<T>::value> struct object {
    union {
        T value;
    };
    object() {}
};
template <class T> struct object<T, false> {
    union {
        T value;
    };
    bool made = false;
    object() {}
    object(const object &) = delete;
    ~object() {
        using element = std::remove_all_extents_t<T>;
        element *const first = reinterpret_cast<element *>(&value);
        for (size_t i = sizeof(T) / sizeof(element); made && i-- > 0;) std::destroy_at(first + i);
    }
};
template <class T> inline void *place(T &of) {
    if constexpr (!std::is_trivially_destructible<T>::value)
        reinterpret_cast<object<T> &>(of).made = true;
    return static_cast<void *>(std::addressof(of));
}

// What a function is called with: references to variables, and values of all else.
template <class T> inline T value(const T &of) { return of; }
namespace detail {
template <class... A> inline std::tuple<A...> with(A &&...a) {
    return std::tuple<A...>(std::forward<A>(a)...);
}
} // namespace detail
#define CM_WITH(...) ::cm::detail::with(__VA_ARGS__)
// A function, or a template of one, or overloads, as an object. What it is called with are names.
#define CM_CALL(...)                                                                              \
    ::cm::detail::callee_of([&](auto &&...cm_a) -> decltype(__VA_ARGS__(cm_a...)) {               \
        return __VA_ARGS__(cm_a...);                                                              \
    }) CM_CALL_FOR

} // namespace cm

#ifdef CUDA_MORPH_FIBERS
#include <cuda_morph/cpu/split_fibers.hpp>
#else
#include <cuda_morph/cpu/split_threads.hpp>
#endif

#endif
