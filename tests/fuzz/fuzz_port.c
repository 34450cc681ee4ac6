/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_port.c - damaged programs through the engine: it must neither crash nor hang, and the laws
 * that hold for every port hold for what is no program, too.
 *
 * fuzz_port [--strict] [--seconds N] [--runs N] [--seed N] [--save DIR] PATH...
 *     Mutates the Python files and notebooks found below PATH... until one of the limits is
 *     reached. An input that breaks a law is cut down and kept in DIR.
 * fuzz_port --replay FILE...
 *     Ports each file to every target.
 *
 * The fuzzing itself runs in a child. Its input lies in memory that both share, so what killed the
 * child is known, whatever it was. Compiled by clang with -fsanitize=fuzzer -DLIBFUZZER
 * it is a target of libFuzzer. */
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "cudamorph.h"
#include "discover/discover.h"
#include "mutate.h"

enum { MAX_FAILURES = 10, MAX_CUTS = 600, MAX_RUN_SECONDS = 20, PADDING = 16, BROKEN = 99 };

static const struct cm_session *sessions[2]; /* by unsafe_fixes */
static struct cm_workspace *workspaces[2];   /* the first port's result outlives the second port */
static bool is_strict;
static struct str file_name = {"fuzz", 4};

/* One port to be tried: how, and what became of it. */
struct trial {
    size_t target;
    bool unsafe;
    char problem[512]; /* the law that it breaks; empty: none */
    struct text input;
};

/* ---- laws ---- */

static void broken(struct trial *t, const char *fmt, ...) CM_PRINTF(2, 3);
static void broken(struct trial *t, const char *fmt, ...) {
    va_list ap;
    va_start(ap, fmt);
    vsnprintf(t->problem, sizeof t->problem, fmt, ap);
    va_end(ap);
}

static const struct cm_note *fatal_note(const struct cm_result *r) {
    for (size_t i = 0; i < r->n_notes; i++)
        if (r->notes[i].fatal) return &r->notes[i];
    return NULL;
}

static void law_edits(struct trial *t, struct str input, const struct cm_result *r) {
    size_t in = 0, out = 0;
    for (size_t i = 0; i <= r->n_edits; i++) {
        bool is_end = i == r->n_edits;
        size_t start = is_end ? input.n : r->edits[i].start;
        struct str text = is_end ? S("") : r->edits[i].text;
        if (start < in || start > input.n || (!is_end && r->edits[i].end < start)) {
            broken(t, "edits overlap, are not sorted or leave the input");
            return;
        }
        struct str same = str_sub(input, in, start);
        if (r->output.n - out < same.n + text.n ||
            !str_eq(same, str_sub(r->output, out, out + same.n)) ||
            !str_eq(text, str_sub(r->output, out + same.n, out + same.n + text.n)))
            break;
        out += same.n + text.n;
        in = is_end ? input.n : r->edits[i].end;
    }
    if (in != input.n || out != r->output.n)
        broken(t, "the output is not the input with its edits");
    else if (r->changed == str_eq(input, r->output))
        broken(t, "`changed` is not what happened");
    else if (r->changed && fatal_note(r))
        broken(t, "a refused file is changed");
}

static void law_findings(struct trial *t, struct str input, const struct cm_result *r) {
    size_t counts[CM_OUTCOMES] = {0}, last = 0;
    for (size_t i = 0; i < r->n_findings; i++) {
        const struct cm_finding *f = &r->findings[i];
        counts[f->outcome]++;
        if (f->start < last || f->end < f->start || f->end > input.n)
            broken(t, "findings are not sorted or leave the input");
        if (!f->line || !f->column || !f->message.n) broken(t, "a finding says nothing");
        last = f->start;
    }
    if (memcmp(counts, r->counts, sizeof counts)) broken(t, "the counts do not add up");
    if (r->counts[CM_PORTED] && fatal_note(r)) broken(t, "a refused file has ported findings");
    for (size_t i = 0; i < r->n_edits; i++)
        if (r->edits[i].finding != UINT32_MAX && r->edits[i].finding >= r->n_findings)
            broken(t, "an edit belongs to no finding");
    for (size_t i = 0; i < r->n_unused; i++)
        if (r->unused[i].end > input.n || r->unused[i].remove_end > input.n)
            broken(t, "an unused comment leaves the input");
}

