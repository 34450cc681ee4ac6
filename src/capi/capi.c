/* SPDX-License-Identifier: Apache-2.0 */
/* capi.c - the exported functions: a session, a workspace and results in plain C types. */
#include "capi/capi.h"

#include "base/file.h"
#include "engine/engine.h"

#include <stdio.h>
#include <stdlib.h>

struct cm_py_porter {
    struct arena session_arena; /* the session, and what was told about its target */
    struct arena call;          /* of the latest cm_py_port */
    struct cm_session *session;
    struct cm_workspace *workspace;
    const struct cm_target *target;
    const char *name;
    bool remarks;
};

int64_t cm_py_abi(void) { return CM_PY_ABI; }

const char *cm_py_version(void) { return CM_VERSION; }

static size_t count(const char *const *list) {
    size_t n = 0;
    while (list && list[n]) n++;
    return n;
}

static void set_error(char *error, uint64_t size, struct str text) {
    if (size) snprintf(error, size, "%.*s", STR_ARG(text));
}

/* False with *error; a sentence that lives in the porter's arena. */
static bool open_porter(struct cm_py_porter *p, const char *target,
                        const struct cm_options *options, struct str *error) {
    jmp_buf escape;
    if (setjmp(escape)) {
        *error = S("out of memory");
        return false;
    }
    p->session_arena.escape = &escape;
    p->session = cm_session_new(&p->session_arena, options, error);
    if (!p->session) return false;
    p->target = cm_session_target(p->session, str_of(target));
    if (!p->target) {
        *error = arena_printf(&p->session_arena, "there is no target '%s'", target);
        return false;
    }
    p->name = arena_strdup(&p->session_arena, cm_target_name(p->target));
    p->workspace = cm_workspace_new();
    p->session_arena.escape = NULL;
    if (!p->workspace) *error = S("out of memory");
    return p->workspace != NULL;
}

struct cm_py_porter *cm_py_open(const char *target, const char *const *rules,
                                const char *const *versions, uint64_t flags, char *error,
                                uint64_t error_size) {
    struct cm_options options = {.rule_paths = rules,
                                 .n_rule_paths = count(rules),
                                 .target_versions = versions,
                                 .n_target_versions = count(versions),
                                 .port.unsafe_fixes = flags & CM_PY_UNSAFE_FIXES};
    struct str sentence = S("out of memory");
    struct cm_py_porter *p = calloc(1, sizeof *p);
    if (p) {
        p->remarks = flags & CM_PY_REMARKS;
        arena_init(&p->session_arena, 0);
        arena_init(&p->call, 0);
        if (open_porter(p, target, &options, &sentence)) return p;
    }
    set_error(error, error_size, sentence);
    cm_py_close(p);
    return NULL;
}

void cm_py_close(struct cm_py_porter *porter) {
    if (!porter) return;
    cm_workspace_free(porter->workspace);
    arena_free(&porter->session_arena);
    arena_free(&porter->call);
    free(porter);
}

const char *cm_py_target(const struct cm_py_porter *porter) { return porter->name; }

const char *cm_py_fact(struct cm_py_porter *porter, const char *key) {
    jmp_buf escape;
    if (setjmp(escape)) return NULL;
    porter->session_arena.escape = &escape;
    struct str fact = target_fact(porter->target->ref, key);
    const char *text = fact.p ? arena_strdup(&porter->session_arena, fact) : NULL;
    porter->session_arena.escape = NULL;
    return text;
}

static struct str c_name(struct cm_py_porter *p, struct str name) {
    size_t cursor = 0;
    struct row_ref row;
    while (rules_find(&p->session->rules, M_SYMBOL, name, &cursor, &row)) {
        const struct rcell *cell = row_cell(row, p->target->ref);
        if (!cell) continue;
        bool applies = cell->verdict == V_EXACT || cell->verdict == V_SHIM ||
                       (cell->verdict == V_CLOSE && p->session->options.unsafe_fixes);
        struct str to = rs_str(row.set, cell->to);
        return applies && !cell->unverified && to.n ? to : name;
    }
    return name;
}

