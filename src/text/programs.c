/* SPDX-License-Identifier: Apache-2.0 */
/* programs.c - Python within a script: python - <<EOF, python -c "...", shell: python.
 *
 * Such a program has no file of its own that could be ported, and half of it would run and compute
 * elsewhere. So it is ported where all words of CUDA's in it are, and told as one place else. */
#include "text/text.h"

static bool is_blank(char ch) { return ch == ' ' || ch == '\t'; }

static void add(struct text_file *f, size_t start, size_t end) {
    struct byte_range r = {(uint32_t)start, (uint32_t)end};
    if (end > start) vec_push(f->a, &f->programs, r);
}

static size_t line_end(struct str src, size_t at) { return str_find(src, S("\n"), at); }

/* After the lines up to the one that is the word alone. */
static size_t end_of_document(struct str src, size_t at, struct str word) {
    for (size_t end; at < src.n; at = end + 1) {
        end = line_end(src, at);
        size_t first = str_skip_blanks(src, at);
        struct str line = str_sub(src, first < end ? first : end, end);
        if (str_ends(line, S("\r"))) line.n--;
        if (str_eq(line, word)) return at;
    }
    return src.n;
}

/* python - <<EOF, cat >x.py <<'EOF' */
static void find_document(struct text_file *f, struct str line, size_t start, size_t next) {
    size_t at = str_find(line, S("<<"), 0), end;
    if (at == line.n || (at + 2 < line.n && line.p[at + 2] == '<')) return;
    bool python = str_find(str_sub(line, 0, at), S("python"), 0) < at ||
                  str_find(line, S(".py"), 0) < line.n;
    for (at += 2; at < line.n && strchr(" \t-~\\\"'", line.p[at]);) at++;
    for (end = at; end < line.n && is_word_char(line.p[end]);) end++;
    if (!python || end == at || start + at >= next) return;
    add(f, next, end_of_document(f->src, next, str_sub(line, at, end)));
}

/* python3 -u -c "...", ["python", "-c", "..."]: from the word python on. */
static void find_option(struct text_file *f, size_t at) {
    struct str src = f->src;
    size_t stop = line_end(src, at), option = at;
    while (option < stop && (is_word_char(src.p[option]) || strchr(" \t.-,\"'", src.p[option]))) {
        bool is = src.p[option] == '-' && option + 2 < stop && src.p[option + 1] == 'c' &&
                  !is_word_char(src.p[option + 2]) && strchr(" \t\"'", src.p[option - 1]);
        if (is) break;
        option++;
    }
    if (option + 2 >= stop || src.p[option] != '-' || src.p[option + 1] != 'c') return;
    size_t i = option + 2, open = 0;
    for (; i < stop && strchr(" \t,\"'\\", src.p[i]); i++)
        if (src.p[i] == '"' || src.p[i] == '\'') open = i;
    if (!open) return;
    bool escaped = src.p[open - 1] == '\\';
    for (i = open + 1; i < src.n && src.p[i] != src.p[open]; i++)
        if (src.p[i] == '\\' && src.p[open] == '"' &&
            !(escaped && src.p[i + 1 < src.n ? i + 1 : i] == '"'))
            i++;
    add(f, open + 1, i < src.n ? i : src.n);
}

/* The block below `run: |` of a step whose `shell: python` stands at the same column. */
static void find_step(struct text_file *f, size_t start, size_t column) {
    struct str src = f->src;
    size_t at = start;
    while (at) { /* to the step's first line */
        size_t before = at - 1;
        while (before && src.p[before - 1] != '\n') before--;
        size_t first = str_skip_blanks(src, before);
        if (first < at - 1 && first - before < column && src.p[first] != '-') break;
        at = before;
        if (src.p[first] == '-' && first - before < column) break;
    }
    for (size_t end, open = 0; at < src.n; at = end + 1) {
        end = line_end(src, at);
        size_t first = str_skip_blanks(src, at), dash = first;
        if (first >= end) continue;
        while (dash + 1 < end && src.p[dash] == '-' && is_blank(src.p[dash + 1]))
            dash = str_skip_blanks(src, dash + 1);
        bool key = dash - at <= column;
        if (open && key) {
            add(f, open, at);
            open = 0;
        }
        if (at > start && (first - at < column)) return;
        if (key && str_starts(str_sub(src, dash, end), S("run:"))) open = end + 1;
        if (open && end + 1 >= src.n) add(f, open, src.n);
    }
}

