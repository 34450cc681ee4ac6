/* SPDX-License-Identifier: Apache-2.0 */
/* Back ends: one table of functions for each, and nothing else of theirs is known. A new one is a
   file, a row in start.c and a line in docs/runtime.md. */
#ifndef CMRT_BACKEND_H
#define CMRT_BACKEND_H

#include "state.h"

/* CM_RESERVED: addresses, where memory may be mapped (virtual.c). */
enum cm_memory { CM_DEVICE_MEMORY = 1, CM_PINNED, CM_REGISTERED, CM_MANAGED, CM_RESERVED };

/* One back end: how a device is described, and how its memory is served. Streams, events and
   graphs are the engine's, and the same for all: its threads call these functions, each from any
   thread, and each returns when its work is done. */
struct cm_backend {
    const char *name;    /* as CUDA_MORPH_TARGET spells it */
    const char *visible; /* the variable that hides devices; it gets CUDA_VISIBLE_DEVICES' value
                            where it is not set. NULL: the library reads CUDA's itself */
    bool host;           /* the host reads and writes its memory: nothing has to be copied */
    bool managed;        /* there is memory that both see */
    /* Loads the vendor's library. The number of devices, or -1 with the reason. NULL: always
       there. */
    int (*open)(char *why, size_t room);
    void (*close)(void); /* at exit; NULL: nothing to do */
    void (*describe)(struct cmDeviceProp *properties, int device);
    /* Aligned to 256 bytes; of any kind but CM_REGISTERED. */
    cmError_t (*allocate)(int device, void **pointer, size_t size, enum cm_memory kind);
    void (*release)(int device, void *pointer, size_t size, enum cm_memory kind);
    cmError_t (*copy)(int device, void *to, const void *from, size_t size, enum cmMemcpyKind kind);
    cmError_t (*fill)(int device, void *to, int value, size_t size);
    /* NULL: what the library has counted itself. */
    cmError_t (*memory)(int device, size_t *available, size_t *total);
    /* The vendor's own queues, for its collectives and for kernels that the user has written in
       its language; NULL where there are none. */
    cmError_t (*queue_new)(int device, void **queue);
    void (*queue_free)(int device, void *queue);
    cmError_t (*queue_wait)(int device, void *queue);
    /* Whether all of it is done: cmSuccess or cmErrorNotReady. */
    cmError_t (*queue_done)(int device, void *queue);
    /* Into a queue, behind what is in it; they return before it is done. Only between memory of
       this device and CM_PINNED. cmErrorNotSupported: the vendor's version has nothing like it,
       and nothing was done. NULL: no vendor's version has. */
    cmError_t (*copy_async)(int device, void *queue, void *to, const void *from, size_t size,
                            enum cmMemcpyKind kind);
    cmError_t (*fill_async)(int device, void *queue, void *to, int value, size_t size);
};
extern const struct cm_backend cm_backend_cpu, cm_backend_acl, cm_backend_cnrt, cm_backend_ze;
/* Those whose interface is CUDA's under another prefix. The back end of this name, or NULL. */
const struct cm_backend *cm_backend_like(const char *name);

#endif
