/* SPDX-License-Identifier: Apache-2.0 */
/* The types of NCCL's interface, with NCCL 2's numbers: for comm.h, and for SYCL (sycl/comm.hpp).
 * Source: the NCCL user guide, 2.19 to 2.28. */
#ifndef CUDA_MORPH_COMM_TYPES_H
#define CUDA_MORPH_COMM_TYPES_H

#include <stddef.h>

#define CM_COMM_MAJOR 2
#define CM_COMM_MINOR 19
#define CM_COMM_VERSION_CODE 21903
#ifndef CM_COMM_UNIQUE_ID_BYTES /* another library's are larger */
#define CM_COMM_UNIQUE_ID_BYTES 128
#endif
#define CM_COMM_SPLIT_NOCOLOR (-1)
#define CM_COMM_NULL NULL

typedef struct cmComm *cmComm_t;
typedef struct cmCommUniqueId {
    char internal[CM_COMM_UNIQUE_ID_BYTES];
} cmCommUniqueId;

typedef enum cmCommResult {
    cmCommSuccess = 0,
    cmCommUnhandledCudaError = 1,
    cmCommSystemError = 2,
    cmCommInternalError = 3,
    cmCommInvalidArgument = 4,
    cmCommInvalidUsage = 5,
    cmCommRemoteError = 6,
    cmCommInProgress = 7
} cmCommResult_t;

/* What cmCommGetErrorString() says of a result: a static string. */
static inline const char *cm_comm_describe(cmCommResult_t result) {
    switch (result) {
    case cmCommSuccess:
        return "no error";
    case cmCommUnhandledCudaError:
        return "unhandled cuda error";
    case cmCommSystemError:
        return "unhandled system error";
    case cmCommInternalError:
        return "internal error";
    case cmCommInvalidArgument:
        return "invalid argument";
    case cmCommInvalidUsage:
        return "invalid usage";
    case cmCommRemoteError:
        return "remote process exited or there was a network error";
    case cmCommInProgress:
        return "operation in progress";
    }
    return "unknown result code";
}

typedef enum cmCommRedOp {
    cmCommSum = 0,
    cmCommProd = 1,
    cmCommMax = 2,
    cmCommMin = 3,
    cmCommAvg = 4,
    cmCommNumOps = 5,
    cmCommMaxRedOp = 0x7fffffff /* cmCommRedOpCreatePreMulSum() makes more of them */
} cmCommRedOp_t;

typedef enum cmCommScalarResidence {
    cmCommScalarDevice = 0,
    cmCommScalarHostImmediate = 1
} cmCommScalarResidence_t;

/* ncclConfig_t of NCCL 2.27. Taken, and of no consequence: calls never return cmCommInProgress. */
typedef struct cmCommConfig {
    size_t size;
    unsigned int magic, version;
    int blocking, cgaClusterSize, minCTAs, maxCTAs;
    const char *netName;
    int splitShare, trafficClass;
    const char *commName;
    int collnetEnable, CTAPolicy, shrinkShare, nvlsCTAs;
} cmCommConfig_t;
#define CM_COMM_UNDEF_INT ((-2147483647) - 1)
#define CM_COMM_UNDEF_PTR 0
#define CM_COMM_CONFIG_MAGIC 0xcafebeef
#define CM_COMM_CONFIG_INITIALIZER                                                                \
    {                                                                                             \
        sizeof(cmCommConfig_t), CM_COMM_CONFIG_MAGIC, CM_COMM_VERSION_CODE, CM_COMM_UNDEF_INT,    \
            CM_COMM_UNDEF_INT, CM_COMM_UNDEF_INT, CM_COMM_UNDEF_INT, CM_COMM_UNDEF_PTR,           \
            CM_COMM_UNDEF_INT, CM_COMM_UNDEF_INT, CM_COMM_UNDEF_PTR, CM_COMM_UNDEF_INT,           \
            CM_COMM_UNDEF_INT, CM_COMM_UNDEF_INT, CM_COMM_UNDEF_INT                               \
    }

typedef enum cmCommDataType {
    cmCommInt8 = 0,
    cmCommChar = 0,
    cmCommUint8 = 1,
    cmCommInt32 = 2,
    cmCommInt = 2,
    cmCommUint32 = 3,
    cmCommInt64 = 4,
    cmCommUint64 = 5,
    cmCommFloat16 = 6,
    cmCommHalf = 6,
    cmCommFloat32 = 7,
    cmCommFloat = 7,
    cmCommFloat64 = 8,
    cmCommDouble = 8,
    cmCommBfloat16 = 9,
    cmCommNumTypes = 10
} cmCommDataType_t;

#endif
