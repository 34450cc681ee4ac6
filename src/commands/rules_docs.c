/* SPDX-License-Identifier: Apache-2.0 */
/* rules_docs.c - the rule database as Markdown. Pages are committed, so that people read them
 * without the program; --check keeps them as fresh as the rules. */
#include "commands/rules_docs.h"
#include "base/file.h"
#include "commands/rule_list.h"
#include "commands/rule_sets.h"

#include <dirent.h>
#include <errno.h>

/* Every page starts with it, so that --check knows a left-over page from a file of the user's. */
#define MARK "<!-- Made by `cuda-morph rules docs` from the rule files; edits here are lost. -->\n"

enum { MAX_PAGE_BYTES = 16 * 1024 * 1024, NAMES_OF_A_NOTE = 6 };

struct page {
    const char *name;
    struct str text;
};
typedef VEC(struct page) page_list;

/* Where a page grows. */
struct writer {
    struct cli *cli;
    struct buf b;
    rule_refs refs; /* by id */
    target_refs targets;
};

/* ---- Markdown ---- */

static bool is_word(struct str s, size_t i) {
    unsigned char c = i < s.n ? (unsigned char)s.p[i] : ' ';
    return c >= 0x80 || (c >= '0' && c <= '9') || ((c | 0x20) >= 'a' && (c | 0x20) <= 'z');
}

/* Prose: what Markdown would take for markup is escaped. */
static void add_prose(struct buf *b, struct str raw) {
    struct buf visible;
    buf_init(&visible, b->a);
    buf_add_visible(&visible, raw);
    struct str s = buf_str(&visible);
    for (size_t i = 0; i < s.n; i++) {
        bool is_mark = memchr("\\`*<[]|", s.p[i], 7) != NULL;
        /* Inside a word an underscore means nothing. */
        if (s.p[i] == '_') is_mark = i == 0 || !is_word(s, i - 1) || !is_word(s, i + 1);
        if (is_mark) buf_addc(b, '\\');
        buf_addc(b, s.p[i]);
    }
}

/* The longest run of backticks. */
static size_t backticks(struct str s) {
    size_t longest = 0, run = 0;
    for (size_t i = 0; i < s.n; i++) {
        run = s.p[i] == '`' ? run + 1 : 0;
        if (run > longest) longest = run;
    }
    return longest;
}

static void add_fence(struct buf *b, size_t n) {
    while (n--) buf_addc(b, '`');
}

/* A code span; in the cell of a table a bar has to be escaped even there. */
static void add_code_span(struct buf *b, struct str raw) {
    struct buf visible;
    buf_init(&visible, b->a);
    buf_add_visible(&visible, raw);
    struct str s = buf_str(&visible);
    size_t n = backticks(s) + 1;
    add_fence(b, n);
    if (n > 1) buf_addc(b, ' ');
    for (size_t i = 0; i < s.n; i++) {
        if (s.p[i] == '|') buf_addc(b, '\\');
        buf_addc(b, s.p[i]);
    }
    if (n > 1) buf_addc(b, ' ');
    add_fence(b, n);
}

static void add_code_block(struct buf *b, const char *language, struct str s) {
    size_t n = backticks(s) < 3 ? 3 : backticks(s) + 1;
    add_fence(b, n);
    buf_printf(b, "%s\n", language);
    buf_add(b, s);
    if (!str_ends(s, S("\n"))) buf_addc(b, '\n');
    add_fence(b, n);
    buf_addc(b, '\n');
}

/* ---- names that share a text ---- */

struct group {
    struct str text; /* what they share */
    VEC(struct str) names;
};
typedef VEC(struct group) groups;

static void add_to_group(struct arena *a, groups *list, struct str text, struct str name) {
    size_t i = 0;
    while (i < list->n && !str_eq(list->v[i].text, text)) i++;
    if (i == list->n) vec_push(a, list, (struct group){.text = text});
    vec_push(a, &list->v[i].names, name);
}

/* At most `limit` of the names; how many are left out is said. */
static void add_names(struct buf *b, const struct group *g, size_t limit) {
    for (size_t i = 0; i < g->names.n && i < limit; i++) {
        if (i) buf_addz(b, ", ");
        add_code_span(b, g->names.v[i]);
    }
    if (g->names.n > limit) buf_printf(b, " and %zu more", g->names.n - limit);
}

