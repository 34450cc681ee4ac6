/* SPDX-License-Identifier: Apache-2.0 */
/* Collectives. Between the devices of one process they are done here; a transport (comm.h) does
 * those of a vendor's library and those between processes.
 *
 * The calls of a group become one operation per stream. When a stream gets to it, its parts are
 * put on the clique's table; the rank that makes a collective complete moves the data of all. No
 * thread waits: a stream goes on when the last part of its operation is done. Parts of a transport
 * go to the thread of their communicator (comm_remote.c). */
#include "comm.h"
#include "memory.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct clique { /* ranks that talk to each other */
    struct clique *next;
    char id[CM_COMM_UNIQUE_ID_BYTES];
    int ranks, members; /* as said; communicators that there are */
    struct cm_part *table;
    struct split *splits;
    cmCommResult_t error;
    bool aborted; /* one was: streams may still come to its calls, so that this stays */
    enum { ABSENT, JOINED, ABORTED } state[]; /* of each rank */
};

struct scalar { /* what cmCommRedOpCreatePreMulSum() made */
    struct cm_scale scale;
    cmCommDataType_t type;
};

struct comm {
    void *handle;
    struct clique *clique;    /* or */
    struct cm_remote *remote; /* of a transport */
    int rank, ranks, device;
    uint64_t calls, splits; /* how many there were: ranks have to make them in the same order */
    struct scalar *scalars; /* operations behind NCCL's own, by number */
    size_t scalar_count;
};

struct call { /* made inside a group that is not ended */
    struct call *next;
    cmComm_t comm;
    cmStream_t stream;
    struct cm_part part;
};

struct split {
    struct split *next, *next_of_clique;
    struct comm *comm;
    cmComm_t *made;
    int color, key;
    uint64_t number;
    bool done;
    /* of a transport */
    cmCommResult_t result;
    pthread_t thread;
    bool runs;
};

#define LOCAL_ID "cuda-morph clique "
enum { OPERATIONS = cmCommAvg + 1 };
static struct clique *cliques;
static uint64_t ids;
static pthread_cond_t split_done = PTHREAD_COND_INITIALIZER;
static _Thread_local int depth;
static _Thread_local cmCommResult_t group_error; /* of a call in the group that is not ended */
static _Thread_local struct call *calls, **calls_tail;
static _Thread_local struct split *splits;

static cmCommResult_t result_of(cmError_t error) {
    return error ? cmCommUnhandledCudaError : cmCommSuccess;
}

/* ---- when a stream gets to its operation ---- */

static bool is_pair(const struct cm_part *p) {
    return p->work.kind == CM_SEND || p->work.kind == CM_RECEIVE;
}

static bool belong_together(const struct cm_part *a, const struct cm_part *b) {
    if (a->clique != b->clique || is_pair(a) != is_pair(b)) return false;
    if (!is_pair(a)) return a->number == b->number;
    return a->work.kind != b->work.kind && a->work.root == b->rank && b->work.root == a->rank;
}

/* Takes what belongs to this part off the table, when all of it is there: [rank], or for a send or
   receive the other one and this. The table is in order of arrival. */
