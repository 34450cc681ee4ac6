/* SPDX-License-Identifier: Apache-2.0 */
/* pool.h - one loop over independent items, spread over threads. */
#ifndef CM_POOL_H
#define CM_POOL_H

#include "base.h"

/* Calls fn(ctx, worker, index) once for every index below count and returns when all are done.
 * The calling thread is worker 0; no two calls with the same worker number overlap, and all
 * numbers are below jobs, so workers may own scratch memory. With jobs <= 1 everything runs in
 * order on the calling thread. Fewer threads than asked for, should the system refuse some, change
 * nothing but the time. fn must not jump out. */
void pool_run(size_t jobs, size_t count, void (*fn)(void *ctx, size_t worker, size_t index),
              void *ctx);

/* How many threads this process may really use: its processor affinity, and the processor time
 * that its control groups (containers, batch systems) grant it. At least 1. */
size_t pool_default_jobs(void);

/* Processors granted by the text of a control group's cpu.max ("QUOTA PERIOD"), rounded up;
 * 0: no limit, or no such text. */
size_t pool_quota_cpus(struct str cpu_max);

#endif
