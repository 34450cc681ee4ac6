/* SPDX-License-Identifier: Apache-2.0 */
/* edit.c - applies edits. All that a port changes goes through this one function, which is why no
 * byte outside of an edit can be lost. */
#include "edit/edit.h"

#include <assert.h>

struct str edits_apply(struct arena *a, struct str input, const struct cm_edit *edits, size_t n) {
    size_t size = input.n;
    for (size_t i = 0; i < n; i++) {
        assert(edits[i].start <= edits[i].end && edits[i].end <= input.n);
        assert(i == 0 || edits[i].start >= edits[i - 1].end);
        size = size - (edits[i].end - edits[i].start) + edits[i].text.n;
    }
    char *out = arena_alloc(a, size + 64);
    size_t from = 0, to = 0;
    for (size_t i = 0; i < n; i++) {
        memcpy(out + to, input.p + from, edits[i].start - from);
        to += edits[i].start - from;
        if (edits[i].text.n) memcpy(out + to, edits[i].text.p, edits[i].text.n);
        to += edits[i].text.n;
        from = edits[i].end;
    }
    memcpy(out + to, input.p + from, input.n - from);
    memset(out + size, 0, 64);
    return (struct str){out, size};
}
