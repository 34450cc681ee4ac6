/* SPDX-License-Identifier: Apache-2.0 */
/* test_rules_read.c - what `rules check` says of each member of a rule file that is wrong, and
 * where: one table a kind of file. */
#include "rules_files.h"
#include "test.h"

static struct arena a;

/* What is said of a file beside the rules and targets that compile; NULL: nothing at all. */
static void check_said(const char *file, const char *text, const char *pointer,
                       const char *sentence) {
    bool rules = str_is(str_of(file), "d.json"), ascend = str_is(str_of(file), "ascend.json");
    struct rule_source sources[] = {
        source("d.json",
               rules ? text
                     : DOMAIN(RULE("d/x", "name", "\"rows\": {\"a.b\": {\"ascend\": \"none\"}}"))),
        source("ascend.json", ascend ? text : ASCEND), source("rocm.json", ROCM),
        source(file, text)};
    rule_errors errors = {0};
    rules_compile(&a, sources, rules || ascend ? 3 : 4, NULL, &errors);
    bool found = !sentence && !errors.n;
    for (size_t i = 0; i < errors.n && sentence; i++)
        found =
            found || (str_is(errors.v[i].file, file) && str_is(errors.v[i].pointer, pointer) &&
                      str_find(errors.v[i].message, str_of(sentence), 0) < errors.v[i].message.n);
    if (CHECK(found)) return;
    fprintf(stderr, "  of %s\n  want %s: %s\n", text, pointer, sentence ? sentence : "nothing");
    for (size_t i = 0; i < errors.n; i++)
        fprintf(stderr, "  got  %.*s: %.*s: %.*s\n", STR_ARG(errors.v[i].file),
                STR_ARG(errors.v[i].pointer), STR_ARG(errors.v[i].message));
}

/* clang-format off */
#define IN_DOMAIN(text, pointer, sentence) check_said("d.json", text, pointer, sentence)
#define IN_RULE(match, rest, pointer, sentence) \
    IN_DOMAIN(DOMAIN(RULE("d/x", match, rest)), "/rules/0" pointer, sentence)
#define IN_CUDA(match, rest, pointer, sentence) \
    IN_DOMAIN(DOMAIN_OF("cuda", RULE("d/x", match, rest)), "/rules/0" pointer, sentence)
#define FINE(match, rest) IN_DOMAIN(DOMAIN(RULE("d/x", match, rest)), "", NULL)
#define FINE_CUDA(match, rest) IN_DOMAIN(DOMAIN_OF("cuda", RULE("d/x", match, rest)), "", NULL)
#define ROWS "\"rows\": {\"a.b\": {\"*\": \"manual\"}}"
#define TEXTS "\"shape\": \"exact\", \"by_form\": true, \"rows\": {\"a\": {\"*\": \"manual\"}}"
#define TOKENS "\"rows\": {\"f(\": {\"*\": \"manual\"}}"

static void test_values(void) {
    IN_RULE("name", ROWS ", \"lint\": 3", "/lint", "must be true or false");
    IN_RULE("name", ROWS ", \"lint\": \"true\"", "/lint", "must be true or false");
    FINE("name", ROWS ", \"lint\": true");
    IN_RULE("string", TEXTS ", \"keywords\": \"k\"", "/keywords", "must be an array of strings");
    IN_RULE("string", TEXTS ", \"keywords\": [\"k\", \"\"]", "/keywords/1", "is empty: remove it");
    IN_RULE("string", TEXTS ", \"keywords\": [3]", "/keywords/0", "must be a string");
    FINE("string", TEXTS ", \"keywords\": [\"k\", \"l\"], \"companions\": [], \"never\": [\"n\"]");
    static const char *const numbers[] = {"-1", "1.5", "1000001", "\"1\"", "null", "true"};
    for (size_t i = 0; i < ARRAY_LEN(numbers); i++)
        check_said("d.json", arena_printf(&a, DOMAIN(RULE("d/x", "name", ROWS
                       ", \"without\": {\"keyword\": \"k\", \"position\": %s}")), numbers[i]).p,
                   "/rules/0/without/position", "must be a whole number from 0");
    FINE("name", ROWS ", \"without\": {\"keyword\": \"k\", \"position\": 1000000}");
    FINE("name", ROWS ", \"without\": {\"keyword\": \"k\", \"position\": 0}");
}

