/* SPDX-License-Identifier: Apache-2.0 */
/* Reading, and writing under everything that can go wrong. Works in a directory of its own. */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

#include "base/file.h"
#include "base/pool.h"
#include "test.h"

enum { LIMIT = 1 << 20 };

static struct arena a;
static struct str error;

/* ---- helpers ---- */

static void put(const char *path, const char *text) {
    FILE *f = fopen(path, "w");
    if (!CHECK(f != NULL)) exit(1);
    fputs(text, f);
    fclose(f);
}

static struct str get(const char *path) {
    struct str s = S("(unreadable)");
    file_read(&a, path, 1 << 26, &s, NULL, &error);
    return s;
}

static struct file_id id_of(const char *path) {
    struct file_id id = {0};
    struct str s;
    CHECK(file_read(&a, path, 1 << 26, &s, &id, &error));
    return id;
}

static int entries_here(void) {
    int n = 0;
    DIR *d = opendir(".");
    while (readdir(d)) n++;
    closedir(d);
    return n - 2;
}

/* Each test begins in an empty directory and leaves no temporary file. */
static void begin(const char *name) {
    CHECK(chdir("..") == 0 && mkdir(name, 0700) == 0 && chdir(name) == 0);
    arena_reset(&a);
}

static bool replace_now(const char *path, struct str bytes) {
    struct file_id id = id_of(path);
    error = S("");
    return file_replace(&a, path, bytes, &id, &error);
}

