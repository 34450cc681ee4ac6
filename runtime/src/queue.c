/* SPDX-License-Identifier: Apache-2.0 */
/* Streams as queues: a pool of threads that carries out what streams hold.
 *
 * A stream is a queue. A stream with work is either in the queue of ready streams, or some thread
 * carries out its first operation, or it is parked behind another stream. A kernel is an operation
 * whose blocks all threads of the pool help with; whoever finishes the last block goes on with the
 * stream. A thread that waits for a stream carries out its work meanwhile. */
#include "backend.h"
#include "grid.h"
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

struct cm_waiter {
    struct cm_waiter *next;
    uint64_t until;
    pthread_cond_t wake;
    bool woken;
};

struct wait_data { /* of a CM_WAIT operation */
    struct cm_stream *other;
    uint64_t seq;
};

static pthread_cond_t work = PTHREAD_COND_INITIALIZER;
static pthread_cond_t host_work = PTHREAD_COND_INITIALIZER;
static struct cm_stream *ready_first, *ready_last;
static struct cm_grid *grids; /* kernels that have blocks left */
static struct worker {
    pthread_t thread;
    bool inside; /* it carries out a stream's work: who knows for how long */
} * workers;
static int worker_count, idle;
static bool watching;           /* a worker waits without sleeping ... */
static _Atomic unsigned events; /* ... for this to change: work that anyone can do */
static bool stopping, host_thread_runs;
static struct {
    struct cm_stream *stream;
    struct cm_op *op;
} * host_queue;
static size_t host_first, host_count, host_room;
static pthread_t host_thread;
static pid_t owner;

