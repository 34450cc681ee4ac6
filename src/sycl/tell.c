/* SPDX-License-Identifier: Apache-2.0 */
/* tell.c - what a file tells the others of its tree about functions of the device, so that all
 * agree which of them get the work-item (tree.c): lines, one letter (enum sy_told), a name, and
 * words behind it.
 *
 * A file is looked at alone. What stands for __device__ may be a macro of another file, so that
 * each word in capitals in a function's head is told with it. */
#include "sycl/sycl.h"

struct teller {
    struct buf *b;
    struct sycl *s;
    uint64_t *seen; /* open addressing: hashes of words, of the line that is being written */
    size_t n_seen, size;
};

static bool is_new(struct teller *t, struct str word) {
    uint64_t hash = str_hash(word) | 1;
    if (t->n_seen * 2 >= t->size) {
        uint64_t *old = t->seen;
        size_t n = t->size;
        t->size = n ? n * 2 : 64;
        t->seen = arena_zalloc(t->b->a, t->size * sizeof *t->seen);
        for (size_t i = 0; i < n; i++) {
            size_t k = old[i] & (t->size - 1);
            while (old[i] && t->seen[k]) k = (k + 1) & (t->size - 1);
            if (old[i]) t->seen[k] = old[i];
        }
    }
    size_t i = hash & (t->size - 1);
    while (t->seen[i] && t->seen[i] != hash) i = (i + 1) & (t->size - 1);
    if (t->seen[i]) return false;
    t->seen[i] = hash;
    t->n_seen++;
    return true;
}

static void forget(struct teller *t) {
    if (t->n_seen) memset(t->seen, 0, t->size * sizeof *t->seen);
    t->n_seen = 0;
}

static void begin(struct teller *t, char what, struct str name) {
    buf_printf(t->b, "%c%c%.*s", TELLS_SYCL, what, STR_ARG(name));
    forget(t);
}

static void tell(struct teller *t, char what, struct str name) {
    buf_printf(t->b, "%c%c%.*s\n", TELLS_SYCL, what, STR_ARG(name));
}

/* The words of tokens [first, last) that may be calls or macros, each once, and whether one of
 * them asks for the work-item. False: there are none, and nothing is written. */
static bool add_words(struct teller *t, uint32_t first, uint32_t last) {
    const struct cu *f = t->s->f;
    bool any = false, asks = false;
    for (uint32_t i = first; i < last; i++) {
        if (!cu_is_word(f, i)) continue;
        bool member = cu_is(f, i - 1, ".") || cu_is(f, i - 1, "->");
        if (!asks && !member && sy_asks(t->s, f, i)) {
            buf_add(t->b, S(" !"));
            any = asks = true;
        }
        bool called = cu_is(f, i + 1, "(") || cu_is(f, i + 1, "<");
        if ((!called && !cu_is_capitals(cu_text(f, i))) || !is_new(t, cu_text(f, i))) continue;
        buf_printf(t->b, " %.*s", STR_ARG(cu_text(f, i)));
        any = true;
    }
    return any;
}

/* Words in capitals that a type may follow: macros that another file may define as __device__. */
static void add_candidates(struct sycl *s) {
    struct teller t = {.b = NULL};
    struct buf b;
    buf_init(&b, s->f->a);
    t.b = &b;
    for (uint32_t i = 0; i + 1 < s->f->tokens.n; i++) {
        struct str word = cu_text(s->f, i);
        if (s->f->tokens.v[i].directive || !cu_is_word(s->f, i) || !cu_is_word(s->f, i + 1))
            continue;
        if (cu_is_capitals(word) && is_new(&t, word)) sy_add_qualifier(s, word, false);
    }
}

/* A function that can get a parameter, with the macros that may make it the device's. */
static void tell_function(struct teller *t, const struct sy_function *one) {
    struct sycl *s = t->s;
    const struct cu *f = s->f;
    struct str name = cu_text(f, one->name);
    bool device = one->ported;
    if (sy_is_declared_alone(s, one) && cu_is_word(f, one->name)) tell(t, SY_TELLS_DECLARED, name);
    if (one->lambda || one->kernel || one->body == NO_NODE || !cu_is_word(f, one->name)) return;
    if (one->bare) {
        if (one->makes) tell(t, SY_TELLS_FIXED, name);
        return;
    }
    begin(t, SY_TELLS_FUNCTION, name);
    for (uint32_t i = one->head; i < one->name; i++)
        device |= sy_is_sure_qualifier(s, f, i) && !cu_is(f, i, CU_HOST_WORD);
    for (uint32_t i = one->head; i < one->name && !device; i++)
        if (sy_is_qualifier(s, f, i)) buf_printf(t->b, " ?%.*s", STR_ARG(cu_text(f, i)));
    if (one->ported) buf_add(t->b, S(" !"));
    add_words(t, one->body, one->end);
    buf_addc(t->b, '\n');
}

