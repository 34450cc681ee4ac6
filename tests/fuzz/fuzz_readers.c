/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz_readers.c - damaged files through every reader that is not of programs: configurations,
 * rules, baselines, diffs, models, compile_commands.json, logs, messages to the language server.
 * Nothing may crash or take long; what is read and written again is read the same.
 *
 * fuzz_readers [--seconds N] [--runs N] [--seed N] [--only READER] [--save DIR] [--corpus DIR]
 *     Reads DIR/READER/... once as it is, then damages it as it does its own seeds.
 * fuzz_readers --replay READER FILE...
 * fuzz_readers --seeds DIR   writes what it starts from: DIR/READER/N
 *
 * The readers run in a child, on inputs that lie in memory of both (as in fuzz_port.c). Compiled
 * by clang with -fsanitize=fuzzer -DLIBFUZZER it is a target of libFuzzer: READER in the
 * environment names the reader (tests/libfuzzer.sh). */
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/file.h"
#include "commands/baseline.h"
#include "commands/commands.h"
#include "commands/diff_lines.h"
#include "diag/errors.h"
#include "diag/quant.h"
#include "mutate.h"
#include "rules/rules.h"
#include "semantic/flags.h"
#include "syntax/toml.h"

enum { MAX_RUN_SECONDS = 10, MAX_FAILURES = 10, MAX_MEMORY = 1 << 29, BROKEN = 99 };

static struct arena lasting; /* what is loaded once */
static struct project project;
static struct error_db errors;
static char folder[] = "/tmp/cm-fuzz-XXXXXX";
static const char *problem;

/* ---- the readers ---- */

static void read_toml(struct arena *a, struct str s) {
    struct str error;
    const struct toml_value *root = toml_parse(a, S("x.toml"), s, &error);
    if (root && toml_get(root, "rules") == root) problem = "a table holds itself";
    if (!root && !error.n) problem = "it is refused without a reason";
}

static void read_rules(struct arena *a, struct str s) {
    struct rule_source source = {S("x.json"), s};
    rule_errors found = {0};
    struct str block = rules_compile(a, &source, 1, NULL, &found);
    if (!block.n && !found.n) problem = "it is refused without a reason";
    if (block.n) rules_lint(a, &source, 1, NULL);
}

static void read_baseline(struct arena *a, struct str s) {
    struct baseline first = {.a = a}, second = {.a = a};
    struct str error;
    if (!baseline_parse(&first, a, S("b.json"), s, &project, &error)) return;
    struct str text = arena_str(a, baseline_text(&first, false));
    if (!baseline_parse(&second, a, S("b.json"), text, &project, &error))
        problem = "what it writes it does not read";
    else if (!str_eq(text, baseline_text(&second, false)))
        problem = "what it writes it reads as something else";
}

static void read_diff(struct arena *a, struct str s) {
    struct diff_lines lines;
    struct str error;
    if (diff_lines_read(&lines, a, &project, s, &error)) diff_lines_touch(&lines, S("a.py"), 1, 9);
}

/* Without the care for what a disk has: thousands of times a second. */
static const char *put(struct arena *a, const char *name, struct str s) {
    const char *path = arena_printf(a, "%s/%s", folder, name).p;
    int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0 || write(fd, s.p, s.n) != (ssize_t)s.n || close(fd)) abort();
    return path;
}

static void read_model(struct arena *a, struct str s) {
    struct quant_model model;
    struct str error;
    bool is_header = s.n > 8 && s.p[8] == '{';
    put(a, is_header ? "model.safetensors" : "config.json", s);
    quant_inspect(a, folder, &model, &error);
}

/* Of the flags that the table lets pass, those whose value is the next word. */
static bool has_value(const char *flag) {
    static const char *const names[] = {"-include",   "-imacros", "-isystem",
                                        "-idirafter", "-iquote",  "-isysroot"};
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (!strcmp(flag, names[i])) return true;
    return false;
}

