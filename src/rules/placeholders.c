/* SPDX-License-Identifier: Apache-2.0 */
/* placeholders.c - what `rules check` says of templates: of their braces while a cell is read, and
 * of facts and captures once all targets and rows are known. What cannot be said of a rule when it
 * is compiled is found when a file is ported, and then costs a place its rewrite: so everything
 * that can be known is an error here, for all kinds of rules. */
#include "rules/compiler.h"

enum {
    PH_ANYWHERE = PH_NAME | PH_WORD,
    PH_PYTHON_NAME = PH_ANYWHERE | PH_TAIL,
    PH_PYTHON_BARE = PH_PYTHON_NAME | PH_RECEIVER | PH_ARGUMENTS | PH_KEYWORDS,
    PH_CUDA_CALL = PH_ANYWHERE | PH_ARGUMENTS | PH_FIRST | PH_POSITION | PH_TEMPLATE_ARGUMENTS
};

static const struct {
    const char *name;
    unsigned python, cuda;
} forms[] = {
    [FORM_TO] = {"to", PH_PYTHON_NAME, PH_ANYWHERE},
    [FORM_CALL] = {"call", PH_PYTHON_BARE | PH_FIRST, PH_CUDA_CALL},
    [FORM_BARE] = {"bare", PH_PYTHON_BARE, PH_ANYWHERE},
    [FORM_VALUE] = {"value", PH_PYTHON_NAME | PH_RECEIVER, PH_ANYWHERE | PH_RECEIVER},
    [FORM_TEXT] = {"the text of a literal", PH_ANYWHERE, PH_ANYWHERE},
};

static unsigned allowed_in(const struct cell_context *x, enum form form) {
    unsigned out = x->python ? forms[form].python : forms[form].cuda;
    if (x->python && x->match != M_ATTRIBUTE) out &= ~(unsigned)PH_RECEIVER;
    if (x->match == M_TOKENS || x->match == M_LANES) out = PH_ANYWHERE | PH_TAIL; /* captures */
    bool of_argument = x->match == M_KEYWORD || x->of_argument;
    if (of_argument && form == FORM_VALUE) out |= PH_FIRST; /* its value */
    return out;
}

static void check_placeholder(struct compiler *c, const struct cell_context *x, enum form form,
                              struct str name, const struct cJSON *v) {
    enum placeholder_kind kind = template_placeholder(name).kind;
    struct str option;
    if (x->match == M_LAUNCH) {
        if (kind == PH_WORD || template_launch_part(name, &option) != LAUNCH_NONE) return;
        complain(c, v,
                 "{%.*s} is no part of a launch: write {kernel}, {grid}, {block}, {shared}, "
                 "{stream}, {config}, {arguments}, {*} or a fact of the target, and {{ }} for "
                 "braces",
                 STR_ARG(name));
    } else if (kind == PH_BAD) {
        complain(c, v,
                 "{%.*s} is no placeholder: write {*}, {*:a,b}, {0}, {.}, {name}, {tail} or a "
                 "fact of the target, and {{ }} for braces",
                 STR_ARG(name));
    } else if (!(kind & allowed_in(x, form))) {
        complain(c, v, "{%.*s} has no meaning in %s of this kind of rule: use another form",
                 STR_ARG(name), forms[form].name);
    }
}

void check_template(struct compiler *c, const struct cell_context *x, enum form form,
                    struct str text, const struct cJSON *v) {
    struct str part;
    enum template_part kind;
    for (size_t at = 0; (kind = template_next(text, &at, &part)) != TEMPLATE_END;) {
        if (kind == TEMPLATE_PLACEHOLDER) check_placeholder(c, x, form, part, v);
        if (kind != TEMPLATE_BROKEN) continue;
        complain(c, v, "a brace stands alone: write {{ or }} for a brace in the code");
        return;
    }
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
    uint32_t match;
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
    struct missing m = {row.row->rule, at,     row.rule->match,
                        fact,          target, cell_place(c, row, cell)};
    vec_push(c->a, list, m);
}

/* Whether the sequence, the key of a row, has $name in it. */
static bool has_capture(struct str key, struct str name) {
    for (size_t at = 0; (at = str_find(key, name, at)) < key.n; at++) {
        bool ends = at + name.n == key.n || !is_word_char(key.p[at + name.n]);
        if (at > 0 && key.p[at - 1] == '$' && ends) return true;
    }
    return false;
}

/* Whether the language itself says what the word is. */
static bool is_own_word(struct row_ref row, struct str word) {
    struct str option;
    if (row.rule->match == M_LAUNCH) return template_launch_part(word, &option) != LAUNCH_NONE;
    if (row.rule->match == M_LANES) return str_is(word, "kernel"); /* sycl/pointers.c's */
    return row.rule->match == M_TOKENS && has_capture(rs_str(row.set, row.row->key), word);
}

