/* SPDX-License-Identifier: Apache-2.0 */
/* read.c - the words of a command line as struct nv_line.
 *
 * nvcc takes each option by its long or short name, with one dash or two, its value behind = or as
 * the next word, and lists with commas. Which option does what stands in the table alone. */
#include "base/file.h"
#include "nvcc/nvcc.h"

enum { MAX_OPTIONS_FILE = 1 << 24, MAX_NESTING = 8 };

struct reader {
    struct nv_line *line;
    struct arena *a;
    const nv_words *words;
    size_t at;
    enum nv_language language;
    int depth; /* of files of options */
};

static void read_all(struct reader *r, const nv_words *words);

/* ---- words ---- */

void nv_split_words(struct arena *a, struct str text, nv_words *out) {
    struct buf b;
    char quote = 0;
    bool any = false;
    buf_init(&b, a);
    for (size_t i = 0; i <= text.n; i++) {
        char c = i < text.n ? text.p[i] : '\0';
        if (i == text.n || (!quote && strchr(" \t\r\n", c))) {
            struct str word = arena_str(a, buf_str(&b));
            if (any) vec_push(a, out, word);
            b.n = 0;
            any = false;
            continue;
        }
        any = true;
        if (c == '\\' && quote != '\'' && i + 1 < text.n)
            buf_addc(&b, text.p[++i]);
        else if (quote ? c == quote : c == '"' || c == '\'')
            quote = quote ? 0 : c;
        else
            buf_addc(&b, c);
    }
}

/* The elements of a list: commas part them, but for those behind a backslash or in quotes. */
static void split_list(struct arena *a, struct str list, nv_words *out) {
    struct buf b;
    char quote = 0;
    buf_init(&b, a);
    for (size_t i = 0; i <= list.n; i++) {
        char c = i < list.n ? list.p[i] : '\0';
        if (i == list.n || (c == ',' && !quote)) {
            struct str word = arena_str(a, buf_str(&b));
            if (word.n) vec_push(a, out, word);
            b.n = 0;
            continue;
        }
        if (c == '\\' && i + 1 < list.n && list.p[i + 1] == ',')
            c = list.p[++i];
        else if (quote ? c == quote : c == '"' || c == '\'')
            quote = quote ? 0 : c;
        buf_addc(&b, c);
    }
}

static void add(struct reader *r, nv_words *to, struct str word) { vec_push(r->a, to, word); }

static void add_pair(struct reader *r, nv_words *to, const char *flag, struct str value) {
    add(r, to, str_of(flag));
    add(r, to, value);
}

/* The first refusal is the one that is told. */
static void refuse(struct reader *r, struct str sentence) {
    if (!r->line->refused.n) r->line->refused = sentence;
}

/* ---- files ---- */

enum nv_language nv_language_of(struct str path) {
    static const struct {
        const char *end;
        enum nv_language language;
    } ends[] = {{".cu", NV_CU},     {".c", NV_C},        {".cc", NV_CXX},   {".cpp", NV_CXX},
                {".cxx", NV_CXX},   {".C", NV_CXX},      {".ii", NV_CXX},   {".i", NV_C},
                {".o", NV_OBJECT},  {".obj", NV_OBJECT}, {".a", NV_OBJECT}, {".so", NV_OBJECT},
                {".lo", NV_OBJECT}, {".lib", NV_OBJECT}, {".c++", NV_CXX},  {".CPP", NV_CXX},
                {".ld", NV_OBJECT}};
    size_t slash = path.n;
    while (slash > 0 && path.p[slash - 1] != '/') slash--;
    struct str name = str_sub(path, slash, path.n);
    for (size_t i = 0; i < ARRAY_LEN(ends); i++)
        if (str_ends(name, str_of(ends[i].end))) return ends[i].language;
    return str_find(name, S(".so."), 0) < name.n ? NV_OBJECT : NV_BY_NAME;
}

