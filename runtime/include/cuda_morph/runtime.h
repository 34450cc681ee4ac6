/* SPDX-License-Identifier: Apache-2.0 */
/* libcmrt: the CUDA runtime's interface on any machine, for C and C++.
 *
 * The functions have the shape of the CUDA runtime API: cudaMalloc() is cmMalloc(), with the same
 * arguments in the same order, and enumerators keep the numbers that CUDA documents (source of
 * names and numbers: the CUDA Runtime API reference, versions 12 and 13). Where two versions of
 * CUDA differ, C gets the older form and C++ (cuda_morph/cuda.h) both.
 *
 * Unless a comment says otherwise: sizes, pitches and offsets are bytes, widths of arrays
 * elements; pointers for results belong to the caller, must not be NULL (cmErrorInvalidValue) and
 * are written only on success, but that those of allocations become NULL on failure; nothing that
 * is given is kept behind the call's return, or behind the work's end where the call puts work
 * into a stream.
 *
 * Every function returns cmSuccess or an error, which becomes the calling thread's last error
 * (cmGetLastError()). Errors of work that runs later (a kernel that traps) are returned by the
 * next call; they are sticky, which means that all calls return them until cmDeviceReset().
 * All functions may be called from several threads. Handles are checked: a stale one gives
 * cmErrorInvalidResourceHandle (graphs, nodes and pools: cmErrorInvalidValue); a device that is
 * not there cmErrorInvalidDevice. In the child of a fork: cmErrorInitializationError.
 *
 * Loading the library does nothing; the first call reads the environment (docs/runtime.md):
 *   CUDA_MORPH_TARGET      the back end (default: cpu)
 *   CUDA_MORPH_THREADS     threads that run kernels (default: usable CPUs)
 *   CUDA_MORPH_DEVICES     how many devices to show (default: 1); they share the threads
 *   CUDA_MORPH_MEMORY      bytes of memory per device, with K, M or G (default: what is there)
 *   CUDA_MORPH_WARP_SIZE   32 (default) or 64: shows on any machine what breaks on wave64
 *   CUDA_MORPH_WAIT        60: seconds until a kernel ends whose blocks wait for nobody; 0: never
 *   CUDA_MORPH_CHECK       1: bad accesses name kernel, block and thread; so do missed lanes
 *   CUDA_VISIBLE_DEVICES   as for CUDA: a list of ordinals; -1 or empty hides all
 */
#ifndef CUDA_MORPH_RUNTIME_H
#define CUDA_MORPH_RUNTIME_H

#include <cuda_morph/types.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif
#pragma GCC visibility push(default)

#define CMRT_VERSION 12040 /* the CUDA version whose interface this is, as CUDA encodes it */

/* ---- errors: the last error belongs to the calling thread ---- */

/* Returns the last error and forgets it, unless it is sticky. */
cmError_t cmGetLastError(void);
/* The same, and it stays. */
cmError_t cmPeekAtLastError(void);
/* The enumerator's name ("cmErrorInvalidValue") and a sentence; static strings, never NULL. */
const char *cmGetErrorName(cmError_t error);
const char *cmGetErrorString(cmError_t error);

/* ---- devices ---- */

/* None: 0 and cmErrorNoDevice; a vendor's library that is missing: cmErrorInsufficientDriver. */
cmError_t cmGetDeviceCount(int *count);
/* The device belongs to the calling thread; 0 at first. */
cmError_t cmGetDevice(int *device);
cmError_t cmSetDevice(int device);
/* Nothing is left to do after the first call: checks `device`, ignores the flags. */
cmError_t cmInitDevice(int device, unsigned int deviceFlags, unsigned int flags);
/* Always 0: `prop` is not looked at. */
cmError_t cmChooseDevice(int *device, const struct cmDeviceProp *prop);
/* Checks `length` ordinals and changes nothing: the order stays that of the machine. */
cmError_t cmSetValidDevices(int *devices, int length);
/* As the back end tells them, 0 for what it does not know; memory as CUDA_MORPH_MEMORY allows. */
cmError_t cmGetDeviceProperties(struct cmDeviceProp *prop, int device);
/* One of the properties as an integer (attributes.def). Unknown attribute: cmErrorInvalidValue. */
cmError_t cmDeviceGetAttribute(int *value, enum cmDeviceAttr attribute, int device);
/* Waits for all streams of the calling thread's device. Inside a kernel: cmErrorNotSupported. */
cmError_t cmDeviceSynchronize(void);
/* Waits for the device's work, frees its memory, destroys its streams, clears sticky errors. */
cmError_t cmDeviceReset(void);
/* Limits are kept; only cmLimitStackSize (bytes of a thread that waits inside a kernel) matters.
   Unknown ones: cmErrorUnsupportedLimit. Preferences of caches and banks change nothing. */
