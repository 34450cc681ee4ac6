/* flags.c - words of a command line, and the table of those that libclang must not see. */
#include "semantic/flags.h"

#include "base/file.h"
#include "base/json.h"
#include "diag/embed.h"

enum { MAX_FLAG_FILE = 1 << 20, MAX_FLAG_FILES = 16 };

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
    const char *directory;
    struct flag_list *out;
    size_t n_files; /* read so far: a file that names itself must end */
};

/* The row of a word: a key that is the word, or the word up to its '=', or the longest beginning.
 * *value is what follows the '=', or NULL. */
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
    }
    return best;
}

static void add(struct translation *t, struct str word) {
    vec_push(t->a, t->out, arena_strdup(t->a, word));
}

static void read_flag_file(struct translation *t, const char *name);

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
static void add_unwrapped(struct translation *t, const char *value) {
    struct str list = str_of(value);
    for (size_t at = 0; at <= list.n;) {
        size_t end = str_find(list, S(","), at);
        const char *unused, *word = arena_strdup(t->a, str_sub(list, at, end));
        if (end > at && !action_of(t, word, &unused).n) add(t, str_of(word));
        at = end + 1;
    }
}

static void translate(struct translation *t, const char *const *words, size_t n) {
    for (size_t i = 0; i < n; i++) {
        const char *value;
        if (words[i][0] == '@' && words[i][1]) {
            read_flag_file(t, words[i] + 1);
            continue;
        }
        struct str action = action_of(t, words[i], &value);
        if (!action.n || str_is(action, "drop")) {
            if (!action.n) add(t, str_of(words[i]));
            continue;
        }
        if (!value && i + 1 < n) value = words[++i];
        if (!value || str_is(action, "drop-value")) continue;
        if (str_is(action, "unwrap"))
            add_unwrapped(t, value);
        else if (str_is(action, "read"))
            read_flag_file(t, value);
        else
            add_renamed(t, action, value);
    }
}

static void read_flag_file(struct translation *t, const char *name) {
    struct str text, error;
    struct flag_list words = {0};
    if (t->n_files++ >= MAX_FLAG_FILES) return;
    bool joins = t->directory && name[0] != '/';
    const char *path = joins ? arena_printf(t->a, "%s/%s", t->directory, name).p : name;
    if (!file_read(t->a, path, MAX_FLAG_FILE, &text, NULL, &error)) return;
    flags_split(t->a, text, &words);
    translate(t, words.v, words.n);
}

void flags_translate(struct arena *a, const char *directory, const char *const *words, size_t n,
                     struct flag_list *out) {
    struct translation t = {.a = a, .directory = directory, .out = out};
    struct str name = S("rules/data/nvcc-flags.json");
    if (json_parse(&t.table, a, name, embed_text(embed_find(name))))
        t.flags = json_get(t.table.root, "flags");
    translate(&t, words, n);
    json_free(&t.table);
}
