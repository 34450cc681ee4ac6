/* SPDX-License-Identifier: Apache-2.0 */
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "rules_files.h"
#include "test.h"

static struct arena a;

static const char ascend[] = ASCEND;
static const char rocm[] = ROCM;

/* The two targets above and one domain. */
static struct str compile(const char *domain, const struct rules *known, rule_errors *errors) {
    struct rule_source sources[] = {source("d.json", domain), source("ascend.json", ascend),
                                    source("rocm.json", rocm)};
    return rules_compile(&a, sources, known ? 1 : 3, known, errors);
}

/* Adds the compiled domain as the set of least weight. */
static void load(struct rules *r, const char *domain, const struct rules *known) {
    rule_errors errors = {0};
    struct str block = compile(domain, known, &errors);
    for (size_t i = 0; i < errors.n; i++)
        fprintf(stderr, "%.*s: %.*s\n", STR_ARG(errors.v[i].pointer),
                STR_ARG(errors.v[i].message));
    CHECK(errors.n == 0);
    CHECK(ruleset_open(block.p, block.n, &r->set[r->n]));
    r->n++;
}

static const struct rcell *cell_for(const struct rules *r, enum match_kind kind, const char *key,
                                    const char *target, struct row_ref *row) {
    struct target_ref t;
    size_t cursor = 0;
    if (!CHECK(rules_target(r, str_of(target), &t))) return NULL;
    if (!CHECK(rules_find(r, kind, str_of(key), &cursor, row))) return NULL;
    return row_cell(*row, t);
}

static void check_cell(const struct rules *r, enum match_kind kind, const char *key,
                       const char *target, enum verdict verdict, const char *rewrite) {
    struct row_ref row;
    const struct rcell *cell = cell_for(r, kind, key, target, &row);
    if (!CHECK(cell != NULL)) return;
    CHECK_STR(str_of(verdict_name(cell->verdict)), verdict_name(verdict));
    CHECK_STR(rs_str(row.set, kind == M_STRING ? cell->text : cell->to), rewrite);
}

/* ---- looking things up ---- */

/* clang-format off */
static const char names[] = DOMAIN(RULE(
    "d/names", "name",
    "\"namespace\": \"torch.cuda\","
    "\"templates\": {\"gone\": {\"verdict\": \"none\", \"note\": \"N\"}},"
    "\"default\": {\"*\": \"=\"},"
    "\"rows\": {\"torch.cuda\": {\"note\": \"R\"},"
    "\"torch.cuda.Event\": {\"ascend\": \"~torch.npu.E\"},"
    "\"torch.cuda.empty_cache\": {},"
    "\"torch.cuda.gone\": {\"ascend\": \"@gone\", \"rocm\": \"keep\"},"
    "\"torch.cuda.guess\": {\"*\": \"?torch.x\"},"
    "\"torch.cuda.nvtx\": {\"*\": \"manual\"},"
    "\"torch.cuda.nvtx.mark\": {\"*\": {\"call\": \"print({0})\", \"statement\": \"pass\","
    "                           \"keywords\": {\"old\": \"new\"}}},"
    "\"torch.version.cuda\": {\"*\": \"none\"}}"));
/* clang-format on */

static void test_cells(void) {
    struct rules r = {0};
    load(&r, names, NULL);
    check_cell(&r, M_NAME, "torch.cuda.empty_cache", "ascend", V_EXACT, "{module}.{tail}");
    check_cell(&r, M_NAME, "torch.cuda", "ascend", V_EXACT, "{module}");
    check_cell(&r, M_NAME, "torch.cuda.Event", "ascend-alias", V_CLOSE, "torch.npu.E");
    check_cell(&r, M_NAME, "torch.cuda.nvtx", "ascend", V_MANUAL, "");
    check_cell(&r, M_NAME, "torch.cuda.gone", "ascend", V_NONE, "");
    check_cell(&r, M_NAME, "torch.cuda.gone", "rocm", V_SAME, "");
    check_cell(&r, M_NAME, "torch.cuda.guess", "ascend", V_EXACT, "torch.x");

    struct row_ref row;
    CHECK(cell_for(&r, M_NAME, "torch.cuda.guess", "ascend", &row)->unverified);
    CHECK(!cell_for(&r, M_NAME, "torch.cuda.Event", "ascend", &row)->unverified);
    CHECK(cell_for(&r, M_NAME, "torch.cuda.empty_cache", "rocm", &row) == NULL);
    CHECK(cell_for(&r, M_NAME, "torch.cuda.nvtx", "rocm", &row) == NULL);

    const struct rcell *mark = cell_for(&r, M_NAME, "torch.cuda.nvtx.mark", "ascend", &row);
    CHECK_STR(rs_str(row.set, mark->call), "print({0})");
    CHECK_STR(rs_str(row.set, mark->statement), "pass");
    CHECK(mark->keywords.n == 1);
    CHECK_STR(rs_str(row.set, RS_LIST(row.set, mark->keywords, struct rfact)->value), "new");
    const struct rcell *gone = cell_for(&r, M_NAME, "torch.cuda.gone", "ascend", &row);
    CHECK_STR(rs_str(row.set, gone->note), "N");
    CHECK_STR(rs_str(row.set, row.rule->id), "d/names");
    CHECK_STR(rs_str(row.set, row.rule->language), "python");
    const struct rstr *reference = RS_LIST(row.set, row.rule->references, struct rstr);
    CHECK_STR(rs_str(row.set, reference[0]), "s (2026-11)");
    cell_for(&r, M_NAME, "torch.cuda", "ascend", &row);
    CHECK_STR(rs_str(row.set, row.row->note), "R");
    CHECK(row.row->cells.n == 1); /* the default's, as it is said of the namespace itself */
}

