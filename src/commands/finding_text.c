/* SPDX-License-Identifier: Apache-2.0 */
/* finding_text.c - the sentence of a finding: the same in the terminal, in every format and in an
 * editor. */
#include "commands/finding_text.h"

bool target_is_no_vendor(const struct cm_target *target) {
    return cm_target_fact(target, "fallback").n > 0;
}

struct str finding_remedy(struct arena *a, const struct cm_finding *f,
                          const struct cm_target *target) {
    if (f->outcome != CM_PORTED) return arena_str(a, f->message);
    if (f->replacement.n == 0 || str_eq(f->replacement, f->token))
        return S("--fix rewrites the expression around it");
    if (memchr(f->replacement.p, '\n', f->replacement.n)) return S("--fix rewrites the statement");
    if (f->replacement.p[0] == '{' || str_starts(f->replacement, S("f{")))
        return S("--fix rewrites the string around it");
    bool is_attribute = str_starts(f->token, S(".")) && !str_starts(f->replacement, S(".")) &&
                        !str_starts(f->replacement, S("("));
    bool no_vendor = target_is_no_vendor(target);
    return arena_printf(a, "use `%s%.*s`%s%.*s", is_attribute ? "." : "", STR_ARG(f->replacement),
                        no_vendor ? "" : " for ",
                        STR_ARG(no_vendor ? S("") : cm_target_name(target)));
}

struct str finding_message(struct arena *a, const struct cm_finding *f, struct str remedy) {
    if (f->outcome != CM_PORTED) return remedy;
    /* Rules of the domain "stale" are about names of the vendor's own. */
    const char *what = str_starts(f->rule, S("stale/")) ? "is out of date" : "is tied to CUDA";
    return arena_printf(a, "`%.*s` %s; %.*s", STR_ARG(f->token), what, STR_ARG(remedy));
}
