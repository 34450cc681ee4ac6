/* SPDX-License-Identifier: Apache-2.0 */
/* The CPU as a back end: memory is the host's, and what the library asks for is done at once. */
#include "backend.h"
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

/* Small blocks that were given back, for the next of their size: programs that allocate in a loop
   do so by the million. Not where ASan watches what is used after it was freed. The library's lock
   is held by all callers.

   New memory is zero, as it is on a GPU before its process has used it: programs that forget to
   fill it work there. Above CLEARED it mostly comes from the system, which clears it. */
enum { UNIT = 256, CLASSES = 64, KEPT = 32, CLEARED = 64 << 10 };
static struct block { struct block *next; } * kept[CLASSES];
static unsigned char kept_count[CLASSES];
void __asan_init(void) __attribute__((weak));

static cmError_t allocate(int device, void **pointer, size_t size, enum cm_memory kind) {
    (void)device, (void)kind;
    size_t units = size / UNIT + (size % UNIT != 0);
    struct block *block = units < CLASSES ? kept[units] : NULL;
    if (block) {
        kept[units] = block->next;
        kept_count[units]--;
        *pointer = block;
        return cmSuccess;
    }
    *pointer = units > SIZE_MAX / UNIT ? NULL : aligned_alloc(UNIT, units * UNIT);
    if (*pointer && units * UNIT <= CLEARED) memset(*pointer, 0, units * UNIT);
    return *pointer ? cmSuccess : cmErrorMemoryAllocation;
}

static void release(int device, void *pointer, size_t size, enum cm_memory kind) {
    (void)device, (void)kind;
    size_t units = size / UNIT + (size % UNIT != 0);
    struct block *block = pointer;
    if (units >= CLASSES || kept_count[units] == KEPT || __asan_init) {
        free(pointer);
        return;
    }
    block->next = kept[units];
    kept[units] = block;
    kept_count[units]++;
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