static bool is_module(const struct rules *r, const char *key) {
    struct row_ref row;
    cell_for(r, M_NAME, key, "rocm", &row);
    return row.row->module;
}

static void test_rows(void) {
    struct rules r = {0};
    struct row_ref row;
    size_t cursor = 0;
    load(&r, names, NULL);
    CHECK(!rules_find(&r, M_NAME, S("torch.cuda.nothing"), &cursor, &row));
    cursor = 0;
    CHECK(!rules_find(&r, M_ATTRIBUTE, S("torch.cuda"), &cursor, &row));
    CHECK(is_module(&r, "torch.cuda"));
    CHECK(is_module(&r, "torch.cuda.nvtx"));
    CHECK(!is_module(&r, "torch.cuda.nvtx.mark"));
    CHECK(!is_module(&r, "torch.version.cuda"));
}

static void test_targets(void) {
    struct rules r = {0};
    struct target_ref t;
    load(&r, names, NULL);
    CHECK(
        RS_LIST(r.set[0], r.set[0].h->targets, struct rtarget)[0].keep_names); /* rocm: order 1 */
    CHECK(rules_target(&r, S("ascend"), &t));
    CHECK_STR(target_fact(t, "device"), "npu");
    CHECK(target_fact(t, "nothing").p == NULL);
    CHECK(!rules_target(&r, S("ascen"), &t));
}

/* clang-format off */
static const char strings[] = DOMAIN(
    RULE("d/devices", "string",
         "\"shape\": \"device\", \"keywords\": [\"device\"], \"arguments\": {\".to\": [0, 1]},"
         "\"variables\": \"^dev\", \"never\": [\"help\"],"
         "\"rows\": {\"cuda\": {\"ascend\": {\"text\": \"npu\", \"whole\": true}}}") ","
    RULE("d/types", "string",
         "\"shape\": \"exact\", \"companions\": [\"cpu\"], \"rows\": {\"cuda\": {\"*\": \"none\"},"
         "\"cudagraph_trees=1\": {\"*\": \"{device}_x\"}}") ","
    RULE("d/attributes", "attribute", "\"rows\": {\"is_cuda\": {\"*\": \"is_{device}\"}}") ","
    RULE("d/keywords", "keyword", "\"rows\": {\"a.b(pin_device)\": {\"*\": \"manual\"}}") ","
    RULE("d/modules", "module", "\"rows\": {\"pkg.flash_attn\": {\"*\": \"manual\"}}"));
/* clang-format on */

static void test_kinds(void) {
    struct rules r = {0};
    load(&r, strings, NULL);
    check_cell(&r, M_STRING, "cuda", "ascend", V_EXACT, "npu");
    check_cell(&r, M_STRING, "cudagraph_trees=1", "ascend", V_EXACT, "{device}_x");
    check_cell(&r, M_ATTRIBUTE, "is_cuda", "ascend", V_EXACT, "is_{device}");
    check_cell(&r, M_KEYWORD, "a.b(pin_device)", "ascend", V_MANUAL, "");
    check_cell(&r, M_MODULE, "pkg.flash_attn", "ascend", V_MANUAL, "");

    struct row_ref row;
    CHECK(cell_for(&r, M_STRING, "cuda", "ascend", &row)->whole);
    CHECK(row.rule->shape == SHAPE_DEVICE && row.rule->arguments.n == 2);
    CHECK(RS_LIST(row.set, row.rule->arguments, struct rargument)[1].position == 1);
    CHECK_STR(rs_str(row.set, row.rule->variables), "^dev");

    /* Rules with different contexts share a literal; the cursor gives both, in order. */
    size_t cursor = 0;
    CHECK(rules_find(&r, M_STRING, S("cuda"), &cursor, &row));
    CHECK_STR(rs_str(row.set, row.rule->id), "d/devices");
    CHECK(rules_find(&r, M_STRING, S("cuda"), &cursor, &row));
    CHECK_STR(rs_str(row.set, row.rule->id), "d/types");
    CHECK(!rules_find(&r, M_STRING, S("cuda"), &cursor, &row));
    CHECK(!rules_find(&r, M_STRING, S("cuda"), &cursor, &row));
}