static void cm_pause(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* ---- operations ---- */

struct cm_op *cm_op_new(const struct cm_class *class, size_t size) {
    size_t whole = (sizeof(struct cm_op) + size + 63) / 64 * 64;
    /* Not aligned_alloc(), which is several times as slow. */
    void *memory = malloc(whole + 63);
    if (!memory) return NULL;
    struct cm_op *op = (struct cm_op *)(((uintptr_t)memory + 63) / 64 * 64);
    memset(op, 0, sizeof *op);
    op->memory = memory;
    op->class = class;
    op->size = size;
    return op;
}

struct cm_op *cm_op_clone(const struct cm_op *op) {
    struct cm_op *clone = cm_op_new(op->class, op->size);
    if (!clone) return NULL;
    clone->loose = op->loose;
    if (op->class->copy)
        op->class->copy(clone->data, op->data);
    else
        memcpy(clone->data, op->data, op->size);
    return clone;
}

void cm_op_free(struct cm_op *op) {
    if (op->class->drop) op->class->drop(op->data);
    free(op->memory);
}

static void empty_run(void *data, struct cm_stream *stream) { (void)data, (void)stream; }
const struct cm_class cm_empty_class = {
    .type = cmGraphNodeTypeEmpty, .how = CM_RUN, .run = empty_run};

/* ---- streams ---- */

static unsigned long long ids;
static _Thread_local struct cm_stream *per_thread[CM_MAX_DEVICES];

struct cm_stream *cm_stream_new(int device, unsigned int flags, int priority) {
    struct cm_stream *stream = calloc(1, sizeof *stream);
    if (!stream) return NULL;
    stream->handle = cm_handle_new(CM_STREAM, stream);
    if (!stream->handle) {
        free(stream);
        return NULL;
    }
    stream->tail = &stream->head;
    stream->device = device;
    stream->flags = flags;
    stream->blocking = !(flags & cmStreamNonBlocking);
    stream->priority = priority < -5 ? -5 : priority > 0 ? 0 : priority;
    stream->refs = 1;
    stream->id = ++ids;
    stream->next_of_device = cm_devices[device].streams;
    cm_devices[device].streams = stream;
    return stream;
}

void cm_stream_ref(struct cm_stream *stream) { stream->refs++; }

void cm_stream_unref(struct cm_stream *stream) {
    if (--stream->refs) return;
    struct cm_stream **at = &cm_devices[stream->device].streams;
    while (*at != stream) at = &(*at)->next_of_device;
    *at = stream->next_of_device;
    cm_stream_mark(stream, false, false);
    if (stream->queue) cm_backend->queue_free(stream->device, stream->queue);
    free(stream);
}

struct cm_stream *cm_stream_find(cmStream_t handle) {
    if (!handle || handle == cmStreamLegacy) return cm_device()->legacy;
    if (handle != cmStreamPerThread) return cm_handle_get(CM_STREAM, handle);
    struct cm_stream **own = &per_thread[cm_current()];
    if (!*own) *own = cm_stream_new(cm_current(), 0, 0);
    return *own;
}

/* ---- the queue of ready streams ---- */

/* There is work for so many. Lock held. */
static void call_workers(uint64_t many) {
    atomic_fetch_add_explicit(&events, 1, memory_order_release);
    if (watching) many--;
    for (uint64_t i = 0; i < many && i < (uint64_t)idle; i++) pthread_cond_signal(&work);
}

static void ready_push(struct cm_stream *stream) {
    stream->ready = true;
    stream->next_ready = NULL;
    stream->prev_ready = ready_last;
    *(ready_last ? &ready_last->next_ready : &ready_first) = stream;
    ready_last = stream;
    call_workers(1);
    /* Whoever waits for this stream may carry it out. */
    for (struct cm_waiter *w = stream->waiters; w; w = w->next) pthread_cond_signal(&w->wake);
}

static void ready_remove(struct cm_stream *stream) {
    stream->ready = false;
    *(stream->prev_ready ? &stream->prev_ready->next_ready : &ready_first) = stream->next_ready;
    *(stream->next_ready ? &stream->next_ready->prev_ready : &ready_last) = stream->prev_ready;
}

static void append(struct cm_stream *stream, struct cm_op *op) {
    op->next = NULL;
    if (op->class->how != CM_WAIT) cm_stream_mark(stream, op->loose, stream->given);
    *stream->tail = op;
    stream->tail = &op->next;
    if (stream->busy) return;
    stream->busy = true;
    cm_devices[stream->device].busy++;
    cm_stream_ref(stream);
    ready_push(stream);
}

/* Marks an operation as done and tells those who wait. Lock held. */
static void finish(struct cm_stream *stream, uint64_t seq) {
    if (!seq) return;
    stream->completed = seq;
    for (struct cm_waiter **at = &stream->waiters; *at;) {
        struct cm_waiter *waiter = *at;
        if (waiter->until > seq) {
            at = &waiter->next;
            continue;
        }
        *at = waiter->next;
        waiter->woken = true;
        pthread_cond_signal(&waiter->wake);
    }
    for (struct cm_stream **at = &stream->parked; *at;) {
        struct cm_stream *parked = *at;
        if (parked->parked_until > seq) {
            at = &parked->next_parked;
            continue;
        }
        *at = parked->next_parked;
        ready_push(parked);
    }
}

/* ---- kernels ---- */

static bool grid_left(struct cm_grid *grid) {
    return atomic_load_explicit(&grid->next_block, memory_order_relaxed) < grid->total;
}

static void grid_unlist(struct cm_grid *grid) {
    if (!grid->listed) return;
    grid->listed = false;
    struct cm_grid **at = &grids;
    while (*at != grid) at = &(*at)->next;
    *at = grid->next;
}

void cm_stream_put_first(struct cm_stream *stream, struct cm_op *first, struct cm_op **tail,
                         struct cm_op *running) {
    *tail = stream->head;
    if (!stream->head) stream->tail = tail;
    stream->head = first;
    struct cm_op *last = first;
    while (&last->next != tail) last = last->next;
    last->seq = running->seq;
    running->seq = 0;
}

/* The last user of a kernel ends it. What it launched itself goes to the head of the stream.
   Lock held, and released in between. */
static void grid_end(struct cm_grid *grid) {
    struct cm_stream *stream = grid->stream;
    struct cm_op *op = grid->op;
    stream->grid = NULL;
    if (grid->children) cm_stream_put_first(stream, grid->children, grid->children_tail, op);
    uint64_t seq = op->seq;
    cm_lock_give();
    cm_op_free(op);
    cm_lock_take();
    finish(stream, seq);
}

/* Returns true when the kernel is done. Lock held, and released in between. */
static bool grid_leave(struct cm_grid *grid) {
    grid_unlist(grid);
    if (--grid->users) return false;
    grid_end(grid);
    return true;
}

static bool grid_start(struct cm_stream *stream, struct cm_op *op) {
    static uint32_t launches;
    struct cm_grid *grid = (struct cm_grid *)op->data;
    grid->number = ++launches;
    grid->stream = stream;
    grid->op = op;
    grid->children_tail = &grid->children;
    grid->users = 1;
    if (cm_devices[stream->device].sticky) atomic_store(&grid->next_block, grid->total);
    stream->grid = grid;
    if (grid->total > grid->chunk && !grid->call.cooperative) {
        grid->listed = true;
        grid->next = grids;
        grids = grid;
        uint64_t helpers = (grid->total - 1) / grid->chunk;
        call_workers(helpers);
        for (struct cm_waiter *w = stream->waiters; w; w = w->next) pthread_cond_signal(&w->wake);
    }
    cm_lock_give();
    if (grid->call.cooperative && grid_left(grid))
        cm_blocks_run_together(grid);
    else
        cm_grid_work(grid);
    cm_lock_take();
    return grid_leave(grid);
}

/* ---- functions of the host, on a thread of their own ---- */

static void stream_run(struct cm_stream *stream);

static void *host_main(void *unused) {
    (void)unused;
    cm_lock_take();
    while (!stopping) {
        if (!host_count) {
            pthread_cond_wait(&host_work, &cm_lock);
            continue;
        }
        struct cm_stream *stream = host_queue[host_first].stream;
        struct cm_op *op = host_queue[host_first].op;
        host_first = (host_first + 1) % host_room;
        host_count--;
        cm_lock_give();
        op->class->run(op->data, stream);
        uint64_t seq = op->seq;
        cm_op_free(op);
        cm_lock_take();
        finish(stream, seq);
        ready_push(stream);
    }
    cm_lock_give();
    return NULL;
}

/* False when there is no memory or no thread for it: then the caller runs it. */
static bool host_submit(struct cm_stream *stream, struct cm_op *op) {
    if (!host_thread_runs) {
        if (pthread_create(&host_thread, NULL, host_main, NULL)) return false;
        host_thread_runs = true;
    }
    if (host_count == host_room) {
        size_t room = host_room ? host_room * 2 : 64;
        void *more = malloc(room * sizeof *host_queue);
        if (!more) return false;
        for (size_t i = 0; i < host_count; i++)
            memcpy((char *)more + i * sizeof *host_queue,
                   &host_queue[(host_first + i) % host_room], sizeof *host_queue);
        free(host_queue);
        host_queue = more;
        host_room = room;
        host_first = 0;
    }
    size_t last = (host_first + host_count++) % host_room;
    host_queue[last].stream = stream;
    host_queue[last].op = op;
    pthread_cond_signal(&host_work);
    return true;
}

/* ---- carrying out a stream ---- */

static bool park(struct cm_stream *stream, struct wait_data *wait) {
    if (wait->other->completed >= wait->seq) return false;
    stream->parked_until = wait->seq;
    stream->next_parked = wait->other->parked;
    wait->other->parked = stream;
    return true;
}

/* Whether the vendor's queue has to be empty before this operation. */
static bool needs_drain(const struct cm_stream *stream, const struct cm_op *op) {
    if (!stream->queue || op->loose || op->class->how == CM_WAIT) return false;
    return stream->given || stream->undrained;
}

static void run_op(struct cm_stream *stream, struct cm_op *op) {
    cmError_t error = op->loose ? op->class->issue(op->data, stream) : cmErrorNotSupported;
    if (error == cmErrorNotSupported)
        op->class->run(op->data, stream);
    else if (error)
        cm_set_sticky(stream->device, error);
}

/* Carries out a stream's work until none is left or another thread has to go on with it. Lock
   held, and released in between. The stream is busy, and not in the ready queue. */
static void stream_run(struct cm_stream *stream) {
    while (stream->head && !stopping) {
        struct cm_op *op = stream->head;
        if (op->class->how == CM_WAIT && park(stream, (struct wait_data *)op->data)) return;
        stream->head = op->next;
        if (!stream->head) stream->tail = &stream->head;
        if (needs_drain(stream, op)) {
            stream->undrained = false;
            cm_lock_give();
            cmError_t error = cm_backend->queue_wait(stream->device, stream->queue);
            if (error) cm_set_sticky(stream->device, error);
            cm_lock_take();
        }
        if (op->class->how == CM_GRID) {
            if (!grid_start(stream, op)) return;
            continue;
        }
        if (op->class->how == CM_HOST && host_submit(stream, op)) return;
        if (op->class->how == CM_ASYNC) {
            stream->async = op;
            cm_lock_give();
            op->class->run(op->data, stream);
            cm_lock_take();
            return;
        }
        if (op->class->how != CM_WAIT) {
            if (op->loose) stream->undrained = true;
            cm_lock_give();
            run_op(stream, op);
            cm_lock_take();
        }
        uint64_t seq = op->seq;
        if (op->class->drop) { /* which may take the lock */
            cm_lock_give();
            cm_op_free(op);
            cm_lock_take();
        } else {
            free(op->memory);
        }
        finish(stream, seq);
    }
    if (stopping) return;
    stream->busy = false;
    cm_devices[stream->device].busy--;
    cm_stream_unref(stream);
}

void cm_async_done(struct cm_stream *stream) {
    struct cm_op *op = stream->async;
    uint64_t seq = op->seq;
    stream->async = NULL;
    free(op->memory); /* such operations own nothing */
    finish(stream, seq);
    ready_push(stream);
}

static void grid_help(struct cm_grid *grid) {
    struct cm_stream *stream = grid->stream;
    grid->users++;
    cm_lock_give();
    cm_grid_work(grid);
    cm_lock_take();
    if (grid_leave(grid)) stream_run(stream);
}

/* Work often comes in a row: for some microseconds one worker looks out for more before it sleeps,
   which spares whoever brings it the call that wakes another one. False: nothing came. Lock held,
   and released in between. */
static bool watch(void) {
    enum { ROUNDS = 2000 };
    if (watching || cm_settings.workers < 2) return false;
    unsigned before = atomic_load_explicit(&events, memory_order_relaxed);
    bool came = false;
    watching = true;
    cm_lock_give();
    for (int i = 0; i < ROUNDS && !came; i++) {
        cm_pause();
        came = atomic_load_explicit(&events, memory_order_acquire) != before;
    }
    cm_lock_take();
    watching = false;
    return came || atomic_load_explicit(&events, memory_order_relaxed) != before;
}

static void *worker_main(void *own) {
    struct worker *self = own;
    cm_lock_take();
    while (!stopping) {
        struct cm_grid *grid = grids;
        while (grid && !grid_left(grid)) grid = grid->next;
        self->inside = true;
        if (grid) {
            grid_help(grid);
        } else if (ready_first) {
            struct cm_stream *stream = ready_first;
            ready_remove(stream);
            stream_run(stream);
        } else {
            self->inside = false;
            if (watch() || stopping) continue;
            idle++;
            pthread_cond_wait(&work, &cm_lock);
            idle--;
        }
    }
    self->inside = false;
    cm_lock_give();
    cm_block_thread_end();
    return NULL;
}

/* ---- waiting ---- */

cmError_t cm_wait(struct cm_stream *stream, uint64_t seq) {
    struct cm_waiter waiter = {.until = seq};
    cmError_t error = cmSuccess;
    bool listed = false;
    cm_stream_ref(stream);
    cm_devices[stream->device].awaited++;
    while (stream->completed < seq) {
        if (stopping) {
            error = cmErrorCudartUnloading;
            break;
        }
        if (stream->ready) {
            ready_remove(stream);
            stream_run(stream);
        } else if (stream->grid && grid_left(stream->grid) && !stream->grid->call.cooperative) {
            grid_help(stream->grid);
        } else {
            if (!listed) pthread_cond_init(&waiter.wake, NULL);
            listed = true;
            waiter.next = stream->waiters;
            stream->waiters = &waiter;
            pthread_cond_wait(&waiter.wake, &cm_lock);
            struct cm_waiter **at = &stream->waiters;
            while (*at && *at != &waiter) at = &(*at)->next;
            if (*at) *at = waiter.next;
        }
    }
    if (listed) pthread_cond_destroy(&waiter.wake);
    cm_devices[stream->device].awaited--;
    cm_stream_unref(stream);
    return error;
}

cmError_t cm_wait_device(int device) {
    struct cm_stream *first = cm_devices[device].open ? cm_devices[device].streams : NULL;
    for (struct cm_stream *s = first; s; s = s->next_of_device) {
        cmError_t error = cm_stream_settle(s);
        if (error) return error;
    }
    while (cm_devices[device].busy) {
        struct cm_stream *stream = cm_devices[device].streams;
        while (stream && stream->completed == stream->submitted) stream = stream->next_of_device;
        if (!stream) return cmSuccess;
        cmError_t error = cm_wait(stream, stream->submitted);
        if (error) return error;
    }
    return cmSuccess;
}

/* ---- submitting ---- */

static void wait_drop(void *data) {
    cm_lock_take();
    cm_stream_unref(((struct wait_data *)data)->other);
    cm_lock_give();
}

static const struct cm_class wait_class = {
    .type = cmGraphNodeTypeEmpty, .how = CM_WAIT, .drop = wait_drop};

cmError_t cm_submit_wait(struct cm_stream *stream, struct cm_stream *other, uint64_t seq) {
    if (stream == other || other->completed >= seq) return cmSuccess;
    struct cm_op *op = cm_op_new(&wait_class, sizeof(struct wait_data));
    if (!op) return cmErrorMemoryAllocation;
    cm_stream_ref(other);
    *(struct wait_data *)op->data = (struct wait_data){other, seq};
    op->seq = ++stream->submitted;
    append(stream, op);
    return cmSuccess;
}

/* ---- the vendor's queue behind a stream ---- */

void cm_stream_mark(struct cm_stream *stream, bool loose, bool given) {
    int before = stream->loose || stream->given, after = loose || given;
    cm_devices[stream->device].open += after - before;
    stream->loose = loose;
    stream->given = given;
}

cmError_t cm_stream_queue(struct cm_stream *stream) {
    return stream->queue ? cmSuccess : cm_backend->queue_new(stream->device, &stream->queue);
}

cmError_t cm_stream_settle(struct cm_stream *stream) {
    if (stream->capture || (!stream->loose && !stream->given)) return cmSuccess;
    struct cm_op *op = cm_op_new(&cm_empty_class, 0);
    if (!op) return cmErrorMemoryAllocation;
    op->seq = ++stream->submitted;
    append(stream, op);
    return cmSuccess;
}

bool cm_stream_free(const struct cm_stream *stream) {
    const struct cm_device *device = &cm_devices[stream->device];
    const struct cm_stream *legacy = device->legacy;
    if (stream->capture || stream->completed != stream->submitted) return false;
    if (!stream->blocking) return true;
    if (stream == legacy)
        return !device->busy && !device->capturing &&
               device->open == (stream->loose || stream->given);
    return legacy->completed == legacy->submitted && !legacy->loose && !legacy->given;
}

/* The legacy default stream waits for the blocking streams of its device, and they for it. */
static cmError_t submit_order(struct cm_stream *stream) {
    struct cm_device *device = &cm_devices[stream->device];
    struct cm_stream *legacy = device->legacy;
    if (!stream->blocking) return cmSuccess;
    if (stream != legacy) {
        cmError_t error = legacy ? cm_stream_settle(legacy) : cmSuccess;
        if (error || !legacy || stream->legacy_seen == legacy->submitted) return error;
        stream->legacy_seen = legacy->submitted;
        return cm_submit_wait(stream, legacy, legacy->submitted);
    }
    if (!device->busy && !device->capturing && !device->open) return cmSuccess;
    for (struct cm_stream *s = device->streams; s; s = s->next_of_device) {
        if (s == legacy || !s->blocking) continue;
        if (s->capture) return cmErrorStreamCaptureImplicit;
        cmError_t error = cm_stream_settle(s);
        if (!error) error = cm_submit_wait(legacy, s, s->submitted);
        if (error) return error;
    }
    return cmSuccess;
}

cmError_t cm_submit(struct cm_stream *stream, struct cm_op *op, uint64_t *seq) {
    if (stream->capture) return stream->capture->recorder->op(stream, op);
    cmError_t error = stopping ? cmErrorCudartUnloading : submit_order(stream);
    if (error) {
        cm_lock_give();
        cm_op_free(op);
        cm_lock_take();
        return error;
    }
    op->loose = op->loose && !cm_stream_queue(stream);
    op->seq = ++stream->submitted;
    if (seq) *seq = op->seq;
    append(stream, op);
    return cmSuccess;
}

cmError_t cm_submit_to(cmStream_t handle, struct cm_op *op, bool wait) {
    if (!op) return cm_fail(cmErrorMemoryAllocation);
    cm_lock_take();
    struct cm_stream *stream = cm_stream_find(handle);
    if (!stream) {
        cm_lock_give();
        cm_op_free(op);
        return cm_fail(cmErrorInvalidResourceHandle);
    }
    int device = stream->device;
    uint64_t seq = 0;
    cmError_t error = cm_submit(stream, op, &seq);
    wait |= cm_settings.blocking && !stream->capture;
    if (!error && wait && seq) error = cm_wait(stream, seq);
    cm_lock_give();
    if (!error && wait) error = cm_sticky(device);
    return cm_fail(error);
}

/* ---- start and end ---- */

/* Those that are known to be empty. */
static void close_queues(void) {
    cm_lock_take();
    for (int d = 0; d < cm_settings.devices; d++)
        for (struct cm_stream *s = cm_devices[d].streams; s; s = s->next_of_device) {
            if (!s->queue || s->undrained || s->completed != s->submitted) continue;
            cm_backend->queue_free(d, s->queue);
            s->queue = NULL;
        }
    cm_lock_give();
}

/* Waits for a worker: until `end` where it is busy; one that is not ends by itself. */
static void join(const struct worker *w, const struct timespec *end) {
    if (pthread_equal(w->thread, pthread_self())) return;
    cm_lock_take();
    bool busy = w->inside;
    cm_lock_give();
    if (busy && !pthread_timedjoin_np(w->thread, NULL, end)) return;
    cm_lock_take();
    busy = w->inside;
    cm_lock_give();
    if (!busy) pthread_join(w->thread, NULL);
}

/* At exit: what is queued is given up, what runs gets a second to end. */
static void queue_stop(void) {
    if (getpid() != owner) return; /* the child of a fork has none of the threads */
    cm_lock_take();
    stopping = true;
    pthread_cond_broadcast(&work);
    pthread_cond_broadcast(&host_work);
    for (int d = 0; d < cm_settings.devices; d++)
        for (struct cm_stream *s = cm_devices[d].streams; s; s = s->next_of_device)
            for (struct cm_waiter *w = s->waiters; w; w = w->next) pthread_cond_signal(&w->wake);
    cm_lock_give();
    struct timespec end;
    clock_gettime(CLOCK_REALTIME, &end);
    end.tv_sec++;
    for (int i = 0; i < worker_count; i++) join(&workers[i], &end);
    if (host_thread_runs && !pthread_equal(host_thread, pthread_self()))
        pthread_timedjoin_np(host_thread, NULL, &end);
    close_queues();
    if (cm_backend->close) cm_backend->close();
}

void cm_queue_start(void) {
    owner = getpid();
    workers = calloc((size_t)cm_settings.workers, sizeof *workers);
    for (int i = 0; workers && i < cm_settings.workers; i++)
        if (!pthread_create(&workers[worker_count].thread, NULL, worker_main,
                            &workers[worker_count]))
            worker_count++;
    atexit(queue_stop);
}
