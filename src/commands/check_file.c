/* SPDX-License-Identifier: Apache-2.0 */
/* check_file.c - one source file of `check`, in a worker thread: read, run for every target, fix,
 * and what to report about it. */
#include "commands/asked.h"
#include "commands/check.h"
#include "commands/finding_text.h"
#include "commands/no_runtime.h"
#include "commands/python.h"
#include "commands/undo.h"
#include "commands/weight.h"
#include "edit/diff.h"
#include "edit/edit.h"
#include "python/py.h"

#include <setjmp.h>
#include <stdlib.h>

struct check_worker {
    struct cm_workspace *workspace;
    struct check_item *spare; /* not handed out: the last file had nothing to tell */
    struct arena answers;     /* for the cache */
    struct asked asked;
};

struct check_item check_lost_item = {.failed = true};

/* Stands for every file with nothing to tell. */
static struct check_item nothing_to_tell;

bool check_open_workers(struct check *check) {
    check->workers = calloc(check->in.jobs, sizeof *check->workers);
    if (!check->workers) return false;
    for (size_t i = 0; i < check->in.jobs; i++) {
        if (!(check->workers[i].workspace = cm_workspace_new())) return false;
        arena_init(&check->workers[i].answers, 0);
        asked_init(&check->workers[i].asked, &check->workers[i].answers);
    }
    return true;
}

struct str check_asked(struct check *check) {
    struct asked all;
    asked_init(&all, check->cli->a);
    asked_add(&all, check->cache.ground.asked);
    for (size_t i = 0; i < check->in.jobs; i++)
        asked_add(&all, asked_text(&check->workers[i].asked));
    return asked_text(&all);
}

void check_free_item(struct check_item *item) {
    if (!item || item == &check_lost_item || item == &nothing_to_tell) return;
    arena_free(&item->a);
    free(item);
}

void check_close_workers(struct check *check) {
    for (size_t i = 0; check->workers && i < check->in.jobs; i++) {
        cm_workspace_free(check->workers[i].workspace);
        check_free_item(check->workers[i].spare);
        arena_free(&check->workers[i].answers);
    }
    free(check->workers);
    check->workers = NULL;
}

/* ---- the file at work ---- */

struct job {
    struct check *check;
    const struct folder *folder; /* the source's configuration */
    struct check_item *item;
    enum weight weight; /* FULL with --places=same */
    struct arena *a;
    const struct source *source;
    const struct semantic_facts *semantic; /* of the bytes at hand, or NULL */
    struct look *look;
    struct check_worker *worker;
    struct line_table lines;
    VEC(struct check_finding) findings;
    VEC(struct cm_note) notes;
    VEC(struct cm_unused) unused;
};

static bool wants_rule(const struct job *j, struct str rule) {
    return folder_wants(j->folder, &j->check->project, j->item->file.project_path, rule);
}

static bool wants(const void *ctx, struct str rule, size_t start, size_t end) {
    (void)start, (void)end;
    return wants_rule(ctx, rule);
}

static void run(struct job *j, struct str bytes, size_t target, struct cm_result *r) {
    struct py_disk disk = {asked_exists, &j->worker->asked};
    struct cm_input in = {.name = str_of(j->source->path),
                          .bytes = bytes,
                          .language = j->source->language,
                          .target = j->check->in.targets[target],
                          .facts = j->check->in.facts,
                          .semantic = j->semantic,
                          .disk = &disk,
                          .wants = wants,
                          .wants_ctx = j,
                          .again = j->folder->n_targets > 1};
    cm_run_buffer(j->check->in.session, j->worker->workspace, &in, r);
    if (!j->folder->asks_target) result_without_module(r, j->a, S(PYTHON_RUNTIME));
}

/* With --semantic. When libclang cannot help, everything else can be done, and is not what was
 * asked for: exit status 2. */
static void ask_libclang(struct job *j, struct str bytes) {
    struct cm_note note = {0};
    j->semantic = compile_facts(&j->check->compile, j->a, j->source->path, j->source->language,
                                bytes, &note.message);
    if (note.message.n) vec_push(j->a, &j->notes, note);
    j->item->unasked |= note.message.n > 0;
}

