/* SPDX-License-Identifier: Apache-2.0 */
/* kernel.c - what all passes ask of a kernel that is being read: the variable that a token means,
 * the region that it belongs to, the operand that it is; and of its tokens. No pass is behind
 * these. */
#include "kernels/kernel.h"

bool k_fail(struct kernel *k, uint32_t token, const char *why) {
    if (!k->why) k->why = why, k->why_token = token;
    return false;
}

uint32_t k_lambda_length(const struct cu *f, uint32_t i) {
    static const char *const before = "return else do case throw co_return and or not";
    bool operand =
        i > 0 && (cu_is(f, i - 1, ")") || cu_is(f, i - 1, "]") ||
                  (cu_is_word(f, i - 1) && !str_listed(cu_text(f, i - 1), str_of(before))));
    if (!cu_is(f, i, "[") || operand || cu_partner(f, i) == NO_NODE) return 0;
    uint32_t at = cu_partner(f, i) + 1;
    if (cu_is(f, at, "(") && cu_partner(f, at) != NO_NODE) at = cu_partner(f, at) + 1;
    while (at < f->tokens.n && !cu_is(f, at, "{") && !cu_is(f, at, ";") && !cu_is(f, at, ")"))
        at++;
    return cu_is(f, at, "{") && cu_partner(f, at) != NO_NODE ? cu_partner(f, at) + 1 - i : 0;
}

bool k_is_handed_on(const struct cu *f, uint32_t i) {
    static const char *const before = "( , & = { :: : return";
    if (i == 0) return false;
    return (cu_is(f, i - 1, "*") || cu_is(f, i - 1, "?") ||
            str_listed(cu_text(f, i - 1), str_of(before))) &&
           (cu_is(f, i + 1, "?") || str_listed(cu_text(f, i + 1), S(") , ; : }")));
}

uint32_t k_variable_at(const struct kernel *k, uint32_t token) {
    size_t low = 0, high = k->uses.n;
    while (low < high) {
        size_t mid = (low + high) / 2;
        if (k->uses.v[mid].token < token)
            low = mid + 1;
        else
            high = mid;
    }
    return low < k->uses.n && k->uses.v[low].token == token ? k->uses.v[low].variable : NO_NODE;
}

uint32_t k_operand_of(const struct kernel *k, uint32_t statement) {
    for (uint32_t n = 0; n < k->operands.n; n++)
        if (k->operands.v[n].statement == statement) return n;
    return NO_NODE;
}

bool k_is_operand(const struct kernel *k, uint32_t token) {
    for (uint32_t p = 0; p < k->regions.n; p++)
        if (k->regions.v[p].operand != NO_NODE &&
            k->operands.v[k->regions.v[p].operand].word == token)
            return true;
    return false;
}

bool k_is_template_argument(const struct kernel *k, uint32_t token) {
    for (size_t n = 0; n < k->operands.n; n++) {
        const struct k_operand *o = &k->operands.v[n];
        if (o->call && token > o->word && token + 1 < o->value_first) return true;
    }
    return false;
}

uint32_t k_region_of(const struct kernel *k, uint32_t token) {
    for (uint32_t p = 0; p < k->regions.n; p++) /* an operand's comes before the one around it */
        if (token >= k->regions.v[p].from && token < k->regions.v[p].to) return p;
    return NO_NODE;
}

bool k_region_uses(const struct kernel *k, uint32_t region, uint32_t variable) {
    for (size_t u = 0; u < k->uses.n; u++)
        if (k->uses.v[u].variable == variable && k_region_of(k, k->uses.v[u].token) == region)
            return true;
    for (size_t u = 0; u < k->hidden.n; u++)
        if (k->hidden.v[u].variable == variable && k_region_of(k, k->hidden.v[u].token) == region)
            return true;
    return false;
}
