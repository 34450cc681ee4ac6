/* SPDX-License-Identifier: Apache-2.0 */
/* match.c - tokens meet rules. */
#include "cuda/cu.h"

static void add(struct cu *f, struct cu_match m) {
    m.start = f->tokens.v[m.first].start;
    m.end = f->tokens.v[m.last - 1].end;
    m.certainty = C_EXACT;
    m.cell = row_cell(m.row, f->target);
    m.verdict = m.message.p ? V_SAME : m.cell ? (enum verdict)m.cell->verdict : V_MANUAL;
    if (m.cell && m.verdict != V_SAME && cell_is_likened(m.row, m.cell, f->target))
        m.verdict = V_CLOSE;
    if (f->matches.n >= CU_MAX_MATCHES) {
        f->too_many = true;
        return;
    }
    vec_push(f->a, &f->matches, m);
}

/* What only one vendor compiles stays. */
static bool left_to_its_vendor(struct cu *f, struct cu_match *m) {
    const struct cu_region *r = cu_region_at(f, f->tokens.v[m->first].start);
    if (!r || (r->kind == CR_SHARED && cu_says_nvidia(f, m->token))) return false;
    m->cell = row_cell(m->row, f->target);
    m->start = f->tokens.v[m->first].start;
    m->end = f->tokens.v[m->last - 1].end;
    m->certainty = C_EXACT;
    m->verdict = V_SAME;
    m->message = r->kind == CR_COPY     ? S("a copy of a library that the target has its own of")
                 : r->kind == CR_NVIDIA ? S("the #if around it keeps it for NVIDIA's compiler")
                 : r->kind != CR_OTHER_VENDOR ? S("the #if around it is about this target already")
                                              : S("the #if around it keeps it for another vendor");
    if (m->kind == CU_INCLUDE && r->kind == CR_OWN && m->cell && m->cell->verdict != V_SAME) {
        m->verdict = V_MANUAL; /* a port by the project's own build may come, or nothing */
        m->message = S("a header of CUDA's in a branch for this target: unless the project's "
                       "build rewrites it, no compiler finds it");
    }
    if (f->matches.n < CU_MAX_MATCHES) vec_push(f->a, &f->matches, *m);
    return true;
}

/* ---- names ---- */

/* Words behind which an expression starts: no part of the qualified name that follows. */
static bool is_before_expression(const struct cu *f, uint32_t i) {
    static const char *const words[] = {"return", "else", "case", "throw", "do", "co_return"};
    for (size_t k = 0; k < ARRAY_LEN(words); k++)
        if (cu_is(f, i, words[k])) return true;
    return false;
}

/* `typedef ::cub::x y;`, `return ::cub::f();`: what follows begins in the global namespace. */
static bool is_before_global(const struct cu *f, uint32_t i) {
    return is_before_expression(f, i) || rules_lists(f->rules, "cuda.no_types", cu_text(f, i));
}

/* Whether a [ opens the captures of a lambda: behind what has elements it opens an index. */
static bool is_capture(const struct cu *f, uint32_t open) {
    if (open == 0 || is_before_expression(f, open - 1)) return true;
    return !cu_is_word(f, open - 1) && !cu_is(f, open - 1, ")") && !cu_is(f, open - 1, "]");
}

/* `auto f() const -> cudaError_t;`, `[](int n) -> cudaError_t {`: behind that arrow stands a type,
 * no member. */
static bool is_returned_type(const struct cu *f, uint32_t i) {
    static const char *const between[] = {"const", "mutable", "noexcept", "volatile", "&", "&&"};
    enum { LONGEST_NAME = 16 };
    uint32_t at = i >= 2 ? i - 2 : 0;
    for (size_t k = 0; at > 0 && k < ARRAY_LEN(between); k++)
        if (cu_is(f, at, between[k])) at--, k = SIZE_MAX;
    uint32_t open = cu_is(f, at, ")") ? f->tokens.v[at].partner : NO_NODE;
    if (open == NO_NODE || open == 0) return false;
    if (cu_is(f, i + 1, "{")) return true;
    if (cu_is(f, open - 1, "]")) {
        uint32_t captures = f->tokens.v[open - 1].partner;
        return captures != NO_NODE && is_capture(f, captures);
    }
    for (uint32_t k = open - 1; k > 0 && open - k < LONGEST_NAME; k--) {
        if (!cu_is_word(f, k) && !cu_is(f, k, "::")) return false;
        if (cu_is(f, k - 1, "auto")) return true;
    }
    return false;
}

