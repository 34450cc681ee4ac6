/* SPDX-License-Identifier: Apache-2.0 */
/* wrap.c - lines that edits made longer than the project's formatter leaves them are broken where
 * it would break them: behind the last bracket, else behind brackets of their own, then at commas,
 * `if` and `else`, `and` and `or`.
 *
 * Only whole lines are looked at, as they will be: each byte of such a line knows whether it is
 * the file's or an edit's, so that a break goes to the file between edits, or into an edit's text.
 * What can't be broken so stays long, as the formatter leaves it. */
#include "python/imports.h"

enum { STEP = 4, DEEPEST = 6, OWN_LEAST = 100, OWN_MOST = 120 };

/* A byte of the line as it will be. */
struct origin {
    uint32_t at;   /* in the file, or in the edit's text */
    uint32_t edit; /* index + 1; 0: the file's */
};

struct line_break {
    size_t from, to; /* bytes of the line that go */
    struct str text;
};

struct wrapped {
    struct py *f;
    struct str text;
    struct origin *origin; /* of each byte, and of the end */
    size_t limit;
    VEC(struct line_break) breaks;
};

/* How many columns the text takes. */
static size_t width(struct str s) {
    size_t n = 0;
    for (size_t i = 0; i < s.n; i++) n += ((unsigned char)s.p[i] & 0xC0) != 0x80;
    return n;
}

static void break_at(struct wrapped *w, size_t from, size_t to, const char *before, size_t indent,
                     const char *after) {
    struct line_break b = {from, to,
                           arena_printf(w->f->a, "%s%.*s%*s%s", before, STR_ARG(py_eol(w->f)),
                                        (int)indent, "", after)};
    vec_push(w->f->a, &w->breaks, b);
}

/* The end of the string that begins there; `i` itself where none does. */
static size_t string_end(struct str s, size_t i) {
    char quote = s.p[i];
    if (quote != '"' && quote != '\'') return i;
    bool triple = i + 2 < s.n && s.p[i + 1] == quote && s.p[i + 2] == quote;
    for (i += triple ? 3 : 1; i < s.n; i++) {
        if (s.p[i] == '\\')
            i++;
        else if (s.p[i] == quote &&
                 (!triple || (i + 2 < s.n && s.p[i + 1] == quote && s.p[i + 2] == quote)))
            return i + (triple ? 3 : 1);
    }
    return s.n;
}

/* The bracket that closes the one at `open`; s.n: none does. */
static size_t closing(struct str s, size_t open) {
    size_t depth = 0;
    for (size_t i = open; i < s.n;) {
        size_t end = string_end(s, i);
        if (end > i) {
            i = end;
            continue;
        }
        depth += strchr("([{", s.p[i]) != NULL;
        if (strchr(")]}", s.p[i]) && --depth == 0) return i;
        i++;
    }
    return s.n;
}

/* What divides an expression, the weakest first. */
enum divider { D_NONE, D_LOGIC, D_TERNARY, D_COMMA, D_FOR };

static size_t skip_blanks(struct str s, size_t i, size_t end) {
    while (i < end && s.p[i] == ' ') i++;
    return i;
}

/* Whether the word stands at i by itself. */
static bool word_at(struct str s, size_t i, const char *word) {
    size_t n = strlen(word);
    return i + n < s.n && memcmp(s.p + i, word, n) == 0 && i && s.p[i - 1] == ' ' &&
           s.p[i + n] == ' ';
}

/* Whether the word stands there and is no part of another; blanks need not be around it: )for(a */
static bool is_word_here(struct str s, size_t i, const char *word) {
    size_t n = strlen(word);
    return i && i + n < s.n && memcmp(s.p + i, word, n) == 0 && !is_word_char(s.p[i - 1]) &&
           !is_word_char(s.p[i + n]);
}

/* A `for` of a comprehension begins there, with its `async`. */
static bool begins_for(struct str s, size_t i) {
    if (word_at(s, i, "async")) return is_word_here(s, skip_blanks(s, i + 6, s.n), "for");
    return is_word_here(s, i, "for") && !(i >= 6 && word_at(s, i - 6, "async"));
}