/* Targets with the same verdicts throughout a rule share a column. */
struct column {
    struct str verdicts; /* of all rows */
    VEC(size_t) targets;
};
typedef VEC(struct column) columns;

static const char *verdict_word(struct writer *w, struct row_ref row, size_t target) {
    const struct rcell *cell;
    struct target_ref t = w->targets.v[target];
    enum verdict v = row_verdict(row_for(row, t), t, &cell);
    return v == V_UNSET ? "" : verdict_name(v);
}

static void find_columns(struct writer *w, struct rule_ref r, columns *out) {
    for (size_t t = 0; t < w->targets.n; t++) {
        struct buf b;
        size_t k = 0;
        buf_init(&b, w->cli->a);
        for (size_t i = 0; i < r.rule->rows.n; i++)
            buf_printf(&b, "%s ", verdict_word(w, rule_row(r, i), t));
        while (k < out->n && !str_eq(out->v[k].verdicts, buf_str(&b))) k++;
        struct column column = {.verdicts = buf_str(&b)};
        if (k == out->n) vec_push(w->cli->a, out, column);
        vec_push(w->cli->a, &out->v[k].targets, t);
    }
}

/* "| same | exact | ... |", one cell for each column. */
static struct str verdicts_of(struct writer *w, struct row_ref row, const columns *list) {
    struct buf b;
    buf_init(&b, w->cli->a);
    for (size_t i = 0; i < list->n; i++)
        buf_printf(&b, "| %s ", verdict_word(w, row, list->v[i].targets.v[0]));
    buf_addz(&b, "|\n");
    return buf_str(&b);
}

static void add_verdict_table(struct writer *w, struct rule_ref r) {
    groups list = {0};
    columns heads = {0};
    find_columns(w, r, &heads);
    for (size_t i = 0; i < r.rule->rows.n; i++) {
        struct row_ref row = rule_row(r, i);
        add_to_group(w->cli->a, &list, verdicts_of(w, row, &heads), rs_str(r.set, row.row->key));
    }
    buf_addz(&w->b, "\n| ");
    for (size_t i = 0; i < heads.n; i++) {
        buf_addz(&w->b, "| ");
        for (size_t k = 0; k < heads.v[i].targets.n; k++) {
            struct target_ref t = w->targets.v[heads.v[i].targets.v[k]];
            buf_printf(&w->b, "%s%.*s", k ? ", " : "", STR_ARG(target_name(t)));
        }
        buf_addc(&w->b, ' ');
    }
    buf_addz(&w->b, "|\n|---");
    for (size_t i = 0; i < heads.n; i++) buf_addz(&w->b, "|---");
    buf_addz(&w->b, "|\n");
    for (size_t i = 0; i < list.n; i++) {
        buf_addz(&w->b, "| ");
        add_names(&w->b, &list.v[i], SIZE_MAX);
        buf_addc(&w->b, ' ');
        buf_add(&w->b, list.v[i].text);
    }
}

/* Whether all that there is to say is that the sources of a listed target have no such name: the
 * table says it. */
static bool is_absence(struct row_ref row, struct target_ref t, const struct rcell *cell) {
    const struct rlimit *limit = RS_LIST(row.set, row.row->limits, struct rlimit);
    for (uint32_t i = 0; t.target->listed && i < row.row->limits.n; i++)
        if (cell == RS_LIST(row.set, limit[i].otherwise, struct rcell)) return true;
    return false;
}

/* The notes of one row, each with the targets that it is about. */
static groups notes_of(struct writer *w, struct row_ref row) {
    groups notes = {0};
    for (size_t i = 0; i < w->targets.n; i++) {
        const struct rcell *cell;
        struct row_ref own = row_for(row, w->targets.v[i]);
        row_verdict(own, w->targets.v[i], &cell);
        struct rstr note = cell && cell->note.n ? cell->note : own.row->note;
        if (note.n && !is_absence(own, w->targets.v[i], cell))
            add_to_group(w->cli->a, &notes, rs_str(own.set, note), target_name(w->targets.v[i]));
    }
    return notes;
}

