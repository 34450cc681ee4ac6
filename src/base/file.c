/* SPDX-License-Identifier: Apache-2.0 */
/* file.c - reads files whole and replaces them whole.
 *
 * A result is written to a temporary file beside its place, synced and renamed, so that a crash,
 * a signal or a full disk leaves the old bytes or the new ones and nothing between. It replaces
 * what a link leads to, not the link, and keeps mode, owner, access lists and attributes as far
 * as it may. Nothing here is mapped into memory: a file that shrinks meanwhile would be a signal,
 * not an error. */
#include "file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <time.h>
#include <unistd.h>

/* An arena may jump out of any function that allocates. So the functions below hold descriptors
 * and temporary files without touching an arena, and report by value; only the public ones turn
 * a failure into a sentence, when everything is closed. */
struct failure {
    const char *what; /* NULL: no failure */
    int err;          /* an errno, or 0 when `what` says it all */
};

static struct failure success(void) { return (struct failure){NULL, 0}; }
static struct failure refuse(const char *what) { return (struct failure){what, 0}; }
static struct failure failed(const char *what) { return (struct failure){what, errno}; }

static bool report(struct arena *a, const char *path, struct failure f, struct str *error) {
    if (!f.what) return true;
    *error = f.err ? arena_printf(a, "%s: %s: %s", path, f.what, strerror(f.err))
                   : arena_printf(a, "%s: %s", path, f.what);
    return false;
}

static struct file_id id_of(const struct stat *st) {
    return (struct file_id){
        .dev = st->st_dev,
        .ino = st->st_ino,
        .size = (uint64_t)st->st_size,
        .mtime_ns = file_time_ns(st->st_mtim),
        .mode = st->st_mode,
        .nlink = (uint32_t)st->st_nlink,
        .uid = st->st_uid,
        .gid = st->st_gid,
    };
}

static bool same_state(const struct stat *st, const struct file_id *id) {
    struct file_id now = id_of(st);
    return now.dev == id->dev && now.ino == id->ino && now.size == id->size &&
           now.mtime_ns == id->mtime_ns;
}

/* ---- bytes in and out ---- */

static bool wait_until_ready(int fd, short events) {
    struct pollfd p = {.fd = fd, .events = events};
    return poll(&p, 1, -1) >= 0 || errno == EINTR;
}

/* Up to n bytes; fewer only at the end of the file. -1 with errno on failure. */
static ssize_t read_full(int fd, char *p, size_t n) {
    size_t done = 0;
    while (done < n) {
        ssize_t got = read(fd, p + done, n - done);
        if (got == 0) break;
        if (got > 0)
            done += (size_t)got;
        else if (errno == EAGAIN && wait_until_ready(fd, POLLIN))
            continue;
        else if (errno != EINTR)
            return -1;
    }
    return (ssize_t)done;
}

static bool write_full(int fd, struct str s) {
    size_t done = 0;
    while (done < s.n) {
        ssize_t put = write(fd, s.p + done, s.n - done);
        if (put > 0)
            done += (size_t)put;
        else if (put == 0) {
            errno = EIO;
            return false;
        } else if (errno == EAGAIN && wait_until_ready(fd, POLLOUT))
            continue;
        else if (errno != EINTR)
            return false;
    }
    return true;
}

enum { CHUNK = 16 * 1024 };

static struct failure copy_bytes(int from, int to) {
    char chunk[CHUNK];
    for (;;) {
        ssize_t n = read_full(from, chunk, sizeof chunk);
        if (n < 0) return failed("cannot be read");
        if (n == 0) return success();
        if (!write_full(to, (struct str){chunk, (size_t)n})) return failed("cannot be written");
    }
}

/* Whether the file open as fd holds exactly these bytes. */
static bool holds(int fd, struct str bytes) {
    char chunk[CHUNK];
    size_t done = 0;
    for (;;) {
        ssize_t n = read_full(fd, chunk, sizeof chunk);
        if (n < 0 || (size_t)n > bytes.n - done) return false;
        if (n == 0) return done == bytes.n;
        if (memcmp(chunk, bytes.p + done, (size_t)n) != 0) return false;
        done += (size_t)n;
    }
}