#define ABOUT(rest) DOMAIN("{\"title\": \"T\", \"why\": \"W\", \"severity\": \"error\", " ROWS ", " rest "}")
#define EXAMPLE "\"id\": \"d/x\", \"match\": \"name\", \"examples\": [{\"target\": \"ascend\", " \
    "\"before\": \"b\", \"after\": \"a\"}]"

static void test_about(void) {
    IN_DOMAIN(ABOUT(EXAMPLE ", " REFERENCES), "", NULL);
    IN_DOMAIN(ABOUT(EXAMPLE ", \"references\": []"), "/rules/0/references", "must name at least one source");
    IN_DOMAIN(ABOUT(EXAMPLE ", \"references\": {}"), "/rules/0/references", "must name at least one source");
    IN_DOMAIN(ABOUT(EXAMPLE ", \"references\": [3]"), "/rules/0/references/0", "a reference is an object");
    IN_DOMAIN(ABOUT(EXAMPLE ", \"references\": [{\"source\": \"\", \"checked\": \"2026-11\"}]"),
              "/rules/0/references/0/source", "is empty: write where the fact was read");
    IN_DOMAIN(ABOUT(EXAMPLE ", \"references\": [{\"source\": \"s\"}]"), "/rules/0/references/0",
              "\"checked\" is missing: write when it was read");
    IN_DOMAIN(ABOUT(EXAMPLE ", \"references\": [{\"source\": \"s\", \"checked\": \"2026-11\", "
                    "\"rows\": [\"no.such\"]}]"),
              "/rules/0/references/0/rows/0", "must be the key of a row of this rule");
    static const char *const days[] = {"2026-1", "2026/11", "2026-11-2", "2026-11-20x", "2026-11/20",
                                       "202a-11", "2026-:1", "2026"};
    for (size_t i = 0; i < ARRAY_LEN(days); i++)
        check_said("d.json", arena_printf(&a, ABOUT(EXAMPLE ", \"references\": [{\"source\": \"s\", "
                       "\"checked\": \"%s\"}]"), days[i]).p,
                   "/rules/0/references/0/checked", "must be a date, as 2026-11");
    IN_DOMAIN(ABOUT(EXAMPLE ", \"references\": [{\"source\": \"s\", \"checked\": \"2026-11-20\"}]"), "", NULL);
    IN_DOMAIN(ABOUT("\"id\": \"d/x\", \"match\": \"name\", \"examples\": [{\"target\": \"ascned\", "
                    "\"before\": \"b\", \"after\": \"a\"}], " REFERENCES), "/rules/0/examples/0/target",
              "there is no target \"ascned\"");
    IN_DOMAIN(ABOUT("\"id\": \"d/x\", \"match\": \"name\", \"examples\": [{\"target\": \"ascend\"}], " REFERENCES),
              "/rules/0/examples/0", "\"after\" is missing: write the code as ported");
    IN_DOMAIN(ABOUT("\"id\": \"d/x\", \"match\": \"name\", \"examples\": [3], " REFERENCES),
              "/rules/0/examples/0", "an example is an object");
    IN_DOMAIN(ABOUT("\"id\": \"d/x\", \"match\": \"name\", \"examples\": {}, " REFERENCES),
              "/rules/0/examples", "must show at least one");
    IN_DOMAIN(ABOUT("\"id\": \"d/x\", \"examples\": [], " REFERENCES), "/rules/0", "\"match\" is missing: write name, "
              "attribute, keyword, string, module, include, tokens, launch, lanes or text");
    static const char *const ids[] = {"d/", "d/-x", "d/x-", "d/x--y", "d/X", "x", "d"};
    for (size_t i = 0; i < ARRAY_LEN(ids); i++)
        check_said("d.json", arena_printf(&a, DOMAIN(RULE("%s", "name", ROWS)), ids[i]).p, "/rules/0/id",
                   "must be \"d/kebab-name\"");
    IN_DOMAIN(DOMAIN(RULE("d/x-2-y", "name", ROWS)), "", NULL);
    IN_DOMAIN("{\"domain\": \"D\", \"language\": \"python\", \"title\": \"T\", \"rules\": []}", "/domain",
              "must be a kebab-name");
    IN_DOMAIN("{\"domain\": \"d\", \"language\": \"python\", \"title\": \"T\", \"rules\": {}}", "/rules",
              "must be an array of rules");
    IN_DOMAIN("{\"domain\": \"d\", \"language\": \"python\", \"title\": \"T\"}", "", "must be an array of rules");
}

