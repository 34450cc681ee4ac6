/* SPDX-License-Identifier: Apache-2.0 */
/* Patterns as gitignore(5) describes them. */
#include <time.h>

#include "base/glob.h"
#include "test.h"

static void test_match(void) {
    static const struct {
        const char *pattern, *path;
        bool want;
    } cases[] = {
        {"a.py", "a.py", true},
        {"a.py", "a.pyc", false},
        {"", "a", false},
        {"*", "", true},
        {"*.py", "a.py", true},
        {"*.py", ".py", true},
        {"*.py", "d/a.py", false}, /* a star stops at the slash */
        {"?", "a", true},
        {"?", "/", false},
        {"a?c", "a/c", false},
        {"a*b*c", "aXbYbZc", true},
        {"a*b*c", "aXbYbZ", false},
        {"**", "a/b/c", true},
        {"**/a", "a", true},
        {"**/a", "x/y/a", true},
        {"**/a", "x/ya", false},
        {"a/**", "a/b", true},
        {"a/**", "a/b/c", true},
        {"a/**", "a", false},
        {"a/**/b", "a/b", true},
        {"a/**/b", "a/x/y/b", true},
        {"a/**/b", "a/x/y/bc", false},
        {"a/**/b/**/c", "a/b/x/b/y/c", true},
        {"a/**/b/*/c", "a/b/x/b/y/c", true},
        {"a/**/b/*/c", "a/b/y/z/c", false},
        {"**/**/a", "x/a", true},
        {"a**b", "axxb", true}, /* no component of its own: two plain stars */
        {"a**b", "ax/xb", false},
        {"[abc]", "b", true},
        {"[!abc]", "b", false},
        {"[^abc]", "d", true},
        {"[a-c]x", "bx", true},
        {"[a-c]x", "dx", false},
        {"[]]", "]", true},
        {"[]-a]", "^", true},
        {"[!]]", "]", false},
        {"[-a]", "-", true},
        {"[a-]", "-", true},
        {"[\\]]", "]", true},
        {"[\\-x]", "-", true},
        {"[[:digit:]]", "7", true},
        {"[[:digit:]]", "x", false},
        {"[![:alpha:]_]", "1", true},
        {"[![:alpha:]_]", "_", false},
        {"[[:nosuch:]]", "a", false},
        {"[a/b]", "a", true},
        {"x[/]y", "x/y", false},
        {"[abc", "a", false},    /* an open bracket matches nothing, */
        {"[abc", "[abc", false}, /* not even itself */
        {"a[", "a[", false},
        {"\\*", "*", true},
        {"\\*", "a", false},
        {"a\\", "a\\", false},
        {"\\", "a", false}, /* nothing is behind it that it could mean */
        {"a\\/b", "a/b", false},
        {"\\a", "a", true},
        {"\xe4*", "\xe4\xb8\xad", true}, /* bytes, not characters */
        {"?", "\xe4\xb8\xad", false},
        {"[\x80-\xff]", "\xe4", true},
    };
    for (size_t i = 0; i < ARRAY_LEN(cases); i++)
        if (!CHECK(glob_match(str_of(cases[i].pattern), str_of(cases[i].path)) == cases[i].want))
            fprintf(stderr, "  \"%s\" on \"%s\"\n", cases[i].pattern, cases[i].path);
}

