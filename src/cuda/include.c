/* SPDX-License-Identifier: Apache-2.0 */
/* include.c - the headers that a file includes, the files that include it, and those that define
 * what its headers declare, as tokens: what their functions and macros do matters to its kernels.
 */
#include "cuda/cu.h"

enum { MOST_HEADERS = 60, MOST_INCLUDERS = 20, MOST_BYTES = 4 << 20 };

struct finder {
    struct cu *f;
    cu_list *into;         /* what is read is added to it */
    bool unread;           /* the last one that was taken is no text of bytes */
    VEC(struct str) paths; /* of the file and its headers */
    size_t bytes;
};

/* Whether it is read by now, or can't be; adds it where it can. */
static bool take(struct finder *r, struct str path) {
    const struct cu_reader *reader = r->f->reader;
    struct str text;
    for (size_t i = 0; i < r->paths.n; i++)
        if (str_eq(r->paths.v[i], path)) return true;
    if (!reader->read(reader->context, r->f->a, path, &text)) return false;
    vec_push(r->f->a, &r->paths, path);
    r->unread = str_is_utf16(text);
    if (r->unread) return true;
    r->bytes += text.n;
    struct cu *header = NEW(r->f->a, struct cu);
    *header = (struct cu){.a = r->f->a, .src = text, .path = path, .rules = r->f->rules};
    header->target = r->f->target;
    header->lexes = r->f->lexes;
    cu_lex(header);
    cu_find_kept_regions(header);
    vec_push(r->f->a, r->into, header);
    return true;
}

/* The path of an #include in that folder, which ends in a slash, as other files spell it: without
 * `./` and `../`, where the folder has one above. */
static struct str path_in(struct arena *a, struct str folder, struct str include) {
    for (;;) {
        bool up = str_starts(include, S("../"));
        if (!up && !str_starts(include, S("./"))) break;
        if (up && (folder.n < 2 || str_ends(folder, S("./")))) break;
        if (up) folder = str_folder(str_sub(folder, 0, folder.n - 1));
        include = str_sub(include, up ? 3 : 2, include.n);
    }
    return arena_printf(a, "%.*s%.*s", STR_ARG(folder), STR_ARG(include));
}

/* In quotes beside the file that includes it, else wherever the project has a file that it can
 * mean. */
static void follow(struct finder *r, const struct cu *from, struct str name, bool quoted) {
    struct arena *a = r->f->a;
    struct str folder = str_folder(from->path);
    if (quoted && take(r, path_in(a, folder, name))) return;
    const struct cu_project *p = r->f->project;
    struct cu_files files = {0};
    if (p) cu_included_files(p, a, name, &files);
    for (size_t i = 0; i < files.n; i++) take(r, p->files.v[files.v[i]].path);
}

static void follow_all(struct finder *r, const struct cu *from) {
    for (size_t i = 0; i < from->directives.n; i++) {
        const struct cu_directive *d = &from->directives.v[i];
        if (d->kind != CD_INCLUDE || d->last < d->first + 3) continue;
        if (r->into->n >= MOST_HEADERS || r->bytes > MOST_BYTES) return;
        struct str text = cu_text(from, d->first + 2);
        if (from->tokens.v[d->first + 2].kind != CU_HEADER || text.n < 3) continue;
        struct str name = str_sub(text, 1, text.n - 1);
        bool quoted = text.p[0] == '"';
        r->unread = false;
        if (cu_is_project_header(r->f->rules, r->f->project, from->path, name, quoted))
            follow(r, from, name, quoted);
        if (r->unread && from == r->f) vec_push(r->f->a, &r->f->unread, d->first + 2);
    }
}

/* A header's macros may stand in the files that include it. */
static void take_includers(struct finder *r, struct str path, size_t most) {
    const struct cu_project *p = r->f->project;
    const struct cu_inclusion *in = NULL;
    while (p && r->into->n < most && (in = cu_next_includer(p, path, in)))
        take(r, p->files.v[in->file].path);
}

/* What is there is not read again. */
static struct finder finder_of(struct cu *f, cu_list *into) {
    struct finder r = {.f = f, .into = into};
    vec_push(f->a, &r.paths, f->path);
    for (size_t i = 0; i < f->included.n; i++) vec_push(f->a, &r.paths, f->included.v[i]->path);
    for (size_t i = 0; i < into->n; i++) vec_push(f->a, &r.paths, into->v[i]->path);
    return r;
}

