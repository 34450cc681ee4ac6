/* SPDX-License-Identifier: Apache-2.0 */
/* project.c - what the files of one tree tell about each other: names of rules that they define
 * for themselves, and which files see that: those that include it.
 *
 * Where the build's folders for #include <...> are is not known: a path in angle brackets can mean
 * every file of the tree that ends so, one in quotes the file beside first. A header that nobody
 * includes may be included by the command line, but a layer that makes CUDA's names another
 * vendor's is not taken for it: what is ported needs none. What a file tells is made in tell.c. */
#include "cuda/cu.h"

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

/* The name's bit: which of the words has it, and the mask of it there. */
static size_t bit_of(const struct cu_name_bits *bits, struct str name, uint64_t *mask) {
    uint64_t hash = str_hash(name) % (64 * ARRAY_LEN(bits->v));
    *mask = (uint64_t)1 << hash % 64;
    return hash / 64;
}

static void add_name(struct cu_name_bits *bits, struct str name) {
    uint64_t mask;
    size_t word = bit_of(bits, name, &mask);
    bits->v[word] |= mask;
}

/* False: it is surely none of them. */
static bool may_be_name(const struct cu_name_bits *bits, struct str name) {
    uint64_t mask;
    size_t word = bit_of(bits, name, &mask);
    return bits->v[word] & mask;
}

