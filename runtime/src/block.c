/* SPDX-License-Identifier: Apache-2.0 */
/* One block of a kernel on one thread of the machine.
 *
 * The kernel's function runs thread after thread as a plain loop, on the caller's stack. When a
 * thread has to wait (barrier, warp operation), the loop is set aside with it, and another fiber
 * runs the threads behind it in the same way. Kernels that never wait never leave the loop. Inside
 * a block nothing runs at the same time; switches happen only where a thread waits. */
#include "fiber.h"
#include "grid.h"
#include "watch.h"
#include <cuda_morph/check.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST = CM_MAX_THREADS_PER_BLOCK, WARPS = MOST / 32, RING = 2048, GUARDED = 1 << 14 };

/* A fiber and the thread that it carries. */
struct task {
    struct cm_fiber fiber;
    unsigned int first, thread; /* `first` in the order of beginning */
    bool bound; /* it has waited: `thread` is its only one; else all from `first` on */
    unsigned int votes, voters; /* a barrier's answer */
    uint64_t present;           /* a warp operation's */
    const void *site;           /* of the barrier at which it waits */
    unsigned int mark;          /* and which it is in the source, if that was said */
};

/* Lanes that came to the same warp operation. */
struct group {
    uint64_t mask; /* 0: whoever comes */
    const void *site, *from;
    void (*combine)(void **records, uint64_t present);
    uint64_t arrived;
};

struct warp {
    uint64_t alive, blocked; /* lanes that have not ended; of these, that wait */
    unsigned int groups;
    struct group group[64];
    void *records[64];
    struct task *tasks[64];
};

/* What messages call a kernel. */
struct kernel_name {
    int length;
    const char *text;
};

/* The kernel's name: compilers give it as that of a template's argument. */
static struct kernel_name name_of(const struct cm_grid *grid) {
    const char *text = grid->call.name ? grid->call.name : "", *end;
    const char *inside = strstr(text, "Kernel = ");
    if (inside) text = inside + strlen("Kernel = ");
    if (*text == '&') text++;
    end = inside ? strrchr(text, ']') : NULL;
    size_t length = end ? (size_t)(end - text) : strlen(text);
    return (struct kernel_name){length < 200 ? (int)length : 200, text};
}

struct runner {
    struct cm_grid *grid; /* NULL: not in a kernel */
    struct kernel_name name;
    cmKernelBlock block;
    void (*threads)(const void *arguments, const cmKernelBlock *block, unsigned int first);
    const void *arguments; /* of the kernel, or of the part of it that runs now */
    struct task native, *current;
    struct task *tasks[MOST], *free[MOST];
    unsigned int made, free_count;
    unsigned int next, live; /* the first thread not begun; how many have not ended */
    struct cm_order *order;  /* `next`, and tasks' `first`, count in it; NULL: the usual one */
    struct task *ready[RING];
    unsigned int ready_first, ready_end;
    struct task *waiting[MOST]; /* at the barrier */
    unsigned int arrived, votes, at_gate;
    unsigned int now;
    uint32_t interval, warp_interval[WARPS]; /* watched: a new number after each barrier */
    unsigned int mark;                       /* watched: of the barrier that comes next */
    unsigned int over, over_first;           /* how many came to the kernel's end, and which */
    bool waits;                /* a thread of the block has waited: the warps' state counts */
    const unsigned char *left; /* which threads ended before this part, or NULL */
    int warp_size, warp_shift;
    struct warp *warps;
    unsigned char *shared, *shared_end;
    struct cm_vain vain;
    void *escape[5];
    void *signal_stack;
};

static _Thread_local struct runner *mine;

struct cm_grid *cm_block_grid(void) {
    return mine ? mine->grid : NULL;
}
int cmKernelInside(void) { return mine && mine->grid; }

/* ---- choosing who runs next ---- */

static void make_ready(struct runner *r, struct task *task) {
    r->ready[r->ready_end++ % RING] = task;
}

static void switch_to(struct runner *r, struct task *to) {
    struct task *from = r->current;
    if (to == from) return;
    r->current = to;
    cm_fiber_switch(&from->fiber, &to->fiber);
    r->now = from->thread;
}

static void barrier_release(struct runner *r);
static void unblock_all(struct runner *r);
static void task_main(void);