/* Whether a name at token i can be one of CUDA's: no member, nothing behind somebody's type. */
static bool can_be_global(const struct cu *f, uint32_t i) {
    if (i == 0) return true;
    if (cu_is(f, i - 1, ".")) return false;
    if (cu_is(f, i - 1, "->")) return is_returned_type(f, i);
    if (!cu_is(f, i - 1, "::")) return true;
    return i < 2 || (!cu_is_word(f, i - 2) && !cu_is(f, i - 2, ">")) || is_before_global(f, i - 2);
}

static struct str chain_text(struct cu *f, uint32_t first, uint32_t last) {
    if (last == first + 1) return cu_text(f, first);
    struct buf b;
    buf_init(&b, f->a);
    for (uint32_t i = first; i < last; i++) buf_add(&b, cu_text(f, i));
    return buf_str(&b);
}

/* The name as one that has to be looked at, where no header has it: under the row that would keep
 * it, or under that of such names. */
static bool add_absent(struct cu *f, struct cu_match m) {
    struct cu_absent absent;
    size_t cursor = 0;
    if (!cu_find_absent(f, m.first, &absent)) return false;
    struct row_ref row;
    if (!rules_find(f->rules, M_SYMBOL, S("cm::absent"), &cursor, &row)) return false;
    if (!m.row.row) m.row = row;
    bool alone = absent.first == m.first; /* else what is before it speaks for itself */
    m.first = absent.first;
    m.last = absent.last;
    m.token = chain_text(f, m.first, m.last);
    if (left_to_its_vendor(f, &m)) return alone;
    add(f, m);
    if (f->too_many) return true;
    struct cu_match *added = &f->matches.v[f->matches.n - 1];
    added->cell = NULL; /* it has no answer */
    added->verdict = V_MANUAL;
    added->message =
        arena_printf(f->a, "no header of the runtime declares `%.*s`", STR_ARG(absent.name));
    const struct rcell *cell = row_cell(row, f->target);
    if (cell) added->advice = rs_str(row.set, cell->note);
    return alone;
}

/* What the preprocessor makes of a known name is another one, which nobody can tell from here. */
static void add_name(struct cu *f, struct cu_match m) {
    add(f, m);
    if (f->too_many || !cu_is_pasted(f, m.first, m.last)) return;
    struct cu_match *added = &f->matches.v[f->matches.n - 1];
    if (added->verdict == V_SAME) return;
    added->cell = NULL;
    added->verdict = V_MANUAL;
    added->message = S("the preprocessor makes another name of it");
    added->advice = S("Write the names out where the macro is used");
}

/* Of `type::enumerator` the second name, behind that of the enumeration at token `type`. */
static void match_enumerator(struct cu *f, uint32_t type) {
    struct cu_match m = {.kind = CU_SYMBOL, .first = type + 2, .last = type + 3};
    size_t cursor = 0;
    m.token = cu_text(f, m.first);
    if (rules_lists(f->rules, "cuda.library_namespaces", cu_text(f, type))) return;
    if (!rules_find(f->rules, M_SYMBOL, m.token, &cursor, &m.row)) return;
    if (!left_to_its_vendor(f, &m)) add_name(f, m);
}

/* Of a::b::c the longest prefix that rules know; returns the token after the whole chain. */
static uint32_t match_chain(struct cu *f, uint32_t first) {
    uint32_t end = first + 1;
    while (cu_is(f, end, "::") && cu_is_word(f, end + 1)) end += 2;
    for (uint32_t last = end; last > first; last = last > first + 2 ? last - 2 : first) {
        struct cu_match m = {.kind = CU_SYMBOL, .first = first, .last = last};
        size_t cursor = 0;
        if (last == first + 1 && !rules_is_anchor(f->rules, RL_CUDA, cu_text(f, first), NULL))
            break;
        m.token = chain_text(f, first, last);
        if (!rules_find(f->rules, M_SYMBOL, m.token, &cursor, &m.row)) continue;
        if (cu_is_users(f, first, last, m.token)) break;
        if (last == first + 1 && cu_is_redefined(f, m.token))
            m.message = S("another file of the project defines that name");
        const struct rcell *cell = row_cell(m.row, f->target);
        bool keeps = cell && cell->verdict == V_SAME && !m.message.p;
        if (keeps && add_absent(f, m)) return end;
        if (!left_to_its_vendor(f, &m)) add_name(f, m);
        if (last == first + 1 && end == first + 3 && !m.message.p) match_enumerator(f, first);
        return end;
    }
    if (end > first + 1) add_absent(f, (struct cu_match){.kind = CU_SYMBOL, .first = first});
    return end;
}

