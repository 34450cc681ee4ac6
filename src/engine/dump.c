/* SPDX-License-Identifier: Apache-2.0 */
/* dump.c - what each stage produced, as text: the debugging story. Matches and edits look the same
 * in every language; what comes before them is the language's own to show. */
#include "engine/language.h"

void unit_dump_node(struct unit *u, struct buf *b, const struct tree *t, uint32_t i,
                    uint32_t *depth_of, const char *kind) {
    uint32_t depth = depth_of[i] = i ? depth_of[t->v[i].parent] + 1 : 0;
    if (!kind) return;
    struct str text = str_sub(u->src, t->v[i].start, t->v[i].end);
    size_t line = str_find(text, S("\n"), 0);
    buf_printf(b, "%*s%s [%u-%u] ", (int)depth * 2, "", kind, t->v[i].start, t->v[i].end);
    buf_add_visible(b, str_sub(text, 0, line < 60 ? line : 60));
    buf_addc(b, '\n');
}

static void dump_matches(struct unit *u, struct buf *b) {
    for (size_t i = 0; i < u->findings.n; i++) {
        const struct cm_finding *f = &u->findings.v[i];
        buf_printf(b, "%u:%u %s %.*s %.*s [%.*s] %.*s\n", f->line, f->column,
                   cm_outcome_name(f->outcome), STR_ARG(f->verdict), STR_ARG(f->token),
                   STR_ARG(f->rule), STR_ARG(f->message));
    }
}

static void dump_edits(struct unit *u, struct buf *b) {
    for (size_t i = 0; i < u->edits.n; i++) {
        const struct cm_edit *e = &u->edits.v[i];
        buf_printf(b, "%zu-%zu ", e->start, e->end);
        buf_add_json(b, str_sub(u->src, e->start, e->end));
        buf_addz(b, " -> ");
        buf_add_json(b, e->text);
        if (e->finding != UINT32_MAX)
            buf_printf(b, " [%.*s]", STR_ARG(u->findings.v[e->finding].rule));
        buf_addc(b, '\n');
    }
}

struct str unit_dump(struct unit *u, enum cm_dump stage) {
    struct buf b;
    buf_init(&b, u->a);
    if (stage == CM_DUMP_MATCHES)
        dump_matches(u, &b);
    else if (stage == CM_DUMP_EDITS)
        dump_edits(u, &b);
    else if (u->language->dump)
        u->language->dump(u, stage, &b);
    return b.p ? buf_str(&b) : S("");
}