cmError_t cmDeviceGetLimit(size_t *value, enum cmLimit limit);
cmError_t cmDeviceSetLimit(enum cmLimit limit, size_t value);
/* Always cmFuncCachePreferNone. */
cmError_t cmDeviceGetCacheConfig(enum cmFuncCache *config);
/* Accepts anything. */
cmError_t cmDeviceSetCacheConfig(enum cmFuncCache config);
/* Always cmSharedMemBankSizeFourByte. */
cmError_t cmDeviceGetSharedMemConfig(enum cmSharedMemConfig *config);
/* Accepts anything. */
cmError_t cmDeviceSetSharedMemConfig(enum cmSharedMemConfig config);
/* Flags of the current device: cmDevice...; kept for cmGetDeviceFlags(), which adds
   cmDeviceMapHost. Bits above 0xff: cmErrorInvalidValue. */
cmError_t cmSetDeviceFlags(unsigned int flags);
cmError_t cmGetDeviceFlags(unsigned int *flags);
/* 0 and -5; either pointer may be NULL. No back end schedules by them. */
cmError_t cmDeviceGetStreamPriorityRange(int *least, int *greatest);
/* "0000:BB:00.0", the ordinal is the bus; `length`: the room at `text`, at least 13 bytes. */
cmError_t cmDeviceGetPCIBusId(char *text, int length, int device);
/* The other way round. No device of that bus: cmErrorInvalidDevice. */
cmError_t cmDeviceGetByPCIBusId(int *device, const char *text);
/* Peers: every device can reach every other one, but, as on real hardware, only once enabled.
   1 for two devices, 0 for a device and itself. */
cmError_t cmDeviceCanAccessPeer(int *can, int device, int peer);
/* From the current device to `peer`; `flags` is 0. Twice: cmErrorPeerAccessAlreadyEnabled. */
cmError_t cmDeviceEnablePeerAccess(int peer, unsigned int flags);
/* Not enabled: cmErrorPeerAccessNotEnabled. */
cmError_t cmDeviceDisablePeerAccess(int peer);
/* 1 for all but cmDevP2PAttrPerformanceRank, which is 0. `from` and `to` have to differ. */
cmError_t cmDeviceGetP2PAttribute(int *value, enum cmDeviceP2PAttr attribute, int from, int to);
/* CMRT_VERSION, both: no driver of NVIDIA's is there. */
cmError_t cmDriverGetVersion(int *version);
cmError_t cmRuntimeGetVersion(int *version);
/* Without effect: no profiler is attached. */
cmError_t cmProfilerStart(void);
cmError_t cmProfilerStop(void);

/* ---- memory ---- */

/* Size 0 gives NULL. What is larger than the device's free memory: cmErrorMemoryAllocation. */
cmError_t cmMalloc(void **pointer, size_t size);
/* NULL is fine; waits for the device's work first. What was not allocated by cmMalloc() and its
   kin, or is freed already: cmErrorInvalidValue. */
cmError_t cmFree(void *pointer);
/* The host's memory, pinned: freed by cmFreeHost(), which waits for the device's work first.
   flags: cmHostAlloc..., which change nothing here. */
cmError_t cmMallocHost(void **pointer, size_t size);
cmError_t cmHostAlloc(void **pointer, size_t size, unsigned int flags);
cmError_t cmFreeHost(void *pointer);
/* The same address: host and device share it. Pinned or registered memory only, `flags` 0; else
   cmErrorInvalidValue. */
cmError_t cmHostGetDevicePointer(void **device, void *host, unsigned int flags);
/* The flags that it was allocated or registered with, and cmHostAllocMapped. */
cmError_t cmHostGetFlags(unsigned int *flags, void *host);
/* The caller's own memory becomes pinned; it must be unregistered before it is freed. */
cmError_t cmHostRegister(void *pointer, size_t size, unsigned int flags);
cmError_t cmHostUnregister(void *pointer);
/* Seen by both sides, freed by cmFree(). cmErrorNotSupported where the vendor has none. */
cmError_t cmMallocManaged(void **pointer, size_t size, unsigned int flags);
/* Rows that are `*pitch` bytes apart, a multiple of 512; freed by cmFree(). */
cmError_t cmMallocPitch(void **pointer, size_t *pitch, size_t width, size_t height);
/* The same for `height` * `depth` rows; the pointer in `*pitched` is freed by cmFree(). */
cmError_t cmMalloc3D(struct cmPitchedPtr *pitched, struct cmExtent extent);
/* Bytes of the current device: what can still be allocated, and all that it has. */
cmError_t cmMemGetInfo(size_t *available, size_t *total);
/* What kind of memory an address belongs to, and where. Memory that was not allocated here is no
   error: cmMemoryTypeUnregistered and device -2, as CUDA has it. */
