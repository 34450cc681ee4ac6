/* SPDX-License-Identifier: Apache-2.0 */
/* scan.c - which statements of a Python file can matter at all.
 *
 * Most files mention no rule's anchor and are done after one pass over their bytes. In the rest,
 * parsing only the top-level statements that can match, and of a class only the methods, is
 * several times cheaper than parsing everything. The splitter knows just enough of Python's lexis
 * to find where a statement of a file or class starts: strings, comments, brackets, backslashes,
 * indents. */
#include "python/py.h"

static const unsigned char is_word[256] = {
    ['0' ... '9'] = 1, ['A' ... 'Z'] = 1, ['a' ... 'z'] = 1, ['_'] = 1, [0x80 ... 0xFF] = 1};

enum { ROOTS = 8 };

/* Asks for anchors of one file; remembers which root words the file mentions. */
struct anchor_test {
    const struct anchor_set *anchors;
    struct str src;
    struct {
        struct str word;
        bool found;
    } roots[ROOTS]; /* those that were looked for last */
    size_t n_roots; /* ever */
    struct py_words words;
    struct py_names *names;
    bool carries; /* somewhere a word is part of another one, and has to be accounted for */
};

/* Whether the text has a word that has to be accounted for. */
static bool carries_word(const struct anchor_test *t, struct str text) {
    size_t end;
    return t->carries && py_find_word(&t->words, text, 0, &end) < text.n;
}

static struct anchor_test start_test(const struct anchor_set *anchors, struct str src) {
    struct anchor_test t = {.anchors = anchors, .src = src, .carries = true};
    py_read_words(anchors->rules, &t.words);
    t.carries = carries_word(&t, src);
    return t;
}

static bool is_anchor_here(struct anchor_test *t, bool in_code, struct str word) {
    struct str root = {0};
    if (t->names && str_among(t->names->v, t->names->n, word)) return true;
    if (!anchor_set_may_have(t->anchors, word) ||
        !anchor_set_has(t->anchors, in_code, word, &root))
        return false;
    if (!root.n) return true;
    for (size_t i = 0; i < t->n_roots && i < ROOTS; i++)
        if (str_eq(root, t->roots[i].word)) return t->roots[i].found;
    size_t slot = t->n_roots++ % ROOTS;
    t->roots[slot].word = root;
    t->roots[slot].found = str_find(t->src, root, 0) < t->src.n;
    return t->roots[slot].found;
}

static bool has_anchor(struct anchor_test *t, struct str text) {
    const unsigned char *p = (const unsigned char *)text.p, *end = p + text.n;
    while (p < end) {
        while (p < end && !is_word[*p]) p++;
        const unsigned char *start = p;
        while (p < end && is_word[*p]) p++;
        if (p != start &&
            is_anchor_here(t, false, (struct str){(const char *)start, (size_t)(p - start)}))
            return true;
    }
    return false;
}

bool py_prefilter(const struct anchor_set *anchors, struct str src) {
    struct anchor_test test = start_test(anchors, src);
    return test.carries || has_anchor(&test, src);
}

/* Past the end of the string literal whose opening quote is at i. */
static size_t skip_string(struct str s, size_t i) {
    char q = s.p[i];
    bool triple = i + 2 < s.n && s.p[i + 1] == q && s.p[i + 2] == q;
    i += triple ? 3 : 1;
    while (i < s.n) {
        if (s.p[i] == '\\') {
            i += i + 2 < s.n && s.p[i + 1] == '\r' && s.p[i + 2] == '\n' ? 3 : 2;
        } else if (s.p[i] == q &&
                   (!triple || (i + 2 < s.n && s.p[i + 1] == q && s.p[i + 2] == q))) {
            return i + (triple ? 3 : 1);
        } else if (!triple && s.p[i] == '\n') {
            return i;
        } else {
            i++;
        }
    }
    return s.n;
}

static bool continues_statement(struct str word) {
    return str_is(word, "else") || str_is(word, "elif") || str_is(word, "except") ||
           str_is(word, "finally");
}

static struct str word_at(struct str s, size_t i) {
    size_t end = i;
    while (end < s.n && is_word[(unsigned char)s.p[end]]) end++;
    return str_sub(s, i, end);
}

static bool is_function_word(struct str word) {
    return str_is(word, "def") || str_is(word, "async");
}

