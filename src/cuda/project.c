/* project.c - names of rules that the files of one tree define for themselves, and which files see
 * that: those that include it.
 *
 * What a file tells is lines, one letter and a name each: 'n' a name that it defines, 'm' a class,
 * a colon and a function of it that is called as one of CUDA's, 'i' what it includes, 'w' a
 * constant that may be about warps with its value, 'd' alone: it has code for devices. They are
 * found by a look at lines that costs next to nothing. */
#include "cuda/cu.h"

enum {
    TELLS_NAME = 'n',
    TELLS_MEMBER = 'm',
    TELLS_INCLUDE = 'i',
    TELLS_WIDTH = 'w',
    TELLS_DEVICE = 'd'
};

/* ---- what a file tells ---- */

static bool is_word(char c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

static size_t skip_blanks(struct str src, size_t i) {
    while (i < src.n && strchr(" \t", src.p[i])) i++;
    return i;
}

static struct str word_at(struct str src, size_t i) {
    size_t end = i;
    while (end < src.n && is_word(src.p[end])) end++;
    return str_sub(src, i, end);
}

static bool is_rule_name(const struct rules *rules, struct str word) {
    struct row_ref row;
    size_t cursor = 0;
    return word.n && rules_is_anchor(rules, RL_CUDA, word, NULL) &&
           rules_find(rules, M_SYMBOL, word, &cursor, &row);
}

/* A header that rules name is the library's: it may be another one after the port. */
static bool is_rule_header(const struct rules *rules, struct str path) {
    struct row_ref row;
    size_t cursor = 0;
    return rules_find(rules, M_INCLUDE, path, &cursor, &row);
}

static void tell(struct buf *b, char what, struct str text) {
    buf_addc(b, what);
    buf_add(b, text);
    buf_addc(b, '\n');
}

/* `#define NAME 32` and `constexpr int NAME = 32;`: numbers that can be the width of a warp, one
 * less than it, or its logarithm. */
static void tell_width(struct buf *b, struct str line) {
    static const char *const numbers[] = {"32", "31", "5"};
    struct str name = {0};
    size_t at = str_find(line, S("="), 0);
    if (str_starts(line, S("#define "))) {
        name = word_at(line, skip_blanks(line, S("#define ").n));
        at = (size_t)(name.p + name.n - line.p);
    } else if (at < line.n) {
        size_t end = at;
        while (end > 0 && line.p[end - 1] == ' ') end--;
        for (name.p = line.p + end; name.p > line.p && is_word(name.p[-1]); name.n++) name.p--;
        at++;
    }
    struct str value = at < line.n ? word_at(line, skip_blanks(line, at)) : name;
    size_t end = skip_blanks(line, (size_t)(value.p + value.n - line.p));
    if (end < line.n && line.p[end] != ';' && line.p[end] != '/') return;
    for (size_t k = 0; name.n && k < ARRAY_LEN(numbers); k++)
        if (str_is(value, numbers[k]))
            buf_printf(b, "%c%s %.*s\n", TELLS_WIDTH, numbers[k], STR_ARG(name));
}

static void tell_directive(struct buf *b, const struct rules *rules, struct str line) {
    struct str word = word_at(line, skip_blanks(line, 1));
    if (!word.n) return;
    size_t at = skip_blanks(line, (size_t)(word.p + word.n - line.p));
    if (str_is(word, "define") && is_rule_name(rules, word_at(line, at)))
        tell(b, TELLS_NAME, word_at(line, at));
    if (!str_is(word, "include") || at >= line.n || !strchr("\"<", line.p[at])) return;
    size_t end = str_find(line, line.p[at] == '<' ? S(">") : S("\""), at + 1);
    if (end < line.n && !is_rule_header(rules, str_sub(line, at + 1, end)))
        tell(b, TELLS_INCLUDE, str_sub(line, at + 1, end));
}

/* `typedef T name;` and `using name = T;`. A T that is CUDA's own only says again what CUDA says:
 * `typedef struct CUstream_st *cudaStream_t;`. */
static void tell_alias(struct buf *b, const struct rules *rules, struct str text) {
    enum { FAR = 200 };
    size_t end = str_find(text, S(";"), 0), names = 0;
    if (end == text.n || end > FAR || memchr(text.p, '(', end) || memchr(text.p, '{', end)) return;
    bool is_using = text.p[0] == 'u';
    struct str first = {0}, last = {0};
    for (size_t i = 0; i < end;) {
        struct str word = word_at(text, i);
        i += word.n + (word.n == 0);
        if (!word.n || word.p == text.p) continue;
        if (!first.n) first = word;
        last = word;
        names += is_rule_name(rules, word);
    }
    struct str made = is_using ? first : last;
    if (names == 1 && is_rule_name(rules, made)) tell(b, TELLS_NAME, made);
}

/* Past a comment or a literal at i, or i. */
static size_t skip_text(struct str src, size_t i) {
    if (src.p[i] == '/' && i + 1 < src.n && src.p[i + 1] == '/') return str_find(src, S("\n"), i);
    if (src.p[i] == '/' && i + 1 < src.n && src.p[i + 1] == '*')
        return str_find(src, S("*/"), i + 2);
    if (src.p[i] != '"' && src.p[i] != '\'') return i;
    for (size_t end = i + 1; end < src.n && src.p[end] != '\n'; end++) {
        if (src.p[end] == '\\')
            end++;
        else if (src.p[end] == src.p[i])
            return end;
    }
    return i;
}

/* `class X ... { ... T name(...) ... }` from `class` or `struct` on. */
static void tell_members(struct buf *b, const struct rules *rules, struct str src, size_t at) {
    enum { FAR = 300 };
    struct str class = word_at(src, skip_blanks(src, at + word_at(src, at).n));
    size_t i = class.n ? (size_t)(class.p - src.p) + class.n : src.n, from = i;
    while (i < src.n && i < from + FAR && !strchr("{;(=", src.p[i])) i++;
    if (i == src.n || src.p[i] != '{') return;
    int depth = 0;
    for (bool typed = false; i < src.n; i++) {
        i = skip_text(src, i);
        if (i >= src.n) return;
        char c = src.p[i];
        depth += (c == '{' || c == '(') - (c == '}' || c == ')');
        if (depth == 0) return;
        struct str word = depth == 1 ? word_at(src, i) : (struct str){0};
        if (!word.n) {
            typed = strchr(" \t\r\n*&>", c) && typed;
            continue;
        }
        i += word.n - 1;
        size_t next = skip_blanks(src, i + 1);
        if (typed && next < src.n && src.p[next] == '(' && is_rule_name(rules, word))
            buf_printf(b, "%c%.*s:%.*s\n", TELLS_MEMBER, STR_ARG(class), STR_ARG(word));
        typed = !str_is(word, "return");
    }
}

void cu_tell(struct buf *b, const struct rules *rules, struct str src) {
    if (str_find(src, S(CU_DEVICE_WORD), 0) < src.n) tell(b, TELLS_DEVICE, S(""));
    for (size_t at = 0; at < src.n;) {
        size_t start = skip_blanks(src, at), end = str_find(src, S("\n"), start);
        struct str line = str_sub(src, start, end);
        if (line.n && line.p[0] == '#') tell_directive(b, rules, line);
        if (str_starts(line, S("#define ")) || str_starts(line, S("const")) ||
            str_starts(line, S("static const")) || str_starts(line, S("inline constexpr")))
            tell_width(b, line);
        if (str_starts(line, S("typedef ")) || str_starts(line, S("using ")))
            tell_alias(b, rules, str_sub(src, start, src.n));
        if (str_starts(line, S("class ")) || str_starts(line, S("struct ")))
            tell_members(b, rules, src, start);
        at = end + 1;
    }
}

/* ---- the files together ---- */

static struct str base_name(struct str path) {
    size_t start = path.n;
    while (start > 0 && path.p[start - 1] != '/') start--;
    return str_sub(path, start, path.n);
}

static uint32_t *bucket_of(const struct cu_project *p, struct str path) {
    return &p->buckets[str_hash(base_name(path)) & (p->n_buckets - 1)];
}

static void put_in_bucket(struct cu_project *p, uint32_t i) {
    uint32_t *bucket = bucket_of(p, p->files.v[i].path);
    p->files.v[i].next = *bucket;
    *bucket = i + 1;
}

static void add_file(struct cu_project *p, struct arena *a, struct str path) {
    struct cu_project_file file = {.path = arena_str(a, path)};
    vec_push(a, &p->files, file);
    if (p->files.n <= p->n_buckets) {
        put_in_bucket(p, (uint32_t)p->files.n - 1);
        return;
    }
    p->n_buckets = p->n_buckets ? p->n_buckets * 2 : 64;
    p->buckets = arena_zalloc(a, p->n_buckets * sizeof *p->buckets);
    for (uint32_t i = 0; i < p->files.n; i++) put_in_bucket(p, i);
}

static uint64_t *bit_of(struct cu_name_bits *bits, struct str name, uint64_t *mask) {
    uint64_t hash = str_hash(name) % (64 * ARRAY_LEN(bits->v));
    *mask = (uint64_t)1 << hash % 64;
    return &bits->v[hash / 64];
}

static void add_name(struct cu_name_bits *bits, struct str name) {
    uint64_t mask, *word = bit_of(bits, name, &mask);
    *word |= mask;
}

/* False: it is surely none of them. */
static bool may_be_name(const struct cu_name_bits *bits, struct str name) {
    uint64_t mask;
    return *bit_of((struct cu_name_bits *)(uintptr_t)bits, name, &mask) & mask;
}

void cu_project_add(struct cu_project *p, struct arena *a, struct str path, struct str told) {
    if (!told.n) return;
    add_file(p, a, path);
    struct cu_project_file *file = &p->files.v[p->files.n - 1];
    for (size_t at = 0, end; at < told.n; at = end + 1) {
        end = str_find(told, S("\n"), at);
        struct str text = arena_str(a, str_sub(told, at + 1, end));
        if (told.p[at] == TELLS_WIDTH) {
            add_name(&p->width_names, str_sub(text, str_find(text, S(" "), 0) + 1, text.n));
            vec_push(a, &file->widths, text);
            p->any_name = true;
            p->hash += str_hash(text) * 29 * (1 + 2 * str_hash(file->path));
            continue;
        }
        if (told.p[at] == TELLS_INCLUDE) {
            vec_push(a, &file->includes, text);
            p->hash += str_hash(text) * (1 + 2 * str_hash(file->path));
        } else if (told.p[at] == TELLS_NAME || told.p[at] == TELLS_MEMBER) {
            if (told.p[at] == TELLS_NAME) {
                add_name(&p->names, text);
                vec_push(a, &file->names, text);
            } else {
                if (!file->members.n) vec_push(a, &p->with_members, (uint32_t)p->files.n - 1);
                vec_push(a, &file->members, text);
            }
            p->any_name = true;
            p->hash += str_hash(text) * 31 * (1 + 2 * str_hash(file->path));
        }
    }
}

uint64_t cu_project_hash(const struct cu_project *p) { return p->any_name ? p->hash : 0; }

bool cu_include_can_mean(struct str path, struct str include) {
    for (;;) {
        if (str_starts(include, S("./")))
            include = str_sub(include, 2, include.n);
        else if (str_starts(include, S("../")))
            include = str_sub(include, 3, include.n);
        else
            break;
    }
    if (!str_ends(path, include)) return false;
    return path.n == include.n || path.p[path.n - include.n - 1] == '/';
}

/* The files that are seen from some, and those whose own #include lines are still to be read. */
struct sight {
    bool *seen;     /* [file] */
    bool *followed; /* [inclusion] */
    uint32_t *queue, n;
};

static struct sight new_sight(const struct cu_project *p, struct arena *a) {
    return (struct sight){arena_zalloc(a, p->files.n + 1), arena_zalloc(a, p->inclusions.n + 1),
                          arena_alloc(a, (p->files.n + 1) * sizeof(uint32_t)), 0};
}

/* Adds the files that those of one file can mean. What another one said before adds none. */
static void follow(const struct cu_project *p, const struct cu_project_file *from,
                   struct sight *s) {
    for (size_t k = 0; k < from->includes.n; k++) {
        struct str include = from->includes.v[k];
        bool *done = &s->followed[p->inclusions.v[from->inclusion + k].same];
        if (*done) continue;
        *done = true;
        uint32_t i = *bucket_of(p, include);
        for (; i; i = p->files.v[i - 1].next) {
            if (s->seen[i - 1] || !cu_include_can_mean(p->files.v[i - 1].path, include)) continue;
            s->seen[i - 1] = true;
            s->queue[s->n++] = i - 1;
        }
    }
}

static struct str include_of(const struct cu_project *p, const struct cu_inclusion *in) {
    return p->files.v[in->file].includes.v[in->include];
}

static void index_inclusions(struct cu_project *p, struct arena *a) {
    p->inclusions.n = 0;
    for (uint32_t i = 0; i < p->files.n; i++) {
        p->files.v[i].inclusion = (uint32_t)p->inclusions.n;
        for (uint32_t k = 0; k < p->files.v[i].includes.n; k++)
            vec_push(a, &p->inclusions, ((struct cu_inclusion){i, k, 0, 0}));
    }
    for (p->n_inclusion_buckets = 64; p->n_inclusion_buckets < p->inclusions.n;)
        p->n_inclusion_buckets *= 2;
    p->inclusion_buckets = arena_zalloc(a, p->n_inclusion_buckets * sizeof(uint32_t));
    for (uint32_t n = (uint32_t)p->inclusions.n; n-- > 0;) {
        struct cu_inclusion *in = &p->inclusions.v[n];
        struct str name = base_name(include_of(p, in));
        uint32_t *bucket = &p->inclusion_buckets[str_hash(name) & (p->n_inclusion_buckets - 1)];
        in->next = *bucket;
        in->same = n;
        *bucket = n + 1;
    }
    for (uint32_t n = 0; n < p->inclusions.n; n++) {
        struct cu_inclusion *in = &p->inclusions.v[n];
        struct str text = include_of(p, in);
        for (uint32_t m = in->same == n ? in->next : 0; m; m = p->inclusions.v[m - 1].next)
            if (str_eq(include_of(p, &p->inclusions.v[m - 1]), text))
                p->inclusions.v[m - 1].same = n;
    }
}

const struct cu_inclusion *cu_next_includer(const struct cu_project *p, struct str path,
                                            const struct cu_inclusion *after) {
    if (!p->inclusions.n) return NULL;
    uint64_t bucket = str_hash(base_name(path)) & (p->n_inclusion_buckets - 1);
    uint32_t n = after ? after->next : p->inclusion_buckets[bucket];
    for (; n; n = p->inclusions.v[n - 1].next) {
        const struct cu_inclusion *in = &p->inclusions.v[n - 1];
        if (cu_include_can_mean(path, include_of(p, in))) return in;
    }
    return NULL;
}

bool cu_project_has(const struct cu_project *p, struct str path) {
    uint32_t i = p->n_buckets ? *bucket_of(p, path) : 0;
    while (i && !str_eq(p->files.v[i - 1].path, path)) i = p->files.v[i - 1].next;
    return i;
}

void cu_included_files(const struct cu_project *p, struct arena *a, struct str include,
                       struct cu_files *out) {
    uint32_t i = p->n_buckets ? *bucket_of(p, include) : 0;
    for (; i; i = p->files.v[i - 1].next)
        if (cu_include_can_mean(p->files.v[i - 1].path, include)) vec_push(a, out, i - 1);
    for (size_t low = 0, high = out->n; low + 1 < high; low++) { /* the last comes first there */
        uint32_t file = out->v[low];
        out->v[low] = out->v[--high];
        out->v[high] = file;
    }
}

static bool is_header(struct str path) {
    static const char *const headers[] = {".h", ".hh", ".hpp", ".hxx", ".cuh", ".inl"};
    for (size_t k = 0; k < ARRAY_LEN(headers); k++)
        if (str_ends(path, str_of(headers[k]))) return true;
    return false;
}

void cu_project_link(struct cu_project *p, struct arena *a) {
    index_inclusions(p, a);
    struct sight s = new_sight(p, a);
    for (uint32_t i = 0; p->any_name && i < p->files.n; i++) follow(p, &p->files.v[i], &s);
    for (uint32_t i = 0; i < p->files.n; i++) /* the command line may include it */
        p->files.v[i].is_loose = !s.seen[i] && is_header(p->files.v[i].path);
}

/* Which files the file at hand sees: found out once. */
static const bool *seen_files(struct cu *f) {
    const struct cu_project *p = f->project;
    if (f->sees) return f->sees;
    struct sight s = new_sight(p, f->a);
    for (uint32_t i = 0; i < p->files.n; i++) s.seen[i] = p->files.v[i].is_loose;
    uint32_t own = p->n_buckets ? *bucket_of(p, f->path) : 0;
    for (; own; own = p->files.v[own - 1].next)
        if (str_eq(p->files.v[own - 1].path, f->path)) s.queue[s.n++] = own - 1;
    for (uint32_t at = 0; at < s.n; at++) follow(p, &p->files.v[s.queue[at]], &s);
    return f->sees = s.seen;
}

bool cu_is_redefined(struct cu *f, struct str name) {
    const struct cu_project *p = f->project;
    if (!p || !p->any_name || !may_be_name(&p->names, name)) return false;
    for (uint32_t i = 0; i < p->files.n; i++) {
        const struct cu_project_file *file = &p->files.v[i];
        for (size_t k = 0; k < file->names.n; k++) {
            if (!str_eq(file->names.v[k], name) || str_eq(file->path, f->path)) continue;
            if (seen_files(f)[i]) return true;
        }
    }
    return false;
}

bool cu_number_of(struct cu *f, struct str name, int64_t *out) {
    const struct cu_project *p = f->project;
    bool found = false;
    if (!p || !may_be_name(&p->width_names, name)) return false;
    for (uint32_t i = 0; i < p->files.n; i++) {
        const struct cu_project_file *file = &p->files.v[i];
        for (size_t k = 0; k < file->widths.n; k++) {
            struct str text = file->widths.v[k];
            size_t blank = str_find(text, S(" "), 0);
            int64_t value;
            if (!str_eq(str_sub(text, blank + 1, text.n), name) || !seen_files(f)[i]) continue;
            if (!cu_integer(str_sub(text, 0, blank), &value) || (found && value != *out))
                return false;
            *out = value, found = true;
        }
    }
    return found;
}

void cu_declare_members(struct cu *f) {
    const struct cu_project *p = f->project;
    for (size_t n = 0; p && n < p->with_members.n; n++) {
        uint32_t i = p->with_members.v[n];
        const struct cu_project_file *file = &p->files.v[i];
        if (!seen_files(f)[i] || str_eq(file->path, f->path)) continue;
        for (size_t k = 0; k < file->members.n; k++) {
            struct str member = file->members.v[k];
            size_t colon = str_find(member, S(":"), 0);
            cu_declare_in_bodies(f, str_sub(member, 0, colon),
                                 str_sub(member, colon + 1, member.n), 0);
        }
    }
}
