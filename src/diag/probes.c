/* SPDX-License-Identifier: Apache-2.0 */
/* probes.c - asks a machine for what a target's probes name.
 *
 * A vendor's library may hang or crash when it meets a broken driver, so it is asked in a child
 * process with a limit of time. */
#include "diag/probes.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/regex.h"
#include "diag/tool_version.h"

/* ---- versions ---- */

/* The parts of a version that the pattern found, with a point between them: a header has a number
 * for each, or 13000. */
static struct str version_in(const struct machine *m, const struct probe_item *x,
                             struct regex_cache *cache, struct str text) {
    size_t start, end;
    struct str group;
    if (!regex_find(cache, x, x->version_pattern, text, 0, &start, &end, &group)) return S("");
    struct str version = arena_str(m->a, group);
    for (size_t i = 2; i <= 3; i++) {
        struct str part = regex_group(cache, i, text);
        if (part.n)
            version = arena_printf(m->a, "%.*s.%.*s", STR_ARG(version), STR_ARG(part));
    }
    return version;
}

static struct str read_version(const struct machine *m, const struct probe_item *x,
                               struct str *unread) {
    struct str version = S("");
    struct regex_cache *cache = regex_cache_new();
    for (size_t i = 0; i < x->version_files.n && cache && version.n == 0; i++) {
        str_vec paths = machine_matches(m, x->version_files.v[i]);
        for (size_t k = 0; k < paths.n && version.n == 0; k++) {
            struct str error, text = machine_read_or_say(m, paths.v[k], &error);
            if (error.n) *unread = error;
            version = version_in(m, x, cache, text);
        }
    }
    regex_cache_free(cache);
    return version;
}

/* Whether a program may be run: one of the machine itself, not of another root, and not of the
 * folder that we stand in, which may be anybody's repository. */
static bool may_ask(const struct machine *m, struct str path) {
    if (!m->asks_tools || !m->is_real || !str_starts(path, S("/"))) return false;
    char *real = realpath(arena_strdup(m->a, path), NULL), *here = getcwd(NULL, 0);
    struct str folder =
        here ? arena_printf(m->a, "%s/", str_is(str_of(here), "/") ? "" : here) : (struct str){0};
    bool inside =
        folder.n > 1 && (str_starts(path, folder) || (real && str_starts(str_of(real), folder)));
    free(real);
    free(here);
    return !inside;
}

static struct str ask_version(const struct machine *m, const struct probe_item *x,
                              struct str path) {
    struct regex_cache *cache = regex_cache_new();
    struct str text =
        tool_says(m->a, arena_strdup(m->a, path), arena_strdup(m->a, x->version_ask));
    struct str version = cache ? version_in(m, x, cache, text) : S("");
    regex_cache_free(cache);
    return version;
}

/* ---- items ---- */

static void find_variable(const struct machine *m, struct str name, struct found_item *f) {
    struct stat st;
    struct str value = machine_variable(m, arena_strdup(m->a, name));
    if (value.n == 0) return;
    f->found = true;
    f->path = arena_printf(m->a, "%.*s=%.*s", STR_ARG(name), STR_ARG(value));
    if (value.p[0] != '/' || str_find(value, S(":"), 0) < value.n) return;
    if (stat(machine_path(m, value), &st) != 0)
        f->problem = arena_printf(m->a, "%.*s names what is not there", STR_ARG(name));
}

static void find_node(const struct machine *m, struct str pattern, struct found_item *f) {
    f->path = machine_match(m, pattern);
    f->found = f->path.n > 0;
    if (f->found && access(machine_path(m, f->path), R_OK | W_OK) != 0)
        f->problem = arena_printf(m->a, "this user may not open %.*s", STR_ARG(f->path));
}

