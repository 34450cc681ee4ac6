/* SPDX-License-Identifier: Apache-2.0 */
/* cache_result.c - engine results as bytes and back. */
#include "commands/cache.h"

/* ---- writing ---- */

static void put(struct buf *b, size_t n) {
    uint32_t v = (uint32_t)n;
    buf_add(b, (struct str){(const char *)&v, sizeof v});
}

static void put_str(struct buf *b, struct str s) {
    put(b, s.n);
    if (s.n) buf_add(b, s);
}

/* The members that are kept, in the order in which they stand in the file: a number each (of its
 * type) or a text. */
#define PLACE_NUMBERS(NUMBER)                                                                     \
    NUMBER(start, uint32_t)                                                                       \
    NUMBER(end, uint32_t)                                                                         \
    NUMBER(line, uint32_t)                                                                        \
    NUMBER(column, uint32_t)                                                                      \
    NUMBER(end_line, uint32_t)                                                                    \
    NUMBER(end_column, uint32_t)
#define FINDING_NUMBERS(NUMBER)                                                                   \
    PLACE_NUMBERS(NUMBER)                                                                         \
    NUMBER(severity, uint8_t)                                                                     \
    NUMBER(certain, bool)                                                                         \
    NUMBER(cell, uint32_t)                                                                        \
    NUMBER(needs, uint32_t)                                                                       \
    NUMBER(more, uint32_t)                                                                        \
    NUMBER(outcome, enum cm_outcome)
#define FINDING_TEXTS(TEXT)                                                                       \
    TEXT(rule) TEXT(token) TEXT(verdict) TEXT(message) TEXT(advice) TEXT(replacement)
#define UNUSED_NUMBERS(NUMBER)                                                                    \
    PLACE_NUMBERS(NUMBER)                                                                         \
    NUMBER(cell, uint32_t)                                                                        \
    NUMBER(remove_start, uint32_t)                                                                \
    NUMBER(remove_end, uint32_t)

#define PUT_NUMBER(member, type) put(b, (size_t)from->member);
#define PUT_TEXT(member) put_str(b, from->member);

static void put_finding(struct buf *b, const struct cm_finding *from) {
    FINDING_NUMBERS(PUT_NUMBER)
    FINDING_TEXTS(PUT_TEXT)
}

static void put_unused(struct buf *b, const struct cm_unused *from) {
    UNUSED_NUMBERS(PUT_NUMBER)
    PUT_TEXT(rule)
}

void cache_encode(struct buf *b, const struct cm_result *r) {
    uint32_t *number = arena_alloc(b->a, (r->n_findings + 1) * sizeof *number);
    uint32_t n = 0;
    for (size_t i = 0; i < r->n_findings; i++)
        number[i] = r->findings[i].outcome == CM_KEPT ? UINT32_MAX : n++;
    put(b, n);
    put(b, r->n_edits);
    put(b, r->n_notes);
    put(b, r->n_unused);
    for (size_t i = 0; i < r->n_findings; i++)
        if (r->findings[i].outcome != CM_KEPT) {
            put_finding(b, &r->findings[i]);
            put(b, number[r->findings[i].group]);
        }
    for (size_t i = 0; i < r->n_edits; i++) {
        const struct cm_edit *e = &r->edits[i];
        put(b, e->start);
        put(b, e->end);
        put(b, e->finding < r->n_findings ? number[e->finding] : UINT32_MAX);
        put(b, e->need);
        put_str(b, e->text);
    }
    for (size_t i = 0; i < r->n_notes; i++) {
        put(b, r->notes[i].line);
        put(b, r->notes[i].column);
        put(b, r->notes[i].fatal);
        put_str(b, r->notes[i].message);
    }
    for (size_t i = 0; i < r->n_unused; i++) put_unused(b, &r->unused[i]);
}

/* ---- reading ---- */

struct reader {
    struct str rest;
    bool failed; /* the text was too short */
};

static uint32_t get(struct reader *r) {
    uint32_t v = 0;
    if (r->rest.n < sizeof v) {
        r->failed = true;
        return 0;
    }
    memcpy(&v, r->rest.p, sizeof v);
    r->rest = str_sub(r->rest, sizeof v, r->rest.n);
    return v;
}

static struct str get_str(struct reader *r) {
    size_t n = get(r);
    if (n > r->rest.n) {
        r->failed = true;
        return S("");
    }
    struct str s = str_sub(r->rest, 0, n);
    r->rest = str_sub(r->rest, n, r->rest.n);
    return s;
}

/* How many elements follow, of which each takes four bytes at least. */
static size_t get_count(struct reader *r) {
    size_t n = get(r);
    if (n <= r->rest.n / sizeof(uint32_t)) return n;
    r->failed = true;
    return 0;
}

#define GET_NUMBER(member, type) to->member = (type)get(r);
#define GET_TEXT(member) to->member = get_str(r);

static void get_finding(struct reader *r, struct cm_finding *to) {
    FINDING_NUMBERS(GET_NUMBER)
    FINDING_TEXTS(GET_TEXT)
    r->failed |= to->outcome >= CM_OUTCOMES;
}

static void get_unused(struct reader *r, struct cm_unused *to) {
    UNUSED_NUMBERS(GET_NUMBER)
    GET_TEXT(rule)
}

bool cache_decode(struct arena *a, struct str *text, struct cm_result *out) {
    struct reader r = {.rest = *text};
    size_t n_findings = get_count(&r), n_edits = get_count(&r);
    size_t n_notes = get_count(&r), n_unused = get_count(&r);
    struct cm_finding *findings = arena_zalloc(a, (n_findings + 1) * sizeof *findings);
    struct cm_edit *edits = arena_zalloc(a, (n_edits + 1) * sizeof *edits);
    struct cm_note *notes = arena_zalloc(a, (n_notes + 1) * sizeof *notes);
    struct cm_unused *unused = arena_zalloc(a, (n_unused + 1) * sizeof *unused);
    *out = (struct cm_result){.findings = findings,
                              .n_findings = n_findings,
                              .edits = edits,
                              .n_edits = n_edits,
                              .notes = notes,
                              .n_notes = n_notes,
                              .unused = unused,
                              .n_unused = n_unused};
    for (size_t i = 0; i < n_findings && !r.failed; i++) {
        get_finding(&r, &findings[i]);
        findings[i].group = get(&r);
        if (!r.failed) out->counts[findings[i].outcome]++;
    }
    for (size_t i = 0; i < n_edits; i++) {
        edits[i].start = get(&r);
        edits[i].end = get(&r);
        edits[i].finding = get(&r);
        edits[i].need = (uint8_t)get(&r);
        edits[i].text = get_str(&r);
    }
    for (size_t i = 0; i < n_notes; i++) {
        notes[i].line = get(&r);
        notes[i].column = get(&r);
        notes[i].fatal = get(&r);
        notes[i].message = get_str(&r);
    }
    for (size_t i = 0; i < n_unused; i++) get_unused(&r, &unused[i]);
    *text = r.rest;
    return !r.failed;
}
