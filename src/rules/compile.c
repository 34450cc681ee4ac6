/* SPDX-License-Identifier: Apache-2.0 */
/* compile.c - rule files into one block, with every complaint and its place.
 *
 * It goes on after an error, so that an author sees all of them at once. Runs at build time for
 * the built-in rules and at run time for --rules: there is one checker. */
#include "rules/compiler.h"

#include <stdlib.h>

/* ---- targets ---- */

/* Whether one of the words, divided by blanks, is part of the text. */
static bool holds_word(struct str text, struct str words) {
    for (size_t at = 0; at < words.n;) {
        size_t end = str_find(words, S(" "), at);
        struct str word = str_sub(words, at, end);
        if (word.n && str_find(text, word, 0) < text.n) return true;
        at = end + 1;
    }
    return false;
}

static struct str fact_text(struct compiler *c, const struct cJSON *facts, const char *key) {
    const struct cJSON *v = json_get(facts, key);
    return v ? text_of(c, v) : S("");
}

/* What would be written wrongly without a word: a file whose only new word is one that asks for no
 * import, and an expression where a name belongs. */
static void check_words_of_facts(struct compiler *c, const struct cJSON *facts) {
    static const char *const asking[] = {"device", "module", "backend"};
    struct str words = fact_text(c, facts, "import_words");
    for (size_t i = 0; words.n && i < ARRAY_LEN(asking); i++) {
        struct str text = fact_text(c, facts, asking[i]);
        if (text.n && !holds_word(text, words))
            complain(
                c, json_get(facts, asking[i]),
                "has none of the \"import_words\" (%.*s), so a file that gets no other word of "
                "the vendor's would lack the import: add one",
                STR_ARG(words));
    }
    struct str name = fact_text(c, facts, "backend_available");
    if (name.n && !is_identifier(name))
        complain(c, json_get(facts, "backend_available"),
                 "must be the name of a function of torch.distributed, such as is_nccl_available");
}

static struct rlist read_facts(struct compiler *c, const struct cJSON *target) {
    VEC(struct rfact) facts = {0};
    const struct cJSON *v = json_get(target, "facts");
    if (!is_object(v))
        complain(c, v ? v : target, "\"facts\" must be an object from fact to text");
    else if (!json_get(v, "device"))
        complain(c, v, "the fact \"device\" is missing: write the word for the device");
    json_each(m, v) {
        struct str key = json_key(m);
        if (!is_identifier(key) || str_is(key, "name") || str_is(key, "tail"))
            complain(c, m, "cannot be the name of a fact: use another identifier");
        struct rfact f = {block_str(&c->block, key), block_str(&c->block, text_of(c, m))};
        vec_push(c->a, &facts, f);
    }
    if (is_object(v)) check_words_of_facts(c, v);
    return block_list(&c->block, facts.v, facts.n, sizeof *facts.v);
}

/* One string, or an array of lines. */
static struct rstr read_prelude(struct compiler *c, const struct cJSON *target) {
    const struct cJSON *v = json_get(target, "prelude");
    if (!is_array(v)) return text_in_block(c, target, "prelude", NULL);
    struct buf b;
    buf_init(&b, c->a);
    json_each(line, v) {
        if (b.n) buf_addc(&b, '\n');
        buf_add(&b, text_of(c, line));
    }
    return block_str(&c->block, buf_str(&b));
}

/* Names and aliases share one name space. */
static void check_target_is_new(struct compiler *c, struct str name, const struct cJSON *v) {
    struct ruleset view = block_view(&c->block);
    for (size_t i = 0; i < c->targets.n; i++) {
        const struct rtarget *t = &c->targets.v[i];
        const struct rstr *alias = RS_LIST(view, t->aliases, struct rstr);
        bool taken = str_eq(rs_str(view, t->name), name);
        for (size_t k = 0; k < t->aliases.n; k++)
            taken = taken || str_eq(rs_str(view, alias[k]), name);
        if (taken)
            complain(c, v, "\"%.*s\" is a name or alias of target %.*s already: choose another",
                     STR_ARG(name), STR_ARG(rs_str(view, t->name)));
    }
}

/* {"python": "No source of the PyTorch is public", "cuda": "..."} */
static void read_unread(struct compiler *c, const struct cJSON *v, struct rtarget *t) {
    static const char *const keys[] = {"python", "cuda", NULL};
    if (!v) return;
    check_keys(c, v, "\"unread\"", keys);
    t->unread = text_in_block(c, v, "python", NULL);
    t->unread_cuda = text_in_block(c, v, "cuda", NULL);
}

