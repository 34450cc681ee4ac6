/* SPDX-License-Identifier: Apache-2.0 */
/* findings.c - matches become what the user is told, and comments may silence them. */
#include "engine/language.h"

/* ---- positions ---- */

/* Where the last question was: offsets rise most of the time. */
struct lines {
    size_t at;
    uint32_t line, column;
};

/* Like unit_position, for offsets that only rise. */
static void advance(const struct unit *u, struct lines *l, size_t offset, uint32_t *line,
                    uint32_t *column) {
    if (offset < l->at || !l->line) *l = (struct lines){text_start(u->src), 1, 1};
    for (const char *p;
         l->at < offset && (p = memchr(u->src.p + l->at, '\n', offset - l->at)) != NULL;
         l->line++) {
        l->at = (size_t)(p - u->src.p) + 1;
        l->column = 1;
    }
    if (offset > l->at) {
        l->column += (uint32_t)utf8_count(str_sub(u->src, l->at, offset));
        l->at = offset;
    }
    *line = l->line;
    *column = l->column;
}

/* ---- suppression comments ---- */

static const struct str directive = {"cuda-morph:", 11};
/* What other tools call "not here". */
static const struct str foreign[] = {{"ignore-cuda", 11}, {"noqa", 4}};

bool has_directive_word(struct str bytes) { return str_find(bytes, directive, 0) < bytes.n; }

bool session_has_directive(const struct cm_session *s, struct str bytes) {
    if (has_directive_word(bytes)) return true;
    for (size_t i = 0; s->options.foreign_suppressions && i < ARRAY_LEN(foreign); i++)
        if (str_find(bytes, foreign[i], 0) < bytes.n) return true;
    return false;
}

bool unit_has_directive(const struct unit *u) { return session_has_directive(u->session, u->src); }

enum scope { THIS_LINE, NEXT_LINE, WHOLE_FILE, REGION_ON, REGION_OFF, NO_SCOPE };

static enum scope directive_scope(struct str *text) {
    static const struct {
        struct str word;
        enum scope scope;
    } words[] = {{{"ignore-next", 11}, NEXT_LINE},
                 {{"ignore-file", 11}, WHOLE_FILE},
                 {{"ignore", 6}, THIS_LINE},
                 {{"off", 3}, REGION_OFF},
                 {{"on", 2}, REGION_ON}};
    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (str_starts(*text, words[i].word)) {
            *text = str_sub(*text, words[i].word.n, text->n);
            return words[i].scope;
        }
    return NO_SCOPE;
}

static struct str match_rule_id(const struct match *m) {
    return m->row.rule ? rs_str(m->row.set, m->row.rule->id) : S("");
}

static size_t line_end(struct str s, size_t i) {
    const char *nl = i < s.n ? memchr(s.p + i, '\n', s.n - i) : NULL;
    return nl ? (size_t)(nl - s.p) + 1 : s.n;
}

static size_t line_begin(struct str s, size_t i) {
    while (i > 0 && s.p[i - 1] != '\n') i--;
    return i;
}

static struct str without_indent(struct str s) { return str_sub(s, str_skip_blanks(s, 0), s.n); }

/* A suppression comment as it is read. */
struct suppression {
    size_t hash, end;   /* the `#` before it, and the end of the comment */
    struct str list;    /* "[torch-cuda/memory, torch-device] reason"; ids or domains, without
                           brackets everything */
    size_t start, stop; /* the bytes whose matches it silences */
};

/* Silences what `rule` (an id, a domain, or empty for everything) finds there; false: there is
 * nothing. */
static bool silence(struct unit *u, const struct suppression *s, struct str rule) {
    bool any = false;
    for (size_t i = 0; i < u->matches.n; i++) {
        struct match *m = u->matches.v[i];
        struct str id = match_rule_id(m);
        bool covers = str_starts(id, rule) && (!rule.n || id.n == rule.n || id.p[rule.n] == '/');
        if (m->start < s->start || m->start >= s->stop || !covers) continue;
        m->suppressed = any = true;
    }
    return any;
}

static void add_unused(struct unit *u, struct cm_unused unused) {
    unit_position(u, unused.start, &unused.line, &unused.column);
    unit_position(u, unused.end, &unused.end_line, &unused.end_column);
    vec_push(u->a, &u->unused, unused);
}

/* The comment with the blanks before it, or its whole line where nothing else is on it. */
static void add_unused_comment(struct unit *u, const struct suppression *s) {
    struct cm_unused unused = {
        .start = s->hash, .end = s->end, .remove_start = s->hash, .remove_end = s->end};
    size_t line = line_begin(u->src, s->hash);
    while (unused.remove_start > line && strchr(" \t", u->src.p[unused.remove_start - 1]))
        unused.remove_start--;
    if (unused.remove_start == line) unused.remove_end = line_end(u->src, s->hash);
    add_unused(u, unused);
}

