/* SPDX-License-Identifier: Apache-2.0 */
/* plan.c - what becomes of the words that were found. */
#include "text/text.h"

#include "rules/template.h"

static void add_text(void *context, struct str text) { buf_add(context, text); }

/* The template with the target's facts in it; false where one is missing. */
static bool fill_in(const struct text_file *f, const struct text_match *m, struct str template,
                    struct str *out) {
    struct buf b;
    struct str why;
    struct template_sink sink = {
        .context = &b, .a = f->a, .target = f->target, .name = m->token, .text = add_text};
    buf_init(&b, f->a);
    if (!template_expand(template, &sink, &why)) return false;
    *out = buf_str(&b);
    return true;
}

/* Whether the name stands in the file by itself, outside of comments or in them. */
static bool has_name(struct str src, struct str name) {
    for (size_t at = 0; (at = str_find(src, name, at)) < src.n; at++) {
        char before = at ? src.p[at - 1] : ' ';
        char after = at + name.n < src.n ? src.p[at + name.n] : ' ';
        bool inside = before == '_' || after == '_' || (after >= 'A' && after <= 'Z') ||
                      (before >= 'A' && before <= 'Z');
        if (!inside) return true;
    }
    return false;
}

/* What a variable is set to here: what follows it and a sign between both. */
static struct str value_set(const struct text_file *f, const struct text_match *m) {
    size_t i = m->end, end;
    bool sign = false;
    while (i < f->src.n && strchr(" \t=:\"'", f->src.p[i])) sign |= !!f->src.p[i++];
    for (end = i; end < f->src.n && !strchr(" \t\r\n\"';", f->src.p[end]);) end++;
    return sign ? str_sub(f->src, i, end) : (struct str){0};
}

/* Whether what a variable is set to is NVIDIA's by a word. ${X:-0} and $X",1" name the variable
 * itself, which moves along. */
static bool names_nvidia(const struct text_file *f, struct str s, struct str variable) {
    struct str word;
    for (size_t own = 0; variable.n && (own = str_find(s, variable, own)) < s.n;) {
        char *p = arena_strdup(f->a, s);
        memset(p + own, '_', variable.n);
        s = (struct str){p, s.n};
    }
    for (size_t at = 0; rules_next_word(f->rules, "cuda.vendor_words", &at, &word);)
        if (str_find(s, word, 0) < s.n) return true;
    return false;
}

static bool needs_a_look(const struct text_file *f, const struct text_match *m) {
    size_t from = m->start, end = str_find(f->src, S("\n"), m->start);
    while (from && f->src.p[from - 1] != '\n') from--;
    return m->cell && m->cell->unless_line.n &&
           regex_match(f->regex, &m->cell->unless_line, rs_str(m->row.set, m->cell->unless_line),
                       str_sub(f->src, from, end));
}

static bool is_operator(struct str s, size_t i) {
    return i + 1 < s.n && s.p[i + 1] == '=' && (s.p[i] == '=' || s.p[i] == '!');
}

/* Whether what is compared here is a shell's: [ $x == or [ x ==. */
static bool is_shells(struct str s, size_t end) {
    if (text_name_in_test(s, end).n) return true;
    while (end && (s.p[end - 1] == ' ' || is_word_char(s.p[end - 1]))) end--;
    return end && s.p[end - 1] == '[';
}

/* Whether an expression compares something with the same value at a place where none was found:
 * if: matrix.device == 'cuda'. It would not follow, and a step be left out without a word. Tests
 * of shells are read before: what is left of them asks for something else. */
static bool find_compared(const struct text_file *f, struct str value) {
    for (size_t at = 0; (at = str_find(f->src, value, at)) < f->src.n; at++) {
        size_t before = at, after = at + value.n;
        if (!at || after >= f->src.n || !strchr("'\"", f->src.p[at - 1]) ||
            f->src.p[after] != f->src.p[at - 1])
            continue;
        for (before--, after++; before && f->src.p[before - 1] == ' ';) before--;
        after = str_skip_blanks(f->src, after);
        bool right = before > 1 && is_operator(f->src, before - 2);
        if (right ? is_shells(f->src, before - 2) : !is_operator(f->src, after)) continue;
        bool found = false;
        for (size_t i = 0; i < f->matches.n; i++) found |= f->matches.v[i].start == at;
        if (!found) return true;
    }
    return false;
}

