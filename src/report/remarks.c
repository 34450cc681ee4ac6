/* SPDX-License-Identifier: Apache-2.0 */
/* remarks.c - the same note of many files, told once. */
#include "report/remarks.h"
#include "report/text.h"

enum { REMARKS_SHOWN = 20 };

void remarks_add(struct remarks *r, struct arena *a, struct str message, const char *path) {
    for (size_t i = 0; i < r->list.n; i++) {
        if (!str_eq(r->list.v[i].message, message)) continue;
        r->list.v[i].files++;
        return;
    }
    struct remark remark = {arena_str(a, message), path, 1};
    vec_push(a, &r->list, remark);
}

void remarks_print(const struct remarks *r, struct buf *b, bool color) {
    for (size_t i = 0; i < r->list.n && i < REMARKS_SHOWN; i++) {
        const struct remark *remark = &r->list.v[i];
        struct cm_note note = {.message = remark->message};
        if (remark->files > 1) {
            note.message = arena_printf(b->a, "%.*s (%zu files like this; -v names them)",
                                        STR_ARG(remark->message), remark->files);
        }
        text_note(b, str_of(remark->first), &note, color);
    }
    if (r->list.n > REMARKS_SHOWN)
        buf_printf(b, "... and %zu more notes; -v shows them all\n", r->list.n - REMARKS_SHOWN);
}