/* The next rule in the brackets, without blanks; at: behind its comma, or the list's end. */
static bool next_rule(struct str list, size_t end, size_t *at, struct str *rule) {
    if (*at >= end) return false;
    size_t comma = str_find(list, S(","), *at);
    if (comma > end) comma = end;
    *rule = without_indent(str_sub(list, *at, comma));
    while (rule->n && strchr(" \t", rule->p[rule->n - 1])) rule->n--;
    *at = comma + 1;
    return true;
}

static void apply_suppression(struct unit *u, const struct suppression *s) {
    if (!s->list.n || s->list.p[0] != '[') {
        if (!silence(u, s, S(""))) add_unused_comment(u, s);
        return;
    }
    VEC(struct cm_unused) unused = {0};
    size_t end = str_find(s->list, S("]"), 0), at = 1, before = 1, used = 0;
    struct str rule;
    for (; next_rule(s->list, end, &at, &rule); before = at) {
        size_t start = (size_t)(rule.p - u->src.p), list = (size_t)(s->list.p - u->src.p);
        bool is_first = before == 1;
        size_t next = at;
        while (is_first && next < end && u->src.p[list + next] == ' ') next++;
        if (rule.n && silence(u, s, rule)) {
            used++;
            continue;
        }
        struct cm_unused one = {.start = start,
                                .end = start + rule.n,
                                .rule = rule,
                                .remove_start = list + before - !is_first,
                                .remove_end = list + (is_first && at <= end ? next : at - 1)};
        vec_push(u->a, &unused, one);
    }
    if (!used) add_unused_comment(u, s);
    for (size_t i = 0; used && i < unused.n; i++) add_unused(u, unused.v[i]);
}

/* The text after "cuda-morph:" in a comment; false where it has none. */
static bool directive_text(const struct unit *u, size_t comment, struct str *text) {
    struct str all = str_sub(u->src, u->comments.v[comment].start, u->comments.v[comment].end);
    size_t at = str_find(all, directive, 0);
    if (at == all.n) return false;
    *text = without_indent(str_sub(all, at + directive.n, all.n));
    return true;
}

static size_t region_end(struct unit *u, size_t after) {
    struct str text;
    for (size_t i = after + 1; i < u->comments.n; i++)
        if (directive_text(u, i, &text) && directive_scope(&text) == REGION_ON)
            return u->comments.v[i].start;
    return u->src.n;
}

/* Only the bare word: `# noqa: E501` is about something else. */
static bool is_foreign(struct str comment) {
    size_t mark = comment.p[0] == '#' ? 1 : 2;
    struct str text = without_indent(str_sub(comment, mark, comment.n));
    for (size_t i = 0; i < ARRAY_LEN(foreign); i++) {
        if (!str_starts(text, foreign[i])) continue;
        struct str rest = without_indent(str_sub(text, foreign[i].n, text.n));
        return !rest.n || rest.p[0] != ':';
    }
    return false;
}

static void suppress(struct unit *u, size_t comment) {
    struct byte_range range = u->comments.v[comment];
    size_t from = range.start, next = line_end(u->src, from);
    struct suppression s = {
        .hash = from, .end = range.end, .start = line_begin(u->src, from), .stop = next};
    if (!directive_text(u, comment, &s.list)) {
        if (u->session->options.foreign_suppressions &&
            is_foreign(str_sub(u->src, from, range.end)))
            silence(u, &s, S(""));
        return;
    }
    for (const char *p = s.list.p; p > u->src.p + from;
         p--) /* `# type: ignore  # cuda-morph: ...` */
        if (*p == '#' || (*p == '/' && p[-1] != '/' && p[1] == '/')) {
            s.hash = (size_t)(p - u->src.p);
            break;
        }
    switch (directive_scope(&s.list)) {
    case THIS_LINE:
        break;
    case NEXT_LINE:
        s.start = next, s.stop = line_end(u->src, next);
        break;
    case WHOLE_FILE:
        s.start = 0, s.stop = u->src.n;
        break;
    case REGION_OFF:
        s.start = from, s.stop = region_end(u, comment);
        break;
    default:
        return;
    }
    apply_suppression(u, &s);
}

void unit_suppress(struct unit *u) {
    for (size_t i = 0; unit_has_directive(u) && i < u->comments.n; i++) suppress(u, i);
    for (size_t i = 0; u->in->wants && i < u->matches.n; i++) {
        struct match *m = u->matches.v[i];
        if (!u->in->wants(u->in->wants_ctx, match_rule_id(m), m->start, m->end))
            m->suppressed = true;
    }
}

