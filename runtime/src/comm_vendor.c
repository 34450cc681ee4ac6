/* Vendors' libraries for collectives. All of them have NCCL's functions with the same arguments in
 * the same order; names, numbers of types, ids and groups differ. Sources: nccl.h and rccl.h,
 * hccl.h and hccl_types.h of CANN, cncl.h of CNToolkit as republished in public repositories; MCCL
 * by its prefix in torch_musa. oneCCL is C++ over SYCL queues and cannot be opened from C: there
 * the host does the work. */
#include "comm.h"
#include "vendor.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { TYPES = cmCommBfloat16 + 1, LONGEST_ID = 4108 };
enum family { NCCL, HCCL, CNCL };

static const struct vendor {
    const char *backend, *name, *files[4];
    enum family family;
    bool average; /* there is one */
    const char *prefix, *broadcast, *leave;
    size_t id_size;
    signed char types[TYPES]; /* its numbers, -1: none */
} vendors[] = {
    {"ascend",
     "HCCL",
     {"libhccl.so"},
     HCCL,
     false,
     "Hccl",
     "Broadcast",
     "CommDestroy",
     4108,
     /* i8 u8 i32 u32 i64 u64 f16 f32 f64 bf16 */
     {0, 7, 2, 9, 5, 6, 3, 4, 10, 11}},
    {"mlu",
     "CNCL",
     {"libcncl.so"},
     CNCL,
     false,
     "cncl",
     "Bcast",
     "FreeComm",
     136,
     {0x20, 0x30, 0x22, 0x32, 0x23, 0x33, 0x10, 0x12, -1, 0x11}},
    {"rocm",
     "RCCL",
     {"librccl.so", "librccl.so.1"},
     NCCL,
     true,
     "nccl",
     "Bcast",
     "CommDestroy",
     128,
     {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}},
    {"musa",
     "MCCL",
     {"libmccl.so"},
     NCCL,
     true,
     "mccl",
     "Bcast",
     "CommDestroy",
     128,
     {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}},
    {"cuda",
     "NCCL",
     {"libnccl.so.2", "libnccl.so"},
     NCCL,
     true,
     "nccl",
     "Bcast",
     "CommDestroy",
     128,
     {0, 1, 2, 3, 4, 5, 6, 7, 8, 9}},
};
static const struct vendor *vendor;

static int (*all_reduce)(const void *, void *, size_t, int, int, void *, void *);
static int (*reduce)(const void *, void *, size_t, int, int, int, void *, void *);
static int (*broadcast)(void *, size_t, int, int, void *, void *);
static int (*all_gather)(const void *, void *, size_t, int, void *, void *);
static int (*reduce_scatter)(const void *, void *, size_t, int, int, void *, void *);
static int (*give)(const void *, size_t, int, int, void *, void *);
static int (*receive)(void *, size_t, int, int, void *, void *);
static int (*leave)(void *);
static int (*group_start)(void), (*group_end)(void);
static int (*get_id)(void *);
static int (*nccl_join)(void **, int, cmCommUniqueId, int);
static int (*nccl_split)(void *, int, int, void **, void *);
static int (*nccl_count)(void *, int *), (*nccl_rank)(void *, int *);
static int (*hccl_join)(uint32_t, const void *, uint32_t, void **);
static int (*cncl_join)(void **, int, const int *, const int *, int, const void *);
struct pair_item { /* HcclSendRecvItem */
    int receives;
    void *buffer;
    uint64_t count;
    int type;
    uint32_t peer;
};
static int (*hccl_pairs)(struct pair_item *, uint32_t, void *, void *);

struct peer {
    void *comm, *queue;
    int device, ranks, rank;
};

static cmCommResult_t result_of(int error) {
    if (!error) return cmCommSuccess;
    snprintf(cm_comm_why, sizeof cm_comm_why, "%s gives error %d", vendor->name, error);
    if (vendor->family == NCCL && error <= cmCommInProgress) return (cmCommResult_t)error;
    return cmCommUnhandledCudaError;
}

static cmCommResult_t of_device(cmError_t error) {
    if (error) snprintf(cm_comm_why, sizeof cm_comm_why, "%s", cmGetErrorString(error));
    return error ? cmCommUnhandledCudaError : cmCommSuccess;
}

/* ---- joining ---- */

static cmCommResult_t new_id(char *id) {
    char whole[LONGEST_ID] = {0};
    cmError_t error = cmSuccess;
    void *queue = NULL; /* makes the thread's device known to the vendor's runtime */
    error = cm_backend->queue_new(cm_current(), &queue);
    if (error) return of_device(error);
    cm_backend->queue_free(cm_current(), queue);
    cmCommResult_t result = result_of(get_id(whole));
    if (result) return result;
    if (vendor->id_size > CM_COMM_UNIQUE_ID_BYTES)
        return cm_id_publish(id, whole, vendor->id_size) ? cmCommSuccess : cmCommSystemError;
    memcpy(id, whole, vendor->id_size);
    return cmCommSuccess;
}

