// SPDX-License-Identifier: Apache-2.0
// Cooperative groups of kernels in SYCL: the block, tiles of at most 32 lanes, and lanes that run
// together. A group knows its work-item, so that its methods need none; only
// cg::this_thread_block(item) and cg::coalesced_threads(item) are given it. The grid has no
// barrier in SYCL 2020, and is not here.
#ifndef CUDA_MORPH_SYCL_COOPERATIVE_GROUPS_HPP
#define CUDA_MORPH_SYCL_COOPERATIVE_GROUPS_HPP

extern "C++" { // it may be included within extern "C"

#include <cuda_morph/sycl.hpp>

namespace cooperative_groups {

class thread_block {
    const cm::item *item_;

  public:
    explicit thread_block(const cm::item &item) : item_(&item) {}
    const cm::item &cm_item() const { return *item_; }
    void sync() const { cm::barrier(*item_); }
    unsigned thread_rank() const { return item_->rank(); }
    unsigned size() const { return item_->items(); }
    unsigned num_threads() const { return size(); }
    uint3 group_index() const { return item_->group_id(); }
    uint3 thread_index() const { return item_->local_id(); }
    dim3 group_dim() const { return item_->local_range(); }
    dim3 dim_threads() const { return item_->local_range(); }
};

inline thread_block this_thread_block(const cm::item &item) { return thread_block(item); }

// Neighbouring lanes of one warp; their number is a power of two.
class lanes {
  protected:
    const cm::item *item_;
    unsigned size_;

  public:
    lanes(const cm::item &item, unsigned size) : item_(&item), size_(size) {}
    const cm::item &cm_item() const { return *item_; }
    unsigned cm_first() const { return item_->lane() & ~(size_ - 1); }
    unsigned cm_mask() const { return (size_ == 32 ? ~0u : (1u << size_) - 1) << cm_first(); }
    unsigned thread_rank() const { return item_->lane() & (size_ - 1); }
    unsigned size() const { return size_; }
    unsigned num_threads() const { return size_; }
    unsigned meta_group_rank() const { return item_->rank() / size_; }
    unsigned meta_group_size() const { return (item_->items() + size_ - 1) / size_; }
    void sync() const { cm::syncwarp(*item_, cm_mask()); }
    template <class T> T shfl(T value, int rank) const {
        return cm::shfl_sync(*item_, cm_mask(), value, rank, static_cast<int>(size_));
    }
    template <class T> T shfl_up(T value, unsigned by) const {
        return cm::shfl_up_sync(*item_, cm_mask(), value, by, static_cast<int>(size_));
    }
    template <class T> T shfl_down(T value, unsigned by) const {
        return cm::shfl_down_sync(*item_, cm_mask(), value, by, static_cast<int>(size_));
    }
    template <class T> T shfl_xor(T value, unsigned bits) const {
        return cm::shfl_xor_sync(*item_, cm_mask(), value, static_cast<int>(bits),
                                 static_cast<int>(size_));
    }
    unsigned ballot(int predicate) const {
        return cm::ballot_sync(*item_, cm_mask(), predicate) >> cm_first();
    }
    int any(int predicate) const { return cm::any_sync(*item_, cm_mask(), predicate); }
    int all(int predicate) const { return cm::all_sync(*item_, cm_mask(), predicate); }
    template <class T> unsigned match_any(T value) const {
        return cm::match_any_sync(*item_, cm_mask(), value) >> cm_first();
    }
    template <class T> unsigned match_all(T value, int &all) const {
        return cm::match_all_sync(*item_, cm_mask(), value, &all) >> cm_first();
    }
};

template <unsigned Size, class Parent = void> class thread_block_tile : public lanes {
    static_assert(Size <= 32 && (Size & (Size - 1)) == 0, "a tile lies in one warp");

  public:
    explicit thread_block_tile(const cm::item &item) : lanes(item, Size) {}
    template <class P>
    thread_block_tile(const thread_block_tile<Size, P> &other) : lanes(other.cm_item(), Size) {}
    static constexpr unsigned size() { return Size; }
    static constexpr unsigned num_threads() { return Size; }
};

template <unsigned Size, class Group>
thread_block_tile<Size, Group> tiled_partition(const Group &group) {
    return thread_block_tile<Size, Group>(group.cm_item());
}

// Lanes of one warp that run together, by their numbers among those. Of which lanes that is true
// nobody promises: DPC++ tells, and elsewhere each is a group of its own.
class coalesced_group {
    const cm::item *item_;
    unsigned mask_;

    cm::lanes cm_lanes() const { return cm::lanes(mask_); }
    static unsigned cm_count(unsigned mask) {
        unsigned n = 0;
        for (; mask; mask &= mask - 1) n++;
        return n;
    }
    // The lane that has the number.
    unsigned cm_lane(unsigned rank) const {
        unsigned rest = mask_, lane = 0;
        while (rank-- > 0 && rest) rest &= rest - 1;
        while (rest && !(rest >> lane & 1)) lane++;
        return rest ? lane : item_->lane();
    }
    // The bits of lanes as those of their numbers.
    unsigned cm_packed(unsigned lanes) const {
        unsigned bits = 0, rank = 0;
        for (unsigned lane = 0; lane < 32; lane++)
            if (mask_ >> lane & 1) bits |= (lanes >> lane & 1) << rank++;
        return bits;
    }

  public:
    coalesced_group(const cm::item &item, unsigned mask) : item_(&item), mask_(mask) {}
    const cm::item &cm_item() const { return *item_; }
    unsigned size() const { return cm_count(mask_); }
    unsigned num_threads() const { return size(); }
    unsigned thread_rank() const { return cm_count(mask_ & ((1u << item_->lane()) - 1)); }
    unsigned meta_group_rank() const { return 0; }
    unsigned meta_group_size() const { return 1; }
    void sync() const { cm::syncwarp(*item_, cm_lanes()); }
    template <class T> T shfl(T value, int rank) const {
        return cm::shfl_sync(*item_, cm_lanes(), value, static_cast<int>(cm_lane(unsigned(rank))));
    }
    template <class T> T shfl_up(T value, unsigned by) const {
        const unsigned rank = thread_rank();
        return shfl(value, static_cast<int>(rank < by ? rank : rank - by));
    }
    template <class T> T shfl_down(T value, unsigned by) const {
        const unsigned rank = thread_rank();
        return shfl(value, static_cast<int>(rank + by < size() ? rank + by : rank));
    }
    unsigned ballot(int predicate) const {
        return cm_packed(cm::ballot_sync(*item_, cm_lanes(), predicate));
    }
    int any(int predicate) const { return cm::any_sync(*item_, cm_lanes(), predicate); }
    int all(int predicate) const { return cm::all_sync(*item_, cm_lanes(), predicate); }
    template <class T> unsigned match_any(T value) const {
        return cm_packed(cm::match_any_sync(*item_, cm_lanes(), value));
    }
    template <class T> unsigned match_all(T value, int &all) const {
        return cm_packed(cm::match_all_sync(*item_, cm_lanes(), value, &all));
    }
};

inline coalesced_group coalesced_threads(const cm::item &item) {
#if defined(SYCL_EXT_ONEAPI_FRAGMENT) || defined(SYCL_EXT_ONEAPI_NON_UNIFORM_GROUPS)
    const auto together = cm::detail::together(cm::lanes(1u << item.lane()));
    return coalesced_group(
        item, sycl::reduce_over_group(together, 1u << item.lane(), sycl::bit_or<unsigned>()));
#else
    return coalesced_group(item, 1u << item.lane());
#endif
}

// Any of them, where only the run tells.
class thread_group {
    const cm::item *item_;
    unsigned size_; // of a tile; 0: the block

  public:
    thread_group(const thread_block &block) : item_(&block.cm_item()), size_(0) {}
    thread_group(const lanes &tile) : item_(&tile.cm_item()), size_(tile.size()) {}
    const cm::item &cm_item() const { return *item_; }
    unsigned size() const { return size_ ? size_ : item_->items(); }
    unsigned num_threads() const { return size(); }
    unsigned thread_rank() const { return size_ ? item_->lane() & (size_ - 1) : item_->rank(); }
    void sync() const {
        if (size_)
            lanes(*item_, size_).sync();
        else
            cm::barrier(*item_);
    }
};
inline thread_group tiled_partition(const thread_group &group, unsigned size) {
    return thread_group(lanes(group.cm_item(), size));
}

template <class Group> void sync(const Group &group) { group.sync(); }

// ---- collectives of tiles ----

template <class T> struct plus {
    T operator()(T a, T b) const { return a + b; }
};
template <class T> struct less {
    T operator()(T a, T b) const { return b < a ? b : a; }
};
template <class T> struct greater {
    T operator()(T a, T b) const { return a < b ? b : a; }
};
template <class T> struct bit_and {
    T operator()(T a, T b) const { return a & b; }
};
template <class T> struct bit_or {
    T operator()(T a, T b) const { return a | b; }
};
template <class T> struct bit_xor {
    T operator()(T a, T b) const { return a ^ b; }
};

template <class T, class Op> T reduce(const lanes &tile, T value, Op op) {
    for (unsigned step = tile.size() / 2; step > 0; step /= 2)
        value = op(value, tile.shfl_xor(value, step));
    return value;
}
template <class T, class Op> T reduce(const coalesced_group &group, T value, Op op) {
    const T own = value; // in the order of the lanes
    T result = group.shfl(own, 0);
    for (unsigned rank = 1; rank < group.size(); rank++)
        result = op(result, group.shfl(own, static_cast<int>(rank)));
    return result;
}
template <class T, class Op> T inclusive_scan(const lanes &tile, T value, Op op) {
    for (unsigned step = 1; step < tile.size(); step *= 2) {
        const T before = tile.shfl_up(value, step);
        if (tile.thread_rank() >= step) value = op(before, value);
    }
    return value;
}
template <class T> T inclusive_scan(const lanes &tile, T value) {
    return inclusive_scan(tile, value, plus<T>());
}
template <class T, class Op> T exclusive_scan(const lanes &tile, T value, Op op) {
    const T before = tile.shfl_up(inclusive_scan(tile, value, op), 1);
    return tile.thread_rank() ? before : T();
}
template <class T> T exclusive_scan(const lanes &tile, T value) {
    return exclusive_scan(tile, value, plus<T>());
}

} // namespace cooperative_groups

} // extern "C++"

#endif
