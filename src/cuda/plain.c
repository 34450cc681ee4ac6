/* SPDX-License-Identifier: Apache-2.0 */
/* plain.c - CUDA C++ as a grammar of C++ can read it that expands no macros. */
#include "cuda/cu.h"

bool cu_is_each_thread(const struct cu *f, uint32_t i) {
    static const char *const words[] = {"CM_EACH_THREAD", "CM_EACH_THREAD_MOSTLY", "CM_EACH_ROW",
                                        "CM_EACH_LEAVING_ROW"};
    for (size_t n = 0; n < ARRAY_LEN(words); n++)
        if (cu_is(f, i, words[n])) return true;
    return false;
}

/* The macros that a port writes: with arguments, what a lambda begins with; without, nothing. */
static struct str stands_for(const struct cu *f, uint32_t i) {
    static const char *const loops[] = {
        "CM_THREADS", "CM_THREADS_MOSTLY", "CM_STEPS", "CM_ASKING_THREADS", "CM_CALLING_THREADS",
        "CM_VALUES",  "CM_ASKING_VALUES",  "CM_CALL",  "CM_THREADS_BELOW"};
    static const char *const marks[] = {"CM_END", "SYCL_EXTERNAL"};
    for (size_t n = 0; n < ARRAY_LEN(loops); n++)
        if (cu_is(f, i, loops[n]) && cu_is(f, i + 1, "(")) return S("[&]");
    if (cu_is(f, i, "CM_WHILE")) return S(";;"); /* for (CM_WHILE(x)) */
    if (cu_is(f, i, "CM_ARGUMENT") && cu_is(f, i + 1, "(")) return S(" ");
    if (cu_is(f, i, "CM_OBJECT") && cu_is(f, i + 1, "(")) return S(" "); /* its type is one */
    if (cu_aligns(f, i) && cu_is(f, i + 1, "(")) return S(" ");
    for (size_t n = 0; n < ARRAY_LEN(marks); n++)
        if (cu_is(f, i, marks[n])) return S(" ");
    if (cu_is_each_thread(f, i)) return S(" ");
    return (struct str){0};
}

/* A parenthesis, or the brace of an initialiser: a grammar takes no directive inside of them. */
static bool encloses(const struct cu *f, uint32_t i) {
    bool opens = cu_is(f, i, "(") || (i > 0 && cu_is(f, i, "{") && cu_is(f, i - 1, "="));
    return opens && f->tokens.v[i].partner != NO_NODE;
}

struct str cu_plain_text(struct arena *a, const struct rules *rules, struct str src) {
    struct cu f = {.a = a, .src = src, .rules = rules};
    struct buf b;
    uint32_t done = 0, depth = 0;
    buf_init(&b, a);
    cu_lex(&f);
    for (uint32_t i = 0; i < f.tokens.n; i++) {
        const struct cu_token *t = &f.tokens.v[i];
        const struct cu_directive *d = t->directive ? &f.directives.v[t->directive - 1] : NULL;
        struct str text = {0};
        uint32_t end = t->end;
        if (d) { /* a condition among arguments or initialisers */
            bool condition = d->kind >= CD_IF && d->kind <= CD_ENDIF;
            i = d->last - 1;
            if (!condition || !depth) continue;
            text = S("\n");
            end = d->line_end;
        } else {
            if (encloses(&f, i)) depth++;
            if (t->partner < i && encloses(&f, t->partner)) depth--;
            text = stands_for(&f, i);
            if (!text.n) continue;
            bool whole = cu_is(&f, i, "CM_CALL") || cu_is(&f, i, "CM_THREADS_BELOW") ||
                         cu_is(&f, i, "CM_ARGUMENT") || cu_is(&f, i, "CM_OBJECT") ||
                         cu_aligns(&f, i);
            if (whole && f.tokens.v[i + 1].partner != NO_NODE) {
                i = f.tokens.v[i + 1].partner;
                end = f.tokens.v[i].end;
            }
        }
        buf_add(&b, str_sub(src, done, t->start));
        buf_add(&b, text);
        for (uint32_t n = t->start + (uint32_t)text.n; n < end; n++) buf_addc(&b, ' ');
        done = end;
    }
    buf_add(&b, str_sub(src, done, src.n));
    return buf_str(&b);
}
