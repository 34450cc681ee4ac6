/* The CPU as a back end. */
#include "internal.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void describe(struct cmDeviceProp *p, int device) {
    memset(p, 0, sizeof *p);
    snprintf(p->name, sizeof p->name, "cuda-morph CPU");
    memcpy(p->uuid.bytes, "cuda-morph cpu ", 15);
    p->uuid.bytes[15] = (char)device;
    long pages = sysconf(_SC_PHYS_PAGES), page = sysconf(_SC_PAGESIZE);
    p->totalGlobalMem = pages > 0 && page > 0 ? (size_t)pages * (size_t)page : (size_t)1 << 30;
    p->sharedMemPerBlock = 48 << 10;
    p->sharedMemPerBlockOptin = CM_MAX_SHARED;
    p->sharedMemPerMultiprocessor = CM_MAX_SHARED + 1024;
    p->reservedSharedMemPerBlock = 1024;
    p->regsPerBlock = p->regsPerMultiprocessor = 65536;
    p->warpSize = cm_settings.warp_size;
    p->memPitch = 0x7fffffff;
    p->maxThreadsPerBlock = CM_MAX_THREADS_PER_BLOCK;
    p->maxThreadsDim[0] = p->maxThreadsDim[1] = 1024;
    p->maxThreadsDim[2] = 64;
    p->maxGridSize[0] = 0x7fffffff;
    p->maxGridSize[1] = p->maxGridSize[2] = 65535;
    p->clockRate = p->memoryClockRate = 1000000;
    p->totalConstMem = 64 << 10;
    p->major = 8;
    p->minor = 0;
    p->textureAlignment = p->surfaceAlignment = 512;
    p->texturePitchAlignment = 32;
    p->deviceOverlap = 1;
    p->multiProcessorCount = cm_settings.workers;
    p->integrated = p->canMapHostMemory = 1;
    p->maxTexture1D = p->maxTexture2D[0] = p->maxTexture2D[1] = 131072;
    p->maxTexture3D[0] = p->maxTexture3D[1] = p->maxTexture3D[2] = 16384;
    p->maxTexture1DLinear = 1 << 28;
    p->maxTexture2DLinear[0] = p->maxTexture2DLinear[1] = 131072;
    p->maxTexture2DLinear[2] = 2097120;
    p->concurrentKernels = 1;
    p->pciBusID = device;
    p->asyncEngineCount = 2;
    p->unifiedAddressing = 1;
    p->memoryBusWidth = 64;
    p->l2CacheSize = 4 << 20;
    p->maxThreadsPerMultiProcessor = 2048;
    p->streamPrioritiesSupported = 1;
    p->globalL1CacheSupported = p->localL1CacheSupported = 1;
    p->managedMemory = p->concurrentManagedAccess = p->pageableMemoryAccess = 1;
    p->pageableMemoryAccessUsesHostPageTables = p->directManagedMemAccessFromHost = 1;
    p->hostNativeAtomicSupported = p->canUseHostPointerForRegisteredMem = 1;
    p->hostRegisterSupported = p->memoryPoolsSupported = 1;
    p->singleToDoublePrecisionPerfRatio = 2;
    p->computePreemptionSupported = 1;
    p->cooperativeLaunch = 1;
    p->maxBlocksPerMultiProcessor = 32;
}

static cmError_t allocate(int device, void **pointer, size_t size, enum cm_memory kind) {
    (void)device, (void)kind;
    *pointer = size > SIZE_MAX - 256 ? NULL : aligned_alloc(256, (size + 255) / 256 * 256);
    return *pointer ? cmSuccess : cmErrorMemoryAllocation;
}

static void release(int device, void *pointer, enum cm_memory kind) {
    (void)device, (void)kind;
    free(pointer);
}

static cmError_t copy(int device, void *to, const void *from, size_t size,
                      enum cmMemcpyKind kind) {
    (void)device, (void)kind;
    memmove(to, from, size);
    return cmSuccess;
}

static cmError_t fill(int device, void *to, int value, size_t size) {
    (void)device;
    memset(to, value, size);
    return cmSuccess;
}

const struct cm_backend cm_backend_cpu = {.name = "cpu",
                                          .host = true,
                                          .managed = true,
                                          .describe = describe,
                                          .allocate = allocate,
                                          .release = release,
                                          .copy = copy,
                                          .fill = fill};