static void test_rule_lines(void) {
    struct glob_rule r;
    CHECK(!glob_parse_rule(S(""), &r));
    CHECK(!glob_parse_rule(S("   "), &r));
    CHECK(!glob_parse_rule(S("# note"), &r));
    CHECK(!glob_parse_rule(S("!"), &r));
    CHECK(!glob_parse_rule(S("/"), &r));
    CHECK(glob_parse_rule(S("\\#x"), &r));
    CHECK_STR(r.pattern, "\\#x");
    CHECK(glob_parse_rule(S("!*.o\r"), &r) && r.negated && !r.anchored);
    CHECK_STR(r.pattern, "*.o");
    CHECK(glob_parse_rule(S("build/"), &r) && r.directory_only && !r.anchored);
    CHECK_STR(r.pattern, "build");
    CHECK(glob_parse_rule(S("/build"), &r) && r.anchored && !r.directory_only);
    CHECK_STR(r.pattern, "build");
    CHECK(glob_parse_rule(S("a/b/"), &r) && r.anchored && r.directory_only);
    CHECK(glob_parse_rule(S("a  "), &r));
    CHECK_STR(r.pattern, "a");
    CHECK(glob_parse_rule(S("a\\  "), &r)); /* an escaped blank stays */
    CHECK_STR(r.pattern, "a\\ ");
    static char huge[GLOB_MAX_PATTERN + 1];
    memset(huge, 'a', sizeof huge);
    CHECK(!glob_parse_rule((struct str){huge, sizeof huge}, &r));
    CHECK(glob_parse_rule((struct str){huge, sizeof huge - 1}, &r));
}

static void test_decisions(void) {
    struct arena a;
    arena_init(&a, 0);
    struct glob_rules r = {0};
    glob_add_rules(&a, &r, S("\xEF\xBB\xBF*.log\r\n!keep.log\n# c\n\n/top\nsub/x\nonly/\ndoc/**"));
    CHECK(r.n == 6);
    CHECK(glob_decide(&r, S("d/a.log"), false) == GLOB_MATCH);
    CHECK(glob_decide(&r, S("d/keep.log"), false) == GLOB_TAKEN_BACK);
    CHECK(glob_decide(&r, S("top"), false) == GLOB_MATCH);
    CHECK(glob_decide(&r, S("d/top"), false) == GLOB_UNDECIDED);
    CHECK(glob_decide(&r, S("sub/x"), false) == GLOB_MATCH);
    CHECK(glob_decide(&r, S("d/sub/x"), false) == GLOB_UNDECIDED);
    CHECK(glob_decide(&r, S("only"), false) == GLOB_UNDECIDED);
    CHECK(glob_decide(&r, S("d/only"), true) == GLOB_MATCH);
    CHECK(glob_decide(&r, S("doc"), true) == GLOB_UNDECIDED);
    CHECK(glob_covers(&r, S("d/only/deep/a.py"), false));
    CHECK(!glob_covers(&r, S("d/only"), false));
    CHECK(glob_covers(&r, S("doc/a/b"), false));
    CHECK(!glob_covers(&(struct glob_rules){0}, S("a"), false));
    arena_free(&a);
}

/* Patterns made to blow up matchers that try every way. */
static void test_hostile(void) {
    static char pattern[4000], path[4000];
    clock_t start = clock();
    for (size_t i = 0; i < sizeof pattern; i++) pattern[i] = i % 2 ? 'a' : '*';
    memset(path, 'a', sizeof path);
    path[sizeof path - 1] = 'b';
    CHECK(!glob_match((struct str){pattern, sizeof pattern}, (struct str){path, sizeof path}));
    for (size_t i = 0; i < sizeof pattern; i++) pattern[i] = "**/a/"[i % 5];
    for (size_t i = 0; i < sizeof path; i++) path[i] = "a/"[i % 2];
    path[sizeof path - 1] = 'b';
    CHECK(!glob_match((struct str){pattern, sizeof pattern}, (struct str){path, sizeof path}));
    memset(pattern, '[', sizeof pattern);
    CHECK(!glob_match((struct str){pattern, sizeof pattern}, (struct str){path, sizeof path}));
    for (size_t i = 0; i < sizeof pattern; i++) pattern[i] = "[[:"[i % 3];
    CHECK(!glob_match((struct str){pattern, sizeof pattern}, (struct str){path, sizeof path}));
    CHECK((clock() - start) / CLOCKS_PER_SEC < 5);
}

int main(void) {
    test_match();
    test_rule_lines();
    test_decisions();
    test_hostile();
    return test_end("glob");
}
