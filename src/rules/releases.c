/* SPDX-License-Identifier: Apache-2.0 */
/* releases.c - which releases of a target's software have a name, and what a cell becomes where
 * one lacks it.
 *
 * rules/releases holds, for each name that a port can write, the releases in whose sources it was
 * found (tools/releases.py). Here the names that a cell writes are looked up once, when the rules
 * are compiled: a row remembers only the few cells that some release lacks. A name that no file
 * lists is not judged (tests/unit/test_releases.c says which those may be), but for targets that
 * say "listed": what is theirs by its name and was found nowhere is never written.
 *
 * A target that is loaded with --rules is asked about the rows of the other sets, too: those that
 * would write such a name get an answer of its own (columns.c). */
#include "rules/compiler.h"

#include <strings.h>

#include "rules/cell_names.h"
#include "rules/versions.h"

enum { MAX_RELEASES = 64 };

/* A copy that stays where it is while the block grows. */
static struct str kept(struct arena *a, struct str s) {
    return (struct str){arena_strdup(a, s), s.n};
}

/* ---- reading ---- */

static uint64_t all_of(size_t n) { return n < 64 ? ((uint64_t)1 << n) - 1 : UINT64_MAX; }

static size_t find_release(struct compiler *c, const struct rrelease *v, size_t n,
                           struct str version) {
    struct ruleset own = block_view(&c->block);
    for (size_t i = 0; i < n; i++)
        if (str_eq(rs_str(own, v[i].version), version)) return i;
    return n;
}

/* "2.7.1", "2.7.1..2.9.0", "2.9.0..": the releases of a range, both ends with it. */
static uint64_t read_range(struct compiler *c, const struct rrelease *v, size_t n,
                           const struct cJSON *at) {
    struct str text = text_of(c, at);
    size_t dots = str_find(text, S(".."), 0);
    struct str from = str_sub(text, 0, dots), to = str_sub(text, dots + 2, text.n);
    size_t first = find_release(c, v, n, from);
    size_t last = dots == text.n ? first : to.n ? find_release(c, v, n, to) : n - 1;
    if (first < n && last < n && first <= last) return all_of(last + 1) & ~all_of(first);
    complain(c, at,
             "is no range of the releases in \"list\": write \"2.6.0..2.9.0\" or \"2.9.0..\"");
    return 0;
}

typedef VEC(struct rrelease) release_list;

static uint64_t read_list(struct compiler *c, const struct cJSON *list, release_list *out) {
    static const char *const keys[] = {"version", "base", "ref", "commit", "current", NULL};
    uint64_t current = 0;
    json_each(v, list) {
        check_keys(c, v, "a release", keys);
        if (out->n == MAX_RELEASES) {
            complain(c, v, "is one release too many: at most %d are read", MAX_RELEASES);
            break;
        }
        if (flag_member(c, v, "current")) current |= (uint64_t)1 << out->n;
        struct rrelease r = {.version = text_in_block(c, v, "version", "the release's number"),
                             .base = text_in_block(c, v, "base", NULL),
                             .ref = text_in_block(c, v, "ref", NULL),
                             .commit = text_in_block(c, v, "commit", NULL)};
        vec_push(c->a, out, r);
    }
    if (!out->n) complain(c, list, "names no release");
    return current;
}

static int by_known_name(const void *x, const void *y, const void *compiler) {
    const struct ruleset own = block_view(&((const struct compiler *)compiler)->block);
    return str_cmp(rs_str(own, ((const struct rknown *)x)->name),
                   rs_str(own, ((const struct rknown *)y)->name));
}

typedef VEC(struct rknown) known_list;

static void read_known(struct compiler *c, const struct cJSON *names, const release_list *releases,
                       known_list *out) {
    static const char *const keys[] = {"in", "file", NULL};
    json_each(v, names) {
        check_keys(c, v, "a name", keys);
        const struct cJSON *in = json_get(v, "in");
        uint64_t have = in ? 0 : all_of(releases->n);
        json_each(range, in) have |= read_range(c, releases->v, releases->n, range);
        struct rknown k = {.name = block_str(&c->block, json_key(v)),
                           .file = text_in_block(c, v, "file", NULL),
                           .in = {(uint32_t)have, (uint32_t)(have >> 32)}};
        vec_push(c->a, out, k);
    }
    sort_stable(c->a, out->v, out->n, sizeof *out->v, by_known_name, c);
}

static struct rtarget *own_target(struct compiler *c, struct str name) {
    for (size_t i = 0; i < c->targets.n; i++)
        if (str_eq(rs_str(block_view(&c->block), c->targets.v[i].name), name))
            return &c->targets.v[i];
    return NULL;
}

