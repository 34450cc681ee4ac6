/* SPDX-License-Identifier: Apache-2.0 */
/* lang_python.c - Python's row of the pipeline.
 *
 * Parsing is what costs, so only the statements that can matter are parsed, and the whole file
 * where those do not tell enough; both ways give the same matches, which the tests hold. What is
 * written is parsed once more, again only where it was edited. */
#include "edit/edit.h"
#include "engine/language.h"

static bool prefilter(const struct cm_target *target, enum cm_language language,
                      struct str bytes) {
    (void)language;
    return py_prefilter(&target->anchors, bytes);
}

static bool is_worth(struct unit *u) {
    if (!u->in->dump && !prefilter(u->in->target, u->in->language, u->readable)) return false;
    u->names.n = 0;
    py_scan(&u->scan, u->a, &u->in->target->anchors, u->readable, &u->names);
    return u->scan.any || u->in->dump || unit_has_directive(u);
}

/* ---- match ---- */

/* The tree of the ranges, which another target may have wanted before. A text that had to be
 * changed to be read is no one else's. */
static enum parse_status parse(struct unit *u, struct tree *t) {
    const struct byte_range *ranges = u->partial ? u->scan.ranges.v : NULL;
    size_t n = u->partial ? u->scan.ranges.n : 0;
    struct parses *parses = u->readable.p == u->src.p ? u->parses : NULL;
    bool whole;
    if (parses_find(parses, ranges, n, t, &whole)) {
        u->py.partial = u->partial = !whole;
        return PARSE_OK;
    }
    enum parse_status status =
        tree_parse(t, u->a, &u->session->python, u->readable, ranges, n, PARSE_SECONDS);
    if (status != PARSE_OK) return status;
    py_lift_stars(t);
    parses_keep(parses, ranges, n, t);
    return status;
}

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
                     .parsed_names = &u->names,
                     .stub = str_ends(u->in->name, S(".pyi")),
                     .options = &u->session->options};
    if (parse(u, &f->tree) != PARSE_OK) {
        unit_note(u, 0, 0, true, S("parsing takes too long; the file was left unchanged"));
        return false;
    }
    if (f->tree.first_error != NO_NODE && u->partial) return false;
    py_match_all(f);
    if (f->too_many)
        unit_note(u, 0, 0, true,
                  S("the file has more than 10,000 matches; it was left unchanged"));
    return !f->too_many;
}

/* Statements that can matter, and then with them those with names that turned out to matter.
 * False: nothing less than the whole file will do. */
static bool match_parts(struct unit *u) {
    enum { ROUNDS = 3 };
    for (int round = 0; round < ROUNDS; round++) {
        struct arena_mark mark = arena_mark(u->a);
        const struct py_names *wanted = &u->py.wanted_names;
        if (parse_and_match(u) && !u->py.wants_whole && (!u->partial || !wanted->n)) return true;
        if (u->refused) return false; /* which says why */
        arena_release(u->a, mark);
        bool known = !u->py.wants_whole && wanted->n;
        if (!known || u->names.n + wanted->n > PY_MAX_NAMES) return false;
        for (uint32_t i = 0; i < wanted->n; i++) u->names.v[u->names.n++] = wanted->v[i];
        py_scan(&u->scan, u->a, &u->in->target->anchors, u->readable, &u->names);
        if (u->scan.parsed_bytes > u->readable.n / 2) return false;
    }
    return false;
}

/* Statements that can matter first; the whole file when those alone don't tell enough. */
static void parse_resolve_match(struct unit *u) {
    uint32_t line, column, node;
    u->partial = !unit_has_directive(u) && u->in->dump == CM_DUMP_NONE;
    if (!u->partial || !match_parts(u)) {
        if (u->refused) return;
        u->partial = false;
        if (!parse_and_match(u)) return;
        while (u->py.tree.first_error != NO_NODE && u->py.matches.n &&
               py_hide_stars(&u->py, &u->readable))
            if (!parse_and_match(u)) return;
        if (u->py.tree.first_error != NO_NODE && u->py.matches.n) {
            unit_position(u, py_node(&u->py, u->py.tree.first_error)->start, &line, &column);
            unit_note(u, line, column, true, S("syntax error: nothing of the file was changed"));
            return;
        }
    }
    if (!u->refused && py_is_python_2(&u->py, &node)) {
        unit_position(u, py_node(&u->py, node)->start, &line, &column);
        unit_note(u, line, column, true, S("this is Python 2; nothing of the file was changed"));
    }
}

