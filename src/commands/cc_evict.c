/* SPDX-License-Identifier: Apache-2.0 */
/* cc_evict.c - what keeps the cache of cc small: now and then, after an object was added, the
 * entries that were used longest ago go until the rest fits CUDA_MORPH_CACHE_SIZE (5G). An entry
 * is a file, or a folder of ported texts; its time is when it was last used. What somebody used in
 * the last minutes stays, since a compiler may be reading it. Errors are nobody's business: a
 * file that another run took away is gone, too. */
#include "commands/cc.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { PAUSE = 60, RECENT = 600 }; /* seconds */

struct entry {
    const char *path;
    uint64_t size;
    int64_t used;
    bool folder;
};
typedef VEC(struct entry) entries;

void cc_used(const char *path) { utimensat(AT_FDCWD, path, NULL, 0); }

static uint64_t limit(void) {
    static const char units[] = "kmgt";
    const char *text = getenv("CUDA_MORPH_CACHE_SIZE");
    char *end = NULL;
    unsigned long long value = text ? strtoull(text, &end, 10) : 0;
    if (!text || end == text) return (uint64_t)5 << 30;
    const char *unit = *end ? strchr(units, *end | 32) : NULL;
    return unit ? value << 10 * (unit - units + 1) : value;
}

/* Whether the last sweep was long ago; then this one is the last. */
static bool is_due(struct arena *a, const char *cache, int64_t now) {
    struct stat st;
    const char *stamp = arena_printf(a, "%sswept", cache).p;
    if (stat(stamp, &st) == 0 && now - st.st_mtime < PAUSE && !getenv("CUDA_MORPH_CACHE_SIZE"))
        return false;
    int fd = open(stamp, O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    if (fd >= 0) close(fd);
    cc_used(stamp);
    return fd >= 0;
}

static void read_folder(struct arena *a, const char *path, entries *out) {
    DIR *folder = opendir(path);
    struct stat st;
    for (struct dirent *d; folder && (d = readdir(folder));) {
        if (d->d_name[0] == '.' || !strcmp(d->d_name, "swept")) continue;
        struct entry e = {.path = arena_printf(a, "%s%s", path, d->d_name).p};
        if (lstat(e.path, &st) != 0) continue;
        e.folder = S_ISDIR(st.st_mode);
        e.size = (uint64_t)st.st_size;
        e.used = st.st_mtime;
        vec_push(a, out, e);
    }
    if (folder) closedir(folder);
}

/* A folder is as large as its files, and used when the last of them was. */
static void weigh(struct arena *a, struct entry *e) {
    entries files = {0};
    read_folder(a, arena_printf(a, "%s/", e->path).p, &files);
    for (size_t i = 0; i < files.n; i++) {
        e->size += files.v[i].size;
        if (files.v[i].used > e->used) e->used = files.v[i].used;
    }
}

static void drop(struct arena *a, const struct entry *e) {
    entries files = {0};
    if (e->folder) read_folder(a, arena_printf(a, "%s/", e->path).p, &files);
    for (size_t i = 0; i < files.n; i++) unlink(files.v[i].path);
    if (e->folder)
        rmdir(e->path);
    else
        unlink(e->path);
}

static int by_use(const void *x, const void *y) {
    const struct entry *a = x, *b = y;
    return a->used < b->used ? -1 : a->used > b->used;
}

void cc_evict(struct cc *cc) {
    entries all = {0};
    uint64_t total = 0, most = limit();
    int64_t now = (int64_t)time(NULL);
    if (!most || !is_due(cc->a, cc->cache, now)) return;
    read_folder(cc->a, cc->cache, &all);
    for (size_t i = 0; i < all.n; i++) {
        if (all.v[i].folder) weigh(cc->a, &all.v[i]);
        total += all.v[i].size;
    }
    if (total <= most) return;
    qsort(all.v, all.n, sizeof *all.v, by_use);
    for (size_t i = 0; i < all.n && total > most && now - all.v[i].used > RECENT; i++) {
        drop(cc->a, &all.v[i]);
        total -= all.v[i].size;
    }
}