static struct task *new_task(struct runner *r) {
    if (r->free_count) return r->free[--r->free_count];
    struct task *task = calloc(1, sizeof *task);
    size_t size = cm_device()->limits[cmLimitStackSize];
    if (size < 64 << 10) size = 64 << 10;
    /* Each guard page costs two of the 65,000 mappings that Linux gives a process. */
    uint64_t blocks = r->grid->call.cooperative ? r->grid->total : r->grid->helpers;
    bool many = blocks * r->block.threads > GUARDED;
    bool guard = (cm_settings.check || cm_settings.workers <= 24) && !many;
    if (!task || cm_fiber_make(&task->fiber, size, r->made, guard)) {
        free(task);
        cmKernelTrap(cmErrorLaunchOutOfResources);
    }
    cm_fiber_set(&task->fiber, task_main);
    return r->tasks[r->made++] = task;
}

/* Leaves the current task for whoever can run; returns when it is resumed. */
static void schedule(struct runner *r) {
    for (;;) {
        if (r->ready_first != r->ready_end) {
            switch_to(r, r->ready[r->ready_first++ % RING]);
            return;
        }
        if (r->next < r->block.threads) {
            switch_to(r, new_task(r));
            return;
        }
        if (!r->live) {
            switch_to(r, &r->native);
            return;
        }
        unblock_all(r);
    }
}

/* ---- warp operations ---- */

static struct warp *warp_of(struct runner *r, unsigned int thread) {
    return &r->warps[thread >> r->warp_shift];
}

/* Lanes that an operation waits for have to come; that they have ended is no excuse. */
static void check_lanes(struct runner *r, const struct warp *w, const struct group *group) {
    unsigned int number = (unsigned int)(w - r->warps), first = number << r->warp_shift;
    unsigned int lanes = r->block.threads - first;
    uint64_t all = lanes >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << lanes) - 1;
    uint64_t missing = group->mask & all & ~group->arrived;
    if (missing) cm_report_lanes(group->from, number, group->mask, missing);
}

static void complete(struct runner *r, struct warp *w, unsigned int number) {
    struct group group = w->group[number];
    if (cm_settings.checks & CM_CHECK_SYNC) check_lanes(r, w, &group);
    r->warp_interval[w - r->warps]++;
    w->group[number] = w->group[--w->groups];
    void *records[64] = {NULL};
    for (int lane = 0; lane < 64; lane++)
        if (group.arrived >> lane & 1) records[lane] = w->records[lane];
    if (group.combine) group.combine(records, group.arrived);
    for (int lane = 0; lane < 64; lane++) {
        if (!(group.arrived >> lane & 1)) continue;
        w->tasks[lane]->present = group.arrived;
        if (w->tasks[lane] != r->current) make_ready(r, w->tasks[lane]);
    }
    w->blocked &= ~group.arrived;
}

/* Completes what is complete: groups whose living lanes are all here, and, where no lane of the
   warp can run, those that wait for whoever comes. */
static void look_at_warp(struct runner *r, struct warp *w) {
    for (unsigned int i = w->groups; i-- > 0;)
        if (w->group[i].mask && !(w->group[i].mask & w->alive & ~w->group[i].arrived))
            complete(r, w, i);
    if (w->alive & ~w->blocked) return;
    for (unsigned int i = w->groups; i-- > 0;)
        if (!w->group[i].mask) complete(r, w, i);
}

/* Nobody can run: warp operations go on with the lanes that came. */
static void unblock_all(struct runner *r) {
    bool any = false;
    for (unsigned int i = 0; r->waits && i << r->warp_shift < r->block.threads; i++) {
        struct warp *w = &r->warps[i];
        while (w->groups) {
            any = true;
            if (cm_settings.check) check_lanes(r, w, &w->group[0]);
            complete(r, w, 0);
        }
    }
    if (!any)
        cmKernelTrap(cmErrorLaunchFailure); /* some at the block's barrier, some at the grid's */
}

/* ---- threads begin, wait and end ---- */

static uint64_t lane_bit(const struct runner *r, unsigned int thread) {
    return (uint64_t)1 << (thread & ((unsigned)r->warp_size - 1));
}