static void test_anchors(void) {
    struct rules r = {0};
    load(&r, names, NULL);
    CHECK(rules_is_anchor(&r, RL_PYTHON, S("cuda"), NULL));
    CHECK(!rules_is_anchor(&r, RL_PYTHON, S("torch"), NULL));
    CHECK(!rules_is_anchor(&r, RL_PYTHON, S("empty_cache"),
                           NULL)); /* below the namespace: "cuda" is enough */
    CHECK(!rules_is_anchor(&r, RL_PYTHON, S("cud"), NULL));
    CHECK(!rules_is_anchor(&r, RL_PYTHON, S(""), NULL));
    load(&r, strings, NULL);
    CHECK(rules_is_anchor(&r, RL_PYTHON, S("cudagraph_trees"), NULL));
    CHECK(rules_is_anchor(&r, RL_PYTHON, S("is_cuda"), NULL));
    CHECK(rules_is_anchor(&r, RL_PYTHON, S("pin_device"), NULL));
    CHECK(rules_is_anchor(&r, RL_PYTHON, S("flash_attn"), NULL));
    CHECK(!rules_is_anchor(&r, RL_PYTHON, S("pkg"), NULL));
}

static void test_winning_sets(void) {
    struct rules builtin = {0}, r = {0};
    load(&builtin, names, NULL);
    load(&r,
         DOMAIN(RULE("d/mine", "name",
                     "\"rows\": {\"torch.cuda.Event\": {\"ascend\": \"my.{device}\"}}")),
         &builtin);
    r.set[r.n++] = builtin.set[0];
    check_cell(&r, M_NAME, "torch.cuda.Event", "ascend", V_EXACT, "my.{device}");
    check_cell(&r, M_NAME, "torch.cuda.nvtx", "ascend", V_MANUAL, "");

    struct row_ref row;
    size_t cursor = 0;
    CHECK(rules_find(&r, M_NAME, S("torch.cuda.Event"), &cursor, &row));
    CHECK(rules_find(&r, M_NAME, S("torch.cuda.Event"), &cursor, &row));
    CHECK_STR(rs_str(row.set, row.rule->id), "d/names");
    CHECK(!rules_find(&r, M_NAME, S("torch.cuda.Event"), &cursor, &row));
}

/* ---- blocks ---- */

static void test_blocks(void) {
    rule_errors errors = {0};
    struct str x = compile(names, NULL, &errors), y = compile(names, NULL, &errors);
    CHECK(str_eq(x, y));
    struct str other = compile(strings, NULL, &errors);
    CHECK(((const struct rheader *)(const void *)x.p)->content_hash !=
          ((const struct rheader *)(const void *)other.p)->content_hash);
    struct ruleset set;
    CHECK(ruleset_open(x.p, x.n, &set));
    CHECK(!ruleset_open(x.p, x.n - 8, &set));
    CHECK(!ruleset_open(x.p, 8, &set));
    CHECK(!ruleset_open(x.p + 8, x.n - 8, &set));
    CHECK(!ruleset_open(NULL, 0, &set));
}

/* What people call a target, too, is said wherever another one answers to the name. */
static void test_namesakes(const struct rules *r) {
    CHECK_STR(rules_namesakes(r, &a, S("xpu")), "--target kunlunxin is Kunlunxin");
    CHECK_STR(rules_namesakes(r, &a, S("intel")), "--target hpu is Intel Gaudi");
    CHECK_STR(rules_namesakes(r, &a, S("rocm")), "");
}

static void test_built_in_rules(void) {
    struct rules r = {.n = 1};
    struct target_ref t;
    CHECK(ruleset_open(cm_rules_blob, cm_rules_blob_size, &r.set[0]));
    CHECK(rules_target(&r, S("ascend"), &t));
    check_cell(&r, M_NAME, "torch.cuda.empty_cache", "ascend", V_EXACT, "{module}.{tail}");
    CHECK(rules_is_anchor(&r, RL_PYTHON, S("cuda"), NULL));
    test_namesakes(&r);
}

/* ---- complaints ---- */

static void check_complaint(const char *domain, const char *pointer, const char *sentence) {
    rule_errors errors = {0};
    CHECK(compile(domain, NULL, &errors).n == 0);
    bool found = false;
    for (size_t i = 0; i < errors.n; i++) {
        const struct rule_error *e = &errors.v[i];
        found = found || (str_is(e->file, "d.json") && str_is(e->pointer, pointer) &&
                          str_find(e->message, str_of(sentence), 0) < e->message.n);
    }
    if (CHECK(found)) return;
    fprintf(stderr, "  want %s: %s\n", pointer, sentence);
    for (size_t i = 0; i < errors.n; i++)
        fprintf(stderr, "  got  %.*s: %.*s\n", STR_ARG(errors.v[i].pointer),
                STR_ARG(errors.v[i].message));
}

#define BAD_RULE(match, rest, pointer, sentence)                                                  \
    check_complaint(DOMAIN(RULE("d/x", match, rest)), "/rules/0" pointer, sentence)
#define BAD_CELL(cell, sentence)                                                                  \
    BAD_RULE("name", "\"rows\": {\"a.b\": {\"ascend\": " cell "}}", "/rows/a.b/ascend", sentence)

#define BAD_CELL_AT(cell, at, sentence)                                                           \
    BAD_RULE("name", "\"rows\": {\"a.b\": {\"ascend\": " cell "}}", "/rows/a.b/ascend" at,        \
             sentence)

