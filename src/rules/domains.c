/* SPDX-License-Identifier: Apache-2.0 */
/* domains.c - the rules of a file: their kinds, rows and conditions. */
#include "rules/compiler.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

/* ---- words ---- */

static bool is_kebab_name(struct str s) {
    bool start = true;
    for (size_t i = 0; i < s.n; i++) {
        char ch = s.p[i];
        bool word = (ch >= 'a' && ch <= 'z') || (ch >= '0' && ch <= '9');
        if (!word && (ch != '-' || start)) return false;
        start = ch == '-';
    }
    return !start;
}

static void check_id(struct compiler *c, struct str id, struct str domain, const struct cJSON *v) {
    struct ruleset view = block_view(&c->block);
    struct str prefix = arena_concat(c->a, domain, S("/"));
    if (!str_starts(id, prefix) || !is_kebab_name(str_sub(id, prefix.n, id.n)))
        complain(c, v, "must be \"%.*skebab-name\": lower case, digits and hyphens",
                 STR_ARG(prefix));
    for (size_t i = 0; i < c->rules.n; i++)
        if (str_eq(rs_str(view, c->rules.v[i].id), id))
            complain(c, v, "\"%.*s\" is the id of another rule (%.*s: %.*s): choose a new one",
                     STR_ARG(id), STR_ARG(c->places.v[i].file), STR_ARG(c->places.v[i].pointer));
}

/* The caller frees the result; NULL: there is none, or it is wrong, which is said. */
static pcre2_code *compiled(struct compiler *c, const struct cJSON *v, struct str pattern) {
    int code;
    PCRE2_SIZE at;
    if (!v) return NULL;
    pcre2_code *re =
        pcre2_compile((PCRE2_SPTR)(pattern.p ? pattern.p : ""), pattern.n, 0, &code, &at, NULL);
    if (re) return re;
    PCRE2_UCHAR message[160];
    pcre2_get_error_message(code, message, sizeof message);
    complain(c, v, "is no PCRE2 pattern: %s at character %zu", (char *)message, (size_t)at + 1);
    return NULL;
}

/* "host": which rows are about the host's part of a program. */
static bool is_host(const pcre2_code *host, struct str key) {
    pcre2_match_data *data = host ? pcre2_match_data_create(1, NULL) : NULL;
    bool is = data && pcre2_match(host, (PCRE2_SPTR)key.p, key.n, 0, 0, data, NULL) >= 0;
    pcre2_match_data_free(data);
    return is;
}

/* ---- the parts of string rules ---- */

/* {"torch.device": [0], ".to": [0]} */
static struct rlist read_arguments(struct compiler *c, const struct cJSON *rule) {
    VEC(struct rargument) out = {0};
    const struct cJSON *list = json_get(rule, "arguments");
    if (list && !is_object(list)) complain(c, list, "must be an object {\"callee\": [0]}");
    json_each(positions, list) {
        struct str callee = json_key(positions);
        if (!is_dotted_name(str_starts(callee, S(".")) ? str_sub(callee, 1, callee.n) : callee))
            complain(
                c, positions,
                "must be named by a dotted name, or by \".method\" for methods of any object");
        if (!is_array(positions)) complain(c, positions, "must be an array of positions from 0");
        json_each(position, positions) {
            struct rargument a = {block_str(&c->block, callee), number_of(c, position)};
            vec_push(c->a, &out, a);
        }
    }
    return block_list(&c->block, out.v, out.n, sizeof *out.v);
}

static void read_string_rule(struct compiler *c, const struct cJSON *v, struct rrule *r) {
    static const char *const shapes[] = {"exact", "device", "backend", "gate", "command", NULL};
    r->shape = word_member(c, v, "shape", shapes);
    r->by_form = flag_member(c, v, "by_form");
    r->texts = flag_member(c, v, "texts");
    r->keywords = texts_member(c, v, "keywords");
    r->companions = texts_member(c, v, "companions");
    r->never = texts_member(c, v, "never");
    r->imports = texts_member(c, v, "imports");
    r->family_in = read_pattern(c, v, "family_in");
    r->arguments = read_arguments(c, v);
    r->variables = read_pattern(c, v, "variables");
    bool context = r->keywords.n || r->companions.n || r->arguments.n || r->variables.n;
    if (!context && !r->by_form)
        complain(c, v,
                 "no literal can match: add a context (keywords, arguments, variables, "
                 "companions) or \"by_form\": true");
}

