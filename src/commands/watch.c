/* SPDX-License-Identifier: Apache-2.0 */
/* watch.c - `check --watch` and `port --watch`: each run is a process of its own, so that a long
 * watch holds no memory and no state of files that changed.
 *
 * Folders are watched with inotify, anew after each run, because folders come and go. What the run
 * itself writes (files that options name, -o's folder, hidden files) does not start another one;
 * what it rewrites in place starts one more, which changes nothing. */
#include "commands/watch.h"
#include "base/file.h"
#include "commands/again.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { QUIET_MS = 150, LONGEST_MS = 2000, MAX_COMMAND = 1 << 20 };

static struct {
    int fd;
    size_t folders;
    bool full;
    struct stat out; /* of -o's folder */
    bool has_out;
} watching;

static bool is_left_out(const char *name) {
    return name[0] == '.' || strcmp(name, "node_modules") == 0;
}

/* Watches the folder and all below it; links are not followed. By hand, as nftw() of musl cannot
 * leave a folder out. */
static void add_folders(struct arena *a, const char *top) {
    const uint32_t events = IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_CREATE | IN_DELETE;
    VEC(const char *) todo = {0};
    vec_push(a, &todo, top);
    while (todo.n) {
        const char *path = todo.v[--todo.n];
        struct stat st;
        struct dirent *e;
        if ((path == top ? stat : lstat)(path, &st) != 0 || !S_ISDIR(st.st_mode)) continue;
        if (watching.has_out && st.st_ino == watching.out.st_ino &&
            st.st_dev == watching.out.st_dev)
            continue;
        if (inotify_add_watch(watching.fd, path, events) >= 0)
            watching.folders++;
        else if (errno == ENOSPC)
            watching.full = true;
        DIR *dir = opendir(path);
        while (dir && (e = readdir(dir)))
            if ((e->d_type == DT_DIR || e->d_type == DT_UNKNOWN) && !is_left_out(e->d_name))
                vec_push(a, &todo, arena_printf(a, "%s/%s", path, e->d_name).p);
        if (dir) closedir(dir);
    }
}

/* A named file is watched through its folder: editors replace files. */
static const char *folder_of(struct arena *a, const char *path) {
    struct stat st;
    if (stat(path, &st) == 0 && S_ISDIR(st.st_mode)) return path;
    const char *slash = strrchr(path, '/');
    if (!slash) return ".";
    return slash == path ? "/" : arena_printf(a, "%.*s", (int)(slash - path), path).p;
}

