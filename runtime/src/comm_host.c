/* SPDX-License-Identifier: Apache-2.0 */
/* What communicators and transports share: the data of ranks moved by way of the host, where it
   lies in the memory of devices; ids too long for a ncclUniqueId; why the last call failed. */
#include "backend.h"
#include "comm.h"
#include "memory.h"
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

_Thread_local char cm_comm_why[256];

/* ---- by way of the host ---- */

enum { FROM, TO };

static const void *buffer(const struct cm_comm_work *w, int which) {
    return which == FROM ? (const void *)w->from : (const void *)w->to;
}

int cm_comm_stage(struct cm_staged *s, const struct cm_comm_work *w) {
    cmError_t error = cmSuccess;
    int device;
    s->work = *w;
    for (int i = FROM; i <= TO && !error; i++) {
        const void *pointer = buffer(w, i);
        if (!pointer || !cm_is_remote(pointer, &device)) continue;
        unsigned char *here;
        if (i == TO && s->stage[FROM] && (here = cm_stage_address(s->stage[FROM], pointer))) {
            s->work.to = here;
            continue;
        }
        s->stage[i] = cm_stage_new(pointer);
        if (!s->stage[i]) return cmErrorMemoryAllocation;
        error = cm_stage_in(s->stage[i]);
        here = cm_stage_address(s->stage[i], pointer);
        if (i == FROM)
            s->work.from = here;
        else
            s->work.to = here;
    }
    return error;
}

int cm_comm_unstage(struct cm_staged *s, bool write) {
    cmError_t error = cmSuccess;
    for (int i = FROM; i <= TO; i++) {
        if (write && s->stage[i] && !error) error = cm_stage_out(s->stage[i]);
        cm_stage_free(s->stage[i]);
    }
    return error;
}

int cm_comm_staged(const struct cm_comm_work *const *work, int ranks) {
    if (cm_backend->host) return cm_comm_move(work, ranks) ? cmErrorMemoryAllocation : cmSuccess;
    struct cm_staged *staged = calloc((size_t)ranks, sizeof *staged);
    const struct cm_comm_work **here = calloc((size_t)ranks, sizeof *here);
    cmError_t error = staged && here ? cmSuccess : cmErrorMemoryAllocation;
    for (int r = 0; r < ranks && !error; r++) {
        error = (cmError_t)cm_comm_stage(&staged[r], work[r]);
        here[r] = &staged[r].work;
    }
    if (!error && cm_comm_move(here, ranks)) error = cmErrorMemoryAllocation;
    for (int r = 0; r < ranks && staged; r++) {
        cmError_t one = (cmError_t)cm_comm_unstage(&staged[r], !error);
        if (one) error = one;
    }
    free(staged);
    free(here);
    return error;
}

int cm_comm_divide(const struct cm_comm_work *w, int ranks) {
    struct cm_comm_work to = {.to = w->to};
    struct cm_staged staged = {0};
    cmError_t error = (cmError_t)cm_comm_stage(&staged, &to);
    void *wide = malloc(w->count * cm_comm_tools.wide(w->type) + 1);
    if (!wide) error = cmErrorMemoryAllocation;
    if (!error) {
        cm_comm_tools.widen(w->type, wide, staged.work.to, w->count);
        cm_comm_tools.narrow(w->type, staged.work.to, wide, w->count, ranks);
    }
    free(wide);
    cmError_t out = (cmError_t)cm_comm_unstage(&staged, !error);
    return error ? error : out;
}

int cm_comm_fetch_scale(struct cm_comm_work *w, int device) {
    const void *from = w->scale.device;
    if (!w->scale.on || !from) return cmSuccess;
    w->scale.device = NULL;
    return cm_move(device, w->scale.value, from, cm_comm_size(w->type));
}

/* ---- long ids ---- */

bool cm_id_publish(char *id, const void *data, size_t size) {
    static atomic_uint count;
    snprintf(id, CM_COMM_UNIQUE_ID_BYTES, "/cuda-morph-%ld-%u-%lx", (long)getpid(),
             atomic_fetch_add(&count, 1), (unsigned long)(uintptr_t)id ^ (unsigned long)random());
    int file = shm_open(id, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
    bool written = file >= 0 && write(file, data, size) == (ssize_t)size;
    if (file >= 0) close(file);
    return written;
}

bool cm_id_fetch(const char *id, void *data, size_t size) {
    int file = shm_open(id, O_RDONLY | O_CLOEXEC, 0);
    bool there = file >= 0 && read(file, data, size) == (ssize_t)size;
    if (file >= 0) close(file);
    return there;
}
