/* SPDX-License-Identifier: Apache-2.0 */
/* rule_list.c - the rules that `check` can report, its own included, and selections of them. The
 * longest selector that covers a rule decides, as in ruff. */
#include "commands/rule_list.h"
#include "commands/rule_sets.h"

#include <stdlib.h>

static const struct check_rule own_rules[] = {
    {S(CUDA_FILE), S("Scripts and build files that are for CUDA by their name"),
     S("Another vendor's build has a file of its own beside it, and this one stays as it is."),
     SEV_NOTE},
    {S(CUDA_SOURCE), S("CUDA C++: --target has to name a vendor"),
     S("C++ has no form that suits every vendor: what becomes of a kernel depends on the target."),
     SEV_NOTE},
    {S(UNUSED_SUPPRESSION), S("Suppression comments that silence nothing"),
     S("A comment that is left behind hides the next finding on its line."), SEV_WARNING},
};

const struct check_rule *own_rule(struct str id) {
    for (size_t i = 0; i < ARRAY_LEN(own_rules); i++)
        if (str_eq(own_rules[i].id, id)) return &own_rules[i];
    return NULL;
}

static int by_id(const void *x, const void *y) {
    return str_cmp(((const struct check_rule *)x)->id, ((const struct check_rule *)y)->id);
}

bool rule_list_read(struct cli *cli, struct rule_list *out) {
    struct rules rules;
    rule_refs refs = {0};
    if (read_rules(cli, cli->option[OPT_RULES].values.v, cli->option[OPT_RULES].values.n, false,
                   &rules))
        return false;
    all_rules(cli->a, &rules, &refs);
    out->n = refs.n + ARRAY_LEN(own_rules);
    out->v = arena_alloc(cli->a, out->n * sizeof *out->v);
    memcpy(out->v, own_rules, sizeof own_rules);
    for (size_t i = 0; i < refs.n; i++) {
        struct ruleset set = refs.v[i].set;
        const struct rrule *r = refs.v[i].rule;
        out->v[ARRAY_LEN(own_rules) + i] =
            (struct check_rule){rs_str(set, r->id), rs_str(set, r->title), rs_str(set, r->why),
                                (enum severity)r->severity};
    }
    qsort(out->v, out->n, sizeof *out->v, by_id);
    return true;
}

const struct check_rule *rule_list_find(const struct rule_list *rules, struct str id) {
    struct check_rule key = {.id = id};
    return bsearch(&key, rules->v, rules->n, sizeof *rules->v, by_id);
}

/* ---- choosing ---- */

static bool covers(struct str selector, struct str id) {
    if (selector.n == 0) return true;
    return str_starts(id, selector) && (id.n == selector.n || id.p[selector.n] == '/');
}

size_t selectors_match(const struct selectors *s, struct str id) {
    size_t longest = 0;
    for (size_t i = 0; i < s->n; i++)
        if (s->v[i].n >= longest && covers(s->v[i], id)) longest = s->v[i].n + 1;
    return longest;
}

static bool unknown_selector(struct cli *cli, const struct rule_list *rules, struct str word,
                             const char *where) {
    struct str *names = arena_alloc(cli->a, rules->n * sizeof *names);
    bool is_id = str_find(word, S("/"), 0) < word.n;
    for (size_t i = 0; i < rules->n; i++) {
        struct str id = rules->v[i].id;
        names[i] = is_id ? id : str_sub(id, 0, str_find(id, S("/"), 0));
    }
    struct str hint = cli_hint(cli->a, cli_nearest(word, names, rules->n));
    cli_error(cli, "%s: no rule or domain '%.*s'%.*s", where, STR_ARG(word),
              STR_ARG(hint.n ? hint : S("; 'cuda-morph rules' lists them")));
    return false;
}

bool selectors_check(struct cli *cli, const struct rule_list *rules, const struct selectors *s,
                     const char *where) {
    for (size_t i = 0; i < s->n; i++) {
        bool is_known = false;
        for (size_t k = 0; k < rules->n && !is_known; k++)
            is_known = covers(s->v[i], rules->v[k].id);
        if (!is_known) return unknown_selector(cli, rules, s->v[i], where);
    }
    return true;
}

/* It becomes part of terminals' escape sequences and of others' formats. */
bool rules_url_read(struct cli *cli, struct str *out) {
    struct str url = cli_value(cli, OPT_RULES_URL);
    bool fits = str_starts(url, S("https://")) || str_starts(url, S("http://")) ||
                str_starts(url, S("file:///"));
    *out = S("");
    if (!url.p) return true;
    for (size_t i = 0; i < url.n; i++)
        fits &= url.p[i] > ' ' && url.p[i] < 127 && !strchr("\"<>\\^`{|}#?", url.p[i]);
    while (url.n && url.p[url.n - 1] == '/') url.n--;
    if (fits) *out = url;
    if (!fits)
        cli_error(cli, "--rules-url takes the address of a folder, such as "
                       "https://docs.example/cuda-morph/rules");
    return fits;
}