/* "probes" is the diagnostics' part of a target (src/diag/probes_load.c). */
static void read_target(struct compiler *c, const struct cJSON *v) {
    static const char *const keys[] = {
        "$schema",   "target",   "aliases", "order",       "title",  "summary",
        "names",     "facts",    "prelude", "references",  "probes", "through",
        "family",    "like",     "also",    "like_python", "listed", "cells",
        "templates", "releases", "cuda",    "unread",      NULL};
    static const char *const policies[] = {"port", "keep", NULL};
    check_keys(c, v, "a target", keys);
    struct rtarget t = {0};
    struct str name = text_member(c, v, "target", "the name for --target");
    check_target_is_new(c, name, json_get(v, "target"));
    json_each(alias, json_get(v, "aliases")) if (is_text(alias))
        check_target_is_new(c, json_str(c->doc, alias), alias);
    t.name = block_str(&c->block, name);
    t.aliases = texts_member(c, v, "aliases");
    t.title = text_in_block(c, v, "title", "the name for people");
    t.summary = text_in_block(c, v, "summary", "what the ported code is written for");
    if (json_get(v, "order"))
        t.order = number_of(c, json_get(v, "order"));
    else
        complain(c, v, "\"order\" is missing: write the place in lists, a number");
    t.keep_names = word_member(c, v, "names", policies);
    t.through = text_in_block(c, v, "through", NULL);
    t.family = text_in_block(c, v, "family", NULL);
    t.like = text_in_block(c, v, "like", NULL);
    t.like_python = flag_member(c, v, "like_python");
    read_unread(c, json_get(v, "unread"), &t);
    t.keep_cuda = json_get(v, "cuda") && word_member(c, v, "cuda", policies);
    t.also = texts_member(c, v, "also");
    t.listed = flag_member(c, v, "listed");
    read_column(c, v, name);
    t.facts = read_facts(c, v);
    t.prelude = read_prelude(c, v);
    t.references = read_references(c, v, NULL);
    vec_push(c->a, &c->targets, t);
}

/* By order, then in the order of the sources. */
static int target_order(const void *x, const void *y, const void *context) {
    const struct rtarget *a = x, *b = y;
    (void)context;
    return (a->order > b->order) - (a->order < b->order);
}

static void list_all_targets(struct compiler *c) {
    struct ruleset view = block_view(&c->block);
    for (size_t i = 0; i < c->targets.n; i++) {
        struct target_ref t = {.set = view, .target = &c->targets.v[i]};
        vec_push(c->a, &c->all_targets, t);
    }
    size_t own = c->all_targets.n;
    for (size_t i = 0; c->known && i < c->known->n; i++) {
        struct ruleset set = c->known->set[i];
        const struct rtarget *t = RS_LIST(set, set.h->targets, struct rtarget);
        for (size_t k = 0; k < set.h->targets.n; k++) {
            struct target_ref r = {.set = set, .target = &t[k]};
            bool replaced = false;
            for (size_t j = 0; j < own; j++)
                replaced = replaced || str_eq(target_name(c->all_targets.v[j]), target_name(r));
            if (!replaced) vec_push(c->a, &c->all_targets, r);
        }
    }
}

/* ---- the block ---- */

static int by_list_name(const void *x, const void *y, const void *compiler) {
    const struct ruleset own = block_view(&((const struct compiler *)compiler)->block);
    return str_cmp(rs_str(own, ((const struct rwords *)x)->name),
                   rs_str(own, ((const struct rwords *)y)->name));
}

static void put_header(struct compiler *c, const struct rule_source *sources, size_t n) {
    struct block *b = &c->block;
    struct rheader h = {.magic = RULES_MAGIC};
    struct buf all;
    buf_init(&all, c->a);
    for (size_t i = 0; i < n; i++) buf_add(&all, sources[i].text);
    h.content_hash = str_hash(buf_str(&all));
    index_rows(c, &h);
    index_anchors(c, &h);
    h.targets = block_list(b, c->targets.v, c->targets.n, sizeof *c->targets.v);
    h.rules = block_list(b, c->rules.v, c->rules.n, sizeof *c->rules.v);
    h.rows = block_list(b, c->rows.v, c->rows.n, sizeof *c->rows.v);
    sort_stable(c->a, c->words.v, c->words.n, sizeof *c->words.v, by_list_name, c);
    h.words = block_list(b, c->words.v, c->words.n, sizeof *c->words.v);
    while (b->bytes.n % 16) buf_addc(&b->bytes, 0);
    if (b->bytes.n > UINT32_MAX) {
        complain_at(c, (struct place){sources[0].path, S("")},
                    "the rules need more than 4 GiB: load fewer at a time");
        return;
    }
    h.size = (uint32_t)b->bytes.n;
    memcpy(b->bytes.p, &h, sizeof h);
}

