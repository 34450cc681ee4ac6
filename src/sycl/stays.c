/* SPDX-License-Identifier: Apache-2.0 */
/* stays.c - barriers behind a return, or in a branch, that only some of a group take, as a person
 * would write them: `if (i >= n) return;` becomes `const bool stays = !(i >= n);`, what the others
 * do up to the last barrier stands behind `if (stays)`, and `if (!stays) return;` behind that
 * barrier; `if (i < n) {..}` with a barrier in it becomes `const bool stays = (i < n); {..}`.
 *
 * CUDA counts threads that have returned as having come; in SYCL all of a group have to come. The
 * kernel's statements are read by the kernel compiler's reader. Control flow with barriers in it
 * has to be the same for all, of values that no `if (stays)` keeps from being set. Declarations
 * that are needed behind a barrier stay where they are: with their value where it can be computed
 * of anything (no memory, no call, no division), else with none for those that have left. What is
 * not so is left to a human: loops that some leave, waiting functions, directives, references. */
#include "kernels/kernel.h"
#include "sycl/sycl.h"

/* The edits that make all of a kernel's work-items come to its barriers. */
struct sy_stays {
    const struct sy_function *in;
    bool good;
    VEC(struct match_edit) edits;
};

enum { DEEPEST = 4, MOST_STEPS = 4 * 1000 * 1000 }; /* of functions that call functions */

enum { IN_HEAD = 1, DECLARED = 2, WITH_VALUE = 4 };

struct counter {
    struct str name;
    bool is;
};

struct plan {
    struct sycl *s;
    size_t steps;           /* tokens looked at in what is called */
    VEC(uint32_t) barriers; /* tokens, in order */
    uint8_t *marks;         /* [token] of the names in heads of loops that wait, of declarations */
    VEC(struct counter) counters;
    struct cu *f;
    struct kernel *k;
    struct sy_stays *to;
    struct str name;       /* `stays` */
    uint32_t last_barrier; /* token */
    size_t returns;        /* to be written, before that */
    bool active;           /* some may have left, or taken no part in a branch */
    bool warps;            /* what waits for the lanes of a warp is looked for, too */
    uint32_t branch;       /* the `if` that becomes a block: its statement, or NO_NODE */
    VEC(struct str) kept;  /* names that only those that stay set */
};

static const struct k_statement *at(const struct plan *p, uint32_t s) { return &p->k->s.v[s]; }

static void push(struct plan *p, uint32_t start, uint32_t end, struct str text) {
    struct match_edit e = {.start = start, .end = end, .text = text, .match = UINT32_MAX};
    vec_push(p->f->a, &p->to->edits, e);
}

/* The start of the line that the byte is in, and where its text begins. */
static uint32_t line_of(const struct cu *f, uint32_t byte, uint32_t *text) {
    uint32_t line = byte;
    while (line > 0 && f->src.p[line - 1] != '\n') line--;
    *text = line;
    while (*text < f->src.n && strchr(" \t", f->src.p[*text])) ++*text;
    return line;
}

/* A statement in front of the token, on a line like its own. */
static void insert_line(struct plan *p, uint32_t token, const char *form) {
    struct cu *f = p->f;
    uint32_t first = f->tokens.v[token].start, blank, line = line_of(f, first, &blank);
    struct str text = arena_printf(f->a, form, STR_ARG(p->name));
    bool cr = line > 1 && f->src.p[line - 2] == '\r';
    text = blank < first ? arena_concat(f->a, text, S(" ")) /* it shares its line */
                         : arena_printf(f->a, "%.*s%s\n%.*s", STR_ARG(text), cr ? "\r" : "",
                                        STR_ARG(str_sub(f->src, line, first)));
    push(p, first, first, text);
}

/* ---- what stands where ---- */

static bool may_wait(struct plan *p, struct str name, int depth);

/* Whether token i is the name of a call in which the group may wait: of a function of that name,
 * or of a group's, of CUB's. */
