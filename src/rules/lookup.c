/* SPDX-License-Identifier: Apache-2.0 */
/* lookup.c - asks a compiled block: rows by name, a row's answer for a target and version, words,
 * anchors. Reads only; any number of threads may. */
#include "rules/versions.h"

const char *verdict_name(enum verdict v) {
    static const char *const names[] = {
        [V_UNSET] = "unset", [V_SAME] = "same",     [V_EXACT] = "exact", [V_SHIM] = "shim",
        [V_CLOSE] = "close", [V_MANUAL] = "manual", [V_NONE] = "none"};
    return (size_t)v < ARRAY_LEN(names) ? names[v] : names[V_UNSET];
}

bool ruleset_open(const void *block, size_t n, struct ruleset *out) {
    const struct rheader *h = block;
    if (!block || n < sizeof *h || (uintptr_t)block % 8 != 0) return false;
    if (h->magic != RULES_MAGIC || h->size != n) return false;
    *out = (struct ruleset){h};
    return true;
}

/* ---- rows ---- */

/* A cursor is the number of the set and how many slots of its table have been looked at. */
enum { STEP_BITS = 28 };

bool rules_find(const struct rules *r, enum match_kind kind, struct str key, size_t *cursor,
                struct row_ref *out) {
    size_t hash = (size_t)str_hash(key);
    size_t step = *cursor & (((size_t)1 << STEP_BITS) - 1);
    for (size_t i = *cursor >> STEP_BITS; i < r->n; i++, step = 0) {
        struct ruleset set = r->set[i];
        const uint32_t *slots = RS_LIST(set, set.h->index[kind], uint32_t);
        size_t mask = set.h->index[kind].n;
        if (mask-- == 0) continue;
        for (uint32_t entry; (entry = slots[(hash + step) & mask]) != 0;) {
            const struct rrow *row = RS_LIST(set, set.h->rows, struct rrow) + entry - 1;
            step++;
            if (!str_eq(rs_str(set, row->look_up), key)) continue;
            const struct rrule *rule = RS_LIST(set, set.h->rules, struct rrule) + row->rule;
            bool counts = !rule->lint || r->lint || (r->verify && rule->severity > SEV_NOTE);
            if (!counts) continue;
            *out = (struct row_ref){set, row, rule};
            *cursor = i << STEP_BITS | step;
            return true;
        }
    }
    *cursor = r->n << STEP_BITS;
    return false;
}

/* ---- versions ---- */

/* Without a version of the user's a condition counts where it holds in all releases that the text
 * is for; where none is known it never does. */
static bool condition_holds(struct target_ref target, struct str condition) {
    const struct rrelease *r = RS_LIST(target.set, target.target->releases, struct rrelease);
    uint64_t releases = target_releases(target);
    if (target.version.n) return version_holds(target.version, condition);
    for (uint32_t i = 0; i < target.target->releases.n; i++)
        if (releases >> i & 1 && !version_holds(rs_str(target.set, r[i].version), condition))
            return false;
    return releases != 0;
}

/* The row's limit of that cell on the target, where the text is for a release that lacks what the
 * cell writes; or NULL. */
static const struct rlimit *limit_of(struct row_ref row, const struct rcell *cell,
                                     struct target_ref target) {
    const struct rlimit *v = RS_LIST(row.set, row.row->limits, struct rlimit);
    uint32_t at = (uint32_t)((const char *)cell - (const char *)row.set.h);
    for (uint32_t i = 0; i < row.row->limits.n; i++)
        if (v[i].cell == at && str_eq(rs_str(row.set, v[i].target), target_name(target)) &&
            !rset_holds(v[i].in, target_releases(target)))
            return &v[i];
    return NULL;
}

/* The first of the cells under that name, the target's or "*", that counts. One that writes a name
 * which a release lacks gives way to the next, an older form; where there is none, the rule says
 * which name it is. */
