/* SPDX-License-Identifier: Apache-2.0 */
/* index.c - tables that find a row by its name, and the words that a text must hold to matter.
 *
 * The prefilter's words are derived from the rows here, so no rule can be forgotten there; they
 * may let too much pass, never too little. */
#include "rules/compiler.h"

#include <ctype.h>

/* Slots of an open-addressing table for n entries: a power of two, at least half of them free. */
static size_t table_size(size_t n) {
    size_t size = 2;
    while (size < n * 2) size *= 2;
    return n ? size : 0;
}

/* ---- rows ---- */

static void complain_of_twin(struct compiler *c, const struct rrow *row,
                             const struct rrow *first) {
    struct str id = rs_str(block_view(&c->block), c->rules.v[first->rule].id);
    complain_at(c, row_place(c, row), "the rule %.*s has this row already: keep one of the two",
                STR_ARG(id));
}

/* Rows of string rules may share a key, as the contexts of their rules differ, and rows about
 * different receivers or arguments; the order of the sources is the order in which rules_find
 * gives them. */
static void insert_row(struct compiler *c, uint32_t *slots, size_t n_slots, size_t number) {
    struct ruleset view = block_view(&c->block);
    const struct rrow *row = &c->rows.v[number], *other;
    struct str key = rs_str(view, row->key);
    size_t i = (size_t)str_hash(rs_str(view, row->look_up)) & (n_slots - 1);
    for (; slots[i]; i = (i + 1) & (n_slots - 1)) {
        other = &c->rows.v[slots[i] - 1];
        const struct rrule *mine = &c->rules.v[row->rule], *theirs = &c->rules.v[other->rule];
        if (mine->match == M_STRING || mine->match == M_TOKENS || mine->match == M_LANES ||
            mine->match == M_TEXT || other->rule == row->rule || mine->lint != theirs->lint ||
            mine->spoken != theirs->spoken || mine->copied || theirs->copied ||
            !str_eq(rs_str(view, mine->receiver), rs_str(view, theirs->receiver)) ||
            !str_eq(rs_str(view, mine->with), rs_str(view, theirs->with)) ||
            !str_eq(rs_str(view, mine->with_is), rs_str(view, theirs->with_is)))
            continue;
        if (str_eq(rs_str(view, other->key), key)) complain_of_twin(c, row, other);
    }
    slots[i] = (uint32_t)number + 1;
}

static struct rrow *find_row(struct compiler *c, const uint32_t *slots, size_t n_slots,
                             struct str key) {
    struct ruleset view = block_view(&c->block);
    for (size_t i = (size_t)str_hash(key);; i++) {
        uint32_t entry = slots[i & (n_slots - 1)];
        if (entry == 0) return NULL;
        if (str_eq(rs_str(view, c->rows.v[entry - 1].key), key)) return &c->rows.v[entry - 1];
    }
}

static bool has_capital(struct str s) {
    for (size_t i = 0; i < s.n; i++)
        if (isupper((unsigned char)s.p[i])) return true;
    return false;
}

/* Marks the rows that are a prefix of this name and look like modules. */
static void mark_modules(struct compiler *c, const uint32_t *slots, size_t n_slots,
                         struct str key) {
    for (size_t i = 0; i < key.n; i++) {
        if (key.p[i] != '.') continue;
        struct str prefix = str_sub(key, 0, i);
        struct rrow *row = find_row(c, slots, n_slots, prefix);
        if (row && !has_capital(str_last_dotted(prefix))) row->module = 1;
    }
}

void index_rows(struct compiler *c, struct rheader *h) {
    size_t count[M_KINDS] = {0};
    uint32_t *slots[M_KINDS];
    for (size_t i = 0; i < c->rows.n; i++) count[c->rules.v[c->rows.v[i].rule].match]++;
    for (size_t k = 0; k < M_KINDS; k++)
        slots[k] = arena_zalloc(c->a, table_size(count[k]) * sizeof **slots);
    for (size_t i = 0; i < c->rows.n; i++) {
        size_t k = c->rules.v[c->rows.v[i].rule].match;
        insert_row(c, slots[k], table_size(count[k]), i);
    }
    for (size_t i = 0; i < c->rows.n; i++)
        if (c->rules.v[c->rows.v[i].rule].match == M_NAME)
            mark_modules(c, slots[M_NAME], table_size(count[M_NAME]),
                         rs_str(block_view(&c->block), c->rows.v[i].key));
    for (size_t k = 0; k < M_KINDS; k++)
        h->index[k] = block_list(&c->block, slots[k], table_size(count[k]), sizeof **slots);
}

/* ---- anchors ---- */

struct str longest_word(struct str s) {
    struct str best = {0};
    for (size_t i = 0; i < s.n;) {
        struct str word = str_word(s, i);
        if (word.n > best.n) best = word;
        i += word.n + 1;
    }
    return best;
}

bool is_below(struct str key, struct str name_space) {
    return name_space.n && key.n > name_space.n && str_starts(key, name_space) &&
           key.p[name_space.n] == '.';
}

