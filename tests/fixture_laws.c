/* SPDX-License-Identifier: Apache-2.0 */
/* fixture_laws.c - one case, ported to each of its targets, against the laws. */
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "cuda/cu.h"
#include "edit/diff.h"
#include "engine/engine.h"
#include "fixture.h"

enum { MAX_CUTS = 400, CUT_STEP = 7, PADDING = 64, MAX_DIFF_LINES = 40 };

/* One file of a case on its way to one target. */
struct port {
    const struct suite *suite;
    struct fixture *f;
    struct fixture_file *file;
    size_t index; /* of the file */
    const struct cm_session *session;
    const struct cm_target *target;
    struct str name; /* of the target */
    struct cm_project_facts *facts;
    struct cm_workspace *const *workspace;
    struct cu_reader headers;
};

/* A tree's files are read as the command line reads them from the disk. */
static bool read_header(void *fixture, struct arena *a, struct str path, struct str *text) {
    const struct fixture *f = fixture;
    (void)a;
    for (size_t i = 0; i < f->files.n; i++)
        if (str_eq(f->files.v[i].name, path)) {
            *text = f->files.v[i].bytes;
            return true;
        }
    return false;
}

#define FAIL(p, fmt, ...)                                                                         \
    fixture_fail((p)->f, (p)->name, "%.*s: " fmt, STR_ARG((p)->file->name), __VA_ARGS__)

static struct str padded(struct arena *a, struct str s) {
    char *p = arena_zalloc(a, s.n + PADDING);
    if (s.n) memcpy(p, s.p, s.n);
    return (struct str){p, s.n};
}

static struct cm_input input_of(const struct port *p, struct str bytes) {
    return (struct cm_input){.name = p->file->name,
                             .bytes = bytes,
                             .language = p->file->language,
                             .target = p->target,
                             .facts = p->facts,
                             .headers = &p->headers};
}

static void port(const struct port *p, size_t workspace, struct str bytes, enum cm_dump dump,
                 struct cm_result *out) {
    struct cm_input in = input_of(p, bytes);
    in.dump = dump;
    cm_run_buffer(p->session, p->workspace[workspace], &in, out);
}

static struct str rule_of(const struct cm_finding *f) {
    return f->rule.n ? f->rule : S(UNKNOWN_RULE);
}

/* ---- law 1: the findings are the annotated ones ---- */

static bool is_at(const struct expectation *e, const struct cm_finding *f) {
    return e->cell == f->cell && e->line == f->line && str_eq(e->rule, rule_of(f));
}

/* Rules for check only say nothing about a target on which all is well. */
static bool may_say_nothing(const struct port *p, struct str rule) {
    for (size_t i = 0; i < p->session->rules.n; i++) {
        struct ruleset set = p->session->rules.set[i];
        const struct rrule *r = RS_LIST(set, set.h->rules, struct rrule);
        for (uint32_t k = 0; k < set.h->rules.n; k++)
            if (str_eq(rs_str(set, r[k].id), rule)) return r[k].lint;
    }
    return false;
}

/* Holds the expectations of that kind (OK and TODO as one) against the findings not yet taken. */
static void check_expected(const struct port *p, const struct cm_result *r, bool wanted,
                           bool *taken) {
    for (size_t i = 0; i < p->file->expected.n; i++) {
        struct expectation *e = &p->file->expected.v[i];
        if ((e->kind == WANT || e->kind == MORE) != wanted) continue;
        size_t k = 0;
        while (k < r->n_findings && (taken[k] || !is_at(e, &r->findings[k]))) k++;
        bool is_found = k < r->n_findings;
        taken[k] = is_found;
        e->is_found |= is_found;
        if (is_found == wanted || e->kind == MORE || (wanted && may_say_nothing(p, e->rule)))
            continue;
        FAIL(p, "%u: %.*s is %s", e->line, STR_ARG(e->rule),
             e->kind == WANT   ? "not found"
             : e->kind == TODO ? "found now: make the `todo` a `want`"
                               : "found in a near miss");
    }
}