static const struct rcell *cell_of(struct row_ref row, struct rlist cells, struct str name,
                                   struct target_ref target) {
    const struct rcell *c = RS_LIST(row.set, cells, struct rcell), *otherwise = NULL;
    for (size_t i = 0; i < cells.n; i++) {
        if (!str_eq(rs_str(row.set, c[i].target), name)) continue;
        if (c[i].sycl && !target.sycl) continue;
        if (c[i].version.n && !condition_holds(target, rs_str(row.set, c[i].version))) continue;
        const struct rlimit *limit = row.row->limits.n ? limit_of(row, &c[i], target) : NULL;
        if (!limit) return &c[i];
        if (!otherwise) otherwise = RS_LIST(row.set, limit->otherwise, struct rcell);
    }
    return otherwise;
}

/* The rewrite of the target that this one goes through. Its own, with its types, is for files that
 * go through nothing. */
static const struct rcell *cell_through(struct row_ref row, struct target_ref target) {
    struct str through = rs_str(target.set, target.target->through);
    if (!through.n || target.direct || !(row.row->host || target.kernels)) return NULL;
    if (str_starts(rs_str(row.set, row.rule->id), S("torch-"))) return NULL; /* its tensors stay */
    target.version = (struct str){0};
    const struct rcell *other = cell_of(row, row.row->cells, through, target);
    return other && other->verdict < V_MANUAL ? other : NULL;
}

/* Where the target's compiler takes CUDA C++ only its own file has answers: what differs there. */
static const struct rcell *cell_of_own(struct row_ref row, struct target_ref target) {
    static const struct rcell stays = {.verdict = V_SAME};
    const struct rcell *c = cell_of(row, row.row->cells, target_name(target), target);
    if (!c) c = cell_of(row, row.rule->defaults, target_name(target), target);
    return c ? c : &stays;
}

const struct rcell *row_cell(struct row_ref row, struct target_ref target) {
    if (row.rule->spoken == RL_CUDA && target.target->keep_cuda) return cell_of_own(row, target);
    const struct rcell *through = row.rule->spoken == RL_CUDA ? cell_through(row, target) : NULL;
    if (through) return through;
    const struct rlist lists[] = {row.row->cells, row.rule->defaults};
    bool is_like =
        target.target->like.n && !(target.target->like_python && row.rule->spoken == RL_CUDA);
    if (is_like) { /* what its own file says of the rule comes before what the other one says */
        const struct rcell *c = cell_of(row, lists[0], target_name(target), target);
        if (!c) c = cell_of(row, lists[1], target_name(target), target);
        if (c) return c;
    }
    struct str name = is_like ? rs_str(target.set, target.target->like) : target_name(target);
    for (size_t i = 0; i < ARRAY_LEN(lists); i++) {
        const struct rcell *c = cell_of(row, lists[i], name, target);
        if (!c && (!target.target->keep_names || row.rule->spoken != RL_PYTHON))
            c = cell_of(row, lists[i], S("*"), target);
        if (c) return c;
    }
    return NULL;
}

struct str row_unread(struct row_ref row, const struct rcell *cell, struct target_ref target) {
    if (cell &&
        (cell->verdict != V_SAME || str_eq(rs_str(row.set, cell->target), target_name(target))))
        return (struct str){0};
    return rs_str(target.set, row.rule->spoken == RL_CUDA ? target.target->unread_cuda
                                                          : target.target->unread);
}

bool cell_is_likened(struct row_ref row, const struct rcell *cell, struct target_ref target) {
    return target.target->like.n && (cell->verdict == V_EXACT || cell->verdict == V_SHIM) &&
           str_eq(rs_str(row.set, cell->target), rs_str(target.set, target.target->like));
}

bool row_is_method(struct row_ref row) {
    bool called = row.rule->calls;
    const struct rcell *c = RS_LIST(row.set, row.row->cells, struct rcell);
    for (size_t i = 0; i < row.row->cells.n; i++) {
        if (c[i].to.n || c[i].value.n) return false;
        called = called || c[i].call.n || c[i].statement.n;
    }
    return called;
}

/* ---- targets ---- */

static bool target_answers_to(struct ruleset set, const struct rtarget *t, struct str name) {
    if (str_eq(rs_str(set, t->name), name)) return true;
    const struct rstr *alias = RS_LIST(set, t->aliases, struct rstr);
    for (size_t i = 0; i < t->aliases.n; i++)
        if (str_eq(rs_str(set, alias[i]), name)) return true;
    return false;
}

