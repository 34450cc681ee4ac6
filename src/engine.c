/* engine.c - the pipeline, readable aloud: check -> prefilter -> parse -> resolve and match ->
 * plan -> emit -> report. */
#include "engine.h"

#include "edit/edit.h"
#include "notebook.h"

#include <stdlib.h>

enum { MAX_SOURCE = 64 * 1024 * 1024, MAX_UNIT_MEMORY = 512 * 1024 * 1024 };

struct cm_workspace {
    struct arena a;
    struct regex_cache *regex;
};

void unit_note(struct unit *u, uint32_t line, uint32_t column, bool fatal, struct str message) {
    struct cm_note n = {line, column, message, fatal};
    vec_push(u->a, &u->notes, n);
    u->refused |= fatal;
}

/* ---- stages ---- */

static bool parse_and_match(struct unit *u) {
    struct py *f = &u->py;
    *f = (struct py){.a = u->a,
                     .src = u->src,
                     .rules = &u->session->rules,
                     .target = u->in->target->ref,
                     .project = u->in->facts ? &u->in->facts->python : NULL,
                     .regex = u->regex,
                     .disk = u->in->disk,
                     .path = u->in->name,
                     .asked_disk = f->asked_disk,
                     .partial = u->partial,
                     .stub = str_ends(u->in->name, S(".pyi")),
                     .unsafe = u->session->unsafe_fixes};
    enum parse_status status = tree_parse(&f->tree, u->a, &u->session->python, u->readable,
                                          u->partial ? u->scan.ranges.v : NULL,
                                          u->partial ? u->scan.ranges.n : 0, PARSE_SECONDS);
    if (status != PARSE_OK) {
        unit_note(u, 0, 0, true, S("parsing takes too long; nothing of it was changed"));
        return false;
    }
    if (f->tree.first_error != NO_NODE && u->partial) return false;
    py_match_all(f);
    if (f->too_many)
        unit_note(
            u, 0, 0, true,
            S("more than 10000 places in it have to do with CUDA; nothing of it was changed"));
    return !f->too_many;
}

static bool is_python_2(const struct py *f, uint32_t *node) {
    for (uint32_t i = 0; i < f->tree.n; i++)
        if (py_kind(f, i) == PY_PRINT || py_kind(f, i) == PY_EXEC) {
            *node = i;
            return true;
        }
    return false;
}

/* Whether the * at i unpacks a parenthesis or list outside of all brackets of its line. */
static bool unpacks_bare(struct str line, size_t i) {
    size_t before = i, depth = 0;
    while (before && (line.p[before - 1] == ' ' || line.p[before - 1] == '\t')) before--;
    bool follows = before && (strchr(",=", line.p[before - 1]) ||
                              str_ends(str_sub(line, 0, before), S("return")) ||
                              str_ends(str_sub(line, 0, before), S("yield")));
    for (size_t k = 0; k < i; k++) {
        depth += !!strchr("([{", line.p[k]);
        depth -= depth && strchr(")]}", line.p[k]);
    }
    return follows && !depth && i + 1 < line.n && strchr("([", line.p[i + 1]);
}

/* tree-sitter's grammar refuses `return a, *(None,) * n`, which Python takes. Such stars are
 * blanks for the parser; the lines where it found an error are looked at. */
static bool hide_stars(struct unit *u) {
    const struct node *error = py_node(&u->py, u->py.tree.first_error);
    size_t start = error->start, end = error->end;
    while (start && u->readable.p[start - 1] != '\n') start--;
    char *copy = NULL;
    for (size_t next; start < end; start = next) {
        next = str_find(u->readable, S("\n"), start);
        struct str line = str_sub(u->readable, start, next++);
        for (size_t i = 0; i < line.n; i++) {
            if (line.p[i] != '*' || !unpacks_bare(line, i)) continue;
            if (!copy) {
                copy = arena_zalloc(u->a, u->readable.n + 64);
                memcpy(copy, u->readable.p, u->readable.n);
            }
            copy[start + i] = ' ';
        }
    }
    if (copy) u->readable.p = copy;
    return copy != NULL;
}