static void law_annotations(const struct port *p, const struct cm_result *r) {
    bool *taken = arena_zalloc(p->f->a, r->n_findings + 1);
    check_expected(p, r, true, taken);
    check_expected(p, r, false, taken);
    for (size_t k = 0; k < r->n_findings; k++)
        if (!taken[k])
            FAIL(p, "%u: %.*s (`%.*s`) is found and no annotation wants it", r->findings[k].line,
                 STR_ARG(rule_of(&r->findings[k])), STR_ARG(r->findings[k].token));
}

static bool says(const struct cm_note *note, struct str part) {
    return str_find(note->message, part, 0) < note->message.n;
}

static void law_notes(const struct port *p, const struct cm_result *r) {
    const strings *parts = &p->f->notes;
    for (size_t k = 0; k < r->n_notes; k++) {
        bool is_wanted = false;
        for (size_t i = 0; i < parts->n; i++) is_wanted |= says(&r->notes[k], parts->v[i]);
        if (!is_wanted) FAIL(p, "a note nobody wants: %.*s", STR_ARG(r->notes[k].message));
    }
    for (size_t i = 0; i < parts->n && !p->f->is_tree; i++) {
        bool is_there = false;
        for (size_t k = 0; k < r->n_notes; k++) is_there |= says(&r->notes[k], parts->v[i]);
        if (!is_there) FAIL(p, "no note says '%.*s'", STR_ARG(parts->v[i]));
    }
}

/* ---- law 2: goldens, byte for byte ---- */

struct str fixture_difference(struct arena *a, struct str want, struct str got) {
    struct buf diff, out;
    buf_init(&diff, a);
    buf_init(&out, a);
    diff_unified(&diff, S("golden"), want, got, false);
    struct str text = buf_str(&diff);
    for (size_t at = 0, line = 0; at < text.n && line < MAX_DIFF_LINES; line++) {
        size_t end = str_find(text, S("\n"), at);
        if (line >= 2) { /* the names of both sides say nothing here */
            buf_addz(&out, "\n    ");
            buf_add_visible(&out, str_sub(text, at, end));
        }
        at = end + 1;
    }
    return buf_str(&out);
}

static void check_golden(const struct port *p, struct str path, struct str got,
                         bool is_new_wanted) {
    struct str want = {0}, error = {0};
    bool is_there = access(path.p, F_OK) == 0;
    bool ok = !is_there || file_read(p->f->a, path.p, SIZE_MAX, &want, NULL, &error);
    bool is_same = is_there && ok && str_eq(want, got);
    if (ok && !is_same && (is_there ? p->suite->update : is_new_wanted))
        ok = file_make_parents(p->f->a, path.p, &error) &&
             file_create(p->f->a, path.p, got, 0666, &error);
    else if (ok && !is_same && is_there)
        FAIL(p, "the output is not the golden:%.*s",
             STR_ARG(fixture_difference(p->f->a, want, got)));
    if (!ok) FAIL(p, "%.*s", STR_ARG(error));
}

static struct str report_text(struct arena *a, const struct cm_result *r) {
    struct buf b;
    buf_init(&b, a);
    for (size_t i = 0; i < r->n_findings; i++) {
        const struct cm_finding *f = &r->findings[i];
        if (f->cell) buf_printf(&b, "%u:", f->cell);
        buf_printf(&b, "%u:%u: %s (%.*s) %.*s: ", f->line, f->column, cm_outcome_name(f->outcome),
                   STR_ARG(f->verdict), STR_ARG(rule_of(f)));
        buf_add_visible(&b, f->message);
        if (f->advice.n) buf_addz(&b, "; ");
        buf_add_visible(&b, f->advice);
        buf_addc(&b, '\n');
    }
    return buf_str(&b);
}

