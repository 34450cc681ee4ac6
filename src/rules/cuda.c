/* SPDX-License-Identifier: Apache-2.0 */
/* cuda.c - the parts of rules that only C++ has: call shapes, headers, sequences of tokens. */
#include "rules/compiler.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

bool is_qualified_name(struct str s) {
    for (size_t i = 0;;) {
        size_t end = i + str_word(s, i).n;
        if (end == i || (s.p[i] >= '0' && s.p[i] <= '9')) return false;
        if (end == s.n) return true;
        if (!str_starts(str_sub(s, end, s.n), S("::"))) return false;
        i = end + 2;
    }
}

static struct str checked_pattern(struct compiler *c, const struct cJSON *v) {
    struct str pattern = text_of(c, v);
    int code;
    PCRE2_SIZE at;
    pcre2_code *re =
        pcre2_compile((PCRE2_SPTR)(pattern.p ? pattern.p : ""), pattern.n, 0, &code, &at, NULL);
    PCRE2_UCHAR message[160];
    pcre2_get_error_message(code, message, sizeof message);
    if (!re)
        complain(c, v, "is no PCRE2 pattern: %s at character %zu", (char *)message,
                 (size_t)at + 1);
    pcre2_code_free(re);
    return pattern;
}

/* {"0": "^0x"}: names or positions and the patterns that their texts have to match. */
static struct rlist read_conditions(struct compiler *c, const struct cJSON *owner, const char *key,
                                    bool positions) {
    const struct cJSON *object = json_get(owner, key);
    VEC(struct rfact) out = {0};
    if (object && !is_object(object))
        complain(c, object, "must be an object from %s to PCRE2 pattern",
                 positions ? "position" : "capture");
    json_each(v, object) {
        struct str name = json_key(v);
        bool number = name.n > 0;
        for (size_t i = 0; i < name.n; i++) number &= name.p[i] >= '0' && name.p[i] <= '9';
        bool named = is_identifier(name) || str_is(name, "*") || str_listed(name, S("< << > # ("));
        if (positions ? !number : !named)
            complain(c, v,
                     positions ? "the key must be the position of an argument, from 0"
                               : "the key must be the name of a capture, without the $, or one of "
                                 "* < << > # (");
        struct rfact f = {block_str(&c->block, name), block_str(&c->block, checked_pattern(c, v))};
        vec_push(c->a, &out, f);
    }
    return block_list(&c->block, out.v, out.n, sizeof *out.v);
}

static struct rcase read_case(struct compiler *c, const struct cell_context *x,
                              const struct cJSON *v) {
    static const char *const keys[] = {"count",   "where",   "declared", "call",
                                       "verdict", "include", "note",     NULL};
    static const char *const verdicts[] = {"same", "exact", "shim", "close", "manual", NULL};
    struct rcase out = {.count = UINT32_MAX};
    if (!check_keys(c, v, "a case", keys)) return out;
    if (json_get(v, "count")) out.count = number_of(c, json_get(v, "count"));
    out.where = read_conditions(c, v, "where", true);
    out.declared = read_conditions(c, v, "declared", true);
    struct str call = text_member(c, v, "call", NULL);
    if (call.n) check_template(c, x, FORM_CALL, call, json_get(v, "call"));
    out.call = block_str(&c->block, call);
    out.note = block_str(&c->block, text_member(c, v, "note", NULL));
    out.include = block_str(&c->block, text_member(c, v, "include", NULL));
    if (json_get(v, "verdict")) out.verdict = V_SAME + word_member(c, v, "verdict", verdicts);
    return out;
}

