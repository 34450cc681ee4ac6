/* SPDX-License-Identifier: Apache-2.0 */
/* flags.c - words of a command line, and the table that says which of them libclang is told.
 *
 * A compile_commands.json comes with the tree, and clang has flags that write files, load
 * libraries and print. So the table is an allow list: what has no row is refused, after every
 * wrapping is taken off (-Xcompiler, @FILE). What passes is whole, a flag with its value, so that
 * no word can become the value of another. Nothing here judges the user's own flags. */
#include "semantic/flags.h"

#include "base/file.h"
#include "base/json.h"
#include "diag/embed.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { MAX_FLAG_FILE = 1 << 20, MAX_FLAG_FILES = 16, MAX_DEPTH = 4, MAX_WORDS = 1 << 16 };

void flags_split(struct arena *a, struct str command, struct flag_list *words) {
    size_t at = 0;
    while (at < command.n) {
        if (strchr(" \t\n\r", command.p[at])) {
            at++;
            continue;
        }
        struct buf word;
        buf_init(&word, a);
        buf_addz(&word, "");
        char quote = 0;
        for (; at < command.n && (quote || !strchr(" \t\n\r", command.p[at])); at++) {
            char c = command.p[at];
            bool more = at + 1 < command.n;
            if (quote ? c == quote : c == '\'' || c == '"')
                quote = quote ? 0 : c;
            else if (c == '\\' && more && !quote)
                buf_addc(&word, command.p[++at]);
            else if (c == '\\' && more && quote == '"' && strchr("\"\\$`", command.p[at + 1]))
                buf_addc(&word, command.p[++at]);
            else
                buf_addc(&word, c);
        }
        vec_push(a, words, arena_strdup(a, buf_str(&word)));
    }
}

/* ---- the table ---- */

struct translation {
    struct arena *a;
    struct json table;
    const struct cJSON *flags;
    const struct flag_source *source;
    struct flag_list *out;
    size_t n_words; /* seen so far */
    size_t n_files; /* read so far: a file that names itself must end */
    size_t depth;   /* of wrappings around the words */
};

static const char folder[] = "folder:";

/* The row of a word: a key that is the word, or the word up to its '=', or the longest beginning.
 * *value is what follows the '=', or NULL; of a beginning with a folder, what follows that. */
static struct str action_of(struct translation *t, const char *word, const char **value) {
    struct str w = str_of(word), name = str_sub(w, 0, str_find(w, S("="), 0)), best = {NULL, 0};
    size_t longest = 0;
    *value = name.n < w.n ? word + name.n + 1 : NULL;
    json_each(row, t->flags) {
        struct str key = json_key(row);
        if (str_eq(key, w) || (str_eq(key, name) && *value)) return json_str(&t->table, row);
        if (!str_ends(key, S("*"))) continue;
        struct str start = str_sub(key, 0, key.n - 1);
        if (start.n <= longest || !str_starts(w, start)) continue;
        longest = start.n;
        best = json_str(&t->table, row);
        if (str_starts(best, S(folder))) *value = word + start.n;
    }
    return best;
}

static void add(struct translation *t, struct str word) {
    vec_push(t->a, t->out, arena_strdup(t->a, word));
}

static void refuse(struct translation *t, const char *word) {
    struct flag_list *refused = t->source->refused;
    struct str w = str_of(word), name = str_sub(w, 0, str_find(w, S("="), 0));
    for (size_t i = 0; i < refused->n; i++)
        if (str_is(name, refused->v[i])) return;
    vec_push(t->a, refused, arena_strdup(t->a, name));
}

/* ---- files that flags name ---- */

static const char *joined(struct translation *t, const char *name) {
    const char *directory = t->source->directory;
    return directory && name[0] != '/' ? arena_printf(t->a, "%s/%s", directory, name).p : name;
}

/* Whether a file may be read: always where the flags are the user's, else below the tree. */
static bool is_allowed(struct translation *t, const char *path) {
    if (!t->source->tree) return true;
    char *real = realpath(path, NULL);
    bool inside = false;
    for (size_t i = 0; real && i < t->source->tree->n; i++) {
        struct str folder = str_of(t->source->tree->v[i]);
        inside |= str_starts(str_of(real), folder) && (real[folder.n] == '/' || folder.n == 1);
    }
    struct stat st;
    inside = inside && stat(real, &st) == 0 && S_ISREG(st.st_mode);
    free(real);
    return inside;
}

