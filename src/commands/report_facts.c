/* SPDX-License-Identifier: Apache-2.0 */
/* report_facts.c - what a report says besides its figures: which project, which revision, when,
 * how long the rest may take, and what an earlier report said. */
#include "base/file.h"
#include "base/json.h"
#include "commands/report.h"
#include "diag/embed.h"

#include <limits.h>
#include <stdlib.h>
#include <time.h>

enum { MAX_GIT_FILE = 1 << 22, MAX_REPORT = 1 << 24 };

/* ---- project, revision, date ---- */

static struct str first_line(struct str s) {
    size_t end = str_find(s, S("\n"), 0);
    while (end && (s.p[end - 1] == '\r' || s.p[end - 1] == ' ')) end--;
    return str_sub(s, 0, end);
}

static struct str read_small(struct arena *a, struct str directory, struct str name) {
    struct str text, error, path = arena_printf(a, "%.*s/%.*s", STR_ARG(directory), STR_ARG(name));
    return file_read(a, path.p, MAX_GIT_FILE, &text, NULL, &error) ? text : S("");
}

/* What packed-refs says of a ref: "HASH NAME" on a line. */
static struct str packed(struct str refs, struct str name) {
    for (size_t at = 0, end; at < refs.n; at = end + 1) {
        end = str_find(refs, S("\n"), at);
        struct str line = str_sub(refs, at, end);
        size_t blank = str_find(line, S(" "), 0);
        if (str_eq(str_sub(line, blank + 1, line.n), name)) return str_sub(line, 0, blank);
    }
    return S("");
}

/* Without git: HEAD, the ref that it names, packed-refs. */
static struct str revision_of(struct arena *a, struct str root) {
    struct str git = arena_printf(a, "%.*s/.git", STR_ARG(root));
    struct str link = first_line(read_small(a, root, S(".git"))), common = git;
    if (str_starts(link, S("gitdir: "))) { /* a linked worktree */
        git = str_sub(link, 8, link.n);
        if (git.n && git.p[0] != '/')
            git = arena_printf(a, "%.*s/%.*s", STR_ARG(root), STR_ARG(git));
        struct str up = first_line(read_small(a, git, S("commondir")));
        common = up.n ? arena_printf(a, "%.*s/%.*s", STR_ARG(git), STR_ARG(up)) : git;
    }
    struct str head = first_line(read_small(a, git, S("HEAD")));
    if (!str_starts(head, S("ref: "))) return head;
    struct str name = str_sub(head, 5, head.n);
    struct str hash = first_line(read_small(a, common, name));
    return hash.n ? hash : packed(read_small(a, common, S("packed-refs")), name);
}

/* Where the operand belongs to. */
static struct str root_of(struct arena *a, const struct project *place, const char *operand) {
    char real[PATH_MAX];
    if (!operand || !realpath(operand, real)) return place->root;
    struct str path = arena_str(a, str_of(real)), root = project_repository(a, path);
    if (str_eq(path, place->root) || path_below(place->root, path).p) return place->root;
    return root.p ? root : path;
}

void report_facts(struct report *r, struct arena *a, const struct project *place,
                  const char *operand) {
    struct str root = root_of(a, place, operand);
    char date[16];
    struct tm tm;
    const char *fixed = getenv("SOURCE_DATE_EPOCH"); /* for who wants the same bytes again */
    time_t now = fixed ? (time_t)strtoll(fixed, NULL, 10) : time(NULL);
    size_t slash = root.n;
    while (slash && root.p[slash - 1] != '/') slash--;
    r->place = place;
    r->project = str_sub(root, slash, root.n);
    r->revision = revision_of(a, root);
    r->date = S("");
    if (gmtime_r(&now, &tm) && strftime(date, sizeof date, "%Y-%m-%d", &tm))
        r->date = arena_str(a, str_of(date));
}

/* ---- effort ---- */

struct effort_class {
    struct str rules[32];
    size_t n;
    int64_t first[2], more[2]; /* minutes: of the first place of a kind, of each other one */
};

struct effort {
    struct effort_class v[8];
    size_t n;
};

static void read_minutes(struct json *j, const struct cJSON *v, const char *key, int64_t out[2]) {
    const struct cJSON *pair = json_need(j, v, key, JSON_ARRAY);
    size_t i = 0;
    for (const struct cJSON *e = json_first(pair); e && i < 2; e = json_next(e))
        out[i++] = json_int(j, e);
}

