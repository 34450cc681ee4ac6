/* SPDX-License-Identifier: Apache-2.0 */
/* stub.h - what the libraries of this folder share. They imitate vendors' libraries as their
 * headers describe them: they record each call in the file STUB_LOG and check it. Device memory is
 * reserved addresses without access, so that whoever touches it from the host crashes; what it
 * holds lies elsewhere. A broken rule becomes a line WRONG in the log, and an error.
 *
 * STUB_FAIL=NAME:N makes the N-th call of that function fail; STUB_MEMORY is the bytes of a
 * device; STUB_DEVICES how many there are. */
#ifndef STUB_H
#define STUB_H

#include <pthread.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum stub_kind { STUB_DEVICE, STUB_HOST, STUB_SHARED };
struct stub_block {
    struct stub_block *next;
    unsigned char *address, *contents;
    size_t size;
    enum stub_kind kind;
    int device;
};

static pthread_mutex_t stub_lock = PTHREAD_MUTEX_INITIALIZER;
static struct stub_block *stub_blocks;
static size_t stub_used[64];

static inline void stub_say(const char *format, ...) {
    const char *path = getenv("STUB_LOG");
    FILE *log = path ? fopen(path, "a") : NULL;
    va_list list;
    if (!log) return;
    va_start(list, format);
    vfprintf(log, format, list);
    va_end(list);
    fputc('\n', log);
    fclose(log);
}

static inline int stub_number(const char *name, int fallback) {
    return getenv(name) ? atoi(getenv(name)) : fallback;
}

/* Which devices the user hides: the vendor's variable, and CUDA's. */
static inline void stub_visible(const char *variable) {
    const char *own = getenv(variable), *cudas = getenv("CUDA_VISIBLE_DEVICES");
    stub_say("visible %s", own ? own : "all");
    stub_say("cuda %s", cudas ? cudas : "unset");
}

/* Whether this call of the function is the one that has to fail. */
static inline int stub_fails(const char *name) {
    static int calls;
    const char *wish = getenv("STUB_FAIL");
    size_t n = strlen(name);
    if (!wish || strncmp(wish, name, n) || wish[n] != ':') return 0;
    return __atomic_add_fetch(&calls, 1, __ATOMIC_SEQ_CST) == atoi(wish + n + 1);
}

static inline size_t stub_total(void) {
    return getenv("STUB_MEMORY") ? strtoul(getenv("STUB_MEMORY"), NULL, 10) : (size_t)1 << 30;
}

static inline void *stub_allocate(size_t size, enum stub_kind kind, int device) {
    if (kind != STUB_HOST && stub_used[device] + size > stub_total()) return NULL;
    struct stub_block *b = calloc(1, sizeof *b);
    void *contents = aligned_alloc(256, (size + 255) / 256 * 256);
    *b = (struct stub_block){.size = size, .kind = kind, .device = device, .contents = contents};
    memset(contents, 0xa5, size);
    b->address = kind == STUB_DEVICE
                     ? mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
                     : contents;
    pthread_mutex_lock(&stub_lock);
    b->next = stub_blocks;
    stub_blocks = b;
    if (kind != STUB_HOST) stub_used[device] += size;
    pthread_mutex_unlock(&stub_lock);
    return b->address;
}

static inline int stub_free(void *address, int kind) {
    pthread_mutex_lock(&stub_lock);
    struct stub_block **at = &stub_blocks, *b;
    while (*at && (*at)->address != address) at = &(*at)->next;
    b = *at;
    if (b && (kind < 0 || (int)b->kind == kind)) {
        *at = b->next;
        if (b->kind != STUB_HOST) stub_used[b->device] -= b->size;
    } else {
        b = NULL;
    }
    pthread_mutex_unlock(&stub_lock);
    if (!b) {
        stub_say("WRONG free of %s", address ? "what is not allocated so" : "NULL");
        return 0;
    }
    if (b->kind == STUB_DEVICE) munmap(b->address, b->size);
    free(b->contents);
    free(b);
    return 1;
}

/* What lies at this address; memory that is not a device's is its own. NULL: the range leaves its
   allocation. *device: whether only a device can reach it. */
void *stub_contents(const void *address, size_t size, int *device);
#ifdef STUB_RUNTIME
static __thread int stub_device = -1;

void *stub_contents(const void *address, size_t size, int *device) {
    const unsigned char *p = address;
    void *found = (void *)(uintptr_t)address;
    *device = 0;
    pthread_mutex_lock(&stub_lock);
    for (struct stub_block *b = stub_blocks; b; b = b->next) {
        if (p < b->address || p >= b->address + b->size) continue;
        *device = b->kind == STUB_DEVICE;
        found = p + size <= b->address + b->size ? b->contents + (p - b->address) : NULL;
    }
    pthread_mutex_unlock(&stub_lock);
    return found;
}

