/* SPDX-License-Identifier: Apache-2.0 */
/* notebook.c - a notebook is ported as one Python text: an import in one cell counts in the next.
 *
 * Cells that are no Python are left out of that text. Should an edit have no place in the file,
 * its cell is left out too and the rest is ported anew: what belongs together stays together. */
#include "engine/notebook.h"

#include <assert.h>

#include "edit/edit.h"

/* Goes before a cell whose first statement is indented, which IPython allows. */
static const struct str OPENS_BLOCK = {"if 1:\n", 6};

/* ---- places ---- */

/* The file's byte where the cell's byte `at` starts or, for an end, where the one before ends. */
static size_t json_offset(const struct nb_cell *c, size_t at, bool end) {
    size_t low = 0, high = c->spans.n, byte = at - end;
    while (high - low > 1) {
        size_t middle = (low + high) / 2;
        if (c->spans.v[middle].at <= byte)
            low = middle;
        else
            high = middle;
    }
    const struct nb_span *s = &c->spans.v[low];
    if (end && at == s->at + s->n) return s->json + s->json_n;
    return s->json_n ? s->json + (at - s->at) : s->json;
}

/* The cell that holds that byte of the Python text. */
static struct nb_cell *cell_at(struct notebook *nb, size_t offset) {
    struct nb_cell *found = NULL;
    for (size_t i = 0; i < nb->cells.n; i++) {
        struct nb_cell *c = &nb->cells.v[i];
        if (!c->left && (!found || c->begin <= offset)) found = c;
    }
    assert(found); /* or there would be no text to have an offset in */
    return found;
}

/* An offset into the Python text as one into the cell's own text. */
static size_t offset_in(const struct nb_cell *c, size_t offset) {
    size_t at = offset > c->at ? offset - c->at : 0;
    return at < c->text.n ? at : c->text.n;
}

static void position_in(const struct nb_cell *c, size_t at, uint32_t *line, uint32_t *column) {
    size_t start = 0;
    *line = 1 + c->hidden;
    for (const char *p; (p = memchr(c->text.p + start, '\n', at - start)) != NULL; (*line)++)
        start = (size_t)(p - c->text.p) + 1;
    *column = (uint32_t)utf8_count(str_sub(c->text, start, at)) + 1;
    for (size_t i = 0; i < c->spans.n && c->spans.v[i].at < at; i++)
        if (!c->spans.v[i].json_n && c->spans.v[i].at >= start) *column -= c->spans.v[i].n;
}

/* ---- telling ---- */

static void cell_note(struct unit *u, const struct nb_cell *c, size_t json, bool fatal,
                      struct str message) {
    uint32_t line, column;
    unit_position(u, json, &line, &column);
    unit_note(u, line, column, fatal,
              arena_printf(u->a, "cell %u: %.*s", c->number, STR_ARG(message)));
}

/* Nothing is said of a cell that no rule has anything to do with. */
static void leave(struct unit *u, struct nb_cell *c, struct str why) {
    c->left = true;
    if (c->anchored) cell_note(u, c, c->json, false, why);
}

/* Whether what is no Python, most of it for a shell, has a word of CUDA's, or something that a
 * rule for scripts is about. What anchors rules in Python, such as `true` and `or`, proves nothing
 * here. */
static bool means_cuda(struct unit *u, struct str text) {
    size_t end;
    struct py_words words;
    py_read_words(&u->session->rules, &words);
    if (py_find_word(&words, text, 0, &end) < text.n) return true;
    struct text_file f = {.a = u->a,
                          .src = text,
                          .rules = &u->session->rules,
                          .target = u->in->target->ref,
                          .regex = u->regex,
                          .path = S("cell.sh"),
                          .options = &u->session->options};
    text_match_all(&f);
    return f.matches.n > 0;
}

/* A line of %env that becomes Python. */
struct setting {
    size_t start;
    struct str line;
    struct nb_environment parts;
};

struct hider {
    struct unit *u;
    const struct nb_cell *cell;
    VEC(struct setting) settings;
};

