/* SPDX-License-Identifier: Apache-2.0 */
/* provenance.c - where the answers of the rule database were read.
 *
 * Names of Python were looked for in the vendor's sources, release by release: for them it is a
 * file and a commit. All else has the references of its rule, of which one is about the target, as
 * far as it says so. */
#include "commands/provenance.h"

#include "rules/cell_names.h"

struct newest {
    struct target_ref t;
    const struct rknown *known;
};

static void note_name(void *context, struct str name) {
    struct newest *n = context;
    const struct rknown *known = target_known(n->t, name);
    bool deeper = known && n->known && known->name.n > n->known->name.n;
    if (known && known->file.n && (!n->known || deeper)) n->known = known;
}

/* "FILE, REPOSITORY REF COMMIT (2026-11)": of the newest release that has the name. */
static struct str name_source(struct arena *a, struct target_ref t, const struct rknown *known) {
    const struct rrelease *r = RS_LIST(t.set, t.target->releases, struct rrelease);
    uint64_t in = known->in[0] | (uint64_t)known->in[1] << 32;
    struct str file = rs_str(t.set, known->file), checked = rs_str(t.set, t.target->checked);
    if (str_starts(file, S("by hand: ")))
        return arena_printf(a, "%.*s (%.*s)", STR_ARG(str_sub(file, 9, file.n)), STR_ARG(checked));
    struct buf b;
    buf_init(&b, a);
    struct str repository = rs_str(t.set, t.target->repository);
    buf_printf(&b, "%.*s, %.*s", STR_ARG(file), STR_ARG(repository));
    for (uint32_t i = t.target->releases.n; i-- > 0;) {
        struct str ref = rs_str(t.set, r[i].ref), commit = rs_str(t.set, r[i].commit);
        if (!(in >> i & 1)) continue;
        buf_printf(&b, " %.*s", STR_ARG(ref));
        if (commit.n) buf_printf(&b, " %.*s", STR_ARG(commit));
        break;
    }
    buf_printf(&b, " (%.*s)", STR_ARG(checked));
    return buf_str(&b);
}

static char lower(char c) { return c >= 'A' && c <= 'Z' ? (char)(c + 32) : c; }

static bool mentions(struct str text, struct str word) {
    for (size_t i = 0; word.n && i + word.n <= text.n; i++) {
        size_t k = 0;
        while (k < word.n && lower(text.p[i + k]) == lower(word.p[k])) k++;
        if (k == word.n) return true;
    }
    return false;
}

/* One of the words that blanks divide. */
static bool mentions_any(struct str text, struct str words) {
    for (size_t at = 0; at < words.n;) {
        size_t end = str_find(words, S(" "), at);
        if (end - at > 2 && mentions(text, str_sub(words, at, end))) return true;
        at = end + 1;
    }
    return false;
}

/* The package by its name, which is no folder of another one: habana_frameworks/torch/hpu. */
static bool names_package(struct str text, struct str package) {
    for (size_t i = 0; package.n && (i = str_find_word(text, package, i)) < text.n; i++)
        if (i == 0 || text.p[i - 1] != '/') return true;
    return false;
}

/* The title of a device that is no vendor's has words of anybody's ("a device of one's own"), or
 * of many a vendor's repository ("PyTorch"): reference_words are those that count, then. */
static bool about(struct target_ref t, struct str text) {
    if (mentions(text, target_name(t))) return true;
    if (names_package(text, rs_str(t.set, t.target->package))) return true;
    if (str_eq(target_fact(t, "generic"), S("yes")))
        return mentions_any(text, target_fact(t, "reference_words"));
    return mentions_any(text, rs_str(t.set, t.target->title)) ||
           mentions_any(text, target_fact(t, "vendor_words"));
}

/* A name of the runtime, which ported code uses on some targets: cmMalloc, CM_SUCCESS, cm::launch,
 * cuda_morph/cuda.h, cuda_morph_rt.apex. */
static bool is_runtimes(struct str text) {
    if (str_find(text, S("cuda_morph"), 0) < text.n || str_find(text, S("cmrt"), 0) < text.n)
        return true;
    struct str name = str_starts(text, S("make_")) ? str_sub(text, 5, text.n) : text;
    if (str_starts(name, S("CM_")) || str_starts(name, S("CMRT_"))) return true;
    if (str_find(text, S("cm::"), 0) < text.n) return true;
    return name.n > 2 && str_starts(name, S("cm")) && name.p[2] >= 'A' && name.p[2] <= 'Z';
}

/* What a cell writes, in whichever way. */
static void written(struct row_ref row, const struct rcell *cell, struct str texts[8]) {
    const struct rstr parts[8] = {cell->to,    cell->call, cell->bare,       cell->statement,
                                  cell->value, cell->text, cell->expression, cell->include};
    for (size_t i = 0; i < 8; i++) texts[i] = rs_str(row.set, parts[i]);
}

/* {module}, {device}, {backend} ...: a fact of the target stands in what is written, or its device
 * by itself. */
static bool writes_own(struct target_ref t, const struct str texts[8]) {
    static const char *const own[] = {"{device", "{module", "{backend", "{method", "{is_attr"};
    for (size_t i = 0; i < 8; i++) {
        struct str device = target_fact(t, "device");
        if (device.n && str_find_word(texts[i], device, 0) < texts[i].n) return true;
        for (size_t k = 0; k < sizeof own / sizeof *own; k++)
            if (str_find(texts[i], str_of(own[k]), 0) < texts[i].n) return true;
    }
    return false;
}