/* ---- reading ---- */

static struct failure check_input(const struct stat *st, size_t max) {
    if (S_ISDIR(st->st_mode)) return refuse("is a directory");
    if (!S_ISREG(st->st_mode)) return refuse("is not a regular file");
    if ((uint64_t)st->st_size > max) return refuse("is larger than the size limit");
    return success();
}

/* Opened without blocking, in case a FIFO has taken the place of the file meanwhile. */
static struct failure read_regular(const char *path, char *p, size_t size, struct stat *st) {
    int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0) return failed("cannot be opened");
    struct failure f = success();
    if (fstat(fd, st) != 0)
        f = failed("cannot be examined");
    else
        f = check_input(st, size);
    if (!f.what) {
        ssize_t n = read_full(fd, p, size + 1);
        if (n < 0)
            f = failed("cannot be read");
        else if ((size_t)n != size)
            f = refuse("changed while it was being read");
    }
    close(fd);
    return f;
}

bool file_read(struct arena *a, const char *path, size_t max, struct str *out, struct file_id *id,
               struct str *error) {
    struct stat st;
    if (stat(path, &st) != 0) return report(a, path, failed("cannot be opened"), error);
    struct failure f = check_input(&st, max);
    if (f.what) return report(a, path, f, error);
    size_t size = (size_t)st.st_size;
    char *p = arena_alloc(a, size + FILE_PADDING);
    f = read_regular(path, p, size, &st);
    if (f.what) return report(a, path, f, error);
    memset(p + size, 0, FILE_PADDING);
    *out = (struct str){p, size};
    if (id) *id = id_of(&st);
    return true;
}

bool file_read_fd(struct arena *a, int fd, const char *name, size_t max, struct str *out,
                  struct str *error) {
    size_t n = 0, cap = CHUNK;
    char *p = arena_alloc(a, cap);
    for (;;) {
        size_t want = cap - n - FILE_PADDING;
        ssize_t got = read_full(fd, p + n, want);
        if (got < 0) return report(a, name, failed("cannot be read"), error);
        n += (size_t)got;
        if (n > max) return report(a, name, refuse("is larger than the size limit"), error);
        if ((size_t)got < want) break;
        p = arena_grow(a, p, n, cap * 2);
        cap *= 2;
    }
    memset(p + n, 0, FILE_PADDING);
    *out = (struct str){p, n};
    return true;
}

/* ---- temporary files, and their removal by signals ---- */

enum slot_state { SLOT_FREE, SLOT_CLAIMED, SLOT_CREATING, SLOT_ARMED };
enum { TEMP_NAME = 48, TEMP_SLOTS = 256 };

/* A file that must not outlive a signal: a name, relative to a directory open until release. */
struct temp_slot {
    atomic_int state;
    int dir;
    char name[TEMP_NAME];
};

static struct temp_slot temp_slots[TEMP_SLOTS];
static atomic_int stopping; /* a signal handler has begun */

struct temp {
    struct temp_slot *slot;
    int fd;
};

static struct temp_slot *claim_slot(void) {
    for (;;) {
        for (size_t i = 0; i < TEMP_SLOTS; i++) {
            int vacant = SLOT_FREE;
            if (atomic_compare_exchange_strong(&temp_slots[i].state, &vacant, SLOT_CLAIMED))
                return &temp_slots[i];
        }
        sched_yield(); /* every holder releases its slot before long */
    }
}

/* Ends with the slot free; removes the file unless it has got its real name. */
static void temp_release(struct temp *t, bool remove) {
    if (t->fd >= 0) close(t->fd);
    if (remove) unlinkat(t->slot->dir, t->slot->name, 0);
    atomic_store(&t->slot->state, SLOT_FREE);
}

/* Opens the file that the slot names, which is new. Signals of this thread wait meanwhile, and the
 * handler of another thread waits for the state to pass: no file is made behind its back. */
