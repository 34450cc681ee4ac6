/* SPDX-License-Identifier: Apache-2.0 */
/* facts.c - what the files of a project tell about each other, by a look that costs nothing. */
#include "engine/engine.h"
#include "engine/notebook.h"
#include "rules/template.h"
#include "sycl/sycl.h"

enum {
    FACT_CLASS = 'c',
    FACT_MOVING = 'm',
    FACT_ATTRIBUTE = 'a',
    FACT_PACKAGE = 'p',
    FACT_CONSTANT = 'k',  /* GPU = "cuda", at the left margin */
    FACT_DEVICE = 'd',    /* x.to(GPU) */
    FACT_BACKEND = 'b',   /* init_process_group(GROUP) */
    FACT_COMPARED = 'q',  /* args.backend == "nccl" */
    FACT_PARAMETER = 'f', /* def run(name, device): run:1 */
    FACT_REACH = 'r',     /* from ..models import x, from package.models import x */
    FACT_HELPER = 'h',    /* an earlier port added the file */
    FACT_SET = 's',       /* a project file says dist_backend: nccl */
    FACT_GUARDED = 'g',   /* a vendor's package is imported where it may be missing */
    FACT_LINES = 'l',     /* a formatter's settings: lines of that length */
    FACT_SHARED = 'y',    /* a project file says device: cuda */
    FACT_EXTENSION = 'e'  /* CUDAExtension(name="pkg.knn_cuda") of a setup.py */
};

static void add_fact(struct buf *b, char kind, struct str name) {
    buf_addc(b, kind);
    buf_add(b, name);
    buf_addc(b, '\n');
}

/* ---- Python ---- */

static bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }

/* The name of a constant that stands there, by the way it is written: GPU, config.GPU; empty:
 * there is none. */
static struct str constant_at(struct str src, size_t at) {
    size_t end = at, last = at;
    for (; end < src.n && (is_word_char(src.p[end]) || src.p[end] == '.'); end++)
        if (src.p[end] == '.') last = end + 1;
    struct str name = str_sub(src, last, end);
    for (size_t i = 0; i < name.n; i++)
        if (name.p[i] >= 'a' && name.p[i] <= 'z') return (struct str){0};
    bool ends = end == src.n || strchr("),: \t\r\n]", src.p[end]);
    return name.n > 1 && is_capital(name.p[0]) && ends ? name : (struct str){0};
}

/* Lines at the left margin that give a word of the list to a constant. */
static void constant_facts(const struct rules *rules, struct buf *b, struct str src) {
    struct str word;
    for (size_t cursor = 0; rules_next_word(rules, "torch.constant_values", &cursor, &word);)
        for (size_t at = 0; (at = str_find(src, word, at)) < src.n; at++) {
            size_t start = at, end = at + word.n;
            if (!at || !strchr("\"'", src.p[at - 1]) || end == src.n ||
                src.p[end] != src.p[at - 1])
                continue;
            while (start && src.p[start - 1] != '\n') start--;
            struct str name = constant_at(src, start);
            struct str between = str_sub(src, start + name.n, at - 1);
            while (between.n && between.p[0] == ' ') between = str_sub(between, 1, between.n);
            while (between.n && between.p[between.n - 1] == ' ') between.n--;
            if (name.n && name.p == src.p + start && str_is(between, "="))
                add_fact(b, FACT_CONSTANT, name);
        }
}

/* Words that something is compared with: == "nccl", in ("nccl", "gloo"); and calls that ask for
 * one. */
static void comparison_facts(const struct rules *rules, struct buf *b, struct str src) {
    struct str word;
    for (size_t cursor = 0; rules_next_word(rules, "torch.compared_values", &cursor, &word);)
        for (size_t at = 0; (at = str_find(src, word, at)) < src.n; at++) {
            size_t i = at;
            if (!i || !strchr("\"'", src.p[i - 1])) continue;
            for (i--; i && strchr(" ([{,\"'", src.p[i - 1]);) i--;
            struct str before = str_sub(src, i > 3 ? i - 3 : 0, i);
            if (str_ends(before, S("==")) || str_ends(before, S("!=")) ||
                str_ends(before, S(" in"))) {
                add_fact(b, FACT_COMPARED, word);
                break;
            }
        }
    for (size_t cursor = 0; rules_next_word(rules, "torch.backend_questions", &cursor, &word);)
        if (str_find(src, word, 0) < src.n) add_fact(b, FACT_COMPARED, word);
}