/* From the first wait on it matters which threads have not ended. */
static void begin_to_wait(struct runner *r) {
    unsigned int threads = r->block.threads, size = (unsigned int)r->warp_size;
    r->waits = true;
    for (unsigned int i = 0; i * size < threads; i++) {
        unsigned int lanes = threads - i * size < size ? threads - i * size : size;
        r->warps[i].alive = lanes == 64 ? ~(uint64_t)0 : ((uint64_t)1 << lanes) - 1;
        r->warps[i].blocked = r->warps[i].groups = 0;
    }
    for (unsigned int t = 0; r->left && t < threads; t++)
        if (r->left[t]) warp_of(r, t)->alive &= ~lane_bit(r, t);
}

/* When a thread begins. */
static unsigned int place_of(const struct runner *r, unsigned int thread) {
    return r->order ? r->order->place[thread] : thread;
}

static void ended(struct runner *r, unsigned int first, unsigned int end) {
    if (!r->waits) { /* nobody ever waited: all of them */
        r->live = 0;
        return;
    }
    for (unsigned int i = first; i < end; i++) {
        unsigned int t = r->order ? r->order->order[i] : i;
        struct warp *w = warp_of(r, t);
        if (!(w->alive & lane_bit(r, t))) continue;
        w->alive &= ~lane_bit(r, t);
        r->live--;
        if (w->groups) look_at_warp(r, w);
    }
    if (r->live && r->arrived == r->live) barrier_release(r);
}

/* The current thread is about to wait: from now on its fiber carries it alone. */
static struct task *hold(struct runner *r, unsigned int thread) {
    struct task *task = r->current;
    if (task->bound) return task;
    if (!r->waits) begin_to_wait(r);
    task->bound = true;
    task->thread = thread;
    unsigned int place = place_of(r, thread);
    r->next = place + 1;
    if (place > task->first) ended(r, task->first, place);
    return task;
}

static void run_threads(struct runner *r, struct task *task) {
    task->first = r->next;
    task->bound = false;
    r->next = r->block.threads;
    r->threads(r->arguments, &r->block, task->first);
    unsigned int place = place_of(r, task->thread);
    if (task->bound)
        ended(r, place, place + 1);
    else
        ended(r, task->first, r->block.threads);
}

static void task_main(void) {
    struct runner *r = mine;
    struct task *task = r->current;
    cm_fiber_begun(&task->fiber);
    for (;;) {
        run_threads(r, task);
        if (r->next < r->block.threads && r->ready_first == r->ready_end) continue;
        r->free[r->free_count++] = task;
        schedule(r);
    }
}

/* ---- barriers ---- */

/* All wait at one and the same, as CUDA demands, and none has gone past it. */
static void check_barrier(struct runner *r) {
    const struct task *first = r->waiting[0];
    if (r->over) cm_report_missed(first->site, first->thread, r->over, r->over_first);
    for (unsigned int i = 1; i < r->arrived; i++) {
        const struct task *other = r->waiting[i];
        if ((other->site != first->site || other->mark != first->mark) &&
            cm_report_barriers(first->site, first->thread, other->site, other->thread,
                               other->mark != first->mark))
            return;
    }
}

static void barrier_release(struct runner *r) {
    if (!(++r->interval % 4096)) cmKernelInVain(0, NULL, 0, 0);
    if (r->vain.stuck) cm_vain_gets_on(&r->vain);
    if (cm_settings.checks & CM_CHECK_SYNC) check_barrier(r);
    if (r->at_gate) { /* all are at the grid's barrier, or it cannot be passed */
        if (r->at_gate != r->arrived) cmKernelTrap(cmErrorLaunchFailure);
        if (!cm_gate_wait(r->grid)) cmKernelTrap(cmErrorLaunchFailure);
    }
    unsigned int votes = r->votes, voters = r->arrived;
    r->arrived = r->votes = r->at_gate = 0;
    for (unsigned int i = 0; i < voters; i++) {
        struct task *task = r->waiting[i];
        struct warp *w = warp_of(r, task->thread);
        w->blocked &= ~lane_bit(r, task->thread);
        task->votes = votes;
        task->voters = voters;
        if (task != r->current) make_ready(r, task);
    }
}