/* The next place of [from, to) that is in no bracket or string and divides. */
static enum divider next_divider(struct str s, size_t *from, size_t to) {
    for (size_t i = *from; i < to;) {
        size_t end = string_end(s, i);
        if (end == i && strchr("([{", s.p[i])) end = closing(s, i) + 1;
        if (end > i) {
            i = end;
            continue;
        }
        *from = i;
        if (is_word_here(s, i, "lambda")) return D_NONE;
        if (begins_for(s, i)) return D_FOR;
        if (s.p[i] == ',') return D_COMMA;
        if (word_at(s, i, "if") || word_at(s, i, "else")) return D_TERNARY;
        if (word_at(s, i, "and") || word_at(s, i, "or")) return D_LOGIC;
        i++;
    }
    return D_NONE;
}

static enum divider strongest(struct str s, size_t from, size_t to, size_t *count) {
    enum divider best = D_NONE, d;
    *count = 0;
    for (size_t i = from; (d = next_divider(s, &i, to)) != D_NONE; i++) {
        if (d > best) *count = 0;
        if (d > best) best = d;
        *count += d == best;
    }
    return best;
}

/* The last brackets with something in them, where nothing but attributes, indices and empty calls
 * follows; false: there are none. */
static bool last_pair(struct str s, size_t from, size_t to, size_t *open) {
    bool found = false;
    for (size_t i = from; i < to;) {
        size_t end = string_end(s, i);
        if (end > i) {
            found = false;
        } else if (strchr("([{", s.p[i])) {
            end = closing(s, i);
            bool is_index = s.p[i] == '[' && i > from && !strchr(" =(,[{", s.p[i - 1]);
            bool is_one = end > i + 1 && !is_index;
            if (is_one) *open = i;
            found |= is_one;
            end++;
        } else if (!is_word_char(s.p[i]) && s.p[i] != '.') {
            found = false;
        }
        i = end > i ? end : i + 1;
    }
    return found;
}

/* Behind the word that a part begins with, which divides it from the one before. */
static size_t skip_divider(struct str s, size_t from) {
    static const char *const words[] = {"and", "else", "if", "or"};
    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (word_at(s, from, words[i])) return from + strlen(words[i]) + 1;
    return from;
}

static bool fit(struct wrapped *w, size_t from, size_t to, size_t indent, size_t tail, int depth);

/* x for y in z if w [from, to): a line for each of its clauses. What is made for each element may
 * be broken, but never goes into brackets together with a `for`: {k: (v for v in w)} is a
 * dictionary of one generator. */
static void fit_comprehension(struct wrapped *w, size_t from, size_t to, size_t indent,
                              int depth) {
    struct str s = w->text;
    enum divider d;
    size_t start = from;
    bool clauses = false;
    for (size_t i = from; (d = next_divider(s, &i, to)) != D_NONE; i++) {
        clauses |= d == D_FOR;
        if (i == from || (d != D_FOR && !(clauses && word_at(s, i, "if")))) continue;
        size_t end = s.p[i - 1] == ' ' ? i - 1 : i;
        fit(w, start, end, indent, 0, depth);
        break_at(w, end, i, "", indent, "");
        start = i;
    }
    fit(w, start, to, indent, 0, depth);
}

/* The part [from, to) in brackets that are there, or get there, on lines of its own; `commas`: one
 * may stand behind the last of what the brackets hold. */
static void fit_inside(struct wrapped *w, size_t from, size_t to, size_t indent, bool commas,
                       int depth) {
    struct str s = w->text;
    if (indent + width(str_sub(s, from, to)) <= w->limit || depth >= DEEPEST) return;
    size_t count, start = from, first = skip_divider(s, from);
    enum divider best = strongest(s, first, to, &count), d;
    if (best == D_FOR) {
        fit_comprehension(w, from, to, indent, depth + 1);
        return;
    }
    if (best == D_NONE || (best == D_COMMA && !commas)) {
        fit(w, from, to, indent, 0, depth);
        return;
    }
    for (size_t i = first; (d = next_divider(s, &i, to)) != D_NONE; i++) {
        if (d != best) continue;
        size_t next = skip_blanks(s, i + 1, to);
        if (best != D_COMMA) {
            fit(w, start, i - 1, indent, 0, depth);
            break_at(w, i - 1, i, "", indent, "");
            start = i;
        } else if (next < to) {
            fit(w, start, i, indent, 1, depth);
            break_at(w, i + 1, next, "", indent, "");
            start = next;
        } else {
            to = i; /* the comma stands there already */
            commas = false;
        }
    }
    fit(w, start, to, indent, best == D_COMMA, depth);
    if (best == D_COMMA && commas) {
        struct line_break b = {to, to, S(",")};
        vec_push(w->f->a, &w->breaks, b);
    }
}

