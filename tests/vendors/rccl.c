/* SPDX-License-Identifier: Apache-2.0 */
/* rccl.c - a stand-in for librccl.so, AMD's collectives: NCCL's names, and its split. */
#define F(name) nccl##name
#include "nccl.h"

int ncclCommSplit(struct comm *c, int color, int key, void **made, void *config) {
    struct world *w = c->world;
    int ranks = 0, rank = 0, first = c->rank;
    stub_say("CommSplit color %d key %d rank %d", color, key, c->rank);
    if (config) return BAD;
    *made = NULL;
    pthread_mutex_lock(&lock);
    w->color[c->rank] = color, w->key[c->rank] = key;
    meet(w);
    for (int r = 0; r < w->ranks; r++) {
        if (w->color[r] != color) continue;
        ranks++;
        rank += w->key[r] < key || (w->key[r] == key && r < c->rank);
        if (r < first) first = r;
    }
    if (first == c->rank && color >= 0) get_id(w->child[first]);
    meet(w);
    unsigned char id[ID_SIZE];
    memcpy(id, w->child[first], ID_SIZE);
    meet(w);
    pthread_mutex_unlock(&lock);
    return color < 0 ? 0 : join(made, ranks, id, rank);
}