static void find_one(const struct machine *m, struct str name, struct found_item *f) {
    const struct probe_item *x = f->item;
    struct python_package p;
    switch (x->kind) {
    case PROBE_VARIABLE:
        find_variable(m, name, f);
        return;
    case PROBE_NODE:
        find_node(m, name, f);
        return;
    case PROBE_FILE:
        f->path = machine_match(m, name);
        break;
    case PROBE_LIBRARY:
        f->path = machine_library(m, name, &x->dirs);
        break;
    case PROBE_TOOL:
        f->path = machine_tool(m, name, &x->dirs);
        break;
    case PROBE_PYTHON:
        if (machine_python_elsewhere(m, name, &p)) f->elsewhere = p.path;
        if (!machine_python(m, name, &p)) return;
        f->path = p.path;
        f->version = p.version;
        f->python = p.python;
        break;
    }
    f->found = f->path.n > 0;
}

static struct found_item find_item(const struct machine *m, const struct probe_item *x) {
    struct found_item f = {.item = x};
    for (size_t i = 0; i < x->any.n && !f.found; i++) find_one(m, x->any.v[i], &f);
    if (f.found && x->version_files.n) f.version = read_version(m, x, &f.unread);
    if (f.found && x->version_ask.n && may_ask(m, f.path)) f.version = ask_version(m, x, f.path);
    return f;
}

/* ---- devices ---- */

static struct str attribute(const struct machine *m, struct str device, const char *name) {
    struct str text = machine_read(m, arena_printf(m->a, "%.*s/%s", STR_ARG(device), name));
    return str_sub(text, 0, str_find(text, S("\n"), 0));
}

static const struct probe_device *known_device(const struct probe_target *t, struct str vendor,
                                               struct str class, struct str id) {
    const struct probe_device *any = NULL;
    for (size_t i = 0; i < t->devices.n; i++) {
        const struct probe_device *d = &t->devices.v[i];
        if (!str_eq(d->vendor, vendor) || !str_starts(class, d->class_prefix)) continue;
        if (d->id.n && str_eq(d->id, id)) return d;
        if (d->id.n == 0) any = d;
    }
    return any;
}

static void find_devices(const struct machine *m, struct found_target *out) {
    str_vec paths = machine_matches(m, S("/sys/bus/pci/devices/*"));
    for (size_t i = 0; i < paths.n && out->target->devices.n; i++) {
        struct str vendor = attribute(m, paths.v[i], "vendor");
        struct str class = attribute(m, paths.v[i], "class"),
                   id = attribute(m, paths.v[i], "device");
        const struct probe_device *d = known_device(out->target, vendor, class, id);
        if (!d) continue;
        struct str bus = str_sub(paths.v[i], strlen("/sys/bus/pci/devices/"), paths.v[i].n);
        struct found_device found = {bus, vendor, id, d->name};
        vec_push(m->a, &out->devices, found);
    }
}

/* ---- the vendor's library ---- */

/* A function of the library; NULL when it has no name. ISO C has no cast from dlsym's pointer. */
static void find_function(void *handle, struct str name, void *pointer) {
    char z[128];
    *(void **)pointer = NULL;
    if (!handle || name.n == 0 || name.n >= sizeof z) return;
    memcpy(z, name.p, name.n);
    z[name.n] = 0;
    *(void **)pointer = dlsym(handle, z);
}

typedef int drivers_function(unsigned *, void **);
typedef int devices_function(void *, unsigned *, void **);
typedef int properties_function(void *, void *);

/* Level Zero's ze_device_properties_t: the kind of structure, a pointer, the type of the device;
 * what follows grew with the versions, so there is room for more. */
static bool is_gpu(properties_function *properties, void *device) {
    enum { KIND = 3, GPU = 1 };
    union {
        struct {
            unsigned kind;
            void *next;
            unsigned type;
        } p;
        char room[4096];
    } x = {{KIND, NULL, 0}};
    return !properties || (properties(device, &x) == 0 && x.p.type == GPU);
}

