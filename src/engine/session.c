/* SPDX-License-Identifier: Apache-2.0 */
/* session.c - rules, targets and grammars, loaded once and read-only from then on. */
#include "engine/engine.h"

#include <stdlib.h>

#include "rules/versions.h"

const struct TSLanguage *tree_sitter_python(void);
const struct TSLanguage *tree_sitter_cuda(void);

static bool add_rules(struct cm_session *s, struct arena *a, const struct rule_source *sources,
                      size_t n, struct str *error) {
    rule_errors errors = {0};
    struct rules built_in = {.n = 1};
    if (!ruleset_open(cm_rules_blob, cm_rules_blob_size, &built_in.set[0])) built_in.n = 0;
    struct str block = rules_compile(a, sources, n, &built_in, &errors);
    if (errors.n) {
        struct buf b;
        buf_init(&b, a);
        for (size_t i = 0; i < errors.n; i++)
            buf_printf(&b, "%s%.*s: %.*s%s%.*s", i ? "\n" : "", STR_ARG(errors.v[i].file),
                       STR_ARG(errors.v[i].pointer), errors.v[i].pointer.n ? ": " : "",
                       STR_ARG(errors.v[i].message));
        *error = buf_str(&b);
        return false;
    }
    if (s->rules.n + 1 >= MAX_RULESETS) {
        *error =
            arena_printf(a, "at most %d rule files or folders can be added", MAX_RULESETS - 1);
        return false;
    }
    return ruleset_open(block.p, block.n, &s->rules.set[s->rules.n++]);
}

static bool load_rules(struct cm_session *s, struct arena *a, const char *path,
                       struct str *error) {
    struct rule_source *sources;
    size_t n;
    return rules_read_sources(a, path, &sources, &n, error) && add_rules(s, a, sources, n, error);
}

static int target_order(const void *x, const void *y) {
    const struct rtarget *a = ((const struct cm_target *)x)->ref.target;
    const struct rtarget *b = ((const struct cm_target *)y)->ref.target;
    return (a->order > b->order) - (a->order < b->order);
}

static void list_targets(struct cm_session *s, struct arena *a) {
    size_t most = 0;
    for (size_t i = 0; i < s->rules.n; i++) most += s->rules.set[i].h->targets.n;
    s->targets = arena_zalloc(a, (most + 1) * sizeof *s->targets);
    for (size_t i = 0; i < s->rules.n; i++) {
        struct ruleset set = s->rules.set[i];
        const struct rtarget *t = RS_LIST(set, set.h->targets, struct rtarget);
        for (uint32_t k = 0; k < set.h->targets.n; k++) {
            bool known = false;
            for (size_t j = 0; j < s->n_targets; j++)
                known |= str_eq(target_name(s->targets[j].ref), rs_str(set, t[k].name));
            if (!known)
                s->targets[s->n_targets++].ref = (struct target_ref){.set = set, .target = &t[k]};
        }
    }
    qsort(s->targets, s->n_targets, sizeof *s->targets, target_order);
}

/* The releases of a target, for a message: "2.1.0.post10 to 2.12.0". */
static struct str range_of(struct arena *a, struct target_ref t) {
    const struct rrelease *r = RS_LIST(t.set, t.target->releases, struct rrelease);
    struct str first = rs_str(t.set, r[0].version);
    struct str last = rs_str(t.set, r[t.target->releases.n - 1].version);
    return str_eq(first, last) ? first
                               : arena_printf(a, "%.*s to %.*s", STR_ARG(first), STR_ARG(last));
}

/* Which of the releases that were read stand for one that was not. */
static struct str stand_ins(struct arena *a, struct target_ref t, struct str version, bool base) {
    const struct rrelease *r = RS_LIST(t.set, t.target->releases, struct rrelease);
    const struct rrelease *last = &r[t.target->releases.n - 1];
    for (uint32_t i = 0; i < t.target->releases.n; i++)
        if (version_order(rs_str(t.set, base ? r[i].base : r[i].version), version) >= 0)
            return S("the ones nearest to it");
    return arena_printf(a, "%.*s, the newest", STR_ARG(rs_str(t.set, last->version)));
}

