/* SPDX-License-Identifier: Apache-2.0 */
/* test_releases.c - what a port writes exists in the release that it is for: every name of every
 * cell, for each release of each target, against rules/releases. */
#include "base/file.h"
#include "rules/cell_names.h"
#include "rules/versions.h"
#include "test.h"

static struct arena a;

struct asked {
    struct target_ref target;
    struct row_ref row;
    struct str module, import; /* whose names have to be known: torch.npu, torch_npu */
    size_t known;
};

static bool is_below_module(struct str name, struct str module) {
    return module.n && str_starts(name, module) && (name.n == module.n || name.p[module.n] == '.');
}

static void check_name(void *context, struct str name) {
    struct asked *q = context;
    const struct rknown *known = target_known(q->target, name);
    bool own = is_below_module(name, q->module) || is_below_module(name, q->import);
    if (known) q->known++;
    if (known ? rset_holds(known->in, q->target.releases) : !own) return;
    struct buf b;
    buf_init(&b, &a);
    buf_printf(&b, "%.*s writes %.*s, which %s", STR_ARG(rs_str(q->row.set, q->row.rule->id)),
               STR_ARG(name), known ? "this release lacks" : "no file of releases knows");
    test_check(false, __FILE__, __LINE__, buf_str(&b).p);
}

/* All that is written for the releases of the set. */
static size_t check_releases(struct ruleset set, struct target_ref t) {
    struct asked q = {
        .target = t, .module = target_fact(t, "module"), .import = target_fact(t, "import")};
    const struct rrule *rules = RS_LIST(set, set.h->rules, struct rrule);
    const struct rrow *rows = RS_LIST(set, set.h->rows, struct rrow);
    if (!str_find(q.module, S("{"), 0) || !str_starts(q.module, S("torch."))) q.module.n = 0;
    for (size_t i = 0; i < set.h->rows.n; i++) {
        q.row = (struct row_ref){set, &rows[i], &rules[rows[i].rule]};
        const struct rcell *cell = row_cell(q.row, t);
        if (!cell || !cell_is_applied(cell) || q.row.rule->spoken != RL_PYTHON) continue;
        if (q.row.rule->lint || q.row.rule->match == M_STRING) continue; /* no name, or anyone's */
        cell_names(&a, q.row, t, cell, check_name, &q);
    }
    return q.known;
}

static void test_every_release(struct ruleset set) {
    const struct rtarget *targets = RS_LIST(set, set.h->targets, struct rtarget);
    size_t with = 0;
    for (size_t i = 0; i < set.h->targets.n; i++) {
        struct target_ref t = {.set = set, .target = &targets[i]};
        if (!targets[i].releases.n) continue;
        with++;
        CHECK(check_releases(set, (struct target_ref){.set = set,
                                                      .target = t.target,
                                                      .releases = target_releases(t)}) > 0);
        for (uint32_t k = 0; k < targets[i].releases.n; k++) {
            t.releases = (uint64_t)1 << k;
            check_releases(set, t);
        }
    }
    CHECK(with >= 5);
}

static uint64_t named(struct target_ref t, const char *version, bool torch, bool *exact) {
    return target_releases_of(t, str_of(version), torch, exact);
}

static void test_versions(struct ruleset set) {
    struct rules r = {.set = {set}, .n = 1};
    struct target_ref t;
    bool exact;
    if (!CHECK(rules_target(&r, S("ascend"), &t))) return;
    uint64_t line = named(t, "2.7", false, &exact);
    CHECK(exact && line == named(t, "2.7.1", false, &exact));
    CHECK(line != named(t, "2.7.1.post8", false, &exact) && exact);
    CHECK(named(t, "2.7", true, &exact) == line && exact);
    CHECK(named(t, "v2.7.1-26.1.0", false, &exact) == named(t, "2.7.1.post8", false, &exact));
    CHECK(named(t, "99.1", false, &exact) && !exact);
    CHECK(!named(t, "1.5", false, &exact) && !named(t, "new", false, &exact));
    CHECK(version_order(S("2.10"), S("2.9.1")) > 0 && version_order(S("2.7"), S("2.7.0")) == 0);
}

int main(void) {
    struct ruleset set;
    arena_init(&a, 0);
    if (!CHECK(ruleset_open(cm_rules_blob, cm_rules_blob_size, &set))) return test_end("releases");
    test_every_release(set);
    test_versions(set);
    return test_end("releases");
}
