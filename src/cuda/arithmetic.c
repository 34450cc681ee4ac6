/* SPDX-License-Identifier: Apache-2.0 */
/* arithmetic.c - integers as C++ writes and computes them: literals, operators and how strong they
 * bind. Who asks for names' values is constant.c; this asks nobody. */
#include "cuda/cu.h"

bool cu_integer(struct str text, int64_t *out) {
    uint64_t value = 0;
    size_t i = 0;
    unsigned base = 10;
    if (text.n > 2 && text.p[0] == '0' && (text.p[1] | 32) == 'x')
        base = 16, i = 2;
    else if (text.n > 2 && text.p[0] == '0' && (text.p[1] | 32) == 'b')
        base = 2, i = 2;
    else if (text.n > 1 && text.p[0] == '0')
        base = 8;
    size_t digits = i;
    for (; i < text.n; i++) {
        char c = text.p[i], lower = (char)(c | 32);
        unsigned digit = c >= '0' && c <= '9' ? (unsigned)(c - '0') : (unsigned)(lower - 'a') + 10;
        if (c == '\'') continue;
        if (digit >= base) break;
        if (value > ((uint64_t)INT64_MAX - digit) / base) return false;
        value = value * base + digit;
    }
    if (i == digits) return false;
    for (; i < text.n; i++)
        if (!strchr("uUlLzZ", text.p[i])) return false;
    *out = (int64_t)value;
    return true;
}

bool cu_compute(struct str op, int64_t a, int64_t b, int64_t *out) {
    bool equal = op.n > 1 && op.p[1] == '=', twice = op.n > 1 && op.p[1] == op.p[0];
    switch (op.p[0]) {
    case '*':
        return !__builtin_mul_overflow(a, b, out);
    case '/':
        return b > 0 && (*out = a / b, true);
    case '%':
        return b > 0 && (*out = a % b, true);
    case '+':
        return !__builtin_add_overflow(a, b, out);
    case '-':
        return !__builtin_sub_overflow(a, b, out);
    case '<':
        if (twice) {
            if (a < 0 || b < 0 || b > 62 || a > INT64_MAX >> b) return false;
            return *out = a << b, true;
        }
        return *out = equal ? a <= b : a < b, true;
    case '>':
        if (twice) return a >= 0 && b >= 0 && b < 63 && (*out = a >> b, true);
        return *out = equal ? a >= b : a > b, true;
    case '=':
        return *out = a == b, true;
    case '!':
        return *out = a != b, true;
    case '&':
        return *out = twice ? a && b : (a & b), true;
    case '|':
        return *out = twice ? a || b : (a | b), true;
    case '^':
        return *out = a ^ b, true;
    default:
        return false;
    }
}

enum cu_strength cu_operator(const struct cu *f, uint32_t i, uint32_t end, uint32_t *tokens) {
    static const struct {
        const char *text;
        enum cu_strength strength;
    } all[] = {{"*", CU_TIMES},   {"/", CU_TIMES},   {"%", CU_TIMES},   {"+", CU_PLUS},
               {"-", CU_PLUS},    {"<<", CU_SHIFTS}, {"<", CU_ORDERS},  {"<=", CU_ORDERS},
               {">", CU_ORDERS},  {">=", CU_ORDERS}, {"==", CU_EQUALS}, {"!=", CU_EQUALS},
               {"&", CU_BIT_AND}, {"^", CU_BIT_XOR}, {"|", CU_BIT_OR},  {"&&", CU_AND},
               {"||", CU_OR},     {"?", CU_CHOOSES}};
    *tokens = 1;
    if (i >= end) return CU_NO_OPERATOR;
    bool twice = cu_is(f, i, ">") && i + 1 < end && cu_is(f, i + 1, ">");
    if (twice && f->tokens.v[i].end == f->tokens.v[i + 1].start) { /* >> closes templates, too */
        *tokens = 2;
        return CU_SHIFTS;
    }
    for (size_t k = 0; k < ARRAY_LEN(all); k++)
        if (cu_is(f, i, all[k].text)) return all[k].strength;
    return CU_NO_OPERATOR;
}
