/* SPDX-License-Identifier: Apache-2.0 */
/* cc_object.c - compiles one source for cc, and keeps objects for the next build.
 *
 * An object is found again by all words of its compiler's line, and believed as long as every file
 * that the compiler read is what it was: its depfile names them. So the second build of an
 * unchanged tree starts no compiler. */
#include "base/file.h"
#include "commands/cache.h"
#include "commands/cc.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_OBJECT = 1 << 30, MAX_LIST = 1 << 26 };

struct compile {
    struct cc *cc;
    struct arena *a;
    struct cc_text text;
    struct str output, depfile; /* the second as the compiler writes it */
    struct str named;           /* what depfiles call what is made: the output, or what it is of */
    nv_words words;             /* without the places of what is made */
    nv_words read;              /* files that were read */
    const char *key;            /* path of the object in the cache, without its end */
};

/* ---- words ---- */

static void add(struct cc *cc, nv_words *to, struct str word) { vec_push(cc->a, to, word); }

static void add_all(struct cc *cc, nv_words *to, const nv_words *from) {
    for (size_t i = 0; i < from->n; i++) add(cc, to, from->v[i]);
}

/* The standard that is asked for; a higher one where our headers need it. */
static void add_standard(struct cc *cc, nv_words *to, bool is_c) {
    struct str asked = cc->line.standard, least = cc->table.target.least_standard;
    if (is_c) return;
    if (!asked.n) {
        if (least.n)
            add(cc, to, arena_printf(cc->a, "-std=gnu%.*s", STR_ARG(str_sub(least, 1, least.n))));
        return;
    }
    static const struct str early[] = {{"98", 2}, {"03", 2}, {"0x", 2},
                                       {"11", 2}, {"1y", 2}, {"14", 2}};
    bool too_early = false;
    for (size_t i = 0; i < ARRAY_LEN(early); i++) too_early |= str_ends(asked, early[i]);
    if (too_early && least.n) {
        asked = str_starts(asked, S("gnu"))
                    ? arena_printf(cc->a, "gnu%.*s", STR_ARG(str_sub(least, 1, least.n)))
                    : least;
        add(cc, to, S("-Wno-register"));
    }
    add(cc, to, arena_printf(cc->a, "-std=%.*s", STR_ARG(asked)));
}

static void add_folders(struct cc *cc, nv_words *to) {
    const nv_words *folders = &cc->line.folders;
    add(cc, to, S("-iquote"));
    add(cc, to, S("."));
    for (size_t i = 0; i < cc->line.quotes.n; i++) {
        add(cc, to, S("-iquote"));
        add(cc, to, cc->line.quotes.v[i]);
    }
    for (size_t i = 0; i + 1 < folders->n; i += 2) {
        if (nv_is_toolkit(&cc->table, cc->a, folders->v[i + 1])) continue;
        add(cc, to, folders->v[i]);
        add(cc, to, folders->v[i + 1]);
    }
    add(cc, to, S("-isystem"));
    add(cc, to, arena_printf(cc->a, "%s/include", cc->toolkit));
}

/* nvcc optimises kernels unless it is told not to, and here they are the host's code. */
static void add_optimization(struct cc *cc, nv_words *to) {
    const struct nv_line *l = &cc->line;
    if (l->device_debug) {
        add(cc, to, S("-g"));
        if (!l->optimize.n) add(cc, to, S("-O0"));
    }
    if (l->optimize.n)
        add(cc, to, arena_printf(cc->a, "-O%.*s", STR_ARG(l->optimize)));
    else if (!l->device_debug)
        add(cc, to, S("-O2"));
}

static void add_pre_includes(struct cc *cc, nv_words *to, const struct nv_source *source,
                             const struct cc_text *t) {
    const nv_words *names = &cc->line.pre_includes;
    struct nv_file here = {.path = S("")};
    if (source->language == NV_CU && cc->table.target.pre_include.n) {
        add(cc, to, S("-include"));
        add(cc, to, cc->table.target.pre_include);
    }
    for (size_t i = 0; i < names->n; i++) {
        uint32_t f = nv_included(&t->closure, &here, names->v[i], true);
        const struct nv_file *file = f == UINT32_MAX ? NULL : &t->closure.files.v[f];
        add(cc, to, S("-include"));
        add(cc, to, file && file->overlay.n ? file->overlay : names->v[i]);
    }
}

static void add_defines(struct cc *cc, nv_words *to, const nv_words *defines) {
    for (size_t i = 0; i < defines->n; i++)
        add(cc, to, arena_printf(cc->a, "-D%.*s", STR_ARG(defines->v[i])));
}

