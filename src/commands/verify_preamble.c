/* SPDX-License-Identifier: Apache-2.0 */
/* verify_preamble.c - which files begin with the target's header, and the file for them. */
#include "commands/verify_preamble.h"

#include <stdlib.h>
#include <unistd.h>

/* A text with nothing but the header: its name is that of no file. */
static const char text_path[] = "/cuda-morph/preamble.h";

void preambles_begin(struct preambles *p, const struct cm_session *session, const struct sem *sem,
                     struct sem_limits limits, const char *header) {
    *p = (struct preambles){.session = session, .sem = sem, .limits = limits, .header = header};
    pthread_mutex_init(&p->lock, NULL);
    arena_init(&p->a, 0);
}

void preambles_end(struct preambles *p) {
    for (size_t i = 0; i < p->v.n; i++)
        if (p->v.v[i].path) unlink(p->v.v[i].path);
    if (p->folder) rmdir(p->folder);
    arena_free(&p->a);
    pthread_mutex_destroy(&p->lock);
}

/* ---- whether a text begins with it ---- */

/* Behind blanks, line ends and comments. */
static size_t after_space(struct str s, size_t i) {
    for (;;) {
        while (i < s.n && strchr(" \t\r\n", s.p[i])) i++;
        if (str_starts(str_sub(s, i, s.n), S("//")))
            i = str_find(s, S("\n"), i);
        else if (str_starts(str_sub(s, i, s.n), S("/*")) && str_find(s, S("*/"), i) < s.n)
            i = str_find(s, S("*/"), i) + 2;
        else
            return i;
    }
}

/* The name of `#include <name>` or `#include "name"` at i; *end: behind it. */
static struct str included(struct str s, size_t i, size_t *end) {
    struct str none = {0};
    if (i >= s.n || s.p[i] != '#') return none;
    do i++;
    while (i < s.n && (s.p[i] == ' ' || s.p[i] == '\t'));
    if (!str_starts(str_sub(s, i, s.n), S("include"))) return none;
    i += sizeof "include" - 1;
    while (i < s.n && (s.p[i] == ' ' || s.p[i] == '\t')) i++;
    if (i >= s.n || (s.p[i] != '<' && s.p[i] != '"')) return none;
    size_t last = str_find(s, s.p[i] == '<' ? S(">") : S("\""), i + 1);
    *end = last + 1;
    return last < s.n ? str_sub(s, i + 1, last) : none;
}

/* <vector>, <stdio.h>: what they declare does not depend on the header that follows. */
static bool is_of_language(const struct cm_session *session, struct str name) {
    if (str_find(name, S("."), 0) == name.n) return str_find(name, S("/"), 0) == name.n;
    return cm_session_lists(session, "cuda.standard_headers", name) ||
           cm_session_lists(session, "cuda.posix_headers", name);
}

static bool begins_with(const struct cm_session *session, struct str text, const char *header) {
    for (size_t i = after_space(text, 0);;) {
        size_t end = i;
        struct str once = S("#pragma once"), name = included(text, i, &end);
        if (str_starts(str_sub(text, i, text.n), once))
            end = i + once.n;
        else if (!name.n)
            return false;
        else if (str_is(name, header))
            return true;
        else if (!is_of_language(session, name))
            return false;
        i = after_space(text, end);
    }
}

/* ---- the file ---- */

static bool make_folder(struct preambles *p) {
    const char *base = getenv("TMPDIR");
    if (p->folder) return true;
    struct str path = arena_printf(&p->a, "%s/cuda-morph-XXXXXX", base && *base ? base : "/tmp");
    p->folder = mkdtemp(arena_strdup(&p->a, path));
    return p->folder != NULL;
}

static void make(struct preambles *p, struct preamble *one, const struct sem_input *in) {
    struct str text = arena_printf(&p->a, "#include <%s>\n", p->header);
    struct sem_file file = {text_path, text};
    struct sem_input header = {.path = text_path,
                               .flags = in->flags,
                               .language = in->language,
                               .files = &file,
                               .n_files = 1,
                               .to_save = true};
    one->tried = true;
    if (!make_folder(p)) return;
    const char *path = arena_printf(&p->a, "%s/%zu.pch", p->folder, (size_t)(one - p->v.v)).p;
    if (sem_precompile(p->sem, &p->a, &header, p->folder, path, p->limits)) one->path = path;
}

static struct preamble *find(struct preambles *p, struct str flags) {
    for (size_t i = 0; i < p->v.n; i++)
        if (str_eq(p->v.v[i].flags, flags)) return &p->v.v[i];
    return NULL;
}

static struct str flags_of(struct preambles *p, const struct sem_input *in) {
    struct buf b;
    buf_init(&b, &p->a);
    buf_addz(&b, in->language);
    for (size_t i = 0; i < in->flags->n; i++) buf_printf(&b, "\n%s", in->flags->v[i]);
    return buf_str(&b);
}

/* While the lock is held: whoever needs the same waits, which is shorter than reading it. */
static const char *held(struct preambles *p, const struct sem_input *in) {
    struct str flags = flags_of(p, in);
    struct preamble *one = find(p, flags);
    if (!one) {
        vec_push(&p->a, &p->v, (struct preamble){.flags = flags});
        return NULL;
    }
    if (!one->tried) make(p, one, in);
    return one->path;
}

const char *preamble_for(struct preambles *p, const struct sem_input *in, struct str text) {
    jmp_buf escape;
    const char *volatile path = NULL;
    if (in->prelude || in->cuda_decls || !begins_with(p->session, text, p->header)) return NULL;
    pthread_mutex_lock(&p->lock);
    p->a.escape = &escape;
    if (!setjmp(escape)) path = held(p, in); /* without memory there is none */
    p->a.escape = NULL;
    pthread_mutex_unlock(&p->lock);
    return path;
}
