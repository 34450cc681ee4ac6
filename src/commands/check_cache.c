/* SPDX-License-Identifier: Apache-2.0 */
/* check_cache.c - what the answers of a run of `check` depend on, and its cache. */
#include "commands/check.h"

enum { MIN_SOURCES = 16 }; /* fewer are as fast without */

/* Everything else that the command line or a configuration may set counts. */
static const enum option_id without_effect[] = {
    OPT_ADD_FORMAT, OPT_BASELINE,       OPT_CONFIG,         OPT_COLOR,   OPT_EXIT_ZERO,
    OPT_FAIL_ON,    OPT_JOBS,           OPT_OUTPUT_FILE,    OPT_QUIET,   OPT_REPORT_FORMAT,
    OPT_STATISTICS, OPT_PRUNE_BASELINE, OPT_WRITE_BASELINE, OPT_VERBOSE, OPT_RATCHET,
};

static void add(struct buf *b, struct str s) {
    buf_printf(b, "%zu:", s.n);
    if (s.n) buf_add(b, s);
}

static void add_selectors(struct buf *b, const struct selectors *s) {
    buf_printf(b, "%zu;", s->n);
    for (size_t i = 0; i < s->n; i++) add(b, s->v[i]);
}

static void add_options(struct buf *b, const struct cli *cli) {
    for (int id = 0; id < OPT_COUNT; id++) {
        bool counts = cli->option[id].count > 0;
        for (size_t i = 0; i < ARRAY_LEN(without_effect); i++)
            counts &= without_effect[i] != (enum option_id)id;
        if (!counts) continue;
        buf_printf(b, "%d=%zu;", id, cli->option[id].values.n);
        for (size_t i = 0; i < cli->option[id].values.n; i++) add(b, cli->option[id].values.v[i]);
    }
    for (size_t i = 0; i < cli->operands.n; i++) add(b, cli->operands.v[i]);
}

static void add_config(struct buf *b, const struct config *config) {
    for (size_t i = 0; i < config->ignores.n; i++) {
        add(b, config->ignores.v[i].base);
        add(b, config->ignores.v[i].pattern);
        add_selectors(b, &config->ignores.v[i].rules);
    }
    for (size_t i = 0; i < config->severities.n; i++) {
        add(b, config->severities.v[i].rule);
        buf_printf(b, "%d;", config->severities.v[i].severity);
    }
}

/* Which sources it counts for follows from where its file lies. */
static void add_folder(struct buf *b, const struct folder *f) {
    add(b, str_of(f->config.path ? f->config.path : ""));
    buf_printf(b, "%zu;%d;", f->n_targets, f->asks_target);
    for (size_t i = 0; i < f->n_targets; i++) buf_printf(b, "%zu;", f->targets[i]);
    add_selectors(b, &f->select);
    add_selectors(b, &f->ignore);
    add_config(b, &f->config);
}

static struct hash128 cache_key(const struct check *check) {
    struct buf b;
    buf_init(&b, check->cli->a);
    cache_add_program(&b);
    buf_printf(&b, "%016llx;", (unsigned long long)cm_session_hash(check->in.session));
    for (size_t i = 0; i < check->in.n_targets; i++) add(&b, cm_target_name(check->in.targets[i]));
    add(&b, check->project.current);
    add(&b, check->project.root);
    add_options(&b, check->cli);
    for (size_t i = 0; i < check->folders.all.n; i++) add_folder(&b, check->folders.all.v[i]);
    return hash128(buf_str(&b));
}

void check_look(struct check *check) {
    bool is_worth_it = check->in.sources.n >= MIN_SOURCES && !check->fix && !check->diff;
    /* What libclang says depends on headers, too. */
    if (is_worth_it && !cli_has(check->cli, OPT_NO_CACHE) && !cli_has(check->cli, OPT_SEMANTIC))
        cache_open(&check->cache, check->cli->a, cache_key(check));
    look_at_sources(&check->looks, &check->in, check->cache.path ? &check->cache : NULL);
}

void check_keep_answers(struct check *check) {
    struct cache_record *records;
    size_t n = 0;
    if (!check->cache.path) return;
    struct cache_ground ground = {cm_facts_hash(check->in.facts), check_asked(check)};
    bool is_new = ground.facts_hash != check->cache.ground.facts_hash;
    records = arena_alloc(check->cli->a, check->in.sources.n * sizeof *records);
    for (size_t i = 0; i < check->in.sources.n; i++) {
        const struct look *look = &check->looks.v[i];
        if (!look->has_content || !look->is_answered) continue;
        is_new |= look->is_new;
        check->n_remembered += look->is_remembered;
        records[n++] = look->record;
    }
    if (is_new || n != check->cache.n) cache_write(&check->cache, records, n, ground);
}
