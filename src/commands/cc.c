/* SPDX-License-Identifier: Apache-2.0 */
/* cc.c - the command cc, also called cmcc: nvcc's command line for the targets of this tool.
 *
 * nvcc compiles a source twice and puts both halves into one object; here it is ported and
 * compiled once. Phases that only nvcc has, such as linking device code, have nothing to do, but
 * make what a build waits for. */
#include "commands/cc.h"
#include "base/file.h"
#include "cli/target_names.h"
#include "commands/cache.h"
#include "commands/python.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- what it works with ---- */

static int fatal(struct cc *cc, struct str sentence) {
    stream_printf(cc->cli->err, "cmcc fatal   : %.*s\n", STR_ARG(sentence));
    return STATUS_FAILED;
}

static bool find_toolkit(struct cc *cc) {
    struct python_place place = {.cli = cc->cli};
    char real[PATH_MAX];
    if (!python_find_program(&place)) return false;
    const char *const tails[] = {"cuda", "../lib/cuda-morph/cuda"};
    for (size_t i = 0; i < ARRAY_LEN(tails) && !cc->toolkit; i++) {
        const char *path = arena_printf(cc->a, "%s/%s", place.directory, tails[i]).p;
        const char *inside = arena_printf(cc->a, "%s/include/cuda_morph", path).p;
        if (access(inside, F_OK) != 0 || !realpath(path, real)) continue;
        cc->toolkit = arena_strdup(cc->a, str_of(real));
        if (realpath(inside, real)) cc->own = arena_printf(cc->a, "%s/", real);
    }
    if (cc->toolkit) return true;
    cli_error(cc->cli,
              "the headers and libraries of cc are missing: neither %s/%s nor %s/%s is there",
              place.directory, tails[0], place.directory, tails[1]);
    return false;
}

static struct str asked_target(struct cc *cc) {
    if (cc->line.target.n) return cc->line.target;
    const char *variable = getenv("CUDA_MORPH_TARGET");
    return variable && *variable ? str_of(variable) : target_name(default_target("run"));
}

/* The C++ compiler that goes with a C compiler: builds name gcc, and nvcc takes it for both. */
static struct str for_cxx(struct arena *a, struct str path) {
    static const struct nv_pair names[] = {
        {{"gcc", 3}, {"g++", 3}}, {{"clang", 5}, {"clang++", 7}}, {{"cc", 2}, {"c++", 3}}};
    size_t slash = path.n;
    while (slash > 0 && path.p[slash - 1] != '/') slash--;
    struct str folder = str_sub(path, 0, slash), base = str_sub(path, slash, path.n);
    if (str_find(base, S("++"), 0) < base.n) return path;
    for (size_t i = 0; i < ARRAY_LEN(names); i++) {
        size_t at = str_find(base, names[i].name, 0);
        if (at == base.n) continue;
        struct str rest = str_sub(base, at + names[i].name.n, base.n);
        return arena_printf(a, "%.*s%.*s%.*s%.*s", STR_ARG(folder), STR_ARG(str_sub(base, 0, at)),
                            STR_ARG(names[i].value), STR_ARG(rest));
    }
    return path;
}

/* Words that are one compiler's alone, icpx:-fsycl, for the one that was found. */
static void keep_words(struct cc *cc, nv_words *words) {
    const char *slash = strrchr(cc->compiler, '/');
    struct str base = str_of(slash ? slash + 1 : cc->compiler);
    size_t n = 0;
    for (size_t i = 0; i < words->n; i++) {
        struct str word = words->v[i];
        size_t colon = str_find(word, S(":-"), 0);
        if (colon < word.n && word.p[0] != '-') {
            if (!str_starts(base, str_sub(word, 0, colon))) continue;
            word = str_sub(word, colon + 1, word.n);
        }
        words->v[n++] = word;
    }
    words->n = n;
}

static bool find_usual_compiler(struct cc *cc) {
    for (size_t i = 0; i < cc->table.target.compilers.n && !cc->compiler; i++)
        cc->compiler = program_in_path(cc->a, cc->table.target.compilers.v[i].p);
    return cc->compiler != NULL;
}

