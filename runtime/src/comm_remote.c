/* SPDX-License-Identifier: Apache-2.0 */
/* Communicators of a transport. Each has a thread, which does the calls in the order in which the
 * program made them, whatever streams they came from: that is the order that ranks agree on. Where
 * the transport may be called by the user's thread only, that one does them (cm_remote_pump()). */
#include "comm.h"
#include "memory.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct cm_remote {
    struct cm_remote *next; /* of those that the user's thread serves */
    const struct cm_transport *transport;
    void *peer;
    int ranks, rank, device;
    struct cm_part *queue; /* by number */
    uint64_t done;         /* numbers below it */
    cmCommResult_t error;
    pthread_t thread;
    pthread_cond_t come;
    bool leaving, threaded, busy, aborted;
};

static struct cm_remote *served;
static struct cm_remote *aborted; /* streams may still come to calls of theirs: they stay */
static size_t expected;           /* parts of streams' operations that are not done */
static pthread_cond_t served_come = PTHREAD_COND_INITIALIZER;

/* ---- which transport ---- */

static bool under_mpi(void) {
    static const char *const sizes[] = {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "MPI_LOCALNRANKS"};
    const char *choice = getenv("CUDA_MORPH_COMM");
    if (choice && !strcmp(choice, "mpi")) return true;
    if (choice && !strcmp(choice, "local")) return false;
    for (size_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        const char *size = getenv(sizes[i]);
        if (size && atoi(size) > 1) return true;
    }
    return false;
}

/* Beside this library, or wherever libraries are found. */
static void *open_plugin(void) {
    char path[4096];
    Dl_info here;
    const char *chosen = secure_getenv("CUDA_MORPH_MPI"), *slash;
    if (chosen) return dlopen(chosen, RTLD_NOW | RTLD_LOCAL);
    if (dladdr((void *)(uintptr_t)&cm_transport_of, &here) && here.dli_fname &&
        (slash = strrchr(here.dli_fname, '/'))) {
        snprintf(path, sizeof path, "%.*s/libcmrt_mpi.so", (int)(slash - here.dli_fname),
                 here.dli_fname);
        void *beside = access(path, R_OK) ? NULL : dlopen(path, RTLD_NOW | RTLD_LOCAL);
        if (beside) return beside;
    }
    return dlopen("libcmrt_mpi.so", RTLD_NOW | RTLD_LOCAL);
}

static const struct cm_transport *open_mpi(char *why, size_t room) {
    void *plugin = open_plugin();
    const char *text = plugin ? NULL : dlerror();
    if (!plugin) {
        snprintf(why, room, "%s", text ? text : "libcmrt_mpi.so");
        return NULL;
    }
    cm_mpi_opener *open;
    *(void **)(void *)&open = dlsym(plugin, "cm_mpi_open");
    if (open) return open(&cm_comm_tools, why, room);
    snprintf(why, room, "libcmrt_mpi.so lacks cm_mpi_open");
    return NULL;
}

static const struct cm_transport *transport;
static cmCommResult_t transport_error;
static char transport_why[sizeof cm_comm_why];

/* Whether this process is one of several: of MPI's, or of a launcher such as torchrun. */
static bool several_processes(void) {
    const char *size = getenv("WORLD_SIZE"), *choice = getenv("CUDA_MORPH_COMM");
    if (choice) return !strcmp(choice, "vendor");
    return under_mpi() || (size && atoi(size) > 1);
}

static void find_transport(void) {
    const char *choice = getenv("CUDA_MORPH_COMM");
    bool mpi = choice && !strcmp(choice, "mpi");
    if (!cm_backend->host && !mpi) transport = cm_transport_vendor(cm_backend->name);
    /* What is good between processes only leaves the others to the host. */
    if (transport && transport->between_processes && !several_processes()) transport = NULL;
    /* Without the vendor's library everything goes by way of the host. */
    if (transport || !under_mpi()) return;
    transport = open_mpi(transport_why, sizeof transport_why);
    if (!transport) transport_error = cmCommSystemError;
}

cmCommResult_t cm_transport_of(const struct cm_transport **found) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find_transport);
    *found = transport;
    if (transport_error) memcpy(cm_comm_why, transport_why, sizeof cm_comm_why);
    return transport_error;
}

/* ---- by way of the host ---- */

