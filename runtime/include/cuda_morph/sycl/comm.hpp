// SPDX-License-Identifier: Apache-2.0
// NCCL in SYCL: oneCCL's C interface, of releases from 2021.17 on. ncclAllReduce() is
// cmCommAllReduce(), with the same arguments, on the queue of its stream.
//
// oneCCL wants a process or a thread for each rank: a communicator that is made within a group is
// cmCommInvalidUsage, with a sentence on stderr, since it would wait for ranks that the same
// thread has yet to make. Collectives and sends may be grouped. A graph captures none of it. Not
// here, as oneCCL has them not: cmCommInitAll(), Abort, GetAsyncError, Register.
//
// Source: oneCCL's oneapi/ccl.h and oneapi/ccl/v2/types.h.
#ifndef CUDA_MORPH_SYCL_COMM_HPP
#define CUDA_MORPH_SYCL_COMM_HPP

extern "C++" { // it may be included within extern "C"

#include <cuda_morph/sycl.hpp>
#if !__has_include(<oneapi/ccl/v2/types.h>)
#error "cuda-morph: NCCL's calls become oneCCL's C interface: install oneCCL 2021.17 or newer"
#endif
#include <oneapi/ccl.h>

#define CM_COMM_UNIQUE_ID_BYTES sizeof(onecclUniqueId)
#include <cuda_morph/comm_types.h>

namespace cm {
namespace comm {

inline cmCommResult_t result_of(onecclResult_t result) {
    switch (result) {
    case onecclSuccess:
        return cmCommSuccess;
    case onecclSystemError:
        return cmCommSystemError;
    case onecclInvalidArgument:
        return cmCommInvalidArgument;
    case onecclInvalidUsage:
    case onecclNotImplemented:
        return cmCommInvalidUsage;
    case onecclInProgress:
        return cmCommInProgress;
    case onecclFailureGPU:
    case onecclAllocFailureGPU:
        return cmCommUnhandledCudaError;
    default:
        return cmCommInternalError;
    }
}
inline onecclComm_t library(cmComm_t comm) { return reinterpret_cast<onecclComm_t>(comm); }
inline onecclDataType_t type_of(cmCommDataType_t type) {
    switch (type) {
    case cmCommInt8:
        return onecclInt8;
    case cmCommUint8:
        return onecclUint8;
    case cmCommInt32:
        return onecclInt32;
    case cmCommUint32:
        return onecclUint32;
    case cmCommInt64:
        return onecclInt64;
    case cmCommUint64:
        return onecclUint64;
    case cmCommFloat16:
        return onecclFloat16;
    case cmCommFloat32:
        return onecclFloat32;
    case cmCommFloat64:
        return onecclFloat64;
    case cmCommBfloat16:
        return onecclBfloat16;
    default:
        return static_cast<onecclDataType_t>(type); // none: the library refuses it
    }
}
// The predefined ones; others are what the library has made itself.
inline onecclRedOp_t operation(cmCommRedOp_t op) {
    switch (op) {
    case cmCommSum:
        return onecclSum;
    case cmCommProd:
        return onecclProd;
    case cmCommMax:
        return onecclMax;
    case cmCommMin:
        return onecclMin;
    case cmCommAvg:
        return onecclAvg;
    default:
        return static_cast<onecclRedOp_t>(op);
    }
}

// The calling thread's group: how deep it is in it, and the streams that it has put work into.
struct group {
    int depth = 0;
    std::vector<cmStream_t> streams;
    static group &current() {
        thread_local group g;
        return g;
    }
};
// Ends what is before in the stream's order and begins what is behind, where the library's work
// lies in the queue alone.
inline cmError_t mark(cmStream_t stream) {
    return cm::detail::submit(stream, [](sycl::handler &h, const sycl::device &) {
        h.single_task([] {});
        return cmSuccess;
    });
}
// call(queue) puts the library's work into the stream.
template <class Call> inline cmCommResult_t put(cmStream_t stream, Call call) {
    if (cm::detail::is_captured(stream)) return cmCommInvalidUsage;
    if (mark(stream)) return cmCommUnhandledCudaError;
    const cmCommResult_t result = result_of(call(static_cast<void *>(&cmStreamGetQueue(stream))));
    group &g = group::current();
    if (g.depth)
        g.streams.push_back(stream);
    else if (mark(stream))
        return cmCommUnhandledCudaError;
    return result;
}
// Is this a thread that is to make a communicator on its device now?
inline cmCommResult_t ready() {
    int device = 0;
    if (group::current().depth) {
        fprintf(stderr,
                "cuda-morph: oneCCL makes no communicators within a group: make each rank's "
                "in a process or a thread of its own\n");
        return cmCommInvalidUsage;
    }
    if (cmGetDevice(&device)) return cmCommUnhandledCudaError;
    return result_of(onecclSetDevice(static_cast<uint32_t>(device)));
}

} // namespace comm
} // namespace cm

inline cmCommResult_t cmCommGetVersion(int *version) {
    if (!version) return cmCommInvalidArgument;
    *version = CM_COMM_VERSION_CODE; // NCCL's, as programs compare it
    return cmCommSuccess;
}
inline const char *cmCommGetErrorString(cmCommResult_t result) { return cm_comm_describe(result); }
inline const char *cmCommGetLastError(cmComm_t comm) {
    return onecclGetLastError(cm::comm::library(comm));
}
inline cmCommResult_t cmCommGetUniqueId(cmCommUniqueId *id) {
    if (!id) return cmCommInvalidArgument;
    return cm::comm::result_of(onecclGetUniqueId(reinterpret_cast<onecclUniqueId *>(id)));
}
inline cmCommResult_t cmCommInitRank(cmComm_t *comm, int ranks, cmCommUniqueId id, int rank) {
    if (!comm || ranks < 1) return cmCommInvalidArgument;
    if (const cmCommResult_t problem = cm::comm::ready()) return problem;
    onecclUniqueId known;
    memcpy(&known, &id, sizeof known);
    return cm::comm::result_of(onecclCommInitRank(reinterpret_cast<onecclComm_t *>(comm),
                                                  static_cast<size_t>(ranks), known, rank));
}
inline cmCommResult_t cmCommInitRankConfig(cmComm_t *comm, int ranks, cmCommUniqueId id, int rank,
                                           const cmCommConfig_t *config) {
    if (config && config->magic != CM_COMM_CONFIG_MAGIC) return cmCommInvalidArgument;
    return cmCommInitRank(comm, ranks, id, rank);
}
inline cmCommResult_t cmCommSplit(cmComm_t comm, int color, int key, cmComm_t *made,
                                  const cmCommConfig_t *config) {
    if (!made || (config && config->magic != CM_COMM_CONFIG_MAGIC)) return cmCommInvalidArgument;
    return cm::comm::result_of(onecclCommSplit(
        cm::comm::library(comm), color == CM_COMM_SPLIT_NOCOLOR ? ONECCL_SPLIT_NOCOLOR : color,
        key, reinterpret_cast<onecclComm_t *>(made), nullptr));
}
inline cmCommResult_t cmCommDestroy(cmComm_t comm) {
    if (!comm) return cmCommSuccess;
    if (cmDeviceSynchronize()) return cmCommUnhandledCudaError;
    return cm::comm::result_of(onecclCommDestroy(cm::comm::library(comm)));
}
inline cmCommResult_t cmCommFinalize(cmComm_t comm) {
    if (!comm) return cmCommInvalidArgument;
    return cmDeviceSynchronize() ? cmCommUnhandledCudaError : cmCommSuccess;
}
inline cmCommResult_t cmCommCount(cmComm_t comm, int *ranks) {
    return cm::comm::result_of(onecclCommCount(cm::comm::library(comm), ranks));
}
inline cmCommResult_t cmCommUserRank(cmComm_t comm, int *rank) {
    return cm::comm::result_of(onecclCommUserRank(cm::comm::library(comm), rank));
}
inline cmCommResult_t cmCommCuDevice(cmComm_t comm, int *device) {
    return cm::comm::result_of(onecclCommDevice(cm::comm::library(comm), device));
}
inline cmCommResult_t cmCommMemAlloc(void **pointer, size_t size) {
    if (!pointer) return cmCommInvalidArgument;
    return cmMalloc(pointer, size) ? cmCommUnhandledCudaError : cmCommSuccess;
}
inline cmCommResult_t cmCommMemFree(void *pointer) {
    return cmFree(pointer) ? cmCommUnhandledCudaError : cmCommSuccess;
}
inline cmCommResult_t cmCommRedOpCreatePreMulSum(cmCommRedOp_t *op, void *scalar,
                                                 cmCommDataType_t type,
                                                 cmCommScalarResidence_t residence,
                                                 cmComm_t comm) {
    if (!op) return cmCommInvalidArgument;
    onecclRedOp_t made{};
    const onecclResult_t result = onecclRedOpCreatePreMulSum(
        &made, scalar, cm::comm::type_of(type),
        residence == cmCommScalarDevice ? onecclScalarDevice : onecclScalarHostImmediate,
        cm::comm::library(comm));
    *op = static_cast<cmCommRedOp_t>(made);
    return cm::comm::result_of(result);
}
inline cmCommResult_t cmCommRedOpDestroy(cmCommRedOp_t op, cmComm_t comm) {
    return cm::comm::result_of(
        onecclRedOpDestroy(cm::comm::operation(op), cm::comm::library(comm)));
}
inline cmCommResult_t cmCommGroupStart() {
    const cmCommResult_t result = cm::comm::result_of(onecclGroupStart());
    if (!result) cm::comm::group::current().depth++;
    return result;
}
inline cmCommResult_t cmCommGroupEnd() {
    cm::comm::group &g = cm::comm::group::current();
    if (!g.depth) return cmCommInvalidUsage;
    cmCommResult_t result = cm::comm::result_of(onecclGroupEnd());
    if (--g.depth) return result;
    for (const cmStream_t stream : g.streams)
        if (cm::comm::mark(stream) && !result) result = cmCommUnhandledCudaError;
    g.streams.clear();
    return result;
}

inline cmCommResult_t cmCommAllReduce(const void *from, void *to, size_t count,
                                      cmCommDataType_t type, cmCommRedOp_t op, cmComm_t comm,
                                      cmStream_t stream) {
    return cm::comm::put(stream, [=](void *queue) {
        return onecclAllReduce(const_cast<void *>(from), to, count, cm::comm::type_of(type),
                               cm::comm::operation(op), cm::comm::library(comm), queue);
    });
}
inline cmCommResult_t cmCommReduce(const void *from, void *to, size_t count, cmCommDataType_t type,
                                   cmCommRedOp_t op, int root, cmComm_t comm, cmStream_t stream) {
    return cm::comm::put(stream, [=](void *queue) {
        return onecclReduce(from, to, count, cm::comm::type_of(type), cm::comm::operation(op),
                            root, cm::comm::library(comm), queue);
    });
}
inline cmCommResult_t cmCommBroadcast(const void *from, void *to, size_t count,
                                      cmCommDataType_t type, int root, cmComm_t comm,
                                      cmStream_t stream) {
    return cm::comm::put(stream, [=](void *queue) {
        return onecclBroadcast(from, to, count, cm::comm::type_of(type), root,
                               cm::comm::library(comm), queue);
    });
}
inline cmCommResult_t cmCommBcast(void *buffer, size_t count, cmCommDataType_t type, int root,
                                  cmComm_t comm, cmStream_t stream) {
    return cmCommBroadcast(buffer, buffer, count, type, root, comm, stream);
}
inline cmCommResult_t cmCommAllGather(const void *from, void *to, size_t count,
                                      cmCommDataType_t type, cmComm_t comm, cmStream_t stream) {
    return cm::comm::put(stream, [=](void *queue) {
        return onecclAllGather(from, to, count, cm::comm::type_of(type), cm::comm::library(comm),
                               queue);
    });
}
inline cmCommResult_t cmCommReduceScatter(const void *from, void *to, size_t count,
                                          cmCommDataType_t type, cmCommRedOp_t op, cmComm_t comm,
                                          cmStream_t stream) {
    return cm::comm::put(stream, [=](void *queue) {
        return onecclReduceScatter(from, to, count, cm::comm::type_of(type),
                                   cm::comm::operation(op), cm::comm::library(comm), queue);
    });
}
inline cmCommResult_t cmCommAlltoAll(const void *from, void *to, size_t count,
                                     cmCommDataType_t type, cmComm_t comm, cmStream_t stream) {
    return cm::comm::put(stream, [=](void *queue) {
        return onecclAllToAll(from, to, count, cm::comm::type_of(type), cm::comm::library(comm),
                              queue);
    });
}
inline cmCommResult_t cmCommSend(const void *from, size_t count, cmCommDataType_t type, int peer,
                                 cmComm_t comm, cmStream_t stream) {
    return cm::comm::put(stream, [=](void *queue) {
        return onecclSend(from, count, cm::comm::type_of(type), peer, cm::comm::library(comm),
                          queue);
    });
}
inline cmCommResult_t cmCommRecv(void *to, size_t count, cmCommDataType_t type, int peer,
                                 cmComm_t comm, cmStream_t stream) {
    return cm::comm::put(stream, [=](void *queue) {
        return onecclRecv(to, count, cm::comm::type_of(type), peer, cm::comm::library(comm),
                          queue);
    });
}

} // extern "C++"

#endif