/* -ccbin g++-4.8, the last that an early toolkit took: here any release does. */
static bool is_release(struct str path) {
    size_t slash = path.n;
    while (slash > 0 && path.p[slash - 1] != '/') slash--;
    struct str base = str_sub(path, slash, path.n);
    return base.n && strchr("0123456789", base.p[base.n - 1]) &&
           str_find(base, S("g"), 0) < base.n;
}

static bool find_compiler(struct cc *cc) {
    struct str named = cc->line.compiler;
    const char *variable = getenv("NVCC_CCBIN");
    struct stat st;
    if (!named.n && variable && *variable) named = str_of(variable);
    if (!named.n) {
        if (find_usual_compiler(cc)) return true;
        struct str first = cc->table.target.compilers.v[0];
        cli_error(cc->cli, "no compiler was found for target '%.*s': %.*s is not in PATH%s",
                  STR_ARG(cm_target_name(cc->target)), STR_ARG(first),
                  str_is(first, "g++") ? " (Debian: apt-get install g++)" : "");
        return false;
    }
    named = str_of(arena_strdup(cc->a, named));
    if (stat(named.p, &st) == 0 && S_ISDIR(st.st_mode))
        named = arena_printf(cc->a, "%.*s/%.*s", STR_ARG(named),
                             STR_ARG(cc->table.target.compilers.v[0]));
    cc->compiler = program_in_path(cc->a, for_cxx(cc->a, named).p);
    if (!cc->compiler) cc->compiler = program_in_path(cc->a, named.p);
    if (cc->compiler) return true;
    if (!is_release(named) || !find_usual_compiler(cc)) {
        cli_error(cc->cli, "there is no host compiler '%.*s'", STR_ARG(named));
        return false;
    }
    if (!cc->line.quiet)
        stream_printf(cc->cli->err, "cmcc warning : there is no host compiler '%.*s': %s is it\n",
                      STR_ARG(named), cc->compiler);
    return true;
}

static void find_identity(struct cc *cc) {
    struct buf b;
    struct cache_stat st = {0};
    buf_init(&b, cc->a);
    cache_add_program(&b);
    cache_stat(cc->compiler, &st);
    buf_printf(&b, "%016llx %.*s %s %llu %lld;", (unsigned long long)cm_session_hash(cc->session),
               STR_ARG(cm_target_name(cc->target)), cc->compiler, (unsigned long long)st.size,
               (long long)st.mtime_ns);
    cc->identity = buf_str(&b);
}

bool cc_prepare(struct cc *cc) {
    struct str error, name = asked_target(cc);
    struct cm_options options = {.port.sycl_kernels = true};
    cc->session = cm_session_new(cc->a, &options, &error);
    if (cc->session) cc->target = cm_session_target(cc->session, name);
    if (!cc->target) {
        fatal(cc, arena_printf(cc->a, "there is no target '%.*s'", STR_ARG(name)));
        return false;
    }
    if (!nv_table_read(&cc->table, cc->a, cm_target_name(cc->target), &error)) {
        fatal(cc, error);
        return false;
    }
    if (!cc->table.has_target) {
        fatal(cc, arena_printf(cc->a,
                               "cc does not compile for target '%.*s': its sources are compiled "
                               "with the vendor's tools, after cuda-morph port",
                               STR_ARG(name)));
        return false;
    }
    cc->workspace = cm_workspace_new();
    if (!cc->workspace || !find_toolkit(cc) || !find_compiler(cc)) return false;
    keep_words(cc, &cc->table.target.flags);
    keep_words(cc, &cc->table.target.link);
    find_identity(cc);
    cc->cache = cache_folder(cc->a, "cc");
    if (!cc->cache) cc->cache = cc_scratch(cc);
    return cc->cache != NULL;
}

void cc_finish(struct cc *cc) {
    cc_clean_up(cc);
    if (cc->workspace) cm_workspace_free(cc->workspace);
    cc->workspace = NULL;
}