/* What the user has to know of a version that no release has. */
static struct str note_of_release(struct arena *a, struct target_ref t, struct str version,
                                  bool base) {
    struct str package = rs_str(t.set, t.target->package), range = range_of(a, t);
    struct str which = arena_printf(a, "release %.*s of %.*s", STR_ARG(version), STR_ARG(package));
    if (base)
        which = arena_printf(a, "release of %.*s for %.*s %.*s", STR_ARG(package),
                             STR_ARG(rs_str(t.set, t.target->base)), STR_ARG(version));
    struct str used = t.releases ? stand_ins(a, t, version, base) : S("the current ones");
    return arena_printf(a, "no %.*s was read, %.*s %s: names are those of %.*s", STR_ARG(which),
                        STR_ARG(range), t.target->releases.n > 1 ? "were" : "was", STR_ARG(used));
}

static bool any_condition(struct ruleset set, struct rlist cells, struct str target) {
    const struct rcell *c = RS_LIST(set, cells, struct rcell);
    for (uint32_t i = 0; i < cells.n; i++)
        if (c[i].version.n && str_eq(rs_str(set, c[i].target), target)) return true;
    return false;
}

/* Whether some answer for the target says for which of its versions it is. */
static bool depends_on_version(const struct cm_session *s, struct target_ref t) {
    for (size_t i = 0; i < s->rules.n; i++) {
        struct ruleset set = s->rules.set[i];
        const struct rrow *row = RS_LIST(set, set.h->rows, struct rrow);
        const struct rrule *rule = RS_LIST(set, set.h->rules, struct rrule);
        for (uint32_t k = 0; k < set.h->rows.n; k++)
            if (any_condition(set, row[k].cells, target_name(t))) return true;
        for (uint32_t k = 0; k < set.h->rules.n; k++)
            if (any_condition(set, rule[k].defaults, target_name(t))) return true;
    }
    return false;
}

/* A target without a list of releases: "versions_read" has the oldest and the newest version whose
 * names somebody read. */
static struct str note_of_version(const struct cm_session *s, struct arena *a,
                                  struct target_ref *t, struct str version) {
    struct str title = rs_str(t->set, t->target->title), read = target_fact(*t, "versions_read");
    if (!depends_on_version(s, *t)) {
        t->version = (struct str){0}; /* nor does it say anything of the target that it is like */
        return arena_printf(a,
                            "no answer for %.*s depends on its version: %.*s=%.*s changes nothing",
                            STR_ARG(title), STR_ARG(target_name(*t)), STR_ARG(version));
    }
    size_t blank = str_find(read, S(" "), 0);
    struct str ends[] = {str_sub(read, 0, blank), str_sub(read, blank + 1, read.n)};
    for (int newest = 0; newest < 2 && blank < read.n; newest++) {
        int order = version_order(version, ends[newest]);
        if (newest ? order <= 0 : order >= 0 || str_starts(ends[newest], version)) continue;
        return arena_printf(a,
                            "%.*s %.*s is %s than %.*s, the %s whose names were read: "
                            "names are those of %.*s",
                            STR_ARG(title), STR_ARG(version), newest ? "newer" : "older",
                            STR_ARG(ends[newest]), newest ? "newest" : "oldest",
                            STR_ARG(ends[newest]));
    }
    return (struct str){0};
}