static struct task *barrier(unsigned int thread, int predicate, bool gate, const void *site) {
    struct runner *r = mine;
    struct task *task = hold(r, thread);
    task->site = site;
    task->mark = r->mark;
    r->mark = 0;
    struct warp *w = warp_of(r, thread);
    r->waiting[r->arrived++] = task;
    r->votes += predicate != 0;
    r->at_gate += gate;
    w->blocked |= lane_bit(r, thread);
    if (r->arrived == r->live) {
        barrier_release(r);
        return task;
    }
    if (w->groups) look_at_warp(r, w);
    schedule(r);
    return task;
}

unsigned int cmKernelBarrier(unsigned int thread, int predicate, unsigned int *threads) {
    struct task *task = barrier(thread, predicate, false, __builtin_return_address(0));
    if (threads) *threads = task->voters;
    return task->votes;
}

void cmKernelGridBarrier(unsigned int thread) {
    if (mine->grid->total > 1 && !mine->grid->call.cooperative)
        cmKernelTrap(cmErrorCooperativeLaunchTooLarge);
    barrier(thread, 0, true, __builtin_return_address(0));
}

uint64_t cmKernelWarp(unsigned int thread, uint64_t mask, const void *site, void *record,
                      void (*combine)(void **records, uint64_t present)) {
    struct runner *r = mine;
    struct task *task = hold(r, thread);
    struct warp *w = warp_of(r, thread);
    unsigned int lane = thread & ((unsigned)r->warp_size - 1), i = 0;
    if (mask && !(mask >> lane & 1) && cm_settings.checks & CM_CHECK_SYNC)
        cm_report_mask(__builtin_return_address(0), lane, mask);
    if (mask) mask |= (uint64_t)1 << lane; /* CUDA demands it; programs forget it */
    while (i < w->groups && (w->group[i].mask != mask || w->group[i].combine != combine ||
                             (!mask && w->group[i].site != site)))
        i++;
    if (i == w->groups)
        w->group[w->groups++] =
            (struct group){mask, site, __builtin_return_address(0), combine, 0};
    w->group[i].arrived |= (uint64_t)1 << lane;
    w->blocked |= (uint64_t)1 << lane;
    w->records[lane] = record;
    w->tasks[lane] = task;
    look_at_warp(r, w);
    if (w->blocked >> lane & 1) schedule(r);
    return task->present;
}

void cmKernelYield(unsigned int thread) {
    struct runner *r = mine;
    hold(r, thread);
    if (r->ready_first == r->ready_end && r->next == r->block.threads) {
        if (!r->vain.tries) sched_yield(); /* else cm_vain_round() does so, in time */
        return;
    }
    /* Whoever has not begun goes first: it may be the one that is waited for. */
    make_ready(r, r->current);
    if (r->next < r->block.threads)
        switch_to(r, new_task(r));
    else
        schedule(r);
}

static void tell_vain(struct runner *r, unsigned int thread, bool ends) {
    unsigned int x = r->block.block.x, y = r->block.block.y;
    fprintf(stderr,
            "cuda-morph: kernel %.*s: for %d seconds all of its blocks that run went round in "
            "loops that wait for memory, and none saw it change; one of them is block (%u, %u, "
            "%u), thread (%u, %u, %u). ",
            r->name.length, r->name.text, (int)r->grid->quiet, r->block.index.x, r->block.index.y,
            r->block.index.z, thread % x, thread / x % y, thread / x / y);
    if (ends)
        fprintf(stderr, "The host waits for it, so that nobody can write it: the kernel ends "
                        "with cudaErrorLaunchTimeout (CUDA_MORPH_WAIT=SECONDS; 0: never)\n");
    else if (cm_settings.wait)
        fprintf(stderr, "It ends after %d (CUDA_MORPH_WAIT)\n", cm_settings.wait);
    else
        fprintf(stderr, "It goes on (CUDA_MORPH_WAIT=0)\n");
}

void cmKernelInVain(unsigned int thread, const void *key, uint64_t value, unsigned int advances) {
    struct runner *r = mine;
    if (r->grid->failed) cmKernelTrap(cmErrorLaunchFailure);
    struct cm_vain_try seen = {key, value};
    enum cm_vain_answer answer =
        cm_vain_round(&r->vain, r->live ? r->live : 1, thread, key ? &seen : NULL, advances);
    if (answer == CM_VAIN_GO_ON) return;
    tell_vain(r, thread, answer == CM_VAIN_END);
    if (answer == CM_VAIN_END) cmKernelTrap(cmErrorLaunchTimeout);
}

