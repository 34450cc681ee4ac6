/* SPDX-License-Identifier: Apache-2.0 */
/* vendor_file.c - files that are CUDA's among others that are other vendors'.
 *
 * A project that tells vendors apart may do so by files: cuda_accelerator.py beside
 * npu_accelerator.py. What stands in the one is about CUDA by its name, and stays; the target's is
 * there, or a human adds it. */
#include "python/match.h"

/* The file's own name with another word where `from` stands: npu_accelerator.py. Empty: no word of
 * the name is that. */
static struct str named_for(struct py *f, struct str from, struct str word) {
    struct str folder = str_folder(f->path);
    struct str name = str_sub(f->path, folder.n, f->path.n);
    for (size_t at = 0, end; at < name.n; at = end + 1) {
        for (end = at; end < name.n && name.p[end] != '_' && name.p[end] != '.';) end++;
        if (str_eq(str_sub(name, at, end), from))
            return arena_printf(f->a, "%.*s%.*s%.*s%.*s", STR_ARG(folder),
                                STR_ARG(str_sub(name, 0, at)), STR_ARG(word),
                                STR_ARG(str_sub(name, end, name.n)));
    }
    return S("");
}

static bool is_beside(struct py *f, struct str from, struct str word) {
    struct str path = named_for(f, from, word);
    if (!path.n) return false;
    f->asked_disk = true;
    return f->disk->exists(f->disk->context, path);
}

/* Leaves all of the file's matches; the first is for a human unless `told`. */
static void leave_file(struct py *f, bool told, struct str why) {
    for (size_t i = 0; i < f->matches.n; i++) {
        struct py_match *m = &f->matches.v[i];
        if (m->row.rule && m->row.rule->lint) continue;
        m->verdict = told || m->kind == PM_IMPORT ? V_SAME : V_MANUAL;
        m->cell = NULL;
        m->message = told ? why : arena_concat(f->a, why, S(": add the target's"));
        told |= m->verdict == V_MANUAL;
    }
}

void py_settle_vendor_file(struct py *f) {
    struct str device = target_fact(f->target, "device"), cuda = S(PY_CUDA), word;
    if (!f->disk || f->target.target->keep_names || !f->matches.n) return;
    for (size_t at = 0; rules_next_word(f->rules, "python.vendor_files", &at, &word);) {
        if (is_beside(f, cuda, word)) {
            bool own = is_beside(f, cuda, device) || !device.n || str_is(device, PY_CPU);
            leave_file(f, own, S("the file is CUDA's by its name, beside those of other vendors"));
            return;
        }
        if (!str_eq(word, device) && is_beside(f, word, cuda)) {
            leave_file(f, true, S("the file is another vendor's by its name"));
            return;
        }
    }
}