static void note_hidden(void *ctx, size_t start, size_t end) {
    struct hider *h = ctx;
    struct str line = str_sub(h->cell->text, start, end);
    if (!means_cuda(h->u, line)) return;
    struct setting s = {.start = start, .line = {arena_strdup(h->u->a, line), line.n}};
    if (notebook_is_environment(s.line, &s.parts) &&
        !means_cuda(h->u, str_sub(s.line, s.parts.name_end, s.parts.end))) {
        vec_push(h->u->a, &h->settings, s);
        return;
    }
    line.n = str_find(line, S("\n"), 0);
    cell_note(
        h->u, h->cell, json_offset(h->cell, start, false), false,
        arena_printf(h->u->a, "`%.*s` is not Python, so it was left as it is", STR_ARG(line)));
}

/* ---- from cells to one text ---- */

/* A line of the file's text that is not of the Python program, such as %%time. */
static void drop_first_line(struct unit *u, struct nb_cell *c) {
    size_t n = 0, first = 0;
    struct hider h = {.u = u, .cell = c};
    while (n < c->text.n && strchr("\r\n", c->text.p[n])) c->hidden += c->text.p[n++] == '\n';
    size_t start = n;
    n = str_find(c->text, S("\n"), n);
    note_hidden(&h, start, n);
    if (n < c->text.n) n++;
    c->hidden++;
    while (first < c->spans.n && c->spans.v[first].at < n) first++;
    c->spans.v += first;
    c->spans.n -= first;
    for (size_t i = 0; i < c->spans.n; i++) c->spans.v[i].at -= (uint32_t)n;
    c->text = str_sub(c->text, n, c->text.n);
}

static bool is_indented(struct str text) {
    bool indented = false;
    for (size_t i = 0; i < text.n; i++) {
        char c = text.p[i];
        if (c == '\n')
            indented = false;
        else if (c == ' ' || c == '\t')
            indented = true;
        else if (c == '#')
            i = str_find(text, S("\n"), i) - 1;
        else if (c != '\r')
            return indented;
    }
    return false;
}

static void add_cell(struct buf *b, struct nb_cell *c) {
    c->begin = (uint32_t)b->n;
    if (is_indented(c->text)) buf_add(b, OPENS_BLOCK);
    c->at = (uint32_t)b->n;
    buf_add(b, c->text);
    buf_addc(b, '\n');
}

/* As Python 3, before another statement: a last backslash or decorator would take it in. */
static bool parses(struct unit *u, struct nb_cell *c) {
    struct tree t;
    struct buf b;
    buf_init(&b, u->a);
    add_cell(&b, c);
    buf_addz(&b, "import x\n");
    enum parse_status status =
        tree_parse(&t, u->a, &u->session->python, buf_str(&b), NULL, 0, PARSE_SECONDS);
    if (status != PARSE_OK || t.first_error != NO_NODE) return false;
    for (uint32_t i = 0; i < t.n; i++)
        if (t.v[i].kind == PY_PRINT || t.v[i].kind == PY_EXEC) return false;
    return true;
}

static void prepare(struct unit *u, struct nb_cell *c) {
    if (c->unreadable) {
        leave(u, c,
              S("the cell holds characters that no Python source has, so it was left as it is"));
        return;
    }
    enum nb_magic magic = notebook_cell_magic(c->text);
    if (magic == NB_FOREIGN) {
        c->anchored = means_cuda(u, c->text);
        leave(u, c,
              S("the cell's first line says that it is not Python, so it was left as it is"));
        return;
    }
    if (magic == NB_PYTHON) drop_first_line(u, c);
    struct hider h = {.u = u, .cell = c};
    notebook_hide_magics((char *)c->text.p, c->text.n, note_hidden, &h);
    for (size_t i = h.settings.n; i-- > 0;) {
        const struct setting *s = &h.settings.v[i];
        notebook_spell_environment(u->a, c, s->start, s->line, &s->parts);
    }
    if (!c->spans.n)
        c->left = true;
    else if (!parses(u, c))
        leave(u, c, S("the cell does not parse as Python 3, so it was left as it is"));
}

static struct str join(struct unit *u, struct notebook *nb) {
    struct buf b;
    buf_init(&b, u->a);
    for (size_t i = 0; i < nb->cells.n; i++)
        if (!nb->cells.v[i].left) add_cell(&b, &nb->cells.v[i]);
    size_t n = b.n;
    for (int i = 0; i < 64; i++) buf_addc(&b, 0);
    return (struct str){b.p, n};
}