bool rules_target(const struct rules *r, struct str name, struct target_ref *out) {
    for (size_t i = 0; i < r->n; i++) {
        const struct rtarget *t = RS_LIST(r->set[i], r->set[i].h->targets, struct rtarget);
        for (size_t k = 0; k < r->set[i].h->targets.n; k++) {
            if (!target_answers_to(r->set[i], &t[k], name)) continue;
            *out = (struct target_ref){.set = r->set[i], .target = &t[k]};
            return true;
        }
    }
    return false;
}

/* The targets that people call so as well, though it is no name or alias of theirs, one after the
 * other; *cursor starts at 0. */
static bool rules_also(const struct rules *r, struct str name, size_t *cursor,
                       struct target_ref *out) {
    size_t number = 0;
    for (size_t i = 0; i < r->n; i++) {
        const struct rtarget *t = RS_LIST(r->set[i], r->set[i].h->targets, struct rtarget);
        for (size_t k = 0; k < r->set[i].h->targets.n; k++, number++) {
            const struct rstr *also = RS_LIST(r->set[i], t[k].also, struct rstr);
            for (uint32_t m = 0; number >= *cursor && m < t[k].also.n; m++) {
                if (!str_eq(rs_str(r->set[i], also[m]), name)) continue;
                *out = (struct target_ref){.set = r->set[i], .target = &t[k]};
                *cursor = number + 1;
                return true;
            }
        }
    }
    return false;
}

struct str rules_namesakes(const struct rules *r, struct arena *a, struct str name) {
    struct target_ref t;
    struct buf b;
    buf_init(&b, a);
    for (size_t cursor = 0; rules_also(r, name, &cursor, &t);)
        buf_printf(&b, "%s--target %.*s is %.*s", b.n ? ", " : "", STR_ARG(target_name(t)),
                   STR_ARG(rs_str(t.set, t.target->title)));
    return buf_str(&b);
}

struct str target_fact(struct target_ref t, const char *key) {
    const struct rfact *f = RS_LIST(t.set, t.target->facts, struct rfact);
    for (size_t i = 0; i < t.target->facts.n; i++)
        if (str_is(rs_str(t.set, f[i].key), key)) return rs_str(t.set, f[i].value);
    return (struct str){0};
}

bool target_loops(struct target_ref t) { return str_is(target_fact(t, "kernels"), "loops"); }

bool target_writes_kernels(struct target_ref t) { return t.sycl || target_loops(t); }

/* ---- words ---- */