/* The place of a syntax error goes with the file: "rules/x.json:3:14". */
static void complain_of_syntax(struct compiler *c) {
    struct str e = c->doc->error;
    size_t colon = str_find(e, S(": "), c->doc->name.n);
    size_t text = colon + 2 < e.n ? colon + 2 : e.n;
    complain_at(c, (struct place){str_sub(e, 0, colon), S("")}, "%.*s",
                STR_ARG(str_sub(e, text, e.n)));
}

/* Which of these a file has decides what it is; NULL: none. */
static const char *kind_of(const struct cJSON *root) {
    static const char *const kinds[] = {"target", "domain", "words", "releases"};
    for (size_t i = 0; i < ARRAY_LEN(kinds); i++)
        if (json_get(root, kinds[i])) return kinds[i];
    return NULL;
}

static void parse_sources(struct compiler *c, struct json *docs, const struct rule_source *sources,
                          size_t n) {
    for (size_t i = 0; i < n; i++) {
        c->doc = &docs[i];
        if (!json_parse(c->doc, c->a, sources[i].path, sources[i].text))
            complain_of_syntax(c);
        else if (!kind_of(c->doc->root))
            complain(c, c->doc->root,
                     "is neither rules nor a target, words or releases: write an object with a "
                     "\"domain\", a \"target\", \"words\" or \"releases\" (rules/README.md)");
    }
}

/* Targets come first: cells name them. Where a target cannot be read, complaints about cells that
 * name it would be noise, so names and facts of targets are not checked then. */
static void read_documents(struct compiler *c, struct json *docs, size_t n) {
    for (size_t i = 0; i < n; i++) {
        c->doc = &docs[i];
        if (json_get(c->doc->root, "target")) read_target(c, c->doc->root);
    }
    sort_stable(c->a, c->targets.v, c->targets.n, sizeof *c->targets.v, target_order, NULL);
    for (size_t i = 0; i < n; i++) {
        c->doc = &docs[i];
        if (json_get(c->doc->root, "releases")) read_releases(c, c->doc->root);
    }
    if (c->errors->n == c->n_errors_before) list_all_targets(c);
    for (size_t i = 0; i < n; i++) {
        c->doc = &docs[i];
        const struct cJSON *root = c->doc->root;
        const char *kind = kind_of(root);
        if (kind && strcmp(kind, "domain") == 0) read_domain(c, root);
        if (kind && strcmp(kind, "words") == 0) read_words(c, root);
    }
    c->n_own_rules = c->rules.n;
    if (c->errors->n == c->n_errors_before) adopt_columns(c);
}

/* JSON values live outside the arena: when memory ends they are freed before the jump goes on. */
static bool read_sources(struct compiler *c, const struct rule_source *sources, size_t n) {
    struct json *docs = arena_zalloc(c->a, n * sizeof *docs);
    jmp_buf *outer = c->a->escape, here;
    volatile bool done = false;
    if (setjmp(here) == 0) {
        c->a->escape = &here;
        parse_sources(c, docs, sources, n);
        read_documents(c, docs, n);
        done = true;
    }
    c->a->escape = outer;
    for (size_t i = 0; i < n; i++) json_free(&docs[i]);
    return done;
}

struct str compile_sources(struct compiler *c, struct arena *a, const struct rule_source *sources,
                           size_t n) {
    c->a = a;
    c->n_errors_before = c->errors->n;
    block_init(&c->block, a);
    if (!read_sources(c, sources, n)) {
        if (a->escape) longjmp(*a->escape, 1);
        abort();
    }
    check_words(c);
    check_facts(c, false);
    if (c->errors->n == c->n_errors_before) limit_rows(c);
    put_header(c, sources, n);
    if (c->errors->n > c->n_errors_before) return (struct str){0};
    return buf_str(&c->block.bytes);
}

struct str rules_compile(struct arena *a, const struct rule_source *sources, size_t n,
                         const struct rules *known, rule_errors *errors) {
    struct compiler c = {.errors = errors, .known = known};
    return compile_sources(&c, a, sources, n);
}
