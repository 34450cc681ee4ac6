/* SPDX-License-Identifier: Apache-2.0 */
/* no_runtime.c - which fixes name a module, by their edits; the others keep what they need. */
#include "commands/no_runtime.h"

static bool names(const struct cm_edit *e, struct str module) {
    return str_find(e->text, module, 0) < e->text.n;
}

/* Whether the fix of this finding writes the module's name. */
static bool fix_names(const struct cm_result *r, const struct cm_finding *f, struct str module) {
    for (size_t i = 0; i < r->n_edits; i++)
        if (names(&r->edits[i], module) && cm_fix_has(r, f, &r->edits[i])) return true;
    return false;
}

void result_without_module(struct cm_result *r, struct arena *a, struct str module) {
    bool any = false;
    for (size_t i = 0; i < r->n_edits && !any; i++) any = names(&r->edits[i], module);
    if (!any) return;
    const struct cm_result before = *r;
    struct cm_finding *findings = arena_alloc(a, (r->n_findings + 1) * sizeof *findings);
    memcpy(findings, r->findings, r->n_findings * sizeof *findings);
    for (size_t i = 0; i < r->n_findings; i++) {
        struct cm_finding *f = &findings[i];
        if (f->outcome != CM_PORTED || !fix_names(&before, &before.findings[i], module)) continue;
        f->outcome = CM_MANUAL;
        f->message = arena_printf(a,
                                  "`%.*s` is tied to CUDA, and PyTorch has no name for it that "
                                  "suits every device",
                                  STR_ARG(f->token));
        f->replacement = S("");
        r->counts[CM_PORTED]--;
        r->counts[CM_MANUAL]++;
    }
    VEC(struct cm_edit) edits = {0};
    for (size_t i = 0; i < before.n_edits; i++) {
        bool kept = false;
        for (size_t k = 0; k < r->n_findings && !kept; k++)
            kept = findings[k].outcome == CM_PORTED &&
                   cm_fix_has(&before, &before.findings[k], &before.edits[i]);
        if (kept) vec_push(a, &edits, before.edits[i]);
    }
    r->findings = findings;
    r->edits = edits.v;
    r->n_edits = edits.n;
    r->changed = edits.n > 0;
}