/* What holds for some versions of a target's software only. */
static void add_version_notes(struct writer *w, struct row_ref row, groups *out) {
    const struct rlist lists[] = {row.row->cells, row.rule->defaults};
    for (size_t k = 0; k < ARRAY_LEN(lists); k++) {
        const struct rcell *c = RS_LIST(row.set, lists[k], struct rcell);
        for (size_t i = 0; i < lists[k].n; i++) {
            if (c[i].version.n == 0) continue;
            struct buf b;
            buf_init(&b, w->cli->a);
            struct str condition = arena_concat(w->cli->a, rs_str(row.set, c[i].target),
                                                rs_str(row.set, c[i].version));
            add_code_span(&b, condition);
            buf_printf(&b, ", %s: ", verdict_name((enum verdict)c[i].verdict));
            add_prose(&b, rs_str(row.set, c[i].note));
            add_to_group(w->cli->a, out, buf_str(&b), rs_str(row.set, row.row->key));
        }
    }
}

static void add_notes(struct writer *w, struct rule_ref r) {
    groups list = {0};
    for (size_t i = 0; i < r.rule->rows.n; i++) {
        struct row_ref row = rule_row(r, i);
        groups notes = notes_of(w, row);
        for (size_t k = 0; k < notes.n; k++) {
            struct buf b;
            buf_init(&b, w->cli->a);
            if (w->targets.n > 1 && notes.v[k].names.n == w->targets.n)
                buf_addz(&b, "every target");
            else
                add_names(&b, &notes.v[k], SIZE_MAX);
            buf_addz(&b, ": ");
            add_prose(&b, notes.v[k].text);
            add_to_group(w->cli->a, &list, buf_str(&b), rs_str(r.set, row.row->key));
        }
        add_version_notes(w, row, &list);
    }
    for (size_t i = 0; i < list.n; i++) {
        buf_addz(&w->b, i ? "- " : "\n- ");
        buf_add(&w->b, list.v[i].text);
        if (list.v[i].names.n < r.rule->rows.n) {
            buf_addz(&w->b, " (");
            add_names(&w->b, &list.v[i], NAMES_OF_A_NOTE);
            buf_addc(&w->b, ')');
        }
        buf_addc(&w->b, '\n');
    }
}

/* ---- one rule ---- */

static const char *severity_word(enum severity s) {
    return s == SEV_ERROR ? "error" : s == SEV_WARNING ? "warning" : "note";
}

/* The word after a fence that tells a reader how to color the block. */
static const char *fence_word(struct rule_ref r) {
    struct str language = rs_str(r.set, r.rule->language);
    return str_is(language, "python") ? "python" : str_is(language, "cuda") ? "cpp" : "";
}

static void add_examples(struct writer *w, struct rule_ref r) {
    const struct rexample *e = RS_LIST(r.set, r.rule->examples, struct rexample);
    for (size_t i = 0; i < r.rule->examples.n; i++) {
        struct str before = rs_str(r.set, e[i].before), after = rs_str(r.set, e[i].after);
        bool is_new = i == 0 || !str_eq(before, rs_str(r.set, e[i - 1].before));
        bool stays = str_eq(before, after);
        if (is_new) {
            buf_addz(&w->b, stays ? "\nFound:\n\n" : "\nBefore:\n\n");
            add_code_block(&w->b, fence_word(r), before);
        }
        if (stays) continue;
        buf_addz(&w->b, "\nPorted to ");
        add_code_span(&w->b, rs_str(r.set, e[i].target));
        buf_addz(&w->b, ":\n\n");
        add_code_block(&w->b, fence_word(r), after);
    }
}

static void add_references(struct writer *w, struct rule_ref r) {
    const struct rstr *list = RS_LIST(r.set, r.rule->references, struct rstr);
    if (r.rule->references.n) buf_addz(&w->b, "\nReferences:\n\n");
    for (size_t i = 0; i < r.rule->references.n; i++) {
        buf_addz(&w->b, "- ");
        add_prose(&w->b, rs_str(r.set, list[i]));
        buf_addc(&w->b, '\n');
    }
}