static void gather(struct unit *u) {
    for (uint32_t i = 0; i < u->py.matches.n; i++)
        vec_push(u->a, &u->matches, &u->py.matches.v[i].base);
    for (uint32_t i = 0; i < u->py.tree.n; i++) {
        const struct node *n = py_node(&u->py, i);
        struct byte_range r = {n->start, n->end};
        if (n->kind == PY_COMMENT) vec_push(u->a, &u->comments, r);
    }
}

static void match(struct unit *u) {
    parse_resolve_match(u);
    if (u->py.tree.n) gather(u);
}

/* ---- plan ---- */

/* The text with the edits, which are sorted; no text where two of them overlap. */
static struct str with_edits(struct unit *u, const struct match_edit *v, size_t n) {
    VEC(struct cm_edit) edits = {0};
    for (size_t i = 0; i < n; i++) {
        if (i && v[i].start < v[i - 1].end) return (struct str){0};
        struct cm_edit e = {v[i].start, v[i].end, v[i].text, UINT32_MAX, 0};
        vec_push(u->a, &edits, e);
    }
    return edits_apply(u->a, u->readable, edits.v, edits.n);
}

/* Lines are broken by their text alone; whether they then say what they said before, only a parser
 * tells. Where they do not, they stay long. */
static void unwrap_what_differs(struct unit *u) {
    struct py *f = &u->py;
    struct tree tree[2];
    struct arena_mark mark = arena_mark(u->a);
    struct str text[2] = {with_edits(u, f->unwrapped.v, f->unwrapped.n),
                          with_edits(u, f->edits.v, f->edits.n)};
    bool same = text[0].p && text[1].p;
    for (int i = 0; i < 2 && same; i++)
        same = tree_parse(&tree[i], u->a, &u->session->python, text[i], NULL, 0, PARSE_SECONDS) ==
               PARSE_OK;
    same = same && py_says_same(u->a, &tree[0], text[0], &tree[1], text[1]);
    arena_release(u->a, mark);
    if (same) return;
    f->edits.n = 0;
    for (size_t i = 0; i < f->unwrapped.n; i++) vec_push(u->a, &f->edits, f->unwrapped.v[i]);
}

static void plan(struct unit *u) {
    py_apply(&u->py);
    shared_fold(u);
    if (u->py.unwrapped.n) unwrap_what_differs(u);
    for (size_t i = 0; i < u->py.edits.n; i++) vec_push(u->a, &u->rewrites, u->py.edits.v[i]);
    for (size_t i = 0; i < u->py.joined.n; i++) vec_push(u->a, &u->joined, u->py.joined.v[i]);
}

/* The rest of a call that was begun, where it is short and stays as it is; "...)" otherwise. */
static void end_call(struct unit *u, struct buf *b, size_t at) {
    enum { SHORT = 40 };
    int open = 0;
    for (size_t i = 0; i < b->n; i++) open += (b->p[i] == '(') - (b->p[i] == ')');
    if (open <= 0) return;
    for (size_t i = at, depth = (size_t)open; i < u->src.n && i < at + SHORT; i++) {
        bool touched = strchr("\n\r\"'#", u->src.p[i]) != NULL;
        for (size_t k = 0; k < u->rewrites.n && !touched; k++)
            touched = u->rewrites.v[k].start <= i && u->rewrites.v[k].end > i;
        if (touched) break;
        depth += u->src.p[i] == '(';
        depth -= u->src.p[i] == ')';
        if (depth) continue;
        buf_add(b, str_sub(u->src, at, i + 1));
        return;
    }
    buf_addz(b, "...)"); /* arguments that stay where they are are not repeated */
}

/* What the match's own edits make of its token. */
static struct str rewritten(struct unit *u, uint32_t match,
                            const struct edits_by_match *by_match) {
    const struct py_match *m = &u->py.matches.v[match];
    struct buf b;
    buf_init(&b, u->a);
    size_t from = py_node(&u->py, m->node)->start, end = py_node(&u->py, m->node)->end;
    if (m->kind == PM_ATTRIBUTE || m->kind == PM_KEYWORD) from = m->start, end = m->end;
    if (m->kind == PM_STRING) from = m->literal.start, end = m->literal.end;
    for (uint32_t i = by_match->first[match]; m->kind == PM_STRING && i; i = by_match->next[i - 1])
        if (u->rewrites.v[i - 1].start > end) /* with its quotes, where it is more than its text */
            from = py_node(&u->py, m->literal.string)->start;
    for (uint32_t i = by_match->first[match]; i && m->kind == PM_ATTRIBUTE;
         i = by_match->next[i - 1]) { /* with its object, where that is edited, too */
        const struct match_edit *e = &u->rewrites.v[i - 1];
        struct str between = str_sub(u->src, e->start, from);
        if (e->start >= from || memchr(between.p, '\n', between.n)) continue;
        from = e->start;
    }
    for (uint32_t i = by_match->first[match]; i; i = by_match->next[i - 1]) {
        const struct match_edit *e = &u->rewrites.v[i - 1];
        if (e->start >= from && e->start <= u->src.n) buf_add(&b, str_sub(u->src, from, e->start));
        buf_add(&b, e->text);
        if (e->end > from) from = e->end;
    }
    if (b.n && from < end) buf_add(&b, str_sub(u->src, from, end));
    end_call(u, &b, from > end ? from : end);
    return b.p ? buf_str(&b) : (struct str){0};
}

