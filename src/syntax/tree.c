/* SPDX-License-Identifier: Apache-2.0 */
/* tree.c - tree-sitter's tree flattened into an array.
 *
 * tree-sitter's cursors are slow to ask for parents; after one walk everything is an index. Its
 * memory comes from the file's arena, so a parse that is given up frees nothing and leaks
 * nothing. */
#include "syntax/tree.h"

#include <stdlib.h>
#include <time.h>
#include <tree_sitter/api.h>

/* tree-sitter asks one global allocator for memory; each thread answers from the arena of its
 * file. So nothing is freed, and an escape from the middle of parsing leaves nothing behind. */
static _Thread_local struct arena *parse_arena;

struct sized {
    size_t n;
    char data[] __attribute__((aligned(16)));
};

static void *ts_malloc_(size_t n) {
    struct sized *s = arena_alloc(parse_arena, sizeof *s + n);
    s->n = n;
    return s->data;
}

static void *ts_calloc_(size_t count, size_t n) {
    return memset(ts_malloc_(count * n), 0, count * n);
}

static void *ts_realloc_(void *p, size_t n) {
    if (!p) return ts_malloc_(n);
    struct sized *s = (struct sized *)((char *)p - offsetof(struct sized, data));
    if (n <= s->n) return p;
    s = arena_grow(parse_arena, s, sizeof *s + s->n, sizeof *s + n);
    s->n = n;
    return s->data;
}

static void ts_free_(void *p) { (void)p; }

/* Whether the tree-sitter runtime that was linked reads this grammar's ABI; *error says what to
 * do. */
static bool grammar_fits(const struct TSLanguage *language, struct arena *a, struct str *error) {
    uint32_t abi = ts_language_version(language);
    if (abi >= TREE_SITTER_MIN_COMPATIBLE_LANGUAGE_VERSION && abi <= TREE_SITTER_LANGUAGE_VERSION)
        return true;
    *error = arena_printf(
        a, "grammar has ABI %u, this tree-sitter runtime reads %d to %d: rebuild", abi,
        TREE_SITTER_MIN_COMPATIBLE_LANGUAGE_VERSION, TREE_SITTER_LANGUAGE_VERSION);
    return false;
}

bool grammar_init(struct grammar *g, struct arena *a, const struct TSLanguage *language,
                  const struct kind_table *kinds, struct str *error) {
    if (!grammar_fits(language, a, error)) return false;
    ts_set_allocator(ts_malloc_, ts_calloc_, ts_realloc_, ts_free_);
    uint32_t n_symbols = ts_language_symbol_count(language);
    *g = (struct grammar){.language = language, .error = kinds->error};
    g->kind_of = arena_zalloc(a, n_symbols * sizeof *g->kind_of);
    bool *seen = arena_zalloc(a, kinds->n * sizeof *seen);
    for (uint32_t s = 0; s < n_symbols; s++) {
        const char *name = ts_language_symbol_name(language, (TSSymbol)s);
        for (uint16_t k = 1; name && k < kinds->n; k++)
            if (strcmp(kinds->names[k], name) == 0) {
                g->kind_of[s] = k;
                seen[k] = true;
                break;
            }
    }
    for (uint16_t k = 1; k < kinds->n; k++)
        if (!seen[k] && k != kinds->error) {
            *error = arena_printf(a, "the grammar has no symbol \"%s\": wrong version",
                                  kinds->names[k]);
            return false;
        }
    return true;
}

struct grammar grammar_of_symbols(const struct grammar *g, struct arena *a) {
    uint32_t n = ts_language_symbol_count(g->language);
    struct grammar all = {.language = g->language, .error = (uint16_t)n};
    all.kind_of = arena_alloc(a, (n + 1) * sizeof *all.kind_of);
    for (uint32_t s = 0; s < n; s++) all.kind_of[s] = (uint16_t)s;
    return all;
}

const char *grammar_symbol(const struct grammar *g, uint16_t kind) {
    return kind == g->error ? "ERROR" : ts_language_symbol_name(g->language, kind);
}

struct source_and_deadline {
    struct str src;
    struct timespec deadline;
    size_t used;    /* of the arena, before */
    uint32_t calls; /* of past_deadline */
};

/* The text, then a newline if it lacks one: some grammars misread a last line without it. */
static const char *read_source(void *payload, uint32_t at, TSPoint point, uint32_t *n) {
    (void)point;
    struct str src = ((struct source_and_deadline *)payload)->src;
    if (at < src.n) {
        *n = (uint32_t)(src.n - at);
        return src.p + at;
    }
    *n = at == src.n && src.n && src.p[src.n - 1] != '\n' ? 1 : 0;
    return "\n";
}

