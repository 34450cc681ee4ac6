/* SPDX-License-Identifier: Apache-2.0 */
/* values.c - the words that a rule takes for values: its lists, and several values of
 * one option, as in --devices cuda:0 cuda:1. */
#include "rules/rules.h"

bool row_lists(struct row_ref row, struct rlist list, struct str s) {
    const struct rstr *v = RS_LIST(row.set, list, struct rstr);
    for (uint32_t i = 0; i < list.n; i++)
        if (str_eq(rs_str(row.set, v[i]), s)) return true;
    return false;
}

/* cuda, cuda:1, and the words of the rule's family: cpu. */
static bool is_value(struct row_ref row, struct str word) {
    struct str plain = str_sub(word, 0, str_find(word, S(":"), 0));
    return str_eq(plain, rs_str(row.set, row.row->key)) ||
           row_lists(row, row.rule->companions, plain);
}

size_t row_first_value(struct row_ref row, struct str text, size_t start) {
    for (size_t first = start, end, i;; first = i) {
        for (end = first; end && strchr(" \t\"',", text.p[end - 1]);) end--;
        for (i = end; i && !strchr(" \t\"',=([", text.p[i - 1]);) i--;
        if (end == first || i == end || !is_value(row, str_sub(text, i, end))) return first;
    }
}