/* Statements that can matter first; the whole file when those alone don't tell enough. */
static void parse_resolve_match(struct unit *u) {
    uint32_t line, column, node;
    u->partial = !unit_has_directive(u) && u->in->dump == CM_DUMP_NONE;
    struct arena_mark mark = arena_mark(u->a);
    if (!u->partial || !parse_and_match(u) || u->py.wants_whole) {
        if (u->refused) return;
        if (u->partial) arena_release(u->a, mark);
        u->partial = false;
        if (!parse_and_match(u)) return;
        while (u->py.tree.first_error != NO_NODE && u->py.matches.n && hide_stars(u))
            if (!parse_and_match(u)) return;
        if (u->py.tree.first_error != NO_NODE && u->py.matches.n) {
            unit_position(u, py_node(&u->py, u->py.tree.first_error)->start, &line, &column);
            unit_note(u, line, column, true, S("syntax error: nothing of the file was changed"));
            return;
        }
    }
    if (!u->refused && is_python_2(&u->py, &node)) {
        unit_position(u, py_node(&u->py, node)->start, &line, &column);
        unit_note(u, line, column, true, S("this is Python 2; nothing of the file was changed"));
    }
}

static void gather_python(struct unit *u) {
    for (uint32_t i = 0; i < u->py.matches.n; i++)
        vec_push(u->a, &u->matches, (struct match *)(void *)&u->py.matches.v[i]);
    for (uint32_t i = 0; i < u->py.tree.n; i++) {
        const struct node *n = py_node(&u->py, i);
        struct byte_range r = {n->start, n->end};
        if (n->kind == PY_COMMENT) vec_push(u->a, &u->comments, r);
    }
}

static void plan(struct unit *u) {
    unit_suppress(u);
    py_apply(&u->py);
    for (size_t i = 0; i < u->py.edits.n; i++) vec_push(u->a, &u->rewrites, u->py.edits.v[i]);
}

/* Ranges of the input where they are in the output. */
static struct byte_range *moved_ranges(struct unit *u, bool *touched) {
    struct byte_range *moved = arena_alloc(u->a, (u->scan.ranges.n + 1) * sizeof *moved);
    ptrdiff_t shift = 0;
    for (size_t i = 0, e = 0; i < u->scan.ranges.n; i++) {
        struct byte_range r = u->scan.ranges.v[i];
        bool last = i + 1 == u->scan.ranges.n;
        size_t before = e;
        moved[i].start = (uint32_t)((ptrdiff_t)r.start + shift);
        for (; e < u->edits.n && (u->edits.v[e].end <= r.end || last); e++)
            shift += (ptrdiff_t)u->edits.v[e].text.n -
                     (ptrdiff_t)(u->edits.v[e].end - u->edits.v[e].start);
        moved[i].end = (uint32_t)((ptrdiff_t)r.end + shift);
        touched[i] = e != before;
    }
    return moved;
}

/* The statements of the output that hold edits, for checking that they still parse. */
static size_t edited_ranges(struct unit *u, struct byte_range **out) {
    VEC(struct byte_range) v = {0};
    const struct py_scan *all = &u->scan;
    if (u->in->dump) return 0;
    for (size_t i = 0, r = 0; i < u->edits.n; i++) {
        while (r < all->ranges.n && all->ranges.v[r].end < u->edits.v[i].end) r++;
        if (r == all->ranges.n || u->edits.v[i].start < all->ranges.v[r].start)
            return 0; /* outside: check it all */
    }
    bool *touched = arena_zalloc(u->a, all->ranges.n + 1);
    struct byte_range *moved = moved_ranges(u, touched);
    for (size_t i = 0, end; i < all->ranges.n; i = end) {
        bool any = touched[i];
        for (end = i + 1; end < all->ranges.n && /* members of the same class */
                          strchr(" \t", u->src.p[all->ranges.v[end].start]);
             end++)
            any |= touched[end];
        for (; any && i < end; i++) vec_push(u->a, &v, moved[i]);
    }
    *out = v.v;
    return v.n;
}