/* Whether what the bracket holds is divided by commas that may stand behind the last, too: those
 * of calls and displays, not of (a) and a[i]. */
static bool takes_comma(struct str s, size_t open) {
    bool follows = open && (is_word_char(s.p[open - 1]) || strchr(")]", s.p[open - 1]));
    return s.p[open] == '(' ? follows : s.p[open] == '{' || !follows;
}

/* [from, to) with its brackets at `open` broken; false: what stands before them is too long. */
static bool break_brackets(struct wrapped *w, size_t from, size_t open, size_t indent, int depth) {
    size_t close = closing(w->text, open);
    size_t start = skip_blanks(w->text, open + 1, close), end = close;
    if (indent + width(str_sub(w->text, from, open + 1)) > w->limit) return false;
    while (end > start && w->text.p[end - 1] == ' ') end--;
    break_at(w, open + 1, start, "", indent + STEP, "");
    fit_inside(w, start, end, indent + STEP, takes_comma(w->text, open), depth + 1);
    break_at(w, end, close, "", indent, "");
    return true;
}

/* The part [from, to) in brackets that it gets. */
static bool add_brackets(struct wrapped *w, size_t from, size_t to, size_t indent, bool commas,
                         int depth) {
    break_at(w, from, from, "(", indent + STEP, "");
    fit_inside(w, from, to, indent + STEP, commas, depth + 1);
    break_at(w, to, to, "", indent, ")");
    return true;
}

/* Where the value begins of `x = value`, `x = y = value`, `x=value` and `key: value`; `from` where
 * it is none of them. */
static size_t value_of(struct str s, size_t from, size_t to) {
    size_t value = from;
    for (size_t i = from; i < to;) {
        size_t end = string_end(s, i);
        if (end == i && strchr("([{", s.p[i])) end = closing(s, i) + 1;
        if (end > i) {
            i = end;
            continue;
        }
        bool compares = s.p[i] == '=' && ((i + 1 < to && s.p[i + 1] == '=') ||
                                          (i > from && strchr("=!<>+-*/%&|^@:", s.p[i - 1])));
        if (is_word_here(s, i, "lambda") || begins_for(s, i) || compares) return value;
        if (s.p[i] == '=') value = skip_blanks(s, i + 1, to);
        if (s.p[i] == ':' && value == from) value = skip_blanks(s, i + 1, to);
        i++;
    }
    return value;
}

/* Whether a colon stands in no bracket: lambda x: y. */
static bool has_colon(struct str s, size_t from, size_t to) {
    for (size_t i = from; i < to;) {
        size_t end = string_end(s, i);
        if (end == i && strchr("([{", s.p[i])) end = closing(s, i) + 1;
        if (end == i && s.p[i] == ':') return true;
        i = end > i ? end : i + 1;
    }
    return false;
}

/* The last brackets with something in them, whatever follows. */
static bool any_pair(struct str s, size_t from, size_t to, size_t *open) {
    bool found = false;
    for (size_t i = from; i < to;) {
        size_t end = string_end(s, i);
        if (end == i && strchr("([{", s.p[i])) {
            end = closing(s, i) + 1;
            if (end > i + 2) *open = i;
            found |= end > i + 2;
        }
        i = end > i ? end : i + 1;
    }
    return found;
}

/* f(x)(y): of the brackets at *open the ones right before them; false: none are. */
static bool pair_before(struct str s, size_t from, size_t *open) {
    size_t before = 0;
    if (!any_pair(s, from, *open, &before) || closing(s, before) + 1 != *open) return false;
    *open = before;
    return true;
}