static void keep_common(struct compiler *c, const release_list *releases,
                        const known_list *known) {
    for (size_t i = 0; i < releases->n; i++) vec_push(c->a, &c->common_releases, releases->v[i]);
    for (size_t i = 0; i < known->n; i++) {
        const struct rknown *k = &known->v[i];
        struct rcommon common = {kept(c->a, rs_str(block_view(&c->block), k->name)),
                                 k->in[0] | (uint64_t)k->in[1] << 32};
        vec_push(c->a, &c->common, common);
    }
}

static void give_releases(struct rtarget *t, const struct rtarget *of) {
    t->package = of->package;
    t->base = of->base;
    t->repository = of->repository;
    t->checked = of->checked;
    t->releases = of->releases;
    t->known = of->known;
    memcpy(t->current, of->current, sizeof t->current);
}

/* {"releases": ["TARGET"], "package": "...", "list": [...], "names": {...}}, or the same as the
 * member "releases" of a target's file, without the name of the target. */
void read_releases(struct compiler *c, const struct cJSON *root) {
    static const char *const keys[] = {"$schema", "releases",  "common",     "package", "base",
                                       "list",    "names",     "checked",    "folder",  "modules",
                                       "method",  "variables", "repository", "backend", NULL};
    release_list releases = {0};
    known_list known = {0};
    struct rtarget *mine = NULL;
    if (json_get(root, "target")) {
        mine = own_target(c, text_of(c, json_get(root, "target")));
        root = json_get(root, "releases");
    }
    check_keys(c, root, "a file of releases", keys);
    struct rtarget all = {.package = text_in_block(c, root, "package", "whose releases these are"),
                          .base =
                              text_in_block(c, root, "base", "what the package adds a device to")};
    if (json_get(root, "repository") && text_of(c, json_get(root, "repository")).n)
        all.repository = text_in_block(c, root, "repository", "where the releases were read");
    if (json_get(root, "checked"))
        all.checked = text_in_block(c, root, "checked", "when the releases were read");
    uint64_t current = read_list(c, json_get(root, "list"), &releases);
    if (!releases.n) return;
    read_known(c, json_get(root, "names"), &releases, &known);
    if (flag_member(c, root, "common")) keep_common(c, &releases, &known);
    all.releases = block_list(&c->block, releases.v, releases.n, sizeof *releases.v);
    all.known = block_list(&c->block, known.v, known.n, sizeof *known.v);
    all.current[0] = (uint32_t)current;
    all.current[1] = (uint32_t)(current >> 32);
    if (mine) give_releases(mine, &all);
    json_each(v, json_get(root, "releases")) {
        struct rtarget *t = own_target(c, text_of(c, v));
        if (t)
            give_releases(t, &all);
        else
            complain(c, v, "is no target of these files");
    }
}

/* ---- names of a cell ---- */

struct search {
    struct compiler *c;
    struct row_ref row;
    struct target_ref target;
    uint64_t in;     /* the releases that have all names so far */
    struct str name; /* the one that the fewest have */
    bool unlisted;   /* one of them was found nowhere */
};

/* A release of PyTorch that nobody read has what the ones before and after it have. */
static bool common_has(struct compiler *c, uint64_t in, struct str base) {
    struct ruleset own = block_view(&c->block);
    bool below = false, above = false, any_below = false, any_above = false;
    for (size_t i = 0; i < c->common_releases.n; i++) { /* the oldest first */
        int order = version_order(rs_str(own, c->common_releases.v[i].version), base);
        bool has = in >> i & 1;
        if (order == 0) return has;
        if (order < 0) below = has, any_below = true;
        if (order > 0 && !any_above) above = has, any_above = true;
    }
    return any_below && any_above ? below && above : any_below ? below : above;
}

static uint64_t common_in(const struct search *s, struct str name) {
    const struct rrelease *r = RS_LIST(s->target.set, s->target.target->releases, struct rrelease);
    uint64_t in = all_of(s->target.target->releases.n);
    for (size_t i = 0; i < s->c->common.n; i++) {
        if (!str_eq(s->c->common.v[i].name, name)) continue;
        for (uint32_t k = 0; k < s->target.target->releases.n; k++)
            if (!common_has(s->c, s->c->common.v[i].in, rs_str(s->target.set, r[k].base)))
                in &= ~((uint64_t)1 << k);
        break;
    }
    return in;
}

static int bits_in(uint64_t n) {
    int bits = 0;
    for (; n; n &= n - 1) bits++;
    return bits;
}

