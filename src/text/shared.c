/* SPDX-License-Identifier: Apache-2.0 */
/* shared.c - settings that files of a project say alike and none of them can decide.
 *
 * device: cuda in two hundred files of settings is one decision: how the code that reads them is
 * to choose. The first of the files, by its path, has the finding, with the count of all; the
 * others are accounted for as places that it is about. So the first one has to speak for certain:
 * what a file tells is found by the same matching that its port goes by, and a file in which a
 * comment may silence a place neither speaks for others nor is spoken for. */
#include "text/text.h"

bool text_is_one_decision(const struct text_file *f, struct row_ref row) {
    return rules_lists(f->rules, "text.shared_rules", rs_str(row.set, row.rule->id));
}

bool text_can_share(const struct text_file *f, const struct text_match *m) {
    if (!m->row.rule || m->is_variable || m->is_prose || m->is_item || f->is_made) return false;
    if (text_is_one_decision(f, m->row)) return true;
    return m->row.rule->texts && !m->row.rule->by_form && (f->is_data || !m->is_likely);
}

/* Whether a token has its index, cuda:1, is the target's affair. */
static struct str plain(struct str token) { return str_sub(token, 0, str_find(token, S(":"), 0)); }

/* What is the same decision: t torch-device/device-string cuda; of data d. */
static struct str what_of(struct arena *a, const struct text_match *m, bool data) {
    struct str token = plain(m->token);
    return arena_printf(a, "%c%.*s %.*s", data ? 'd' : 't',
                        STR_ARG(rs_str(m->row.set, m->row.rule->id)), STR_ARG(token));
}

void text_tell_shared(struct text_file *f, struct buf *out, char prefix) {
    bool known = false, binary = f->src.n && memchr(f->src.p, 0, f->src.n);
    struct str word;
    struct row_ref row;
    if (binary || str_starts(f->src, S("\xFF\xFE")) || str_starts(f->src, S("\xFE\xFF"))) return;
    for (size_t i = 0; i < f->src.n && !known; i += word.n + !word.n) {
        size_t cursor = 0;
        word = str_word(f->src, i);
        while (word.n && !known && rules_find(f->rules, M_STRING, word, &cursor, &row))
            known = row.rule->texts && !row.rule->by_form;
        cursor = 0;
        while (word.n && !known && rules_find(f->rules, M_TEXT, word, &cursor, &row))
            known = text_is_one_decision(f, row);
        size_t end = i; /* nvidia-smi */
        while (word.n && end < f->src.n && (is_word_char(f->src.p[end]) || f->src.p[end] == '-'))
            end++;
        cursor = 0;
        while (end > i + word.n && !known &&
               rules_find(f->rules, M_STRING, str_sub(f->src, i, end), &cursor, &row))
            known = text_is_one_decision(f, row);
    }
    if (!known || text_is_workflow(f)) return;
    f->regex = regex_cache_new();
    if (!f->regex) return;
    text_match_all(f);
    regex_cache_free(f->regex);
    for (size_t i = 0; i < f->matches.n && !f->too_many; i++) {
        const struct text_match *m = &f->matches.v[i];
        if (!text_can_share(f, m)) continue;
        struct str what = what_of(f->a, m, f->is_data);
        buf_printf(out, "%c%.*s\n", prefix, STR_ARG(what));
    }
}

void text_add_shared(struct arena *a, text_settings *all, struct str what, struct str path) {
    struct text_setting *s = NULL;
    for (size_t i = 0; i < all->n && !s; i++)
        if (str_eq(all->v[i].what, what)) s = &all->v[i];
    if (!s) {
        struct text_setting new = {.what = arena_str(a, what), .first = arena_str(a, path)};
        vec_push(a, all, new);
        s = &all->v[all->n - 1];
    }
    s->places++;
    s->files += !str_eq(s->last, path);
    s->last = arena_str(a, path);
    if (str_cmp(path, s->first) < 0) s->first = s->last;
}

static const struct text_setting *find_setting(const struct text_file *f,
                                               const struct text_match *m) {
    struct str what = what_of(f->a, m, f->is_data);
    for (size_t i = 0; i < f->settings->n; i++)
        if (str_eq(f->settings->v[i].what, what)) return &f->settings->v[i];
    return NULL;
}

/* Of the first n matches those that are the same decision. */
static size_t count_same(const struct text_file *f, const struct text_match *m, size_t n) {
    size_t same = 0;
    for (size_t i = 0; i < n; i++) {
        const struct text_match *other = &f->matches.v[i];
        same += other->is_shared && other->row.rule == m->row.rule &&
                str_eq(plain(other->token), plain(m->token));
    }
    return same;
}

void text_fold_shared(struct text_file *f) {
    if (!f->settings || text_is_workflow(f)) return;
    for (size_t i = 0; i < f->matches.n; i++) {
        struct text_match *m = &f->matches.v[i];
        const struct text_setting *s = m->is_shared ? find_setting(f, m) : NULL;
        if (!s || s->files < 2) continue;
        m->told = m->elsewhere = !str_eq(s->first, f->path);
        if (m->told || count_same(f, m, i)) continue; /* the file gathers its own others itself */
        m->more = (uint32_t)(s->places - count_same(f, m, f->matches.n));
        struct str title = rs_str(f->target.set, f->target.target->title);
        if (!m->message.p)
            m->message = m->verdict == V_CLOSE
                             ? arena_printf(f->a,
                                            "`%.*s` has a counterpart that differs, which "
                                            "--unsafe-fixes writes",
                                            STR_ARG(m->token))
                             : arena_printf(f->a, "`%.*s` needs manual porting for %.*s",
                                            STR_ARG(m->token), STR_ARG(title));
        m->message = arena_printf(f->a, "%.*s; %zu other file%s the same", STR_ARG(m->message),
                                  s->files - 1, s->files == 2 ? " says" : "s say");
    }
}
