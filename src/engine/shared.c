/* SPDX-License-Identifier: Apache-2.0 */
/* shared.c - what configurations in Python say alike is one finding of the tree.
 *
 * A back end, or a class that quantises, in two hundred configurations is one decision, as it is
 * in files of YAML (text/shared.c): the first of the files has the finding, with the count of all.
 * What a file tells is found by the matching that its port goes by; where the project makes that
 * another one, it does so for all of them. */
#include "engine/language.h"

enum { LARGEST = 1 << 16 }; /* a configuration is small */

/* Whether the match is about what the file says, and not about where it says it. For no target in
 * particular: facts are for all. */
static bool is_setting(const struct py *f, const struct py_match *m) {
    const struct rrule *rule = m->row.rule;
    bool named = (m->kind == PM_IMPORT || m->kind == PM_NAME) && rule && rule->together;
    bool string = m->kind == PM_STRING && rule && rule->texts && !rule->by_form;
    return f->is_configuration && m->certainty == C_EXACT && (named || string);
}

/* Whether it is for a human on this target, whatever stands around it. */
static bool can_share(const struct py *f, const struct py_match *m) {
    return is_setting(f, m) && (m->verdict == V_MANUAL || m->verdict == V_NONE) &&
           (m->kind != PM_STRING || m->unasked);
}

static struct str what_of(const struct py *f, const struct py_match *m) {
    return arena_printf(f->a, "p%.*s %.*s", STR_ARG(rs_str(m->row.set, m->row.rule->id)),
                        STR_ARG(m->token));
}

void shared_tell(const struct cm_session *s, struct buf *b, struct str path, struct str src,
                 char prefix) {
    if (!s->n_targets || src.n > LARGEST || session_has_directive(s, src)) return;
    struct py *f = NEW(b->a, struct py);
    *f = (struct py){.a = b->a,
                     .src = src,
                     .rules = &s->rules,
                     .target = s->targets[0].ref,
                     .path = path,
                     .options = &s->options};
    if (!py_may_be_configuration(f) || !(f->regex = regex_cache_new())) return;
    if (tree_parse(&f->tree, b->a, &s->python, src, NULL, 0, PARSE_SECONDS) == PARSE_OK &&
        f->tree.first_error == NO_NODE) {
        py_lift_stars(&f->tree);
        py_match_all(f);
        for (size_t i = 0; i < f->matches.n && !f->too_many; i++) {
            if (!is_setting(f, &f->matches.v[i])) continue;
            struct str what = what_of(f, &f->matches.v[i]);
            buf_printf(b, "%c%.*s\n", prefix, STR_ARG(what));
        }
    }
    regex_cache_free(f->regex);
}

static const struct text_setting *find(const text_settings *all, struct str what) {
    for (size_t i = 0; i < all->n; i++)
        if (str_eq(all->v[i].what, what)) return &all->v[i];
    return NULL;
}

/* Whether one of the first n matches says the same and has a finding. */
static bool is_said(const struct py *f, const struct py_match *m, size_t n) {
    for (size_t i = 0; i < n; i++) {
        const struct py_match *other = &f->matches.v[i];
        if (can_share(f, other) && !other->told && other->row.rule == m->row.rule &&
            str_eq(other->token, m->token))
            return true;
    }
    return false;
}

void shared_fold(struct unit *u) {
    struct py *f = &u->py;
    bool shares = u->in->facts && u->session->options.verify && !unit_has_directive(u);
    for (size_t i = 0; shares && i < f->matches.n; i++) {
        struct py_match *m = &f->matches.v[i];
        if (!can_share(f, m)) continue;
        const struct text_setting *s = find(&u->in->facts->settings, what_of(f, m));
        if (!s || s->files < 2) continue;
        m->elsewhere = !str_eq(s->first, f->path);
        m->told |= m->elsewhere || is_said(f, m, i);
        if (m->told) continue;
        struct str title = rs_str(f->target.set, f->target.target->title);
        if (!m->message.n)
            m->message = arena_printf(f->a, "`%.*s` needs manual porting for %.*s",
                                      STR_ARG(m->token), STR_ARG(title));
        m->message = arena_printf(f->a, "%.*s; %zu other file%s the same", STR_ARG(m->message),
                                  s->files - 1, s->files == 2 ? " says" : "s say");
        m->more = (uint32_t)(s->places - 1);
    }
}