static void test_kinds(void) {
    IN_CUDA("tokens", TOKENS ", \"together\": true", "/together", "is for rules of Python and of texts");
    FINE("name", ROWS ", \"together\": true");
    IN_RULE("name", ROWS ", \"calls\": true", "/calls", "is for rules that match modules");
    IN_RULE("name", ROWS ", \"receiver\": \"x\"", "/receiver", "is for rules that match attributes");
    FINE("attribute", "\"rows\": {\"b\": {\"*\": \"manual\"}}, \"receiver\": \"x\"");
    IN_RULE("string", TEXTS ", \"with\": {\"keyword\": \"k\", \"is\": \"x\"}", "/with",
            "is for rules that match names, attributes or keywords");
    IN_RULE("name", ROWS ", \"with\": {\"keyword\": \"k\"}", "/with", "needs \"is\"");
    IN_RULE("name", ROWS ", \"with\": {\"keyword\": \"k\", \"is\": \"(\"}", "/with/is", "is no PCRE2 pattern");
    FINE("name", ROWS ", \"with\": {\"keyword\": \"k\", \"position\": 2, \"is\": \"x\"}");
    FINE("keyword", "\"rows\": {\"a.b(c)\": {\"*\": \"manual\"}}, \"with\": {\"position\": 2, \"is\": \"x\"}");
    IN_RULE("name", ROWS ", \"where\": {\"x\": \"y\"}", "/where", "is for rules that match tokens");
    IN_RULE("name", ROWS ", \"keywords\": [\"x\"]", "/keywords", "is for rules that match strings");
    IN_RULE("name", ROWS ", \"host\": \"[\"", "/host", "is no PCRE2 pattern: missing terminating ]");
    FINE("name", ROWS ", \"host\": \"^a\"");
    IN_RULE("keyword", "\"rows\": {\".b(c)\": {\"*\": \"manual\"}, \"[](c)\": {\"*\": \"manual\"}, \"a.b(c d)\": {}}",
            "/rows/a.b(c d)", "name(keyword)");
    FINE("keyword", "\"rows\": {\"(c)\": {\"*\": \"manual\"}, \".b(c)\": {\"*\": \"manual\"}, "
                    "\"[](c)\": {\"*\": \"manual\"}}");
    IN_CUDA("name", "\"rows\": {\"a b\": {}}", "/rows/a b", "the key must be a C++ name");
    FINE_CUDA("name", "\"rows\": {\"a::b\": {\"*\": \"manual\"}}");
    IN_CUDA("launch", "\"rows\": {\"chevrons\": {}}", "/rows/chevrons", "the key must be chevron, spread");
    FINE_CUDA("launch", "\"rows\": {\"chevron\": {\"*\": \"manual\"}, \"function\": {\"*\": \"manual\"}, "
              "\"pointer\": {\"*\": \"manual\"}, \"spread\": {\"*\": \"manual\"}, \"template\": {\"*\": \"manual\"}}");
    IN_CUDA("lanes", "\"rows\": {\"widths\": {}}", "/rows/widths", "the key must be width, constant");
    IN_CUDA("lanes", "\"rows\": {\"group:a b\": {}}", "/rows/group:a b", "the key must be width, constant");
    FINE_CUDA("lanes", "\"rows\": {\"group:ab\": {\"*\": \"manual\"}, \"width\": {\"*\": \"manual\"}}");
    IN_DOMAIN(DOMAIN_OF("project", RULE("d/x", "text", "\"rows\": {\"(\": {\"*\": \"manual\"}}")), "/rules/0/rows/(",
              "is no PCRE2 pattern");
    IN_DOMAIN(DOMAIN_OF("project", RULE("d/x", "text", "\"rows\": {\"ab+\": {\"*\": \"manual\"}}")),
              "/rules/0/rows/ab+", "must be a word that every match has");
    IN_DOMAIN(DOMAIN_OF("project", RULE("d/x", "text", "\"rows\": {\"ab+\": {\"word\": \"abb\", \"*\": \"manual\"}}")),
              "/rules/0/rows/ab+", "must be a word that every match has");
    IN_DOMAIN(DOMAIN_OF("project", RULE("d/x", "text", "\"rows\": {\"ab+\": {\"word\": \"ab\", \"*\": \"manual\"}}")), "",
              NULL);
}