/* ---- memory of the block ---- */

static bool shared_memory(struct runner *r) {
    size_t page = (size_t)sysconf(_SC_PAGESIZE), size = CM_MAX_SHARED / page * page + page;
    unsigned char *base =
        mmap(NULL, size + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base == MAP_FAILED) return false;
    mprotect(base + size, page, PROT_NONE);
    r->shared = base;
    r->shared_end = base + size;
    return true;
}

void *cmKernelShared(void) {
    struct runner *r = mine;
    if (!r || !r->grid) {
        fprintf(stderr, "cuda-morph: dynamic shared memory is asked for outside of a kernel: its "
                        "declaration has to stand inside of one\n");
        abort();
    }
    if (!r->shared && !shared_memory(r)) cmKernelTrap(cmErrorLaunchOutOfResources);
    /* In checked mode the end touches the guard page. */
    return r->block.now ? r->shared_end - (r->grid->call.shared + 15) / 16 * 16 : r->shared;
}

size_t cmKernelSharedSize(void) { return mine->grid->call.shared; }

/* ---- the block ---- */

static void forget_tasks(struct runner *r) {
    for (unsigned int i = 0; i < r->made; i++) {
        cm_fiber_free(&r->tasks[i]->fiber);
        free(r->tasks[i]);
    }
    r->made = r->free_count = 0;
}

/* Its own stack is about to be left behind: AddressSanitizer should not look. */
__attribute__((no_sanitize("address"))) void cmKernelTrap(cmError_t error) {
    struct runner *r = mine;
    if (!r || !r->grid) {
        fprintf(stderr, "cuda-morph: %s outside of a kernel\n", cmGetErrorString(error));
        abort();
    }
    cm_grid_fail(r->grid, error);
    if (r->current != &r->native) cm_fiber_leaving(&r->native.fiber);
    __builtin_longjmp(r->escape, 1);
}

static struct runner *runner(void) {
    if (mine) return mine;
    struct runner *r = calloc(1, sizeof *r);
    struct warp *warps = calloc(WARPS, sizeof *warps);
    if (!r || !warps) abort(); /* 200 KB, once per thread */
    r->warps = warps;
    r->warp_size = cm_settings.warp_size;
    r->warp_shift = r->warp_size == 64 ? 6 : 5;
    cm_fiber_here(&r->native.fiber);
    stack_t own;
    if (!sigaltstack(NULL, &own) && (own.ss_flags & SS_DISABLE)) {
        r->signal_stack = malloc(64 << 10);
        stack_t stack = {.ss_sp = r->signal_stack, .ss_size = 64 << 10};
        if (r->signal_stack) sigaltstack(&stack, NULL);
    }
    return mine = r;
}

void cmCheckMet(void) {
    if (mine && mine->grid) mine->interval++;
}

void cmCheckBarrier(unsigned int mark) {
    if (mine) mine->mark = mark;
}

void cmCheckEnd(unsigned int thread) {
    if (mine && mine->grid && !mine->over++) mine->over_first = thread;
}

void cm_block_thread_end(void) {
    struct runner *r = mine;
    if (!r) return;
    cm_watch_thread_ends();
    forget_tasks(r);
    if (r->shared) munmap(r->shared, (size_t)(r->shared_end - r->shared) + (size_t)getpagesize());
    if (r->signal_stack) {
        stack_t none = {.ss_flags = SS_DISABLE};
        sigaltstack(&none, NULL);
        free(r->signal_stack);
    }
    free(r->warps);
    free(r->order);
    free(r);
    mine = NULL;
}

/* All threads of the block have yet to run, without those that have left. */
static void nobody_ran(struct runner *r, const unsigned char *left) {
    r->waits = false;
    r->left = left;
    r->live = r->block.threads;
    for (unsigned int t = 0; left && t < r->block.threads; t++) r->live -= left[t];
    r->next = r->arrived = r->votes = r->at_gate = r->ready_first = r->ready_end = 0;
    r->over = r->mark = 0;
}

static void set_block(struct runner *r, uint64_t number) {
    const dim3 *grid = &r->block.grid;
    uint64_t row = (uint64_t)grid->x * grid->y;
    r->block.index.x = (unsigned int)(number % grid->x);
    r->block.index.y = (unsigned int)(number % row / grid->x);
    r->block.index.z = (unsigned int)(number / row);
}