static void port(const struct trial *t, size_t workspace, struct str bytes, enum cm_dump dump,
                 struct cm_result *out) {
    const struct cm_session *session = sessions[t->unsafe];
    struct cm_input in = {.name = file_name,
                          .bytes = bytes,
                          .language = t->input.language,
                          .target = cm_session_target_at(session, t->target),
                          .dump = dump};
    cm_run_buffer(session, workspaces[workspace], &in, out);
}

/* The rule that the first edit is due to. */
static struct str first_rule(const struct cm_result *r) {
    for (size_t i = 0; i < r->n_edits; i++)
        if (r->edits[i].finding < r->n_findings) return r->findings[r->edits[i].finding].rule;
    return S("no rule");
}

/* A block of its own, so that a sanitizer sees what reads beyond the end. */
static struct str in_own_block(struct str s) {
    char *p = calloc(1, s.n + PADDING);
    if (!p) abort();
    if (s.n) memcpy(p, s.p, s.n);
    return (struct str){p, s.n};
}

/* Only what is a program as a whole: an error in a part that does not matter to us may come to
 * matter, or join with another part, in the output. */
static bool is_program(const struct trial *t, struct str bytes) {
    struct cm_result whole;
    port(t, 1, bytes, CM_DUMP_EDITS, &whole);
    return !fatal_note(&whole);
}

/* The output is ported. Where a nonsensical program is not, a second port has to settle it; with
 * --strict that fails, too: often it shows a fault that sensible programs have. */
static void law_again(struct trial *t, const struct cm_result *r) {
    struct cm_result again;
    struct str output = in_own_block(r->output);
    for (int changes = 0; changes < 2; changes++) {
        port(t, 1, output, CM_DUMP_NONE, &again);
        const struct cm_note *refused = fatal_note(&again);
        if (refused)
            broken(t, "the output is refused: %.*s", STR_ARG(refused->message));
        else if (again.changed && (is_strict || changes > 0))
            broken(t, "porting the output changes it: %.*s", STR_ARG(first_rule(&again)));
        if (t->problem[0] || !again.changed) break;
        free((char *)output.p);
        output = in_own_block(again.output);
    }
    free((char *)output.p);
}

static void try_port(struct trial *t) {
    struct cm_result r;
    struct str input = in_own_block((struct str){t->input.p, t->input.n});
    t->problem[0] = 0;
    port(t, 0, input, CM_DUMP_NONE, &r);
    law_edits(t, input, &r);
    if (!t->problem[0]) law_findings(t, input, &r);
    if (!t->problem[0] && r.changed && is_program(t, input)) law_again(t, &r);
    free((char *)input.p);
}

static bool open_sessions(struct arena *a) {
    struct str error;
    for (int i = 0; i < 2; i++) {
        struct cm_options options = {.port.unsafe_fixes = i};
        sessions[i] = cm_session_new(a, &options, &error);
        workspaces[i] = cm_workspace_new();
        if (sessions[i] && workspaces[i]) continue;
        fprintf(stderr, "fuzz: %.*s\n", STR_ARG(error));
        return false;
    }
    return true;
}

/* ---- libFuzzer ---- */