/* What was read to say what the vendor's package has, or lacks: its sources, up to a commit. */
static struct str releases_source(struct arena *a, struct target_ref t) {
    uint32_t n = t.target->releases.n;
    const struct rrelease *newest = RS_LIST(t.set, t.target->releases, struct rrelease) + n - 1;
    struct str ref = rs_str(t.set, newest->ref), commit = rs_str(t.set, newest->commit);
    struct str checked = rs_str(t.set, t.target->checked);
    struct buf b;
    buf_init(&b, a);
    buf_printf(&b, "the sources of %.*s, %.*s", STR_ARG(rs_str(t.set, t.target->package)),
               STR_ARG(rs_str(t.set, t.target->repository)));
    if (n > 1) buf_printf(&b, ", %u releases up to", n);
    if (ref.n) buf_printf(&b, " %.*s", STR_ARG(ref));
    if (commit.n && !str_starts(ref, commit)) buf_printf(&b, " %.*s", STR_ARG(commit));
    if (checked.n) buf_printf(&b, " (%.*s)", STR_ARG(checked));
    return buf_str(&b);
}

/* A cell that writes the target's device or module: the file that makes torch.DEVICE. */
static struct str module_source(struct arena *a, struct target_ref t) {
    const struct rknown *known = target_known(t, target_fact(t, "module"));
    return known && known->file.n ? name_source(a, t, known) : releases_source(a, t);
}

/* Whether the reference names the rows that it speaks of; *of_this: the row is one of them. */
static bool names_rows(struct arena *a, struct row_ref row, uint32_t i, bool *of_this) {
    const struct rstr *rows = RS_LIST(row.set, row.rule->reference_rows, struct rstr);
    struct str keys = rs_str(row.set, rows[i]), key = rs_str(row.set, row.row->key);
    *of_this = str_find(keys, arena_printf(a, "\n%.*s\n", STR_ARG(key)), 0) < keys.n;
    return keys.n > 0;
}

/* The rule's reference that is about the target, or says that it is about every target: one that
 * names the row before those that speak of all. */
static struct str reference_source(struct arena *a, struct row_ref row, struct target_ref t) {
    const struct rstr *list = RS_LIST(row.set, row.rule->references, struct rstr);
    struct str general = {0}, every = {0};
    for (uint32_t i = 0; i < row.rule->references.n; i++) {
        struct str text = rs_str(row.set, list[i]);
        bool of_this, is_about = about(t, text), of_all = mentions(text, S("every target"));
        if (names_rows(a, row, i, &of_this)) {
            if (of_this && (is_about || of_all)) return text;
        } else if (!general.n && is_about) {
            general = text;
        } else if (!every.n && of_all) {
            every = text;
        }
    }
    return general.n ? general : every;
}

/* A cell that writes no name of its vendor writes one of the base's, as torch.Event, or none. */
static struct str base_source(struct row_ref row, struct target_ref t) {
    const struct rstr *list = RS_LIST(row.set, row.rule->references, struct rstr);
    struct str base = rs_str(t.set, t.target->base);
    for (uint32_t i = 0; base.n && i < row.rule->references.n; i++) {
        struct str text = rs_str(row.set, list[i]);
        if (str_find_word(text, base, 0) < text.n) return text;
    }
    return S("");
}

/* Whether a note says what the vendor's package has. One that is part of PyTorch itself is named
 * in many: only what rules/releases.c says of its releases counts then. */
static bool tells_of_package(struct arena *a, struct target_ref t, struct str note) {
    struct str package = rs_str(t.set, t.target->package);
    if (package.n == 0) return false;
    if (!str_eq(package, rs_str(t.set, t.target->base)))
        return str_find_word(note, package, 0) < note.n;
    struct str one = arena_printf(a, "release of %.*s", STR_ARG(package));
    struct str several = arena_printf(a, "releases of %.*s", STR_ARG(package));
    return str_find_word(note, one, 0) < note.n || str_find_word(note, several, 0) < note.n;
}

struct str cell_source(struct arena *a, struct row_ref row, struct target_ref t,
                       const struct rcell *cell) {
    struct newest n = {.t = t};
    struct str texts[8];
    bool python = row.rule->spoken == RL_PYTHON, applied = cell_is_applied(cell);
    if (applied && python) cell_names(a, row, t, cell, note_name, &n);
    if (n.known) return name_source(a, t, n.known);
    written(row, cell, texts);
    /* How the name is written where it is not called is not what is shown, if a call is, too. */
    if (texts[1].n) texts[4] = S("");
    for (size_t i = 0; i < 8; i++)
        if (is_runtimes(texts[i])) return S("the runtime of this project");
    struct str found = reference_source(a, row, t), note = rs_str(row.set, cell->note);
    if (found.n) return found;
    if (tells_of_package(a, t, note) && t.target->repository.n) return releases_source(a, t);
    if (applied && python) {
        if (writes_own(t, texts) && t.target->repository.n) return module_source(a, t);
        found = base_source(row, t);
        if (found.n) return found;
    }
    return S("not named; the rule's references are of other targets");
}