/* ---- emit ---- */

/* A piece of the input that is read again as a whole or not at all. */
struct piece {
    struct byte_range r;
    bool touched;
};
typedef VEC(struct piece) pieces;

/* What of a range may stand alone: its statements of the top level; of one that goes on in the
 * next range, a class, what is there. */
static void cut_range(struct unit *u, struct byte_range r, uint32_t *node, pieces *out) {
    const struct tree *t = &u->py.tree;
    struct piece piece = {.r = r};
    for (; *node < t->n && t->v[*node].start < r.end; *node = t->v[*node].next) {
        uint32_t start = t->v[*node].start;
        bool cuts = start > piece.r.start && t->v[*node].kind != PY_COMMENT;
        if (!cuts || u->src.p[start - 1] != '\n') continue;
        piece.r.end = start;
        vec_push(u->a, out, piece);
        piece.r = (struct byte_range){start, r.end};
    }
    vec_push(u->a, out, piece);
}

/* A name, or several joined by dots, of which no part is a word of the language. */
static bool is_name(const struct unit *u, struct str s, bool *dotted) {
    *dotted = false;
    for (size_t i = 0, end; i <= s.n; i = end + 1) {
        for (end = i; end < s.n && py_is_word_byte(s.p[end]); end++) {
        }
        struct str part = str_sub(s, i, end);
        if (!part.n || (part.p[0] >= '0' && part.p[0] <= '9') || (end < s.n && s.p[end] != '.'))
            return false;
        if (rules_lists(&u->session->rules, "python.keywords", part)) return false;
        *dotted |= end < s.n;
    }
    return true;
}

/* A name for a name: in code, in a text and in a comment what could be read still can. */
static bool renames(const struct unit *u, const struct cm_edit *e) {
    bool had, has;
    bool inside = (e->start > 0 && py_is_word_byte(u->src.p[e->start - 1])) ||
                  (e->end < u->src.n && py_is_word_byte(u->src.p[e->end]));
    return !inside && is_name(u, str_sub(u->src, e->start, e->end), &had) &&
           is_name(u, e->text, &has) && (had || !has);
}

/* The pieces where they are in the output, and which of them were rewritten. */
static void move_pieces(struct unit *u, pieces *all) {
    ptrdiff_t shift = 0;
    for (size_t i = 0, e = 0; i < all->n; i++) {
        struct piece *p = &all->v[i];
        bool last = i + 1 == all->n;
        uint32_t end = p->r.end;
        p->r.start = (uint32_t)((ptrdiff_t)p->r.start + shift);
        for (; e < u->edits.n && (u->edits.v[e].end <= end || last); e++) {
            const struct cm_edit *edit = &u->edits.v[e];
            shift += (ptrdiff_t)edit->text.n - (ptrdiff_t)(edit->end - edit->start);
            p->touched |= !renames(u, edit);
        }
        p->r.end = (uint32_t)((ptrdiff_t)end + shift);
    }
}

enum { MOST_PIECES = 64 }; /* of a parse: see scan.c */

/* The statements of the output that may read otherwise than before; false: all of it has to be
 * read. */
static bool edited_ranges(struct unit *u, struct byte_range **out, size_t *n) {
    VEC(struct byte_range) v = {0};
    const struct py_scan *scan = &u->scan;
    pieces all = {0};
    if (u->in->dump) return false;
    for (size_t i = 0, r = 0; i < u->edits.n; i++) {
        while (r < scan->ranges.n && scan->ranges.v[r].end < u->edits.v[i].end) r++;
        if (r == scan->ranges.n || u->edits.v[i].start < scan->ranges.v[r].start) return false;
    }
    uint32_t node = 1;
    for (size_t i = 0; i < scan->ranges.n; i++) cut_range(u, scan->ranges.v[i], &node, &all);
    size_t n_all = all.n;
    uint32_t *start = arena_alloc(u->a, (n_all + 1) * sizeof *start);
    for (size_t i = 0; i < n_all; i++) start[i] = all.v[i].r.start;
    move_pieces(u, &all);
    for (size_t i = 0, end; i < n_all; i = end) {
        bool any = all.v[i].touched;
        for (end = i + 1; end < n_all && strchr(" \t", u->src.p[start[end]]); end++)
            any |= all.v[end].touched; /* members of the same class */
        for (; any && i < end; i++) {
            bool joins = v.n && v.v[v.n - 1].end == all.v[i].r.start;
            if (joins)
                v.v[v.n - 1].end = all.v[i].r.end;
            else
                vec_push(u->a, &v, all.v[i].r);
        }
    }
    *out = v.v;
    *n = v.n;
    return v.n <= MOST_PIECES;
}

