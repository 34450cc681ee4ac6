/* SPDX-License-Identifier: Apache-2.0 */
// Cooperative groups: blocks, tiles of a warp, coalesced threads and the grid, with their
// collectives. The namespace is CUDA's, so that programs stay as they are.
#ifndef CUDA_MORPH_COOPERATIVE_GROUPS_H
#define CUDA_MORPH_COOPERATIVE_GROUPS_H

extern "C++" { // it may be included within extern "C"

#include <cuda_morph/check.h>
#include <cuda_morph/cuda.h>

namespace cooperative_groups {

namespace detail {

using cm::detail::meet;

// The lanes of a group inside its warp. A scan or a reduction goes through them in order.
template <class T, class Op> struct fold_record {
    T value, before;
    Op op;
    bool first; // of tiles of several warps: all get the total
};

template <class T, class Op> void fold_combine(void **records, uint64_t) {
    fold_record<T, Op> *last = nullptr;
    for (int i = 0; i < 64; i++) {
        auto *r = static_cast<fold_record<T, Op> *>(records[i]);
        if (!r) continue;
        r->first = !last;
        r->before = last ? last->value : T();
        if (last) r->value = r->op(last->value, r->value);
        last = r;
    }
}

template <class T, class Op> void total_combine(void **records, uint64_t present) {
    fold_combine<T, Op>(records, present);
    int top = 63;
    while (!records[top]) top--;
    const T all = static_cast<fold_record<T, Op> *>(records[top])->value;
    for (int i = 0; i < 64; i++)
        if (records[i]) static_cast<fold_record<T, Op> *>(records[i])->value = all;
}

template <class T, class Op> fold_record<T, Op> folded(uint64_t mask, T value, Op op, bool total) {
    fold_record<T, Op> record{value, T(), op, false};
    meet(mask, nullptr, record, total ? &total_combine<T, Op> : &fold_combine<T, Op>);
    return record;
}

// The number of the n-th lane of a mask, or -1.
inline int nth(uint64_t mask, unsigned n) {
    for (int i = 0; i < 64; i++)
        if (mask >> i & 1 && n-- == 0) return i;
    return -1;
}

template <class T> T shuffle_from(uint64_t mask, T value, int lane) {
    cm::detail::shuffle_record<T> record{value, value, lane};
    meet(mask, nullptr, record, &cm::detail::shuffle_combine<T>);
    return record.get;
}

} // namespace detail

// What tiles and coalesced groups have in common: lanes of one warp.
class lanes {
  protected:
    uint64_t mask_;
    unsigned meta_rank_, meta_size_;
    lanes(uint64_t mask, unsigned meta_rank, unsigned meta_size)
        : mask_(mask), meta_rank_(meta_rank), meta_size_(meta_size) {}

    unsigned long long ranks(uint64_t of_lanes) const { // a mask of lanes as one of ranks
        unsigned long long result = 0;
        unsigned rank = 0;
        for (int i = 0; i < 64; i++)
            if (mask_ >> i & 1) result |= (of_lanes >> i & 1ull) << rank++;
        return result;
    }
    template <class T> T from_rank(T value, long rank) const {
        return detail::shuffle_from(mask_, value,
                                    rank < 0 || rank >= static_cast<long>(size())
                                        ? -1
                                        : detail::nth(mask_, unsigned(rank)));
    }

  public:
    using lanemask = unsigned long long;
    unsigned long long size() const {
        return static_cast<unsigned long long>(__builtin_popcountll(mask_));
    }
    unsigned long long num_threads() const { return size(); }
    unsigned long long thread_rank() const {
        return static_cast<unsigned long long>(
            __builtin_popcountll(mask_ & ((uint64_t(1) << cm::detail::lane()) - 1)));
    }
    unsigned meta_group_rank() const { return meta_rank_; }
    unsigned meta_group_size() const { return meta_size_; }
    uint64_t cm_mask() const { return mask_; }
    void sync() const {
        cm::detail::vote_record record{};
        detail::meet(mask_, nullptr, record, nullptr);
    }
    template <class T> T shfl(T value, int rank) const {
        return from_rank(value, rank % static_cast<long>(size()));
    }
    template <class T> T shfl_up(T value, unsigned by) const {
        return from_rank(value, static_cast<long>(thread_rank()) - static_cast<long>(by));
    }
    template <class T> T shfl_down(T value, unsigned by) const {
        return from_rank(value, static_cast<long>(thread_rank()) + static_cast<long>(by));
    }
    template <class T> T shfl_xor(T value, unsigned by) const {
        return from_rank(value, static_cast<long>(thread_rank() ^ by));
    }
    lanemask ballot(int predicate) const {
        return ranks(cm::detail::voted(mask_, nullptr, predicate != 0).ballot);
    }
    int any(int predicate) const {
        return cm::detail::voted(mask_, nullptr, predicate != 0).ballot != 0;
    }
    int all(int predicate) const {
        const auto v = cm::detail::voted(mask_, nullptr, predicate != 0);
        return v.ballot == v.present;
    }
    template <class T> lanemask match_any(T value) const {
        cm::detail::match_record<T> record{value, 0};
        detail::meet(mask_, nullptr, record, &cm::detail::match_combine<T>);
        return ranks(record.same);
    }
    template <class T> lanemask match_all(T value, int &predicate) const {
        cm::detail::match_record<T> record{value, 0};
        const uint64_t present =
            detail::meet(mask_, nullptr, record, &cm::detail::match_combine<T>);
        predicate = record.same == present;
        return predicate ? ranks(present) : 0;
    }
};

class coalesced_group : public lanes {
  public:
    explicit coalesced_group(uint64_t mask, unsigned rank = 0, unsigned count = 1)
        : lanes(mask, rank, count) {}
};

class thread_block {
  public:
    void sync() const { __syncthreads(); }
    static unsigned size() { return blockDim.x * blockDim.y * blockDim.z; }
    static unsigned num_threads() { return size(); }
    static unsigned thread_rank() { return cm::detail::rank(); }
    static dim3 group_index() { return blockIdx; }
    static dim3 thread_index() { return threadIdx; }
    static dim3 group_dim() { return blockDim; }
    static dim3 dim_threads() { return blockDim; }
    struct arrival_token {};
    arrival_token barrier_arrive() const { return {}; }
    void barrier_wait(arrival_token &&) const { __syncthreads(); }
};

class grid_group {
  public:
    void sync() const {
        cm::detail::waiting([](unsigned t) { cmKernelGridBarrier(t); });
    }
    static bool is_valid() { return true; }
    static unsigned long long num_blocks() {
        return static_cast<unsigned long long>(gridDim.x) * gridDim.y * gridDim.z;
    }
    static unsigned long long block_rank() {
        return blockIdx.x +
               static_cast<unsigned long long>(gridDim.x) *
                   (blockIdx.y + static_cast<unsigned long long>(gridDim.y) * blockIdx.z);
    }
    static unsigned long long num_threads() { return num_blocks() * thread_block::size(); }
    static unsigned long long size() { return num_threads(); }
    static unsigned long long thread_rank() {
        return block_rank() * thread_block::size() + thread_block::thread_rank();
    }
    static dim3 group_dim() { return gridDim; }
    static dim3 dim_blocks() { return gridDim; }
    static dim3 block_index() { return blockIdx; }
};

// Memory that CUDA wants for tiles of several warps; here they have their own.
template <unsigned MaxThreads = 1024> struct block_tile_memory { unsigned char unused; };

namespace detail {

// Where tiles of several warps meet: a count and a generation for each size and tile of the block,
// and what each thread brought. A block runs on one thread of the machine.
struct meeting_place {
    unsigned arrived[6][32], generation[6][32];
    void *records[1024];
};
inline thread_local meeting_place meeting_places;

} // namespace detail

// A tile of several warps.
template <unsigned Size> class large_tile {
    static_assert(Size <= 1024 && (Size & (Size - 1)) == 0, "a tile has 1, 2, 4 ... 1024 threads");
    unsigned tile_;

  public:
    large_tile() : tile_(cm::detail::rank() / Size) {}
    static constexpr unsigned size() { return Size; }
    static constexpr unsigned num_threads() { return Size; }
    static unsigned thread_rank() { return cm::detail::rank() % Size; }
    unsigned meta_group_rank() const { return tile_; }
    static unsigned meta_group_size() { return (thread_block::size() + Size - 1) / Size; }
    // Waits for the whole tile; the last thread to come calls combine(records, how many).
    template <class Combine> void cm_meet(void *record, Combine combine) const {
        detail::meeting_place &place = detail::meeting_places;
        const unsigned first = tile_ * Size, end = first + Size, all = thread_block::size();
        const int kind = __builtin_ctz(Size) - 5;
        unsigned &arrived = place.arrived[kind][tile_];
        volatile unsigned &generation = place.generation[kind][tile_];
        const unsigned mine = generation;
        place.records[cm::detail::rank()] = record;
        if (++arrived == (end < all ? end : all) - first) {
            combine(place.records + first, arrived);
            arrived = 0;
            generation = mine + 1;
            cmCheckMet();
        }
        while (generation == mine) cm::detail::waiting([](unsigned t) { cmKernelYield(t); });
    }
    void sync() const {
        cm_meet(nullptr, [](void **, unsigned) {});
    }
    int any(int predicate) const { return votes(predicate) != 0; }
    int all(int predicate) const { return votes(!predicate) == 0; }

  private:
    unsigned votes(int predicate) const {
        struct ballot {
            bool mine;
            unsigned sum;
        } record{predicate != 0, 0};
        cm_meet(&record, [](void **records, unsigned n) {
            unsigned sum = 0;
            for (unsigned i = 0; i < n; i++) sum += static_cast<ballot *>(records[i])->mine;
            for (unsigned i = 0; i < n; i++) static_cast<ballot *>(records[i])->sum = sum;
        });
        return record.sum;
    }
};

template <unsigned Size, class Parent = void, bool Large = (Size > 32)>
class thread_block_tile : public large_tile<Size> {};

template <unsigned Size, class Parent>
class thread_block_tile<Size, Parent, false> : public lanes {
    static_assert(Size >= 1 && (Size & (Size - 1)) == 0, "a tile has 1, 2, 4 ... 1024 threads");
    static uint64_t mask_of(unsigned rank) {
        const unsigned lane = rank & (static_cast<unsigned>(warpSize) - 1);
        if (static_cast<int>(Size) >= warpSize) return cm::detail::all_lanes();
        return ((uint64_t(1) << Size) - 1) << lane / Size * Size;
    }

  public:
    thread_block_tile()
        : lanes(mask_of(cm::detail::rank()), cm::detail::rank() / Size,
                (thread_block::size() + Size - 1) / Size) {}
    thread_block_tile(unsigned meta_rank, unsigned meta_size)
        : lanes(mask_of(cm::detail::rank()), meta_rank, meta_size) {}
    // CUDA lets programs write a tile's type without what it was cut from.
    template <class Other>
    thread_block_tile(const thread_block_tile<Size, Other> &other)
        : lanes(other.cm_mask(), other.meta_group_rank(), other.meta_group_size()) {}
    static constexpr unsigned size() { return Size; }
    static constexpr unsigned num_threads() { return Size; }
    static unsigned thread_rank() { return cm::detail::rank() % Size; }
};

// A group of any kind, by value.
class thread_group {
    uint64_t mask_; // 0: the block
    unsigned size_;

  public:
    thread_group(const thread_block &) : mask_(0), size_(thread_block::size()) {}
    thread_group(const lanes &group) : mask_(group.cm_mask()), size_(unsigned(group.size())) {}
    uint64_t cm_mask() const { return mask_; }
    unsigned size() const { return size_; }
    unsigned num_threads() const { return size_; }
    unsigned thread_rank() const {
        return mask_ ? unsigned(coalesced_group(mask_).thread_rank())
                     : thread_block::thread_rank();
    }
    void sync() const {
        if (mask_)
            coalesced_group(mask_).sync();
        else
            __syncthreads();
    }
};

inline thread_block this_thread_block() { return {}; }
template <unsigned MaxThreads>
inline thread_block this_thread_block(block_tile_memory<MaxThreads> &) {
    return {};
}
inline grid_group this_grid() { return {}; }
CM_NOINLINE inline coalesced_group coalesced_threads() {
    return coalesced_group(cm::detail::voted(0, CM_SITE, true).present);
}

template <unsigned Size>
inline thread_block_tile<Size, thread_block> tiled_partition(const thread_block &) {
    return {};
}
template <unsigned Size, unsigned From, class Parent>
inline thread_block_tile<Size, thread_block_tile<From, Parent>>
tiled_partition(const thread_block_tile<From, Parent, false> &parent) {
    static_assert(Size <= From, "a tile is not larger than what it is cut from");
    return {unsigned(parent.thread_rank() / Size), From / Size};
}
template <unsigned Size, unsigned From, class Parent>
inline thread_block_tile<Size, thread_block_tile<From, Parent>>
tiled_partition(const thread_block_tile<From, Parent, true> &) {
    static_assert(Size <= From, "a tile is not larger than what it is cut from");
    return {};
}
inline coalesced_group tiled_partition(const coalesced_group &parent, unsigned size) {
    uint64_t mask = 0;
    const unsigned first = unsigned(parent.thread_rank()) / size * size;
    for (unsigned i = first; i < first + size && i < parent.size(); i++)
        mask |= uint64_t(1) << detail::nth(parent.cm_mask(), i);
    return coalesced_group(mask, first / size, (unsigned(parent.size()) + size - 1) / size);
}
inline thread_group tiled_partition(const thread_group &parent, unsigned size) {
    if (parent.cm_mask()) return tiled_partition(coalesced_group(parent.cm_mask()), size);
    const unsigned lane = cm::detail::lane();
    const uint64_t ones = size >= 64 ? ~uint64_t(0) : (uint64_t(1) << size) - 1;
    return coalesced_group(ones << lane / size * size);
}
template <class Group>
inline coalesced_group binary_partition(const Group &group, bool predicate) {
    const auto v = cm::detail::voted(group.cm_mask(), nullptr, predicate);
    return coalesced_group(predicate ? v.ballot : v.present & ~v.ballot, predicate, 2);
}
template <class Group, class Label>
inline coalesced_group labeled_partition(const Group &group, Label label) {
    cm::detail::match_record<Label> record{label, 0};
    detail::meet(group.cm_mask(), nullptr, record, &cm::detail::match_combine<Label>);
    return coalesced_group(record.same);
}

template <class Group> inline void sync(const Group &group) { group.sync(); }
template <class Group> inline auto thread_rank(const Group &group) { return group.thread_rank(); }
template <class Group> inline auto group_size(const Group &group) { return group.size(); }

// ---- collectives ----

template <class T = void> struct plus {
    T operator()(const T &a, const T &b) const { return static_cast<T>(a + b); }
};
template <class T = void> struct less { // the smaller one
    T operator()(const T &a, const T &b) const { return b < a ? b : a; }
};
template <class T = void> struct greater { // the larger one
    T operator()(const T &a, const T &b) const { return a < b ? b : a; }
};
template <class T = void> struct bit_and {
    T operator()(const T &a, const T &b) const { return a & b; }
};
template <class T = void> struct bit_or {
    T operator()(const T &a, const T &b) const { return a | b; }
};
template <class T = void> struct bit_xor {
    T operator()(const T &a, const T &b) const { return a ^ b; }
};

namespace detail {

template <class Group, class T, class Op>
inline fold_record<T, Op> folded_in(const Group &group, T value, Op op, bool total) {
    return folded(group.cm_mask(), value, op, total);
}
template <unsigned Size, class Parent, class T, class Op>
inline fold_record<T, Op> folded_in(const thread_block_tile<Size, Parent, true> &group, T value,
                                    Op op, bool total) {
    fold_record<T, Op> record{value, T(), op, total};
    group.cm_meet(&record, [](void **records, unsigned n) {
        auto at = [&](unsigned i) { return static_cast<fold_record<T, Op> *>(records[i]); };
        for (unsigned i = 1; i < n; i++) {
            at(i)->before = at(i - 1)->value;
            at(i)->value = at(i)->op(at(i)->before, at(i)->value);
        }
        for (unsigned i = 0; i < n && at(0)->first; i++) at(i)->value = at(n - 1)->value;
    });
    return record;
}

} // namespace detail

template <class Group, class T, class Op> inline T reduce(const Group &group, T value, Op op) {
    return detail::folded_in(group, value, op, true).value;
}
template <class Group, class T, class Op>
inline T inclusive_scan(const Group &group, T value, Op op) {
    return detail::folded_in(group, value, op, false).value;
}
template <class Group, class T> inline T inclusive_scan(const Group &group, T value) {
    return inclusive_scan(group, value, plus<T>());
}
// The first thread gets T().
template <class Group, class T, class Op>
inline T exclusive_scan(const Group &group, T value, Op op) {
    return detail::folded_in(group, value, op, false).before;
}
template <class Group, class T> inline T exclusive_scan(const Group &group, T value) {
    return exclusive_scan(group, value, plus<T>());
}

#ifndef CUDA_MORPH_FIBERS
// The same in kernels that run all threads of a block by themselves (cpu/split.hpp).
template <class Block, class T, class Op>
inline T reduce(const cm::detail::group_lanes<Block> &group, const T &own, Op op) {
    T before;
    return group.folded(own, op, true, &before);
}
template <class Block, class T, class Op>
inline T inclusive_scan(const cm::detail::group_lanes<Block> &group, const T &own, Op op) {
    T before;
    return group.folded(own, op, false, &before);
}
template <class Block, class T>
inline T inclusive_scan(const cm::detail::group_lanes<Block> &group, const T &own) {
    return inclusive_scan(group, own, plus<T>());
}
template <class Block, class T, class Op>
inline T exclusive_scan(const cm::detail::group_lanes<Block> &group, const T &own, Op op) {
    T before;
    group.folded(own, op, false, &before);
    return before;
}
template <class Block, class T>
inline T exclusive_scan(const cm::detail::group_lanes<Block> &group, const T &own) {
    return exclusive_scan(group, own, plus<T>());
}
#endif

// ---- copies that the group makes together: done when the call returns ----

template <class Group>
inline void memcpy_async(const Group &group, void *to, const void *from, size_t size) {
    const size_t all = group.size(), part = (size + all - 1) / all,
                 first = part * group.thread_rank();
    if (first < size)
        memcpy(static_cast<char *>(to) + first, static_cast<const char *>(from) + first,
               size - first < part ? size - first : part);
}
template <class Group, class To, class From>
inline void memcpy_async(const Group &group, To *to, size_t to_count, const From *from,
                         size_t from_count) {
    const size_t a = to_count * sizeof(To), b = from_count * sizeof(From);
    memcpy_async(group, static_cast<void *>(to), static_cast<const void *>(from), a < b ? a : b);
}
template <class Group> inline void wait(const Group &group) { group.sync(); }
template <unsigned, class Group> inline void wait_prior(const Group &group) { group.sync(); }

} // namespace cooperative_groups

} // extern "C++"

#endif
