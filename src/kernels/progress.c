/* SPDX-License-Identifier: Apache-2.0 */
/* progress.c - whether a thread may go round in a loop until another one writes something.
 *
 * Atomic functions are how it looks, or plain loads in a condition that the loop itself does not
 * change (`while (*flag == 0) {}`). CUDA promises such threads forward progress since Volta, as
 * C++ calls it; in a loop over the block's threads the other one may come later, so such code has
 * to be able to let others run. All other uses of atomics need not. */
#include "kernels/kernel.h"

enum { DEEP = 40 };

/* The token behind the statement at i. */
static uint32_t statement_end(const struct cu *f, uint32_t i, uint32_t end, int depth) {
    if (depth > DEEP || i >= end) return end;
    if (cu_is(f, i, "{")) return cu_partner(f, i) != NO_NODE ? cu_partner(f, i) + 1 : end;
    if (cu_is(f, i, "do")) {
        uint32_t at = statement_end(f, i + 1, end, depth + 1);
        return cu_is(f, at + 1, "(") && cu_partner(f, at + 1) != NO_NODE
                   ? cu_partner(f, at + 1) + 2
                   : end;
    }
    if (cu_is(f, i, "if") || cu_is(f, i, "for") || cu_is(f, i, "while") || cu_is(f, i, "switch")) {
        uint32_t open = cu_is(f, i + 1, "(") ? i + 1 : i + 2; /* if constexpr */
        if (!cu_is(f, open, "(") || cu_partner(f, open) == NO_NODE) return end;
        uint32_t at = statement_end(f, cu_partner(f, open) + 1, end, depth + 1);
        bool other = cu_is(f, i, "if") && cu_is(f, at, "else");
        return other ? statement_end(f, at + 1, end, depth + 1) : at;
    }
    for (; i < end && !cu_is(f, i, ";"); i++) {
        bool opens = cu_is(f, i, "(") || cu_is(f, i, "[") || cu_is(f, i, "{");
        if (opens && cu_partner(f, i) != NO_NODE) i = cu_partner(f, i);
    }
    return i < end ? i + 1 : end;
}

/* What token i, a name, has done to it: 0 nothing, '+' counted (++, +=, x = x + ..), '=' else. */
static char change_at(const struct cu *f, uint32_t i) {
    if (cu_is(f, i - 1, ".") || cu_is(f, i - 1, "->")) return 0;
    if (cu_is(f, i - 1, "++") || cu_is(f, i - 1, "--") || cu_is(f, i + 1, "++") ||
        cu_is(f, i + 1, "--"))
        return '+';
    if (str_listed(cu_text(f, i + 1), S("+= -= *= /= <<="))) return '+';
    if (cu_is(f, i + 1, ">") && cu_is(f, i + 2, ">=")) return '+';
    if (cu_is(f, i + 1, "=")) {
        bool again = str_eq(cu_text(f, i), cu_text(f, i + 2));
        bool counts = cu_is(f, i + 3, "*") || str_listed(cu_text(f, i + 3), S("+ - / << >"));
        return again && counts ? '+' : '=';
    }
    if (cu_assigns(f, i + 1)) return '='; /* by bits: it need not go on */
    bool address = cu_is(f, i - 1, "&") && !cu_is_word(f, i - 2) && !cu_is(f, i - 2, ")") &&
                   !cu_is(f, i - 2, "]") && f->tokens.v[i - 2].kind != CU_NUMBER;
    return address ? '=' : 0;
}

struct loop {
    uint32_t word, last;               /* for, while, do; behind its end */
    uint32_t open, close;              /* the parentheses */
    uint32_t condition, condition_end; /* tokens */
    uint32_t step;                     /* of a for: behind the second ; */
    uint32_t body, body_end;
};

static bool read_loop(const struct cu *f, uint32_t i, uint32_t end, struct loop *l) {
    *l = (struct loop){.word = i, .last = statement_end(f, i, end, 0), .open = i + 1};
    if (cu_is(f, i, "do")) {
        l->open = l->last >= 2 ? cu_partner(f, l->last - 2) : NO_NODE;
        if (l->open == NO_NODE || !cu_is(f, l->open, "(")) return false;
        l->body = i + 1, l->body_end = l->open;
    }
    if (!cu_is(f, l->open, "(") || cu_partner(f, l->open) == NO_NODE) return false;
    l->close = cu_partner(f, l->open);
    l->condition = l->open + 1, l->condition_end = l->close;
    if (!cu_is(f, i, "do")) l->body = l->close + 1, l->body_end = l->last;
    if (!cu_is(f, i, "for")) return true;
    uint32_t parts[2], n = 0;
    for (uint32_t t = l->open + 1; t < l->close && n < 2; t++) {
        bool opens = cu_is(f, t, "(") || cu_is(f, t, "[") || cu_is(f, t, "{");
        if (opens && cu_partner(f, t) != NO_NODE) t = cu_partner(f, t);
        if (cu_is(f, t, ";")) parts[n++] = t;
    }
    if (n < 2) return false; /* for (x : y): ends */
    l->condition = parts[0] + 1, l->condition_end = parts[1], l->step = parts[1] + 1;
    return true;
}