cmError_t cmPointerGetAttributes(struct cmPointerAttributes *attributes, const void *pointer);
/* Whether the host may read and write this address: 0 only for the memory of a vendor's device. No
   error, and none is touched. */
int cmPointerIsOnHost(const void *pointer);
/* The whole allocation that holds `pointer`: where it begins, and its bytes; either may be NULL.
   cmErrorInvalidValue: it is in none. */
cmError_t cmMemGetAddressRange(void **base, size_t *size, const void *pointer);
/* Checked, and without effect: managed memory is the host's. Other memory: cmErrorInvalidValue. */
cmError_t cmMemAdvise(const void *pointer, size_t size, enum cmMemoryAdvise advice, int device);
/* Keeps its place in the stream's order, and moves nothing. Device -1 is the host. */
cmError_t cmMemPrefetchAsync(const void *pointer, size_t size, int device, cmStream_t stream);
/* Writes `size` bytes: nobody advised or prefetched the range (0, or cmInvalidDeviceId). */
cmError_t cmMemRangeGetAttribute(void *data, size_t size, enum cmMemRangeAttribute attribute,
                                 const void *pointer, size_t count);

/* Memory in stream order. The memory is there at once and is given back when the stream gets to
   the free; pools keep count of it. Without `pool` it is that of the current device. */
cmError_t cmMallocAsync(void **pointer, size_t size, cmStream_t stream);
/* NULL is fine. Another use of it in a later call, or a second free: cmErrorInvalidValue. */
cmError_t cmFreeAsync(void *pointer, cmStream_t stream);
cmError_t cmMallocFromPoolAsync(void **pointer, size_t size, cmMemPool_t pool, cmStream_t stream);
/* The pool that a device begins with; it cannot be destroyed. */
cmError_t cmDeviceGetDefaultMemPool(cmMemPool_t *pool, int device);
/* The pool that cmMallocAsync() takes from; it has to be of that device. */
cmError_t cmDeviceGetMemPool(cmMemPool_t *pool, int device);
cmError_t cmDeviceSetMemPool(int device, cmMemPool_t pool);
/* Belongs to the caller. `properties->location` has to be a device. */
cmError_t cmMemPoolCreate(cmMemPool_t *pool, const struct cmMemPoolProps *properties);
/* Returns at once; what was allocated from it stays until it is freed. A device whose pool it was
   goes back to its default. */
cmError_t cmMemPoolDestroy(cmMemPool_t pool);
/* Nothing is kept beyond what is used: without effect. */
cmError_t cmMemPoolTrimTo(cmMemPool_t pool, size_t keep);
/* `value` points to a uint64_t of bytes (used, reserved, threshold) or to an int (reuse). */
cmError_t cmMemPoolGetAttribute(cmMemPool_t pool, enum cmMemPoolAttr attribute, void *value);
/* Of the counters only the high-water marks can be set, and only to 0. */
cmError_t cmMemPoolSetAttribute(cmMemPool_t pool, enum cmMemPoolAttr attribute, void *value);
/* Accepts anything: every device reaches every pool. */
cmError_t cmMemPoolSetAccess(cmMemPool_t pool, const struct cmMemAccessDesc *list, size_t count);

/* ---- copies: the Async forms with pinned or device memory return before the copy is made, those
   with ordinary host memory behave as CUDA documents: the source may be reused at once ---- */

/* Returns when the bytes are there. Addresses tell what is where, `kind` is only checked: one that
   is no enumerator gives cmErrorInvalidMemcpyDirection. */
cmError_t cmMemcpy(void *to, const void *from, size_t size, enum cmMemcpyKind kind);
cmError_t cmMemcpyAsync(void *to, const void *from, size_t size, enum cmMemcpyKind kind,
                        cmStream_t stream);
