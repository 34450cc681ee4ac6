/* SPDX-License-Identifier: Apache-2.0 */
/* undo.c - recording what a run rewrites in place, and `cuda-morph undo`, which takes it back. */
#include "commands/undo.h"

#include "base/file.h"
#include "commands/cache.h"
#include "commands/commands.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

enum { KEPT_RUNS = 64, NAME_LENGTH = 33 };
static const uint64_t MAGIC = 0x31304f444e554d43u; /* "CMUNDO01" */

/* Stands before the path and the old bytes. */
struct entry {
    uint64_t magic, n_path, n_before, n_after;
    struct hash128 before, after;
    struct hash128 path, check; /* check: of all members before it */
};

static struct hash128 check_of(const struct entry *e) {
    return hash128((struct str){(const char *)e, offsetof(struct entry, check)});
}

/* ---- where ---- */

/* A file is named by the folder in which the run was started, and by the time: 16 digits each. */
static const char *prefix_here(struct arena *a) {
    char *here = realpath(".", NULL);
    struct str path = here ? arena_str(a, str_of(here)) : S("");
    free(here);
    return path.n ? arena_printf(a, "%016llx-", (unsigned long long)str_hash(path)).p : NULL;
}

struct run {
    char name[NAME_LENGTH + 1];
};

typedef VEC(struct run) run_list;

static int newest_first(const void *x, const void *y) {
    return strcmp(((const struct run *)y)->name + 17, ((const struct run *)x)->name + 17);
}

/* All runs, the newest first. */
static run_list list_runs(struct arena *a, const char *folder) {
    run_list runs = {0};
    DIR *dir = opendir(folder);
    for (const struct dirent *e; dir && (e = readdir(dir));) {
        struct run r;
        if (strlen(e->d_name) != NAME_LENGTH || e->d_name[16] != '-') continue;
        memcpy(r.name, e->d_name, NAME_LENGTH + 1);
        vec_push(a, &runs, r);
    }
    if (dir) closedir(dir);
    if (runs.n) qsort(runs.v, runs.n, sizeof *runs.v, newest_first);
    return runs;
}

/* ---- recording ---- */

struct undo {
    struct cli *cli;
    const char *folder, *path;
    pthread_mutex_t lock;
    int fd, error;
    atomic_bool replaced;
};

struct undo *undo_open(struct cli *cli) {
    const char *folder = cache_folder(cli->a, "undo"), *prefix = prefix_here(cli->a);
    struct timespec now;
    if (!folder || !prefix) return NULL;
    clock_gettime(CLOCK_REALTIME, &now);
    struct undo *u = NEW(cli->a, struct undo);
    *u = (struct undo){.cli = cli, .folder = folder, .fd = -1};
    u->path =
        arena_printf(cli->a, "%s%s%016llx", folder, prefix, (unsigned long long)file_time_ns(now))
            .p;
    pthread_mutex_init(&u->lock, NULL);
    return u;
}

/* Nothing follows an entry that is cut off by a full disk. */
static void append(struct undo *u, const struct iovec *parts, int n) {
    int flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_APPEND | O_CLOEXEC;
    if (u->fd < 0 && !u->error && (u->fd = open(u->path, flags, 0600)) < 0) u->error = errno;
    for (int i = 0; i < n && !u->error; i++)
        for (size_t at = 0; at < parts[i].iov_len;) {
            ssize_t put =
                write(u->fd, (const char *)parts[i].iov_base + at, parts[i].iov_len - at);
            if (put < 0 && errno == EINTR) continue;
            if (put <= 0) {
                u->error = put ? errno : EIO;
                return;
            }
            at += (size_t)put;
        }
}

void undo_record(struct undo *u, const char *path, struct str before, struct str after) {
    char *real = u ? realpath(path, NULL) : NULL;
    if (!real && u && !u->error) u->error = errno;
    if (!real) return;
    struct str name = str_of(real);
    struct entry e = {.magic = MAGIC,
                      .n_path = name.n,
                      .n_before = before.n,
                      .n_after = after.n,
                      .before = hash128(before),
                      .after = hash128(after),
                      .path = hash128(name)};
    e.check = check_of(&e);
    struct iovec parts[] = {
        {&e, sizeof e}, {real, name.n}, {(void *)(uintptr_t)before.p, before.n}};
    pthread_mutex_lock(&u->lock);
    append(u, parts, 3);
    pthread_mutex_unlock(&u->lock);
    free(real);
}

void undo_replaced(struct undo *u) {
    if (u) atomic_store(&u->replaced, true);
}

/* Earlier runs of this folder, and the oldest of all. */
static void remove_old(const struct undo *u) {
    run_list runs = list_runs(u->cli->a, u->folder);
    const char *own = u->path + strlen(u->folder);
    for (size_t i = 0; i < runs.n; i++) {
        const char *name = runs.v[i].name;
        bool is_earlier = strncmp(name, own, 17) == 0 && strcmp(name, own) < 0;
        if (is_earlier || i >= KEPT_RUNS)
            unlink(arena_printf(u->cli->a, "%s%s", u->folder, name).p);
    }
}

void undo_close(struct undo *u) {
    if (!u) return;
    bool replaced = atomic_load(&u->replaced);
    if (u->fd >= 0 && close(u->fd) != 0 && !u->error) u->error = errno;
    if (u->fd >= 0 && !replaced) unlink(u->path);
    if (u->fd >= 0 && replaced) remove_old(u);
    if (u->error && replaced)
        cli_error(u->cli, "`undo` cannot take all of this run back: its records: %s",
                  strerror(u->error));
    pthread_mutex_destroy(&u->lock);
}

/* ---- taking back ---- */

