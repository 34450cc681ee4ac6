// SPDX-License-Identifier: Apache-2.0
// The loops of split_threads.hpp over a block's threads, row by row, so that compilers vectorise
// them: neighbours' numbers go up by one for sure, and a row that a condition holds for as a whole
// is a loop without it.
#ifndef CUDA_MORPH_CPU_SPLIT_ROWS_HPP
#define CUDA_MORPH_CPU_SPLIT_ROWS_HPP

#include <cuda_morph/cpu/kernel.hpp>

// Without optimisation a body that stands in each kind of loop would only take long to compile.
#ifdef __OPTIMIZE__
#define CM_INLINE __attribute__((always_inline))
#else
#define CM_INLINE
#endif

namespace cm {
namespace detail {

// A member of threadIdx in a loop: an unsigned int, but for a sum with it the compiler may count
// on the loop's going up by one in int, too, and in 64 bits. Without that, g++ cannot see that
// a[i] of
//     int i = blockIdx.x * blockDim.x + threadIdx.x;
// are neighbours.
struct coordinate {
    unsigned value;
    CM_INLINE constexpr operator unsigned() const { return value; }
    // A variable that a macro makes of one with auto; elsewhere the port writes unsigned().
    CM_INLINE constexpr coordinate &operator=(unsigned a) { return value = a, *this; }
    CM_INLINE constexpr coordinate &operator+=(unsigned a) { return value += a, *this; }
    CM_INLINE constexpr coordinate &operator-=(unsigned a) { return value -= a, *this; }
    CM_INLINE constexpr coordinate &operator*=(unsigned a) { return value *= a, *this; }
    CM_INLINE constexpr coordinate &operator/=(unsigned a) { return value /= a, *this; }
    CM_INLINE constexpr coordinate &operator%=(unsigned a) { return value %= a, *this; }
    CM_INLINE constexpr coordinate &operator++() { return value++, *this; }
    CM_INLINE constexpr coordinate &operator--() { return value--, *this; }
    CM_INLINE constexpr unsigned operator++(int) { return value++; }
    CM_INLINE constexpr unsigned operator--(int) { return value--; }
};
template <class T>
using small_integer = std::enable_if_t<std::is_integral<T>::value && sizeof(T) <= 4, unsigned>;
template <class T>
using large_integer = std::enable_if_t<std::is_integral<T>::value && sizeof(T) == 8, T>;
template <class T> CM_INLINE constexpr small_integer<T> operator+(T a, coordinate b) {
    return unsigned(int(a) + int(b.value));
}
template <class T> CM_INLINE constexpr small_integer<T> operator+(coordinate a, T b) {
    return unsigned(int(a.value) + int(b));
}
template <class T> CM_INLINE constexpr large_integer<T> operator+(T a, coordinate b) {
    return a + T(int(b.value));
}
template <class T> CM_INLINE constexpr large_integer<T> operator+(coordinate a, T b) {
    return T(int(a.value)) + b;
}
CM_INLINE constexpr unsigned operator+(coordinate a, coordinate b) { return a.value + b.value; }

struct loop_index3 {
    coordinate x, y, z;
    constexpr operator uint3() const { return uint3{x, y, z}; }
    constexpr operator dim3() const { return dim3(x, y, z); }
};

// ---- conditions that mostly hold for all threads of a row ----

// What a body is told of its conditions: nothing, ...
struct each_by_itself {
    template <class... C> static constexpr bool mostly(C... c) { return (bool(c) && ...); }
    template <class... C> static constexpr bool rarely(C... c) { return (bool(c) || ...); }
    template <class Block> CM_INLINE static void leave(Block &block, unsigned thread) {
        block.leave(thread);
    }
};
// ... that they hold, ...
struct all_of_them {
    template <class... C> static constexpr bool mostly(C...) { return true; }
    template <class... C> static constexpr bool rarely(C...) { return false; }
    template <class Block> static constexpr void leave(Block &, unsigned) {}
};
// ... or that it is only asked whether they do: it does nothing else then.
struct asked {
    unsigned &all;
    template <class... C> CM_INLINE bool mostly(C... c) const {
        all &= (unsigned(bool(c)) & ...);
        return false;
    }
    template <class... C> CM_INLINE bool rarely(C... c) const {
        all &= 1 - (unsigned(bool(c)) | ...);
        return true;
    }
    template <class Block> static constexpr void leave(Block &, unsigned) {}
};

// Such a body, for a thread of its own.
template <class Body> struct conditional {
    const Body &body;
    CM_INLINE void operator()(loop_index3 i, size_t t) const { body(i, t, each_by_itself()); }
};

// ---- a row ----

struct row {
    unsigned y, z;
    size_t first; // of its threads, in the block
    template <class Body, class... How>
    CM_INLINE void one(unsigned x, const Body &body, How... how) const {
        body(loop_index3{{x}, {y}, {z}}, first + x, how...);
    }
    // What the threads do between two barriers does not depend on their order.
    template <class Body, class... How>
    CM_INLINE void part(unsigned from, unsigned to, const Body &body, How... how) const {
#ifndef __clang__
#pragma GCC ivdep
#endif
        for (int x = int(from); x < int(to); x++) one(unsigned(x), body, how...);
    }
    template <class Body, class... How>
    CM_INLINE void run(unsigned columns, const Body &body, How... how) const {
#ifdef __clang__
        part(0, columns, body, how...);
#else
        // Tiles of 16 are common, and twice as fast where g++ sees that they are.
        if (columns == 16)
#pragma GCC ivdep
            for (int x = 0; x < 16; x++) one(unsigned(x), body, how...);
        else
#pragma GCC ivdep
            for (int x = 0; x < int(columns); x++) one(unsigned(x), body, how...);
#endif
    }
};

// Runs the threads of a row, but for those that are left in *from and *to: it is all of them, and
// none is left; bounds keep a part of it in, whose loop has no condition, and the others are left;
// or a condition has holes, and all are left.
template <class Body>
CM_INLINE inline bool run_row(const row &r, unsigned columns, const Body &body, unsigned *,
                              unsigned *) {
    r.run(columns, body);
    return true;
}
template <class Body>
CM_INLINE inline bool run_row(const row &r, unsigned columns, const conditional<Body> &c,
                              unsigned *from, unsigned *to) {
    const auto holds = [&](unsigned x) {
        unsigned yes = 1;
        r.one(x, c.body, asked{yes});
        return yes;
    };
    unsigned all = 1;
    r.run(columns, c.body, asked{all});
    if (all) {
        r.run(columns, c.body, all_of_them());
        return true;
    }
    *from = *to = 0;
    if (!holds(0) && !holds(columns / 2) && !holds(columns - 1)) return false; // for none, mostly
    unsigned first = 0, end = columns;
    while (first < end && !holds(first)) first++;
    while (first < end && !holds(end - 1)) end--;
    all = first < end;
    if (all) r.part(first, end, c.body, asked{all});
    if (!all) return false;
    r.part(first, end, c.body, all_of_them());
    *from = first, *to = end;
    return false;
}

// ---- the block ----

// Which threads a loop runs, and what it says of them while it does.
enum class who { all, some, telling };

// Of each row the threads before `most`.
template <who Who, class Block, class Body>
CM_INLINE inline void loop(const Block &b, unsigned most, const Body &body) {
    const unsigned nx = b.nx, ny = b.ny, nz = b.nz;
    const unsigned columns = nx < most ? nx : most;
    if (nx > CM_MAX_THREADS_PER_BLOCK) __builtin_unreachable();
    // What counts on that is not for a far_block(), whose threads run in checked_loop().
    if (Who == who::all && int(blockIdx.x * blockDim.x) < 0) __builtin_unreachable();
    for (unsigned z = b.first_z; z < b.first_z + nz; z++)
        for (unsigned y = b.first_y; y < b.first_y + ny; y++) {
            const size_t first = size_t(nx) * (y - b.first_y + size_t(ny) * (z - b.first_z));
            unsigned from = 0, to = 0;
            if (Who == who::all && run_row(row{y, z, first}, columns, body, &from, &to)) continue;
            if (Who == who::all && !Block::can_leave && from < to) continue; // others do nothing
            for (unsigned x = 0; x < columns; x++) {
                if (Who == who::all && x >= from && x < to) continue;
                if (Who != who::all && b.missing && b.missing[first + x]) continue;
                if (Who == who::telling) threadIdx.set(x, y, z);
                body(loop_index3{{x}, {y}, {z}}, first + x);
            }
        }
}

// Thread by thread, each saying who it is, in any order that is asked for.
template <class Block, class Body>
CM_INLINE inline void checked_loop(const Block &b, unsigned most, const Body &body) {
    const unsigned nx = b.nx, rows = blockDim.y, all = nx * b.ny * b.nz;
    const unsigned before = nx * (b.first_y + rows * b.first_z);
    unsigned x = 0, y = b.first_y, z = b.first_z;
    for (unsigned i = 0; i < (order ? nx * rows * blockDim.z : all); i++) {
        const unsigned t = order ? order[i] : before + i;
        if (order) x = t % nx, y = t / nx % rows, z = t / nx / rows;
        const bool here = t - before < all && x < most;
        if (here && !(b.missing && b.missing[t - before])) {
            threadIdx.set(x, y, z);
            *static_cast<volatile unsigned *>(now) = t;
            __asm__ volatile("" ::: "memory");
            body(loop_index3{{x}, {y}, {z}}, t - before);
        }
        if (order || ++x < nx) continue;
        x = 0;
        if (++y == b.first_y + b.ny) y = b.first_y, z++;
    }
}

} // namespace detail
} // namespace cm

#endif
