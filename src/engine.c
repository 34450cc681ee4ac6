/* engine.c - the pipeline, readable aloud: check -> prefilter -> parse -> resolve and match ->
 * plan -> emit -> report. */
#include "engine.h"

#include "edit/edit.h"
#include "notebook.h"

#include <stdlib.h>

enum { MAX_SOURCE = 64 * 1024 * 1024, MAX_UNIT_MEMORY = 512 * 1024 * 1024 };
static const double PARSE_SECONDS = 4;

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

static void plan(struct unit *u) {
    unit_suppress(u);
    py_apply(&u->py);
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
        if (!u->refused) plan(u); /* else what was found is for a human */
        unit_findings(u);
        if (u->edits.n) output = emit(u);
    }
    if (u->in->dump && u->in->dumped) *u->in->dumped = unit_dump(u, u->in->dump);
    bool skipped = out->skipped;
    report(u, output, out);
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
        run_python(u, out);
        return;
    case CM_NOTEBOOK:
        notebook_run(u, run_python, out);
        return;
    case CM_CUDA:
    case CM_CPP:
        unit_note(u, 0, 0, false,
                  S("CUDA C++ is not ported by this version; the file was left as it is"));
        break;
    default:
        unit_note(u, 0, 0, false,
                  S("files of this kind are not ported by this version; it was left as it is"));
        break;
    }
    report(u, u->src, out);
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

/* ---- workspaces and project facts ---- */

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

struct cm_project_facts *cm_facts_new(struct arena *a) {
    struct cm_project_facts *f = NEW(a, struct cm_project_facts);
    f->a = a;
    return f;
}

/* Lexical, so that it costs nothing: `class X` lines, and `def cuda(` below them with a deeper
 * indent. */
void cm_facts_collect(struct cm_project_facts *f, enum cm_language language, struct str src) {
    if (language == CM_NOTEBOOK) {
        struct arena scratch;
        arena_init(&scratch, 0);
        scratch.escape = f->a->escape;
        cm_facts_collect(f, CM_PYTHON, notebook_text(&scratch, src));
        arena_free(&scratch);
        return;
    }
    if (language != CM_PYTHON) return;
    if (str_find(src, S("self.is_cuda = "), 0) < src.n)
        vec_push(f->a, &f->python.own_attributes, S("is_cuda"));
    static const char *const defs[] = {"def cuda(", "def is_cuda("};
    for (size_t d = 0; d < ARRAY_LEN(defs); d++)
        for (size_t at = 0; (at = str_find(src, str_of(defs[d]), at)) < src.n; at++) {
            size_t line = at, indent = 0;
            while (line > 0 && src.p[line - 1] != '\n') line--;
            while (src.p[line + indent] == ' ' || src.p[line + indent] == '\t') indent++;
            if (indent == 0 || line + indent != at) continue;
            for (size_t end = line; end > 0;) { /* upwards to the class it is in */
                size_t start = end - 1;
                while (start > 0 && src.p[start - 1] != '\n') start--;
                size_t in = 0;
                while (src.p[start + in] == ' ' || src.p[start + in] == '\t') in++;
                struct str text = str_sub(src, start + in, end);
                if (in < indent && str_starts(text, S("class "))) {
                    size_t n = 6;
                    while (n < text.n && text.p[n] != '(' && text.p[n] != ':' && text.p[n] != ' ')
                        n++;
                    vec_push(f->a, &f->python.own_cuda_classes,
                             arena_str(f->a, str_sub(text, 6, n)));
                    break;
                }
                if (in == 0 && text.n > 1 && text.p[0] != '#' && text.p[0] != '\n' &&
                    text.p[0] != ')')
                    break;
                end = start;
            }
        }
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
