/* SPDX-License-Identifier: Apache-2.0 */
/* header_names.c - which names the runtime's headers declare, as a C file for the binary.
 *
 *     header_names -o OUTPUT.c HEADER...
 *
 * OUTPUT defines cm_header_names (src/cuda/header_names.h): each name that a namespace or class of
 * the headers declares, with all that is around it ("cub::DeviceScan::ExclusiveSum"), in order; a
 * namespace or class itself ends in "::". One of which not everything can be seen here, as it
 * takes names over from elsewhere (a base class, `using namespace`), ends in "::*".
 *
 * It reads declarations as they are laid out in our own headers, with macros that make them; it is
 * no reader of C++ at large, and knows neither types nor conditions (#if): all branches count.
 * Exit status: 0 done, 2 usage, or something could not be read or written. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"

enum { MAX_SIZE = 1 << 20, MOST_PARAMETERS = 12, DEEPEST = 40 };

typedef VEC(struct str) words;
struct macro {
    struct str name, parameters[MOST_PARAMETERS];
    size_t n;
    words body;
};
struct reader {
    struct arena *a;
    VEC(struct macro) macros;
    VEC(struct str) names;
    const words *t; /* what is read: tokens [at, end) */
    size_t at, end;
    int depth;
};

/* ---- tokens ---- */

static bool is_word(struct str s) {
    return s.n && (isalpha((unsigned char)s.p[0]) || s.p[0] == '_');
}

static size_t token_size(struct str s, size_t i) {
    unsigned char c = (unsigned char)s.p[i];
    size_t n = 1;
    if (isalnum(c) || c == '_') {
        while (i + n < s.n && (isalnum((unsigned char)s.p[i + n]) || s.p[i + n] == '_')) n++;
    } else if (c == '"' || c == '\'') {
        while (i + n < s.n && s.p[i + n] != s.p[i]) n += s.p[i + n] == '\\' ? 2 : 1;
        n++;
    } else if (i + 1 < s.n &&
               ((c == ':' && s.p[i + 1] == ':') || (c == '-' && s.p[i + 1] == '>') ||
                (c == '#' && s.p[i + 1] == '#'))) {
        n = 2;
    }
    return n;
}

/* Where the comment, line splice or space at i ends; i itself: there is none. */
static size_t skip_space(struct str s, size_t i) {
    if (isspace((unsigned char)s.p[i])) return i + 1;
    if (s.p[i] == '\\' && i + 1 < s.n && s.p[i + 1] == '\n') return i + 2;
    if (s.p[i] != '/' || i + 1 >= s.n) return i;
    if (s.p[i + 1] == '/') return str_find(s, S("\n"), i);
    return s.p[i + 1] == '*' ? str_find(s, S("*/"), i + 2) + 2 : i;
}

static void tokenize(struct arena *a, struct str s, words *out) {
    for (size_t i = 0; i < s.n;) {
        size_t next = skip_space(s, i);
        if (next == i) {
            next = i + token_size(s, i);
            vec_push(a, out, str_sub(s, i, next));
        }
        i = next;
    }
}

/* `#define NAME(a, b) body`, without the #: keeps it where it has parameters. */
static void read_define(struct reader *r, struct str line) {
    words t = {0};
    struct macro m = {0};
    tokenize(r->a, line, &t);
    if (t.n < 4 || !str_is(t.v[0], "define") || !str_is(t.v[2], "(") ||
        t.v[2].p != t.v[1].p + t.v[1].n)
        return;
    m.name = t.v[1];
    size_t i = 3;
    for (; i < t.n && !str_is(t.v[i], ")"); i++)
        if (is_word(t.v[i]) && m.n < MOST_PARAMETERS) m.parameters[m.n++] = t.v[i];
    for (i++; i < t.n; i++) vec_push(r->a, &m.body, t.v[i]);
    vec_push(r->a, &r->macros, m);
}