static int join_of(struct peer *peer, const void *id) {
    int device = peer->device, rank = peer->rank;
    cmCommUniqueId short_id;
    switch (vendor->family) {
    case HCCL:
        return hccl_join((uint32_t)peer->ranks, id, (uint32_t)peer->rank, &peer->comm);
    case CNCL:
        return cncl_join(&peer->comm, 1, &device, &rank, peer->ranks, id);
    case NCCL:
        break;
    }
    memcpy(&short_id, id, sizeof short_id);
    return nccl_join(&peer->comm, peer->ranks, short_id, peer->rank);
}

static void part(void *peer_) {
    struct peer *peer = peer_;
    if (peer->queue) cm_backend->queue_free(peer->device, peer->queue);
    if (peer->comm) leave(peer->comm);
    free(peer);
}

static cmCommResult_t join(void **made, int ranks, const char *id, int rank, int device) {
    char whole[LONGEST_ID];
    bool published = vendor->id_size > CM_COMM_UNIQUE_ID_BYTES;
    if (!published) memcpy(whole, id, vendor->id_size);
    if (published && !cm_id_fetch(id, whole, vendor->id_size)) {
        snprintf(cm_comm_why, sizeof cm_comm_why, "no process of this machine has made this id");
        return cmCommInvalidArgument;
    }
    struct peer *peer = calloc(1, sizeof *peer);
    if (!peer) return cmCommSystemError;
    *peer = (struct peer){.device = device, .ranks = ranks, .rank = rank};
    cmCommResult_t result = of_device(cm_backend->queue_new(device, &peer->queue));
    if (!result) result = result_of(join_of(peer, whole));
    if (published && rank == 0) shm_unlink(id); /* all have joined, or will not */
    *made = peer;
    if (result) part(peer);
    return result;
}

static cmCommResult_t split(void **made, void *peer_, int color, int key, int *ranks, int *rank) {
    struct peer *peer = peer_, *child = calloc(1, sizeof *child);
    if (!child) return cmCommSystemError;
    *child = (struct peer){.device = peer->device};
    cmCommResult_t result = of_device(cm_backend->queue_new(child->device, &child->queue));
    if (!result) result = result_of(nccl_split(peer->comm, color, key, &child->comm, NULL));
    if (!result && child->comm) result = result_of(nccl_count(child->comm, &child->ranks));
    if (!result && child->comm) result = result_of(nccl_rank(child->comm, &child->rank));
    *ranks = child->ranks;
    *rank = child->rank;
    *made = !result && child->comm ? child : NULL;
    if (!*made) part(child);
    return result;
}

/* ---- calls ---- */

static bool is_pair(const struct cm_comm_work *w) {
    return w->kind == CM_SEND || w->kind == CM_RECEIVE;
}

static int call(struct peer *p, const struct cm_comm_work *w) {
    int type = vendor->types[w->type], op = (int)w->op;
    if (op == cmCommAvg && !vendor->average) op = cmCommSum;
    switch (w->kind) {
    case CM_ALL_REDUCE:
        return all_reduce(w->from, w->to, w->count, type, op, p->comm, p->queue);
    case CM_REDUCE:
        return reduce(w->from, w->to, w->count, type, op, w->root, p->comm, p->queue);
    case CM_BROADCAST:
        return broadcast(w->to, w->count, type, w->root, p->comm, p->queue);
    case CM_ALL_GATHER:
        return all_gather(w->from, w->to, w->count, type, p->comm, p->queue);
    case CM_REDUCE_SCATTER:
        return reduce_scatter(w->from, w->to, w->count, type, op, p->comm, p->queue);
    case CM_SEND:
        return give(w->from, w->count, type, w->root, p->comm, p->queue);
    case CM_RECEIVE:
        return receive(w->to, w->count, type, w->root, p->comm, p->queue);
    }
    return 0;
}

/* Sends and receives of a group must not wait for each other. */
static int call_pairs(struct peer *p, const struct cm_comm_work *work, size_t count) {
    int error = 0;
    if (hccl_pairs) {
        struct pair_item *items = calloc(count, sizeof *items);
        uint32_t n = 0;
        for (size_t i = 0; items && i < count; i++)
            if (is_pair(&work[i]))
                items[n++] = (struct pair_item){.receives = work[i].kind == CM_RECEIVE,
                                                .buffer = work[i].kind == CM_RECEIVE
                                                              ? work[i].to
                                                              : (void *)(uintptr_t)work[i].from,
                                                .count = work[i].count,
                                                .type = vendor->types[work[i].type],
                                                .peer = (uint32_t)work[i].root};
        error = items ? hccl_pairs(items, n, p->comm, p->queue) : -1;
        free(items);
        return error;
    }
    if (group_start) error = group_start();
    for (size_t i = 0; i < count && !error; i++)
        if (is_pair(&work[i])) error = call(p, &work[i]);
    int ended = group_end ? group_end() : 0;
    return error ? error : ended;
}