static bool call_waits(struct plan *p, const struct cu *f, uint32_t i, int depth) {
    bool qualified = i > 0 && str_listed(cu_text(f, i - 1), S(". -> ::"));
    bool template = cu_is(f, i + 1, "<") && cu_template_end(f, i + 1) != NO_NODE;
    if (!cu_is(f, i + 1, "(") && !template) return false;
    if (qualified && rules_lists(p->f->rules, "sycl.waiting", cu_text(f, i))) return true;
    return may_wait(p, cu_text(f, i), depth);
}

/* Whether the group may wait in a function of that name; true, too, where that is too much to find
 * out. */
static bool may_wait(struct plan *p, struct str name, int depth) {
    const struct rules *rules = p->f->rules;
    struct str same;
    if (rules_lists(rules, "sycl.barriers", name)) return true;
    if (p->warps && rules_word_row(rules, "sycl.calls", name, &same) && !str_eq(name, same))
        return true; /* __shfl_sync: not this_thread_block */
    for (const struct sy_function *one = sy_first_named(p->s, name); one;
         one = sy_next_named(p->s, one)) {
        if (one->body == NO_NODE) continue;
        if (depth >= DEEPEST || p->steps > MOST_STEPS) return true;
        for (uint32_t i = one->body + 1; i < one->end; i++, p->steps++) {
            if (cu_is_word(one->f, i) && call_waits(p, one->f, i, depth + 1)) return true;
        }
    }
    return false;
}

/* Whether the macro's text has a barrier or leaves what is around it. */
static bool hides(struct plan *p, struct str name) {
    struct k_macro m = {0};
    if (!sy_defines(p->s, name)) return false;
    while (k_next_macro(p->f, name, &m))
        for (uint32_t i = m.d->first + 3; i < m.d->last; i++) {
            struct str word = cu_text(m.f, i);
            if (str_listed(word, S("return break continue goto asm")) ||
                rules_lists(p->f->rules, "sycl.barriers", word) ||
                (cu_is_word(m.f, i) && call_waits(p, m.f, i, 0)))
                return true;
        }
    return false;
}

/* Whether all wait in the statement. */
static bool waits(const struct plan *p, uint32_t s) {
    size_t low = 0, high = p->barriers.n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (p->barriers.v[middle] < at(p, s)->start)
            low = middle + 1;
        else
            high = middle;
    }
    return low < p->barriers.n && p->barriers.v[low] < at(p, s)->last;
}

/* Whether one waits in a way that is no barrier of its own, or what it does is not in sight. */
static bool waits_hidden(struct plan *p, uint32_t from, uint32_t to) {
    struct cu *f = p->f;
    for (uint32_t i = from; i < to; i++) {
        if (!cu_is_word(f, i) || rules_lists(f->rules, "sycl.barriers", cu_text(f, i))) continue;
        if (hides(p, cu_text(f, i)) || call_waits(p, f, i, 0)) return true;
    }
    return false;
}

static bool has(const struct plan *p, uint32_t s, const char *word) {
    for (uint32_t i = at(p, s)->start; i < at(p, s)->last; i++) {
        uint32_t skip = k_lambda_length(p->f, i);
        if (skip) i += skip - 1;
        if (cu_is(p->f, i, word)) return true;
    }
    return false;
}

/* Whether a return in the statement has to be written: some take it, or some have left before. */
static bool returns(const struct plan *p, uint32_t s) {
    if (at(p, s)->start > p->last_barrier || !has(p, s, "return")) return false;
    for (uint32_t i = at(p, s)->start; i < at(p, s)->last; i++)
        if (cu_is(p->f, i, "return") && (p->active || sy_divides(p->s, p->to->in, i))) return true;
    return false;
}

static bool is_kept(const struct plan *p, struct str name) {
    for (size_t i = 0; i < p->kept.n; i++)
        if (str_eq(p->kept.v[i], name)) return true;
    return false;
}

/* Remembers the names that tokens [from, to) may set. */
static void keep(struct plan *p, uint32_t from, uint32_t to) {
    for (uint32_t i = from; i < to; i++)
        if (cu_is_word(p->f, i) && sy_may_change(p->s, p->f, i) && !is_kept(p, cu_text(p->f, i)))
            vec_push(p->f->a, &p->kept, cu_text(p->f, i));
}

/* ---- control flow that all take alike ---- */

