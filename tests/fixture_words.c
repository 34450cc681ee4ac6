/* SPDX-License-Identifier: Apache-2.0 */
/* fixture_words.c - law 11: every word of CUDA's in a Python file that imports torch is accounted
 * for.
 *
 * The reader here is the law's own, by brute force: it knows comments, strings and names, and no
 * grammar. It shares nothing with the porter, so that what the porter does not see is seen here. A
 * text that is a statement of its own (a docstring) is no literal. */
#include <ctype.h>
#include <strings.h>

#include "fixture.h"

struct reader {
    struct str s;
    size_t i;
    bool at_start;   /* of a logical line: nothing but blanks before */
    bool in_import;  /* the logical line is one */
    size_t depth;    /* of brackets */
    size_t line;     /* where the logical line starts */
};

static bool is_name(char c) { return isalnum((unsigned char)c) || c == '_' || (c & 0x80); }

static bool has_word(struct str s) {
    static const char *const words[] = {"cuda", "nccl", "cudnn"};
    for (size_t w = 0; w < ARRAY_LEN(words); w++)
        for (size_t i = 0; i + strlen(words[w]) <= s.n; i++)
            if (strncasecmp(s.p + i, words[w], strlen(words[w])) == 0) return true;
    return false;
}

static bool imports_torch(struct str s) {
    for (size_t line = 0; line < s.n; line = str_find(s, S("\n"), line) + 1) {
        size_t i = line;
        while (i < s.n && (s.p[i] == ' ' || s.p[i] == '\t')) i++;
        struct str rest = str_sub(s, i, s.n);
        static const char *const heads[] = {"import torch", "from torch"};
        for (size_t h = 0; h < ARRAY_LEN(heads); h++) {
            size_t n = strlen(heads[h]);
            if (str_starts(rest, str_of(heads[h])) && (rest.n == n || !is_name(rest.p[n])))
                return true;
        }
    }
    return false;
}

/* Past the string whose quote is at i. */
static size_t string_end(struct str s, size_t i) {
    char q = s.p[i];
    bool triple = i + 2 < s.n && s.p[i + 1] == q && s.p[i + 2] == q;
    for (i += triple ? 3 : 1; i < s.n; i++) {
        if (s.p[i] == '\\')
            i++;
        else if (s.p[i] == q && !triple)
            return i + 1;
        else if (s.p[i] == '\n' && !triple)
            return i;
        else if (s.p[i] == q && i + 2 < s.n && s.p[i + 1] == q && s.p[i + 2] == q)
            return i + 3;
    }
    return s.n;
}

/* The next string or name; false at the end. *is_statement: a string and nothing else. */
static bool next_token(struct reader *r, size_t *start, size_t *end, bool *is_statement) {
    struct str s = r->s;
    while (r->i < s.n) {
        char c = s.p[r->i];
        *start = r->i;
        if (c == '#') {
            r->i = str_find(s, S("\n"), r->i);
        } else if (is_name(c)) {
            while (r->i < s.n && is_name(s.p[r->i])) r->i++;
            struct str word = str_sub(s, *start, r->i);
            bool prefix = word.n <= 2 && r->i < s.n && strchr("\"'", s.p[r->i]);
            if (r->at_start) r->line = *start;
            if (r->at_start) r->in_import = str_is(word, "import") || str_is(word, "from");
            if (prefix) {
                r->i = string_end(s, r->i);
                r->at_start = false;
            }
            *is_statement = false;
            r->at_start = false;
            *end = r->i;
            return true;
        } else if (c == '"' || c == '\'') {
            r->i = *end = string_end(s, r->i);
            size_t after = r->i;
            while (after < s.n && (s.p[after] == ' ' || s.p[after] == '\r')) after++;
            *is_statement = r->at_start && !r->depth &&
                            (after == s.n || strchr("\n#;", s.p[after]));
            if (r->at_start) r->line = *start, r->in_import = false;
            r->at_start = false;
            return true;
        } else {
            r->i++;
            if (c == '\\' && r->i < s.n) r->i += s.p[r->i] == '\r' ? 2 : 1;
            if (strchr("([{", c)) r->depth++;
            if (strchr(")]}", c) && r->depth) r->depth--;
            if ((c == '\n' && !r->depth) || c == ';') r->at_start = true;
            if (c == '\n' && !r->depth) r->in_import = false;
        }
    }
    return false;
}

static bool touches(const struct cm_finding *v, size_t n, size_t start, size_t end) {
    for (size_t i = 0; i < n; i++)
        if (v[i].start < end && v[i].end > start) return true;
    return false;
}

bool fixture_words_missing(struct str text, const struct cm_result *r, size_t *at, size_t *end) {
    struct reader reader = {.s = text, .at_start = true};
    bool is_statement;
    if (!imports_torch(text)) return false;
    while (next_token(&reader, at, end, &is_statement)) {
        if (is_statement || !has_word(str_sub(text, *at, *end))) continue;
        size_t from = reader.in_import ? reader.line : *at;
        size_t to = *end;
        if (reader.in_import) { /* to its end: of the brackets, of the line */
            to = str_find(text, S("\n"), *end);
            if (str_find(str_sub(text, from, to), S("("), 0) < to - from)
                to = str_find(text, S(")"), *end);
        }
        if (!touches(r->findings, r->n_findings, from, to) &&
            !touches(r->words, r->n_words, from, to))
            return true;
    }
    return false;
}
