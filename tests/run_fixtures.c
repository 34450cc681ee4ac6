/* SPDX-License-Identifier: Apache-2.0 */
/* run_fixtures.c - ports every case below a directory to its targets and asserts the laws that
 * hold for every port. fixtures/README.md describes the cases; the laws are the law_ functions.
 *
 * run_fixtures DIR [--only DOMAIN[/CASE] | @FILE] [--brief] [--update | --update-all | --count]
 *
 * --brief [LANGUAGE] is for who asks often and only whether: no case is cut (law 9), the first
 * that fails ends it, and of a language (as --count names it) no others are run. */
#include "fixture.h"

#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/pool.h"
#include "rules/rules.h"

/* tests/mutate/trace.c, where it is linked in */
__attribute__((weak)) void trace_case(void);

static struct suite suite;
static bool counts; /* --count */
static atomic_bool has_failed;
enum { LANGUAGES = CM_PROJECT + 1 };

/* ---- a crash names its case ---- */

static _Thread_local char doing[256];

void fixture_doing(const struct fixture *f, struct str target, size_t cut) {
    snprintf(doing, sizeof doing, "%.*s, %.*s, first %zu bytes", STR_ARG(f->name), STR_ARG(target),
             cut);
}

static void on_crash(int signal_number) {
    static const char before[] = "fixtures: crashed in ";
    ssize_t ignored = write(STDERR_FILENO, before, sizeof before - 1);
    ignored = write(STDERR_FILENO, doing, strlen(doing));
    ignored = write(STDERR_FILENO, "\n", 1);
    (void)ignored;
    signal(signal_number, SIG_DFL);
    raise(signal_number);
}

static void catch_crashes(void) {
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};
    for (size_t i = 0; i < ARRAY_LEN(signals); i++) {
        struct sigaction old;
        sigaction(signals[i], NULL, &old);
        if (old.sa_handler == SIG_DFL)
            signal(signals[i], on_crash); /* a sanitizer keeps its own */
    }
}

/* ---- running ---- */

static struct worker {
    struct arena a; /* holds the cases that it ran */
    struct cm_workspace *workspace[3];
} * workers;
static size_t n_workers;

static bool open_workers(void) {
    n_workers = pool_default_jobs();
    workers = calloc(n_workers, sizeof *workers);
    bool ok = workers;
    for (size_t i = 0; ok && i < n_workers; i++)
        for (size_t k = 0; k < ARRAY_LEN(workers[i].workspace); k++)
            ok = (workers[i].workspace[k] = cm_workspace_new()) && ok;
    return ok;
}

static void close_workers(void) {
    for (size_t i = 0; i < n_workers; i++) {
        for (size_t k = 0; k < ARRAY_LEN(workers[i].workspace); k++)
            cm_workspace_free(workers[i].workspace[k]);
        arena_free(&workers[i].a);
    }
    free(workers);
}

static enum cm_language language_of(const struct fixture *f) {
    enum cm_language language = f->files.n ? f->files.v[0].language : CM_NONE;
    return language == CM_CUDA ? CM_CPP : language;
}

static void run_one(void *ctx, size_t number, size_t index) {
    struct worker *w = (struct worker *)ctx + number;
    struct fixture *f = &suite.cases.v[index];
    if (suite.brief && atomic_load(&has_failed)) return;
    fixture_load(&suite, f, &w->a);
    if (suite.language && strcmp(cm_language_name(language_of(f)), suite.language) != 0) {
        f->known_bug = false; /* nobody asks */
        return;
    }
    if (!f->failures.n) fixture_run(&suite, f, w->workspace);
    if (f->failures.n && !f->known_bug) atomic_store(&has_failed, true);
    if (trace_case) trace_case();
}

/* ---- every rule has a positive and a near miss ---- */

static void load_rules(struct arena *a) {
    struct ruleset set;
    if (!ruleset_open(cm_rules_blob, cm_rules_blob_size, &set)) return;
    const struct rrule *rules = RS_LIST(set, set.h->rules, struct rrule);
    for (size_t i = 0; i < set.h->rules.n; i++) {
        struct rule_use use = {.id = rs_str(set, rules[i].id)};
        vec_push(a, &suite.rules, use);
    }
}

static void count_uses(void) {
    for (size_t i = 0; i < suite.cases.n; i++) {
        const struct fixture *f = &suite.cases.v[i];
        for (size_t k = 0; k < f->files.n && !f->known_bug; k++)
            for (size_t m = 0; m < f->files.v[k].expected.n; m++) {
                const struct expectation *e = &f->files.v[k].expected.v[m];
                struct rule_use *use = suite_rule(&suite, e->rule);
                if (use) use->used[e->kind] = true;
            }
    }
}

static size_t print_missing(void) {
    size_t missing = 0;
    for (size_t i = 0; i < suite.rules.n; i++) {
        const struct rule_use *u = &suite.rules.v[i];
        if (u->used[WANT] && u->used[OK]) continue;
        missing++;
        printf("FAILED %.*s: no case has%s%s%s\n", STR_ARG(u->id),
               u->used[WANT] ? "" : " a `want`", u->used[WANT] || u->used[OK] ? "" : " or",
               u->used[OK] ? "" : " an `ok` (near miss) for it");
    }
    return missing;
}