static void test_cells(void) {
    IN_RULE("name", "\"rows\": {\"a.b\": 3}", "/rows/a.b", "must be an object from target name or \"*\" to cell");
    IN_RULE("name", ROWS ", \"templates\": 3", "/templates", "must be an object {\"name\": cell}");
    IN_RULE("string", "\"shape\": \"exact\", \"by_form\": true, \"rows\": {\"a\": {\"*\": \"=\"}}", "/rows/a/*",
            "\"=\" is for names");
#define CELL(cell, at, sentence) IN_RULE("name", "\"rows\": {\"a.b\": {\"*\": " cell "}}", "/rows/a.b/*" at, sentence)
#define FINE_CELL(cell) FINE("name", "\"rows\": {\"a.b\": {\"*\": " cell "}}")
    CELL("{\"to\": \"a.c\", \"needs\": {\"keyword\": \"k\"}}", "/needs", "is about calls: the cell needs a \"call\"");
    CELL("{\"call\": \"f({*})\", \"needs\": {}}", "/needs", "needs \"keyword\": the name of the argument");
    CELL("{\"call\": \"f({*})\", \"needs\": 3}", "/needs", "\"needs\" is an object");
    FINE_CELL("{\"call\": \"f({*})\", \"needs\": {\"keyword\": \"k\", \"position\": 1}}");
    CELL("{\"to\": \"a.c\", \"keywords\": {\"k\": \"l m\"}}", "/keywords/k", "must be the new name of the keyword");
    CELL("{\"verdict\": \"none\", \"call\": \"f()\"}", "", "the verdict none and a rewrite contradict each other");
    CELL("{\"verdict\": \"shim\"}", "", "the verdict shim needs a rewrite");
    FINE_CELL("{\"verdict\": \"close\", \"keywords\": {\"k\": \"l\"}}");
    FINE_CELL("{\"verdict\": \"shim\", \"statement\": \"pass\"}");
    FINE_CELL("{\"verdict\": \"manual\", \"call\": \"f()\"}");
#define TEXT_CELL(cell, sentence) IN_RULE("string", "\"shape\": \"exact\", \"by_form\": true, " \
    "\"rows\": {\"a\": {\"*\": " cell "}}", "/rows/a/*", sentence)
#define FINE_TEXT(cell) FINE("string", "\"shape\": \"exact\", \"by_form\": true, \"rows\": {\"a\": {\"*\": " cell "}}")
    TEXT_CELL("{\"text\": \"x\", \"chosen\": \"y\"}", "\"chosen\" stands beside");
    TEXT_CELL("{\"text\": \"x\", \"chosen\": \"y\", \"expression\": \"z\"}", "\"chosen\" stands beside");
    TEXT_CELL("{\"text\": \"x\", \"chosen\": \"y\", \"compare\": \"z\"}", "\"chosen\" stands beside");
    TEXT_CELL("{\"compare\": \"z\"}", "\"compare\" needs \"expression\" or \"text\"");
    TEXT_CELL("{\"expression\": \"f()\", \"whole\": true}", "\"whole\" needs \"text\"");
    FINE_TEXT("{\"compare\": \"z\", \"expression\": \"y\", \"chosen\": \"x\"}");
    FINE_TEXT("{\"compare\": \"z\", \"text\": \"y\"}");
    FINE_TEXT("{\"text\": \"y\", \"whole\": true}");
}