static void mark(struct plan *p) {
    p->marks = arena_zalloc(p->f->a, p->f->tokens.n + 1);
    for (size_t n = 0; n < p->k->v.n; n++)
        p->marks[p->k->v.v[n].token] |= (uint8_t)(DECLARED | (p->k->v.v[n].init ? WITH_VALUE : 0));
    for (uint32_t s = 0; s < p->k->s.n; s++)
        for (uint32_t i = at(p, s)->open; at(p, s)->kind == K_FOR && i < at(p, s)->close; i++)
            if (waits(p, s)) p->marks[i] |= IN_HEAD;
}

/* Whether the name is set by its declaration and by heads of loops that wait, to what is uniform.
 */
static bool is_counter(struct plan *p, struct str name) {
    const struct cu *f = p->f;
    struct counter one = {name, false};
    for (size_t n = 0; n < p->counters.n; n++)
        if (str_eq(p->counters.v[n].name, name)) return p->counters.v[n].is;
    for (uint32_t i = p->k->open + 1; i < p->k->close; i++) {
        if (!str_eq(cu_text(f, i), name) || cu_is(f, i - 1, ".") || cu_is(f, i - 1, "->"))
            continue;
        one.is |= (p->marks[i] & DECLARED) != 0;
        if (p->marks[i] & IN_HEAD) continue;
        if (p->marks[i] & DECLARED ? p->marks[i] & WITH_VALUE : sy_may_change(p->s, f, i)) {
            one.is = false;
            break;
        }
    }
    vec_push(f->a, &p->counters, one);
    return one.is;
}

/* Whether the tokens, a loop's head or a condition, are the same for all, whoever has left. */
static bool is_alike(struct plan *p, uint32_t from, uint32_t to) {
    const struct cu *f = p->f;
    for (uint32_t i = from; i < to; i++) {
        if (!cu_is_word(f, i)) continue;
        if (is_kept(p, cu_text(f, i))) return false;
        if (sy_varies(p->s, p->to->in, i) && !is_counter(p, cu_text(f, i))) return false;
    }
    return true;
}

/* ---- declarations ---- */

/* Whether the value can be computed of anything. */
static bool is_harmless(struct plan *p, uint32_t from, uint32_t to) {
    const struct cu *f = p->f;
    for (uint32_t i = from; i < to; i++) {
        struct str word = cu_text(f, i);
        bool divides = str_listed(word, S("/ %"));
        if (divides && !(f->src.p[f->tokens.v[i + 1].start] >= '1' &&
                         f->src.p[f->tokens.v[i + 1].start] <= '9'))
            return false;
        bool operand = i > from && (cu_is_word(f, i - 1) || cu_is(f, i - 1, ")") ||
                                    strchr("0123456789.", f->src.p[f->tokens.v[i - 1].start]));
        if (str_is(word, "*") && !operand) return false;
        if (str_listed(word, S("[ -> ++ -- new delete throw asm")) || cu_assigns(f, i))
            return false;
        if (!cu_is_word(f, i)) continue;
        if (hides(p, word)) return false;
        bool call =
            cu_is(f, i + 1, "(") || (cu_is(f, i + 1, "<") && cu_template_end(f, i + 1) != NO_NODE);
        if (call && !rules_lists(f->rules, "cuda.type_words", word) &&
            !rules_lists(f->rules, "cuda.pure", word))
            return false;
    }
    return true;
}

/* Whether the word is a type that the kernel's template is given. */
static bool is_parameter(const struct plan *p, uint32_t i) {
    for (uint32_t t = p->to->in->head; t + 1 < p->to->in->name; t++)
        if (str_listed(cu_text(p->f, t), S("typename class")) &&
            str_eq(cu_text(p->f, t + 1), cu_text(p->f, i)))
            return true;
    return false;
}

