/* SPDX-License-Identifier: Apache-2.0 */
/* Memory for checked mode. Each allocation has its end right before pages without access, and lies
 * in a range of addresses in which nothing else is, far from all others: whatever int an index
 * is by mistake, it leads into this range, and to no other allocation.
 *
 * The range is made of slots of a few widths, the widest first; pages are there only where
 * something is allocated. Slots are taken in turns, so that an address is not used again soon.
 * Where there is no such range (a limit on addresses, another sanitizer, a small address space)
 * memory comes from anywhere, between CM_GUARD bytes without access. */
#include "memory.h"
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { WIDTHS = 3 };
static struct {
    int width;      /* of a slot, as a power of two */
    size_t slots;   /* how many */
    size_t turn;    /* which is the next to look at */
    unsigned char *base, *used; /* NULL: not asked for yet, or there is none */
} ranges[WIDTHS] = {{.width = 35, .slots = 256}, {.width = 30, .slots = 4096},
                    {.width = 24, .slots = 1 << 16}};
static bool asked;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of used and turn: ranges never go */

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || SIZE_MAX < UINT64_MAX
enum { CAN_RESERVE = false };
#else
enum { CAN_RESERVE = true };
#endif

static void reserve(void) {
    asked = true;
    for (int i = 0; i < WIDTHS && CAN_RESERVE; i++) {
        unsigned char *used = calloc(ranges[i].slots, 1);
        void *base = used ? mmap(NULL, ranges[i].slots << ranges[i].width, PROT_NONE,
                                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)
                          : MAP_FAILED;
        if (base == MAP_FAILED) {
            free(used);
            continue;
        }
        ranges[i].used = used;
        ranges[i].base = base;
    }
}

/* Which range has this address, or -1. */
static int range_of(const void *address) {
    for (int i = 0; i < WIDTHS; i++)
        if (ranges[i].base && (size_t)((const unsigned char *)address - ranges[i].base) <
                                  ranges[i].slots << ranges[i].width)
            return i;
    return -1;
}

bool cm_guarded_has(const void *address) { return range_of(address) >= 0; }

/* A free slot's middle, or NULL. */
static unsigned char *take_slot(size_t body, size_t page) {
    for (int i = 0; i < WIDTHS; i++) {
        size_t width = (size_t)1 << ranges[i].width;
        if (!ranges[i].base || body > width / 2) continue;
        for (size_t n = 0; n < ranges[i].slots; n++) {
            size_t slot = ranges[i].turn++ % ranges[i].slots;
            if (ranges[i].used[slot]) continue;
            unsigned char *at = ranges[i].base + slot * width + (width - body) / 2 / page * page;
            if (mprotect(at, body, PROT_READ | PROT_WRITE)) return NULL;
            ranges[i].used[slot] = 1;
            return at;
        }
    }
    return NULL;
}

unsigned char *cm_guarded_new(size_t size, size_t *whole) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE), body = (size + page - 1) / page * page;
    *whole = body + 2 * CM_GUARD;
    pthread_mutex_lock(&lock);
    if (!asked) reserve();
    unsigned char *base = take_slot(body, page);
    pthread_mutex_unlock(&lock);
    if (!base) {
        void *all = mmap(NULL, *whole, PROT_READ | PROT_WRITE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (all == MAP_FAILED) return NULL;
        base = (unsigned char *)all + CM_GUARD;
        mprotect(all, CM_GUARD, PROT_NONE);
        mprotect(base + body, CM_GUARD, PROT_NONE);
    }
    return base + (body - size) / 16 * 16;
}

void cm_guarded_free(void *base, size_t whole) {
    uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    unsigned char *first = (unsigned char *)((uintptr_t)base / page * page);
    int i = range_of(first);
    if (i < 0) {
        munmap(first - CM_GUARD, whole);
        return;
    }
    /* What was there goes; the addresses stay taken, and without access. */
    mmap(first, whole - 2 * CM_GUARD, PROT_NONE,
         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
    pthread_mutex_lock(&lock);
    ranges[i].used[(size_t)(first - ranges[i].base) >> ranges[i].width] = 0;
    pthread_mutex_unlock(&lock);
}