/* ---- names of what is made ---- */

static struct str output_for(struct cc *cc, struct str source, const char *end) {
    size_t slash = source.n, dot;
    while (slash > 0 && source.p[slash - 1] != '/') slash--;
    struct str base = str_sub(source, slash, source.n), folder = cc->line.output_directory;
    for (dot = base.n; dot > 0 && base.p[dot - 1] != '.'; dot--) continue;
    if (dot) base.n = dot - 1;
    return arena_printf(cc->a, "%.*s%s%.*s%s", STR_ARG(folder), folder.n ? "/" : "", STR_ARG(base),
                        end);
}

/* ---- phases ---- */

static int each_source(struct cc *cc) {
    const struct nv_line *l = &cc->line;
    int status = 0;
    if (l->output.n && l->sources.n > 1)
        return fatal(cc, S("one output cannot be made of several sources"));
    for (size_t i = 0; i < l->sources.n && status == 0; i++) {
        const struct nv_source *s = &l->sources.v[i];
        struct str object = l->output.n ? l->output : output_for(cc, s->path, ".o");
        if (l->phase == NV_TO_OBJECT)
            status = cc_object(cc, s, object, object);
        else if (l->phase == NV_TO_MODULE)
            status = cc_other(cc, s, l->output.n ? l->output : output_for(cc, s->path, ".ptx"));
        else
            status = cc_other(cc, s, l->output);
    }
    return status;
}

/* The words of the link line, with an object for each source; false after a message. */
static bool link_words(struct cc *cc, nv_words *out, int *status) {
    const struct nv_line *l = &cc->line;
    const char *scratch = l->sources.n ? cc_scratch(cc) : "";
    size_t next = 0;
    if (!scratch) return false;
    for (size_t i = 0; i < l->link.n; i++) {
        struct str word = l->link.v[i], why = {NULL, 0};
        if (!word.p) {
            const struct nv_source *s = &l->sources.v[next];
            word = arena_printf(cc->a, "%s%zu.o", scratch, next++);
            *status = cc_object(cc, s, word, output_for(cc, s->path, ".o"));
            if (*status) return false;
        } else if (str_starts(word, S("-l"))) {
            struct str name = str_sub(word, 2, word.n);
            struct str instead = nv_library(&cc->table.target, name, &why);
            if (why.p)
                stream_printf(cc->cli->err, "cmcc warning : -l%.*s is left out: %.*s\n",
                              STR_ARG(name), STR_ARG(why));
            if (!instead.n) continue;
            word = arena_printf(cc->a, "-l%.*s", STR_ARG(instead));
        }
        vec_push(cc->a, out, word);
    }
    return true;
}

enum { LINK_FILE, LINK_OPTION, LINK_FOLDER, LINK_LIBRARY, LINK_KINDS };

static int link_kind(struct str word) {
    if (str_starts(word, S("-l"))) return LINK_LIBRARY;
    if (str_starts(word, S("-L"))) return LINK_FOLDER;
    return word.n && word.p[0] == '-' ? LINK_OPTION : LINK_FILE;
}

/* nvcc's order: files, the linker's options, folders, libraries. So `-lpng main.cu` links. */
static void add_in_order(struct cc *cc, nv_words *out, const nv_words *in) {
    for (int kind = 0; kind < LINK_KINDS; kind++)
        for (size_t i = 0; i < in->n; i++) {
            bool pair = str_is(in->v[i], "-Xlinker") && i + 1 < in->n;
            if (link_kind(in->v[i]) == kind) {
                vec_push(cc->a, out, in->v[i]);
                if (pair) vec_push(cc->a, out, in->v[i + 1]);
            }
            i += pair;
        }
}

