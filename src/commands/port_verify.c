/* SPDX-License-Identifier: Apache-2.0 */
/* port_verify.c - `port --verify`: would the result compile?
 *
 * Before a pass writes anything, its C++ files are ported in memory and parsed by libclang against
 * the target's headers; headers of the project that they include are ported in memory, too. What
 * libclang minds is carried back to the line the user wrote; what it minds in the original (parsed
 * with the stand-in for CUDA's headers) as well is not the port's doing and left out. */
#include "commands/port_verify.h"
#include "base/pool.h"
#include "commands/python.h"
#include "commands/verify_preamble.h"
#include "discover/discover.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdlib.h>
#include <unistd.h>

/* Includes that lead to includes: more rounds than that are not waited for. A parsed file takes
 * about 100 MB, which limits the threads. */
enum { MAX_ROUNDS = 6, MAX_THREADS = 8 };

/* A file of the program, ported in memory. */
struct member {
    const char *path; /* real */
    struct str input, output;
    const struct cm_edit *edits;
    size_t n_edits;

    bool seen;
};

typedef VEC(struct member *) member_list;

/* What the threads share. The lists, the results and the memory of both are for the thread that
 * holds the lock. */
struct program {
    const struct verification *what;
    struct verify_results *results;
    const char *device, *host, *prelude; /* facts of the target */
    struct flag_list passes;
    const char *include; /* where the target's headers are */
    struct verify *workers;
    struct preambles preambles;

    pthread_mutex_t lock;
    struct arena *a;
    struct cm_workspace *workspace;
    member_list members, jobs; /* jobs: what is parsed now */
};

/* One thread. */
struct verify {
    struct program *p;
    const struct verification *what;
    struct arena scratch; /* for one file */
    jmp_buf escape;
    bool holds;
    const char *lost; /* a file that there was no memory for, or NULL */
};

static void hold(struct verify *v) {
    pthread_mutex_lock(&v->p->lock);
    v->p->a->escape = &v->escape;
    v->holds = true;
}

static void let_go(struct verify *v) {
    v->p->a->escape = NULL;
    v->holds = false;
    pthread_mutex_unlock(&v->p->lock);
}

/* ---- the target ---- */

static const char *fact(const struct program *p, const char *key) {
    struct str value = cm_target_fact(p->what->target, key);
    return value.p ? arena_strdup(p->what->cli->a, value) : NULL;
}

/* "$ROCM_PATH/include": an environment variable at the start, if it is set. "@program/cuda": below
 * the folder that this program is in. */
static const char *expanded(struct program *p, const char *directory) {
    struct arena *a = p->a;
    if (str_starts(str_of(directory), S("@program"))) {
        struct python_place place = {.cli = p->what->cli};
        if (!python_find_program(&place)) return NULL;
        return arena_printf(a, "%s%s", place.directory, directory + sizeof "@program" - 1).p;
    }
    if (directory[0] != '$') return directory;
    struct str text = str_of(directory);
    size_t end = str_find(text, S("/"), 0);
    const char *value = getenv(arena_strdup(a, str_sub(text, 1, end)));
    return value && *value ? arena_printf(a, "%s%s", value, directory + end).p : NULL;
}

static bool has_header(struct program *p, const char *directory, const char *header) {
    return access(arena_printf(p->a, "%s/%s", directory, header).p, R_OK) == 0;
}

/* The directory among the user's own flags that has the header, or NULL. */
static const char *given_directory(struct program *p, const char *header) {
    const struct flag_list *given = &p->what->compile->given;
    for (size_t i = 0; i < given->n; i++) {
        const char *word = given->v[i];
        bool is_pair = strcmp(word, "-I") == 0 || strcmp(word, "-isystem") == 0;
        const char *directory = is_pair && i + 1 < given->n   ? given->v[i + 1]
                                : strncmp(word, "-I", 2) == 0 ? word + 2
                                                              : NULL;
        if (directory && has_header(p, directory, header)) return directory;
    }
    return NULL;
}

static bool find_headers(struct program *p) {
    const char *header = fact(p, "compile_header"), *directories = fact(p, "compile_directories");
    struct flag_list words = {0};
    flags_split(p->a, str_of(directories), &words);
    p->include = given_directory(p, header);
    for (size_t i = 0; i < words.n && !p->include; i++) {
        const char *directory = expanded(p, words.v[i]);
        if (directory && has_header(p, directory, header)) p->include = directory;
    }
    if (p->include) return true;
    cli_error(p->what->cli,
              "--verify: %s was not found; install it (%s), or give its directory after the "
              "paths: -- -I DIR",
              header, fact(p, "compile_package"));
    return false;
}