static struct str emit(struct unit *u) {
    struct str output = edits_apply(u->a, u->src, u->edits.v, u->edits.n);
    struct str readable = edits_apply(u->a, u->readable, u->edits.v, u->edits.n);
    struct byte_range *ranges = NULL;
    size_t n = edited_ranges(u, &ranges);
    struct arena_mark mark = arena_mark(u->a);
    struct tree check;
    enum parse_status status =
        tree_parse(&check, u->a, &u->session->python, readable, ranges, n, PARSE_SECONDS);
    bool parses = status == PARSE_OK && check.first_error == NO_NODE;
    arena_release(u->a, mark);
    if (parses) return output;
    if (status != PARSE_OK) {
        unit_note(u, 0, 0, true, S("parsing takes too long; nothing of it was changed"));
        return u->src;
    }
    uint32_t line = 0, column = 0;
    if (u->edits.n) unit_position(u, u->edits.v[0].start, &line, &column);
    unit_note(u, line, column, true,
              S("internal error: the rewritten text would not parse, so nothing was changed; "
                "please report it"));
    return u->src;
}

static void report(struct unit *u, struct str output, struct cm_result *out) {
    if (u->refused) {
        u->edits.n = 0;
        output = u->src;
        for (size_t i = 0; i < u->findings.n; i++)
            if (u->findings.v[i].outcome == CM_PORTED) u->findings.v[i].outcome = CM_MANUAL;
    }
    *out = (struct cm_result){.output = output,
                              .changed = !str_eq(output, u->src),
                              .asked_disk = u->py.asked_disk,
                              .edits = u->edits.v,
                              .n_edits = u->edits.n,
                              .findings = u->findings.v,
                              .n_findings = u->findings.n,
                              .notes = u->notes.v,
                              .n_notes = u->notes.n,
                              .unused = u->unused.v,
                              .n_unused = u->unused.n};
    for (size_t i = 0; i < u->findings.n; i++) out->counts[u->findings.v[i].outcome]++;
}

static void run_python(struct unit *u, struct cm_result *out) {
    struct str output = u->src;
    unit_check_encoding(u);
    if (!u->refused && !u->in->dump && !py_prefilter(&u->in->target->anchors, u->readable)) {
        report(u, output, out);
        out->skipped = true;
        return;
    }
    if (!u->refused) {
        py_scan(&u->scan, u->a, &u->in->target->anchors, u->readable);
        if (u->scan.any || u->in->dump || unit_has_directive(u))
            parse_resolve_match(u);
        else
            out->skipped = true;
    }
    if (u->py.tree.n) {
        gather_python(u);
        if (!u->refused) plan(u); /* else what was found is for a human */
        unit_findings(u);
        if (u->edits.n) output = emit(u);
    }
    if (u->in->dump && u->in->dumped) *u->in->dumped = unit_dump(u, u->in->dump);
    bool skipped = out->skipped;
    report(u, output, out);
    out->skipped = skipped;
}

/* A lone CR ends a line of Python: the text is read with LF in its place, and the edits are made
 * in the text as it is; where no line ends otherwise, theirs end like the rest. */
static void run_python_file(struct unit *u, struct cm_result *out) {
    struct str original = u->src;
    if (!str_has_lone_cr(original)) {
        run_python(u, out);
        return;
    }
    u->src = arena_lf_for_cr(u->a, original);
    run_python(u, out);
    bool only_cr = !memchr(original.p, '\n', original.n);
    for (size_t i = 0; i < u->edits.n && only_cr; i++) {
        struct str *text = &u->edits.v[i].text;
        char *p = arena_strdup(u->a, *text);
        for (size_t k = 0; k < text->n; k++)
            if (p[k] == '\n') p[k] = '\r';
        text->p = p;
    }
    out->output = u->edits.n ? edits_apply(u->a, original, u->edits.v, u->edits.n) : original;
}

/* ---- C++ ---- */

