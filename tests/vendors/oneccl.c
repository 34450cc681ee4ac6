/* SPDX-License-Identifier: Apache-2.0 */
/* A stand-in for libccl.so.2, oneCCL's C interface: ranks are processes of one machine, which find
 * each other by a file whose name is the id. As documented for a stream of NULL: buffers are the
 * host's, and a call returns when it is done. */
#include "stub.h"
#include <fcntl.h>
#include <unistd.h>

enum { MOST = 8, ROOM = 1 << 16, BAD = 4, F32 = 7, I32 = 2, U8 = 1 };
struct id {
    char data[4096];
};
struct world {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    int ready, ranks, waiting, generation;
    int color[MOST], key[MOST];
    char child[MOST][64];
    unsigned char data[MOST][ROOM];
    size_t mail[MOST][MOST]; /* bytes + 1 on their way */
    unsigned char letters[MOST][MOST][ROOM];
};
struct comm {
    int rank;
    struct world *world;
};
static int live, depth, device_set;

__attribute__((destructor)) static void end(void) { stub_say("END %d communicators left", live); }

static void lock(struct world *w) { pthread_mutex_lock(&w->lock); }
static void unlock(struct world *w) { pthread_mutex_unlock(&w->lock); }

static void meet(struct world *w) {
    lock(w);
    int generation = w->generation;
    if (++w->waiting == w->ranks) {
        w->waiting = 0;
        w->generation++;
        pthread_cond_broadcast(&w->changed);
    }
    while (w->generation == generation) pthread_cond_wait(&w->changed, &w->lock);
    unlock(w);
}

int onecclSetDevice(uint32_t index) {
    device_set = 1;
    return (int)index < stub_number("STUB_DEVICES", 2) ? 0 : BAD;
}

int onecclGetUniqueId(struct id *id) {
    static int count;
    memset(id, 0, sizeof *id);
    snprintf(id->data, sizeof id->data, "/oneccl-stub-%ld-%d", (long)getpid(), count++);
    return 0;
}

