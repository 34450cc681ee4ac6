/* SPDX-License-Identifier: Apache-2.0 */
/* pool.c - a loop over independent items in several threads.
 *
 * Files do not depend on each other, so a shared counter is all the scheduling there is. How many
 * threads pay is what this process may use, not what the machine has: containers grant less. */
#include "pool.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    MAX_JOBS = 256,
    STACK_SIZE = 4 * 1024 * 1024 /* the same everywhere: C libraries differ widely */
};

struct pool {
    void (*fn)(void *ctx, size_t worker, size_t index);
    void *ctx;
    size_t count;
    atomic_size_t next;
};

struct worker {
    struct pool *pool;
    size_t number;
    pthread_t thread;
};

static void *work(void *arg) {
    struct worker *w = arg;
    for (;;) {
        size_t index = atomic_fetch_add(&w->pool->next, 1);
        if (index >= w->pool->count) return NULL;
        w->pool->fn(w->pool->ctx, w->number, index);
    }
}

void pool_run(size_t jobs, size_t count, void (*fn)(void *ctx, size_t worker, size_t index),
              void *ctx) {
    struct pool pool = {.fn = fn, .ctx = ctx, .count = count};
    struct worker workers[MAX_JOBS];
    size_t started = 1;
    if (jobs > MAX_JOBS) jobs = MAX_JOBS;
    if (jobs > count) jobs = count;
    if (jobs > 1) {
        pthread_attr_t attr;
        pthread_attr_init(&attr);
        pthread_attr_setstacksize(&attr, STACK_SIZE);
        for (; started < jobs; started++) {
            struct worker *w = &workers[started];
            *w = (struct worker){.pool = &pool, .number = started};
            if (pthread_create(&w->thread, &attr, work, w) != 0) break;
        }
        pthread_attr_destroy(&attr);
    }
    workers[0] = (struct worker){.pool = &pool};
    work(&workers[0]);
    for (size_t i = 1; i < started; i++) pthread_join(workers[i].thread, NULL);
}

/* ---- how many ---- */

#ifndef CPU_ALLOC /* a system that gives each process all processors */
static size_t affinity_cpus(void) {
    long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n > 0 ? (size_t)n : 0;
}
#else
static size_t affinity_cpus(void) {
    for (int cpus = 1024; cpus <= 1 << 20; cpus *= 2) {
        cpu_set_t *set = CPU_ALLOC(cpus);
        if (!set) return 0;
        size_t size = CPU_ALLOC_SIZE(cpus);
        int got = sched_getaffinity(0, size, set), err = errno;
        int n = got == 0 ? CPU_COUNT_S(size, set) : 0;
        CPU_FREE(set);
        if (got == 0) return (size_t)n;
        if (err != EINVAL) return 0; /* EINVAL: the machine has more processors */
    }
    return 0;
}
#endif

size_t pool_quota_cpus(struct str cpu_max) {
    char text[64];
    if (cpu_max.n >= sizeof text) return 0;
    if (cpu_max.n) memcpy(text, cpu_max.p, cpu_max.n);
    text[cpu_max.n] = 0;
    char *end;
    unsigned long long quota = strtoull(text, &end, 10); /* "max" reads as 0 */
    unsigned long long period = strtoull(end, NULL, 10);
    if (end == text || quota == 0 || period == 0 || quota > LONG_MAX) return 0;
    return (size_t)((quota + period - 1) / period);
}

static struct str read_small(const char *path, char *p, size_t room) {
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return S("");
    ssize_t n = read(fd, p, room);
    close(fd);
    return (struct str){p, n > 0 ? (size_t)n : 0};
}

/* The tightest limit on the way from our control group (version 2) up to the root; 0: none. */
static size_t cgroup_cpus(void) {
    char text[2048], path[PATH_MAX + 64];
    struct str groups = read_small("/proc/self/cgroup", text, sizeof text);
    size_t start = 0, least = 0;
    while (start < groups.n && !str_starts(str_sub(groups, start, groups.n), S("0::/")))
        start = str_find(groups, S("\n"), start) + 1;
    if (start >= groups.n) return 0;
    struct str group = str_sub(groups, start + 3, str_find(groups, S("\n"), start));
    for (;;) {
        char limit[64];
        snprintf(path, sizeof path, "/sys/fs/cgroup%.*s/cpu.max", STR_ARG(group));
        size_t cpus = pool_quota_cpus(read_small(path, limit, sizeof limit - 1));
        if (cpus && (!least || cpus < least)) least = cpus;
        if (group.n == 0) return least;
        while (group.n > 0 && group.p[--group.n] != '/') continue;
    }
}

size_t pool_default_jobs(void) {
    size_t cpus = affinity_cpus(), quota = cgroup_cpus();
    if (quota && quota < cpus) cpus = quota;
    if (cpus > MAX_JOBS) cpus = MAX_JOBS;
    return cpus ? cpus : 1;
}