/* Takes the directives out: their bytes become spaces. */
static struct str without_directives(struct reader *r, struct str s) {
    char *text = arena_strdup(r->a, s);
    bool line_begins = true;
    for (size_t i = 0; i < s.n; i++) {
        if (line_begins && text[i] == '#') {
            size_t end = i;
            while (end < s.n && (text[end] != '\n' || text[end - 1] == '\\')) end++;
            read_define(r, str_sub(s, i + 1, end));
            memset(text + i, ' ', end - i);
            i = end;
        }
        if (i < s.n && !isspace((unsigned char)text[i])) line_begins = false;
        if (i < s.n && text[i] == '\n') line_begins = true;
    }
    return (struct str){text, s.n};
}

/* ---- reading on ---- */

static struct str here(const struct reader *r) {
    return r->at < r->end ? r->t->v[r->at] : (struct str){0};
}
static struct str ahead(const struct reader *r, size_t n) {
    return r->at + n < r->end ? r->t->v[r->at + n] : (struct str){0};
}
static bool at(const struct reader *r, const char *text) { return str_is(here(r), text); }

/* From an opening bracket to behind the one that closes it. */
static void skip_brackets(struct reader *r) {
    int depth = 0;
    do {
        struct str t = here(r);
        if (str_is(t, "(") || str_is(t, "[") || str_is(t, "{")) depth++;
        if (str_is(t, ")") || str_is(t, "]") || str_is(t, "}")) depth--;
        r->at++;
    } while (depth > 0 && r->at < r->end);
}

/* The same for <...>, where it is one. */
static void skip_angles(struct reader *r) {
    int depth = 0;
    do {
        if (at(r, "(") || at(r, "[") || at(r, "{")) {
            skip_brackets(r);
            continue;
        }
        depth += at(r, "<") - at(r, ">");
        r->at++;
    } while (depth > 0 && r->at < r->end);
}

static void skip_to_semicolon(struct reader *r) {
    while (r->at < r->end && !at(r, ";")) {
        if (at(r, "(") || at(r, "{") || at(r, "["))
            skip_brackets(r);
        else
            r->at++;
    }
    r->at++;
}

/* ---- declarations ---- */

static void declarations(struct reader *r, struct str scope);

static void add(struct reader *r, struct str scope, struct str name, const char *end) {
    if (!is_word(name) && !str_is(name, "")) return;
    vec_push(r->a, &r->names,
             arena_printf(r->a, "%.*s%.*s%s", STR_ARG(scope), STR_ARG(name), end));
}

static struct str inner(struct reader *r, struct str scope, struct str name) {
    return arena_printf(r->a, "%.*s%.*s::", STR_ARG(scope), STR_ARG(name));
}

/* Behind its `{`, up to behind its `}`. */
static void body(struct reader *r, struct str scope) {
    size_t open = r->at, end = r->end;
    skip_brackets(r);
    size_t behind = r->at;
    r->at = open + 1;
    r->end = behind - 1;
    declarations(r, scope);
    r->at = behind;
    r->end = end;
}

static void read_namespace(struct reader *r, struct str scope) {
    r->at++;
    while (is_word(here(r)) || at(r, "::")) {
        if (is_word(here(r))) {
            add(r, scope, here(r), "::");
            scope = inner(r, scope, here(r));
        }
        r->at++;
    }
    if (at(r, "{"))
        body(r, scope);
    else
        skip_to_semicolon(r); /* namespace a = b; */
}

static void read_using(struct reader *r, struct str scope) {
    struct str last = {0};
    bool whole = str_is(ahead(r, 1), "namespace"), equals = false;
    for (; r->at < r->end && !at(r, ";"); r->at++) {
        if (at(r, "=")) equals = true;
        if (is_word(here(r)) && !equals) last = here(r);
    }
    r->at++;
    if (whole)
        add(r, scope, S(""), "*");
    else
        add(r, scope, last, "");
}