int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t n);
int LLVMFuzzerTestOneInput(const unsigned char *bytes, size_t n) {
    static struct arena a;
    static struct trial t;
    if (!sessions[0]) {
        const char *name = getenv("READER");
        if (!open_sessions(&a)) abort();
        file_name = str_of(name ? name : "x.py");
    }
    if (n > MAX_TEXT) return 0;
    uint64_t hash = str_hash((struct str){(const char *)bytes, n});
    t.target = hash % cm_session_n_targets(sessions[0]);
    t.unsafe = hash >> 63;
    t.input.language = language_of_name(file_name);
    t.input.n = n;
    if (n) memcpy(t.input.p, bytes, n);
    try_port(&t);
    if (t.problem[0]) abort();
    return 0;
}

#ifndef LIBFUZZER

/* ---- the child and its parent ---- */

static struct shared {
    struct randomness random;
    size_t runs;
    struct trial trial;
} * shared;

static struct {
    struct seeds seeds;
    const char *save;
    time_t end;
    size_t runs;
    size_t failures;
    struct str seen[MAX_FAILURES]; /* their problems */
} fuzz;

static void start_trial(void) {
    struct trial *t = &shared->trial;
    t->target = random_below(&shared->random, cm_session_n_targets(sessions[0]));
    t->unsafe = random_below(&shared->random, 2);
    mutate(&t->input, &fuzz.seeds, &shared->random);
    shared->runs++;
}

static void fuzz_until_broken(void) {
    while (shared->runs < fuzz.runs && time(NULL) < fuzz.end) {
        start_trial();
        alarm(MAX_RUN_SECONDS);
        try_port(&shared->trial);
        alarm(0);
        if (shared->trial.problem[0]) _exit(BROKEN);
    }
}

static void try_once(void) {
    alarm(MAX_RUN_SECONDS);
    try_port(&shared->trial);
    if (shared->trial.problem[0]) _exit(BROKEN);
}

/* Runs `what` in a child. False when it broke a law, crashed or took too long; the shared trial
 * then says what. */
static bool survives(void (*what)(void), bool is_quiet) {
    int status;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        if (is_quiet && !freopen("/dev/null", "w", stderr)) _exit(1);
        what();
        _exit(0);
    }
    if (child < 0) abort();
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGALRM)
        broken(&shared->trial, "it takes more than %d seconds", MAX_RUN_SECONDS);
    else if (WIFSIGNALED(status))
        broken(&shared->trial, "it dies of signal %d", WTERMSIG(status));
    else if (WEXITSTATUS(status) && WEXITSTATUS(status) != BROKEN)
        broken(&shared->trial, "it ends with status %d", WEXITSTATUS(status));
    return status == 0;
}

/* ---- the smallest input that does it ---- */

static bool cut_keeps_problem(const struct trial *original, size_t start, size_t end) {
    shared->trial.input = original->input;
    text_replace(&shared->trial.input, start, end, S(""));
    return !survives(try_once, true) && !strcmp(shared->trial.problem, original->problem);
}

/* Leaves out ever smaller pieces of shared->trial as long as the same law breaks. */
static void cut_down(void) {
    static struct trial best;
    size_t tries = MAX_CUTS;
    best = shared->trial;
    time_t end = time(NULL) + MAX_RUN_SECONDS * 3;
    for (size_t piece = best.input.n / 2; piece && tries && time(NULL) < end; piece /= 2)
        for (size_t at = 0; at < best.input.n && tries && time(NULL) < end; tries--) {
            size_t to = at + piece < best.input.n ? at + piece : best.input.n;
            if (cut_keeps_problem(&best, at, to))
                best.input = shared->trial.input;
            else
                at = to;
        }
    shared->trial = best;
}

static void keep_failure(void) {
    const struct trial *t = &shared->trial;
    const char *kind = t->input.language == CM_NOTEBOOK ? "ipynb"
                       : t->input.language == CM_PYTHON ? "py"
                                                        : "cu";
    struct str target = cm_target_name(cm_session_target_at(sessions[0], t->target)), error;
    static struct arena a;
    printf("FAILED run %zu, %.*s%s: %s\n", shared->runs, STR_ARG(target),
           t->unsafe ? " --unsafe-fixes" : "", t->problem);
    if (!fuzz.save) return;
    struct str path = arena_printf(&a, "%s/failure-%zu.%s", fuzz.save, fuzz.failures, kind);
    if (file_make_parents(&a, path.p, &error) &&
        file_create(&a, path.p, (struct str){t->input.p, t->input.n}, 0666, &error))
        printf("  %s, %zu bytes\n", path.p, t->input.n);
    else
        printf("  %.*s\n", STR_ARG(error));
}

