/* SPDX-License-Identifier: Apache-2.0 */
/* definitions.c - where the names of a file get their values: functions and their calls,
 * constants, variables, what PTX writes. Scopes are functions, no finer: a name that means two
 * things in one function has both values, and values.c takes the first that says something. */
#include "lanes/lanes.h"

static bool matches_word(const struct lanes *l, const char *key, struct str text) {
    const struct rfact *where = RS_LIST(l->words.set, l->words.rule->where, struct rfact);
    for (size_t k = 0; k < l->words.rule->where.n; k++)
        if (str_is(rs_str(l->words.set, where[k].key), key))
            return regex_match(l->f->regex, &where[k], rs_str(l->words.set, where[k].value), text);
    return false;
}

/* The same words are asked for again and again. */
bool lanes_word(struct lanes *l, const char *key, struct str text) {
    enum { SLOTS = 1024 };
    if (!l->answers) l->answers = arena_zalloc(l->f->a, SLOTS * sizeof *l->answers);
    uint64_t hash = str_hash(text) ^ ((uintptr_t)key * 0x9e3779b97f4a7c15 >> 20);
    struct lane_answer *at = &l->answers[hash % SLOTS];
    if (at->key == key && at->rule == l->words.rule && str_eq(at->text, text)) return at->yes;
    *at = (struct lane_answer){key, l->words.rule, text, matches_word(l, key, text)};
    return at->yes;
}

/* ---- functions ---- */

static void add_function(struct lanes *l, struct byte_range r) {
    const struct cu *f = l->f;
    for (uint32_t i = r.start + 1; i < r.end && !cu_is(f, i, "{"); i++) {
        if (!cu_is(f, i, "(") || f->tokens.v[i].partner == NO_NODE) continue;
        if (cu_is_word(f, i - 1) && !rules_lists(f->rules, "cuda.attributes", cu_text(f, i - 1))) {
            struct lane_function fn = {.name = i - 1, .open = i, .close = f->tokens.v[i].partner};
            for (fn.body = fn.close; fn.body < r.end && !cu_is(f, fn.body, "{");) fn.body++;
            fn.end = r.end;
            vec_push(f->a, &l->functions, fn);
            return;
        }
        i = f->tokens.v[i].partner;
    }
}

uint32_t lanes_function_of(const struct lanes *l, uint32_t token) {
    if (l->f->tokens.v[token].directive) return NO_NODE;
    size_t low = 0, high = l->functions.n;
    while (low < high) {
        size_t mid = (low + high) / 2;
        if (l->functions.v[mid].end <= token)
            low = mid + 1;
        else
            high = mid;
    }
    return low < l->functions.n && l->functions.v[low].name <= token ? (uint32_t)low : NO_NODE;
}

uint32_t lanes_function_named(const struct lanes *l, struct str name) {
    uint32_t i = l->names[str_hash(name) & (l->n_names - 1)];
    for (; i; i = l->functions.v[i - 1].next)
        if (str_eq(cu_text(l->f, l->functions.v[i - 1].name), name)) return i - 1;
    return NO_NODE;
}

/* Functions by name, and where each is called: those of one name share the first one's calls. */
static void index_functions(struct lanes *l) {
    struct cu *f = l->f;
    l->n_names = 16;
    while (l->n_names < l->functions.n) l->n_names *= 2;
    l->names = arena_zalloc(f->a, l->n_names * sizeof *l->names);
    for (uint32_t i = (uint32_t)l->functions.n; i-- > 0;) {
        struct str name = cu_text(f, l->functions.v[i].name);
        uint32_t *bucket = &l->names[str_hash(name) & (l->n_names - 1)];
        l->functions.v[i].next = *bucket;
        *bucket = i + 1;
    }
    for (uint32_t i = (uint32_t)f->tokens.n; i-- > 0;) {
        if (!cu_is_word(f, i) || (!cu_is(f, i + 1, "(") && !cu_is(f, i + 1, "<"))) continue;
        uint32_t k = lanes_function_named(l, cu_text(f, i));
        if (k == NO_NODE) continue;
        struct lane_call call = {i, l->functions.v[k].calls};
        vec_push(f->a, &l->calls, call);
        l->functions.v[k].calls = (uint32_t)l->calls.n;
    }
}

/* ---- definitions ---- */

static void define(struct lanes *l, struct definition_of d) {
    d.name = cu_text(l->f, d.token);
    vec_push(l->f->a, &l->definitions, d);
}