static bool on_one_line(const struct cu *f, uint32_t a, uint32_t b) {
    uint32_t start = f->tokens.v[a].start, end = f->tokens.v[b].start;
    return start <= end && !memchr(f->src.p + start, '\n', end - start);
}

/* Whether a row of its own rewrites the sequence for some target. */
static bool is_rewritten(struct row_ref row) {
    const struct rcell *cells = RS_LIST(row.set, row.row->cells, struct rcell);
    for (uint32_t i = 0; i < row.row->cells.n; i++)
        if (cells[i].to.n) return true;
    return false;
}

/* The sequence is there already, found from another of its words; or a rule for check, or one
 * about conditions that only tells, has been told on this line, or in this file if it speaks once.
 * What check has nothing to say of on this target it has not told: the next may differ
 * (sycl/judge.c looks at each). */
static bool is_told(const struct cu *f, const struct cu_match *m) {
    bool tells = m->row.rule->lint || (m->row.rule->scope != TS_CODE && !is_rewritten(m->row));
    uint32_t line = f->tokens.v[m->first].start;
    while (line > 0 && f->src.p[line - 1] != '\n') line--;
    for (size_t i = f->matches.n; i-- > 0;) {
        const struct cu_match *other = &f->matches.v[i];
        if (other->end < line && !m->row.rule->once) break;
        if (other->kind == CU_SEQUENCE && other->row.rule == m->row.rule &&
            (m->row.rule->once || other->first == m->first ||
             (tells && !(m->row.rule->lint && other->verdict == V_SAME) &&
              on_one_line(f, other->first, m->first))))
            return true;
    }
    return false;
}

static bool same_domain(struct row_ref a, const struct row_ref *b) {
    return b->rule && str_eq(rs_str(a.set, a.rule->domain), rs_str(b->set, b->rule->domain));
}

static bool is_of_torch(const struct cu *f) {
    for (uint32_t i = 0; i < f->tokens.n; i++) {
        struct str text = cu_text(f, i);
        if (f->tokens.v[i].kind == CU_HEADER && text.n) {
            text = str_sub(text, 1, text.n);
            size_t slash = str_find(text, S("/"), 0);
            if (slash == text.n) continue;
            text = str_sub(text, 0, slash);
        } else if (!cu_is(f, i + 1, "::")) {
            continue;
        }
        if (rules_lists(f->rules, "cuda.torch", text)) return true;
    }
    return false;
}

/* Whether the file itself declares a function of that name: what `.name()` calls is its own. */
static bool declares_member(const struct cu *f, struct str name) {
    for (uint32_t i = 1; i + 1 < f->tokens.n; i++)
        if (cu_is_word(f, i) && str_eq(cu_text(f, i), name) && cu_is(f, i + 1, "(") &&
            cu_is_word(f, i - 1) && !is_before_expression(f, i - 1))
            return true;
    return false;
}

/* Whether what `.name()` calls is the project's own. */
static bool is_own_method(struct cu *f, struct str name) {
    return declares_member(f, name) || (cu_has_method(f, name) && !f->torch);
}

static void add_sequence(struct cu *f, struct cu_match m) {
    m.token = cu_span(f, m.first, m.last);
    enum { SHOWN = 60 };
    size_t line = str_find(m.token, S("\n"), 0);
    if (line > SHOWN) line = SHOWN;
    m.token = str_sub(m.token, 0, line < m.token.n ? line : m.token.n);
    add(f, m);
}

/* Whether the same domain speaks for a longer part of the condition already, with this in it. */
static bool is_part_of_one(const struct cu *f, const struct cu_match *m) {
    for (size_t k = f->matches.n; m->directive && k-- > 0;) {
        const struct cu_match *other = &f->matches.v[k];
        if (other->directive != m->directive) return false;
        if (other->kind == CU_SEQUENCE && same_domain(m->row, &other->row) &&
            !cu_is(f, other->first, "#") && other->first < m->first && other->last >= m->last)
            return true;
    }
    return false;
}

/* Of one domain's rules about sequences the first that fits speaks. Returns whether one about
 * conditions does: there it speaks for the name, too. */
