/* SPDX-License-Identifier: Apache-2.0 */
/* Error codes, and the last error of each thread. */
#include "state.h"
#include <string.h>

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

const char *cmGetErrorName(cmError_t error) {
    switch (error) {
#define CM_ERROR(name, value, text)                                                               \
    case name:                                                                                    \
        return #name;
#include <cuda_morph/errors.def>
#undef CM_ERROR
    }
    return "unrecognized error code";
}

const char *cmGetErrorString(cmError_t error) {
    switch (error) {
#define CM_ERROR(name, value, text)                                                               \
    case name:                                                                                    \
        return text;
#include <cuda_morph/errors.def>
#undef CM_ERROR
    }
    return "unrecognized error code";
}
