/* What the parts of libcmrt share. One mutex (cm_lock) guards all bookkeeping: devices, streams,
   events, graphs, allocations. Blocks of kernels and copies run outside of it. */
#ifndef CMRT_INTERNAL_H
#define CMRT_INTERNAL_H

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
#define CM_ENTER()                                                                                \
    do {                                                                                          \
        cmError_t entered = cm_enter();                                                           \
        if (entered) return cm_fail(entered);                                                     \
    } while (0)
#define CM_NEED(condition, error)                                                                 \
    do {                                                                                          \
        if (!(condition)) return cm_fail(error);                                                  \
    } while (0)

extern pthread_mutex_t cm_lock;
void cm_lock_take(void);
void cm_lock_give(void);

/* ---- settings and devices ---- */

enum { CM_MAX_DEVICES = 64, CM_MAX_SHARED = 227 * 1024 };

struct cm_settings {
    int devices, workers, warp_size;
    bool check;
    size_t memory; /* bytes per device */
};
extern struct cm_settings cm_settings;

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
/* The back end of this process. */
extern const struct cm_backend *cm_backend;

/* What has been done, for CUDA_MORPH_STATS. */
struct cm_stats {
    _Atomic uint64_t allocations, frees, copies, copied, fills, kernels, staged, collectives;
};
extern struct cm_stats cm_stats;
static inline void cm_count(_Atomic uint64_t *counter, uint64_t by) {
    atomic_fetch_add_explicit(counter, by, memory_order_relaxed);
}

struct cm_pool {
    void *handle;
    int device;
    bool dying; /* destroyed by the user, but not empty */
    uint64_t used, used_high, reserved, reserved_high, threshold;
    int reuse[3];
};

