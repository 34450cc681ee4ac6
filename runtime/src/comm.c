/* Collectives between the devices of one process.
 *
 * The calls of a group become one operation per stream. When a stream gets to it, its parts are
 * put on the clique's table; the rank that makes a collective complete moves the data of all. No
 * thread waits: a stream goes on when the last part of its operation is done. */
#include "comm.h"
#include "internal.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct clique { /* ranks that talk to each other */
    struct clique *next;
    char id[CM_COMM_UNIQUE_ID_BYTES];
    int ranks, members; /* as said; communicators that there are */
    struct part *table;
    struct split *splits;
};

struct comm {
    void *handle;
    struct clique *clique;
    int rank, device;
    uint64_t calls, splits; /* how many there were: ranks have to make them in the same order */
};

struct part {
    struct part *next; /* on the table */
    struct bundle *bundle;
    struct clique *clique;
    struct cm_comm_work work;
    uint64_t number;
    int rank;
};

struct bundle { /* the data of an operation */
    struct cm_stream *stream;
    size_t count, left;
    struct part parts[];
};

struct call { /* made inside a group that is not ended */
    struct call *next;
    cmStream_t stream;
    struct part part;
};

struct split {
    struct split *next, *next_of_clique;
    struct comm *comm;
    cmComm_t *made;
    int color, key;
    uint64_t number;
    bool done;
};

static struct clique *cliques;
static uint64_t ids;
static pthread_cond_t split_done = PTHREAD_COND_INITIALIZER;
static _Thread_local int depth;
static _Thread_local struct call *calls, **calls_tail;
static _Thread_local struct split *splits;

static cmCommResult_t result_of(cmError_t error) {
    return error ? cmCommUnhandledCudaError : cmCommSuccess;
}

/* ---- when a stream gets to its operation ---- */

static bool is_pair(const struct part *p) {
    return p->work.kind == CM_SEND || p->work.kind == CM_RECEIVE;
}

static bool belong_together(const struct part *a, const struct part *b) {
    if (a->clique != b->clique || is_pair(a) != is_pair(b)) return false;
    if (!is_pair(a)) return a->number == b->number;
    return a->work.kind != b->work.kind && a->work.root == b->rank && b->work.root == a->rank;
}

/* Takes what belongs to this part off the table, when all of it is there: [rank], or for a send or
   receive the other one and this. The table is in order of arrival. */
static bool collect(struct part *part, struct part **found) {
    struct part **at = &part->clique->table, *p;
    int count = 1, wanted = is_pair(part) ? 2 : part->clique->ranks;
    found[is_pair(part) ? 0 : part->rank] = part;
    for (p = *at; p && count < wanted; p = p->next)
        if (belong_together(part, p)) found[is_pair(part) ? 1 : p->rank] = p, count++;
    if (count < wanted) return false;
    while (*at)
        if (*at == found[0] || belong_together(part, *at)) {
            p = *at;
            *at = p->next;
            if (is_pair(part)) break;
        } else {
            at = &(*at)->next;
        }
    return true;
}

static void complete(struct part **found, int count, const struct cm_comm_work **work) {
    struct cm_stream *stream = found[0]->bundle->stream;
    for (int i = 0; i < count; i++) work[i] = &found[i]->work;
    cm_lock_give();
    bool failed = cm_comm_move(work, count);
    cm_lock_take();
    if (failed) cm_devices[stream->device].sticky = cmErrorMemoryAllocation;
    for (int i = 0; i < count; i++)
        if (!--found[i]->bundle->left) cm_async_done(found[i]->bundle->stream);
}

static void bundle_run(void *data, struct cm_stream *stream) {
    struct bundle *bundle = data;
    size_t count = bundle->count;
    bundle->left = count;
    bundle->stream = stream;
    cm_lock_take();
    for (size_t i = 0; i < count; i++) {
        struct part *part = &bundle->parts[i];
        int ranks = is_pair(part) ? 2 : part->clique->ranks;
        struct part **found = calloc((size_t)ranks, sizeof *found);
        const struct cm_comm_work **work = calloc((size_t)ranks, sizeof *work);
        part->bundle = bundle;
        if (found && work && collect(part, found)) {
            complete(found, ranks, work); /* after the last one the bundle may be gone */
        } else {
            struct part **end = &part->clique->table;
            while (*end) end = &(*end)->next;
            part->next = NULL;
            *end = part;
        }
        free(found);
        free(work);
    }
    cm_lock_give();
}

static const struct cm_class bundle_class = {cmGraphNodeTypeKernel, CM_ASYNC, bundle_run, NULL,
                                             NULL};