/* ---- from the engine's results to findings ---- */

/* As the configuration says; else as the place makes it. */
static enum severity severity_of(const struct job *j, struct str rule, enum severity otherwise) {
    return (enum severity)config_severity(&j->folder->config, rule, otherwise);
}

static struct weighed weighed_of(const struct job *j) {
    return (struct weighed){j->weight, j->source->language, str_of(j->source->path),
                            j->lines.text};
}

/* The edits of the finding's fix: its own and those of its group, or what they need besides. */
static struct check_edits copy_edits(struct job *j, const struct cm_result *r, uint32_t finding,
                                     bool own) {
    VEC(struct check_edit) edits = {0};
    const struct cm_finding *f = &r->findings[finding];
    for (size_t i = 0; i < r->n_edits; i++) {
        const struct cm_edit *e = &r->edits[i];
        bool is_own = e->finding < r->n_findings && r->findings[e->finding].group == f->group;
        if (is_own != own || !cm_fix_has(r, f, e)) continue;
        struct check_edit edit = {e->start, e->end, place_of(&j->lines, e->start, e->end),
                                  arena_str(j->a, e->text)};
        vec_push(j->a, &edits, edit);
    }
    return (struct check_edits){edits.v, edits.n};
}

/* Of findings that are fixed together, each has the fix; where that is long, the first alone. */
static void copy_fix(struct job *j, const struct cm_result *r, uint32_t number,
                     struct check_finding *out) {
    enum { LONG_FIX = 40 };
    const struct cm_finding *f = &r->findings[number];
    size_t n = 0;
    for (size_t i = 0; i < r->n_edits && f->group != number; i++)
        n += r->edits[i].finding < r->n_findings &&
             r->findings[r->edits[i].finding].group == f->group;
    if (n > LONG_FIX) return;
    out->edits = copy_edits(j, r, number, true);
    out->imports = copy_edits(j, r, number, false);
    for (size_t i = 0; i < r->n_findings; i++) {
        const struct cm_finding *with = &r->findings[i];
        bool together = with->outcome == CM_PORTED && with->group == f->group;
        out->is_unsafe |= together && (str_is(with->verdict, "close") || !with->certain);
    }
}

/* Puts the finding where it is in the file. */
static void place_finding(struct job *j, struct check_finding *f) {
    size_t line = line_at(&j->lines, f->start);
    f->at = place_of(&j->lines, f->start, f->end);
    f->line = line_text(&j->lines, line);
    f->line_start = j->lines.starts[line];
}

static void add_finding(struct job *j, const struct cm_result *r, uint32_t number, size_t target) {
    const struct cm_finding *f = &r->findings[number];
    const struct cm_target *to = j->check->in.targets[target];
    struct weighed file = weighed_of(j);
    enum severity own = weighed_finding(&file, f, !target_is_no_vendor(to));
    struct check_finding out = {.rule = rule_list_find(&j->check->rules, f->rule),
                                .severity = severity_of(j, f->rule, own),
                                .target = target,
                                .token = arena_str(j->a, f->token),
                                .remedy = finding_remedy(j->a, f, to),
                                .advice = arena_str(j->a, f->advice),
                                .start = f->start,
                                .end = f->end,
                                .cell = f->cell,
                                .cell_line = f->line,
                                .cell_column = f->column,
                                .is_fixable = f->outcome == CM_PORTED,
                                .more = f->more,
                                .is_unsafe = str_is(f->verdict, "close") || !f->certain};
    if (!out.rule) return; /* a rule that --rules replaced while we were reading it */
    out.message = finding_message(j->a, f, out.remedy);
    place_finding(j, &out);
    if (out.is_fixable) copy_fix(j, r, number, &out);
    vec_push(j->a, &j->findings, out);
}

/* A comment is unused when it is for every target. */
static void keep_unused(struct job *j, const struct cm_result *r, bool is_first) {
    if (is_first) {
        for (size_t i = 0; i < r->n_unused; i++) {
            struct cm_unused unused = r->unused[i];
            unused.rule = arena_str(j->a, unused.rule);
            vec_push(j->a, &j->unused, unused);
        }
        return;
    }
    size_t kept = 0;
    for (size_t i = 0; i < j->unused.n; i++) {
        struct cm_unused *u = &j->unused.v[i];
        bool again = false;
        for (size_t k = 0; k < r->n_unused && !again; k++)
            again = r->unused[k].start == u->start && r->unused[k].end == u->end;
        if (again) j->unused.v[kept++] = *u;
    }
    j->unused.n = kept;
}