/* A value for those that have left: that of T(). False: none can be written. */
static bool write_value(struct plan *p, const struct k_variable *v) {
    struct cu *f = p->f;
    uint32_t first = v->type_first;
    struct str none;
    if (v->init != '=' || cu_is(f, v->init_first, "{") || v->reference ||
        v->array_first < v->array_last || v->is_static)
        return false;
    for (uint32_t i = v->mark_first; i < v->mark_last; i++)
        if (cu_is(f, i, "&")) return false;
    while (first < v->type_last && str_listed(cu_text(f, first), S("const volatile register")))
        first++;
    for (uint32_t i = v->init_first; i < v->init_last; i++)
        if (k_lambda_length(f, i)) return false;
    struct str value =
        str_sub(f->src, f->tokens.v[v->init_first].start, f->tokens.v[v->init_last - 1].end);
    if (v->pointer || v->mark_first < v->mark_last) {
        none = S("nullptr");
    } else if (v->is_auto) {
        none = arena_printf(f->a, "std::decay_t<decltype(%.*s)>()", STR_ARG(value));
        for (uint32_t i = v->init_first; i < v->init_last; i++)
            if (cu_is_compilers_macro(f->rules, cu_text(f, i)) || sy_asks(p->s, f, i))
                return false; /* its text would have to be written twice */
    } else if (v->type_last == first + 1 && (!k_is_object(v) || is_parameter(p, first))) {
        none = arena_printf(f->a, "%.*s()", STR_ARG(cu_text(f, first)));
    } else if (v->type.kind == K_SCALAR) {
        none = S("0");
    } else {
        return false;
    }
    uint32_t start = f->tokens.v[v->init_first].start, end = f->tokens.v[v->init_last - 1].end;
    bool plain = true; /* no operator that binds less than ? */
    for (uint32_t i = v->init_first; i < v->init_last; i++) {
        if ((cu_is(f, i, "(") || cu_is(f, i, "[")) && cu_partner(f, i) != NO_NODE)
            i = cu_partner(f, i);
        plain &= !cu_is(f, i, "?") && !cu_is(f, i, ",") && !cu_assigns(f, i);
    }
    push(p, start, start, arena_printf(f->a, plain ? "%.*s ? " : "%.*s ? (", STR_ARG(p->name)));
    push(p, end, end, arena_printf(f->a, plain ? " : %.*s" : ") : %.*s", STR_ARG(none)));
    if (!is_kept(p, v->name)) vec_push(f->a, &p->kept, v->name);
    return true;
}

/* Whether the names that the statement declares are used at or behind token `from`, before `to`.
 */
static bool is_used(const struct plan *p, uint32_t s, uint32_t from, uint32_t to) {
    for (size_t n = 0; n < p->k->v.n; n++) {
        if (p->k->v.v[n].statement != s) continue;
        for (uint32_t i = from; i < to; i++)
            if (str_eq(cu_text(p->f, i), p->k->v.v[n].name)) return true;
    }
    return false;
}

/* A declaration that is needed behind what waits next stays where it is. */
static bool write_declaration(struct plan *p, uint32_t s) {
    for (size_t n = 0; n < p->k->v.n; n++) {
        const struct k_variable *v = &p->k->v.v[n];
        if (v->statement != s || v->group) continue;
        if (!v->init) {
            if (k_is_object(v) && v->type.kind == K_OBJECT && v->type_last > v->type_first + 1)
                return false;
            continue;
        }
        if (v->init_first >= v->init_last) continue; /* {} */
        bool array = v->array_first < v->array_last && v->init == '{';
        if (!v->reference && is_harmless(p, v->init_first + array, v->init_last)) continue;
        if (!write_value(p, v)) return false;
    }
    return true;
}

/* ---- statements ---- */

/* if (c) return; and no more, with no comment in it. */
static bool is_plain_return(const struct plan *p, uint32_t s) {
    const struct cu *f = p->f;
    const struct k_statement *st = at(p, s);
    if (st->kind != K_IF || st->other != NO_NODE || !cu_is(f, st->start + 1, "(")) return false;
    uint32_t i = st->close + 1;
    bool brace = cu_is(f, i, "{");
    i += brace;
    if (!cu_is(f, i, "return") || !cu_is(f, i + 1, ";")) return false;
    if (brace && !cu_is(f, i + 2, "}")) return false;
    for (uint32_t c = st->open + 1; c < st->close; c++)
        if (cu_is(f, c, ";")) return false; /* if (int i = ..; c) */
    for (uint32_t b = f->tokens.v[st->close].end, t = st->close + 1; t < st->last; t++) {
        for (; b < f->tokens.v[t].start; b++)
            if (!strchr(" \t\r\n", f->src.p[b])) return false; /* a comment */
        b = f->tokens.v[t].end;
    }
    return true;
}