static void law_golden(const struct port *p, const struct cm_result *r) {
    struct arena *a = p->f->a;
    const char *dot = strchr(p->file->name.p, '.');
    bool is_new_wanted = r->changed && p->suite->update == UPDATE_CHANGED;
    struct str expected = arena_printf(a, "%s/expected.%.*s", p->f->path, STR_ARG(p->name));
    struct str report = arena_printf(a, "%s/report.%.*s", p->f->path, STR_ARG(p->name));
    if (p->f->is_tree) {
        expected = arena_printf(a, "%.*s/%s", STR_ARG(expected), p->file->name.p);
        check_golden(p, expected, r->output, is_new_wanted);
        return;
    }
    expected = arena_printf(a, "%.*s%s", STR_ARG(expected), dot ? dot : "");
    check_golden(p, expected, r->output, is_new_wanted);
    check_golden(p, report, report_text(a, r), false);
}

/* ---- laws 3 and 4: the output is ported, and is a program ---- */

/* The tree as a port leaves it. */
struct outputs {
    const struct fixture *f;
    struct str *v; /* [file] */
};

static bool read_output(void *outputs, struct arena *a, struct str path, struct str *text) {
    const struct outputs *o = outputs;
    (void)a;
    for (size_t i = 0; i < o->f->files.n; i++)
        if (str_eq(o->f->files.v[i].name, path)) {
            *text = o->v[i];
            return true;
        }
    return false;
}

static void tell(const struct port *p, struct cm_project_facts *facts,
                 const struct fixture_file *file, struct str bytes) {
    struct str told = cm_facts_of(p->session, p->f->a, file->language, file->name, bytes);
    cm_facts_add(facts, file->language, file->name, told);
}

static void law_again(const struct port *p, const struct cm_result *r) {
    struct cm_result again;
    struct fixture *f = p->f;
    struct outputs o = {f, arena_alloc(f->a, f->files.n * sizeof *o.v)};
    struct port second = *p;
    second.facts = cm_facts_new(f->a);
    second.headers = (struct cu_reader){read_output, &o};
    for (size_t i = 0; i < f->files.n; i++) {
        struct port other = *p;
        other.file = &f->files.v[i];
        if (i != p->index) port(&other, 1, other.file->bytes, CM_DUMP_NONE, &again);
        o.v[i] = padded(f->a, i == p->index ? r->output : again.output);
        tell(p, second.facts, other.file, o.v[i]);
    }
    cm_facts_link(second.facts);
    port(&second, 1, o.v[p->index], CM_DUMP_NONE, &again);
    if (again.changed)
        FAIL(p, "porting the output changes it:%.*s",
             STR_ARG(fixture_difference(p->f->a, r->output, again.output)));
    else if (again.counts[CM_PORTED])
        FAIL(p, "porting the output ports %zu findings again", again.counts[CM_PORTED]);
    bool was_fatal = false;
    for (size_t i = 0; i < r->n_notes; i++) was_fatal |= r->notes[i].fatal;
    for (size_t i = 0; i < again.n_notes && !was_fatal; i++)
        if (again.notes[i].fatal)
            FAIL(p, "the output can't be read: %.*s", STR_ARG(again.notes[i].message));
    if (p->file->language != CM_PYTHON || !r->changed) return;
    struct python_text text = {p->name, p->index, arena_str(p->f->a, r->output)};
    vec_push(p->f->a, &p->f->texts, text);
}

/* ---- law 5: bytes outside the edits are identical ---- */

/* NULL, or what is wrong with the edits. */
static const char *splice_problem(struct arena *a, struct str input, const struct cm_result *r) {
    struct buf b;
    size_t from = 0;
    buf_init(&b, a);
    for (size_t i = 0; i < r->n_edits; i++) {
        const struct cm_edit *e = &r->edits[i];
        if (e->start > e->end || e->end > input.n) return "an edit leaves the input";
        if (e->start < from) return "edits overlap or are not sorted";
        buf_add(&b, str_sub(input, from, e->start));
        buf_add(&b, e->text);
        from = e->end;
    }
    buf_add(&b, str_sub(input, from, input.n));
    if (!str_eq(buf_str(&b), r->output)) return "the output is not the input with its edits";
    if (r->changed == str_eq(input, r->output)) return "`changed` is not what happened";
    return NULL;
}