static bool binds_root(struct str word) {
    return str_is(word, "import") || str_is(word, "from") || str_is(word, PY_TORCH) ||
           str_is(word, "global");
}

/* tree-sitter looks through all of them at each step over a gap; then the gap is parsed, too. */
enum { MAX_RANGES = 256 };

static void add_range(struct py_scan *out, struct arena *a, size_t start, size_t end) {
    if (start == end) return;
    out->parsed_bytes += end - start;
    bool is_next = out->ranges.n && out->ranges.v[out->ranges.n - 1].end == start;
    if (is_next || out->ranges.n == MAX_RANGES) {
        out->ranges.v[out->ranges.n - 1].end = (uint32_t)end;
    } else {
        struct byte_range r = {(uint32_t)start, (uint32_t)end};
        vec_push(a, &out->ranges, r);
    }
}

/* A statement of a class's body. */
struct member {
    size_t start;  /* of its line */
    bool wanted;   /* something in it can matter */
    bool optional; /* a method or a text: without it the rest means the same */
    bool is_function;
};

/* The scan of one file. */
enum { ROOTS_OF_IMPORTS = 64 };
struct splitter {
    struct py_scan *out;
    struct arena *a;
    struct anchor_test test;
    size_t start;  /* of the statement */
    size_t indent; /* of the members of the class that the statement is; 0: none was seen yet */
    bool wanted;   /* the statement, or the head of the class, can matter */
    bool preamble; /* imports may have to be added after it, so its end has to be seen */
    bool decorated, is_class, is_function;
    bool member_decorated;
    VEC(struct member) members;
    /* First words of the imports in parts that are parsed. */
    struct str imported[ROOTS_OF_IMPORTS];
    size_t n_imported;
};

static bool is_wanted(const struct splitter *s) {
    return s->members.n ? s->members.v[s->members.n - 1].wanted : s->wanted;
}

static bool is_in_function(const struct splitter *s) {
    return s->members.n ? s->members.v[s->members.n - 1].is_function : s->is_function;
}

static void want(struct splitter *s) {
    if (s->members.n)
        s->members.v[s->members.n - 1].wanted = true;
    else
        s->wanted = true;
}

/* The statement ends: selects it, or of a class its head and the members that can matter. */
static void close_statement(struct splitter *s, size_t end) {
    bool any = s->wanted, some = false;
    for (size_t i = 0; i < s->members.n; i++) any |= s->members.v[i].wanted;
    for (size_t i = 0; i < s->members.n; i++)
        some |= s->members.v[i].wanted |= !s->members.v[i].optional;
    if (!some && s->members.n) s->members.v[0].wanted = true; /* a body has to have something */
    if (any) {
        add_range(s->out, s->a, s->start, s->members.n ? s->members.v[0].start : end);
        for (size_t i = 0; i < s->members.n; i++)
            if (s->members.v[i].wanted)
                add_range(s->out, s->a, s->members.v[i].start,
                          i + 1 < s->members.n ? s->members.v[i + 1].start : end);
    }
    s->members.n = 0;
}

/* ---- imports ---- */

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

/* Blanks, and in parentheses lines and comments. */
static size_t skip_between(struct str s, size_t i, bool inside) {
    for (; i < s.n; i++) {
        if (s.p[i] == '#' && inside)
            i = str_find(s, S("\n"), i);
        else if (!is_blank(s.p[i]) && !(inside && (s.p[i] == '\n' || s.p[i] == '\r')))
            break;
    }
    return i < s.n ? i : s.n;
}

/* a.b.c, or ..a; *end: behind it. */
static struct str module_at(struct str s, size_t i, size_t *end) {
    for (*end = i; *end < s.n && (is_word[(unsigned char)s.p[*end]] || s.p[*end] == '.');) ++*end;
    return str_sub(s, i, *end);
}

static bool path_has_anchor(struct splitter *s, struct str path) {
    for (size_t i = 0, end; i < path.n; i = end + 1) {
        struct str part = word_at(path, i);
        end = i + part.n;
        if (part.n && is_anchor_here(&s->test, true, part)) return true;
    }
    return false;
}

/* What a module binds under a name that is no anchor, of something whose path holds one: the
 * statements with that name are parsed at once, not when the import has been understood. A
 * shortcut for want_uses_of_imports (match.c): what it misses is found there. */