static void read_database(struct arena *a, struct str s) {
    struct str error;
    const struct compile_db *db = compile_db_read(a, put(a, "compile_commands.json", s), &error);
    if (!db) return;
    const struct compile_command *c = compile_db_find(db, "/tree/a.cu");
    struct flag_list refused = {0}, flags = {0};
    if (c) compile_command_flags(a, db, c, "/tree/a.cu", &refused, &flags);
    for (size_t i = 0; i < flags.n; i++) {
        if (str_starts(str_of(flags.v[i]), S("-MJ")) || str_starts(str_of(flags.v[i]), S("-load")))
            problem = "a flag passes";
        i += has_value(flags.v[i]); /* -isystem -load: a folder of that name */
    }
}

static void read_log(struct arena *a, struct str s) {
    error_hits hits = {0};
    error_fallbacks fallbacks = {0};
    errors_scan(a, &errors, s, S("ascend"), &hits, &fallbacks);
}

static void read_messages(struct arena *a, struct str s) {
    static struct stream out, err;
    static char *const words[] = {"cuda-morph", "lsp", NULL};
    struct str error;
    int null = open("/dev/null", O_RDWR | O_CLOEXEC), fd = memfd_create("messages", MFD_CLOEXEC);
    if (null < 0 || fd < 0 || write(fd, s.p, s.n) != (ssize_t)s.n) abort();
    lseek(fd, 0, SEEK_SET);
    dup2(fd, STDIN_FILENO);
    close(fd);
    stream_init(&out, null, false);
    stream_init(&err, null, false);
    struct cli *cli = NEW(a, struct cli);
    *cli = (struct cli){.a = a, .out = &out, .err = &err};
    if (!cli_parse(cli, 2, (char **)words, &error)) abort();
    command_lsp(cli);
    stream_flush(&out);
    close(null);
}

#define MESSAGE(length, json) "Content-Length: " length "\r\n\r\n" json