static void test_bad_rules(void) {
#define GOOD_ROWS "\"rows\": {\"a.b\": {\"*\": \"manual\"}}"
    check_complaint("{\"rules\": []}", "",
                    "a \"domain\", a \"target\", \"words\" or \"releases\"");
    check_complaint(DOMAIN("3"), "/rules/0", "a rule is an object");
    check_complaint(DOMAIN("{}"), "/rules/0", "\"title\" is missing");
    check_complaint(DOMAIN("{}"), "/rules/0", "\"why\" is missing");
    check_complaint(DOMAIN("{}"), "/rules/0", "\"examples\" must show");
    check_complaint(DOMAIN("{}"), "/rules/0", "\"references\" must name");
    check_complaint(DOMAIN("{}"), "/rules/0", "\"rows\" must hold");
    check_complaint(DOMAIN(RULE("d/Bad", "name", GOOD_ROWS)), "/rules/0/id", "d/kebab-name");
    check_complaint(DOMAIN(RULE("e/x", "name", GOOD_ROWS)), "/rules/0/id", "d/kebab-name");
    check_complaint(DOMAIN(RULE("d/x", "name", GOOD_ROWS) "," RULE("d/x", "attribute",
                                                                   "\"rows\": {\"c\": {}}")),
                    "/rules/1/id", "the id of another rule");
    check_complaint(DOMAIN(RULE("d/x", "name", GOOD_ROWS) "," RULE("d/y", "name", GOOD_ROWS)),
                    "/rules/1/rows/a.b", "d/x has this row already");
    BAD_RULE("nam", GOOD_ROWS, "/match", "did you mean \"name\"?");
    BAD_RULE("name", GOOD_ROWS ", \"defaults\": {}", "/defaults", "did you mean \"default\"?");
    BAD_RULE("name", GOOD_ROWS ", \"shape\": \"exact\"", "/shape", "rules that match strings");
    BAD_RULE("name", "\"rows\": {}", "/rows", "must hold");
    BAD_RULE("name", "\"rows\": {\"b\": {}, \"a\": {}}", "/rows/a", "a belongs before b");
    BAD_RULE("name", "\"rows\": {\"a..b\": {}}", "/rows/a..b", "dotted name");
    BAD_RULE("attribute", "\"rows\": {\"a.b\": {}}", "/rows/a.b", "one attribute");
    BAD_RULE("keyword", "\"rows\": {\"a.b\": {}}", "/rows/a.b", "name(keyword)");
    BAD_RULE("keyword", "\"rows\": {\"a.b(c-)\": {}}", "/rows/a.b(c-)", "name(keyword)");
    BAD_RULE("string", "\"without\": {\"keyword\": \"k\"}, " GOOD_ROWS, "/without",
             "is for rules that match names");
    BAD_RULE("string",
             "\"shape\": \"exact\", \"by_form\": true, \"rows\": {\"a/~\": {}, \"~/\": {}}",
             "/rows/~0~1", "no letter");
    BAD_RULE("string", "\"shape\": \"exact\", \"rows\": {\"a\": {}}", "", "no literal can match");
    BAD_RULE("string", "\"shape\": \"exact\", \"variables\": \"(\", \"rows\": {\"a\": {}}",
             "/variables", "is no PCRE2 pattern");
#define BAD_ARGUMENTS(list, at, sentence)                                                         \
    BAD_RULE("string", "\"shape\": \"exact\", \"arguments\": " list ", " GOOD_ROWS,               \
             "/arguments" at, sentence)
    BAD_ARGUMENTS("[0]", "", "must be an object");
    BAD_ARGUMENTS("{\"a b\": [0]}", "/a b", "a dotted name, or by");
    BAD_ARGUMENTS("{\".1to\": [0]}", "/.1to", "a dotted name, or by");
    BAD_ARGUMENTS("{\".to\": 0}", "/.to", "must be an array of positions");
    BAD_ARGUMENTS("{\".to\": [\"x\"]}", "/.to/0", "a whole number from 0");
    BAD_RULE("name", "\"rows\": {\"a.b\": {\"ascned\": \"keep\"}}", "/rows/a.b/ascned",
             "did you mean \"ascend\"?");
}

