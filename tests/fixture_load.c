/* SPDX-License-Identifier: Apache-2.0 */
/* fixture_load.c - from a directory to a case: inputs, annotations, options. */
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/file.h"
#include "discover/discover.h"
#include "fixture.h"
#include "rules/rules.h"

enum { MAX_BYTES = 16 * 1024 * 1024 };

struct rule_use *suite_rule(struct suite *s, struct str id) {
    for (size_t i = 0; i < s->rules.n; i++)
        if (str_eq(s->rules.v[i].id, id)) return &s->rules.v[i];
    return NULL;
}

void fixture_fail(struct fixture *f, struct str target, const char *fmt, ...) {
    struct buf b;
    va_list ap;
    buf_init(&b, f->a);
    va_start(ap, fmt);
    buf_vprintf(&b, fmt, ap);
    va_end(ap);
    struct failure *x = NULL;
    for (size_t i = 0; i < f->failures.n && !x; i++)
        if (str_eq(f->failures.v[i].message, buf_str(&b))) x = &f->failures.v[i];
    if (!x) {
        struct failure new = {.message = buf_str(&b)};
        vec_push(f->a, &f->failures, new);
        x = &f->failures.v[f->failures.n - 1];
    }
    bool is_known = !target.n;
    for (size_t i = 0; i < x->targets.n; i++) is_known |= str_eq(x->targets.v[i], target);
    if (!is_known) vec_push(f->a, &x->targets, target);
}

/* ---- words and lines ---- */

