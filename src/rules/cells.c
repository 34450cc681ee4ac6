/* SPDX-License-Identifier: Apache-2.0 */
/* cells.c - a cell: what becomes of a name on one target.
 *
 * Most cells are a word ("hipMalloc", "keep", "none"), because 50,000 of them have to be
 * readable; the others are objects. Both end as the same record, and a misspelt word must never
 * become a rename. */
#include "rules/compiler.h"

/* ---- cells written as a string ---- */

static const struct {
    const char *word;
    enum verdict verdict;
} plain_words[] = {{"keep", V_SAME}, {"none", V_NONE}, {"manual", V_MANUAL}};

/* A dotted name once every placeholder is taken for one component. */
static bool is_name_template(struct compiler *c, struct str s) {
    struct buf b;
    buf_init(&b, c->a);
    struct str part;
    for (size_t at = 0;;) {
        enum template_part kind = template_next(s, &at, &part);
        if (kind != TEMPLATE_TEXT && kind != TEMPLATE_PLACEHOLDER) break;
        buf_add(&b, kind == TEMPLATE_TEXT ? part : S("x"));
    }
    return is_dotted_name(buf_str(&b));
}

/* A misspelt "manual" would otherwise become a rename to it. */
static void check_for_misspelling(struct compiler *c, struct str name, const struct cJSON *v) {
    for (size_t i = 0; i < ARRAY_LEN(plain_words); i++)
        if (str_distance(name, str_of(plain_words[i].word)) == 1)
            complain(c, v, "did you mean \"%s\"? A rename to %.*s goes under \"to\"",
                     plain_words[i].word, STR_ARG(name));
}

/* Takes the mark off the front: "~" close, "?" unverified. */
static struct str take_grade(struct str s, struct rcell *out) {
    if (s.n == 0 || (s.p[0] != '~' && s.p[0] != '?')) return s;
    if (s.p[0] == '~')
        out->verdict = V_CLOSE;
    else
        out->unverified = 1;
    return str_sub(s, 1, s.n);
}

static void set_rename(struct compiler *c, const struct cell_context *x, struct str s,
                       const struct cJSON *v, struct rcell *out) {
    struct str name = take_grade(s, out);
    if (str_is(name, "=")) name = x->for_namespace ? S("{module}") : S("{module}.{tail}");
    check_template(c, x, FORM_TO, name, v);
    if (x->python && !is_name_template(c, name))
        complain(c, v,
                 "\"%.*s\" is no dotted name: a rename is one, other code goes under \"call\" or "
                 "\"value\" of an object",
                 STR_ARG(name));
    out->to = block_str(&c->block, name);
}

static void set_text(struct compiler *c, const struct cell_context *x, struct str s,
                     const struct cJSON *v, struct rcell *out) {
    struct str text = take_grade(s, out);
    if (str_is(text, "="))
        complain(c, v, "\"=\" is for names: write the text that replaces the word");
    check_template(c, x, FORM_TEXT, text, v);
    out->text = block_str(&c->block, text);
}

static void use_template(struct compiler *c, struct cell_context *x, struct str name,
                         const struct cJSON *v, struct rcell *out) {
    str_list names = {0};
    for (size_t i = 0; i < x->templates.n; i++) {
        struct template_cell *t = &x->templates.v[i];
        vec_push(c->a, &names, t->name);
        if (!str_eq(t->name, name)) continue;
        t->used = true;
        *out = t->cell;
        return;
    }
    complain(c, v, "the rule has no template \"%.*s\"%.*s; add it to \"templates\"", STR_ARG(name),
             STR_ARG(did_you_mean(c->a, name, &names)));
}

static void read_short_cell(struct compiler *c, struct cell_context *x, const struct cJSON *v,
                            struct rcell *out) {
    struct str s = text_of(c, v);
    if (str_starts(s, S("@"))) {
        use_template(c, x, str_sub(s, 1, s.n), v, out);
        return;
    }
    for (size_t i = 0; i < ARRAY_LEN(plain_words); i++)
        if (str_is(s, plain_words[i].word)) out->verdict = plain_words[i].verdict;
    if (out->verdict != V_UNSET) return;
    out->verdict = V_EXACT;
    if (s.n == 0)
        complain(c, v,
                 "an empty cell says nothing: write \"keep\", \"none\", \"manual\" or "
                 "what to put there");
    else if (x->match == M_STRING || x->match == M_TEXT)
        set_text(c, x, s, v, out);
    else {
        check_for_misspelling(c, s, v);
        set_rename(c, x, s, v, out);
    }
}

/* ---- cells written as an object ---- */

static struct rstr read_form(struct compiler *c, const struct cell_context *x,
                             const struct cJSON *cell, const char *key, enum form form) {
    const struct cJSON *v = json_get(cell, key);
    if (!v) return (struct rstr){0};
    struct str s = text_of(c, v);
    if (s.n == 0) complain(c, v, "is empty: leave it out or write the code");
    check_template(c, x, form, s, v);
    return block_str(&c->block, s);
}

