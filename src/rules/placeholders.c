#include "rules/compiler.h"

enum placeholder {
    PH_BAD = 0,
    PH_ARGUMENTS = 1, /* {*} and {*:a,b} */
    PH_POSITION = 2,  /* {0}, {2*}, {0-16} */
    PH_RECEIVER = 4,  /* {.} */
    PH_NAME = 8,
    PH_TAIL = 16,
    PH_FACT = 32
};

static const struct {
    const char *name;
    unsigned allowed;
} forms[] = {
    [FORM_TO] = {"to", PH_NAME | PH_TAIL | PH_FACT},
    [FORM_CALL] = {"call", PH_ARGUMENTS | PH_POSITION | PH_RECEIVER | PH_NAME | PH_TAIL | PH_FACT},
    [FORM_BARE] = {"bare", PH_ARGUMENTS | PH_RECEIVER | PH_NAME | PH_TAIL | PH_FACT},
    [FORM_VALUE] = {"value", PH_RECEIVER | PH_NAME | PH_TAIL | PH_FACT},
    [FORM_TEXT] = {"the text of a literal", PH_NAME | PH_FACT},
};

static bool is_number(struct str s) {
    size_t i = 0;
    while (i < s.n && s.p[i] >= '0' && s.p[i] <= '9') i++;
    return s.n > 0 && i == s.n;
}

/* Identifiers with one comma between two. */
static bool is_keyword_list(struct str s) {
    for (size_t i = 0, start = 0; i <= s.n; i++) {
        if (i < s.n && s.p[i] != ',') continue;
        struct str word = str_sub(s, start, i);
        if (!is_identifier(word)) return false;
        start = i + 1;
    }
    return true;
}

static enum placeholder classify(struct str s) {
    if (str_is(s, "*")) return PH_ARGUMENTS;
    if (str_starts(s, S("*:"))) return is_keyword_list(str_sub(s, 2, s.n)) ? PH_ARGUMENTS : PH_BAD;
    if (is_number(s) || str_is(s, "<>")) return PH_POSITION;
    if (s.n > 1 && s.p[s.n - 1] == '*' && is_number(str_sub(s, 0, s.n - 1))) return PH_POSITION;
    size_t dash = str_find(s, S("-"), 0); /* C++: {0-16} */
    if (dash < s.n && is_number(str_sub(s, 0, dash)) && is_number(str_sub(s, dash + 1, s.n)))
        return PH_POSITION;
    if (s.n == 6 && str_is(str_sub(s, 1, 6), ":bare") && is_number(str_sub(s, 0, 1)))
        return PH_POSITION; /* C++: without a cast to a pointer to void */
    if (str_is(s, ".")) return PH_RECEIVER;
    if (str_is(s, "name")) return PH_NAME;
    if (str_is(s, "tail")) return PH_TAIL;
    for (size_t i = 0; i < s.n; i++)
        if (!is_word_char(s.p[i])) return PH_BAD;
    return s.n ? PH_FACT : PH_BAD;
}

/* The next placeholder at or after *i, without its braces. Returns false at the end, with *broken
 * set when a brace is alone. */
static bool next_placeholder(struct str t, size_t *i, struct str *out, bool *broken) {
    for (*broken = false; *i < t.n; ++*i) {
        char ch = t.p[*i];
        if (ch != '{' && ch != '}') continue;
        if (*i + 1 < t.n && t.p[*i + 1] == ch) {
            ++*i;
            continue;
        }
        size_t close = ch == '{' ? str_find(t, S("}"), *i) : t.n;
        *broken = close == t.n;
        if (*broken) return false;
        *out = str_sub(t, *i + 1, close);
        *i = close + 1;
        return true;
    }
    return false;
}

void check_template(struct compiler *c, enum match_kind match, enum form form, struct str text,
                    const struct cJSON *v) {
    unsigned allowed = forms[form].allowed & ~(match == M_ATTRIBUTE ? 0u : PH_RECEIVER);
    struct str name;
    bool broken;
    if (match == M_TOKENS || match == M_LAUNCH || match == M_LANES)
        return; /* captures have any name */
    if (match == M_KEYWORD && form == FORM_VALUE) allowed |= PH_POSITION; /* the keyword's value */
    for (size_t i = 0; next_placeholder(text, &i, &name, &broken);) {
        enum placeholder kind = classify(name);
        if (kind == PH_BAD)
            complain(c, v,
                     "{%.*s} is no placeholder: write {*}, {*:a,b}, {0}, {.}, {name}, {tail} or a "
                     "fact of the target, and {{ }} for braces",
                     STR_ARG(name));
        else if (!(kind & allowed))
            complain(c, v, "{%.*s} has no meaning in %s of this kind of rule: use another form",
                     STR_ARG(name), forms[form].name);
    }
    if (broken) complain(c, v, "a brace stands alone: write {{ or }} for a brace in the code");
}

/* ---- facts ---- */

enum fact_state { FACT_ABSENT, FACT_EMPTY, FACT_FULL };