/* Constants that stand where a device or a backend does. */
static void use_facts(const struct rules *rules, struct buf *b, struct str src, const char *list,
                      char kind) {
    struct str before;
    for (size_t cursor = 0; rules_next_word(rules, list, &cursor, &before);)
        for (size_t at = 0; (at = str_find(src, before, at)) < src.n; at++) {
            struct str name = constant_at(src, at + before.n);
            if (name.n) add_fact(b, kind, name);
        }
}

/* Functions with a parameter that is called like a device, and where it stands. */
static void parameter_facts(struct buf *b, struct str src) {
    for (size_t at = 0; (at = str_find(src, S("def "), at)) < src.n; at++) {
        struct str name = str_word(src, at + 4);
        size_t end = at + 4 + name.n, depth = 0;
        if (!name.n || end == src.n || src.p[end] != '(') continue;
        int position = 0;
        for (size_t i = end + 1, from = i; i < src.n && i < end + 2000; i++) {
            depth += src.p[i] == '(' || src.p[i] == '[' || src.p[i] == '{';
            bool closes = src.p[i] == ')' && depth == 0;
            if (depth && (src.p[i] == ')' || src.p[i] == ']' || src.p[i] == '}')) depth--;
            if (depth || (src.p[i] != ',' && !closes)) continue;
            while (from < i && strchr(" \t\r\n", src.p[from])) from++;
            struct str parameter = str_word(src, from);
            if (from < i && src.p[from] == '*') break;
            if (str_is(parameter, "device"))
                add_fact(b, FACT_PARAMETER,
                         arena_printf(b->a, "%.*s:%d", STR_ARG(name), position));
            position += parameter.n && !str_is(parameter, "self") && !str_is(parameter, "cls");
            from = i + 1;
            if (closes) break;
        }
    }
}

/* Imports at the left margin: how far up they reach. A relative one does by its dots. */
static void reach_facts(const struct rules *rules, struct buf *b, struct str src) {
    struct str last = {0};
    for (size_t at = 0; (at = str_find(src, S("from "), at)) < src.n; at += 5) {
        if (at && src.p[at - 1] != '\n') continue;
        size_t start = at + 5, end = start;
        while (end < src.n && src.p[end] == '.') end++;
        if (end == start) end += str_word(src, start).n;
        if (rules_lists(rules, "python.standard_library", str_sub(src, start, end))) continue;
        while (end < src.n && (is_word_char(src.p[end]) || src.p[end] == '.')) end++;
        struct str reach = str_sub(src, start, end);
        if (reach.n && !str_eq(reach, last)) add_fact(b, FACT_REACH, reach);
        last = reach;
    }
}

/* Whether the line above that is less indented than the one at `at` asks for something, or tries
 * it.
 */
static bool is_guarded(struct str src, size_t at) {
    size_t start = str_line_start(src, at), indent = 0;
    while (start + indent < at && strchr(" \t", src.p[start + indent])) indent++;
    if (!indent || start + indent < at) return false;
    for (size_t end = start; end > 1;) {
        size_t line = str_line_start(src, --end), in = 0;
        while (line + in < end && strchr(" \t", src.p[line + in])) in++;
        struct str text = str_sub(src, line + in, end);
        if (text.n && text.p[0] != '#' && in < indent)
            return str_starts(text, S("try")) || str_starts(text, S("if ")) ||
                   str_starts(text, S("elif "));
        end = line;
    }
    return false;
}

/* try: import torch_npu; if is_npu_available(): import torch_npu */
static void package_facts(const struct rules *rules, struct buf *b, struct str src) {
    struct str package;
    for (size_t cursor = 0; rules_next_word(rules, "torch.packages", &cursor, &package);) {
        struct str line = arena_printf(b->a, "import %.*s", STR_ARG(package));
        for (size_t at = 0; (at = str_find(src, line, at)) < src.n; at++)
            if (is_guarded(src, at)) {
                add_fact(b, FACT_GUARDED, package);
                break;
            }
    }
}

/* The name of a compiled module: the first text of a call that builds one, or what it says for
 * `name`. Of a.b.c the last part is what others import. */
