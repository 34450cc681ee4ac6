/* SPDX-License-Identifier: Apache-2.0 */
/* ccl.h - what the stand-ins for libraries of collectives share: hccl.c, cncl.c, rccl.c and
 * mccl.c.
 *
 * Ranks are threads of one process; each call waits for the others, and moves the data that the
 * runtime's stand-in keeps. A vendor's file says first how its functions are called, F(name), how
 * long its ids are (ID_SIZE) and how it numbers types (I32, F32, F64, U8), and includes this; it
 * adds what only it spells so. What no vendor can be caught with is not imitated: sizes beyond the
 * few tests', speed, several processes (oneccl.c has those). */
#ifndef CCL_H
#define CCL_H

#include "stub.h"

enum { MOST = 8, BAD = 4 };

struct message {
    struct message *next;
    int from, to;
    size_t size;
    unsigned char data[];
};
static struct world {
    struct world *next;
    unsigned char id[ID_SIZE];
    int ranks, joined, waiting, generation;
    const void *from[MOST];
    void *to[MOST];
    size_t count[MOST];
    int type[MOST], op[MOST], kind[MOST], color[MOST], key[MOST];
    unsigned char child[MOST][ID_SIZE];
    int inside[MOST], gone[MOST]; /* a call of the rank is under way; it has given up */
    struct message *mail;
} * worlds;
struct comm {
    int magic, rank;
    struct world *world;
};
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static int live;
static __thread int depth;

__attribute__((destructor)) static void end(void) { stub_say("END %d communicators left", live); }

/* Lock held. False: this rank has given up. */
static int meet_as(struct world *w, int rank) {
    int generation = w->generation;
    if (w->gone[rank]) return 0;
    if (++w->waiting == w->ranks) {
        w->waiting = 0;
        w->generation++;
        pthread_cond_broadcast(&changed);
    }
    while (w->generation == generation && !w->gone[rank]) pthread_cond_wait(&changed, &lock);
    if (w->generation != generation) return 1;
    w->waiting--;
    return 0;
}

/* Lock held. */
static void meet(struct world *w) {
    int generation = w->generation;
    if (++w->waiting == w->ranks) {
        w->waiting = 0;
        w->generation++;
        pthread_cond_broadcast(&changed);
    }
    while (w->generation == generation) pthread_cond_wait(&changed, &lock);
}

static int get_id(void *id) {
    static unsigned char next;
    memset(id, 0x40 + ++next, ID_SIZE);
    return 0;
}

static int join(void **made, int ranks, const void *id, int rank) {
    stub_say("join %d of %d", rank, ranks);
    if (rank < 0 || rank >= ranks || ranks > MOST) return BAD;
    pthread_mutex_lock(&lock);
    struct world *w = worlds;
    while (w && memcmp(w->id, id, ID_SIZE)) w = w->next;
    if (!w) {
        w = calloc(1, sizeof *w);
        memcpy(w->id, id, ID_SIZE);
        w->ranks = ranks;
        w->next = worlds;
        worlds = w;
    }
    struct comm *c = malloc(sizeof *c);
    *c = (struct comm){0xcc1, rank, w};
    *made = c;
    __atomic_add_fetch(&live, 1, __ATOMIC_SEQ_CST);
    meet(w); /* as the vendors' do */
    pthread_mutex_unlock(&lock);
    return 0;
}

static inline int leave(void *comm) {
    struct comm *c = comm;
    if (!c || c->magic != 0xcc1) return BAD;
    c->magic = 0;
    free(c);
    __atomic_sub_fetch(&live, 1, __ATOMIC_SEQ_CST);
    return 0;
}

/* From another thread than the one that waits. */
static inline int give_up(struct comm *c) {
    if (!c || c->magic != 0xcc1) return BAD;
    stub_say("Abort rank %d", c->rank);
    pthread_mutex_lock(&lock);
    c->world->gone[c->rank] = 1;
    pthread_cond_broadcast(&changed);
    while (c->world->inside[c->rank]) pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    return leave(c);
}

static size_t size_of(int type) {
    return type == U8 ? 1 : type == I32 || type == F32 ? 4 : type == F64 ? 8 : 0;
}

#define COMBINE(T)                                                                                \
    do {                                                                                          \
        T *a = sum;                                                                               \
        const T *b = x;                                                                           \
        for (size_t i = 0; i < n; i++)                                                            \
            a[i] = op == 0 || op == 4 ? (T)(a[i] + b[i])                                          \
                   : op == 1          ? (T)(a[i] * b[i])                                          \
                   : op == 2          ? (a[i] > b[i] ? a[i] : b[i])                               \
                                      : (a[i] < b[i] ? a[i] : b[i]);                                       \
    } while (0)
static void combine(void *sum, const void *x, size_t n, int type, int op) {
    if (type == F32) COMBINE(float);
    if (type == I32) COMBINE(int);
    if (type == F64) COMBINE(double);
    if (type == U8) COMBINE(unsigned char);
}

enum kind { ALL_REDUCE, REDUCE, CAST, ALL_GATHER, REDUCE_SCATTER };