/* ---- rows ---- */

/* name(keyword) */
static bool is_keyword_key(struct str s) {
    size_t open = str_find(s, S("("), 0);
    if (open == s.n || !str_ends(s, S(")"))) return false;
    struct str keyword = str_sub(s, open + 1, s.n - 1);
    struct str callee = str_sub(s, 0, open);
    if (is_position(keyword)) return is_dotted_name(callee);
    if (str_starts(callee, S(".")))
        callee = str_sub(callee, 1, callee.n); /* any object's method */
    return (open == 0 || str_is(callee, "[]") || is_dotted_name(callee)) && is_identifier(keyword);
}

static void check_lanes_key(struct compiler *c, struct str key, const struct cJSON *v) {
    static const char *const keys[] = {
        "width",   "constant",  "loop",     "variable",   "return",     "bits",
        "shift",   "full-mask", "steps",    "neighbours", "allocation", "managed",
        "virtual", "pointer",   "overload", "recursion",  "static",     "type",
        "value",   "open",      "argument", "waiting"};
    for (size_t k = 0; k < ARRAY_LEN(keys); k++)
        if (str_is(key, keys[k])) return;
    if (str_starts(key, S("group:")) && is_identifier(str_sub(key, 6, key.n))) return;
    complain(c, v,
             "the key must be width, constant, loop, variable, return, bits, shift, full-mask, "
             "steps, neighbours, allocation, virtual, pointer, overload, recursion, static, "
             "type, value, open, argument, managed, waiting or group:NAME");
}

static void check_key(struct compiler *c, const struct cell_context *x, struct str key,
                      const struct cJSON *v) {
    switch (x->match) {
    case M_NAME:
    case M_MODULE:
        if (!is_dotted_name(key))
            complain(c, v, "the key must be a dotted name, as torch.cuda.Stream");
        break;
    case M_SYMBOL:
        if (!is_qualified_name(key))
            complain(c, v, "the key must be a C++ name, as cudaMalloc or cub::DeviceReduce");
        break;
    case M_ATTRIBUTE: { /* `def x`: where a class of the user's defines it; `any x`: of an object
                           that may be of such a class */
        bool own =
            str_starts(key, S("def ")) || str_starts(key, S("set ")) || str_starts(key, S("any "));
        if (!is_identifier(own ? str_sub(key, 4, key.n) : key))
            complain(c, v, "the key must be the name of one attribute, without dots");
        break;
    }
    case M_KEYWORD:
        if (!is_keyword_key(key))
            complain(c, v, "the key must be name(keyword), as torch.cuda.graph(cuda_graph)");
        break;
    case M_LAUNCH:
        if (!str_is(key, "chevron") && !str_is(key, "function") && !str_is(key, "template") &&
            !str_is(key, "spread") && !str_is(key, "pointer"))
            complain(c, v, "the key must be chevron, spread, template, pointer or function");
        break;
    case M_LANES:
        check_lanes_key(c, key, v);
        break;
    case M_TEXT:
        pcre2_code_free(compiled(c, v, key));
        break;
    case M_STRING:
    case M_INCLUDE:
    case M_TOKENS:
    case M_KINDS:
        break;
    }
    if (anchor_of(x->match, key, (struct str){0}).n == 0)
        complain(c, v, "the key holds no letter, digit or underscore to look for");
}

static bool has_cell(struct ruleset view, const struct rcell *cells, size_t n,
                     struct rstr target) {
    for (size_t i = 0; i < n; i++)
        if (str_eq(rs_str(view, cells[i].target), rs_str(view, target))) return true;
    return false;
}

/* The row of the namespace itself: its own cells, and those defaults that mean something else
 * there because they say "=". What is wrong with the defaults was said when they were read first.
 */