static void add_rule(struct writer *w, const struct check_rule *rule, const struct rule_ref *r) {
    struct buf *b = &w->b;
    buf_printf(b, "\n## %.*s\n\n", STR_ARG(rule->id));
    add_prose(b, rule->title);
    buf_printf(b, ". Severity: %s.", severity_word(rule->severity));
    if (!r || r->rule->lint) buf_addz(b, " Only `check` reports it.");
    if (r && r->rule->since.n)
        buf_printf(b, " Since %.*s.", STR_ARG(rs_str(r->set, r->rule->since)));
    buf_addz(b, "\n\n");
    add_prose(b, rule->why);
    buf_addc(b, '\n');
    if (!r) return;
    add_verdict_table(w, *r);
    add_notes(w, *r);
    add_examples(w, *r);
    add_references(w, *r);
}

/* ---- pages ---- */

static struct str domain_of(struct str id) { return str_sub(id, 0, str_find(id, S("/"), 0)); }

/* NULL for a rule that check itself looks for. */
static const struct rule_ref *find_ref(const struct writer *w, struct str id) {
    for (size_t i = 0; i < w->refs.n; i++)
        if (str_eq(rs_str(w->refs.v[i].set, w->refs.v[i].rule->id), id)) return &w->refs.v[i];
    return NULL;
}

static struct str domain_title(const struct rule_ref *first) {
    return first ? rs_str(first->set, first->rule->domain_title) : S("Rules of check itself");
}

static void start_page(struct writer *w, struct str title) {
    buf_init(&w->b, w->cli->a);
    buf_addz(&w->b, MARK "# ");
    add_prose(&w->b, title);
    buf_addz(&w->b, "\n\n");
}

static void end_page(struct writer *w, page_list *pages, const char *name) {
    struct page page = {name, buf_str(&w->b)};
    vec_push(w->cli->a, pages, page);
}

static void make_domain_pages(struct writer *w, const struct rule_list *rules, page_list *pages) {
    for (size_t i = 0; i < rules->n;) {
        struct str domain = domain_of(rules->v[i].id);
        start_page(w, domain_title(find_ref(w, rules->v[i].id)));
        buf_addz(&w->b, "What the words in the tables mean: [README.md](README.md).");
        if (!cli_has(w->cli, OPT_RULES)) /* others' rules have no such page */
            buf_addz(&w->b, " How often each rule finds something in public code: "
                            "[frequency.md](../frequency.md).");
        buf_addc(&w->b, '\n');
        for (; i < rules->n && str_eq(domain_of(rules->v[i].id), domain); i++)
            add_rule(w, &rules->v[i], find_ref(w, rules->v[i].id));
        end_page(w, pages, arena_printf(w->cli->a, "%.*s.md", STR_ARG(domain)).p);
    }
}

/* "- [torch-cuda/amp](torch-cuda.md#torch-cudaamp), warning: Title" */
static void add_index_line(struct buf *b, const struct check_rule *rule) {
    struct str domain = domain_of(rule->id);
    struct str rest = str_sub(rule->id, domain.n + 1, rule->id.n);
    buf_printf(b, "- [%.*s](%.*s.md#%.*s%.*s), %s: ", STR_ARG(rule->id), STR_ARG(domain),
               STR_ARG(domain), STR_ARG(rest), severity_word(rule->severity));
    add_prose(b, rule->title);
    buf_addc(b, '\n');
}

