/* SPDX-License-Identifier: Apache-2.0 */
/* The barrier of a cooperative grid: its blocks run on threads of their own, and wait here for
   each other. Also the end of a grid that has failed, since no block may go on waiting for it. */
#include "grid.h"

static void open_if_all(struct cm_grid_gate *gate) {
    if (gate->arrived < gate->expected) return;
    gate->arrived = 0;
    gate->generation++;
    pthread_cond_broadcast(&gate->open);
}

bool cm_gate_wait(struct cm_grid *grid) {
    struct cm_grid_gate *gate = grid->gate;
    if (!gate) return true;
    pthread_mutex_lock(&gate->lock);
    uint64_t generation = gate->generation;
    gate->arrived++;
    open_if_all(gate);
    while (gate->generation == generation && !grid->failed)
        pthread_cond_wait(&gate->open, &gate->lock);
    pthread_mutex_unlock(&gate->lock);
    return !grid->failed;
}

void cm_gate_leave(struct cm_grid *grid) {
    pthread_mutex_lock(&grid->gate->lock);
    grid->gate->expected--;
    open_if_all(grid->gate);
    pthread_mutex_unlock(&grid->gate->lock);
}

void cm_grid_fail(struct cm_grid *grid, cmError_t error) {
    cm_set_sticky(grid->stream->device, error);
    grid->failed = true;
    if (!grid->gate) return;
    pthread_mutex_lock(&grid->gate->lock);
    pthread_cond_broadcast(&grid->gate->open);
    pthread_mutex_unlock(&grid->gate->lock);
}
