/* SPDX-License-Identifier: Apache-2.0 */
/* The state of the process, which all other parts share: it calls none of them. start.c fills it.
 */
#include "backend.h"

struct cm_settings cm_settings;
struct cm_stats cm_stats;
const struct cm_backend *cm_backend = &cm_backend_cpu;
struct cm_device cm_devices[CM_MAX_DEVICES];
static _Thread_local int current;

#ifdef PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP
pthread_mutex_t cm_lock = PTHREAD_ADAPTIVE_MUTEX_INITIALIZER_NP; /* it is held for moments only */
#else
pthread_mutex_t cm_lock = PTHREAD_MUTEX_INITIALIZER;
#endif

void cm_lock_take(void) { pthread_mutex_lock(&cm_lock); }
void cm_lock_give(void) { pthread_mutex_unlock(&cm_lock); }

int cm_current(void) { return current; }
void cm_set_current(int device) { current = device; }
struct cm_device *cm_device(void) {
    return &cm_devices[current];
}

cmError_t cm_sticky(int device) { return (cmError_t)cm_devices[device].sticky; }

void cm_set_sticky(int device, cmError_t error) {
    int none = cmSuccess;
    atomic_compare_exchange_strong(&cm_devices[device].sticky, &none, (int)error);
}