/* The compiler wants to know where all of it is installed: --rocm-path=/usr for /usr/include. */
static void find_root(struct program *p) {
    const char *flag = fact(p, "compile_root");
    struct str root = str_of(compile_real_path(p->a, p->include));
    if (!flag || !str_ends(root, S("/include"))) return;
    root.n -= sizeof "/include" - 1;
    p->device =
        arena_printf(p->a, "%s %s%.*s", p->device, flag, STR_ARG(root.n ? root : S("/"))).p;
}

static bool read_target(struct program *p) {
    p->device = fact(p, "compile_device");
    p->host = fact(p, "compile_host");
    p->prelude = fact(p, "compile_prelude");
    const char *passes = fact(p, "compile_passes");
    if (!p->device || !p->host || !passes || !fact(p, "compile_header")) {
        cli_error(p->what->cli,
                  "--verify cannot compile for %.*s: its file in rules/targets says "
                  "nothing about a compiler (compile_device and the like)",
                  STR_ARG(cm_target_name(p->what->target)));
        return false;
    }
    flags_split(p->a, str_of(passes), &p->passes);
    if (!find_headers(p)) return false;
    find_root(p);
    return true;
}

/* ---- the program, ported in memory ---- */

/* As everything here, only while v holds the lock. */
static struct member *find_member(const struct verify *v, const char *path) {
    for (size_t i = 0; i < v->p->members.n; i++)
        if (strcmp(v->p->members.v[i]->path, path) == 0) return v->p->members.v[i];
    return NULL;
}

static struct member *add_member(struct verify *v, const char *path, struct str bytes,
                                 enum cm_language language) {
    struct member *m = NEW(v->p->a, struct member);
    struct cm_input in = {.name = str_of(path),
                          .bytes = bytes,
                          .language = language,
                          .target = v->what->target,
                          .facts = v->what->in->facts};
    struct str problem;
    struct cm_result r;
    in.semantic = compile_facts(v->what->compile, &v->scratch, path, language, bytes, &problem);
    cm_run_buffer(v->what->in->session, v->p->workspace, &in, &r);
    *m = (struct member){
        .path = arena_strdup(v->p->a, str_of(path)), .input = bytes, .output = bytes};
    if (r.changed) {
        struct cm_edit *edits = arena_alloc(v->p->a, (r.n_edits + 1) * sizeof *edits);
        for (size_t i = 0; i < r.n_edits; i++) {
            edits[i] = r.edits[i];
            edits[i].text = arena_str(v->p->a, r.edits[i].text);
        }
        m->output = arena_str(v->p->a, r.output);
        m->edits = edits;
        m->n_edits = r.n_edits;
    }
    vec_push(v->p->a, &v->p->members, m);
    return m;
}

/* Ports what an included file says, unless that is done. */
static void add_included(struct verify *v, const char *path) {
    struct str bytes, error;
    enum cm_language language = language_of_name(str_of(path));
    if (find_member(v, path)) return;
    if (language != CM_CUDA && language != CM_CPP) return;
    if (file_read(v->p->a, path, MAX_SOURCE_BYTES, &bytes, NULL, &error))
        add_member(v, path, bytes, language);
}

/* ---- places ---- */

/* Where a byte of the output comes from. *written: the port wrote it. */
static size_t offset_in_input(const struct member *m, size_t offset, bool *written) {
    ptrdiff_t shift = 0;
    *written = false;
    for (size_t i = 0; i < m->n_edits; i++) {
        const struct cm_edit *e = &m->edits[i];
        size_t start = (size_t)((ptrdiff_t)e->start + shift);
        if (offset < start) break;
        if (offset < start + e->text.n) {
            *written = true;
            return e->start;
        }
        shift += (ptrdiff_t)e->text.n - (ptrdiff_t)(e->end - e->start);
    }
    size_t at = (size_t)((ptrdiff_t)offset - shift);
    return at < m->input.n ? at : m->input.n;
}

static void place_in_input(const struct member *m, struct sem_error *e, bool *written) {
    size_t at = offset_in_input(m, e->offset, written), start = 0;
    e->line = 1;
    for (size_t i = 0; i < at; i++)
        if (m->input.p[i] == '\n') {
            e->line++;
            start = i + 1;
        }
    e->column = (uint32_t)utf8_count(str_sub(m->input, start, at)) + 1;
}

/* ---- parsing ---- */

