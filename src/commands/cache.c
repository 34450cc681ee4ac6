/* SPDX-License-Identifier: Apache-2.0 */
/* cache.c - one file with all answers of a command line's last run.
 *
 * The key is everything that answers depend on, so a record is either right or not found; there
 * is nothing to invalidate. One file, because a folder with thousands costs more to open than to
 * ask. It is believed if this user alone can have written it: a stranger's would hide findings. */
#include "commands/cache.h"
#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum {
    MAX_CACHE_FILE = 64 * 1024 * 1024,
    MAX_CACHE_FILES = 64,
    MAX_CACHE_BYTES = 256 * 1024 * 1024
};
static const uint64_t MAGIC = 0x32454843414d4321u; /* "!CMACHE2" */
/* Clocks of file systems tick this rarely: a file that was written later may change once more
 * without a trace. */
static const int64_t TICK_NS = 2000000000;

/* ---- the file ---- */

struct disk_text {
    uint32_t at, n;
};

struct disk_header {
    uint64_t magic, facts_hash, n;
    struct disk_text asked;
    struct hash128 check; /* of all that follows */
};

struct disk_record {
    uint64_t path;
    struct cache_stat stat;
    struct hash128 content;
    struct disk_text facts, answer;
    uint32_t by_facts, by_disk;
};

static const struct disk_record *disk_records(const struct cache *c) {
    return (const void *)(c->text.p + sizeof(struct disk_header));
}

static bool is_sound(struct str text, struct disk_header *h) {
    if (text.n < sizeof *h) return false;
    memcpy(h, text.p, sizeof *h);
    if (h->magic != MAGIC || h->n > (text.n - sizeof *h) / sizeof(struct disk_record))
        return false;
    return hash128_eq(h->check, hash128(str_sub(text, sizeof *h, text.n)));
}

static int64_t now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_REALTIME, &t);
    return file_time_ns(t);
}

/* The folder of the user's caches, or NULL where nobody says where it is. */
static const char *base_directory(struct arena *a) {
    const char *base = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (base && base[0] == '/') return base;
    if (home && home[0] == '/') return arena_printf(a, "%s/.cache", home).p;
    return NULL;
}

static const char *cache_directory(struct arena *a) {
    const char *base = base_directory(a);
    return base ? arena_printf(a, "%s/cuda-morph", base).p : NULL;
}

/* Whether what is open there is this user's, and of that kind; -1: it is not, and is closed. */
static int own(int fd, mode_t kind, struct stat *st) {
    if (fd < 0) return -1;
    if (fstat(fd, st) == 0 && st->st_uid == geteuid() && (st->st_mode & S_IFMT) == kind) return fd;
    close(fd);
    return -1;
}

/* Our folder, opened: the base may be a link, but is the user's; the folder is no link, and is
 * taken back from others who may write it. -1: there is none, or it is a stranger's. */
static int open_directory(struct arena *a) {
    struct stat st;
    const char *base = base_directory(a);
    if (!base || getuid() != geteuid()) return -1;
    int parent = own(open(base, O_RDONLY | O_DIRECTORY | O_CLOEXEC), S_IFDIR, &st);
    if (parent < 0) return -1;
    int folder = own(openat(parent, "cuda-morph", O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC),
                     S_IFDIR, &st);
    close(parent);
    if (folder < 0 || !(st.st_mode & (S_IWGRP | S_IWOTH)) || fchmod(folder, 0700) == 0)
        return folder;
    close(folder);
    return -1;
}

