/* SPDX-License-Identifier: Apache-2.0 */
/* versions.c - versions that the vendors say go together.
 *
 * A table says what was tested, not what fails: the nearest row is shown with what differs from
 * it. */
#include "diag/versions.h"

#include <stdlib.h>
#include <strings.h>

#include "diag/embed.h"

/* ---- comparing ---- */

static struct str public_part(struct str v) {
    if (v.n && (v.p[0] == 'v' || v.p[0] == 'V')) v = str_sub(v, 1, v.n);
    return str_sub(v, 0, str_find(v, S("+"), 0));
}

static struct str local_part(struct str v) {
    size_t plus = str_find(v, S("+"), 0);
    return plus < v.n ? str_sub(v, plus + 1, v.n) : S("");
}

static struct str next_part(struct str v, size_t *at) {
    size_t end = str_find(v, S("."), *at);
    struct str part = str_sub(v, *at, end);
    *at = end + 1;
    return part;
}

static bool same_part(struct str x, struct str y) {
    return x.n == y.n && strncasecmp(x.p, y.p, x.n) == 0;
}

static bool is_post(struct str part) { return part.n > 4 && strncasecmp(part.p, "post", 4) == 0; }

static struct str without_post(struct str v, struct str *post) {
    *post = S("");
    for (size_t at = 0; at < v.n;) {
        size_t start = at;
        struct str part = next_part(v, &at);
        if (!is_post(part) || start == 0) continue;
        *post = part;
        return str_sub(v, 0, start - 1);
    }
    return v;
}

int version_match(struct str x, struct str y) {
    struct str post_x, post_y;
    struct str a = without_post(public_part(x), &post_x),
               b = without_post(public_part(y), &post_y);
    for (size_t i = 0, k = 0; i < a.n && k < b.n;)
        if (!same_part(next_part(a, &i), next_part(b, &k))) return 0;
    if (a.n == 0 || b.n == 0) return 0;
    return same_part(post_x, post_y) ? 2 : 1;
}

static long part_number(struct str part) {
    long n = 0;
    for (size_t i = 0; i < part.n && part.p[i] >= '0' && part.p[i] <= '9' && n < 100000000; i++)
        n = n * 10 + (part.p[i] - '0');
    return n;
}

int version_compare(struct str x, struct str y) {
    struct str a = public_part(x), b = public_part(y);
    for (size_t i = 0, k = 0; i < a.n || k < b.n;) {
        long m = i < a.n ? part_number(next_part(a, &i)) : 0;
        long n = k < b.n ? part_number(next_part(b, &k)) : 0;
        if (m != n) return m < n ? -1 : 1;
    }
    return 0;
}

/* ---- one table ---- */

struct checker {
    struct data d;
    const version_set *set;
    version_findings *out;
    bool is_loose;
};

static struct str given(const struct checker *c, struct str key) {
    for (size_t i = 0; i < c->set->n; i++)
        if (str_eq(c->set->v[i].key, key)) return c->set->v[i].value;
    return (struct str){NULL, 0};
}

static void report(struct checker *c, enum level level, struct str text, const struct cJSON *row) {
    struct version_finding f = {level, text, row ? data_source(&c->d, row) : S("")};
    if (row && json_take_bool(&c->d.j, row, "unverified", false)) {
        if (level == LEVEL_ERROR) f.level = LEVEL_WARNING;
        f.source = arena_printf(c->d.a, "unverified; %.*s", STR_ARG(f.source));
    }
    vec_push(c->d.a, c->out, f);
}

/* How well a value fits a row's member, which may be a list. */
static int fits(struct checker *c, const struct cJSON *member, struct str value) {
    int best = 0;
    if (json_type(member) == JSON_STRING) return version_match(value, json_str(&c->d.j, member));
    json_each(v, member) {
        int m = version_match(value, json_str(&c->d.j, v));
        if (m > best) best = m;
    }
    return best;
}

static bool is_in_table(struct checker *c, const struct cJSON *rows, const struct version *v,
                        bool *has_key) {
    *has_key = false;
    const char *key = arena_strdup(c->d.a, v->key);
    json_each(row, rows) {
        const struct cJSON *member = json_get(row, key);
        if (!member) continue;
        *has_key = true;
        if (fits(c, member, v->value)) return true;
    }
    return false;
}

/* The sum of how well the values fit; -1 where one does not. *fitting: the sum in any case. */
static int score(struct checker *c, const struct cJSON *row, const version_set *set,
                 int *fitting) {
    int sum = 0;
    *fitting = 0;
    for (size_t i = 0; i < set->n; i++) {
        const struct cJSON *m = json_get(row, arena_strdup(c->d.a, set->v[i].key));
        int fit = m ? fits(c, m, set->v[i].value) : 1;
        *fitting += 2 * (fit > 0) * (int)set->n + fit;
        sum = fit && sum >= 0 ? sum + fit : -1;
    }
    return sum;
}