/* Between two devices, which need no peer access for it. */
cmError_t cmMemcpyPeer(void *to, int toDevice, const void *from, int fromDevice, size_t size);
cmError_t cmMemcpyPeerAsync(void *to, int toDevice, const void *from, int fromDevice, size_t size,
                            cmStream_t stream);
/* `height` rows of `width` bytes; a pitch below the width: cmErrorInvalidPitchValue. */
cmError_t cmMemcpy2D(void *to, size_t toPitch, const void *from, size_t fromPitch, size_t width,
                     size_t height, enum cmMemcpyKind kind);
cmError_t cmMemcpy2DAsync(void *to, size_t toPitch, const void *from, size_t fromPitch,
                          size_t width, size_t height, enum cmMemcpyKind kind, cmStream_t stream);
/* Each side is an array or a pitched pointer, never both (cmErrorInvalidValue). Positions and
   widths count elements where an array takes part, else bytes. */
cmError_t cmMemcpy3D(const struct cmMemcpy3DParms *copy);
cmError_t cmMemcpy3DAsync(const struct cmMemcpy3DParms *copy, cmStream_t stream);
/* To `size` bytes from byte `x` of row `y` on, over the ends of rows. */
cmError_t cmMemcpyToArray(cmArray_t to, size_t x, size_t y, const void *from, size_t size,
                          enum cmMemcpyKind kind);
cmError_t cmMemcpyFromArray(void *to, cmArray_const_t from, size_t x, size_t y, size_t size,
                            enum cmMemcpyKind kind);
/* A box of `height` rows of `width` bytes at byte `x` of row `y`. Outside: cmErrorInvalidValue. */
cmError_t cmMemcpy2DToArray(cmArray_t to, size_t x, size_t y, const void *from, size_t pitch,
                            size_t width, size_t height, enum cmMemcpyKind kind);
cmError_t cmMemcpy2DToArrayAsync(cmArray_t to, size_t x, size_t y, const void *from, size_t pitch,
                                 size_t width, size_t height, enum cmMemcpyKind kind,
                                 cmStream_t stream);
cmError_t cmMemcpy2DFromArray(void *to, size_t pitch, cmArray_const_t from, size_t x, size_t y,
                              size_t width, size_t height, enum cmMemcpyKind kind);
/* `size` bytes of the low byte of `value`. The forms without Async wait. */
cmError_t cmMemset(void *to, int value, size_t size);
cmError_t cmMemsetAsync(void *to, int value, size_t size, cmStream_t stream);
/* `height` rows of `width` bytes. */
cmError_t cmMemset2D(void *to, size_t pitch, int value, size_t width, size_t height);
cmError_t cmMemset2DAsync(void *to, size_t pitch, int value, size_t width, size_t height,
                          cmStream_t stream);
/* `extent.width` is bytes. */
cmError_t cmMemset3D(struct cmPitchedPtr to, int value, struct cmExtent extent);
cmError_t cmMemset3DAsync(struct cmPitchedPtr to, int value, struct cmExtent extent,
                          cmStream_t stream);

/* `height` rows, `pitch` bytes apart, of `width` elements of 1, 2 or 4 bytes each, which become
   the low bytes of `value`: what cuMemsetD16() and its kin need. Returns before it is done. */
cmError_t cmMemsetElementsAsync(void *to, size_t pitch, unsigned int value, size_t element,
                                size_t width, size_t height, cmStream_t stream);

/* ---- arrays and textures ---- */

/* Bits of each channel, 0 for those that are not there. */
struct cmChannelFormatDesc cmCreateChannelDesc(int x, int y, int z, int w,
                                               enum cmChannelFormatKind kind);
/* Rows of `width` elements; height 0: one dimension. Belongs to the caller until cmFreeArray(). No
   element of 1 to 16 bytes: cmErrorInvalidChannelDescriptor. */
cmError_t cmMallocArray(cmArray_t *array, const struct cmChannelFormatDesc *format, size_t width,
                        size_t height, unsigned int flags);
/* The same with a depth; flags: cmArray...; cmArrayCubemap wants six square faces a cube. */
cmError_t cmMalloc3DArray(cmArray_t *array, const struct cmChannelFormatDesc *format,
                          struct cmExtent extent, unsigned int flags);
/* NULL is fine. Waits for the device's work. */
cmError_t cmFreeArray(cmArray_t array);
/* What it was made with; each pointer may be NULL. */
cmError_t cmArrayGetInfo(struct cmChannelFormatDesc *format, struct cmExtent *extent,
                         unsigned int *flags, cmArray_t array);