/* An element or a statement [from, to) of which `tail` columns follow on its line. */
static bool fit(struct wrapped *w, size_t from, size_t to, size_t indent, size_t tail, int depth) {
    struct str s = w->text;
    if (indent + width(str_sub(s, from, to)) + tail <= w->limit) return true;
    size_t value = value_of(s, from, to), count, open = 0;
    bool named = value > from;
    if (!named) value = skip_divider(s, from);
    enum divider best = strongest(s, value, to, &count);
    bool pair = last_pair(s, value, to, &open);
    bool fits = pair && indent + width(str_sub(s, from, open + 1)) <= w->limit;
    while (pair && !fits && pair_before(s, value, &open))
        fits = indent + width(str_sub(s, from, open + 1)) <= w->limit;
    if (depth >= DEEPEST || best == D_COMMA) return false;
    if (best == D_FOR) /* a clause */
        return any_pair(s, from, to, &open) && break_brackets(w, from, open, indent, depth);
    if (!named && best == D_LOGIC && depth) {
        fit_inside(w, from, to, indent, false, depth + 1);
        return true;
    }
    if (fits && (best == D_NONE || (best == D_LOGIC && count == 1)))
        return break_brackets(w, from, open, indent, depth);
    if (best == D_NONE && !named)
        return any_pair(s, value, to, &open) && break_brackets(w, from, open, indent, depth);
    if (s.p[value] == '*' || has_colon(s, value, to)) return false;
    return add_brackets(w, value, to, indent, false, depth);
}

static bool starts_with_word(struct str s, const char *word) {
    size_t n = strlen(word);
    return str_starts(s, str_of(word)) && s.n > n && s.p[n] == ' ';
}

/* assert condition, "message" */
static bool fit_assertion(struct wrapped *w, size_t from, size_t to, size_t indent) {
    size_t start = from + 7, comma = start;
    if (next_divider(w->text, &comma, to) != D_COMMA ||
        indent + 1 + width(str_sub(w->text, comma, to)) > w->limit)
        return false;
    return add_brackets(w, start, comma, indent, false, 0);
}

/* return value, if condition: */
static bool fit_condition(struct wrapped *w, size_t from, size_t start, size_t to, size_t indent) {
    size_t count, open = 0;
    enum divider best = strongest(w->text, start, to, &count);
    bool fits = last_pair(w->text, start, to, &open) &&
                indent + width(str_sub(w->text, from, open + 1)) <= w->limit;
    if (fits && (best == D_NONE || (best == D_LOGIC && count == 1)))
        return break_brackets(w, from, open, indent, 0);
    return add_brackets(w, start, to, indent, best == D_COMMA, 0);
}

/* with a(b): its brackets, which are there; brackets around what it enters say another thing in
 * old Pythons. */
static bool fit_with(struct wrapped *w, size_t from, size_t to, size_t indent) {
    size_t count, open = 0;
    return strongest(w->text, from + 5, to, &count) == D_NONE &&
           last_pair(w->text, from + 5, to, &open) && break_brackets(w, from, open, indent, 0);
}

/* A statement on one line: what of it may get brackets is its value or its condition. */
static bool fit_statement(struct wrapped *w, size_t from, size_t to, size_t indent) {
    static const char *const heads[] = {"elif", "if", "while"};
    static const char *const others[] = {"async",    "class", "del",    "elif", "except",
                                         "for",      "from",  "global", "if",   "import",
                                         "nonlocal", "raise", "while",  "with"};
    static const char *const bare[] = {"else:", "finally:", "try:"}; /* with a statement behind */
    struct str s = str_sub(w->text, from, to);
    bool colon = s.p[s.n - 1] == ':';
    if (starts_with_word(s, "def") || starts_with_word(s, "async def")) {
        size_t open = from + str_find(s, S("("), 0);
        return colon && open < to && closing(w->text, open) < to &&
               break_brackets(w, from, open, indent, 0);
    }
    for (size_t i = 0; i < ARRAY_LEN(heads) && colon; i++)
        if (starts_with_word(s, heads[i]))
            return fit_condition(w, from, from + strlen(heads[i]) + 1, to - 1, indent);
    if (starts_with_word(s, "return")) return fit_condition(w, from, from + 7, to, indent);
    if (starts_with_word(s, "assert")) return fit_assertion(w, from, to, indent);
    if (starts_with_word(s, "with") && colon) return fit_with(w, from, to - 1, indent);
    for (size_t i = 0; i < ARRAY_LEN(others); i++)
        if (starts_with_word(s, others[i])) return false;
    for (size_t i = 0; i < ARRAY_LEN(bare); i++)
        if (str_starts(s, str_of(bare[i]))) return false;
    return !colon && fit(w, from, to, indent, 0, 0);
}