static const struct reader {
    const char *name;
    size_t share; /* of the runs: about as many as it reads while the others do theirs */
    void (*read)(struct arena *a, struct str s);
    const char *seeds[4];
} readers[] = {
    {"toml",
     4,
     read_toml,
     {"target = [\"ascend\"]\nignore = [\"torch-device\"] # x\n[check]\nfail-on = \"error\"\n"
      "max-warnings = 3\n[[own.part]]\na.b = { c = 'd', e = [1, 2.5, true, 1979-05-27] }\n",
      "s = \"\"\"\na\\u00e9 \\\n  b\"\"\"\nt = '''x'''\n\"a b\".c = 0x1F\nd = [[1], [\"x\",]]\n"}},
    {"rules",
     400,
     read_rules,
     {"{\"domain\": \"own\", \"language\": \"cuda\", \"title\": \"t\", \"rules\": [{\"id\": "
      "\"own/x\", \"title\": \"t\", \"why\": \"w\", \"severity\": \"warning\", \"match\": "
      "\"name\", \"default\": {\"*\": \"manual\"}, \"rows\": {\"a\": {\"rocm\": \"b\"}}, "
      "\"examples\": [{\"target\": \"rocm\", \"before\": \"f();\\n\", \"after\": \"f();\\n\"}], "
      "\"references\": [{\"source\": \"s\", \"checked\": \"2026-11\"}]}]}",
      "{\"domain\": \"own\", \"language\": \"text\", \"title\": \"t\", \"rules\": [{\"id\": "
      "\"own/y\", \"title\": \"t\", \"why\": \"w\", \"severity\": \"note\", \"match\": \"text\", "
      "\"files\": [\"*.txt\"], \"pattern\": \"^(a+)=(\\\\d{1,3})$\", \"default\": {\"*\": "
      "{\"verdict\": \"exact\", \"template\": \"{1}x\"}}, \"examples\": [], \"references\": []}]}",
      "{\"target\": \"foo\", \"aliases\": [\"bar\"], \"title\": \"t\", \"order\": 9, \"facts\": "
      "{\"device\": \"foo\", \"module\": \"torch.foo\"}}"}},
    {"baseline",
     500,
     read_baseline,
     {"{\"version\": 1, \"findings\": [{\"path\": \"a.py\", \"rule\": \"torch-cuda/amp\", "
      "\"target\": \"ascend\", \"fingerprint\": \"0123456789abcdef\", \"count\": 2}]}",
      "{\"version\": 1, \"tool\": \"cuda-morph\", \"files\": {\"a.py\": {\"torch-cuda/amp\": "
      "[\"0123456789abcdef\"]}}}"}},
    {"diff",
     350,
     read_diff,
     {"diff --git a/a.py b/a.py\nindex 1..2 100644\n--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,3 @@ def "
      "f():\n"
      " x\n+y\n z\n\\ No newline at end of file\n--- /dev/null\n+++ \"b/\\303\\251.py\"\n@@ -0,0 "
      "+1 @@\n+x\n",
      "Index: a.py\n===\n--- a.py\t(revision 1)\n+++ a.py\t(working copy)\n@@ -3 +3,2 "
      "@@\n-x\n+y\n+z\n"}},
    {"model",
     40,
     read_model,
     {"{\"quantization_config\": {\"quant_method\": \"gptq\", \"bits\": 4, \"group_size\": 128, "
      "\"desc_act\": false}, \"torch_dtype\": \"float16\", \"architectures\": [\"X\"]}",
      "\x60.......{\"a.qweight\": {\"dtype\": \"I32\", \"shape\": [1, 2], \"data_offsets\": [0, "
      "8]}, "
      "\"__metadata__\": {\"format\": \"pt\"}}  "}},
    {"compile_commands",
     50,
     read_database,
     {"[{\"directory\": \"/tree\", \"file\": \"a.cu\", \"command\": \"nvcc -arch=sm_80 -I inc "
      "-DX='a b' --options-file o -MJ f -Xcompiler -O2,-MJ,x -c a.cu -o a.o\"}]",
      "[{\"directory\": \"b\", \"file\": \"../tree/a.cu\", \"arguments\": [\"clang++\", "
      "\"-isystem\", "
      "\"/x\", \"-std=c++17\", \"-Xclang\", \"-load\", \"-Xclang\", \"y\", \"@r\", \"a.cu\"]}]"}},
    {"log",
     5,
     read_log,
     {"[ERROR] aclrtSynchronizeStream failed, error code 507018\n[W] CAUTION: The operator "
      "'aten::foo' is not currently supported on the NPU backend and will fall back to run on the "
      "CPU.\n",
      "hipErrorNoBinaryForGpu: code object\nRuntimeError: HIP error: 209 "
      "ACL_ERROR_RT_AICORE_EXCEPTION "
      "0x7BC8A EZ9999\n"}},
    {"messages",
     150,
     read_messages,
     {MESSAGE("76", "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\","
                    "\"params\":{\"capabilities\":{}}} ")
          MESSAGE("162", "{\"jsonrpc\":\"2.0\",\"method\":\"textDocument/didOpen\",\"params\":{"
                         "\"textDocument\":{\"uri\":\"file:///x/a.py\",\"languageId\":\"python\","
                         "\"version\":1,\"text\":\"x = 1\"}}}         ")
              MESSAGE("58",
                      "{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"shutdown\",\"params\":{} }")
                  MESSAGE("33", "{\"jsonrpc\":\"2.0\",\"method\":\"exit\"}")}},
};

static bool start(void) {
    struct str error;
    arena_init(&lasting, 0);
    project_find(&project, &lasting);
    return mkdtemp(folder) && errors_load(&lasting, &errors, &error);
}

static void stop(void) {
    static const char *const made[] = {"model.safetensors", "config.json",
                                       "compile_commands.json"};
    for (size_t i = 0; i < ARRAY_LEN(made); i++)
        unlink(arena_printf(&lasting, "%s/%s", folder, made[i]).p);
    rmdir(folder);
}