cmError_t cmGetChannelDesc(struct cmChannelFormatDesc *format, cmArray_const_t array);
/* Reads an array, a line or rows of device memory, which has to stay; `view` has to be NULL.
   Memory of a vendor's device: cmErrorNotSupported, for kernels read textures on the host. */
cmError_t cmCreateTextureObject(cmTextureObject_t *texture, const struct cmResourceDesc *resource,
                                const struct cmTextureDesc *description, const void *view);
/* 0 is fine. Waits for the device's work. */
cmError_t cmDestroyTextureObject(cmTextureObject_t texture);
/* What it was made of. */
cmError_t cmGetTextureObjectResourceDesc(struct cmResourceDesc *resource, cmTextureObject_t tex);
/* To read and write an array of elements. */
cmError_t cmCreateSurfaceObject(cmSurfaceObject_t *surface, const struct cmResourceDesc *resource);
/* As for textures. */
cmError_t cmDestroySurfaceObject(cmSurfaceObject_t surface);

/* ---- streams: work runs in order inside one, and beside that of others. NULL is the legacy
   default stream, which waits for all streams that were not made non-blocking, and they for it
   ---- */

/* Belongs to the caller, and to the current device. flags: cmStreamNonBlocking; a lower number is
   the higher priority, which is kept and changes nothing. */
cmError_t cmStreamCreate(cmStream_t *stream);
cmError_t cmStreamCreateWithFlags(cmStream_t *stream, unsigned int flags);
cmError_t cmStreamCreateWithPriority(cmStream_t *stream, unsigned int flags, int priority);
/* Returns at once; work that is in the stream is still done. */
cmError_t cmStreamDestroy(cmStream_t stream);
/* 1: from now on all that comes into a stream of the process is done when the call that put it
   there returns, as with CUDA_LAUNCH_BLOCKING=1. Captures, and launches from kernels, are not
   waited for. 0: the usual. */
cmError_t cmSetBlocking(int blocking);
/* Synchronize returns when all is done, Query at once with cmErrorNotReady where it is not. A
   stream that is captured: cmErrorStreamCaptureUnsupported. */
cmError_t cmStreamSynchronize(cmStream_t stream);
cmError_t cmStreamQuery(cmStream_t stream);
/* What comes into the stream from now on waits for the event's last record; one that was never
   recorded is no reason to wait. */
cmError_t cmStreamWaitEvent(cmStream_t stream, cmEvent_t event, unsigned int flags);
/* What the stream was made with, its device, and a number that no other stream has. */
cmError_t cmStreamGetFlags(cmStream_t stream, unsigned int *flags);
cmError_t cmStreamGetPriority(cmStream_t stream, int *priority);
cmError_t cmStreamGetDevice(cmStream_t stream, int *device);
cmError_t cmStreamGetId(cmStream_t stream, unsigned long long *id);
/* The vendor's queue behind a stream (aclrtStream, cnrtQueue_t, ze_command_list_handle_t,
   hipStream_t ...), for the vendor's own kernels and libraries. Waits for what is in the stream;
   from then on each operation of the stream waits for the queue first. The queue belongs to the
   stream. cmErrorNotSupported on the CPU, which has none. */
cmError_t cmStreamGetNative(cmStream_t stream, void **queue);
/* The function runs on a thread of its own, in the stream's order; it must not call this library.
 */
cmError_t cmStreamAddCallback(cmStream_t stream, cmStreamCallback_t callback, void *data,
                              unsigned int flags);
cmError_t cmLaunchHostFunc(cmStream_t stream, cmHostFn_t function, void *data);
/* Checks that the memory is managed; without effect. */
cmError_t cmStreamAttachMemAsync(cmStream_t stream, void *pointer, size_t length,
                                 unsigned int flags);

/* Kept for cmStreamGetAttribute(), but for the priority, which cannot change; caches and waiting
   stay as they are. Other ids: cmErrorInvalidValue. */
cmError_t cmStreamSetAttribute(cmStream_t stream, enum cmLaunchAttributeID id,
                               const union cmLaunchAttributeValue *value);
cmError_t cmStreamGetAttribute(cmStream_t stream, enum cmLaunchAttributeID id,
                               union cmLaunchAttributeValue *value);
cmError_t cmStreamCopyAttributes(cmStream_t to, cmStream_t from);
/* There is nothing to reset. */
cmError_t cmCtxResetPersistingL2Cache(void);