static void make_index(struct writer *w, const struct rule_list *rules, page_list *pages) {
    static const struct {
        enum verdict verdict;
        const char *meaning;
    } meanings[] = {
        {V_SAME, "the code runs unchanged there"},
        {V_EXACT, "`port` rewrites it, and it means the same"},
        {V_SHIM, "`port` rewrites it to a call of the runtime"},
        {V_CLOSE,
         "the counterpart differs a little: an unsafe fix, which `--unsafe-fixes` applies"},
        {V_MANUAL, "the place needs manual porting; the note says why"},
        {V_NONE, "the target has nothing like it"},
    };
    start_page(w, S("Rules"));
    buf_addz(&w->b, "One page per domain. `cuda-morph explain RULE` prints a rule, "
                    "`cuda-morph check --select RULE` looks for it.\n\n"
                    "| verdict | on that target |\n|---|---|\n");
    for (size_t i = 0; i < ARRAY_LEN(meanings); i++)
        buf_printf(&w->b, "| %s | %s |\n", verdict_name(meanings[i].verdict), meanings[i].meaning);
    for (size_t i = 0; i < rules->n; i++) {
        struct str domain = domain_of(rules->v[i].id);
        if (i == 0 || !str_eq(domain, domain_of(rules->v[i - 1].id))) {
            buf_printf(&w->b, "\n## [%.*s](%.*s.md)\n\n", STR_ARG(domain), STR_ARG(domain));
            add_prose(&w->b, domain_title(find_ref(w, rules->v[i].id)));
            buf_addz(&w->b, ".\n\n");
        }
        add_index_line(&w->b, &rules->v[i]);
    }
    end_page(w, pages, "README.md");
}

/* ---- writing and checking ---- */

static int write_pages(struct cli *cli, const char *dir, const page_list *pages) {
    struct str error, below = arena_printf(cli->a, "%s/x", dir);
    bool ok = file_make_parents(cli->a, below.p, &error);
    for (size_t i = 0; ok && i < pages->n; i++)
        ok = file_create_in(cli->a, dir, pages->v[i].name, pages->v[i].text, 0666, &error);
    if (!ok) return cli_error(cli, "%.*s", STR_ARG(error));
    if (!cli_has(cli, OPT_QUIET)) stream_printf(cli->err, "%zu pages in %s\n", pages->n, dir);
    return STATUS_DONE;
}

static bool is_ours(const page_list *pages, const char *name) {
    for (size_t i = 0; i < pages->n; i++)
        if (str_is(str_of(pages->v[i].name), name)) return true;
    return false;
}

/* Pages that an earlier version made and this one does not; returns their number. */
static size_t report_left_over(struct cli *cli, const char *dir, const page_list *pages) {
    size_t n = 0;
    DIR *d = opendir(dir);
    struct dirent *entry;
    while (d && (entry = readdir(d))) {
        struct str text, error;
        if (!str_ends(str_of(entry->d_name), S(".md")) || is_ours(pages, entry->d_name)) continue;
        const char *path = arena_printf(cli->a, "%s/%s", dir, entry->d_name).p;
        if (!file_read(cli->a, path, MAX_PAGE_BYTES, &text, NULL, &error)) continue;
        if (!str_starts(text, S(MARK))) continue;
        cli_error(cli, "%s: no rule belongs there any more: remove it", path);
        n++;
    }
    if (d) closedir(d);
    return n;
}

static int check_pages(struct cli *cli, const char *dir, const page_list *pages) {
    DIR *d = opendir(dir);
    if (!d) return cli_error(cli, "%s: %s", dir, strerror(errno));
    closedir(d);
    size_t n = report_left_over(cli, dir, pages);
    for (size_t i = 0; i < pages->n; i++) {
        const char *path = arena_printf(cli->a, "%s/%s", dir, pages->v[i].name).p;
        struct str text, error;
        if (!file_read(cli->a, path, MAX_PAGE_BYTES, &text, NULL, &error))
            cli_error(cli, "%.*s", STR_ARG(error));
        else if (!str_eq(text, pages->v[i].text))
            cli_error(cli, "%s: the rules say something else by now", path);
        else
            continue;
        n++;
    }
    if (n) cli_error(cli, "'cuda-morph rules docs -o %s' writes the pages anew", dir);
    return n ? STATUS_FINDINGS : STATUS_DONE;
}

/* ---- targets ---- */

static void add_target_row(struct writer *w, struct target_ref t) {
    const struct rstr *alias = RS_LIST(t.set, t.target->aliases, struct rstr);
    buf_addz(&w->b, "| ");
    add_code_span(&w->b, target_name(t));
    buf_addz(&w->b, " | ");
    for (uint32_t i = 0; i < t.target->aliases.n; i++) {
        if (i) buf_addz(&w->b, ", ");
        add_code_span(&w->b, rs_str(t.set, alias[i]));
    }
    buf_addz(&w->b, " | ");
    add_prose(&w->b, rs_str(t.set, t.target->title));
    buf_addz(&w->b, ": ");
    add_prose(&w->b, rs_str(t.set, t.target->summary));
    buf_addz(&w->b, " |\n");
}

