/* SPDX-License-Identifier: Apache-2.0 */
/* Memory: which allocations there are, pools, copies and fills, and what the host uses for a
   while in place of a device's (stages). Bytes are moved by the back end. */
#ifndef CMRT_MEMORY_H
#define CMRT_MEMORY_H

#include "backend.h"
#include "queue.h"

/* ---- allocations and pools ---- */

struct cm_pool {
    void *handle;
    int device;
    bool dying; /* destroyed by the user, but not empty */
    uint64_t used, used_high, reserved, reserved_high, threshold;
    int reuse[3];
};

struct cm_allocation {
    unsigned char *base;
    size_t size, whole; /* whole: with guard pages */
    enum cm_memory kind;
    int device;
    unsigned int flags;
    struct cm_pool *pool;
    bool freeing; /* cmFreeAsync() is under way */
    /* Memory of a graph stays until the graph goes; in between it is allocated (live) or not. */
    enum { CM_NO_GRAPH, CM_GRAPH_IDLE, CM_GRAPH_LIVE } graph;
};
/* The allocation that holds this address, or NULL; the last that begins at or before it, the first
   that begins behind it. They stay where they are until they are removed. Lock held. */
struct cm_allocation *cm_memory_find(const void *pointer);
struct cm_allocation *cm_memory_before(const void *pointer);
struct cm_allocation *cm_memory_after(const void *pointer);
/* A copy of it; false when there is no memory. Lock held. */
bool cm_memory_insert(const struct cm_allocation *allocation);
/* What begins there and is of one of these kinds (1 << kind); false: nothing does. Lock held. */
bool cm_memory_remove(const void *base, unsigned int kinds, struct cm_allocation *removed);
cmError_t cm_memory_new(void **pointer, size_t size, enum cm_memory kind, unsigned int flags,
                        struct cm_pool *pool);
/* For checked mode (guarded.c): between CM_GUARD bytes without access at least, the end right
   before them, so that what is that near to an allocation is meant for it. NULL: no memory. */
enum { CM_GUARD = 1 << 16 }; /* pages of any size */
unsigned char *cm_guarded_new(size_t size, size_t *whole);
void cm_guarded_free(void *base, size_t whole);
/* Whether only such memory can be at an address: what is in none of it is nobody's. */
bool cm_guarded_has(const void *address);
/* NULL: no memory. Lock held. */
struct cm_pool *cm_pool_new(int device);
/* Gives back all that a device has allocated, at its reset. Lock held. */
void cm_device_free_all(int device);
/* For graphs, with the lock held: memory that is not allocated yet, and its end. */
cmError_t cm_memory_of_graph(void **pointer, size_t size, int device);
void cm_memory_release(void *pointer);
/* Whether only the device can reach this address; it is `*device` then. */
bool cm_is_remote(const void *pointer, int *device);
/* Copies at once, wherever the memory is; of any address that the library or the host
   has. `device` is whose stream does it. */
cmError_t cm_move(int device, void *to, const void *from, size_t size);

/* ---- stages ---- */

/* Memory that the host uses for a while in place of the device's: `stage` stands for the
   allocation that holds `pointer`. NULL: no memory, or the host can reach it as it is. */
struct cm_stage;
struct cm_stage *cm_stage_new(const void *pointer);
/* NULL: the address is not in it. */
void *cm_stage_address(const struct cm_stage *stage, const void *pointer);
cmError_t cm_stage_in(struct cm_stage *stage);
/* Gives back what has changed, and nothing else. */
cmError_t cm_stage_out(struct cm_stage *stage);
void cm_stage_free(struct cm_stage *stage);
/* Puts a kernel into its stream, between copies of the memory that its arguments point to. */
cmError_t cm_stage_launch(cmStream_t stream, struct cm_op *op);

/* ---- copies ---- */

struct cm_copy {
    unsigned char *to;
    const unsigned char *from;
    size_t width, height, depth, to_pitch, from_pitch, to_slice, from_slice;
    enum cmMemcpyKind direction; /* of what is issued */
    cmError_t *error;            /* of who waits for it; NULL: an error becomes the device's */
};
extern const struct cm_class cm_copy_class, cm_fill_class;
struct cm_fill {
    unsigned char *to;
    size_t pitch, slice, width, height, depth;
    unsigned int value, element;
};
cmError_t cm_copy3d(struct cm_copy *copy, const struct cmMemcpy3DParms *params);

struct cmArray {
    struct cmChannelFormatDesc format;
    size_t width, height, depth, element, pitch, slice;
    unsigned int flags;
    unsigned char *data;
};

#endif