/* to_device and from_device: what the call says; -1: it does not say. */
static inline int stub_copy(void *to, const void *from, size_t size, int to_device,
                            int from_device) {
    int d, s;
    void *target = stub_contents(to, size, &d), *source = stub_contents(from, size, &s);
    if (!target || !source) {
        stub_say("WRONG copy beyond an allocation");
        return 0;
    }
    if ((to_device >= 0 && to_device != d) || (from_device >= 0 && from_device != s)) {
        stub_say("WRONG direction of a copy");
        return 0;
    }
    pthread_mutex_lock(&stub_lock); /* a device moves one thing after the other */
    memmove(target, source, size);
    pthread_mutex_unlock(&stub_lock);
    return 1;
}

static inline int stub_fill(void *to, int value, size_t size) {
    int device;
    void *target = stub_contents(to, size, &device);
    if (!target || !device) {
        stub_say("WRONG fill");
        return 0;
    }
    pthread_mutex_lock(&stub_lock);
    memset(target, value, size);
    pthread_mutex_unlock(&stub_lock);
    return 1;
}

static inline int stub_needs_device(const char *name) {
    if (stub_device >= 0) return 1;
    stub_say("WRONG %s before a device was set on this thread", name);
    return 0;
}

/* Queues. What is put into one is done when somebody waits for it, and not before: who does not
   wait sees old values. */
static int stub_queues, stub_live_queues;
struct stub_work {
    struct stub_work *next;
    void *to;
    const void *from; /* NULL: a fill */
    size_t size;
    int value, to_device, from_device;
    const unsigned char *pattern; /* a fill's value is read as late as can be; NULL: `value` */
};
struct stub_queue {
    int magic, number, device;
    struct stub_work *first, **last;
};
static inline void *stub_queue_new(int device) {
    struct stub_queue *q = malloc(sizeof *q);
    *q = (struct stub_queue){0x5eed, __atomic_add_fetch(&stub_queues, 1, __ATOMIC_SEQ_CST), device,
                             NULL, NULL};
    q->last = &q->first;
    __atomic_add_fetch(&stub_live_queues, 1, __ATOMIC_SEQ_CST);
    return q;
}
static inline int stub_queue_check(void *queue) {
    struct stub_queue *q = queue;
    if (q && q->magic == 0x5eed) return 1;
    stub_say("WRONG queue");
    return 0;
}
static inline int stub_put(void *queue, struct stub_work work) {
    struct stub_queue *q = queue;
    int device, host = 0;
    const void *ends[] = {work.to, work.from};
    if (!stub_queue_check(queue)) return 0;
    for (int i = 0; i < 2; i++) {
        if (!ends[i]) continue;
        if (!stub_contents(ends[i], work.size, &device)) {
            stub_say("WRONG asynchronous copy beyond an allocation");
            return 0;
        }
        host = !device;
        pthread_mutex_lock(&stub_lock);
        for (struct stub_block *b = stub_blocks; b && host; b = b->next)
            host = (const unsigned char *)ends[i] < b->address ||
                   (const unsigned char *)ends[i] >= b->address + b->size;
        pthread_mutex_unlock(&stub_lock);
        if (host) stub_say("WRONG asynchronous copy of memory that is not pinned");
    }
    struct stub_work *w = malloc(sizeof *w);
    *w = work;
    w->next = NULL;
    pthread_mutex_lock(&stub_lock);
    *q->last = w;
    q->last = &w->next;
    pthread_mutex_unlock(&stub_lock);
    return 1;
}
/* At most so many; 0: none was left. */
static inline int stub_drain(void *queue, int most) {
    struct stub_queue *q = queue;
    int done = 0;
    for (; done < most; done++) {
        pthread_mutex_lock(&stub_lock);
        struct stub_work *w = q->first;
        if (w && !(q->first = w->next)) q->last = &q->first;
        pthread_mutex_unlock(&stub_lock);
        if (!w) break;
        if (w->from)
            stub_copy(w->to, w->from, w->size, w->to_device, w->from_device);
        else
            stub_fill(w->to, w->pattern ? *w->pattern : w->value, w->size);
        free(w);
    }
    return done;
}
static inline void stub_queue_free(void *queue) {
    if (((struct stub_queue *)queue)->first) stub_say("WRONG queue destroyed with work in it");
    stub_drain(queue, 1 << 30);
    ((struct stub_queue *)queue)->magic = 0;
    free(queue);
    __atomic_sub_fetch(&stub_live_queues, 1, __ATOMIC_SEQ_CST);
}

__attribute__((destructor)) static void stub_end(void) {
    int count[3] = {0};
    for (struct stub_block *b = stub_blocks; b; b = b->next) count[b->kind]++;
    stub_say("END device %d, host %d, shared %d, queues %d left", count[0], count[1], count[2],
             stub_live_queues);
}
#endif

#endif
