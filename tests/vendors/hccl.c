/* SPDX-License-Identifier: Apache-2.0 */
/* hccl.c - a stand-in for libhccl.so, Huawei's collectives: sends and receives come in one batch,
 * and there is nothing to abort with. */
#define F(name) Hccl##name
enum { ID_SIZE = 4108, I32 = 2, F32 = 4, F64 = 10, U8 = 7 };
#include "ccl.h"

int HcclBroadcast(void *buffer, size_t n, int type, int root, void *c, void *queue) {
    return cast(buffer, n, type, root, c, queue);
}

int HcclCommDestroy(void *c) { return leave(c); }

int HcclGetRootInfo(void *id) { return get_id(id); }
int HcclCommInitRootInfo(uint32_t ranks, const void *id, uint32_t rank, void **made) {
    return join(made, (int)ranks, id, (int)rank);
}
struct item {
    int receives;
    void *buffer;
    uint64_t count;
    int type;
    uint32_t peer;
};
int HcclBatchSendRecv(struct item *items, uint32_t n, void *c, void *queue) {
    (void)queue;
    stub_say("HcclBatchSendRecv %u", n);
    depth++;
    for (uint32_t i = 0; i < n; i++)
        if (!items[i].receives)
            send_(items[i].buffer, items[i].count, items[i].type, (int)items[i].peer, c);
    depth--;
    for (uint32_t i = 0; i < n; i++)
        if (items[i].receives)
            receive(items[i].buffer, items[i].count, items[i].type, (int)items[i].peer, c);
    return 0;
}