uint32_t lanes_value_end(const struct cu *f, uint32_t i) {
    uint32_t directive = i < f->tokens.n ? f->tokens.v[i].directive : 0;
    while (i < f->tokens.n && f->tokens.v[i].directive == directive) {
        uint32_t partner = f->tokens.v[i].partner;
        if (cu_is(f, i, ";") || cu_is(f, i, ",")) break;
        if (partner != NO_NODE && partner < i) break; /* closes what holds the value */
        i = partner != NO_NODE ? partner + 1 : i + 1;
    }
    return i;
}

/* Whether the declaration of the name at a token says that it stays what it is. */
static bool is_fixed(const struct cu *f, uint32_t i) {
    enum { FAR = 12 };
    for (uint32_t p = i, n = 0; p > 0 && n < FAR; p--, n++) {
        if (cu_is(f, p - 1, "const") || cu_is(f, p - 1, "constexpr")) return true;
        if (f->tokens.v[p - 1].kind == CU_NUMBER || cu_is(f, p - 1, ",") ||
            cu_is(f, p - 1, "=")) /* const int a = 1, b = 2 */
            continue;
        if (!cu_is_word(f, p - 1) && !cu_is(f, p - 1, "::")) return false;
        if (f->tokens.v[p - 1].directive != f->tokens.v[i].directive) return false;
    }
    return false;
}

static bool is_in_enum(const struct cu *f, uint32_t i) {
    enum { FAR = 200 };
    for (uint32_t p = i, n = 0; p > 0 && n < FAR; p--, n++) {
        if (cu_is(f, p - 1, ";") || cu_is(f, p - 1, "}") || cu_is(f, p - 1, ")")) return false;
        if (cu_is(f, p - 1, "enum")) return true;
    }
    return false;
}

bool lanes_is_type_word(const struct cu *f, uint32_t i) {
    return cu_is_word(f, i) && rules_lists(f->rules, "cuda.type_words", cu_text(f, i));
}

/* `T name(value);` and `T name{value};` */
static void define_directly(struct lanes *l, uint32_t i, uint32_t scope) {
    const struct cu *f = l->f;
    uint32_t close = f->tokens.v[i + 1].partner;
    if (close == NO_NODE || close < i || i == 0 || close == i + 2) return;
    bool ends = cu_is(f, close + 1, ";") || cu_is(f, close + 1, ",");
    if (!ends || !lanes_is_type_word(f, i - 1)) return;
    struct definition_of d = {.token = i, .first = i + 2, .last = close, .scope = scope};
    d.fixed = is_fixed(f, i);
    d.declares = true;
    define(l, d);
}

/* Whether `*` at a token begins a statement: *p = v; */
static bool is_target(const struct cu *f, uint32_t i) {
    return cu_is(f, i, "*") && i > 0 &&
           (cu_is(f, i - 1, ";") || cu_is(f, i - 1, "{") || cu_is(f, i - 1, "}") ||
            cu_is(f, i - 1, ")") || cu_is(f, i - 1, ":") || cu_is(f, i - 1, "else"));
}

/* The name that `=` at a token gives a value to, or NO_NODE. */
static uint32_t assigned(const struct cu *f, uint32_t equals, bool *element) {
    uint32_t i = equals - 1;
    *element = cu_is(f, i, "]");
    while (i > 0 && cu_is(f, i, "]") && f->tokens.v[i].partner != NO_NODE)
        i = f->tokens.v[i].partner - 1;
    *element |= i > 0 && is_target(f, i - 1);
    return cu_is_word(f, i) ? i : NO_NODE;
}

/* What makes a mask, of parts: other operators make no value that is looked at. */
static bool is_assignment(const struct cu *f, uint32_t i) {
    return cu_is(f, i, "=") || cu_is(f, i, "&=") || cu_is(f, i, "|=");
}

bool lanes_is_member(struct str name) {
    return name.n > 1 && (str_ends(name, S("_")) || str_starts(name, S("m_")));
}

static void define_assigned(struct lanes *l, uint32_t i, uint32_t scope, uint32_t limit) {
    const struct cu *f = l->f;
    struct definition_of d = {.first = i + 1, .scope = scope};
    d.token = i ? assigned(f, i, &d.element) : NO_NODE;
    if (d.token == NO_NODE) return;
    bool member = d.token > 0 && (cu_is(f, d.token - 1, ".") || cu_is(f, d.token - 1, "->"));
    if (member || lanes_is_member(cu_text(f, d.token))) d.scope = MEMBERS;
    d.last = lanes_value_end(f, i + 1);
    if (i < limit && d.last > limit) d.last = limit;
    d.fixed = cu_is(f, i, "=") && !member && !d.element &&
              (is_fixed(f, d.token) || is_in_enum(f, d.token));
    d.declares = d.fixed || (d.token > 0 && cu_is_word(f, d.token - 1)) ||
                 (d.token > 0 && (cu_is(f, d.token - 1, "*") || cu_is(f, d.token - 1, "&")));
    if (d.last > d.first) define(l, d);
}