static cmCommResult_t prepare(struct peer *p, const struct cm_comm_work *w) {
    if (vendor->types[w->type] < 0) {
        snprintf(cm_comm_why, sizeof cm_comm_why, "%s has no such data type", vendor->name);
        return cmCommInvalidArgument;
    }
    /* Their broadcast has one buffer. */
    if (w->kind == CM_BROADCAST && p->rank == w->root && w->from != w->to)
        return of_device(cm_move(p->device, w->to, w->from, w->count * cm_comm_size(w->type)));
    return cmCommSuccess;
}

static cmCommResult_t finish(struct peer *p, const struct cm_comm_work *w) {
    bool here = w->kind == CM_ALL_REDUCE || w->kind == CM_REDUCE_SCATTER ||
                (w->kind == CM_REDUCE && w->root == p->rank);
    if (vendor->average || w->op != cmCommAvg || !here) return cmCommSuccess;
    return of_device((cmError_t)cm_comm_divide(w, p->ranks));
}

static cmCommResult_t run(void *peer, const struct cm_comm_work *work, size_t count) {
    struct peer *p = peer;
    size_t pairs = 0;
    cmCommResult_t result = cmCommSuccess;
    /* The thread may have another device, and some libraries ask the runtime for it. */
    result = of_device(cm_backend->queue_wait(p->device, p->queue));
    for (size_t i = 0; i < count && !result; i++) result = prepare(p, &work[i]);
    for (size_t i = 0; i < count; i++) pairs += is_pair(&work[i]);
    for (size_t i = 0; i < count && !result; i++)
        if (pairs == 1 || !is_pair(&work[i])) result = result_of(call(p, &work[i]));
    if (!result && pairs > 1) result = result_of(call_pairs(p, work, count));
    if (!result) result = of_device(cm_backend->queue_wait(p->device, p->queue));
    for (size_t i = 0; i < count && !result; i++) result = finish(p, &work[i]);
    return result;
}

/* ---- opening ---- */

static struct cm_transport transport = {.new_id = new_id, .join = join, .leave = part, .run = run};

static bool load(void) {
    struct {
        const char *name;
        void *to;
    } wanted[] = {
        {"AllReduce", &all_reduce},
        {"Reduce", &reduce},
        {vendor->broadcast, &broadcast},
        {"AllGather", &all_gather},
        {"ReduceScatter", &reduce_scatter},
        {"Send", &give},
        {"Recv", &receive},
        {vendor->leave, &leave},
        {"", &get_id},
        {"", &nccl_join},
        {"GroupStart", &group_start},
        {"GroupEnd", &group_end},
        {"CommSplit", &nccl_split},
        {"CommCount", &nccl_count},
        {"CommUserRank", &nccl_rank},
    };
    enum { ID = 8, JOIN = 9, GROUPS = 10, NCCL_ONLY = 12, ALL = 15 };
    static char names[ALL][32];
    struct cm_symbol symbols[ALL];
    size_t count = vendor->family == NCCL ? ALL : vendor->family == CNCL ? NCCL_ONLY : GROUPS;
    wanted[ID].name = vendor->family == HCCL   ? "GetRootInfo"
                      : vendor->family == CNCL ? "GetCliqueId"
                                               : "GetUniqueId";
    wanted[JOIN].name = vendor->family == HCCL   ? "CommInitRootInfo"
                        : vendor->family == CNCL ? "InitComms"
                                                 : "CommInitRank";
    if (vendor->family == HCCL) wanted[JOIN].to = &hccl_join;
    if (vendor->family == CNCL) wanted[JOIN].to = &cncl_join;
    for (size_t i = 0; i < count; i++) {
        snprintf(names[i], sizeof names[i], "%s%s", vendor->prefix, wanted[i].name);
        symbols[i] = (struct cm_symbol){names[i], wanted[i].to};
    }
    if (!cm_vendor_load(vendor->files, symbols, count, cm_comm_why, sizeof cm_comm_why))
        return false;
    struct cm_symbol pairs = {"HcclBatchSendRecv", (void **)(void *)&hccl_pairs};
    if (vendor->family == HCCL)
        return cm_vendor_load(vendor->files, &pairs, 1, cm_comm_why, sizeof cm_comm_why);
    return true;
}

const struct cm_transport *cm_transport_vendor(const char *backend) {
    for (size_t i = 0; i < sizeof vendors / sizeof vendors[0]; i++)
        if (!strcmp(vendors[i].backend, backend)) vendor = &vendors[i];
    if (!vendor || !load()) return NULL;
    transport.name = vendor->name;
    if (vendor->family == NCCL) transport.split = split;
    return &transport;
}