/* Whether what is behind the return runs for those alone that do not take it: it ends its branch,
 * and that ends the statement. */
static bool is_tail(const struct plan *p, uint32_t s, uint32_t top) {
    while (s != top) {
        uint32_t parent = at(p, s)->parent;
        if (parent == NO_NODE) return false;
        if (at(p, parent)->kind == K_BLOCK ? at(p, s)->next != NO_NODE
                                           : at(p, parent)->kind != K_IF)
            return false;
        s = parent;
    }
    return true;
}

/* if (stays) { .. } around statements, whose lines move to the right. */
static void indent(struct plan *p, const struct k_statement *from, const struct k_statement *to) {
    struct cu *f = p->f;
    uint32_t start = f->tokens.v[from->first].start, end = f->tokens.v[to->last - 1].end;
    uint32_t text, outer, line = line_of(f, f->tokens.v[from->start].start, &text);
    uint32_t above = line_of(f, f->tokens.v[at(p, from->parent)->close].start, &outer);
    bool tab = text > line && f->src.p[line] == '\t', cr = line > 1 && f->src.p[line - 2] == '\r';
    uint32_t wide = text - line > outer - above ? text - line - (outer - above) : 4;
    struct str step = tab ? S("\t") : str_sub(S("                "), 0, wide < 16 ? wide : 4);
    struct str own = str_sub(f->src, line, text);
    line = line_of(f, start, &text);
    if (text == start) { /* it begins its line */
        push(p, line, line,
             arena_printf(f->a, "%.*sif (%.*s) {%s\n%.*s", STR_ARG(own), STR_ARG(p->name),
                          cr ? "\r" : "", STR_ARG(f->src.p[start] == '#' ? S("") : step)));
        for (uint32_t i = start; i + 1 < end; i++) {
            if (f->src.p[i] != '\n' || strchr("\r\n#", f->src.p[i + 1])) continue;
            if (!cu_in_string(f, i)) push(p, i + 1, i + 1, step);
        }
    } else {
        push(p, start, start, arena_printf(f->a, "if (%.*s) { ", STR_ARG(p->name)));
    }
    uint32_t rest = end; /* a comment behind the last statement stays on its line */
    while (rest < f->src.n && !strchr("\r\n", f->src.p[rest])) rest++;
    if (to->last < f->tokens.n && f->tokens.v[to->last].start < rest) rest = end;
    struct str behind = str_sub(f->src, end, rest);
    if (str_find(behind, S("/*"), 0) < behind.n || str_ends(behind, S("\\"))) rest = end;
    push(p, rest, rest, arena_printf(f->a, "%s\n%.*s}", cr ? "\r" : "", STR_ARG(own)));
}

/* What stands in statements [first, last], siblings, is done by those that stay. */
static void write_run(struct plan *p, uint32_t first, uint32_t last) {
    struct cu *f = p->f;
    const struct k_statement *from = at(p, first), *to = at(p, last);
    keep(p, from->start, to->last);
    bool alone = first == last && from->kind == K_EXPRESSION && from->start == from->first;
    if (alone) {
        push(p, f->tokens.v[from->start].start, f->tokens.v[from->start].start,
             arena_printf(f->a, "if (%.*s) ", STR_ARG(p->name)));
        return;
    }
    indent(p, from, to);
}

