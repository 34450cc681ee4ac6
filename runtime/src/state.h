/* SPDX-License-Identifier: Apache-2.0 */
/* What the whole process knows: settings, devices, the back end, errors, the one lock, handles.
   It is the ground that all parts of libcmrt stand on, and knows none of them: a device holds its
   streams and pools as pointers only. */
#ifndef CMRT_STATE_H
#define CMRT_STATE_H

#include <cuda_morph/runtime.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

/* ---- errors and entry ---- */

/* Makes an error the calling thread's last one and returns it; success changes nothing. */
cmError_t cm_fail(cmError_t error);
/* After a reset of the device the calling thread has no last error. */
void cm_forget_error(void);
/* Every call starts here: reads the settings once, starts the pool, and returns what stands in the
   way: a sticky error, no device, or that this process is the child of a fork. */
cmError_t cm_enter(void);
/* The same for calls that are there to mend such an error: it is none of their business. */
cmError_t cm_begin(void);
#define CM_ENTER()                                                                                \
    do {                                                                                          \
        cmError_t entered = cm_enter();                                                           \
        if (entered) return cm_fail(entered);                                                     \
    } while (0)
#define CM_NEED(condition, error)                                                                 \
    do {                                                                                          \
        if (!(condition)) return cm_fail(error);                                                  \
    } while (0)

/* Guards all bookkeeping: devices, streams, events, graphs, allocations. It is held for moments
   only: blocks of kernels and copies run outside of it. */
extern pthread_mutex_t cm_lock;
void cm_lock_take(void);
void cm_lock_give(void);

/* ---- settings ---- */

enum { CM_MAX_DEVICES = 64, CM_MAX_SHARED = 227 * 1024 };

enum cm_order_kind { CM_ORDER_USUAL, CM_ORDER_REVERSE, CM_ORDER_RANDOM };

struct cm_settings {
    int devices, workers, warp_size;
    int wait; /* seconds until a kernel ends whose blocks all wait for nobody; 0: never */
    bool check;          /* CUDA_MORPH_CHECK has any */
    unsigned int checks; /* which: bits of watch.h */
    size_t memory; /* bytes per device */
    _Atomic bool blocking;    /* CUDA_LAUNCH_BLOCKING: what comes into a stream is waited for */
    enum cm_order_kind order; /* of blocks and threads: CUDA_MORPH_ORDER */
    uint64_t seed;            /* of a random one */
};
extern struct cm_settings cm_settings;

/* What has been done, for CUDA_MORPH_STATS. */
struct cm_stats {
    _Atomic uint64_t allocations, frees, copies, copied, fills, kernels, staged, collectives;
};
extern struct cm_stats cm_stats;
static inline void cm_count(_Atomic uint64_t *counter, uint64_t by) {
    atomic_fetch_add_explicit(counter, by, memory_order_relaxed);
}

/* ---- devices ---- */

/* The back end of this process. */
extern const struct cm_backend *cm_backend;

struct cm_stream;
struct cm_pool;
struct cm_device {
    _Atomic int sticky; /* a cmError_t */
    int busy;           /* how many of its streams have work */
    _Atomic int awaited; /* how many threads of the host wait for one of its streams */
    int open;           /* how many may have work in the vendor's queue that no operation waits
                           for: cm_stream_settle() appends one */
    int capturing;      /* how many are being captured */
    struct cmDeviceProp properties;
    size_t used;
    uint64_t peers; /* bit p: access to device p is enabled */
    unsigned int flags;
    size_t limits[7];
    struct cm_stream *streams; /* all of them, linked by `next_of_device` */
    struct cm_stream *legacy;
    struct cm_pool *default_pool, *pool;
};
extern struct cm_device cm_devices[CM_MAX_DEVICES];
/* The calling thread's device. */
int cm_current(void);
void cm_set_current(int device);
struct cm_device *cm_device(void);
/* What a device's failed kernel left, or success. */
cmError_t cm_sticky(int device);
/* The device's error from now on, unless it has one. */
void cm_set_sticky(int device, cmError_t error);

/* ---- handles: what the user holds is a number in a pointer's clothes, and can be checked ---- */

enum cm_kind {
    CM_STREAM = 1,
    CM_EVENT,
    CM_GRAPH,
    CM_NODE,
    CM_EXEC,
    CM_POOL,
    CM_TEXTURE,
    CM_SURFACE,
    CM_COMM,
    CM_PHYSICAL
};
/* NULL when there is no memory. The lock is held in all three. */
void *cm_handle_new(enum cm_kind kind, void *object);
void *cm_handle_get(enum cm_kind kind, const void *handle);
void *cm_handle_take(enum cm_kind kind, const void *handle);

#endif
