/* SPDX-License-Identifier: Apache-2.0 */
/* reader.c - members of rule files, with complaints that name the place and what is expected. */
#include "rules/compiler.h"

/* ---- complaints ---- */

static void add_error(struct compiler *c, struct place where, const char *fmt, va_list ap) {
    struct buf b;
    buf_init(&b, c->a);
    buf_vprintf(&b, fmt, ap);
    struct rule_error e = {where.file, where.pointer, buf_str(&b)};
    vec_push(c->a, c->errors, e);
}

void complain(struct compiler *c, const struct cJSON *v, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    add_error(c, (struct place){c->doc->name, json_pointer(c->doc, v)}, fmt, ap);
    va_end(ap);
}

void complain_at(struct compiler *c, struct place where, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    add_error(c, where, fmt, ap);
    va_end(ap);
}

struct str pointer_to(struct arena *a, struct str base, struct str key) {
    struct buf b;
    buf_init(&b, a);
    buf_add(&b, base);
    buf_addc(&b, '/');
    for (size_t i = 0; i < key.n; i++) {
        if (key.p[i] == '~')
            buf_addz(&b, "~0");
        else if (key.p[i] == '/')
            buf_addz(&b, "~1");
        else
            buf_addc(&b, key.p[i]);
    }
    return buf_str(&b);
}

struct place row_place(struct compiler *c, const struct rrow *row) {
    struct place rule = c->places.v[row->rule];
    bool copied = row->rule >= c->n_own_rules; /* its place is that of a target's cells */
    struct str rows = copied ? rule.pointer : pointer_to(c->a, rule.pointer, S("rows"));
    struct str key = rs_str(block_view(&c->block), row->key);
    return (struct place){rule.file, pointer_to(c->a, rows, key)};
}

struct place cell_place(struct compiler *c, struct row_ref row, const struct rcell *cell) {
    const struct rcell *own = RS_LIST(row.set, row.row->cells, struct rcell);
    struct place p = row_place(c, row.row);
    if (cell < own || cell >= own + row.row->cells.n)
        p.pointer = pointer_to(c->a, c->places.v[row.row->rule].pointer, S("default"));
    p.pointer = pointer_to(c->a, p.pointer, rs_str(row.set, cell->target));
    return p;
}

struct str did_you_mean(struct arena *a, struct str s, const str_list *candidates) {
    size_t best = s.n / 3 + 2;
    struct str nearest = {0};
    for (size_t i = 0; i < candidates->n; i++) {
        size_t d = str_distance(s, candidates->v[i]);
        if (d >= best || d >= candidates->v[i].n) continue;
        best = d;
        nearest = candidates->v[i];
    }
    if (!nearest.p) return S("");
    return arena_printf(a, ", did you mean \"%.*s\"?", STR_ARG(nearest));
}

/* ---- words of a closed list ---- */

static struct str nearest_word(struct compiler *c, struct str s, const char *const *words) {
    str_list list = {0};
    for (; *words; words++) vec_push(c->a, &list, str_of(*words));
    return did_you_mean(c->a, s, &list);
}

static bool is_one_of(struct str s, const char *const *words) {
    while (*words && !str_is(s, *words)) words++;
    return *words != NULL;
}

static struct str enumerate(struct compiler *c, const char *const *words) {
    struct buf b;
    buf_init(&b, c->a);
    for (size_t i = 0; words[i]; i++)
        buf_printf(&b, "%s%s", i == 0 ? "" : words[i + 1] ? ", " : " or ", words[i]);
    return buf_str(&b);
}

bool check_keys(struct compiler *c, const struct cJSON *v, const char *what,
                const char *const *known) {
    if (!is_object(v)) {
        complain(c, v, "%s is an object (rules/README.md)", what);
        return false;
    }
    json_each(m, v) {
        struct str key = json_key(m);
        if (is_one_of(key, known)) continue;
        struct str hint = nearest_word(c, key, known);
        complain(c, m, "%s has no key \"%.*s\"%.*s", what, STR_ARG(key), STR_ARG(hint));
    }
    return true;
}

uint32_t word_member(struct compiler *c, const struct cJSON *owner, const char *key,
                     const char *const *words) {
    const struct cJSON *v = json_get(owner, key);
    struct str all = enumerate(c, words);
    if (!v) {
        complain(c, owner, "\"%s\" is missing: write %.*s", key, STR_ARG(all));
        return 0;
    }
    struct str s = text_of(c, v);
    for (uint32_t i = 0; words[i]; i++)
        if (str_is(s, words[i])) return i;
    struct str hint = nearest_word(c, s, words);
    if (is_text(v))
        complain(c, v, "\"%.*s\" is not known%.*s%s write %.*s", STR_ARG(s), STR_ARG(hint),
                 hint.n ? " Else" : ":", STR_ARG(all));
    return 0;
}

/* ---- values ---- */