void read_cuda_forms(struct compiler *c, const struct cell_context *x, const struct cJSON *v,
                     struct rcell *out) {
    VEC(struct rcase) cases = {0};
    const struct cJSON *list = json_get(v, "cases");
    if (list && !is_array(list)) complain(c, list, "must be an array of cases");
    json_each(element, list) {
        struct rcase one = read_case(c, x, element);
        vec_push(c->a, &cases, one);
    }
    out->cases = block_list(&c->block, cases.v, cases.n, sizeof *cases.v);
    out->include = block_str(&c->block, text_member(c, v, "include", NULL));
    out->remove = flag_member(c, v, "remove");
    if (out->remove && x->match != M_INCLUDE && x->match != M_SYMBOL)
        complain(c, json_get(v, "remove"), "is for rules that match includes or C++ names");
}

struct rstr read_pattern(struct compiler *c, const struct cJSON *owner, const char *key) {
    const struct cJSON *v = json_get(owner, key);
    return block_str(&c->block, v ? checked_pattern(c, v) : S(""));
}

void read_token_rule(struct compiler *c, const struct cJSON *v, struct rrule *r) {
    static const char *const scopes[] = {"code", "directive", "any", NULL};
    r->where = read_conditions(c, v, "where", false);
    r->declared = read_conditions(c, v, "declared", false);
    r->function_has = read_pattern(c, v, "function_has");
    r->function_lacks = read_pattern(c, v, "function_lacks");
    r->function_is = read_pattern(c, v, "function_is");
    r->file_has = read_pattern(c, v, "file_has");
    r->file_lacks = read_pattern(c, v, "file_lacks");
    r->constant = block_str(&c->block, text_member(c, v, "constant", NULL));
    r->once = flag_member(c, v, "once");
    r->sides = flag_member(c, v, "sides");
    r->scope = json_get(v, "scope") ? word_member(c, v, "scope", scopes) : TS_CODE;
}

/* The next word, number or capture from *i on, or an empty string. */
static struct str next_word(struct str key, size_t *i) {
    while (*i < key.n && !is_word_char(key.p[*i]) && key.p[*i] != '$') ++*i;
    size_t start = *i;
    bool number = start < key.n && key.p[start] >= '0' && key.p[start] <= '9';
    while (*i < key.n &&
           (is_word_char(key.p[*i]) || key.p[*i] == '$' || (number && key.p[*i] == '.')))
        ++*i;
    return str_sub(key, start, *i);
}

/* Words that tell next to nothing of a file. */
static bool is_common(struct str word) {
    static const char *const words[] = {"if",       "for",      "while",     "return", "const",
                                        "defined",  "template", "constexpr", "int",    "unsigned",
                                        "typename", "std",      "volatile",  "static", "switch"};
    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (str_is(word, words[i])) return true;
    return false;
}

/* The best word to find a sequence by: an identifier, else a number. One that starts with # is
 * compared from its start, so what stands before the word doesn't matter; the path of an #include
 * is no word. A run at the start of the sequence is that of a declaration, which ends by itself.
 */
static struct str anchor_word(struct str key) {
    struct str number = {0}, name = {0}, word;
    bool directive = key.n && key.p[0] == '#';
    for (size_t i = 0; (word = next_word(key, &i)).n;) {
        if (word.p[0] == '$') {
            bool run = str_starts(str_sub(key, i, key.n), S("..."));
            if (run && !directive && word.p != key.p) break;
        } else if (directive && !name.n) {
            name = word;
            if (str_is(name, "include")) break;
        } else if (is_identifier(word)) {
            if (!is_common(word)) return word;
            if (!name.n) name = word;
        } else if (!number.n) {
            number = word;
        }
    }
    return number.n ? number : name;
}

struct rstr read_sequence(struct compiler *c, const struct cJSON *v, struct str key) {
    if (str_starts(key, S("\""))) return block_str(&c->block, key);
    struct str word = anchor_word(key);
    if (!word.n && str_starts(key, S("<<<"))) word = S("<<<");
    if (!word.n)
        complain(c, v,
                 "the sequence needs an identifier or a number, by which it is found, with no "
                 "$capture... before it");
    return block_str(&c->block, word.n ? word : key);
}