static void extension_facts(const struct rules *rules, struct buf *b, struct str src) {
    enum { LOOK_AHEAD = 400 };
    struct str call;
    for (size_t cursor = 0; rules_next_word(rules, "python.extension_builders", &cursor, &call);)
        for (size_t at = 0; (at = str_find(src, call, at)) < src.n; at++) {
            size_t start = at + call.n;
            if (start == src.n || src.p[start] != '(') continue;
            for (start++; start < src.n && strchr(" \t\r\n", src.p[start]);) start++;
            struct str head = str_sub(src, start, start + LOOK_AHEAD);
            size_t name = str_find(head, S("name="), 0);
            bool first = head.n && strchr("\"'", head.p[0]);
            if (!first && name == head.n) continue;
            start += first ? 1 : name + 6; /* behind the quote */
            size_t end = start, last = start;
            for (; end < src.n && (is_word_char(src.p[end]) || src.p[end] == '.'); end++)
                if (src.p[end] == '.') last = end + 1;
            if (end > last && end < src.n && src.p[end] == src.p[start - 1])
                add_fact(b, FACT_EXTENSION, str_sub(src, last, end));
        }
}

/* `class X` lines with `def cuda(` below them at a deeper indent, `self.is_cuda = `. */
static void python_facts(const struct rules *rules, struct buf *b, struct str src) {
    struct str own;
    constant_facts(rules, b, src);
    comparison_facts(rules, b, src);
    reach_facts(rules, b, src);
    package_facts(rules, b, src);
    extension_facts(rules, b, src);
    if (str_starts(src, S(PY_ADDED))) add_fact(b, FACT_HELPER, S(""));
    if (str_find(src, S("device"), 0) < src.n) parameter_facts(b, src);
    use_facts(rules, b, src, "torch.device_places", FACT_DEVICE);
    use_facts(rules, b, src, "torch.backend_places", FACT_BACKEND);
    for (size_t cursor = 0; rules_next_word(rules, "torch.own_names", &cursor, &own);) {
        if (str_find(src, own, 0) == src.n) continue;
        struct str set = arena_printf(b->a, "self.%.*s = ", STR_ARG(own));
        struct str def = arena_printf(b->a, "def %.*s(", STR_ARG(own));
        if (str_find(src, set, 0) < src.n) add_fact(b, FACT_ATTRIBUTE, own);
        for (size_t at = 0; (at = str_find(src, def, at)) < src.n; at++) {
            struct str name = py_class_around(src, at);
            struct str kind = name.n ? py_member_kind(b->a, own, src, at) : name;
            if (name.n && str_is(own, "cuda") && !str_ends(kind, S("@")))
                add_fact(b, py_moves_by_to(src, at) ? FACT_MOVING : FACT_CLASS, name);
            else if (name.n && !str_is(own, "cuda"))
                add_fact(b, FACT_ATTRIBUTE, kind);
        }
    }
}

/* ---- all together ---- */

/* Files in which a comment may silence a place speak for themselves. */
static void shared_facts(const struct cm_session *s, struct buf *b, struct str path,
                         struct str src) {
    if (!s->n_targets || session_has_directive(s, src)) return;
    struct text_file *f = NEW(b->a, struct text_file);
    *f = (struct text_file){.a = b->a,
                            .src = src,
                            .rules = &s->rules,
                            .target = s->targets[0].ref,
                            .path = path,
                            .options = &s->options};
    text_tell_shared(f, b, FACT_SHARED);
}

struct str cm_facts_of(const struct cm_session *s, struct arena *a, enum cm_language language,
                       struct str path, struct str bytes) {
    const struct cm_target **all = arena_alloc(a, (s->n_targets + 1) * sizeof *all);
    for (size_t i = 0; i < s->n_targets; i++) all[i] = &s->targets[i];
    return cm_facts_for(s, all, s->n_targets, a, language, path, bytes);
}

struct str cm_facts_for(const struct cm_session *s, const struct cm_target *const *targets,
                        size_t n_targets, struct arena *a, enum cm_language language,
                        struct str path, struct str bytes) {
    struct buf b;
    buf_init(&b, a);
    if (language == CM_PYTHON) {
        struct str text = str_has_lone_cr(bytes) ? arena_lf_for_cr(a, bytes) : bytes;
        python_facts(&s->rules, &b, text);
        shared_tell(s, &b, path, text, FACT_SHARED);
    }
    if (language == CM_PROJECT) {
        text_tell_settings(&s->rules, &b, FACT_SET, bytes);
        text_tell_lines(&s->rules, &b, FACT_LINES, bytes);
        shared_facts(s, &b, path, bytes);
    }
    if (language == CM_NOTEBOOK) python_facts(&s->rules, &b, notebook_text(a, bytes));
    if (language == CM_CUDA || language == CM_CPP) {
        cu_tell(&b, &s->rules, bytes);
        for (size_t i = 0; i < n_targets && s->options.sycl_kernels; i++) {
            if (!targets[i]->ref.sycl) continue;
            sycl_tell(&b, &s->rules, targets[i]->ref, path, bytes);
            break; /* one way of SYCL's is as the others */
        }
    }
    return b.n ? buf_str(&b) : S("");
}