const char *cm_py_c_name(struct cm_py_porter *porter, const char *name) {
    jmp_buf escape;
    if (setjmp(escape)) return NULL;
    porter->session_arena.escape = &escape;
    const char *text = arena_strdup(&porter->session_arena, c_name(porter, str_of(name)));
    porter->session_arena.escape = NULL;
    return text;
}

uint64_t cm_py_rules_hash(const struct cm_py_porter *porter) {
    return cm_session_hash(porter->session);
}

/* ---- porting ---- */

static const char *message_of(struct cm_py_porter *p, const struct cm_result *r) {
    struct buf b;
    buf_init(&b, &p->call);
    for (size_t i = 0; i < r->n_notes; i++) {
        const struct cm_note *n = &r->notes[i];
        if (!n->fatal && !p->remarks) continue;
        if (n->line) buf_printf(&b, "%u:%u: ", n->line, n->column);
        buf_printf(&b, "%.*s\n", STR_ARG(n->message));
    }
    for (size_t i = 0; p->remarks && i < r->n_findings; i++) {
        const struct cm_finding *f = &r->findings[i];
        if (f->outcome != CM_MANUAL) continue;
        buf_printf(&b, "%u:%u: %.*s [%.*s]\n", f->line, f->column, STR_ARG(f->message),
                   STR_ARG(f->rule));
    }
    return b.n ? b.p : "";
}

static bool is_refused(const struct cm_result *r) {
    for (size_t i = 0; i < r->n_notes; i++)
        if (r->notes[i].fatal) return true;
    return false;
}

/* A copy that scanners may look beyond. */
static struct str padded(struct arena *a, struct str bytes) {
    char *copy = arena_alloc(a, bytes.n + FILE_PADDING);
    if (bytes.n) memcpy(copy, bytes.p, bytes.n);
    memset(copy + bytes.n, 0, FILE_PADDING);
    return (struct str){copy, bytes.n};
}

int64_t cm_py_is_plain(struct cm_py_porter *porter, const char *bytes, uint64_t length) {
    jmp_buf escape;
    volatile bool plain = false;
    arena_reset(&porter->call);
    porter->call.escape = &escape;
    if (setjmp(escape) == 0) {
        struct str text = padded(&porter->call, (struct str){bytes, length});
        plain = !py_prefilter(&porter->target->anchors, text);
    }
    porter->call.escape = NULL;
    return plain;
}

static void port(struct cm_py_porter *p, const char *name, struct str bytes,
                 struct cm_py_result *out) {
    static const struct py_disk disk = {file_exists, NULL};
    struct cm_input in = {.name = str_of(name),
                          .disk = &disk,
                          .bytes = padded(&p->call, bytes),
                          .language = CM_PYTHON,
                          .target = p->target};
    struct cm_result r;
    cm_run_buffer(p->session, p->workspace, &in, &r);
    out->message = message_of(p, &r);
    out->is_local = r.asked_disk;
    if (is_refused(&r)) {
        out->status = CM_PY_REFUSED;
    } else if (!r.changed) {
        out->status = r.n_findings ? CM_PY_UNCHANGED : CM_PY_PLAIN;
    } else {
        struct cm_py_edit *edits = arena_alloc(&p->call, r.n_edits * sizeof *edits);
        for (size_t i = 0; i < r.n_edits; i++)
            edits[i] = (struct cm_py_edit){r.edits[i].start, r.edits[i].end, r.edits[i].text.n};
        out->status = CM_PY_PORTED;
        out->output = r.output.p;
        out->output_length = r.output.n;
        out->edits = edits;
        out->n_edits = r.n_edits;
    }
}

void cm_py_port(struct cm_py_porter *porter, const char *name, const char *bytes, uint64_t length,
                struct cm_py_result *result) {
    jmp_buf escape;
    *result = (struct cm_py_result){.status = CM_PY_REFUSED, .message = "out of memory\n"};
    arena_reset(&porter->call);
    porter->call.escape = &escape;
    if (setjmp(escape) == 0) port(porter, name, (struct str){bytes, length}, result);
    porter->call.escape = NULL;
}