/* Whether a name is changed in [first, last), anywhere or only deeper than its own statements. */
static bool is_changed(const struct cu *f, struct str name, uint32_t first, uint32_t last) {
    for (uint32_t i = first; i < last; i++)
        if (cu_is_word(f, i) && str_eq(cu_text(f, i), name) && change_at(f, i)) return true;
    return false;
}

/* One statement of the body, not of a block in it, counts; nothing else changes it. */
static bool counts_in_body(const struct cu *f, struct str name, const struct loop *l) {
    uint32_t counted = 0;
    bool block = cu_is(f, l->body, "{");
    for (uint32_t i = l->body; i < l->body_end; i++) {
        if (cu_is(f, i, "continue")) return false;
        if (!cu_is_word(f, i) || !str_eq(cu_text(f, i), name) || !change_at(f, i)) continue;
        if (change_at(f, i) != '+') return false;
        uint32_t start = i - (cu_is(f, i - 1, "++") || cu_is(f, i - 1, "--"));
        bool own = block &&
                   (cu_is(f, start - 1, ";") || cu_is(f, start - 1, "}") || start == l->body + 1);
        uint32_t depth = 0;
        for (uint32_t t = l->body + 1; t < i; t++) {
            depth += cu_is(f, t, "{") || cu_is(f, t, "(");
            depth -= cu_is(f, t, "}") || cu_is(f, t, ")");
        }
        if (!own || depth) return false;
        counted++;
    }
    return counted == 1;
}

/* Whether it ends after so many rounds, whatever others do: something that its condition compares
 * goes on in each of them. */
static bool is_counted(const struct cu *f, const struct loop *l) {
    for (uint32_t i = l->condition; i < l->condition_end; i++)
        if (cu_is(f, i, "||") || cu_is(f, i, "?")) return false;
    for (uint32_t i = l->condition; i < l->condition_end; i++) {
        struct str name = cu_text(f, i);
        bool compared = cu_is(f, i + 1, "<") || cu_is(f, i + 1, ">") || cu_is(f, i + 1, "<=") ||
                        cu_is(f, i + 1, ">=") || cu_is(f, i + 1, "!=") || cu_is(f, i - 1, "<") ||
                        cu_is(f, i - 1, ">") || l->condition_end == i + 1;
        if (!cu_is_word(f, i) || !compared || cu_is(f, i + 1, "(")) continue;
        bool steps = false;
        for (uint32_t t = l->step; l->step && t < l->close; t++)
            steps |= cu_is_word(f, t) && str_eq(cu_text(f, t), name) && change_at(f, t) == '+';
        if (steps && !is_changed(f, name, l->body, l->body_end)) return true;
        if (!steps && counts_in_body(f, name, l)) return true;
    }
    return false;
}

/* f(...); with nothing made of what it returns. */
static bool is_unused(const struct cu *f, uint32_t i) {
    uint32_t close = cu_is(f, i + 1, "(") ? cu_partner(f, i + 1) : NO_NODE;
    if (close == NO_NODE || !cu_is(f, close + 1, ";")) return false;
    uint32_t before = cu_is(f, i - 1, "::") ? i - 2 : i - 1;
    if (cu_is(f, before, ";") || cu_is(f, before, "{") || cu_is(f, before, "}") ||
        cu_is(f, before, "else"))
        return true;
    if (!cu_is(f, before, ")") || cu_partner(f, before) == NO_NODE) return false;
    uint32_t word = cu_partner(f, before) - 1;
    return cu_is(f, word, "if") || cu_is(f, word, "for") || cu_is(f, word, "while") ||
           cu_is(f, cu_partner(f, before) + 1, "void");
}

/* atomicCAS(p, seen, ...) where the loop takes what it has seen from memory again: when it fails,
 * another thread has gone on. */
static bool is_retry(const struct cu *f, uint32_t i, const struct loop *l) {
    struct cu_call call = {0};
    if (!str_starts(cu_text(f, i), S(CU_COMPARE_SWAP)) || !cu_is(f, i + 1, "(")) return false;
    cu_split(f, i + 2, cu_partner(f, i + 1), &call);
    if (call.arguments.n != 3) return false;
    for (uint32_t a = call.arguments.v[1].first; a < call.arguments.v[1].last; a++)
        for (uint32_t t = l->word; cu_is_word(f, a) && t < l->last; t++)
            if (cu_is_word(f, t) && str_eq(cu_text(f, t), cu_text(f, a)) && cu_is(f, t + 1, "=") &&
                cu_is_word(f, t + 2))
                return true;
    return false;
}