/* The texts of all members, before or after the port. */
static const struct sem_file *list_files(struct verify *v, bool ported, size_t *n) {
    hold(v);
    const member_list *members = &v->p->members;
    struct sem_file *files = arena_alloc(&v->scratch, (members->n + 1) * sizeof *files);
    for (size_t i = 0; i < members->n; i++) {
        const struct member *m = members->v[i];
        files[i] = (struct sem_file){m->path, ported ? m->output : m->input};
    }
    *n = members->n;
    let_go(v);
    return files;
}

/* The result with the target's compiler in one of its passes, or (pass NULL) the original. */
static bool parse(struct verify *v, const struct member *m, const char *pass, size_t *n_known,
                  struct sem_answer *answer, struct str *error) {
    struct arena *a = &v->scratch;
    const struct program *p = v->p;
    const struct compile_setup *setup = v->what->compile;
    struct sem_input in = {.path = m->path};
    struct flag_list own = compile_flags(setup, a, m->path), flags = {0};
    in.files = list_files(v, pass != NULL, &in.n_files);
    *n_known = in.n_files;
    in.flags = &flags;
    for (size_t i = 0; i < own.n; i++) vec_push(a, &flags, own.v[i]);
    if (!pass) {
        in.language = compile_cuda_language(m->path, m->input);
        in.cuda_decls = true;
        return sem_ask(setup->sem, a, &in, SEM_WANT_ERRORS, setup->limits, answer, error);
    }
    bool device = compile_is_device_code(m->path, m->input);
    const char *language = device                  ? p->device
                           : compile_is_c(m->path) ? "-x c"
                                                   : "-x c++ -std=gnu++17";
    in.language = arena_printf(a, "%s %s %s", language, p->host, device ? pass : "").p;
    if (device && p->prelude && *p->prelude) in.prelude = p->prelude;
    /* Named once more, it would come before the C++ library, which must include from it. */
    if (strcmp(p->include, "/usr/include") != 0) {
        vec_push(a, &flags, "-isystem");
        vec_push(a, &flags, p->include);
    }
    unsigned wants = SEM_WANT_ERRORS | SEM_WANT_INCLUSIONS;
    in.precompiled = device ? preamble_for(&v->p->preambles, &in, m->output) : NULL;
    bool parsed =
        in.precompiled && sem_ask(setup->sem, a, &in, wants, setup->limits, answer, error);
    if (parsed && !answer->n_errors) return true;
    in.precompiled = NULL; /* what is wrong is said of the text as it is */
    return sem_ask(setup->sem, a, &in, wants, setup->limits, answer, error);
}

/* Ports what the unit includes; whether the parse, which knew the first n_known members, read any
 * of that as it was before the port. */
static bool add_inclusions(struct verify *v, const struct flag_list *paths, size_t n_known) {
    bool is_stale = false;
    hold(v);
    for (size_t i = 0; i < paths->n; i++) add_included(v, paths->v[i]);
    for (size_t k = 0; k < v->p->members.n; k++) {
        struct member *m = v->p->members.v[k];
        bool is_part = false;
        for (size_t i = 0; i < paths->n; i++) is_part |= strcmp(paths->v[i], m->path) == 0;
        m->seen |= is_part;
        is_stale |= is_part && k >= n_known && m->n_edits > 0;
    }
    let_go(v);
    return is_stale;
}

/* Parses, and again as long as files are found that have to be ported first. */
static bool parse_ported(struct verify *v, const struct member *m, const char *pass,
                         struct sem_answer *answer, struct str *error) {
    for (int round = 0;; round++) {
        size_t n_known;
        if (!parse(v, m, pass, &n_known, answer, error)) return false;
        if (!add_inclusions(v, &answer->inclusions, n_known) || round == MAX_ROUNDS) return true;
    }
}

/* ---- what to say ---- */

static bool is_same_error(const struct sem_error *x, const struct sem_error *y) {
    return x->line == y->line && strcmp(x->path, y->path) == 0 && str_eq(x->message, y->message);
}

static void say(struct verify *v, const struct sem_error *e, enum verify_kind kind,
                struct str message) {
    struct verify_results *results = v->p->results;
    for (size_t i = 0; i < results->n; i++) {
        const struct verify_result *r = &results->v[i];
        if (r->line == e->line && r->kind == kind && strcmp(r->path, e->path) == 0 &&
            str_eq(r->message, message))
            return;
    }
    struct verify_result r = {arena_strdup(v->p->a, str_of(e->path)), e->line, e->column, kind,
                              arena_str(v->p->a, message)};
    vec_push(v->p->a, results, r);
    results->would_not_compile |= kind == VERIFY_ERROR;
    results->not_verified |= kind == VERIFY_MISSING;
}