static struct str family_of(struct target_ref t) { return rs_str(t.set, t.target->family); }

/* "| family | `a` A, `b` B |" for the family of target i, if it is the first of it. */
static void add_family_row(struct writer *w, size_t i) {
    struct str family = family_of(w->targets.v[i]);
    for (size_t k = 0; k < i; k++)
        if (str_eq(family_of(w->targets.v[k]), family)) return;
    buf_addz(&w->b, "| ");
    add_prose(&w->b, family);
    for (size_t k = i; k < w->targets.n; k++) {
        struct target_ref t = w->targets.v[k];
        if (!str_eq(family_of(t), family)) continue;
        buf_addz(&w->b, k == i ? " | " : ", ");
        add_code_span(&w->b, target_name(t));
        buf_addc(&w->b, ' ');
        add_prose(&w->b, rs_str(t.set, t.target->title));
    }
    buf_addz(&w->b, " |\n");
}

/* That nobody could look the names of a target up. */
static void add_unread(struct writer *w, struct target_ref t, const char *names, struct str why) {
    if (!why.n) return;
    buf_addz(&w->b, "- ");
    add_code_span(&w->b, target_name(t));
    buf_printf(&w->b, ": %s that stay are unverified, ", names);
    add_prose(&w->b, why);
    buf_addc(&w->b, '\n');
}

static void add_target_references(struct writer *w) {
    for (size_t i = 0; i < w->targets.n; i++) {
        struct target_ref t = w->targets.v[i];
        const struct rstr *list = RS_LIST(t.set, t.target->references, struct rstr);
        for (uint32_t k = 0; k < t.target->references.n; k++) {
            buf_addz(&w->b, "- ");
            add_code_span(&w->b, target_name(t));
            buf_addz(&w->b, ": ");
            add_prose(&w->b, rs_str(t.set, list[k]));
            buf_addc(&w->b, '\n');
        }
        add_unread(w, t, "names of PyTorch", rs_str(t.set, t.target->unread));
        add_unread(w, t, "names of CUDA C++", rs_str(t.set, t.target->unread_cuda));
    }
}

/* Families, between marks, as the README shows the same lines; then each target. */
static void make_targets_page(struct writer *w, page_list *pages) {
    buf_init(&w->b, w->cli->a);
    buf_addz(&w->b, MARK "# Targets\n\n<!-- targets -->\n| family | `--target` |\n|---|---|\n");
    for (size_t i = 0; i < w->targets.n; i++) add_family_row(w, i);
    buf_addz(&w->b, "<!-- /targets -->\n\n| `--target` | also | writes |\n|---|---|---|\n");
    for (size_t i = 0; i < w->targets.n; i++) add_target_row(w, w->targets.v[i]);
    buf_addz(&w->b, "\nWhere their facts were read:\n\n");
    add_target_references(w);
    struct page page = {"targets.md", buf_str(&w->b)};
    vec_push(w->cli->a, pages, page);
}

int rules_docs(struct cli *cli) {
    struct rules rules;
    struct rule_list list;
    struct writer w = {.cli = cli};
    page_list pages = {0};
    bool check = cli_has(cli, OPT_CHECK);
    struct str dir = cli_value(cli, OPT_OUTPUT);
    if (check && !dir.p && cli->operands.n == 2)
        dir = cli->operands.v[1];
    else if (!dir.p || cli->operands.n != 1)
        return cli_error(cli, "rules docs takes -o DIR, to write the pages, or --check DIR");
    if (read_rules(cli, cli->option[OPT_RULES].values.v, cli->option[OPT_RULES].values.n, false,
                   &rules) ||
        !choose_targets(cli, &rules, &w.targets) || !rule_list_read(cli, &list))
        return STATUS_FAILED;
    all_rules(cli->a, &rules, &w.refs);
    make_domain_pages(&w, &list, &pages);
    make_targets_page(&w, &pages);
    make_index(&w, &list, &pages);
    return check ? check_pages(cli, dir.p, &pages) : write_pages(cli, dir.p, &pages);
}