struct cm_device {
    _Atomic int sticky; /* a cmError_t */
    int busy;           /* how many of its streams have work */
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
int cm_current(void);
struct cm_device *cm_device(void);
/* The streams of a device; made with the device. */
void cm_device_free_all(int device);

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

/* ---- work ---- */

struct cm_op;
/* CM_ASYNC: run() starts it, and cm_async_done() says that it is done. */
enum cm_how { CM_RUN, CM_WAIT, CM_GRID, CM_HOST, CM_ASYNC };
/* A kind of work. Its data can be copied, so that graphs can replay it. */
struct cm_class {
    enum cmGraphNodeType type;
    enum cm_how how;
    void (*run)(void *data, struct cm_stream *stream);
    /* For operations that are loose: into the vendor's queue. */
    cmError_t (*issue)(void *data, struct cm_stream *stream);
    void (*copy)(void *to, const void *from); /* NULL: memcpy */
    void (*drop)(void *data);                 /* NULL: nothing */
};
struct cm_op {
    void *memory; /* that it lies in */
    struct cm_op *next;
    const struct cm_class *class;
    uint64_t seq;
    size_t size;
    bool loose; /* the vendor's queue does it: the stream goes on once it is in there */
    _Alignas(64) unsigned char data[];
};
/* NULL when there is no memory. */
struct cm_op *cm_op_new(const struct cm_class *class, size_t size);
struct cm_op *cm_op_clone(const struct cm_op *op);
void cm_op_free(struct cm_op *op);

struct cm_waiter;
struct cm_grid;
struct cm_capture;
struct cm_stream {
    void *handle;
    struct cm_stream *next_of_device;
    struct cm_stream *next_ready, *prev_ready; /* while in the queue of streams that can go on */
    struct cm_stream *parked;                  /* streams that wait for this one */
    struct cm_stream *next_parked;
    uint64_t parked_until;
    struct cm_op *head, **tail;
    uint64_t submitted, completed, legacy_seen;
    struct cm_waiter *waiters;
    struct cm_grid *grid; /* the kernel that runs now */
    struct cm_op *async;  /* the CM_ASYNC operation that runs now */
    struct cm_capture *capture;
    int device, priority;
    unsigned int flags, refs;
    struct cmAccessPolicyWindow window; /* kept, and of no consequence */
    enum cmSynchronizationPolicy waiting;
    unsigned long long id;
    void *queue; /* the vendor's, once something was put there or cmStreamGetNative() called */
    bool busy, ready, blocking;
    bool given;     /* by cmStreamGetNative(): there may be work that we do not know of */
    bool loose;     /* what was submitted last is, or will be, in the vendor's queue */
    bool undrained; /* something was put there, and not waited for */
};

/* The stream of a handle (NULL and the special ones, too), or NULL. Lock held. */
struct cm_stream *cm_stream_find(cmStream_t handle);
struct cm_stream *cm_stream_new(int device, unsigned int flags, int priority);
void cm_stream_ref(struct cm_stream *stream);
void cm_stream_unref(struct cm_stream *stream);

/* Puts an operation, which it takes over, behind the work of a stream; while a stream is being
   captured, into the graph. Lock held. With seq, the number by which to wait for it. */
cmError_t cm_submit(struct cm_stream *stream, struct cm_op *op, uint64_t *seq);
/* The same, from a handle and without the lock; with `wait`, returns when it is done. */
cmError_t cm_submit_to(cmStream_t handle, struct cm_op *op, bool wait);
/* Makes a stream wait until another one has done its operation `seq`. Lock held. */
cmError_t cm_submit_wait(struct cm_stream *stream, struct cm_stream *other, uint64_t seq);
/* An operation behind what is in the vendor's queue, where there may be something: then all of the
   stream's work is done when `submitted` is. Lock held. */
cmError_t cm_stream_settle(struct cm_stream *stream);
void cm_stream_mark(struct cm_stream *stream, bool loose, bool given);
/* The vendor's queue of the stream, made when it is first asked for. Lock held. */
cmError_t cm_stream_queue(struct cm_stream *stream);
/* The stream's next operation could begin right now, and nothing else has to come before it: what
   the vendor's queue can do may be put there by the caller. Lock held. */
bool cm_stream_free(const struct cm_stream *stream);
/* Waits, and helps meanwhile. Lock held, and released in between. */
cmError_t cm_wait(struct cm_stream *stream, uint64_t seq);
cmError_t cm_wait_device(int device);
/* The stream's CM_ASYNC operation is done. Lock held. */
void cm_async_done(struct cm_stream *stream);
/* A running operation puts others, linked up to `tail`, before all that waits in its stream; it is
   done when they are. Lock held. */
void cm_stream_put_first(struct cm_stream *stream, struct cm_op *first, struct cm_op **tail,
                         struct cm_op *running);
/* What a device's failed kernel left, or success. */
cmError_t cm_sticky(int device);
/* The device's error from now on, unless it has one. */
void cm_set_sticky(int device, cmError_t error);
void cm_engine_start(void);

/* ---- kernels ---- */

struct cm_grid {
    struct cm_grid *next; /* of the grids that want help */
    cmKernelCall call;
    struct cm_stream *stream;
    struct cm_op *op, *children, **children_tail;
    uint64_t total, chunk;
    _Atomic uint64_t next_block;
    _Atomic int failed;
    unsigned int users;
    bool listed;
    struct cm_grid_gate *gate; /* cooperative grids */
};
/* The operation for a launch, once its shape is checked. */
cmError_t cm_grid_op(const cmKernelCall *call, struct cm_op **op);
/* Runs blocks [first, end) on the calling thread, until one fails. */
void cm_blocks_run(struct cm_grid *grid, uint64_t first, uint64_t end);
/* The grid that the calling thread runs a block of, or NULL. */
struct cm_grid *cm_block_grid(void);
/* Runs all blocks at once, each on a thread of its own, so that they can wait for each other. */
void cm_grid_run_cooperative(struct cm_grid *grid);
/* One block came to the grid's barrier; returns when all have. */
void cm_grid_gate_wait(struct cm_grid *grid);
/* Gives back what the calling thread keeps for running blocks. */
void cm_block_thread_end(void);
/* A kernel failed: this becomes the device's sticky error, and the grid's other blocks end. */
void cm_grid_fail(struct cm_grid *grid, cmError_t error);
/* Checked mode: bad accesses inside kernels become errors that name the place. */
void cm_check_start(void);

/* ---- memory ---- */

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
/* For checked mode: between pages without access, the end right before one. NULL: no memory. */
unsigned char *cm_guarded_new(size_t size, size_t *whole);
void cm_guarded_free(void *base, size_t whole);
struct cm_pool *cm_pool_new(int device);
/* For graphs, with the lock held: memory that is not allocated yet, and its end. */
cmError_t cm_memory_of_graph(void **pointer, size_t size, int device);
void cm_memory_release(void *pointer);
/* Whether only the device can reach this address; it is `*device` then. */
bool cm_is_remote(const void *pointer, int *device);
/* Copies at once, wherever the memory is; of any address that the library or the host
   has. `device` is whose stream does it. */
cmError_t cm_move(int device, void *to, const void *from, size_t size);
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
extern const struct cm_class cm_copy_class, cm_fill_class, cm_host_class, cm_empty_class;
struct cm_fill {
    unsigned char *to;
    size_t pitch, slice, width, height, depth;
    unsigned int value, element;
};
struct cm_host {
    cmHostFn_t function;
    cmStreamCallback_t callback;
    cmStream_t stream;
    void *data;
    struct cm_stream *owner;
};
cmError_t cm_copy3d(struct cm_copy *copy, const struct cmMemcpy3DParms *params);

struct cmArray {
    struct cmChannelFormatDesc format;
    size_t width, height, depth, element, pitch, slice;
    unsigned int flags;
    unsigned char *data;
};

/* ---- graphs ---- */

struct cm_event {
    void *handle;
    unsigned int flags, refs;
    uint64_t version, done;   /* of records: submitted, executed */
    struct cm_stream *stream; /* of the last record, held */
    uint64_t seq;
    int64_t time;             /* nanoseconds */
    uint64_t capture;         /* recorded while capturing: the capture's number, and behind */
    struct cm_node *captured; /* which node */
};
struct cm_event *cm_event_find(cmEvent_t handle);
cmError_t cm_event_record(struct cm_event *event, struct cm_stream *stream);
cmError_t cm_event_wait(struct cm_event *event, struct cm_stream *stream);
/* Memory of a graph: the capture of cmMallocAsync() and cmFreeAsync(). Lock held. */
cmError_t cm_capture_malloc(struct cm_stream *stream, void **pointer, size_t size);
cmError_t cm_capture_free(struct cm_stream *stream, void *pointer);

struct cm_node;
/* Takes over the operation. Lock held. */
struct cm_capture *cm_capture_of(const struct cm_event *event); /* NULL: none, or it has ended */
cmError_t cm_capture_op(struct cm_stream *stream, struct cm_op *op);
cmError_t cm_capture_record(struct cm_stream *stream, struct cm_event *event);
cmError_t cm_capture_wait(struct cm_stream *stream, struct cm_event *event);

#endif
