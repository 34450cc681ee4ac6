/* SPDX-License-Identifier: Apache-2.0 */
/* engine.c - the pipeline, readable aloud.
 *
 * A file is one struct unit, which each stage fills a part of. The stages are the same for every
 * language; how a language does each of them is a row of functions (language.h). There is no pass
 * manager and no state besides: a stage that refuses the file leaves a fatal note, and the output
 * is the input. */
#include "edit/edit.h"
#include "engine/language.h"
#include "engine/notebook.h"

#include <stdlib.h>

enum { MAX_SOURCE = 64 * 1024 * 1024, MAX_UNIT_MEMORY = 512 * 1024 * 1024 };

struct cm_workspace {
    struct arena a;
    struct regex_cache *regex;
    struct parses *parses;
    struct cu_lexes lexes;
};

const struct language *language_of(enum cm_language l) {
    static const struct language *const rows[] = {[CM_PYTHON] = &python_language,
                                                  [CM_NOTEBOOK] = &python_language,
                                                  [CM_CUDA] = &cuda_language,
                                                  [CM_CPP] = &cuda_language,
                                                  [CM_PROJECT] = &project_language};
    return rows[l];
}

/* ---- stages ---- */

/* The new text, which the language has to be able to read. */
static struct str emit(struct unit *u) {
    struct str output = edits_apply(u->a, u->src, u->edits.v, u->edits.n);
    enum reading reading =
        u->edits.n && u->language->reads_again ? u->language->reads_again(u, output) : READS;
    if (reading == READS) return output;
    if (reading == READS_TOO_SLOWLY) {
        unit_note(u, 0, 0, true, S("parsing takes too long; the file was left unchanged"));
        return u->src;
    }
    uint32_t line, column;
    unit_position(u, u->edits.v[0].start, &line, &column);
    unit_note(u, line, column, true,
              S("internal error: the rewritten text would not parse, so nothing was changed; "
                "please report it"));
    return u->src;
}

static void report(struct unit *u, struct str output, bool skipped, struct cm_result *out) {
    if (u->refused) {
        u->edits.n = 0;
        output = u->src;
        for (size_t i = 0; i < u->findings.n; i++)
            if (u->findings.v[i].outcome == CM_PORTED) u->findings.v[i].outcome = CM_MANUAL;
    }
    *out = (struct cm_result){.output = output,
                              .changed = !str_eq(output, u->src),
                              .skipped = skipped,
                              .asked_disk = u->py.asked_disk,
                              .helper = u->refused ? S("") : u->py.helper,
                              .edits = u->edits.v,
                              .n_edits = u->edits.n,
                              .findings = u->findings.v,
                              .n_findings = u->findings.n,
                              .words = u->words.v,
                              .n_words = u->words.n,
                              .notes = u->notes.v,
                              .n_notes = u->notes.n,
                              .unused = u->unused.v,
                              .n_unused = u->unused.n};
    for (size_t i = 0; i < u->findings.n; i++) out->counts[u->findings.v[i].outcome]++;
}

static void note_limits(struct unit *u) {
    struct str pattern;
    for (size_t at = 0; regex_next_limited(u->regex, &at, &pattern);)
        unit_note(u, 0, 0, false,
                  arena_printf(u->a,
                               "a rule's pattern takes too many steps on this text, and some of "
                               "its matches may be missing: `%.*s`",
                               STR_ARG(str_sub(pattern, 0, pattern.n < 80 ? pattern.n : 80))));
}

/* ---- the pipeline ---- */

static void run_stages(struct unit *u, struct cm_result *out) {
    const struct language *l = u->language;
    struct str output = u->src;
    if (u->parses) parses_begin(u->parses, u->src, u->a->escape);
    l->check_text(u);
    bool skipped = !u->refused && !l->is_worth(u);
    if (!u->refused && !skipped) {
        l->match(u);
        unit_suppress(u);
        if (!u->refused) l->plan(u); /* else what was found is for a human */
        unit_findings(u);
        unit_words(u);
        note_limits(u);
        output = emit(u);
    }
    if (u->in->dump && u->in->dumped) *u->in->dumped = unit_dump(u, u->in->dump);
    report(u, output, skipped, out);
}

static void run(struct unit *u, struct cm_result *out) {
    u->language = language_of(u->in->language);
    if (u->src.n > MAX_SOURCE) {
        unit_note(u, 0, 0, true, S("the file is larger than 64 MiB; it was left unchanged"));
        report(u, u->src, false, out);
    } else if (u->in->language == CM_NOTEBOOK) {
        notebook_run(u, run_stages, out);
    } else if (u->in->language == CM_PYTHON && str_has_lone_cr(u->src)) {
        source_run_lone_cr(u, run_stages, out);
    } else {
        run_stages(u, out);
    }
}

void cm_run_buffer(const struct cm_session *s, struct cm_workspace *w, const struct cm_input *in,
                   struct cm_result *out) {
    jmp_buf escape;
    arena_reset(&w->a);
    w->a.escape = &escape;
    w->a.limit = MAX_UNIT_MEMORY;
    *out = (struct cm_result){.output = in->bytes};
    if (setjmp(escape) == 0) {
        struct unit u = {.session = s,
                         .in = in,
                         .a = &w->a,
                         .regex = w->regex,
                         .parses = in->again ? w->parses : NULL,
                         .lexes = &w->lexes,
                         .src = in->bytes};
        regex_begin(w->regex);
        cu_lexes_begin(&w->lexes, &escape, s->hash);
        run(&u, out);
        w->a.escape = NULL;
        return;
    }
    parses_forget(w->parses);
    cu_lexes_forget(&w->lexes);
    static const char sentence[] =
        "the file needs more memory than the 512 MiB that one file may have, or than there is; it "
        "was left unchanged";
    static const struct cm_note out_of_memory = {0, 0, {sentence, sizeof sentence - 1}, true};
    w->a.escape = NULL;
    *out = (struct cm_result){.output = in->bytes, .notes = &out_of_memory, .n_notes = 1};
}

/* ---- workspaces ---- */

struct cm_workspace *cm_workspace_new(void) {
    struct cm_workspace *w = calloc(1, sizeof *w);
    if (!w) return NULL;
    arena_init(&w->a, 0);
    arena_init(&w->lexes.a, 0);
    w->regex = regex_cache_new();
    w->parses = parses_new();
    if (w->regex && w->parses) return w;
    cm_workspace_free(w);
    return NULL;
}

void cm_workspace_free(struct cm_workspace *w) {
    if (!w) return;
    arena_free(&w->a);
    arena_free(&w->lexes.a);
    if (w->regex) regex_cache_free(w->regex);
    parses_free(w->parses);
    free(w);
}

/* ---- a first look ---- */

bool cm_may_matter(const struct cm_target *target, enum cm_language language, struct str bytes) {
    if (bytes.n > MAX_SOURCE || (bytes.n && memchr(bytes.p, 0, bytes.n))) return true;
    if (!utf8_valid(bytes) || language == CM_NONE || language == CM_NOTEBOOK) return true;
    return language_of(language)->prefilter(target, language, bytes);
}