/* ---- the line ---- */

/* Whether all brackets and strings of the line end in it, and there is no comment. */
static bool is_whole(struct str s) {
    for (size_t i = 0; i < s.n;) {
        size_t end = string_end(s, i);
        if (end > i) {
            if (end == s.n && s.p[end - 1] != s.p[i]) return false;
            i = end;
            continue;
        }
        if (s.p[i] == '#' || s.p[i] == ';' || s.p[i] == '\\' || strchr(")]}", s.p[i]))
            return false;
        if (strchr("([{", s.p[i]) && (i = closing(s, i)) == s.n) return false;
        i++;
    }
    return true;
}

/* The line [start, end) of the file with its edits; false: it is none that can be wrapped. */
static bool read_line(struct wrapped *w, size_t start, size_t end, size_t first, size_t last) {
    struct py *f = w->f;
    VEC(struct origin) origin = {0};
    struct buf b;
    buf_init(&b, f->a);
    size_t at = start;
    for (size_t k = first; k <= last; k++) {
        const struct match_edit *e = &f->edits.v[k];
        size_t stop = k < last ? e->start : end;
        for (; at < stop; at++) {
            struct origin o = {(uint32_t)at, 0};
            vec_push(f->a, &origin, o);
            buf_addc(&b, f->src.p[at]);
        }
        if (k == last) break;
        for (size_t i = 0; i < e->text.n; i++) {
            struct origin o = {(uint32_t)i, (uint32_t)k + 1};
            if (e->text.p[i] == '\n') return false;
            vec_push(f->a, &origin, o);
            buf_addc(&b, e->text.p[i]);
        }
        at = e->end;
    }
    struct origin o = {(uint32_t)end, 0};
    vec_push(f->a, &origin, o);
    w->origin = origin.v;
    w->text = buf_str(&b);
    return true;
}

/* What a line is. */
enum place {
    P_OTHER,
    P_STATEMENT,
    P_ELEMENT, /* of what is in brackets, with its comma */
    P_ALONE    /* all that the brackets around it hold */
};

static char before_line(const struct py *f, size_t start) {
    while (start && strchr(" \t\r\n", f->src.p[start - 1])) start--;
    return start ? f->src.p[start - 1] : ' ';
}

static enum place place_of(const struct py *f, size_t start, size_t end) {
    bool inside = false;
    for (uint32_t i = 1; i < f->tree.n && f->tree.v[i].start <= start;) {
        if (f->tree.v[i].start == start || f->tree.v[i].end <= start) {
            i = f->tree.v[i].next;
            continue;
        }
        enum py_kind k = py_kind(f, i);
        if (k == PY_BLOCK)
            inside = false; /* of a lambda's or a class's in brackets there is none */
        if (k == PY_STRING || k == PY_CONCATENATED_STRING || k == PY_IMPORT_FROM) return P_OTHER;
        inside |= k == PY_ARGUMENT_LIST || k == PY_PARAMETERS || k == PY_PARENTHESIZED ||
                  k == PY_GENERATOR || py_is_collection(k);
        i++;
    }
    char before = before_line(f, start);
    size_t after = end;
    while (after < f->src.n && strchr(" \t\r\n", f->src.p[after])) after++;
    if (!inside) return before == '\\' ? P_OTHER : P_STATEMENT;
    while (end > start && f->src.p[end - 1] == ' ') end--;
    if (end > start && f->src.p[end - 1] == ',')
        return strchr("([{,", before) ? P_ELEMENT : P_OTHER;
    bool closes = after < f->src.n && strchr(")]}", f->src.p[after]);
    return closes && strchr("([{", before) ? P_ALONE : P_OTHER;
}

