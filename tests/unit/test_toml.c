/* SPDX-License-Identifier: Apache-2.0 */
/* test_toml.c - configurations as values, and where one is wrong. */
#include "syntax/toml.h"
#include "test.h"

static struct arena a;

/* The value as one text: {key=1 [true "x"] ...}; what is not read is a ?. */
static void tell(struct buf *b, const struct toml_value *v) {
    if (v->key.n) buf_printf(b, "%.*s=", STR_ARG(v->key));
    bool table = v->type == TOML_TABLE;
    switch (v->type) {
    case TOML_STRING:
        buf_printf(b, "'%.*s'", STR_ARG(v->string));
        break;
    case TOML_BOOLEAN:
        buf_addz(b, v->boolean ? "true" : "false");
        break;
    case TOML_INTEGER:
        buf_printf(b, "%lld", (long long)v->integer);
        break;
    case TOML_OTHER:
        buf_addc(b, '?');
        break;
    case TOML_ARRAY:
    case TOML_TABLE: {
        size_t n = 0;
        buf_addc(b, table ? '{' : '[');
        for (const struct toml_value *m = v->first; m; m = m->next) {
            if (n++) buf_addc(b, ' ');
            tell(b, m);
        }
        buf_addc(b, table ? '}' : ']');
        CHECK(n == v->n);
        break;
    }
    }
}

static void check_toml(const char *text, const char *want) {
    struct str error = {0};
    const struct toml_value *v = toml_parse(&a, S("n"), str_of(text), &error);
    struct buf b;
    buf_init(&b, &a);
    if (v)
        tell(&b, v);
    else
        buf_add(&b, error);
    if (!CHECK(str_is(buf_str(&b), want)))
        fprintf(stderr, "  of   %s\n  got  %.*s\n  want %s\n", text, STR_ARG(buf_str(&b)), want);
}

static void test_values(void) {
    check_toml("", "{}");
    check_toml("a = 1\nb = -2_000 # c\nc = 0xF_F\n", "{a=1 b=-2000 c=255}");
    check_toml("a = 0x1f\nb = 0o17\nc = 0b101\nd = +9", "{a=31 b=15 c=5 d=9}");
    check_toml("a = true\nb = false", "{a=true b=false}");
    check_toml("a = 1.5\nb = 2026-11-23\nc = inf", "{a=? b=? c=?}");
    check_toml("a = [1, [true], 'x',\n]\nb = []", "{a=[1 [true] 'x'] b=[]}");
    check_toml("a = {b = 1, c = {}}", "{a={b=1 c={}}}");
    check_toml("a.b.c = 1\na.b.d = 2\n\"a b\" = 3\n'c.d' = 4", "{a={b={c=1 d=2}} a b=3 c.d=4}");
    check_toml("[a]\nb = 1\n[a.c]\nd = 2\n[e.f]\n", "{a={b=1 c={d=2}} e={f={}}}");
    check_toml("[[a]]\nb = 1\n[[a]]\n[a.c]\nd = 2", "{a=[{b=1} {c={d=2}}]}");
}

static void test_strings(void) {
    check_toml("a = 'x\\n'\nb = \"x\\ty\\\\z\\\"\"", "{a='x\\n' b='x\ty\\z\"'}");
    check_toml("a = \"\\b\\f\\r\\n\"", "{a='\b\f\r\n'}");
    check_toml("a = \"\"\"\nx\ny\"\"\"\nb = '''\r\nx'''", "{a='x\ny' b='x'}");
    check_toml("a = \"\"\"x \\\n   y\"\"\"", "{a='x y'}");
    check_toml("a = \"\\u0041\\u007F\\u0080\\u07FF\\u0800\\uFFFD\"",
               "{a='A\x7f\xc2\x80\xdf\xbf\xe0\xa0\x80\xef\xbf\xbd'}");
    check_toml("a = \"\\U00010000\\U0010FFFF\\U0001F600\"",
               "{a='\xf0\x90\x80\x80\xf4\x8f\xbf\xbf\xf0\x9f\x98\x80'}");
    /* What is no character is the one for that. */
    check_toml("a = \"\\uD800\\uDFFF\\U00110000\\u0000\"",
               "{a='\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd'}");
    check_toml("a = \"\\uD7FF\\uE000\"", "{a='\xed\x9f\xbf\xee\x80\x80'}");
}

static void test_wrong(void) {
    check_toml("a = 1\na = 2", "n:2:1: 'a' is there twice");
    check_toml("a.b = 1\na.b = 2", "n:2:1: 'b' is there twice");
    check_toml("[a]\n[b]\n [a]\n", "n:3:3: 'a' is there twice");
    check_toml("a = 1\n[a]\n", "n:2:2: 'a' is there twice");
    check_toml("[a]\n[[a]]\n", "n:2:3: 'a' is there twice");
    check_toml("a = [1]\n[[a.b]]\n", "n:2:3: 'a' is no table");
    check_toml("a = 1\nb.c = 2\nb.c.d = 3\n", "n:3:3: 'c' is no table");
    struct str error = {0};
    CHECK(!toml_parse(&a, S("n"), S("a = 1\nb = = 2\n"), &error));
    CHECK(str_starts(error, S("n:2:")));
    CHECK(!toml_parse(&a, S("n"), S("a = \"x\n"), &error));
    CHECK(str_starts(error, S("n:1:")));
}

static void test_places(void) {
    struct str error = {0};
    const struct toml_value *v =
        toml_parse(&a, S("n"), S("a = 1\n[t]\n  b = [\n 2]\nc.d = 'x'\n"), &error);
    if (!CHECK(v != NULL)) return;
    const struct toml_value *t = toml_get(v, "t"), *b = toml_get(t, "b");
    CHECK(toml_get(v, "a")->line == 1 && toml_get(v, "a")->column == 5);
    CHECK(t && t->is_explicit && !toml_get(t, "c")->is_explicit);
    CHECK(b && b->line == 3 && b->column == 7 && b->first->line == 4 && b->first->column == 2);
    CHECK(!toml_get(v, "b") && !toml_get(NULL, "a") && !toml_get(toml_get(v, "a"), "a"));
    CHECK(toml_get(toml_get(t, "c"), "d")->string.p[1] == '\0');
}

/* Damaged text for which the parser takes memory by the square is given up, not the process. */
static void test_memory(void) {
    enum { TIMES = 2756 };
    struct arena limited;
    struct str error = {0};
    jmp_buf escape;
    arena_init(&limited, 512u << 20);
    limited.escape = &escape;
    struct buf b;
    buf_init(&b, &a);
    buf_add(&b, (struct str){"41\0J.\n[\0J.\n", 11});
    for (int part = 0; part < 4; part++) {
        for (int i = 0; i < TIMES; i++) buf_addz(&b, "x if ");
        buf_addc(&b, '[');
        for (int i = 0; i < TIMES; i++) buf_addz(&b, " else y");
        buf_addc(&b, ')');
    }
    if (setjmp(escape))
        CHECK(!"it takes more than 512 MB");
    else
        CHECK(!toml_parse(&limited, S("x.toml"), buf_str(&b), &error) && error.n);
    arena_free(&limited);
}

int main(void) {
    arena_init(&a, 0);
    test_memory();
    test_values();
    test_strings();
    test_wrong();
    test_places();
    arena_free(&a);
    return test_end("toml");
}