static bool collect(struct cm_part *part, struct cm_part **found) {
    struct cm_part **at = &part->clique->table, *p;
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

/* Lock held. */
static void part_done(struct cm_part *part) {
    struct cm_bundle *bundle = part->bundle;
    if (!--bundle->left) cm_async_done(bundle->stream);
}

static void complete(struct cm_part **found, int count, const struct cm_comm_work **work) {
    struct clique *clique = found[0]->clique;
    cmError_t error = cmSuccess;
    for (int i = 0; i < count; i++) work[i] = &found[i]->work;
    cm_lock_give();
    for (int i = 0; i < count && !error; i++)
        error = (cmError_t)cm_comm_fetch_scale(&found[i]->work, found[i]->bundle->stream->device);
    if (!error && !cm_comm_agree(work, count)) error = cmErrorInvalidValue;
    if (!error) error = (cmError_t)cm_comm_staged(work, count);
    cm_lock_take();
    if (error)
        clique->error =
            error == cmErrorInvalidValue ? cmCommInvalidUsage : cmCommUnhandledCudaError;
    for (int i = 0; i < count; i++) {
        if (error) cm_set_sticky(found[i]->bundle->stream->device, error);
        part_done(found[i]);
    }
}

static void bundle_run(void *data, struct cm_stream *stream) {
    struct cm_bundle *bundle = data;
    size_t count = bundle->count;
    bundle->left = count;
    bundle->stream = stream;
    cm_lock_take();
    for (size_t i = 0; i < count; i++) {
        struct cm_part *part = &bundle->parts[i];
        part->bundle = bundle;
        if (part->remote) {
            cm_remote_put(part);
            continue;
        }
        if (part->clique->state[part->rank] == ABORTED) {
            part_done(part);
            continue;
        }
        int ranks = is_pair(part) ? 2 : part->clique->ranks;
        struct cm_part **found = calloc((size_t)ranks, sizeof *found);
        const struct cm_comm_work **work = calloc((size_t)ranks, sizeof *work);
        if (found && work && collect(part, found)) {
            complete(found, ranks, work); /* after the last one the bundle may be gone */
        } else {
            struct cm_part **end = &part->clique->table;
            while (*end) end = &(*end)->next;
            part->next = NULL;
            *end = part;
        }
        free(found);
        free(work);
    }
    cm_lock_give();
}

static const struct cm_class bundle_class = {
    .type = cmGraphNodeTypeKernel, .how = CM_ASYNC, .run = bundle_run};

/* ---- groups ---- */

static void expect(size_t remote) {
    cm_lock_take();
    cm_remote_expect(remote);
    cm_lock_give();
}

/* One operation of all calls for this stream; they leave the list. */
static cmCommResult_t submit(cmStream_t stream) {
    size_t count = 0;
    for (struct call *c = calls; c; c = c->next) count += c->stream == stream;
    struct cm_op *op =
        cm_op_new(&bundle_class, sizeof(struct cm_bundle) + count * sizeof(struct cm_part));
    struct cm_bundle *bundle = op ? (struct cm_bundle *)op->data : NULL;
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
    if (!op) return cmCommSystemError;
    size_t remote = 0;
    for (size_t i = 0; i < bundle->count; i++) remote += bundle->parts[i].remote != NULL;
    expect(remote);
    cmError_t error = cm_submit_to(stream, op, false);
    if (error) expect(-remote);
    return result_of(error);
}

static cmCommResult_t end_splits(void), end_inits(void);

/* A call that cannot be made; a group that it belongs to ends with its error, and does nothing. */
static cmCommResult_t fail(cmCommResult_t result) {
    if (depth && result) group_error = result;
    return result;
}
static cmCommResult_t give_up_group(void);

/* Ranks agree on the order of their calls, of those that are made. */
static void number_calls(void) {
    if (group_error) return;
    cm_lock_take();
    for (struct call *c = calls; c; c = c->next) {
        struct comm *comm = cm_handle_get(CM_COMM, c->comm);
        if (!comm) group_error = cmCommInvalidArgument; /* destroyed inside of the group */
        if (comm && (comm->remote || !is_pair(&c->part))) c->part.number = comm->calls++;
    }
    cm_lock_give();
}

static void wait_for(cmStream_t waits, cmStream_t other) {
    cm_lock_take();
    struct cm_stream *a = cm_stream_find(waits), *b = cm_stream_find(other);
    if (a && b && !cm_stream_settle(b)) cm_submit_wait(a, b, b->submitted);
    cm_lock_give();
}

/* A transport does a group at once: its calls of all streams become one operation of the first of
   them, with which the others wait. */
static bool gather_remote(cmStream_t *lead, cmStream_t **others, size_t *count) {
    bool found = false;
    size_t most = 0;
    for (struct call *c = calls; c; c = c->next) most++;
    *others = most ? calloc(most, sizeof **others) : NULL;
    for (struct call *c = calls; c; c = c->next) {
        if (!c->part.remote) continue;
        if (!found) *lead = c->stream;
        found = true;
        if (c->stream == *lead || !*others) continue;
        wait_for(*lead, c->stream);
        (*others)[(*count)++] = c->stream;
        c->stream = *lead;
    }
    return found;
}

cmCommResult_t cmCommGroupStart(void) {
    if (!depth++) calls_tail = &calls;
    return cmCommSuccess;
}

cmCommResult_t cmCommGroupEnd(void) {
    if (!depth) return cmCommInvalidUsage;
    if (--depth) return cmCommSuccess;
    number_calls();
    if (group_error) return give_up_group();
    cmCommResult_t result = cmCommSuccess;
    cmCommResult_t begun = end_inits();
    if (begun) result = begun;
    cmStream_t *others = NULL, lead = NULL;
    size_t count = 0;
    bool remote = gather_remote(&lead, &others, &count);
    while (calls) {
        cmCommResult_t one = submit(calls->stream);
        if (one) result = one;
    }
    for (size_t i = 0; i < count; i++) wait_for(others[i], lead);
    free(others);
    if (remote) cm_remote_pump();
    cmCommResult_t split = end_splits();
    return result ? result : split;
}

/* An operation of the communicator's own becomes a sum of what is multiplied first. Lock held. */
static bool resolve(struct cm_comm_work *work, const struct comm *comm) {
    const size_t own = (size_t)work->op - OPERATIONS;
    if ((unsigned)work->op < OPERATIONS) return true;
    if (own >= comm->scalar_count || !comm->scalars[own].scale.on ||
        comm->scalars[own].type != work->type)
        return false;
    work->scale = comm->scalars[own].scale;
    work->op = cmCommSum;
    return true;
}

static cmCommResult_t add(struct cm_comm_work work, cmComm_t handle, cmStream_t stream) {
    if (cm_enter()) return fail(cmCommUnhandledCudaError);
    if (!cm_comm_size(work.type)) return fail(cmCommInvalidArgument);
    cm_lock_take();
    struct comm *comm = cm_handle_get(CM_COMM, handle);
    bool fine = comm && work.root >= 0 && work.root < comm->ranks && resolve(&work, comm);
    int rank = fine ? comm->rank : 0;
    bool reads = work.kind != CM_RECEIVE && (work.kind != CM_BROADCAST || rank == work.root);
    bool writes = work.kind != CM_SEND && (work.kind != CM_REDUCE || rank == work.root);
    if (work.count && ((reads && !work.from) || (writes && !work.to))) fine = false;
    struct cm_part part = {.work = work};
    if (fine) {
        part.clique = comm->clique;
        part.remote = comm->remote;
        part.rank = rank;
    }
    cm_lock_give();
    if (!fine) return fail(cmCommInvalidArgument);
    struct call *call = calloc(1, sizeof *call);
    if (!call) return fail(cmCommSystemError);
    cm_count(&cm_stats.collectives, 1);
    call->comm = handle;
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
    struct clique *made = calloc(1, sizeof *made + (size_t)ranks * sizeof made->state[0]);
    if (!made) return NULL;
    memcpy(made->id, id, sizeof made->id);
    made->ranks = ranks;
    made->next = cliques;
    return cliques = made;
}

static cmCommResult_t join(cmComm_t *handle, struct clique *clique, int rank, int device) {
    if (clique && clique->state[rank] != ABSENT) return cmCommInvalidUsage;
    struct comm *comm = clique ? calloc(1, sizeof *comm) : NULL;
    *handle = comm ? cm_handle_new(CM_COMM, comm) : NULL;
    if (!*handle) {
        free(comm);
        return clique ? cmCommSystemError : cmCommInvalidArgument;
    }
    *comm = (struct comm){.handle = *handle,
                          .clique = clique,
                          .rank = rank,
                          .ranks = clique->ranks,
                          .device = device};
    clique->members++;
    clique->state[rank] = JOINED;
    return cmCommSuccess;
}

static void new_id(char *id) {
    memset(id, 0, CM_COMM_UNIQUE_ID_BYTES);
    snprintf(id, CM_COMM_UNIQUE_ID_BYTES, LOCAL_ID "%llu", (unsigned long long)++ids);
}

cmCommResult_t cmCommGetUniqueId(cmCommUniqueId *id) {
    const struct cm_transport *transport;
    if (!id) return cmCommInvalidArgument;
    if (cm_enter()) return cmCommUnhandledCudaError;
    cmCommResult_t result = cm_transport_of(&transport);
    if (result) return result;
    memset(id->internal, 0, sizeof id->internal);
    if (transport) return transport->new_id(id->internal);
    cm_lock_take();
    new_id(id->internal);
    cm_lock_give();
    return cmCommSuccess;
}

/* ---- communicators of a transport: joining waits for the other ranks, so that those of a group
   are joined at its end, each on a thread of its own ---- */

struct init {
    struct init *next;
    cmComm_t *handle;
    cmCommUniqueId id;
    int rank, ranks, device;
    cmCommResult_t result;
    pthread_t thread;
    bool runs;
};
static _Thread_local struct init *inits;

static cmCommResult_t adopt(cmComm_t *handle, struct cm_remote *remote, int device) {
    struct comm *comm = calloc(1, sizeof *comm);
    cm_lock_take();
    *handle = comm ? cm_handle_new(CM_COMM, comm) : NULL;
    cm_lock_give();
    if (!*handle) {
        free(comm);
        cm_remote_free(remote);
        return cmCommSystemError;
    }
    *comm = (struct comm){.handle = *handle, .remote = remote, .device = device};
    cm_remote_size(remote, &comm->ranks, &comm->rank);
    return cmCommSuccess;
}

static void *init_main(void *data) {
    struct init *init = data;
    const struct cm_transport *transport;
    struct cm_remote *remote = NULL;
    init->result = cm_transport_of(&transport);
    if (!init->result)
        init->result = cm_remote_join(&remote, transport, init->ranks, init->id.internal,
                                      init->rank, init->device);
    if (!init->result) init->result = adopt(init->handle, remote, init->device);
    return NULL;
}

static cmCommResult_t end_inits(void) {
    cmCommResult_t result = cmCommSuccess;
    bool alone = inits && !inits->next; /* the user's thread may be the only one that MPI takes */
    for (struct init *i = inits; i; i = i->next)
        i->runs = !alone && !pthread_create(&i->thread, NULL, init_main, i);
    for (struct init *i = inits, *next; i; i = next) {
        next = i->next;
        if (i->runs)
            pthread_join(i->thread, NULL);
        else
            init_main(i);
        if (i->result) result = i->result;
        free(i);
    }
    inits = NULL;
    return result;
}

static cmCommResult_t add_init(cmComm_t *handle, int ranks, cmCommUniqueId id, int rank,
                               int device) {
    struct init *init = calloc(1, sizeof *init);
    if (!init) return cmCommSystemError;
    *init = (struct init){
        .next = inits, .handle = handle, .id = id, .rank = rank, .ranks = ranks, .device = device};
    inits = init;
    return cmCommSuccess;
}

cmCommResult_t cmCommInitRank(cmComm_t *comm, int ranks, cmCommUniqueId id, int rank) {
    if (cm_enter()) return fail(cmCommUnhandledCudaError);
    if (!comm || ranks < 1 || rank < 0 || rank >= ranks) return fail(cmCommInvalidArgument);
    if (memcmp(id.internal, LOCAL_ID, sizeof LOCAL_ID - 1)) {
        cmCommGroupStart();
        cmCommResult_t added = add_init(comm, ranks, id, rank, cm_current());
        cmCommResult_t ended = cmCommGroupEnd();
        return added ? added : ended;
    }
    cm_lock_take();
    cmCommResult_t result = join(comm, clique_of(id.internal, ranks), rank, cm_current());
    cm_lock_give();
    return fail(result);
}

/* These ranks are all here: between processes there is nothing to do. */
static cmCommResult_t init_local(cmComm_t *comms, int count, const int *devices) {
    char id[CM_COMM_UNIQUE_ID_BYTES];
    cmCommResult_t result = cmCommSuccess;
    cm_lock_take();
    new_id(id);
    for (int i = 0; i < count && !result; i++)
        result = join(&comms[i], clique_of(id, count), i, devices ? devices[i] : i);
    cm_lock_give();
    return result;
}

cmCommResult_t cmCommInitAll(cmComm_t *comms, int count, const int *devices) {
    const struct cm_transport *transport;
    cmCommUniqueId id;
    if (cm_enter()) return cmCommUnhandledCudaError;
    if (!comms || count < 1 || (!devices && count > cm_settings.devices))
        return cmCommInvalidArgument;
    for (int i = 0; devices && i < count; i++)
        if (devices[i] < 0 || devices[i] >= cm_settings.devices) return cmCommInvalidArgument;
    cmCommResult_t result = cm_transport_of(&transport);
    if (result || !transport || transport->between_processes)
        return result ? result : init_local(comms, count, devices);
    memset(id.internal, 0, sizeof id.internal);
    result = transport->new_id(id.internal);
    cmCommGroupStart();
    for (int i = 0; i < count && !result; i++)
        result = add_init(&comms[i], count, id, i, devices ? devices[i] : i);
    cmCommResult_t ended = cmCommGroupEnd();
    return result ? result : ended;
}

/* Lock held. */
static void leave_clique(struct clique *clique) {
    struct clique **at = &cliques;
    if (--clique->members) return;
    memset(clique->id, 0, sizeof clique->id); /* nobody finds it any more */
    if (clique->aborted) return;
    while (*at != clique) at = &(*at)->next;
    *at = clique->next;
    free(clique);
}

cmCommResult_t cmCommDestroy(cmComm_t handle) {
    if (!handle) return cmCommSuccess;
    cm_lock_take();
    struct comm *comm = cm_handle_take(CM_COMM, handle);
    if (comm) cm_wait_device(comm->device);
    if (comm && comm->clique) leave_clique(comm->clique);
    cm_lock_give();
    if (!comm) return cmCommInvalidArgument;
    if (comm->remote) cm_remote_free(comm->remote);
    free(comm->scalars);
    free(comm);
    return cmCommSuccess;
}

cmCommResult_t cmCommAbort(cmComm_t handle) {
    if (!handle) return cmCommSuccess;
    cm_lock_take();
    struct comm *comm = cm_handle_take(CM_COMM, handle);
    struct clique *clique = comm ? comm->clique : NULL;
    if (clique) {
        clique->state[comm->rank] = ABORTED;
        clique->aborted = true;
        for (struct cm_part **at = &clique->table; *at;) {
            struct cm_part *part = *at;
            if (part->rank != comm->rank) {
                at = &part->next;
                continue;
            }
            *at = part->next;
            part_done(part);
        }
        leave_clique(clique);
    }
    cm_lock_give();
    if (!comm) return cmCommInvalidArgument;
    if (comm->remote) cm_remote_abort(comm->remote);
    free(comm->scalars);
    free(comm);
    return cmCommSuccess;
}

/* ---- operations of a communicator's own ---- */

cmCommResult_t cmCommRedOpCreatePreMulSum(cmCommRedOp_t *op, void *scalar, cmCommDataType_t type,
                                          cmCommScalarResidence_t residence, cmComm_t handle) {
    const size_t size = cm_comm_size(type);
    if (!op || !scalar || !size || (unsigned)residence > cmCommScalarHostImmediate)
        return cmCommInvalidArgument;
    struct scalar made = {.type = type, .scale = {.on = true}};
    if (residence == cmCommScalarDevice)
        made.scale.device = scalar;
    else
        memcpy(made.scale.value, scalar, size);
    cm_lock_take();
    struct comm *comm = cm_handle_get(CM_COMM, handle);
    size_t n = 0, count = comm ? comm->scalar_count : 0;
    while (n < count && comm->scalars[n].scale.on) n++;
    struct scalar *more =
        comm && n == count ? realloc(comm->scalars, (n + 1) * sizeof *more) : NULL;
    if (more) comm->scalars = more, comm->scalar_count++;
    const bool room = comm && n < comm->scalar_count;
    if (room) comm->scalars[n] = made, *op = (cmCommRedOp_t)(OPERATIONS + (int)n);
    cm_lock_give();
    return !comm ? cmCommInvalidArgument : room ? cmCommSuccess : cmCommSystemError;
}

cmCommResult_t cmCommRedOpDestroy(cmCommRedOp_t op, cmComm_t handle) {
    const size_t n = (size_t)op - OPERATIONS;
    cm_lock_take();
    struct comm *comm = cm_handle_get(CM_COMM, handle);
    const bool fine =
        comm && (unsigned)op >= OPERATIONS && n < comm->scalar_count && comm->scalars[n].scale.on;
    if (fine) comm->scalars[n].scale.on = false;
    cm_lock_give();
    return fine ? cmCommSuccess : cmCommInvalidArgument;
}

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

static void *split_main(void *data) {
    struct split *s = data;
    struct cm_remote *made = NULL;
    s->result = cm_remote_split(&made, s->comm->remote, s->color, s->key);
    if (!s->result && made) s->result = adopt(s->made, made, s->comm->device);
    return NULL;
}

/* Those of a transport, which then leave the list. Ranks of this process wait for each other, so
   that each is split on a thread of its own; what was called before has to be done. */
static cmCommResult_t split_remote(void) {
    cmCommResult_t result = cmCommSuccess;
    size_t count = 0;
    for (struct split *s = splits; s; s = s->next) {
        if (!s->comm->remote) continue;
        *s->made = NULL;
        count++;
        if (!cm_remote_any_thread(s->comm->remote)) continue;
        cm_lock_take();
        cm_wait_device(s->comm->device);
        cm_lock_give();
    }
    for (struct split *s = splits; s; s = s->next)
        if (s->comm->remote && count > 1 && cm_remote_any_thread(s->comm->remote))
            s->runs = !pthread_create(&s->thread, NULL, split_main, s);
    for (struct split **at = &splits; *at;) {
        struct split *s = *at;
        if (!s->comm->remote) {
            at = &s->next;
            continue;
        }
        if (s->runs)
            pthread_join(s->thread, NULL);
        else
            split_main(s);
        if (s->result) result = s->result;
        *at = s->next;
        free(s);
    }
    return result;
}

static cmCommResult_t give_up_group(void) {
    const cmCommResult_t result = group_error;
    for (struct call *c = calls, *next; c; c = next) next = c->next, free(c);
    for (struct init *i = inits, *next; i; i = next) next = i->next, free(i);
    for (struct split *s = splits, *next; s; s = next) next = s->next, free(s);
    calls = NULL, inits = NULL, splits = NULL;
    group_error = cmCommSuccess;
    return result;
}

static cmCommResult_t end_splits(void) {
    if (!splits) return cmCommSuccess;
    cmCommResult_t result = split_remote();
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
    return result;
}

cmCommResult_t cmCommSplit(cmComm_t handle, int color, int key, cmComm_t *made,
                           const cmCommConfig_t *config) {
    (void)config;
    if (!made || color < CM_COMM_SPLIT_NOCOLOR) return fail(cmCommInvalidArgument);
    cm_lock_take();
    struct comm *comm = cm_handle_get(CM_COMM, handle);
    cm_lock_give();
    struct split *split = comm ? calloc(1, sizeof *split) : NULL;
    if (!split) return fail(comm ? cmCommSystemError : cmCommInvalidArgument);
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
        *answer = what == RANKS ? c->ranks : what == RANK ? c->rank : c->device;
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
    cm_lock_take();
    struct comm *c = cm_handle_get(CM_COMM, comm);
    *result = !c ? cmCommSuccess : c->remote ? cm_remote_error(c->remote) : c->clique->error;
    cm_lock_give();
    return c ? cmCommSuccess : cmCommInvalidArgument;
}

const char *cmCommGetLastError(cmComm_t comm) {
    (void)comm;
    return cm_comm_why;
}

/* ---- the collectives ---- */

#define WORK(kind, from, to, count, type, op, root)                                               \
    ((struct cm_comm_work){kind, from, to, count, type, op, root, {0}})

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