static void prepare(struct runner *r, struct cm_grid *grid, uint64_t number) {
    const cmKernelCall *call = &grid->call;
    bool watched = cm_settings.check || cm_settings.order;
    r->grid = grid;
    r->name = name_of(grid);
    r->block.grid = call->grid;
    r->block.block = call->block;
    set_block(r, number);
    r->block.threads = call->block.x * call->block.y * call->block.z;
    r->block.now = watched ? &r->now : NULL;
    if (cm_settings.order && !r->order) r->order = calloc(1, sizeof *r->order);
    if (r->order) cm_order_threads(r->order, r->block.threads);
    r->block.order = r->order ? r->order->order : NULL;
    r->current = &r->native;
}

static void next_block(struct runner *r, uint64_t number) {
    if (cm_settings.order) {
        set_block(r, cm_order_block(number, r->grid->total));
        return;
    }
    if (++r->block.index.x < r->block.grid.x) return;
    r->block.index.x = 0;
    if (++r->block.index.y < r->block.grid.y) return;
    r->block.index.y = 0;
    r->block.index.z++;
}

static void run_all(struct runner *r) {
    while (r->live) {
        if (r->next < r->block.threads && r->ready_first == r->ready_end)
            run_threads(r, &r->native);
        else
            schedule(r);
    }
}

void cmKernelPart(void (*threads)(const void *arguments, const cmKernelBlock *block,
                                  unsigned int first),
                  const void *arguments, const unsigned char *left) {
    struct runner *r = mine;
    nobody_ran(r, left);
    r->threads = threads;
    r->arguments = arguments;
    if (r->live) run_all(r);
    nobody_ran(r, NULL); /* as the kernel itself was called */
    r->next = r->block.threads;
    r->native.bound = false;
}

/* Whether all of them ran to their end. */
__attribute__((noinline)) static bool run(struct runner *r, uint64_t first) {
    if (__builtin_setjmp(r->escape)) {
        cm_fiber_landed(&mine->native.fiber);
        return false;
    }
    /* A block that waits for others may have given away those behind it. */
    while (first < r->vain.end && !atomic_load_explicit(&r->grid->failed, memory_order_relaxed)) {
        r->threads = r->grid->call.threads;
        r->arguments = r->grid->call.arguments;
        nobody_ran(r, NULL);
        r->interval++;
        run_all(r);
        if (cm_settings.checks) cm_watch_block_ends();
        if (++first >= r->vain.end) break;
        next_block(r, first);
        cm_vain_next_block(&r->vain, first);
    }
    return true;
}

void cm_blocks_run(struct cm_grid *grid, uint64_t first, uint64_t end) {
    struct runner *r = runner();
    prepare(r, grid, cm_order_block(first, grid->total));
    static const struct cm_vain_calls calls = {cm_blocks_run, cm_grid_work, cm_block_thread_end};
    cm_vain_start(&r->vain, &calls, grid, first, end);
    if (!run(r, first)) forget_tasks(r);
    if (cm_settings.checks) cm_watch_block_ends();
    /* A library of the machine may have written anything. */
    if (cm_settings.checks && !strncmp(r->name.text, "a library", 9)) cm_watch_all_written();
    r->grid = NULL;
    cm_vain_stop(&r->vain);
}

void cm_grid_work(struct cm_grid *grid) {
    for (;;) {
        uint64_t first = atomic_fetch_add(&grid->next_block, grid->chunk);
        if (first >= grid->total) return;
        uint64_t end = first + grid->chunk < grid->total ? first + grid->chunk : grid->total;
        if (atomic_load_explicit(&grid->failed, memory_order_relaxed)) return;
        cm_blocks_run(grid, first, end);
    }
}

static void run_one(struct cm_grid *grid) {
    uint64_t number = atomic_fetch_add(&grid->next_block, 1);
    cm_blocks_run(grid, number, number + 1);
    cm_gate_leave(grid);
}

static void *together_main(void *grid) {
    run_one(grid);
    cm_block_thread_end();
    return NULL;
}

