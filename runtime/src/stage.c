/* SPDX-License-Identifier: Apache-2.0 */
/* Kernels on the host, memory on a device: what a kernel's arguments point to is copied here
   before it runs, and what has changed is copied back. So is what these allocations point to in
   their turn: whatever has the bits of a device's address, and lies as a pointer would, is taken
   for one, leads to the copy while the kernel runs, and is an address of the device again
   behind it. Slow, and right unless a program builds addresses from parts. */
#include "grid.h"
#include "memory.h"
#include <stdlib.h>
#include <string.h>

struct cm_stage {
    unsigned char *base, *here, *before; /* before: what was copied in */
    size_t size, guarded; /* guarded: bytes with the pages around it, in checked mode */
    int device;
};

struct set { /* the stages of one launch, shared by the operations around it */
    atomic_int users;
    size_t count, room;
    size_t roots; /* that arguments point to; those behind were found inside of others */
    struct cm_stage **stages;
};

static bool holds(const struct cm_stage *stage, const void *pointer) {
    const unsigned char *p = pointer;
    return p >= stage->base && p < stage->base + stage->size;
}

struct cm_stage *cm_stage_new(const void *pointer) {
    int device;
    if (!cm_is_remote(pointer, &device)) return NULL;
    struct cm_stage *stage = calloc(1, sizeof *stage);
    if (!stage) return NULL;
    cm_lock_take();
    struct cm_allocation *a = cm_memory_find(pointer);
    if (a) stage->base = a->base, stage->size = a->size, stage->device = a->device;
    cm_lock_give();
    size_t room = (stage->size + 255) / 256 * 256;
    if (room && cm_settings.check)
        stage->here = cm_guarded_new(stage->size, &stage->guarded);
    else if (room)
        stage->here = aligned_alloc(256, room);
    stage->before = malloc(stage->size + 1);
    if (stage->here && stage->before) return stage;
    cm_stage_free(stage);
    return NULL;
}

void cm_stage_free(struct cm_stage *stage) {
    if (!stage) return;
    if (stage->guarded && stage->here)
        cm_guarded_free(stage->here, stage->guarded);
    else
        free(stage->here);
    free(stage->before);
    free(stage);
}

void *cm_stage_address(const struct cm_stage *stage, const void *pointer) {
    return holds(stage, pointer) ? stage->here + ((const unsigned char *)pointer - stage->base)
                                 : NULL;
}

cmError_t cm_stage_in(struct cm_stage *stage) {
    cmError_t error = cm_move(stage->device, stage->here, stage->base, stage->size);
    if (!error) memcpy(stage->before, stage->here, stage->size);
    cm_count(&cm_stats.staged, stage->size);
    return error;
}

/* The stage of the set that holds this copy's address, or NULL. */
static const struct cm_stage *leads_to(const struct set *set, const unsigned char *here) {
    for (size_t k = 0; k < set->count; k++) {
        const struct cm_stage *s = set->stages[k];
        if (here >= s->here && here < s->here + s->size) return s;
    }
    return NULL;
}

/* For move_out(): these bytes have changed, also those that are the same by chance. */
static void mark(struct cm_stage *stage, size_t from, size_t size) {
    for (size_t i = from; i < from + size; i++) stage->before[i] = (unsigned char)~stage->here[i];
}

/* Words that lead into a stage of the set lead to the device again. Where one led there before,
   the device's bytes are others than those that were copied, so that a half is written whole. */
static void point_back(struct cm_stage *stage, const struct set *set) {
    enum { WORD = sizeof(void *), HALF = WORD / 2 };
    for (size_t i = 0; i + WORD <= stage->size; i += WORD) {
        unsigned char *now, *before;
        memcpy(&now, stage->here + i, WORD);
        memcpy(&before, stage->before + i, WORD);
        if (now == before) continue;
        const struct cm_stage *to = leads_to(set, now);
        if (to) {
            now = to->base + (now - to->here);
            memcpy(stage->here + i, &now, WORD);
            mark(stage, i, WORD);
        } else if (leads_to(set, before)) {
            bool low = memcmp(stage->here + i, stage->before + i, HALF);
            bool high = memcmp(stage->here + i + HALF, stage->before + i + HALF, HALF);
            mark(stage, low ? i : i + HALF, low && high ? WORD : HALF);
        }
    }
}

/* Behind the last byte of a change that begins at `from`: fewer bytes than GAP that have not
   changed do not end it, since numbers seldom change in all of their bytes. */
static size_t change_end(const struct cm_stage *stage, size_t from, bool *whole) {
    enum { GAP = 8 };
    size_t end = from + 1;
    *whole = true;
    for (size_t i = end; i < stage->size && i < end + GAP; i++) {
        if (stage->here[i] == stage->before[i]) continue;
        *whole = *whole && i == end;
        end = i + 1;
    }
    return end;
}

/* Only what has changed: another kernel, or another rank, may be writing beside it, or between its
   bytes. Those are the device's, which no other copy of them changes meanwhile. */
static cmError_t move_out(struct cm_stage *stage, const struct set *set) {
    static pthread_mutex_t busy = PTHREAD_MUTEX_INITIALIZER;
    cmError_t error = cmSuccess;
    const unsigned char *now = stage->here, *before = stage->before;
    if (set) point_back(stage, set);
    pthread_mutex_lock(&busy);
    for (size_t i = 0, end; i < stage->size && !error; i = end) {
        bool whole;
        end = i + 1;
        if (now[i] == before[i]) continue;
        end = change_end(stage, i, &whole);
        unsigned char *there = whole ? NULL : malloc(end - i);
        if (!whole && !there) error = cmErrorMemoryAllocation;
        if (there) error = cm_move(stage->device, there, stage->base + i, end - i);
        for (size_t n = i; there && n < end; n++)
            if (now[n] != before[n]) there[n - i] = now[n];
        if (!error)
            error = cm_move(stage->device, stage->base + i, there ? there : now + i, end - i);
        free(there);
    }
    pthread_mutex_unlock(&busy);
    return error;
}

