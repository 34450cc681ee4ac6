/* SPDX-License-Identifier: Apache-2.0 */
/* ask.c - starts the child, gives it its limits, and reads its answer.
 *
 * The child is forked and executes nothing: libclang is in memory already, and only children use
 * it, so that none of its locks can be held when one is made. */
#include "semantic/ask.h"

#include "semantic/child.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* ---- the answer, as bytes: numbers of 32 bits, strings with their length and a NUL ---- */

static void put(struct buf *b, uint32_t n) {
    buf_add(b, (struct str){(const char *)&n, sizeof n});
}

static void put_str(struct buf *b, struct str s) {
    put(b, (uint32_t)s.n);
    buf_add(b, s);
    buf_addc(b, 0);
}

static void put_errors(struct buf *b, const struct sem_unit *u, struct arena *a) {
    struct sem_error *v;
    size_t n;
    sem_errors(u, a, &v, &n);
    put(b, (uint32_t)n);
    for (size_t i = 0; i < n; i++) {
        put(b, v[i].path != NULL);
        put_str(b, v[i].path ? str_of(v[i].path) : S(""));
        put(b, (uint32_t)v[i].offset);
        put(b, v[i].line);
        put(b, v[i].column);
        put_str(b, v[i].message);
        put_str(b, v[i].missing_header);
    }
}

static void put_inclusions(struct buf *b, const struct sem_unit *u, struct arena *a) {
    struct flag_list paths = {0};
    sem_inclusions(u, a, &paths);
    put(b, (uint32_t)paths.n);
    for (size_t i = 0; i < paths.n; i++) put_str(b, str_of(paths.v[i]));
}

static void put_facts(struct buf *b, const struct sem_unit *u, struct arena *a, const char *path) {
    struct semantic_facts f = sem_facts(u, a, path);
    put(b, (uint32_t)f.n);
    for (size_t i = 0; i < f.n; i++) {
        put(b, f.v[i].start);
        put(b, f.v[i].end);
        put(b, (uint32_t)f.v[i].origin);
        put(b, f.v[i].declares);
        put_str(b, f.v[i].type);
        put_str(b, f.v[i].usr);
    }
}

/* What is left to read; `bad` once there was less than there should be. */
struct reader {
    struct str rest;
    bool bad;
};

static uint32_t get(struct reader *r) {
    uint32_t n = 0;
    if (r->rest.n < sizeof n) r->bad = true;
    if (r->bad) return 0;
    memcpy(&n, r->rest.p, sizeof n);
    r->rest = str_sub(r->rest, sizeof n, r->rest.n);
    return n;
}

static struct str get_str(struct reader *r) {
    uint32_t n = get(r);
    if (r->rest.n < (size_t)n + 1 || r->rest.p[n]) r->bad = true;
    if (r->bad) return S("");
    struct str s = str_sub(r->rest, 0, n);
    r->rest = str_sub(r->rest, (size_t)n + 1, r->rest.n);
    return s;
}

/* How many things follow that take at least `least` bytes each. */
static size_t get_count(struct reader *r, size_t least) {
    uint32_t n = get(r);
    if (n > r->rest.n / least) r->bad = true;
    return r->bad ? 0 : n;
}

static void get_errors(struct reader *r, struct arena *a, struct sem_answer *answer) {
    answer->n_errors = get_count(r, 28);
    answer->errors = arena_zalloc(a, (answer->n_errors + 1) * sizeof *answer->errors);
    for (size_t i = 0; i < answer->n_errors; i++) {
        struct sem_error *e = &answer->errors[i];
        bool has_path = get(r);
        struct str path = get_str(r);
        e->path = has_path ? path.p : NULL;
        e->offset = get(r);
        e->line = get(r);
        e->column = get(r);
        e->message = get_str(r);
        e->missing_header = get_str(r);
    }
}

static void get_inclusions(struct reader *r, struct arena *a, struct sem_answer *answer) {
    size_t n = get_count(r, 5);
    for (size_t i = 0; i < n; i++) vec_push(a, &answer->inclusions, get_str(r).p);
}

/* In ascending order, or looking them up would go wrong. */
static void get_facts(struct reader *r, struct arena *a, struct sem_answer *answer) {
    size_t n = get_count(r, 26);
    struct sem_name *v = arena_zalloc(a, (n + 1) * sizeof *v);
    for (size_t i = 0; i < n; i++) {
        v[i].start = get(r);
        v[i].end = get(r);
        uint32_t origin = get(r);
        v[i].origin = (enum sem_origin)origin;
        v[i].declares = get(r);
        v[i].type = get_str(r);
        v[i].usr = get_str(r);
        if (origin > SEM_SYSTEM || v[i].end < v[i].start || (i && v[i].start < v[i - 1].start))
            r->bad = true;
    }
    answer->facts = (struct semantic_facts){v, n};
}

/* False: not what a child of ours writes. */
static bool get_answer(struct str bytes, struct arena *a, unsigned wants,
                       struct sem_answer *answer, struct str *error) {
    struct reader r = {bytes, false};
    bool parsed = get(&r);
    *error = get_str(&r);
    if (!parsed) return false;
    if (wants & SEM_WANT_ERRORS) get_errors(&r, a, answer);
    if (wants & SEM_WANT_INCLUSIONS) get_inclusions(&r, a, answer);
    if (wants & SEM_WANT_FACTS) get_facts(&r, a, answer);
    if (!r.bad && r.rest.n == 0) return true;
    *error = S("libclang's answer cannot be read");
    return false;
}

/* ---- the child ---- */