/* Whether a loop begins at i; the `while` behind a `do` is none. */
static bool is_loop(const struct cu *f, uint32_t i) {
    if (cu_is(f, i, "for") || cu_is(f, i, "do")) return true;
    if (!cu_is(f, i, "while")) return false;
    return !(cu_is(f, i - 1, "}") && cu_partner(f, i - 1) != NO_NODE &&
             cu_is(f, cu_partner(f, i - 1) - 1, "do"));
}

bool k_loop_may_wait(const struct cu *f, uint32_t open, uint32_t close, uint32_t i) {
    for (uint32_t at = open; at < i; at++) {
        struct loop l;
        if (!is_loop(f, at)) continue;
        bool read = read_loop(f, at, close, &l), ranged = !read && cu_is(f, at, "for");
        if (i < l.last && !ranged && (!read || !is_counted(f, &l))) return true;
    }
    return false;
}

bool k_may_spin(const struct cu *f, uint32_t open, uint32_t close, uint32_t i, bool *leaks) {
    struct loop l = {0}, around;
    *leaks = !is_unused(f, i);
    if (!*leaks || !k_loop_may_wait(f, open, close, i)) return false;
    for (uint32_t at = open; at < i; at++) /* the innermost loop around it */
        if (is_loop(f, at) && read_loop(f, at, close, &around) && i < around.last) l = around;
    return !l.last || !is_retry(f, i, &l) || k_loop_may_wait(f, open, close, l.word);
}

/* ---- loops that look at memory ---- */

/* *(volatile int *)&flag: the & at i gives no address away. */
static bool is_viewed(const struct cu *f, uint32_t i) {
    uint32_t open = cu_is(f, i - 1, ")") ? cu_partner(f, i - 1) : NO_NODE;
    return open != NO_NODE && open && cu_is(f, i - 2, "*") && cu_is(f, open - 1, "*");
}

/* Whether a function, perhaps one of the file, returns what it reads, and does nothing else. */
static bool loads(struct cu *f, struct str name) {
    struct k_function d = {0};
    if (rules_lists(f->rules, "cuda.loads", name)) return true;
    if (!k_function_in(f, name, &d) || !cu_is(f, d.open + 1, "return")) return false;
    bool memory = false;
    for (uint32_t i = d.open + 2; i < d.close; i++) {
        if (cu_assigns(f, i) || (cu_is_word(f, i) && cu_is(f, i + 1, "("))) return false;
        memory |= cu_is(f, i, "[") || cu_is(f, i, "->") || cu_is(f, i, "*");
    }
    return memory;
}

/* Whether token i stands in a call of a function that loads, and does nothing else. */
static bool is_loaded(struct cu *f, uint32_t i, uint32_t first) {
    while (i-- > first) {
        bool closes = cu_is(f, i, ")") || cu_is(f, i, "]") || cu_is(f, i, "}");
        if (closes && cu_partner(f, i) != NO_NODE)
            i = cu_partner(f, i);
        else if (cu_is(f, i, "(") && i > first) {
            if (loads(f, cu_text(f, i - 1))) return true;
        } else if (cu_is(f, i, ";") || cu_is(f, i, "{"))
            return false;
    }
    return false;
}

/* What a loop does to a name at token i, or to what it points to or holds: 0 nothing that is seen,
 * '=' it is given a value, '+' anything else, or it is handed to somebody who could do that. */
static char written_at(struct cu *f, uint32_t i, uint32_t first) {
    uint32_t at = i + 1, before = i - 1;
    while (cu_is(f, at, "[") || cu_is(f, at, ".") || cu_is(f, at, "->")) {
        if (cu_is(f, at, "[") && cu_partner(f, at) == NO_NODE) break;
        at = cu_is(f, at, "[") ? cu_partner(f, at) + 1 : at + 2;
    }
    while (cu_is(f, before, "*")) before--;
    bool argument = (cu_is(f, before, "(") && cu_is_word(f, before - 1)) ||
                    cu_is(f, before, ",") || cu_is(f, at, ",");
    bool control = str_listed(cu_text(f, before - 1), S("while if for return"));
    bool address = cu_is(f, before, "&") && !is_viewed(f, before);
    if (cu_is(f, at, "=")) return at == i + 1 && !cu_is(f, i - 1, "*") ? '=' : '+';
    if (cu_assigns(f, at) || cu_is(f, before, "++") || cu_is(f, before, "--")) return '+';
    return (address || (argument && !control)) && !is_loaded(f, i, first) ? '+' : 0;
}