/* A header that is not there: CUDA's own must not be needed any more; one that was missing before
 * the port is the user's business; any other should have come with the target. */
static enum verify_kind kind_of_missing(struct verify *v, const struct sem_error *e, bool written,
                                        const struct sem_error *before, size_t n_before) {
    if (!written && cm_session_knows_header(v->what->in->session, e->missing_header))
        return VERIFY_ERROR;
    for (size_t i = 0; i < n_before && !written; i++)
        if (str_eq(before[i].missing_header, e->missing_header)) return VERIFY_NOTE;
    return VERIFY_MISSING;
}

/* Whether a header of the target is missing: what uses it cannot be judged. */
static bool say_missing(struct verify *v, const struct sem_error *errors, const bool *written,
                        size_t n, const struct sem_error *before, size_t n_before) {
    bool blind = false;
    for (size_t i = 0; i < n; i++) {
        const struct sem_error *e = &errors[i];
        if (!e->missing_header.n) continue;
        enum verify_kind kind = kind_of_missing(v, e, written[i], before, n_before);
        struct str target = cm_target_name(v->what->target);
        blind |= kind == VERIFY_MISSING;
        say(v, e, kind,
            kind == VERIFY_ERROR
                ? arena_printf(&v->scratch, "would not compile for %.*s: %.*s", STR_ARG(target),
                               STR_ARG(e->message))
                : arena_printf(&v->scratch,
                               "'%.*s' was not found, so what depends on it is not verified; give "
                               "its directory after the paths: -- -I DIR",
                               STR_ARG(e->missing_header)));
    }
    return blind;
}

/* A complaint about no file is one about the flags, or about what is installed: then nothing that
 * follows can be trusted, unless it is only a flag that this compiler does not know. */
static void say_general(struct verify *v, const struct member *m, struct str message) {
    struct sem_error place = {.path = m->path};
    bool harmless =
        str_starts(message, S("unknown argument")) || str_starts(message, S("unsupported option"));
    say(v, &place, harmless ? VERIFY_NOTE : VERIFY_MISSING, message);
}

/* Whether the complaint is about a header of ours that lacks another one: both are told at the
 * #include that led there. */
static bool is_in_blind_header(const struct sem_error *errors, size_t n,
                               const struct sem_error *e) {
    for (size_t i = 0; i < n; i++)
        if (errors[i].missing_header.n && errors[i].path && e->path &&
            strcmp(errors[i].path, e->path) == 0 && errors[i].offset == e->offset)
            return true;
    return false;
}

static void judge(struct verify *v, const struct member *main, struct sem_error *errors, size_t n,
                  const struct sem_error *before, size_t n_before) {
    bool *written = arena_zalloc(&v->scratch, n + 1);
    for (size_t i = 0; i < n; i++) {
        const struct member *m = errors[i].path ? find_member(v, errors[i].path) : NULL;
        if (m) place_in_input(m, &errors[i], &written[i]);
        if (errors[i].path) continue;
        say_general(v, main, errors[i].message);
        errors[i].path = "";
    }
    bool blind = say_missing(v, errors, written, n, before, n_before);
    for (size_t i = 0; i < n; i++) {
        bool skip = errors[i].missing_header.n || !errors[i].path[0] || (blind && written[i]);
        skip |= blind && is_in_blind_header(errors, n, &errors[i]);
        for (size_t k = 0; k < n_before && !skip; k++)
            skip = before[k].path && is_same_error(&errors[i], &before[k]);
        if (skip) continue;
        say(v, &errors[i], VERIFY_ERROR,
            arena_printf(&v->scratch, "would not compile for %.*s: %.*s",
                         STR_ARG(cm_target_name(v->what->target)), STR_ARG(errors[i].message)));
    }
}

static void fail(struct verify *v, const struct member *m, struct str error) {
    struct sem_error place = {.path = m->path};
    hold(v);
    say(v, &place, VERIFY_MISSING,
        arena_printf(&v->scratch, "not verified: %.*s", STR_ARG(error)));
    let_go(v);
}

static void verify_member(struct verify *v, const struct member *m) {
    struct sem_answer now, before = {0};
    size_t n_known;
    bool asked = false;
    struct str error;
    bool device = compile_is_device_code(m->path, m->input);
    for (size_t i = 0; i < v->p->passes.n && (device || i == 0); i++) {
        bool parsed = parse_ported(v, m, v->p->passes.v[i], &now, &error);
        if (parsed && now.n_errors && !asked)
            parsed = asked = parse(v, m, NULL, &n_known, &before, &error);
        if (!parsed) {
            fail(v, m, error);
            return;
        }
        hold(v);
        judge(v, m, now.errors, now.n_errors, before.errors, before.n_errors);
        let_go(v);
    }
}

