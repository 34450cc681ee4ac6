/* SPDX-License-Identifier: Apache-2.0 */
/* Collectives between processes and machines, over MPI: the plug-in libcmrt_mpi.so, which libcmrt
 * opens when a program runs under mpirun and asks for a communicator. It is a library of its own
 * because MPI's handles differ between its implementations, which only their mpicc knows.
 *
 * A communicator's ranks find each other through the process that made the id, which has to be one
 * of them: each sends it who it is, and gets the list of all. */
#include "../src/comm.h"
#include <limits.h>
#include <mpi.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ID "cuda-morph mpi %d %u"
enum { TAG = 0x6d00, TAGS = 0x1000, CHUNK = 1 << 28 };

struct peer {
    MPI_Comm comm;
    int ranks, rank;
    atomic_bool aborted; /* what is under way is left to MPI, with its buffers */
};

static const struct cm_comm_tools *tools;
static struct cm_transport transport;

/* ---- joining ---- */

static cmCommResult_t new_id(char *id) {
    static unsigned count;
    int rank;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    snprintf(id, CM_COMM_UNIQUE_ID_BYTES, ID, rank, ++count);
    return cmCommSuccess;
}

/* What the maker of the id does for all: takes who they are, and tells them. A list that begins
   with -1 says that they do not fit together. */
static int gather(int *list, int ranks, int rank, int here, int tag) {
    int bad = 0, *senders = calloc((size_t)ranks, sizeof *senders);
    if (!senders) return 1;
    for (int i = 0; i < ranks; i++) list[i] = -1;
    list[rank] = here;
    for (int i = 1; i < ranks; i++) {
        int one[2];
        MPI_Status status;
        if (MPI_Recv(one, 2, MPI_INT, MPI_ANY_SOURCE, tag, MPI_COMM_WORLD, &status)) {
            free(senders);
            return 1;
        }
        senders[i] = status.MPI_SOURCE;
        bad |= one[1] != ranks || one[0] < 0 || one[0] >= ranks || list[one[0]] >= 0;
        if (!bad) list[one[0]] = status.MPI_SOURCE;
    }
    if (bad) list[0] = -1;
    for (int i = 1; i < ranks; i++)
        MPI_Send(list, ranks, MPI_INT, senders[i], tag + TAGS, MPI_COMM_WORLD);
    free(senders);
    return bad;
}

/* Whether another rank of this process has come with the id before. */
static int has_come(const char *id) {
    enum { LAST = 16 };
    static pthread_mutex_t busy = PTHREAD_MUTEX_INITIALIZER;
    static char last[LAST][CM_COMM_UNIQUE_ID_BYTES];
    static unsigned count;
    int found = 0;
    pthread_mutex_lock(&busy);
    for (int i = 0; i < LAST; i++) found |= !memcmp(last[i], id, sizeof last[i]);
    memcpy(last[count++ % LAST], id, sizeof last[0]);
    pthread_mutex_unlock(&busy);
    return found;
}

static int find_others(int *list, int ranks, int rank, const char *id, int *tag) {
    int maker, here, again = has_come(id), mine[2] = {rank, again ? -1 : ranks};
    unsigned count;
    if (sscanf(id, ID, &maker, &count) != 2) return 1;
    *tag = TAG + (int)(count % TAGS);
    MPI_Comm_rank(MPI_COMM_WORLD, &here);
    if (here == maker && !again) return gather(list, ranks, rank, here, *tag);
    if (MPI_Send(mine, 2, MPI_INT, maker, *tag, MPI_COMM_WORLD)) return 1;
    if (MPI_Recv(list, ranks, MPI_INT, maker, *tag + TAGS, MPI_COMM_WORLD, MPI_STATUS_IGNORE))
        return 1;
    return list[0] < 0;
}

static cmCommResult_t join(void **made, int ranks, const char *id, int rank, int device) {
    (void)device;
    MPI_Group world, group;
    int tag = 0;
    struct peer *peer = calloc(1, sizeof *peer);
    int *list = calloc((size_t)ranks, sizeof *list);
    cmCommResult_t result = !peer || !list ? cmCommSystemError : cmCommSuccess;
    if (!result && find_others(list, ranks, rank, id, &tag)) result = cmCommInvalidUsage;
    if (!result) {
        MPI_Comm_group(MPI_COMM_WORLD, &world);
        MPI_Group_incl(world, ranks, list, &group);
        if (MPI_Comm_create_group(MPI_COMM_WORLD, group, tag, &peer->comm))
            result = cmCommRemoteError;
        else
            MPI_Comm_set_errhandler(peer->comm, MPI_ERRORS_RETURN);
        MPI_Group_free(&group);
        MPI_Group_free(&world);
    }
    free(list);
    if (!result) {
        peer->ranks = ranks;
        peer->rank = rank;
        *made = peer;
        return cmCommSuccess;
    }
    free(peer);
    return result;
}

