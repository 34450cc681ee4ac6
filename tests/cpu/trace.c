/* Linked into ported programs by tests/cpu/matrix.sh (-Wl,--wrap=...), to compare how kernels run.
 * After each launch a line goes to the file TRACE: the kernel, its shape, and a hash of all memory
 * that the library knows. New memory holds zeroes. SHAPES=SEED launches kernels with random
 * shapes, none larger than what was asked for: then nothing reaches out of its memory, and both
 * ways of running a kernel must still do the same. */
#include "../../runtime/src/memory.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

cmError_t __real_cmKernelLaunch(const cmKernelCall *call);
cmError_t __wrap_cmKernelLaunch(const cmKernelCall *call);
bool __real_cm_memory_insert(const struct cm_allocation *allocation);
bool __wrap_cm_memory_insert(const struct cm_allocation *allocation);
extern char __executable_start[], _end[];

static uint64_t mix(uint64_t hash, uint64_t word) {
    hash = (hash ^ word) * 0x9e3779b97f4a7c15u;
    return hash ^ hash >> 29;
}

/* Addresses differ from run to run: of one into memory only the place in it counts. */
static uint64_t word_of(uint64_t word) {
    const uintptr_t address = (uintptr_t)word;
    if (address >= (uintptr_t)__executable_start && address < (uintptr_t)_end) return 1;
    if (address < 1 << 20) return word;
    const struct cm_allocation *a = cm_memory_find((void *)address);
    return a ? address - (uintptr_t)a->base : word;
}

static uint64_t hash_memory(void) {
    uint64_t hash = 1;
    const struct cm_allocation *a = cm_memory_after(NULL);
    uint64_t sum = 0; /* the order of allocations is that of addresses: it must not count */
    for (; a; a = cm_memory_after(a->base), sum += hash, hash = 1) {
        if (a->kind == CM_REGISTERED || a->kind == CM_RESERVED) continue;
        size_t at = 0;
        for (uint64_t word; at + sizeof word <= a->size; at += sizeof word) {
            memcpy(&word, a->base + at, sizeof word);
            hash = mix(hash, word_of(word));
        }
        for (; at < a->size; at++) hash = mix(hash, a->base[at]);
        hash = mix(hash, a->size);
    }
    return sum;
}

/* ---- shapes ---- */

static uint64_t random_now;
static unsigned int up_to(unsigned int most) {
    random_now = mix(random_now, 77);
    return most < 2 ? most : 1 + (unsigned int)(random_now >> 16) % most;
}

/* One time in four a dimension stays as it is; rows of whole warps are likely. */
static unsigned int some(unsigned int most, unsigned int step) {
    const unsigned int how = up_to(4);
    if (how == 1) return most;
    if (how < 4 && most > step) return (up_to(most / step)) * step;
    return up_to(most);
}

static cmKernelCall reshaped(const cmKernelCall *call, uint64_t seed, uint64_t launch) {
    cmKernelCall c = *call;
    if (!seed) return c;
    random_now = mix(seed, launch);
    c.grid = (dim3){some(c.grid.x, 1), some(c.grid.y, 1), some(c.grid.z, 1)};
    c.block = (dim3){some(c.block.x, 32), some(c.block.y, 1), some(c.block.z, 1)};
    return c;
}

/* Until nothing is under way, without helping: all kernels run on the library's own thread, so that
   a block finds in shared memory what the one before it left there, in both ways of running. False:
   a stream is captured, or a second has not been enough (the work waits for its program). */
static bool idle(void) {
    for (int ms = 0; ms < 1000; ms++) {
        int busy = 0, capturing = 0;
        cm_lock_take();
        for (int i = 0; i < CM_MAX_DEVICES; i++)
            busy += cm_devices[i].busy, capturing += cm_devices[i].capturing;
        cm_lock_give();
        if (!busy || capturing) return !capturing;
        nanosleep(&(struct timespec){0, 1000000}, NULL);
    }
    return false;
}

/* ---- what the program calls ---- */

bool __wrap_cm_memory_insert(const struct cm_allocation *a) {
    if (a->kind != CM_REGISTERED && a->kind != CM_RESERVED) memset(a->base, 0, a->size);
    return __real_cm_memory_insert(a);
}

cmError_t __wrap_cmKernelLaunch(const cmKernelCall *call) {
    static FILE *file;
    static uint64_t launches, seed;
    if (!file) {
        const char *name = getenv("TRACE"), *shapes = getenv("SHAPES");
        file = fopen(name ? name : "/dev/null", "w");
        seed = shapes ? strtoull(shapes, NULL, 10) : 0;
    }
    if (!file || cmKernelInside()) return __real_cmKernelLaunch(call);
    const cmKernelCall c = reshaped(call, seed, launches++);
    const cmError_t error = __real_cmKernelLaunch(&c);
    if (!idle()) return error;
    cm_lock_take();
    const uint64_t hash = hash_memory();
    cm_lock_give();
    fprintf(file, "%s (%u, %u, %u) (%u, %u, %u) %d: %016llx\n", c.name, c.grid.x, c.grid.y,
            c.grid.z, c.block.x, c.block.y, c.block.z, error, (unsigned long long)hash);
    fflush(file);
    return error;
}