enum { MAX_RECORDS = INT32_MAX, MAX_FILE = 1 << 30 };

struct back {
    struct cli *cli;
    struct arena a; /* for one file */
    struct str here;
    size_t done, same, changed, failed;
};

static struct str cut(struct str *rest, uint64_t n) {
    struct str s = str_sub(*rest, 0, (size_t)n);
    *rest = str_sub(*rest, (size_t)n, rest->n);
    return s;
}

/* The next entry; false at the end, or where a killed run left half of one. */
static bool next_entry(struct str *rest, struct entry *e, struct str *path, struct str *before) {
    if (rest->n < sizeof *e) return false;
    memcpy(e, rest->p, sizeof *e);
    if (e->magic != MAGIC || !hash128_eq(e->check, check_of(e))) return false;
    cut(rest, sizeof *e);
    if (e->n_path > rest->n || e->n_before > rest->n - e->n_path) return false;
    *path = cut(rest, e->n_path);
    *before = cut(rest, e->n_before);
    return hash128_eq(e->path, hash128(*path)) && hash128_eq(e->before, hash128(*before));
}

static void say(struct back *b, const char *path, const char *what) {
    struct str shown = str_of(path);
    if (str_starts(shown, b->here)) shown = str_sub(shown, b->here.n, shown.n);
    struct buf line;
    buf_init(&line, &b->a);
    buf_add_visible(&line, shown);
    buf_printf(&line, ": %s\n", what);
    stream_add(b->cli->out, buf_str(&line));
}

static void take_back(struct back *b, const struct entry *e, struct str name, struct str before) {
    bool quiet = cli_has(b->cli, OPT_QUIET);
    struct str now, error;
    struct file_id id;
    arena_reset(&b->a);
    const char *path = arena_strdup(&b->a, name);
    bool is_there = access(path, F_OK) == 0 || errno != ENOENT;
    if (is_there && !file_read(&b->a, path, MAX_FILE, &now, &id, &error)) {
        cli_error(b->cli, "%.*s", STR_ARG(error));
        b->failed++;
    } else if (is_there && now.n == before.n && hash128_eq(hash128(now), e->before)) {
        b->same++;
    } else if (!is_there || now.n != e->n_after || !hash128_eq(hash128(now), e->after)) {
        say(b, path, is_there ? "changed since: left alone" : "gone since: left alone");
        b->changed++;
    } else if (!before.n && unlink(path) == 0) { /* the run made it */
        if (!quiet) say(b, path, "taken back");
        b->done++;
    } else if (!file_replace(&b->a, path, before, &id, &error)) {
        cli_error(b->cli, "%.*s", STR_ARG(error));
        b->failed++;
    } else {
        if (!quiet) say(b, path, "taken back");
        b->done++;
    }
}

static void summary(struct back *b) {
    struct stream *out = b->cli->err;
    if (cli_has(b->cli, OPT_QUIET)) return;
    stream_printf(out, "%zu file%s taken back", b->done, b->done == 1 ? "" : "s");
    if (b->same) stream_printf(out, ", %zu as before already", b->same);
    if (b->changed) stream_printf(out, ", %zu changed since and left alone", b->changed);
    if (b->failed) stream_printf(out, ", %zu not written", b->failed);
    stream_addz(out, "\n");
}

/* The records of the last run that was started here. */
static const char *find_run(struct cli *cli) {
    const char *folder = cache_folder(cli->a, "undo"), *prefix = prefix_here(cli->a);
    if (!folder) {
        cli_error(cli, "there is no cache folder of yours alone, so nothing was recorded");
        return NULL;
    }
    run_list runs = list_runs(cli->a, folder);
    for (size_t i = 0; prefix && i < runs.n; i++)
        if (strncmp(runs.v[i].name, prefix, 17) == 0)
            return arena_printf(cli->a, "%s%s", folder, runs.v[i].name).p;
    cli_error(cli, "no run that rewrote files in place was started in this folder%s",
              runs.n ? "; there were some in other folders" : "");
    return NULL;
}

/* Records that somebody else may have written would have us overwrite files. */
static bool read_own(struct cli *cli, const char *path, struct str *text) {
    struct stat st;
    struct str error;
    int fd = open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
    bool ours = fd >= 0 && fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
                st.st_nlink == 1 && !(st.st_mode & (S_IWGRP | S_IWOTH));
    bool done = ours && file_read_fd(cli->a, fd, path, MAX_RECORDS, text, &error);
    if (!ours)
        cli_error(cli, "%s: others may have written this, so it is not believed", path);
    else if (!done)
        cli_error(cli, "%.*s", STR_ARG(error));
    if (fd >= 0) close(fd);
    return done;
}

int command_undo(struct cli *cli) {
    if (cli->operands.n)
        return cli_error(cli, "undo takes no operands: it takes back the last run of this folder");
    const char *path = find_run(cli);
    struct str text, name, before;
    struct back b = {.cli = cli};
    struct entry e;
    if (!path) return STATUS_FAILED;
    if (!read_own(cli, path, &text)) return STATUS_FAILED;
    arena_init(&b.a, 0);
    b.a.escape = cli->a->escape;
    char *here = realpath(".", NULL);
    if (!here) {
        arena_free(&b.a);
        return cli_error(cli, "the current folder cannot be found: %s", strerror(errno));
    }
    b.here = arena_printf(cli->a, "%s/", here);
    free(here);
    while (next_entry(&text, &e, &name, &before)) take_back(&b, &e, name, before);
    arena_free(&b.a);
    summary(&b);
    if (!b.changed && !b.failed) unlink(path);
    return b.failed ? STATUS_FAILED : b.changed ? STATUS_FINDINGS : STATUS_DONE;
}
