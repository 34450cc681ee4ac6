/* SPDX-License-Identifier: Apache-2.0 */
/* regex.c - PCRE2 with limits on steps and depth: a pattern comes from a rule file, which may be
 * anybody's, so a match that runs away has to end as "no match". A limit bounds one try; how many
 * of a text may reach it is bounded as well, by their number, so that results don't depend on the
 * machine. */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "base/regex.h"

#include <pcre2.h>
#include <stdint.h>
#include <stdlib.h>

enum {
    CACHE_SIZE = 1024,
    BUCKETS = 4 * CACHE_SIZE,
    MATCH_LIMIT = 100000,
    DEPTH_LIMIT = 250,
    PAIRS = 4, /* the whole match and three groups */
    MOST_LIMITED = 100
};

struct regex_cache {
    struct {
        const void *owner;
        pcre2_code *code;
        struct str pattern;
        bool compiled;  /* to machine code */
        size_t limited; /* tries of this text that reached a limit */
    } slot[CACHE_SIZE];
    size_t n;
    int groups; /* of the last match that regex_find found, the whole one with them */
    bool trusted;
    uint16_t bucket[BUCKETS]; /* by the owner's address: 1 and more, its slot */
    pcre2_match_data *data;
    pcre2_match_context *context;
};

struct regex_cache *regex_cache_new(void) {
    struct regex_cache *c = calloc(1, sizeof *c);
    if (!c) return NULL;
    c->data = pcre2_match_data_create(PAIRS, NULL);
    c->context = pcre2_match_context_create(NULL);
    if (!c->data || !c->context) {
        regex_cache_free(c);
        return NULL;
    }
    pcre2_set_match_limit(c->context, MATCH_LIMIT);
    pcre2_set_depth_limit(c->context, DEPTH_LIMIT);
    return c;
}

void regex_cache_free(struct regex_cache *c) {
    if (!c) return;
    for (size_t i = 0; i < c->n; i++) pcre2_code_free(c->slot[i].code);
    pcre2_match_data_free(c->data);
    pcre2_match_context_free(c->context);
    free(c);
}

void regex_trust_patterns(struct regex_cache *c) { c->trusted = true; }

void regex_begin(struct regex_cache *c) {
    for (size_t i = 0; i < c->n; i++) c->slot[i].limited = 0;
}

bool regex_next_limited(const struct regex_cache *c, size_t *cursor, struct str *pattern) {
    for (; *cursor < c->n; ++*cursor) {
        if (!c->slot[*cursor].limited) continue;
        *pattern = c->slot[(*cursor)++].pattern;
        return true;
    }
    return false;
}

/* The slot of a pattern; its code is NULL where it doesn't compile. */
static size_t slot_of(struct regex_cache *c, const void *owner, struct str pattern) {
    size_t b = ((uintptr_t)owner >> 3) * 2654435761u % BUCKETS;
    for (; c->bucket[b]; b = (b + 1) % BUCKETS)
        if (c->slot[c->bucket[b] - 1].owner == owner) return (size_t)c->bucket[b] - 1;
    int code;
    PCRE2_SIZE at;
    pcre2_code *re =
        pcre2_compile((PCRE2_SPTR)pattern.p, pattern.n, PCRE2_NO_UTF_CHECK, &code, &at, NULL);
    bool compiled = re && c->trusted && pcre2_jit_compile(re, PCRE2_JIT_COMPLETE) == 0;
    if (c->n == CACHE_SIZE) { /* the last slot is for all that find no other */
        pcre2_code_free(c->slot[--c->n].code);
    } else if (c->n + 1 < CACHE_SIZE) {
        c->bucket[b] = (uint16_t)(c->n + 1);
    }
    c->slot[c->n].owner = owner;
    c->slot[c->n].code = re;
    c->slot[c->n].pattern = pattern;
    c->slot[c->n].compiled = compiled;
    c->slot[c->n].limited = 0;
    return c->n++;
}

/* What pcre2_match says; negative: no match. */
static int try(struct regex_cache *c, const void *owner, struct str pattern, struct str subject,
               size_t from) {
    size_t s = slot_of(c, owner, pattern);
    if (!c->slot[s].code || c->slot[s].limited > MOST_LIMITED) return PCRE2_ERROR_NOMATCH;
    const pcre2_code *code = c->slot[s].code;
    PCRE2_SPTR text = (PCRE2_SPTR)subject.p;
    int n = c->slot[s].compiled
                ? pcre2_jit_match(code, text, subject.n, from, 0, c->data, c->context)
                : pcre2_match(code, text, subject.n, from, 0, c->data, c->context);
    if (c->trusted && n < 0 && n != PCRE2_ERROR_NOMATCH) /* the machine code's stack is small */
        n = pcre2_match(code, text, subject.n, from, PCRE2_NO_JIT, c->data, c->context);
    if (n == PCRE2_ERROR_MATCHLIMIT || n == PCRE2_ERROR_DEPTHLIMIT || n == PCRE2_ERROR_HEAPLIMIT)
        c->slot[s].limited++;
    return n;
}

bool regex_match(struct regex_cache *c, const void *owner, struct str pattern,
                 struct str subject) {
    return pattern.n && try(c, owner, pattern, subject, 0) >= 0;
}

bool regex_find(struct regex_cache *c, const void *owner, struct str pattern, struct str subject,
                size_t from, size_t *start, size_t *end, struct str *group) {
    if (pattern.n == 0 || from > subject.n) return false;
    int n = try(c, owner, pattern, subject, from);
    if (n < 0) return false;
    c->groups = n ? n : PAIRS; /* 0: more than there is room for */
    const PCRE2_SIZE *at = pcre2_get_ovector_pointer(c->data);
    size_t k = n != 1 && at[2] != PCRE2_UNSET ? 2 : 0;
    *start = at[0];
    *end = at[1];
    *group = str_sub(subject, at[k], at[k + 1]);
    return true;
}

struct str regex_group(const struct regex_cache *c, size_t number, struct str subject) {
    const PCRE2_SIZE *at = pcre2_get_ovector_pointer(c->data);
    if ((int)number >= c->groups || at[2 * number] == PCRE2_UNSET) return (struct str){0};
    return str_sub(subject, at[2 * number], at[2 * number + 1]);
}