/* Reads the file of that name, if nobody else can have written it; else it goes. */
static bool read_own(struct arena *a, const char *name, struct str *text) {
    struct stat st;
    struct str error;
    int folder = open_directory(a);
    if (folder < 0) return false;
    int fd = openat(folder, name, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    bool is_there = fd >= 0 || errno != ENOENT;
    fd = own(fd, S_IFREG, &st);
    bool alone = fd >= 0 && st.st_nlink == 1 && !(st.st_mode & (S_IWGRP | S_IWOTH));
    bool done = alone && file_read_fd(a, fd, name, MAX_CACHE_FILE, text, &error);
    if (is_there && !alone) unlinkat(folder, name, 0);
    if (fd >= 0) close(fd);
    close(folder);
    return done;
}

static bool view(const struct cache *c, struct disk_text t, struct str *out) {
    if (t.at > c->text.n || t.n > c->text.n - t.at) return false;
    *out = str_sub(c->text, t.at, t.at + t.n);
    return true;
}

void cache_open(struct cache *c, struct arena *a, struct hash128 key) {
    struct disk_header h;
    const char *directory = cache_directory(a);
    *c = (struct cache){.a = a, .now_ns = now_ns()};
    if (!directory) return;
    struct str name = arena_printf(a, "check-%016llx%016llx", (unsigned long long)key.v[0],
                                   (unsigned long long)key.v[1]);
    c->path = arena_printf(a, "%s/%s", directory, name.p).p;
    if (!read_own(a, name.p, &c->text) || !is_sound(c->text, &h)) {
        c->text = S("");
        return;
    }
    c->ground.facts_hash = h.facts_hash;
    if (view(c, h.asked, &c->ground.asked)) c->n = (size_t)h.n;
}

bool cache_find(const struct cache *c, uint64_t path, struct cache_record *out) {
    const struct disk_record *v = c->n ? disk_records(c) : NULL;
    size_t low = 0, high = c->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (v[middle].path < path)
            low = middle + 1;
        else
            high = middle;
    }
    if (low == c->n || v[low].path != path) return false;
    const struct disk_record *r = &v[low];
    *out = (struct cache_record){.path = path,
                                 .stat = r->stat,
                                 .content = r->content,
                                 .by_facts = r->by_facts != 0,
                                 .by_disk = r->by_disk != 0};
    return view(c, r->facts, &out->facts) && view(c, r->answer, &out->answer);
}

bool cache_stat(const char *path, struct cache_stat *out) {
    struct stat st;
    if (stat(path, &st) != 0 || !S_ISREG(st.st_mode)) return false;
    *out = (struct cache_stat){.dev = st.st_dev,
                               .ino = st.st_ino,
                               .size = (uint64_t)st.st_size,
                               .mtime_ns = file_time_ns(st.st_mtim),
                               .ctime_ns = file_time_ns(st.st_ctim)};
    return true;
}

/* ---- writing ---- */

static int by_path(const void *x, const void *y) {
    const struct cache_record *a = x, *b = y;
    return (a->path > b->path) - (a->path < b->path);
}

static struct disk_text put_text(struct buf *b, size_t offset, struct str s) {
    struct disk_text t = {s.n ? (uint32_t)(offset + b->n) : 0, (uint32_t)s.n};
    if (s.n) buf_add(b, s);
    return t;
}

/* What backups and git do with the folder. */
static void mark_directory(struct arena *a, const char *directory) {
    struct str error, tag = S("Signature: 8a477f597d28d172789f06886806bc55\n"
                              "# cuda-morph keeps here what it found in unchanged files.\n");
    const char *path = arena_printf(a, "%s/CACHEDIR.TAG", directory).p;
    if (access(path, F_OK) == 0) return;
    file_create(a, path, tag, 0600, &error);
    file_create(a, arena_printf(a, "%s/.gitignore", directory).p, S("*\n"), 0600, &error);
}

struct old_file {
    char name[64];
    int64_t mtime_ns;
    uint64_t size;
};

static int newest_first(const void *x, const void *y) {
    const struct old_file *a = x, *b = y;
    return (a->mtime_ns < b->mtime_ns) - (a->mtime_ns > b->mtime_ns);
}

