/* SPDX-License-Identifier: Apache-2.0 */
/* The types and enumerators of cuda_morph/runtime.h. Names and numbers follow the CUDA Runtime
   API; structures have the members that programs use, not CUDA's layout. */
#ifndef CUDA_MORPH_TYPES_H
#define CUDA_MORPH_TYPES_H

#include <cuda_morph/vector_types.h>
#include <stddef.h>

typedef enum cmError {
#define CM_ERROR(name, value, text) name = value,
#include <cuda_morph/errors.def>
#undef CM_ERROR
} cmError_t;

typedef struct cmStream_st *cmStream_t;
typedef struct cmEvent_st *cmEvent_t;
typedef struct cmGraph_st *cmGraph_t;
typedef struct cmGraphNode_st *cmGraphNode_t;
typedef struct cmGraphExec_st *cmGraphExec_t;
typedef struct cmMemPool_st *cmMemPool_t;
typedef struct cmArray *cmArray_t;
typedef const struct cmArray *cmArray_const_t;
typedef unsigned long long cmTextureObject_t;
typedef unsigned long long cmSurfaceObject_t;
typedef void (*cmStreamCallback_t)(cmStream_t stream, cmError_t status, void *data);
typedef void (*cmHostFn_t)(void *data);

#define cmStreamLegacy ((cmStream_t)0x1)
#define cmStreamPerThread ((cmStream_t)0x2)
#define cmStreamDefault 0x00
#define cmStreamNonBlocking 0x01
#define cmEventDefault 0x00
#define cmEventBlockingSync 0x01
#define cmEventDisableTiming 0x02
#define cmEventInterprocess 0x04
#define cmEventRecordDefault 0x00
#define cmEventRecordExternal 0x01
#define cmEventWaitDefault 0x00
#define cmEventWaitExternal 0x01
#define cmHostAllocDefault 0x00
#define cmHostAllocPortable 0x01
#define cmHostAllocMapped 0x02
#define cmHostAllocWriteCombined 0x04
#define cmHostRegisterDefault 0x00
#define cmHostRegisterPortable 0x01
#define cmHostRegisterMapped 0x02
#define cmHostRegisterIoMemory 0x04
#define cmHostRegisterReadOnly 0x08
#define cmMemAttachGlobal 0x01
#define cmMemAttachHost 0x02
#define cmMemAttachSingle 0x04
#define cmPeerAccessDefault 0x00
#define cmOccupancyDefault 0x00
#define cmOccupancyDisableCachingOverride 0x01
#define cmDeviceScheduleAuto 0x00
#define cmDeviceScheduleSpin 0x01
#define cmDeviceScheduleYield 0x02
#define cmDeviceScheduleBlockingSync 0x04
#define cmDeviceBlockingSync 0x04
#define cmDeviceScheduleMask 0x07
#define cmDeviceMapHost 0x08
#define cmDeviceLmemResizeToMax 0x10
#define cmDeviceSyncMemops 0x80
#define cmArrayDefault 0x00
#define cmArrayLayered 0x01
#define cmArraySurfaceLoadStore 0x02
#define cmArrayCubemap 0x04
#define cmArrayTextureGather 0x08
#define cmCpuDeviceId ((int)-1)
#define cmInvalidDeviceId ((int)-2)

enum cmMemcpyKind {
    cmMemcpyHostToHost = 0,
    cmMemcpyHostToDevice = 1,
    cmMemcpyDeviceToHost = 2,
    cmMemcpyDeviceToDevice = 3,
    cmMemcpyDefault = 4
};

enum cmMemoryType {
    cmMemoryTypeUnregistered = 0,
    cmMemoryTypeHost = 1,
    cmMemoryTypeDevice = 2,
    cmMemoryTypeManaged = 3
};

enum cmStreamCaptureMode {
    cmStreamCaptureModeGlobal = 0,
    cmStreamCaptureModeThreadLocal = 1,
    cmStreamCaptureModeRelaxed = 2
};

enum cmStreamCaptureStatus {
    cmStreamCaptureStatusNone = 0,
    cmStreamCaptureStatusActive = 1,
    cmStreamCaptureStatusInvalidated = 2
};

enum cmLimit {
    cmLimitStackSize = 0,
    cmLimitPrintfFifoSize = 1,
    cmLimitMallocHeapSize = 2,
    cmLimitDevRuntimeSyncDepth = 3,
    cmLimitDevRuntimePendingLaunchCount = 4,
    cmLimitMaxL2FetchGranularity = 5,
    cmLimitPersistingL2CacheSize = 6
};