static struct rlist words_of(struct ruleset set, const char *list) {
    const struct rwords *w = RS_LIST(set, set.h->words, struct rwords);
    struct str name = str_of(list);
    uint32_t low = 0, high = set.h->words.n; /* they are in the order of their names */
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (str_cmp(rs_str(set, w[middle].name), name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < set.h->words.n && str_eq(rs_str(set, w[low].name), name);
    return found ? w[low].words : (struct rlist){0};
}

bool rules_lists(const struct rules *r, const char *list, struct str word) {
    for (size_t s = 0; word.p && s < r->n; s++) {
        struct rlist words = words_of(r->set[s], list);
        const struct rstr *v = RS_LIST(r->set[s], words, struct rstr);
        for (uint32_t i = 0; i < words.n; i++)
            if (str_like(word, rs_str(r->set[s], v[i]))) return true;
    }
    return false;
}

bool rules_word_row(const struct rules *r, const char *list, struct str word, struct str *rest) {
    for (size_t s = 0; word.n && s < r->n; s++) {
        struct rlist words = words_of(r->set[s], list);
        const struct rstr *v = RS_LIST(r->set[s], words, struct rstr);
        for (uint32_t i = 0; i < words.n; i++) {
            struct str row = rs_str(r->set[s], v[i]);
            if (row.n < word.n || row.p[0] != word.p[0] || memcmp(row.p, word.p, word.n) != 0)
                continue;
            if (row.n > word.n && row.p[word.n] != ' ') continue;
            *rest = str_sub(row, row.n > word.n ? word.n + 1 : row.n, row.n);
            return true;
        }
    }
    return false;
}

bool rules_next_word(const struct rules *r, const char *list, size_t *cursor, struct str *word) {
    size_t i = *cursor;
    for (size_t s = 0; s < r->n; s++) {
        struct rlist words = words_of(r->set[s], list);
        if (i < words.n) {
            *word = rs_str(r->set[s], RS_LIST(r->set[s], words, struct rstr)[i]);
            ++*cursor;
            return true;
        }
        i -= words.n;
    }
    return false;
}

/* ---- anchors ---- */

static const struct ranchor *set_anchor(struct ruleset set, const struct ranchors *h,
                                        struct str word) {
    uint64_t bit = (uint64_t)1 << (word.n < 63 ? word.n : 63);
    if (!(h->first_len[(unsigned char)word.p[0]] & bit)) return NULL;
    const uint32_t *slots = RS_LIST(set, h->index, uint32_t);
    const struct ranchor *anchors = RS_LIST(set, h->words, struct ranchor);
    size_t mask = h->index.n - 1;
    for (size_t i = (size_t)str_hash(word) & mask; slots[i]; i = (i + 1) & mask)
        if (str_eq(rs_str(set, anchors[slots[i] - 1].word), word)) return &anchors[slots[i] - 1];
    return NULL;
}

/* Whether the word says nothing about that target; of targets from other sets nothing is known. */
static bool is_quiet(struct ruleset set, const struct ranchor *anchor, struct target_ref target) {
    if (target.set.h != set.h) return false;
    size_t number = (size_t)(target.target - RS_LIST(set, set.h->targets, struct rtarget));
    return number < 32 && (anchor->quiet >> number & 1);
}

static int last_class(const struct rules *r) {
    return r->lint || r->stays ? ANCHORS_OF_CHECK : r->verify ? ANCHORS_OF_VERIFY : ANCHORS_OF_ALL;
}

/* target NULL: any. */
static bool is_anchor(const struct rules *r, enum rule_language language,
                      const struct target_ref *target, bool in_code, struct str word,
                      struct str *root) {
    bool found = false;
    if (word.n == 0) return false;
    for (size_t i = 0; i < r->n; i++)
        for (int class = 0; class <= last_class(r); class ++) {
            const struct ranchor *a =
                set_anchor(r->set[i], &r->set[i].h->anchors[language][class], word);
            if (!a || (in_code && a->in_texts)) continue;
            if (target && is_quiet(r->set[i], a, *target)) continue;
            struct str needed = rs_str(r->set[i], a->root);
            if (root) *root = found && !str_eq(*root, needed) ? S("") : needed;
            found = true;
        }
    return found;
}

bool rules_is_anchor(const struct rules *r, enum rule_language language, struct str word,
                     struct str *root) {
    return is_anchor(r, language, NULL, false, word, root);
}

bool rules_is_anchor_for(const struct rules *r, enum rule_language language,
                         struct target_ref target, struct str word, struct str *root) {
    return is_anchor(r, language, &target, true, word, root);
}

bool anchor_set_has(const struct anchor_set *s, bool in_code, struct str word, struct str *root) {
    return anchor_set_may_have(s, word) &&
           is_anchor(s->rules, s->language, &s->target, in_code, word, root);
}

void anchor_set_make(struct anchor_set *out, const struct rules *rules,
                     enum rule_language language, struct target_ref target) {
    *out = (struct anchor_set){.rules = rules, .language = language, .target = target};
    for (size_t i = 0; i < rules->n; i++)
        for (int class = 0; class <= last_class(rules); class ++) {
            struct ruleset set = rules->set[i];
            struct rlist words = set.h->anchors[language][class].words;
            const struct ranchor *a = RS_LIST(set, words, struct ranchor);
            for (uint32_t k = 0; k < words.n; k++) {
                struct str word = rs_str(set, a[k].word);
                if (is_quiet(set, &a[k], target)) continue;
                uint32_t edge = anchor_edge(word);
                out->first_len[(unsigned char)word.p[0]] |= (uint64_t)1
                                                            << (word.n < 63 ? word.n : 63);
                out->edges[edge / 64] |= (uint64_t)1 << edge % 64;
            }
        }
}
