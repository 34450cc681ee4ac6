// SPDX-License-Identifier: Apache-2.0
// Collectives in kernels that run all threads of a block by themselves (split_threads.hpp):
// shuffles, votes, matches and reductions of a warp, the same of groups of its lanes,
// cub::BlockReduce. By the time that one is called every thread has left its value in a cm::each,
// side by side: so a thread reads what it wants of the others', and nobody waits. What waits is in
// warp.hpp; who takes part is the block's to say (`nx ny nz`, and `missing`: the threads that are
// elsewhere).
#ifndef CUDA_MORPH_CPU_SPLIT_COLLECTIVES_HPP
#define CUDA_MORPH_CPU_SPLIT_COLLECTIVES_HPP

#include <cuda_morph/cpu/warp.hpp>

namespace cm {
namespace detail {

// What the lanes of a thread's warp left in a variable of their own.
template <class Block> struct lanes_of {
    const Block &block;
    const unsigned thread;

    unsigned lane() const { return thread & (unsigned(warpSize) - 1); }
    bool present(unsigned other) const { // lane number
        const unsigned t = thread - lane() + other;
        return t < block.nx * block.ny * block.nz && !(block.missing && block.missing[t]);
    }
    bool present(unsigned other, uint64_t mask) const {
        return mask >> other & 1 && present(other);
    }
    // A mask says who has to come; whoever has come is read, as on a GPU, also where the mask leaves
    // the source or the lane itself out.
    template <shuffle How, class T> T get(const T &own, int by, int width) const {
        const int me = int(lane()), from = shuffle_source<How>(me, by, width);
        return from < 0 ? own : present(unsigned(from)) ? (&own)[from - me] : T();
    }
    uint64_t votes(uint64_t mask, const int &own, uint64_t &here) const {
        const int *const first = &own - lane();
        uint64_t yes = 0;
        here = 0;
        for (unsigned i = 0; i < unsigned(warpSize); i++) {
            if (!present(i, mask)) continue;
            here |= uint64_t(1) << i;
            yes |= uint64_t(first[i] != 0) << i;
        }
        return yes;
    }
    // Goes through the values of a mask's lanes in order: f(lane, value).
    template <class T, class F> void for_each(uint64_t mask, const T &own, const F &f) const {
        const T *const first = &own - lane();
        for (unsigned i = 0; i < unsigned(warpSize); i++)
            if (present(i, mask)) f(i, first[i]);
    }
    template <class Operation, class T> auto reduced(mask_t mask, const T &own) const {
        decltype(+own) all{};
        bool any = false;
        for_each(whole(mask), own, [&](unsigned, const T &v) {
            all = any ? Operation()(all, +v) : +v;
            any = true;
        });
        return all;
    }
    template <class T> uint64_t matching(uint64_t mask, const T &own, uint64_t &here) const {
        uint64_t same = 0;
        here = 0;
        for_each(mask, own, [&](unsigned i, const T &v) {
            here |= uint64_t(1) << i;
            same |= uint64_t(!memcmp(&v, &own, sizeof(T))) << i;
        });
        return same;
    }
    // How many threads of the block are here, and how many of them say yes.
    unsigned block_votes(const int &own, unsigned &here) const {
        const int *const first = &own - thread;
        unsigned yes = 0;
        here = 0;
        for (unsigned i = 0; i < block.nx * block.ny * block.nz; i++)
            if (!block.missing || !block.missing[i]) here++, yes += first[i] != 0;
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
    cm_lanemask_t __ballot_sync(mask_t mask, const int &own) const {
        uint64_t here;
        return votes(whole(mask), own, here);
    }
    int __any_sync(mask_t mask, const int &own) const {
        uint64_t here;
        return votes(whole(mask), own, here) != 0;
    }
    int __all_sync(mask_t mask, const int &own) const {
        uint64_t here;
        return votes(whole(mask), own, here) == here;
    }
    template <class T> cm_lanemask_t __match_any_sync(mask_t mask, const T &own) const {
        uint64_t here;
        return matching(whole(mask), own, here);
    }
    template <class T>
    cm_lanemask_t __match_all_sync(mask_t mask, const T &own, int *predicate) const {
        uint64_t here;
        *predicate = matching(whole(mask), own, here) == here;
        return *predicate ? here : 0;
    }
#define CM_REDUCE(name, operation)                                                                \
    template <class T> auto __reduce_##name##_sync(mask_t mask, const T &own) const {             \
        return reduced<operation>(mask, own);                                                     \
    }
    CM_REDUCE(add, add)
    CM_REDUCE(min, lesser)
    CM_REDUCE(max, greater)
    CM_REDUCE(and, bit_and)
    CM_REDUCE(or, bit_or)
    CM_REDUCE(xor, bit_xor)
#undef CM_REDUCE

    // The forms without a mask: whoever is here.
    template <class T> T __shfl(const T &own, int source, int width = warpSize) const {
        return get<shuffle::index>(own, source, width);
    }
    template <class T> T __shfl_up(const T &own, unsigned by, int width = warpSize) const {
        return get<shuffle::up>(own, int(by), width);
    }
    template <class T> T __shfl_down(const T &own, unsigned by, int width = warpSize) const {
        return get<shuffle::down>(own, int(by), width);
    }
    template <class T> T __shfl_xor(const T &own, int by, int width = warpSize) const {
        return get<shuffle::exclusive>(own, by, width);
    }
    cm_lanemask_t __ballot(const int &own) const { return __ballot_sync(all_lanes(), own); }
    int __any(const int &own) const { return __any_sync(all_lanes(), own); }
    int __all(const int &own) const { return __all_sync(all_lanes(), own); }

    int __syncthreads_count(const int &own) const {
        unsigned here;
        return int(block_votes(own, here));
    }
    int __syncthreads_or(const int &own) const { return __syncthreads_count(own) != 0; }
    int __syncthreads_and(const int &own) const {
        unsigned here;
        return block_votes(own, here) == here;
    }
};
template <class Block> lanes_of<Block> lanes(const Block &block, unsigned thread) {
    return {block, thread};
}

// The same for a tile or another group of lanes, by their ranks in it.
template <class Block> struct group_lanes {
    lanes_of<Block> in;
    uint64_t mask;

    long rank() const { return __builtin_popcountll(mask & ((uint64_t(1) << in.lane()) - 1)); }
    long size() const { return __builtin_popcountll(mask); }
    template <class T> T from_rank(const T &own, long rank) const {
        if (rank < 0 || rank >= size()) return own;
        uint64_t rest = mask;
        while (rank--) rest &= rest - 1;
        const unsigned from = unsigned(__builtin_ctzll(rest));
        return in.present(from) ? (&own)[int(from) - int(in.lane())] : T();
    }
    unsigned long long ranks(uint64_t of_lanes) const {
        unsigned long long result = 0;
        unsigned rank = 0;
        for (unsigned i = 0; i < 64; i++)
            if (mask >> i & 1) result |= (of_lanes >> i & 1ull) << rank++;
        return result;
    }
    template <class T> T shfl(const T &own, int rank) const {
        return from_rank(own, rank % size());
    }
    template <class T> T shfl_up(const T &own, unsigned by) const {
        return from_rank(own, rank() - long(by));
    }
    template <class T> T shfl_down(const T &own, unsigned by) const {
        return from_rank(own, rank() + long(by));
    }
    template <class T> T shfl_xor(const T &own, unsigned by) const {
        return from_rank(own, rank() ^ long(by));
    }
    unsigned long long ballot(const int &own) const {
        uint64_t here;
        return ranks(in.votes(mask, own, here));
    }
    int any(const int &own) const {
        uint64_t here;
        return in.votes(mask, own, here) != 0;
    }
    int all(const int &own) const {
        uint64_t here;
        return in.votes(mask, own, here) == here;
    }
    // The values of the group's lanes up to this one, or of all, put together in their order.
    template <class T, class Op> T folded(const T &own, Op op, bool total, T *before) const {
        T all{}, mine{};
        bool any = false;
        in.for_each(mask, own, [&](unsigned i, const T &v) {
            if (i == in.lane()) *before = any ? all : T();
            all = any ? T(op(all, v)) : v;
            any = true;
            if (i == in.lane()) mine = all;
        });
        return total ? all : mine;
    }
};
template <class Block, class Group>
group_lanes<Block> lanes(const Block &block, unsigned thread, const Group &group) {
    return {{block, thread}, group.cm_mask()};
}

// A reduction of CUB's over the block: the result is the first thread's, as there.
template <class Block, class Of> struct block_reduction {
    const Block &block;
    const unsigned thread;
    using value = typename Of::cm_value;

    template <class T, class F> value Reduce(const T &own, F f, int valid) const {
        value sum = value(own);
        for (int i = 1; thread == 0 && i < valid; i++)
            if (!block.missing || !block.missing[i]) sum = f(sum, value((&own)[i]));
        return sum;
    }
    template <class T, class F> value Reduce(const T &own, F f) const {
        return Reduce(own, f, Of::cm_threads);
    }
    template <class T> value Sum(const T &own, int valid = Of::cm_threads) const {
        return Reduce(
            own, [](const value &a, const value &b) { return a + b; }, valid);
    }
};
template <class Block, class Of>
block_reduction<Block, Of> reduction(const Block &block, unsigned thread, const Of &) {
    return {block, thread};
}

} // namespace detail
} // namespace cm

#define CM_LANES(function) ::cm::detail::lanes(cm_block, cm_thread).function
#define CM_LANES_OF(group) ::cm::detail::lanes(cm_block, cm_thread, group)
#define CM_BLOCK_OF(...) ::cm::detail::reduction(cm_block, cm_thread, __VA_ARGS__)

#endif
