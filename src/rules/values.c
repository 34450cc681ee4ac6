/* SPDX-License-Identifier: Apache-2.0 */
/* values.c - several values of one option, in command lines and lists: --devices cuda:0 cuda:1. */
#include "rules/rules.h"

/* cuda, cuda:1, and the words of the rule's family: cpu. */
static bool is_value(struct row_ref row, struct str word) {
    struct str plain = str_sub(word, 0, str_find(word, S(":"), 0));
    const struct rstr *v = RS_LIST(row.set, row.rule->companions, struct rstr);
    bool is = str_eq(plain, rs_str(row.set, row.row->key));
    for (uint32_t i = 0; i < row.rule->companions.n; i++)
        is |= str_eq(plain, rs_str(row.set, v[i]));
    return is;
}

size_t row_first_value(struct row_ref row, struct str text, size_t start) {
    for (size_t first = start, end, i;; first = i) {
        for (end = first; end && strchr(" \t\"',", text.p[end - 1]);) end--;
        for (i = end; i && !strchr(" \t\"',=([", text.p[i - 1]);) i--;
        if (end == first || i == end || !is_value(row, str_sub(text, i, end))) return first;
    }
}