static bool match_sequences(struct cu *f, uint32_t i, struct str word) {
    struct row_ref row, done = {0};
    size_t cursor = 0;
    bool speaks = false;
    while (rules_find(f->rules, M_TOKENS, word, &cursor, &row)) {
        struct cu_match m = {.kind = CU_SEQUENCE, .row = row};
        if (same_domain(row, &done) || !cu_match_sequence(f, row, i, &m)) continue;
        if (cu_is_about_member(row) && is_own_method(f, word)) continue;
        if (cu_is_about_name(row, word) &&
            (cu_is_users(f, i, i + 1, word) || cu_is_redefined(f, word)))
            continue;
        done = row;
        if (cu_region_at(f, f->tokens.v[m.first].start)) continue;
        speaks |= row.rule->scope != TS_CODE;
        if (is_told(f, &m) || is_part_of_one(f, &m)) continue;
        add_sequence(f, m);
    }
    return speaks;
}

/* Nearly no word is the whole of an argument, and the marks beside it say so at once. */
static bool may_be_joined(const struct cu *f, uint32_t i) {
    return (cu_is(f, i + 1, ",") || cu_is(f, i + 1, ")")) && i > 0 &&
           (cu_is(f, i - 1, ",") || cu_is(f, i - 1, "("));
}

/* The start of one of CUDA's names that a macro joins with the rest: `CAT(cuda, Malloc)`. */
static bool match_joined(struct cu *f, uint32_t i) {
    struct cu_match m = {.kind = CU_SEQUENCE, .first = i, .last = i + 1};
    if (!may_be_joined(f, i) || !cu_find_start(f, i, &m.row) || !cu_is_pasted_argument(f, i))
        return false;
    m.directive = f->tokens.v[i].directive;
    if (!cu_region_at(f, f->tokens.v[i].start)) add_sequence(f, m);
    return true;
}

/* The start of one of CUDA's names beside ##: `cuda##name`. */
static bool match_pasted(struct cu *f, uint32_t i) {
    struct cu_match m = {.kind = CU_SEQUENCE, .first = i, .last = i + 1};
    if (!cu_is_pasted(f, i, i + 1) || !can_be_global(f, i) || !cu_find_pasted(f, i, &m.row))
        return false;
    m.directive = f->tokens.v[i].directive;
    if (cu_is(f, i + 1, "##"))
        m.last++;
    else
        m.first--;
    if (!cu_region_at(f, f->tokens.v[m.first].start)) add_sequence(f, m);
    return true;
}

bool cu_add_lanes(struct cu *f, struct cu_match m) {
    if (!cu_conditions_hold(f, &m)) return false;
    if (!is_told(f, &m)) add_sequence(f, m);
    return true;
}

/* A macro of the user's in a condition speaks for the device's macro that it is made of. */
static void match_side_by_macro(struct cu *f, uint32_t i) {
    struct row_ref row;
    size_t cursor = 0;
    if (!f->tokens.v[i].directive || !cu_asks_side_by_macro(f, i)) return;
    struct str macro = cu_device_macro(f);
    while (rules_find(f->rules, M_TOKENS, macro, &cursor, &row)) {
        struct cu_match m = {.kind = CU_SEQUENCE, .row = row, .first = i, .last = i + 1};
        if (!row.rule->sides || !str_eq(rs_str(row.set, row.row->key), macro)) continue;
        m.directive = f->tokens.v[i].directive;
        if (!cu_region_at(f, f->tokens.v[i].start)) add_sequence(f, m);
        return;
    }
}

/* Whether a number is written as its value is printed. */
static bool is_plain_number(struct str text) {
    enum { FITS = 18 };
    size_t n = 0;
    while (n < text.n && text.p[n] >= '0' && text.p[n] <= '9') n++;
    return n == text.n && n > 0 && n <= FITS && (text.p[0] != '0' || n == 1);
}

/* Sequences are found by numbers, too, however they are written. */
static void match_number(struct cu *f, uint32_t i) {
    int64_t value;
    struct str text = cu_text(f, i);
    if (!is_plain_number(text) && cu_integer(text, &value))
        text = arena_printf(f->a, "%lld", (long long)value);
    match_sequences(f, i, text);
}

/* Options of compilers are found up to their =. */
static void match_string(struct cu *f, uint32_t i) {
    struct str text = cu_text(f, i);
    size_t equals = str_find(text, S("="), 0);
    if (equals < text.n) text = arena_printf(f->a, "%.*s=\"", STR_ARG(str_sub(text, 0, equals)));
    match_sequences(f, i, text);
}

/* ---- includes and launches ---- */

