/* Launching kernels. */
#include "internal.h"
#include <stdlib.h>
#include <string.h>

/* The barrier of a cooperative grid. */
struct cm_grid_gate {
    pthread_mutex_t lock;
    pthread_cond_t open;
    uint64_t expected, arrived, generation;
};

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
    uint64_t most = (uint64_t)blocks * (uint64_t)cm_settings.workers;
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

void cm_grid_fail(struct cm_grid *grid, cmError_t error) {
    cm_set_sticky(grid->stream->device, error);
    grid->failed = true;
    if (!grid->gate) return;
    pthread_mutex_lock(&grid->gate->lock);
    pthread_cond_broadcast(&grid->gate->open);
    pthread_mutex_unlock(&grid->gate->lock);
}

/* ---- cooperative grids ---- */

static void open_if_all(struct cm_grid_gate *gate) {
    if (gate->arrived < gate->expected) return;
    gate->arrived = 0;
    gate->generation++;
    pthread_cond_broadcast(&gate->open);
}

void cm_grid_gate_wait(struct cm_grid *grid) {
    struct cm_grid_gate *gate = grid->gate;
    if (!gate) return;
    pthread_mutex_lock(&gate->lock);
    uint64_t generation = gate->generation;
    gate->arrived++;
    open_if_all(gate);
    while (gate->generation == generation && !grid->failed)
        pthread_cond_wait(&gate->open, &gate->lock);
    pthread_mutex_unlock(&gate->lock);
    if (grid->failed) cmKernelTrap(cmErrorLaunchFailure);
}

static void run_one(struct cm_grid *grid) {
    uint64_t number = atomic_fetch_add(&grid->next_block, 1);
    cm_blocks_run(grid, number, number + 1);
    pthread_mutex_lock(&grid->gate->lock);
    grid->gate->expected--;
    open_if_all(grid->gate);
    pthread_mutex_unlock(&grid->gate->lock);
}

static void *cooperative_main(void *grid) {
    run_one(grid);
    cm_block_thread_end();
    return NULL;
}

void cm_grid_run_cooperative(struct cm_grid *grid) {
    struct cm_grid_gate gate = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, grid->total,
                                0, 0};
    uint64_t others = grid->total - 1, made = 0;
    pthread_t *threads = calloc(others + 1, sizeof *threads);
    grid->gate = &gate;
    while (threads && made < others &&
           !pthread_create(&threads[made], NULL, cooperative_main, grid))
        made++;
    if (made < others) cm_grid_fail(grid, cmErrorLaunchOutOfResources);
    run_one(grid);
    for (uint64_t i = 0; i < made; i++) pthread_join(threads[i], NULL);
    free(threads);
    atomic_store(&grid->next_block, grid->total);
}