static struct str describe(struct checker *c, const struct cJSON *row) {
    struct buf b;
    buf_init(&b, c->d.a);
    json_each(m, row) {
        struct str key = json_key(m);
        if (str_is(key, "source") || str_is(key, "note") || str_is(key, "unverified")) continue;
        buf_printf(&b, "%s%.*s ", b.n ? ", " : "", STR_ARG(key));
        if (json_type(m) == JSON_STRING) buf_add(&b, json_str(&c->d.j, m));
        size_t n = 0;
        json_each(v, m) {
            if (n++) buf_addz(&b, "/");
            buf_add(&b, json_str(&c->d.j, v));
        }
    }
    return arena_str(c->d.a, buf_str(&b));
}

static struct str describe_set(struct checker *c, const version_set *set) {
    struct buf b;
    buf_init(&b, c->d.a);
    for (size_t i = 0; i < set->n; i++)
        buf_printf(&b, "%s%.*s %.*s", i ? ", " : "", STR_ARG(set->v[i].key),
                   STR_ARG(set->v[i].value));
    return buf_str(&b);
}

static void report_match(struct checker *c, const struct cJSON *row, const version_set *set,
                         int best) {
    struct str what = describe_set(c, set), table = describe(c, row);
    struct str note = data_take(&c->d, row, "note");
    report(c, LEVEL_OK, arena_printf(c->d.a, "%.*s go together", STR_ARG(what)), row);
    if ((size_t)best < 2 * set->n)
        report(c, LEVEL_NOTE, arena_printf(c->d.a, "the table's set is %.*s", STR_ARG(table)),
               row);
    if (note.n)
        report(c, LEVEL_NOTE,
               arena_printf(c->d.a, "the vendor says of this set: %.*s", STR_ARG(note)), row);
}

/* Whether another rule judges this key, so that the rows need not know its newest values. */
static bool has_same_rule(struct checker *c, struct str key) {
    json_each(rule, json_get(c->d.root, "same")) json_each(k, json_get(rule, "keys")) {
        if (str_eq(json_str(&c->d.j, k), key)) return true;
    }
    return false;
}

static void check_rows(struct checker *c, const struct cJSON *rows) {
    version_set known = {0};
    for (size_t i = 0; i < c->set->n; i++) {
        bool has_key, found = is_in_table(c, rows, &c->set->v[i], &has_key);
        if (found) vec_push(c->d.a, &known, c->set->v[i]);
        if (found || !has_key || has_same_rule(c, c->set->v[i].key)) continue;
        struct str text = arena_printf(c->d.a, "the table does not know %.*s %.*s",
                                       STR_ARG(c->set->v[i].key), STR_ARG(c->set->v[i].value));
        report(c, LEVEL_WARNING, text, json_first(rows));
    }
    if (known.n < 2) return;
    const struct cJSON *best = NULL, *nearest = NULL;
    int best_score = -1;
    int nearest_fitting = 0;
    json_each(row, rows) {
        int fitting;
        int s = score(c, row, &known, &fitting);
        if (s > best_score) best = row, best_score = s;
        if (fitting > nearest_fitting) nearest = row, nearest_fitting = fitting;
    }
    if (best) {
        report_match(c, best, &known, best_score);
        return;
    }
    struct str what = describe_set(c, &known), near = describe(c, nearest);
    struct str text = arena_printf(c->d.a, "%.*s do not go together; the nearest set is %.*s",
                                   STR_ARG(what), STR_ARG(near));
    report(c, c->is_loose ? LEVEL_WARNING : LEVEL_ERROR, text, nearest);
}

static void check_same(struct checker *c, const struct cJSON *rule) {
    str_vec keys = data_list(&c->d, rule, "keys");
    int64_t parts = json_need_int(&c->d.j, rule, "parts");
    struct str meaning = data_need(&c->d, rule, "meaning"), from = data_take(&c->d, rule, "from");
    if (keys.n != 2) return;
    struct str x = public_part(given(c, keys.v[0])), y = public_part(given(c, keys.v[1]));
    if (x.n == 0 || y.n == 0 || (from.n && version_compare(y, from) < 0)) return;
    size_t i = 0, k = 0;
    bool same = true;
    for (int64_t n = 0; n < parts && i < x.n && k < y.n; n++)
        same = part_number(next_part(x, &i)) == part_number(next_part(y, &k)) && same;
    struct str both = arena_printf(c->d.a, "%.*s %.*s and %.*s %.*s", STR_ARG(keys.v[0]),
                                   STR_ARG(x), STR_ARG(keys.v[1]), STR_ARG(y));
    if (same)
        report(c, LEVEL_OK, arena_printf(c->d.a, "%.*s go together", STR_ARG(both)), rule);
    else
        report(c, LEVEL_ERROR, arena_printf(c->d.a, "%.*s: %.*s", STR_ARG(both), STR_ARG(meaning)),
               rule);
}

