/* scan.c - which statements of a Python file can matter at all.
 *
 * Most files mention no rule's anchor and are done after one pass over their bytes. In the rest,
 * parsing only the top-level statements that can match is several times cheaper than parsing
 * everything. The splitter knows just enough of Python's lexis to find where a statement starts in
 * column 0: strings, comments, brackets, backslashes. */
#include "python/py.h"

static const unsigned char is_word[256] = {
    ['0' ... '9'] = 1, ['A' ... 'Z'] = 1, ['a' ... 'z'] = 1, ['_'] = 1, [0x80 ... 0xFF] = 1};

/* Asks for anchors of one file; remembers which root words the file mentions. */
struct anchor_test {
    const struct rules *rules;
    struct str src, root; /* the last root that was looked for */
    bool root_found;
};

static bool is_anchor_here(struct anchor_test *t, struct str word) {
    struct str root = {0};
    if (!rules_is_anchor(t->rules, word, &root)) return false;
    if (!root.n) return true;
    if (!str_eq(root, t->root)) {
        t->root = root;
        t->root_found = str_find(t->src, root, 0) < t->src.n;
    }
    return t->root_found;
}

bool py_prefilter(const struct rules *rules, struct str src) {
    const unsigned char *p = (const unsigned char *)src.p, *end = p + src.n;
    struct anchor_test test = {.rules = rules, .src = src};
    while (p < end) {
        while (p < end && !is_word[*p]) p++;
        const unsigned char *start = p;
        while (p < end && is_word[*p]) p++;
        if (p != start &&
            is_anchor_here(&test, (struct str){(const char *)start, (size_t)(p - start)}))
            return true;
    }
    return false;
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

static bool binds_root(struct str word) {
    return str_is(word, "import") || str_is(word, "from") || str_is(word, "torch") ||
           str_is(word, "global");
}

/* tree-sitter looks through all of them at each step over a gap; then the gap is parsed, too. */
enum { MAX_RANGES = 256 };

static void close_range(struct py_scan *out, struct arena *a, size_t start, size_t end,
                        bool wanted) {
    if (!wanted || start == end) return;
    out->parsed_bytes += end - start;
    bool is_next = out->ranges.n && out->ranges.v[out->ranges.n - 1].end == start;
    if (is_next || out->ranges.n == MAX_RANGES) {
        out->ranges.v[out->ranges.n - 1].end = (uint32_t)end;
    } else {
        struct byte_range r = {(uint32_t)start, (uint32_t)end};
        vec_push(a, &out->ranges, r);
    }
}

void py_scan(struct py_scan *out, struct arena *a, const struct rules *rules, struct str src) {
    *out = (struct py_scan){0};
    struct anchor_test test = {.rules = rules, .src = src};
    size_t i = 0, start = 0, depth = 0;
    bool wanted = false, decorated = false, line_start = true;
    bool preamble = true; /* imports may have to be added after it, so its end has to be seen */
    if (str_starts(src, S("\xEF\xBB\xBF"))) i = 3;
    while (i < src.n) {
        unsigned char c = (unsigned char)src.p[i];
        if (line_start && depth == 0 && c != ' ' && c != '\t' && c != '\r' && c != '\n' &&
            c != '#' && c != '\f') {
            struct str word = word_at(src, i);
            if (!decorated && !continues_statement(word) && c != ')' && c != ']' && c != '}') {
                close_range(out, a, start, i, wanted);
                start = i;
                wanted = preamble;
                preamble &= c == '"' || c == '\'' || str_is(word, "from");
            }
            decorated = c == '@';
            if (binds_root(word)) wanted = true;
        }
        line_start = false;
        if (is_word[c]) {
            struct str word = word_at(src, i);
            if (is_anchor_here(&test, word))
                out->any = wanted = true;
            else if (!wanted && c == 'i' && str_is(word, "import"))
                wanted = true;
            i += word.n;
        } else if (c == '"' || c == '\'') {
            size_t end = skip_string(src, i);
            for (size_t k = i; k < end && !(wanted && out->any);) {
                struct str word = word_at(src, k);
                if (word.n && is_anchor_here(&test, word)) out->any = wanted = true;
                k += word.n ? word.n : 1;
            }
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
    close_range(out, a, start, src.n, wanted);
}