/* ---- groups ---- */

/* One operation of all calls for this stream; they leave the list. */
static cmCommResult_t submit(cmStream_t stream) {
    size_t count = 0;
    for (struct call *c = calls; c; c = c->next) count += c->stream == stream;
    struct cm_op *op =
        cm_op_new(&bundle_class, sizeof(struct bundle) + count * sizeof(struct part));
    struct bundle *bundle = op ? (struct bundle *)op->data : NULL;
    if (bundle) memset(bundle, 0, sizeof *bundle);
    for (struct call **at = &calls; *at;) {
        struct call *c = *at;
        if (c->stream != stream) {
            at = &c->next;
            continue;
        }
        if (bundle) bundle->parts[bundle->count++] = c->part;
        *at = c->next;
        free(c);
    }
    return op ? result_of(cm_submit_to(stream, op, false)) : cmCommSystemError;
}

static cmCommResult_t end_splits(void);

cmCommResult_t cmCommGroupStart(void) {
    if (!depth++) calls_tail = &calls;
    return cmCommSuccess;
}

cmCommResult_t cmCommGroupEnd(void) {
    if (!depth) return cmCommInvalidUsage;
    if (--depth) return cmCommSuccess;
    cmCommResult_t result = cmCommSuccess;
    while (calls) {
        cmCommResult_t one = submit(calls->stream);
        if (one) result = one;
    }
    cmCommResult_t split = end_splits();
    return result ? result : split;
}

static cmCommResult_t add(struct cm_comm_work work, cmComm_t handle, cmStream_t stream) {
    if (cm_enter()) return cmCommUnhandledCudaError;
    if (!cm_comm_size(work.type) || (unsigned)work.op > cmCommAvg) return cmCommInvalidArgument;
    cm_lock_take();
    struct comm *comm = cm_handle_get(CM_COMM, handle);
    bool fine = comm && work.root >= 0 && work.root < comm->clique->ranks;
    bool pair = work.kind == CM_SEND || work.kind == CM_RECEIVE;
    struct part part = {.work = work};
    if (fine) {
        part.clique = comm->clique;
        part.rank = comm->rank;
        part.number = pair ? 0 : comm->calls++;
    }
    cm_lock_give();
    bool reads = work.kind != CM_RECEIVE && (work.kind != CM_BROADCAST || part.rank == work.root);
    bool writes = work.kind != CM_SEND && (work.kind != CM_REDUCE || part.rank == work.root);
    if (!fine || (work.count && ((reads && !work.from) || (writes && !work.to))))
        return cmCommInvalidArgument;
    struct call *call = calloc(1, sizeof *call);
    if (!call) return cmCommSystemError;
    call->stream = stream;
    call->part = part;
    cmCommGroupStart();
    *calls_tail = call;
    calls_tail = &call->next;
    return cmCommGroupEnd();
}

/* ---- communicators ---- */

/* Lock held. */
static struct clique *clique_of(const char *id, int ranks) {
    for (struct clique *c = cliques; c; c = c->next)
        if (!memcmp(c->id, id, sizeof c->id)) return c->ranks == ranks ? c : NULL;
    struct clique *made = calloc(1, sizeof *made);
    if (!made) return NULL;
    memcpy(made->id, id, sizeof made->id);
    made->ranks = ranks;
    made->next = cliques;
    return cliques = made;
}

static cmCommResult_t join(cmComm_t *handle, struct clique *clique, int rank, int device) {
    struct comm *comm = clique ? calloc(1, sizeof *comm) : NULL;
    *handle = comm ? cm_handle_new(CM_COMM, comm) : NULL;
    if (!*handle) {
        free(comm);
        return clique ? cmCommSystemError : cmCommInvalidArgument;
    }
    *comm = (struct comm){.handle = *handle, .clique = clique, .rank = rank, .device = device};
    clique->members++;
    return cmCommSuccess;
}

static void new_id(char *id) {
    memset(id, 0, CM_COMM_UNIQUE_ID_BYTES);
    snprintf(id, CM_COMM_UNIQUE_ID_BYTES, "cuda-morph clique %llu", (unsigned long long)++ids);
}

cmCommResult_t cmCommGetUniqueId(cmCommUniqueId *id) {
    if (!id) return cmCommInvalidArgument;
    cm_lock_take();
    new_id(id->internal);
    cm_lock_give();
    return cmCommSuccess;
}