/* A key that nobody reads is said in each kind of object: it may be a slip of the pen. */
static void test_unknown_keys(void) {
    BAD_RULE("name", GOOD_ROWS ", \"titel\": \"x\"", "/titel", "a rule has no key \"titel\"");
    BAD_RULE("name", GOOD_ROWS ", \"without\": {\"keyword\": \"k\", \"at\": 1}", "/without/at",
             "\"without\" has no key \"at\"");
    BAD_RULE("name", GOOD_ROWS ", \"without\": 3", "/without", "\"without\" is an object");
    BAD_RULE("name", GOOD_ROWS ", \"with\": {\"keyword\": \"k\", \"is\": \"x\", \"at\": 1}",
             "/with/at", "\"with\" has no key \"at\"");
    BAD_RULE("name", GOOD_ROWS ", \"with\": []", "/with", "\"with\" is an object");
    BAD_RULE("name", GOOD_ROWS ", \"with\": {\"keyword\": \"k\"}", "/with",
             "needs \"is\": a PCRE2 pattern of the argument");
    BAD_RULE("string",
             "\"shape\": \"exact\", \"with\": {\"keyword\": \"k\", \"is\": \"x\"}, " GOOD_ROWS,
             "/with", "is for rules that match names, attributes or keywords");
    BAD_CELL_AT("{\"call\": \"f()\", \"needs\": {\"keyword\": \"k\", \"at\": 1}}", "/needs/at",
                "\"needs\" has no key \"at\"");
    BAD_CELL_AT("{\"call\": \"f()\", \"needs\": {\"position\": 1}}", "/needs",
                "needs \"keyword\"");
    BAD_CELL_AT("{\"to\": \"f\", \"needs\": {\"keyword\": \"k\"}}", "/needs", "is about calls");
    BAD_CELL_AT("{\"to\": \"f\", \"from\": \"x\"}", "/from", "a cell has no key \"from\"");
    BAD_RULE("string", "\"shape\": \"exact\", \"rows\": {\"a\": {\"*\": {\"to\": \"f\"}}}",
             "/rows/a/*/to", "a cell of a string rule has no key \"to\"");
    check_complaint(
        "{\"domain\": \"d\", \"language\": \"python\", \"title\": \"T\", \"rule\": []}", "/rule",
        "a domain has no key \"rule\", did you mean \"rules\"?");
    check_complaint(DOMAIN("{\"examples\": [{\"targets\": \"rocm\"}]}"),
                    "/rules/0/examples/0/targets", "did you mean \"target\"?");
    check_complaint(DOMAIN("{\"references\": [{\"source\": \"s\", \"date\": \"2026-11\"}]}"),
                    "/rules/0/references/0/date", "a reference has no key \"date\"");
    check_complaint(
        DOMAIN_OF("cuda",
                  RULE("d/x", "name", "\"rows\": {\"a\": {\"*\": {\"cases\": [{\"argc\": 1}]}}}")),
        "/rules/0/rows/a/*/cases/0/argc", "a case has no key \"argc\"");
}

static void test_bad_cells(void) {
    BAD_CELL("3", "a string or an object");
    BAD_CELL("\"\"", "says nothing");
    BAD_CELL("\"manuel\"", "did you mean \"manual\"?");
    BAD_CELL("\"f(x)\"", "no dotted name");
    BAD_CELL("\".b\"", "no dotted name");
    BAD_CELL("\"1b\"", "no dotted name");
    BAD_CELL("\"@gone\"", "no template \"gone\"");
    BAD_CELL("{\"note\": \"x\"}", "neither what to write");
    BAD_CELL("{\"verdict\": \"same\", \"to\": \"x\"}", "contradict");
    BAD_CELL("{\"verdict\": \"close\"}", "needs a rewrite");
    BAD_CELL("\"=\"", "below the rule's \"namespace\"");
    BAD_CELL("\"{devcie}.b\"", "{devcie} is no fact of ascend, did you mean \"device\"?");
#define BAD_FORM(form, text, sentence)                                                            \
    BAD_RULE("name", "\"rows\": {\"a.b\": {\"ascend\": {\"" form "\": \"" text "\"}}}",           \
             "/rows/a.b/ascend/" form, sentence)
    BAD_FORM("verdict", "exakt", "did you mean \"exact\"?");
    BAD_FORM("call", "", "is empty");
    BAD_FORM("call", "f({*)", "a brace stands alone");
    BAD_FORM("call", "f}", "a brace stands alone");
    BAD_FORM("call", "f({a b})", "{a b} is no placeholder");
    BAD_FORM("call", "f({*:a,,b})", "{*:a,,b} is no placeholder");
    BAD_FORM("call", "{.}.f()", "{.} has no meaning in call");
    BAD_FORM("bare", "f({0})", "{0} has no meaning in bare");
    BAD_FORM("value", "f({*})", "{*} has no meaning in value");
    BAD_FORM("call", "f({1})", "{1} has no meaning in call");
    BAD_FORM("call", "f<{<>}>()", "{<>} has no meaning in call");
    BAD_FORM("text", "x", "no key \"text\"");
    BAD_FORM("keywords", "x", "must be an object");
    BAD_RULE("string",
             "\"shape\": \"exact\", \"by_form\": true,"
             "\"rows\": {\"a\": {\"*\": {\"whole\": true}}}",
             "/rows/a/*", "\"whole\" needs \"text\"");
    BAD_RULE("name", "\"templates\": {\"t\": \"@u\"}, \"rows\": {\"a.b\": {\"*\": \"@t\"}}",
             "/templates/t", "cannot refer to another");
    /* One complaint about a default, however many rows take it. */
    rule_errors errors = {0};
    compile(DOMAIN(RULE("d/x", "name",
                        "\"default\": {\"*\": \"{gone}.x\"}, \"rows\": {\"a\": {}, \"b\": {}}")),
            NULL, &errors);
    CHECK(errors.n == 1);
    CHECK_STR(errors.v[0].pointer, "/rules/0/default/*");
}

static void check_target(const char *text, const char *pointer, const char *sentence) {
    struct rule_source sources[] = {source("rocm.json", rocm), source("t.json", text)};
    rule_errors errors = {0};
    CHECK(rules_compile(&a, sources, 2, NULL, &errors).n == 0);
    if (!CHECK(errors.n == 1)) return;
    CHECK_STR(errors.v[0].file, "t.json");
    CHECK_STR(errors.v[0].pointer, pointer);
    CHECK_HAS(errors.v[0].message, sentence);
}