static bool write_return(struct plan *p, uint32_t s) {
    struct cu *f = p->f;
    const struct k_statement *st = at(p, s);
    if (st->kind != K_IF || st->start != st->first) return false;
    if (is_plain_return(p, s)) {
        uint32_t start = f->tokens.v[st->start].start, open = f->tokens.v[st->open].start;
        uint32_t close = f->tokens.v[st->close].end, end = f->tokens.v[st->last - 1].end;
        if (!p->active) {
            const char *form = p->returns > 1 ? "bool %.*s = !" : "const bool %.*s = !";
            push(p, start, open, arena_printf(f->a, form, STR_ARG(p->name)));
            push(p, close, end, S(";"));
        } else {
            push(p, open, open, arena_printf(f->a, "(%.*s && ", STR_ARG(p->name)));
            push(p, close, end, arena_printf(f->a, ") %.*s = false;", STR_ARG(p->name)));
        }
        return true;
    }
    if (p->active)
        write_run(p, s, s);
    else
        insert_line(p, st->start, "bool %.*s = true;");
    for (size_t n = 0; n < p->k->s.n; n++) {
        const struct k_statement *one = at(p, (uint32_t)n);
        if (one->kind != K_RETURN || one->start < st->start || one->start >= st->last) continue;
        if (!cu_is(f, one->start + 1, ";") || !is_tail(p, (uint32_t)n, s)) return false;
        push(p, f->tokens.v[one->start].start, f->tokens.v[one->start].end,
             arena_printf(f->a, "%.*s = false", STR_ARG(p->name)));
    }
    keep(p, st->start, st->last);
    return true;
}

static bool is_barrier(const struct plan *p, uint32_t s) {
    const struct cu *f = p->f;
    uint32_t i = at(p, s)->start;
    struct str form;
    return at(p, s)->kind == K_EXPRESSION && cu_is(f, i + 1, "(") && cu_is(f, i + 2, ")") &&
           cu_is(f, i + 3, ";") && rules_lists(f->rules, "sycl.barriers", cu_text(f, i)) &&
           rules_word_row(f->rules, "sycl.whole_calls", cu_text(f, i), &form);
}

/* Whether a loop is left, or begun anew, in its own body. */
static bool is_left(const struct plan *p, uint32_t s) {
    for (size_t n = 0; n < p->k->s.n; n++) {
        const struct k_statement *one = at(p, (uint32_t)n);
        if (one->kind != K_BREAK && one->kind != K_CONTINUE) continue;
        uint32_t loop = one->parent;
        while (loop != NO_NODE && at(p, loop)->kind != K_FOR && at(p, loop)->kind != K_WHILE &&
               at(p, loop)->kind != K_DO)
            loop = at(p, loop)->parent;
        if (loop == s) return true;
    }
    return false;
}

static bool level(struct plan *p, uint32_t child, bool top);

/* A statement that waits. */
static bool write_waiting(struct plan *p, uint32_t s) {
    const struct k_statement *st = at(p, s);
    uint32_t body = st->child;
    switch (st->kind) {
    case K_EXPRESSION:
        return is_barrier(p, s);
    case K_BLOCK:
        return level(p, st->child, false);
    case K_IF:
        if (!is_alike(p, st->open + 1, st->close)) return false;
        if (at(p, body)->kind != K_BLOCK && !is_barrier(p, body)) return false;
        if (st->other != NO_NODE && at(p, st->other)->kind != K_BLOCK) return false;
        if (at(p, body)->kind == K_BLOCK && !level(p, at(p, body)->child, false)) return false;
        return st->other == NO_NODE || level(p, at(p, st->other)->child, false);
    case K_FOR:
    case K_WHILE:
    case K_DO:
        if (!is_alike(p, st->open + 1, st->close) || is_left(p, s)) return false;
        return at(p, body)->kind == K_BLOCK && level(p, at(p, body)->child, false);
    default:
        return false;
    }
}

/* A statement of a block; an `if (stays)` ends in front of one that is no part of a run. */
struct step {
    uint32_t statement;
    bool leaves, meets, run;
};
typedef VEC(struct step) steps;

static bool is_shared(const struct plan *p, uint32_t s) {
    for (uint32_t i = at(p, s)->start; i < at(p, s)->last; i++)
        if (cu_is(p->f, i, CU_SHARED_WORD)) return true;
    return cu_is(p->f, at(p, s)->start, "static");
}

/* The statements up to the last barrier, and which of them are done by those alone that stay: of
 * declarations those that nothing needs behind the run. From the last one on, as each that has to
 * stand outside ends the run of those in front of it. */
