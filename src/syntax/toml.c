/* SPDX-License-Identifier: Apache-2.0 */
/* toml.c - a reader of TOML 1.0 for configurations. What those do not hold (dates, floats) is
 * recognised and left. */
#include "syntax/toml.h"
#include "syntax/tree.h"

#include <stdlib.h>

const struct TSLanguage *tree_sitter_toml(void);

enum kind {
    K_OTHER,
    K_ERROR,
    K_COMMENT,
    K_PAIR,
    K_TABLE,
    K_TABLE_ARRAY_ELEMENT,
    K_DOTTED_KEY,
    K_BARE_KEY,
    K_QUOTED_KEY,
    K_STRING,
    K_INTEGER,
    K_BOOLEAN,
    K_ARRAY,
    K_INLINE_TABLE,
    K_COUNT
};

static const char *const kind_names[K_COUNT] = {
    NULL,         "ERROR",       "comment",    "pair",   "table",   "table_array_element",
    "dotted_key", "bare_key",    "quoted_key", "string", "integer", "boolean",
    "array",      "inline_table"};

struct reader {
    struct arena *a;
    struct str name, text;
    struct tree tree;
    struct toml_value **value_of; /* [node] the table or array it stands for */
    struct str *error;
    size_t line_start; /* of the last place that was asked for, and its number from 0 */
    uint32_t line;
    size_t steps; /* members that were looked at */
};

/* Members are found one after the other, which is quick for what people write. */
enum { MAX_STEPS = 100 * 1000 * 1000 };

/* ---- errors ---- */

/* Places are asked for in ascending order, nearly always. */
static void place(struct reader *r, size_t offset, uint32_t *line, uint32_t *column) {
    if (offset < r->line_start) r->line_start = r->line = 0;
    const char *p;
    while ((p = memchr(r->text.p + r->line_start, '\n', offset - r->line_start))) {
        r->line_start = (size_t)(p - r->text.p) + 1;
        r->line++;
    }
    *line = r->line + 1;
    *column = (uint32_t)(offset - r->line_start) + 1;
}

static bool fail(struct reader *r, uint32_t node, struct str sentence) {
    uint32_t line, column;
    place(r, r->tree.v[node].start, &line, &column);
    *r->error =
        arena_printf(r->a, "%.*s:%u:%u: %.*s", STR_ARG(r->name), line, column, STR_ARG(sentence));
    return false;
}

/* ---- text ---- */

static struct str node_text(const struct reader *r, uint32_t node) {
    return str_sub(r->text, r->tree.v[node].start, r->tree.v[node].end);
}

static void add_utf8(struct buf *b, uint32_t c) {
    if (c < 0x80) {
        buf_addc(b, (char)c);
    } else if (c < 0x800) {
        buf_addc(b, (char)(0xC0 | c >> 6));
        buf_addc(b, (char)(0x80 | (c & 0x3F)));
    } else if (c < 0x10000) {
        buf_addc(b, (char)(0xE0 | c >> 12));
        buf_addc(b, (char)(0x80 | (c >> 6 & 0x3F)));
        buf_addc(b, (char)(0x80 | (c & 0x3F)));
    } else {
        buf_addc(b, (char)(0xF0 | c >> 18));
        buf_addc(b, (char)(0x80 | (c >> 12 & 0x3F)));
        buf_addc(b, (char)(0x80 | (c >> 6 & 0x3F)));
        buf_addc(b, (char)(0x80 | (c & 0x3F)));
    }
}

/* The escape after a backslash at s[*i]; moves *i behind it. */
static void add_escape(struct buf *b, struct str s, size_t *i) {
    static const char letters[] = "btnfr\"\\", values[] = "\b\t\n\f\r\"\\";
    char c = s.p[(*i)++];
    const char *letter = strchr(letters, c);
    if (c == 'u' || c == 'U') {
        size_t digits = c == 'u' ? 4 : 8;
        char hex[9] = {0};
        memcpy(hex, s.p + *i, digits);
        uint32_t code = (uint32_t)strtoul(hex, NULL, 16);
        bool is_scalar = code && code < 0x110000 && !(code >= 0xD800 && code < 0xE000);
        add_utf8(b, is_scalar ? code : 0xFFFD);
        *i += digits;
    } else if (letter) {
        buf_addc(b, values[letter - letters]);
    } else { /* the end of a line: blanks and line ends after it go, too */
        while (*i < s.n && strchr(" \t\r\n", s.p[*i])) ++*i;
    }
}