static bool fit_place(struct wrapped *w, enum place place, size_t start, size_t from, size_t to) {
    while (start && strchr(" \t\r\n", w->f->src.p[start - 1])) start--;
    switch (place) {
    case P_STATEMENT:
        return fit_statement(w, from, to, from);
    case P_ELEMENT:
        return fit(w, from, to - 1, from, 1, 1);
    case P_ALONE:
        fit_inside(w, from, to, from, takes_comma(w->f->src, start - 1), 1);
        return true;
    default:
        return false;
    }
}

/* Breaks without a byte between them are one. */
static void join_breaks(struct wrapped *w) {
    size_t n = 0;
    for (size_t i = 0; i < w->breaks.n; i++) {
        struct line_break *b = &w->breaks.v[i], *last = n ? &w->breaks.v[n - 1] : NULL;
        if (last && last->to == b->from && (last->from == last->to || b->from == b->to)) {
            last->text = arena_concat(w->f->a, last->text, b->text);
            last->to = b->to;
        } else {
            w->breaks.v[n++] = *b;
        }
    }
    w->breaks.n = n;
}

/* The place of a break in the file, or in an edit's text. */
static void put_break(struct wrapped *w, const struct line_break *b) {
    struct py *f = w->f;
    struct origin from = w->origin[b->from], to = w->origin[b->to];
    const struct origin *before = b->from ? &w->origin[b->from - 1] : NULL;
    bool touches = from.edit || (b->from < b->to && w->origin[b->to - 1].edit);
    if (before && before->edit && (before->edit == from.edit || b->from == b->to || touches)) {
        struct match_edit *e = &f->edits.v[before->edit - 1];
        size_t end = from.edit == before->edit ? (to.edit == before->edit ? to.at : e->text.n)
                                               : before->at + 1;
        e->text = arena_printf(f->a, "%.*s%.*s%.*s", (int)before->at + 1, e->text.p,
                               STR_ARG(b->text), (int)(e->text.n - end), e->text.p + end);
        return;
    }
    if (from.edit) {
        struct match_edit *e = &f->edits.v[from.edit - 1];
        if (b->from == b->to && e->start < e->end) { /* before what it replaces */
            struct match_edit added = {e->start, e->start, b->text, NO_NODE, false, 0};
            vec_push(f->a, &f->edits, added);
            return;
        }
        size_t end = to.edit == from.edit ? to.at : b->from == b->to ? from.at : e->text.n;
        e->text = arena_printf(f->a, "%.*s%.*s%.*s", (int)from.at, e->text.p, STR_ARG(b->text),
                               (int)(e->text.n - end), e->text.p + end);
        return;
    }
    size_t stop = b->from < b->to ? w->origin[b->to - 1].at + 1 : from.at;
    struct match_edit added = {from.at, (uint32_t)stop, b->text, NO_NODE, false, 0};
    vec_push(f->a, &f->edits, added);
}

/* The edits first..last of one line. False: it stays. */
static bool wrap_line(struct py *f, size_t limit, size_t first, size_t last) {
    size_t start = f->edits.v[first].start, end = f->edits.v[last - 1].end;
    struct wrapped w = {.f = f, .limit = limit};
    while (start && f->src.p[start - 1] != '\n') start--;
    while (end < f->src.n && f->src.p[end] != '\n' && f->src.p[end] != '\r') end++;
    if (memchr(f->src.p + start, '\n', end - start) ||
        memchr(f->src.p + start, '\t', end - start) ||
        width(str_sub(f->src, start, end)) > limit || !read_line(&w, start, end, first, last) ||
        width(w.text) <= limit || !is_whole(w.text))
        return false;
    size_t indent = skip_blanks(w.text, 0, w.text.n), n = w.text.n;
    while (n && w.text.p[n - 1] == ' ') n--;
    if (!fit_place(&w, place_of(f, start, end), start, indent, n)) return false;
    join_breaks(&w);
    for (size_t i = w.breaks.n; i-- > 0;) put_break(&w, &w.breaks.v[i]);
    return w.breaks.n > 0;
}