nv_words cc_compile_words(struct cc *cc, const struct nv_source *source, const struct cc_text *t) {
    nv_words w = {0};
    bool is_c = source->language == NV_C;
    add(cc, &w, str_of(cc->compiler));
    add(cc, &w, S("-x"));
    add(cc, &w, source->language == NV_CU ? cc->table.target.language : is_c ? S("c") : S("c++"));
    add_standard(cc, &w, is_c);
    if (source->language == NV_CU) add_all(cc, &w, &cc->table.target.flags);
    if (source->language == NV_CU) add_defines(cc, &w, &cc->table.target.cu_defines);
    add_defines(cc, &w, &cc->table.target.defines);
    add_optimization(cc, &w);
    if (cc->line.sanitize && !is_c) add_all(cc, &w, &cc->table.target.sanitize_flags);
    add_all(cc, &w, &cc->line.defines);
    add_folders(cc, &w);
    add_pre_includes(cc, &w, source, t);
    if (cc->line.quiet) add(cc, &w, S("-w"));
    if (cc->line.fatal_warnings) add(cc, &w, S("-Werror"));
    if (cc->line.syntax_only) add(cc, &w, S("-fsyntax-only"));
    add_all(cc, &w, &cc->line.host);
    return w;
}

/* ---- depfiles ---- */

/* The files that a depfile names behind its target, one by one. */
static void read_depfile(struct arena *a, struct str text, nv_words *out) {
    struct buf b;
    buf_init(&b, a);
    size_t at = str_find(text, S(": "), 0);
    for (at = at < text.n ? at + 2 : text.n; at <= text.n; at++) {
        char c = at < text.n ? text.p[at] : ' ', next = at + 1 < text.n ? text.p[at + 1] : '\0';
        if (c == '\\' && next == '\n') {
            at++;
            c = ' ';
        } else if ((c == '\\' && strchr(" #:", next)) || (c == '$' && next == '$')) {
            buf_addc(&b, next);
            at++;
            continue;
        }
        if (c != ' ' && c != '\n') {
            buf_addc(&b, c);
            continue;
        }
        struct str word = arena_str(a, buf_str(&b));
        if (word.n) vec_push(a, out, word);
        b.n = 0;
        if (c == '\n') break;
    }
}

static void add_escaped(struct buf *b, struct str path) {
    for (size_t i = 0; i < path.n; i++) {
        if (path.p[i] == ' ' || path.p[i] == '#') buf_addc(b, '\\');
        if (path.p[i] == '$') buf_addc(b, '$');
        buf_addc(b, path.p[i]);
    }
}

static bool is_systems(struct cc *cc, struct str path) {
    return str_starts(path, S("/usr/")) || str_starts(path, str_of(cc->toolkit)) ||
           str_starts(path, cc->own);
}

/* The rule that the user's build reads: the files by their own names, each once. */
static struct str depfile_text(struct compile *c) {
    const struct nv_line *l = &c->cc->line;
    nv_words names = {0};
    struct buf b;
    buf_init(&b, c->a);
    for (size_t i = 0; i < c->read.n; i++) {
        struct str name = cc_own_names(c->cc, &c->text, c->read.v[i]);
        bool skip = l->only_own && is_systems(c->cc, name);
        if (!skip && !str_among(names.v, names.n, name)) vec_push(c->a, &names, name);
    }
    for (size_t i = 0; i < l->dependency_targets.n; i++)
        buf_printf(&b, "%s%.*s", i ? " " : "", STR_ARG(l->dependency_targets.v[i]));
    if (!l->dependency_targets.n) add_escaped(&b, c->named);
    buf_addz(&b, ":");
    for (size_t i = 0; i < names.n; i++) {
        buf_addz(&b, " \\\n ");
        add_escaped(&b, names.v[i]);
    }
    buf_addc(&b, '\n');
    for (size_t i = 1; i < names.n && l->dependency_phony; i++) {
        buf_addc(&b, '\n');
        add_escaped(&b, names.v[i]);
        buf_addz(&b, ":\n");
    }
    return buf_str(&b);
}

static struct str with_ending(struct arena *a, struct str path, const char *end) {
    size_t n = path.n;
    while (n > 0 && path.p[n - 1] != '.' && path.p[n - 1] != '/') n--;
    if (n == 0 || path.p[n - 1] == '/') n = path.n + 1;
    return arena_printf(a, "%.*s%s", (int)(n - 1), path.p, end);
}