static cmCommResult_t split(void **made, void *from, int color, int key, int *ranks, int *rank) {
    struct peer *peer = from, *child = calloc(1, sizeof *child);
    if (!child) return cmCommSystemError;
    if (MPI_Comm_split(peer->comm, color < 0 ? MPI_UNDEFINED : color, key, &child->comm)) {
        free(child);
        return cmCommRemoteError;
    }
    *made = NULL;
    if (child->comm == MPI_COMM_NULL) {
        free(child);
        return cmCommSuccess;
    }
    MPI_Comm_set_errhandler(child->comm, MPI_ERRORS_RETURN);
    MPI_Comm_size(child->comm, &child->ranks);
    MPI_Comm_rank(child->comm, &child->rank);
    *ranks = child->ranks;
    *rank = child->rank;
    *made = child;
    return cmCommSuccess;
}

static void leave(void *made) {
    struct peer *peer = made;
    int finalized = 0;
    MPI_Finalized(&finalized);
    if (!finalized && !peer->aborted) MPI_Comm_free(&peer->comm);
    free(peer);
}

static bool abort_peer(void *made) {
    struct peer *peer = made;
    peer->aborted = true;
    return true;
}

/* ---- calls ---- */

struct pending { /* one call under way */
    MPI_Request request;
    const struct cm_comm_work *work;
    void *in, *out; /* copies, where the buffers are not MPI's to use */
    size_t first, count;
    int divide;
};

static MPI_Datatype type_of(cmCommDataType_t type) {
    switch (type) {
    case cmCommInt8:
        return MPI_INT8_T;
    case cmCommUint8:
        return MPI_UINT8_T;
    case cmCommInt32:
        return MPI_INT32_T;
    case cmCommUint32:
        return MPI_UINT32_T;
    case cmCommInt64:
        return MPI_INT64_T;
    case cmCommUint64:
        return MPI_UINT64_T;
    case cmCommFloat64:
        return MPI_DOUBLE;
    default: /* and the 16-bit ones, which are added up as these */
        return MPI_FLOAT;
    }
}

static MPI_Op op_of(cmCommRedOp_t op) {
    return op == cmCommProd  ? MPI_PROD
           : op == cmCommMax ? MPI_MAX
           : op == cmCommMin ? MPI_MIN
                             : MPI_SUM;
}

/* Reductions work on copies, in the type that they add up in: that makes 16-bit numbers, averages
   and results in place one case. */
static int begin_reduction(struct pending *p, const struct peer *peer) {
    const struct cm_comm_work *w = p->work;
    size_t size = tools->size(w->type), wide = tools->wide(w->type);
    size_t parts = w->kind == CM_REDUCE_SCATTER ? (size_t)peer->ranks : 1;
    int n = (int)p->count;
    p->in = malloc(parts * p->count * wide + 1);
    p->out = malloc(p->count * wide + 1);
    if (!p->in || !p->out) return MPI_ERR_NO_MEM;
    tools->widen(w->type, p->in, w->from + p->first * size, parts * p->count);
    p->divide = w->op == cmCommAvg ? peer->ranks : 0;
    MPI_Datatype type = type_of(w->type);
    if (w->kind == CM_ALL_REDUCE)
        return MPI_Iallreduce(p->in, p->out, n, type, op_of(w->op), peer->comm, &p->request);
    if (w->kind == CM_REDUCE)
        return MPI_Ireduce(p->in, p->out, n, type, op_of(w->op), w->root, peer->comm, &p->request);
    return MPI_Ireduce_scatter_block(p->in, p->out, n, type, op_of(w->op), peer->comm,
                                     &p->request);
}

static MPI_Datatype element_of(size_t size) {
    return size == 1   ? MPI_INT8_T
           : size == 2 ? MPI_INT16_T
           : size == 4 ? MPI_INT32_T
                       : MPI_INT64_T;
}

