/* SPDX-License-Identifier: Apache-2.0 */
/* machine.c - looks at a machine through files, libraries and variables; starts nothing.
 *
 * Everything goes through a root, so that a broken machine can be a folder of a test. Tools that
 * print versions are not run: reading a version file takes no second and cannot hang. */
#include "diag/machine.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include "base/file.h"

enum { MAX_TEXT = 8 << 20 }; /* cuda.h has more than one MiB */

/* ---- opening ---- */

static void add_paths(struct machine *m, str_vec *out, struct str list) {
    for (size_t at = 0; at < list.n;) {
        size_t end = str_find(list, S(":"), at);
        if (end > at) vec_push(m->a, out, str_sub(list, at, end));
        at = end + 1;
    }
}

static void add_all(struct machine *m, str_vec *out, const char *const *paths) {
    for (; *paths; paths++) vec_push(m->a, out, str_of(*paths));
}

static str_vec lines_of(struct machine *m, struct str text) {
    str_vec out = {0};
    for (size_t at = 0; at < text.n;) {
        size_t end = str_find(text, S("\n"), at);
        if (end > at && text.p[at] != '#') vec_push(m->a, &out, str_sub(text, at, end));
        at = end + 1;
    }
    return out;
}

static void find_directories(struct machine *m) {
    static const char *const libraries[] = {"/usr/local/lib",
                                            "/usr/local/lib64",
                                            "/lib/*-linux-gnu",
                                            "/usr/lib/*-linux-gnu",
                                            "/lib64",
                                            "/usr/lib64",
                                            "/lib",
                                            "/usr/lib",
                                            NULL};
    static const char *const tools[] = {
        "/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin", NULL};
    static const char *const pythons[] = {"$VIRTUAL_ENV/lib/python3*/site-packages",
                                          "$CONDA_PREFIX/lib/python3*/site-packages",
                                          "$HOME/.local/lib/python3*/site-packages",
                                          "/usr/local/lib/python3*/site-packages",
                                          "/usr/local/lib/python3*/dist-packages",
                                          "/usr/lib/python3*/site-packages",
                                          "/usr/lib/python3/dist-packages",
                                          "/opt/conda/lib/python3*/site-packages",
                                          "$HOME/miniconda3/lib/python3*/site-packages",
                                          "$HOME/.pyenv/versions/*/lib/python3*/site-packages",
                                          NULL};
    add_paths(m, &m->library_dirs, machine_variable(m, "LD_LIBRARY_PATH"));
    str_vec files = machine_matches(m, S("/etc/ld.so.conf.d/*.conf"));
    for (size_t i = 0; i < files.n; i++) {
        str_vec lines = lines_of(m, machine_read(m, files.v[i]));
        for (size_t k = 0; k < lines.n; k++)
            if (lines.v[k].p[0] == '/') vec_push(m->a, &m->library_dirs, lines.v[k]);
    }
    add_all(m, &m->library_dirs, libraries);
    add_paths(m, &m->path_dirs, machine_variable(m, "PATH"));
    if (m->path_dirs.n == 0) add_all(m, &m->path_dirs, tools);
    add_paths(m, &m->python_dirs, machine_variable(m, "PYTHONPATH"));
    add_all(m, &m->other_dirs, pythons);
}

bool machine_open(struct machine *m, struct arena *a, struct str root, struct str *error) {
    struct stat st;
    *m = (struct machine){.a = a, .root = root};
    while (m->root.n && m->root.p[m->root.n - 1] == '/') m->root.n--;
    m->is_real = m->root.n == 0;
    char *z = arena_strdup(a, m->root);
    if (!m->is_real && (stat(z, &st) != 0 || !S_ISDIR(st.st_mode))) {
        *error = arena_printf(a, "%s: is no directory", z);
        return false;
    }
    if (!m->is_real) m->variables = lines_of(m, machine_read(m, S("/etc/environment")));
    find_directories(m);
    return true;
}

/* ---- variables and files ---- */

struct str machine_variable(const struct machine *m, const char *name) {
    if (m->is_real) return str_of(getenv(name));
    struct str key = arena_printf(m->a, "%s=", name);
    for (size_t i = 0; i < m->variables.n; i++)
        if (str_starts(m->variables.v[i], key))
            return str_sub(m->variables.v[i], key.n, m->variables.v[i].n);
    return (struct str){NULL, 0};
}

/* A pattern with a leading $NAME replaced; false when that is not set or empty. */
static bool expand(const struct machine *m, struct str pattern, struct str *out) {
    *out = pattern;
    if (pattern.n == 0 || pattern.p[0] != '$') return true;
    size_t end = str_find(pattern, S("/"), 0);
    struct str value = machine_variable(m, arena_strdup(m->a, str_sub(pattern, 1, end)));
    if (value.n == 0) return false;
    *out = arena_concat(m->a, value, str_sub(pattern, end, pattern.n));
    return true;
}

