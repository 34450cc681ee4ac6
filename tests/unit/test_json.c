/* SPDX-License-Identifier: Apache-2.0 */
#include "base/json.h"

#include "test.h"

static struct arena a;

static void check_bad(const char *text, size_t n, const char *place, const char *sentence) {
    struct json j;
    if (!CHECK(!json_parse(&j, &a, S("r.json"), (struct str){text, n})))
        fprintf(stderr, "  %s\n", text);
    CHECK_HAS(j.error, place);
    CHECK_HAS(j.error, sentence);
    json_free(&j);
}

#define BAD(literal, place, sentence) check_bad(literal, sizeof(literal) - 1, place, sentence)

static void test_syntax(void) {
    BAD("", "r.json:1:1:", "go on differently");
    BAD("{\"a\": 1,\n  \"b\" 2}", "r.json:2:7:", "go on differently");
    BAD("[1, 2", "r.json:1:", "go on differently");
    BAD("{} x", "r.json:1:4:", "more text after");
    BAD("[] []", "r.json:1:4:", "more text after");
    BAD("[1,\0]", "r.json:1:4:", "NUL byte");
    BAD("[\"a\\u0000b\"]", "r.json:1:4:", "NUL character");
    BAD("[\"a\tb\"]", "r.json:1:4:", "control character");
    BAD("[\x01]", "r.json:1:2:", "control character");
    BAD("[\"\xff\"]", "r.json:1:3:", "UTF-8");
    BAD("[\"\xc3\xa9\", x]", "r.json:1:7:", "go on differently"); /* columns count characters */
    BAD("[01]", "r.json:1:2:", "number");
    BAD("[1.]", "r.json:1:2:", "number");
    BAD("[-]", "r.json:1:2:", "number");
    BAD("[1e]", "r.json:1:2:", "number");
    BAD("[1-2]", "r.json:1:2:", "number");
    BAD("[+1]", "r.json:1:2:", "go on differently");
    BAD("[1,]", "r.json:1:", "go on differently");
    BAD("{\"a\":1,}", "r.json:1:", "go on differently");
    BAD("// note\n1", "r.json:1:1:", "go on differently");
    BAD("{a: 1}", "r.json:1:", "go on differently");
    BAD("tru", "r.json:1:1:", "go on differently");
    BAD("\"abc", "r.json:1:", "go on differently");
    BAD("\"\\", "r.json:1:", "go on differently");
    BAD("[\"\\ud800\"]", "r.json:1:", "go on differently");
}

static void test_limits(void) {
    char deep[2 * JSON_MAX_DEPTH + 2];
    struct json j;
    memset(deep, '[', JSON_MAX_DEPTH + 1);
    memset(deep + JSON_MAX_DEPTH + 1, ']', JSON_MAX_DEPTH + 1);
    check_bad(deep, sizeof deep, "r.json:1:65:", "too deeply");
    CHECK(json_parse(&j, &a, S("x"), (struct str){deep + 1, 2 * JSON_MAX_DEPTH}));
    const struct cJSON *v = j.root;
    while (json_first(v)) v = json_first(v);
    CHECK(json_pointer(&j, v).n == 2 * (JSON_MAX_DEPTH - 1));
    json_free(&j);
    char *large = calloc(JSON_MAX_SIZE + 1, 1);
    memset(large, ' ', JSON_MAX_SIZE + 1);
    large[0] = '1';
    check_bad(large, JSON_MAX_SIZE + 1, "r.json:", "larger than 16 MB");
    CHECK(json_parse(&j, &a, S("x"), (struct str){large, JSON_MAX_SIZE}));
    json_free(&j);
    free(large);
}

static void test_duplicates(void) {
    struct json j;
    CHECK(!json_parse(&j, &a, S("r"), S("{\"x\":[{\"b\":1,\"c\":2,\"b\":3}]}")));
    CHECK_STR(j.error, "r: /x/0: the key \"b\" appears twice");
    json_free(&j);
    CHECK(json_parse(&j, &a, S("r"), S("{\"b\":1,\"B\":2}"))); /* case tells keys apart */
    CHECK(json_int(&j, json_get(j.root, "b")) == 1 && json_int(&j, json_get(j.root, "B")) == 2);
    json_free(&j);
}