/* What it has to say, in its own memory: the parent's arenas would jump into the parent's code. */
static void answer_all(const struct sem *s, const struct sem_input *in, unsigned wants, int fd) {
    struct arena a;
    struct buf b;
    struct str error = S("");
    jmp_buf escape;
    arena_init(&a, 0);
    if (setjmp(escape)) return;
    a.escape = &escape;
    buf_init(&b, &a);
    struct sem_unit *u = sem_parse(s, &a, in, &error);
    put(&b, u != NULL);
    put_str(&b, error);
    if (u && (wants & SEM_WANT_ERRORS)) put_errors(&b, u, &a);
    if (u && (wants & SEM_WANT_INCLUSIONS)) put_inclusions(&b, u, &a);
    if (u && (wants & SEM_WANT_FACTS)) put_facts(&b, u, &a, in->path);
    for (size_t at = 0; at < b.n;) {
        ssize_t n = write(fd, b.p + at, b.n - at);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return;
        at += (size_t)n;
    }
}

/* ---- the parent ---- */

struct talk {
    pid_t child;
    int fd;
    struct timespec end;
    bool late;
};

static int milliseconds_left(const struct talk *t) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    long long left = (long long)(t->end.tv_sec - now.tv_sec) * 1000 +
                     (t->end.tv_nsec - now.tv_nsec) / (1000 * 1000);
    enum { LONGEST = 1000 * 1000 };
    return left < 0 ? 0 : left > LONGEST ? LONGEST : (int)left;
}

/* Until the child closes its end, or the time is over. */
static void receive(struct talk *t, struct buf *b) {
    enum { MOST = 1 << 30 };
    char bytes[64 * 1024];
    while (!t->late && b->n < MOST) {
        struct pollfd p = {.fd = t->fd, .events = POLLIN};
        int ready = poll(&p, 1, milliseconds_left(t));
        t->late = ready == 0;
        if (t->late || (ready < 0 && errno == EINTR)) continue;
        ssize_t n = read(t->fd, bytes, sizeof bytes);
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return;
        buf_add(b, (struct str){bytes, (size_t)n});
    }
}

/* Ends the child, whatever it is doing, and forgets it. */
static int hang_up(struct talk *t) {
    int status = 0;
    close(t->fd);
    kill(t->child, SIGKILL);
    while (waitpid(t->child, &status, 0) < 0 && errno == EINTR) {
    }
    return status;
}

/* The bytes of the child; memory may end while they are read, and then the child ends first. */
static struct str listen_to(struct talk *t, struct arena *a, int *status) {
    struct buf b;
    jmp_buf escape, *outer = a->escape;
    if (setjmp(escape)) {
        hang_up(t);
        a->escape = outer;
        if (!outer) abort();
        longjmp(*outer, 1);
    }
    a->escape = &escape;
    buf_init(&b, a);
    receive(t, &b);
    a->escape = outer;
    *status = hang_up(t);
    return buf_str(&b);
}

static struct str no_answer(struct arena *a, const struct talk *t, int status,
                            struct sem_limits limits) {
    if (t->late || (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU))
        return arena_printf(a, "libclang takes more than %u second%s", limits.seconds,
                            limits.seconds == 1 ? "" : "s");
    if (WIFSIGNALED(status) && WTERMSIG(status) != SIGKILL)
        return arena_printf(a, "libclang crashed (signal %d), or needs more than %u MB",
                            WTERMSIG(status), limits.megabytes);
    return arena_printf(a, "libclang ended without an answer, or needs more than %u MB",
                        limits.megabytes);
}

/* Starts a child: what it does is up to the caller, in whom this returns with t->child 0. */
static bool begin(struct talk *t, struct sem_limits limits, const char *writable) {
    int ends[2];
    if (pipe2(ends, O_CLOEXEC) != 0) return false;
    *t = (struct talk){.fd = ends[0]};
    clock_gettime(CLOCK_MONOTONIC, &t->end);
    t->end.tv_sec += limits.seconds;
    t->child = fork();
    if (t->child == 0) child_confine(ends[1], limits.seconds, limits.megabytes, writable);
    if (t->child == 0) return true;
    int why = errno;
    close(ends[1]);
    if (t->child < 0) close(ends[0]);
    errno = why;
    return t->child > 0;
}

bool sem_ask(const struct sem *s, struct arena *a, const struct sem_input *in, unsigned wants,
             struct sem_limits limits, struct sem_answer *answer, struct str *error) {
    struct talk t;
    int status;
    *answer = (struct sem_answer){0};
    if (!begin(&t, limits, NULL)) {
        *error = arena_printf(a, "libclang cannot be started: %s", strerror(errno));
        return false;
    }
    if (t.child == 0) {
        answer_all(s, in, wants, CHILD_FD);
        _exit(0);
    }
    struct str bytes = listen_to(&t, a, &status);
    if (bytes.n && !t.late) return get_answer(bytes, a, wants, answer, error);
    *error = no_answer(a, &t, status, limits);
    return false;
}

static void save(const struct sem *s, const struct sem_input *in, const char *path) {
    struct arena a;
    struct str error;
    jmp_buf escape;
    arena_init(&a, 0);
    if (setjmp(escape)) return;
    a.escape = &escape;
    struct sem_unit *u = sem_parse(s, &a, in, &error);
    if (u && sem_save(u, path) && write(CHILD_FD, "1", 1) != 1) return;
}

bool sem_precompile(const struct sem *s, struct arena *a, const struct sem_input *in,
                    const char *folder, const char *path, struct sem_limits limits) {
    struct talk t;
    int status;
    if (!begin(&t, limits, folder)) return false;
    if (t.child == 0) {
        save(s, in, path);
        _exit(0);
    }
    return listen_to(&t, a, &status).n > 0 && !t.late;
}