void cu_read_neighbours(struct cu *f) {
    const struct cu_project *p = f->project;
    if (f->neighbours_known || !f->reader || !p) return;
    f->neighbours_known = true;
    struct finder r = finder_of(f, &f->neighbours);
    struct str folder = str_folder(f->path);
    for (size_t i = 0; i < p->files.n && f->neighbours.n < MOST_INCLUDERS; i++)
        if (str_eq(str_folder(p->files.v[i].path), folder)) take(&r, p->files.v[i].path);
}

void cu_read_included(struct cu *f) {
    if (f->included_known) return;
    f->included_known = true;
    if (!f->reader) return;
    struct finder r = finder_of(f, &f->included);
    follow_all(&r, f);
    take_includers(&r, f->path, MOST_INCLUDERS);
    for (size_t i = 0; i < f->included.n; i++) follow_all(&r, f->included.v[i]);
}

bool cu_read_definers(struct cu *f, struct str header) {
    if (!f->reader) return false;
    size_t n = f->definers.n;
    struct finder r = finder_of(f, &f->definers);
    take_includers(&r, header, MOST_HEADERS);
    for (size_t i = n; i < f->definers.n; i++) follow_all(&r, f->definers.v[i]);
    return f->definers.n > n;
}

/* In an `#ifdef __cplusplus`, or an #if that asks for it otherwise. */
static bool is_in_branch_of_cxx(const struct cu *f, uint32_t token) {
    enum { DEEPEST = 32 };
    bool inside[DEEPEST + 1] = {false};
    size_t depth = 0;
    for (size_t i = 0; i < f->directives.n && f->directives.v[i].first < token; i++) {
        const struct cu_directive *d = &f->directives.v[i];
        if (d->kind == CD_ENDIF && depth) depth--;
        if (d->kind != CD_IF) continue;
        if (depth == DEEPEST) return false;
        depth++;
        inside[depth] = inside[depth - 1];
        for (uint32_t t = d->first + 2; t < d->last; t++)
            inside[depth] |= cu_is(f, t, "__cplusplus");
    }
    return inside[depth];
}

bool cu_is_read_as_c(const struct cu *f, uint32_t token) {
    const struct cu_project *p = f->project;
    bool c = str_ends(f->path, S(".c"));
    for (const struct cu_inclusion *in = NULL; !c && p && (in = cu_next_includer(p, f->path, in));)
        c = str_ends(p->files.v[in->file].path, S(".c"));
    return c && !is_in_branch_of_cxx(f, token);
}

/* Whether a word of the file begins so, in any case of letters. */
static bool has_prefix(const struct cu *f, struct str prefix) {
    for (uint32_t i = 0; i < f->tokens.n; i++) {
        struct str word = cu_text(f, i);
        if (cu_is_word(f, i) && word.n > prefix.n && !strncasecmp(word.p, prefix.p, prefix.n))
            return true;
    }
    return false;
}

/* The prefix of the library's names that the header is of, by the list; empty: there is none. */
static struct str library_prefix(const struct cu *f, struct str header) {
    for (size_t n = header.n; n > 0; n--)
        if (rules_lists(f->rules, "cuda.library_prefixes", str_sub(header, 0, n)))
            return str_sub(header, 0, n);
    return (struct str){0};
}

/* Whether nothing of the library is named in the file, nor in a header of its. */
static bool is_unused(struct cu *f, struct str header) {
    struct str prefix = library_prefix(f, header);
    bool used = !prefix.n || has_prefix(f, prefix);
    if (!used) cu_read_included(f);
    for (size_t i = 0; !used && i < f->included.n; i++)
        used = has_prefix(f->included.v[i], prefix);
    return !used;
}

void cu_match_unused(struct cu *f) {
    for (size_t i = 0; i < f->matches.n && !cu_is_header(f->path); i++) {
        struct cu_match *m = &f->matches.v[i];
        bool open = m->kind == CU_INCLUDE && (m->verdict == V_NONE || m->verdict == V_MANUAL);
        if (!open || !m->cell || m->message.p || !is_unused(f, m->token)) continue;
        m->unused = true;
        m->verdict = V_EXACT;
        m->advice = S("Nothing of that library is used");
    }
}