static bool set_version(const struct cm_session *s, struct arena *a, struct cm_target *target,
                        struct str version, bool base, struct str *error) {
    struct target_ref *t = &target->ref;
    t->version = version;
    if (!t->target->releases.n) {
        target->note = note_of_version(s, a, t, version);
        return true;
    }
    bool exact;
    t->releases = target_releases_of(*t, version, base, &exact);
    if (exact) t->version = (struct str){0};
    if (!exact) target->note = note_of_release(a, *t, version, base);
    if (t->releases || base) return true;
    *error = arena_printf(a, "there is no release %.*s of %.*s: known are %.*s", STR_ARG(version),
                          STR_ARG(rs_str(t->set, t->target->package)), STR_ARG(range_of(a, *t)));
    return false;
}

static bool has_base(const struct cm_session *s, struct str name) {
    for (size_t i = 0; i < s->n_targets; i++) {
        struct target_ref t = s->targets[i].ref;
        if (t.target->base.n && str_eq(rs_str(t.set, t.target->base), name)) return true;
    }
    return false;
}

/* torch=2.6: whatever goes with that PyTorch. A target's own version goes before. */
static bool set_base(struct cm_session *s, struct arena *a, struct str base, struct str version,
                     struct str *error) {
    bool any = false;
    for (size_t i = 0; i < s->n_targets; i++) {
        struct target_ref *t = &s->targets[i].ref;
        if (!str_eq(rs_str(t->set, t->target->base), base) || t->version.n || t->releases)
            continue;
        if (!set_version(s, a, &s->targets[i], version, true, error)) return false;
        if (!t->releases) t->version = (struct str){0};
        any |= t->releases != 0;
    }
    if (!any)
        *error =
            arena_printf(a, "no target is known for %.*s %.*s", STR_ARG(base), STR_ARG(version));
    return any;
}

/* rocm=6.4 */
static bool set_versions(struct cm_session *s, struct arena *a, const struct cm_options *options,
                         struct str *error) {
    for (int bases = 0; bases <= 1; bases++)
        for (size_t i = 0; i < options->n_target_versions; i++) {
            struct str text = str_of(options->target_versions[i]);
            size_t equal = str_find(text, S("="), 0);
            struct str name = str_sub(text, 0, equal), version = str_sub(text, equal + 1, text.n);
            bool is_base = has_base(s, name);
            struct cm_target *t = (struct cm_target *)cm_session_target(s, name);
            struct str number = str_sub(version, str_starts(version, S("v")), version.n);
            bool is_number = number.n && number.p[0] >= '0' && number.p[0] <= '9';
            if (!is_number || (!is_base && !t)) {
                *error = arena_printf(a, "\"%.*s\" is no version of a target: write %.*s=6.4",
                                      STR_ARG(text), STR_ARG(target_name(s->targets[0].ref)));
                return false;
            }
            if (is_base != bases) continue;
            if (!(bases ? set_base(s, a, name, version, error)
                        : set_version(s, a, t, version, false, error)))
                return false;
        }
    return true;
}

static uint64_t hash_of(const struct cm_session *s) {
    uint64_t hash = port_options_hash(&s->options);
    for (size_t i = 0; i < s->rules.n; i++) hash = hash * 31 + s->rules.set[i].h->content_hash;
    for (size_t i = 0; i < s->n_targets; i++)
        hash = (hash * 31 + str_hash(s->targets[i].ref.version)) * 31 +
               target_releases(s->targets[i].ref);
    return hash;
}