void cu_project_add(struct cu_project *p, struct arena *a, struct str path, struct str told) {
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
        char what = told.p[at];
        file->is_layer |= what == TELLS_LAYER;
        if (what == TELLS_QUOTED || what == TELLS_ANGLED || what == TELLS_OFFICIAL) {
            struct cu_project_include in = {text, what == TELLS_ANGLED, what == TELLS_OFFICIAL};
            vec_push(a, &file->includes, in);
            p->hash += str_hash(text) * (1 + 2 * str_hash(file->path));
        } else if (what == TELLS_SYCL) {
            vec_push(a, &file->device, text);
            p->any_name = true;
            p->hash += str_hash(text) * 41 * (1 + 2 * str_hash(file->path));
        } else if (told.p[at] == TELLS_NAME || told.p[at] == TELLS_MEMBER) {
            if (told.p[at] == TELLS_NAME) {
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

/* Without what only says where the folder is that the rest is in. */
static struct str without_dots(struct str include) {
    for (;;) {
        if (str_starts(include, S("./")))
            include = str_sub(include, 2, include.n);
        else if (str_starts(include, S("../")))
            include = str_sub(include, 3, include.n);
        else
            return include;
    }
}

static bool can_mean(struct str path, struct str include) {
    include = without_dots(include);
    if (!str_ends(path, include)) return false;
    return path.n == include.n || path.p[path.n - include.n - 1] == '/';
}

/* Whether the file is what an #include means in the folder of the one at `from`. */
static bool is_beside(struct str path, struct str from, struct str include) {
    size_t folder = from.n - base_name(from).n;
    for (;;) {
        bool up = str_starts(include, S("../"));
        if (!up && !str_starts(include, S("./"))) break;
        include = str_sub(include, up ? 3 : 2, include.n);
        while (up && folder > 0 && from.p[folder - 1] == '/') folder--;
        while (up && folder > 0 && from.p[folder - 1] != '/') folder--;
    }
    return path.n == folder + include.n && str_starts(path, str_sub(from, 0, folder)) &&
           str_ends(path, include);
}

/* The file beside the one at `from`, + 1; 0: there is none. */
static uint32_t find_beside(const struct cu_project *p, struct str from, struct str include) {
    uint32_t i = p->n_buckets ? *bucket_of(p, include) : 0;
    while (i && !is_beside(p->files.v[i - 1].path, from, include)) i = p->files.v[i - 1].next;
    return i;
}

bool cu_is_beside(const struct cu_project *p, struct str from, struct str include) {
    return find_beside(p, from, include);
}

bool cu_may_include(const struct cu_project *p, const struct cu_inclusion *in, struct str path) {
    const struct cu_project_file *from = &p->files.v[in->file];
    const struct cu_project_include *include = &from->includes.v[in->include];
    if (!can_mean(path, include->path)) return false;
    if (include->angled) return true;
    uint32_t beside = find_beside(p, from->path, include->path);
    return beside ? str_eq(p->files.v[beside - 1].path, path) : !include->official;
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

static void see(struct sight *s, uint32_t file) {
    if (s->seen[file]) return;
    s->seen[file] = true;
    s->queue[s->n++] = file;
}

/* Adds the files that the #include lines of one file can mean. What another one said before adds
 * none. */
static void follow(const struct cu_project *p, const struct cu_project_file *from,
                   struct sight *s) {
    for (size_t k = 0; k < from->includes.n; k++) {
        const struct cu_project_include *include = &from->includes.v[k];
        bool *done = &s->followed[p->inclusions.v[from->inclusion + k].same];
        uint32_t beside = include->angled ? 0 : find_beside(p, from->path, include->path);
        if (beside) see(s, beside - 1);
        if (beside || include->official || *done) continue;
        *done = true;
        uint32_t i = *bucket_of(p, include->path);
        for (; i; i = p->files.v[i - 1].next)
            if (can_mean(p->files.v[i - 1].path, include->path)) see(s, i - 1);
    }
}

static struct str include_of(const struct cu_project *p, const struct cu_inclusion *in) {
    return p->files.v[in->file].includes.v[in->include].path;
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
        if (cu_may_include(p, in, path)) return in;
    }
    return NULL;
}

bool cu_is_project_header(const struct rules *rules, const struct cu_project *p, struct str from,
                          struct str include, bool quoted) {
    if (cu_is_official_header(rules, include))
        return quoted && p && cu_is_beside(p, from, include);
    return quoted || !cu_is_standard_header(rules, include);
}

void cu_included_files(const struct cu_project *p, struct arena *a, struct str include,
                       struct cu_files *out) {
    uint32_t i = p->n_buckets ? *bucket_of(p, include) : 0;
    for (; i; i = p->files.v[i - 1].next)
        if (can_mean(p->files.v[i - 1].path, include)) vec_push(a, out, i - 1);
    for (size_t low = 0, high = out->n; low + 1 < high; low++) { /* the last comes first there */
        uint32_t file = out->v[low];
        out->v[low] = out->v[--high];
        out->v[high] = file;
    }
}

bool cu_is_header(struct str path) {
    static const char *const headers[] = {".h", ".hh", ".hpp", ".hxx", ".cuh", ".hcu", ".inl"};
    for (size_t k = 0; k < ARRAY_LEN(headers); k++)
        if (str_ends(path, str_of(headers[k]))) return true;
    return false;
}

/* What an official name means where a file beside has it matters to the file that says it. */
static void add_own_headers(struct cu_project *p) {
    for (size_t i = 0; i < p->files.n; i++) {
        const struct cu_project_file *file = &p->files.v[i];
        for (size_t k = 0; k < file->includes.n; k++) {
            struct str include = file->includes.v[k].path;
            if (!file->includes.v[k].official || !find_beside(p, file->path, include)) continue;
            p->any_name = true;
            p->hash += str_hash(include) * 37 * (1 + 2 * str_hash(file->path));
        }
    }
}

/* Whether some #include names a file called so, be it another one. */
static bool is_mentioned(const struct cu_project *p, struct str path) {
    struct str name = base_name(path);
    uint32_t n = p->inclusion_buckets[str_hash(name) & (p->n_inclusion_buckets - 1)];
    while (n && !str_eq(base_name(include_of(p, &p->inclusions.v[n - 1])), name))
        n = p->inclusions.v[n - 1].next;
    return n;
}

static void index_names(struct cu_project *p, struct arena *a) {
    p->defined.n = 0;
    for (uint32_t i = 0; i < p->files.n; i++)
        for (size_t k = 0; k < p->files.v[i].names.n; k++)
            vec_push(a, &p->defined, ((struct cu_defined){p->files.v[i].names.v[k], i, 0}));
    for (p->n_defined_buckets = 64; p->n_defined_buckets < p->defined.n;)
        p->n_defined_buckets *= 2;
    p->defined_buckets = arena_zalloc(a, p->n_defined_buckets * sizeof(uint32_t));
    for (uint32_t n = (uint32_t)p->defined.n; n-- > 0;) {
        struct cu_defined *d = &p->defined.v[n];
        uint32_t *bucket = &p->defined_buckets[str_hash(d->name) & (p->n_defined_buckets - 1)];
        d->next = *bucket;
        *bucket = n + 1;
    }
}

void cu_project_link(struct cu_project *p, struct arena *a) {
    index_inclusions(p, a);
    index_names(p, a);
    add_own_headers(p);
    struct sight s = new_sight(p, a);
    for (uint32_t i = 0; p->any_name && i < p->files.n; i++) follow(p, &p->files.v[i], &s);
    for (uint32_t i = 0; i < p->files.n; i++) { /* the command line may include it */
        struct cu_project_file *file = &p->files.v[i];
        file->is_loose = !file->is_layer && !s.seen[i] && cu_is_header(file->path) &&
                         !is_mentioned(p, file->path);
    }
}

uint32_t cu_project_file(const struct cu_project *p, struct str path) {
    uint32_t i = p->n_buckets ? *bucket_of(p, path) : 0;
    while (i && !str_eq(p->files.v[i - 1].path, path)) i = p->files.v[i - 1].next;
    return i;
}

static uint32_t part_of(uint32_t *parts, uint32_t file) {
    while (parts[file] != file) file = parts[file] = parts[parts[file]];
    return file;
}

static void join(uint32_t *parts, uint32_t x, uint32_t y) {
    parts[part_of(parts, x)] = part_of(parts, y);
}

void cu_project_parts(const struct cu_project *p, uint32_t *parts) {
    for (uint32_t i = 0; i < p->files.n; i++) parts[i] = i;
    for (uint32_t i = 0; i < p->files.n; i++) {
        const struct cu_project_file *from = &p->files.v[i];
        for (size_t k = 0; k < from->includes.n; k++) {
            const struct cu_project_include *include = &from->includes.v[k];
            uint32_t to = include->angled ? 0 : find_beside(p, from->path, include->path);
            if (to) join(parts, i, to - 1);
            if (to || include->official) continue;
            for (to = *bucket_of(p, include->path); to; to = p->files.v[to - 1].next)
                if (can_mean(p->files.v[to - 1].path, include->path)) join(parts, i, to - 1);
        }
    }
    for (uint32_t i = 0; i < p->files.n; i++) parts[i] = part_of(parts, i);
}

/* Which files the file at hand sees: found out once. */
static const bool *seen_files(struct cu *f) {
    const struct cu_project *p = f->project;
    if (f->sees) return f->sees;
    struct sight s = new_sight(p, f->a);
    for (uint32_t i = 0; i < p->files.n; i++)
        s.seen[i] = p->files.v[i].is_loose &&
                    !cu_is_standard_header(f->rules, base_name(p->files.v[i].path));
    uint32_t own = cu_project_file(p, f->path);
    if (own) s.queue[s.n++] = own - 1;
    for (uint32_t at = 0; at < s.n; at++) follow(p, &p->files.v[s.queue[at]], &s);
    return f->sees = s.seen;
}

struct str cu_copied_header(const struct cu *f, struct str library) {
    struct str headers = target_fact(f->target, "copied_libraries");
    for (size_t i = 0; i < headers.n;) {
        size_t end = str_find(headers, S(" "), i);
        struct str header = str_sub(headers, i, end);
        struct str folder = str_sub(header, 0, str_find(header, S("/"), 0));
        if (str_eq(folder, library)) return header;
        i = end + 1;
    }
    return (struct str){0};
}

bool cu_is_copy(const struct cu *f, struct str path) {
    size_t slash, begin = 0;
    if (!f->project || str_ends(path, S(".cu"))) return false;
    for (; (slash = str_find(path, S("/"), begin)) < path.n; begin = slash + 1) {
        struct str whole = cu_copied_header(f, str_sub(path, begin, slash));
        struct cu_files files = {0};
        if (!whole.n) continue;
        whole = arena_printf(f->a, "%.*s%.*s", (int)begin, path.p, STR_ARG(whole));
        cu_included_files(f->project, f->a, whole, &files);
        for (size_t i = 0; i < files.n; i++)
            if (str_eq(f->project->files.v[files.v[i]].path, whole)) return true;
    }
    return false;
}

bool cu_is_redefined(struct cu *f, struct str name) {
    const struct cu_project *p = f->project;
    if (!p || !p->any_name) return false;
    uint32_t n = p->defined_buckets[str_hash(name) & (p->n_defined_buckets - 1)];
    for (; n; n = p->defined.v[n - 1].next) {
        const struct cu_defined *d = &p->defined.v[n - 1];
        struct str path = p->files.v[d->file].path;
        if (!str_eq(d->name, name) || str_eq(path, f->path)) continue;
        if (seen_files(f)[d->file] && !cu_is_copy(f, path)) return true;
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

bool cu_has_method(struct cu *f, struct str name) {
    const struct cu_project *p = f->project;
    for (size_t n = 0; p && n < p->with_members.n; n++) {
        const struct cu_project_file *file = &p->files.v[p->with_members.v[n]];
        for (size_t k = 0; k < file->members.n; k++) {
            struct str member = file->members.v[k];
            size_t colon = str_find(member, S(":"), 0);
            if (str_eq(str_sub(member, colon + 1, member.n), name) &&
                seen_files(f)[p->with_members.v[n]])
                return true;
        }
    }
    return false;
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
