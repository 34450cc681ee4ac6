/* SPDX-License-Identifier: Apache-2.0 */
/* versions.c - numbers of versions compared, and which of a target's releases the user means.
 * Knows nothing of what goes together with what: that is src/diag/versions.h. */
#include "rules/versions.h"

static unsigned long next_number(struct str *s) {
    unsigned long n = 0;
    while (s->n && s->p[0] >= '0' && s->p[0] <= '9') {
        n = n * 10 + (unsigned long)(s->p[0] - '0');
        *s = str_sub(*s, 1, s->n);
    }
    while (s->n && (s->p[0] < '0' || s->p[0] > '9')) *s = str_sub(*s, 1, s->n);
    return n;
}

int version_order(struct str x, struct str y) {
    int order = 0;
    while (order == 0 && (x.n || y.n)) {
        unsigned long a = next_number(&x), b = next_number(&y);
        order = (a > b) - (a < b);
    }
    return order;
}

bool version_holds(struct str version, struct str condition) {
    size_t n = 0;
    while (n < condition.n && strchr("<>=!", condition.p[n])) n++;
    struct str op = str_sub(condition, 0, n), other = str_sub(condition, n, condition.n);
    int order = version_order(version, other);
    if (str_is(op, "<")) return order < 0;
    if (str_is(op, "<=")) return order <= 0;
    if (str_is(op, ">")) return order > 0;
    if (str_is(op, ">=")) return order >= 0;
    return (order == 0) != str_is(op, "!=");
}

/* ---- releases of a target ---- */

uint64_t target_releases(struct target_ref t) {
    const uint32_t *current = t.target->current;
    return t.releases ? t.releases : current[0] | (uint64_t)current[1] << 32;
}

/* "2.7" begins "2.7.1.post8", and not "2.70". */
static bool begins(struct str version, struct str with) {
    return with.n && str_starts(version, with) &&
           (version.n == with.n || !(version.p[with.n] >= '0' && version.p[with.n] <= '9'));
}

uint64_t target_releases_of(struct target_ref t, struct str version, bool base, bool *exact) {
    const struct rrelease *r = RS_LIST(t.set, t.target->releases, struct rrelease);
    uint64_t fits = 0, below = 0, above = 0;
    struct str low = {0}, high = {0};
    for (uint32_t i = 0; i < t.target->releases.n; i++) {
        struct str own = rs_str(t.set, base ? r[i].base : r[i].version);
        uint64_t bit = (uint64_t)1 << i;
        if (begins(own, version) || (!base && begins(rs_str(t.set, r[i].ref), version)))
            fits |= bit;
        if (version_order(own, version) < 0) {
            if (!low.p || version_order(own, low) > 0) below = 0, low = own;
            if (str_eq(own, low)) below |= bit;
        } else {
            if (!high.p || version_order(own, high) < 0) above = 0, high = own;
            if (str_eq(own, high)) above |= bit;
        }
    }
    *exact = fits != 0;
    if (fits) return fits;
    return version.n && version.p[0] >= '0' && version.p[0] <= '9' && below ? below | above : 0;
}

const struct rknown *target_known(struct target_ref t, struct str name) {
    const struct rknown *v = RS_LIST(t.set, t.target->known, struct rknown);
    uint32_t low = 0, high = t.target->known.n;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (str_cmp(rs_str(t.set, v[middle].name), name) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < t.target->known.n && str_eq(rs_str(t.set, v[low].name), name);
    return found ? &v[low] : NULL;
}