struct cm_session *cm_session_new(struct arena *a, const struct cm_options *options,
                                  struct str *error) {
    struct cm_session *s = NEW(a, struct cm_session);
    for (size_t i = 0; i < options->n_rule_paths; i++)
        if (!load_rules(s, a, options->rule_paths[i], error)) return NULL;
    struct rule_source more = {options->rules_name, options->rules_text};
    if (more.text.n && !add_rules(s, a, &more, 1, error)) return NULL;
    if (!ruleset_open(cm_rules_blob, cm_rules_blob_size, &s->rules.set[s->rules.n++])) {
        *error = S("the built-in rules are damaged: rebuild cuda-morph");
        return NULL;
    }
    if (!grammar_init(&s->python, a, tree_sitter_python(), &py_kind_table, error)) return NULL;
    if (!grammar_init(&s->cuda, a, tree_sitter_cuda(), &cu_kind_table, error)) return NULL;
    s->cuda.errors_alone = true;
    s->options = options->port;
    s->rules.lint = s->options.lint;
    s->rules.verify = s->options.verify;
    list_targets(s, a);
    if (!set_versions(s, a, options, error)) return NULL;
    for (size_t i = 0; i < s->n_targets; i++) {
        struct target_ref *t = &s->targets[i].ref;
        t->sycl = s->options.sycl_kernels && target_fact(*t, "sycl_kernels").n;
        t->kernels = s->options.host_kernels || t->sycl;
        t->direct = s->options.vendor_calls && t->target->through.n;
    }
    s->hash = hash_of(s);
    for (size_t i = 0; i < s->n_targets; i++)
        anchor_set_make(&s->targets[i].anchors, &s->rules, RL_PYTHON, s->targets[i].ref);
    return s;
}

const struct cm_target *cm_session_target(const struct cm_session *s, struct str name) {
    struct target_ref t;
    if (!rules_target(&s->rules, name, &t)) return NULL;
    for (size_t i = 0; i < s->n_targets; i++)
        if (str_eq(target_name(s->targets[i].ref), target_name(t))) return &s->targets[i];
    return NULL;
}

size_t cm_session_n_targets(const struct cm_session *s) { return s->n_targets; }
const struct cm_target *cm_session_target_at(const struct cm_session *s, size_t i) {
    return &s->targets[i];
}
struct str cm_target_name(const struct cm_target *t) {
    return target_name(t->ref);
}

bool cm_target_loops(const struct cm_target *t) { return target_loops(t->ref); }
struct str cm_target_title(const struct cm_target *t) {
    return rs_str(t->ref.set, t->ref.target->title);
}
struct str cm_target_family(const struct cm_target *t) {
    return rs_str(t->ref.set, t->ref.target->family);
}

struct str cm_target_note(const struct cm_target *t) {
    return t->note;
}

struct str cm_session_also(const struct cm_session *s, struct arena *a, struct str name) {
    return rules_namesakes(&s->rules, a, name);
}

struct str cm_target_fact(const struct cm_target *t, const char *key) {
    return target_fact(t->ref, key);
}

struct str cm_target_helper(const struct cm_target *t, struct arena *a, struct str *name) {
    struct str prelude = rs_str(t->ref.set, t->ref.target->prelude);
    *name = cm_target_fact(t, "prelude_module");
    return arena_printf(a,
                        PY_ADDED ": the ported files of this package share it.\n"
                                 "import " PY_TORCH "\n\n\n%.*s\n",
                        STR_ARG(prelude));
}

bool cm_session_lists(const struct cm_session *s, const char *list, struct str word) {
    return rules_lists(&s->rules, list, word);
}

bool cm_session_knows_header(const struct cm_session *s, struct str header) {
    struct row_ref row;
    return cu_is_official_header(&s->rules, header) || cu_find_folder_row(&s->rules, header, &row);
}
uint64_t cm_session_hash(const struct cm_session *s) { return s->hash; }

struct str cm_session_nearest_target(const struct cm_session *s, struct str name) {
    struct str best = {0};
    size_t nearest = name.n > 4 ? 3 : 2; /* further than that is another word */
    for (size_t i = 0; i < s->n_targets; i++) {
        struct target_ref t = s->targets[i].ref;
        const struct rstr *alias = RS_LIST(t.set, t.target->aliases, struct rstr);
        for (uint32_t k = 0; k <= t.target->aliases.n; k++) {
            struct str known = k < t.target->aliases.n ? rs_str(t.set, alias[k]) : target_name(t);
            size_t distance = str_distance(name, known);
            if (distance < nearest) {
                nearest = distance;
                best = known;
            }
        }
    }
    return best;
}
