/* SPDX-License-Identifier: Apache-2.0 */
// A stand-in for oneCCL's C interface, as its header has it, between threads of one process: what
// runtime/include/cuda_morph/sycl/comm.hpp calls. Work is done when it is called, or when its
// group ends; numbers are computed with as double.
#pragma once
#include <condition_variable>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <oneapi/ccl/v2/types.h>
#include <sycl/sycl.hpp>
#include <vector>

namespace oneccl {

using bytes = std::vector<char>;
struct world {
    std::mutex lock;
    std::condition_variable moved;
    int size = 0, joined = 0, arrived = 0;
    unsigned long turn = 0;
    std::vector<bytes> given;
    std::vector<std::pair<int, int>> split;                // color and key of each rank
    std::map<int, std::shared_ptr<world>> made;            // a split's, by color
    std::map<std::pair<int, int>, std::deque<bytes>> sent; // from, to

    void meet() {
        std::unique_lock<std::mutex> hold(lock);
        const unsigned long now = turn;
        if (++arrived == size) {
            arrived = 0, turn++;
            moved.notify_all();
        }
        moved.wait(hold, [&] { return turn != now; });
    }
};
struct all {
    std::mutex lock;
    std::map<int, std::shared_ptr<world>> worlds;
    int next = 1;
    static all &get() {
        static all a;
        return a;
    }
};
struct group {
    int depth = 0;
    std::vector<std::function<void()>> sends, others;
    static group &current() {
        thread_local group g;
        return g;
    }
};
inline thread_local int chosen = -1; // onecclSetDevice()'s

} // namespace oneccl

struct onecclComm {
    std::shared_ptr<oneccl::world> of;
    int rank, device;
};

namespace oneccl {

inline std::size_t size_of(onecclDataType_t type) {
    static const std::size_t sizes[] = {1, 1, 4, 4, 8, 8, 2, 4, 8, 2};
    return sizes[type];
}
inline double read(const char *at, onecclDataType_t type) {
    switch (type) {
    case onecclInt32:
        return *reinterpret_cast<const std::int32_t *>(at);
    case onecclInt64:
        return static_cast<double>(*reinterpret_cast<const std::int64_t *>(at));
    case onecclFloat32:
        return *reinterpret_cast<const float *>(at);
    case onecclFloat64:
        return *reinterpret_cast<const double *>(at);
    default:
        std::abort();
    }
}
inline void write(char *at, onecclDataType_t type, double value) {
    switch (type) {
    case onecclInt32:
        *reinterpret_cast<std::int32_t *>(at) = static_cast<std::int32_t>(value);
        break;
    case onecclInt64:
        *reinterpret_cast<std::int64_t *>(at) = static_cast<std::int64_t>(value);
        break;
    case onecclFloat32:
        *reinterpret_cast<float *>(at) = static_cast<float>(value);
        break;
    case onecclFloat64:
        *reinterpret_cast<double *>(at) = value;
        break;
    default:
        std::abort();
    }
}
struct scaled {
    double by;
};
inline std::map<int, scaled> &operations() {
    static std::map<int, scaled> made;
    return made;
}
inline double combined(onecclRedOp_t op, double a, double b) {
    return op == onecclProd  ? a * b
           : op == onecclMax ? (a > b ? a : b)
           : op == onecclMin ? (a < b ? a : b)
                             : a + b;
}
// Everybody gives `give` bytes; then take(all that was given) is called for each.
template <class Take>
void gather(onecclComm_t comm, const void *from, std::size_t give, Take take) {
    world &w = *comm->of;
    {
        const std::lock_guard<std::mutex> hold(w.lock);
        w.given[comm->rank].assign(static_cast<const char *>(from),
                                   static_cast<const char *>(from) + give);
    }
    w.meet();
    take(w.given);
    w.meet();
}
// Element i of what all gave, reduced.
inline double reduced(const std::vector<bytes> &given, std::size_t i, onecclDataType_t type,
                      onecclRedOp_t op) {
    double value = read(&given[0][i * size_of(type)], type);
    for (std::size_t r = 1; r < given.size(); r++)
        value = combined(op, value, read(&given[r][i * size_of(type)], type));
    return op == onecclAvg ? value / static_cast<double>(given.size()) : value;
}
inline onecclResult_t work(void *queue, std::function<void()> what, bool sends = false) {
    static_cast<sycl::queue *>(queue)->wait_and_throw();
    group &g = group::current();
    if (!g.depth)
        what();
    else
        (sends ? g.sends : g.others).push_back(what);
    return onecclSuccess;
}

} // namespace oneccl

