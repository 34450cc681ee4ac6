/* SPDX-License-Identifier: Apache-2.0 */
/* NCCL's interface: what nccl.h is on NVIDIA. ncclAllReduce() is cmCommAllReduce(), with the same
 * arguments; enumerators keep the numbers of NCCL 2.
 *
 * Calls return at once; the work runs in the order of its stream, when all ranks have come to it.
 * Buffers are read and written only then, and have to stay until it is done. Communicators belong
 * to the caller until cmCommDestroy() or cmCommAbort(). A handle that is none, or NULL for a
 * result: cmCommInvalidArgument; errors of the device: cmCommUnhandledCudaError.
 *
 * Source of names, numbers and rules: the NCCL user guide, 2.19 to 2.28. */
#ifndef CUDA_MORPH_COMM_H
#define CUDA_MORPH_COMM_H

#ifdef __cplusplus
extern "C++" { /* it may be included within extern "C" */
#endif

#include <cuda_morph/comm_types.h>
#include <cuda_morph/runtime.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

/* CM_COMM_VERSION_CODE, whatever library does the work. */
cmCommResult_t cmCommGetVersion(int *version);
/* A sentence, static, never NULL. */
const char *cmCommGetErrorString(cmCommResult_t result);
/* What the library behind a communicator last said of a failure on the calling thread; empty:
   nothing. `comm` is not looked at. */
const char *cmCommGetLastError(cmComm_t comm);

/* A name for a group of ranks that are about to meet. */
cmCommResult_t cmCommGetUniqueId(cmCommUniqueId *id);
/* The calling thread's device becomes `rank` of `ranks`; does not wait for the others. Ranks may
   share a device, which NCCL refuses; what waits for all of it, as cmFree() does, then waits for
   the others' work, too. */
cmCommResult_t cmCommInitRank(cmComm_t *comm, int ranks, cmCommUniqueId id, int rank);
/* The same; `config` (NULL: none) is checked and changes nothing. */
cmCommResult_t cmCommInitRankConfig(cmComm_t *comm, int ranks, cmCommUniqueId id, int rank,
                                    const cmCommConfig_t *config);
/* One communicator for each of these devices (NULL: 0, 1 ...). */
cmCommResult_t cmCommInitAll(cmComm_t *comms, int count, const int *devices);
/* Ranks of the same color form new communicators, in order of key; color -1 takes no part and gets
   NULL. Waits for all ranks, at the end of the group where there is one. */
cmCommResult_t cmCommSplit(cmComm_t comm, int color, int key, cmComm_t *made,
                           const cmCommConfig_t *config);
/* NULL is fine. Waits for the work of the communicator's device. */
cmCommResult_t cmCommDestroy(cmComm_t comm);
/* Checks the communicator: nothing is left to be done before it is destroyed. */
cmCommResult_t cmCommFinalize(cmComm_t comm);
/* Does not wait: what this rank still has under way ends, whether its results are there or not. */
cmCommResult_t cmCommAbort(cmComm_t comm);
/* How many ranks it has, which of them this is, and its device. */
cmCommResult_t cmCommCount(cmComm_t comm, int *ranks);
cmCommResult_t cmCommUserRank(cmComm_t comm, int *rank);
cmCommResult_t cmCommCuDevice(cmComm_t comm, int *device);
/* What went wrong in work that runs later; cmCommSuccess: nothing yet. */
cmCommResult_t cmCommGetAsyncError(cmComm_t comm, cmCommResult_t *result);

/* Memory for collectives is as any other; registering it changes nothing. */
cmCommResult_t cmCommMemAlloc(void **pointer, size_t size);
cmCommResult_t cmCommMemFree(void *pointer);
cmCommResult_t cmCommRegister(cmComm_t comm, void *buffer, size_t size, void **handle);
cmCommResult_t cmCommDeregister(cmComm_t comm, void *handle);

/* A sum of what each rank has multiplied with its own scalar. A scalar on the device is read when
   the work runs. The operation is its communicator's, and good until it is destroyed; work that
   was put into a stream before goes on. */
cmCommResult_t cmCommRedOpCreatePreMulSum(cmCommRedOp_t *op, void *scalar, cmCommDataType_t type,
                                          cmCommScalarResidence_t residence, cmComm_t comm);
cmCommResult_t cmCommRedOpDestroy(cmCommRedOp_t op, cmComm_t comm);

/* What is called between these two is one operation: none of it waits for another part. When a
   call of a group fails, the group does nothing and its end returns that error. */
cmCommResult_t cmCommGroupStart(void);
cmCommResult_t cmCommGroupEnd(void);

/* Collectives: every rank calls them, in the same order and with the same `count` (elements, not
   bytes), `type`, `op` and `root`. `from` may be `to`. A type, operation or rank that is none, or
   NULL for a buffer that is needed: cmCommInvalidArgument. */
cmCommResult_t cmCommAllReduce(const void *from, void *to, size_t count, cmCommDataType_t type,
                               cmCommRedOp_t op, cmComm_t comm, cmStream_t stream);
/* Only rank `root` gets the result, or gives the data. */
cmCommResult_t cmCommReduce(const void *from, void *to, size_t count, cmCommDataType_t type,
                            cmCommRedOp_t op, int root, cmComm_t comm, cmStream_t stream);
cmCommResult_t cmCommBroadcast(const void *from, void *to, size_t count, cmCommDataType_t type,
                               int root, cmComm_t comm, cmStream_t stream);
cmCommResult_t cmCommBcast(void *buffer, size_t count, cmCommDataType_t type, int root,
                           cmComm_t comm, cmStream_t stream);
/* Each rank gives `count` elements and gets those of all. */
cmCommResult_t cmCommAllGather(const void *from, void *to, size_t count, cmCommDataType_t type,
                               cmComm_t comm, cmStream_t stream);
/* Each rank gets `count` elements of the reduced whole. */
cmCommResult_t cmCommReduceScatter(const void *from, void *to, size_t count, cmCommDataType_t type,
                                   cmCommRedOp_t op, cmComm_t comm, cmStream_t stream);
/* To and from rank `peer`, which calls the other one with the same `count` and `type`. Where ranks
   send to each other both belong into one group. */
cmCommResult_t cmCommSend(const void *from, size_t count, cmCommDataType_t type, int peer,
                          cmComm_t comm, cmStream_t stream);
cmCommResult_t cmCommRecv(void *to, size_t count, cmCommDataType_t type, int peer, cmComm_t comm,
                          cmStream_t stream);

/* Of NCCL 2.28, as groups of sends and receives: `count` elements for each rank. */
cmCommResult_t cmCommAlltoAll(const void *from, void *to, size_t count, cmCommDataType_t type,
                              cmComm_t comm, cmStream_t stream);
cmCommResult_t cmCommGather(const void *from, void *to, size_t count, cmCommDataType_t type,
                            int root, cmComm_t comm, cmStream_t stream);
cmCommResult_t cmCommScatter(const void *from, void *to, size_t count, cmCommDataType_t type,
                             int root, cmComm_t comm, cmStream_t stream);

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#ifdef __cplusplus
} /* extern "C++" */
#endif

#endif