/* What check_facts() goes through. */
struct fact_check {
    struct compiler *c;
    missing_list list;
    struct row_ref row;
    const struct rcell *cell;
    struct target_ref target;
    bool empty;
};

static void check_words_of(struct fact_check *x, struct rstr template) {
    struct str text = rs_str(x->row.set, template), part;
    struct str key = rs_str(x->row.set, x->row.row->key);
    enum fact_state bad = x->empty ? FACT_EMPTY : FACT_ABSENT;
    for (size_t at = 0;;) {
        enum template_part kind = template_next(text, &at, &part);
        if (kind == TEMPLATE_END || kind == TEMPLATE_BROKEN) return;
        if (kind == TEMPLATE_TEXT || is_own_word(x->row, part)) continue;
        enum placeholder_kind placeholder = template_placeholder(part).kind;
        bool outside =
            placeholder == PH_TAIL && !is_below(key, rs_str(x->row.set, x->row.rule->name_space));
        if (placeholder == PH_WORD && fact_state(x->target, part) == bad)
            add_missing(x->c, &x->list, x->row, x->cell, part, target_name(x->target));
        if (outside && !x->empty) add_missing(x->c, &x->list, x->row, x->cell, S("tail"), key);
    }
}

static void check_cell(struct fact_check *x) {
    const struct rcell *cell = x->cell;
    const struct rstr templates[] = {cell->to,     cell->call,  cell->bare,       cell->statement,
                                     cell->value,  cell->text,  cell->expression, cell->compare,
                                     cell->chosen, cell->number, cell->none};
    for (size_t k = 0; k < ARRAY_LEN(templates); k++) check_words_of(x, templates[k]);
    const struct rcase *cases = RS_LIST(x->row.set, cell->cases, struct rcase);
    for (size_t k = 0; k < cell->cases.n; k++) check_words_of(x, cases[k].call);
}

static void report_empty(struct compiler *c, const missing_list *list) {
    for (size_t i = 0; i < list->n; i++)
        complain_at(c, list->v[i].place,
                    "{%.*s} is empty on %.*s, so these places need manual porting there; give the "
                    "target a cell of its own that says why",
                    STR_ARG(list->v[i].fact), STR_ARG(list->v[i].targets));
}

/* What else than a fact of the target the word could have been. */
static const char *other_words(uint32_t match) {
    if (match == M_LAUNCH) return "neither a part of a launch nor a fact";
    return match == M_TOKENS ? "neither a capture of the row nor a fact" : "no fact";
}

static void report_missing(struct compiler *c, const missing_list *list) {
    static const char *const launch[] = {"kernel", "grid",      "block", "shared",
                                         "stream", "arguments", "config"};
    str_list facts = {0}, parts = {0};
    for (size_t t = 0; t < c->all_targets.n; t++) {
        struct target_ref target = c->all_targets.v[t];
        const struct rfact *f = RS_LIST(target.set, target.target->facts, struct rfact);
        for (size_t i = 0; i < target.target->facts.n; i++)
            vec_push(c->a, &facts, rs_str(target.set, f[i].key));
    }
    for (size_t i = 0; i < ARRAY_LEN(launch); i++) vec_push(c->a, &parts, str_of(launch[i]));
    for (size_t i = 0; i < list->n; i++) {
        const struct missing *m = &list->v[i];
        if (str_is(m->fact, "tail"))
            complain_at(
                c, m->place,
                "\"=\" and {tail} need names below the rule's \"namespace\", and this is not: "
                "%.*s; give the row a cell with the full name",
                STR_ARG(m->targets));
        else
            complain_at(
                c, m->place,
                "{%.*s} is %s of %.*s%.*s; add the fact to rules/targets or give the "
                "target a cell of its own",
                STR_ARG(m->fact), other_words(m->match), STR_ARG(m->targets),
                STR_ARG(did_you_mean(c->a, m->fact, m->match == M_LAUNCH ? &parts : &facts)));
    }
}

/* ---- targets that meet the rules of another set ---- */

/* A place in the file of a target. */
static struct place target_place(struct compiler *c, struct rstr name, const char *pointer) {
    struct str target = rs_str(block_view(&c->block), name);
    for (size_t i = 0; i < c->columns.n; i++)
        if (str_eq(c->columns.v[i].target, target))
            return (struct place){c->columns.v[i].file, str_of(pointer)};
    return (struct place){S(""), str_of(pointer)};
}