/* What the settings around the file say of its lines: those of the innermost folder. */
static size_t line_length(const struct py *f) {
    const struct py_project *p = f->project;
    size_t length = 0, depth = 0;
    for (size_t i = 0; p && i < p->line_lengths.n; i++) {
        struct str folder = p->line_lengths.v[i].folder;
        bool around = !folder.n || (str_starts(f->path, folder) && f->path.n > folder.n &&
                                    f->path.p[folder.n] == '/');
        if (!around || (length && folder.n < depth)) continue;
        if (folder.n == depth && length && !p->line_lengths.v[i].formats) continue;
        length = p->line_lengths.v[i].columns;
        depth = folder.n;
    }
    return length;
}

/* Where no settings say it, what a file keeps to itself: its longest line, where that is no long
 * one. A line within a hundred columns is not worth another shape. */
static size_t own_length(const struct py *f) {
    size_t longest = OWN_LEAST;
    for (size_t i = 0, end; i < f->src.n; i = end + 1) {
        end = str_find(f->src, S("\n"), i);
        size_t n = width(str_sub(f->src, i, end));
        if (n > longest) longest = n;
    }
    return longest > OWN_MOST ? 0 : longest;
}

/* ---- does it still say the same? ---- */

struct said {
    uint32_t node, parent; /* its parent among those that count */
    uint16_t kind;
};
typedef VEC(struct said) said_nodes;

/* What a tree says besides brackets around a value and commas behind the last one. */
static void gather_said(struct arena *a, const struct tree *t, said_nodes *out) {
    uint32_t *index = arena_alloc(a, (t->n + 1) * sizeof *index);
    for (uint32_t i = 0; i < t->n; i++) {
        const struct node *n = &t->v[i];
        index[i] = i ? index[n->parent] : 0;
        bool silent = n->kind == PY_PARENTHESIZED || n->kind == PY_TOKEN_OPEN ||
                      n->kind == PY_TOKEN_CLOSE ||
                      (n->kind == PY_TOKEN_COMMA && t->v[n->parent].kind != PY_SUBSCRIPT);
        if (silent) continue;
        struct said x = {i, index[i], n->kind == PY_EXPRESSION_LIST ? PY_TUPLE : n->kind};
        index[i] = (uint32_t)out->n;
        vec_push(a, out, x);
    }
}

bool py_says_same(struct arena *a, const struct tree *x, struct str x_text, const struct tree *y,
                  struct str y_text) {
    said_nodes v = {0}, w = {0};
    gather_said(a, x, &v);
    gather_said(a, y, &w);
    if (v.n != w.n) return false;
    for (size_t i = 0; i < v.n; i++) {
        const struct node *m = &x->v[v.v[i].node], *n = &y->v[w.v[i].node];
        if (v.v[i].kind != w.v[i].kind || v.v[i].parent != w.v[i].parent) return false;
        bool leaf = m->next == v.v[i].node + 1;
        if (leaf && !str_eq(str_sub(x_text, m->start, m->end), str_sub(y_text, n->start, n->end)))
            return false;
    }
    return true;
}

void py_wrap_lines(struct py *f) {
    size_t limit = line_length(f), n = f->edits.n;
    bool port = f->options->verify; /* a fix is for one place of a line */
    f->unwrapped.n = 0;
    if (!limit && port && n) limit = own_length(f);
    if (!limit || !port || f->tree.first_error != NO_NODE || !str_ends(f->path, S(".py"))) return;
    for (size_t i = 0; i < n; i++) vec_push(f->a, &f->unwrapped, f->edits.v[i]);
    bool any = false;
    for (size_t i = 0, k; i < n; i = k) {
        for (k = i + 1; k < n; k++) {
            size_t from = f->edits.v[k - 1].end, to = f->edits.v[k].start;
            if (to > from && memchr(f->src.p + from, '\n', to - from)) break;
        }
        any |= wrap_line(f, limit, i, k);
    }
    if (!any) f->unwrapped.n = 0;
}