inline onecclResult_t onecclGetUniqueId(onecclUniqueId *id) {
    oneccl::all &a = oneccl::all::get();
    const std::lock_guard<std::mutex> hold(a.lock);
    std::memset(id, 0, sizeof *id);
    a.worlds[a.next] = std::make_shared<oneccl::world>();
    std::memcpy(id->data, &a.next, sizeof a.next);
    a.next++;
    return onecclSuccess;
}
inline onecclResult_t onecclSetDevice(std::uint32_t index) {
    oneccl::chosen = static_cast<int>(index);
    return onecclSuccess;
}
inline onecclResult_t onecclCommInitRank(onecclComm_t *comm, std::size_t ranks, onecclUniqueId id,
                                         int rank) {
    int number;
    std::memcpy(&number, id.data, sizeof number);
    if (oneccl::chosen < 0) return onecclInvalidUsage;
    oneccl::all &a = oneccl::all::get();
    std::shared_ptr<oneccl::world> w;
    {
        const std::lock_guard<std::mutex> hold(a.lock);
        if (!a.worlds.count(number)) return onecclInvalidArgument;
        w = a.worlds[number];
        w->size = static_cast<int>(ranks);
        w->given.resize(ranks), w->split.resize(ranks);
    }
    *comm = new onecclComm{w, rank, oneccl::chosen};
    w->meet();
    return onecclSuccess;
}
inline onecclResult_t onecclCommSplit(onecclComm_t comm, int color, int key, onecclComm_t *made,
                                      onecclConfig_t *) {
    oneccl::world &w = *comm->of;
    {
        const std::lock_guard<std::mutex> hold(w.lock);
        w.split[static_cast<std::size_t>(comm->rank)] = {color, key};
    }
    w.meet();
    int size = 0, rank = 0;
    for (int r = 0; r < w.size; r++) {
        if (w.split[static_cast<std::size_t>(r)].first != color) continue;
        size++;
        const int other = w.split[static_cast<std::size_t>(r)].second;
        rank += other < key || (other == key && r < comm->rank);
    }
    *made = nullptr;
    if (color != ONECCL_SPLIT_NOCOLOR) {
        const std::lock_guard<std::mutex> hold(w.lock);
        std::shared_ptr<oneccl::world> &part = w.made[color];
        if (!part) {
            part = std::make_shared<oneccl::world>();
            part->size = size;
            part->given.resize(static_cast<std::size_t>(size));
            part->split.resize(static_cast<std::size_t>(size));
        }
        *made = new onecclComm{part, rank, comm->device};
    }
    w.meet();
    if (!comm->rank) w.made.clear();
    w.meet();
    return onecclSuccess;
}
inline onecclResult_t onecclCommDestroy(onecclComm_t comm) {
    delete comm;
    return onecclSuccess;
}
inline onecclResult_t onecclCommCount(const onecclComm_t comm, int *size) {
    *size = comm->of->size;
    return onecclSuccess;
}
inline onecclResult_t onecclCommUserRank(const onecclComm_t comm, int *rank) {
    *rank = comm->rank;
    return onecclSuccess;
}
inline onecclResult_t onecclCommDevice(const onecclComm_t comm, int *device) {
    *device = comm->device;
    return onecclSuccess;
}
inline const char *onecclGetLastError(onecclComm_t) { return ""; }
inline onecclResult_t onecclGroupStart() {
    oneccl::group::current().depth++;
    return onecclSuccess;
}
inline onecclResult_t onecclGroupEnd() {
    oneccl::group &g = oneccl::group::current();
    if (--g.depth) return onecclSuccess;
    for (auto &what : g.sends) what();
    for (auto &what : g.others) what();
    g.sends.clear(), g.others.clear();
    return onecclSuccess;
}
inline onecclResult_t onecclRedOpCreatePreMulSum(onecclRedOp_t *op, void *scalar,
                                                 onecclDataType_t type, onecclScalarResidence_t,
                                                 onecclComm_t) {
    oneccl::all &a = oneccl::all::get();
    const std::lock_guard<std::mutex> hold(a.lock);
    const int number = onecclNumOps + 1 + static_cast<int>(oneccl::operations().size());
    oneccl::operations()[number] = {oneccl::read(static_cast<char *>(scalar), type)};
    *op = static_cast<onecclRedOp_t>(number);
    return onecclSuccess;
}
inline onecclResult_t onecclRedOpDestroy(onecclRedOp_t, onecclComm_t) { return onecclSuccess; }