/* ---- telling ---- */

static void print_failure(const struct fixture *f, const struct failure *x) {
    printf("  ");
    if (x->targets.n == f->targets.n && f->targets.n > 1) printf("every target: ");
    for (size_t i = 0; i < x->targets.n && x->targets.n != f->targets.n; i++)
        printf("%.*s%s", STR_ARG(x->targets.v[i]), i + 1 < x->targets.n ? ", " : ": ");
    if (x->targets.n == 1 && f->targets.n == 1) printf("%.*s: ", STR_ARG(x->targets.v[0]));
    printf("%.*s\n", STR_ARG(x->message));
}

static size_t print_cases(size_t *bugs) {
    size_t failed = 0;
    for (size_t i = 0; i < suite.cases.n; i++) {
        const struct fixture *f = &suite.cases.v[i];
        if (f->known_bug && f->failures.n) {
            ++*bugs;
            continue;
        }
        if (!f->known_bug && !f->failures.n) continue;
        failed++;
        printf("FAILED %.*s\n", STR_ARG(f->name));
        if (f->known_bug) printf("  it passes: the known bug is fixed, so remove known-bug\n");
        for (size_t k = 0; k < f->failures.n && k < MAX_FAILURES; k++)
            print_failure(f, &f->failures.v[k]);
        if (f->failures.n > MAX_FAILURES)
            printf("  ... and %zu more\n", f->failures.n - MAX_FAILURES);
    }
    return failed;
}

static int tell(void) {
    size_t bugs = 0, failed = print_cases(&bugs);
    if (!suite.only.n && !(suite.brief && failed)) {
        count_uses();
        failed += print_missing();
    }
    size_t bad_cases = 0;
    for (size_t i = 0; i < suite.cases.n; i++)
        bad_cases += !suite.cases.v[i].known_bug != !suite.cases.v[i].failures.n;
    if (bugs) printf("fixtures: %zu known bug%s\n", bugs, bugs == 1 ? "" : "s");
    if (suite.python_missing)
        printf("fixtures: no python3, so no output was compiled by CPython\n");
    printf("fixtures: %zu passed, %zu failed\n", suite.cases.n - bad_cases, failed);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

/* How many cases there are of each language; one of several files counts for that of its first. */
static int count_cases(void) {
    size_t of[LANGUAGES] = {0};
    for (size_t i = 0; i < suite.cases.n; i++) {
        struct fixture *f = &suite.cases.v[i];
        fixture_load(&suite, f, f->a);
        of[language_of(f)]++;
    }
    for (int i = 0; i < LANGUAGES; i++)
        if (of[i]) printf("%s: %zu\n", cm_language_name((enum cm_language)i), of[i]);
    return EXIT_SUCCESS;
}

/* ---- the command line ---- */

static bool open_sessions(struct arena *a) {
    struct str error;
    for (int kind = 0; kind < 8; kind++) {
        struct cm_options options = {
            .port = {.unsafe_fixes = kind & 1, .lint = kind & 2, .sycl_kernels = kind & 4}};
        suite.session[kind] = cm_session_new(a, &options, &error);
        if (suite.session[kind]) continue;
        fprintf(stderr, "fixtures: %.*s\n", STR_ARG(error));
        return false;
    }
    return true;
}

static bool parse_arguments(int argc, char **argv) {
    for (int i = 1; i < argc; i++) {
        if (!strcmp(argv[i], "--update"))
            suite.update = UPDATE_PRESENT;
        else if (!strcmp(argv[i], "--update-all"))
            suite.update = UPDATE_CHANGED;
        else if (!strcmp(argv[i], "--count"))
            counts = true;
        else if (!strcmp(argv[i], "--brief"))
            suite.brief = true;
        else if (suite.brief && !strcmp(argv[i - 1], "--brief") && argv[i][0] != '-')
            suite.language = argv[i];
        else if (!strcmp(argv[i], "--only") && i + 1 < argc)
            suite.only = str_of(argv[++i]);
        else if (argv[i][0] != '-' && !suite.root)
            suite.root = argv[i];
        else
            return false;
    }
    return suite.root;
}

int main(int argc, char **argv) {
    static struct arena a;
    if (!parse_arguments(argc, argv)) {
        fprintf(stderr,
                "usage: run_fixtures DIR [--only DOMAIN[/CASE] | @FILE] [--brief [LANGUAGE]] "
                "[--update | --update-all | --count]\n");
        return 2;
    }
    arena_init(&a, 0);
    catch_crashes();
    load_rules(&a);
    if (!open_sessions(&a) || !suite_find_cases(&suite, &a)) return 2;
    if (counts) return count_cases();
    if (!open_workers()) return 2;
    if (trace_case) trace_case(); /* the first is what all cases share */
    pool_run(n_workers, suite.cases.n, run_one, workers);
    if (!suite.brief || !atomic_load(&has_failed)) fixture_compile_all(&suite, &a);
    int status = tell();
    close_workers();
    arena_free(&a);
    return status;
}