/* The > that ends the parameters of the template at token i, or NO_NODE. */
static uint32_t parameters_end(const struct cu *f, uint32_t i) {
    enum { FAR = 300 };
    int depth = 0;
    for (uint32_t t = i + 1; t < f->tokens.n && t < i + FAR; t++) {
        depth += cu_is(f, t, "<");
        if (cu_is(f, t, ">") && --depth == 0) return t;
        if (cu_is(f, t, "(") && f->tokens.v[t].partner != NO_NODE) t = f->tokens.v[t].partner;
        if (depth == 0 || cu_is(f, t, ";")) break;
    }
    return NO_NODE;
}

static void define_macros(struct lanes *l) {
    const struct cu *f = l->f;
    for (size_t k = 0; k < f->directives.n; k++) {
        const struct cu_directive *d = &f->directives.v[k];
        uint32_t name = d->first + 2;
        if (d->kind != CD_DEFINE || name + 1 >= d->last || !cu_is_word(f, name)) continue;
        bool takes =
            cu_is(f, name + 1, "(") && f->tokens.v[name].end == f->tokens.v[name + 1].start;
        if (takes) continue;
        struct definition_of m = {
            .token = name, .first = name + 1, .last = d->last, .scope = NO_NODE};
        m.fixed = m.macro = m.declares = true;
        define(l, m);
    }
}

static void define_parameters(struct lanes *l, uint32_t scope) {
    const struct cu *f = l->f;
    const struct lane_function *fn = &l->functions.v[scope];
    struct cu_call call = {0};
    cu_split(f, fn->open + 1, fn->close, &call);
    for (size_t k = 0; k < call.arguments.n; k++) {
        uint32_t first = call.arguments.v[k].first, end = first;
        while (end < call.arguments.v[k].last && !cu_is(f, end, "=") && !cu_is(f, end, "[")) end++;
        if (end < first + 2 || !cu_is_word(f, end - 1)) continue;
        struct definition_of d = {.token = end - 1, .first = end, .last = end, .scope = scope};
        d.declares = true;
        define(l, d);
    }
}

/* What PTX puts into a variable: asm("mov.u32 %0, %laneid;" : "=r"(lane)). */
static void define_by_asm(struct lanes *l, uint32_t i, uint32_t scope) {
    const struct cu *f = l->f;
    uint32_t open = i + 1;
    while (cu_is_word(f, open)) open++;
    if (!cu_is(f, open, "(") || f->tokens.v[open].partner == NO_NODE) return;
    struct str text = cu_text(f, open + 1);
    enum value_kind m = lanes_word(l, "ptx_lane", text)   ? LV_LANE
                        : lanes_word(l, "ptx_warp", text) ? LV_WARP
                        : lanes_word(l, "ptx_mask", text) ? LV_MASK
                                                          : LV_NONE;
    for (uint32_t t = open + 2; m && t < f->tokens.v[open].partner; t++) {
        if (!cu_is(f, t, "(") || !cu_is_word(f, t + 1)) continue;
        struct definition_of d = {.token = t + 1, .first = t, .last = t, .scope = scope};
        d.state = 2;
        d.value.m = m;
        d.value.constant = NO_NODE;
        define(l, d);
        break;
    }
}

static size_t bucket_of(const struct lanes *l, struct str name, uint32_t scope) {
    return (str_hash(name) + scope * (uint64_t)0x9e3779b97f4a7c15) & (l->n_buckets - 1);
}

static void index_definitions(struct lanes *l) {
    l->n_buckets = 64;
    while (l->n_buckets < l->definitions.n) l->n_buckets *= 2;
    l->buckets = arena_zalloc(l->f->a, l->n_buckets * sizeof *l->buckets);
    l->valued = arena_zalloc(l->f->a, (l->f->tokens.n + 1) * sizeof *l->valued);
    for (uint32_t i = (uint32_t)l->definitions.n; i-- > 0;) {
        struct definition_of *d = &l->definitions.v[i];
        if (d->last == d->first + 1) l->valued[d->first] = i + 1;
        uint32_t *bucket = &l->buckets[bucket_of(l, d->name, d->scope)];
        d->next = *bucket;
        *bucket = i + 1;
    }
}