/* {"keyword": "dtype", "position": 1} */
static void read_needs(struct compiler *c, const struct cJSON *v, struct rcell *out) {
    static const char *const keys[] = {"keyword", "position", NULL};
    if (!v) return;
    check_keys(c, v, "\"needs\"", keys);
    if (!out->call.n) complain(c, v, "is about calls: the cell needs a \"call\"");
    if (!json_get(v, "keyword")) complain(c, v, "needs \"keyword\": the name of the argument");
    out->needs = block_str(&c->block, text_member(c, v, "keyword", NULL));
    const struct cJSON *position = json_get(v, "position");
    out->needs_position = position ? number_of(c, position) : UINT32_MAX;
}

static void read_name_forms(struct compiler *c, const struct cell_context *x,
                            const struct cJSON *v, struct rcell *out) {
    const struct cJSON *to = json_get(v, "to");
    if (to) set_rename(c, x, text_of(c, to), to, out);
    if (!x->python) read_cuda_forms(c, x, v, out);
    out->call = read_form(c, x, v, "call", FORM_CALL);
    out->bare = read_form(c, x, v, "bare", FORM_BARE);
    out->statement = read_form(c, x, v, "statement", FORM_CALL);
    out->number = read_form(c, x, v, "number", FORM_CALL);
    out->none = read_form(c, x, v, "none", FORM_VALUE);
    if (out->none.n && !out->call.n) complain(c, v, "\"none\" stands beside \"call\"");
    out->folds = flag_member(c, v, "folds");
    out->guarded = flag_member(c, v, "guarded");
    out->unless = block_str(&c->block, text_member(c, v, "unless", NULL));
    out->value = read_form(c, x, v, "value", FORM_VALUE);
    read_needs(c, json_get(v, "needs"), out);

    VEC(struct rfact) renames = {0};
    const struct cJSON *keywords = json_get(v, "keywords");
    if (keywords && !is_object(keywords))
        complain(c, keywords, "must be an object {\"old\": \"new\"}");
    json_each(element, keywords) {
        struct str key = json_key(element), name = text_of(c, element);
        if (!is_identifier(name))
            complain(c, element, "must be the new name of the keyword argument");
        struct rfact f = {block_str(&c->block, key), block_str(&c->block, name)};
        vec_push(c->a, &renames, f);
    }
    out->keywords = block_list(&c->block, renames.v, renames.n, sizeof *renames.v);
}

static void read_string_forms(struct compiler *c, const struct cell_context *x,
                              const struct cJSON *v, struct rcell *out) {
    const struct cJSON *text = json_get(v, "text");
    if (text) set_text(c, x, text_of(c, text), text, out);
    out->expression = read_form(c, x, v, "expression", FORM_TEXT);
    out->compare = read_form(c, x, v, "compare", FORM_TEXT);
    out->chosen = read_form(c, x, v, "chosen", FORM_TEXT);
    if (out->chosen.n && (!out->compare.n || !out->expression.n))
        complain(c, v, "\"chosen\" stands beside \"expression\" and \"compare\"");
    out->whole = flag_member(c, v, "whole");
    out->unless_line = read_pattern(c, v, "unless_line");
    if (out->whole && !out->text.n)
        complain(c, v, "\"whole\" needs \"text\": what the literal becomes");
    if (out->compare.n && !out->expression.n && !out->text.n)
        complain(
            c, v,
            "\"compare\" needs \"expression\" or \"text\" for a literal that is not compared");
}

static bool has_rewrite(const struct rcell *cell) {
    return cell->to.n || cell->call.n || cell->bare.n || cell->statement.n || cell->value.n ||
           cell->text.n || cell->expression.n || cell->compare.n || cell->keywords.n ||
           cell->cases.n || cell->remove;
}

/* The verdict that is written down, or the one that follows from the rest of the cell. */
static void settle_verdict(struct compiler *c, const struct cJSON *v, struct rcell *out) {
    static const char *const names[] = {"same", "exact", "shim", "close", "manual", "none", NULL};
    if (json_get(v, "verdict"))
        out->verdict = V_SAME + word_member(c, v, "verdict", names);
    else if (out->verdict == V_UNSET && has_rewrite(out))
        out->verdict = V_EXACT;
    switch ((enum verdict)out->verdict) {
    case V_UNSET:
        complain(c, v, "says neither what to write (to, call, text...) nor a \"verdict\"");
        out->verdict = V_MANUAL;
        break;
    case V_SAME: /* but for the call shapes of its cases */
    case V_NONE:
        if (has_rewrite(out) && !(out->verdict == V_SAME && out->cases.n))
            complain(c, v, "the verdict %s and a rewrite contradict each other: drop one",
                     verdict_name(out->verdict));
        break;
    case V_EXACT:
    case V_SHIM:
    case V_CLOSE:
        if (!has_rewrite(out))
            complain(c, v,
                     "the verdict %s needs a rewrite (to, call, text...); without one "
                     "write same, manual or none",
                     verdict_name(out->verdict));
        break;
    case V_MANUAL:
        break;
    }
}