static void test_cuda_cells(void) {
#define CUDA_CELL(cell, at, sentence) IN_CUDA("name", "\"rows\": {\"f\": {\"*\": " cell "}}", "/rows/f/*" at, sentence)
#define FINE_CUDA_CELL(cell) FINE_CUDA("name", "\"rows\": {\"f\": {\"*\": " cell "}}")
    CUDA_CELL("{\"to\": \"g\", \"cases\": 3}", "/cases", "must be an array of cases");
    CUDA_CELL("{\"to\": \"g\", \"cases\": [3]}", "/cases/0", "a case is an object");
    CUDA_CELL("{\"to\": \"g\", \"cases\": [{\"count\": -1}]}", "/cases/0/count", "a whole number");
    CUDA_CELL("{\"to\": \"g\", \"cases\": [{\"where\": 3}]}", "/cases/0/where",
              "must be an object from position to PCRE2 pattern");
    CUDA_CELL("{\"to\": \"g\", \"cases\": [{\"where\": {\"a\": \"x\"}}]}", "/cases/0/where/a",
              "the key must be the position of an argument, from 0");
    CUDA_CELL("{\"to\": \"g\", \"cases\": [{\"declared\": {\"1a\": \"x\"}}]}", "/cases/0/declared/1a",
              "the key must be the position of an argument, from 0");
    CUDA_CELL("{\"to\": \"g\", \"cases\": [{\"where\": {\"0\": \"(x\"}}]}", "/cases/0/where/0",
              "is no PCRE2 pattern: missing closing parenthesis at character 3");
    CUDA_CELL("{\"to\": \"g\", \"cases\": [{\"verdict\": \"non\"}]}", "/cases/0/verdict",
              "write same, exact, shim, close or manual");
    CUDA_CELL("{\"to\": \"g\", \"cases\": [{\"call\": \"g({x y})\"}]}", "/cases/0/call", "{x y} is no placeholder");
    FINE_CUDA_CELL("{\"to\": \"g\", \"cases\": [{\"count\": 2, \"where\": {\"0\": \"x\", \"10\": \"y\"}, "
                   "\"call\": \"g({0}, {1})\"}]}");
    FINE_CUDA_CELL("{\"verdict\": \"same\", \"cases\": [{\"call\": \"g({0})\"}]}");
    FINE_CUDA_CELL("{\"remove\": true}");
    IN_CUDA("tokens", "\"rows\": {\"f(\": {\"*\": {\"remove\": true}}}", "/rows/f(/*/remove",
            "is for rules that match includes or C++ names");
    FINE_CUDA("include", "\"rows\": {\"f.h\": {\"*\": {\"remove\": true}}}");
    IN_CUDA("tokens", TOKENS ", \"where\": 3", "/where", "must be an object from capture to PCRE2 pattern");
    IN_CUDA("tokens", TOKENS ", \"where\": {\"1a\": \"x\"}", "/where/1a", "the key must be the name of a capture");
    IN_CUDA("tokens", TOKENS ", \"where\": {\"\": \"x\"}", "/where/", "the key must be the name of a capture");
    FINE_CUDA("tokens", TOKENS ", \"where\": {\"a1\": \"x\", \"*\": \"x\", \"<\": \"x\", \"<<\": \"x\"}");
    IN_CUDA("tokens", "\"rows\": {\"( $x )\": {\"*\": \"manual\"}}", "/rows/( $x )", "the sequence needs an identifier");
    IN_CUDA("tokens", "\"rows\": {\"( $x... f\": {\"*\": \"manual\"}}", "/rows/( $x... f", "the sequence needs");
    FINE_CUDA("tokens", "\"rows\": {\"$x... f (\": {\"*\": \"manual\"}, \"<<< $x\": {\"*\": \"manual\"}, "
              "\"== 32\": {\"*\": \"manual\"}}");
}

/* ---- targets ---- */

#define TARGET_WITH(rest) "{\"target\": \"ascend\", \"title\": \"T\", \"summary\": \"S\", \"names\": \"port\", " \
    REFERENCES ", " rest "}"
#define IN_TARGET(rest, pointer, sentence) check_said("ascend.json", TARGET_WITH(rest), pointer, sentence)
#define ORDER "\"order\": 2, "
#define FACTS ORDER "\"facts\": {\"device\": \"npu\"}"