static int write_depfile(struct compile *c) {
    const struct nv_line *l = &c->cc->line;
    struct str error;
    if (!l->with_dependencies || l->dry_run) return 0;
    struct str path =
        l->dependency_file.n ? l->dependency_file : with_ending(c->a, c->named, ".d");
    if (file_create(c->a, arena_strdup(c->a, path), depfile_text(c), 0666, &error)) return 0;
    return cli_error(c->cc->cli, "%.*s", STR_ARG(error));
}

/* ---- objects of earlier builds ---- */

static void find_key(struct compile *c) {
    struct buf b;
    char *folder = getcwd(NULL, 0);
    buf_init(&b, c->a);
    buf_add(&b, c->cc->identity);
    buf_printf(&b, "%s;%.*s;", folder ? folder : "", STR_ARG(c->text.source));
    free(folder);
    for (size_t i = 0; i < c->words.n; i++)
        buf_printf(&b, "%zu:%.*s", c->words.v[i].n, STR_ARG(c->words.v[i]));
    struct hash128 h = hash128(buf_str(&b));
    c->key = arena_printf(c->a, "%s%016llx%016llx", c->cc->cache, (unsigned long long)h.v[0],
                          (unsigned long long)h.v[1])
                 .p;
}

static const char *part(struct compile *c, const char *end) {
    return arena_printf(c->a, "%s%s", c->key, end).p;
}

/* A line of the list: size and time of a file, then its path. Texts of the overlay are known by
 * their names. */
static void describe(struct compile *c, struct buf *b, struct str path) {
    struct cache_stat st;
    bool own = c->text.folder.n && str_starts(path, c->text.folder);
    if (own || !cache_stat(arena_strdup(c->a, path), &st)) st = (struct cache_stat){0};
    buf_printf(b, "%llu %lld %.*s\n", (unsigned long long)st.size, (long long)st.mtime_ns,
               STR_ARG(path));
}

static bool is_unchanged(struct compile *c, struct str list) {
    for (size_t at = 0, end; at < list.n; at = end + 1) {
        struct buf now;
        end = str_find(list, S("\n"), at);
        struct str line = str_sub(list, at, end);
        size_t first = str_find(line, S(" "), 0) + 1;
        size_t path = first < line.n ? str_find(line, S(" "), first) + 1 : line.n;
        if (path >= line.n) return false;
        struct str name = arena_str(c->a, str_sub(line, path, line.n));
        buf_init(&now, c->a);
        describe(c, &now, name);
        if (!str_eq(str_sub(buf_str(&now), 0, now.n - 1), line)) return false;
        vec_push(c->a, &c->read, name);
    }
    return true;
}

static bool take_from_cache(struct compile *c, struct str *errors) {
    struct str list, object, error;
    if (c->cc->line.dry_run || !file_read(c->a, part(c, ".list"), MAX_LIST, &list, NULL, &error) ||
        !is_unchanged(c, list) ||
        !file_read(c->a, part(c, ".text"), MAX_LIST, errors, NULL, &error) ||
        !file_read(c->a, part(c, ".o"), MAX_OBJECT, &object, NULL, &error)) {
        c->read.n = 0;
        return false;
    }
    static const char *const parts[] = {".list", ".text", ".o"};
    for (size_t i = 0; i < ARRAY_LEN(parts); i++) cc_used(part(c, parts[i]));
    return file_create(c->a, arena_strdup(c->a, c->output), object, 0666, &error);
}

static void put_into_cache(struct compile *c, struct str errors) {
    struct str object, error;
    struct buf list;
    buf_init(&list, c->a);
    for (size_t i = 0; i < c->read.n; i++) describe(c, &list, c->read.v[i]);
    const char *output = arena_strdup(c->a, c->output);
    if (!file_read(c->a, output, MAX_OBJECT, &object, NULL, &error)) return;
    if (file_create(c->a, part(c, ".o"), object, 0600, &error) &&
        file_create(c->a, part(c, ".text"), errors, 0600, &error))
        file_create(c->a, part(c, ".list"), buf_str(&list), 0600, &error);
}

/* ---- compiling ---- */

static void say(struct compile *c, struct str errors) {
    if (!c->cc->line.quiet) stream_add(c->cc->cli->err, c->text.messages);
    stream_add(c->cc->cli->err, cc_own_names(c->cc, &c->text, errors));
}

static bool prepare(struct compile *c, const struct nv_source *source) {
    if (!cc_port(c->cc, source, &c->text)) return false;
    if (c->cc->line.fatal_warnings && c->text.n_messages && !c->cc->line.dry_run) {
        say(c, S(""));
        return false;
    }
    c->words = cc_compile_words(c->cc, source, &c->text);
    return true;
}