static struct world *make(const char *name, int first, int ranks) {
    int file = -1;
    for (int i = 0; file < 0 && i < 2000; i++) {
        file = shm_open(name, first ? O_CREAT | O_RDWR : O_RDWR, 0600);
        if (file < 0) usleep(5000);
    }
    if (file < 0 || (first && ftruncate(file, sizeof(struct world)))) return NULL;
    struct world *w = NULL;
    for (int i = 0; i < 2000 && lseek(file, 0, SEEK_END) < (off_t)sizeof *w; i++) usleep(5000);
    w = mmap(NULL, sizeof *w, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    if (first) {
        pthread_mutexattr_t m;
        pthread_condattr_t c;
        pthread_mutexattr_init(&m);
        pthread_condattr_init(&c);
        pthread_mutexattr_setpshared(&m, PTHREAD_PROCESS_SHARED);
        pthread_condattr_setpshared(&c, PTHREAD_PROCESS_SHARED);
        pthread_mutex_init(&w->lock, &m);
        pthread_cond_init(&w->changed, &c);
        w->ranks = ranks;
        __atomic_store_n(&w->ready, 1, __ATOMIC_RELEASE);
    }
    while (!__atomic_load_n(&w->ready, __ATOMIC_ACQUIRE)) usleep(1000);
    return w;
}

int onecclCommInitRank(struct comm **made, size_t ranks, struct id id, int rank) {
    stub_say("join %d of %zu", rank, ranks);
    if (!device_set) stub_say("WRONG: no device was set");
    if (ranks > MOST || rank < 0 || rank >= (int)ranks) return BAD;
    struct world *w = make(id.data, rank == 0, (int)ranks);
    if (!w) return BAD;
    *made = malloc(sizeof **made);
    **made = (struct comm){rank, w};
    live++;
    meet(w);
    if (rank == 0) shm_unlink(id.data);
    return 0;
}

int onecclCommDestroy(struct comm *c) {
    free(c);
    live--;
    return 0;
}

int onecclCommCount(struct comm *c, int *n) {
    *n = c->world->ranks;
    return 0;
}

int onecclCommUserRank(struct comm *c, int *n) {
    *n = c->rank;
    return 0;
}

int onecclCommSplit(struct comm *c, int color, int key, struct comm **made, void *config) {
    struct world *w = c->world;
    int ranks = 0, rank = 0, first = -1;
    struct id id;
    stub_say("CommSplit color %d key %d rank %d", color, key, c->rank);
    *made = NULL;
    if (config) return BAD;
    w->color[c->rank] = color, w->key[c->rank] = key;
    onecclGetUniqueId(&id);
    memcpy(w->child[c->rank], id.data, sizeof w->child[0]);
    meet(w);
    for (int r = 0; r < w->ranks; r++) {
        if (w->color[r] != color) continue;
        if (first < 0) first = r;
        ranks++;
        rank += w->key[r] < key || (w->key[r] == key && r < c->rank);
    }
    memcpy(id.data, w->child[first], sizeof w->child[0]);
    meet(w);
    return color < 0 ? 0 : onecclCommInitRank(made, (size_t)ranks, id, rank);
}

static size_t size_of(int type) { return type == U8 ? 1 : type == F32 || type == I32 ? 4 : 0; }

static int called(const char *name, size_t count, int type, struct comm *c, void *stream) {
    stub_say("%s %zu type %d rank %d", name, count, type, c->rank);
    if (stream) stub_say("WRONG: a stream that is no SYCL queue");
    if (!size_of(type) || count * size_of(type) > ROOM) stub_say("WRONG type or size");
    return !stream && size_of(type);
}

static void combine(void *sum, const void *x, size_t n, int type, int op) {
    float *f = sum;
    int *k = sum;
    for (size_t i = 0; i < n; i++) {
        float y = ((const float *)x)[i];
        int z = ((const int *)x)[i];
        if (type == F32) f[i] = op == 2 ? (f[i] > y ? f[i] : y) : f[i] + y;
        if (type == I32) k[i] = op == 2 ? (k[i] > z ? k[i] : z) : k[i] + z;
    }
}

/* Everybody's data, then what becomes of them at `offset`; NULL: nothing of it is mine. */
static int collect(const void *from, size_t bytes, struct comm *c) {
    if (from) memcpy(c->world->data[c->rank], from, bytes);
    meet(c->world);
    return 0;
}

static void reduced(void *to, size_t offset, size_t n, int type, int op, struct world *w) {
    memcpy(to, w->data[0] + offset, n * size_of(type));
    for (int r = 1; r < w->ranks; r++) combine(to, w->data[r] + offset, n, type, op);
    for (size_t i = 0; op == 4 && i < n; i++) ((float *)to)[i] /= (float)w->ranks;
}

int onecclAllReduce(void *from, void *to, size_t n, int type, int op, struct comm *c, void *s) {
    if (!called("AllReduce", n, type, c, s)) return BAD;
    collect(from, n * size_of(type), c);
    reduced(to, 0, n, type, op, c->world);
    meet(c->world);
    return 0;
}

int onecclReduce(const void *from, void *to, size_t n, int type, int op, int root, struct comm *c,
                 void *s) {
    if (!called("Reduce", n, type, c, s)) return BAD;
    collect(from, n * size_of(type), c);
    if (c->rank == root) reduced(to, 0, n, type, op, c->world);
    meet(c->world);
    return 0;
}

int onecclBroadcast(const void *from, void *to, size_t n, int type, int root, struct comm *c,
                    void *s) {
    if (!called("Broadcast", n, type, c, s)) return BAD;
    collect(c->rank == root ? from : NULL, n * size_of(type), c);
    memcpy(to, c->world->data[root], n * size_of(type));
    meet(c->world);
    return 0;
}

int onecclAllGather(void *from, void *to, size_t n, int type, struct comm *c, void *s) {
    if (!called("AllGather", n, type, c, s)) return BAD;
    size_t bytes = n * size_of(type);
    collect(from, bytes, c);
    for (int r = 0; r < c->world->ranks; r++)
        memcpy((char *)to + (size_t)r * bytes, c->world->data[r], bytes);
    meet(c->world);
    return 0;
}

int onecclReduceScatter(void *from, void *to, size_t n, int type, int op, struct comm *c,
                        void *s) {
    if (!called("ReduceScatter", n, type, c, s)) return BAD;
    size_t bytes = n * size_of(type);
    collect(from, bytes * (size_t)c->world->ranks, c);
    reduced(to, (size_t)c->rank * bytes, n, type, op, c->world);
    meet(c->world);
    return 0;
}

int onecclSend(void *from, size_t n, int type, int peer, struct comm *c, void *s) {
    if (!called("Send", n, type, c, s)) return BAD;
    if (!depth) stub_say("WRONG: a send that waits for its receiver, outside of a group");
    struct world *w = c->world;
    lock(w);
    memcpy(w->letters[c->rank][peer], from, n * size_of(type));
    w->mail[c->rank][peer] = n * size_of(type) + 1;
    pthread_cond_broadcast(&w->changed);
    unlock(w);
    return 0;
}

int onecclRecv(void *to, size_t n, int type, int peer, struct comm *c, void *s) {
    if (!called("Recv", n, type, c, s)) return BAD;
    struct world *w = c->world;
    lock(w);
    while (!w->mail[peer][c->rank]) pthread_cond_wait(&w->changed, &w->lock);
    if (w->mail[peer][c->rank] != n * size_of(type) + 1) stub_say("WRONG size of a message");
    memcpy(to, w->letters[peer][c->rank], n * size_of(type));
    w->mail[peer][c->rank] = 0;
    unlock(w);
    return 0;
}

int onecclGroupStart(void) {
    depth++;
    return 0;
}

int onecclGroupEnd(void) {
    depth--;
    return 0;
}