/* ---- the pass ---- */

static void run_job(void *ctx, size_t worker, size_t index) {
    struct program *p = ctx;
    struct verify *v = &p->workers[worker];
    const struct member *m = p->jobs.v[index];
    if (setjmp(v->escape)) {
        if (v->holds) let_go(v);
        v->lost = p->jobs.v[index]->path;
        arena_free(&v->scratch);
        return;
    }
    v->scratch.escape = &v->escape;
    verify_member(v, m);
    v->scratch.escape = NULL;
    arena_reset(&v->scratch);
}

/* Ports all sources. What cannot be read is reported when it is ported for good. */
static void add_sources(struct verify *v) {
    const struct inputs *in = v->what->in;
    for (size_t i = 0; i < in->sources.n; i++) {
        const struct source *s = &in->sources.v[i];
        struct str bytes, error;
        if (s->language != CM_CUDA && s->language != CM_CPP) continue;
        const char *path = compile_real_path(v->p->a, s->path);
        if (!find_member(v, path) && source_read(in, v->p->a, s, &bytes, NULL, &error))
            add_member(v, path, bytes, s->language);
    }
}

/* Sources first; then the headers that none of them includes. */
static void verify_all(struct program *p, size_t threads) {
    size_t n = p->members.n;
    for (int headers = 0; headers < 2; headers++) {
        p->jobs.n = 0;
        for (size_t i = 0; i < n; i++) {
            struct member *m = p->members.v[i];
            bool has_cuda = m->n_edits || compile_is_device_code(m->path, m->input);
            if (has_cuda && compile_is_header(m->path) == (headers > 0) && !(headers && m->seen))
                vec_push(p->a, &p->jobs, m);
        }
        jmp_buf *escape = p->a->escape;
        p->a->escape = NULL; /* no thread may jump into main's frame */
        pool_run(threads, p->jobs.n, run_job, p);
        p->a->escape = escape;
        p->results->files += p->jobs.n;
    }
}

static int by_place(const void *x, const void *y) {
    const struct verify_result *a = x, *b = y;
    int order = strcmp(a->path, b->path);
    return order ? order : (a->line > b->line) - (a->line < b->line);
}

struct verify_counts verify_count(struct verify_results *results) {
    struct verify_counts counts = {.files = results->files};
    if (results->n) qsort(results->v, results->n, sizeof *results->v, by_place);
    for (size_t i = 0, k; i < results->n; i = k) {
        bool fails = false, lacks = false;
        for (k = i; k < results->n && strcmp(results->v[k].path, results->v[i].path) == 0; k++) {
            fails |= results->v[k].kind == VERIFY_ERROR;
            lacks |= results->v[k].kind == VERIFY_MISSING;
        }
        counts.failing += fails;
        counts.not_verified += lacks && !fails;
    }
    size_t bad = counts.failing + counts.not_verified;
    counts.verified = counts.files > bad ? counts.files - bad : 0;
    return counts;
}

bool port_verify(const struct verification *what, struct verify_results *results) {
    struct arena *a = what->cli->a;
    struct program p = {.what = what, .results = results, .a = a};
    size_t threads = what->in->jobs < MAX_THREADS ? what->in->jobs : MAX_THREADS;
    *results = (struct verify_results){0};
    if (!read_target(&p)) return false;
    if (!(p.workspace = cm_workspace_new())) {
        cli_error(what->cli, "out of memory");
        return false;
    }
    pthread_mutex_init(&p.lock, NULL);
    p.workers = arena_zalloc(a, threads * sizeof *p.workers);
    for (size_t i = 0; i < threads; i++) {
        p.workers[i].p = &p;
        p.workers[i].what = what;
        arena_init(&p.workers[i].scratch, 0);
    }
    p.workers[0].scratch.escape = a->escape;
    preambles_begin(&p.preambles, what->in->session, what->compile->sem, what->compile->limits,
                    fact(&p, "compile_header"));
    add_sources(&p.workers[0]);
    verify_all(&p, threads);
    for (size_t i = 0; i < threads; i++) {
        if (p.workers[i].lost) cli_error(what->cli, "%s: out of memory", p.workers[i].lost);
        results->not_verified |= p.workers[i].lost != NULL;
        arena_free(&p.workers[i].scratch);
    }
    preambles_end(&p.preambles);
    pthread_mutex_destroy(&p.lock);
    cm_workspace_free(p.workspace);
    return true;
}