void cm_blocks_run_together(struct cm_grid *grid) {
    struct cm_grid_gate gate = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, grid->total,
                                0, 0};
    uint64_t others = grid->total - 1, made = 0;
    pthread_t *threads = calloc(others + 1, sizeof *threads);
    grid->gate = &gate;
    while (threads && made < others && !pthread_create(&threads[made], NULL, together_main, grid))
        made++;
    if (made < others) cm_grid_fail(grid, cmErrorLaunchOutOfResources);
    run_one(grid);
    for (uint64_t i = 0; i < made; i++) pthread_join(threads[i], NULL);
    free(threads);
    atomic_store(&grid->next_block, grid->total);
}

/* ---- checked mode ---- */

static bool where(struct cm_where *out) {
    const struct runner *r = mine;
    if (!r || !r->grid) return false;
    struct kernel_name name = r->name;
    unsigned int t = r->now, x = r->block.block.x, y = r->block.block.y;
    *out = (struct cm_where){
        .grid = r->grid,
        .block = r->block.index.x +
                 (uint64_t)r->block.grid.x *
                     (r->block.index.y + (uint64_t)r->block.grid.y * r->block.index.z),
        .index = {r->block.index.x, r->block.index.y, r->block.index.z},
        .thread = {t % x, t / x % y, t / x / y},
        .rank = t,
        .warp = t >> r->warp_shift,
        .interval = r->interval,
        .warp_interval = r->warp_interval[t >> r->warp_shift],
        .low = r->shared,
        .high = r->shared_end,
        .shared = r->shared ? r->shared_end - (r->grid->call.shared + 15) / 16 * 16 : NULL,
        .shared_size = r->grid->call.shared,
        .kernel = name.text,
        .kernel_length = name.length};
    return true;
}

static struct sigaction before[2];

static void on_fault(int number, siginfo_t *info, void *context) {
    struct runner *r = mine;
    (void)context;
    if (!r || !r->grid) { /* not ours: as if we were not there */
        sigaction(number, &before[number == SIGBUS], NULL);
        return;
    }
    struct kernel_name name = r->name;
    unsigned int t = r->now, x = r->block.block.x, y = r->block.block.y;
    char text[512];
    int length = snprintf(text, sizeof text,
                          "cuda-morph: kernel %.*s, block (%u, %u, %u), thread (%u, %u, %u): bad "
                          "access to address %p\n",
                          name.length, name.text, r->block.index.x, r->block.index.y,
                          r->block.index.z, t % x, t / x % y, t / x / y, info->si_addr);
    if (length > 0 && write(2, text, (size_t)length) < 0) _exit(1);
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
    cmKernelTrap(cmErrorIllegalAddress);
}

/* Without checks: says where it was, and lets come what would have come. */
static void on_crash(int number, siginfo_t *info, void *context) {
    static _Atomic bool said;
    struct runner *r = mine;
    char text[512];
    (void)context;
    if (r && r->grid) {
        while (atomic_exchange(&said, true)) pause(); /* another thread, which ends us all */
        struct kernel_name name = r->name;
        int length = snprintf(text, sizeof text,
                              "cuda-morph: kernel %.*s, block (%u, %u, %u): bad access to address "
                              "%p; run it with CUDA_MORPH_CHECK=1\n",
                              name.length, name.text, r->block.index.x, r->block.index.y,
                              r->block.index.z, info->si_addr);
        if (length > 0 && write(2, text, (size_t)length) < 0) _exit(1);
    }
    sigaction(number, &before[number == SIGBUS], NULL);
    if (info->si_code <= 0) raise(number); /* sent by somebody: it does not come again */
}

void cm_crash_start(void) {
    static const int numbers[] = {SIGSEGV, SIGBUS};
    struct sigaction action = {.sa_sigaction = on_crash, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    sigemptyset(&action.sa_mask);
    for (int i = 0; i < 2; i++)
        if (!sigaction(numbers[i], NULL, &before[i]) && before[i].sa_handler == SIG_DFL)
            sigaction(numbers[i], &action, NULL);
}

void cm_check_start(void) {
    struct sigaction action = {.sa_sigaction = on_fault, .sa_flags = SA_SIGINFO | SA_ONSTACK};
    cm_watched = (struct cm_watched){where, cmKernelTrap};
    sigemptyset(&action.sa_mask);
    sigaction(SIGSEGV, &action, &before[0]);
    sigaction(SIGBUS, &action, &before[1]);
}
