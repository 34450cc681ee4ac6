/* SPDX-License-Identifier: Apache-2.0 */
/* compile.c - how each C++ file is compiled, from compile_commands.json or from behind "--". */
#include "commands/compile.h"

#include <stdlib.h>
#include <unistd.h>

#include "cuda/words.h"

/* ---- options ---- */

/* Behind "--", with --semantic or --verify: the compiler's flags. Else: more paths. */
static void take_flags(struct compile_setup *setup) {
    struct cli *cli = setup->cli;
    struct flag_list words = {0};
    if (cli->n_before_dashes >= cli->operands.n) return;
    for (size_t i = cli->n_before_dashes; i < cli->operands.n; i++)
        vec_push(cli->a, &words, cli->operands.v[i].p);
    cli->operands.n = cli->n_before_dashes;
    struct flag_source source = {0};
    flags_translate(cli->a, &source, words.v, words.n, &setup->given);
}

/* A whole number from 1 to a million, and what stands behind it. */
static bool read_limit(const char **text, unsigned *limit) {
    enum { MOST = 1000 * 1000 };
    char *end;
    if (**text < '0' || **text > '9') return false;
    unsigned long n = strtoul(*text, &end, 10);
    *text = end;
    *limit = (unsigned)n;
    return n >= 1 && n <= MOST;
}

static bool read_limits(struct cli *cli, struct sem_limits *limits) {
    struct str text = cli_value(cli, OPT_SEMANTIC_LIMITS);
    *limits = (struct sem_limits){SEM_SECONDS, SEM_MEGABYTES};
    if (!text.p) return true;
    const char *at = arena_strdup(cli->a, text);
    bool good = read_limit(&at, &limits->seconds);
    if (good && *at == ',') {
        at++;
        good = read_limit(&at, &limits->megabytes);
    }
    if (good && !*at) return true;
    cli_error(cli, "--semantic-limits: '%.*s' is not SECONDS or SECONDS,MEGABYTES", STR_ARG(text));
    return false;
}

bool compile_setup_read(struct cli *cli, struct compile_setup *setup) {
    *setup = (struct compile_setup){.cli = cli, .semantic = cli_has(cli, OPT_SEMANTIC)};
    struct str db = cli_value(cli, OPT_COMPILE_COMMANDS), error;
    const char *command = cli->command->name;
    bool ports = strcmp(command, "port") == 0, reports = strcmp(command, "report") == 0;
    bool verify = (ports || reports) && cli_has(cli, OPT_VERIFY);
    if (!setup->semantic && !verify) {
        if (!db.p) return true;
        cli_error(cli, "--compile-commands goes with %s",
                  reports ? "--verify"
                  : ports ? "--semantic or --verify"
                          : "--semantic");
        return false;
    }
    if (!read_limits(cli, &setup->limits)) return false;
    take_flags(setup);
    setup->refused = NEW(cli->a, struct refused_flags);
    pthread_mutex_init(&setup->refused->lock, NULL);
    arena_init(&setup->refused->a, 0);
    if (db.p && !(setup->db = compile_db_read(cli->a, db.p, &error))) {
        cli_error(cli, "%.*s", STR_ARG(error));
        return false;
    }
    if (!(setup->sem = sem_open(cli->a, &error)))
        cli_error(cli, "--%s: %.*s", verify ? "verify" : "semantic", STR_ARG(error));
    return setup->sem;
}

/* ---- flags that are refused ---- */

static bool has_flag(const struct flag_list *list, const char *name) {
    for (size_t i = 0; i < list->n; i++)
        if (strcmp(list->v[i], name) == 0) return true;
    return false;
}

static void remember(struct refused_flags *all, const struct flag_list *names) {
    pthread_mutex_lock(&all->lock);
    for (size_t i = 0; i < names->n; i++)
        if (!has_flag(&all->names, names->v[i]))
            vec_push(&all->a, &all->names, arena_strdup(&all->a, str_of(names->v[i])));
    pthread_mutex_unlock(&all->lock);
}

static int by_name(const void *x, const void *y) {
    return strcmp(*(const char *const *)x, *(const char *const *)y);
}