struct str text_of(struct compiler *c, const struct cJSON *v) {
    if (!is_text(v)) {
        complain(c, v, "must be a string");
        return S("");
    }
    return json_str(c->doc, v);
}

uint32_t number_of(struct compiler *c, const struct cJSON *v) {
    double d = json_type(v) == JSON_NUMBER ? json_number(c->doc, v) : -1;
    if (d >= 0 && d <= 1000000 && d == (uint32_t)d) return (uint32_t)d;
    complain(c, v, "must be a whole number from 0");
    return 0;
}

struct str text_member(struct compiler *c, const struct cJSON *owner, const char *key,
                       const char *advice) {
    const struct cJSON *v = json_get(owner, key);
    struct str s = v ? text_of(c, v) : S("");
    if (advice && !v)
        complain(c, owner, "\"%s\" is missing: write %s", key, advice);
    else if (advice && is_text(v) && s.n == 0)
        complain(c, v, "is empty: write %s", advice);
    return s;
}

struct rstr text_in_block(struct compiler *c, const struct cJSON *owner, const char *key,
                          const char *advice) {
    return block_str(&c->block, text_member(c, owner, key, advice));
}

bool flag_member(struct compiler *c, const struct cJSON *owner, const char *key) {
    const struct cJSON *v = json_get(owner, key);
    if (!v) return false;
    if (json_type(v) == JSON_BOOL) return json_bool(c->doc, v);
    complain(c, v, "must be true or false");
    return false;
}

struct rlist texts_member(struct compiler *c, const struct cJSON *owner, const char *key) {
    VEC(struct rstr) out = {0};
    const struct cJSON *list = json_get(owner, key);
    if (list && !is_array(list)) complain(c, list, "must be an array of strings");
    json_each(v, list) {
        struct str s = text_of(c, v);
        if (is_text(v) && s.n == 0) complain(c, v, "is empty: remove it");
        vec_push(c->a, &out, block_str(&c->block, s));
    }
    return block_list(&c->block, out.v, out.n, sizeof *out.v);
}

/* As 2026-11 or 2026-11-20. */
static bool is_date(struct str s) {
    for (size_t i = 0; i < s.n; i++) {
        bool dash = i == 4 || i == 7;
        if (dash ? s.p[i] != '-' : s.p[i] < '0' || s.p[i] > '9') return false;
    }
    return s.n == 7 || s.n == 10;
}

/* The rows that a reference speaks of, with line ends around each: "\nncclSend\nncclRecv\n"; of
 * all: empty. */
static struct str rows_of_reference(struct compiler *c, const struct cJSON *owner,
                                    const struct cJSON *list) {
    struct str out = {0};
    json_each(v, list) {
        struct str key = text_of(c, v);
        if (!key.n || !json_get(json_get(owner, "rows"), arena_strdup(c->a, key)))
            complain(c, v, "must be the key of a row of this rule");
        out = arena_printf(c->a, "%.*s%s%.*s\n", STR_ARG(out), out.n ? "" : "\n", STR_ARG(key));
    }
    return out;
}

struct rlist read_references(struct compiler *c, const struct cJSON *owner, struct rlist *rows) {
    static const char *const keys[] = {"source", "checked", "rows", NULL};
    const struct cJSON *list = json_get(owner, "references");
    VEC(struct rstr) out = {0};
    VEC(struct rstr) of = {0};
    json_each(v, list) {
        if (!check_keys(c, v, "a reference", keys)) continue;
        if (!rows && json_get(v, "rows"))
            complain(c, json_get(v, "rows"), "is for references of rules: remove it");
        struct str spoken_of = rows_of_reference(c, owner, json_get(v, "rows"));
        vec_push(c->a, &of, block_str(&c->block, spoken_of));
        struct str source = text_member(c, v, "source", "where the fact was read");
        struct str checked = text_member(c, v, "checked", "when it was read, as 2026-11");
        if (checked.n && !is_date(checked))
            complain(c, json_get(v, "checked"), "must be a date, as 2026-11");
        struct str both = arena_printf(c->a, "%.*s (%.*s)", STR_ARG(source), STR_ARG(checked));
        vec_push(c->a, &out, block_str(&c->block, both));
    }
    if (!is_array(list) || json_count(list) == 0)
        complain(c, list ? list : owner,
                 "\"references\" must name at least one source: "
                 "[{\"source\": \"...\", \"checked\": \"2026-11\"}]");
    if (rows) *rows = block_list(&c->block, of.v, of.n, sizeof *of.v);
    return block_list(&c->block, out.v, out.n, sizeof *out.v);
}

/* ---- names ---- */

bool is_dotted_name(struct str s) {
    bool start = true;
    for (size_t i = 0; i < s.n; i++) {
        bool digit = s.p[i] >= '0' && s.p[i] <= '9', dot = s.p[i] == '.';
        if (start ? digit || !is_word_char(s.p[i]) : !dot && !is_word_char(s.p[i])) return false;
        start = dot;
    }
    return !start;
}