static int create_armed(struct temp_slot *slot, mode_t mode) {
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int fd = -1;
    atomic_store(&slot->state, SLOT_CREATING);
    if (atomic_load(&stopping))
        errno = EINTR;
    else
        fd = openat(slot->dir, slot->name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                    mode);
    int error = errno;
    atomic_store(&slot->state, fd >= 0 ? SLOT_ARMED : SLOT_CLAIMED);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    errno = error;
    return fd;
}

/* ---- what killed runs have left ---- */

/* Whether it is the name of a temporary file of a process that is gone. */
static bool is_of_the_dead(const char *name) {
    long pid;
    unsigned number;
    int end = 0;
    if (sscanf(name, ".cuda-morph-%ld-%u.tmp%n", &pid, &number, &end) != 2 || !end || name[end])
        return false;
    return pid > 0 && kill((pid_t)pid, 0) != 0 && errno == ESRCH;
}

/* Removes them from a folder. A young file may be of a process that can't be seen from here (in a
 * container, on another machine), so it stays; nobody writes for so long. */
static void remove_leftovers(int dir) {
    enum { YOUNG = 60 };
    int fd = openat(dir, ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    DIR *list = fd >= 0 ? fdopendir(fd) : NULL;
    if (!list && fd >= 0) close(fd);
    for (struct dirent *e; list && (e = readdir(list));) {
        struct stat st;
        if (is_of_the_dead(e->d_name) && fstatat(dir, e->d_name, &st, AT_SYMLINK_NOFOLLOW) == 0 &&
            S_ISREG(st.st_mode) && st.st_uid == geteuid() && st.st_mtime + YOUNG < time(NULL))
            unlinkat(dir, e->d_name, 0);
    }
    if (list) closedir(list);
}

/* Once a run for each folder; two folders of one bit count as one, and the other waits. */
static void tidy(int dir) {
    static atomic_ullong seen[64];
    struct stat st;
    if (fstat(dir, &st) != 0) return;
    uint64_t hash = ((uint64_t)st.st_dev * 31 + (uint64_t)st.st_ino) * 0x9E3779B97F4A7C15u;
    unsigned long long bit = 1ull << (hash >> 58);
    if (!(atomic_fetch_or(&seen[hash >> 52 & 63], bit) & bit)) remove_leftovers(dir);
}

/* A new file in dir, which a signal removes.
 * The name is fixed in length: `.NAME.tmp` would be too long beside a 255-byte name. */
static struct failure temp_open(struct temp *t, int dir, mode_t mode) {
    static atomic_uint counter;
    tidy(dir);
    t->slot = claim_slot();
    t->slot->dir = dir;
    for (int attempts = 0; attempts < 10000; attempts++) {
        snprintf(t->slot->name, TEMP_NAME, ".cuda-morph-%ld-%u.tmp", (long)getpid(),
                 atomic_fetch_add(&counter, 1));
        t->fd = create_armed(t->slot, mode);
        if (t->fd >= 0 || errno != EEXIST) break;
    }
    struct failure f = success();
    if (t->fd < 0) f = failed("no temporary file can be made beside it");
    if (atomic_load(&stopping)) f = refuse("was left alone because of a signal");
    if (f.what) temp_release(t, t->fd >= 0);
    return f;
}

/* Some file systems report a full disk only now. */
static struct failure temp_close(struct temp *t, bool durable) {
    bool ok = !durable || fsync(t->fd) == 0;
    struct failure f = ok ? success() : failed("cannot be written");
    if (close(t->fd) != 0 && ok) f = failed("cannot be written");
    t->fd = -1;
    return f;
}

/* Gives the file its name unless that is taken: then *taken, and the temporary file remains. */
static struct failure temp_publish_new(struct temp *t, const char *name, bool *taken) {
    int dir = t->slot->dir;
    *taken = false;
    if (linkat(dir, t->slot->name, dir, name, 0) == 0) {
        unlinkat(dir, t->slot->name, 0);
        return success();
    }
    if (errno == EPERM || errno == EOPNOTSUPP || errno == ENOSYS) { /* no links here, as on FAT */
        if (faccessat(dir, name, F_OK, AT_SYMLINK_NOFOLLOW) == 0)
            errno = EEXIST;
        else if (renameat(dir, t->slot->name, dir, name) == 0)
            return success();
    }
    *taken = errno == EEXIST;
    return *taken ? success() : failed("the file's backup cannot be written");
}

/* Shells and timeout signal the process and then its group: what comes while this is at work must
 * not end the process early, in whichever thread. */
static void remove_temps_and_end(int sig) {
    static const struct timespec millisecond = {.tv_nsec = 1000 * 1000};
    int patience =
        1000; /* milliseconds: a network file system may never answer the other thread */
    if (atomic_exchange(&stopping, 1)) return;
    for (size_t i = 0; i < TEMP_SLOTS; i++) {
        struct temp_slot *slot = &temp_slots[i];
        while (atomic_load(&slot->state) == SLOT_CREATING && patience-- > 0)
            nanosleep(&millisecond, NULL);
        if (atomic_load(&slot->state) == SLOT_ARMED) unlinkat(slot->dir, slot->name, 0);
    }
    signal(sig, SIG_DFL);
    raise(sig); /* the default action, once this handler returns */
}

void file_install_signal_handlers(void) {
    static const int ending[] = {SIGINT, SIGTERM, SIGHUP};
    for (size_t i = 0; i < ARRAY_LEN(ending); i++) {
        struct sigaction old, new = {.sa_handler = remove_temps_and_end};
        sigfillset(&new.sa_mask);
        /* What nohup or a shell made us ignore stays ignored. */
        if (sigaction(ending[i], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(ending[i], &new, NULL);
    }
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}

void file_reserve_standard_fds(void) {
    for (int fd = 0; fd <= 2; fd++)
        if (fcntl(fd, F_GETFD) < 0 && errno == EBADF) {
            /* The lowest free number is fd itself. Opened the wrong way round: a use is an error,
             * not a silent loss. */
            if (open("/dev/null", fd == 0 ? O_WRONLY : O_RDONLY) != fd) return;
        }
}

/* ---- metadata ---- */

/* Access control lists, security labels and user attributes, as far as we may. */
static void copy_attributes(int from, int to) {
    ssize_t listed = flistxattr(from, NULL, 0);
    if (listed <= 0) return;
    size_t room = (size_t)listed, value_room = 64 * 1024; /* the kernel's maximum */
    char *names = malloc(room + value_room);
    if (!names) return;
    char *value = names + room;
    listed = flistxattr(from, names, room);
    for (ssize_t i = 0; i < listed; i += (ssize_t)strlen(names + i) + 1) {
        ssize_t n = fgetxattr(from, names + i, value, value_room);
        if (n >= 0) (void)!fsetxattr(to, names + i, value, (size_t)n, 0);
    }
    free(names);
}

/* Owner first, because changing it clears mode bits; the list of accesses last, because fchmod
 * rewrites its mask. Where the group cannot be kept, the new one gets no more than everybody. */
static struct failure copy_metadata(int from, int to, const struct stat *st) {
    mode_t mode = st->st_mode & 07777;
    struct stat made;
    if (fstat(to, &made) != 0) return failed("cannot be examined");
    if (made.st_uid != st->st_uid || made.st_gid != st->st_gid) {
        if (fchown(to, st->st_uid, st->st_gid) != 0) {
            mode &= ~(mode_t)(S_ISUID | S_ISGID);
            if (fchown(to, (uid_t)-1, st->st_gid) != 0) mode &= ~(mode_t)070 | (mode << 3 & 070);
        }
    }
    if (fchmod(to, mode) != 0) return failed("the file's permissions cannot be kept");
    copy_attributes(from, to);
    return success();
}

/* ---- opening by real path ---- */

/* The directory, open, and the name in it of what a path finally leads to. */
struct place {
    char *real; /* malloc'ed */
    const char *name;
    int dir;
};

static void place_close(struct place *p) {
    if (p->dir >= 0) close(p->dir);
    free(p->real);
}

/* Splits p->real, which place_close frees in any case. */
static struct failure place_open_dir(struct place *p) {
    char *slash = strrchr(p->real, '/');
    p->name = slash ? slash + 1 : p->real;
    if (!slash)
        p->dir = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    else if (slash == p->real)
        p->dir = open("/", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    else {
        *slash = 0;
        p->dir = open(p->real, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
        *slash = '/';
    }
    return p->dir >= 0 ? success() : failed("the file's directory cannot be opened");
}

static struct failure place_resolve(struct place *p, const char *path) {
    *p = (struct place){.real = realpath(path, NULL), .dir = -1};
    return p->real ? place_open_dir(p) : failed("cannot be opened");
}

static struct failure place_open_file(const struct place *p, int *fd, struct stat *st) {
    *fd = openat(p->dir, p->name, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (*fd < 0) return failed("cannot be opened");
    struct failure f =
        fstat(*fd, st) == 0 ? check_input(st, SIZE_MAX) : failed("cannot be examined");
    if (f.what) close(*fd);
    return f;
}

/* ---- replacing ---- */

static const char CHANGED[] = "changed while it was being processed, so it was left alone";

/* A rename needs no write permission for the file; whoever removed it meant to protect the file,
 * from root too. */
static bool is_protected(int dir, const char *name, mode_t mode) {
    return (mode & 0222) == 0 || faccessat(dir, name, W_OK, AT_EACCESS) != 0;
}

static struct failure check_replaceable(const struct place *p, const struct stat *st,
                                        const struct file_id *expected) {
    if (!same_state(st, expected)) return refuse(CHANGED);
    if (st->st_nlink > 1) return refuse("has several hard links, which rewriting would separate");
    if (is_protected(p->dir, p->name, st->st_mode)) return refuse("is write-protected");
    return success();
}

static struct failure replace_bytes(const struct place *p, int old, const struct stat *old_st,
                                    struct str bytes, const struct file_id *expected) {
    struct temp t;
    struct stat now;
    struct failure f = temp_open(&t, p->dir, 0600);
    if (f.what) return f;
    if (!write_full(t.fd, bytes)) f = failed("cannot be written");
    if (!f.what) f = copy_metadata(old, t.fd, old_st);
    if (!f.what) f = temp_close(&t, true);
    if (!f.what &&
        (fstatat(p->dir, p->name, &now, AT_SYMLINK_NOFOLLOW) != 0 || !same_state(&now, expected)))
        f = refuse(CHANGED);
    if (!f.what && renameat(p->dir, t.slot->name, p->dir, p->name) != 0)
        f = failed("cannot be replaced");
    temp_release(&t, f.what != NULL);
    /* The new bytes are in place and safe; when the name reaches the disk is not worth an error.
     */
    if (!f.what) (void)!fsync(p->dir);
    return f;
}

static struct failure replace_at(const struct place *p, struct str bytes,
                                 const struct file_id *expected) {
    int old;
    struct stat st;
    struct failure f = place_open_file(p, &old, &st);
    if (f.what) return f;
    if ((uint64_t)st.st_size != bytes.n || !holds(old, bytes)) {
        f = check_replaceable(p, &st, expected);
        if (!f.what) f = replace_bytes(p, old, &st, bytes, expected);
    }
    close(old);
    return f;
}

bool file_replace(struct arena *a, const char *path, struct str bytes,
                  const struct file_id *expected, struct str *error) {
    struct place p;
    struct failure f = place_resolve(&p, path);
    if (!f.what) f = replace_at(&p, bytes, expected);
    place_close(&p);
    return report(a, path, f, error);
}

/* ---- backups ---- */

static struct failure copy_original(const struct place *p, int from, const struct stat *st,
                                    const char *copy_name) {
    struct temp t;
    struct failure f = temp_open(&t, p->dir, 0600);
    if (f.what) return f;
    struct timespec times[2] = {st->st_atim, st->st_mtim};
    bool taken = false;
    f = copy_bytes(from, t.fd);
    if (!f.what) f = copy_metadata(from, t.fd, st);
    if (!f.what && futimens(t.fd, times) != 0) f = failed("the file's times cannot be kept");
    if (!f.what) f = temp_close(&t, true);
    if (!f.what) f = temp_publish_new(&t, copy_name, &taken);
    temp_release(&t, f.what || taken);
    return f;
}

static struct failure backup_at(const struct place *p, const char *copy_name) {
    struct stat st;
    int from;
    if (fstatat(p->dir, copy_name, &st, AT_SYMLINK_NOFOLLOW) == 0)
        return S_ISREG(st.st_mode) ? success()
                                   : refuse("the name of its backup is taken by something else");
    if (errno != ENOENT) return failed("the file's backup cannot be examined");
    struct failure f = place_open_file(p, &from, &st);
    if (f.what) return f;
    f = copy_original(p, from, &st, copy_name);
    close(from);
    return f;
}

bool file_backup(struct arena *a, const char *path, const char *suffix, struct str *error) {
    if (!*suffix || strchr(suffix, '/'))
        return report(a, path, refuse("a backup suffix is neither empty nor holds a '/'"), error);
    struct place p;
    struct failure f = place_resolve(&p, path);
    char *copy_name = NULL;
    if (!f.what && asprintf(&copy_name, "%s%s", p.name, suffix) < 0) {
        copy_name = NULL;
        f = failed("cannot be backed up");
    }
    if (!f.what) f = backup_at(&p, copy_name);
    free(copy_name);
    place_close(&p);
    return report(a, path, f, error);
}

/* ---- outputs ---- */

/* The content of an output: an open file, or bytes when fd is negative. */
struct content {
    struct str bytes;
    int fd;
};

/* Not synced to disk: the input it was made from still exists. */
static struct failure create_at(int dir, const char *name, struct content content, mode_t mode) {
    struct stat st;
    bool exists = fstatat(dir, name, &st, AT_SYMLINK_NOFOLLOW) == 0;
    if (exists && S_ISLNK(st.st_mode)) return refuse("is a symbolic link");
    if (exists && !S_ISREG(st.st_mode)) return refuse("is not a regular file");
    if (exists && is_protected(dir, name, st.st_mode)) return refuse("is write-protected");
    struct temp t;
    struct failure f = temp_open(&t, dir, mode & 0777);
    if (f.what) return f;
    if (content.fd >= 0)
        f = copy_bytes(content.fd, t.fd);
    else if (!write_full(t.fd, content.bytes))
        f = failed("cannot be written");
    if (!f.what && exists && fchmod(t.fd, st.st_mode & 07777) != 0)
        f = failed("the file's permissions cannot be kept");
    if (!f.what) f = temp_close(&t, false);
    if (!f.what && renameat(dir, t.slot->name, dir, name) != 0) f = failed("cannot be written");
    temp_release(&t, f.what != NULL);
    return f;
}

static struct failure write_through(const char *path, struct str bytes) {
    int fd = open(path, O_WRONLY | O_APPEND | O_CLOEXEC | O_NOCTTY);
    if (fd < 0) return failed("cannot be opened for writing");
    struct failure f = write_full(fd, bytes) ? success() : failed("cannot be written");
    if (close(fd) != 0 && !f.what) f = failed("cannot be written");
    return f;
}

static struct failure create(const char *path, struct str bytes, mode_t mode) {
    struct stat st;
    bool exists = stat(path, &st) == 0;
    /* /dev/stdout may lead to a regular file, which others write to as well. */
    if (exists && (!S_ISREG(st.st_mode) || strncmp(path, "/dev/", 5) == 0))
        return write_through(path, bytes);
    struct place p = {.real = exists ? realpath(path, NULL) : strdup(path), .dir = -1};
    struct failure f = p.real ? place_open_dir(&p) : failed("cannot be opened for writing");
    if (!f.what) f = create_at(p.dir, p.name, (struct content){bytes, -1}, mode);
    place_close(&p);
    return f;
}

bool file_is(const char *x, const char *y) {
    struct stat a, b;
    return stat(x, &a) == 0 && stat(y, &b) == 0 && a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

bool file_create(struct arena *a, const char *path, struct str bytes, unsigned mode,
                 struct str *error) {
    return report(a, path, create(path, bytes, mode), error);
}

/* Opens the directory of root/relative one component at a time, making what is missing. */
static struct failure open_below(const char *root, const char *relative, int *dir,
                                 const char **name) {
    *dir = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (*dir < 0) return failed("the output directory cannot be opened");
    const char *part = relative, *slash;
    for (; (slash = strchr(part, '/')) != NULL; part = slash + 1) {
        char component[NAME_MAX + 1];
        size_t n = (size_t)(slash - part);
        struct failure f = success();
        int next = -1;
        if (n > NAME_MAX)
            f = (struct failure){"cannot be made", ENAMETOOLONG};
        else {
            memcpy(component, part, n);
            component[n] = 0;
            if (mkdirat(*dir, component, 0777) != 0 && errno != EEXIST)
                f = failed("the file's directory cannot be made");
            else if ((next = openat(*dir, component,
                                    O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC)) < 0)
                f = errno == ELOOP || errno == ENOTDIR
                        ? refuse("a link or file takes the place of a directory above it")
                        : failed("the file's directory cannot be opened");
        }
        close(*dir);
        if (f.what) return f;
        *dir = next;
    }
    *name = part;
    return success();
}

static bool create_below(struct arena *a, const char *root, const char *relative,
                         struct content content, mode_t mode, struct str *error) {
    struct failure f = refuse("is not a path inside the output directory");
    if (file_safe_relative(str_of(relative))) {
        int dir;
        const char *name;
        f = open_below(root, relative, &dir, &name);
        if (!f.what) {
            f = create_at(dir, name, content, mode);
            close(dir);
        }
    }
    if (content.fd >= 0) close(content.fd);
    if (!f.what) return true;
    return report(a, arena_printf(a, "%s/%s", root, relative).p, f, error);
}

bool file_create_in(struct arena *a, const char *root, const char *relative, struct str bytes,
                    unsigned mode, struct str *error) {
    return create_below(a, root, relative, (struct content){bytes, -1}, mode, error);
}

bool file_copy_in(struct arena *a, const char *root, const char *relative, const char *source,
                  struct str *error) {
    struct stat st;
    int fd = open(source, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (fd < 0) return report(a, source, failed("cannot be opened"), error);
    struct failure f =
        fstat(fd, &st) == 0 ? check_input(&st, SIZE_MAX) : failed("cannot be examined");
    if (f.what) {
        close(fd);
        return report(a, source, f, error);
    }
    return create_below(a, root, relative, (struct content){.fd = fd}, st.st_mode, error);
}

bool file_make_parents(struct arena *a, const char *path, struct str *error) {
    char *p = arena_strdup(a, str_of(path));
    for (char *slash = strchr(p + (*p == '/'), '/'); slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        if (*p && mkdir(p, 0777) != 0 && errno != EEXIST)
            return report(a, p, failed("this directory cannot be made"), error);
        *slash = '/';
    }
    return true;
}

bool file_safe_relative(struct str path) {
    size_t start = 0;
    for (size_t i = 0; i <= path.n; i++) {
        if (i < path.n && path.p[i] == 0) return false;
        if (i < path.n && path.p[i] != '/') continue;
        struct str part = str_sub(path, start, i);
        if (part.n == 0 || str_is(part, ".") || str_is(part, "..")) return false;
        start = i + 1;
    }
    return true;
}

bool file_exists(void *context, struct str path) {
    char z[4096];
    (void)context;
    if (path.n >= sizeof z) return false;
    memcpy(z, path.p, path.n);
    z[path.n] = 0;
    return access(z, F_OK) == 0;
}