/* The text, or `n` ranges of it, by a parser that has not seen it before. */
static enum reading reads(struct unit *u, struct str text, const struct byte_range *ranges,
                          size_t n) {
    struct arena_mark mark = arena_mark(u->a);
    struct py check = {.a = u->a};
    enum parse_status status;
    do status = tree_parse(&check.tree, u->a, &u->session->python, text, ranges, n, PARSE_SECONDS);
    while (status == PARSE_OK && check.tree.first_error != NO_NODE &&
           py_hide_stars(&check, &text));
    bool parses = check.tree.first_error == NO_NODE;
    arena_release(u->a, mark);
    return status != PARSE_OK ? READS_TOO_SLOWLY : parses ? READS : READS_NOT;
}

/* What pieces say against it, the whole has to say, too: where one ends, the parser sees another
 * text. */
static enum reading reads_again(struct unit *u, struct str output) {
    struct str readable = edits_apply(u->a, u->readable, u->edits.v, u->edits.n);
    struct byte_range *ranges = NULL;
    size_t n = 0;
    (void)output; /* it may be in an encoding that tree-sitter can't read */
    if (edited_ranges(u, &ranges, &n)) {
        if (!n) return READS;
        enum reading pieces = reads(u, readable, ranges, n);
        if (pieces != READS_NOT) return pieces;
    }
    return reads(u, readable, NULL, 0);
}

/* ---- dump ---- */

static void dump_tokens(struct unit *u, struct buf *b) {
    for (size_t i = 0; i < u->scan.ranges.n; i++) {
        struct byte_range r = u->scan.ranges.v[i];
        uint32_t line, column, end, end_column;
        unit_position(u, r.start, &line, &column);
        unit_position(u, r.end, &end, &end_column);
        buf_printf(b, "lines %u-%u can matter (bytes %u-%u)\n", line, end, r.start, r.end);
    }
    buf_printf(b, "%zu of %zu bytes would be parsed\n", u->scan.any ? u->scan.parsed_bytes : 0,
               u->src.n);
}

static void dump_tree(struct unit *u, struct buf *b) {
    const struct tree *t = &u->py.tree;
    uint32_t *depth_of = arena_zalloc(u->a, (t->n + 1) * sizeof *depth_of);
    for (uint32_t i = 0; i < t->n; i++) {
        const char *kind = t->v[i].kind ? py_kind_table.names[t->v[i].kind] : "node";
        unit_dump_node(u, b, t, i, depth_of, t->v[i].named ? kind : NULL);
    }
}

static void dump_names(struct unit *u, struct buf *b) {
    static const char *const kinds[] = {"import",   "from",  "value", "parameter",
                                        "function", "class", "other", "elsewhere"};
    for (size_t i = 0; i < u->py.bindings.n; i++) {
        const struct py_binding *x = &u->py.bindings.v[i];
        uint32_t line, column;
        unit_position(u, py_node(&u->py, x->node)->start, &line, &column);
        struct str path = x->path;
        if (x->kind == B_VALUE) path = py_resolve(&u->py, x->value).path;
        buf_printf(b, "%u:%u scope %u %s %.*s = %.*s\n", line, column, x->scope, kinds[x->kind],
                   STR_ARG(x->name), STR_ARG(path));
    }
}

static void dump(struct unit *u, enum cm_dump stage, struct buf *b) {
    if (stage == CM_DUMP_TOKENS) dump_tokens(u, b);
    if (stage == CM_DUMP_TREE) dump_tree(u, b);
    if (stage == CM_DUMP_NAMES) dump_names(u, b);
}

const struct language python_language = {.name = "python",
                                         .accounts_words = true,
                                         .prefilter = prefilter,
                                         .check_text = unit_check_encoding,
                                         .is_worth = is_worth,
                                         .match = match,
                                         .plan = plan,
                                         .reads_again = reads_again,
                                         .rewritten = rewritten,
                                         .dump = dump};
