/* SPDX-License-Identifier: Apache-2.0 */
/* test_template.c - the language of rules' templates: parts, placeholders, expansion. */
#include "rules/template.h"

#include "test.h"

static struct arena a;

/* All parts, as "text|<placeholder>|...". */
static struct str parts(const char *template) {
    struct buf b;
    struct str part;
    buf_init(&b, &a);
    for (size_t at = 0;;) {
        switch (template_next(str_of(template), &at, &part)) {
        case TEMPLATE_END:
            return buf_str(&b);
        case TEMPLATE_BROKEN:
            buf_addz(&b, "broken");
            return buf_str(&b);
        case TEMPLATE_TEXT:
            buf_printf(&b, "%.*s|", STR_ARG(part));
            break;
        case TEMPLATE_PLACEHOLDER:
            buf_printf(&b, "<%.*s>|", STR_ARG(part));
            break;
        }
    }
}

static void test_identifiers(void) {
    static const char *const good[] = {"a", "_", "a1", "_1", "Ab_c"};
    static const char *const bad[] = {"", "1a", "-a", "a-", "a b", " a", "a.b", "\xc3\xa4"};
    for (size_t i = 0; i < ARRAY_LEN(good); i++) CHECK(is_identifier(str_of(good[i])));
    for (size_t i = 0; i < ARRAY_LEN(bad); i++) CHECK(!is_identifier(str_of(bad[i])));
}

static void test_parts(void) {
    CHECK_STR(parts("f({*}, x)"), "f(|<*>|, x)|");
    CHECK_STR(parts("{{x}}"), "{|x|}|");
    CHECK_STR(parts("{{{x}}}"), "{|<x>|}|");
    CHECK_STR(parts("{}"), "<>|");
    CHECK_STR(parts("a}"), "a|broken");
    CHECK_STR(parts("a{b"), "a|broken");
    CHECK_STR(parts("}}{{"), "}|{|");
    CHECK_STR(parts("{"), "broken");
}

static void test_placeholders(void) {
    static const struct {
        const char *text;
        enum placeholder_kind kind;
        uint32_t first, last;
    } cases[] = {
        {"device", PH_WORD, 0, 0},
        {"name", PH_NAME, 0, 0},
        {"tail", PH_TAIL, 0, 0},
        {".", PH_RECEIVER, 0, 0},
        {"*", PH_ARGUMENTS, 0, 0},
        {"*:a,b_2", PH_KEYWORDS, 0, 0},
        {"0", PH_FIRST, 0, 0},
        {"1", PH_POSITION, 1, 1},
        {"12", PH_POSITION, 12, 12},
        {"2*", PH_POSITION, 2, ~0u},
        {"0*", PH_POSITION, 0, ~0u},
        {"0-16", PH_POSITION, 0, 16},
        {"3:bare", PH_POSITION, 3, 3},
        {"0:bare", PH_POSITION, 0, 0},
        {"<>", PH_TEMPLATE_ARGUMENTS, 0, 0},
        {"", PH_BAD, 0, 0},
        {"a b", PH_BAD, 0, 0},
        {"*:", PH_BAD, 0, 0},
        {"*:a,,b", PH_BAD, 0, 0},
        {"*:1", PH_BAD, 0, 0},
        {"1x", PH_BAD, 0, 0},
        {"2-1", PH_BAD, 0, 0},
        {"2-", PH_BAD, 0, 0},
        {"0*:bare", PH_BAD, 0, 0},
        {"0:bar", PH_BAD, 0, 0},
        {"00001", PH_BAD, 0, 0},
        {"grid:dim3", PH_BAD, 0, 0},
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++) {
        struct placeholder p = template_placeholder(str_of(cases[i].text));
        bool same = p.kind == cases[i].kind;
        if (p.kind == PH_FIRST || p.kind == PH_POSITION)
            same = same && p.first == cases[i].first && p.last == cases[i].last;
        if (!CHECK(same)) fprintf(stderr, "  {%s}\n", cases[i].text);
    }
    CHECK_STR(template_placeholder(S("*:a,b")).option, "a,b");
}

static void test_launch_parts(void) {
    struct str option;
    CHECK(template_launch_part(S("grid:dim3"), &option) == LAUNCH_GRID);
    CHECK_STR(option, "dim3");
    CHECK(template_launch_part(S("kernel"), &option) == LAUNCH_KERNEL && !option.n);
    CHECK(template_launch_part(S("*"), &option) == LAUNCH_ALL);
    CHECK(template_launch_part(S("config:x"), &option) == LAUNCH_NONE);
    CHECK(template_launch_part(S("kernl"), &option) == LAUNCH_NONE);
}

/* ---- expanding, for a target of the built-in rules ---- */

static void add_text(void *context, struct str text) { buf_add(context, text); }

/* {*} is the language's own; {0} it would know, but cannot write here. */
static bool add_placeholder(void *context, const struct placeholder *p, struct str *why) {
    if (p->kind == PH_ARGUMENTS) buf_addz(context, "ARGS");
    if (p->kind == PH_FIRST) *why = S("there is none");
    return p->kind == PH_ARGUMENTS;
}

static bool expand(const char *template, const char *target, struct str *out) {
    struct rules r = {.n = 1};
    struct buf b;
    struct template_sink sink = {
        .context = &b, .a = &a, .name = S("f"), .text = add_text, .placeholder = add_placeholder};
    CHECK(ruleset_open(cm_rules_blob, cm_rules_blob_size, &r.set[0]));
    CHECK(rules_target(&r, str_of(target), &sink.target));
    buf_init(&b, &a);
    if (!template_expand(str_of(template), &sink, out)) return false;
    *out = buf_str(&b);
    return true;
}

static void test_expand(void) {
    struct str out;
    CHECK(expand("{name}({*}, \"{{{device}}}\")", "ascend", &out));
    CHECK_STR(out, "f(ARGS, \"{npu}\")");
    CHECK(!expand("{gone}", "ascend", &out));
    CHECK_STR(out, "target ascend has no gone");
    CHECK(!expand("{import}", "cpu", &out)); /* it is there, and empty */
    CHECK_STR(out, "target cpu has no import");
    CHECK(!expand("{0}", "cpu", &out));
    CHECK_STR(out, "there is none");
    CHECK(!expand("{1}", "cpu", &out) && !expand("}", "cpu", &out));
    CHECK_STR(out, "the rule's template is broken");
}

int main(void) {
    arena_init(&a, 0);
    test_identifiers();
    test_parts();
    test_placeholders();
    test_launch_parts();
    test_expand();
    arena_free(&a);
    return test_end("template");
}