const char *machine_path(const struct machine *m, struct str path) {
    return arena_strdup(m->a, arena_concat(m->a, m->root, path));
}

/* The root is no pattern, whatever characters it has. */
static char *rooted_pattern(const struct machine *m, struct str pattern) {
    struct buf b;
    buf_init(&b, m->a);
    for (size_t i = 0; i < m->root.n; i++) {
        if (strchr("*?[]\\", m->root.p[i])) buf_addc(&b, '\\');
        buf_addc(&b, m->root.p[i]);
    }
    buf_add(&b, pattern);
    return arena_strdup(m->a, buf_str(&b));
}

str_vec machine_matches(const struct machine *m, struct str pattern) {
    str_vec out = {0};
    struct str expanded;
    glob_t g;
    if (!expand(m, pattern, &expanded)) return out;
    char *z = rooted_pattern(m, expanded);
    if (glob(z, 0, NULL, &g) != 0) return out;
    for (size_t i = 0; i < g.gl_pathc; i++) {
        struct str path = str_of(g.gl_pathv[i]);
        struct str own = arena_str(m->a, str_sub(path, m->root.n, path.n));
        vec_push(m->a, &out, own);
    }
    globfree(&g);
    return out;
}

struct str machine_match(const struct machine *m, struct str pattern) {
    str_vec all = machine_matches(m, pattern);
    return all.n ? all.v[0] : (struct str){NULL, 0};
}

