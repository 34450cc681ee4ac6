/* SPDX-License-Identifier: Apache-2.0 */
/* Launching kernels: a launch's shape is checked and becomes the operation of a stream, with a
   copy of the arguments behind it. Who runs the blocks is queue.c's to say, and how block.c's. */
#include "grid.h"
#include "backend.h"
#include "memory.h"
#include "watch.h"
#include <stdlib.h>
#include <string.h>

/* ---- the operation: a grid, and behind it the kernel's arguments ---- */

static size_t arguments_at(void) { return (sizeof(struct cm_grid) + 63) / 64 * 64; }

static void grid_copy(void *to, const void *from) {
    struct cm_grid *copy = to;
    const struct cm_grid *grid = from;
    memset(copy, 0, sizeof *copy);
    copy->call = grid->call;
    copy->total = grid->total;
    copy->chunk = grid->chunk;
    void *arguments = (unsigned char *)to + arguments_at();
    if (grid->call.copy)
        grid->call.copy(arguments, grid->call.arguments);
    else if (grid->call.size)
        memcpy(arguments, grid->call.arguments, grid->call.size);
    copy->call.arguments = arguments;
}

static void grid_drop(void *data) {
    struct cm_grid *grid = data;
    if (grid->call.drop) grid->call.drop((void *)(uintptr_t)grid->call.arguments);
}

static const struct cm_class grid_class = {
    .type = cmGraphNodeTypeKernel, .how = CM_GRID, .copy = grid_copy, .drop = grid_drop};

/* ---- launching ---- */

enum { RESIDENT = 1 << 15 }; /* threads of a cooperative launch, whatever the processors */

static cmError_t check_shape(const cmKernelCall *call) {
    const dim3 *g = &call->grid, *b = &call->block;
    uint64_t threads = (uint64_t)b->x * b->y * b->z;
    if (!g->x || !g->y || !g->z || g->x > 0x7fffffff || g->y > 65535 || g->z > 65535)
        return cmErrorInvalidConfiguration;
    if (!threads || b->x > 1024 || b->y > 1024 || b->z > 64 || threads > CM_MAX_THREADS_PER_BLOCK)
        return cmErrorInvalidConfiguration;
    if (call->shared > CM_MAX_SHARED) return cmErrorInvalidValue;
    if (!call->cooperative) return cmSuccess;
    int blocks;
    cmError_t error = cmOccupancyBlocks(&blocks, (int)threads, call->shared);
    if (error) return error;
    /* Blocks that wait are fibers, which need no processor: what a middling GPU holds is taken,
       since programs that count on one do not ask. */
    uint64_t most = (uint64_t)blocks * (uint64_t)cm_settings.workers;
    if (blocks > 0 && most < RESIDENT / threads) most = RESIDENT / threads;
    return (uint64_t)g->x * g->y * g->z > most ? cmErrorCooperativeLaunchTooLarge : cmSuccess;
}

cmError_t cm_grid_op(const cmKernelCall *call, struct cm_op **made) {
    if (!call || !call->threads) return cmErrorInvalidDeviceFunction;
    cmError_t error = check_shape(call);
    if (error) return error;
    struct cm_op *op = cm_op_new(&grid_class, arguments_at() + call->size);
    if (!op) return cmErrorMemoryAllocation;
    struct cm_grid grid = {.call = *call};
    grid.total = (uint64_t)call->grid.x * call->grid.y * call->grid.z;
    grid.chunk = grid.total / (8 * (uint64_t)cm_settings.workers);
    /* Watched blocks run one after another: nobody who waits for the grid helps. */
    if (cm_settings.checks & ~(unsigned)CM_CHECK_MEMORY) grid.chunk = grid.total;
    if (!grid.chunk) grid.chunk = 1;
    grid_copy(op->data, &grid);
    *made = op;
    return cmSuccess;
}

cmError_t cmKernelLaunch(const cmKernelCall *call) {
    CM_ENTER();
    struct cm_op *op;
    cmError_t error = cm_grid_op(call, &op);
    if (error) return cm_fail(error);
    struct cm_grid *parent = cm_block_grid();
    cm_count(&cm_stats.kernels, 1);
    if (!parent)
        return cm_backend->host ? cm_submit_to(call->stream, op, false)
                                : cm_stage_launch(call->stream, op);
    cm_lock_take();
    *parent->children_tail = op;
    parent->children_tail = &op->next;
    cm_lock_give();
    return cmSuccess;
}
