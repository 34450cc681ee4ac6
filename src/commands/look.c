/* SPDX-License-Identifier: Apache-2.0 */
/* look.c - a first look at every source, in all threads.
 *
 * What a file tells about its project has to be known before any file is ported, and most files
 * can not matter at all: so all are read once and quickly, and only those that can matter a
 * second time. */
#include "commands/look.h"
#include "base/pool.h"
#include "commands/asked.h"

#include <setjmp.h>
#include <stdlib.h>

struct looker {
    struct arena a;     /* of one file */
    struct arena facts; /* what files tell */
};

struct pass {
    struct inputs *in;
    struct looks *looks;
    struct looker *workers;
};

static bool may_matter(const struct inputs *in, const struct source *s, struct str bytes) {
    for (size_t i = 0; i < in->n_targets; i++)
        if (cm_may_matter(in->targets[i], s->language, bytes)) return true;
    return false;
}

/* Only these tell anything about their project; the others are read when their turn comes. */
static bool tells_facts(const struct source *s) { return s->language != CM_NONE; }

static void use_record(struct look *look, const struct cache_record *old) {
    look->record.facts = old->facts;
    look->record.answer = old->answer;
    look->record.by_facts = old->by_facts;
    look->record.by_disk = old->by_disk;
    look->state = old->answer.n || old->by_facts || old->by_disk ? LOOK_CACHED : LOOK_SILENT;
    look->is_answered = look->is_remembered = true;
}

static bool same_stat(const struct cache_stat *x, const struct cache_stat *y) {
    return x->size != UINT64_MAX && memcmp(x, y, sizeof *x) == 0;
}

/* Not inlined: its variables would live in the frame that setjmp was called in. */
__attribute__((noinline)) static void look_at(struct pass *pass, struct looker *w, size_t i) {
    const struct source *source = &pass->in->sources.v[i];
    struct look *look = &pass->looks->v[i];
    struct cache *cache = source->is_stdin ? NULL : pass->looks->cache;
    struct cache_record old;
    struct str bytes, error;
    bool is_known = false, has_stat = false;
    look->is_new = true;
    if (cache) {
        look->record.path = str_hash(str_of(source->path));
        is_known = cache_find(cache, look->record.path, &old);
        has_stat = cache_stat(source->path, &look->record.stat);
    }
    if (is_known && has_stat && same_stat(&old.stat, &look->record.stat)) {
        look->record.content = old.content;
        look->has_content = true;
        look->is_new = false;
        use_record(look, &old);
        return;
    }
    if (!is_known && !tells_facts(source)) return;
    arena_reset(&w->a);
    if (!source_read(pass->in, &w->a, source, &bytes, NULL, &error)) return;
    if (cache && has_stat) {
        look->record.content = hash128(bytes);
        look->has_content = bytes.n == look->record.stat.size;
        if (is_known && hash128_eq(old.content, look->record.content)) {
            use_record(look, &old);
            return;
        }
    }
    if (!may_matter(pass->in, source, bytes)) {
        look->state = LOOK_SILENT;
        look->is_answered = true;
        /* What it could tell has a word of the rules, or is how long lines are, or that a function
         * takes a device. */
        if (source->language == CM_PROJECT && str_find(bytes, S("line"), 0) == bytes.n &&
            str_find(bytes, S("id: black"), 0) == bytes.n &&
            str_find(bytes, S("tool."), 0) == bytes.n)
            return;
        if (source->language == CM_PYTHON && str_find(bytes, S("device"), 0) == bytes.n) return;
    }
    const struct inputs *in = pass->in;
    struct str path = str_of(source->path);
    struct str told = in->narrow ? cm_facts_for(in->session, in->targets, in->n_targets, &w->a,
                                                source->language, path, bytes)
                                 : cm_facts_of(in->session, &w->a, source->language, path, bytes);
    look->record.facts = arena_str(&w->facts, told);
}

static void look_job(void *ctx, size_t worker, size_t index) {
    struct pass *pass = ctx;
    struct looker *w = &pass->workers[worker];
    jmp_buf escape;
    w->a.escape = w->facts.escape = &escape;
    if (setjmp(escape) == 0)
        look_at(pass, w, index);
    else /* what it needs too much memory for is told when it is its turn */
        pass->looks->v[index] = (struct look){.state = LOOK_RUN};
}

/* The answers go that the facts or the files around the sources make stale. */
static void forget_stale(struct looks *s, const struct inputs *in) {
    bool by_facts = cm_facts_hash(in->facts) != s->cache->ground.facts_hash;
    bool by_disk = !asked_holds(s->cache->ground.asked);
    if (by_disk) s->cache->ground.asked = S("");
    for (size_t i = 0; i < in->sources.n; i++) {
        struct look *look = &s->v[i];
        bool is_stale = (look->record.by_facts && by_facts) || (look->record.by_disk && by_disk);
        if (look->state != LOOK_CACHED || !is_stale) continue;
        look->state = LOOK_RUN;
        look->is_answered = look->is_remembered = false;
        look->is_new = true;
    }
}

/* The facts of all files come together. */
static void settle(struct looks *s, struct inputs *in) {
    struct cm_project_facts *facts = cm_facts_new(in->cli->a);
    for (size_t i = 0; i < in->sources.n; i++) {
        s->v[i].record.facts = arena_str(in->cli->a, s->v[i].record.facts);
        cm_facts_add(facts, in->sources.v[i].language, str_of(in->sources.v[i].path),
                     s->v[i].record.facts);
    }
    cm_facts_link(facts);
    in->facts = facts;
    if (s->cache) forget_stale(s, in);
}

void look_at_sources(struct looks *s, struct inputs *in, struct cache *cache) {
    struct arena *a = in->cli->a;
    *s = (struct looks){.v = arena_zalloc(a, (in->sources.n + 1) * sizeof *s->v), .cache = cache};
    if (in->sources.n < 2) return;
    struct pass pass = {in, s, arena_zalloc(a, in->jobs * sizeof *pass.workers)};
    for (size_t i = 0; i < in->jobs; i++) {
        arena_init(&pass.workers[i].a, 0);
        arena_init(&pass.workers[i].facts, 0);
    }
    pool_run(in->jobs, in->sources.n, look_job, &pass);
    settle(s, in);
    for (size_t i = 0; i < in->jobs; i++) {
        arena_free(&pass.workers[i].a);
        arena_free(&pass.workers[i].facts);
    }
}