/* ---- law 6: verdicts agree with edits ---- */

/* Where the `from` import that binds the name at `at` begins, else `at`: one edit of its module
 * ports all of its names. */
static size_t import_start(struct str input, size_t at) {
    for (size_t line = at; line > 0;) {
        while (line > 0 && input.p[line - 1] != '\n') line--;
        size_t first = line;
        while (first < at && (input.p[first] == ' ' || input.p[first] == '\t')) first++;
        if (str_starts(str_sub(input, first, input.n), S("from "))) return first;
        if (line > 0) line--;
        if (input.p[first] == '\n' || input.p[first] == '\r') break;
    }
    return at;
}

static bool is_prefix(struct str dotted, struct str name) {
    return dotted.n && str_starts(name, dotted) && (name.n == dotted.n || name.p[dotted.n] == '.');
}

/* What has no edit of its own is ported by one that holds it, that ports its import statement, or
 * that ports the import which its name comes from. */
static bool is_carried(const struct port *p, const struct cm_result *r, size_t finding) {
    const struct cm_finding *f = &r->findings[finding];
    size_t from = import_start(p->file->bytes, f->start);
    for (size_t i = 0; i < r->n_edits; i++) {
        const struct cm_edit *e = &r->edits[i];
        if (e->start <= f->start && f->end <= e->end) return true;
        if (e->finding >= r->n_findings) continue;
        if (from <= e->start && e->end <= f->start) return true;
        struct str holder = r->findings[e->finding].token, last = str_last_dotted(holder);
        struct str module = str_sub(holder, 0, holder.n - last.n ? holder.n - last.n - 1 : 0);
        size_t statement =
            import_start(p->file->bytes, e->start); /* names of one from-import share an edit */
        bool imports =
            str_starts(str_sub(p->file->bytes, statement, p->file->bytes.n), S("from "));
        if (is_prefix(holder, f->token) || (imports && is_prefix(module, f->token))) return true;
    }
    return false;
}

static void check_verdict(const struct port *p, const struct cm_result *r, size_t i,
                          bool has_edit) {
    const struct cm_finding *f = &r->findings[i];
    bool may_edit = str_is(f->verdict, "exact") || str_is(f->verdict, "shim") ||
                    (str_is(f->verdict, "close") && p->f->unsafe);
    const char *problem = NULL;
    if (f->outcome != CM_PORTED && has_edit)
        problem = "has an edit";
    else if (f->outcome == CM_PORTED && has_edit && !may_edit)
        problem = "must not be edited";
    else if (f->outcome == CM_PORTED && !has_edit && !is_carried(p, r, i))
        problem = "has no edit";
    if (problem)
        FAIL(p, "%u: %.*s is %s with verdict %.*s and %s", f->line, STR_ARG(rule_of(f)),
             cm_outcome_name(f->outcome), STR_ARG(f->verdict), problem);
}

static void law_verdicts(const struct port *p, const struct cm_result *r) {
    bool *has_edit = arena_zalloc(p->f->a, r->n_findings + 1);
    for (size_t i = 0; i < r->n_edits; i++) {
        if (r->edits[i].finding < r->n_findings)
            has_edit[r->edits[i].finding] = true;
        else if (r->edits[i].finding != UINT32_MAX)
            FAIL(p, "edit %zu belongs to no finding", i);
    }
    for (size_t i = 0; i < r->n_findings; i++) check_verdict(p, r, i, has_edit[i]);
    if (r->changed && !r->counts[CM_PORTED]) FAIL(p, "it changes %s", "and nothing was ported");
}

/* ---- law 7: the prefilter passes whatever matches ---- */

/* The annotations hold words that the prefilter looks for, so it sees them blanked. */
static void law_prefilter(const struct port *p) {
    struct cm_result some, whole;
    port(p, 1, p->file->blank, CM_DUMP_NONE, &some);
    port(p, 2, p->file->blank, CM_DUMP_EDITS, &whole);
    if (str_eq(report_text(p->f->a, &some), report_text(p->f->a, &whole)) &&
        str_eq(some.output, whole.output))
        return;
    struct arena *a = p->f->a;
    FAIL(p, "a port of the whole file differs from one of the parts that seem to matter:%.*s%.*s",
         STR_ARG(fixture_difference(a, report_text(a, &some), report_text(a, &whole))),
         STR_ARG(fixture_difference(a, some.output, whole.output)));
}