/* ---- events: an event is the last place in a stream where it was recorded. It belongs to the
   caller until cmEventDestroy(), which may come before it is reached ---- */

/* flags: cmEventBlockingSync, cmEventDisableTiming, cmEventInterprocess. */
cmError_t cmEventCreate(cmEvent_t *event);
cmError_t cmEventCreateWithFlags(cmEvent_t *event, unsigned int flags);
cmError_t cmEventDestroy(cmEvent_t event);
/* In a stream that is captured it becomes part of the capture. flags: cmEventRecordExternal. */
cmError_t cmEventRecord(cmEvent_t event, cmStream_t stream);
cmError_t cmEventRecordWithFlags(cmEvent_t event, cmStream_t stream, unsigned int flags);
/* cmSuccess when its last record is reached, or there is none, else cmErrorNotReady; Synchronize
   waits for it. An event of a capture: cmErrorCapturedEvent. */
cmError_t cmEventQuery(cmEvent_t event);
cmError_t cmEventSynchronize(cmEvent_t event);
/* Milliseconds between two recorded events; real time, from a clock of nanoseconds. */
cmError_t cmEventElapsedTime(float *milliseconds, cmEvent_t start, cmEvent_t end);

/* ---- graphs ---- */

/* What is put into the stream between Begin and End becomes the graph's instead; the graph belongs
   to the caller. Streams that wait for an event of the capture join it and have to come back. */
cmError_t cmStreamBeginCapture(cmStream_t stream, enum cmStreamCaptureMode mode);
cmError_t cmStreamEndCapture(cmStream_t stream, cmGraph_t *graph);
/* The same into a graph that is there, behind some of its nodes: at the end it may be NULL. */
cmError_t cmStreamBeginCaptureInto(cmStream_t stream, cmGraph_t graph, const cmGraphNode_t *after,
                                   size_t count, enum cmStreamCaptureMode mode);
/* What the stream's capture has come to; all but `status` may be NULL. *after is good until the
   next call for the stream. ContinueCapture: what comes next is behind these nodes, too, or with
   flags 1 behind these only. */
cmError_t cmStreamGetCapture(cmStream_t stream, enum cmStreamCaptureStatus *status,
                             unsigned long long *number, cmGraph_t *graph,
                             const cmGraphNode_t **after, size_t *count);
cmError_t cmStreamContinueCapture(cmStream_t stream, const cmGraphNode_t *after, size_t count,
                                  unsigned int flags);
/* Whether it does, or did until a call that cannot be captured spoiled it. */
cmError_t cmStreamIsCapturing(cmStream_t stream, enum cmStreamCaptureStatus *status);
/* Swaps `*mode` with the calling thread's; the mode itself changes nothing. */
cmError_t cmThreadExchangeStreamCaptureMode(enum cmStreamCaptureMode *mode);
/* An empty graph, which belongs to the caller; `flags` has to be 0. */
cmError_t cmGraphCreate(cmGraph_t *graph, unsigned int flags);
/* With all its nodes. What was instantiated from it stays. */
cmError_t cmGraphDestroy(cmGraph_t graph);
/* A copy with nodes of its own. */
cmError_t cmGraphClone(cmGraph_t *clone, cmGraph_t original);
/* Each of these adds a node behind `count` others of the same graph (none: NULL and 0); the node
   belongs to the graph, which copies `*params`. Nodes of another graph: cmErrorInvalidValue. */
cmError_t cmGraphAddEmptyNode(cmGraphNode_t *node, cmGraph_t graph, const cmGraphNode_t *after,
                              size_t count);
cmError_t cmGraphAddHostNode(cmGraphNode_t *node, cmGraph_t graph, const cmGraphNode_t *after,
                             size_t count, const struct cmHostNodeParams *params);
cmError_t cmGraphAddMemcpyNode(cmGraphNode_t *node, cmGraph_t graph, const cmGraphNode_t *after,
                               size_t count, const struct cmMemcpy3DParms *params);
cmError_t cmGraphAddMemcpyNode1D(cmGraphNode_t *node, cmGraph_t graph, const cmGraphNode_t *after,
                                 size_t count, void *to, const void *from, size_t size,
                                 enum cmMemcpyKind kind);
cmError_t cmGraphAddMemsetNode(cmGraphNode_t *node, cmGraph_t graph, const cmGraphNode_t *after,
                               size_t count, const struct cmMemsetParams *params);