static struct rlist read_namespace_row(struct compiler *c, struct cell_context *x,
                                       const struct cJSON *rule, const struct cJSON *row,
                                       struct rlist defaults, struct rrow *out) {
    x->for_namespace = true;
    struct rlist own = read_cells(c, x, row, out);
    size_t n_errors = c->errors->n;
    struct rlist again = read_cells(c, x, json_get(rule, "default"), NULL);
    c->errors->n = n_errors;
    x->for_namespace = false;

    struct rstr star = block_str(&c->block, S("*"));
    struct ruleset view = block_view(&c->block);
    const struct rcell *mine = RS_LIST(view, own, struct rcell);
    const struct rcell *here = RS_LIST(view, again, struct rcell);
    const struct rcell *elsewhere = RS_LIST(view, defaults, struct rcell);
    if (has_cell(view, mine, own.n, star)) return own;
    VEC(struct rcell) cells = {0};
    for (size_t i = 0; i < own.n; i++) vec_push(c->a, &cells, mine[i]);
    for (size_t i = 0; i < again.n; i++)
        if (memcmp(&here[i], &elsewhere[i], sizeof *here) != 0 &&
            !has_cell(view, mine, own.n, here[i].target))
            vec_push(c->a, &cells, here[i]);
    return block_list(&c->block, cells.v, cells.n, sizeof *cells.v);
}

/* A pattern is found by a word that it spells out. */
static bool text_has_word(struct compiler *c, struct str pattern, struct rstr word) {
    struct str s = rs_str(block_view(&c->block), word);
    return s.n && longest_word(s).n == s.n && str_find(pattern, s, 0) < pattern.n;
}

static struct rlist read_rows(struct compiler *c, struct cell_context *x, const struct cJSON *rule,
                              const struct rrule *r) {
    const struct cJSON *rows = json_get(rule, "rows");
    struct rlist range = {(uint32_t)c->rows.n, 0};
    struct str last = S("");
    pcre2_code *host = compiled(c, json_get(rule, "host"), text_member(c, rule, "host", NULL));
    if (!is_object(rows) || json_count(rows) == 0)
        complain(c, rows ? rows : rule,
                 "\"rows\" must hold what the rule is about: {\"name\": {}}");
    json_each(v, rows) {
        struct str key = json_key(v);
        if (str_cmp(key, last) < 0)
            complain(c, v, "rows are sorted by byte order: %.*s belongs before %.*s", STR_ARG(key),
                     STR_ARG(last));
        check_key(c, x, key, v);
        struct rrow row = {.key = block_str(&c->block, key), .rule = (uint32_t)c->rules.n};
        row.look_up = x->match == M_TOKENS ? read_sequence(c, v, key) : row.key;
        if (x->match == M_TEXT) row.look_up = (struct rstr){0};
        row.cells = str_eq(key, rs_str(block_view(&c->block), r->name_space))
                        ? read_namespace_row(c, x, rule, v, r->defaults, &row)
                        : read_cells(c, x, v, &row);
        x->for_namespace = str_eq(key, rs_str(block_view(&c->block), r->name_space));
        row.cells = with_columns(c, x, arena_str(c->a, rs_str(block_view(&c->block), r->id)), key,
                                 row.cells);
        x->for_namespace = false;
        if (x->match == M_TEXT && !text_has_word(c, key, row.look_up))
            complain(c, v, "\"word\" must be a word that every match has");
        row.host = is_host(host, key);
        vec_push(c->a, &c->rows, row);
        last = key;
    }
    pcre2_code_free(host);
    range.n = (uint32_t)c->rows.n - range.at;
    return range;
}

/* ---- rules ---- */

static struct rlist read_examples(struct compiler *c, const struct cJSON *rule) {
    static const char *const keys[] = {"target", "before", "after", NULL};
    const struct cJSON *list = json_get(rule, "examples");
    VEC(struct rexample) out = {0};
    json_each(v, list) {
        if (!check_keys(c, v, "an example", keys)) continue;
        struct str target = text_member(c, v, "target", "the target that is ported to");
        if (target.n) check_target_name(c, target, json_get(v, "target"));
        struct rexample e = {block_str(&c->block, target),
                             text_in_block(c, v, "before", "the code as found"),
                             text_in_block(c, v, "after", "the code as ported")};
        vec_push(c->a, &out, e);
    }
    if (!is_array(list) || json_count(list) == 0)
        complain(c, list ? list : rule,
                 "\"examples\" must show at least one: [{\"target\": "
                 "\"...\", \"before\": \"...\", \"after\": \"...\"}]");
    return block_list(&c->block, out.v, out.n, sizeof *out.v);
}

