/* SPDX-License-Identifier: Apache-2.0 */
/* What a rank gives to a collective, and the moving of the data of all ranks. */
#ifndef CMRT_COMM_H
#define CMRT_COMM_H

#include <cuda_morph/comm.h>
#include <stdbool.h>

enum cm_comm_kind {
    CM_ALL_REDUCE,
    CM_REDUCE,
    CM_BROADCAST,
    CM_ALL_GATHER,
    CM_REDUCE_SCATTER,
    CM_SEND,
    CM_RECEIVE
};

/* What a rank multiplies its part of a sum with. */
struct cm_scale {
    const void *device;     /* where it is read when the work runs; NULL: it is `value` */
    unsigned char value[8]; /* in the type of the work */
    bool on;
};

struct cm_comm_work {
    enum cm_comm_kind kind;
    const unsigned char *from;
    unsigned char *to;
    size_t count;
    cmCommDataType_t type;
    cmCommRedOp_t op;
    int root; /* or the peer of a send or receive */
    struct cm_scale scale;
};

/* ---- work on its way ---- */

struct clique;
struct cm_remote;
struct cm_part {          /* one call of one rank */
    struct cm_part *next; /* on the clique's table, or in the transport's queue */
    struct cm_bundle *bundle;
    struct clique *clique;
    struct cm_remote *remote;
    struct cm_comm_work work;
    uint64_t number;
    int rank;
};

struct cm_bundle { /* the data of a stream's operation */
    struct cm_stream *stream;
    size_t count, left;
    struct cm_part parts[];
};

/* ---- transports: ranks that are not this library's own devices ---- */

struct cm_transport {
    const char *name;
    bool between_processes; /* it moves the host's memory, and one rank lives in each process */
    bool callers_thread;    /* it may be called by the user's thread only */
    cmCommResult_t (*new_id)(char *id);
    /* Returns when all ranks have joined. */
    cmCommResult_t (*join)(void **peer, int ranks, const char *id, int rank, int device);
    /* *made NULL: this rank is in none of them. NULL where the vendor has nothing like it. */
    cmCommResult_t (*split)(void **made, void *peer, int color, int key, int *ranks, int *rank);
    void (*leave)(void *peer);
    /* Makes run() return soon, whatever it waits for: then only leave() is called. NULL, or false:
       that cannot be done. From any thread. */
    bool (*abort)(void *peer);
    /* Does a group of calls and returns when their results are there. */
    cmCommResult_t (*run)(void *peer, const struct cm_comm_work *work, size_t count);
};

/* The transport of this process: NULL where its own devices are all there is. An error where one
   is needed and cannot be had. */
cmCommResult_t cm_transport_of(const struct cm_transport **transport);
/* Why the last call failed, in words. */
extern _Thread_local char cm_comm_why[256];

/* A communicator of the transport: of all ranks that give the same id; or of those ranks of
   another one that give the same color, in the order of their keys. */
cmCommResult_t cm_remote_join(struct cm_remote **made, const struct cm_transport *transport,
                              int ranks, const char *id, int rank, int device);
cmCommResult_t cm_remote_split(struct cm_remote **made, struct cm_remote *remote, int color,
                               int key);
/* Whether it may be called by any thread. */
bool cm_remote_any_thread(const struct cm_remote *remote);
void cm_remote_free(struct cm_remote *remote);
/* The same, and what was not done will not be; parts that come later are taken as done. */
void cm_remote_abort(struct cm_remote *remote);
void cm_remote_size(const struct cm_remote *remote, int *ranks, int *rank);
cmCommResult_t cm_remote_error(const struct cm_remote *remote);
/* So many parts will come. Lock held. */
void cm_remote_expect(size_t parts);
/* A stream has come to this part. Lock held. */
void cm_remote_put(struct cm_part *part);
/* Where only the user's thread may: does what has been put, until nothing is left. */
void cm_remote_pump(void);

/* The library of a back end's vendor; NULL with the reason in cm_comm_why where there is none. */
const struct cm_transport *cm_transport_vendor(const char *backend);
/* For libraries whose ids are longer than NCCL's: what an id stands for, in this process or in
   another one of this machine. */
bool cm_id_publish(char *id, const void *data, size_t size);
bool cm_id_fetch(const char *id, void *data, size_t size);

/* The plug-in for MPI, a library of its own (runtime/mpi). */
struct cm_comm_tools {
    size_t (*size)(cmCommDataType_t type);
    size_t (*wide)(cmCommDataType_t type); /* bytes of what it is added up in */
    void (*widen)(cmCommDataType_t type, void *wide, const void *from, size_t count);
    void (*narrow)(cmCommDataType_t type, void *to, const void *wide, size_t count, int divide);
};
extern const struct cm_comm_tools cm_comm_tools;
typedef const struct cm_transport *cm_mpi_opener(const struct cm_comm_tools *tools, char *why,
                                                 size_t room);
cm_mpi_opener cm_mpi_open; /* what it exports */

/* ---- the data ---- */

/* Bytes of an element; 0: there is no such type. */
size_t cm_comm_size(cmCommDataType_t type);
/* Whether the ranks' calls are the same one. */
bool cm_comm_agree(const struct cm_comm_work *const *work, int ranks);
/* A collective of `ranks` ranks, work[r] being that of rank r. Buffers may be shared in the ways
   that NCCL allows (in place). 0, or -1 when there is no memory. */
int cm_comm_move(const struct cm_comm_work *const *work, int ranks);
/* A call whose buffers stand in the host's memory for a while. */
struct cm_staged {
    struct cm_stage *stage[2]; /* one, where both lie in one allocation */
    struct cm_comm_work work;
};
/* A cmError_t, both. It has to be ended also when it fails; with `write` the device gets the
   result. */
int cm_comm_stage(struct cm_staged *staged, const struct cm_comm_work *work);
int cm_comm_unstage(struct cm_staged *staged, bool write);
/* cm_comm_move() for memory of any device, by way of the host where it has to be. A cmError_t. */
int cm_comm_staged(const struct cm_comm_work *const *work, int ranks);
/* Elements of a rank's part of a reduction. */
size_t cm_comm_elements(const struct cm_comm_work *work, int ranks);
/* Multiplies elements with a number of their type; `to` may be `from`. */
void cm_comm_scale(cmCommDataType_t type, void *to, const void *from, size_t count,
                   const void *by);
/* Reads the number to multiply with, where it is still on the device. A cmError_t. */
int cm_comm_fetch_scale(struct cm_comm_work *work, int device);
/* Divides what a sum has left at `to` by the number of ranks, wherever it is: for libraries that
   have no average. A cmError_t. */
int cm_comm_divide(const struct cm_comm_work *work, int ranks);

#endif
