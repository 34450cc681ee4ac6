/* SPDX-License-Identifier: Apache-2.0 */
/* What of NCCL's interface is made of its other functions, or is the same for everyone. */
#include "comm.h"
#include <limits.h>
#include <stdbool.h>

cmCommResult_t cmCommGetVersion(int *version) {
    if (!version) return cmCommInvalidArgument;
    *version = CM_COMM_VERSION_CODE;
    return cmCommSuccess;
}

const char *cmCommGetErrorString(cmCommResult_t result) { return cm_comm_describe(result); }

/* ---- what needs nothing here ---- */

cmCommResult_t cmCommInitRankConfig(cmComm_t *comm, int ranks, cmCommUniqueId id, int rank,
                                    const cmCommConfig_t *config) {
    if (config && config->magic != CM_COMM_CONFIG_MAGIC) ranks = 0; /* refused */
    return cmCommInitRank(comm, ranks, id, rank);
}

cmCommResult_t cmCommMemAlloc(void **pointer, size_t size) {
    if (!pointer) return cmCommInvalidArgument;
    return cmMalloc(pointer, size) ? cmCommUnhandledCudaError : cmCommSuccess;
}

cmCommResult_t cmCommMemFree(void *pointer) {
    return cmFree(pointer) ? cmCommUnhandledCudaError : cmCommSuccess;
}

cmCommResult_t cmCommRegister(cmComm_t comm, void *buffer, size_t size, void **handle) {
    if (!buffer || !size || !handle) return cmCommInvalidArgument;
    *handle = buffer;
    return cmCommFinalize(comm); /* which only looks whether there is one */
}

cmCommResult_t cmCommDeregister(cmComm_t comm, void *handle) {
    return handle ? cmCommFinalize(comm) : cmCommInvalidArgument;
}

/* ---- what is made of sends and receives ---- */

enum { EVERYONE = -1, NOBODY = INT_MAX };

/* From one rank, or each, to one rank, or each. */
static cmCommResult_t spread(const void *from, void *to, size_t count, cmCommDataType_t type,
                             cmComm_t comm, cmStream_t stream, int giver, int taker) {
    int ranks = 0, rank = 0;
    if (cmCommCount(comm, &ranks) || cmCommUserRank(comm, &rank) || giver >= ranks ||
        taker >= ranks)
        return cmCommSend(from, count, type, NOBODY, comm, stream); /* refused */
    const size_t bytes = count * cm_comm_size(type);
    cmCommGroupStart();
    for (int r = 0; r < ranks; r++) {
        const bool gives =
            (giver == EVERYONE || giver == rank) && (taker == EVERYONE || taker == r);
        const bool takes =
            (taker == EVERYONE || taker == rank) && (giver == EVERYONE || giver == r);
        const size_t mine = (size_t)r * bytes;
        if (gives)
            cmCommSend((const char *)from + (taker == EVERYONE ? mine : 0), count, type, r, comm,
                       stream);
        if (takes)
            cmCommRecv((char *)to + (giver == EVERYONE ? mine : 0), count, type, r, comm, stream);
    }
    return cmCommGroupEnd();
}

cmCommResult_t cmCommAlltoAll(const void *from, void *to, size_t count, cmCommDataType_t type,
                              cmComm_t comm, cmStream_t stream) {
    return spread(from, to, count, type, comm, stream, EVERYONE, EVERYONE);
}

cmCommResult_t cmCommGather(const void *from, void *to, size_t count, cmCommDataType_t type,
                            int root, cmComm_t comm, cmStream_t stream) {
    return spread(from, to, count, type, comm, stream, EVERYONE, root < 0 ? NOBODY : root);
}

cmCommResult_t cmCommScatter(const void *from, void *to, size_t count, cmCommDataType_t type,
                             int root, cmComm_t comm, cmStream_t stream) {
    return spread(from, to, count, type, comm, stream, root < 0 ? NOBODY : root, EVERYONE);
}