/* How many places of the text tree-sitter can't read. */
static uint32_t syntax_errors(struct unit *u, struct str text, enum parse_status *status) {
    struct arena_mark mark = arena_mark(u->a);
    struct tree t;
    uint32_t n = 0;
    *status = tree_parse(&t, u->a, &u->session->cuda, text, NULL, 0, PARSE_SECONDS);
    for (uint32_t i = 0; *status == PARSE_OK && i < t.n; i++) n += t.v[i].kind == CK_ERROR;
    arena_release(u->a, mark);
    return n;
}

/* Renames and includes can't break what was read; a call that changes its shape could. */
static bool reshapes(const struct unit *u) {
    for (size_t i = 0; i < u->edits.n; i++)
        if (str_find(u->edits.v[i].text, S("("), 0) < u->edits.v[i].text.n) return true;
    return false;
}

static struct str emit_cuda(struct unit *u) {
    struct str output = edits_apply(u->a, u->src, u->edits.v, u->edits.n);
    if (!reshapes(u)) return output;
    enum parse_status before, after;
    uint32_t had = syntax_errors(u, cu_plain_text(u->a, u->src), &before);
    uint32_t has = syntax_errors(u, cu_plain_text(u->a, output), &after);
    if (before != PARSE_OK || after != PARSE_OK || has <= had) return output;
    uint32_t line, column;
    unit_position(u, u->edits.v[0].start, &line, &column);
    unit_note(u, line, column, true,
              S("internal error: the rewritten text would not parse, so nothing was changed; "
                "please report it"));
    return u->src;
}

static void run_cuda(struct unit *u, struct cm_result *out) {
    struct cu *f = &u->cu;
    struct str output = u->src;
    *f = (struct cu){.a = u->a,
                     .src = u->src,
                     .rules = &u->session->rules,
                     .target = u->in->target->ref,
                     .regex = u->regex,
                     .unsafe = u->session->unsafe_fixes,
                     .cuda = u->in->language == CM_CUDA,
                     .launch_functions = u->session->launch_functions,
                     .semantic = u->in->semantic,
                     .reader = u->in->headers,
                     .path = u->in->name,
                     .project = u->in->facts ? &u->in->facts->cuda : NULL};
    unit_check_text(u);
    bool worth = u->in->dump || unit_has_directive(u) || cu_prefilter(f->rules, u->src);
    if (u->refused || !worth) {
        report(u, output, out);
        out->skipped = !worth;
        return;
    }
    cu_lex(f);
    cu_find_regions(f);
    cu_find_declared(f);
    cu_match_all(f);
    if (f->too_many)
        unit_note(u, 0, 0, true,
                  S("more than 50000 places in it have to do with CUDA; nothing was changed"));
    for (size_t i = 0; i < f->matches.n; i++)
        vec_push(u->a, &u->matches, (struct match *)(void *)&f->matches.v[i]);
    for (size_t i = 0; i < f->comments.n; i++) vec_push(u->a, &u->comments, f->comments.v[i]);
    unit_suppress(u);
    if (!u->refused) cu_plan(f);
    for (size_t i = 0; i < f->edits.n; i++) vec_push(u->a, &u->rewrites, f->edits.v[i]);
    unit_findings(u);
    if (u->edits.n) output = emit_cuda(u);
    if (u->in->dump && u->in->dumped) *u->in->dumped = unit_dump(u, u->in->dump);
    report(u, output, out);
}

/* ---- project files ---- */