/* ---- findings ---- */

static struct str row_note(const struct match *m) {
    struct str note = m->cell ? rs_str(m->row.set, m->cell->note) : (struct str){0};
    if (note.n || !m->row.row) return note;
    return rs_str(m->row.set, m->row.row->note);
}

static struct edits_by_match index_edits(struct unit *u) {
    struct edits_by_match x = {arena_zalloc(u->a, (u->matches.n + 1) * sizeof *x.first),
                               arena_zalloc(u->a, (u->rewrites.n + 1) * sizeof *x.next)};
    for (size_t i = u->rewrites.n; i-- > 0;) {
        uint32_t match = u->rewrites.v[i].match;
        if (match == NO_NODE) continue;
        x.next[i] = x.first[match];
        x.first[match] = (uint32_t)i + 1;
    }
    return x;
}

/* What the match's own edits make of its token. */
static struct str rewritten(struct unit *u, uint32_t match,
                            const struct edits_by_match *by_match) {
    struct str said = u->matches.v[match]->replacement;
    return said.p || !u->language->rewritten ? said : u->language->rewritten(u, match, by_match);
}

/* What port leaves to those who run the program: it is no task of porting, but known to go wrong
 * on the target. */
static bool is_to_verify(const struct unit *u, const struct match *m) {
    return u->session->options.verify && m->row.rule && m->row.rule->lint && !m->demanded;
}

static enum cm_outcome outcome(const struct unit *u, const struct match *m) {
    if (m->suppressed) return CM_SUPPRESSED;
    if (m->verdict == V_SAME) return CM_KEPT;
    if (m->applied) return CM_PORTED;
    return is_to_verify(u, m) ? CM_VERIFY : CM_MANUAL;
}

static struct str unread(const struct unit *u, const struct match *m) {
    return row_unread(m->row, m->cell, u->in->target->ref);
}

static void explain(struct unit *u, const struct match *m, struct cm_finding *f) {
    struct str target = cm_target_title(u->in->target), note = row_note(m);
    const char *key = u->language->title;
    struct str own = key ? target_fact(u->in->target->ref, key) : S("");
    if (own.n) target = own;
    if (f->outcome == CM_SUPPRESSED) {
        f->message = arena_printf(u->a, "`%.*s` is suppressed by a comment", STR_ARG(f->token));
    } else if (f->outcome == CM_KEPT && m->message.p) {
        f->message =
            arena_printf(u->a, "`%.*s` stays: %.*s", STR_ARG(f->token), STR_ARG(m->message));
    } else if (f->outcome == CM_KEPT && m->row.rule && unread(u, m).n) {
        f->message = arena_printf(u->a, "`%.*s` stays on %.*s, unverified: %.*s",
                                  STR_ARG(f->token), STR_ARG(target), STR_ARG(unread(u, m)));
    } else if (f->outcome == CM_KEPT) {
        f->message = arena_printf(u->a, "`%.*s` runs unchanged on %.*s", STR_ARG(f->token),
                                  STR_ARG(target));
    } else if (f->outcome == CM_PORTED) {
        f->message =
            f->replacement.n && !str_eq(f->replacement, f->token)
                ? arena_printf(u->a, "`%.*s` becomes `%.*s`", STR_ARG(f->token),
                               STR_ARG(f->replacement))
                : arena_printf(u->a, "`%.*s` is rewritten or removed with the code around it",
                               STR_ARG(f->token));
    } else if (m->message.p) {
        f->message = m->message;
    } else if (m->row.rule && m->row.rule->lint) { /* it is no task of porting */
        f->message = arena_printf(u->a, "%.*s: `%.*s`", STR_ARG(f->title), STR_ARG(f->token));
    } else if (m->advice.p && !note.n) {
        f->message = arena_printf(u->a, "`%.*s` can't be rewritten here: %.*s", STR_ARG(f->token),
                                  STR_ARG(m->advice));
    } else if (m->verdict == V_NONE) {
        f->message = arena_printf(u->a, "`%.*s` has no counterpart on %.*s", STR_ARG(f->token),
                                  STR_ARG(target));
    } else if (m->verdict == V_CLOSE) {
        f->message = arena_printf(
            u->a,
            "`%.*s` has a counterpart that differs: an unsafe fix, which --unsafe-fixes applies",
            STR_ARG(f->token));
    } else if (m->certainty == C_LIKELY) {
        f->message = arena_printf(
            u->a,
            "`%.*s` may mean something else here: an unsafe fix, which --unsafe-fixes applies",
            STR_ARG(f->token));
    } else {
        f->message = arena_printf(u->a, "`%.*s` needs manual porting for %.*s", STR_ARG(f->token),
                                  STR_ARG(target));
    }
    uint32_t guarded = f->outcome == CM_MANUAL ? m->guarded : 0;
    if (guarded)
        f->message = arena_printf(u->a, "%.*s; %u more of its guard stay%s with it",
                                  STR_ARG(f->message), guarded, guarded == 1 ? "s" : "");
    if (f->more > guarded)
        f->message = arena_printf(u->a, "%.*s, and %u more like it", STR_ARG(f->message),
                                  f->more - guarded);
    f->advice = note;
}

