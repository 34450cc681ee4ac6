/* SPDX-License-Identifier: Apache-2.0 */
/* asked.c - questions to the disk, in memory and as a text: of each the length of the path twice,
 * plus one where something is there, and the path. */
#include "commands/asked.h"
#include "base/file.h"

void asked_init(struct asked *asked, struct arena *a) { *asked = (struct asked){.a = a}; }

static void enter(struct asked *asked, uint32_t number) {
    size_t i = asked->files.v[number].hash & (asked->n_slots - 1);
    while (asked->slots[i]) i = (i + 1) & (asked->n_slots - 1);
    asked->slots[i] = number + 1;
}

static const struct asked_file *find(const struct asked *asked, struct str path, uint64_t hash) {
    for (size_t i = hash & (asked->n_slots - 1); asked->n_slots && asked->slots[i];
         i = (i + 1) & (asked->n_slots - 1)) {
        const struct asked_file *f = &asked->files.v[asked->slots[i] - 1];
        if (f->hash == hash && str_eq(f->path, path)) return f;
    }
    return NULL;
}

static void add(struct asked *asked, struct str path, uint64_t hash, bool is_there) {
    struct asked_file f = {arena_str(asked->a, path), hash, is_there};
    vec_push(asked->a, &asked->files, f);
    if (asked->files.n * 2 <= asked->n_slots) {
        enter(asked, (uint32_t)asked->files.n - 1);
        return;
    }
    asked->n_slots = asked->n_slots ? asked->n_slots * 2 : 64;
    asked->slots = arena_zalloc(asked->a, asked->n_slots * sizeof *asked->slots);
    for (uint32_t i = 0; i < asked->files.n; i++) enter(asked, i);
}

bool asked_exists(void *context, struct str path) {
    struct asked *asked = context;
    uint64_t hash = str_hash(path);
    const struct asked_file *known = find(asked, path, hash);
    if (known) return known->is_there;
    bool is_there = file_exists(NULL, path);
    add(asked, path, hash, is_there);
    return is_there;
}

/* Takes a question from the front of the text; false: there is none. */
static bool take(struct str *text, struct str *path, bool *is_there) {
    uint32_t head;
    if (text->n < sizeof head) return false;
    memcpy(&head, text->p, sizeof head);
    size_t end = sizeof head + head / 2;
    if (end > text->n) return false;
    *path = str_sub(*text, sizeof head, end);
    *is_there = head & 1;
    *text = str_sub(*text, end, text->n);
    return true;
}

void asked_add(struct asked *asked, struct str text) {
    struct str path;
    for (bool is_there; take(&text, &path, &is_there);) {
        uint64_t hash = str_hash(path);
        if (!find(asked, path, hash)) add(asked, path, hash, is_there);
    }
}

struct str asked_text(const struct asked *asked) {
    struct buf b;
    buf_init(&b, asked->a);
    for (size_t i = 0; i < asked->files.n; i++) {
        const struct asked_file *f = &asked->files.v[i];
        uint32_t head = (uint32_t)f->path.n * 2 + f->is_there;
        buf_add(&b, (struct str){(const char *)&head, sizeof head});
        if (f->path.n) buf_add(&b, f->path);
    }
    return buf_str(&b);
}

bool asked_holds(struct str text) {
    struct str path;
    for (bool is_there; take(&text, &path, &is_there);)
        if (file_exists(NULL, path) != is_there) return false;
    return !text.n;
}
