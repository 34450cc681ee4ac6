/* SPDX-License-Identifier: Apache-2.0 */
/* module.c - kernels that programs look up by name (cuModuleGetFunction): the line that makes them
 * known where a module is a shared library. Only kernels with C's linkage: C++ names are mangled,
 * and no program that looks one up by name could know how. */
#include "kernels/kernel.h"

/* Whether the declaration that token i belongs to has C's linkage. */
static bool is_c(const struct cu *f, uint32_t i) {
    for (uint32_t at = i; at > 0; at--) {
        if (cu_is(f, at - 1, ";") || cu_is(f, at - 1, "}")) break;
        if (cu_is(f, at - 1, "template") || cu_is(f, at - 1, "static")) return false;
        if (cu_is(f, at - 1, "\"C\"")) return true;
    }
    for (uint32_t at = 2; at < i; at++) {
        bool opens = cu_is(f, at, "{") && cu_is(f, at - 1, "\"C\"");
        if (opens && f->tokens.v[at].partner != NO_NODE && f->tokens.v[at].partner > i)
            return true;
    }
    return false;
}

/* Whether the file launches it itself (as cm::launch<name>, after a port), or has made it known
 * already. */
static bool is_known(const struct cu *f, uint32_t name) {
    struct str word = cu_text(f, name);
    for (uint32_t i = 0; i + 2 < f->tokens.n; i++) {
        if (i == name || !cu_is_word(f, i) || !str_eq(cu_text(f, i), word)) continue;
        if (cu_is(f, i + 1, "<<<") || cu_is(f, i + 1, "<<")) return true;
        if (i < 2) continue;
        if (cu_is(f, i - 1, "<") && cu_is(f, i - 2, "launch")) return true;
        if (cu_is(f, i - 1, "(") && cu_is(f, i - 2, "CM_MODULE_KERNEL")) return true;
    }
    return false;
}

void k_write_module(struct kernel *k, struct k_edits *edits) {
    struct cu *f = k->f;
    if (!is_c(f, k->name) || is_known(f, k->name)) return;
    struct str name = cu_text(f, k->name);
    uint32_t at = f->tokens.v[k->close].end;
    struct match_edit edit = {.start = at, .end = at, .match = UINT32_MAX, .after = true};
    edit.text = arena_printf(f->a, "%.*sCM_MODULE_KERNEL(%.*s, %.*s);", STR_ARG(cu_eol(f)),
                             STR_ARG(name), STR_ARG(name));
    vec_push(f->a, &edits->v, edit);
    cu_need_header(f, S("cuda_morph/module.h"), NO_NODE);
}