/* Whether a file beside this one is called like the header: that is what quotes mean. */
static bool is_own_header(struct cu *f, struct str quoted) {
    struct str path = str_sub(quoted, 1, quoted.n - 1), text;
    if (quoted.p[0] != '"') return false;
    if (f->project && cu_is_beside(f->project, f->path, path)) return true;
    if (!f->reader) return false;
    size_t folder = f->path.n;
    while (folder > 0 && f->path.p[folder - 1] != '/') folder--;
    path = arena_printf(f->a, "%.*s%.*s", (int)folder, f->path.p, STR_ARG(path));
    return f->reader->read(f->reader->context, f->a, path, &text);
}

/* A row about a folder speaks for angle brackets alone, and for no file of the tree. */
static bool find_folder_row(struct cu *f, struct str text, struct row_ref *row) {
    struct str path = str_sub(text, 1, text.n - 1);
    struct cu_files files = {0};
    if (text.p[0] != '<' || !cu_find_folder_row(f->rules, path, row)) return false;
    if (f->project) cu_included_files(f->project, f->a, path, &files);
    return files.n == 0;
}

/* "cub/cub.cuh", "../external/cub/cub/cub.cuh": the tree's copy, which the target's own stands in
 * for. Of such a path what begins with the library's folder; else nothing. */
static struct str copied_path(const struct cu *f, struct str path) {
    struct str found = {0};
    for (size_t at = 0, slash; (slash = str_find(path, S("/"), at)) < path.n; at = slash + 1)
        if (cu_copied_header(f, str_sub(path, at, slash)).n) found = str_sub(path, at, path.n);
    return found;
}

static void match_include(struct cu *f, uint32_t i) {
    struct str text = cu_text(f, i);
    size_t cursor = 0;
    if (text.n < 3) return;
    struct cu_match m = {.kind = CU_INCLUDE, .first = i, .last = i + 1};
    m.token = str_sub(text, 1, text.n - 1);
    struct str copied = copied_path(f, m.token);
    if (!rules_find(f->rules, M_INCLUDE, copied.n ? copied : m.token, &cursor, &m.row) &&
        !find_folder_row(f, text, &m.row))
        return;
    if (!copied.n && is_own_header(f, text)) return;
    if (!left_to_its_vendor(f, &m)) add(f, m);
}

/* Whether the file asks for that header of the target's itself, or includes it. */
static bool knows_header(const struct cu *f, struct str path) {
    for (uint32_t i = 0; path.n && i < f->tokens.n; i++) {
        struct str text = cu_text(f, i);
        if (f->tokens.v[i].kind != CU_ASKED && f->tokens.v[i].kind != CU_HEADER) continue;
        if (text.n > 2 && str_eq(str_sub(text, 1, text.n - 1), path)) return true;
    }
    return false;
}

/* __has_include(<cub/cub.cuh>): what is asked for is the header that is included, unless the file
 * has a branch of the target's own; and a header that a macro names for an #include. One that is
 * taken out is there in any case. */
static void match_asked(struct cu *f, uint32_t i) {
    bool named = f->tokens.v[i].kind == CU_NAMED;
    struct str text = cu_text(f, i);
    size_t cursor = 0;
    struct cu_match m = {.kind = CU_SYMBOL, .first = i, .last = i + 1};
    if (text.n < 3) return;
    m.token = str_sub(text, 1, text.n - 1);
    if (!rules_find(f->rules, M_INCLUDE, m.token, &cursor, &m.row) || is_own_header(f, text))
        return;
    const struct rcell *cell = row_cell(m.row, f->target);
    struct str to = cell ? rs_str(m.row.set, cell->to) : (struct str){0};
    if (!named && knows_header(f, to))
        m.message = S("the file asks for the target's header itself");
    if (left_to_its_vendor(f, &m)) return;
    add(f, m);
    if (f->too_many) return;
    struct cu_match *added = &f->matches.v[f->matches.n - 1];
    added->start++;
    added->end--;
    if (!cell || !cell->remove) return;
    added->verdict = V_MANUAL;
    added->cell = NULL;
    added->message =
        named ? S("there is no such header: take the #include of it out")
              : S("the #include of it is taken out, so the answer to this is another one");
}