/* A number that kernels set; with cmGraphCondAssignDefault it is `first` when a launch begins. */
cmError_t cmGraphConditionalHandleCreate(cmGraphConditionalHandle *handle, cmGraph_t graph,
                                         unsigned int first, unsigned int flags);
void cmGraphSetConditional(cmGraphConditionalHandle handle, unsigned int value);
/* A node with `size` bodies, graphs that belong to it, as *bodies does, and are to be filled: the
   first runs if the number is not 0 (a second one if it is), or as long as it is not, or that of
   the number. Where a vendor's device has the memory: cmErrorNotSupported. */
cmError_t cmGraphAddConditional(cmGraphNode_t *node, cmGraph_t graph, const cmGraphNode_t *after,
                                size_t count, cmGraphConditionalHandle handle,
                                enum cmGraphConditionalNodeType type, unsigned int size,
                                cmGraph_t **bodies);
/* `count` pairs: to[i] runs after from[i]. */
cmError_t cmGraphAddDependencies(cmGraph_t graph, const cmGraphNode_t *from,
                                 const cmGraphNode_t *to, size_t count);
/* With nodes NULL only the count is written. */
cmError_t cmGraphGetNodes(cmGraph_t graph, cmGraphNode_t *nodes, size_t *count);
/* What the node does. */
cmError_t cmGraphNodeGetType(cmGraphNode_t node, enum cmGraphNodeType *type);
/* The child is copied; its nodes run in the node's place. GetGraph gives the copy, which belongs
   to the node and may be changed until the graph is instantiated. */
cmError_t cmGraphAddChildGraphNode(cmGraphNode_t *node, cmGraph_t graph,
                                   const cmGraphNode_t *after, size_t count, cmGraph_t child);
cmError_t cmGraphChildGraphNodeGetGraph(cmGraphNode_t node, cmGraph_t *graph);
/* The event has to live as long as what is made of the graph. */
cmError_t cmGraphAddEventRecordNode(cmGraphNode_t *node, cmGraph_t graph,
                                    const cmGraphNode_t *after, size_t count, cmEvent_t event);
cmError_t cmGraphAddEventWaitNode(cmGraphNode_t *node, cmGraph_t graph, const cmGraphNode_t *after,
                                  size_t count, cmEvent_t event);
/* Memory at an address that stays the same in all runs: there from now on until the graph and all
   that was made of it are destroyed, to be used between the two nodes. What is not freed by a node
   is freed by cmFree() or cmFreeAsync() before the next run, or after the graph's end. */
cmError_t cmGraphAddMemAllocNode(cmGraphNode_t *node, cmGraph_t graph, const cmGraphNode_t *after,
                                 size_t count, struct cmMemAllocNodeParams *params);
cmError_t cmGraphAddMemFreeNode(cmGraphNode_t *node, cmGraph_t graph, const cmGraphNode_t *after,
                                size_t count, void *pointer);
/* What a node does, anew: in its graph, or in an executable one for the runs from now on. Another
   type of node: cmErrorInvalidValue. */
cmError_t cmGraphHostNodeSetParams(cmGraphNode_t node, const struct cmHostNodeParams *params);
cmError_t cmGraphMemsetNodeSetParams(cmGraphNode_t node, const struct cmMemsetParams *params);
cmError_t cmGraphMemcpyNodeSetParams(cmGraphNode_t node, const struct cmMemcpy3DParms *params);
cmError_t cmGraphMemcpyNodeSetParams1D(cmGraphNode_t node, void *to, const void *from, size_t size,
                                       enum cmMemcpyKind kind);
cmError_t cmGraphExecHostNodeSetParams(cmGraphExec_t exec, cmGraphNode_t node,
                                       const struct cmHostNodeParams *params);
cmError_t cmGraphExecMemsetNodeSetParams(cmGraphExec_t exec, cmGraphNode_t node,
                                         const struct cmMemsetParams *params);
cmError_t cmGraphExecMemcpyNodeSetParams(cmGraphExec_t exec, cmGraphNode_t node,
                                         const struct cmMemcpy3DParms *params);
cmError_t cmGraphExecMemcpyNodeSetParams1D(cmGraphExec_t exec, cmGraphNode_t node, void *to,
                                           const void *from, size_t size, enum cmMemcpyKind kind);