static struct str decoded(struct arena *a, struct str s) {
    char quote = s.p[0];
    bool is_long = s.n >= 6 && s.p[1] == quote && s.p[2] == quote;
    s = is_long ? str_sub(s, 3, s.n - 3) : str_sub(s, 1, s.n - 1);
    if (is_long && str_starts(s, S("\r\n"))) s = str_sub(s, 2, s.n);
    if (is_long && str_starts(s, S("\n"))) s = str_sub(s, 1, s.n);
    if (quote == '\'') return arena_str(a, s);
    struct buf b;
    buf_init(&b, a);
    for (size_t i = 0; i < s.n;) {
        if (s.p[i] == '\\' && ++i < s.n)
            add_escape(&b, s, &i);
        else
            buf_addc(&b, s.p[i++]);
    }
    return arena_str(a, buf_str(&b));
}

/* ---- values ---- */

static struct toml_value *member(const struct toml_value *table, struct str key) {
    struct toml_value *v = table->first;
    while (v && !str_eq(v->key, key)) v = v->next;
    return v;
}

const struct toml_value *toml_get(const struct toml_value *table, const char *key) {
    return table && table->type == TOML_TABLE ? member(table, str_of(key)) : NULL;
}

static struct toml_value *append(struct reader *r, struct toml_value *to, uint32_t node,
                                 enum toml_type type, struct str key) {
    struct toml_value *v = NEW(r->a, struct toml_value);
    v->type = type;
    v->key = key;
    place(r, r->tree.v[node].start, &v->line, &v->column);
    if (to->last)
        to->last->next = v;
    else
        to->first = v;
    to->last = v;
    to->n++;
    return v;
}

static struct toml_value *find(struct reader *r, const struct toml_value *table, struct str key) {
    r->steps += table->n;
    return member(table, key);
}

static bool is_key(uint16_t kind) {
    return kind == K_DOTTED_KEY || kind == K_BARE_KEY || kind == K_QUOTED_KEY;
}

static uint32_t key_node(const struct reader *r, uint32_t node) {
    uint32_t child = tree_first_child(&r->tree, node);
    while (child != NO_NODE && !is_key(r->tree.v[child].kind))
        child = tree_next_sibling(&r->tree, child);
    return child;
}

/* Goes down from *table by every part of a key but the last one, which goes to *last. */
static bool follow_key(struct reader *r, uint32_t key, struct toml_value **table,
                       struct str *last) {
    uint32_t part = key; /* that *last is */
    *last = (struct str){NULL, 0};
    for (uint32_t i = key; i < r->tree.v[key].next; i++) {
        uint16_t kind = r->tree.v[i].kind;
        if (kind != K_BARE_KEY && kind != K_QUOTED_KEY) continue;
        if (last->p) {
            struct toml_value *next = find(r, *table, *last);
            if (!next) next = append(r, *table, i, TOML_TABLE, *last);
            if (next->type == TOML_ARRAY && next->last) next = next->last;
            if (next->type != TOML_TABLE)
                return fail(r, part, arena_printf(r->a, "'%.*s' is no table", STR_ARG(*last)));
            *table = next;
        }
        struct str text = node_text(r, i);
        part = i;
        *last = kind == K_QUOTED_KEY ? decoded(r->a, text) : arena_str(r->a, text);
    }
    return true;
}

static bool set_twice(struct reader *r, uint32_t node, struct str key) {
    return fail(r, node, arena_printf(r->a, "'%.*s' is there twice", STR_ARG(key)));
}

/* [key] and [[key]] */
static bool read_header(struct reader *r, uint32_t node, struct toml_value *root) {
    struct toml_value *table = root;
    struct str key;
    uint32_t at = key_node(r, node);
    if (!follow_key(r, at, &table, &key)) return false;
    struct toml_value *v = find(r, table, key);
    if (r->tree.v[node].kind == K_TABLE_ARRAY_ELEMENT) {
        if (!v) v = append(r, table, at, TOML_ARRAY, key);
        if (v->type != TOML_ARRAY) return set_twice(r, at, key);
        v = append(r, v, at, TOML_TABLE, (struct str){NULL, 0});
    } else {
        if (!v) v = append(r, table, at, TOML_TABLE, key);
        if (v->type != TOML_TABLE || v->is_explicit) return set_twice(r, at, key);
    }
    v->is_explicit = true;
    r->value_of[node] = v;
    return true;
}