/* A file that comes before the text: one of the tree, or a name that is looked for in the folders
 * of -I, as an #include of the text would be, and before that where we are. *path: what is told.
 */
static bool may_include(struct translation *t, const char *name, const char **path) {
    *path = joined(t, name);
    if (access(*path, F_OK) == 0) return is_allowed(t, *path);
    *path = name;
    bool is_here = access(name, F_OK) == 0;
    return !t->source->tree || (name[0] != '/' && (!is_here || is_allowed(t, name)));
}

static void translate(struct translation *t, const char *const *words, size_t n);

static void read_flag_file(struct translation *t, const char *word, const char *name) {
    struct str text, error;
    struct flag_list words = {0};
    const char *path = joined(t, name);
    if (t->n_files++ >= MAX_FLAG_FILES) return;
    if (!is_allowed(t, path))
        refuse(t, word);
    else if (file_read(t->a, path, MAX_FLAG_FILE, &text, NULL, &error)) {
        flags_split(t->a, text, &words);
        translate(t, words.v, words.n);
    }
}

/* ---- one flag ---- */

static void add_renamed(struct translation *t, struct str flag, const char *value) {
    bool joins = flag.n == 2 || str_ends(flag, S("="));
    if (joins) {
        add(t, arena_concat(t->a, flag, str_of(value)));
    } else {
        add(t, flag);
        add(t, str_of(value));
    }
}

/* Host compilers' flags in one word: -Xcompiler -Wall,-fPIC */
static void unwrap(struct translation *t, const char *value) {
    struct str list = str_of(value);
    struct flag_list words = {0};
    for (size_t at = 0; at <= list.n;) {
        size_t end = str_find(list, S(","), at);
        if (end > at) vec_push(t->a, &words, arena_strdup(t->a, str_sub(list, at, end)));
        at = end + 1;
    }
    if (t->depth == MAX_DEPTH) return;
    t->depth++;
    translate(t, words.v, words.n);
    t->depth--;
}

/* A flag that the table does not let pass; the user's own pass all the same. */
static void refuse_flag(struct translation *t, const char *word, const char *value) {
    if (t->source->tree) {
        if (word[0] == '-') refuse(t, word);
        return;
    }
    add(t, str_of(word));
    if (value) add(t, str_of(value));
}

static void translate_with_value(struct translation *t, struct str action, const char *word,
                                 const char *value) {
    struct str file = S("file:");
    const char *path;
    if (str_is(action, "drop-value")) return;
    if (str_is(action, "unwrap")) {
        unwrap(t, value);
    } else if (str_is(action, "read")) {
        read_flag_file(t, word, value);
    } else if (str_starts(action, S(folder))) {
        struct str flag = str_sub(action, sizeof folder - 1, action.n);
        add_renamed(t, flag, joined(t, value));
    } else if (!str_starts(action, file)) {
        add_renamed(t, action, value);
    } else if (may_include(t, value, &path)) {
        add_renamed(t, str_sub(action, file.n, action.n), path);
    } else {
        refuse(t, word);
    }
}

static void translate(struct translation *t, const char *const *words, size_t n) {
    for (size_t i = 0; i < n && t->n_words++ < MAX_WORDS; i++) {
        const char *word = words[i], *value;
        if (word[0] == '@' && word[1]) {
            read_flag_file(t, word, word + 1);
            continue;
        }
        struct str action = action_of(t, word, &value);
        if (!action.n) refuse_flag(t, word, NULL);
        if (str_is(action, "pass")) add(t, str_of(word));
        if (!action.n || str_is(action, "pass") || str_is(action, "drop")) continue;
        const char *next = !value && i + 1 < n ? words[++i] : NULL;
        if (str_is(action, "refuse-value"))
            refuse_flag(t, word, next);
        else if (value || next)
            translate_with_value(t, action, word, value ? value : next);
    }
}

void flags_translate(struct arena *a, const struct flag_source *source, const char *const *words,
                     size_t n, struct flag_list *out) {
    struct translation t = {.a = a, .source = source, .out = out};
    struct str name = S("rules/data/nvcc-flags.json");
    if (json_parse(&t.table, a, name, embed_text(embed_find(name))))
        t.flags = json_get(t.table.root, "flags");
    translate(&t, words, n);
    json_free(&t.table);
}