cmError_t cm_stage_out(struct cm_stage *stage) { return move_out(stage, NULL); }

/* ---- around a launch ---- */

static void set_leave(struct set *set) {
    if (atomic_fetch_sub(&set->users, 1) > 1) return;
    for (size_t i = 0; i < set->count; i++) cm_stage_free(set->stages[i]);
    free(set->stages);
    free(set);
}

static void set_copy(void *to, const void *from) {
    struct set *set = *(struct set *const *)from;
    atomic_fetch_add(&set->users, 1);
    *(struct set **)to = set;
}

static void set_drop(void *data) { set_leave(*(struct set **)data); }

/* The stage of an address; a new one where there is none yet. NULL: it is no device's, or
   `*failed` because there is no memory. */
static struct cm_stage *set_find(struct set *set, const void *pointer, bool *failed) {
    int device;
    for (size_t i = 0; i < set->count; i++)
        if (holds(set->stages[i], pointer)) return set->stages[i];
    if (!cm_is_remote(pointer, &device)) return NULL;
    if (set->count == set->room) {
        size_t room = set->room ? set->room * 2 : 8;
        void *more = realloc(set->stages, room * sizeof *set->stages);
        if (more) set->stages = more, set->room = room;
    }
    struct cm_stage *stage = set->count < set->room ? cm_stage_new(pointer) : NULL;
    if (stage)
        set->stages[set->count++] = stage;
    else
        *failed = true;
    return stage;
}

/* What the stage's memory points to is staged, too, and the pointers lead there. */
static void follow(struct set *set, struct cm_stage *stage, bool *failed) {
    for (size_t i = 0; i + sizeof(void *) <= stage->size && !*failed; i += sizeof(void *)) {
        void *pointer;
        memcpy(&pointer, stage->here + i, sizeof pointer);
        if ((uintptr_t)pointer < 4096) continue; /* most words of most memory */
        struct cm_stage *other = set_find(set, pointer, failed);
        if (!other) continue;
        pointer = cm_stage_address(other, pointer);
        memcpy(stage->here + i, &pointer, sizeof pointer);
        memcpy(stage->before + i, &pointer, sizeof pointer); /* it has not changed */
    }
}

static void in_run(void *data, struct cm_stream *stream) {
    struct set *set = *(struct set **)data;
    bool failed = false;
    while (set->count > set->roots) cm_stage_free(set->stages[--set->count]); /* of a replay */
    for (size_t i = 0; i < set->count && !failed; i++) { /* there may be more and more */
        cmError_t error = cm_stage_in(set->stages[i]);
        if (error) cm_set_sticky(stream->device, error);
        follow(set, set->stages[i], &failed);
    }
    if (failed) cm_set_sticky(stream->device, cmErrorMemoryAllocation);
}

static void out_run(void *data, struct cm_stream *stream) {
    struct set *set = *(struct set **)data;
    for (size_t i = 0; i < set->count; i++) {
        cmError_t error = move_out(set->stages[i], set);
        if (error) cm_set_sticky(stream->device, error);
    }
}

static const struct cm_class in_class = {.type = cmGraphNodeTypeMemcpy,
                                         .how = CM_RUN,
                                         .run = in_run,
                                         .copy = set_copy,
                                         .drop = set_drop};
static const struct cm_class out_class = {.type = cmGraphNodeTypeMemcpy,
                                          .how = CM_RUN,
                                          .run = out_run,
                                          .copy = set_copy,
                                          .drop = set_drop};

static struct cm_op *set_op(const struct cm_class *class, struct set *set) {
    struct cm_op *op = cm_op_new(class, sizeof set);
    if (op) set_copy(op->data, &set);
    return op;
}

/* Arguments are found as a collector finds roots: by their bits. */
static struct set *set_of(struct cm_grid *grid) {
    struct set *set = calloc(1, sizeof *set);
    bool failed = !set;
    unsigned char *arguments = (unsigned char *)(uintptr_t)grid->call.arguments;
    if (set) set->users = 1;
    for (size_t i = 0; !failed && i + sizeof(void *) <= grid->call.size; i += sizeof(void *)) {
        void *pointer;
        memcpy(&pointer, arguments + i, sizeof pointer);
        struct cm_stage *stage = pointer ? set_find(set, pointer, &failed) : NULL;
        if (!stage) continue;
        pointer = cm_stage_address(stage, pointer);
        memcpy(arguments + i, &pointer, sizeof pointer);
    }
    if (set) set->roots = set->count;
    if (!failed) return set;
    if (set) set_leave(set);
    return NULL;
}

cmError_t cm_stage_launch(cmStream_t stream, struct cm_op *op) {
    struct set *set = set_of((struct cm_grid *)op->data);
    struct cm_op *in = set ? set_op(&in_class, set) : NULL;
    struct cm_op *out = set ? set_op(&out_class, set) : NULL;
    if (set) set_leave(set);
    cmError_t error = in && out ? cmSuccess : cmErrorMemoryAllocation;
    struct cm_op *ops[] = {in, op, out};
    cm_lock_take(); /* for all three: nothing may come between them */
    struct cm_stream *where = cm_stream_find(stream);
    if (!error && !where) error = cmErrorInvalidResourceHandle;
    int i = 0;
    for (; i < 3 && !error; i++) error = cm_submit(where, ops[i], NULL);
    cm_lock_give();
    for (; i < 3; i++)
        if (ops[i]) cm_op_free(ops[i]);
    return cm_fail(error);
}