static void test_bad_targets(void) {
    check_target(TARGET("x", "3", "port", ""), "/facts", "\"device\" is missing");
    check_target(TARGET("x", "3", "port", "\"device\": 3"), "/facts/device", "must be a string");
    check_target(TARGET("x", "3", "port", "\"device\": \"x\", \"tail\": \"y\""), "/facts/tail",
                 "another identifier");
    check_target(TARGET("x", "3", "keeps", "\"device\": \"x\""), "/names",
                 "did you mean \"keep\"?");
    check_target(TARGET("x", "-1", "port", "\"device\": \"x\""), "/order", "a whole number");
    check_target(TARGET("rocm-alias", "3", "port", "\"device\": \"x\""), "/target",
                 "a name or alias of target rocm already");
}

static void test_syntax_errors(void) {
    struct rule_source broken = source("x.json", "{\"domain\":\n oops}");
    rule_errors errors = {0};
    CHECK(rules_compile(&a, &broken, 1, NULL, &errors).n == 0);
    CHECK(errors.n == 1);
    CHECK_STR(errors.v[0].file, "x.json:2:2");

    /* A target that cannot be read is one complaint, not one for each cell that names it. */
    struct rule_source sources[] = {source("d.json", names), source("rocm.json", rocm),
                                    source("ascend.json", "{")};
    errors.n = 0;
    CHECK(rules_compile(&a, sources, 3, NULL, &errors).n == 0);
    CHECK(errors.n == 1);
}

/* Whether the rules compile in an arena of that size; else the jump arrives here, with the JSON
 * freed (the sanitizers look). */
static bool compiles_within(size_t limit) {
    struct arena small;
    jmp_buf escape;
    volatile bool done = false;
    arena_init(&small, limit);
    small.escape = &escape;
    if (setjmp(escape) == 0) {
        struct rule_source sources[] = {source("d.json", names), source("t.json", ascend),
                                        source("r.json", rocm)};
        rule_errors errors = {0};
        done = rules_compile(&small, sources, 3, NULL, &errors).n > 0;
    }
    CHECK(small.escape == &escape);
    arena_free(&small);
    return done;
}

static void test_end_of_memory(void) {
    for (size_t limit = 1000; limit < 30000; limit += 1001) compiles_within(limit);
    CHECK(!compiles_within(10000));
    CHECK(compiles_within(1000000));
}

/* ---- lint ---- */

static void check_hint(const char *domain, const char *pointer, const char *sentence) {
    struct rule_source sources[] = {source("d.json", domain), source("ascend.json", ascend),
                                    source("rocm.json", rocm)};
    rule_errors hints = rules_lint(&a, sources, 3, NULL);
    if (!CHECK(hints.n == (pointer ? 1 : 0))) {
        for (size_t i = 0; i < hints.n; i++)
            fprintf(stderr, "  got  %.*s: %.*s\n", STR_ARG(hints.v[i].pointer),
                    STR_ARG(hints.v[i].message));
        return;
    }
    if (!pointer) return;
    CHECK_STR(hints.v[0].pointer, pointer);
    CHECK_HAS(hints.v[0].message, sentence);
}

#define HINT(match, rest, pointer, sentence)                                                      \
    check_hint(DOMAIN(RULE("d/x", match, rest)), "/rules/0" pointer, sentence)

static void test_lint(void) {
    check_hint(names, NULL, NULL);
    check_hint("{}", NULL, NULL); /* does not compile: rules_compile says why */
    HINT("name", "\"rows\": {\"a.b\": {}}", "/rows/a.b", "nothing is said of ascend");
    HINT("name",
         "\"default\": {\"*\": \"none\"}, \"rows\": {\"a\": {}, \"b\": {\"ascend\": \"none\"}}",
         "/rows/b/ascend", "changes nothing");
    HINT("name", "\"default\": {\"*\": \"none\"}, \"rows\": {\"a\": {\"*\": \"keep\"}}",
         "/default/*", "no row takes this default");
    HINT("name", "\"rows\": {\"a\": {\"*\": {\"call\": \"f()\", \"bare\": \"f()\"}}}", "/rows/a/*",
         "\"bare\" is what the cell falls back to");
    HINT("name", "\"templates\": {\"t\": \"none\"}, \"rows\": {\"a\": {\"*\": \"none\"}}",
         "/templates/t", "no cell uses");
    HINT("name",
         "\"templates\": {\"t\": \"none\", \"u\": \"none\"},"
         "\"rows\": {\"a\": {\"*\": \"@t\"}, \"b\": {\"*\": \"@u\"}}",
         "/templates/u", "says the same as the template t");
    check_hint(
        DOMAIN(RULE("d/x", "string",
                    "\"shape\": \"exact\", \"by_form\": true,"
                    "\"rows\": {\"A\": {\"*\": \"none\"}}") "," RULE("d/y", "string",
                                                                     "\"shape\": \"exact\", "
                                                                     "\"keywords\": [\"k\"],"
                                                                     "\"rows\": {\"A\": {\"*\": "
                                                                     "\"keep\"}}")),
        "/rules/1/rows/A", "is never reached: the rule d/x");
}

