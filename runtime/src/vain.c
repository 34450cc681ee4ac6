/* SPDX-License-Identifier: Apache-2.0 */
/* Blocks that wait for memory which another block has to write.
 *
 * CUDA promises only the blocks of a cooperative launch that all of them run, but programs count
 * on it elsewhere, too: a barrier of the whole grid by an atomic counter, a scan that looks back
 * at the sums of other blocks. Here a thread of the machine runs one block after the other, so
 * what such a block waits for would never begin. Loops that wait come here in each of some rounds.
 * Where every block that runs goes round in vain, one more thread is made for those that have not
 * begun; so many run at once as wait, and kernels that never wait pay nothing.
 *
 * Where all have begun and none gets on, they wait for the host or for nobody. The former is how
 * persistent kernels work; if the host waits for the device, it is the latter: that is said, and
 * the kernel ends. */
#include "grid.h"
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum {
    PATIENCE = 32,     /* rounds without a change, until a block is said to wait */
    LATE = 500,        /* milliseconds for which a block goes round somehow, until others begin */
    SAID_AFTER = 10,   /* seconds in which nobody gets on */
    IDLE = 1,          /* seconds for which a thread that was made waits for more to do */
    NAP = 25000,       /* nanoseconds between two looks, times the blocks that wait: so that ... */
    LONGEST = 20000000 /* ... these looks take a part of one processor, however many they are */
};

/* Blocks [first, end), and all that nobody has taken, for another thread of the machine. */
struct cm_helper {
    struct cm_helper *next; /* of those that one block asked for */
    const struct cm_vain_calls *calls;
    struct cm_grid *grid;
    uint64_t first, end;
    bool done;
};