struct str anchor_of(enum match_kind match, struct str key, struct str name_space) {
    enum { TELLING = 4 }; /* torch._C says nothing, nor does torch, which all of them mention */
    struct str last = str_last_dotted(name_space);
    if (match == M_NAME && is_below(key, name_space) && last.n >= TELLING && last.n < name_space.n)
        key = name_space;
    if (match == M_NAME || match == M_MODULE) key = str_last_dotted(key);
    if (match == M_KEYWORD) {
        size_t open = str_find(key, S("("), 0);
        bool position = is_position(str_sub(key, open + 1, key.n - 1));
        key = position ? str_last_dotted(str_sub(key, 0, open)) : str_sub(key, open, key.n);
    }
    return longest_word(key);
}

/* Words found so far, with a table to find them again. */
struct words {
    VEC(struct ranchor) list;
    uint32_t *slots; /* number + 1 */
    size_t n_slots;
};

/* The slot of the word, empty when it is not there. */
static uint32_t *word_slot(struct compiler *c, const struct words *w, struct str word) {
    struct ruleset view = block_view(&c->block);
    size_t i = (size_t)str_hash(word) & (w->n_slots - 1);
    for (; w->slots[i]; i = (i + 1) & (w->n_slots - 1))
        if (str_eq(rs_str(view, w->list.v[w->slots[i] - 1].word), word)) break;
    return &w->slots[i];
}

/* A word that already is one stays so without a root when the two differ. */
static void add_word(struct compiler *c, struct words *w, struct str word, struct ranchor anchor,
                     struct str root) {
    anchor.word = block_str(&c->block, word);
    if (root.n) anchor.root = block_str(&c->block, root);
    uint32_t *slot = word_slot(c, w, rs_str(block_view(&c->block), anchor.word));
    if (*slot) {
        struct ranchor *known = &w->list.v[*slot - 1];
        known->quiet &= anchor.quiet;
        known->in_texts &= anchor.in_texts;
        if (known->root.at != anchor.root.at) known->root = (struct rstr){0};
        return;
    }
    *slot = (uint32_t)w->list.n + 1;
    vec_push(c->a, &w->list, anchor);
}

/* Rows that are found by one word alone, whatever it belongs to. */
static bool needs_no_root(const struct rrule *rule, struct str key) {
    return rule->match == M_STRING || rule->match == M_TEXT ||
           (rule->match == M_ATTRIBUTE && !rule->with_is.n && !rule->receiver.n) ||
           (rule->match == M_KEYWORD && str_starts(key, S("(")));
}

/* A name such as torch.cuda.random needs no anchor of its own when one of its parts is one anyway:
 * either the use or the import that it comes from shows that part. */
static bool is_covered(struct compiler *c, const struct words *strong, struct str key,
                       bool in_texts) {
    for (size_t i = 0; i < key.n;) {
        struct str word = str_word(key, i);
        uint32_t slot = word.n ? *word_slot(c, strong, word) : 0;
        if (slot && (in_texts || !strong->list.v[slot - 1].in_texts)) return true;
        i += word.n + 1;
    }
    return false;
}

static bool depends_on_version(struct ruleset view, struct rlist cells) {
    const struct rcell *cell = RS_LIST(view, cells, struct rcell);
    for (uint32_t i = 0; i < cells.n; i++)
        if (cell[i].version.n) return true;
    return false;
}

/* The targets on which a row says nothing at all: one of a rule for check says "runs unchanged",
 * one about an argument or a receiver has no cell. */
static uint32_t quiet_targets(struct compiler *c, const struct rrow *row) {
    struct ruleset view = block_view(&c->block);
    const struct rrule *rule = &c->rules.v[row->rule];
    struct row_ref ref = {view, row, rule};
    uint32_t quiet = 0;
    bool own_cells = rule->with_is.n || rule->receiver.n;
    if ((!rule->lint && !own_cells) || depends_on_version(view, row->cells) ||
        depends_on_version(view, rule->defaults))
        return 0;
    for (size_t i = 0; i < c->targets.n && i < 32; i++) {
        const struct rcell *cell =
            row_cell(ref, (struct target_ref){.set = view, .target = &c->targets.v[i]});
        if (cell ? cell->verdict == V_SAME : own_cells) quiet |= (uint32_t)1 << i;
    }
    return quiet;
}

static void store_words(struct compiler *c, const struct words *w, struct ranchors *h) {
    struct words small = {.n_slots = table_size(w->list.n)};
    small.slots = arena_zalloc(c->a, small.n_slots * sizeof *small.slots);
    for (size_t i = 0; i < w->list.n; i++) {
        struct str word = rs_str(block_view(&c->block), w->list.v[i].word);
        h->first_len[(unsigned char)word.p[0]] |= (uint64_t)1 << (word.n < 63 ? word.n : 63);
        uint32_t *slot = word_slot(c, &small, word);
        *slot = (uint32_t)i + 1;
        vec_push(c->a, &small.list, w->list.v[i]);
    }
    h->words = block_list(&c->block, w->list.v, w->list.n, sizeof *w->list.v);
    h->index = block_list(&c->block, small.slots, small.n_slots, sizeof *small.slots);
}