static enum toml_type type_of(uint16_t kind) {
    return kind == K_STRING         ? TOML_STRING
           : kind == K_BOOLEAN      ? TOML_BOOLEAN
           : kind == K_INTEGER      ? TOML_INTEGER
           : kind == K_ARRAY        ? TOML_ARRAY
           : kind == K_INLINE_TABLE ? TOML_TABLE
                                    : TOML_OTHER;
}

static int64_t integer(struct str text) {
    char digits[72];
    size_t n = 0;
    for (size_t i = 0; i < text.n && n + 1 < sizeof digits; i++)
        if (text.p[i] != '_') digits[n++] = text.p[i];
    digits[n] = 0;
    if (n > 2 && digits[1] == 'o') return strtoll(digits + 2, NULL, 8);
    if (n > 2 && digits[1] == 'b') return strtoll(digits + 2, NULL, 2);
    return strtoll(digits, NULL, n > 2 && digits[1] == 'x' ? 16 : 10);
}

/* A value of a pair or of an array. */
static bool read_value(struct reader *r, uint32_t node, struct toml_value *root) {
    const struct node *n = &r->tree.v[node], *parent = &r->tree.v[n->parent];
    struct toml_value *to = r->value_of[n->parent];
    struct str key = {NULL, 0};
    if (parent->kind == K_PAIR) {
        uint32_t at = key_node(r, n->parent);
        to = r->value_of[parent->parent];
        if (!to) to = root;
        if (!follow_key(r, at, &to, &key)) return false;
        if (find(r, to, key)) return set_twice(r, at, key);
    }
    struct toml_value *v = append(r, to, node, type_of(n->kind), key);
    struct str text = node_text(r, node);
    if (v->type == TOML_STRING) v->string = decoded(r->a, text);
    if (v->type == TOML_BOOLEAN) v->boolean = str_is(text, "true");
    if (v->type == TOML_INTEGER) v->integer = integer(text);
    v->is_explicit = true;
    r->value_of[node] = v;
    return true;
}

static bool is_value(const struct reader *r, uint32_t node) {
    const struct node *n = &r->tree.v[node];
    uint16_t parent = r->tree.v[n->parent].kind;
    return n->named && !is_key(n->kind) && n->kind != K_COMMENT &&
           (parent == K_PAIR || parent == K_ARRAY);
}

static bool read_tree(struct reader *r, struct toml_value *root) {
    for (uint32_t i = 1; i < r->tree.n; i++) {
        uint16_t kind = r->tree.v[i].kind;
        if (r->steps > MAX_STEPS) return fail(r, i, S("there are too many keys to be read"));
        if (kind == K_TABLE || kind == K_TABLE_ARRAY_ELEMENT) {
            if (!read_header(r, i, root)) return false;
        } else if (is_value(r, i) && !read_value(r, i, root)) {
            return false;
        }
    }
    return true;
}

const struct toml_value *toml_parse(struct arena *a, struct str name, struct str text,
                                    struct str *error) {
    static const struct kind_table kinds = {kind_names, K_COUNT, K_ERROR};
    struct reader r = {.a = a, .name = name, .text = text, .error = error};
    struct grammar grammar;
    if (!grammar_init(&grammar, a, tree_sitter_toml(), &kinds, error)) return NULL;
    if (!utf8_valid(text)) {
        *error = arena_printf(a, "%.*s: the file is not UTF-8", STR_ARG(name));
        return NULL;
    }
    if (tree_parse(&r.tree, a, &grammar, text, NULL, 0, PARSE_SECONDS) != PARSE_OK) {
        *error = arena_printf(a, "%.*s: reading it takes too long", STR_ARG(name));
        return NULL;
    }
    if (r.tree.first_error != NO_NODE) {
        fail(&r, r.tree.first_error, S("this is not TOML"));
        return NULL;
    }
    r.value_of = arena_zalloc(a, (r.tree.n + 1) * sizeof *r.value_of);
    struct toml_value *root = NEW(a, struct toml_value);
    root->type = TOML_TABLE;
    r.value_of[0] = root;
    return read_tree(&r, root) ? root : NULL;
}
