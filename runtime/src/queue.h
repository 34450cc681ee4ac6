/* SPDX-License-Identifier: Apache-2.0 */
/* Streams as queues of operations, and the threads that carry them out (queue.c). What an
   operation does is said by its class, a table of functions: copies, kernels and nodes of graphs
   stand above this, and queue.c calls none of them by name. */
#ifndef CMRT_QUEUE_H
#define CMRT_QUEUE_H

#include "state.h"

/* ---- operations ---- */

struct cm_op;
struct cm_graph;
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
    /* For nodes of graphs that are more than an operation, with the lock held; NULL: they are not.
       How it gets into a stream that the graph is launched in, in place of a copy of it; what has
       to come before all of the graph; and whose nodes take its place. */
    cmError_t (*put)(struct cm_stream *stream, const struct cm_op *op);
    cmError_t (*start)(struct cm_stream *stream, const struct cm_op *op);
    struct cm_graph *(*child)(const void *data);
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
/* Does nothing, in its turn. */
extern const struct cm_class cm_empty_class;

/* ---- streams ---- */

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
/* The threads that carry streams out. Once, when there is a device. */
void cm_queue_start(void);
/* The stream's CM_ASYNC operation is done. Lock held. */
void cm_async_done(struct cm_stream *stream);
/* A running operation puts others, linked up to `tail`, before all that waits in its stream; it is
   done when they are. Lock held. */
void cm_stream_put_first(struct cm_stream *stream, struct cm_op *first, struct cm_op **tail,
                         struct cm_op *running);

/* A function of the host in a stream (stream.c). */
struct cm_host {
    cmHostFn_t function;
    cmStreamCallback_t callback;
    cmStream_t stream;
    void *data;
    struct cm_stream *owner;
};
extern const struct cm_class cm_host_class;

/* ---- events (stream.c) ---- */

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

/* ---- captures: what takes a stream's operations while they are not carried out ---- */

/* capture.c makes one for each cmStreamBeginCapture(). The functions are called with the lock
   held; they take operations over. */
struct cm_capture {
    struct cm_capture *next; /* of those that have not ended: cm_captures */
    uint64_t number;
    const struct cm_recorder {
        cmError_t (*op)(struct cm_stream *stream, struct cm_op *op);
        cmError_t (*record)(struct cm_stream *stream, struct cm_event *event);
        /* Of a capture's stream, or of one that comes to it by this event. */
        cmError_t (*wait)(struct cm_stream *stream, struct cm_event *event);
        cmError_t (*allocate)(struct cm_stream *stream, void **pointer, size_t size);
        cmError_t (*release)(struct cm_stream *stream, void *pointer);
    } * recorder;
};
extern struct cm_capture *cm_captures;
/* Where an event was recorded; NULL: in none, or it has ended. */
struct cm_capture *cm_capture_of(const struct cm_event *event);

#endif