void lanes_read(struct lanes *l) {
    struct cu *f = l->f;
    const struct byte_range *r;
    size_t n = cu_functions(f, &r);
    for (size_t i = 0; i < n; i++) add_function(l, r[i]);
    index_functions(l);
    define_macros(l);
    for (uint32_t i = 0; i < l->functions.n; i++) define_parameters(l, i);
    uint32_t template_end = 0;
    for (uint32_t i = 0; i + 1 < f->tokens.n; i++) {
        if (f->tokens.v[i].directive) continue;
        if (cu_is(f, i, "template") && cu_is(f, i + 1, "<")) {
            uint32_t end = parameters_end(f, i);
            template_end = end == NO_NODE ? 0 : end;
        }
        bool asm_word = cu_is(f, i, "asm") || cu_is(f, i, "__asm__") || cu_is(f, i, "__asm");
        if (is_assignment(f, i))
            define_assigned(l, i, lanes_function_of(l, i), template_end);
        else if (asm_word)
            define_by_asm(l, i, lanes_function_of(l, i));
        else if (cu_is_word(f, i) && (cu_is(f, i + 1, "(") || cu_is(f, i + 1, "{")))
            define_directly(l, i, lanes_function_of(l, i));
    }
    index_definitions(l);
}

uint32_t lanes_definition(const struct lanes *l, struct str name, uint32_t scope, uint32_t after) {
    uint32_t i =
        after == NO_NODE ? l->buckets[bucket_of(l, name, scope)] : l->definitions.v[after].next;
    for (; i; i = l->definitions.v[i - 1].next)
        if (l->definitions.v[i - 1].scope == scope && str_eq(l->definitions.v[i - 1].name, name))
            return i - 1;
    return NO_NODE;
}

uint32_t lanes_valued(const struct lanes *l, uint32_t token) { return l->valued[token] - 1; }

/* The only definition of a name in a scope, if it stays what it is. */
static uint32_t constant_in(const struct lanes *l, struct str name, uint32_t scope, bool *others) {
    uint32_t found = NO_NODE;
    for (uint32_t i = NO_NODE; (i = lanes_definition(l, name, scope, i)) != NO_NODE;) {
        *others |= !l->definitions.v[i].fixed;
        if (found == NO_NODE) found = i;
    }
    return found;
}

uint32_t lanes_constant(struct lanes *l, uint32_t token) {
    uint32_t scope = lanes_function_of(l, token), found = NO_NODE;
    struct str name = cu_text(l->f, token);
    bool others = false;
    if (scope != NO_NODE) found = constant_in(l, name, scope, &others);
    if (found == NO_NODE) found = constant_in(l, name, NO_NODE, &others);
    return others ? NO_NODE : found;
}

/* ---- what was found ---- */

bool lanes_row(const struct lanes *l, const char *key, struct row_ref *row) {
    size_t cursor = 0;
    return rules_find(l->f->rules, M_LANES, str_of(key), &cursor, row);
}

bool lanes_rule_word(struct lanes *l, const char *key, const char *word, struct str text) {
    struct row_ref row, vocabulary = l->words;
    if (!lanes_row(l, key, &row)) return false;
    l->words = row;
    bool yes = lanes_word(l, word, text);
    l->words = vocabulary;
    return yes;
}

bool lanes_is_width_name(struct lanes *l, struct str name) {
    return lanes_rule_word(l, "constant", "name", name) ||
           lanes_rule_word(l, "constant", "log", name) ||
           lanes_rule_word(l, "constant", "mask", name);
}

uint32_t lanes_parameter(const struct lanes *l, const struct definition_of *d) {
    const struct lane_function *fn = &l->functions.v[d->scope];
    struct cu_call call = {0};
    cu_split(l->f, fn->open + 1, fn->close, &call);
    for (uint32_t k = 0; k < call.arguments.n; k++)
        if (d->token >= call.arguments.v[k].first && d->token < call.arguments.v[k].last) return k;
    return UINT32_MAX;
}

void lanes_event(struct lanes *l, const char *key, uint32_t first, uint32_t last) {
    if (cu_region_at(l->f, l->f->tokens.v[first].start)) return;
    struct lane_event e = {key, first, last};
    vec_push(l->f->a, &l->events, e);
}

void lanes_use_as_width(struct lanes *l, uint32_t definition) {
    if (lanes_is_width_name(l, l->definitions.v[definition].name))
        return; /* told where it is made */
    for (size_t i = 0; i < l->widths.n; i++)
        if (l->widths.v[i] == definition) return;
    vec_push(l->f->a, &l->widths, definition);
}