/* A copy of a rank's part, multiplied: for transports, which only add up. */
static cmError_t scale_part(const struct cm_remote *r, struct cm_comm_work *w, void **copy) {
    const size_t count = cm_comm_elements(w, r->ranks), bytes = count * cm_comm_size(w->type);
    cmError_t error = (cmError_t)cm_comm_fetch_scale(w, r->device);
    if (!error) error = cm_backend->allocate(r->device, copy, bytes, CM_DEVICE_MEMORY);
    if (error) return error;
    void *host = malloc(bytes);
    if (!host) return cmErrorMemoryAllocation;
    error = cm_move(r->device, host, w->from, bytes);
    cm_comm_scale(w->type, host, host, error ? 0 : count, w->scale.value);
    if (!error) error = cm_backend->copy(r->device, *copy, host, bytes, cmMemcpyHostToDevice);
    free(host);
    w->from = *copy;
    return error;
}

/* What moves the host's memory gets the host's memory. */
static cmCommResult_t run_staged(struct cm_remote *r, struct cm_comm_work *work, size_t count) {
    if (cm_backend->host || !r->transport->between_processes)
        return r->transport->run(r->peer, work, count);
    struct cm_staged *staged = calloc(count, sizeof *staged);
    cmError_t error = staged ? cmSuccess : cmErrorMemoryAllocation;
    for (size_t i = 0; i < count && !error; i++) {
        error = (cmError_t)cm_comm_stage(&staged[i], &work[i]);
        work[i] = staged[i].work;
    }
    cmCommResult_t result =
        error ? cmCommUnhandledCudaError : r->transport->run(r->peer, work, count);
    for (size_t i = 0; i < count && staged; i++)
        if (cm_comm_unstage(&staged[i], !result) && !result) result = cmCommUnhandledCudaError;
    free(staged);
    return result;
}

/* What was multiplied stands in place of the ranks' own numbers. */
static cmCommResult_t run_scaled(struct cm_remote *r, struct cm_comm_work *work, size_t count) {
    void **copies = calloc(count, sizeof *copies);
    cmError_t error = copies ? cmSuccess : cmErrorMemoryAllocation;
    for (size_t i = 0; i < count && !error; i++)
        if (work[i].scale.on && work[i].count) error = scale_part(r, &work[i], &copies[i]);
    cmCommResult_t result = error ? cmCommUnhandledCudaError : run_staged(r, work, count);
    for (size_t i = 0; i < count && copies; i++) {
        const size_t bytes = cm_comm_elements(&work[i], r->ranks) * cm_comm_size(work[i].type);
        if (copies[i]) cm_backend->release(r->device, copies[i], bytes, CM_DEVICE_MEMORY);
    }
    free(copies);
    return result;
}

/* ---- doing the work ---- */

void cm_remote_expect(size_t parts) { expected += parts; }

/* So many of a bundle's parts are done. Lock held. */
static void finish(struct cm_bundle *bundle, size_t parts) {
    expected -= parts;
    bundle->left -= parts;
    if (!bundle->left) cm_async_done(bundle->stream);
    pthread_cond_broadcast(&served_come);
}

void cm_remote_put(struct cm_part *part) {
    if (part->remote->aborted) {
        finish(part->bundle, 1);
        return;
    }
    struct cm_part **at = &part->remote->queue;
    while (*at && (*at)->number < part->number) at = &(*at)->next;
    part->next = *at;
    *at = part;
    pthread_cond_signal(&part->remote->come);
    pthread_cond_broadcast(&served_come);
}

static bool is_due(const struct cm_remote *r) {
    return r->queue && r->queue->number == r->done && !r->busy;
}

/* The next group of calls. Lock held, and released in between. */
static void run_batch(struct cm_remote *r) {
    struct cm_part *first = r->queue, *p;
    size_t count = 0;
    for (p = first; p && p->bundle == first->bundle && p->number == first->number + count;
         p = p->next)
        count++;
    struct cm_comm_work *work = calloc(count, sizeof *work);
    r->queue = p;
    r->busy = true;
    size_t i = 0;
    for (struct cm_part *q = first; q != p; q = q->next, i++)
        if (work) work[i] = q->work;
    cm_lock_give();
    cmCommResult_t result = work ? run_scaled(r, work, count) : cmCommSystemError;
    free(work);
    cm_lock_take();
    if (result && !r->aborted) {
        r->error = result;
        cm_set_sticky(r->device, cmErrorUnknown);
    }
    r->done += count;
    r->busy = false;
    finish(first->bundle, count);
}