static bool reads_of_others(struct cu *f, uint32_t first, uint32_t last, const struct loop *l,
                            int depth);

/* Whether a name that the loop gives values gets them from memory of others only:
 * while ((seen = flags[b]) == 0) {} */
static bool is_given_by_others(struct cu *f, struct str name, const struct loop *l, int depth) {
    for (uint32_t i = l->word; i < l->last; i++) {
        if (!cu_is_word(f, i) || !str_eq(cu_text(f, i), name)) continue;
        char how = written_at(f, i, l->word);
        if (how == '+') return false;
        uint32_t end = i + 2;
        while (how && end < l->last && !cu_is(f, end, ";") && !cu_is(f, end, ",") &&
               !cu_is(f, end, ")")) {
            bool opens = cu_is(f, end, "(") || cu_is(f, end, "[") || cu_is(f, end, "{");
            end = opens && cu_partner(f, end) != NO_NODE ? cu_partner(f, end) + 1 : end + 1;
        }
        if (how && !reads_of_others(f, i + 2, end, l, depth + 1)) return false;
    }
    return true;
}

/* Whether only what others write can change a value: it reads memory, calls nobody but to load,
 * and the loop writes nothing that is named in it, but for what others write. */
static bool reads_of_others(struct cu *f, uint32_t first, uint32_t last, const struct loop *l,
                            int depth) {
    bool memory = false, any = false;
    if (depth > 3) return false; /* p = p->next: it goes on by itself */
    for (uint32_t i = first; i < last; i++) {
        bool operand = cu_is_word(f, i - 1) || f->tokens.v[i - 1].kind == CU_NUMBER ||
                       cu_is(f, i - 1, ")") || cu_is(f, i - 1, "]");
        memory |= cu_is(f, i, "[") || cu_is(f, i, "->") || (cu_is(f, i, "*") && !operand);
        if (!cu_is_word(f, i) || cu_is(f, i - 1, ".") || cu_is(f, i - 1, "->")) continue;
        struct str word = cu_text(f, i);
        if (rules_lists(f->rules, "cuda.scalar_types", word) ||
            rules_lists(f->rules, "cuda.qualifiers", word))
            continue;
        any = true;
        if (cu_is(f, i + 1, "(")) {
            if (!loads(f, word)) return false;
            memory = true;
            continue;
        }
        bool written = false;
        for (uint32_t t = l->word; t < l->last && !written; t++)
            written = cu_is_word(f, t) && str_eq(cu_text(f, t), word) && written_at(f, t, l->word);
        if (written && !is_given_by_others(f, word, l, depth)) return false;
        memory |= written || k_changes_elsewhere(f, word);
    }
    return memory && any;
}

/* while (true) { if (condition) break; }: the condition, if the loop ends by nothing else. */
static bool only_break(const struct cu *f, const struct loop *l, uint32_t *from, uint32_t *to) {
    uint32_t found = 0;
    for (uint32_t i = l->condition; i < l->condition_end; i++)
        if (!cu_is(f, i, "true") && !cu_is(f, i, "1")) return false;
    for (uint32_t i = l->body; i < l->body_end; i++) {
        if (cu_is(f, i, "return") || cu_is(f, i, "goto")) return false;
        if (!cu_is(f, i, "break")) continue;
        uint32_t close = i - 1 - cu_is(f, i - 1, "{");
        if (!cu_is(f, close, ")") || cu_partner(f, close) == NO_NODE || found++) return false;
        if (!cu_is(f, cu_partner(f, close) - 1, "if")) return false;
        *from = cu_partner(f, close) + 1, *to = close;
    }
    return found == 1;
}

bool k_spins_on_memory(struct cu *f, uint32_t i, uint32_t close, uint32_t *from, uint32_t *to) {
    struct loop l;
    if (!is_loop(f, i) || !read_loop(f, i, close, &l)) return false;
    *from = l.condition, *to = l.condition_end;
    if (reads_of_others(f, *from, *to, &l, 0)) return !is_counted(f, &l);
    return only_break(f, &l, from, to) && reads_of_others(f, *from, *to, &l, 0);
}

/* A variable of the file that kernels or the host can write. */
bool k_changes_elsewhere(const struct cu *f, struct str name) {
    for (uint32_t i = 1; i < f->tokens.n; i++) {
        if (!cu_is_word(f, i) || !str_eq(cu_text(f, i), name)) continue;
        for (uint32_t t = i; t-- > 0 && i - t < 12;) {
            if (cu_is(f, t, ";") || cu_is(f, t, "}") || cu_is(f, t, "{") || cu_is(f, t, ")"))
                break;
            if (rules_lists(f->rules, "cuda.changeable", cu_text(f, t))) return true;
        }
    }
    return false;
}