static void match_launch(struct cu *f, uint32_t i) {
    struct cu_launch launch;
    struct cu_match m = {.kind = CU_LAUNCH, .first = i};
    size_t cursor = 0;
    bool whole = cu_read_launch(f, i, &launch);
    struct str key = f->options->launch_functions ? S("function") : S("chevron");
    if (whole && !f->options->launch_functions) key = cu_launch_key(f, &launch);
    if (!rules_find(f->rules, M_LAUNCH, key, &cursor, &m.row)) return;
    const struct rcell *cell = row_cell(m.row, f->target);
    cursor = 0;
    if (whole && cu_is_spread(f, &launch) && cell && cell->verdict == V_SAME &&
        !rules_find(f->rules, M_LAUNCH, S("spread"), &cursor, &m.row))
        return;
    m.last = whole ? launch.close + 1 : i + 1;
    m.first = whole ? launch.kernel_first : i;
    m.token = S("<<<...>>>");
    if (left_to_its_vendor(f, &m)) return;
    uint32_t first = m.first;
    m.first = i; /* the place that the user is shown is the launch itself */
    add(f, m);
    if (f->matches.n && !f->too_many) f->matches.v[f->matches.n - 1].first = first;
}

/* Whether a rule about conditions speaks for that name in the same #if: `defined(X) && X > 9`. */
static bool is_spoken_for(const struct cu *f, const struct cu_match *m) {
    uint32_t directive = f->tokens.v[m->first].directive;
    if (m->kind != CU_SYMBOL || m->message.p || !directive) return false;
    if (f->directives.v[directive - 1].kind != CD_IF &&
        f->directives.v[directive - 1].kind != CD_ELIF)
        return false;
    for (size_t i = 0; i < f->matches.n; i++) {
        const struct cu_match *other = &f->matches.v[i];
        if (other->kind == CU_SEQUENCE && other->row.rule->scope != TS_CODE &&
            f->tokens.v[other->first].directive == directive &&
            str_eq(rs_str(other->row.set, other->row.row->look_up), m->token))
            return true;
    }
    return false;
}

static void drop_spoken_for(struct cu *f) {
    size_t n = 0;
    for (size_t i = 0; i < f->matches.n; i++) {
        struct cu_match m = f->matches.v[i];
        if (!is_spoken_for(f, &m)) f->matches.v[n++] = m;
    }
    f->matches.n = n;
}

/* A launch begins with its kernel, though <<< is what is shown. */
static uint32_t begin_of(const struct cu *f, const struct cu_match *m) {
    return m->kind == CU_LAUNCH ? f->tokens.v[m->first].start : m->start;
}

/* By where they begin; of two that begin together the longer one first. */
static int match_order(const void *x, const void *y, const void *file) {
    const struct cu_match *a = x, *b = y;
    uint32_t i = begin_of(file, a), k = begin_of(file, b);
    return i != k ? (i > k) - (i < k) : (a->end < b->end) - (a->end > b->end);
}

void cu_match_tokens(struct cu *f) {
    f->torch = is_of_torch(f);
    if (f->target.target->through.n && !f->target.sycl && f->torch) f->target.direct = true;
    for (uint32_t i = 0; i < f->tokens.n && !f->too_many;) {
        const struct cu_token *t = &f->tokens.v[i];
        uint32_t next = i + 1;
        if (t->kind == CU_HEADER) {
            match_include(f, i);
        } else if (t->kind == CU_ASKED || t->kind == CU_NAMED) {
            match_asked(f, i);
        } else if (t->kind == CU_PUNCT && cu_is(f, i, "<<<")) {
            match_sequences(f, i, cu_text(f, i));
            match_launch(f, i);
        } else if (t->kind == CU_NUMBER) {
            match_number(f, i);
        } else if (t->kind == CU_STRING && str_starts(cu_text(f, i), S("\"-"))) {
            match_string(f, i);
        } else if (t->kind == CU_WORD) {
            match_side_by_macro(f, i);
            bool chain = cu_is(f, next, "::") && !is_before_global(f, i);
            if (match_pasted(f, i) || match_joined(f, i)) {
                i = next;
                continue;
            }
            if (chain || rules_is_anchor(f->rules, RL_CUDA, cu_text(f, i), NULL)) {
                bool spoken = match_sequences(f, i, cu_text(f, i));
                if (!spoken && can_be_global(f, i)) next = match_chain(f, i);
                for (uint32_t k = i + 2; k < next; k += 2) match_sequences(f, k, cu_text(f, k));
            }
        }
        i = next;
    }
}

void cu_settle_matches(struct cu *f) {
    drop_spoken_for(f);
    sort_stable(f->a, f->matches.v, f->matches.n, sizeof *f->matches.v, match_order, f);
}
