/* SPDX-License-Identifier: Apache-2.0 */
/* call.c - the arguments of calls. */
#include "cuda/cu.h"

/* Tokens that no template argument list holds outside brackets. */
static bool ends_template(const struct cu *f, uint32_t i) {
    static const char *const marks[] = {";",  "{", "}",  ")",  "]",  "&&",
                                        "||", "=", "+=", "-=", "<<<"};
    for (size_t k = 0; k < ARRAY_LEN(marks); k++)
        if (cu_is(f, i, marks[k])) return true;
    return false;
}

bool cu_aligns(const struct cu *f, uint32_t i) {
    return cu_is_word(f, i) && rules_lists(f->rules, "cuda.alignments", cu_text(f, i));
}

uint32_t cu_template_end(const struct cu *f, uint32_t open) {
    enum { FAR = 400 };
    uint32_t depth = 0, directive = f->tokens.v[open].directive;
    for (uint32_t i = open, n = 0; i < f->tokens.n && n < FAR; i++, n++) {
        if (f->tokens.v[i].directive != directive) return NO_NODE;
        if (cu_is(f, i, "<")) {
            depth++;
        } else if (cu_is(f, i, ">")) {
            if (--depth == 0) return i;
        } else if (cu_is(f, i, "(") || cu_is(f, i, "[")) {
            if (f->tokens.v[i].partner == NO_NODE) return NO_NODE;
            i = f->tokens.v[i].partner;
        } else if (ends_template(f, i)) {
            return NO_NODE;
        }
    }
    return NO_NODE;
}

/* Whether what follows a > makes it the end of template arguments. */
static bool follows_template(const struct cu *f, uint32_t i) {
    static const char *const marks[] = {"(", ")", ",", "::", "{",   "}",
                                        ";", ">", "*", "&",  "<<<", "..."};
    for (size_t k = 0; k < ARRAY_LEN(marks); k++)
        if (cu_is(f, i, marks[k])) return true;
    return cu_is_word(f, i);
}

void cu_split(const struct cu *f, uint32_t first, uint32_t last, struct cu_call *call) {
    uint32_t start = first;
    for (uint32_t i = first; i < last; i++) {
        if ((cu_is(f, i, "(") || cu_is(f, i, "[") || cu_is(f, i, "{")) &&
            f->tokens.v[i].partner != NO_NODE && f->tokens.v[i].partner < last) {
            i = f->tokens.v[i].partner;
        } else if (cu_is(f, i, "<") && i > first && cu_is_word(f, i - 1)) {
            uint32_t end = cu_template_end(f, i);
            if (end != NO_NODE && end < last && follows_template(f, end + 1)) i = end;
        } else if (cu_is(f, i, ",")) {
            struct cu_argument a = {start, i};
            vec_push(f->a, &call->arguments, a);
            start = i + 1;
        }
    }
    if (start == last && !call->arguments.n) return;
    struct cu_argument a = {start, last};
    vec_push(f->a, &call->arguments, a);
}

bool cu_read_call(struct cu *f, uint32_t after, struct cu_call *call) {
    *call = (struct cu_call){.template_first = after, .template_last = after};
    if (cu_is(f, after, "<")) {
        uint32_t end = cu_template_end(f, after);
        if (end == NO_NODE) return false;
        call->template_last = after = end + 1;
    }
    if (!cu_is(f, after, "(") || f->tokens.v[after].partner == NO_NODE) return false;
    call->open = after;
    call->close = f->tokens.v[after].partner;
    cu_split(f, call->open + 1, call->close, call);
    return true;
}

uint32_t cu_type_end(const struct cu *f, struct cu_argument a) {
    uint32_t last = a.first;
    while (last < a.last && !cu_is(f, last, "=")) last++;
    if (last > a.first + 1 && cu_is_word(f, last - 1) && !cu_is(f, last - 2, "::")) last--;
    return last;
}