/* Files of /proc and /sys say that they are empty, so they are read as a stream. */
struct str machine_read_or_say(const struct machine *m, struct str path, struct str *error) {
    struct str text = S("");
    struct stat st;
    const char *name = machine_path(m, path);
    int fd = open(name, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    *error = S("");
    if (fd < 0 || fstat(fd, &st) != 0)
        *error = arena_printf(m->a, "%s: cannot be read: %s", name, strerror(errno));
    else if (!S_ISREG(st.st_mode))
        *error = arena_printf(m->a, "%s: is no file", name);
    else
        file_read_fd(m->a, fd, name, MAX_TEXT, &text, error);
    if (fd >= 0) close(fd);
    return error->n ? S("") : text;
}

struct str machine_read(const struct machine *m, struct str path) {
    struct str error;
    return machine_read_or_say(m, path, &error);
}

static struct str find_in(const struct machine *m, const str_vec *dirs, struct str name) {
    for (size_t i = 0; dirs && i < dirs->n; i++) {
        struct str pattern = arena_printf(m->a, "%.*s/%.*s", STR_ARG(dirs->v[i]), STR_ARG(name));
        struct str found = machine_match(m, pattern);
        if (found.n) return found;
    }
    return (struct str){NULL, 0};
}

struct str machine_library(const struct machine *m, struct str name, const str_vec *extra) {
    struct str found = find_in(m, &m->library_dirs, name);
    return found.n ? found : find_in(m, extra, name);
}

struct str machine_tool(const struct machine *m, struct str name, const str_vec *extra) {
    struct str found = find_in(m, &m->path_dirs, name);
    return found.n ? found : find_in(m, extra, name);
}

/* ---- Python packages ---- */

/* The name as a pattern: - and _ and . are one, and so are the cases. */
static struct str name_pattern(const struct machine *m, struct str name) {
    struct buf b;
    buf_init(&b, m->a);
    for (size_t i = 0; i < name.n; i++) {
        char c = name.p[i];
        if (c == '-' || c == '_' || c == '.')
            buf_addz(&b, "[-_.]");
        else if (c >= 'a' && c <= 'z')
            buf_printf(&b, "[%c%c]", c, c - 32);
        else
            buf_addc(&b, c);
    }
    return buf_str(&b);
}

static struct str python_of(struct str path) {
    size_t at = str_find(path, S("/python3."), 0);
    if (at == path.n) return S("");
    return str_sub(path, at + 7, str_find(path, S("/"), at + 1));
}

/* torch_npu-2.5.1.post1.dist-info, or .egg-info with "-py3.11" before it. */
static struct str version_in(struct str path, size_t name_length) {
    size_t start = path.n;
    while (start && path.p[start - 1] != '/') start--;
    struct str file = str_sub(path, start, path.n);
    size_t end = file.n - strlen(".dist-info") + (str_ends(file, S(".egg-info")) ? 1 : 0);
    struct str version = str_sub(file, name_length + 1, end);
    return str_sub(version, 0, str_find(version, S("-py"), 0));
}

static bool find_package(const struct machine *m, const str_vec *dirs, struct str name,
                         struct python_package *out) {
    static const char *const kinds[] = {".dist-info", ".egg-info"};
    struct str wanted = name_pattern(m, name);
    for (size_t i = 0; i < dirs->n; i++)
        for (size_t k = 0; k < ARRAY_LEN(kinds); k++) {
            struct str pattern = arena_printf(m->a, "%.*s/%.*s-[0-9]*%s", STR_ARG(dirs->v[i]),
                                              STR_ARG(wanted), kinds[k]);
            struct str path = machine_match(m, pattern);
            if (path.n == 0) continue;
            *out = (struct python_package){name, version_in(path, name.n), python_of(path), path};
            return true;
        }
    return false;
}

bool machine_python(const struct machine *m, struct str name, struct python_package *out) {
    return find_package(m, &m->python_dirs, name, out);
}

bool machine_python_elsewhere(const struct machine *m, struct str name,
                              struct python_package *out) {
    return !find_package(m, &m->python_dirs, name, out) &&
           find_package(m, &m->other_dirs, name, out);
}

/* ---- fingerprint ---- */

/* The value after `key` and its separators, to the end of the line; quotes are cut off. */
static struct str value_of(struct str text, struct str key) {
    size_t at = str_find(text, key, 0);
    while (at < text.n && at && text.p[at - 1] != '\n') at = str_find(text, key, at + 1);
    if (at == text.n) return S("");
    struct str v = str_sub(text, at + key.n, str_find(text, S("\n"), at));
    while (v.n && strchr(" \t:=\"", v.p[0])) v = str_sub(v, 1, v.n);
    while (v.n && strchr(" \t\"\r", v.p[v.n - 1])) v.n--;
    return v;
}

static long count_cpus(struct str cpuinfo) {
    long n = 0;
    for (size_t at = 0; (at = str_find(cpuinfo, S("processor\t"), at)) < cpuinfo.n; at++) n++;
    return n;
}

static struct str version_of_python(struct str path) {
    size_t at = str_find(path, S("python3."), 0);
    return at < path.n ? str_sub(path, at + strlen("python"), path.n) : S("");
}

/* The version in the file name behind python3, or in that of the only python3.X beside it, or else
 * of another interpreter; "3" when several could be meant (pyenv's shims). */
static struct str python_version(const struct machine *m) {
    if (m->python.n) return m->python;
    struct str path = machine_tool(m, S("python3"), NULL);
    char *real = m->is_real && path.n ? realpath(machine_path(m, path), NULL) : NULL;
    struct str version = version_of_python(real ? arena_str(m->a, str_of(real)) : path);
    free(real);
    if (version.n) return version;
    if (path.n == 0) return version_of_python(machine_tool(m, S("python3.[0-9]*[0-9]"), NULL));
    str_vec beside = machine_matches(m, arena_concat(m->a, path, S(".[0-9]*[0-9]")));
    return beside.n == 1 ? version_of_python(beside.v[0]) : S("3");
}

void machine_fingerprint(const struct machine *m, struct fingerprint *out) {
    struct utsname u;
    struct str cpuinfo = machine_read(m, S("/proc/cpuinfo"));
    struct str memory = value_of(machine_read(m, S("/proc/meminfo")), S("MemTotal"));
    *out = (struct fingerprint){0};
    out->os = value_of(machine_read(m, S("/etc/os-release")), S("PRETTY_NAME"));
    out->cpu = value_of(cpuinfo, S("model name"));
    out->memory = strtoull(arena_strdup(m->a, memory), NULL, 10) * 1024;
    out->cpus = m->is_real ? sysconf(_SC_NPROCESSORS_ONLN) : count_cpus(cpuinfo);
    out->python = python_version(m);
    if (m->is_real && uname(&u) == 0) {
        out->kernel = arena_str(m->a, str_of(u.release));
        out->arch = arena_str(m->a, str_of(u.machine));
    } else {
        struct str release = machine_read(m, S("/proc/sys/kernel/osrelease"));
        out->kernel = str_sub(release, 0, str_find(release, S("\n"), 0));
    }
}

void fingerprint_json(struct buf *b, const struct fingerprint *f) {
    buf_add_optional(b, "os", f->os);
    buf_add_optional(b, "kernel", f->kernel);
    buf_add_optional(b, "arch", f->arch);
    buf_add_optional(b, "cpu", f->cpu);
    buf_add_optional(b, "python", f->python);
    buf_printf(b, ", \"cpus\": %ld, \"memory\": %llu", f->cpus, (unsigned long long)f->memory);
}