/* Whether the parenthesis behind the word at token i is that of a function's head, whose body
 * follows. */
static bool is_definition(const struct cu *f, uint32_t i) {
    uint32_t close = cu_is(f, i + 1, "(") ? f->tokens.v[i + 1].partner : NO_NODE;
    if (close == NO_NODE || i == 0 || !cu_is_word(f, i)) return false;
    if (str_listed(cu_text(f, i), S("if for while switch catch return sizeof decltype alignas "
                                    "noexcept requires operator defined asm")))
        return false;
    bool headed = cu_is_word(f, i - 1) || cu_is(f, i - 1, "*") ||
                  str_listed(cu_text(f, i - 1), S("> & && :: ~"));
    if (cu_is(f, close + 1, "{")) return !cu_is(f, i - 1, ".") && !cu_is(f, i - 1, "->");
    if (!headed || cu_is(f, i - 1, "return")) return false;
    return str_listed(cu_text(f, close + 1), S("const noexcept override final -> :"));
}

/* Names of all functions that are defined, of the host's, too. */
static void tell_definitions(struct teller *t) {
    const struct cu *f = t->s->f;
    forget(t);
    for (int macros = 0; macros < 2; macros++)
        for (uint32_t i = 1; i + 1 < f->tokens.n; i++)
            if (sy_in_macro(f, i) == (macros == 0) && is_definition(f, i) &&
                is_new(t, cu_text(f, i)))
                tell(t, macros ? SY_TELLS_DEFINITION : SY_TELLS_FIXED, cu_text(f, i));
}

static void tell_macros(struct teller *t) {
    const struct cu *f = t->s->f;
    for (size_t d = 0; d < f->directives.n; d++) {
        const struct cu_directive *one = &f->directives.v[d];
        if (one->kind != CD_DEFINE || one->last <= one->first + 3) continue;
        size_t start = t->b->n;
        begin(t, SY_TELLS_MACRO, cu_text(f, one->first + 2));
        if (add_words(t, one->first + 3, one->last))
            buf_addc(t->b, '\n');
        else
            t->b->n = start;
    }
}

static void tell_qualifiers(struct teller *t) {
    const struct sycl *s = t->s;
    for (size_t i = 0; i < s->qualifiers.n; i++) {
        struct str word = s->qualifiers.v[i];
        begin(t, SY_TELLS_QUALIFIER, word);
        if (str_among(s->host_qualifiers.v, s->host_qualifiers.n, word)) buf_add(t->b, S(" h"));
        if (str_among(s->kernel_qualifiers.v, s->kernel_qualifiers.n, word))
            buf_add(t->b, S(" k"));
        buf_addc(t->b, '\n');
    }
}

static void tell_values(struct teller *t) {
    const struct cu *f = t->s->f;
    forget(t);
    for (uint32_t i = 1; i + 1 < f->tokens.n; i++)
        if (sy_is_value(f, i) && is_new(t, cu_text(f, i))) tell(t, SY_TELLS_VALUE, cu_text(f, i));
}

void sycl_tell(struct buf *b, const struct rules *rules, struct target_ref target, struct str path,
               struct str src) {
    struct cu f = {.a = b->a, .src = src, .rules = rules, .target = target, .path = path};
    if (str_is_utf16(src)) return;
    cu_lex(&f);
    cu_find_regions(&f);
    struct sycl *s = NEW(b->a, struct sycl);
    struct teller t = {.b = b, .s = s};
    s->f = &f;
    f.sycl = s;
    sy_find_qualifiers(s, &f);
    tell_qualifiers(&t);
    add_candidates(s);
    sy_find_functions(s, &f);
    s->own = s->functions.n;
    sy_index(s);
    sy_find_dynamic(s);
    for (size_t i = 0; i < s->functions.n; i++) tell_function(&t, &s->functions.v[i]);
    tell_macros(&t);
    tell_definitions(&t);
    tell_values(&t);
}
