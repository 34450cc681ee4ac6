/* SPDX-License-Identifier: Apache-2.0 */
/* facts.c - what the identifiers of one file mean, token by token. */
#include "semantic/unit.h"

struct reader {
    const struct sem_unit *u;
    const struct clang *c;
    struct arena *a;
    CXFile file; /* that is described */
};

/* What a token refers to: a declaration or a macro; of an overloaded name, the first candidate
 * that is the user's. */
static CXCursor referenced(const struct reader *r, CXCursor cursor) {
    const struct clang *c = r->c;
    if (c->isDeclaration(cursor.kind) || cursor.kind == CXCursor_MacroDefinition) return cursor;
    CXCursor target = c->getCursorReferenced(cursor);
    if (c->Cursor_isNull(target)) return target;
    if (target.kind != CXCursor_OverloadedDeclRef) return target;
    unsigned n = c->getNumOverloadedDecls(target);
    for (unsigned i = 0; i < n; i++) {
        CXCursor one = c->getOverloadedDecl(target, i);
        if (sem_is_users_place(r->u->sem, r->a, c->getCursorLocation(one))) return one;
    }
    /* A name that nothing declares is a set of none. */
    return n ? c->getOverloadedDecl(target, 0) : c->getNullCursor();
}

static bool has_spelling(const struct reader *r, CXCursor cursor, struct str text) {
    struct arena_mark mark = arena_mark(r->a);
    struct str name = clang_str(r->c, r->a, r->c->getCursorSpelling(cursor));
    /* A template's name may carry its arguments. */
    bool same = str_starts(name, text) && (name.n == text.n || name.p[text.n] == '<');
    arena_release(r->a, mark);
    return same;
}

static bool is_here(const struct reader *r, CXCursor cursor, const struct sem_name *name) {
    CXFile file = NULL;
    unsigned offset = 0;
    r->c->getFileLocation(r->c->getCursorLocation(cursor), &file, NULL, NULL, &offset);
    return file == r->file && offset == name->start;
}

static void describe(const struct reader *r, CXCursor cursor, struct str spelling,
                     struct sem_name *name) {
    const struct clang *c = r->c;
    CXCursor target = referenced(r, cursor);
    /* The cursor of a token is the smallest construct around it, which need not be what the token
     * names: `a` in a.b(c) has the cursor of its own, a keyword that of the statement. */
    if (c->Cursor_isNull(target) || !has_spelling(r, target, spelling)) return;
    bool is_users = sem_is_users_place(r->u->sem, r->a, c->getCursorLocation(target));
    name->origin = is_users ? SEM_USER : SEM_SYSTEM;
    name->declares = is_users && is_here(r, target, name);
    name->usr = clang_str(c, r->a, c->getCursorUSR(target));
    if (target.kind == CXCursor_MacroDefinition) return;
    name->type = clang_str(c, r->a, c->getTypeSpelling(c->getCursorType(target)));
}

struct semantic_facts sem_facts(const struct sem_unit *u, struct arena *a, const char *path) {
    const struct clang *c = u->sem->clang;
    struct reader r = {.u = u, .c = c, .a = a};
    VEC(struct sem_name) names = {0};
    CXFile file = c->getFile(u->tu, path);
    size_t size = 0;
    if (!file || !c->getFileContents(u->tu, file, &size)) return (struct semantic_facts){0};
    r.file = file;
    CXToken *tokens = NULL;
    unsigned n = 0;
    CXSourceLocation first = c->getLocationForOffset(u->tu, file, 0);
    CXSourceLocation last = c->getLocationForOffset(u->tu, file, (unsigned)size);
    c->tokenize(u->tu, c->getRange(first, last), &tokens, &n);
    CXCursor *cursors = arena_zalloc(a, (n + 1) * sizeof *cursors);
    c->annotateTokens(u->tu, tokens, n, cursors);
    for (unsigned i = 0; i < n; i++) {
        if (c->getTokenKind(tokens[i]) != CXToken_Identifier) continue;
        unsigned offset = 0;
        c->getFileLocation(c->getTokenLocation(u->tu, tokens[i]), NULL, NULL, NULL, &offset);
        struct str spelling = clang_str(c, a, c->getTokenSpelling(u->tu, tokens[i]));
        struct sem_name name = {.start = offset, .end = offset + (uint32_t)spelling.n};
        describe(&r, cursors[i], spelling, &name);
        vec_push(a, &names, name);
    }
    if (tokens) c->disposeTokens(u->tu, tokens, n);
    return (struct semantic_facts){names.v, names.n};
}

const struct sem_name *sem_name_at(const struct semantic_facts *f, size_t start) {
    size_t low = 0, high = f->n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (f->v[middle].start < start)
            low = middle + 1;
        else
            high = middle;
    }
    return low < f->n && f->v[low].start == start ? &f->v[low] : NULL;
}