static void check_rule_keys(struct compiler *c, const struct cJSON *v, enum match_kind match) {
    static const char *const keys[] = {
        "id",         "title",      "why",          "severity",       "since",
        "match",      "templates",  "default",      "rows",           "examples",
        "references", "namespace",  "lint",         "without",        "with",
        "calls",      "receiver",   "together",     "host",           "where",
        "declared",   "scope",      "function_has", "function_lacks", "function_is",
        "file_has",   "file_lacks", "constant",     "once",           "sides",
        "shape",      "by_form",    "keywords",     "arguments",      "variables",
        "companions", "never",      "texts",        "imports",        "family_in",
        NULL};
    enum { OF_ANY, OF_TOKENS, OF_STRINGS } of = OF_ANY;
    check_keys(c, v, "a rule", keys);
    for (size_t i = 0; keys[i]; i++) {
        if (strcmp(keys[i], "where") == 0) of = OF_TOKENS;
        if (strcmp(keys[i], "shape") == 0) of = OF_STRINGS;
        if (of == OF_ANY) continue;
        bool of_tokens = of == OF_TOKENS;
        bool lanes = match == M_LANES && (of_tokens || str_is(str_of(keys[i]), "keywords"));
        bool of_file = match == M_TEXT && str_is(str_of(keys[i]), "family_in");
        enum match_kind wanted = of_tokens ? M_TOKENS : M_STRING;
        if (!lanes && !of_file && match != wanted && json_get(v, keys[i]))
            complain(c, json_get(v, keys[i]), "is for rules that match %s: remove it",
                     of_tokens ? "tokens" : "strings");
    }
}

static void add_hint(struct compiler *c, const struct cJSON *templates, struct str name,
                     struct str message) {
    struct str base = json_pointer(c->doc, templates);
    struct rule_error e = {c->doc->name, pointer_to(c->a, base, name), message};
    vec_push(c->a, c->hints, e);
}

static void report_useless_templates(struct compiler *c, const struct cell_context *x,
                                     const struct cJSON *v) {
    const struct template_cell *t = x->templates.v;
    for (size_t i = 0; i < x->templates.n; i++) {
        if (!t[i].used) add_hint(c, v, t[i].name, S("no cell uses this template: remove it"));
        for (size_t k = 0; k < i; k++)
            if (memcmp(&t[i].cell, &t[k].cell, sizeof t->cell) == 0)
                add_hint(c, v, t[i].name,
                         arena_printf(c->a, "says the same as the template %.*s: keep one of them",
                                      STR_ARG(t[k].name)));
    }
}

static void read_about(struct compiler *c, const struct cJSON *v, struct rrule *r) {
    static const char *const severities[] = {"note", "warning", "error", NULL};
    struct str id = text_member(c, v, "id", "the public name, domain/kebab-name");
    if (id.n) check_id(c, id, rs_str(block_view(&c->block), r->domain), json_get(v, "id"));
    r->id = block_str(&c->block, id);
    r->title = text_in_block(c, v, "title", "one line: what the rule is about");
    r->why = text_in_block(c, v, "why", "what goes wrong if it stays");
    r->severity = word_member(c, v, "severity", severities);
    r->since = text_in_block(c, v, "since", NULL);
    r->name_space = text_in_block(c, v, "namespace", NULL);
    r->examples = read_examples(c, v);
    r->references = read_references(c, v, &r->reference_rows);
}

/* {"keyword": "map_location", "position": 1} */
static void read_without(struct compiler *c, const struct cJSON *v, struct rrule *r) {
    static const char *const keys[] = {"keyword", "position", NULL};
    if (!v) return;
    if (r->match != M_NAME && r->match != M_KEYWORD)
        complain(c, v, "is for rules that match names or keywords: remove it");
    check_keys(c, v, "\"without\"", keys);
    r->without = block_str(&c->block, text_member(c, v, "keyword", NULL));
    const struct cJSON *position = json_get(v, "position");
    r->without_position = position ? number_of(c, position) : UINT32_MAX;
}