static void try_one(const struct reader *r, struct str s) {
    static struct arena a;
    jmp_buf escape;
    char *p = calloc(1, s.n + FILE_PADDING); /* a sanitizer sees what reads beyond the end */
    if (!p) abort();
    if (s.n) memcpy(p, s.p, s.n);
    if (!setjmp(escape)) {
        a.limit = MAX_MEMORY;
        a.escape = &escape;
        r->read(&a, (struct str){p, s.n});
    } else {
        problem = "it takes more than 512 MB";
    }
    arena_reset(&a);
    free(p);
}

static const struct reader *reader_of(const char *name) {
    for (size_t i = 0; name && i < ARRAY_LEN(readers); i++)
        if (!strcmp(readers[i].name, name)) return &readers[i];
    return NULL;
}

#ifdef LIBFUZZER
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n) {
    static const struct reader *r;
    if (!r && !start()) abort();
    if (!r && !(r = reader_of(getenv("READER")))) abort();
    try_one(r, (struct str){(const char *)data, n});
    if (problem) abort();
    return 0;
}
#else

/* ---- the driver ---- */

static struct shared {
    size_t runs, counts[ARRAY_LEN(readers)];
    const struct reader *reader;
    struct randomness random;
    struct text input;
    char problem[128];
} * shared;

static size_t most = SIZE_MAX;
static time_t end;
static const struct reader *only;
static const char *save, *corpus;
static struct seeds seeds[ARRAY_LEN(readers)];

static void say(const char *what) {
    snprintf(shared->problem, sizeof shared->problem, "%s", what);
}

/* Of the seed alone, so that what fails on one machine fails on all. */
static size_t next_reader(void) {
    size_t all = 0, i = 0;
    for (size_t k = 0; k < ARRAY_LEN(readers); k++) all += readers[k].share;
    for (size_t at = random_below(&shared->random, all); at >= readers[i].share; i++)
        at -= readers[i].share;
    return i;
}

/* Of the processor; of the clock, ten times that, as others may be at work. */
static void limit_time(time_t seconds) {
    setitimer(ITIMER_PROF, &(struct itimerval){.it_value.tv_sec = seconds}, NULL);
    alarm((unsigned)seconds * 10);
}

static void read_corpus(size_t reader) {
    const char *at = arena_printf(&lasting, "%s/%s", corpus, readers[reader].name).p;
    struct dirent **names;
    int n = scandir(at, &names, NULL, alphasort);
    for (int i = 0; i < n; i++) {
        struct seed seed = {.language = CM_PYTHON};
        struct str error;
        const char *path = arena_printf(&lasting, "%s/%s", at, names[i]->d_name).p;
        if (names[i]->d_name[0] != '.' &&
            file_read(&lasting, path, MAX_TEXT, &seed.bytes, NULL, &error))
            vec_push(&lasting, &seeds[reader], seed);
        free(names[i]);
    }
    if (n >= 0) free(names);
}

static void gather_seeds(void) {
    for (size_t i = 0; i < ARRAY_LEN(readers); i++) {
        for (size_t k = 0; k < 4 && readers[i].seeds[k]; k++) {
            struct seed seed = {str_of(readers[i].seeds[k]), CM_PYTHON};
            vec_push(&lasting, &seeds[i], seed);
        }
        if (corpus) read_corpus(i);
    }
}

static bool write_seeds(const char *to) {
    struct str error;
    for (size_t i = 0; i < ARRAY_LEN(readers); i++)
        for (size_t k = 0; k < seeds[i].n; k++) {
            struct str path = arena_printf(&lasting, "%s/%s/%zu", to, readers[i].name, k);
            if (!file_make_parents(&lasting, path.p, &error) ||
                !file_create(&lasting, path.p, seeds[i].v[k].bytes, 0666, &error))
                return false;
        }
    return true;
}

/* In the child. What a reader leaves allocated goes with it. */
static void fuzz(void) {
    enum { RUNS_OF_A_CHILD = 5000 };
    for (int n = 0; n < RUNS_OF_A_CHILD && shared->runs < most && time(NULL) < end; n++) {
        size_t i = only ? (size_t)(only - readers) : next_reader();
        shared->reader = &readers[i];
        mutate(&shared->input, &seeds[i], &shared->random);
        shared->runs++;
        shared->counts[i]++;
        limit_time(MAX_RUN_SECONDS);
        try_one(&readers[i], (struct str){shared->input.p, shared->input.n});
        limit_time(0);
        if (problem) say(problem);
        if (problem) _exit(BROKEN);
    }
}