void text_find_programs(struct text_file *f) {
    struct str src = f->src;
    for (size_t at = 0, end; at < src.n; at = end + 1) {
        end = line_end(src, at);
        struct str line = str_sub(src, at, end);
        size_t first = str_skip_blanks(line, 0);
        if (first == line.n || line.p[first] == '#') continue;
        find_document(f, line, at, end + 1 < src.n ? end + 1 : src.n);
        for (size_t i = 0; (i = str_find(line, S("python"), i)) < line.n; i++)
            find_option(f, at + i);
        struct str shell = str_sub(line, first, line.n);
        if (str_starts(shell, S("- "))) first += 2;
        if (str_starts(str_sub(line, first, line.n), S("shell: python"))) find_step(f, at, first);
    }
}

bool text_in_program(const struct text_file *f, size_t at) {
    for (size_t i = 0; i < f->programs.n; i++)
        if (at >= f->programs.v[i].start && at < f->programs.v[i].end) return true;
    return false;
}

/* ---- what becomes of them ---- */

/* Whether the adapter that the target needs is neither imported there nor by what is written. */
static bool lacks_import(const struct text_file *f, struct str text, const struct byte_range *r) {
    struct str adapter = target_fact(f->target, "import");
    bool has = !adapter.n || str_find(text, adapter, 0) < text.n;
    for (size_t i = 0; i < f->matches.n && !has; i++) {
        const struct text_match *m = &f->matches.v[i];
        has = m->applied && m->start >= r->start && m->start < r->end &&
              str_find(m->replacement, adapter, 0) < m->replacement.n;
    }
    return !has;
}

void text_name_properly(struct text_match *m) {
    size_t from = 0;
    if (str_find(m->token, S(";"), 0) == m->token.n) return;
    for (size_t i = 0; i < m->token.n; i++)
        if (!is_word_char(m->token.p[i]) && m->token.p[i] != '.') from = i + 1;
    m->token = str_sub(m->token, from, m->token.n);
    m->start += (uint32_t)from;
}

static void leave(struct text_file *f, const struct byte_range *r) {
    struct text_match *first = NULL;
    for (size_t i = 0; i < f->matches.n; i++) {
        struct text_match *m = &f->matches.v[i];
        if (m->start < r->start || m->start >= r->end || m->suppressed || m->told) continue;
        if (m->applied) {
            m->applied = false;
            m->blocked = true;
        }
        if (m->verdict == V_SAME && !m->blocked) continue;
        m->verdict = V_MANUAL;
        text_name_properly(m);
        m->told = first != NULL;
        if (first)
            first->more += 1 + m->more;
        else
            first = m;
    }
    if (first)
        first->message = arena_printf(f->a,
                                      "`%.*s` is in a program within the script, which is ported "
                                      "as a whole or not at all: write it for %.*s",
                                      STR_ARG(first->token),
                                      STR_ARG(rs_str(f->target.set, f->target.target->title)));
}

void text_join_programs(struct text_file *f) {
    for (size_t k = 0; k < f->programs.n; k++) {
        const struct byte_range *r = &f->programs.v[k];
        bool left = false, ported = false;
        for (size_t i = 0; i < f->matches.n; i++) {
            const struct text_match *m = &f->matches.v[i];
            if (m->start < r->start || m->start >= r->end) continue;
            left |= match_is_left(&m->base);
            ported |= m->applied;
        }
        if (left || (ported && lacks_import(f, str_sub(f->src, r->start, r->end), r))) leave(f, r);
    }
}