static void add_file(struct reader *r, struct str path) {
    enum nv_language language = nv_language_of(path);
    if (r->language != NV_BY_NAME && language != NV_OBJECT) language = r->language;
    if (language == NV_BY_NAME && file_exists(NULL, path)) language = NV_OBJECT;
    if (language == NV_BY_NAME) {
        if (!r->line->stray.n) r->line->stray = path;
        return;
    }
    struct nv_source source = {path, language};
    if (language != NV_OBJECT) vec_push(r->a, &r->line->sources, source);
    add(r, &r->line->link, language == NV_OBJECT ? path : (struct str){NULL, 0});
}

static void read_options_file(struct reader *r, struct str path) {
    struct str text, error;
    nv_words words = {0};
    if (r->depth == MAX_NESTING) {
        refuse(r, S("files of options name each other without an end"));
    } else if (!file_read(r->a, arena_strdup(r->a, path), MAX_OPTIONS_FILE, &text, NULL, &error)) {
        refuse(r, error);
    } else {
        nv_split_words(r->a, text, &words);
        r->depth++;
        read_all(r, &words);
        r->depth--;
    }
}

/* ---- values ---- */

/* Options for the host's compiler: where they say where headers are, we have to know it, too. */
static void add_host_options(struct reader *r, struct str value) {
    nv_words pieces = {0}, words = {0};
    struct nv_line *l = r->line;
    split_list(r->a, value, &pieces);
    for (size_t i = 0; i < pieces.n; i++) nv_split_words(r->a, pieces.v[i], &words);
    for (size_t i = 0; i < words.n; i++) {
        struct str w = words.v[i];
        bool has_next = i + 1 < words.n;
        if (str_starts(w, S("-I")) && w.n > 2) {
            add_pair(r, &l->folders, "-I", str_sub(w, 2, w.n));
        } else if ((str_is(w, "-I") || str_is(w, "-isystem")) && has_next) {
            add_pair(r, &l->folders, w.p[1] == 'I' ? "-I" : "-isystem", words.v[++i]);
        } else if (str_is(w, "-iquote") && has_next) {
            add(r, &l->quotes, words.v[++i]);
        } else {
            add(r, &l->host, w);
        }
    }
}

static void set_language(struct reader *r, struct str value) {
    static const struct {
        const char *name;
        enum nv_language language;
    } names[] = {{"cu", NV_CU}, {"c++", NV_CXX}, {"c", NV_C}, {"none", NV_BY_NAME}};
    for (size_t i = 0; i < ARRAY_LEN(names); i++)
        if (str_is(value, names[i].name)) {
            r->language = names[i].language;
            return;
        }
    refuse(r, arena_printf(r->a, "'%.*s' is no language that is known here", STR_ARG(value)));
}

static void take_element(struct reader *r, const struct nv_option *o, struct str v) {
    struct nv_line *l = r->line;
    switch (o->does) {
    case NV_INCLUDE:
        add_pair(r, &l->folders, "-I", v);
        break;
    case NV_SYSTEM_INCLUDE:
        add_pair(r, &l->folders, "-isystem", v);
        break;
    case NV_PRE_INCLUDE:
        add(r, &l->pre_includes, v);
        break;
    case NV_DEFINE:
        add_pair(r, &l->defines, "-D", v);
        break;
    case NV_UNDEFINE:
        add_pair(r, &l->defines, "-U", v);
        break;
    case NV_LIBRARY:
        add(r, &l->link, arena_printf(r->a, "-l%.*s", STR_ARG(v)));
        break;
    case NV_LIBRARY_PATH:
        add(r, &l->link, arena_printf(r->a, "-L%.*s", STR_ARG(v)));
        break;
    case NV_LINKER_OPTIONS:
        add_pair(r, &l->link, "-Xlinker", v);
        break;
    case NV_ARCHIVE_OPTIONS:
        add(r, &l->archive, v);
        break;
    case NV_RUN_ARGUMENTS:
        add(r, &l->run_arguments, v);
        break;
    case NV_OPTIONS_FILE:
        read_options_file(r, v);
        break;
    case NV_WARNINGS_ARE_ERRORS:
        l->fatal_warnings |= str_is(v, "all-warnings");
        break;
    default:
        break;
    }
}