static bool is_folder(const char *path) {
    struct stat st;
    return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

static bool start_watching(struct cli *cli) {
    struct str out = cli_value(cli, OPT_OUTPUT);
    watching.folders = 0;
    watching.full = false;
    watching.has_out = out.p && stat(out.p, &watching.out) == 0;
    if ((watching.fd = inotify_init1(IN_NONBLOCK | IN_CLOEXEC)) < 0) {
        cli_error(cli, "--watch: %s", strerror(errno));
        return false;
    }
    for (size_t i = 0; i < cli->operands.n || i == 0; i++) {
        const char *path = i < cli->operands.n ? cli->operands.v[i].p : ".";
        if (access(path, F_OK) != 0) continue;
        if (is_folder(path))
            add_folders(cli->a, path);
        else if (inotify_add_watch(watching.fd, folder_of(cli->a, path),
                                   IN_CLOSE_WRITE | IN_MOVED_TO) >= 0)
            watching.folders++;
    }
    if (watching.full)
        cli_error(cli,
                  "--watch: more folders than fs.inotify.max_user_watches; some are not seen");
    if (watching.folders) return true;
    cli_error(cli, "--watch: nothing to watch");
    close(watching.fd);
    return false;
}

/* ---- events ---- */

/* Hidden and temporary files, and those that an option names: reports, baselines. */
static bool is_own(const struct cli *cli, struct str name) {
    if (!name.n || name.p[0] == '.' || name.p[name.n - 1] == '~' || str_ends(name, S(".swp")))
        return true;
    for (int id = 0; id < OPT_COUNT; id++) {
        for (size_t i = 0; i < cli->option[id].values.n; i++) {
            struct str value = cli->option[id].values.v[i];
            bool is_end = str_ends(value, name);
            char before = value.n > name.n ? value.p[value.n - name.n - 1] : '/';
            if (is_end && (before == '/' || before == '=')) return true;
        }
    }
    return false;
}

/* With files named alone, others of their folders do not count. */
static bool is_asked(const struct cli *cli, struct str name) {
    for (size_t i = 0; i < cli->operands.n; i++) {
        struct str path = cli->operands.v[i];
        if (is_folder(path.p)) return true;
        bool is_end =
            str_ends(path, name) && (path.n == name.n || path.p[path.n - name.n - 1] == '/');
        if (is_end) return true;
    }
    return cli->operands.n == 0;
}

/* The first name that matters of all events that are there; empty: none. */
static struct str read_events(struct cli *cli) {
    _Alignas(struct inotify_event) char bytes[16 * 1024];
    struct str found = S("");
    ssize_t n;
    while ((n = read(watching.fd, bytes, sizeof bytes)) > 0) {
        for (char *p = bytes; p < bytes + n;) {
            const struct inotify_event *e = (const struct inotify_event *)(void *)p;
            struct str name = e->len ? str_of(e->name) : S("");
            bool lost = e->mask & IN_Q_OVERFLOW;
            if (lost && !found.n) found = S("...");
            if (!found.n && !is_own(cli, name) && is_asked(cli, name))
                found = arena_str(cli->a, name);
            p += sizeof *e + e->len;
        }
    }
    return found;
}

/* Waits for a change, and for the end of a burst of changes: a name of one. */
static struct str wait_for_change(struct cli *cli) {
    struct pollfd p = {.fd = watching.fd, .events = POLLIN};
    struct str name = S("");
    while (!name.n) {
        if (poll(&p, 1, -1) < 0 && errno != EINTR) return name;
        name = read_events(cli);
    }
    for (int waited = 0; waited < LONGEST_MS && poll(&p, 1, QUIET_MS) > 0; waited += QUIET_MS)
        read_events(cli);
    return name;
}

/* ---- the command ---- */

/* Its words without --watch, with an end. */
static char **command_words(struct cli *cli) {
    struct str text, error;
    int fd = -1;
    VEC(char *) words = {0};
    if ((fd = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC)) < 0 ||
        !file_read_fd(cli->a, fd, "/proc/self/cmdline", MAX_COMMAND, &text, &error)) {
        cli_error(cli, "--watch: /proc/self/cmdline cannot be read");
        return NULL;
    }
    close(fd);
    for (size_t at = 0, end; at < text.n; at = end + 1) {
        end = str_find(text, (struct str){"", 1}, at);
        struct str word = str_sub(text, at, end);
        if (!str_is(word, "--watch")) vec_push(cli->a, &words, arena_strdup(cli->a, word));
    }
    vec_push(cli->a, &words, NULL);
    return words.v;
}

int watch(struct cli *cli) {
    char clock[16];
    for (size_t i = 0; i < cli->operands.n; i++)
        if (str_is(cli->operands.v[i], "-"))
            return cli_error(cli, "--watch cannot watch standard input");
    char **words = command_words(cli);
    if (!words) return STATUS_FAILED;
    for (;;) {
        if (!start_watching(cli)) return STATUS_FAILED;
        if (run_again(cli, words) < 0) return STATUS_FAILED;
        if (!cli_has(cli, OPT_QUIET)) {
            stream_printf(cli->err, "watching %zu folder%s; Ctrl-C ends it\n", watching.folders,
                          watching.folders == 1 ? "" : "s");
            stream_flush(cli->err);
        }
        struct str name = wait_for_change(cli);
        close(watching.fd);
        if (!name.n) return cli_error(cli, "--watch: %s", strerror(errno));
        time_t now = time(NULL);
        struct tm tm;
        if (!localtime_r(&now, &tm) || !strftime(clock, sizeof clock, "%H:%M:%S", &tm)) *clock = 0;
        stream_printf(cli->err, "\n---- %s: ", clock);
        struct buf b;
        buf_init(&b, cli->a);
        buf_add_visible(&b, name);
        stream_add(cli->err, buf_str(&b));
        stream_addz(cli->err, " changed ----\n");
        stream_flush(cli->err);
    }
}