enum cmFuncCache {
    cmFuncCachePreferNone = 0,
    cmFuncCachePreferShared = 1,
    cmFuncCachePreferL1 = 2,
    cmFuncCachePreferEqual = 3
};

enum cmSharedMemConfig {
    cmSharedMemBankSizeDefault = 0,
    cmSharedMemBankSizeFourByte = 1,
    cmSharedMemBankSizeEightByte = 2
};

enum cmFuncAttribute {
    cmFuncAttributeMaxDynamicSharedMemorySize = 8,
    cmFuncAttributePreferredSharedMemoryCarveout = 9,
    cmFuncAttributeNonPortableClusterSizeAllowed = 14
};

enum cmSharedCarveout {
    cmSharedmemCarveoutDefault = -1,
    cmSharedmemCarveoutMaxShared = 100,
    cmSharedmemCarveoutMaxL1 = 0
};

enum cmComputeMode {
    cmComputeModeDefault = 0,
    cmComputeModeExclusive = 1,
    cmComputeModeProhibited = 2,
    cmComputeModeExclusiveProcess = 3
};

enum cmChannelFormatKind {
    cmChannelFormatKindSigned = 0,
    cmChannelFormatKindUnsigned = 1,
    cmChannelFormatKindFloat = 2,
    cmChannelFormatKindNone = 3
};

enum cmMemoryAdvise {
    cmMemAdviseSetReadMostly = 1,
    cmMemAdviseUnsetReadMostly = 2,
    cmMemAdviseSetPreferredLocation = 3,
    cmMemAdviseUnsetPreferredLocation = 4,
    cmMemAdviseSetAccessedBy = 5,
    cmMemAdviseUnsetAccessedBy = 6
};

enum cmMemRangeAttribute {
    cmMemRangeAttributeReadMostly = 1,
    cmMemRangeAttributePreferredLocation = 2,
    cmMemRangeAttributeAccessedBy = 3,
    cmMemRangeAttributeLastPrefetchLocation = 4
};

enum cmMemPoolAttr {
    cmMemPoolReuseFollowEventDependencies = 1,
    cmMemPoolReuseAllowOpportunistic = 2,
    cmMemPoolReuseAllowInternalDependencies = 3,
    cmMemPoolAttrReleaseThreshold = 4,
    cmMemPoolAttrReservedMemCurrent = 5,
    cmMemPoolAttrReservedMemHigh = 6,
    cmMemPoolAttrUsedMemCurrent = 7,
    cmMemPoolAttrUsedMemHigh = 8
};

enum cmMemLocationType {
    cmMemLocationTypeInvalid = 0,
    cmMemLocationTypeDevice = 1,
    cmMemLocationTypeHost = 2,
    cmMemLocationTypeHostNuma = 3,
    cmMemLocationTypeHostNumaCurrent = 4
};

enum cmMemAllocationType { cmMemAllocationTypeInvalid = 0, cmMemAllocationTypePinned = 1 };
enum cmMemAllocationHandleType { cmMemHandleTypeNone = 0, cmMemHandleTypePosixFileDescriptor = 1 };
enum cmMemAccessFlags {
    cmMemAccessFlagsProtNone = 0,
    cmMemAccessFlagsProtRead = 1,
    cmMemAccessFlagsProtReadWrite = 3
};

enum cmDeviceP2PAttr {
    cmDevP2PAttrPerformanceRank = 1,
    cmDevP2PAttrAccessSupported = 2,
    cmDevP2PAttrNativeAtomicSupported = 3,
    cmDevP2PAttrCudaArrayAccessSupported = 4
};

enum cmGraphNodeType {
    cmGraphNodeTypeKernel = 0,
    cmGraphNodeTypeMemcpy = 1,
    cmGraphNodeTypeMemset = 2,
    cmGraphNodeTypeHost = 3,
    cmGraphNodeTypeGraph = 4,
    cmGraphNodeTypeEmpty = 5,
    cmGraphNodeTypeWaitEvent = 6,
    cmGraphNodeTypeEventRecord = 7,
    cmGraphNodeTypeMemAlloc = 10,
    cmGraphNodeTypeMemFree = 11,
    cmGraphNodeTypeConditional = 13
};
enum cmGraphConditionalNodeType {
    cmGraphCondTypeIf = 0,
    cmGraphCondTypeWhile = 1,
    cmGraphCondTypeSwitch = 2
};
enum { cmGraphCondAssignDefault = 1 };
enum cmStreamUpdateCaptureDependenciesFlags {
    cmStreamAddCaptureDependencies = 0,
    cmStreamSetCaptureDependencies = 1
};
typedef unsigned long long cmGraphConditionalHandle;