/* Removes the oldest files until what is left is small enough. */
static void remove_old_files(struct arena *a, const char *directory) {
    VEC(struct old_file) files = {0};
    DIR *dir = opendir(directory);
    if (!dir) return;
    for (const struct dirent *e; (e = readdir(dir)) != NULL;) {
        struct cache_stat st;
        struct old_file f = {.size = 0};
        size_t n = strlen(e->d_name);
        if (!str_starts(str_of(e->d_name), S("check-")) || n >= sizeof f.name ||
            !cache_stat(arena_printf(a, "%s/%s", directory, e->d_name).p, &st))
            continue;
        memcpy(f.name, e->d_name, n + 1);
        f.mtime_ns = st.mtime_ns;
        f.size = st.size;
        vec_push(a, &files, f);
    }
    closedir(dir);
    if (files.n) qsort(files.v, files.n, sizeof *files.v, newest_first);
    uint64_t bytes = 0;
    for (size_t i = 0; i < files.n; i++) {
        bytes += files.v[i].size;
        if (i >= MAX_CACHE_FILES || bytes > MAX_CACHE_BYTES)
            unlink(arena_printf(a, "%s/%s", directory, files.v[i].name).p);
    }
}

/* Our folder, there and ours alone. */
static bool cache_prepare(struct arena *a) {
    struct str error;
    const char *directory = cache_directory(a);
    if (!directory) return false;
    if (!file_make_parents(a, arena_printf(a, "%s/x", directory).p, &error)) return false;
    int folder = open_directory(a);
    if (folder < 0) return false;
    close(folder);
    mark_directory(a, directory);
    return true;
}

const char *cache_folder(struct arena *a, const char *name) {
    struct stat st;
    if (!cache_prepare(a)) return NULL;
    int parent = open_directory(a);
    if (parent < 0) return NULL;
    mkdirat(parent, name, 0700);
    int folder =
        own(openat(parent, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC), S_IFDIR, &st);
    close(parent);
    if (folder < 0) return NULL;
    bool ours = !(st.st_mode & (S_IWGRP | S_IWOTH)) || fchmod(folder, 0700) == 0;
    close(folder);
    return ours ? arena_printf(a, "%s/%s/", cache_directory(a), name).p : NULL;
}

void cache_write(struct cache *c, struct cache_record *records, size_t n,
                 struct cache_ground ground) {
    struct buf head, texts;
    struct str error;
    size_t offset = sizeof(struct disk_header) + n * sizeof(struct disk_record);
    buf_init(&head, c->a);
    buf_init(&texts, c->a);
    if (n) qsort(records, n, sizeof *records, by_path);
    struct disk_header h = {.magic = MAGIC, .facts_hash = ground.facts_hash, .n = n};
    h.asked = put_text(&texts, offset, ground.asked);
    buf_add(&head, (struct str){(const char *)&h, sizeof h});
    for (size_t i = 0; i < n; i++) {
        const struct cache_record *r = &records[i];
        struct disk_record d = {.path = r->path,
                                .stat = r->stat,
                                .content = r->content,
                                .by_facts = r->by_facts,
                                .by_disk = r->by_disk};
        if (d.stat.mtime_ns > c->now_ns - TICK_NS || d.stat.ctime_ns > c->now_ns - TICK_NS)
            d.stat.size = UINT64_MAX;
        d.facts = put_text(&texts, offset, r->facts);
        d.answer = put_text(&texts, offset, r->answer);
        buf_add(&head, (struct str){(const char *)&d, sizeof d});
        if (offset + texts.n > MAX_CACHE_FILE) return;
    }
    if (texts.n) buf_add(&head, buf_str(&texts));
    h.check = hash128(str_sub(buf_str(&head), sizeof h, head.n));
    memcpy(head.p, &h, sizeof h);
    if (!cache_prepare(c->a)) return;
    const char *directory = cache_directory(c->a);
    if (file_create(c->a, c->path, buf_str(&head), 0600, &error))
        remove_old_files(c->a, directory);
}