/* A local version that the rule does not name may be a packager's own. */
static bool is_other_build(struct checker *c, const struct cJSON *rule, struct str local) {
    str_vec others = data_list(&c->d, rule, "others");
    bool known = false;
    for (size_t i = 0; i < others.n; i++) known |= str_starts(local, others.v[i]);
    return known;
}

static void check_build(struct checker *c, const struct cJSON *rule) {
    struct str key = data_need(&c->d, rule, "key"), meaning = data_need(&c->d, rule, "meaning");
    struct str like = data_take(&c->d, rule, "like"), unlike = data_take(&c->d, rule, "unlike");
    struct str value = given(c, key), local = local_part(value);
    if (value.n == 0) return;
    struct str text =
        arena_printf(c->d.a, "%.*s %.*s: %.*s", STR_ARG(key), STR_ARG(value), STR_ARG(meaning));
    if (like.n && !str_starts(local, like))
        report(c, is_other_build(c, rule, local) ? LEVEL_ERROR : LEVEL_WARNING, text, rule);
    if (unlike.n && str_starts(local, unlike)) report(c, LEVEL_ERROR, text, rule);
}

static void check_minimum(struct checker *c, const struct cJSON *rule) {
    struct str key = data_need(&c->d, rule, "key"), meaning = data_need(&c->d, rule, "meaning");
    struct str least = data_need(&c->d, rule, "version"), value = given(c, key);
    struct str unless = data_take(&c->d, rule, "unless");
    if (value.n == 0 || version_compare(value, least) >= 0) return;
    if (unless.n && given(c, unless).n) return;
    report(c, LEVEL_ERROR,
           arena_printf(c->d.a, "%.*s %.*s is older than %.*s: %.*s", STR_ARG(key), STR_ARG(value),
                        STR_ARG(least), STR_ARG(meaning)),
           rule);
}

bool versions_check(struct arena *a, struct str target, const version_set *set,
                    version_findings *out, struct str *error) {
    static const char *const keys[] = {"target",  "sources", "builds", "same",
                                       "minimum", "loose",   "rows",   NULL};
    struct checker c = {.set = set, .out = out};
    struct str path = arena_printf(a, "rules/versions/%.*s.json", STR_ARG(target));
    const struct embedded *e = embed_find(path);
    *error = S("");
    if (!e) return true;
    if (data_open(&c.d, a, path, embed_text(e), NULL)) {
        json_only_keys(&c.d.j, c.d.root, keys);
        c.is_loose = json_take_bool(&c.d.j, c.d.root, "loose", false);
        json_each(r, json_take(&c.d.j, c.d.root, "minimum", JSON_ARRAY)) check_minimum(&c, r);
        json_each(r, json_take(&c.d.j, c.d.root, "builds", JSON_ARRAY)) check_build(&c, r);
        json_each(r, json_take(&c.d.j, c.d.root, "same", JSON_ARRAY)) check_same(&c, r);
        check_rows(&c, json_need(&c.d.j, c.d.root, "rows", JSON_ARRAY));
        json_each(r, json_get(c.d.root, "rows")) data_source(&c.d, r);
    }
    *error = data_close(&c.d);
    return error->n == 0;
}

static bool names_key(struct data *d, struct str key) {
    const char *z = arena_strdup(d->a, key);
    json_each(r, json_get(d->root, "rows")) if (json_get(r, z)) return true;
    json_each(r, json_get(d->root, "same")) json_each(k, json_get(r, "keys")) {
        if (str_eq(json_str(&d->j, k), key)) return true;
    }
    return false;
}

struct str versions_target(struct arena *a, const version_set *set) {
    const struct embedded *e = NULL;
    while ((e = embed_next(e, S("rules/versions/"))) != NULL) {
        struct data d;
        struct str target = S("");
        if (!str_ends(str_of(e->path), S(".json"))) continue;
        if (data_open(&d, a, str_of(e->path), embed_text(e), NULL))
            for (size_t i = 0; i < set->n && target.n == 0; i++)
                if (!str_is(set->v[i].key, "torch") && !str_is(set->v[i].key, "python") &&
                    names_key(&d, set->v[i].key))
                    target = data_need(&d, d.root, "target");
        data_close(&d);
        if (target.n) return target;
    }
    return S("");
}