static void *remote_main(void *data) {
    struct cm_remote *r = data;
    cm_lock_take();
    while (!r->leaving) {
        if (is_due(r))
            run_batch(r);
        else
            pthread_cond_wait(&r->come, &cm_lock);
    }
    cm_lock_give();
    return NULL;
}

void cm_remote_pump(void) {
    if (!transport || !transport->callers_thread) return;
    cm_lock_take();
    while (expected) {
        struct cm_remote *due = served;
        while (due && !is_due(due)) due = due->next;
        if (due)
            run_batch(due);
        else
            pthread_cond_wait(&served_come, &cm_lock);
    }
    cm_lock_give();
}

/* ---- joining and leaving ---- */

static cmCommResult_t start(struct cm_remote **made, const struct cm_transport *of, void *peer,
                            int ranks, int rank, int device) {
    struct cm_remote *r = calloc(1, sizeof *r);
    if (!r) {
        of->leave(peer);
        return cmCommSystemError;
    }
    *r = (struct cm_remote){
        .transport = of, .peer = peer, .ranks = ranks, .rank = rank, .device = device};
    pthread_cond_init(&r->come, NULL);
    if (of->callers_thread) {
        cm_lock_take();
        r->next = served;
        served = r;
        cm_lock_give();
    } else {
        r->threaded = !pthread_create(&r->thread, NULL, remote_main, r);
        if (!r->threaded) {
            cm_remote_free(r);
            return cmCommSystemError;
        }
    }
    *made = r;
    return cmCommSuccess;
}

cmCommResult_t cm_remote_join(struct cm_remote **made, const struct cm_transport *of, int ranks,
                              const char *id, int rank, int device) {
    void *peer = NULL;
    if (!of) {
        snprintf(cm_comm_why, sizeof cm_comm_why, "the id is none of this process's library");
        return cmCommInvalidArgument;
    }
    cmCommResult_t result = of->join(&peer, ranks, id, rank, device);
    return result ? result : start(made, of, peer, ranks, rank, device);
}

bool cm_remote_any_thread(const struct cm_remote *r) { return !r->transport->callers_thread; }

cmCommResult_t cm_remote_split(struct cm_remote **made, struct cm_remote *r, int color, int key) {
    void *peer = NULL;
    int ranks = 0, rank = 0;
    if (!r->transport->split) {
        snprintf(cm_comm_why, sizeof cm_comm_why, "%s splits no communicators",
                 r->transport->name);
        return cmCommInvalidUsage;
    }
    cmCommResult_t result = r->transport->split(&peer, r->peer, color, key, &ranks, &rank);
    if (result || !peer) return result;
    return start(made, r->transport, peer, ranks, rank, r->device);
}

/* No more work is begun. Lock held. */
static void retire(struct cm_remote *r) {
    r->leaving = true;
    struct cm_remote **at = &served;
    while (*at && *at != r) at = &(*at)->next;
    if (*at) *at = r->next;
    pthread_cond_signal(&r->come);
}

void cm_remote_free(struct cm_remote *r) {
    cm_lock_take();
    retire(r);
    cm_lock_give();
    if (r->threaded) pthread_join(r->thread, NULL);
    r->transport->leave(r->peer);
    pthread_cond_destroy(&r->come);
    free(r);
}

void cm_remote_abort(struct cm_remote *r) {
    cm_lock_take();
    r->aborted = true;
    retire(r);
    for (struct cm_part *p = r->queue, *next; p; p = next) {
        next = p->next;
        finish(p->bundle, 1);
    }
    r->queue = NULL;
    cm_lock_give();
    if (r->transport->abort) r->transport->abort(r->peer);
    if (r->threaded) pthread_join(r->thread, NULL);
    cm_lock_take();
    while (r->busy) pthread_cond_wait(&served_come, &cm_lock);
    r->next = aborted;
    aborted = r;
    cm_lock_give();
    r->transport->leave(r->peer);
}

void cm_remote_size(const struct cm_remote *r, int *ranks, int *rank) {
    *ranks = r->ranks;
    *rank = r->rank;
}

cmCommResult_t cm_remote_error(const struct cm_remote *r) { return r->error; }