static void note_failure(struct arena *a) {
    struct str problem = str_of(shared->trial.problem);
    for (size_t i = 0; i < fuzz.failures; i++)
        if (str_eq(problem, fuzz.seen[i])) return;
    fuzz.seen[fuzz.failures++] = arena_str(a, problem);
    cut_down();
    keep_failure();
}

/* ---- the command line ---- */

static int replay(struct arena *a, char **paths) {
    int failures = 0;
    struct str bytes, error;
    for (; *paths; paths++) {
        if (!file_read(a, *paths, MAX_TEXT, &bytes, NULL, &error)) {
            fprintf(stderr, "fuzz: %.*s\n", STR_ARG(error));
            return 2;
        }
        struct trial *t = &shared->trial;
        for (size_t i = 0; i < cm_session_n_targets(sessions[0]) * 2; i++) {
            t->target = i / 2;
            t->unsafe = i % 2;
            text_set(&t->input, bytes, str_ends(str_of(*paths), S(".ipynb")));
            t->input.language = language_of_name(str_of(*paths));
            if (survives(try_once, false)) continue;
            failures++;
            struct str target = cm_target_name(cm_session_target_at(sessions[0], t->target));
            printf("FAILED %s, %.*s%s: %s\n", *paths, STR_ARG(target),
                   t->unsafe ? " --unsafe-fixes" : "", t->problem);
        }
    }
    return failures > 0;
}

static int run(struct arena *a) {
    while (shared->runs < fuzz.runs && time(NULL) < fuzz.end && fuzz.failures < MAX_FAILURES)
        if (!survives(fuzz_until_broken, false)) note_failure(a);
    printf("fuzz: %zu inputs\nfuzz: %d passed, %zu failed\n", shared->runs, !fuzz.failures,
           fuzz.failures);
    return fuzz.failures > 0;
}

static int usage(void) {
    fprintf(stderr, "usage: fuzz_port [--strict] [--seconds N] [--runs N] [--seed N] [--save DIR] "
                    "PATH...\n"
                    "       fuzz_port [--strict] --replay FILE...\n");
    return 2;
}

int main(int argc, char **argv) {
    static struct arena a;
    int i = 1;
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED || !open_sessions(&a)) return 2;
    is_strict = argc > 1 && !strcmp(argv[1], "--strict");
    i += is_strict;
    if (i + 1 < argc && !strcmp(argv[i], "--replay")) return replay(&a, argv + i + 1);
    fuzz.runs = SIZE_MAX;
    fuzz.end = time(NULL) + 24 * 60 * 60;
    for (; i + 1 < argc && argv[i][0] == '-'; i += 2) {
        if (!strcmp(argv[i], "--seconds"))
            fuzz.end = time(NULL) + atol(argv[i + 1]);
        else if (!strcmp(argv[i], "--runs"))
            fuzz.runs = (size_t)atol(argv[i + 1]);
        else if (!strcmp(argv[i], "--seed"))
            shared->random.state = (uint64_t)atol(argv[i + 1]);
        else if (!strcmp(argv[i], "--save"))
            fuzz.save = argv[i + 1];
        else
            return usage();
    }
    if (i == argc) return usage();
    seeds_read(&fuzz.seeds, &a, (const char *const *)argv + i, (size_t)(argc - i));
    if (!fuzz.seeds.n) {
        fprintf(stderr, "fuzz: there is no Python file and no notebook\n");
        return 2;
    }
    return run(&a);
}
#endif