/* `reads` and `writes` in elements. */
static int collective(enum kind kind, const void *from, void *to, size_t count, int type, int op,
                      int root, struct comm *c, void *queue) {
    static const char *const names[] = {"AllReduce", "Reduce", "Broadcast", "AllGather",
                                        "ReduceScatter"};
    int d, s;
    if (!c || c->magic != 0xcc1 || !queue) {
        stub_say("WRONG communicator or queue in %s", names[kind]);
        return BAD;
    }
    struct world *w = c->world;
    size_t size = size_of(type), parts = (size_t)w->ranks, me = (size_t)c->rank;
    stub_say("%s %zu type %d op %d root %d rank %d", names[kind], count, type, op, root, c->rank);
    if (!size) {
        stub_say("WRONG type");
        return BAD;
    }
    const unsigned char *in =
        stub_contents(from, count * size * (kind == REDUCE_SCATTER ? parts : 1), &s);
    int writes = kind != REDUCE || root == c->rank;
    unsigned char *out =
        writes ? stub_contents(to, count * size * (kind == ALL_GATHER ? parts : 1), &d) : NULL;
    if (!in || (writes && (!out || !d)) || !s) stub_say("WRONG buffer of %s", names[kind]);
    unsigned char *result = malloc(count * size * parts + 1);
    pthread_mutex_lock(&lock);
    w->from[me] = in;
    w->count[me] = count, w->type[me] = type, w->op[me] = op, w->kind[me] = (int)kind;
    w->inside[me]++;
    int met = meet_as(w, c->rank);
    w->inside[me]--;
    pthread_cond_broadcast(&changed);
    if (!met) {
        pthread_mutex_unlock(&lock);
        free(result);
        return BAD;
    }
    for (int r = 0; r < w->ranks; r++)
        if (w->count[r] != count || w->type[r] != type || w->kind[r] != (int)kind)
            stub_say("WRONG: ranks do different things");
    size_t offset = kind == REDUCE_SCATTER ? me * count * size : 0;
    if (kind == CAST) {
        memcpy(result, w->from[root], count * size);
    } else if (kind == ALL_GATHER) {
        for (size_t r = 0; r < parts; r++)
            memcpy(result + r * count * size, w->from[r], count * size);
    } else {
        memcpy(result, (const unsigned char *)w->from[0] + offset, count * size);
        for (size_t r = 1; r < parts; r++)
            combine(result, (const unsigned char *)w->from[r] + offset, count, type, op);
        for (size_t i = 0; op == 4 && type == F32 && i < count; i++)
            ((float *)(void *)result)[i] /= (float)parts;
    }
    meet(w); /* all have read */
    if (writes) memcpy(out, result, count * size * (kind == ALL_GATHER ? parts : 1));
    meet(w);
    pthread_mutex_unlock(&lock);
    free(result);
    return 0;
}

int F(AllReduce)(const void *from, void *to, size_t n, int type, int op, void *c, void *queue) {
    return collective(ALL_REDUCE, from, to, n, type, op, 0, c, queue);
}

int F(Reduce)(const void *from, void *to, size_t n, int type, int op, int root, void *c,
              void *queue) {
    return collective(REDUCE, from, to, n, type, op, root, c, queue);
}

static inline int cast(void *buffer, size_t n, int type, int root, void *c, void *queue) {
    return collective(CAST, buffer, buffer, n, type, 0, root, c, queue);
}

int F(AllGather)(const void *from, void *to, size_t n, int type, void *c, void *queue) {
    return collective(ALL_GATHER, from, to, n, type, 0, 0, c, queue);
}

int F(ReduceScatter)(const void *from, void *to, size_t n, int type, int op, void *c,
                     void *queue) {
    return collective(REDUCE_SCATTER, from, to, n, type, op, 0, c, queue);
}

static int send_(const void *from, size_t n, int type, int peer, struct comm *c) {
    int device;
    size_t size = n * size_of(type);
    const void *data = stub_contents(from, size, &device);
    if (!data || !device) stub_say("WRONG buffer of Send");
    struct message *m = malloc(sizeof *m + size);
    *m = (struct message){.from = c->rank, .to = peer, .size = size};
    memcpy(m->data, data, size);
    stub_say("Send %zu type %d to %d", n, type, peer);
    pthread_mutex_lock(&lock);
    struct message **at = &c->world->mail;
    while (*at) at = &(*at)->next;
    *at = m;
    pthread_cond_broadcast(&changed);
    /* Outside of a group it waits for its receiver, as for large messages. */
    for (int there = 1; !depth && there;) {
        there = 0;
        for (struct message *i = c->world->mail; i; i = i->next) there |= i == m;
        if (there) pthread_cond_wait(&changed, &lock);
    }
    pthread_mutex_unlock(&lock);
    return 0;
}

static int receive(void *to, size_t n, int type, int peer, struct comm *c) {
    int device;
    size_t size = n * size_of(type);
    void *data = stub_contents(to, size, &device);
    if (!data || !device) stub_say("WRONG buffer of Recv");
    stub_say("Recv %zu type %d from %d", n, type, peer);
    pthread_mutex_lock(&lock);
    struct message **at;
    for (;;) {
        at = &c->world->mail;
        while (*at && ((*at)->from != peer || (*at)->to != c->rank)) at = &(*at)->next;
        if (*at) break;
        pthread_cond_wait(&changed, &lock);
    }
    struct message *m = *at;
    if (m->size != size) stub_say("WRONG size of a message");
    memcpy(data, m->data, size);
    *at = m->next;
    free(m);
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    return 0;
}

int F(Send)(const void *from, size_t n, int type, int peer, void *c, void *queue) {
    (void)queue;
    return send_(from, n, type, peer, c);
}

/* In a group it waits at the end; here sends never wait there, so that this is the same. */
int F(Recv)(void *to, size_t n, int type, int peer, void *c, void *queue) {
    (void)queue;
    return receive(to, n, type, peer, c);
}

static inline int start_group(void) {
    depth++;
    stub_say("GroupStart");
    return 0;
}

static inline int end_group(void) {
    depth--;
    return 0;
}

#endif