static void read_typedef(struct reader *r, struct str scope) {
    struct str last = {0};
    while (r->at < r->end && !at(r, ";")) {
        if (is_word(here(r))) last = here(r);
        if (at(r, "("))
            skip_brackets(r);
        else if (at(r, "<"))
            skip_angles(r);
        else
            r->at++;
    }
    r->at++;
    add(r, scope, last, "");
}

static void read_enumerators(struct reader *r, struct str scope, struct str name, bool scoped) {
    size_t open = r->at;
    skip_brackets(r);
    size_t behind = r->at;
    for (size_t i = open + 1; i + 1 < behind; i++) {
        bool begins = i == open + 1 || str_is(r->t->v[i - 1], ",");
        if (!begins || !is_word(r->t->v[i])) continue;
        if (!scoped) add(r, scope, r->t->v[i], "");
        if (name.n) add(r, inner(r, scope, name), r->t->v[i], "");
    }
}

/* `struct X : base {`, `enum X {` or `class X;` at the reader's place. False: it only begins so,
 * and nothing is read. */
static bool read_class(struct reader *r, struct str scope) {
    size_t begin = r->at;
    bool enumeration = at(r, "enum"), scoped = false, has_base = false;
    struct str name = {0};
    for (r->at++; r->at < r->end && !at(r, "{") && !at(r, ";") && !at(r, ":");) {
        if (at(r, "class") || at(r, "struct"))
            scoped = true, r->at++;
        else if (at(r, "("))
            skip_brackets(r);
        else if (at(r, "["))
            skip_brackets(r);
        else if (at(r, "<"))
            skip_angles(r);
        else if (is_word(here(r)) && !at(r, "final") && !str_is(ahead(r, 1), "("))
            name = here(r), r->at++;
        else if (is_word(here(r)) || at(r, "final"))
            r->at++;
        else
            break;
    }
    if (at(r, ":") && !enumeration) has_base = true;
    while (at(r, ":") || (has_base && r->at < r->end && !at(r, "{"))) r->at++;
    if (enumeration)
        while (r->at < r->end && !at(r, "{") && !at(r, ";")) r->at++;
    if (at(r, ";") && name.n) {
        add(r, scope, name, "");
    } else if (at(r, "{")) {
        if (name.n) add(r, scope, name, "::");
        if (has_base && name.n) add(r, inner(r, scope, name), S(""), "*");
        if (enumeration)
            read_enumerators(r, scope, name, scoped);
        else
            body(r, inner(r, scope, name));
        for (; r->at < r->end && !at(r, ";"); r->at++) add(r, scope, here(r), "");
    } else {
        r->at = begin;
        return false;
    }
    r->at++;
    return true;
}

/* Behind the parameters of a constructor: `: a(1), b{2}`. */
static void skip_initializers(struct reader *r) {
    do {
        r->at++;
        while (r->at < r->end && !at(r, "(") && !at(r, "{")) {
            if (at(r, "<"))
                skip_angles(r);
            else
                r->at++;
        }
        skip_brackets(r);
    } while (at(r, ","));
}

static bool takes_parentheses(struct str word) {
    static const char *const words_[] = {"decltype", "alignas",  "__attribute__", "noexcept",
                                         "explicit", "requires", "sizeof"};
    for (size_t i = 0; i < ARRAY_LEN(words_); i++)
        if (str_is(word, words_[i])) return true;
    return false;
}

/* ---- macros ---- */

static const struct macro *macro_named(const struct reader *r, struct str name) {
    for (size_t i = r->macros.n; i-- > 0;)
        if (str_eq(r->macros.v[i].name, name)) return &r->macros.v[i];
    return NULL;
}