/* ---- from results to the file ---- */

static bool ends_line(struct str s) { return s.n && s.p[s.n - 1] == '\n'; }

/* What goes before an indented cell is indented like it. */
static void move_into_block(struct unit *u, const struct nb_cell *c, struct cm_edit *e) {
    struct buf b;
    size_t first = 0, end;
    while (first < c->text.n && strchr(" \t\r\n", c->text.p[first])) first++;
    for (end = first; first > 0 && c->text.p[first - 1] != '\n';) first--;
    buf_init(&b, u->a);
    for (size_t i = 0; i < e->text.n; i++) {
        bool starts_line = i == 0 || e->text.p[i - 1] == '\n';
        if (starts_line && !strchr("\r\n", e->text.p[i]))
            buf_add(&b, str_sub(c->text, first, end));
        buf_addc(&b, e->text.p[i]);
    }
    *e = (struct cm_edit){c->at, c->at, buf_str(&b), e->finding, e->need};
}

/* A cell's last line ends between cells: what takes that break takes the one before instead. */
static void stay_inside(const struct nb_cell *c, struct cm_edit *e, size_t floor) {
    size_t end = c->at + c->text.n;
    if (e->start == e->end || e->end != end + 1) return;
    e->end = end;
    if (ends_line(e->text)) e->text.n--;
    if (e->text.n) return;
    if (floor < c->at) floor = c->at;
    for (const char *taken = "\n\r"; *taken && e->start > floor; taken++, e->start--)
        if (c->text.p[e->start - c->at - 1] != *taken) return;
}

/* `floor`: the end of the edit before. False when the edit is not within one cell. */
static bool place_edit(struct unit *u, struct notebook *nb, struct nb_cell *c, struct cm_edit *e,
                       size_t floor) {
    stay_inside(c, e, floor);
    if (c->begin < c->at && e->start == c->begin && e->end == c->begin) move_into_block(u, c, e);
    if (e->start < c->at || e->end > c->at + c->text.n) return false;
    size_t from = e->start - c->at, to = e->end - c->at, n = c->text.n;
    struct str text = e->text, before = S("");
    if (from == n) {
        while (text.n && strchr("\r\n", text.p[text.n - 1])) text.n--;
        if (ends_line(c->text)) before = c->separator;
    }
    /* What is deleted up to the end of the cell leaves no empty string behind. */
    bool after = from == n || (to == n && !text.n && from > 0 && from + c->at > floor);
    e->start = json_offset(c, from, after);
    e->end = from == to ? e->start : json_offset(c, to, true);
    bool closes = u->src.p[e->end] == '"';
    if (closes && from < to && to < n && !ends_line(text)) {
        e->end = json_offset(c, to, false); /* the line that follows continues this one */
        closes = false;
    }
    e->text = arena_concat(u->a, before, notebook_escape(u->a, nb, c, text, closes));
    return true;
}

static void place_finding(struct notebook *nb, struct cm_finding *f) {
    const struct nb_cell *c = cell_at(nb, f->start);
    size_t from = offset_in(c, f->start), to = offset_in(c, f->end);
    f->cell = c->number;
    f->start = json_offset(c, from, false);
    f->end = json_offset(c, to, true);
    position_in(c, from, &f->line, &f->column);
    position_in(c, to, &f->end_line, &f->end_column);
}

/* Deleting a comment from the JSON is left to a human. */
static void place_unused(struct notebook *nb, struct cm_unused *s) {
    struct cm_finding f = {.start = s->start, .end = s->end};
    place_finding(nb, &f);
    *s = (struct cm_unused){.start = f.start,
                            .end = f.end,
                            .line = f.line,
                            .column = f.column,
                            .end_line = f.end_line,
                            .end_column = f.end_column,
                            .cell = f.cell,
                            .rule = s->rule};
}

static void place_note(struct unit *u, struct notebook *nb, const struct cm_note *n,
                       struct str text) {
    if (!n->line) {
        unit_note(u, 0, 0, n->fatal, n->message);
        return;
    }
    size_t start = 0;
    for (uint32_t line = 1; line < n->line; line++) start = str_find(text, S("\n"), start) + 1;
    start += utf8_offset(str_sub(text, start, text.n), n->column - 1);
    const struct nb_cell *c = cell_at(nb, start);
    size_t at = offset_in(c, start);
    cell_note(u, c, json_offset(c, at, at == c->text.n), n->fatal, n->message);
}