static bool has_fix(struct ruleset view, struct rlist cells) {
    const struct rcell *cell = RS_LIST(view, cells, struct rcell);
    for (uint32_t i = 0; i < cells.n; i++)
        if (cell[i].verdict == V_EXACT || cell[i].verdict == V_SHIM) return true;
    return false;
}

/* Of a rule for check a port reads what it can fix, and what is said with words that speak of
 * CUDA: `torch.float64` alone makes no statement worth parsing. */
static enum anchor_class class_of(struct compiler *c, const struct rrule *rule,
                                  const struct rrow *row, struct str word,
                                  const struct words *all) {
    struct ruleset view = block_view(&c->block);
    if (!rule->lint) return ANCHORS_OF_ALL;
    if (rule->severity <= SEV_NOTE) return ANCHORS_OF_CHECK;
    bool fix = has_fix(view, rule->defaults) || has_fix(view, row->cells);
    return fix || *word_slot(c, all, word) ? ANCHORS_OF_VERIFY : ANCHORS_OF_CHECK;
}

/* What rules about lanes look for are no words: the rule says which ones come with it. */
static void gather_keywords(struct compiler *c, const struct rrule *rule, const struct rrow *row,
                            uint32_t quiet, struct words *words) {
    struct ruleset view = block_view(&c->block);
    for (uint32_t i = 0; i < rule->keywords.n; i++) {
        struct str word = rs_str(view, RS_LIST(view, rule->keywords, struct rstr)[i]);
        enum anchor_class class = class_of(c, rule, row, word, &words[ANCHORS_OF_ALL]);
        add_word(c, &words[class], arena_str(c->a, word), (struct ranchor){.quiet = quiet},
                 (struct str){0});
        view = block_view(&c->block);
    }
}

/* Those of rules for check, or those of the other ones. */
static void gather_words(struct compiler *c, enum rule_language language, bool lint,
                         struct words *words) {
    /* First the words that are whole keys, then keys of which no word is one, then names. */
    enum { WHOLE_WORDS, TEXTS, NAMES, PASSES };
    for (int pass = 0; pass < PASSES; pass++)
        for (size_t i = 0; i < c->rows.n; i++) {
            const struct rrule *rule = &c->rules.v[c->rows.v[i].rule];
            if (rule->spoken != language && !(language == RL_PROJECT && rule->texts)) continue;
            if (rule->lint != lint) continue;
            struct ruleset view = block_view(&c->block);
            if (rule->match == M_LANES) {
                if (pass == NAMES)
                    gather_keywords(c, rule, &c->rows.v[i], quiet_targets(c, &c->rows.v[i]),
                                    words);
                continue;
            }
            struct str key =
                arena_str(c->a, rs_str(view, c->rows.v[i].look_up)); /* the block may move */
            bool text = needs_no_root(rule, key);
            bool whole = text && longest_word(key).n == key.n;
            if (pass != (whole ? WHOLE_WORDS : text ? TEXTS : NAMES)) continue;
            bool covers = rule->match == M_NAME || rule->match == M_MODULE || pass == TEXTS;
            if (covers && pass != WHOLE_WORDS && is_covered(c, &words[0], key, text)) continue;
            struct str word =
                anchor_of((enum match_kind)rule->match, key, rs_str(view, rule->name_space));
            size_t dot = str_find(key, S("."), 0);
            bool rooted = (rule->match == M_NAME || rule->match == M_KEYWORD) && dot < key.n;
            struct str root = str_sub(key, 0, rooted ? dot : 0);
            if (rule->match == M_ATTRIBUTE && !needs_no_root(rule, key)) root = S("torch");
            if (!word.n) continue;
            struct ranchor anchor = {.quiet = quiet_targets(c, &c->rows.v[i]),
                                     .in_texts = rule->match == M_STRING && !whole};
            enum anchor_class class =
                class_of(c, rule, &c->rows.v[i], word, &words[ANCHORS_OF_ALL]);
            add_word(c, &words[class], arena_str(c->a, word), anchor, root);
        }
}

void index_anchors(struct compiler *c, struct rheader *h) {
    for (int language = 0; language < RL_LANGUAGES; language++) {
        struct words words[ANCHOR_CLASSES];
        for (int i = 0; i < ANCHOR_CLASSES; i++) {
            words[i] = (struct words){.n_slots = table_size(c->rows.n + 1)};
            words[i].slots = arena_zalloc(c->a, words[i].n_slots * sizeof *words[i].slots);
        }
        gather_words(c, (enum rule_language)language, false, words);
        gather_words(c, (enum rule_language)language, true, words);
        for (int i = 0; i < ANCHOR_CLASSES; i++)
            store_words(c, &words[i], &h->anchors[language][i]);
    }
}