static enum fact_state fact_state(struct target_ref t, struct str key) {
    const struct rfact *f = RS_LIST(t.set, t.target->facts, struct rfact);
    for (size_t i = 0; i < t.target->facts.n; i++)
        if (str_eq(rs_str(t.set, f[i].key), key)) return f[i].value.n ? FACT_FULL : FACT_EMPTY;
    return FACT_ABSENT;
}

/* A fact that a cell mentions and targets that it applies to lack. */
struct missing {
    uint32_t rule, cell; /* the cell's offset */
    struct str fact, targets;
    struct place place;
};
typedef VEC(struct missing) missing_list;

static void add_missing(struct compiler *c, missing_list *list, struct row_ref row,
                        const struct rcell *cell, struct str fact, struct str target) {
    uint32_t at = (uint32_t)((const char *)cell - (const char *)row.set.h);
    for (size_t i = 0; i < list->n; i++) {
        struct missing *m = &list->v[i];
        if (m->rule != row.row->rule || m->cell != at || !str_eq(m->fact, fact)) continue;
        struct str padded = arena_printf(c->a, ", %.*s,", STR_ARG(m->targets));
        struct str wanted = arena_printf(c->a, ", %.*s,", STR_ARG(target));
        if (str_find(padded, wanted, 0) == padded.n)
            m->targets = arena_printf(c->a, "%.*s, %.*s", STR_ARG(m->targets), STR_ARG(target));
        return;
    }
    struct missing m = {row.row->rule, at, fact, target, cell_place(c, row, cell)};
    vec_push(c->a, list, m);
}

static void check_cell(struct compiler *c, missing_list *list, struct row_ref row,
                       const struct rcell *cell, struct target_ref target, bool empty) {
    const struct rstr templates[] = {cell->to,     cell->call,  cell->bare,       cell->statement,
                                     cell->value,  cell->text,  cell->expression, cell->compare,
                                     cell->chosen, cell->number};
    if (row.rule->match == M_TOKENS || row.rule->match == M_LAUNCH || row.rule->match == M_LANES)
        return;
    struct str key = rs_str(row.set, row.row->key), space = rs_str(row.set, row.rule->name_space);
    struct str name;
    bool broken;
    for (size_t k = 0; k < ARRAY_LEN(templates); k++) {
        struct str text = rs_str(row.set, templates[k]);
        for (size_t i = 0; next_placeholder(text, &i, &name, &broken);) {
            enum placeholder kind = classify(name);
            if (kind == PH_FACT && fact_state(target, name) == (empty ? FACT_EMPTY : FACT_ABSENT))
                add_missing(c, list, row, cell, name, target_name(target));
            if (!empty && kind == PH_TAIL && !is_below(key, space))
                add_missing(c, list, row, cell, S("tail"), key);
        }
    }
}

static void report_empty(struct compiler *c, const missing_list *list) {
    for (size_t i = 0; i < list->n; i++)
        complain_at(c, list->v[i].place,
                    "{%.*s} is empty on %.*s, so these places are left to a human there; give the "
                    "target a cell of its own that says why",
                    STR_ARG(list->v[i].fact), STR_ARG(list->v[i].targets));
}

static void report_missing(struct compiler *c, const missing_list *list) {
    str_list facts = {0};
    for (size_t t = 0; t < c->all_targets.n; t++) {
        struct target_ref target = c->all_targets.v[t];
        const struct rfact *f = RS_LIST(target.set, target.target->facts, struct rfact);
        for (size_t i = 0; i < target.target->facts.n; i++)
            vec_push(c->a, &facts, rs_str(target.set, f[i].key));
    }
    for (size_t i = 0; i < list->n; i++) {
        const struct missing *m = &list->v[i];
        if (str_is(m->fact, "tail"))
            complain_at(
                c, m->place,
                "\"=\" and {tail} need names below the rule's \"namespace\", and this is not: "
                "%.*s; give the row a cell with the full name",
                STR_ARG(m->targets));
        else
            complain_at(c, m->place,
                        "{%.*s} is no fact of %.*s%.*s; add the fact to rules/targets or give the "
                        "target a cell of its own",
                        STR_ARG(m->fact), STR_ARG(m->targets),
                        STR_ARG(did_you_mean(c->a, m->fact, &facts)));
    }
}

void check_facts(struct compiler *c, bool empty) {
    struct ruleset view = block_view(&c->block);
    missing_list list = {0};
    for (size_t i = 0; i < c->rows.n; i++) {
        const struct rrow *row = &c->rows.v[i];
        struct row_ref ref = {view, row, &c->rules.v[row->rule]};
        for (size_t t = 0; t < c->all_targets.n; t++) {
            const struct rcell *cell = row_cell(ref, c->all_targets.v[t]);
            if (cell) check_cell(c, &list, ref, cell, c->all_targets.v[t], empty);
        }
    }
    if (empty)
        report_empty(c, &list);
    else
        report_missing(c, &list);
}