static bool is_compared(struct text_file *f, struct str value) {
    if (!str_eq(f->compared, value)) f->is_compared = find_compared(f, value);
    f->compared = value;
    return f->is_compared;
}

static void decide(struct text_file *f, struct text_match *m) {
    struct str text = m->cell ? rs_str(m->row.set, m->cell->text) : (struct str){0};
    bool allowed = text_may_rewrite(f, m);
    if (!text.n) text_name_properly(m);
    if (m->suppressed || m->verdict == V_SAME) return;
    if (needs_a_look(f, m)) {
        m->verdict = V_MANUAL;
        return;
    }
    if (m->is_prose) {
        m->verdict = V_MANUAL;
        m->message = arena_printf(f->a,
                                  "`%.*s` stands within a text of the settings, not as a value: "
                                  "look whether a program reads it",
                                  STR_ARG(m->token));
        return;
    }
    if (m->is_likely && !f->is_data) {
        m->verdict = V_MANUAL;
        m->message = arena_printf(f->a,
                                  "`%.*s` looks like a device under this key: look what the "
                                  "program that reads it takes",
                                  STR_ARG(m->token));
        return;
    }
    if (m->is_item) {
        m->verdict = V_MANUAL;
        m->message = arena_printf(f->a,
                                  "`%.*s` is an item of a list: decide whether the target's takes "
                                  "its place or stands beside it",
                                  STR_ARG(m->token));
        return;
    }
    if (f->is_data) {
        m->verdict = V_MANUAL;
        m->is_shared = text_can_share(f, m);
        m->message =
            arena_printf(f->a,
                         "`%.*s` is in a file of settings or results: change it where the "
                         "program takes it for its own",
                         STR_ARG(m->token));
        return;
    }
    if (m->cell && !text.n && m->cell->expression.n) {
        m->verdict = V_MANUAL;
        m->is_shared = text_can_share(f, m);
        m->message = arena_printf(f->a,
                                  "`%.*s` %s, and a file of this kind can't ask which one is "
                                  "there",
                                  STR_ARG(m->token),
                                  m->row.rule->shape == SHAPE_EXACT ? "is for some devices only"
                                                                    : "names one vendor's device");
        return;
    }
    if (!text.n || (m->cell && m->cell->unverified) || !fill_in(f, m, text, &m->replacement)) {
        if (allowed) m->verdict = V_MANUAL;
        m->is_shared =
            text_can_share(f, m) && (!m->row.rule->texts || text_is_one_decision(f, m->row));
        return;
    }
    if (m->is_variable && has_name(f->src, m->replacement)) {
        m->verdict = V_SAME;
        m->message = arena_printf(f->a, "the file sets %.*s, too", STR_ARG(m->replacement));
        return;
    }
    struct str value = m->is_variable ? value_set(f, m) : (struct str){0};
    if (allowed && names_nvidia(f, value, m->token)) {
        m->blocked = true;
        m->message = arena_printf(f->a, "`%.*s` would be %.*s, and its value `%.*s` is NVIDIA's",
                                  STR_ARG(m->token), STR_ARG(m->replacement), STR_ARG(value));
        return;
    }
    if (allowed && !m->is_variable && !m->row.rule->by_form && is_compared(f, m->token)) {
        m->blocked = true;
        m->message = arena_printf(f->a,
                                  "`%.*s` is what another line of the file compares with, and "
                                  "both have to change together",
                                  STR_ARG(m->token));
        return;
    }
    m->applied = allowed;
    m->is_shared = !allowed && text_can_share(f, m) && !m->row.rule->texts;
}

/* What one line sets, another reads. */
static void keep_together(struct text_file *f) {
    for (size_t i = 0; i < f->matches.n; i++) {
        const struct text_match *m = &f->matches.v[i];
        bool stays = m->is_variable && !m->applied && m->verdict != V_SAME;
        for (size_t k = 0; stays && k < f->matches.n; k++) {
            struct text_match *other = &f->matches.v[k];
            if (!other->is_variable || !other->applied || !str_eq(other->token, m->token))
                continue;
            other->applied = false;
            other->blocked = true;
            other->message = arena_printf(f->a, "`%.*s` stays with its other places in the file",
                                          STR_ARG(m->token));
        }
    }
}