/* {"keyword": "device", "position": 0, "is": "^[0-9]+$"} */
static void read_with(struct compiler *c, const struct cJSON *v, struct rrule *r) {
    static const char *const keys[] = {"keyword", "position", "is", "setting", NULL};
    if (!v) return;
    if (r->match != M_NAME && r->match != M_ATTRIBUTE && r->match != M_KEYWORD)
        complain(c, v, "is for rules that match names, attributes or keywords: remove it");
    check_keys(c, v, "\"with\"", keys);
    const struct cJSON *position = json_get(v, "position");
    r->with_position = position ? number_of(c, position) : UINT32_MAX;
    r->with = block_str(&c->block, text_member(c, v, "keyword", NULL));
    r->with_setting = flag_member(c, v, "setting");
    r->with_is = read_pattern(c, v, "is");
    if (!r->with_is.n) complain(c, v, "needs \"is\": a PCRE2 pattern of the argument");
}

/* `domain` holds what all rules of a file have in common. */
static void read_rule(struct compiler *c, const struct cJSON *v, const struct rrule *domain) {
    static const char *const kinds[] = {"name",   "attribute", "keyword", "string",
                                        "module", "include",   "tokens",  "launch",
                                        "lanes",  "text",      NULL};
    if (!is_object(v)) {
        complain(c, v, "a rule is an object (rules/README.md)");
        return;
    }
    struct rrule r = *domain;
    r.match = word_member(c, v, "match", kinds);
    if (r.match == M_NAME && r.spoken == RL_CUDA) r.match = M_SYMBOL;
    check_rule_keys(c, v, (enum match_kind)r.match);
    read_about(c, v, &r);
    r.lint = flag_member(c, v, "lint");
    r.calls = flag_member(c, v, "calls");
    r.together = flag_member(c, v, "together");
    if (r.together && (r.match == M_TOKENS || r.match == M_SYMBOL || r.match == M_LANES))
        complain(c, json_get(v, "together"), "is for rules of Python and of texts");
    if (r.calls && r.match != M_MODULE && r.match != M_ATTRIBUTE)
        complain(c, json_get(v, "calls"), "is for rules that match modules or attributes");
    read_without(c, json_get(v, "without"), &r);
    read_with(c, json_get(v, "with"), &r);
    r.receiver = read_pattern(c, v, "receiver");
    if (r.receiver.n && r.match != M_ATTRIBUTE)
        complain(c, json_get(v, "receiver"), "is for rules that match attributes: remove it");
    if (r.match == M_STRING) read_string_rule(c, v, &r);
    if (r.match == M_TEXT) r.family_in = read_pattern(c, v, "family_in");
    if (r.match == M_TOKENS || r.match == M_LANES) read_token_rule(c, v, &r);
    if (r.match == M_LANES) r.keywords = texts_member(c, v, "keywords");

    struct cell_context x = {.match = (enum match_kind)r.match, .of_argument = r.with_is.n > 0};
    x.python = r.spoken == RL_PYTHON;
    const struct cJSON *templates = json_get(v, "templates");
    read_templates(c, &x, templates);
    r.defaults = read_cells(c, &x, json_get(v, "default"), NULL);
    r.defaults = with_columns(c, &x, arena_str(c->a, rs_str(block_view(&c->block), r.id)), S("*"),
                              r.defaults);
    r.rows = read_rows(c, &x, v, &r);
    if (c->hints && templates) report_useless_templates(c, &x, templates);
    struct place place = {c->doc->name, json_pointer(c->doc, v)};
    vec_push(c->a, &c->places, place);
    vec_push(c->a, &c->rules, r);
}

void read_domain(struct compiler *c, const struct cJSON *v) {
    static const char *const keys[] = {"$schema", "domain", "language", "title", "rules", NULL};
    static const char *const languages[] = {"python", "cuda", "project", NULL};
    check_keys(c, v, "a domain", keys);
    const struct cJSON *rules = json_get(v, "rules");
    struct str name = text_member(c, v, "domain", "what rule ids start with");
    if (name.n && !is_kebab_name(name))
        complain(c, json_get(v, "domain"), "must be a kebab-name: lower case, digits and hyphens");
    struct rrule domain = {.domain = block_str(&c->block, name)};
    uint32_t language = word_member(c, v, "language", languages);
    domain.spoken = language;
    domain.language = block_str(&c->block, str_of(languages[language]));
    domain.domain_title = text_in_block(c, v, "title", "one line: what the rules are about");
    if (!is_array(rules)) complain(c, rules ? rules : v, "\"rules\" must be an array of rules");
    json_each(rule, rules) read_rule(c, rule, &domain);
}