void report_read_effort(struct report *r, struct arena *a) {
    struct json j;
    struct str name = S("rules/data/effort.json");
    struct effort *effort = NEW(a, struct effort);
    r->effort = effort;
    r->basis = S("");
    if (json_parse(&j, a, name, embed_text(embed_find(name)))) {
        r->basis = arena_str(a, json_need_str(&j, j.root, "basis"));
        const struct cJSON *classes = json_need(&j, j.root, "classes", JSON_ARRAY);
        for (const struct cJSON *v = json_first(classes); v; v = json_next(v)) {
            if (effort->n == ARRAY_LEN(effort->v)) break;
            struct effort_class *c = &effort->v[effort->n++];
            const struct cJSON *rules = json_need(&j, v, "rules", JSON_ARRAY);
            for (const struct cJSON *e = json_first(rules); e; e = json_next(e))
                if (c->n < ARRAY_LEN(c->rules)) c->rules[c->n++] = arena_str(a, json_str(&j, e));
            read_minutes(&j, v, "first", c->first);
            read_minutes(&j, v, "more", c->more);
        }
    }
    json_free(&j);
}

static const struct effort_class *class_of(const struct effort *effort, struct str rule) {
    for (size_t i = 0; i < effort->n; i++)
        for (size_t k = 0; k < effort->v[i].n; k++)
            if (str_like(rule, effort->v[i].rules[k])) return &effort->v[i];
    return NULL;
}

void report_effort(const struct report *r, const struct survey *s, size_t minutes[2]) {
    minutes[0] = minutes[1] = 0;
    for (size_t i = 0; i < s->n_work; i++) {
        const struct effort_class *c = class_of(r->effort, s->work[i].first->rule);
        for (int k = 0; c && k < 2; k++)
            minutes[k] += (size_t)c->first[k] + (s->work[i].times - 1) * (size_t)c->more[k];
    }
}

/* ---- an earlier report ---- */

static void read_counts(struct json *j, const struct cJSON *counts, size_t *out) {
    for (size_t i = 0; i < CM_OUTCOMES; i++) {
        const struct cJSON *v = json_get(counts, cm_outcome_name((enum cm_outcome)i));
        out[i] = v ? (size_t)json_int(j, v) : 0; /* an older release had fewer outcomes */
    }
}

bool report_read_before(struct report *r, struct arena *a, const char *path, struct str *error) {
    struct json j;
    struct str text;
    struct report_before *before = arena_zalloc(a, (r->n + 1) * sizeof *before);
    if (!file_read(a, path, MAX_REPORT, &text, NULL, error)) return false;
    if (json_parse(&j, a, str_of(path), text)) {
        const struct cJSON *targets = json_need(&j, j.root, "targets", JSON_ARRAY);
        const struct cJSON *date = json_get(j.root, "date"),
                           *revision = json_get(j.root, "revision");
        for (const struct cJSON *v = json_first(targets); v; v = json_next(v)) {
            struct str name = json_need_str(&j, v, "target");
            for (size_t i = 0; i < r->n; i++) {
                if (!str_eq(name, cm_target_name(r->surveys[i].target))) continue;
                before[i].is_there = true;
                before[i].date = date ? arena_str(a, json_str(&j, date)) : S("");
                before[i].revision = revision ? arena_str(a, json_str(&j, revision)) : S("");
                read_counts(&j, json_need(&j, v, "counts", JSON_OBJECT), before[i].counts);
            }
        }
    }
    *error = j.error.n
                 ? arena_printf(a, "%.*s; --before takes a report --format json", STR_ARG(j.error))
                 : S("");
    json_free(&j);
    r->before = before;
    return error->n == 0;
}

/* ---- in a sentence ---- */

struct str report_verdict(struct arena *a, const struct survey *s) {
    size_t manual = s->counts[CM_MANUAL], verify = s->counts[CM_VERIFY];
    struct str rest = verify ? arena_printf(a, ", and %zu to verify", verify) : S("");
    if (!survey_total(s->counts)) return S("no CUDA found");
    if (!manual) return arena_printf(a, "port leaves nothing for a hand%.*s", STR_ARG(rest));
    return arena_printf(a, "should run after %zu manual place%s%.*s", manual,
                        manual == 1 ? "" : "s", STR_ARG(rest));
}