enum cmDeviceAttr {
#define CM_ATTRIBUTE(name, value, answer) cmDevAttr##name = value,
#include <cuda_morph/attributes.def>
#undef CM_ATTRIBUTE
    cmDevAttrMax
};

typedef struct cmUUID_t {
    char bytes[16];
} cmUUID_t;

struct cmDeviceProp {
    char name[256];
    cmUUID_t uuid;
    size_t totalGlobalMem, sharedMemPerBlock;
    int regsPerBlock, warpSize;
    size_t memPitch;
    int maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3];
    int clockRate;
    size_t totalConstMem;
    int major, minor;
    size_t textureAlignment, texturePitchAlignment;
    int deviceOverlap, multiProcessorCount, kernelExecTimeoutEnabled, integrated;
    int canMapHostMemory, computeMode;
    int maxTexture1D, maxTexture2D[2], maxTexture3D[3], maxTexture1DLinear, maxTexture2DLinear[3];
    int maxTexture1DLayered[2], maxTexture2DLayered[3];
    size_t surfaceAlignment;
    int concurrentKernels, ECCEnabled, pciBusID, pciDeviceID, pciDomainID, tccDriver;
    int asyncEngineCount, unifiedAddressing, memoryClockRate, memoryBusWidth, l2CacheSize;
    int persistingL2CacheMaxSize, maxThreadsPerMultiProcessor, streamPrioritiesSupported;
    int globalL1CacheSupported, localL1CacheSupported;
    size_t sharedMemPerMultiprocessor;
    int regsPerMultiprocessor, managedMemory, isMultiGpuBoard, multiGpuBoardGroupID;
    int hostNativeAtomicSupported, singleToDoublePrecisionPerfRatio, pageableMemoryAccess;
    int concurrentManagedAccess, computePreemptionSupported, canUseHostPointerForRegisteredMem;
    int cooperativeLaunch, cooperativeMultiDeviceLaunch;
    size_t sharedMemPerBlockOptin;
    int pageableMemoryAccessUsesHostPageTables, directManagedMemAccessFromHost;
    int maxBlocksPerMultiProcessor, accessPolicyMaxWindowSize;
    size_t reservedSharedMemPerBlock;
    int hostRegisterSupported, memoryPoolsSupported, clusterLaunch;
};

struct cmExtent {
    size_t width, height, depth;
};
struct cmPos {
    size_t x, y, z;
};
struct cmPitchedPtr {
    void *ptr;
    size_t pitch, xsize, ysize;
};

/* Structures from their members; widths are bytes, or elements where they are about an array. */
static inline struct cmExtent make_cmExtent(size_t width, size_t height, size_t depth) {
    struct cmExtent extent;
    extent.width = width, extent.height = height, extent.depth = depth;
    return extent;
}
static inline struct cmPos make_cmPos(size_t x, size_t y, size_t z) {
    struct cmPos pos;
    pos.x = x, pos.y = y, pos.z = z;
    return pos;
}
static inline struct cmPitchedPtr make_cmPitchedPtr(void *pointer, size_t pitch, size_t width,
                                                    size_t height) {
    struct cmPitchedPtr pitched;
    pitched.ptr = pointer, pitched.pitch = pitch;
    pitched.xsize = width, pitched.ysize = height;
    return pitched;
}

struct cmMemcpy3DParms {
    cmArray_t srcArray;
    struct cmPos srcPos;
    struct cmPitchedPtr srcPtr;
    cmArray_t dstArray;
    struct cmPos dstPos;
    struct cmPitchedPtr dstPtr;
    struct cmExtent extent;
    enum cmMemcpyKind kind;
};

struct cmPointerAttributes {
    enum cmMemoryType type;
    int device;
    void *devicePointer, *hostPointer;
};

struct cmFuncAttributes {
    size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
    int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion, cacheModeCA;
    int maxDynamicSharedSizeBytes, preferredShmemCarveout;
};

struct cmMemLocation {
    enum cmMemLocationType type;
    int id;
};
struct cmMemAccessDesc {
    struct cmMemLocation location;
    enum cmMemAccessFlags flags;
};
struct cmMemPoolProps {
    enum cmMemAllocationType allocType;
    enum cmMemAllocationHandleType handleTypes;
    struct cmMemLocation location;
    void *win32SecurityAttributes;
    size_t maxSize;
    unsigned short usage;
};

