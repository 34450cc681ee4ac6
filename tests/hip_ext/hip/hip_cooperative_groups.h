/* SPDX-License-Identifier: Apache-2.0 */
// The members of HIP's groups that cuda_morph/hip_ext.h uses.
#pragma once
#include "hip_runtime.h"

namespace cooperative_groups {

template <unsigned Size, class Parent = void> struct thread_block_tile {
    static unsigned size() { return Size; }
    static unsigned thread_rank() { return __lane_id() % Size; }
    static void sync() { mock_meet(); }
    int shfl(int word, int rank) const { return __shfl(word, rank, Size); }
};

struct coalesced_group {
    unsigned long long here = __ballot(1);
    unsigned size() const { return static_cast<unsigned>(__builtin_popcountll(here)); }
    unsigned thread_rank() const {
        return static_cast<unsigned>(__builtin_popcountll(here & ((1ull << __lane_id()) - 1)));
    }
    void sync() const { mock_meet(); }
    int shfl(int word, int rank) const {
        unsigned long long bits = here;
        while (rank-- > 0) bits &= bits - 1;
        return mock_read(word, __builtin_ctzll(bits));
    }
};

struct thread_block {
    static unsigned size() { return WAVE; }
    static unsigned thread_rank() { return __lane_id(); }
    static void sync() { mock_meet(); }
};
inline thread_block this_thread_block() { return thread_block(); }

} // namespace cooperative_groups
