/* SPDX-License-Identifier: Apache-2.0 */
/* ratchet.c - counts per owner or folder, before and now. */
#include "commands/ratchet.h"

#include "report/escape.h"

static struct ratchet_row *row_of(struct ratchet *r, struct str path) {
    struct str group = owners_group(r->owners, path);
    for (size_t i = 0; i < r->rows.n; i++)
        if (str_eq(r->rows.v[i].group, group)) return &r->rows.v[i];
    struct ratchet_row row = {.group = arena_str(r->a, group)};
    vec_push(r->a, &r->rows, row);
    return &r->rows.v[r->rows.n - 1];
}

void ratchet_start(struct ratchet *r, struct arena *a, const struct owners *owners,
                   const struct baseline *before) {
    *r = (struct ratchet){.a = a, .owners = owners};
    for (size_t i = 0; before && i < before->entries.n; i++)
        row_of(r, before->entries.v[i].path)->before++;
}

void ratchet_add(struct ratchet *r, struct str path, size_t n) {
    if (n) row_of(r, path)->now += n;
}

bool ratchet_rose(const struct ratchet *r, struct buf *b) {
    bool rose = false;
    for (size_t i = 0; i < r->rows.n; i++) {
        const struct ratchet_row *row = &r->rows.v[i];
        if (row->now == row->before) continue;
        rose |= row->now > row->before;
        add_log_text(b, row->group);
        buf_printf(b, ": %zu %s, %s than the %zu of the baseline\n", row->now,
                   row->now == 1 ? "finding" : "findings",
                   row->now > row->before ? "more" : "fewer", row->before);
    }
    return rose;
}
