/* What a rank gives to a collective, and the moving of the data of all ranks. */
#ifndef CMRT_COMM_H
#define CMRT_COMM_H

#include <cuda_morph/comm.h>

enum cm_comm_kind {
    CM_ALL_REDUCE,
    CM_REDUCE,
    CM_BROADCAST,
    CM_ALL_GATHER,
    CM_REDUCE_SCATTER,
    CM_SEND,
    CM_RECEIVE
};

struct cm_comm_work {
    enum cm_comm_kind kind;
    const unsigned char *from;
    unsigned char *to;
    size_t count;
    cmCommDataType_t type;
    cmCommRedOp_t op;
    int root; /* or the peer of a send or receive */
};

/* Bytes of an element; 0: there is no such type. */
size_t cm_comm_size(cmCommDataType_t type);
/* A collective of `ranks` ranks, work[r] being that of rank r. Buffers may be shared in the ways
   that NCCL allows (in place). 0, or -1 when there is no memory. */
int cm_comm_move(const struct cm_comm_work *const *work, int ranks);

#endif
