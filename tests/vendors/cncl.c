/* SPDX-License-Identifier: Apache-2.0 */
/* cncl.c - a stand-in for libcncl.so, Cambricon's collectives: ids are of cliques, several
 * communicators are made at once, and there is no double. */
#define F(name) cncl##name
enum { ID_SIZE = 136, I32 = 0x22, F32 = 0x12, F64 = -1, U8 = 0x30 };
#include "ccl.h"

int cnclBcast(void *buffer, size_t n, int type, int root, void *c, void *queue) {
    return cast(buffer, n, type, root, c, queue);
}

int cnclFreeComm(void *c) { return leave(c); }
int cnclAbortComm(void *c) { return give_up(c); }
int cnclGroupStart(void) { return start_group(); }
int cnclGroupEnd(void) { return end_group(); }

int cnclGetCliqueId(void *id) { return get_id(id); }
int cnclInitComms(void **made, int n, const int *devices, const int *ranks, int all,
                  const void *id) {
    if (n != 1 || devices[0] < 0) return BAD;
    return join(made, all, id, ranks[0]);
}