/* Runs fn in a child; its exit status, or 128 + the signal that ended it. */
static int in_child(int (*fn)(void)) {
    fflush(NULL);
    pid_t pid = fork();
    if (pid == 0) _exit(fn());
    int status = 0;
    waitpid(pid, &status, 0);
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* ---- reading ---- */

static void test_read(void) {
    begin("read");
    struct str s;
    struct file_id id;
    put("a", "hello");
    CHECK(file_read(&a, "a", LIMIT, &s, &id, &error));
    CHECK_STR(s, "hello");
    bool zero = true;
    for (size_t i = 0; i < FILE_PADDING; i++) zero = zero && s.p[s.n + i] == 0;
    CHECK(zero);
    CHECK(id.size == 5 && id.nlink == 1 && S_ISREG(id.mode) && id.mtime_ns > 0 && id.ino != 0);
    CHECK(file_read(&a, "a", 5, &s, NULL, &error));
    CHECK(!file_read(&a, "a", 4, &s, NULL, &error));
    CHECK_STR(error, "a: is larger than the size limit");
    put("empty", "");
    CHECK(file_read(&a, "empty", LIMIT, &s, NULL, &error) && s.n == 0 && s.p[0] == 0);

    CHECK(!file_read(&a, ".", LIMIT, &s, NULL, &error));
    CHECK_STR(error, ".: is a directory");
    CHECK(mkfifo("fifo", 0600) == 0);
    CHECK(!file_read(&a, "fifo", LIMIT, &s, NULL, &error)); /* and does not wait for a writer */
    CHECK_STR(error, "fifo: is not a regular file");
    CHECK(!file_read(&a, "/dev/null", LIMIT, &s, NULL, &error));
    CHECK_STR(error, "/dev/null: is not a regular file");
    CHECK(!file_read(&a, "absent", LIMIT, &s, NULL, &error));
    CHECK_STR(error, "absent: cannot be opened: No such file or directory");
    CHECK(symlink("loop", "loop") == 0);
    CHECK(!file_read(&a, "loop", LIMIT, &s, NULL, &error));
    CHECK_HAS(error, "loop: cannot be opened: ");
    CHECK(symlink("a", "link") == 0);
    CHECK_STR(get("link"), "hello");
}

static void test_read_fd(void) {
    begin("read_fd");
    int fds[2];
    struct str s;
    CHECK(pipe(fds) == 0);
    if (fork() == 0) {
        for (int i = 0; i < 10000; i++)
            if (dprintf(fds[1], "line %04d\n", i) < 0) _exit(1);
        _exit(0);
    }
    close(fds[1]);
    CHECK(file_read_fd(&a, fds[0], "standard input", LIMIT, &s, &error));
    CHECK(s.n == 100000 && memcmp(s.p + s.n - 10, "line 9999\n", 11) == 0);
    wait(NULL);
    close(fds[0]);

    put("big", "0123456789");
    int fd = open("big", O_RDONLY);
    CHECK(!file_read_fd(&a, fd, "-", 9, &s, &error));
    CHECK_STR(error, "-: is larger than the size limit");
    lseek(fd, 0, SEEK_SET);
    CHECK(file_read_fd(&a, fd, "-", 10, &s, &error) && s.n == 10 && s.p[10] == 0);
    close(fd);
    fd = open(".", O_RDONLY);
    CHECK(!file_read_fd(&a, fd, "-", 10, &s, &error));
    close(fd);
}

/* ---- replacing ---- */

static void test_replace(void) {
    begin("replace");
    struct stat st;
    put("a", "old");
    chmod("a", 0640);
    bool labelled = setxattr("a", "user.note", "kept", 4, 0) == 0;
    CHECK(replace_now("a", S("new text")));
    CHECK_STR(get("a"), "new text");
    CHECK(stat("a", &st) == 0 && (st.st_mode & 07777) == 0640);
    char value[8];
    if (labelled) CHECK(getxattr("a", "user.note", value, sizeof value) == 4);
    CHECK(replace_now("a", S("")));
    CHECK_STR(get("a"), "");
    CHECK(entries_here() == 1);
    if (geteuid() == 0) { /* owner and special bits survive too */
        CHECK(chown("a", 1, 2) == 0 && chmod("a", 02755) == 0);
        CHECK(replace_now("a", S("x")));
        CHECK(stat("a", &st) == 0 && st.st_uid == 1 && st.st_gid == 2);
        CHECK((st.st_mode & 07777) == 02755);
    }
}

static void test_replace_identical(void) {
    begin("identical");
    put("a", "same");
    struct timespec old[2] = {{1000, 5}, {1000, 5}};
    CHECK(utimensat(AT_FDCWD, "a", old, 0) == 0);
    CHECK(link("a", "twin") == 0 && chmod("a", 0444) == 0); /* no reason to refuse */
    struct file_id before = id_of("a");
    CHECK(file_replace(&a, "a", S("same"), &before, &error));
    struct file_id after = id_of("a");
    CHECK(after.ino == before.ino && after.mtime_ns == 1000 * 1000000000LL + 5);
}

static void test_replace_refuses(void) {
    begin("refuses");
    put("read_only", "old");
    chmod("read_only", 0444);
    CHECK(!replace_now("read_only", S("new"))); /* even for root */
    CHECK_STR(error, "read_only: is write-protected");
    CHECK_STR(get("read_only"), "old");

    put("linked", "old");
    CHECK(link("linked", "other") == 0);
    CHECK(!replace_now("linked", S("new")));
    CHECK_HAS(error, "linked: has several hard links");
    CHECK_STR(get("other"), "old");

    put("changed", "old");
    struct file_id id = id_of("changed");
    put("changed", "edited");
    CHECK(!file_replace(&a, "changed", S("new"), &id, &error));
    CHECK_HAS(error, "changed: changed while it was being processed");
    CHECK_STR(get("changed"), "edited");
    put("fresh", "old");
    CHECK(rename("fresh", "changed") == 0); /* same bytes and size, another file */
    CHECK(!file_replace(&a, "changed", S("new"), &id, &error));
    CHECK(unlink("changed") == 0);
    CHECK(!file_replace(&a, "changed", S("new"), &id, &error));
    CHECK_HAS(error, "No such file");

    CHECK(mkfifo("fifo", 0600) == 0);
    CHECK(!file_replace(&a, "fifo", S("new"), &id, &error));
    CHECK_STR(error, "fifo: is not a regular file");
    CHECK(!file_replace(&a, ".", S("new"), &id, &error));
    CHECK(entries_here() == 4);
}

static void test_replace_link(void) {
    begin("link");
    struct stat st;
    CHECK(mkdir("real", 0755) == 0);
    put("real/a", "old");
    CHECK(symlink("real/a", "link") == 0 && symlink("link", "link2") == 0);
    CHECK(replace_now("link2", S("new")));
    CHECK_STR(get("real/a"), "new");
    CHECK(lstat("link", &st) == 0 && S_ISLNK(st.st_mode));
    CHECK(lstat("link2", &st) == 0 && S_ISLNK(st.st_mode));
    CHECK(symlink("loop", "loop") == 0);
    struct file_id id = {0};
    CHECK(!file_replace(&a, "loop", S("new"), &id, &error));
    CHECK_HAS(error, "loop: cannot be opened: ");
    CHECK(entries_here() == 4);
}

static void test_long_name(void) {
    begin("long_name");
    char name[256];
    memset(name, 'n', 255);
    name[255] = 0;
    put(name, "old");
    CHECK(replace_now(name, S("new")));
    CHECK_STR(get(name), "new");
    CHECK(!file_backup(&a, name, ".orig", &error));
    CHECK(entries_here() == 1);
}

static int replace_on_full_disk(void) {
    struct rlimit none = {100, 100};
    struct file_id id = id_of("a");
    static char bytes[5000];
    file_install_signal_handlers();
    setrlimit(RLIMIT_FSIZE, &none);
    if (file_replace(&a, "a", (struct str){bytes, sizeof bytes}, &id, &error)) return 1;
    if (str_find(error, S("a: cannot be written: "), 0) != 0) return 2;
    if (file_create(&a, "b", (struct str){bytes, sizeof bytes}, 0666, &error)) return 3;
    if (file_backup(&a, "large", ".orig", &error)) return 4;
    return str_is(get("a"), "old") ? 0 : 5;
}

static int replace_and_die(void) {
    struct rlimit none = {100, 100};
    struct file_id id = id_of("a");
    static char bytes[5000];
    signal(SIGXFSZ, SIG_DFL);
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
    setrlimit(RLIMIT_FSIZE, &none);
    file_replace(&a, "a", (struct str){bytes, sizeof bytes}, &id, &error);
    return 0;
}

static void test_full_disk(void) {
    begin("full_disk");
    char large[5001];
    memset(large, 'x', 5000);
    large[5000] = 0;
    put("a", "old");
    put("large", large);
    CHECK(in_child(replace_on_full_disk) == 0);
    CHECK_STR(get("a"), "old");
    CHECK(entries_here() == 2);
    CHECK(in_child(replace_and_die) != 0); /* killed in the middle of writing */
    CHECK_STR(get("a"), "old");
}

/* ---- signals ---- */

static int replace_until_killed(void) {
    file_install_signal_handlers();
    static char bytes[2][1 << 20];
    memset(bytes[0], 'A', sizeof bytes[0]);
    memset(bytes[1], 'B', sizeof bytes[1]);
    for (int i = 0;; i ^= 1) {
        arena_reset(&a);
        struct file_id id = id_of("a");
        if (!file_replace(&a, "a", (struct str){bytes[i], sizeof bytes[i]}, &id, &error)) return 1;
    }
}

static bool is_whole(struct str s) {
    for (size_t i = 1; i < s.n; i++)
        if (s.p[i] != s.p[0]) return false;
    return str_is(s, "old") || (s.n == 1 << 20 && (s.p[0] == 'A' || s.p[0] == 'B'));
}

static void test_signals(void) {
    begin("signals");
    static const int signals[] = {SIGINT, SIGTERM, SIGHUP, SIGKILL};
    /* What nohup, or a shell for its background, made us ignore: before the fork, as the child of a
       busy machine may get its signal before it does anything. */
    for (size_t i = 0; i < 3; i++) signal(signals[i], SIG_DFL);
    for (int round = 0; round < 24; round++) {
        int sig = signals[round % 4];
        put("a", "old");
        fflush(NULL);
        pid_t pid = fork();
        if (pid == 0) _exit(replace_until_killed());
        usleep(3000 + 1777 * (unsigned)round);
        kill(pid, sig);
        int status;
        waitpid(pid, &status, 0);
        CHECK(WIFSIGNALED(status) && WTERMSIG(status) == sig);
        struct str now = get("a");
        CHECK(is_whole(now) || str_is(now, "old"));
        if (sig != SIGKILL)
            CHECK(entries_here() == 1);
        else
            CHECK(system("rm -f .cuda-morph-*.tmp") == 0);
        arena_reset(&a);
    }
}

static int ignored_hangup(void) {
    signal(SIGHUP, SIG_IGN);
    file_install_signal_handlers();
    raise(SIGHUP); /* as under nohup */
    return 7;
}

static void test_nohup(void) { CHECK(in_child(ignored_hangup) == 7); }

static void replace_own(void *ctx, size_t worker, size_t index) {
    (void)worker;
    bool *ok = ctx;
    char name[32];
    struct arena mine;
    struct str text, why;
    struct file_id id;
    arena_init(&mine, 0);
    snprintf(name, sizeof name, "f%zu", index);
    ok[index] = file_create(&mine, name, S("one"), 0644, &why) &&
                file_read(&mine, name, LIMIT, &text, &id, &why) &&
                file_replace(&mine, name, arena_printf(&mine, "two %zu", index), &id, &why) &&
                file_read(&mine, name, LIMIT, &text, &id, &why) &&
                str_eq(text, arena_printf(&mine, "two %zu", index));
    arena_free(&mine);
}

static void test_threads(void) {
    begin("threads");
    static bool ok[200];
    pool_run(4, ARRAY_LEN(ok), replace_own, ok);
    size_t good = 0;
    for (size_t i = 0; i < ARRAY_LEN(ok); i++) good += ok[i];
    CHECK(good == ARRAY_LEN(ok));
    CHECK(entries_here() == (int)ARRAY_LEN(ok));
}

/* ---- backups and outputs ---- */

static void test_backup(void) {
    begin("backup");
    struct stat st, copy;
    put("a", "original");
    chmod("a", 0750);
    CHECK(symlink("a", "link") == 0);
    CHECK(file_backup(&a, "link", ".orig", &error)); /* beside what is rewritten */
    CHECK_STR(get("a.orig"), "original");
    CHECK(stat("a", &st) == 0 && stat("a.orig", &copy) == 0);
    CHECK(copy.st_mode == st.st_mode && copy.st_mtim.tv_nsec == st.st_mtim.tv_nsec);
    CHECK(copy.st_ino != st.st_ino && st.st_nlink == 1); /* so that a may be replaced */
    CHECK(replace_now("a", S("ported")));
    CHECK(file_backup(&a, "a", ".orig", &error));
    CHECK_STR(get("a.orig"), "original"); /* the first is kept */
    CHECK(!file_backup(&a, "a", "", &error));
    CHECK(!file_backup(&a, "a", "/x", &error));
    CHECK(!file_backup(&a, "absent", ".orig", &error));
    CHECK(mkdir("a.bak", 0700) == 0);
    CHECK(!file_backup(&a, "a", ".bak", &error));
    CHECK_STR(error, "a: the name of its backup is taken by something else");
    CHECK(symlink("a.orig", "a.ln") == 0);
    CHECK(!file_backup(&a, "a", ".ln", &error));
    CHECK(entries_here() == 5);
}

static void test_create(void) {
    begin("create");
    struct stat st;
    mode_t mask = umask(027);
    CHECK(file_create(&a, "new", S("x"), 0666, &error));
    CHECK(stat("new", &st) == 0 && (st.st_mode & 0777) == 0640);
    umask(mask);
    chmod("new", 0600);
    CHECK(file_create(&a, "new", S("y"), 0666, &error));
    CHECK_STR(get("new"), "y");
    CHECK(stat("new", &st) == 0 && (st.st_mode & 0777) == 0600); /* stays private */
    CHECK(symlink("new", "link") == 0);
    CHECK(file_create(&a, "link", S("z"), 0666, &error));
    CHECK_STR(get("new"), "z");
    CHECK(lstat("link", &st) == 0 && S_ISLNK(st.st_mode));
    chmod("new", 0444);
    CHECK(!file_create(&a, "new", S("w"), 0666, &error));
    CHECK_STR(error, "new: is write-protected");

    CHECK(!file_create(&a, "no/such/file", S("x"), 0666, &error));
    CHECK_HAS(error, "no/such/file: the file's directory cannot be opened");
    CHECK(file_make_parents(&a, "no/such/file", &error));
    CHECK(file_make_parents(&a, "no/such/file", &error));
    CHECK(file_create(&a, "no/such/file", S("x"), 0666, &error));
    CHECK(file_make_parents(&a, "new/below", &error)); /* new is there, though no directory: */
    CHECK(!file_create(&a, "new/below", S(""), 0666, &error));
    CHECK(file_make_parents(&a, "/", &error) && file_make_parents(&a, "plain", &error));
    CHECK(!file_create(&a, "no", S("x"), 0666, &error)); /* a directory */

    CHECK(file_create(&a, "/dev/null", S("x"), 0666, &error));
    CHECK(stat("/dev/null", &st) == 0 && S_ISCHR(st.st_mode));
    CHECK(!file_create(&a, "/dev/full", S("x"), 0666, &error));
    CHECK_STR(error, "/dev/full: cannot be written: No space left on device");
    CHECK(entries_here() == 3);
}

static void test_create_in(void) {
    begin("create_in");
    struct stat st;
    CHECK(mkdir("out", 0755) == 0 && mkdir("elsewhere", 0755) == 0);
    CHECK(file_create_in(&a, "out", "a/b/c.py", S("x"), 0755, &error));
    CHECK_STR(get("out/a/b/c.py"), "x");
    CHECK(file_create_in(&a, "out", "top.py", S("y"), 0644, &error));
    CHECK(file_create_in(&a, "out", "top.py", S("z"), 0644, &error));
    CHECK_STR(get("out/top.py"), "z");
    static const char *const bad[] = {"../x", "a/../../x", "/etc/x", "",
                                      "a//b", "./a",       "a/..",   "a/"};
    for (size_t i = 0; i < ARRAY_LEN(bad); i++)
        CHECK(!file_create_in(&a, "out", bad[i], S("x"), 0644, &error));
    CHECK(!file_safe_relative(S("a\0b")) && file_safe_relative(S("...")));

    CHECK(symlink("../elsewhere", "out/dir") == 0 && symlink("../secret", "out/file") == 0);
    CHECK(!file_create_in(&a, "out", "dir/x", S("x"), 0644, &error));
    CHECK_STR(error, "out/dir/x: a link or file takes the place of a directory above it");
    CHECK(!file_create_in(&a, "out", "file", S("x"), 0644, &error));
    CHECK_STR(error, "out/file: is a symbolic link");
    CHECK(access("secret", F_OK) != 0 && access("elsewhere/x", F_OK) != 0);
    CHECK(!file_create_in(&a, "out", "top.py/x", S("x"), 0644, &error));
    CHECK(!file_create_in(&a, "absent", "x", S("x"), 0644, &error));

    put("tool.sh", "#!/bin/sh\n");
    chmod("tool.sh", 0755);
    CHECK(file_copy_in(&a, "out", "bin/tool.sh", "tool.sh", &error));
    CHECK_STR(get("out/bin/tool.sh"), "#!/bin/sh\n");
    CHECK(stat("out/bin/tool.sh", &st) == 0 && (st.st_mode & 0111));
    CHECK(!file_copy_in(&a, "out", "x", "absent", &error));
    CHECK(!file_copy_in(&a, "out", "x", ".", &error));
    CHECK(!file_copy_in(&a, "out", "../x", "tool.sh", &error));
}

/* ---- standard output ---- */

static int write_to_closed(void) {
    close(1);
    file_reserve_standard_fds();
    int fd = open("victim", O_RDWR);
    if (fd <= 2) return 9;
    return write(1, "text", 4) == 4;
}

static void test_stdout(void) {
    begin("stdout");
    put("victim", "whole");
    CHECK(in_child(write_to_closed) == 0);
    CHECK_STR(get("victim"), "whole");
}

int main(void) {
    char top[] = "/tmp/cuda-morph-test-XXXXXX";
    if (!mkdtemp(top) || chdir(top) != 0 || mkdir("start", 0700) != 0 || chdir("start") != 0)
        return 1;
    arena_init(&a, 0);
    test_read();
    test_read_fd();
    test_replace();
    test_replace_identical();
    test_replace_refuses();
    test_replace_link();
    test_long_name();
    test_full_disk();
    test_signals();
    test_nohup();
    test_threads();
    test_backup();
    test_create();
    test_create_in();
    test_stdout();
    arena_free(&a);
    CHECK(chdir("/") == 0 && strncmp(top, "/tmp/", 5) == 0);
    CHECK(test_remove_tree(top));
    return test_end("file");
}