/* The text between the parentheses at the reader's place, split at its commas; reads on. */
static size_t arguments(struct reader *r, words *out) {
    size_t open = r->at, n = 0;
    skip_brackets(r);
    int depth = 0;
    for (size_t i = open + 1; i + 1 < r->at; i++) {
        struct str t = r->t->v[i];
        depth += str_is(t, "(") - str_is(t, ")");
        if (depth == 0 && str_is(t, ",") && n + 1 < MOST_PARAMETERS)
            n++;
        else
            vec_push(r->a, &out[n], t);
    }
    return n + 1;
}

/* What a macro makes of the arguments at the reader's place, which is behind its name. */
static words replaced(struct reader *r, const struct macro *m) {
    words given[MOST_PARAMETERS] = {0}, text = {0};
    arguments(r, given);
    bool paste = false;
    for (size_t i = 0; i < m->body.n; i++) {
        words one = {0}, *put = &one;
        for (size_t p = 0; p < m->n; p++)
            if (str_eq(m->body.v[i], m->parameters[p])) put = &given[p];
        if (put == &one) vec_push(r->a, &one, m->body.v[i]);
        if (str_is(m->body.v[i], "##")) {
            paste = true;
            continue;
        }
        for (size_t k = 0; k < put->n; k++) {
            if (paste && k == 0 && text.n)
                text.v[text.n - 1] = arena_concat(r->a, text.v[text.n - 1], put->v[0]);
            else
                vec_push(r->a, &text, put->v[k]);
        }
        paste = false;
    }
    return text;
}

/* `unsigned NAME(vadd4)(...)`, at the parenthesis behind NAME; the parameters may be behind the
 * macro that this is the text of. */
static bool is_name_by_macro(struct reader *r, struct str name) {
    if (!at(r, "(") || !is_word(name) || !macro_named(r, name)) return false;
    struct reader behind = *r;
    skip_brackets(&behind);
    return behind.at < behind.end ? at(&behind, "(") : r->depth > 0;
}

/* A function or variables. */
static void read_plain(struct reader *r, struct str scope) {
    struct str last = {0};
    bool function = at(r, "("); /* the parameters of one whose head a macro makes */
    while (r->at < r->end && !at(r, ";")) {
        if (at(r, "operator")) {
            last = (struct str){0};
            function = true;
            r->at += str_is(ahead(r, 1), "(") ? 3 : 2;
            while (r->at < r->end && !at(r, "(")) r->at++;
            skip_brackets(r);
        } else if (!function && is_name_by_macro(r, last)) {
            words name = replaced(r, macro_named(r, last));
            if (name.n) last = name.v[name.n - 1];
        } else if (at(r, "(")) {
            if (!function && is_word(last)) add(r, scope, last, ""), function = true;
            skip_brackets(r);
        } else if (is_word(here(r)) && takes_parentheses(here(r)) && str_is(ahead(r, 1), "(")) {
            r->at++;
            skip_brackets(r);
        } else if (at(r, "<") && is_word(last)) {
            skip_angles(r);
        } else if (at(r, "[")) {
            skip_brackets(r);
        } else if (at(r, "{") || (function && at(r, ":"))) {
            if (at(r, ":")) skip_initializers(r);
            if (!function) add(r, scope, last, "");
            if (at(r, "{")) skip_brackets(r);
            if (function) return;
        } else if (at(r, "=") || at(r, ",")) {
            if (!function) add(r, scope, last, "");
            bool value = at(r, "=");
            r->at++;
            while (value && r->at < r->end && !at(r, ";") && !at(r, ",")) {
                if (at(r, "(") || at(r, "{") || at(r, "["))
                    skip_brackets(r);
                else
                    r->at++;
            }
        } else {
            last = here(r);
            r->at++;
        }
    }
    if (!function) add(r, scope, last, "");
    r->at++;
}

static void expand(struct reader *r, struct str scope, const struct macro *m) {
    r->at++;
    words text = replaced(r, m);
    struct reader of_text = *r;
    of_text.t = &text;
    of_text.at = 0;
    of_text.end = text.n;
    of_text.depth++;
    if (of_text.depth < DEEPEST) declarations(&of_text, scope);
    r->names = of_text.names;
}

