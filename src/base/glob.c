/* SPDX-License-Identifier: Apache-2.0 */
/* glob.c - patterns of .gitignore, matched in time that no pattern can blow up.
 *
 * fnmatch(3) knows no `**` and backtracks; here only the last `*` of each level is ever tried
 * again, which is enough, so time is at most pattern times path. */
#include "glob.h"

/* ---- brackets ---- */

static bool in_class(struct str name, unsigned char c) {
    bool lower = c >= 'a' && c <= 'z', upper = c >= 'A' && c <= 'Z', digit = c >= '0' && c <= '9';
    bool graph = c > 0x20 && c < 0x7F;
    const struct {
        const char *name;
        bool holds;
    } classes[] = {
        {"alnum", lower || upper || digit},
        {"alpha", lower || upper},
        {"blank", c == ' ' || c == '\t'},
        {"cntrl", c < 0x20 || c == 0x7F},
        {"digit", digit},
        {"graph", graph},
        {"lower", lower},
        {"print", graph || c == ' '},
        {"punct", graph && !lower && !upper && !digit},
        {"space", c == ' ' || (c >= '\t' && c <= '\r')},
        {"upper", upper},
        {"xdigit", digit || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F')},
    };
    for (size_t i = 0; i < ARRAY_LEN(classes); i++)
        if (str_is(name, classes[i].name)) return classes[i].holds;
    return false;
}

/* Position after a `[:name:]` that starts at i, or i when there is none. */
static size_t class_end(struct str p, size_t i) {
    if (i + 1 >= p.n || p.p[i] != '[' || p.p[i + 1] != ':') return i;
    size_t end = i + 2;
    while (end < p.n && p.p[end] >= 'a' && p.p[end] <= 'z') end++;
    return end + 1 < p.n && p.p[end] == ':' && p.p[end + 1] == ']' ? end + 2 : i;
}

/* One literal of a bracket, which `\` may precede; *i moves past it. */
static unsigned char bracket_byte(struct str p, size_t *i) {
    if (p.p[*i] == '\\' && *i + 1 < p.n) ++*i;
    return (unsigned char)p.p[(*i)++];
}

/* Reads the bracket at p[i]; answers the position after it and whether c is in it. 0: the bracket
 * is open to the end, hence no bracket at all. */
static size_t match_bracket(struct str p, size_t i, unsigned char c, bool *matched) {
    bool found = false;
    i++;
    bool negated = i < p.n && (p.p[i] == '!' || p.p[i] == '^');
    i += negated;
    for (size_t first = i; i < p.n;) {
        if (p.p[i] == ']' && i > first) {
            *matched = found != negated;
            return i + 1;
        }
        size_t after_class = class_end(p, i);
        if (after_class > i) {
            found |= in_class(str_sub(p, i + 2, after_class - 2), c);
            i = after_class;
            continue;
        }
        unsigned char low = bracket_byte(p, &i), high = low;
        if (i + 1 < p.n && p.p[i] == '-' && p.p[i + 1] != ']') {
            i++;
            high = bracket_byte(p, &i);
        }
        found |= c >= low && c <= high;
    }
    return 0;
}

/* ---- one component ---- */

/* One pattern item other than `*` at p[i] against c; the position after it, or 0: no match. */
static size_t match_item(struct str p, size_t i, unsigned char c) {
    bool matched = false;
    if (p.p[i] == '?') return i + 1;
    if (p.p[i] == '[') {
        size_t end = match_bracket(p, i, c, &matched);
        return matched ? end : 0;
    }
    if (p.p[i] == '\\' && ++i == p.n) return 0;
    return (unsigned char)p.p[i] == c ? i + 1 : 0;
}

/* When a later item fails, only the last `*` has to take one byte more: what an earlier one could
 * take instead, the last one can too. */
static bool match_component(struct str p, struct str s) {
    size_t i = 0, j = 0, star = SIZE_MAX, star_j = 0;
    while (j < s.n) {
        size_t next;
        if (i < p.n && p.p[i] == '*') {
            star = ++i;
            star_j = j;
        } else if (i < p.n && (next = match_item(p, i, (unsigned char)s.p[j])) != 0) {
            i = next;
            j++;
        } else if (star != SIZE_MAX) {
            i = star;
            j = ++star_j;
        } else {
            return false;
        }
    }
    while (i < p.n && p.p[i] == '*') i++;
    return i == p.n;
}

/* ---- whole paths ---- */

/* End of the pattern component at i: the next '/' that no bracket or `\` hides. An open bracket,
 * which nothing matches, reaches to the end. */
static size_t component_end(struct str p, size_t i) {
    bool unused;
    while (i < p.n && p.p[i] != '/') {
        if (p.p[i] == '[')
            i = match_bracket(p, i, 0, &unused);
        else
            i += 1 + (p.p[i] == '\\' && i + 1 < p.n);
        if (i == 0) return p.n;
    }
    return i;
}

static size_t after_slash(struct str s, size_t end) { return end < s.n ? end + 1 : SIZE_MAX; }

/* The algorithm of match_component one level up: components for bytes, `**` for `*`.
 * Positions are SIZE_MAX when no component is left. */
bool glob_match(struct str pattern, struct str path) {
    size_t i = 0, j = 0, star = SIZE_MAX, star_j = 0;
    bool starred = false;
    while (j != SIZE_MAX) {
        size_t end = i == SIZE_MAX ? 0 : component_end(pattern, i);
        size_t path_end = str_find(path, S("/"), j);
        if (i != SIZE_MAX && str_is(str_sub(pattern, i, end), "**")) {
            star = i = after_slash(pattern, end);
            star_j = j;
            starred = true;
            if (i == SIZE_MAX) return true; /* at the end: takes all that is left, at least one */
        } else if (i != SIZE_MAX &&
                   match_component(str_sub(pattern, i, end), str_sub(path, j, path_end))) {
            i = after_slash(pattern, end);
            j = after_slash(path, path_end);
        } else if (starred) {
            i = star;
            j = star_j = after_slash(path, str_find(path, S("/"), star_j));
        } else {
            return false;
        }
    }
    return i == SIZE_MAX;
}

/* ---- rules ---- */

bool glob_parse_rule(struct str line, struct glob_rule *out) {
    *out = (struct glob_rule){0};
    if (line.n && line.p[line.n - 1] == '\r') line.n--;
    if (line.n && line.p[0] == '#') return false;
    size_t end = 0; /* after the last byte that is no trailing blank */
    for (size_t i = 0; i < line.n; i++) {
        if (line.p[i] == '\\' && i + 1 < line.n)
            i++;
        else if (line.p[i] == ' ')
            continue;
        end = i + 1;
    }
    line.n = end;
    if (line.n && line.p[0] == '!') {
        out->negated = true;
        line = str_sub(line, 1, line.n);
    }
    if (line.n && line.p[line.n - 1] == '/') {
        out->directory_only = true;
        line.n--;
    }
    out->anchored = str_find(line, S("/"), 0) < line.n;
    if (line.n && line.p[0] == '/') line = str_sub(line, 1, line.n);
    out->pattern = line;
    return line.n > 0 && line.n <= GLOB_MAX_PATTERN;
}

void glob_add_rules(struct arena *a, struct glob_rules *rules, struct str text) {
    struct glob_rule rule;
    size_t i = str_starts(text, S("\xEF\xBB\xBF")) ? 3 : 0;
    while (i < text.n) {
        size_t end = str_find(text, S("\n"), i);
        if (glob_parse_rule(str_sub(text, i, end), &rule)) vec_push(a, rules, rule);
        i = end + 1;
    }
}

enum glob_verdict glob_decide(const struct glob_rules *rules, struct str path, bool is_directory) {
    size_t base = path.n;
    while (base > 0 && path.p[base - 1] != '/') base--;
    struct str name = str_sub(path, base, path.n);
    for (size_t i = rules->n; i > 0; i--) {
        const struct glob_rule *r = &rules->v[i - 1];
        if (r->directory_only && !is_directory) continue;
        if (r->anchored ? glob_match(r->pattern, path) : match_component(r->pattern, name))
            return r->negated ? GLOB_TAKEN_BACK : GLOB_MATCH;
    }
    return GLOB_UNDECIDED;
}

bool glob_covers(const struct glob_rules *rules, struct str path, bool is_directory) {
    if (rules->n == 0) return false;
    for (size_t i = 1; i < path.n; i++)
        if (path.p[i] == '/' && glob_decide(rules, str_sub(path, 0, i), true) == GLOB_MATCH)
            return true;
    return glob_decide(rules, path, is_directory) == GLOB_MATCH;
}