static bool is_space(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

static struct str trimmed(struct str s) {
    while (s.n && is_space(s.p[0])) s = str_sub(s, 1, s.n);
    while (s.n && is_space(s.p[s.n - 1])) s.n--;
    return s;
}

/* Takes the text up to the next separator off the front of *rest. False at the end. */
static bool next_piece(struct str *rest, char separator, struct str *piece) {
    if (!rest->n) return false;
    const char *at = memchr(rest->p, separator, rest->n);
    size_t end = at ? (size_t)(at - rest->p) : rest->n;
    *piece = str_sub(*rest, 0, end);
    *rest = str_sub(*rest, at ? end + 1 : end, rest->n);
    return true;
}

static bool take(struct str *s, const char *prefix) {
    if (!str_starts(*s, str_of(prefix))) return false;
    *s = str_sub(*s, strlen(prefix), s->n);
    return true;
}

/* ---- annotations ---- */

static bool take_kind(struct str *text, enum expectation_kind *kind) {
    static const char *const words[] = {
        [WANT] = "want:", [OK] = "ok:", [TODO] = "todo:", [MORE] = "more:"};
    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (take(text, words[i])) {
            *kind = (enum expectation_kind)i;
            return true;
        }
    return false;
}

static void expect(const struct suite *s, struct fixture *f, struct fixture_file *file,
                   struct expectation e, struct str rules) {
    for (struct str id; next_piece(&rules, ',', &id);) {
        e.rule = trimmed(id);
        if (!suite_rule((struct suite *)s, e.rule) && !str_is(e.rule, UNKNOWN_RULE))
            fixture_fail(f, S(""), "%.*s:%u: there is no rule '%.*s'", STR_ARG(file->name), e.line,
                         STR_ARG(e.rule));
        vec_push(f->a, &file->expected, e);
    }
}

/* Reads `# want: ids` lines, which speak of the next line that is none of them, and blanks them.
 */
static void read_annotations(const struct suite *s, struct fixture *f, struct fixture_file *file) {
    struct str rest = file->bytes, line;
    size_t first_open = 0; /* annotations from here on wait for their line */
    for (uint32_t number = 1; next_piece(&rest, '\n', &line); number++) {
        struct expectation e = {.line = number};
        size_t offset = (size_t)(line.p - file->bytes.p);
        struct str text = line;
        if (number == 1) take(&text, "\xEF\xBB\xBF");
        text = trimmed(text);
        size_t column = (size_t)(text.p - line.p);
        if ((take(&text, "# ") || take(&text, "// ")) && take_kind(&text, &e.kind)) {
            expect(s, f, file, e, text);
            size_t skip = column + (line.p[column] == '#' ? 1 : 2);
            memset((char *)file->blank.p + offset + skip, ' ',
                   (size_t)(text.p + text.n - line.p) - skip);
            continue;
        }
        for (; first_open < file->expected.n; first_open++)
            file->expected.v[first_open].line = number;
    }
    if (first_open < file->expected.n)
        fixture_fail(f, S(""), "%.*s: an annotation at the end has no line below it",
                     STR_ARG(file->name));
}

/* Lines `[ok:|todo:] [PATH:][CELL:]LINE id, id`: for inputs where no comment can be put. */
static void read_findings(const struct suite *s, struct fixture *f, struct str text) {
    for (struct str line; next_piece(&text, '\n', &line);) {
        struct expectation e = {.kind = WANT};
        struct str rules = trimmed(line), place, piece;
        if (!rules.n || rules.p[0] == '#') continue;
        take_kind(&rules, &e.kind);
        rules = trimmed(rules);
        next_piece(&rules, ' ', &place);
        struct fixture_file *file = f->files.v;
        while (next_piece(&place, ':', &piece)) {
            bool is_number = piece.n && piece.p[0] >= '0' && piece.p[0] <= '9';
            for (size_t i = 0; i < f->files.n && !is_number; i++)
                if (str_eq(f->files.v[i].name, piece)) file = &f->files.v[i];
            if (is_number) e.cell = e.line;
            if (is_number) e.line = (uint32_t)strtoul(piece.p, NULL, 10);
        }
        if (e.line)
            expect(s, f, file, e, rules);
        else
            fixture_fail(f, S(""), "findings: no line number in '%.*s'", STR_ARG(line));
    }
}

/* ---- files ---- */

static bool read_part(struct fixture *f, const char *path, struct str *out) {
    struct str error;
    if (access(path, F_OK)) return false;
    if (file_read(f->a, path, MAX_BYTES, out, NULL, &error)) return true;
    fixture_fail(f, S(""), "%.*s", STR_ARG(error));
    return false;
}

static const char *part_path(const struct fixture *f, const char *name) {
    return arena_printf(f->a, "%s/%s", f->path, name).p;
}

static void add_file(struct fixture *f, const char *path, struct str name) {
    struct fixture_file file = {.name = name};
    if (!read_part(f, path, &file.bytes)) return;
    enum cm_language language = language_of_name(name);
    if (language == CM_NONE)
        language =
            language_of_first_line(str_sub(file.bytes, 0, str_find(file.bytes, S("\n"), 0)));
    file.language = language;
    char *copy = arena_zalloc(f->a, file.bytes.n + FILE_PADDING);
    if (file.bytes.n) memcpy(copy, file.bytes.p, file.bytes.n);
    file.blank = (struct str){copy, file.bytes.n};
    vec_push(f->a, &f->files, file);
}

static void add_tree(struct fixture *f, const char *path) {
    struct discovery found = {0};
    struct discover_options options = {.no_ignore = true};
    discover(f->a, &options, &path, 1, &found);
    for (size_t i = 0; i < found.n; i++) add_file(f, found.v[i].path.p, found.v[i].relative);
    f->is_tree = true;
}

/* ---- options ---- */

static void split_lines(struct fixture *f, struct str text, strings *out) {
    for (struct str line; next_piece(&text, '\n', &line);) {
        line = trimmed(line);
        if (line.n) vec_push(f->a, out, line);
    }
}

static void read_arguments(struct fixture *f, struct str text) {
    static const struct str version = {"--target-version=", 17};
    strings args = {0};
    split_lines(f, text, &args);
    for (size_t i = 0; i < args.n; i++) {
        struct str arg = args.v[i];
        if (str_is(arg, "--unsafe-fixes"))
            f->unsafe = true;
        else if (str_is(arg, "--lint")) /* the rules that only check asks */
            f->lint = true;
        else if (str_is(arg, "--kernels=sycl"))
            f->sycl = true;
        else if (str_starts(arg, version))
            f->version = arena_strdup(f->a, str_sub(arg, version.n, arg.n));
        else
            fixture_fail(f, S(""), "args: '%.*s' is not known", STR_ARG(arg));
    }
}

/* Whether the case has a golden of that target. */
static bool has_golden(const struct fixture *f, struct str target) {
    bool found = false;
    DIR *dir = opendir(f->path);
    for (const struct dirent *e; dir && !found && (e = readdir(dir)) != NULL;) {
        struct str name = str_of(e->d_name);
        size_t dot = str_find(name, S("."), 0);
        struct str first = str_sub(name, 0, dot), rest = str_sub(name, dot + 1, name.n);
        if (!str_is(first, "expected") && !str_is(first, "report")) continue;
        found = str_starts(rest, target) && (rest.n == target.n || rest.p[target.n] == '.');
    }
    if (dir) closedir(dir);
    return found;
}

/* Vendors whose files say of each name where it was read, or which other one they are like, bring
 * no code and few cells: the laws are asked of them where a case has their golden.
 * FIXTURES_EVERY_TARGET=1 asks them everywhere. */
static bool is_asked(const struct fixture *f, struct str name) {
    struct ruleset set;
    struct rules rules = {.n = 1};
    struct target_ref t;
    if (getenv("FIXTURES_EVERY_TARGET")) return true;
    if (!ruleset_open(cm_rules_blob, cm_rules_blob_size, &set)) return true;
    rules.set[0] = set;
    if (!rules_target(&rules, name, &t)) return true;
    return (!t.target->listed && !t.target->like.n) || has_golden(f, name);
}

static void read_options(const struct suite *s, struct fixture *f) {
    struct str text;
    if (read_part(f, part_path(f, "args"), &text)) read_arguments(f, text);
    f->known_bug = read_part(f, part_path(f, "known-bug"), &text);
    if (read_part(f, part_path(f, "notes"), &text)) split_lines(f, text, &f->notes);
    if (read_part(f, part_path(f, "targets"), &text)) split_lines(f, text, &f->targets);
    size_t n = f->targets.n ? 0 : cm_session_n_targets(s->session[0]);
    for (size_t i = 0; i < n; i++) {
        struct str name = cm_target_name(cm_session_target_at(s->session[0], i));
        if (is_asked(f, name)) vec_push(f->a, &f->targets, name);
    }
    for (size_t i = 0; i < f->targets.n; i++)
        if (!cm_session_target(s->session[0], f->targets.v[i]))
            fixture_fail(f, S(""), "targets: there is no '%.*s'", STR_ARG(f->targets.v[i]));
}

/* Fails for what is not expected.TARGET[.EXT] or report.TARGET of this case. */
static void check_golden_name(struct fixture *f, struct str name) {
    const char *dot = f->is_tree ? NULL : strchr(f->files.v[0].name.p, '.');
    for (size_t i = 0; i < f->targets.n; i++) {
        struct str t = f->targets.v[i];
        if (str_eq(name, arena_printf(f->a, "report.%.*s", STR_ARG(t))) && !f->is_tree) return;
        if (str_eq(name, arena_printf(f->a, "expected.%.*s%s", STR_ARG(t), dot ? dot : "")))
            return;
    }
    fixture_fail(f, S(""), "%.*s: no part of this case has this name", STR_ARG(name));
}

static void read_directory(struct fixture *f) {
    static const char *const parts[] = {"args", "findings", "known-bug", "notes", "targets"};
    strings others = {0};
    DIR *dir = opendir(f->path);
    if (!dir) return;
    for (const struct dirent *e; (e = readdir(dir)) != NULL;) {
        struct str name = arena_str(f->a, str_of(e->d_name));
        bool is_option = name.p[0] == '.';
        for (size_t i = 0; i < ARRAY_LEN(parts); i++) is_option |= str_is(name, parts[i]);
        if (str_is(name, "tree"))
            add_tree(f, part_path(f, "tree"));
        else if (str_starts(name, S("input")))
            add_file(f, part_path(f, e->d_name), name);
        else if (!is_option)
            vec_push(f->a, &others, name);
    }
    closedir(dir);
    for (size_t i = 0; i < others.n && f->files.n; i++) check_golden_name(f, others.v[i]);
}

void fixture_load(const struct suite *s, struct fixture *f, struct arena *a) {
    struct str findings;
    f->a = a;
    read_options(s, f);
    read_directory(f);
    if (!f->files.n) fixture_fail(f, S(""), "there is no input");
    if (f->failures.n) return;
    if (read_part(f, part_path(f, "findings"), &findings)) {
        read_findings(s, f, findings);
        return;
    }
    for (size_t i = 0; i < f->files.n; i++) read_annotations(s, f, &f->files.v[i]);
}

/* ---- the list ---- */

static int by_text(const void *x, const void *y) {
    return str_cmp(*(const struct str *)x, *(const struct str *)y);
}

static void list_directories(struct arena *a, const char *path, strings *out) {
    DIR *dir = opendir(path);
    if (!dir) return;
    for (const struct dirent *e; (e = readdir(dir)) != NULL;)
        if (e->d_name[0] != '.' && e->d_type != DT_REG)
            vec_push(a, out, arena_str(a, str_of(e->d_name)));
    closedir(dir);
    if (out->n) qsort(out->v, out->n, sizeof *out->v, by_text);
}

/* Whether a line of @FILE is the name. */
static bool is_listed(struct str only, struct str name) {
    static char *text;
    static size_t n;
    if (!text) {
        FILE *f = fopen(only.p + 1, "rb");
        if (f && getdelim(&text, &n, 0, f) < 0) n = 0;
        if (f) fclose(f);
    }
    for (const char *at = text; at && (at = memmem(at, strlen(at), name.p, name.n)); at++)
        if ((at == text || at[-1] == '\n') && at[name.n] == '\n') return true;
    return false;
}

bool suite_find_cases(struct suite *s, struct arena *a) {
    strings domains = {0};
    list_directories(a, s->root, &domains);
    for (size_t i = 0; i < domains.n; i++) {
        strings cases = {0};
        const char *domain = arena_printf(a, "%s/%.*s", s->root, STR_ARG(domains.v[i])).p;
        list_directories(a, domain, &cases);
        for (size_t k = 0; k < cases.n; k++) {
            struct fixture f = {.a = a};
            f.name = arena_printf(a, "%.*s/%.*s", STR_ARG(domains.v[i]), STR_ARG(cases.v[k]));
            f.path = arena_printf(a, "%s/%.*s", domain, STR_ARG(cases.v[k])).p;
            bool is_asked = !s->only.n || str_eq(s->only, f.name) ||
                            str_eq(s->only, domains.v[i]) ||
                            (s->only.p[0] == '@' && is_listed(s->only, f.name));
            if (is_asked) vec_push(a, &s->cases, f);
        }
    }
    if (s->cases.n) return true;
    fprintf(stderr, "fixtures: no case of that name below %s\n", s->root);
    return false;
}