static void add_unused_findings(struct job *j) {
    if (!wants_rule(j, S(UNUSED_SUPPRESSION))) return;
    const struct check_rule *rule = rule_list_find(&j->check->rules, S(UNUSED_SUPPRESSION));
    for (size_t i = 0; i < j->unused.n; i++) {
        const struct cm_unused *u = &j->unused.v[i];
        struct weighed file = weighed_of(j);
        enum severity own = weighed_severity(&file, rule->severity);
        struct check_finding f = {.rule = rule,
                                  .severity = severity_of(j, rule->id, own),
                                  .is_general = true,
                                  .token = u->rule.n ? u->rule : S("cuda-morph:"),
                                  .message =
                                      S("unused suppression: the comment matches no finding"),
                                  .start = u->start,
                                  .end = u->end,
                                  .cell = u->cell,
                                  .cell_line = u->line,
                                  .cell_column = u->column,
                                  .is_fixable = u->remove_start < u->remove_end};
        if (u->rule.n)
            f.message = arena_printf(j->a, "`%.*s` is an unused suppression", STR_ARG(u->rule));
        place_finding(j, &f);
        if (f.is_fixable) {
            struct check_edit *edit = NEW(j->a, struct check_edit);
            *edit = (struct check_edit){.start = u->remove_start, .end = u->remove_end};
            edit->at = place_of(&j->lines, edit->start, edit->end);
            f.edits = (struct check_edits){edit, 1};
        }
        vec_push(j->a, &j->findings, f);
    }
}

static void keep_notes(struct job *j, const struct cm_result *r, bool is_first) {
    for (size_t i = 0; is_first && i < r->n_notes; i++) {
        struct cm_note note = r->notes[i];
        note.message = arena_str(j->a, note.message);
        vec_push(j->a, &j->notes, note);
        j->item->failed |= note.fatal;
    }
}

static void make_line_table(struct job *j, struct str bytes) {
    if (j->lines.n) return;
    bool cr = j->source->language == CM_PYTHON && str_has_lone_cr(bytes);
    line_table_make(&j->lines, j->a, cr ? arena_lf_for_cr(j->a, bytes) : bytes);
}

/* For one of the targets of the source's folder. */
static void collect(struct job *j, struct str bytes, const struct cm_result *r, size_t i_target) {
    size_t target = j->folder->targets[i_target];
    keep_notes(j, r, i_target == 0);
    keep_unused(j, r, i_target == 0);
    for (size_t i = 0; i < r->n_findings; i++) {
        enum cm_outcome outcome = r->findings[i].outcome;
        j->item->suppressed += outcome == CM_SUPPRESSED && wants_rule(j, r->findings[i].rule);
        if (outcome != CM_PORTED && outcome != CM_MANUAL) continue;
        make_line_table(j, bytes);
        add_finding(j, r, (uint32_t)i, target);
    }
}

/* ---- order and fingerprints ---- */

static int finding_order(const void *x, const void *y) {
    const struct check_finding *a = x, *b = y;
    if (a->start != b->start) return a->start < b->start ? -1 : 1;
    if (a->end != b->end) return a->end < b->end ? -1 : 1;
    int order = str_cmp(a->rule->id, b->rule->id);
    if (order) return order;
    if (a->target != b->target) return a->target < b->target ? -1 : 1;
    return str_cmp(a->message, b->message);
}

/* The line with every run of blanks as one, so that a change of indentation changes nothing. */
static struct str normalised(struct arena *a, struct str line) {
    struct buf b;
    buf_init(&b, a);
    for (size_t i = 0; i < line.n; i++) {
        bool is_blank = line.p[i] == ' ' || line.p[i] == '\t';
        if (!is_blank)
            buf_addc(&b, line.p[i]);
        else if (b.n && b.p[b.n - 1] != ' ')
            buf_addc(&b, ' ');
    }
    while (b.n && b.p[b.n - 1] == ' ') b.n--;
    return b.n ? buf_str(&b) : S("");
}

