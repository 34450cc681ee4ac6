/* SPDX-License-Identifier: Apache-2.0 */
/* port_manual.c - what is left to a human, as `port` lists it: each place while they are few; of
 * many, what they are about, the most frequent first, each with its first places. */
#include "commands/port.h"

enum { MOST_PLACES = 50, PLACES_BEHIND = 3 };

/* The id in brackets at the end of an entry's first line, with its colour. */
static struct str rule_of(struct str entry) {
    size_t end = str_find(entry, S("\n"), 0), start = end;
    while (start && entry.p[start - 1] != ' ') start--;
    return str_sub(entry, start, end);
}

/* path:line:column */
static struct str place_of(struct str entry) {
    return str_sub(entry, 0, str_find(entry, S(": "), 0));
}

void port_add_manual(struct port *port, struct str entry) {
    vec_push(port->cli->a, &port->manual, arena_str(port->cli->a, entry));
}

struct group {
    struct str rule;
    size_t first, n;
    struct str behind[PLACES_BEHIND]; /* the places after the first */
};

static int more_first(const void *a, const void *b, const void *context) {
    const struct group *x = a, *y = b;
    (void)context;
    if (x->n != y->n) return x->n > y->n ? -1 : 1;
    return x->first < y->first ? -1 : x->first > y->first;
}

static void add_group(struct buf *b, const struct port *port, const struct group *g) {
    buf_add(b, port->manual.v[g->first]);
    if (g->n == 1) return;
    buf_printf(b, "    and %zu more:", g->n - 1);
    for (size_t i = 0; i < PLACES_BEHIND && i + 1 < g->n; i++)
        buf_printf(b, "%s %.*s", i ? "," : "", STR_ARG(g->behind[i]));
    buf_addz(b, g->n - 1 > PLACES_BEHIND ? ", ...\n" : "\n");
}

static void add_groups(struct port *port, struct buf *b) {
    VEC(struct group) groups = {0};
    for (size_t i = 0; i < port->manual.n; i++) {
        struct str rule = rule_of(port->manual.v[i]);
        size_t k = 0;
        while (k < groups.n && !str_eq(groups.v[k].rule, rule)) k++;
        if (k == groups.n) {
            struct group g = {.rule = rule, .first = i};
            vec_push(port->cli->a, &groups, g);
        }
        size_t n = groups.v[k].n++;
        if (n && n <= PLACES_BEHIND) groups.v[k].behind[n - 1] = place_of(port->manual.v[i]);
    }
    sort_stable(port->cli->a, groups.v, groups.n, sizeof *groups.v, more_first, NULL);
    for (size_t k = 0; k < groups.n; k++) add_group(b, port, &groups.v[k]);
    buf_printf(b, "%zu places by %zu rule%s; --report FILE.json lists them all\n", port->manual.n,
               groups.n, groups.n == 1 ? "" : "s");
}

void port_list_manual(struct port *port, struct buf *b) {
    if (port->manual.n > MOST_PLACES)
        add_groups(port, b);
    else
        for (size_t i = 0; i < port->manual.n; i++) buf_add(b, port->manual.v[i]);
    port->manual.n = 0;
}