static void run_text(struct unit *u, struct cm_result *out) {
    struct text_file *f = &u->text;
    *f = (struct text_file){.a = u->a,
                            .src = u->src,
                            .rules = &u->session->rules,
                            .target = u->in->target->ref,
                            .regex = u->regex,
                            .unsafe = u->session->unsafe_fixes};
    out->skipped = !u->in->dump && !unit_has_directive(u) && !text_prefilter(f->rules, u->src);
    bool skipped = out->skipped;
    if (!skipped) unit_check_text(u);
    if (!skipped && !u->refused) {
        text_match_all(f);
        if (f->too_many)
            unit_note(u, 0, 0, true,
                      S("more than 10000 places in it have to do with CUDA; nothing was changed"));
        for (size_t i = 0; i < f->matches.n; i++)
            vec_push(u->a, &u->matches, (struct match *)(void *)&f->matches.v[i]);
        for (size_t i = 0; i < f->comments.n; i++) vec_push(u->a, &u->comments, f->comments.v[i]);
        unit_suppress(u);
        if (!u->refused) text_plan(f);
        for (size_t i = 0; i < f->edits.n; i++) vec_push(u->a, &u->rewrites, f->edits.v[i]);
        unit_findings(u);
    }
    if (u->in->dump && u->in->dumped) *u->in->dumped = unit_dump(u, u->in->dump);
    report(u, edits_apply(u->a, u->src, u->edits.v, u->edits.n), out);
    out->skipped = skipped;
}

static void run(struct unit *u, struct cm_result *out) {
    if (u->src.n > MAX_SOURCE) {
        unit_note(u, 0, 0, true, S("it is larger than 64 MiB; nothing of it was changed"));
        report(u, u->src, out);
        return;
    }
    switch (u->in->language) {
    case CM_PYTHON:
        run_python_file(u, out);
        return;
    case CM_NOTEBOOK:
        notebook_run(u, run_python, out);
        return;
    case CM_CUDA:
    case CM_CPP:
        run_cuda(u, out);
        return;
    default:
        run_text(u, out);
    }
}

void cm_run_buffer(const struct cm_session *s, struct cm_workspace *w, const struct cm_input *in,
                   struct cm_result *out) {
    jmp_buf escape;
    arena_reset(&w->a);
    w->a.escape = &escape;
    w->a.limit = MAX_UNIT_MEMORY;
    *out = (struct cm_result){.output = in->bytes};
    if (setjmp(escape) == 0) {
        struct unit u = {.session = s, .in = in, .a = &w->a, .regex = w->regex, .src = in->bytes};
        run(&u, out);
        w->a.escape = NULL;
        return;
    }
    static const char sentence[] = "it needs more memory than there is; nothing of it was changed";
    static const struct cm_note out_of_memory = {0, 0, {sentence, sizeof sentence - 1}, true};
    w->a.escape = NULL;
    *out = (struct cm_result){.output = in->bytes, .notes = &out_of_memory, .n_notes = 1};
}

/* ---- workspaces ---- */

struct cm_workspace *cm_workspace_new(void) {
    struct cm_workspace *w = calloc(1, sizeof *w);
    if (!w) return NULL;
    arena_init(&w->a, 0);
    w->regex = regex_cache_new();
    if (!w->regex) {
        free(w);
        return NULL;
    }
    return w;
}

void cm_workspace_free(struct cm_workspace *w) {
    if (!w) return;
    arena_free(&w->a);
    regex_cache_free(w->regex);
    free(w);
}

/* ---- a first look ---- */

bool cm_may_matter(const struct cm_target *target, enum cm_language language, struct str bytes) {
    if (bytes.n > MAX_SOURCE || (bytes.n && memchr(bytes.p, 0, bytes.n))) return true;
    if (!utf8_valid(bytes)) return true;
    if (language == CM_PYTHON) return py_prefilter(&target->anchors, bytes);
    if (language == CM_PROJECT)
        return text_prefilter(target->anchors.rules, bytes) ||
               str_find(bytes, S("cuda-morph:"), 0) < bytes.n;
    if (language != CM_CUDA && language != CM_CPP) return true;
    return cu_prefilter(target->anchors.rules, bytes) ||
           str_find(bytes, S("cuda-morph:"), 0) < bytes.n;
}

/* ---- words ---- */

const char *cm_language_name(enum cm_language l) {
    static const char *const names[] = {"none", "python", "notebook", "cuda", "c++", "project"};
    return names[l];
}

const char *cm_outcome_name(enum cm_outcome o) {
    static const char *const names[] = {"ported", "kept", "manual", "suppressed"};
    return names[o];
}