struct cm_project_facts *cm_facts_new(struct arena *a) {
    struct cm_project_facts *f = NEW(a, struct cm_project_facts);
    f->a = a;
    return f;
}

static bool is_known(const struct cm_project_facts *f, uint64_t hash) {
    hash += hash == 0;
    size_t i = hash & (f->size - 1);
    while (f->size && f->seen[i] && f->seen[i] != hash) i = (i + 1) & (f->size - 1);
    return f->size && f->seen[i];
}

/* Whether the fact is new; it is remembered. */
static bool is_new(struct cm_project_facts *f, uint64_t hash) {
    if (f->n_seen * 2 >= f->size) {
        size_t old_size = f->size;
        uint64_t *old = f->seen;
        f->size = old_size ? old_size * 2 : 64;
        f->seen = arena_zalloc(f->a, f->size * sizeof *f->seen);
        f->n_seen = 0;
        for (size_t i = 0; i < old_size; i++)
            if (old[i]) is_new(f, old[i]);
    }
    hash += hash == 0;
    size_t i = hash & (f->size - 1);
    while (f->seen[i] && f->seen[i] != hash) i = (i + 1) & (f->size - 1);
    if (f->seen[i]) return false;
    f->seen[i] = hash;
    f->n_seen++;
    return true;
}

static uint64_t package_hash(struct str folder) { return str_hash(folder) + FACT_PACKAGE; }

/* The folder that the import of a file reaches, if the folders are packages; empty: none. *rest:
 * the module below it. */
static struct str reached_by(struct str path, struct str reach, struct str *rest) {
    struct str folder = str_folder_above(path);
    if (reach.p[0] == '.') {
        size_t up = 1;
        for (; up < reach.n && reach.p[up] == '.'; up++) folder = str_folder_above(folder);
        *rest = str_sub(reach, up, reach.n);
        return folder;
    }
    size_t dot = str_find(reach, S("."), 0);
    *rest = str_sub(reach, dot + (dot < reach.n), reach.n);
    reach.n = dot;
    while (folder.n) {
        struct str around = str_folder_above(folder);
        if (str_eq(str_sub(folder, around.n + (around.n > 0), folder.n), reach)) break;
        folder = around;
    }
    return folder;
}

/* Only the helper modules that `port` adds ask for it: it is no part of the facts' hash. */
static void add_reach(struct cm_project_facts *f, struct str path, struct str reach) {
    struct str module = {0};
    struct py_reach r = {arena_str(f->a, str_folder_above(path)),
                         arena_str(f->a, reached_by(path, reach, &module)),
                         {0}};
    if (r.package.n && module.n) {
        char *inside = arena_strdup(f->a, module);
        for (size_t i = 0; i < module.n; i++)
            if (inside[i] == '.') inside[i] = '/';
        struct str file = arena_printf(f->a, "%.*s/%s.py", STR_ARG(r.package), inside);
        if (is_new(f, str_hash(file) + FACT_REACH)) vec_push(f->a, &f->python.imported, file);
    }
    if (reach.p[0] != '.') {
        if (!module.n) return; /* from NAME import x: an installed package may be meant */
        struct str first = str_sub(module, 0, str_find(module, S("."), 0));
        r.module = arena_printf(f->a, "%.*s/%.*s", STR_ARG(r.package), STR_ARG(first));
    }
    uint64_t hash =
        (str_hash(r.folder) * 31 + str_hash(r.package)) * 31 + str_hash(r.module) + FACT_REACH;
    if (r.package.n && is_new(f, hash)) vec_push(f->a, &f->python.reaches, r);
}

static void add_shared(struct cm_project_facts *f, struct str path, struct str what) {
    text_add_shared(f->a, &f->settings, what, path);
    f->hash += str_hash(what) * 31 + str_hash(path) + FACT_SHARED;
}

/* 100f, as a file of settings says it: its folder's Python has lines of that length. */
static void add_lines(struct cm_project_facts *f, struct str path, struct str told) {
    struct py_lines lines = {.folder = arena_str(f->a, str_folder_above(path)),
                             .formats = told.p[told.n - 1] == 'f'};
    for (size_t i = 0; i + 1 < told.n; i++)
        lines.columns = lines.columns * 10 + (uint32_t)(told.p[i] - '0');
    vec_push(f->a, &f->python.line_lengths, lines);
    f->hash += str_hash(told) * 31 + str_hash(path) + FACT_LINES;
}