/* Runs the compiler with more words; what it says goes to *errors. */
static int compile(struct compile *c, const nv_words *more, struct str *errors) {
    const char *scratch = cc_scratch(c->cc);
    struct str error;
    nv_words words = {0};
    *errors = S("");
    if (!scratch) return STATUS_FAILED;
    add_all(c->cc, &words, &c->words);
    if (c->cc->cli->err->color) add(c->cc, &words, S("-fdiagnostics-color=always"));
    add_all(c->cc, &words, more);
    const char *file = arena_printf(c->a, "%serrors", scratch).p;
    int status = cc_run(c->cc, &words, file);
    if (!c->cc->line.dry_run) file_read(c->a, file, MAX_LIST, errors, NULL, &error);
    return status;
}

static void learn_read(struct compile *c) {
    struct str text, error;
    if (!c->cc->line.dry_run &&
        file_read(c->a, arena_strdup(c->a, c->depfile), MAX_LIST, &text, NULL, &error))
        read_depfile(c->a, text, &c->read);
}

int cc_object(struct cc *cc, const struct nv_source *source, struct str output, struct str named) {
    struct compile c = {.cc = cc, .a = cc->a, .output = output, .named = named};
    struct str errors;
    nv_words more = {0};
    if (!prepare(&c, source)) return STATUS_FAILED;
    find_key(&c);
    if (take_from_cache(&c, &errors)) {
        say(&c, errors);
        return write_depfile(&c);
    }
    const char *scratch = cc_scratch(cc);
    if (!scratch) return STATUS_FAILED;
    c.depfile = arena_printf(c.a, "%sdepfile", scratch);
    const struct str last[] = {S("-MD"),      S("-MF"), c.depfile, S("-c"),
                               c.text.source, S("-o"),  output};
    for (size_t i = 0; i < ARRAY_LEN(last); i++) add(cc, &more, last[i]);
    int status = compile(&c, &more, &errors);
    say(&c, errors);
    if (status != 0) return status;
    learn_read(&c);
    if (!cc->line.dry_run && !cc->line.syntax_only && c.read.n) {
        put_into_cache(&c, errors);
        cc_evict(cc);
    }
    return write_depfile(&c);
}

/* What the compiler made, with the user's names, to where it was asked for. */
static int deliver(struct compile *c, struct str text) {
    struct str error;
    text = cc_own_names(c->cc, &c->text, text);
    if (!c->output.n)
        stream_add(c->cc->cli->out, text);
    else if (!file_create(c->a, arena_strdup(c->a, c->output), text, 0666, &error))
        return cli_error(c->cc->cli, "%.*s", STR_ARG(error));
    return 0;
}

/* -E and -M. */
static int text_of(struct compile *c, bool dependencies) {
    struct str errors, text, error;
    nv_words more = {0};
    const char *scratch = cc_scratch(c->cc);
    if (!scratch) return STATUS_FAILED;
    struct str made = arena_printf(c->a, "%stext", scratch);
    const struct str last[] = {dependencies ? S("-M") : S("-E"), c->text.source,
                               dependencies ? S("-MF") : S("-o"), made};
    for (size_t i = 0; i < ARRAY_LEN(last); i++) add(c->cc, &more, last[i]);
    int status = compile(c, &more, &errors);
    say(c, errors);
    if (status != 0 || c->cc->line.dry_run) return status;
    if (!file_read(c->a, made.p, MAX_OBJECT, &text, NULL, &error))
        return cli_error(c->cc->cli, "%.*s", STR_ARG(error));
    if (!dependencies) return deliver(c, text);
    read_depfile(c->a, text, &c->read);
    c->named = with_ending(c->a, c->text.closure.files.v[0].path, ".o");
    return deliver(c, depfile_text(c));
}

/* A module: kernels that are loaded by name. Nothing else of it can be seen. */
static int module_of(struct compile *c) {
    struct str errors;
    nv_words more = {0};
    const struct str last[] = {S("-shared"),     S("-fPIC"),    S("-Wl,-Bsymbolic"),
                               S("-DCM_MODULE"), S("-include"), S("cuda_morph/module.h"),
                               c->text.source,   S("-o"),       c->output};
    for (size_t i = 0; i < ARRAY_LEN(last); i++) add(c->cc, &more, last[i]);
    int status = compile(c, &more, &errors);
    say(c, errors);
    return status;
}

int cc_other(struct cc *cc, const struct nv_source *source, struct str output) {
    struct compile c = {.cc = cc, .a = cc->a, .output = output};
    if (!prepare(&c, source)) return STATUS_FAILED;
    if (cc->line.phase == NV_TO_MODULE) return module_of(&c);
    return text_of(&c, cc->line.phase == NV_TO_DEPENDENCIES);
}
