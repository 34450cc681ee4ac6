/* SPDX-License-Identifier: Apache-2.0 */
/* words.c - lists of words: what languages and libraries mean by their names, as data.
 *
 * A list may be "within" others: a shuffle may block, what is pure blocks nobody. Passes ask for
 * one list and rely on such laws without a word, so a name that is added to one list and forgotten
 * on the other would be wrong only in what is ported: the laws stand beside the lists and are
 * checked whenever rules are compiled, those of a user's additions too. So are lists whose words
 * are ids of rules ("of": "rules"): an id that no rule has would do nothing. */
#include "rules/compiler.h"

/* {"words": {"NAME": {"about": "...", "within": ["OTHER"], "words": ["a", "b*"]},
 *            "NAME": {"about": "...", "of": "rules", "words": ["domain/rule", "domain/..."]}}} */
void read_words(struct compiler *c, const struct cJSON *root) {
    static const char *const keys[] = {"$schema", "words", NULL};
    static const char *const own[] = {"about", "of", "within", "words", NULL};
    static const char *const kinds[] = {"rules", NULL};
    const struct cJSON *lists = json_get(root, "words");
    check_keys(c, root, "a file of words", keys);
    if (!is_object(lists)) complain(c, lists, "must be an object from name to list");
    json_each(list, lists) {
        if (!check_keys(c, list, "a list of words", own)) continue;
        text_member(c, list, "about", "what its words have in common");
        struct rwords w = {.name = block_str(&c->block, json_key(list)),
                           .words = texts_member(c, list, "words"),
                           .within = texts_member(c, list, "within")};
        if (!w.words.n) complain(c, list, "holds no words");
        vec_push(c->a, &c->words, w);
        struct word_source source = {.place = {c->doc->name, json_pointer(c->doc, list)}};
        if (json_get(list, "of")) {
            word_member(c, list, "of", kinds);
            source.are_rules = true;
        }
        vec_push(c->a, &c->word_sources, source);
    }
}

/* Whether the word, or all that a word with * stands for, is on that list. */
static bool has_word(struct compiler *c, struct str list, struct str word, bool *there) {
    struct ruleset own = block_view(&c->block);
    for (size_t i = 0; i < c->words.n; i++) {
        if (!str_eq(rs_str(own, c->words.v[i].name), list)) continue;
        *there = true;
        const struct rstr *v = RS_LIST(own, c->words.v[i].words, struct rstr);
        for (uint32_t k = 0; k < c->words.v[i].words.n; k++)
            if (str_like(word, rs_str(own, v[k]))) return true;
    }
    struct str any;
    size_t cursor = 0;
    const char *name = arena_strdup(c->a, list);
    *there |= c->known && rules_next_word(c->known, name, &cursor, &any);
    return c->known && rules_lists(c->known, name, word);
}

/* The lists that a list of that name is within, of all sets in use. */
static void find_within(struct compiler *c, struct str name, str_list *out) {
    size_t known = c->known ? c->known->n : 0;
    for (size_t s = 0; s <= known; s++) {
        struct ruleset set = s < known ? c->known->set[s] : block_view(&c->block);
        const struct rwords *w =
            s < known ? RS_LIST(set, set.h->words, struct rwords) : c->words.v;
        size_t n = s < known ? set.h->words.n : c->words.n;
        for (size_t i = 0; i < n; i++) {
            if (!str_eq(rs_str(set, w[i].name), name)) continue;
            const struct rstr *in = RS_LIST(set, w[i].within, struct rstr);
            for (uint32_t k = 0; k < w[i].within.n; k++) vec_push(c->a, out, rs_str(set, in[k]));
        }
    }
}

static void check_word(struct compiler *c, struct place where, struct str word,
                       const str_list *within) {
    struct buf names;
    buf_init(&names, c->a);
    for (size_t i = 0; i < within->n; i++) {
        bool there = false;
        if (has_word(c, within->v[i], word, &there)) return;
        if (!there) {
            complain_at(c, where, "is within \"%.*s\", which is no list of words",
                        STR_ARG(within->v[i]));
            return;
        }
        buf_printf(&names, "%s%.*s", i ? " or " : "", STR_ARG(within->v[i]));
    }
    complain_at(c, where, "\"%.*s\" is missing in %.*s, which this list is within: add it there",
                STR_ARG(word), STR_ARG(buf_str(&names)));
}

/* Whether a rule of a set in use has an id like that. */
static bool has_rule(struct compiler *c, struct str id) {
    struct ruleset own = block_view(&c->block);
    for (size_t i = 0; i < c->rules.n; i++)
        if (str_like(rs_str(own, c->rules.v[i].id), id)) return true;
    for (size_t s = 0; c->known && s < c->known->n; s++) {
        const struct rrule *v = RS_LIST(c->known->set[s], c->known->set[s].h->rules, struct rrule);
        for (uint32_t i = 0; i < c->known->set[s].h->rules.n; i++)
            if (str_like(rs_str(c->known->set[s], v[i].id), id)) return true;
    }
    return false;
}

void check_words(struct compiler *c) {
    for (size_t i = 0; i < c->words.n; i++) {
        struct ruleset own = block_view(&c->block);
        str_list within = {0};
        find_within(c, rs_str(own, c->words.v[i].name), &within);
        for (uint32_t k = 0; within.n && k < c->words.v[i].words.n; k++) {
            struct str word = rs_str(own, RS_LIST(own, c->words.v[i].words, struct rstr)[k]);
            check_word(c, c->word_sources.v[i].place, word, &within);
        }
        for (uint32_t k = 0; c->word_sources.v[i].are_rules && k < c->words.v[i].words.n; k++) {
            struct str id = rs_str(own, RS_LIST(own, c->words.v[i].words, struct rstr)[k]);
            if (!has_rule(c, id))
                complain_at(c, c->word_sources.v[i].place, "\"%.*s\" is the id of no rule",
                            STR_ARG(id));
        }
    }
}