/* A rule about C++ whose row has that key and writes that template on ascend. */
static void check_cuda_template(const char *match, const char *key, const char *form,
                                const char *template, const char *sentence) {
    struct buf b;
    buf_init(&b, &a);
    buf_printf(&b,
               "{\"domain\": \"d\", \"language\": \"cuda\", \"title\": \"T\", \"rules\": [" RULE(
                   "d/x", "%s", "\"rows\": {\"%s\": {\"ascend\": {\"%s\": \"%s\"}}}") "]}",
               match, key, form, template);
    buf_addc(&b, 0);
    struct str pointer = arena_printf(&a, "/rules/0/rows/%s/ascend", key);
    rule_errors errors = {0};
    compile(b.p, NULL, &errors);
    if (!CHECK((errors.n > 0) == (sentence != NULL))) fprintf(stderr, "  %s\n", template);
    if (!errors.n || !sentence) return;
    CHECK_HAS(errors.v[0].message, sentence);
    CHECK(str_starts(errors.v[0].pointer, pointer));
}

static void test_cuda_templates(void) {
    check_cuda_template("launch", "chevron", "call", "go({kernel:W}, {grid}{arguments})", NULL);
    check_cuda_template("launch", "chevron", "call", "go({kernel}, \\\"{{x}}\\\", 0)", NULL);
    check_cuda_template("launch", "chevron", "call", "go({kernl}0, {device})",
                        "{kernl} is neither a part of a launch nor a fact of ascend, did you mean "
                        "\"kernel\"?");
    check_cuda_template("launch", "chevron", "call", "go({0})", "{0} is no part of a launch");
    check_cuda_template("launch", "chevron", "call", "go(}", "a brace stands alone");
    check_cuda_template("tokens", "f($x, $y...)", "to", "g({y}, {x}, {device})", NULL);
    check_cuda_template("tokens", "f($x, $y...)", "to", "g({z})",
                        "{z} is neither a capture of the row nor a fact of ascend");
    check_cuda_template("tokens", "f($xs)", "to", "g({x})", "{x} is neither a capture");
    check_cuda_template("tokens", "f($x)", "to", "g({*})", "{*} has no meaning in to");
    check_cuda_template("lanes", "width", "to", "g({x})", "{x} is no fact of ascend");
    check_cuda_template("name", "f", "call", "g({0}, {2*}, {1-2}, {0:bare}, {<>}, {*})", NULL);
    check_cuda_template("name", "f", "call", "g({*:a})", "{*:a} has no meaning in call");
    check_cuda_template("name", "f", "to", "g_{tail}", "{tail} has no meaning in to");
    check_cuda_template("name", "f", "cases\": [{\"call\": \"g({gone})\"}], \"note", "n",
                        "{gone} is no fact of ascend");
}

/* ---- words ---- */

/* A list that is within x.calls. */
#define BELOW(words)                                                                              \
    "{\"words\": {\"x.below\": {\"about\": \"A\", \"within\": [\"x.calls\"], \"words\": [" words  \
    "]}}}"
#define WORDS(words) "{\"words\": {\"x.calls\": {\"about\": \"A\", \"words\": [" words "]}}}"

static struct ruleset words_set(const char *text, rule_errors *errors) {
    struct rule_source sources[] = {source("words.json", text)};
    struct ruleset set = {NULL};
    struct str block = rules_compile(&a, sources, 1, NULL, errors);
    ruleset_open(block.p, block.n, &set);
    return set;
}

static void test_words(void) {
    rule_errors errors = {0};
    struct rules r = {.n = 2};
    r.set[0] = words_set(WORDS("\"mine\""), &errors);
    r.set[1] = words_set(WORDS("\"print\", \"*Error\", \"log_*\""), &errors);
    if (!CHECK(errors.n == 0 && r.set[0].h && r.set[1].h)) return;
    static const char *const in[] = {"mine", "print", "ValueError", "log_x", "Error"};
    for (size_t i = 0; i < ARRAY_LEN(in); i++) CHECK(rules_lists(&r, "x.calls", str_of(in[i])));
    static const char *const out[] = {"", "prints", "Errors", "my_log_x", "x.calls"};
    for (size_t i = 0; i < ARRAY_LEN(out); i++) CHECK(!rules_lists(&r, "x.calls", str_of(out[i])));
    CHECK(!rules_lists(&r, "x.call", S("print")) && !rules_lists(&r, "x.calls", (struct str){0}));
    struct str word;
    size_t cursor = 0;
    while (rules_next_word(&r, "x.calls", &cursor, &word)) CHECK(word.n > 0);
    CHECK(cursor == 4);
    CHECK(!words_set("{\"words\": {\"x\": {\"about\": \"A\", \"words\": []}}}", &errors).h);
    CHECK_HAS(errors.v[errors.n - 1].message, "holds no words");
    CHECK(!words_set("{\"words\": [1]}", &errors).h);
    CHECK_HAS(errors.v[errors.n - 1].message, "a list of words is an object");
}

