/* SPDX-License-Identifier: Apache-2.0 */
/* template.c - reads templates and fills them in: the one place that knows what braces mean. */
#include "rules/template.h"

enum template_part template_next(struct str t, size_t *at, struct str *out) {
    size_t start = *at, i = start;
    if (start >= t.n) return TEMPLATE_END;
    while (i < t.n && t.p[i] != '{' && t.p[i] != '}') i++;
    if (i > start) {
        *at = i, *out = str_sub(t, start, i);
        return TEMPLATE_TEXT;
    }
    if (i + 1 < t.n && t.p[i + 1] == t.p[i]) {
        *at = i + 2, *out = str_sub(t, i, i + 1);
        return TEMPLATE_TEXT;
    }
    size_t close = t.p[i] == '{' ? str_find(t, S("}"), i) : t.n;
    if (close == t.n) return TEMPLATE_BROKEN;
    *at = close + 1, *out = str_sub(t, i + 1, close);
    return TEMPLATE_PLACEHOLDER;
}

/* ---- placeholders ---- */

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

bool is_identifier(struct str s) {
    for (size_t i = 0; i < s.n; i++)
        if (!is_word_char(s.p[i])) return false;
    return s.n > 0 && !is_digit(s.p[0]);
}

/* Identifiers with one comma between two. */
static bool is_keyword_list(struct str s) {
    for (size_t start = 0, end; start <= s.n; start = end + 1) {
        end = str_find(s, S(","), start);
        if (!is_identifier(str_sub(s, start, end))) return false;
    }
    return true;
}

/* At most four digits at *i. */
static bool read_number(struct str s, size_t *i, uint32_t *out) {
    size_t start = *i;
    for (*out = 0; *i < s.n && *i < start + 4 && is_digit(s.p[*i]); ++*i)
        *out = *out * 10 + (uint32_t)(s.p[*i] - '0');
    return *i > start;
}

/* {2}, {2*}, {0-16}, {0:bare} */
static bool read_position(struct placeholder *p) {
    struct str s = p->text;
    size_t i = 0;
    if (!read_number(s, &i, &p->first)) return false;
    p->last = p->first;
    p->kind = p->first || i < s.n ? PH_POSITION : PH_FIRST;
    if (i == s.n) return true;
    if (str_is(p->option, "bare")) return s.p[i] == ':';
    if (s.p[i] == '*') p->last = UINT32_MAX;
    if (s.p[i++] != '-') return p->last == UINT32_MAX && i == s.n;
    return read_number(s, &i, &p->last) && i == s.n && p->first <= p->last;
}

struct placeholder template_placeholder(struct str text) {
    static const struct {
        const char *text;
        enum placeholder_kind kind;
    } fixed[] = {{"*", PH_ARGUMENTS},
                 {".", PH_RECEIVER},
                 {"<>", PH_TEMPLATE_ARGUMENTS},
                 {"name", PH_NAME},
                 {"tail", PH_TAIL}};
    size_t colon = str_find(text, S(":"), 0);
    struct placeholder p = {.kind = PH_BAD, .text = text};
    if (colon < text.n) p.option = str_sub(text, colon + 1, text.n);
    for (size_t i = 0; i < ARRAY_LEN(fixed); i++)
        if (str_is(text, fixed[i].text)) p.kind = fixed[i].kind;
    if (p.kind) return p;
    if (colon == 1 && text.p[0] == '*' && is_keyword_list(p.option))
        p.kind = PH_KEYWORDS;
    else if (is_identifier(text))
        p.kind = PH_WORD;
    else if (!read_position(&p))
        p.kind = PH_BAD;
    return p;
}

enum launch_part template_launch_part(struct str text, struct str *option) {
    static const char *const names[] = {
        [LAUNCH_GRID] = "grid",           [LAUNCH_BLOCK] = "block",   [LAUNCH_SHARED] = "shared",
        [LAUNCH_STREAM] = "stream",       [LAUNCH_KERNEL] = "kernel", [LAUNCH_CONFIG] = "config",
        [LAUNCH_ARGUMENTS] = "arguments", [LAUNCH_ALL] = "*"};
    size_t colon = str_find(text, S(":"), 0);
    *option = colon < text.n ? str_sub(text, colon + 1, text.n) : S("");
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        bool may_have = i <= LAUNCH_KERNEL;
        if (str_is(str_sub(text, 0, colon), names[i]) && (may_have || colon == text.n))
            return (enum launch_part)i;
    }
    return LAUNCH_NONE;
}

/* ---- expanding ---- */

static bool put_placeholder(const struct template_sink *s, struct str text, struct str *why) {
    struct placeholder p = template_placeholder(text);
    if (s->placeholder && s->placeholder(s->context, &p, why)) return true;
    if (why->n) return false;
    if (p.kind == PH_NAME) {
        s->text(s->context, s->name);
        return true;
    }
    struct str fact = {0};
    if (p.kind == PH_WORD) fact = target_fact(s->target, arena_strdup(s->a, text));
    if (fact.n) {
        s->text(s->context, fact);
        return true;
    }
    *why = p.kind == PH_WORD ? arena_printf(s->a, "target %.*s has no %.*s",
                                            STR_ARG(target_name(s->target)), STR_ARG(text))
                             : S("the rule's template is broken");
    return false;
}

bool template_expand(struct str template, const struct template_sink *sink, struct str *why) {
    struct str part;
    enum template_part kind;
    *why = (struct str){0};
    for (size_t at = 0; (kind = template_next(template, &at, &part)) != TEMPLATE_END;) {
        if (kind == TEMPLATE_TEXT) {
            sink->text(sink->context, part);
        } else if (kind == TEMPLATE_BROKEN) {
            *why = S("the rule's template is broken");
            return false;
        } else if (!put_placeholder(sink, part, why)) {
            return false;
        }
    }
    return true;
}
