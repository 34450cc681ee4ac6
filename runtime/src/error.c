/* SPDX-License-Identifier: Apache-2.0 */
/* Error codes, and the last error of each thread. */
#include "state.h"
#include <cuda_morph/error_names.h>

static _Thread_local cmError_t last;

cmError_t cm_fail(cmError_t error) {
    if (error) last = error;
    return error;
}

void cm_forget_error(void) { last = cmSuccess; }

static cmError_t sticky_or_last(void) {
    cmError_t sticky = cm_sticky(cm_current());
    return sticky ? sticky : last;
}

cmError_t cmGetLastError(void) {
    cmError_t error = sticky_or_last();
    last = cmSuccess;
    return error;
}

cmError_t cmPeekAtLastError(void) { return sticky_or_last(); }

const char *cmGetErrorName(cmError_t error) { return cm_error_name(error); }

const char *cmGetErrorString(cmError_t error) { return cm_error_text(error); }