struct seen {
    uint64_t key;
    uint32_t count;
};

/* What a line's findings share, so that one long line with many is not read for each. */
struct line_keys {
    const char *at; /* the line */
    struct str line;
    uint64_t hash;
    struct line_key {
        const void *rule;
        struct str target;
        uint64_t key;
    } v[32];
    size_t n;
};

static uint64_t key_of(struct job *j, struct line_keys *keys, struct check_finding *f) {
    struct str target = f->is_general ? S("") : j->check->run.targets[f->target];
    if (keys->at != f->line.p) {
        keys->at = f->line.p;
        keys->line = normalised(j->a, f->line);
        keys->hash = str_hash(keys->line);
        keys->n = 0;
    }
    f->line_hash = keys->hash;
    for (size_t i = 0; i < keys->n; i++)
        if (keys->v[i].rule == f->rule && str_eq(keys->v[i].target, target)) return keys->v[i].key;
    struct arena_mark mark = arena_mark(j->a);
    uint64_t key = str_hash(arena_printf(j->a, "%.*s\n%.*s\n%.*s", STR_ARG(f->rule->id),
                                         STR_ARG(target), STR_ARG(keys->line)));
    arena_release(j->a, mark);
    if (keys->n < ARRAY_LEN(keys->v)) keys->v[keys->n++] = (struct line_key){f->rule, target, key};
    return key;
}

static void add_fingerprints(struct job *j) {
    size_t cap = 16;
    while (cap < j->findings.n * 2) cap *= 2;
    struct seen *table = arena_zalloc(j->a, cap * sizeof *table);
    struct line_keys *keys = NEW(j->a, struct line_keys);
    for (size_t i = 0; i < j->findings.n; i++) {
        struct check_finding *f = &j->findings.v[i];
        uint64_t key = key_of(j, keys, f);
        size_t slot = key & (cap - 1);
        while (table[slot].count && table[slot].key != key) slot = (slot + 1) & (cap - 1);
        table[slot].key = key;
        f->occurrence = ++table[slot].count;
        f->fingerprint =
            str_hash(arena_printf(j->a, "%016llx %u", (unsigned long long)key, f->occurrence));
    }
}

static void drop_other_lines(struct job *j) {
    const struct diff_lines *lines = j->check->lines;
    size_t kept = 0;
    for (size_t i = 0; lines && i < j->findings.n; i++) {
        const struct check_finding *f = &j->findings.v[i];
        if (diff_lines_touch(lines, j->item->file.project_path, f->at.line, f->at.end_line))
            j->findings.v[kept++] = *f;
    }
    if (lines) j->findings.n = kept;
}

/* ---- fixing ---- */

/* The engine's edits and the removal of comments that silence nothing; where they meet, the
 * comment stays. */
static struct str fixed_text(struct job *j, struct str bytes, const struct cm_result *r,
                             size_t *n_fixed) {
    VEC(struct cm_edit) edits = {0};
    size_t u = 0, end = 0;
    size_t n_unused = wants_rule(j, S(UNUSED_SUPPRESSION)) ? r->n_unused : 0;
    *n_fixed = r->counts[CM_PORTED];
    for (size_t i = 0; i <= r->n_edits; i++) {
        size_t next = i < r->n_edits ? r->edits[i].start : bytes.n + 1;
        for (; u < n_unused && r->unused[u].remove_end <= next; u++) {
            const struct cm_unused *unused = &r->unused[u];
            if (unused->remove_start < end || unused->remove_start == unused->remove_end) continue;
            struct cm_edit removal = {.start = unused->remove_start,
                                      .end = unused->remove_end,
                                      .text = S(""),
                                      .finding = UINT32_MAX};
            vec_push(j->a, &edits, removal);
            end = removal.end;
            ++*n_fixed;
        }
        if (i == r->n_edits) break;
        while (u < n_unused && r->unused[u].remove_start < r->edits[i].end) u++;
        vec_push(j->a, &edits, r->edits[i]);
        end = r->edits[i].end;
    }
    struct str out = edits_apply(j->a, bytes, edits.v, edits.n);
    struct buf padded;
    buf_init(&padded, j->a);
    buf_add(&padded, out);
    for (size_t i = 0; i < FILE_PADDING; i++) buf_addc(&padded, 0);
    return (struct str){padded.p, out.n};
}

