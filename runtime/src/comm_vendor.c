/* SPDX-License-Identifier: Apache-2.0 */
/* Vendors' libraries for collectives. All of them have NCCL's functions with the same arguments in
 * the same order; names, numbers of types, ids and groups differ. Sources: nccl.h and rccl.h,
 * hccl.h and hccl_types.h of CANN, cncl.h of CNToolkit as republished in public repositories; MCCL
 * by its prefix in torch_musa; oneCCL's C interface in oneapi/ccl.h and ccl/v2/types.h (2021.17
 * and 2022). oneCCL's streams are SYCL queues, which C cannot make; with NULL for a stream its
 * calls take the host's memory and return when they are done, so it moves that, and only between
 * processes: it has one device in each. */
#include "comm.h"
#include "memory.h"
#include "vendor.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>

enum { TYPES = cmCommBfloat16 + 1, LONGEST_ID = 4108 };
enum family { NCCL, HCCL, CNCL, ONECCL };

struct vendor {
    const char *backend, *name, *files[4];
    enum family family;
    bool average;                                   /* there is one */
    const char *prefix, *broadcast, *leave, *abort; /* abort NULL: there is nothing like it */
    size_t id_size;
    signed char types[TYPES]; /* its numbers, -1: none */
};

/* NCCL itself and those that differ from it in a prefix: backend, name, prefix, files. */
#define LIKE_NCCL(BACKEND, NAME, PREFIX, ...)                                                     \
    {                                                                                             \
        BACKEND, NAME, {__VA_ARGS__}, NCCL, true, PREFIX, "Bcast", "CommDestroy", "CommAbort",    \
            128, {                                                                                \
            0, 1, 2, 3, 4, 5, 6, 7, 8, 9                                                          \
        }                                                                                         \
    }