/* The work of `with`, a node of any graph, becomes that of `node`; exec NULL: in its graph. */
cmError_t cmGraphNodeReplace(cmGraphExec_t exec, cmGraphNode_t node, cmGraphNode_t with);
/* All of an executable graph anew, from a graph of the same shape. Else
   cmErrorGraphExecUpdateFailure with the reason in `*result`, the first node that differs in
   `*node` (may be NULL), and the executable graph as it was. C++ has cmGraphExecUpdate() in both
   of CUDA's forms. */
cmError_t cmGraphExecUpdateFrom(cmGraphExec_t exec, cmGraph_t graph, cmGraphNode_t *node,
                                enum cmGraphExecUpdateResult *result);
/* `*count`: room in the arrays, then how many were written; without arrays how many there are. */
cmError_t cmGraphGetRootNodes(cmGraph_t graph, cmGraphNode_t *nodes, size_t *count);
cmError_t cmGraphGetEdges(cmGraph_t graph, cmGraphNode_t *from, cmGraphNode_t *to, size_t *count);
cmError_t cmGraphNodeGetDependencies(cmGraphNode_t node, cmGraphNode_t *nodes, size_t *count);
cmError_t cmGraphNodeGetDependentNodes(cmGraphNode_t node, cmGraphNode_t *nodes, size_t *count);
/* A pair that is none: cmErrorInvalidValue. */
cmError_t cmGraphRemoveDependencies(cmGraph_t graph, const cmGraphNode_t *from,
                                    const cmGraphNode_t *to, size_t count);
/* Out of its graph, with what depended on it and on what it did. */
cmError_t cmGraphDestroyNode(cmGraphNode_t node);
/* Belongs to the caller; copies all that the graph holds. The flags change nothing. A circle of
   dependencies: cmErrorInvalidValue. */
cmError_t cmGraphInstantiateWithFlags(cmGraphExec_t *exec, cmGraph_t graph,
                                      unsigned long long flags);
/* The nodes run in the stream one after the other, in an order that respects what depends on what.
   The executable graph may be destroyed while they do. */
cmError_t cmGraphLaunch(cmGraphExec_t exec, cmStream_t stream);
/* Nothing has to be moved: checks its arguments. */
cmError_t cmGraphUpload(cmGraphExec_t exec, cmStream_t stream);
cmError_t cmGraphExecDestroy(cmGraphExec_t exec);

/* ---- other processes: memory and events belong to one process, so that all of these give
   cmErrorNotSupported. Collectives between processes are in comm.h ---- */

/* cmErrorNotSupported, all of them. */
cmError_t cmIpcGetMemHandle(struct cmIpcMemHandle *handle, void *pointer);
cmError_t cmIpcOpenMemHandle(void **pointer, struct cmIpcMemHandle handle, unsigned int flags);
cmError_t cmIpcCloseMemHandle(void *pointer);
cmError_t cmIpcGetEventHandle(struct cmIpcEventHandle *handle, cmEvent_t event);
cmError_t cmIpcOpenEventHandle(cmEvent_t *event, struct cmIpcEventHandle handle);

/* ---- virtual memory, for the driver API. Sizes, offsets and addresses are multiples of
   CM_VIRTUAL_GRANULARITY. Where a vendor's device has the memory: cmErrorNotSupported ---- */

enum { CM_VIRTUAL_GRANULARITY = 1 << 16 };
typedef unsigned long long cmPhysical_t;

/* Addresses without memory; nothing may be mapped there any more when they are freed. */
cmError_t cmVirtualReserve(void **pointer, size_t size, size_t alignment);
cmError_t cmVirtualFree(void *pointer, size_t size);
/* Memory without an address, zeroed. It stays until it is released and unmapped everywhere. */
cmError_t cmPhysicalCreate(cmPhysical_t *memory, size_t size, int device);
cmError_t cmPhysicalRelease(cmPhysical_t memory);
cmError_t cmPhysicalGetDevice(int *device, cmPhysical_t memory);
/* Part of the memory, from `offset` on, into reserved addresses, where nobody may access it yet.
   Unmapped are whole mappings. */
cmError_t cmVirtualMap(void *pointer, size_t size, size_t offset, cmPhysical_t memory);
cmError_t cmVirtualUnmap(void *pointer, size_t size);
/* 0: none, 1: reading, 3: both. For all devices. */
cmError_t cmVirtualSetAccess(void *pointer, size_t size, unsigned int access);
cmError_t cmVirtualGetAccess(unsigned int *access, const void *pointer);

/* ---- for back ends and for cuda_morph/cuda.h ---- */

#include <cuda_morph/kernel.h>

#pragma GCC visibility pop
#ifdef __cplusplus
}
#endif

#endif
