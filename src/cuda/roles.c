/* SPDX-License-Identifier: Apache-2.0 */
/* roles.c - what names are for, where code asks for that and not for the name: the rules say it,
 * so that no list of CUDA's names stands in C. */
#include "cuda/cu.h"

enum name_role cu_role(const struct cu *f, uint32_t token) {
    struct row_ref row;
    size_t cursor = 0;
    bool known = cu_is_word(f, token) &&
                 rules_is_anchor(f->rules, RL_CUDA, cu_text(f, token), NULL) &&
                 rules_find(f->rules, M_SYMBOL, cu_text(f, token), &cursor, &row);
    return known ? (enum name_role)row.row->role : ROLE_NONE;
}

bool cu_is_rule_name(const struct rules *rules, struct str word) {
    struct row_ref row;
    size_t cursor = 0;
    if (!word.n || !rules_is_anchor(rules, RL_CUDA, word, NULL)) return false;
    if (rules_find(rules, M_SYMBOL, word, &cursor, &row)) return true;
    cursor = 0;
    while (rules_find(rules, M_TOKENS, word, &cursor, &row))
        if (cu_is_about_name(row, word)) return true;
    return false;
}

bool cu_is_about_member(struct row_ref row) {
    struct str key = rs_str(row.set, row.row->key);
    return str_starts(key, S(".")) || str_starts(key, S("->"));
}

bool cu_is_rule_member(const struct rules *rules, struct str word) {
    struct row_ref row;
    size_t cursor = 0;
    if (!word.n || !rules_is_anchor(rules, RL_CUDA, word, NULL)) return false;
    while (rules_find(rules, M_TOKENS, word, &cursor, &row))
        if (cu_is_about_member(row)) return true;
    return false;
}

bool cu_is_about_name(struct row_ref row, struct str word) {
    struct str key = rs_str(row.set, row.row->key);
    return str_starts(key, word) && (key.n == word.n || strchr("(<", key.p[word.n]));
}

bool cu_is_official_header(const struct rules *rules, struct str path) {
    struct row_ref row;
    size_t cursor = 0;
    return rules_find(rules, M_INCLUDE, path, &cursor, &row);
}

bool cu_find_folder_row(const struct rules *rules, struct str path, struct row_ref *out) {
    for (size_t n = path.n; n > 0; n--) {
        char key[128];
        size_t cursor = 0;
        if (path.p[n - 1] != '/' || n + 1 > sizeof key) continue;
        memcpy(key, path.p, n);
        key[n] = '*';
        if (rules_find(rules, M_INCLUDE, (struct str){key, n + 1}, &cursor, out)) return true;
    }
    return false;
}

bool cu_is_standard_header(const struct rules *rules, struct str path) {
    bool plain = !memchr(path.p, '.', path.n) && !memchr(path.p, '/', path.n);
    return plain || rules_lists(rules, "cuda.standard_headers", path);
}

/* Whether some target lists that macro in the fact of that name. */
static bool is_listed(const struct rules *rules, const char *fact, struct str macro) {
    for (size_t s = 0; s < rules->n; s++) {
        struct ruleset set = rules->set[s];
        const struct rtarget *t = RS_LIST(set, set.h->targets, struct rtarget);
        for (size_t i = 0; i < set.h->targets.n; i++)
            if (str_listed(macro,
                           target_fact((struct target_ref){.set = set, .target = &t[i]}, fact)))
                return true;
    }
    return false;
}

bool cu_is_vendors_macro(const struct rules *rules, struct str macro) {
    return is_listed(rules, "own_macros", macro);
}

bool cu_is_compilers_macro(const struct rules *rules, struct str macro) {
    return str_starts(macro, S("__")) && is_listed(rules, "nvidia_macros", macro);
}

bool cu_is_device_macro(const struct rules *rules, struct str macro) {
    return is_listed(rules, "nvidia_device_macros", macro);
}

bool cu_is_own_name(struct str prefixes, struct str word) {
    for (size_t at = 0, end; word.n && at < prefixes.n; at = end + 1) {
        const char *space = memchr(prefixes.p + at, ' ', prefixes.n - at);
        end = space ? (size_t)(space - prefixes.p) : prefixes.n;
        if (prefixes.p[at] != word.p[0]) continue; /* nearly always */
        struct str prefix = str_sub(prefixes, at, end);
        if (str_starts(word, prefix) && word.n > prefix.n &&
            strchr("ABCDEFGHIJKLMNOPQRSTUVWXYZ_/.", word.p[prefix.n]))
            return true;
    }
    return false;
}

bool cu_is_vendors_name(const struct rules *rules, struct str word) {
    for (size_t s = 0; s < rules->n; s++) {
        struct ruleset set = rules->set[s];
        const struct rtarget *t = RS_LIST(set, set.h->targets, struct rtarget);
        for (size_t i = 0; i < set.h->targets.n; i++)
            if (cu_is_own_name(
                    target_fact((struct target_ref){.set = set, .target = &t[i]}, "own_names"),
                    word))
                return true;
    }
    return false;
}

/* `#ifndef WITH_CUDA`, `#if !WITH_CUDA`, `#if !defined(WITH_CUDA)`. */
bool cu_excludes_nvidia(const struct cu *f, const struct cu_directive *d) {
    uint32_t t = d->first + 2;
    if (!str_ends(cu_text(f, d->first + 1), S("ndef")) && !cu_is(f, t++, "!")) return false;
    if (cu_is(f, t, "defined")) t++;
    if (cu_is(f, t, "(")) t++;
    return cu_is_word(f, t) && is_listed(f->rules, "nvidia_macros", cu_text(f, t));
}