static void want_name(struct splitter *s, struct str name) {
    struct py_names *names = s->test.names;
    if (!name.n || names->n == PY_MAX_NAMES || is_anchor_here(&s->test, true, name)) return;
    names->v[names->n++] = name;
}

/* `from module import a, b as c` of the module, whose first word is at i. */
static void read_from_import(struct splitter *s, struct str src, size_t i) {
    struct str module = module_at(src, str_skip_blanks(src, i + 4), &i);
    bool any = path_has_anchor(s, module);
    i = str_skip_blanks(src, i);
    if (!str_is(word_at(src, i), "import")) return;
    i = str_skip_blanks(src, i + 6);
    bool inside = i < src.n && src.p[i] == '(';
    i = skip_between(src, i + inside, inside);
    for (struct str name; (name = word_at(src, i)).n;) {
        bool matters = any || is_anchor_here(&s->test, true, name);
        i = skip_between(src, i + name.n, inside);
        if (str_is(word_at(src, i), "as")) {
            i = skip_between(src, i + 2, inside);
            name = word_at(src, i);
            i = skip_between(src, i + name.n, inside);
        }
        if (matters) want_name(s, name);
        if (i >= src.n || src.p[i] != ',') return;
        i = skip_between(src, i + 1, inside);
    }
}

static void know_root(struct splitter *s, struct str module) {
    struct str root = word_at(module, 0);
    if (root.n && s->n_imported < ROOTS_OF_IMPORTS) s->imported[s->n_imported++] = root;
}

/* Whether an import in a function tells the questions that are the file's something new: of which
 * framework its devices are, whether its words are accounted for, whose classes it can meet. They
 * ask for first words alone. */
static bool is_news(const struct splitter *s, struct str module) {
    struct str root = word_at(module, 0);
    return root.n && !str_among(s->imported, s->n_imported, root) &&
           !rules_lists(s->test.anchors->rules, "python.standard_library", root);
}

/* The import statement with the word `import` at i: whether it has to be parsed for what it tells
 * of the file, although it stands in a function and the rest of that does not matter. */
static bool import_tells(struct splitter *s, struct str src, size_t i) {
    size_t start = i, end;
    while (start > 0 && !strchr("\n;:\\", src.p[start - 1])) start--;
    start = str_skip_blanks(src, start);
    bool news = false;
    if (str_is(word_at(src, start), "from")) {
        struct str module = module_at(src, str_skip_blanks(src, start + 4), &end);
        if (str_skip_blanks(src, end) != i) return true;
        if ((news = is_news(s, module))) know_root(s, module);
        return news;
    }
    if (start != i) return true;
    for (i += 6;; i = end + 1) {
        struct str module = module_at(src, str_skip_blanks(src, i), &end);
        bool is_new = is_news(s, module);
        if (is_new) know_root(s, module);
        news |= is_new || !module.n;
        while (end < src.n && !strchr(",;#\r\n\\", src.p[end])) end++;
        if (end == src.n || src.p[end] != ',') return news || (end < src.n && src.p[end] == '\\');
    }
}

/* An import of the module, whose first word is at i. */
static void read_import(struct splitter *s, struct str src, size_t i) {
    size_t end;
    know_root(s, module_at(src, str_skip_blanks(src, i + word_at(src, i).n), &end));
    if (src.p[i] == 'f') read_from_import(s, src, i);
}

/* A line with a statement in column 0. */
static void begin_line(struct splitter *s, struct str src, size_t i) {
    char c = src.p[i];
    struct str word = word_at(src, i);
    if (!s->decorated && !continues_statement(word) && c != ')' && c != ']' && c != '}') {
        close_statement(s, i);
        s->start = i;
        s->indent = 0;
        s->is_class = s->is_function = false;
        s->wanted = s->preamble;
        s->preamble &= c == '"' || c == '\'' || str_is(word, "from");
    }
    s->decorated = c == '@';
    s->is_class |= str_is(word, "class") && !s->members.n;
    s->is_function |= is_function_word(word);
    if (binds_root(word)) want(s);
    if (str_is(word, "import") || str_is(word, "from")) read_import(s, src, i);
}