/* By this thread's own clock: a busy machine must not change what becomes of a file. Damaged text
 * that costs much more memory than a program of its length is given up, too. */
static bool past_deadline(TSParseState *state) {
    enum { CALLS = 32 }; /* for one look at the clock, a system call: about a millisecond */
    enum { MOST = 384 << 20 };
    struct source_and_deadline *s = state->payload;
    struct timespec now;
    if (parse_arena->used - s->used > MOST) return true;
    if (s->calls++ % CALLS) return false;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return now.tv_sec > s->deadline.tv_sec ||
           (now.tv_sec == s->deadline.tv_sec && now.tv_nsec > s->deadline.tv_nsec);
}

static void flatten(struct tree *t, struct arena *a, const struct grammar *g, TSTree *tree) {
    VEC(struct node) out = {0};
    t->first_error = NO_NODE;
    TSTreeCursor cursor = ts_tree_cursor_new(ts_tree_root_node(tree));
    uint32_t parent = 0, around_error = NO_NODE; /* the smallest node known to hold an error */
    for (;;) {
        TSNode n = ts_tree_cursor_current_node(&cursor);
        TSSymbol symbol = ts_node_symbol(n);
        struct node node = {.start = ts_node_start_byte(n),
                            .end = ts_node_end_byte(n),
                            .parent = parent,
                            .named = ts_node_is_named(n)};
        bool error = symbol == (TSSymbol)-1 || ts_node_is_missing(n);
        node.kind = error ? g->error : g->kind_of[symbol];
        uint32_t self = (uint32_t)out.n;
        if (error && t->first_error == NO_NODE) t->first_error = self;
        if (ts_node_has_error(n) && (self == 0 || parent == around_error)) around_error = self;
        vec_push(a, &out, node);
        bool descends = !g->errors_alone || ts_node_has_error(n);
        if (descends && ts_tree_cursor_goto_first_child(&cursor)) {
            parent = self;
            continue;
        }
        out.v[self].next = (uint32_t)out.n;
        while (!ts_tree_cursor_goto_next_sibling(&cursor)) {
            if (!ts_tree_cursor_goto_parent(&cursor)) {
                t->v = out.v;
                t->n = (uint32_t)out.n;
                t->v[0].next = t->n;
                /* What is missing may be hidden in the grammar: the end of a line, an indent. */
                if (t->first_error == NO_NODE) t->first_error = around_error;
                return;
            }
            out.v[parent].next = (uint32_t)out.n;
            parent = out.v[parent].parent;
        }
    }
}

enum parse_status tree_parse(struct tree *t, struct arena *a, const struct grammar *g,
                             struct str src, const struct byte_range *ranges, size_t n_ranges,
                             double seconds) {
    parse_arena = a;
    TSParser *parser = ts_parser_new(); /* in the arena, like all that it makes */
    ts_parser_set_language(parser, g->language);
    if (n_ranges) {
        TSRange *r = arena_zalloc(a, n_ranges * sizeof *r);
        uint32_t line = 0;
        size_t at = 0;
        for (size_t i = 0; i < n_ranges; i++) {
            for (const char *p; (p = memchr(src.p + at, '\n', ranges[i].start - at)); line++)
                at = (size_t)(p - src.p) + 1;
            r[i].start_byte = ranges[i].start;
            r[i].start_point.row = line;
            at = ranges[i].start;
            for (const char *p; (p = memchr(src.p + at, '\n', ranges[i].end - at)); line++)
                at = (size_t)(p - src.p) + 1;
            r[i].end_byte = ranges[i].end == src.n ? UINT32_MAX : ranges[i].end;
            r[i].end_point.row = ranges[i].end == src.n ? UINT32_MAX : line;
            at = ranges[i].end;
        }
        ts_parser_set_included_ranges(parser, r, (uint32_t)n_ranges);
    }
    struct source_and_deadline s = {.src = src, .used = a->used};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &s.deadline);
    s.deadline.tv_sec += (time_t)seconds;
    TSInput input = {&s, read_source, TSInputEncodingUTF8, NULL};
    TSParseOptions options = {&s, past_deadline};
    TSTree *tree = ts_parser_parse_with_options(parser, NULL, input, options);
    if (!tree) return PARSE_TOO_SLOW;
    flatten(t, a, g, tree);
    return PARSE_OK;
}