/* Whether the word stands in the name, in capitals or not. */
static bool has_word(struct str name, struct str word) {
    for (size_t at = 0; word.n > 1 && at + word.n <= name.n; at++)
        if (strncasecmp(name.p + at, word.p, word.n) == 0) return true;
    return false;
}

/* A dotted name, an attribute or a variable of the environment that can only be the vendor's. */
static bool is_vendors(struct target_ref t, struct str name) {
    static const char *const words[] = {"device", "import", "backend"};
    bool variable = name.n > 0;
    for (size_t i = 0; i < name.n; i++)
        variable &= name.p[i] == '_' || (name.p[i] >= 'A' && name.p[i] <= 'Z') ||
                    (name.p[i] >= '0' && name.p[i] <= '9');
    if (!variable && str_find(name, S("."), 0) == name.n) return false;
    if (variable && str_find(name, S("_"), 0) == name.n) return false;
    if (str_starts(name, S("cuda_morph_rt."))) return false;
    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (has_word(name, target_fact(t, words[i]))) return true;
    return false;
}

static void search_name(void *search, struct str name) {
    struct search *s = search;
    const struct rknown *k = target_known(s->target, name);
    uint64_t in = k ? k->in[0] | (uint64_t)k->in[1] << 32 : common_in(s, name);
    if (!k && s->target.target->listed && is_vendors(s->target, name)) {
        in = 0;
        s->unlisted = true;
    }
    if (in != all_of(s->target.target->releases.n) && (!s->name.p || bits_in(in) < bits_in(s->in)))
        s->name = kept(s->c->a, name);
    s->in &= in;
}

/* ---- limits ---- */

/* "2.9.0.post6 and newer", "2.7.1.post8, 2.9.0.post6 and newer", at most a few. */
static struct str in_words(struct search *s) {
    const struct rrelease *r = RS_LIST(s->target.set, s->target.target->releases, struct rrelease);
    uint32_t n = s->target.target->releases.n;
    struct buf b;
    buf_init(&b, s->c->a);
    for (uint32_t i = 0; i < n; i++) {
        if (!(s->in >> i & 1)) continue;
        bool rest = (s->in >> i) == (all_of(n) >> i) && i + 1 < n;
        uint32_t last = i;
        while (last + 1 < n && s->in >> (last + 1) & 1) last++;
        struct str from = rs_str(s->target.set, r[i].version);
        struct str to = rs_str(s->target.set, r[last].version);
        buf_printf(&b, "%s%.*s", b.n ? ", " : "", STR_ARG(from));
        if (rest) buf_addz(&b, " and newer");
        if (!rest && last > i) buf_printf(&b, " to %.*s", STR_ARG(to));
        i = last;
    }
    return buf_str(&b);
}

static struct rlist cell_instead(struct search *s) {
    struct str package = rs_str(s->target.set, s->target.target->package), note;
    if (s->in)
        note = arena_printf(s->c->a,
                            "of the releases of %.*s that are known, %.*s is in %.*s; with "
                            "--target-version %.*s=VERSION it is written where yours has it",
                            STR_ARG(package), STR_ARG(s->name), STR_ARG(in_words(s)),
                            STR_ARG(target_name(s->target)));
    else if (s->unlisted)
        note = arena_printf(s->c->a,
                            "%.*s was not looked for in %.*s, so it is not written unverified",
                            STR_ARG(s->name), STR_ARG(package));
    else
        note = arena_printf(s->c->a, "no release of %.*s has %.*s", STR_ARG(package),
                            STR_ARG(s->name));
    struct rcell cell = {.target = s->target.target->name,
                         .verdict = s->in || s->unlisted ? V_MANUAL : V_NONE,
                         .note = block_str(&s->c->block, note)};
    return block_list(&s->c->block, &cell, 1, sizeof cell);
}

typedef VEC(struct rlimit) limit_list;

/* Looks for all names that the cell writes; true: no release lacks one. */
static bool has_all(struct compiler *c, struct row_ref row, size_t target,
                    const struct rcell *cell, struct search *out) {
    uint64_t all = all_of(c->targets.v[target].releases.n);
    *out =
        (struct search){.c = c,
                        .row = row,
                        .target = {.set = block_view(&c->block), .target = &c->targets.v[target]},
                        .in = all};
    cell_names(c->a, row, out->target, cell, search_name, out);
    return out->in == all;
}

/* For `rules check`: the author of the file did not look for the name. */
static void note_unlisted(struct compiler *c, size_t target, const struct search *s) {
    struct unlisted name = {c->targets.v[target].name, s->name};
    vec_push(c->a, &c->unlisted, name);
}

