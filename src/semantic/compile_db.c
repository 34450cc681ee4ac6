/* SPDX-License-Identifier: Apache-2.0 */
/* compile_db.c - compile_commands.json, as CMake, Meson, Bear and Bazel write it. */
#include "semantic/flags.h"

#include "base/file.h"
#include "base/json.h"

#include <stdlib.h>
#include <sys/stat.h>

enum { MAX_DB = JSON_MAX_SIZE };

static const char *joined(struct arena *a, const char *directory, const char *path) {
    return path[0] == '/' ? path : arena_printf(a, "%s/%s", directory, path).p;
}

/* The path without links and dots, where the file exists. */
static const char *real_path(struct arena *a, const char *path) {
    char *real = realpath(path, NULL);
    if (!real) return path;
    const char *copy = arena_strdup(a, str_of(real));
    free(real);
    return copy;
}

/* The words of an entry, from "arguments" or "command". */
static bool read_words(struct json *j, const struct cJSON *entry, struct flag_list *words) {
    const struct cJSON *list = json_take(j, entry, "arguments", JSON_ARRAY);
    json_each(word, list) vec_push(j->a, words, arena_strdup(j->a, json_str(j, word)));
    if (list || j->error.n) return !j->error.n;
    if (!json_get(entry, "command"))
        return json_fail(j, entry, "\"command\" or \"arguments\" is missing");
    flags_split(j->a, json_need_str(j, entry, "command"), words);
    return !j->error.n;
}

/* The bytes of the directories that two paths share, with the last slash. */
static size_t common_directory(struct str x, struct str y) {
    size_t common = 0;
    for (size_t i = 0; i < x.n && i < y.n && x.p[i] == y.p[i]; i++)
        if (x.p[i] == '/') common = i + 1;
    return common;
}

/* The folders that the person who runs us has named, and the one that both lie in, unless that is
 * the root or a folder of it such as /home. What an entry says of itself is no witness. */
static struct flag_list tree_of(struct arena *a, const char *database, const char *source) {
    struct flag_list tree = {0};
    struct str folder = str_of(source), top;
    while (folder.n > 1 && folder.p[folder.n - 1] != '/') folder.n--;
    if (folder.n > 1) folder.n--;
    vec_push(a, &tree, database);
    vec_push(a, &tree, arena_strdup(a, folder));
    top = arena_printf(a, "%.*s/", STR_ARG(folder));
    top.n = common_directory(top, arena_printf(a, "%s/", database));
    if (top.n > 1) top.n--;
    if (str_find(top, S("/"), 1) < top.n) vec_push(a, &tree, arena_strdup(a, top));
    return tree;
}

/* The compiler (and a launcher such as ccache before it) and the source file are no flags. */
void compile_command_flags(struct arena *a, const struct compile_db *db,
                           const struct compile_command *c, const char *path,
                           struct flag_list *refused, struct flag_list *out) {
    struct flag_list kept = {0};
    size_t first = 0;
    while (first < c->words.n && c->words.v[first][0] != '-' && c->words.v[first][0] != '@')
        first++;
    for (size_t i = first; i < c->words.n; i++) {
        const char *word = c->words.v[i];
        bool is_path = word[0] != '-' && word[0] != '@';
        bool is_file =
            is_path && strcmp(real_path(a, joined(a, c->directory, word)), c->file) == 0;
        if (!is_file && strcmp(word, "--") != 0) vec_push(a, &kept, word);
    }
    struct flag_list tree = tree_of(a, db->folder, path);
    struct flag_source source = {c->directory, &tree, refused};
    flags_translate(a, &source, kept.v, kept.n, out);
}

static bool read_entry(struct json *j, const struct cJSON *entry, const char *where,
                       struct compile_command *command) {
    struct str directory = json_need_str(j, entry, "directory");
    struct str file = json_need_str(j, entry, "file");
    if (j->error.n || !read_words(j, entry, &command->words)) return false;
    const char *base = joined(j->a, where, arena_strdup(j->a, directory));
    command->directory = real_path(j->a, base);
    command->file = real_path(j->a, joined(j->a, command->directory, arena_strdup(j->a, file)));
    return true;
}

static bool is_folder(const char *path) {
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

const struct compile_db *compile_db_read(struct arena *a, const char *path, struct str *error) {
    const char *file =
        is_folder(path) ? arena_printf(a, "%s/compile_commands.json", path).p : path;
    struct str text;
    struct json j;
    if (!file_read(a, file, MAX_DB, &text, NULL, error)) return NULL;
    if (!json_parse(&j, a, str_of(file), text)) {
        *error = j.error;
        return NULL;
    }
    if (json_type(j.root) != JSON_ARRAY) json_fail(&j, NULL, "must be an array of commands");
    struct str where = str_of(real_path(a, file));
    while (where.n > 1 && where.p[where.n - 1] != '/') where.n--;
    if (where.n > 1) where.n--;
    struct compile_db *db = NEW(a, struct compile_db);
    db->v = arena_zalloc(a, (json_count(j.root) + 1) * sizeof *db->v);
    const char *base = db->folder = arena_strdup(a, where);
    json_each(entry, j.root) {
        if (j.error.n || !read_entry(&j, entry, base, &db->v[db->n])) break;
        db->n++;
    }
    *error = j.error;
    json_free(&j);
    return error->n ? NULL : db;
}

/* ---- looking up ---- */

static struct str stem_of(struct str path) {
    size_t start = path.n, end = path.n;
    while (start > 0 && path.p[start - 1] != '/') start--;
    for (size_t i = path.n; i > start; i--)
        if (path.p[i - 1] == '.') end = i - 1;
    return str_sub(path, start, end);
}

const struct compile_command *compile_db_find(const struct compile_db *db, const char *path) {
    const struct compile_command *best = NULL;
    size_t best_score = 0;
    struct str wanted = str_of(path);
    for (size_t i = 0; i < db->n; i++) {
        struct str file = str_of(db->v[i].file);
        if (str_eq(file, wanted)) return &db->v[i];
        size_t score =
            common_directory(file, wanted) * 2 + str_eq(stem_of(file), stem_of(wanted)) + 1;
        if (score > best_score) {
            best_score = score;
            best = &db->v[i];
        }
    }
    return best;
}
