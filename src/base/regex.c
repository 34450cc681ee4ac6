/* SPDX-License-Identifier: Apache-2.0 */
/* regex.c - PCRE2 with limits on steps and depth: a pattern comes from a rule file, which may be
 * anybody's, so a match that runs away has to end as "no match". */
#define PCRE2_CODE_UNIT_WIDTH 8
#include "base/regex.h"

#include <pcre2.h>
#include <stdlib.h>

enum { CACHE_SIZE = 128, MATCH_LIMIT = 100000, DEPTH_LIMIT = 250, GROUPS = 2 };

struct regex_cache {
    struct {
        const void *owner;
        pcre2_code *code;
    } slot[CACHE_SIZE];
    size_t n;
    pcre2_match_data *data;
    pcre2_match_context *context;
};

struct regex_cache *regex_cache_new(void) {
    struct regex_cache *c = calloc(1, sizeof *c);
    if (!c) return NULL;
    c->data = pcre2_match_data_create(GROUPS, NULL);
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

static pcre2_code *compiled(struct regex_cache *c, const void *owner, struct str pattern) {
    for (size_t i = 0; i < c->n; i++)
        if (c->slot[i].owner == owner) return c->slot[i].code;
    int code;
    PCRE2_SIZE at;
    pcre2_code *re =
        pcre2_compile((PCRE2_SPTR)pattern.p, pattern.n, PCRE2_NO_UTF_CHECK, &code, &at, NULL);
    if (c->n == CACHE_SIZE) pcre2_code_free(c->slot[--c->n].code);
    c->slot[c->n].owner = owner;
    c->slot[c->n++].code = re;
    return re;
}

bool regex_match(struct regex_cache *c, const void *owner, struct str pattern,
                 struct str subject) {
    if (pattern.n == 0) return false;
    pcre2_code *re = compiled(c, owner, pattern);
    return re && pcre2_match(re, (PCRE2_SPTR)subject.p, subject.n, 0, 0, c->data, c->context) >= 0;
}

bool regex_find(struct regex_cache *c, const void *owner, struct str pattern, struct str subject,
                size_t from, size_t *start, size_t *end, struct str *group) {
    if (pattern.n == 0 || from > subject.n) return false;
    pcre2_code *re = compiled(c, owner, pattern);
    if (!re) return false;
    int n = pcre2_match(re, (PCRE2_SPTR)subject.p, subject.n, from, 0, c->data, c->context);
    if (n < 0) return false;
    const PCRE2_SIZE *at = pcre2_get_ovector_pointer(c->data);
    size_t k = n != 1 && at[2] != PCRE2_UNSET ? 2 : 0;
    *start = at[0];
    *end = at[1];
    *group = str_sub(subject, at[k], at[k + 1]);
    return true;
}