cmCommResult_t cmCommInitRank(cmComm_t *comm, int ranks, cmCommUniqueId id, int rank) {
    if (cm_enter()) return cmCommUnhandledCudaError;
    if (!comm || ranks < 1 || rank < 0 || rank >= ranks) return cmCommInvalidArgument;
    cm_lock_take();
    cmCommResult_t result = join(comm, clique_of(id.internal, ranks), rank, cm_current());
    cm_lock_give();
    return result;
}

cmCommResult_t cmCommInitAll(cmComm_t *comms, int count, const int *devices) {
    if (cm_enter()) return cmCommUnhandledCudaError;
    if (!comms || count < 1 || (!devices && count > cm_settings.devices))
        return cmCommInvalidArgument;
    for (int i = 0; devices && i < count; i++)
        if (devices[i] < 0 || devices[i] >= cm_settings.devices) return cmCommInvalidArgument;
    cmCommUniqueId id;
    cmCommResult_t result = cmCommGetUniqueId(&id);
    cm_lock_take();
    for (int i = 0; i < count && !result; i++)
        result = join(&comms[i], clique_of(id.internal, count), i, devices ? devices[i] : i);
    cm_lock_give();
    return result;
}

cmCommResult_t cmCommDestroy(cmComm_t handle) {
    if (!handle) return cmCommSuccess;
    cm_lock_take();
    struct comm *comm = cm_handle_take(CM_COMM, handle);
    if (comm) {
        struct clique *clique = comm->clique, **at = &cliques;
        cm_wait_device(comm->device);
        if (!--clique->members) {
            while (*at != clique) at = &(*at)->next;
            *at = clique->next;
            free(clique);
        }
        free(comm);
    }
    cm_lock_give();
    return comm ? cmCommSuccess : cmCommInvalidArgument;
}

cmCommResult_t cmCommAbort(cmComm_t comm) { return cmCommDestroy(comm); }

/* ---- splitting ---- */

/* The ranks of one color, made when the last rank has called. Lock held. */
static void make_color(struct clique *clique, uint64_t number, int color) {
    char id[CM_COMM_UNIQUE_ID_BYTES];
    int ranks = 0;
    new_id(id);
    for (struct split *s = clique->splits; s; s = s->next_of_clique)
        ranks += s->number == number && s->color == color;
    for (struct split *s = clique->splits; s; s = s->next_of_clique) {
        if (s->number != number || s->color != color || s->done) continue;
        int rank = 0;
        for (struct split *o = clique->splits; o; o = o->next_of_clique)
            if (o->number == number && o->color == color)
                rank += o->key < s->key || (o->key == s->key && o->comm->rank < s->comm->rank);
        *s->made = NULL;
        if (color >= 0) join(s->made, clique_of(id, ranks), rank, s->comm->device);
    }
    for (struct split *s = clique->splits; s; s = s->next_of_clique)
        if (s->number == number && s->color == color) s->done = true;
}

static void begin_split(struct split *split) {
    struct clique *clique = split->comm->clique;
    int here = 0;
    split->number = split->comm->splits++;
    split->next_of_clique = clique->splits;
    clique->splits = split;
    for (struct split *s = clique->splits; s; s = s->next_of_clique)
        here += s->number == split->number;
    if (here < clique->ranks) return;
    for (struct split *s = clique->splits; s; s = s->next_of_clique)
        if (s->number == split->number && !s->done) make_color(clique, s->number, s->color);
    pthread_cond_broadcast(&split_done);
}

static cmCommResult_t end_splits(void) {
    if (!splits) return cmCommSuccess;
    cm_lock_take();
    for (struct split *s = splits; s; s = s->next) begin_split(s);
    for (struct split *s = splits, *next; s; s = next) {
        next = s->next;
        while (!s->done) pthread_cond_wait(&split_done, &cm_lock);
        struct split **at = &s->comm->clique->splits;
        while (*at != s) at = &(*at)->next_of_clique;
        *at = s->next_of_clique;
        free(s);
    }
    splits = NULL;
    cm_lock_give();
    return cmCommSuccess;
}

cmCommResult_t cmCommSplit(cmComm_t handle, int color, int key, cmComm_t *made,
                           const void *config) {
    if (!made || config) return cmCommInvalidArgument;
    cm_lock_take();
    struct comm *comm = cm_handle_get(CM_COMM, handle);
    cm_lock_give();
    struct split *split = comm ? calloc(1, sizeof *split) : NULL;
    if (!split) return comm ? cmCommSystemError : cmCommInvalidArgument;
    split->comm = comm;
    split->made = made;
    split->color = color;
    split->key = key;
    cmCommGroupStart();
    split->next = splits;
    splits = split;
    return cmCommGroupEnd();
}

/* ---- questions ---- */