static const struct vendor vendors[] = {
    {"ascend",
     "HCCL",
     {"libhccl.so"},
     HCCL,
     false,
     "Hccl",
     "Broadcast",
     "CommDestroy",
     NULL,
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
     "AbortComm",
     136,
     {0x20, 0x30, 0x22, 0x32, 0x23, 0x33, 0x10, 0x12, -1, 0x11}},
    LIKE_NCCL("rocm", "RCCL", "nccl", "librccl.so", "librccl.so.1"),
    LIKE_NCCL("musa", "MCCL", "mccl", "libmccl.so"),
    LIKE_NCCL("cuda", "NCCL", "nccl", "libnccl.so.2", "libnccl.so"),
    {"xpu",
     "oneCCL",
     {"libccl.so.2", "libccl.so.1", "libccl.so"},
     ONECCL,
     true,
     "oneccl",
     "Broadcast",
     "CommDestroy",
     NULL,
     4096,
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
static int (*leave)(void *), (*break_off)(void *);
static int (*group_start)(void), (*group_end)(void);
static int (*get_id)(void *);
static int (*nccl_join)(void **, int, cmCommUniqueId, int);
static int (*nccl_split)(void *, int, int, void **, void *);
static int (*nccl_count)(void *, int *), (*nccl_rank)(void *, int *);
struct oneccl_id {
    char data[4096];
};
static int (*oneccl_join)(void **, size_t, struct oneccl_id, int);
static int (*oneccl_broadcast)(const void *, void *, size_t, int, int, void *, void *);
static int (*oneccl_device)(uint32_t);
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
    atomic_bool broken; /* the library has taken the communicator back, or is about to */
    atomic_int inside;  /* calls of it that are under way */
};

static cmCommResult_t result_of(int error) {
    if (!error) return cmCommSuccess;
    snprintf(cm_comm_why, sizeof cm_comm_why, "%s gives error %d", vendor->name, error);
    if (vendor->family == NCCL && error <= cmCommInProgress) return (cmCommResult_t)error;
    if (vendor->family == ONECCL && error <= cmCommInvalidUsage) return (cmCommResult_t)error;
    return cmCommUnhandledCudaError;
}

static cmCommResult_t of_device(cmError_t error) {
    if (error) snprintf(cm_comm_why, sizeof cm_comm_why, "%s", cmGetErrorString(error));
    return error ? cmCommUnhandledCudaError : cmCommSuccess;
}

/* ---- joining ---- */

/* Ids that are longer than NCCL's are mostly zeros: what is not goes into NCCL's, behind SHORT and
   its length. What is still too long is kept where all processes of this machine find it. */
#define SHORT "cmid"
enum { HEAD = sizeof SHORT }; /* with the length in the place of the 0 */

static cmCommResult_t pack_id(char *id, const char *whole) {
    size_t length = vendor->id_size;
    if (length <= CM_COMM_UNIQUE_ID_BYTES) {
        memcpy(id, whole, length);
        return cmCommSuccess;
    }
    while (length && !whole[length - 1]) length--;
    if (length > CM_COMM_UNIQUE_ID_BYTES - HEAD)
        return cm_id_publish(id, whole, vendor->id_size) ? cmCommSuccess : cmCommSystemError;
    memcpy(id, SHORT, HEAD - 1);
    id[HEAD - 1] = (char)length;
    memcpy(id + HEAD, whole, length);
    return cmCommSuccess;
}

static bool is_published(const char *id) {
    return vendor->id_size > CM_COMM_UNIQUE_ID_BYTES && memcmp(id, SHORT, HEAD - 1);
}

static bool unpack_id(char *whole, const char *id) {
    memset(whole, 0, LONGEST_ID);
    if (is_published(id)) return cm_id_fetch(id, whole, vendor->id_size);
    if (vendor->id_size <= CM_COMM_UNIQUE_ID_BYTES)
        memcpy(whole, id, vendor->id_size);
    else
        memcpy(whole, id + HEAD, (size_t)(unsigned char)id[HEAD - 1] % CM_COMM_UNIQUE_ID_BYTES);
    return true;
}

static cmCommResult_t new_id(char *id) {
    char whole[LONGEST_ID] = {0};
    void *queue = NULL; /* makes the thread's device known to the vendor's runtime */
    cmError_t error = cmSuccess;
    if (vendor->family != ONECCL) error = cm_backend->queue_new(cm_current(), &queue);
    if (error) return of_device(error);
    if (queue) cm_backend->queue_free(cm_current(), queue);
    cmCommResult_t result = result_of(get_id(whole));
    return result ? result : pack_id(id, whole);
}

static int join_of(struct peer *peer, const void *id) {
    int device = peer->device, rank = peer->rank, error;
    cmCommUniqueId short_id;
    struct oneccl_id long_id;
    switch (vendor->family) {
    case ONECCL:
        memcpy(&long_id, id, sizeof long_id);
        error = oneccl_device((uint32_t)device);
        return error ? error : oneccl_join(&peer->comm, (size_t)peer->ranks, long_id, rank);
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
    if (peer->comm && !peer->broken) leave(peer->comm);
    free(peer);
}

/* Its own function lets the device's work end. */
static bool break_peer(void *peer_) {
    struct peer *peer = peer_;
    if (!break_off) return false;
    peer->broken = true;
    /* Calls only put work into a queue, most of the time; one that waits longer for other ranks is
       in the middle of it by then. None may begin with a communicator that is gone. */
    for (int ms = 0; ms < 20 && peer->inside; ms++)
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    break_off(peer->comm);
    return true;
}

static cmCommResult_t queue_of(struct peer *peer) {
    if (vendor->family == ONECCL) return cmCommSuccess;
    return of_device(cm_backend->queue_new(peer->device, &peer->queue));
}

static cmCommResult_t join(void **made, int ranks, const char *id, int rank, int device) {
    char whole[LONGEST_ID];
    if (!unpack_id(whole, id)) {
        snprintf(cm_comm_why, sizeof cm_comm_why, "no process of this machine has made this id");
        return cmCommInvalidArgument;
    }
    struct peer *peer = calloc(1, sizeof *peer);
    if (!peer) return cmCommSystemError;
    *peer = (struct peer){.device = device, .ranks = ranks, .rank = rank};
    cmCommResult_t result = queue_of(peer);
    if (!result) result = result_of(join_of(peer, whole));
    if (is_published(id) && rank == 0) shm_unlink(id); /* all have joined, or will not */
    *made = peer;
    if (result) part(peer);
    return result;
}

/* ---- splitting ---- */

/* Every rank's `size` bytes, in the order of ranks, by way of the library itself. */
static cmCommResult_t gather(struct peer *p, const void *mine, void *all, size_t size) {
    void *from = NULL, *to = NULL;
    size_t whole = size * (size_t)p->ranks;
    int d = p->device, type = vendor->types[cmCommUint8];
    cmError_t error = cm_backend->allocate(d, &from, size, CM_DEVICE_MEMORY);
    if (!error) error = cm_backend->allocate(d, &to, whole, CM_DEVICE_MEMORY);
    if (!error) error = cm_backend->copy(d, from, mine, size, cmMemcpyHostToDevice);
    cmCommResult_t result = of_device(error);
    if (!result) result = result_of(all_gather(from, to, size, type, p->comm, p->queue));
    if (!result) result = of_device(cm_backend->queue_wait(d, p->queue));
    if (!result) result = of_device(cm_backend->copy(d, all, to, whole, cmMemcpyDeviceToHost));
    if (from) cm_backend->release(d, from, size, CM_DEVICE_MEMORY);
    if (to) cm_backend->release(d, to, whole, CM_DEVICE_MEMORY);
    return result;
}

struct wish {
    int color, key;
};

/* The child's place among those of its color; `*leader` is the parent's rank of its first. */
static void place(const struct wish *wishes, const struct peer *parent, struct peer *child,
                  int *leader) {
    struct wish mine = wishes[parent->rank];
    *leader = parent->rank;
    for (int r = 0; r < parent->ranks; r++) {
        if (wishes[r].color != mine.color) continue;
        const struct wish *first = &wishes[*leader];
        child->ranks++;
        child->rank += wishes[r].key < mine.key || (wishes[r].key == mine.key && r < parent->rank);
        if (wishes[r].key < first->key || (wishes[r].key == first->key && r < *leader))
            *leader = r;
    }
}

/* Where the library splits nothing: each color's first rank makes an id, and all ranks get all of
   them over the communicator that is split. */
static cmCommResult_t split_by_ids(void **made, void *peer_, int color, int key, int *ranks,
                                   int *rank) {
    struct peer *peer = peer_, *child = calloc(1, sizeof *child);
    size_t n = (size_t)peer->ranks, size = vendor->id_size;
    struct wish mine = {color, key}, *wishes = calloc(n, sizeof *wishes);
    char own[LONGEST_ID] = {0}, *ids = calloc(n, size);
    int leader = 0;
    cmCommResult_t result = child && wishes && ids ? cmCommSuccess : cmCommSystemError;
    if (!result) *child = (struct peer){.device = peer->device};
    /* The thread may have another device. */
    if (!result) result = of_device(cm_backend->queue_wait(peer->device, peer->queue));
    if (!result) result = gather(peer, &mine, wishes, sizeof mine);
    if (!result) place(wishes, peer, child, &leader);
    if (!result && color >= 0 && leader == peer->rank) result = result_of(get_id(own));
    if (!result) result = gather(peer, own, ids, size);
    bool member = !result && color >= 0;
    if (member) result = queue_of(child);
    if (member && !result) result = result_of(join_of(child, ids + (size_t)leader * size));
    *made = member && !result ? child : NULL;
    if (*made) *ranks = child->ranks, *rank = child->rank;
    if (child && !*made) part(child);
    free(wishes);
    free(ids);
    return result;
}

static cmCommResult_t split(void **made, void *peer_, int color, int key, int *ranks, int *rank) {
    struct peer *peer = peer_, *child = calloc(1, sizeof *child);
    if (!child) return cmCommSystemError;
    *child = (struct peer){.device = peer->device};
    cmCommResult_t result = queue_of(child);
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
    case CM_ALL_REDUCE: /* HcclAllReduce, cnclAllReduce, ncclAllReduce ... */
        return all_reduce(w->from, w->to, w->count, type, op, p->comm, p->queue);
    case CM_REDUCE:
        return reduce(w->from, w->to, w->count, type, op, w->root, p->comm, p->queue);
    case CM_BROADCAST:
        if (oneccl_broadcast)
            return oneccl_broadcast(w->from, w->to, w->count, type, w->root, p->comm, p->queue);
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
    if (!oneccl_broadcast && w->kind == CM_BROADCAST && p->rank == w->root && w->from != w->to)
        return of_device(cm_move(p->device, w->to, w->from, w->count * cm_comm_size(w->type)));
    return cmCommSuccess;
}

static cmCommResult_t finish(struct peer *p, const struct cm_comm_work *w) {
    bool here = w->kind == CM_ALL_REDUCE || w->kind == CM_REDUCE_SCATTER ||
                (w->kind == CM_REDUCE && w->root == p->rank);
    if (vendor->average || w->op != cmCommAvg || !here) return cmCommSuccess;
    return of_device((cmError_t)cm_comm_divide(w, p->ranks));
}

/* One call, or the sends and receives of several. */
static cmCommResult_t make(struct peer *p, const struct cm_comm_work *work, size_t count) {
    cmCommResult_t result = cmCommRemoteError;
    p->inside++;
    if (!p->broken) result = result_of(count == 1 ? call(p, work) : call_pairs(p, work, count));
    p->inside--;
    return result;
}

static cmCommResult_t run(void *peer, const struct cm_comm_work *work, size_t count) {
    struct peer *p = peer;
    size_t pairs = 0;
    cmCommResult_t result = cmCommSuccess;
    /* The thread may have another device, and some libraries ask the runtime for it. */
    if (p->queue) result = of_device(cm_backend->queue_wait(p->device, p->queue));
    for (size_t i = 0; i < count && !result; i++) result = prepare(p, &work[i]);
    for (size_t i = 0; i < count; i++) pairs += is_pair(&work[i]);
    for (size_t i = 0; i < count && !result; i++)
        if (pairs == 1 || !is_pair(&work[i])) result = make(p, &work[i], 1);
    if (!result && pairs > 1) result = make(p, work, count);
    if (!result && p->queue) result = of_device(cm_backend->queue_wait(p->device, p->queue));
    for (size_t i = 0; i < count && !result; i++) result = finish(p, &work[i]);
    return result;
}

/* ---- opening ---- */

static struct cm_transport transport = {
    .new_id = new_id, .join = join, .leave = part, .abort = break_peer, .run = run};

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
        {"CommCount", &nccl_count},
        {"CommUserRank", &nccl_rank},
        {"SetDevice", &oneccl_device},
    };
    enum { BROADCAST = 2, ID = 8, JOIN = 9, GROUPS = 10, OWN_NAMES = 12, NCCLS = 14, ALL = 15 };
    static char names[ALL][32];
    struct cm_symbol symbols[ALL];
    size_t count = vendor->family == ONECCL ? ALL
                   : vendor->family == NCCL ? NCCLS
                   : vendor->family == CNCL ? OWN_NAMES
                                            : GROUPS;
    wanted[ID].name = vendor->family == HCCL   ? "GetRootInfo"
                      : vendor->family == CNCL ? "GetCliqueId"
                                               : "GetUniqueId";
    wanted[JOIN].name = vendor->family == HCCL   ? "CommInitRootInfo"
                        : vendor->family == CNCL ? "InitComms"
                                                 : "CommInitRank";
    if (vendor->family == HCCL) wanted[JOIN].to = &hccl_join;
    if (vendor->family == CNCL) wanted[JOIN].to = &cncl_join;
    if (vendor->family == ONECCL) wanted[JOIN].to = &oneccl_join;
    if (vendor->family == ONECCL) wanted[BROADCAST].to = &oneccl_broadcast;
    for (size_t i = 0; i < count; i++) {
        snprintf(names[i], sizeof names[i], "%s%s", vendor->prefix, wanted[i].name);
        symbols[i] = (struct cm_symbol){names[i], wanted[i].to};
    }
    if (!cm_vendor_load(vendor->files, symbols, count, cm_comm_why, sizeof cm_comm_why))
        return false;
    /* Not all versions of NCCL's likes have it. */
    static char split_name[32];
    char unused[64];
    struct cm_symbol splits = {split_name, (void **)(void *)&nccl_split};
    snprintf(split_name, sizeof split_name, "%sCommSplit", vendor->prefix);
    if (vendor->family == NCCL || vendor->family == ONECCL)
        cm_vendor_load(vendor->files, &splits, 1, unused, sizeof unused);
    static char abort_name[32];
    struct cm_symbol aborts = {abort_name, (void **)(void *)&break_off};
    if (vendor->abort) {
        snprintf(abort_name, sizeof abort_name, "%s%s", vendor->prefix, vendor->abort);
        cm_vendor_load(vendor->files, &aborts, 1, unused, sizeof unused);
    }
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
    transport.between_processes = vendor->family == ONECCL;
    transport.split = nccl_split ? split : vendor->family == ONECCL ? NULL : split_by_ids;
    return &transport;
}