static int begin(struct pending *p, const struct peer *peer) {
    const struct cm_comm_work *w = p->work;
    size_t size = tools->size(w->type);
    int bytes = (int)(p->count * size);
    unsigned char *to = w->to ? w->to + p->first * size : NULL;
    const unsigned char *from = w->from ? w->from + p->first * size : NULL;
    switch (w->kind) {
    case CM_BROADCAST:
        if (peer->rank == w->root && to != from) memmove(to, from, p->count * size);
        return MPI_Ibcast(to, bytes, MPI_BYTE, w->root, peer->comm, &p->request);
    case CM_ALL_GATHER: {
        int n = (int)p->count;
        MPI_Datatype type = element_of(size);
        bool here = from == to + (size_t)peer->rank * p->count * size;
        return MPI_Iallgather(here ? MPI_IN_PLACE : from, here ? 0 : n, type, to, n, type,
                              peer->comm, &p->request);
    }
    case CM_SEND:
        return MPI_Isend(from, bytes, MPI_BYTE, w->root, 0, peer->comm, &p->request);
    case CM_RECEIVE:
        return MPI_Irecv(to, bytes, MPI_BYTE, w->root, 0, peer->comm, &p->request);
    default:
        return begin_reduction(p, peer);
    }
}

static void end(struct pending *p, const struct peer *peer, int failed) {
    const struct cm_comm_work *w = p->work;
    int here = w->kind != CM_REDUCE || w->root == peer->rank;
    if (p->out && here && !failed)
        tools->narrow(w->type, w->to + p->first * tools->size(w->type), p->out, p->count,
                      p->divide);
    if (p->request != MPI_REQUEST_NULL) return; /* aborted: MPI may still use them */
    free(p->in);
    free(p->out);
}

/* Without a busy loop: there may be more processes than processors. */
static int wait_for(struct pending *list, size_t count, const struct peer *peer) {
    struct timespec pause = {0, 20000};
    for (size_t i = 0; i < count; i++)
        for (int done = 0; !done;) {
            int error = MPI_Test(&list[i].request, &done, MPI_STATUS_IGNORE);
            if (error) return error;
            if (peer->aborted) return MPI_ERR_OTHER;
            if (!done) nanosleep(&pause, NULL);
        }
    return MPI_SUCCESS;
}

/* Pieces of these would not be of each rank's part. */
static bool is_whole(const struct cm_comm_work *w) {
    return w->kind == CM_ALL_GATHER || w->kind == CM_REDUCE_SCATTER;
}

/* In how many pieces a call is made: MPI counts in int. */
static size_t pieces(const struct cm_comm_work *w) {
    if (is_whole(w)) return 1;
    return w->count > CHUNK / 8 ? (w->count + CHUNK / 8 - 1) / (CHUNK / 8) : 1;
}

static cmCommResult_t run(void *made, const struct cm_comm_work *work, size_t count) {
    const struct peer *peer = made;
    size_t total = 0, n = 0;
    for (size_t i = 0; i < count; i++) {
        if (is_whole(&work[i]) && work[i].count * (size_t)peer->ranks > INT_MAX)
            return cmCommInvalidArgument;
        total += pieces(&work[i]);
    }
    struct pending *list = calloc(total, sizeof *list);
    if (!list) return cmCommSystemError;
    int error = MPI_SUCCESS;
    for (size_t i = 0; i < count && !error; i++)
        for (size_t first = 0, k = pieces(&work[i]); k > 0 && !error; k--, n++) {
            size_t left = work[i].count - first, most = is_whole(&work[i]) ? left : CHUNK / 8;
            list[n] = (struct pending){.request = MPI_REQUEST_NULL,
                                       .work = &work[i],
                                       .first = first,
                                       .count = left < most ? left : most};
            first += list[n].count;
            error = begin(&list[n], peer);
        }
    if (!error) error = wait_for(list, n, peer);
    for (size_t i = 0; i < n; i++) end(&list[i], peer, error);
    free(list);
    return error ? cmCommRemoteError : cmCommSuccess;
}

/* ---- opening ---- */

static void finalize(void) {
    int finalized = 0;
    MPI_Finalized(&finalized);
    if (!finalized) MPI_Finalize();
}

__attribute__((visibility("default"))) const struct cm_transport *
cm_mpi_open(const struct cm_comm_tools *given, char *why, size_t room) {
    int initialized = 0, level = 0;
    tools = given;
    if (MPI_Initialized(&initialized) ||
        (!initialized && MPI_Init_thread(NULL, NULL, MPI_THREAD_MULTIPLE, &level))) {
        snprintf(why, room, "MPI cannot be initialised");
        return NULL;
    }
    if (!initialized) atexit(finalize); /* else it is the program's to end */
    MPI_Query_thread(&level);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    transport = (struct cm_transport){.name = "MPI",
                                      .between_processes = 1,
                                      .callers_thread = level < MPI_THREAD_MULTIPLE,
                                      .new_id = new_id,
                                      .join = join,
                                      .split = split,
                                      .leave = leave,
                                      .abort = abort_peer,
                                      .run = run};
    return &transport;
}
