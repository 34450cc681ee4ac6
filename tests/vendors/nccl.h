/* SPDX-License-Identifier: Apache-2.0 */
/* nccl.h - what rccl.c and mccl.c share: the interface of NCCL, under the names that F gives. */
#ifndef NCCL_H
#define NCCL_H

enum { ID_SIZE = 128, I32 = 2, F32 = 7, F64 = 8, U8 = 1 };
#include "ccl.h"

int F(Bcast)(void *buffer, size_t n, int type, int root, void *c, void *queue) {
    return cast(buffer, n, type, root, c, queue);
}

int F(CommDestroy)(void *c) { return leave(c); }
int F(CommAbort)(void *c) { return give_up(c); }
int F(GroupStart)(void) { return start_group(); }
int F(GroupEnd)(void) { return end_group(); }

typedef struct {
    char bytes[ID_SIZE];
} id_t128;
int F(GetUniqueId)(void *id) { return get_id(id); }
int F(CommInitRank)(void **made, int ranks, id_t128 id, int rank) {
    return join(made, ranks, &id, rank);
}

int F(CommCount)(struct comm *c, int *n) {
    *n = c->world->ranks;
    return 0;
}
int F(CommUserRank)(struct comm *c, int *n) {
    *n = c->rank;
    return 0;
}

#endif
