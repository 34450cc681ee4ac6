/* SPDX-License-Identifier: Apache-2.0 */
/* How kernels get to the CPU: the part of libcmrt that cuda_morph/cuda.h calls for ported CUDA
   C++. A kernel arrives as a function that runs the threads of one block, one after the other,
   from a given one on; a thread that has to wait (barrier, warp operation) is set aside as a
   fiber, and the function is called anew for the threads behind it. Included by runtime.h. */
#ifndef CUDA_MORPH_KERNEL_H
#define CUDA_MORPH_KERNEL_H

typedef struct cmKernelBlock {
    dim3 grid, block;
    uint3 index;          /* blockIdx */
    unsigned int threads; /* block.x * block.y * block.z */
    unsigned int *now; /* CUDA_MORPH_CHECK: where to keep the running thread's number; or NULL */
    /* CUDA_MORPH_ORDER, only together with `now`: which thread begins as number i; or NULL. The
       `first` of cmKernelCall.threads counts in this order. */
    const unsigned short *order;
} cmKernelBlock;

typedef struct cmKernelCall {
    const char *name; /* for messages; static */
    dim3 grid, block;
    size_t shared; /* bytes of dynamic shared memory */
    cmStream_t stream;
    int cooperative; /* the whole grid runs at once and may wait for itself */
    /* Runs the threads of a block from `first` on, until the last one or until one had waited. */
    void (*threads)(const void *arguments, const cmKernelBlock *block, unsigned int first);
    const void *arguments; /* copied at the launch */
    size_t size;
    void (*copy)(void *to, const void *from); /* NULL: memcpy */
    void (*drop)(void *arguments);            /* NULL: nothing to do */
} cmKernelCall;

/* Puts a kernel into its stream. cmErrorInvalidConfiguration: a shape that no device has;
   cmErrorInvalidValue: too much shared memory; cmErrorCooperativeLaunchTooLarge. From inside a
   kernel: the grid runs after the one that launched it, before the stream goes on. */
cmError_t cmKernelLaunch(const cmKernelCall *call);

/* A graph's node for a kernel; the call's stream does not matter. */
cmError_t cmGraphAddKernelCall(cmGraphNode_t *node, cmGraph_t graph, const cmGraphNode_t *after,
                               size_t count, const cmKernelCall *call);

/* The rest is for code inside kernels; `thread` is the number of the calling thread in its block.
   Each may switch to other threads of the block before it returns. */

/* Waits for all threads of the block that have not ended, and returns for how many of them
   `predicate` was not 0. *threads (may be NULL) gets how many took part. */
unsigned int cmKernelBarrier(unsigned int thread, int predicate, unsigned int *threads);
/* The same over all blocks of a cooperative grid. */
void cmKernelGridBarrier(unsigned int thread);

/* A warp operation. Waits until all lanes of `mask` that have not ended are here with the same
   mask and `combine`; then the last one calls combine(records, present), where records[i] is what
   lane i gave. Mask 0: whoever of the warp comes to the same `site` before none can run any more.
   Returns the lanes that took part. Lanes that never come (they wait elsewhere) are left out. */
uint64_t cmKernelWarp(unsigned int thread, uint64_t mask, const void *site, void *record,
                      void (*combine)(void **records, uint64_t present));
/* Lets other threads of the block and other blocks run: for loops that wait for memory. */
void cmKernelYield(unsigned int thread);
/* A thread goes round in a loop and still sees `value` at `key`: other blocks may begin, if it is
   they who have to write. `advances` changes where a thread of the block got on. NULL: another
   loop that may wait, with nothing known of it. A kernel that waits for nobody ends here. */
void cmKernelInVain(unsigned int thread, const void *key, uint64_t value, unsigned int advances);
/* Dynamic shared memory of the running block, and its size. */
void *cmKernelShared(void);
size_t cmKernelSharedSize(void);
int cmKernelWarpSize(void);
/* Ends the kernel with a sticky error (cmErrorAssert, cmErrorLaunchFailure ...). */
void cmKernelTrap(cmError_t error) __attribute__((noreturn));
/* Is the calling thread inside a kernel? */
int cmKernelInside(void);
/* For a texture or surface object: what it was made of, NULL for none. */
const struct cmTexture *cmKernelTexture(unsigned long long object);

/* For kernels that run their blocks' threads by themselves: runs `threads`, as a kernel's, for the
   threads of the block that have not `left` (a byte for each thread; NULL: none), and returns when
   all have ended. They may wait meanwhile. */
void cmKernelPart(void (*threads)(const void *arguments, const cmKernelBlock *block,
                                  unsigned int first),
                  const void *arguments, const unsigned char *left);
enum { CM_MAX_THREADS_PER_BLOCK = 1024 };

/* Occupancy: what a block of this size allows on one multiprocessor. */
cmError_t cmOccupancyBlocks(int *blocks, int threads, size_t shared);
/* Copies to and from a variable of the program; used by the templates for symbols. */
cmError_t cmSymbolCopy(void *to, const void *from, size_t size, size_t offset, size_t whole,
                       int toSymbol, cmStream_t stream, int wait);

#endif