static void take_value(struct reader *r, const struct nv_option *o, struct str v) {
    struct nv_line *l = r->line;
    switch (o->does) {
    case NV_OUTPUT:
        l->output = v;
        break;
    case NV_OUTPUT_DIRECTORY:
        l->output_directory = v;
        break;
    case NV_LANGUAGE:
        set_language(r, v);
        break;
    case NV_STANDARD:
        l->standard = v;
        break;
    case NV_OPTIMIZE:
        l->optimize = v;
        break;
    case NV_HOST_COMPILER:
        l->compiler = v;
        break;
    case NV_ARCHIVER:
        l->archiver = v;
        break;
    case NV_DEPENDENCY_FILE:
        l->dependency_file = v;
        break;
    case NV_DEPENDENCY_TARGET:
        add(r, &l->dependency_targets, v);
        break;
    case NV_HOST_JOINED:
        add(r, &l->host, arena_concat(r->a, o->as, v));
        break;
    case NV_CONTRACT:
        add(r, &l->host, str_is(v, "false") ? S("-ffp-contract=off") : S("-ffp-contract=fast"));
        break;
    case NV_SANITIZE:
        l->sanitize = true;
        break;
    case NV_TARGET:
        l->target = v;
        break;
    default:
        break;
    }
}

/* ---- flags ---- */

static bool set_phase(struct nv_line *l, enum nv_action does) {
    static const struct {
        enum nv_action does;
        enum nv_phase phase;
    } phases[] = {{NV_COMPILE, NV_TO_OBJECT},  {NV_PREPROCESS, NV_TO_TEXT},
                  {NV_MODULE, NV_TO_MODULE},   {NV_DEVICE_LINK, NV_TO_DEVICE_LINK},
                  {NV_LINK, NV_TO_PROGRAM},    {NV_DEPENDENCIES, NV_TO_DEPENDENCIES},
                  {NV_ARCHIVE, NV_TO_ARCHIVE}, {NV_OWN_DEPENDENCIES, NV_TO_DEPENDENCIES}};
    for (size_t i = 0; i < ARRAY_LEN(phases); i++)
        if (phases[i].does == does) {
            l->phase = phases[i].phase;
            return true;
        }
    return false;
}

static void take_flag(struct reader *r, const struct nv_option *o) {
    struct nv_line *l = r->line;
    bool *const flags[NV_ACTIONS] = {
        [NV_WITH_DEPENDENCIES] = &l->with_dependencies,
        [NV_WITH_OWN_DEPENDENCIES] = &l->with_dependencies,
        [NV_DEPENDENCY_PHONY] = &l->dependency_phony,
        [NV_SHARED] = &l->shared,
        [NV_RUN] = &l->run,
        [NV_SYNTAX_ONLY] = &l->syntax_only,
        [NV_FORWARD_COMPILER] = &l->forward,
        [NV_FORWARD_LINKER] = &l->forward,
        [NV_DEVICE_DEBUG] = &l->device_debug,
        [NV_QUIET] = &l->quiet,
        [NV_DRY_RUN] = &l->dry_run,
        [NV_VERBOSE] = &l->verbose,
        [NV_CLEAN] = &l->clean,
        [NV_HELP] = &l->help,
        [NV_VERSION] = &l->version,
        [NV_LIST_CODE] = &l->list_code,
        [NV_LIST_ARCHITECTURES] = &l->list_architectures,
    };
    if (o->does == NV_WITH_OWN_DEPENDENCIES || o->does == NV_OWN_DEPENDENCIES) l->only_own = true;
    if (set_phase(l, o->does)) return;
    if (o->does == NV_HOST) add(r, &l->host, o->as);
    if (flags[o->does]) *flags[o->does] = true;
}

/* ---- options ---- */