static bool survives(void (*what)(void)) {
    int status;
    fflush(NULL);
    pid_t child = fork();
    if (child == 0) {
        what();
        _exit(0);
    }
    if (child < 0) abort();
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFSIGNALED(status))
        say(WTERMSIG(status) == SIGALRM || WTERMSIG(status) == SIGPROF
                ? "it takes more than 10 seconds"
                : strsignal(WTERMSIG(status)));
    else if (WEXITSTATUS(status) && WEXITSTATUS(status) != BROKEN)
        say("it ends by itself");
    return status == 0;
}

static void replay_one(void) {
    try_one(shared->reader, (struct str){shared->input.p, shared->input.n});
    if (problem) say(problem);
    if (problem) _exit(BROKEN);
}

static int replay(char **paths) {
    int failures = 0;
    struct str bytes, error;
    for (; *paths; paths++) {
        if (!file_read(&lasting, *paths, MAX_TEXT, &bytes, NULL, &error)) return 2;
        text_set(&shared->input, bytes, CM_PYTHON);
        if (survives(replay_one)) continue;
        failures++;
        printf("FAILED %s: %s\n", *paths, shared->problem);
    }
    return failures > 0;
}

static void keep(size_t number) {
    struct str error;
    printf("FAILED run %zu, %s: %s\n", shared->runs, shared->reader->name, shared->problem);
    if (!save) return;
    struct str path = arena_printf(&lasting, "%s/%s-%zu", save, shared->reader->name, number);
    if (file_make_parents(&lasting, path.p, &error))
        file_create(&lasting, path.p, (struct str){shared->input.p, shared->input.n}, 0666,
                    &error);
}

/* What lies there, as it is. */
static size_t try_seeds(void) {
    size_t failures = 0;
    for (size_t i = 0; i < ARRAY_LEN(readers); i++)
        for (size_t k = 0; k < seeds[i].n && (!only || only == &readers[i]); k++) {
            shared->reader = &readers[i];
            text_set(&shared->input, seeds[i].v[k].bytes, CM_PYTHON);
            shared->counts[i]++;
            if (!survives(replay_one)) keep(failures++);
        }
    return failures;
}

static int run(void) {
    size_t failures = try_seeds();
    while (shared->runs < most && time(NULL) < end && failures < MAX_FAILURES)
        if (!survives(fuzz)) keep(failures++);
    for (size_t i = 0; i < ARRAY_LEN(readers); i++)
        printf("%s%s %zu", i ? ", " : "readers: ", readers[i].name, shared->counts[i]);
    printf("\nreaders: %d passed, %zu failed\n", !failures, failures);
    return failures > 0;
}

int main(int argc, char **argv) {
    int i = 1;
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED || !start()) return 2;
    end = time(NULL) + 24 * 60 * 60;
    for (; i + 1 < argc && argv[i][0] == '-'; i += 2) {
        const char *value = argv[i + 1];
        if (!strcmp(argv[i], "--seconds"))
            end = time(NULL) + atol(value);
        else if (!strcmp(argv[i], "--runs"))
            most = (size_t)atol(value);
        else if (!strcmp(argv[i], "--seed"))
            shared->random.state = (uint64_t)atol(value);
        else if (!strcmp(argv[i], "--save"))
            save = value;
        else if (!strcmp(argv[i], "--corpus"))
            corpus = value;
        else if (!strcmp(argv[i], "--seeds"))
            return gather_seeds(), write_seeds(value) ? 0 : 2;
        else if (!strcmp(argv[i], "--only") && (only = reader_of(value)))
            continue;
        else if (!strcmp(argv[i], "--replay") && (shared->reader = reader_of(value)))
            break;
        else
            return 2;
    }
    gather_seeds();
    int status = shared->reader ? replay(argv + i + 2) : run();
    stop();
    return status;
}
#endif