/* A line of a class's body, whose first word is at i. */
static void begin_body_line(struct splitter *s, struct str src, size_t line, size_t i) {
    char c = src.p[i];
    struct str word = word_at(src, i);
    if (!s->indent) s->indent = i - line;
    if (i - line != s->indent) return;
    if (memchr(src.p + line, '\t', i - line)) { /* how wide is it? Keep it in one piece */
        s->is_class = false;
        return;
    }
    if (!s->member_decorated && !continues_statement(word) && c != ')' && c != ']' && c != '}') {
        struct member m = {.start = line,
                           .optional = c == '@' || c == '"' || c == '\'' ||
                                       is_function_word(word) || str_is(word, "class")};
        vec_push(s->a, &s->members, m);
    }
    if (s->members.n && is_function_word(word)) s->members.v[s->members.n - 1].is_function = true;
    s->member_decorated = c == '@';
}

static void scan_string(struct splitter *s, struct str text) {
    if (!(is_wanted(s) && s->out->any) &&
        (has_anchor(&s->test, text) || carries_word(&s->test, text))) {
        s->out->any = true;
        want(s);
    }
}

static void scan_word(struct splitter *s, struct str src, size_t i) {
    struct str word = word_at(src, i);
    if (is_wanted(s) && s->out->any) return;
    if (is_anchor_here(&s->test, true, word) || carries_word(&s->test, word)) {
        s->out->any = true;
        want(s);
    } else if (str_is(word, "import")) {
        if (!is_in_function(s) || import_tells(s, src, i)) want(s);
    } else if (str_is(word, "global")) { /* binds for the module */
        want(s);
    }
}

/* Past the end of a text that stands alone as a statement, whose first byte is at i: it goes
 * nowhere, like a docstring. i where there is none. */
static size_t skip_lone_string(struct str src, size_t i) {
    size_t quote = i;
    while (quote < src.n && quote < i + 2 && strchr("rRuU", src.p[quote])) quote++;
    if (quote >= src.n || (src.p[quote] != '"' && src.p[quote] != '\'')) return i;
    size_t end = skip_string(src, quote), next = end;
    while (next < src.n && (src.p[next] == ' ' || src.p[next] == '\t')) next++;
    return next == src.n || strchr("\r\n#;", src.p[next]) ? end : i;
}

static bool starts_statement(unsigned char c) {
    return c != '\r' && c != '\n' && c != '#' && c != '\f' && c != 0;
}

void py_scan(struct py_scan *out, struct arena *a, const struct anchor_set *anchors,
             struct str src, struct py_names *names) {
    *out = (struct py_scan){0};
    struct splitter s = {.out = out, .a = a, .test = start_test(anchors, src), .preamble = true};
    s.test.names = names;
    size_t i = str_starts(src, S("\xEF\xBB\xBF")) ? 3 : 0, depth = 0;
    bool line_start = true;
    while (i < src.n) {
        unsigned char c = (unsigned char)src.p[i];
        if (line_start && depth == 0 && (c == ' ' || c == '\t')) {
            size_t line = i;
            while (i < src.n && (src.p[i] == ' ' || src.p[i] == '\t')) i++;
            line_start = false;
            if (i < src.n && s.is_class && starts_statement((unsigned char)src.p[i]))
                begin_body_line(&s, src, line, i);
            if (i < src.n) i = skip_lone_string(src, i);
            continue;
        }
        if (line_start && depth == 0 && starts_statement(c)) {
            begin_line(&s, src, i);
            size_t end = skip_lone_string(src, i);
            line_start = false;
            if (end > i) {
                i = end;
                continue;
            }
        }
        line_start = false;
        if (is_word[c]) {
            scan_word(&s, src, i);
            i += word_at(src, i).n;
        } else if (c == '"' || c == '\'') {
            size_t end = skip_string(src, i);
            scan_string(&s, str_sub(src, i, end));
            i = end;
        } else if (c == '#') {
            const char *nl = memchr(src.p + i, '\n', src.n - i);
            i = nl ? (size_t)(nl - src.p) : src.n;
        } else if (c == '\\') {
            i += i + 2 < src.n && src.p[i + 1] == '\r' && src.p[i + 2] == '\n' ? 3 : 2;
        } else {
            if (c == '(' || c == '[' || c == '{')
                depth++;
            else if ((c == ')' || c == ']' || c == '}') && depth)
                depth--;
            else if (c == '\n')
                line_start = true;
            i++;
        }
    }
    close_statement(&s, src.n);
}