/* A thread that was made for such, and waits for the next. */
struct hand {
    struct hand *next;
    struct cm_helper *job;
    pthread_cond_t wake;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t somebody_done = PTHREAD_COND_INITIALIZER;
static struct hand *idle;
static struct cm_vain *waiting; /* blocks that go round in vain, of all grids */

static uint64_t milliseconds(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000 + (uint64_t)now.tv_nsec / 1000000;
}

static void wait_until(pthread_cond_t *wake, long nanoseconds) {
    struct timespec then;
    clock_gettime(CLOCK_REALTIME, &then);
    nanoseconds += then.tv_nsec;
    then.tv_sec += nanoseconds / 1000000000;
    then.tv_nsec = nanoseconds % 1000000000;
    pthread_cond_timedwait(wake, &lock, &then);
}

/* ---- blocks that wait ---- */

static void waits(struct cm_vain *v) {
    v->stuck = true;
    v->naps = 0;
    v->grid->stuck++;
    pthread_mutex_lock(&lock);
    pthread_cond_init(&v->wake, NULL);
    v->next_waiting = waiting;
    waiting = v;
    pthread_mutex_unlock(&lock);
}

/* What it waited for has come. Often blocks wait for their neighbours: these look again now. */
void cm_vain_gets_on(struct cm_vain *v) {
    v->rounds = 0;
    if (v->grid->quiet) v->grid->quiet = 0;
    if (!v->stuck) return;
    v->stuck = false;
    v->grid->stuck--;
    struct cm_vain *below = NULL, *above = NULL;
    pthread_mutex_lock(&lock);
    for (struct cm_vain **at = &waiting, *w; (w = *at);) {
        if (w == v) {
            *at = w->next_waiting;
            continue;
        }
        at = &w->next_waiting;
        if (w->grid != v->grid) continue;
        if (w->number < v->number && (!below || w->number > below->number)) below = w;
        if (w->number > v->number && (!above || w->number < above->number)) above = w;
    }
    if (below) pthread_cond_signal(&below->wake);
    if (above) pthread_cond_signal(&above->wake);
    pthread_cond_destroy(&v->wake);
    pthread_mutex_unlock(&lock);
}

/* What is waited for comes from elsewhere: the processor is theirs. */
static void give_way(struct cm_vain *v, unsigned int threads) {
    if (v->tries % threads) return; /* not each thread of the block in turn */
    if (v->naps++ < 8) {
        sched_yield();
        return;
    }
    long nap = (long)v->grid->stuck * NAP;
    pthread_mutex_lock(&lock);
    wait_until(&v->wake, nap < LONGEST ? nap : LONGEST);
    pthread_mutex_unlock(&lock);
}

/* ---- more threads ---- */

static void help(struct cm_helper *h) {
    if (h->first == h->end) { /* `starting` is true until a block of ours runs */
        h->first = atomic_fetch_add(&h->grid->next_block, 1);
        h->end = h->first + 1;
    }
    if (h->first < h->grid->total)
        h->calls->blocks(h->grid, h->first, h->end);
    else
        h->grid->starting = false;
    h->calls->work(h->grid);
}

static void *hand_main(void *job) {
    void (*end)(void) = ((struct cm_helper *)job)->calls->thread_end;
    struct hand self = {.job = job, .wake = PTHREAD_COND_INITIALIZER};
    pthread_mutex_lock(&lock);
    while (self.job) {
        pthread_mutex_unlock(&lock);
        help(self.job);
        pthread_mutex_lock(&lock);
        self.job->done = true;
        self.job = NULL;
        pthread_cond_broadcast(&somebody_done);
        self.next = idle;
        idle = &self;
        wait_until(&self.wake, IDLE * 1000000000L);
        for (struct hand **at = &idle; *at; at = &(*at)->next)
            if (*at == &self) {
                *at = self.next;
                break;
            }
    }
    pthread_mutex_unlock(&lock);
    pthread_cond_destroy(&self.wake);
    end();
    return NULL;
}

static bool hand_out(struct cm_helper *h) {
    pthread_mutex_lock(&lock);
    struct hand *hand = idle;
    if (hand) {
        idle = hand->next;
        hand->job = h;
        pthread_cond_signal(&hand->wake);
    }
    pthread_mutex_unlock(&lock);
    pthread_t thread;
    if (hand) return true;
    if (pthread_create(&thread, NULL, hand_main, h)) return false;
    pthread_detach(thread);
    return true;
}

static bool start_helper(struct cm_vain *v) {
    struct cm_helper *h = malloc(sizeof *h);
    if (!h) return false;
    *h = (struct cm_helper){v->helpers, v->calls, v->grid, v->number + 1, v->end, false};
    v->end = h->first;
    v->grid->helpers++;
    if (!hand_out(h)) {
        v->end = h->end;
        v->grid->helpers--;
        free(h);
        return false;
    }
    v->helpers = h;
    return true;
}

/* True: others begin now. Those of a whole grid are many: the more there are, the more at once. */
static bool let_others_begin(struct cm_vain *v, bool late) {
    struct cm_grid *grid = v->grid;
    if (v->number + 1 >= v->end && grid->next_block >= grid->total) return false;
    if (!late && grid->stuck < grid->running) return false;
    if (atomic_exchange(&grid->starting, true)) return true;
    unsigned int started = 0, most = late ? 1 : 1 + grid->helpers / 4;
    while (started < most && (!started || grid->next_block < grid->total) && start_helper(v))
        started++;
    if (!started) grid->starting = false;
    return started;
}

/* ---- nobody gets on ---- */

/* Each second in which all blocks went round without a change counts. */
static enum cm_vain_answer look_at_clock(struct cm_vain *v) {
    struct cm_grid *grid = v->grid;
    unsigned int second = grid->second;
    if (v->second != second) {
        v->second = second;
        grid->heard++;
    }
    if (grid->heard < grid->running) return CM_VAIN_GO_ON;
    uint64_t now = milliseconds(), began = grid->second_began;
    if (began && now - began < 1000) return CM_VAIN_GO_ON;
    if (!atomic_compare_exchange_strong(&grid->second_began, &began, now)) return CM_VAIN_GO_ON;
    grid->heard = 0;
    grid->second++;
    if (!began) return CM_VAIN_GO_ON;
    int quiet = ++grid->quiet, limit = cm_settings.wait;
    bool awaited = cm_devices[grid->stream->device].awaited;
    if (limit && quiet >= limit && awaited) return CM_VAIN_END;
    return quiet == SAID_AFTER && awaited ? CM_VAIN_SAY : CM_VAIN_GO_ON;
}

enum cm_vain_answer cm_vain_round(struct cm_vain *v, unsigned int threads, unsigned int thread,
                                  const struct cm_vain_try *seen, unsigned int advances) {
    if (!v->tries++) {
        memset(v->seen, 0, sizeof v->seen);
        v->began = milliseconds();
        v->advances = advances;
    }
    if (seen) {
        struct cm_vain_try *last = &v->seen[thread % CM_MAX_THREADS_PER_BLOCK];
        bool same = last->key == seen->key && last->value == seen->value;
        /* Another key is another loop, or a loop that looks at two places: nothing is known. */
        if (v->advances != advances || (last->key == seen->key && !same))
            cm_vain_gets_on(v);
        else
            v->rounds += same;
        *last = *seen;
        v->advances = advances;
    }
    bool late = (!seen || !(v->tries % 256)) && milliseconds() - v->began > LATE;
    if (v->rounds < PATIENCE && !late) return CM_VAIN_GO_ON;
    if (v->rounds >= PATIENCE && !v->stuck) waits(v);
    bool begun = let_others_begin(v, late);
    if (late) v->began = milliseconds();
    if (!v->stuck) return CM_VAIN_GO_ON;
    give_way(v, threads);
    return begun ? CM_VAIN_GO_ON : look_at_clock(v);
}

/* ---- the thread that runs the blocks ---- */

void cm_vain_start(struct cm_vain *v, const struct cm_vain_calls *calls, struct cm_grid *grid,
                   uint64_t first, uint64_t end) {
    v->calls = calls;
    v->grid = grid;
    v->number = first;
    v->end = end;
    v->helpers = NULL;
    v->stuck = false;
    v->rounds = v->tries = 0;
    v->second = grid->second - 1; /* not heard of yet */
    grid->running++;
    grid->starting = false;
}

void cm_vain_next_block(struct cm_vain *v, uint64_t number) {
    v->number = number;
    if (v->tries) cm_vain_gets_on(v);
    v->tries = 0;
}

void cm_vain_stop(struct cm_vain *v) {
    cm_vain_gets_on(v);
    v->grid->running--;
    pthread_mutex_lock(&lock);
    while (v->helpers) {
        struct cm_helper *h = v->helpers;
        while (!h->done) pthread_cond_wait(&somebody_done, &lock);
        v->helpers = h->next;
        free(h);
    }
    pthread_mutex_unlock(&lock);
}