static void test_targets(void) {
    IN_TARGET(FACTS, "", NULL);
    IN_TARGET("\"facts\": {\"device\": \"npu\"}", "", "\"order\" is missing: write the place in lists");
    IN_TARGET("\"order\": 2", "", "\"facts\" must be an object from fact to text");
    IN_TARGET(ORDER "\"facts\": []", "/facts", "\"facts\" must be an object from fact to text");
    IN_TARGET(ORDER "\"facts\": {\"device\": \"npu\", \"a b\": \"c\"}", "/facts/a b", "cannot be the name of a fact");
    IN_TARGET(ORDER "\"facts\": {\"device\": \"npu\", \"name\": \"c\"}", "/facts/name", "cannot be the name of a fact");
    IN_TARGET(ORDER "\"facts\": {\"device\": \"npu\", \"backend_available\": \"is there\"}",
              "/facts/backend_available", "must be the name of a function of torch.distributed");
    IN_TARGET(ORDER "\"facts\": {\"device\": \"npu\", \"backend_available\": \"is_there\"}", "", NULL);
    IN_TARGET(ORDER "\"facts\": {\"device\": \"npu\", \"module\": \"torch.mlu\", \"import_words\": \"npu hccl\"}",
              "/facts/module", "has none of the \"import_words\" (npu hccl)");
    IN_TARGET(ORDER "\"facts\": {\"device\": \"npu\", \"module\": \"torch.npu\", \"backend\": \"hccl\", "
              "\"import_words\": \"npu hccl\"}", "", NULL);
    IN_TARGET(FACTS ", \"prelude\": [\"x\", 3]", "/prelude/1", "must be a string");
    IN_TARGET(FACTS ", \"unread\": {\"python\": \"x\", \"c\": \"y\"}", "/unread/c", "has no key \"c\"");
    IN_TARGET(FACTS ", \"templates\": 3", "/templates", "must be an object {\"name\": cell}");
    IN_TARGET(FACTS ", \"cells\": 3", "/cells", "must be an object {\"rule\": {\"row\": cell}}");
    IN_TARGET(FACTS ", \"cells\": {\"d/x\": 3}", "/cells/d~1x", "must be an object {\"row\": cell}");
    IN_TARGET(FACTS ", \"cells\": {\"d/x\": {\"a.b\": \"keep\"}}", "/cells/d~1x/a.b",
              "the rule has a cell of ascend for this row: keep one of the two");
    IN_TARGET(FACTS ", \"cells\": {\"d/x\": {\"a.c\": \"keep\"}}", "/cells/d~1x/a.c", "the rule d/x has no row \"a.c\"");
    IN_TARGET(FACTS ", \"cells\": {\"d/y\": {\"a.b\": \"keep\"}}", "/cells/d~1y", "there is no rule \"d/y\"");
}

/* ---- releases ---- */

#define RELEASES(list, rest) "{\"releases\": [\"ascend\"], \"package\": \"p\", \"base\": \"b\", \"list\": [" list "]" rest "}"
#define IN_RELEASES(list, rest, pointer, sentence) check_said("r.json", RELEASES(list, rest), pointer, sentence)
#define TWO "{\"version\": \"2.6\"}, {\"version\": \"2.7\", \"current\": true}"
#define IN(range) ", \"names\": {\"torch.npu.f\": {\"in\": [\"" range "\"]}}"

static void test_releases(void) {
    IN_RELEASES(TWO, "", "", NULL);
    IN_RELEASES("", "", "/list", "names no release");
    IN_RELEASES("{\"version\": \"1\", \"day\": \"x\"}", "", "/list/0/day", "a release has no key \"day\"");
    IN_RELEASES("{\"version\": \"\"}", "", "/list/0/version", "is empty: write the release's number");
    IN_RELEASES("{\"version\": \"1\", \"current\": 1}", "", "/list/0/current", "must be true or false");
    check_said("r.json", "{\"releases\": [\"ascend\", \"nosuch\"], \"package\": \"p\", \"base\": \"b\", \"list\": [" TWO "]}",
               "/releases/1", "is no target of these files");
    IN_RELEASES(TWO, IN("2.6"), "", NULL);
    IN_RELEASES(TWO, IN("2.7.."), "", NULL);
    IN_RELEASES(TWO, IN("2.6..2.7"), "", NULL);
    IN_RELEASES(TWO, IN("2.7..2.7"), "", NULL);
    IN_RELEASES(TWO, IN("2.7..2.6"), "/names/torch.npu.f/in/0", "is no range of the releases");
    IN_RELEASES(TWO, IN("2.5"), "/names/torch.npu.f/in/0", "is no range of the releases");
    IN_RELEASES(TWO, IN("2.6..2.8"), "/names/torch.npu.f/in/0", "is no range of the releases");
    IN_RELEASES(TWO, IN("..2.7"), "/names/torch.npu.f/in/0", "is no range of the releases");
    IN_RELEASES(TWO, ", \"names\": {\"torch.npu.f\": {\"since\": \"2.6\"}}", "/names/torch.npu.f/since",
                "a name has no key \"since\"");
    struct buf b;
    buf_init(&b, &a);
    for (int i = 0; i < 65; i++) buf_printf(&b, "%s{\"version\": \"1.%d\"}", i ? ", " : "", i);
    check_said("r.json", arena_printf(&a, RELEASES("%s", ""), b.p).p, "/list/64", "is one release too many: at most 64");
}
/* clang-format on */

int main(void) {
    arena_init(&a, 0);
    test_values();
    test_about();
    test_kinds();
    test_cells();
    test_cuda_cells();
    test_targets();
    test_releases();
    arena_free(&a);
    return test_end("rules_read");
}