static void add_finding(struct unit *u, uint32_t i, struct lines *lines,
                        const struct edits_by_match *by_match) {
    const struct match *m = u->matches.v[i];
    struct cm_finding f = {.start = m->start,
                           .end = m->end,
                           .token = m->token,
                           .rule = match_rule_id(m),
                           .outcome = outcome(u, m),
                           .verdict = str_of(verdict_name(m->verdict)),
                           .certain = m->certainty == C_EXACT};
    if (f.outcome == CM_MANUAL || f.outcome == CM_VERIFY) f.more = m->more;
    if (f.outcome == CM_MANUAL) f.more += m->guarded;
    advance(u, lines, m->start, &f.line, &f.column);
    struct lines end = *lines;
    advance(u, &end, m->end, &f.end_line, &f.end_column);
    if (m->row.rule) {
        f.title = rs_str(m->row.set, m->row.rule->title);
        f.severity = (uint8_t)m->row.rule->severity;
    }
    if (f.outcome == CM_PORTED) f.replacement = rewritten(u, i, by_match);
    explain(u, m, &f);
    vec_push(u->a, &u->findings, f);
}

/* Whether a match at the same place says more: a token has one outcome. What has to be verified is
 * more than "kept", and less than "manual". */
static bool is_outspoken(const struct unit *u, const struct match *m) {
    enum cm_outcome mine = outcome(u, m);
    if (!u->session->options.verify || (mine != CM_KEPT && mine != CM_VERIFY)) return false;
    for (size_t i = 0; i < u->matches.n; i++) {
        const struct match *other = u->matches.v[i];
        if (other == m || other->start >= m->end || other->end <= m->start) continue;
        if (mine == CM_VERIFY ? !is_to_verify(u, other) && outcome(u, other) == CM_MANUAL
                              : outcome(u, other) == CM_VERIFY)
            return true;
    }
    return false;
}

/* What only check asks for and is well on this target is no token to account for; py_scan leaves
 * it out where nothing else is about. */
static bool says_nothing(const struct unit *u, const struct match *m) {
    return m->told || (m->row.rule && m->row.rule->lint && outcome(u, m) == CM_KEPT);
}

/* ---- which findings are fixed together ---- */

static uint32_t root_of(uint32_t *joined, uint32_t i) {
    while (joined[i] != i) i = joined[i] = joined[joined[i]];
    return i;
}

/* Of texts that go in at one place nothing but the porter says which is the first. */
static void join_insertions(struct unit *u) {
    for (size_t i = 1; i < u->rewrites.n; i++) {
        const struct match_edit *a = &u->rewrites.v[i - 1], *b = a + 1;
        struct match_pair p = {a->match, b->match};
        if (a->end != b->start || a->start != b->end || p.a == NO_NODE || p.b == NO_NODE) continue;
        if (p.a != p.b) vec_push(u->a, &u->joined, p);
    }
}

static uint32_t *join_matches(struct unit *u) {
    uint32_t *joined = arena_alloc(u->a, (u->matches.n + 1) * sizeof *joined);
    for (uint32_t i = 0; i < u->matches.n; i++) joined[i] = i;
    join_insertions(u);
    for (size_t i = 0; i < u->joined.n; i++) {
        struct match_pair p = u->joined.v[i];
        bool applied = u->matches.v[p.a]->applied && u->matches.v[p.b]->applied;
        if (applied) joined[root_of(joined, p.a)] = root_of(joined, p.b);
    }
    return joined;
}

/* What asks for one edit of a group asks for all of it. At most one group is asked for: that of
 * the #include of the runtime's header. */
static void spread_needs(struct unit *u) {
    size_t i = 0;
    while (i < u->edits.n && !(u->edits.v[i].need && u->edits.v[i].finding < u->findings.n)) i++;
    if (i == u->edits.n) return;
    const struct cm_edit asked = u->edits.v[i];
    for (i = 0; i < u->edits.n; i++) {
        struct cm_edit *e = &u->edits.v[i];
        if (e->finding < u->findings.n &&
            u->findings.v[e->finding].group == u->findings.v[asked.finding].group)
            e->need = asked.need;
    }
}