/* Whether it is about what NVIDIA's toolkit builds: its compiler's options, its place. */
static bool is_of_build(const struct text_file *f, const struct text_match *m) {
    struct str id = rs_str(m->row.set, m->row.rule->id);
    return rules_lists(f->rules, "cuda.build_rules", id) ||
           rules_lists(f->rules, "cuda.build_variables", m->token);
}

/* cuda-cudart and cuda-libraries in one list of packages: the rule says the same of both. */
static bool is_same_advice(const struct text_match *a, const struct text_match *b) {
    return b->row.rule->together && a->row.rule == b->row.rule && a->verdict == b->verdict &&
           a->cell && b->cell && a->cell->note.n &&
           str_eq(rs_str(a->row.set, a->cell->note), rs_str(b->row.set, b->cell->note));
}

/* One decision is one finding: how a script that builds with NVIDIA's toolkit is to build for the
 * target, or what becomes of a name that the file has in several places. The first place speaks
 * for the others. */
static void gather_decisions(struct text_file *f) {
    for (size_t i = 0; i < f->matches.n; i++) {
        struct text_match *m = &f->matches.v[i], *first = NULL;
        if (m->told || !match_is_left(&m->base)) continue;
        bool builds = is_of_build(f, m);
        for (size_t k = 0; k < i && !first; k++) {
            struct text_match *other = &f->matches.v[k];
            if (other->told || !match_is_left(&other->base)) continue;
            bool same = other->row.rule == m->row.rule && str_eq(other->token, m->token);
            bool one_build = builds && is_of_build(f, other);
            if (same || is_same_advice(other, m) || one_build) first = other;
        }
        if (!first) continue;
        m->told = true;
        first->more += 1 + m->more;
        if (builds && !str_eq(first->token, m->token))
            first->message = arena_printf(
                f->a,
                "`%.*s` is for a build with NVIDIA's toolkit, which has to be "
                "written for %.*s",
                STR_ARG(first->token), STR_ARG(rs_str(f->target.set, f->target.target->title)));
    }
}

/* A workflow is written for a machine: where a human has to look at one place of it, the others
 * wait for that, and all are one finding. Half of it would run nowhere. */
static bool leave_workflow(struct text_file *f) {
    struct text_match *first = NULL;
    bool left = false, port = f->options->verify; /* check tells each place */
    for (size_t i = 0; i < f->matches.n; i++) left |= match_is_left(&f->matches.v[i].base);
    if (!left || !text_is_workflow(f)) return false;
    for (size_t i = 0; i < f->matches.n; i++) {
        struct text_match *m = &f->matches.v[i];
        if (m->applied) {
            m->blocked = true;
            m->message = arena_printf(f->a, "`%.*s` stays with the other places of the workflow",
                                      STR_ARG(m->token));
        }
        m->applied = false;
        if (!match_is_left(&m->base)) continue;
        m->told = port && first;
        if (m->told) first->more += 1 + m->more;
        if (!first) first = m;
    }
    if (first->more)
        first->message = arena_printf(f->a,
                                      "`%.*s` is for a machine of NVIDIA's, as the workflow is: "
                                      "decide which one the target's is to run on",
                                      STR_ARG(first->token));
    return port;
}

/* All places of a variable are one fix. */
static void join_variables(struct text_file *f) {
    for (uint32_t i = 0; i < f->matches.n; i++) {
        const struct text_match *m = &f->matches.v[i];
        for (uint32_t k = i + 1; m->is_variable && m->applied && k < f->matches.n; k++) {
            const struct text_match *other = &f->matches.v[k];
            struct match_pair pair = {i, k};
            if (!other->is_variable || !str_eq(other->token, m->token)) continue;
            vec_push(f->a, &f->joined, pair);
            break; /* which is joined with the next */
        }
    }
}

void text_plan(struct text_file *f) {
    for (size_t i = 0; i < f->matches.n; i++) decide(f, &f->matches.v[i]);
    keep_together(f);
    text_join_programs(f);
    text_fold_shared(f);
    if (!leave_workflow(f)) gather_decisions(f);
    join_variables(f);
    for (size_t i = 0; i < f->matches.n; i++) {
        struct text_match *m = &f->matches.v[i];
        if (m->blocked) m->verdict = V_MANUAL;
        if (!m->applied) continue;
        struct match_edit e = {m->start, m->end, m->replacement, (uint32_t)i, false, 0};
        vec_push(f->a, &f->edits, e);
    }
}