/* The option that a word names, and its value, which follows a = or the letters, or p NULL. */
static const struct nv_option *find_option(const struct nv_table *t, struct str word,
                                           struct str *value) {
    const struct nv_option *joined = NULL;
    size_t equals = str_find(word, S("="), 0);
    struct str name = str_sub(word, 0, equals);
    *value = (struct str){NULL, 0};
    for (size_t i = 0; i < t->options.n; i++) {
        const struct nv_option *o = &t->options.v[i];
        if (str_eq(o->name, word) || (o->letters.n && str_eq(o->letters, word))) return o;
    }
    for (size_t i = 0; i < t->options.n; i++) {
        const struct nv_option *o = &t->options.v[i];
        if (equals < word.n && o->takes != NV_NOTHING &&
            (str_eq(o->name, name) || (o->letters.n && str_eq(o->letters, name)))) {
            *value = str_sub(word, equals + 1, word.n);
            return o;
        }
        if (o->joined && str_starts(word, o->letters)) joined = o;
    }
    if (joined) *value = str_sub(word, joined->letters.n, word.n);
    return joined;
}

static void read_option(struct reader *r, struct str word) {
    struct nv_line *l = r->line;
    struct str value, name = str_sub(word, word.p[1] == '-' ? 2 : 1, word.n);
    const struct nv_option *o = find_option(l->table, name, &value);
    if (o && o->joined && value.p && word.p[1] == '-' && !str_starts(name, o->name)) o = NULL;
    if (!o && l->forward) {
        add(r, &l->host, word);
        return;
    }
    if (!o || o->does == NV_REFUSE)
        refuse(r, o ? arena_printf(r->a, "%.*s cannot be done here: %.*s", STR_ARG(word),
                                   STR_ARG(o->why))
                    : arena_printf(r->a,
                                   "Unknown option '%.*s'; one for the host's compiler goes "
                                   "behind -Xcompiler",
                                   STR_ARG(word)));
    if (!o) return;
    if (o->takes == NV_NOTHING) {
        take_flag(r, o);
        return;
    }
    bool has_next = r->at < r->words->n;
    if (!value.p && o->does == NV_OPTIMIZE &&
        !(has_next && r->words->v[r->at].n == 1 && r->words->v[r->at].p[0] <= '9'))
        value = S("1"); /* -O alone */
    if (!value.p && !has_next) {
        refuse(r, arena_printf(r->a, "argument expected after '%.*s'", STR_ARG(word)));
        return;
    }
    if (!value.p) value = r->words->v[r->at++];
    if (o->does == NV_HOST_OPTIONS) {
        add_host_options(r, value);
    } else if (o->takes == NV_LIST) {
        nv_words elements = {0};
        split_list(r->a, value, &elements);
        for (size_t i = 0; i < elements.n; i++) take_element(r, o, elements.v[i]);
    } else {
        take_value(r, o, value);
    }
}

static void read_all(struct reader *r, const nv_words *words) {
    const nv_words *outer = r->words;
    size_t outer_at = r->at;
    r->words = words;
    for (r->at = 0; r->at < words->n;) {
        struct str word = words->v[r->at++];
        if (word.n > 1 && word.p[0] == '@')
            read_options_file(r, str_sub(word, 1, word.n));
        else if (word.n > 1 && word.p[0] == '-')
            read_option(r, word);
        else if (word.n)
            add_file(r, word);
    }
    r->words = outer;
    r->at = outer_at;
}

/* Options that come before the one that lets unknown ones through are let through as well. */
static bool forwards(const struct nv_table *t, const nv_words *words) {
    struct str value;
    for (size_t i = 0; i < words->n; i++) {
        struct str w = words->v[i];
        if (w.n < 3 || w.p[0] != '-') continue;
        const struct nv_option *o = find_option(t, str_sub(w, w.p[1] == '-' ? 2 : 1, w.n), &value);
        if (o && (o->does == NV_FORWARD_COMPILER || o->does == NV_FORWARD_LINKER)) return true;
    }
    return false;
}

void nv_read(struct nv_line *line, const struct nv_table *t, struct arena *a, nv_words words) {
    *line = (struct nv_line){.table = t, .a = a};
    line->forward = forwards(t, &words);
    struct reader r = {.line = line, .a = a};
    read_all(&r, &words);
}