enum question { RANKS, RANK, DEVICE, NOTHING };

static cmCommResult_t ask(cmComm_t handle, enum question what, int *answer) {
    if (!answer) return cmCommInvalidArgument;
    cm_lock_take();
    struct comm *c = cm_handle_get(CM_COMM, handle);
    if (c && what != NOTHING)
        *answer = what == RANKS ? c->clique->ranks : what == RANK ? c->rank : c->device;
    cm_lock_give();
    return c ? cmCommSuccess : cmCommInvalidArgument;
}

cmCommResult_t cmCommCount(cmComm_t comm, int *ranks) { return ask(comm, RANKS, ranks); }
cmCommResult_t cmCommUserRank(cmComm_t comm, int *rank) { return ask(comm, RANK, rank); }
cmCommResult_t cmCommCuDevice(cmComm_t comm, int *device) { return ask(comm, DEVICE, device); }

cmCommResult_t cmCommFinalize(cmComm_t comm) {
    int unused;
    return ask(comm, NOTHING, &unused);
}

cmCommResult_t cmCommGetAsyncError(cmComm_t comm, cmCommResult_t *result) {
    if (!result) return cmCommInvalidArgument;
    *result = cmCommSuccess;
    return cmCommFinalize(comm);
}

cmCommResult_t cmCommGetVersion(int *version) {
    if (!version) return cmCommInvalidArgument;
    *version = CM_COMM_VERSION_CODE;
    return cmCommSuccess;
}

const char *cmCommGetErrorString(cmCommResult_t result) {
    switch (result) {
    case cmCommSuccess:
        return "no error";
    case cmCommUnhandledCudaError:
        return "unhandled cuda error";
    case cmCommSystemError:
        return "unhandled system error";
    case cmCommInternalError:
        return "internal error";
    case cmCommInvalidArgument:
        return "invalid argument";
    case cmCommInvalidUsage:
        return "invalid usage";
    case cmCommRemoteError:
        return "remote process exited or there was a network error";
    case cmCommInProgress:
        return "operation in progress";
    }
    return "unknown result code";
}

const char *cmCommGetLastError(cmComm_t comm) {
    (void)comm;
    return "";
}

/* ---- the collectives ---- */

#define WORK(kind, from, to, count, type, op, root)                                               \
    ((struct cm_comm_work){kind, from, to, count, type, op, root})

cmCommResult_t cmCommAllReduce(const void *from, void *to, size_t count, cmCommDataType_t type,
                               cmCommRedOp_t op, cmComm_t comm, cmStream_t stream) {
    return add(WORK(CM_ALL_REDUCE, from, to, count, type, op, 0), comm, stream);
}

cmCommResult_t cmCommReduce(const void *from, void *to, size_t count, cmCommDataType_t type,
                            cmCommRedOp_t op, int root, cmComm_t comm, cmStream_t stream) {
    return add(WORK(CM_REDUCE, from, to, count, type, op, root), comm, stream);
}

cmCommResult_t cmCommBroadcast(const void *from, void *to, size_t count, cmCommDataType_t type,
                               int root, cmComm_t comm, cmStream_t stream) {
    return add(WORK(CM_BROADCAST, from, to, count, type, cmCommSum, root), comm, stream);
}

cmCommResult_t cmCommBcast(void *buffer, size_t count, cmCommDataType_t type, int root,
                           cmComm_t comm, cmStream_t stream) {
    return cmCommBroadcast(buffer, buffer, count, type, root, comm, stream);
}

cmCommResult_t cmCommAllGather(const void *from, void *to, size_t count, cmCommDataType_t type,
                               cmComm_t comm, cmStream_t stream) {
    return add(WORK(CM_ALL_GATHER, from, to, count, type, cmCommSum, 0), comm, stream);
}

cmCommResult_t cmCommReduceScatter(const void *from, void *to, size_t count, cmCommDataType_t type,
                                   cmCommRedOp_t op, cmComm_t comm, cmStream_t stream) {
    return add(WORK(CM_REDUCE_SCATTER, from, to, count, type, op, 0), comm, stream);
}

cmCommResult_t cmCommSend(const void *from, size_t count, cmCommDataType_t type, int peer,
                          cmComm_t comm, cmStream_t stream) {
    return add(WORK(CM_SEND, from, NULL, count, type, cmCommSum, peer), comm, stream);
}

cmCommResult_t cmCommRecv(void *to, size_t count, cmCommDataType_t type, int peer, cmComm_t comm,
                          cmStream_t stream) {
    return add(WORK(CM_RECEIVE, NULL, to, count, type, cmCommSum, peer), comm, stream);
}