/* A fact that cells of other sets' rules write for a target of these sources. */
struct wanted {
    struct rstr target;
    struct str fact, rule;
    size_t rows;
    bool absent;
};
typedef VEC(struct wanted) wanted_list;

static void want_facts_of(struct compiler *c, wanted_list *list, struct row_ref row,
                          const struct rcell *cell, struct target_ref t) {
    const struct rstr templates[] = {cell->to,         cell->call,    cell->bare,
                                     cell->statement,  cell->value,   cell->text,
                                     cell->expression, cell->compare, cell->number};
    for (size_t k = 0; k < ARRAY_LEN(templates); k++) {
        struct str text = rs_str(row.set, templates[k]), part;
        for (size_t at = 0;;) {
            enum template_part kind = template_next(text, &at, &part);
            if (kind == TEMPLATE_END || kind == TEMPLATE_BROKEN) break;
            if (kind == TEMPLATE_TEXT || is_own_word(row, part)) continue;
            if (template_placeholder(part).kind != PH_WORD) continue;
            enum fact_state state = fact_state(t, part);
            size_t i = 0;
            if (state == FACT_FULL) continue;
            while (i < list->n &&
                   !(list->v[i].target.at == t.target->name.at && str_eq(list->v[i].fact, part)))
                i++;
            struct wanted w = {t.target->name, part, rs_str(row.set, row.rule->id), 0,
                               state == FACT_ABSENT};
            if (i == list->n) vec_push(c->a, list, w);
            list->v[i].rows++;
        }
    }
}

void check_new_targets(struct compiler *c) {
    struct ruleset own = block_view(&c->block);
    wanted_list list = {0};
    for (size_t k = 0; c->known && k < c->known->n; k++) {
        struct ruleset set = c->known->set[k];
        const struct rrow *rows = RS_LIST(set, set.h->rows, struct rrow);
        const struct rrule *rules = RS_LIST(set, set.h->rules, struct rrule);
        for (size_t t = 0; t < c->targets.n && !c->n_own_rules; t++) {
            struct target_ref target = {.set = own, .target = &c->targets.v[t]};
            for (uint32_t i = 0; i < set.h->rows.n; i++) {
                struct row_ref row = {set, &rows[i], &rules[rows[i].rule]};
                const struct rcell *cell = row_cell(row, target);
                if (cell && cell->verdict != V_MANUAL) want_facts_of(c, &list, row, cell, target);
            }
        }
    }
    for (size_t i = 0; i < list.n; i++) {
        const struct wanted *w = &list.v[i];
        complain_at(
            c, target_place(c, w->target, "/facts"),
            "\"%.*s\" is %s: %zu row%s of the rules, the first of %.*s, would write it and "
            "stay%s manual; write the word, or give the rule a cell that says why not",
            STR_ARG(w->fact), w->absent ? "missing" : "empty", w->rows, w->rows == 1 ? "" : "s",
            STR_ARG(w->rule), w->rows == 1 ? "s" : "");
    }
    for (size_t t = 0; t < c->targets.n; t++) {
        struct rstr name = c->targets.v[t].name;
        struct target_ref target = {.set = own, .target = &c->targets.v[t]};
        struct str first = {0};
        if (target_fact(target, "import").n && !target_fact(target, "import_words").n)
            complain_at(
                c, target_place(c, name, "/facts"),
                "\"import_words\" is missing: write the words of which one, in a text that is "
                "written, needs the import; without them it is never added");
        size_t n = 0;
        for (size_t i = 0; i < c->unlisted.n; i++) {
            if (c->unlisted.v[i].target.at != name.at) continue;
            if (n++ == 0) first = c->unlisted.v[i].name;
        }
        if (n)
            complain_at(
                c, target_place(c, name, "/releases/names"),
                "%zu rows would write names that are not listed, %.*s first, so they stay "
                "manual; 'cuda-morph rules names --rules FILE --target %.*s' prints the names: "
                "look for each in the vendor's sources",
                n, STR_ARG(first), STR_ARG(rs_str(own, name)));
    }
}

void check_facts(struct compiler *c, bool empty) {
    struct ruleset view = block_view(&c->block);
    struct fact_check x = {.c = c, .empty = empty};
    for (size_t i = 0; i < c->rows.n; i++) {
        const struct rrow *row = &c->rows.v[i];
        x.row = (struct row_ref){view, row, &c->rules.v[row->rule]};
        for (size_t t = 0; t < c->all_targets.n; t++) {
            x.target = c->all_targets.v[t];
            x.cell = row_cell(x.row, x.target);
            if (x.cell) check_cell(&x);
        }
    }
    if (empty)
        report_empty(c, &x.list);
    else
        report_missing(c, &x.list);
}
