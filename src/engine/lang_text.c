/* SPDX-License-Identifier: Apache-2.0 */
/* lang_text.c - the row of project files: shell scripts, YAML, Dockerfiles and build files, which
 * have no grammar in common and are read word by word. */
#include "engine/language.h"

static bool prefilter(const struct cm_target *target, enum cm_language language,
                      struct str bytes) {
    (void)language;
    return text_prefilter(target->anchors.rules, bytes) || has_directive_word(bytes);
}

static bool is_worth(struct unit *u) {
    return u->in->dump || unit_has_directive(u) ||
           prefilter(u->in->target, u->in->language, u->src);
}

/* Only of files that can matter is anything said: many that are named like a project file are
 * none. */
static void check_text(struct unit *u) {
    if (is_worth(u)) unit_check_text(u);
}

static void match(struct unit *u) {
    struct text_file *f = &u->text;
    *f = (struct text_file){.a = u->a,
                            .src = u->src,
                            .rules = &u->session->rules,
                            .target = u->in->target->ref,
                            .regex = u->regex,
                            .path = u->in->name,
                            .options = &u->session->options};
    /* A linter tells each place. */
    bool shares = u->in->facts && u->session->options.verify && !unit_has_directive(u);
    if (shares) f->settings = &u->in->facts->settings;
    text_match_all(f);
    if (f->too_many)
        unit_note(u, 0, 0, true,
                  S("the file has more than 10,000 matches; it was left unchanged"));
    for (size_t i = 0; i < f->matches.n; i++) vec_push(u->a, &u->matches, &f->matches.v[i].base);
    for (size_t i = 0; i < f->comments.n; i++) vec_push(u->a, &u->comments, f->comments.v[i]);
}

static void plan(struct unit *u) {
    text_plan(&u->text);
    for (size_t i = 0; i < u->text.edits.n; i++) vec_push(u->a, &u->rewrites, u->text.edits.v[i]);
    for (size_t i = 0; i < u->text.joined.n; i++) vec_push(u->a, &u->joined, u->text.joined.v[i]);
}

const struct language project_language = {.name = "project",
                                          .prefilter = prefilter,
                                          .check_text = check_text,
                                          .is_worth = is_worth,
                                          .match = match,
                                          .plan = plan};
