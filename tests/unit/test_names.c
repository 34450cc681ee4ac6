/* SPDX-License-Identifier: Apache-2.0 */
/* test_names.c - every name that a rule writes exists on its target: held against the lists of
 * tests/names, which were read from the vendors' own modules. */
#include "rules/template.h"

#include <ctype.h>

#include "base/file.h"
#include "test.h"

static struct arena a;

/* ---- the lists ---- */

typedef VEC(struct str) strings;

static void read_names(const char *target, strings *out) {
    struct str text, error;
    const char *path = arena_printf(&a, "tests/names/%s.names", target).p;
    if (!file_read(&a, path, 1 << 20, &text, NULL, &error)) return;
    for (size_t at = 0; at < text.n;) {
        size_t end = str_find(text, S("\n"), at);
        if (end > at && text.p[at] != '#') vec_push(&a, out, str_sub(text, at, end));
        at = end + 1;
    }
}

/* A listed name, or a module that one lies in. */
static bool is_listed(const strings *list, struct str name) {
    for (size_t i = 0; i < list->n; i++)
        if (str_starts(list->v[i], name) &&
            (list->v[i].n == name.n || list->v[i].p[name.n] == '.'))
            return true;
    return false;
}

static bool is_member(const strings *list, struct str word) {
    for (size_t i = 0; i < list->n; i++)
        if (str_eq(str_last_dotted(list->v[i]), word)) return true;
    return false;
}

/* ---- templates ---- */

static struct str placeholder(struct row_ref row, struct target_ref t, struct str name) {
    struct str key = rs_str(row.set, row.row->key), space = rs_str(row.set, row.rule->name_space);
    if (str_is(name, "name")) return key;
    if (str_is(name, "tail")) return space.n < key.n ? str_sub(key, space.n + 1, key.n) : key;
    struct str fact = target_fact(t, arena_strdup(&a, name));
    return fact.p ? fact : S("argument");
}

static struct str expanded(struct row_ref row, struct target_ref t, struct str template) {
    struct buf b;
    buf_init(&b, &a);
    struct str part;
    for (size_t at = 0;;) {
        enum template_part kind = template_next(template, &at, &part);
        if (kind == TEMPLATE_END || !CHECK(kind != TEMPLATE_BROKEN)) return buf_str(&b);
        buf_add(&b, kind == TEMPLATE_PLACEHOLDER ? placeholder(row, t, part) : part);
    }
}

/* ---- what must exist ---- */

struct target_names {
    struct target_ref target;
    strings own, common, all; /* all: of every target, for lint rules, which mend any vendor's */
};

static void check_name(const struct target_names *t, struct row_ref row, struct str name) {
    struct buf what;
    buf_init(&what, &a);
    buf_printf(&what, "%.*s writes %.*s for %.*s (%.*s), which is in no list",
               STR_ARG(rs_str(row.set, row.rule->id)), STR_ARG(name),
               STR_ARG(rs_str(row.set, row.row->key)), STR_ARG(target_name(t->target)));
    bool found = is_listed(row.rule->lint ? &t->all : &t->own, name);
    const struct rknown *known = target_known(t->target, name); /* of the vendor's sources */
    if (t->target.target->listed && known)
        found |= rset_holds(known->in, target_releases(t->target));
    test_check(found || is_listed(&t->common, name), __FILE__, __LINE__, buf_str(&what).p);
}

static bool is_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* Names that start with torch, or with the vendor's module. */
static void check_text(const struct target_names *t, struct row_ref row, struct str text) {
    for (size_t i = 0; i < text.n;) {
        size_t start = i;
        while (i < text.n && (is_word(text.p[i]) || text.p[i] == '.')) i++;
        struct str name = str_sub(text, start, i);
        bool is_continued = start > 0 && text.p[start - 1] == ')';
        while (name.n && name.p[name.n - 1] == '.') name.n--;
        if (!is_continued && str_starts(name, S("torch")) && memchr(name.p, '.', name.n))
            check_name(t, row, name);
        if (i == start) i++;
    }
}

static bool is_written(const struct rcell *cell) {
    return cell && !cell->unverified &&
           (cell->verdict == V_EXACT || cell->verdict == V_SHIM || cell->verdict == V_CLOSE);
}

/* Whether some name that was found in a listed target's sources ends so. */
static bool is_known_member(struct target_ref t, struct str member) {
    const struct rknown *v = RS_LIST(t.set, t.target->known, struct rknown);
    for (uint32_t i = 0; t.target->listed && i < t.target->known.n; i++)
        if (str_eq(str_last_dotted(rs_str(t.set, v[i].name)), member) &&
            rset_holds(v[i].in, target_releases(t)))
            return true;
    return false;
}

static void check_row(const struct target_names *t, struct row_ref row) {
    const struct rcell *cell = row_cell(row, t->target);
    if (!is_written(cell)) return;
    const struct rstr templates[] = {cell->to,    cell->call,       cell->bare,    cell->statement,
                                     cell->value, cell->expression, cell->compare, cell->text};
    for (size_t i = 0; i < ARRAY_LEN(templates); i++)
        check_text(t, row, expanded(row, t->target, rs_str(row.set, templates[i])));
    struct str to = expanded(row, t->target, rs_str(row.set, cell->to));
    if (row.rule->match == M_ATTRIBUTE && to.n) {
        struct buf what;
        buf_init(&what, &a);
        buf_printf(&what, "%.*s writes .%.*s for %.*s, which nothing listed has",
                   STR_ARG(rs_str(row.set, row.rule->id)), STR_ARG(to),
                   STR_ARG(target_name(t->target)));
        bool found = is_member(&t->own, to) || is_member(&t->common, to);
        test_check(found || is_known_member(t->target, to), __FILE__, __LINE__, buf_str(&what).p);
    }
}

static void check_target(struct ruleset set, const struct target_names *t) {
    const struct rrule *rules = RS_LIST(set, set.h->rules, struct rrule);
    const struct rrow *rows = RS_LIST(set, set.h->rows, struct rrow);
    for (size_t i = 0; i < set.h->rows.n; i++)
        check_row(t, (struct row_ref){set, &rows[i], &rules[rows[i].rule]});
}

int main(void) {
    struct ruleset set;
    arena_init(&a, 0);
    if (!CHECK(ruleset_open(cm_rules_blob, cm_rules_blob_size, &set))) return test_end("names");
    const struct rtarget *targets = RS_LIST(set, set.h->targets, struct rtarget);
    for (size_t i = 0; i < set.h->targets.n; i++) {
        struct target_names t = {.target = {.set = set, .target = &targets[i]}};
        read_names(arena_strdup(&a, target_name(t.target)), &t.own);
        read_names("torch", &t.common);
        for (size_t k = 0; k < set.h->targets.n; k++)
            read_names(arena_strdup(&a, rs_str(set, targets[k].name)), &t.all);
        CHECK(t.common.n > 0);
        check_target(set, &t);
    }
    return test_end("names");
}