/* ---- law 8: accounting and positions ---- */

static void law_accounting(const struct port *p, const struct cm_result *r) {
    size_t counts[CM_OUTCOMES] = {0}, last = 0, line_start = 0, at = 0;
    uint32_t line = 1;
    struct str text = p->file->bytes; /* as Python counts lines */
    if (p->file->language == CM_PYTHON) text = arena_lf_for_cr(p->f->a, text);
    bool in_characters = utf8_valid(text);
    for (size_t i = 0; i < r->n_findings; i++) {
        const struct cm_finding *f = &r->findings[i];
        counts[f->outcome]++;
        if (f->start < last || f->end < f->start || f->end > p->file->bytes.n) {
            FAIL(p, "finding %zu is out of order or outside the file", i);
            return;
        }
        last = f->start;
        for (; at < f->start; at++)
            if (text.p[at] == '\n') line++, line_start = at + 1;
        size_t column = 1; /* in characters: bytes of UTF-8 that continue one are none */
        for (size_t k = line_start; k < f->start; k++)
            column += !in_characters || ((unsigned char)text.p[k] & 0xC0) != 0x80;
        if (line_start == 0 && str_starts(text, S("\xEF\xBB\xBF"))) column--;
        if (!f->cell && (f->line != line || f->column != column))
            FAIL(p, "%u:%u: the place of offset %zu is %u:%zu", f->line, f->column, f->start, line,
                 column);
        if (!f->message.n) FAIL(p, "%u: a finding without message", f->line);
    }
    for (size_t i = 0; i < CM_OUTCOMES; i++)
        if (counts[i] != r->counts[i])
            FAIL(p, "%zu findings are %s, but %zu are counted", counts[i],
                 cm_outcome_name((enum cm_outcome)i), r->counts[i]);
}

/* ---- law 9: a file that ends anywhere ---- */

static void run_cut(const struct port *p, size_t n) {
    struct cm_result r;
    char *copy = calloc(1, n + 16); /* its own block, so that a sanitizer sees reads beyond it */
    if (!copy) return;
    if (n) memcpy(copy, p->file->bytes.p, n);
    fixture_doing(p->f, p->name, n);
    port(p, 1, (struct str){copy, n}, CM_DUMP_NONE, &r);
    const char *problem = splice_problem(p->f->a, (struct str){copy, n}, &r);
    if (problem) FAIL(p, "cut after %zu bytes: %s", n, problem);
    free(copy);
}

static void law_cuts(const struct port *p) {
    struct str s = p->file->bytes;
    size_t n = 0, seen = 0;
    for (size_t i = 1; i < s.n; i++) n += i % CUT_STEP == 0 || s.p[i - 1] == '\n';
    size_t step = n / MAX_CUTS + 1;
    for (size_t i = 1; i < s.n; i++)
        if ((i % CUT_STEP == 0 || s.p[i - 1] == '\n') && seen++ % step == 0) run_cut(p, i);
}

/* ---- law 10: line ends are kept, and make no difference ---- */

static struct str with_crlf(struct arena *a, struct str s) {
    struct buf b;
    buf_init(&b, a);
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == '\n') buf_addc(&b, '\r');
        buf_addc(&b, s.p[i]);
    }
    return buf_str(&b);
}

static void law_line_ends(const struct port *p, const struct cm_result *r) {
    struct arena *a = p->f->a;
    struct cm_result crlf;
    if (memchr(p->file->bytes.p, '\r', p->file->bytes.n)) return;
    port(p, 1, padded(a, with_crlf(a, p->file->bytes)), CM_DUMP_NONE, &crlf);
    struct str want = with_crlf(a, r->output);
    if (!str_eq(crlf.output, want))
        FAIL(p, "with CRLF line ends the output differs:%.*s",
             STR_ARG(fixture_difference(a, want, crlf.output)));
}

