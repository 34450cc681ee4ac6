/* SPDX-License-Identifier: Apache-2.0 */
/* names.c - the public enumerations as words, for messages and formats. */
#include "cudamorph.h"

const char *cm_language_name(enum cm_language l) {
    static const char *const names[] = {"none", "python", "notebook", "cuda", "c++", "project"};
    return names[l];
}

const char *cm_outcome_name(enum cm_outcome o) {
    static const char *const names[] = {"ported", "kept", "to verify", "manual", "suppressed"};
    return names[o];
}