static int archive(struct cc *cc) {
    nv_words words = {0}, objects = {0};
    int status = STATUS_FAILED;
    struct str output = cc->line.output.n ? cc->line.output : S("a.a");
    if (!link_words(cc, &objects, &status)) return status;
    vec_push(cc->a, &words, (cc->line.archiver.n ? cc->line.archiver : S("ar")));
    vec_push(cc->a, &words, S("rcs"));
    for (size_t i = 0; i < cc->line.archive.n; i++) vec_push(cc->a, &words, cc->line.archive.v[i]);
    vec_push(cc->a, &words, output);
    for (size_t i = 0; i < objects.n; i++)
        if (objects.v[i].p[0] != '-') vec_push(cc->a, &words, objects.v[i]);
    if (!cc->line.dry_run) unlink(arena_strdup(cc->a, output));
    return cc_run(cc, &words, NULL);
}

static int link_program(struct cc *cc, struct str *output) {
    nv_words words = {0}, objects = {0};
    const struct nv_line *l = &cc->line;
    int status = STATUS_FAILED;
    *output = l->output.n ? l->output : S("a.out");
    if (!link_words(cc, &objects, &status)) return status;
    if (l->syntax_only) return 0;
    vec_push(cc->a, &words, str_of(cc->compiler));
    for (size_t i = 0; i < l->host.n; i++) vec_push(cc->a, &words, l->host.v[i]);
    if (l->shared) vec_push(cc->a, &words, S("-shared"));
    vec_push(cc->a, &words, S("-Wl,--start-group"));
    add_in_order(cc, &words, &objects);
    vec_push(cc->a, &words, S("-Wl,--end-group"));
    vec_push(cc->a, &words, arena_printf(cc->a, "-L%s/lib64", cc->toolkit));
    for (size_t i = 0; l->sanitize && i < cc->table.target.sanitize_link.n; i++)
        vec_push(cc->a, &words, cc->table.target.sanitize_link.v[i]);
    for (size_t i = 0; i < cc->table.target.link.n; i++)
        vec_push(cc->a, &words, cc->table.target.link.v[i]);
    vec_push(cc->a, &words, S("-o"));
    vec_push(cc->a, &words, *output);
    return cc_run(cc, &words, NULL);
}

static int run_program(struct cc *cc, struct str program) {
    nv_words words = {0};
    bool has_folder = str_find(program, S("/"), 0) < program.n;
    vec_push(cc->a, &words,
             arena_printf(cc->a, "%s%.*s", has_folder ? "" : "./", STR_ARG(program)));
    for (size_t i = 0; i < cc->line.run_arguments.n; i++)
        vec_push(cc->a, &words, cc->line.run_arguments.v[i]);
    return cc_run(cc, &words, NULL);
}

/* Nothing is linked apart for a device: the object that a build waits for is empty. */
static int link_device(struct cc *cc) {
    nv_words words = {0};
    struct str output = cc->line.output.n ? cc->line.output : S("a_dlink.o");
    const struct str all[] = {str_of(cc->compiler), S("-x"), S("c++"), S("-c"),
                              S("/dev/null"),       S("-o"), output};
    for (size_t i = 0; i < ARRAY_LEN(all); i++) vec_push(cc->a, &words, all[i]);
    return cc_run(cc, &words, NULL);
}

static int clean(struct cc *cc) {
    const struct nv_line *l = &cc->line;
    if (l->output.n) unlink(arena_strdup(cc->a, l->output));
    for (size_t i = 0; i < l->sources.n && !l->output.n; i++)
        unlink(output_for(cc, l->sources.v[i].path, ".o").p);
    if (!l->output.n && l->phase == NV_TO_PROGRAM) unlink("a.out");
    return 0;
}

static int do_phase(struct cc *cc) {
    struct str program;
    int status;
    if (cc->line.clean) return clean(cc);
    switch (cc->line.phase) {
    case NV_TO_ARCHIVE:
        return archive(cc);
    case NV_TO_DEVICE_LINK:
        return link_device(cc);
    case NV_TO_PROGRAM:
        status = link_program(cc, &program);
        return status == 0 && cc->line.run ? run_program(cc, program) : status;
    default:
        return each_source(cc);
    }
}

/* ---- answers ---- */

static int print_version(struct cc *cc) {
    stream_printf(cc->cli->out, "cmcc: cuda-morph " CM_VERSION ", in the place of\n%.*s\n",
                  STR_ARG(cc->table.version));
    return 0;
}