/* ---- law 11: every word of CUDA's is accounted for ---- */

static void law_words(const struct port *p, const struct cm_result *r) {
    size_t at, end;
    bool was_fatal = false;
    for (size_t i = 0; i < r->n_notes; i++) was_fatal |= r->notes[i].fatal;
    if (p->file->language != CM_PYTHON || was_fatal) return;
    if (fixture_words_missing(p->file->bytes, r, &at, &end))
        FAIL(p, "no finding and no word accounts for `%.*s` at byte %zu",
             STR_ARG(str_sub(p->file->bytes, at, end)), at);
}

/* ---- all of them ---- */

static void run_file(const struct port *p) {
    struct cm_result r;
    fixture_doing(p->f, p->name, p->file->bytes.n);
    port(p, 0, p->file->bytes, CM_DUMP_NONE, &r);
    const char *problem = splice_problem(p->f->a, p->file->bytes, &r);
    if (problem) {
        FAIL(p, "%s", problem);
        return;
    }
    law_annotations(p, &r);
    law_notes(p, &r);
    law_golden(p, &r);
    law_verdicts(p, &r);
    law_accounting(p, &r);
    law_again(p, &r);
    law_prefilter(p);
    law_line_ends(p, &r);
    law_words(p, &r);
    struct cm_input in = input_of(p, p->file->bytes);
    fixture_fixes(p->f, p->name, p->session, p->workspace[2], &in, &r);
}

/* What no target finds, the rules for check included. */
static void law_found_somewhere(struct fixture *f) {
    for (size_t i = 0; i < f->files.n; i++)
        for (size_t k = 0; k < f->files.v[i].expected.n; k++) {
            const struct expectation *e = &f->files.v[i].expected.v[k];
            if (e->kind == WANT && !e->is_found)
                fixture_fail(f, S("every target"), "%.*s: %u: %.*s is not found",
                             STR_ARG(f->files.v[i].name), e->line, STR_ARG(e->rule));
        }
}

static void run_target(struct port p) {
    for (p.index = 0; p.index < p.f->files.n; p.index++) {
        p.file = &p.f->files.v[p.index];
        run_file(&p);
    }
}

void fixture_run(const struct suite *s, struct fixture *f,
                 struct cm_workspace *const workspace[3]) {
    struct port p = {.suite = s,
                     .f = f,
                     .session = s->session[f->unsafe + 2 * f->lint + 4 * f->sycl],
                     .workspace = workspace,
                     .facts = cm_facts_new(f->a),
                     .headers = {read_header, f}};
    if (f->version) {
        struct str error = {0};
        struct cm_options options = {
            .port = {.unsafe_fixes = f->unsafe, .lint = f->lint, .sycl_kernels = f->sycl},
            .target_versions = &f->version,
            .n_target_versions = 1};
        p.session = cm_session_new(f->a, &options, &error);
        if (!p.session) {
            fixture_fail(f, S(""), "args: %.*s", STR_ARG(error));
            return;
        }
    }
    for (size_t i = 0; i < f->files.n; i++) {
        const struct fixture_file *file = &f->files.v[i];
        tell(&p, p.facts, file, file->bytes);
        struct python_text text = {S(""), i, f->files.v[i].bytes};
        if (f->files.v[i].language == CM_PYTHON) vec_push(f->a, &f->texts, text);
    }
    cm_facts_link(p.facts);
    for (size_t i = 0; i < f->targets.n; i++) {
        p.name = f->targets.v[i];
        p.target = cm_session_target(p.session, p.name);
        run_target(p);
        /* one target is enough for the cuts, and this is the one with most rewrites */
        bool is_cut = !s->brief && (str_is(p.name, "ascend") || f->targets.n == 1);
        for (size_t k = 0; k < f->files.n && is_cut; k++) {
            p.file = &f->files.v[k];
            law_cuts(&p);
        }
    }
    law_found_somewhere(f);
}