/* Every ported finding gets the first of its group and what the whole group needs. */
static void group_findings(struct unit *u, const uint32_t *finding_of) {
    size_t n = u->matches.n;
    uint32_t *joined = join_matches(u);
    uint32_t *first = arena_alloc(u->a, (n + 1) * sizeof *first);
    uint32_t *needs = arena_zalloc(u->a, (n + 1) * sizeof *needs);
    for (uint32_t i = 0; i < n; i++) first[i] = UINT32_MAX;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t root = root_of(joined, i);
        if (!u->matches.v[i]->applied) continue;
        if (finding_of[i] < first[root]) first[root] = finding_of[i];
        needs[root] |= u->matches.v[i]->needs;
    }
    for (uint32_t i = 0; i < n; i++) {
        if (!u->matches.v[i]->applied || says_nothing(u, u->matches.v[i])) continue;
        u->findings.v[finding_of[i]].group = first[root_of(joined, i)];
        u->findings.v[finding_of[i]].needs = needs[root_of(joined, i)];
    }
    spread_needs(u);
}

bool cm_fix_has(const struct cm_result *r, const struct cm_finding *f, const struct cm_edit *e) {
    if (f->outcome != CM_PORTED) return false;
    if (e->need && (f->needs >> e->need & 1)) return true;
    return e->finding < r->n_findings ? r->findings[e->finding].group == f->group : !e->need;
}

static int by_place(const void *x, const void *y, const void *unit) {
    const struct unit *u = unit;
    uint32_t a = u->matches.v[*(const uint32_t *)x]->start;
    uint32_t b = u->matches.v[*(const uint32_t *)y]->start;
    return (a > b) - (a < b);
}

void unit_findings(struct unit *u) {
    size_t n = u->matches.n;
    uint32_t *order = arena_alloc(u->a, (n + 1) * sizeof *order);
    uint32_t *finding_of = arena_alloc(u->a, (n + 1) * sizeof *finding_of);
    struct lines lines = {0};
    struct edits_by_match by_match = index_edits(u);
    /* matches of a from-import come before those in front of them now and then */
    for (uint32_t i = 0; i < n; i++) order[i] = i;
    sort_stable(u->a, order, n, sizeof *order, by_place, u);
    for (uint32_t i = 0; i < n; i++) {
        finding_of[order[i]] = (uint32_t)u->findings.n;
        const struct match *m = u->matches.v[order[i]];
        bool nothing = says_nothing(u, m);
        if (!nothing && !is_outspoken(u, m)) add_finding(u, order[i], &lines, &by_match);
        struct py_word word = {m->start, m->end,
                               m->elsewhere ? S("a finding in another file is about it")
                               : m->told    ? S("a finding further up is about it")
                                            : S("a hazard that the target does not have")};
        bool listed = u->language->accounts_words && !u->session->options.verify;
        if (nothing && (m->told || listed)) vec_push(u->a, &u->py.words, word);
    }
    for (size_t i = 0; i < u->rewrites.n; i++) {
        const struct match_edit *e = &u->rewrites.v[i];
        struct cm_edit edit = {e->start, e->end, e->text,
                               e->match == NO_NODE ? UINT32_MAX : finding_of[e->match], e->need};
        vec_push(u->a, &u->edits, edit);
    }
    group_findings(u, finding_of);
}

static int by_start(const void *x, const void *y, const void *context) {
    (void)context;
    uint32_t a = ((const struct py_word *)x)->start, b = ((const struct py_word *)y)->start;
    return (a > b) - (a < b);
}

void unit_words(struct unit *u) {
    struct lines lines = {0, 1, 0};
    sort_stable(u->a, u->py.words.v, u->py.words.n, sizeof *u->py.words.v, by_start, NULL);
    for (size_t i = 0; i < u->py.words.n; i++) {
        const struct py_word *w = &u->py.words.v[i];
        struct cm_finding f = {.start = w->start,
                               .end = w->end,
                               .token = str_sub(u->src, w->start, w->end),
                               .message = w->why,
                               .verdict = str_of(verdict_name(V_SAME)),
                               .certain = true,
                               .outcome = CM_KEPT};
        advance(u, &lines, w->start, &f.line, &f.column);
        struct lines end = lines;
        advance(u, &end, w->end, &f.end_line, &f.end_column);
        vec_push(u->a, &u->words, f);
    }
}