struct cmHostNodeParams {
    cmHostFn_t fn;
    void *userData;
};
/* The address is an answer: that of the memory, in each run of the graph. */
struct cmMemAllocNodeParams {
    struct cmMemPoolProps poolProps;
    const struct cmMemAccessDesc *accessDescs;
    size_t accessDescCount, bytesize;
    void *dptr;
};
enum cmGraphExecUpdateResult {
    cmGraphExecUpdateSuccess = 0,
    cmGraphExecUpdateError = 1,
    cmGraphExecUpdateErrorTopologyChanged = 2,
    cmGraphExecUpdateErrorNodeTypeChanged = 3,
    cmGraphExecUpdateErrorFunctionChanged = 4,
    cmGraphExecUpdateErrorParametersChanged = 5,
    cmGraphExecUpdateErrorNotSupported = 6,
    cmGraphExecUpdateErrorUnsupportedFunctionChange = 7,
    cmGraphExecUpdateErrorAttributesChanged = 8
};
struct cmGraphExecUpdateResultInfo {
    enum cmGraphExecUpdateResult result;
    cmGraphNode_t errorNode, errorFromNode;
};
/* What other processes would open. */
struct cmIpcMemHandle {
    char reserved[64];
};
struct cmIpcEventHandle {
    char reserved[64];
};
struct cmMemsetParams {
    void *dst;
    size_t pitch;
    unsigned int value, elementSize;
    size_t width, height;
};

struct cmChannelFormatDesc {
    int x, y, z, w;
    enum cmChannelFormatKind f;
};

enum cmResourceType {
    cmResourceTypeArray = 0,
    cmResourceTypeMipmappedArray = 1,
    cmResourceTypeLinear = 2,
    cmResourceTypePitch2D = 3
};

struct cmResourceDesc {
    enum cmResourceType resType;
    union {
        struct {
            cmArray_t array;
        } array;
        struct {
            void *devPtr;
            struct cmChannelFormatDesc desc;
            size_t sizeInBytes;
        } linear;
        struct {
            void *devPtr;
            struct cmChannelFormatDesc desc;
            size_t width, height, pitchInBytes;
        } pitch2D;
    } res;
    unsigned int flags;
};

enum cmTextureAddressMode {
    cmAddressModeWrap = 0,
    cmAddressModeClamp = 1,
    cmAddressModeMirror = 2,
    cmAddressModeBorder = 3
};
enum cmTextureFilterMode { cmFilterModePoint = 0, cmFilterModeLinear = 1 };
enum cmTextureReadMode { cmReadModeElementType = 0, cmReadModeNormalizedFloat = 1 };
enum cmSurfaceBoundaryMode {
    cmBoundaryModeZero = 0,
    cmBoundaryModeClamp = 1,
    cmBoundaryModeTrap = 2
};

struct cmTextureDesc {
    enum cmTextureAddressMode addressMode[3];
    enum cmTextureFilterMode filterMode;
    enum cmTextureReadMode readMode;
    int sRGB;
    float borderColor[4];
    int normalizedCoords;
    unsigned int maxAnisotropy;
    enum cmTextureFilterMode mipmapFilterMode;
    float mipmapLevelBias, minMipmapLevelClamp, maxMipmapLevelClamp;
    int disableTrilinearOptimization, seamlessCubemap;
};

/* What a texture object is, for the inline fetches of cuda_morph/texture.hpp. */
struct cmTexture {
    const unsigned char *data;
    size_t width, height, depth, pitch, slice; /* in elements; pitch and slice in bytes */
    struct cmChannelFormatDesc format;
    struct cmTextureDesc how;
};

/* ---- attributes of launches and streams, with CUDA's numbers ---- */

enum cmAccessProperty {
    cmAccessPropertyNormal = 0,
    cmAccessPropertyStreaming = 1,
    cmAccessPropertyPersisting = 2
};
struct cmAccessPolicyWindow {
    void *base_ptr;
    size_t num_bytes;
    float hitRatio;
    enum cmAccessProperty hitProp, missProp;
};
enum cmSynchronizationPolicy {
    cmSyncPolicyAuto = 1,
    cmSyncPolicySpin = 2,
    cmSyncPolicyYield = 3,
    cmSyncPolicyBlockingSync = 4
};
enum cmLaunchAttributeID {
    cmLaunchAttributeIgnore = 0,
    cmLaunchAttributeAccessPolicyWindow = 1,
    cmLaunchAttributeCooperative = 2,
    cmLaunchAttributeSynchronizationPolicy = 3,
    cmLaunchAttributeProgrammaticStreamSerialization = 6,
    cmLaunchAttributePriority = 8
};
union cmLaunchAttributeValue {
    char pad[64];
    struct cmAccessPolicyWindow accessPolicyWindow;
    enum cmSynchronizationPolicy syncPolicy;
    int cooperative, priority, programmaticStreamSerializationAllowed;
};

#ifndef __cplusplus
typedef struct cmDeviceProp cmDeviceProp;
typedef enum cmMemcpyKind cmMemcpyKind;
#endif

#endif