static void declarations(struct reader *r, struct str scope) {
    while (r->at < r->end) {
        const struct macro *m =
            is_word(here(r)) && str_is(ahead(r, 1), "(") ? macro_named(r, here(r)) : NULL;
        bool kind = at(r, "class") || at(r, "struct") || at(r, "union") || at(r, "enum");
        if (m)
            expand(r, scope, m);
        else if (at(r, "template")) {
            r->at++;
            skip_angles(r);
        } else if (at(r, ";") || at(r, "inline") || at(r, "}"))
            r->at++;
        else if (is_word(here(r)) && str_is(ahead(r, 1), ":") && !kind)
            r->at += 2; /* public: */
        else if (at(r, "namespace"))
            read_namespace(r, scope);
        else if (at(r, "extern") && str_is(ahead(r, 2), "{")) {
            r->at += 2;
            body(r, scope);
        } else if (at(r, "using"))
            read_using(r, scope);
        else if (at(r, "typedef") && !str_is(ahead(r, 1), "struct") &&
                 !str_is(ahead(r, 1), "enum"))
            read_typedef(r, scope);
        else if (at(r, "typedef"))
            r->at++;
        else if (at(r, "static_assert"))
            skip_to_semicolon(r);
        else if (at(r, "friend")) {
            size_t names = r->names.n;
            read_plain(r, scope);
            r->names.n = names; /* of somebody else */
        } else if (!kind || !read_class(r, scope))
            read_plain(r, scope);
    }
}

/* ---- files ---- */

static int order(const void *x, const void *y) {
    return str_cmp(*(const struct str *)x, *(const struct str *)y);
}

static struct str c_source(struct reader *r) {
    struct buf b;
    buf_init(&b, r->a);
    buf_addz(&b, "/* Written by tools/header_names from runtime/include. */\n"
                 "#include \"cuda/header_names.h\"\n\nconst char *const cm_header_names[] = {\n");
    qsort(r->names.v, r->names.n, sizeof *r->names.v, order);
    size_t n = 0;
    for (size_t i = 0; i < r->names.n; i++) {
        if (i && str_eq(r->names.v[i], r->names.v[i - 1])) continue;
        buf_printf(&b, "    \"%.*s\",\n", STR_ARG(r->names.v[i]));
        n++;
    }
    buf_printf(&b, "};\nconst size_t cm_header_name_count = %zu;\n", n);
    return buf_str(&b);
}

static int run(struct arena *a, const char *output, char **paths, int n) {
    struct reader r = {.a = a};
    struct str error;
    for (int i = 0; i < n; i++) {
        struct str text;
        if (!file_read(a, paths[i], MAX_SIZE, &text, NULL, &error)) {
            fprintf(stderr, "header_names: %.*s\n", STR_ARG(error));
            return 2;
        }
        words tokens = {0};
        tokenize(a, without_directives(&r, text), &tokens);
        r.t = &tokens;
        r.at = 0;
        r.end = tokens.n;
        declarations(&r, S(""));
    }
    struct str source = c_source(&r);
    FILE *f = fopen(output, "w");
    bool good = f && fwrite(source.p, 1, source.n, f) == source.n;
    if (f && fclose(f)) good = false;
    if (!good) fprintf(stderr, "header_names: %s cannot be written\n", output);
    return good ? 0 : 2;
}

int main(int argc, char **argv) {
    if (argc < 4 || strcmp(argv[1], "-o") != 0) {
        fprintf(stderr, "usage: header_names -o OUTPUT.c HEADER...\n");
        return 2;
    }
    struct arena a;
    arena_init(&a, 0);
    int status = run(&a, argv[2], argv + 3, argc - 3);
    arena_free(&a);
    return status;
}