static bool is_fatal(const struct cm_result *r) {
    bool fatal = false;
    for (size_t i = 0; i < r->n_notes; i++) fatal |= r->notes[i].fatal;
    return fatal;
}

/* The rules whose findings were fixed, each with its count. */
static struct str fixed_rules(struct job *j, const struct cm_result *r, size_t n_fixed) {
    struct buf b;
    size_t removed = n_fixed - r->counts[CM_PORTED];
    buf_init(&b, j->a);
    for (size_t i = 0; i < r->n_findings; i++) {
        struct str rule = r->findings[i].rule;
        size_t n = 0, before = 0;
        if (r->findings[i].outcome != CM_PORTED) continue;
        for (size_t k = 0; k < r->n_findings; k++) {
            bool same = r->findings[k].outcome == CM_PORTED && str_eq(r->findings[k].rule, rule);
            n += same;
            before += same && k < i;
        }
        if (before) continue;
        buf_printf(&b, "%s%.*s", b.n ? ", " : "", STR_ARG(rule));
        if (n > 1) buf_printf(&b, " (%zu)", n);
    }
    if (removed) buf_printf(&b, "%s" UNUSED_SUPPRESSION, b.n ? ", " : "");
    if (removed > 1) buf_printf(&b, " (%zu)", removed);
    return b.n ? buf_str(&b) : S("");
}

/* Writes or shows what can be fixed. *bytes and *r are then those of the fixed file. */
static void fix(struct job *j, struct str *bytes, const struct file_id *id, struct cm_result *r) {
    struct check_item *item = j->item;
    if (is_fatal(r) || (!r->changed && !r->n_unused)) return;
    size_t n_fixed;
    struct str text = fixed_text(j, *bytes, r, &n_fixed);
    if (str_eq(text, *bytes)) return;
    if (j->check->diff) {
        struct buf b;
        buf_init(&b, j->a);
        diff_unified(&b, str_of(j->source->path), *bytes, text, j->check->cli->out->color);
        item->diff = buf_str(&b);
        return;
    }
    undo_record(j->check->undo, j->source->path, *bytes, text);
    if (!file_replace(j->a, j->source->path, text, id, &item->error)) return;
    undo_replaced(j->check->undo);
    item->fixed = n_fixed;
    item->fixes = fixed_rules(j, r, n_fixed);
    *bytes = text;
    ask_libclang(j, text);
    run(j, text, j->folder->targets[0], r);
}

/* ---- the cache ---- */

static bool is_silent(const struct cm_result *r) {
    return r->n_findings == r->counts[CM_KEPT] && !r->n_notes && !r->n_unused && !r->n_edits;
}

/* Findings, notes and unused comments as an earlier run found them; false: it has to run. */
static bool recall(struct job *j, struct str bytes) {
    struct str answer = j->look->record.answer;
    struct cm_result r;
    if (j->look->state != LOOK_CACHED) return false;
    if (!hash128_eq(hash128(bytes), j->look->record.content)) return false;
    for (size_t i = 0; i < j->folder->n_targets; i++) {
        if (!cache_decode(j->a, &answer, &r)) {
            *j->look = (struct look){.record = j->look->record};
            j->findings.n = j->notes.n = j->unused.n = 0;
            j->item->suppressed = 0;
            return false;
        }
        collect(j, bytes, &r, i);
    }
    return true;
}