static void test_values(void) {
    struct json j;
    CHECK(json_parse(&j, &a, S("r"),
                     S(" {\"s\":\"a\\u4e2d\\n\",\"n\":-12,\"f\":1.5e3,\"t\":true,\"z\":null,"
                       "\"l\":[3,1,2],\"o\":{}} \r\n")));
    CHECK_STR(json_need_str(&j, j.root, "s"), "a\xe4\xb8\xad\n");
    CHECK(json_need_int(&j, j.root, "n") == -12);
    CHECK(json_number(&j, json_get(j.root, "f")) == 1500);
    CHECK(json_type(json_get(j.root, "z")) == JSON_NULL);
    CHECK(json_type(json_get(j.root, "o")) == JSON_OBJECT);
    CHECK(json_type(json_get(j.root, "S")) == JSON_MISSING);
    CHECK_STR(json_take_str(&j, j.root, "absent", S("else")), "else");
    CHECK(json_take_int(&j, j.root, "absent", 7) == 7);
    CHECK(json_take_bool(&j, j.root, "absent", true));
    const struct cJSON *list = json_need(&j, j.root, "l", JSON_ARRAY);
    struct buf order;
    buf_init(&order, &a);
    json_each(item, list) buf_printf(&order, "%d", (int)json_int(&j, item));
    CHECK_STR(buf_str(&order), "312");
    CHECK(json_count(list) == 3 && json_count(NULL) == 0);
    buf_init(&order, &a);
    json_each(item, j.root) buf_add(&order, json_key(item));
    CHECK_STR(buf_str(&order), "snftzlo");
    CHECK(j.error.n == 0);
    json_free(&j);
}

static struct str error_of(struct str text, void (*use)(struct json *)) {
    struct json j;
    CHECK(json_parse(&j, &a, S("r"), text));
    use(&j);
    json_free(&j);
    return j.error;
}

static const struct cJSON *third(struct json *j) {
    return json_next(json_next(json_first(json_get(j->root, "rules"))));
}
static void want_match(struct json *j) {
    json_need_str(j, third(j), "match");
    json_need_int(j, third(j), "absent"); /* the first error stays */
}
static void want_absent(struct json *j) { json_need_int(j, third(j), "absent"); }
static void want_whole(struct json *j) { json_need_int(j, j->root, "f"); }
static void want_object(struct json *j) { json_need_str(j, j->root, "k"); }
static void want_optional(struct json *j) { json_take_bool(j, j->root, "a/b~c", false); }
static void want_known(struct json *j) {
    json_only_keys(j, j->root, (const char *const[]){"severity", "id", NULL});
}

static void test_errors(void) {
    struct str rules = S("{\"rules\":[{},{},{\"match\":4}]}");
    CHECK_STR(error_of(rules, want_match), "r: /rules/2/match: expected a string, found a number");
    CHECK_STR(error_of(rules, want_absent),
              "r: /rules/2: the key \"absent\" is missing (a number)");
    CHECK_STR(error_of(S("{\"f\":1.5}"), want_whole), "r: /f: expected a whole number");
    CHECK_STR(error_of(S("{\"f\":1e300}"), want_whole), "r: /f: expected a whole number");
    CHECK_STR(error_of(S("[1]"), want_object), "r: expected an object, found an array");
    CHECK_STR(error_of(S("{\"a/b~c\":0}"), want_optional),
              "r: /a~1b~0c: expected true or false, found a number");
    CHECK_STR(error_of(S("{\"id\":1,\"severty\":2}"), want_known),
              "r: /severty: unknown key; did you mean \"severity\"?");
    CHECK_STR(error_of(S("{\"whatever\":2}"), want_known), "r: /whatever: unknown key");
    CHECK_STR(error_of(S("{\"id\":2}"), want_known), "");
}

int main(void) {
    arena_init(&a, 0);
    test_syntax();
    test_limits();
    test_duplicates();
    test_values();
    test_errors();
    arena_free(&a);
    return test_end("json");
}
