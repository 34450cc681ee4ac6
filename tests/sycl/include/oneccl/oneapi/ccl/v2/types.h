/* SPDX-License-Identifier: Apache-2.0 */
// A stand-in for the types of oneCCL's C interface: its names and numbers.
#pragma once
#include <cstddef>
#include <cstdint>

typedef struct onecclComm *onecclComm_t;
#define ONECCL_SPLIT_NOCOLOR (-1)

typedef enum {
    onecclSuccess = 0,
    onecclError = 1,
    onecclSystemError = 2,
    onecclInternalError = 3,
    onecclInvalidArgument = 4,
    onecclInvalidUsage = 5,
    onecclInProgress = 6,
    onecclFailureGPU = 7,
    onecclFailureCPU = 8,
    onecclAllocFailureCPU = 9,
    onecclAllocFailureGPU = 10,
    onecclPluginException = 11,
    onecclNotImplemented
} onecclResult_t;
typedef enum {
    onecclInt8 = 0,
    onecclUint8 = 1,
    onecclInt32 = 2,
    onecclUint32 = 3,
    onecclInt64 = 4,
    onecclUint64 = 5,
    onecclFloat16 = 6,
    onecclFloat32 = 7,
    onecclFloat64 = 8,
    onecclBfloat16 = 9
} onecclDataType_t;
typedef enum {
    onecclSum = 0,
    onecclProd = 1,
    onecclMax = 2,
    onecclMin = 3,
    onecclAvg = 4,
    onecclNumOps = 5,
    onecclMaxRedOp = 0x7fffffff
} onecclRedOp_t;
typedef enum { onecclScalarDevice = 0, onecclScalarHostImmediate = 1 } onecclScalarResidence_t;
typedef struct {
    char data[4096];
} onecclUniqueId;
typedef struct onecclConfig onecclConfig_t;
