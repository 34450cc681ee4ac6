/* SPDX-License-Identifier: Apache-2.0 */
/* error_names.h - what an error is called and what it means, out of errors.def: for libcmrt and
 * for programs in SYCL, which have no libcmrt. */
#ifndef CUDA_MORPH_ERROR_NAMES_H
#define CUDA_MORPH_ERROR_NAMES_H

#include <cuda_morph/types.h>

static inline const char *cm_error_name(cmError_t error) {
    switch (error) {
#define CM_ERROR(name, value, text)                                                               \
    case name:                                                                                    \
        return #name;
#include <cuda_morph/errors.def>
#undef CM_ERROR
    }
    return "unrecognized error code";
}

static inline const char *cm_error_text(cmError_t error) {
    switch (error) {
#define CM_ERROR(name, value, text)                                                               \
    case name:                                                                                    \
        return text;
#include <cuda_morph/errors.def>
#undef CM_ERROR
    }
    return "unrecognized error code";
}

#endif