static steps steps_of(struct plan *p, uint32_t child, bool top) {
    steps all = {0};
    bool active = p->active;
    for (uint32_t s = child; s != NO_NODE; s = at(p, s)->next) {
        if (top && at(p, s)->start > p->last_barrier) break;
        struct step one = {.statement = s, .leaves = returns(p, s), .meets = waits(p, s)};
        p->active |= one.leaves; /* from here on each return counts */
        one.run = p->active && !one.leaves && !one.meets && at(p, s)->kind != K_TYPE &&
                  at(p, s)->kind != K_EMPTY;
        vec_push(p->f->a, &all, one);
    }
    p->active = active;
    uint32_t close = all.n ? at(p, at(p, child)->parent)->close : 0, end = close;
    if (all.n && at(p, all.v[all.n - 1].statement)->next != NO_NODE)
        end = at(p, at(p, all.v[all.n - 1].statement)->next)->first;
    for (size_t n = all.n; n-- > 0;) {
        struct step *one = &all.v[n];
        if (one->run && at(p, one->statement)->kind == K_DECLARATION)
            one->run = !is_shared(p, one->statement) && !is_used(p, one->statement, end, close);
        if (!one->run) end = at(p, one->statement)->first;
    }
    return all;
}

/* Whether a barrier in the statement is in a branch that some take for certain. */
static bool divides(const struct plan *p, uint32_t s) {
    for (size_t n = 0; n < p->barriers.n; n++) {
        uint32_t i = p->barriers.v[n];
        if (at(p, s)->start < i && i < at(p, s)->last && sy_is_in_branch(p->s, p->to->in, i))
            return true;
    }
    return false;
}

/* if (i < n) { .. }: all come to the barriers in it, and those whose condition it is do the rest.
 */
static bool write_branch(struct plan *p, uint32_t s) {
    struct cu *f = p->f;
    const struct k_statement *st = at(p, s);
    if (p->branch != NO_NODE || p->returns || st->other != NO_NODE || st->start != st->first ||
        !cu_is(f, st->start + 1, "(") || at(p, st->child)->kind != K_BLOCK || has(p, s, "return"))
        return false;
    for (uint32_t c = st->open + 1; c < st->close; c++)
        if (cu_is(f, c, ";")) return false; /* if (int i = ..; c) */
    push(p, f->tokens.v[st->start].start, f->tokens.v[st->open].start,
         arena_printf(f->a, "const bool %.*s = ", STR_ARG(p->name)));
    uint32_t end = f->tokens.v[st->close].end, brace = f->tokens.v[st->close + 1].start, text;
    uint32_t line = line_of(f, f->tokens.v[st->start].start, &text), blank = end;
    bool cr = line > 1 && f->src.p[line - 2] == '\r';
    while (blank < brace && strchr(" \t", f->src.p[blank])) blank++;
    if (blank == brace) /* the block gets a line of its own */
        push(
            p, end, brace,
            arena_printf(f->a, ";%s\n%.*s", cr ? "\r" : "", STR_ARG(str_sub(f->src, line, text))));
    else
        push(p, end, end, S(";"));
    p->branch = s;
    p->active = true;
    bool good = level(p, at(p, st->child)->child, false);
    p->active = false;
    return good;
}

/* Whether a barrier stands in a branch that is not written. */
static bool leaves_branch(const struct plan *p) {
    for (size_t n = 0; n < p->barriers.n; n++) {
        uint32_t i = p->barriers.v[n];
        bool in =
            p->branch != NO_NODE && at(p, p->branch)->start < i && i < at(p, p->branch)->last;
        if (!in && sy_is_in_branch(p->s, p->to->in, i)) return true;
    }
    return false;
}