static void read_long_cell(struct compiler *c, struct cell_context *x, const struct cJSON *v,
                           struct rcell *out) {
    static const char *const name_keys[] = {
        "verdict", "to",      "call", "bare",       "statement", "value", "keywords", "unless",
        "folds",   "guarded", "note", "keep_equal", "number",    "needs", "none",     NULL};
    static const char *const cuda_keys[] = {"verdict", "to",      "call",  "statement", "value",
                                            "note",    "include", "cases", "remove",    NULL};
    static const char *const string_keys[] = {"verdict", "text",   "whole",      "expression",
                                              "compare", "chosen", "keep_equal", "unless_line",
                                              "note",    NULL};
    if (x->match == M_STRING || x->match == M_TEXT) {
        check_keys(c, v, "a cell of a string rule", string_keys);
        read_string_forms(c, x, v, out);
    } else {
        check_keys(c, v, "a cell", x->python ? name_keys : cuda_keys);
        read_name_forms(c, x, v, out);
    }
    out->keep_equal = flag_member(c, v, "keep_equal");
    out->note = block_str(&c->block, text_member(c, v, "note", NULL));
    settle_verdict(c, v, out);
}

struct rcell read_cell(struct compiler *c, struct cell_context *x, const struct cJSON *v) {
    struct rcell cell = {0};
    if (is_text(v))
        read_short_cell(c, x, v, &cell);
    else if (is_object(v))
        read_long_cell(c, x, v, &cell);
    else
        complain(c, v, "a cell is a string or an object (rules/README.md)");
    return cell;
}

/* ---- lists of cells ---- */

void read_templates(struct compiler *c, struct cell_context *x, const struct cJSON *v) {
    if (!v) return;
    if (!is_object(v)) complain(c, v, "must be an object {\"name\": cell}");
    json_each(element, v) {
        if (is_text(element) && str_starts(text_of(c, element), S("@")))
            complain(c, element, "a template cannot refer to another: write the cell out");
        struct template_cell t = {json_key(element), read_cell(c, x, element), false};
        vec_push(c->a, &x->templates, t);
    }
}

void check_target_name(struct compiler *c, struct str name, const struct cJSON *v) {
    str_list names = {0};
    if (c->all_targets.n == 0 || str_is(name, "*")) return;
    for (size_t i = 0; i < c->all_targets.n; i++) {
        struct target_ref t = c->all_targets.v[i];
        if (str_eq(target_name(t), name)) return;
        vec_push(c->a, &names, target_name(t));
    }
    complain(c, v, "there is no target \"%.*s\"%.*s (\"*\" stands for all the others)",
             STR_ARG(name), STR_ARG(did_you_mean(c->a, name, &names)));
}

struct rlist read_cells(struct compiler *c, struct cell_context *x, const struct cJSON *v,
                        struct rrow *row) {
    static const char *const roles[] = {"none", "compiler", "extent", NULL};
    VEC(struct rcell) cells = {0};
    if (v && !is_object(v)) complain(c, v, "must be an object from target name or \"*\" to cell");
    json_each(element, v) {
        struct str target = json_key(element);
        if (row && str_is(target, "note")) {
            row->note = block_str(&c->block, text_of(c, element));
            continue;
        }
        if (row && str_is(target, "role") && x->match == M_SYMBOL) {
            row->role = word_member(c, v, "role", roles);
            continue;
        }
        if (row && str_is(target, "word") && x->match == M_TEXT) {
            row->look_up = block_str(&c->block, text_of(c, element));
            continue;
        }
        static const struct str kernels = {"+sycl", 5};
        size_t name = 0; /* "rocm<7.0", "xpu+sycl" */
        while (name < target.n && !strchr("<>=!+", target.p[name])) name++;
        check_target_name(c, str_sub(target, 0, name), element);
        struct rcell cell = read_cell(c, x, element);
        cell.target = block_str(&c->block, str_sub(target, 0, name));
        struct str only = str_sub(target, name, target.n);
        cell.sycl = str_eq(only, kernels);
        if (!cell.sycl && str_starts(only, S("+")))
            complain(c, element, "a target is followed by a version, or by \"+sycl\"");
        if (!cell.sycl) cell.version = block_str(&c->block, only);
        vec_push(c->a, &cells, cell);
    }
    return block_list(&c->block, cells.v, cells.n, sizeof *cells.v);
}