inline onecclResult_t onecclAllReduce(void *from, void *to, std::size_t count,
                                      onecclDataType_t type, onecclRedOp_t op, onecclComm_t comm,
                                      void *queue) {
    return oneccl::work(queue, [=] {
        std::vector<char> mine(static_cast<char *>(from),
                               static_cast<char *>(from) + count * oneccl::size_of(type));
        if (op > onecclNumOps)
            for (std::size_t i = 0; i < count; i++) {
                char *const at = &mine[i * oneccl::size_of(type)];
                oneccl::write(at, type, oneccl::read(at, type) * oneccl::operations()[op].by);
            }
        oneccl::gather(comm, mine.data(), mine.size(), [=](const auto &given) {
            for (std::size_t i = 0; i < count; i++)
                oneccl::write(static_cast<char *>(to) + i * oneccl::size_of(type), type,
                              oneccl::reduced(given, i, type, op > onecclNumOps ? onecclSum : op));
        });
    });
}
inline onecclResult_t onecclReduce(const void *from, void *to, std::size_t count,
                                   onecclDataType_t type, onecclRedOp_t op, int root,
                                   onecclComm_t comm, void *queue) {
    return oneccl::work(queue, [=] {
        oneccl::gather(comm, from, count * oneccl::size_of(type), [=](const auto &given) {
            for (std::size_t i = 0; comm->rank == root && i < count; i++)
                oneccl::write(static_cast<char *>(to) + i * oneccl::size_of(type), type,
                              oneccl::reduced(given, i, type, op));
        });
    });
}
inline onecclResult_t onecclBroadcast(const void *from, void *to, std::size_t count,
                                      onecclDataType_t type, int root, onecclComm_t comm,
                                      void *queue) {
    return oneccl::work(queue, [=] {
        const std::size_t all = comm->rank == root ? count * oneccl::size_of(type) : 0;
        oneccl::gather(comm, from, all, [=](const auto &given) {
            std::memcpy(to, given[static_cast<std::size_t>(root)].data(),
                        count * oneccl::size_of(type));
        });
    });
}
inline onecclResult_t onecclAllGather(const void *from, void *to, std::size_t count,
                                      onecclDataType_t type, onecclComm_t comm, void *queue) {
    return oneccl::work(queue, [=] {
        const std::size_t each = count * oneccl::size_of(type);
        oneccl::gather(comm, from, each, [=](const auto &given) {
            for (std::size_t r = 0; r < given.size(); r++)
                std::memcpy(static_cast<char *>(to) + r * each, given[r].data(), each);
        });
    });
}
inline onecclResult_t onecclReduceScatter(const void *from, void *to, std::size_t count,
                                          onecclDataType_t type, onecclRedOp_t op,
                                          onecclComm_t comm, void *queue) {
    return oneccl::work(queue, [=] {
        const std::size_t mine = static_cast<std::size_t>(comm->rank) * count;
        oneccl::gather(comm, from,
                       count * oneccl::size_of(type) * static_cast<std::size_t>(comm->of->size),
                       [=](const auto &given) {
                           for (std::size_t i = 0; i < count; i++)
                               oneccl::write(static_cast<char *>(to) + i * oneccl::size_of(type),
                                             type, oneccl::reduced(given, mine + i, type, op));
                       });
    });
}
inline onecclResult_t onecclAllToAll(const void *from, void *to, std::size_t count,
                                     onecclDataType_t type, onecclComm_t comm, void *queue) {
    return oneccl::work(queue, [=] {
        const std::size_t each = count * oneccl::size_of(type),
                          me = static_cast<std::size_t>(comm->rank);
        oneccl::gather(comm, from, each * static_cast<std::size_t>(comm->of->size),
                       [=](const auto &given) {
                           for (std::size_t r = 0; r < given.size(); r++)
                               std::memcpy(static_cast<char *>(to) + r * each,
                                           given[r].data() + me * each, each);
                       });
    });
}
inline onecclResult_t onecclSend(const void *from, std::size_t count, onecclDataType_t type,
                                 int peer, onecclComm_t comm, void *queue) {
    return oneccl::work(
        queue,
        [=] {
            const char *const at = static_cast<const char *>(from);
            const std::lock_guard<std::mutex> hold(comm->of->lock);
            comm->of->sent[{comm->rank, peer}].emplace_back(at,
                                                            at + count * oneccl::size_of(type));
            comm->of->moved.notify_all();
        },
        true);
}
inline onecclResult_t onecclRecv(void *to, std::size_t count, onecclDataType_t type, int peer,
                                 onecclComm_t comm, void *queue) {
    return oneccl::work(queue, [=] {
        std::unique_lock<std::mutex> hold(comm->of->lock);
        std::deque<oneccl::bytes> &mail = comm->of->sent[{peer, comm->rank}];
        comm->of->moved.wait(hold, [&] { return !mail.empty(); });
        std::memcpy(to, mail.front().data(), count * oneccl::size_of(type));
        mail.pop_front();
    });
}