/* False when a cell had to be left and all has to be done anew. */
static bool port_text(struct unit *u, struct notebook *nb, pipeline *python,
                      struct cm_result *out) {
    struct cm_input in = *u->in;
    struct cm_result r = {0};
    in.language = CM_PYTHON;
    in.bytes = join(u, nb);
    struct unit inner = {.session = u->session,
                         .language = u->language,
                         .in = &in,
                         .a = u->a,
                         .regex = u->regex,
                         .src = in.bytes};
    python(&inner, &r);
    struct cm_edit *edits = arena_alloc(u->a, (r.n_edits + 1) * sizeof *edits);
    for (size_t i = 0; i < r.n_edits; i++) {
        struct nb_cell *c = cell_at(nb, r.edits[i].start);
        edits[i] = r.edits[i];
        if (place_edit(u, nb, c, &edits[i], i ? r.edits[i - 1].end : 0)) continue;
        leave(u, c, S("a rewrite of the cell has no place in the file, so it was left as it is"));
        return false;
    }
    struct cm_finding *findings = arena_alloc(u->a, (r.n_findings + 1) * sizeof *findings);
    for (size_t i = 0; i < r.n_findings; i++) {
        findings[i] = r.findings[i];
        place_finding(nb, &findings[i]);
    }
    for (size_t i = 0; i < r.n_notes; i++) place_note(u, nb, &r.notes[i], in.bytes);
    r.edits = edits;
    r.findings = findings;
    struct cm_finding *words = arena_alloc(u->a, (r.n_words + 1) * sizeof *words);
    for (size_t i = 0; i < r.n_words; i++) {
        words[i] = r.words[i];
        place_finding(nb, &words[i]);
    }
    r.words = words;
    for (size_t i = 0; i < inner.unused.n; i++) place_unused(nb, &inner.unused.v[i]);
    r.output = r.changed ? edits_apply(u->a, u->src, edits, r.n_edits) : u->src;
    *out = r;
    return true;
}

/* ---- the whole of it ---- */

static bool read_cells(struct unit *u, struct notebook *nb) {
    uint32_t line, column;
    if (u->src.n == 0) return false; /* Jupyter makes a notebook of it when it is opened */
    if (!notebook_read(nb, u->a, u->src)) {
        unit_position(u, nb->error_at, &line, &column);
        unit_note(
            u, line, column, true,
            arena_printf(u->a, "the notebook is no JSON: %s; it was left unchanged", nb->error));
        return false;
    }
    if (nb->language.n) {
        unit_note(u, 0, 0, false,
                  arena_printf(
                      u->a, "the notebook's cells are in %.*s, not Python; it was left as it is",
                      STR_ARG(nb->language)));
        return false;
    }
    if (!nb->has_cells)
        unit_note(
            u, 0, 0, false,
            nb->has_worksheets
                ? S("the notebook's format is older than 4; it was left as it is (Jupyter "
                    "converts it: jupyter nbconvert --to notebook)")
                : S("the file has no list of cells, so it is no notebook; it was left as it is"));
    return nb->has_cells;
}

void notebook_run(struct unit *u, pipeline *python, struct cm_result *out) {
    struct notebook nb;
    bool anchored = false;
    *out = (struct cm_result){.output = u->src, .skipped = true};
    if (read_cells(u, &nb)) {
        for (size_t i = 0; i < nb.cells.n; i++) {
            struct nb_cell *c = &nb.cells.v[i];
            c->anchored = py_prefilter(&u->in->target->anchors, c->text);
            anchored |= c->anchored || text_prefilter(u->in->target->anchors.rules, c->text);
        }
        if (anchored || u->in->dump) {
            for (size_t i = 0; i < nb.cells.n; i++) prepare(u, &nb.cells.v[i]);
            while (!port_text(u, &nb, python, out)) continue;
        }
    } else {
        out->skipped = false;
    }
    out->notes = u->notes.v;
    out->n_notes = u->notes.n;
}