static int print_list(struct cc *cc, const char *prefix) {
    for (size_t i = 0; i < cc->table.architectures.n; i++)
        stream_printf(cc->cli->out, "%s%.*s\n", prefix, STR_ARG(cc->table.architectures.v[i]));
    return 0;
}

static int print_options(struct cc *cc) {
    print_help(cc->cli);
    stream_addz(cc->cli->out, "\nThe options of NVCC-OPTIONS:\n");
    for (size_t i = 0; i < cc->table.options.n; i++) {
        const struct nv_option *o = &cc->table.options.v[i];
        stream_printf(cc->cli->out, "--%.*s%s", STR_ARG(o->name),
                      o->takes == NV_ONE    ? " <value>"
                      : o->takes == NV_LIST ? " <value>,..."
                                            : "");
        if (o->letters.n && !str_eq(o->letters, o->name))
            stream_printf(cc->cli->out, "  (-%.*s)", STR_ARG(o->letters));
        if (o->does == NV_REFUSE) stream_printf(cc->cli->out, "  refused: %.*s", STR_ARG(o->why));
        stream_addz(cc->cli->out, o->does == NV_HARMLESS ? "  does nothing here\n" : "\n");
    }
    return 0;
}

/* What builds read of nvcc's own steps: where the toolkit is, and what is linked. */
static void show_settings(struct cc *cc) {
    const char *t = cc->toolkit;
    cc_show(cc, arena_printf(cc->a, "TOP=%s", t));
    cc_show(cc, arena_printf(cc->a, "NVVMIR_LIBRARY_DIR=%s/nvvm/libdevice", t));
    cc_show(cc, arena_printf(cc->a, "PATH=%s/bin:%s", t, getenv("PATH") ? getenv("PATH") : ""));
    cc_show(cc, arena_printf(cc->a, "INCLUDES=-I%s/include", t));
    cc_show(cc, arena_printf(cc->a, "LIBRARIES=-L%s/lib64", t));
    cc_show(cc, arena_printf(cc->a, "port -arch compute_%.*s",
                             STR_ARG(cc->table.default_architecture)));
}

/* ---- the command ---- */

static void add_variable(struct cc *cc, const char *name, nv_words *words) {
    const char *value = getenv(name);
    if (value) nv_split_words(cc->a, str_of(value), words);
}

static int run_line(struct cc *cc) {
    const struct nv_line *l = &cc->line;
    if (l->help) return print_options(cc);
    if (l->version) return print_version(cc);
    if (l->list_code) return print_list(cc, "sm_");
    if (l->list_architectures) return print_list(cc, "compute_");
    if (l->refused.n) return fatal(cc, l->refused);
    if (!cc_prepare(cc)) return STATUS_FAILED;
    if (l->verbose || l->dry_run) show_settings(cc);
    if (l->stray.n)
        return fatal(cc,
                     arena_printf(cc->a, "Don't know what to do with '%.*s'", STR_ARG(l->stray)));
    if (!l->link.n)
        return fatal(cc, S("No input files specified; use option --help for more information"));
    return do_phase(cc);
}

int command_cc(struct cli *cli) {
    struct cc *cc = NEW(cli->a, struct cc);
    struct str error;
    nv_words words = {0};
    *cc = (struct cc){.cli = cli, .a = cli->a};
    if (!nv_table_read(&cc->table, cc->a, S(""), &error)) return fatal(cc, error);
    add_variable(cc, "NVCC_PREPEND_FLAGS", &words);
    for (size_t i = 0; i < cli->operands.n; i++) vec_push(cc->a, &words, cli->operands.v[i]);
    add_variable(cc, "NVCC_APPEND_FLAGS", &words);
    nv_read(&cc->line, &cc->table, cc->a, words);
    const char *watched = getenv("CUDA_MORPH_SANITIZE");
    cc->line.sanitize |= watched && *watched && strcmp(watched, "0") != 0;
    int status = run_line(cc);
    cc_finish(cc);
    return status;
}