static int count_by_driver(drivers_function *drivers, devices_function *devices,
                           properties_function *properties) {
    enum { MOST = 64 };
    void *driver[MOST], *device[MOST];
    unsigned n_drivers = MOST;
    int n = 0;
    if (drivers(&n_drivers, driver) != 0) return -1;
    for (unsigned i = 0; i < n_drivers && i < MOST; i++) {
        unsigned n_devices = MOST;
        if (devices(driver[i], &n_devices, device) != 0) continue;
        for (unsigned k = 0; k < n_devices && k < MOST; k++) n += is_gpu(properties, device[k]);
    }
    return n;
}

static int ask(const char *library, const struct probe_query *q) {
    int n = -1;
    void *handle = dlopen(library, RTLD_NOW | RTLD_LOCAL);
    int (*start)(void *), (*count)(int *);
    drivers_function *drivers;
    devices_function *devices;
    properties_function *properties;
    find_function(handle, q->init, &start);
    find_function(handle, q->drivers, &drivers);
    find_function(handle, q->count, &count);
    find_function(handle, q->count, &devices);
    find_function(handle, q->properties, &properties);
    if (start) start(NULL);
    if (q->drivers.n)
        return drivers && devices ? count_by_driver(drivers, devices, properties) : -1;
    return count && count(&n) == 0 ? n : -1;
}

static void answer(const char *library, const struct probe_query *q, int fd) {
    int n = ask(library, q);
    ssize_t written = write(fd, &n, sizeof n);
    _exit(written == (ssize_t)sizeof n ? 0 : 1);
}

static void become_quiet(void) {
    static const int signals[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGPIPE, SIGXFSZ};
    int null = open("/dev/null", O_RDWR | O_CLOEXEC);
    for (size_t i = 0; i < ARRAY_LEN(signals); i++) signal(signals[i], SIG_DFL);
    if (null < 0) return;
    dup2(null, STDOUT_FILENO);
    dup2(null, STDERR_FILENO);
}

/* In a child process, for at most five seconds; -1 when that fails. */
static int ask_in_child(const char *library, const struct probe_query *q) {
    enum { WAIT_MS = 5000 };
    int fds[2], n = -1, status;
    if (pipe2(fds, O_CLOEXEC) != 0) return -1;
    pid_t child = fork();
    if (child == 0) {
        become_quiet();
        answer(library, q, fds[1]);
    }
    close(fds[1]);
    if (child > 0) {
        struct pollfd p = {.fd = fds[0], .events = POLLIN};
        if (poll(&p, 1, WAIT_MS) != 1 || read(fds[0], &n, sizeof n) != (ssize_t)sizeof n) n = -1;
        kill(child, SIGKILL);
        while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
        }
    }
    close(fds[0]);
    return n;
}

static int count_devices(const struct machine *m, const struct probe_target *t) {
    if (!m->is_real || t->query.library.n == 0) return -1;
    str_vec dirs = {0};
    for (size_t i = 0; i < t->items.n; i++)
        for (size_t k = 0; k < t->items.v[i].dirs.n && t->items.v[i].kind == PROBE_LIBRARY; k++)
            vec_push(m->a, &dirs, t->items.v[i].dirs.v[k]);
    struct str library = machine_library(m, t->query.library, &dirs);
    if (library.n == 0) return -1;
    return ask_in_child(arena_strdup(m->a, library), &t->query);
}

void probes_run(const struct machine *m, const struct probe_target *t, bool full,
                struct str purpose, struct found_target *out) {
    *out = (struct found_target){.target = t, .counted = -1};
    find_devices(m, out);
    for (size_t i = 0; i < t->items.n; i++) {
        struct str own = t->items.v[i].purpose;
        if ((t->items.v[i].full && !full) || (own.n && !str_eq(own, purpose))) continue;
        struct found_item f = find_item(m, &t->items.v[i]);
        bool is_proof = f.found && t->items.v[i].proof;
        out->detected |= is_proof && t->items.v[i].kind == PROBE_NODE;
        out->installed |= is_proof && t->items.v[i].kind != PROBE_NODE;
        vec_push(m->a, &out->items, f);
    }
    out->counted = count_devices(m, t);
    out->detected |= out->devices.n || out->counted > 0;
}