/* One list is within another: of its own set or of one in use. */
static void test_words_within(void) {
    rule_errors errors = {0};
    struct rule_source both[] = {
        source("words.json", WORDS("\"print\", \"*Error\", \"log_*\"")),
        source("below.json",
               BELOW("\"print\", \"log_x\", \"log_x*\", \"MyError\", \"*MyError\""))};
    struct ruleset set = {NULL};
    struct str block = rules_compile(&a, both, 2, NULL, &errors);
    CHECK(errors.n == 0 && ruleset_open(block.p, block.n, &set));
    both[1] = source("below.json", BELOW("\"log_x\", \"lo*\""));
    rules_compile(&a, both, 2, NULL, &errors);
    if (!CHECK(errors.n == 1)) return;
    CHECK_STR(errors.v[0].file, "below.json");
    CHECK_STR(errors.v[0].pointer, "/words/x.below");
    CHECK_HAS(errors.v[0].message, "\"lo*\" is missing in x.calls");
    words_set(BELOW("\"log_x\""), &errors);
    CHECK(errors.n == 2);
    CHECK_HAS(errors.v[1].message, "\"x.calls\", which is no list of words");
    struct rules known = {.set = {set}, .n = 1};
    struct rule_source mine[] = {source(
        "mine.json", "{\"words\": {\"x.below\": {\"about\": \"A\", \"words\": [\"mine\"]}}}")};
    rules_compile(&a, mine, 1, &known, &errors);
    CHECK(errors.n == 3);
    mine[0] = source("mine.json", WORDS("\"mine\""));
    rules_compile(&a, mine, 1, &known, &errors);
    CHECK(errors.n == 3);
}

/* Ids of rules on a list: a rule of this set or of one in use has them, or they are complained of.
 */
static void test_words_of_rules(void) {
#define OF_RULES(words)                                                                           \
    "{\"words\": {\"x.ids\": {\"about\": \"A\", \"of\": \"rules\", \"words\": [" words "]}}}"
    rule_errors errors = {0};
    struct rules known = {0};
    load(&known, names, NULL);
    struct rule_source mine[] = {source("mine.json", OF_RULES("\"d/names\", \"d/*\""))};
    rules_compile(&a, mine, 1, &known, &errors);
    CHECK(errors.n == 0);
    mine[0] = source("mine.json", OF_RULES("\"d/names\", \"d/on\", \"e/*\""));
    rules_compile(&a, mine, 1, &known, &errors);
    if (!CHECK(errors.n == 2)) return;
    CHECK_STR(errors.v[0].pointer, "/words/x.ids");
    CHECK_HAS(errors.v[0].message, "\"d/on\" is the id of no rule");
    CHECK_HAS(errors.v[1].message, "\"e/*\" is the id of no rule");
    mine[0] = source("mine.json", "{\"words\": {\"x\": {\"about\": \"A\", \"of\": \"names\", "
                                  "\"words\": [\"d/names\"]}}}");
    rules_compile(&a, mine, 1, &known, &errors);
    CHECK(errors.n == 3);
}

/* ---- files ---- */

static void write_file(const char *path, const char *text) {
    struct str error;
    CHECK(file_create(&a, path, str_of(text), 0600, &error));
}

static void test_reading_sources(void) {
    char dir[] = "/tmp/test_rules.XXXXXX";
    struct rule_source *sources;
    struct str error;
    size_t n;
    if (!CHECK(mkdtemp(dir) && chdir(dir) == 0 && mkdir("rules", 0700) == 0)) return;
    CHECK(!rules_read_sources(&a, "rules", &sources, &n, &error));
    CHECK_STR(error, "rules: holds no *.json file with rules or targets");
    CHECK(!rules_read_sources(&a, "nothing", &sources, &n, &error));
    CHECK_HAS(error, "nothing: cannot be read");
    CHECK(mkdir("rules/targets", 0700) == 0);
    write_file("rules/b.json", "b");
    write_file("rules/a.json", "a");
    write_file("rules/rule.schema.json", "s");
    write_file("rules/README.md", "r");
    write_file("rules/targets/a.json", "t");
    CHECK(rules_read_sources(&a, "rules/", &sources, &n, &error));
    if (CHECK(n == 3)) {
        CHECK_STR(sources[0].path, "rules/a.json");
        CHECK_STR(sources[1].text, "b");
        CHECK_STR(sources[2].path, "rules/targets/a.json");
    }
    CHECK(rules_read_sources(&a, "rules/b.json", &sources, &n, &error));
    CHECK(n == 1);
    unlink("rules/a.json"), unlink("rules/b.json"), unlink("rules/targets/a.json");
    unlink("rules/rule.schema.json"), unlink("rules/README.md");
    CHECK(rmdir("rules/targets") == 0 && rmdir("rules") == 0 && chdir("/") == 0 &&
          rmdir(dir) == 0);
}

int main(void) {
    arena_init(&a, 0);
    test_cells();
    test_rows();
    test_targets();
    test_kinds();
    test_anchors();
    test_winning_sets();
    test_blocks();
    test_built_in_rules();
    test_bad_rules();
    test_unknown_keys();
    test_bad_cells();
    test_bad_targets();
    test_syntax_errors();
    test_end_of_memory();
    test_lint();
    test_cuda_templates();
    test_words();
    test_words_within();
    test_words_of_rules();
    test_reading_sources();
    arena_free(&a);
    return test_end("rules");
}
