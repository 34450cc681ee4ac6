/* SPDX-License-Identifier: Apache-2.0 */
/* table.c - what SYCL's port writes for CUDA's words: rows of rules/sycl.json, whose first word is
 * CUDA's and the rest the text. */
#include "cuda/header_names.h"
#include "sycl/sycl.h"

bool sy_row(const struct rules *r, const char *list, struct str word, struct str *rest) {
    size_t cursor = 0;
    struct str row;
    while (rules_next_word(r, list, &cursor, &row)) {
        size_t end = str_find(row, S(" "), 0);
        if (!str_eq(str_sub(row, 0, end), word)) continue;
        *rest = end < row.n ? str_sub(row, end + 1, row.n) : S("");
        return true;
    }
    return false;
}

bool sy_declares(struct arena *a, struct str name) {
    return header_names_declare(header_names_of(true), a, name);
}