/* The statements from `child` on, of one block. */
static bool level(struct plan *p, uint32_t child, bool top) {
    const steps all = steps_of(p, child, top);
    size_t first = all.n; /* of a run */
    for (size_t n = 0; n < all.n; n++) {
        const struct step *one = &all.v[n];
        uint8_t kind = at(p, one->statement)->kind;
        if (!p->active && !one->leaves && top && one->meets && kind == K_IF &&
            divides(p, one->statement) && !write_branch(p, one->statement))
            return false;
        if (!p->active && !one->leaves) continue;
        if (kind == K_DIRECTIVE || kind == K_RETURN || kind == K_BREAK || kind == K_CONTINUE)
            return false;
        if (one->run && first == all.n) first = n;
        if (one->run) continue;
        if (first < all.n) write_run(p, all.v[first].statement, all.v[n - 1].statement);
        first = all.n;
        if (one->leaves && (one->meets || !top || !write_return(p, one->statement))) return false;
        p->active |= one->leaves;
        if (one->leaves) continue;
        if (one->meets && !write_waiting(p, one->statement)) return false;
        if (kind == K_DECLARATION && !is_shared(p, one->statement) &&
            !write_declaration(p, one->statement))
            return false;
    }
    if (first < all.n) write_run(p, all.v[first].statement, all.v[all.n - 1].statement);
    return true;
}

/* ---- a kernel ---- */

/* A name that the kernel has no use for. */
static struct str free_name(const struct plan *p) {
    static const char *const names[] = {"stays", "cm_stays", "cm_item_stays"};
    for (size_t n = 0; n < ARRAY_LEN(names); n++) {
        bool there = false;
        for (uint32_t i = 0; i < p->f->tokens.n; i++) there |= cu_is(p->f, i, names[n]);
        if (!there) return str_of(names[n]);
    }
    return S("");
}

static void make(struct plan *p) {
    struct cu *f = p->f;
    const struct sy_function *in = p->to->in;
    for (uint32_t i = in->body + 1; i < in->end; i++)
        if (rules_lists(f->rules, "sycl.barriers", cu_text(f, i))) vec_push(f->a, &p->barriers, i);
    if (!p->barriers.n) return;
    p->last_barrier = p->barriers.v[p->barriers.n - 1];
    for (uint32_t i = in->body + 1; i < p->last_barrier; i++)
        p->returns += cu_is(f, i, "return") && sy_divides(p->s, in, i);
    p->name = free_name(p);
    uint32_t from = in->body + 1;
    while (p->returns && !(cu_is(f, from, "return") && sy_divides(p->s, in, from))) from++;
    if (!p->name.n || waits_hidden(p, from, in->end)) return;
    p->warps = true; /* lanes of a warp would wait for those that stay, up to the last barrier */
    if (waits_hidden(p, from, p->last_barrier)) return;
    for (uint32_t i = from + 1; i < p->last_barrier && p->returns; i++)
        p->returns += cu_is(f, i, "return"); /* that are written, too */
    if (!k_read_statements(p->k) || !p->k->s.n || p->k->why) return;
    mark(p);
    if (!level(p, at(p, 0)->child, true) || leaves_branch(p)) return;
    for (uint32_t s = at(p, 0)->child; s != NO_NODE && p->active; s = at(p, s)->next) {
        if (at(p, s)->start <= p->last_barrier) continue;
        if (at(p, s)->kind == K_DIRECTIVE) return;
        insert_line(p, at(p, s)->first, "if (!%.*s) return;");
        break;
    }
    p->to->good = true;
}

static struct sy_stays *of(struct sycl *s, const struct sy_function *in) {
    for (size_t i = 0; i < s->stays.n; i++)
        if (s->stays.v[i]->in->body == in->body) return s->stays.v[i];
    struct arena *a = s->f->a;
    struct sy_stays *one = NEW(a, struct sy_stays);
    one->in = in;
    vec_push(a, &s->stays, one);
    if (!in->kernel || in->f != s->f || in->lambda || in->ported || in->end == NO_NODE) return one;
    struct kernel k = {.f = s->f,
                       .params_open = in->open,
                       .params_close = in->close,
                       .open = in->body,
                       .close = in->end,
                       .name = in->name,
                       .fallback = NO_NODE};
    struct plan p = {.s = s, .f = s->f, .k = &k, .to = one, .branch = NO_NODE};
    make(&p);
    return one;
}

bool sy_can_stay(struct sycl *s, const struct sy_function *in) { return of(s, in)->good; }

void sy_write_stays(struct sycl *s) {
    for (size_t i = 0; i < s->stays.n; i++) {
        const struct sy_stays *one = s->stays.v[i];
        for (size_t e = 0; e < one->edits.n && one->good; e++)
            vec_push(s->f->a, &s->edits, one->edits.v[e]);
    }
}