/* Runs for every target, and keeps the results for the cache. */
static void find_out(struct job *j, struct str *bytes, const struct file_id *id) {
    struct check *check = j->check;
    struct look *look = j->look;
    struct hash128 content = hash128(*bytes);
    bool keep = check->cache.path && !j->source->is_stdin, silent = true;
    if (look->has_content && !hash128_eq(content, look->record.content)) keep = false;
    struct buf answer;
    buf_init(&answer, j->a);
    look->is_new = true;
    look->is_answered = look->is_remembered = false;
    look->record.by_facts = look->record.by_disk = false;
    for (size_t i = 0; i < j->folder->n_targets; i++) {
        struct cm_result r;
        run(j, *bytes, j->folder->targets[i], &r);
        if (check->fix || check->diff) fix(j, bytes, id, &r);
        collect(j, *bytes, &r, i);
        look->record.by_facts |= !r.skipped;
        silent &= is_silent(&r);
        look->record.by_disk |= r.asked_disk;
        if (keep) cache_encode(&answer, &r);
    }
    look->record.content = content;
    look->record.answer =
        keep && !silent ? arena_str(&j->worker->answers, buf_str(&answer)) : S("");
    look->has_content = look->is_answered = keep && !j->item->failed;
}

/* ---- the whole of it ---- */

static void check_bytes(struct job *j) {
    struct str bytes;
    struct file_id id = {0};
    if (look_is_silent(j->look)) return;
    if (!source_read(&j->check->in, j->a, j->source, &bytes, &id, &j->item->error)) {
        j->look->is_answered = false;
        return;
    }
    if (!recall(j, bytes)) {
        ask_libclang(j, bytes);
        find_out(j, &bytes, &id);
    }
    if (j->unused.n) make_line_table(j, bytes);
    add_unused_findings(j);
    if (j->findings.n) qsort(j->findings.v, j->findings.n, sizeof *j->findings.v, finding_order);
    add_fingerprints(j);
}

static bool has_to_tell(const struct job *j) {
    const struct check_item *item = j->item;
    return j->findings.n || j->notes.n || item->error.n || item->diff.n || item->suppressed ||
           item->fixed;
}

static struct str project_path_of(struct job *j) {
    return project_path(&j->check->project, j->a, j->source->path);
}

/* Not inlined: its variables would live in the frame that setjmp was called in. */
__attribute__((noinline)) static void process(struct job *j) {
    struct check_item *item = j->item;
    bool by_path = j->check->baseline || j->folder->config.ignores.n || !j->check->places_same;
    item->file.path = str_of(j->source->path);
    if (by_path) item->file.project_path = project_path_of(j);
    if (!j->check->places_same)
        j->weight = weight_of(j->check->in.session, j->source->language, item->file.project_path);
    check_bytes(j);
    item->failed |= item->error.n > 0;
    item->has_news = has_to_tell(j) || j->check->baseline;
    if (!item->has_news) return;
    if (!by_path) item->file.project_path = project_path_of(j);
    drop_other_lines(j);
    item->file.owners = owners_of(&j->check->owners, item->file.project_path);
    item->file.text = j->lines.text;
    item->file.findings = j->findings.v;
    item->file.n_findings = j->findings.n;
    item->file.notes = j->notes.v;
    item->file.n_notes = j->notes.n;
}

static struct check_item *spare_item(struct check_worker *w) {
    if (!w->spare) w->spare = calloc(1, sizeof *w->spare);
    if (!w->spare) return NULL;
    struct arena a = w->spare->a;
    arena_reset(&a);
    *w->spare = (struct check_item){.a = a};
    return w->spare;
}

struct check_item *check_source(struct check *check, size_t worker, size_t index) {
    struct check_worker *w = &check->workers[worker];
    struct check_item *item = spare_item(w);
    jmp_buf escape;
    if (!item || atomic_load(&check->stop)) return item ? &nothing_to_tell : &check_lost_item;
    if (setjmp(escape)) {
        check_free_item(w->spare);
        w->spare = NULL;
        return &check_lost_item;
    }
    item->a.escape = w->answers.escape = &escape;
    struct job *j = NEW(&item->a, struct job);
    *j = (struct job){.check = check,
                      .folder = check->folders.of[index],
                      .item = item,
                      .a = &item->a,
                      .worker = w,
                      .look = &check->looks.v[index],
                      .source = &check->in.sources.v[index]};
    cli_current_file = j->source->path;
    process(j);
    cli_current_file = NULL;
    item->a.escape = NULL;
    if (!item->has_news) return &nothing_to_tell;
    w->spare = NULL;
    return item;
}