/* The block grows, so views are taken anew. */
static void limit_cell(struct compiler *c, size_t row, size_t target, uint32_t at,
                       limit_list *out) {
    struct ruleset own = block_view(&c->block);
    const struct rcell *cell = rs_at(own, at);
    struct row_ref ref = {own, &c->rows.v[row], &c->rules.v[c->rows.v[row].rule]};
    struct search s;
    if (!cell_is_applied(cell) || has_all(c, ref, target, cell, &s)) return;
    if (s.unlisted && ref.rule->copied) note_unlisted(c, target, &s);
    struct rlimit limit = {.target = c->targets.v[target].name,
                           .name = block_str(&c->block, s.name),
                           .cell = at,
                           .in = {(uint32_t)s.in, (uint32_t)(s.in >> 32)}};
    s.target.set = block_view(&c->block);
    limit.otherwise = cell_instead(&s);
    vec_push(c->a, out, limit);
}

static void limit_row(struct compiler *c, size_t row) {
    const struct rrule *rule = &c->rules.v[c->rows.v[row].rule];
    const struct rlist lists[] = {c->rows.v[row].cells, rule->defaults};
    limit_list limits = {0};
    for (size_t t = 0; t < c->targets.n; t++) {
        struct str name = rs_str(block_view(&c->block), c->targets.v[t].name);
        if (!c->targets.v[t].releases.n) continue;
        for (size_t i = 0; i < ARRAY_LEN(lists); i++)
            for (uint32_t k = 0; k < lists[i].n; k++) {
                struct ruleset own = block_view(&c->block);
                uint32_t at = lists[i].at + k * (uint32_t)sizeof(struct rcell);
                struct str whose = rs_str(own, ((const struct rcell *)rs_at(own, at))->target);
                if (str_eq(whose, name) || str_is(whose, "*")) limit_cell(c, row, t, at, &limits);
            }
    }
    c->rows.v[row].limits = block_list(&c->block, limits.v, limits.n, sizeof *limits.v);
}

static bool is_adopted(struct compiler *c, struct row_ref row, struct rstr target) {
    for (size_t i = 0; i < c->adopted.n; i++) {
        struct rlist cells = c->adopted.v[i].cells;
        const struct rcell *cell = RS_LIST(block_view(&c->block), cells, struct rcell);
        if (c->adopted.v[i].row.row == row.row && cell->target.at == target.at) return true;
    }
    return false;
}

static void limit_known_row(struct compiler *c, struct row_ref row, size_t target) {
    struct target_ref t = {.set = block_view(&c->block), .target = &c->targets.v[target]};
    const struct rcell *cell = row_cell(row, t);
    struct search s;
    if (!cell || !cell_is_applied(cell) || has_all(c, row, target, cell, &s)) return;
    if (is_adopted(c, row, c->targets.v[target].name)) return;
    if (s.unlisted) note_unlisted(c, target, &s);
    struct adopted one = {row, cell_instead(&s), {S(""), S("")}};
    vec_push(c->a, &c->adopted, one);
}

/* Whether these sources hold the rule, too: then it is theirs that counts. */
static bool is_replaced(struct compiler *c, struct str id) {
    for (size_t i = 0; i < c->n_own_rules; i++)
        if (str_eq(rs_str(block_view(&c->block), c->rules.v[i].id), id)) return true;
    return false;
}

/* Rows of another set that would write what a target of this one lacks. */
static void limit_known(struct compiler *c, struct ruleset set, size_t target) {
    const struct rrow *rows = RS_LIST(set, set.h->rows, struct rrow);
    const struct rrule *rules = RS_LIST(set, set.h->rules, struct rrule);
    for (uint32_t k = 0; k < set.h->rules.n; k++) {
        bool python = rules[k].spoken == RL_PYTHON && !rules[k].copied;
        if (!python || is_replaced(c, rs_str(set, rules[k].id))) continue;
        for (uint32_t i = rules[k].rows.at; i < rules[k].rows.at + rules[k].rows.n; i++)
            limit_known_row(c, (struct row_ref){set, &rows[i], &rules[k]}, target);
    }
}

void limit_rows(struct compiler *c) {
    bool any = false;
    size_t first = c->adopted.n, n = c->rows.n;
    for (size_t t = 0; t < c->targets.n; t++) any |= c->targets.v[t].releases.n > 0;
    for (size_t i = 0; any && i < n; i++)
        if (c->rules.v[c->rows.v[i].rule].spoken == RL_PYTHON) limit_row(c, i);
    for (size_t t = 0; t < c->targets.n; t++)
        for (size_t k = 0; c->known && c->targets.v[t].releases.n && k < c->known->n; k++)
            limit_known(c, c->known->set[k], t);
    add_adopted(c, first);
}