void compile_setup_end(struct compile_setup *setup) {
    struct refused_flags *all = setup->refused;
    enum { SHOWN = 8, LONGEST = 60 };
    if (!all) return;
    struct buf b;
    buf_init(&b, &all->a);
    qsort(all->names.v, all->names.n, sizeof *all->names.v, by_name);
    for (size_t i = 0; i < all->names.n && i < SHOWN; i++) {
        struct str name = str_of(all->names.v[i]);
        if (name.n > LONGEST) name.n = LONGEST;
        buf_printf(&b, "%s%.*s", i ? ", " : "", STR_ARG(name));
    }
    if (all->names.n && !cli_has(setup->cli, OPT_QUIET))
        cli_error(setup->cli, "%zu flag%s of compile_commands.json %s not used: %.*s%s",
                  all->names.n, all->names.n == 1 ? "" : "s", all->names.n == 1 ? "is" : "are",
                  STR_ARG(buf_str(&b)), all->names.n > SHOWN ? ", ..." : "");
    arena_free(&all->a);
    pthread_mutex_destroy(&all->lock);
    setup->refused = NULL;
}

/* ---- one file ---- */

const char *compile_real_path(struct arena *a, const char *path) {
    char *real = realpath(path, NULL);
    const char *copy = real ? arena_strdup(a, str_of(real)) : path;
    free(real);
    if (copy[0] == '/') return copy;
    char *here = getcwd(NULL, 0);
    copy = arena_printf(a, "%s/%s", here ? here : "", copy).p;
    free(here);
    return copy;
}

struct flag_list compile_flags(const struct compile_setup *setup, struct arena *a,
                               const char *real_path) {
    struct flag_list flags = {0};
    const struct compile_command *command =
        setup->db ? compile_db_find(setup->db, real_path) : NULL;
    if (command) {
        struct flag_list refused = {0};
        compile_command_flags(a, setup->db, command, real_path, &refused, &flags);
        if (refused.n) remember(setup->refused, &refused);
    }
    for (size_t i = 0; i < setup->given.n; i++) vec_push(a, &flags, setup->given.v[i]);
    return flags;
}

static bool ends_in(const char *path, const char *const *ends, size_t n) {
    for (size_t i = 0; i < n; i++)
        if (str_ends(str_of(path), str_of(ends[i]))) return true;
    return false;
}

bool compile_is_c(const char *path) { return str_ends(str_of(path), S(".c")); }

bool compile_is_header(const char *path) {
    static const char *const ends[] = {".h",   ".hh",  ".hpp", ".hxx", ".cuh", ".hcu",  ".inl",
                                       ".inc", ".ipp", ".tcc", ".tpp", ".txx", ".cuknl"};
    return ends_in(path, ends, ARRAY_LEN(ends));
}

bool compile_is_device_code(const char *path, struct str text) {
    static const char *const ends[] = {".cu", ".cuh"};
    return ends_in(path, ends, ARRAY_LEN(ends)) || str_find(text, S(CU_KERNEL_WORD), 0) < text.n ||
           str_find(text, S(CU_DEVICE_WORD), 0) < text.n || str_find(text, S("<<<"), 0) < text.n;
}

const char *compile_cuda_language(const char *path, struct str text) {
    if (compile_is_c(path)) return "-x c";
    return compile_is_device_code(path, text) ? "-x cuda -std=gnu++17 --cuda-host-only "
                                                "--cuda-gpu-arch=sm_80 -nocudainc -nocudalib"
                                              : "-x c++ -std=gnu++17";
}

const struct semantic_facts *compile_facts(const struct compile_setup *setup, struct arena *a,
                                           const char *path, enum cm_language language,
                                           struct str bytes, struct str *problem) {
    if (!setup->semantic || (language != CM_CUDA && language != CM_CPP)) return NULL;
    struct sem_file file = {compile_real_path(a, path), bytes};
    struct sem_input in = {.path = file.path,
                           .language = compile_cuda_language(path, bytes),
                           .cuda_decls = true,
                           .files = &file,
                           .n_files = 1};
    struct flag_list flags = compile_flags(setup, a, in.path);
    in.flags = &flags;
    struct sem_answer answer;
    if (!sem_ask(setup->sem, a, &in, SEM_WANT_FACTS, setup->limits, &answer, problem)) {
        *problem = arena_printf(a, "done without --semantic: %.*s", STR_ARG(*problem));
        return NULL;
    }
    struct semantic_facts *facts = NEW(a, struct semantic_facts);
    *facts = answer.facts;
    return facts;
}