void cm_facts_add(struct cm_project_facts *f, enum cm_language language, struct str path,
                  struct str told) {
    if (language == CM_CUDA || language == CM_CPP) {
        cu_project_add(&f->cuda, f->a, path, told);
        return;
    }
    if (str_ends(path, S("/__init__.py")) && is_new(f, package_hash(str_folder_above(path))))
        vec_push(f->a, &f->python.packages, arena_str(f->a, str_folder_above(path)));
    for (size_t at = 0, end; at < told.n; at = end + 1) {
        end = str_find(told, S("\n"), at);
        struct str fact = str_sub(told, at, end);
        if (fact.n > 1 && fact.p[0] == FACT_REACH) add_reach(f, path, str_sub(fact, 1, fact.n));
        if (fact.n && fact.p[0] == FACT_HELPER)
            vec_push(f->a, &f->python.helpers, arena_str(f->a, path));
        if (fact.n > 2 && fact.p[0] == FACT_LINES) add_lines(f, path, str_sub(fact, 1, fact.n));
        if (fact.n > 1 && fact.p[0] == FACT_SHARED) add_shared(f, path, str_sub(fact, 1, fact.n));
        if (fact.n &&
            strchr((char[]){FACT_REACH, FACT_HELPER, FACT_LINES, FACT_SHARED, 0}, fact.p[0]))
            continue;
        bool is_class = fact.n && (fact.p[0] == FACT_CLASS || fact.p[0] == FACT_MOVING);
        uint64_t hash = str_hash(fact) + (is_class ? str_hash(path) * 31 : 0);
        if (fact.n == 0 || !is_new(f, hash)) continue;
        f->hash += hash; /* a sum: their order means nothing */
        struct str name = arena_str(f->a, str_sub(fact, 1, fact.n));
        struct py_own_class own = {.name = name, .moves = fact.p[0] == FACT_MOVING};
        own.path = is_class ? arena_str(f->a, path) : (struct str){0};
        if (is_class)
            vec_push(f->a, &f->python.own_cuda_classes, own);
        else if (fact.p[0] == FACT_CONSTANT)
            vec_push(f->a, &f->python.constants, name);
        else if (fact.p[0] == FACT_DEVICE)
            vec_push(f->a, &f->python.device_uses, name);
        else if (fact.p[0] == FACT_PARAMETER)
            vec_push(f->a, &f->python.device_parameters, name);
        else if (fact.p[0] == FACT_COMPARED)
            vec_push(f->a, &f->python.compared, name);
        else if (fact.p[0] == FACT_SET)
            vec_push(f->a, &f->python.set_backends, name);
        else if (fact.p[0] == FACT_GUARDED)
            vec_push(f->a, &f->python.guarded_packages, name);
        else if (fact.p[0] == FACT_EXTENSION)
            vec_push(f->a, &f->python.extensions, name);
        else if (fact.p[0] == FACT_BACKEND)
            vec_push(f->a, &f->python.backend_uses, name);
        else
            vec_push(f->a, &f->python.own_attributes, name);
    }
}

/* Where imports of the class's file are looked for, and what they begin with. */
static void find_root(const struct cm_project_facts *f, struct py_own_class *own) {
    struct str inner =
        str_ends(own->path, S(".py")) ? str_sub(own->path, 0, own->path.n - 3) : own->path;
    own->root = str_folder_above(own->path);
    while (own->root.n && is_known(f, package_hash(own->root))) {
        inner = own->root;
        own->root = str_folder_above(own->root);
    }
    own->package = str_sub(inner, own->root.n + (own->root.n > 0), inner.n);
}

void cm_facts_link(struct cm_project_facts *f) {
    for (size_t i = 0; i < f->python.packages.n; i++) {
        struct str folder = f->python.packages.v[i], around = str_folder_above(folder);
        if (around.n && is_known(f, package_hash(around))) continue;
        struct str name = str_sub(folder, around.n + (around.n > 0), folder.n);
        vec_push(f->a, &f->python.own_packages, name);
        f->hash += package_hash(name);
    }
    for (size_t i = 0; i < f->python.own_cuda_classes.n; i++)
        find_root(f, &f->python.own_cuda_classes.v[i]);
    cu_project_link(&f->cuda, f->a);
    sycl_link(&f->cuda, f->a);
}

uint64_t cm_facts_hash(const struct cm_project_facts *f) {
    return f->hash + cu_project_hash(&f->cuda);
}
