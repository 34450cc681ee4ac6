/* SPDX-License-Identifier: Apache-2.0 */
/* error.c - `cuda-morph error`: what the vendors' error codes mean, one by one or in a log. */
#include "diag/errors.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "commands/commands.h"
#include "commands/rule_sets.h"

/* A log's answer fits on a screen: so many in full, so many in a line, the rest as a number. */
enum { MAX_LOG = 512 * 1024 * 1024, IN_FULL = 4, IN_A_LINE = 10 };

static void add_text(struct buf *b, const char *label, struct str text) {
    if (text.n == 0) return;
    buf_addz(b, label);
    buf_add_visible(b, text);
    buf_addc(b, '\n');
}

static void print_hit(struct cli *cli, const struct error_hit *h) {
    struct buf b;
    buf_init(&b, cli->a);
    if (h->line) buf_printf(&b, "line %zu%s: ", h->line, h->count > 1 ? " and later" : "");
    bool is_message = h->row && h->row->pattern.n;
    buf_add_visible(&b, is_message ? h->name : h->code);
    if (h->row && h->row->has_code && str_is(h->code, h->row->name.p))
        buf_printf(&b, " = %lld (0x%llx)", (long long)h->row->code, (long long)h->row->code);
    else if (h->name.n && !is_message)
        buf_printf(&b, " %.*s", STR_ARG(h->name));
    buf_printf(&b, ", %.*s", STR_ARG(h->family->title));
    if (!h->row) buf_addz(&b, ": unknown code, known class");
    if (h->count > 1) buf_printf(&b, ", %zu times", h->count);
    buf_addc(&b, '\n');
    add_text(&b, "    means:  ", h->meaning);
    add_text(&b, "    do:     ", h->advice);
    add_text(&b, h->unverified ? "    source: unverified; " : "    source: ", h->source);
    stream_add(cli->out, buf_str(&b));
}

/* What is only said because something failed before, or says little: a code that has no entry, an
 * inner error. */
static bool says_little(const struct error_hit *h) {
    return !h->row || h->row->follows || h->row->turn == ERROR_VAGUE;
}

static void causes_first(struct arena *a, error_hits *hits) {
    error_hits sorted = {0};
    for (int follows = 0; follows < 2; follows++)
        for (size_t i = 0; i < hits->n; i++)
            if (says_little(&hits->v[i]) == follows) vec_push(a, &sorted, hits->v[i]);
    *hits = sorted;
}

static void print_short(struct cli *cli, const struct error_hit *h) {
    struct buf b;
    buf_init(&b, cli->a);
    buf_printf(&b, "line %zu: ", h->line);
    buf_add_visible(&b, h->name.n ? h->name : h->code);
    buf_addz(&b, ": ");
    buf_add_visible(&b, h->meaning);
    if (h->count > 1) buf_printf(&b, ", %zu times", h->count);
    buf_addc(&b, '\n');
    stream_add(cli->out, buf_str(&b));
}

static bool is_harmless(const struct error_hit *h) {
    return h->row && h->row->turn == ERROR_HARMLESS;
}

/* What looks like an error and is none: taken out of the list. */
static error_hits take_harmless(struct arena *a, error_hits *hits) {
    error_hits errors = {0}, harmless = {0};
    for (size_t i = 0; i < hits->n; i++)
        if (is_harmless(&hits->v[i]))
            vec_push(a, &harmless, hits->v[i]);
        else
            vec_push(a, &errors, hits->v[i]);
    *hits = errors;
    return harmless;
}

static void print_harmless(struct cli *cli, const error_hits *hits) {
    size_t shown = hits->n < IN_A_LINE ? hits->n : IN_A_LINE;
    if (shown) stream_addz(cli->out, "no failure, though it may look like one:\n");
    for (size_t i = 0; i < shown; i++) print_short(cli, &hits->v[i]);
}

static void print_log_hits(struct cli *cli, const error_hits *hits) {
    size_t shown = hits->n < IN_FULL ? hits->n : IN_FULL;
    size_t brief = hits->n - shown < IN_A_LINE ? hits->n - shown : IN_A_LINE;
    if (hits->n > 1)
        stream_printf(cli->out, "%zu different errors; the first is most often the cause\n",
                      hits->n);
    for (size_t i = 0; i < shown; i++) print_hit(cli, &hits->v[i]);
    if (brief) stream_addz(cli->out, "after that:\n");
    for (size_t i = shown; i < shown + brief; i++) print_short(cli, &hits->v[i]);
    if (shown + brief < hits->n)
        stream_printf(cli->out, "and %zu more: --format json has all\n", hits->n - shown - brief);
}

static void add_hit_json(struct buf *b, const struct error_hit *h) {
    buf_addc(b, '{');
    buf_add_member(b, "query", h->code);
    buf_add_optional(b, "family", h->family->name);
    buf_printf(b, ", \"known\": %s", h->row ? "true" : "false");
    if (h->row && h->row->has_code) buf_printf(b, ", \"code\": %lld", (long long)h->row->code);
    buf_add_optional(b, "name", h->name);
    if (h->row) buf_add_optional(b, "category", h->row->category);
    buf_add_optional(b, "meaning", h->meaning);
    buf_add_optional(b, "advice", h->advice);
    buf_add_optional(b, "source", h->source);
    buf_printf(b, ", \"unverified\": %s", h->unverified ? "true" : "false");
    if (is_harmless(h)) buf_addz(b, ", \"harmless\": true");
    if (h->line) buf_printf(b, ", \"line\": %zu, \"count\": %zu", h->line, h->count);
    buf_addz(b, "}");
}

static void print_json(struct cli *cli, const error_hits *hits, const struct str *unknown,
                       size_t n_unknown, const error_fallbacks *fallbacks) {
    struct buf b;
    buf_init(&b, cli->a);
    buf_addz(&b, "{\"version\": 1, \"entries\": [");
    for (size_t i = 0; i < hits->n; i++) {
        buf_addz(&b, i ? ",\n  " : "\n  ");
        add_hit_json(&b, &hits->v[i]);
    }
    buf_addz(&b, "], \"unknown\": [");
    for (size_t i = 0; i < n_unknown; i++) {
        if (i) buf_addz(&b, ", ");
        buf_add_json(&b, unknown[i]);
    }
    buf_addz(&b, "], \"fallbacks\": [");
    for (size_t i = 0; fallbacks && i < fallbacks->n; i++) {
        buf_addz(&b, i ? ", {\"operator\": " : "{\"operator\": ");
        buf_add_json(&b, fallbacks->v[i].name);
        buf_printf(&b, ", \"line\": %zu, \"count\": %zu}", fallbacks->v[i].line,
                   fallbacks->v[i].count);
    }
    buf_addz(&b, "]}\n");
    stream_add(cli->out, buf_str(&b));
}

static bool wants_json(const struct cli *cli) { return cli_choice(cli, OPT_FORMAT, 0) == 1; }

static int tell_log(struct cli *cli, const struct error_db *db, struct str log,
                    struct str target) {
    error_hits hits = {0};
    error_fallbacks fallbacks = {0};
    errors_scan(cli->a, db, log, target, &hits, &fallbacks);
    causes_first(cli->a, &hits);
    if (wants_json(cli)) {
        print_json(cli, &hits, NULL, 0, &fallbacks);
        return STATUS_DONE;
    }
    error_hits harmless = take_harmless(cli->a, &hits);
    print_log_hits(cli, &hits);
    for (size_t i = 0; i < fallbacks.n; i++)
        stream_printf(cli->out, "%s%8zu  %.*s, first in line %zu\n",
                      i ? "" : "operators that ran on the CPU instead (times, operator):\n",
                      fallbacks.v[i].count, STR_ARG(fallbacks.v[i].name), fallbacks.v[i].line);
    if (hits.n + fallbacks.n == 0)
        stream_addz(cli->out, "no vendor's error that is known in this log\n");
    print_harmless(cli, &harmless);
    return STATUS_DONE;
}

static int read_log(struct cli *cli, const struct error_db *db, const char *path,
                    struct str target) {
    struct str log, error;
    bool ok = strcmp(path, "-") == 0
                  ? file_read_fd(cli->a, STDIN_FILENO, "standard input", MAX_LOG, &log, &error)
                  : file_read(cli->a, path, MAX_LOG, &log, NULL, &error);
    return ok ? tell_log(cli, db, log, target) : cli_error(cli, "%.*s", STR_ARG(error));
}

/* Lines of a log as operands: no code has a blank in it. */
static bool are_lines(const struct cli *cli, struct str *log) {
    struct buf b;
    buf_init(&b, cli->a);
    for (size_t i = 0; i < cli->operands.n; i++) {
        if (str_find(cli->operands.v[i], S(" "), 0) == cli->operands.v[i].n) return false;
        buf_add(&b, cli->operands.v[i]);
        buf_addz(&b, "\n");
    }
    *log = buf_str(&b);
    return true;
}

static int search(struct cli *cli, const struct error_db *db, struct str word, struct str target) {
    error_hits hits = {0};
    errors_search(cli->a, db, word, target, &hits);
    if (wants_json(cli)) print_json(cli, &hits, NULL, 0, NULL);
    for (size_t i = 0; i < hits.n && !wants_json(cli); i++) {
        const struct error_hit *h = &hits.v[i];
        stream_printf(cli->out, "%-12.*s %-10.*s %.*s: %.*s\n", STR_ARG(h->code),
                      STR_ARG(h->family->name), STR_ARG(h->name), STR_ARG(h->meaning));
    }
    return hits.n ? STATUS_DONE : STATUS_FINDINGS;
}

static int decode(struct cli *cli, const struct error_db *db, struct str target) {
    error_hits hits = {0};
    VEC(struct str) unknown = {0};
    bool is_known = true;
    for (size_t i = 0; i < cli->operands.n; i++) {
        size_t before = hits.n;
        struct str code = cli->operands.v[i];
        errors_decode(cli->a, db, code, target, &hits);
        is_known = is_known && hits.n > before && hits.v[hits.n - 1].row;
        if (hits.n == before) vec_push(cli->a, &unknown, code);
    }
    if (wants_json(cli)) {
        print_json(cli, &hits, unknown.v, unknown.n, NULL);
        return is_known ? STATUS_DONE : STATUS_FINDINGS;
    }
    for (size_t i = 0; i < hits.n; i++) print_hit(cli, &hits.v[i]);
    for (size_t i = 0; i < unknown.n; i++) {
        struct buf b;
        struct str hint = cli_hint(cli->a, errors_nearest(db, unknown.v[i]));
        buf_init(&b, cli->a);
        buf_add_visible(&b, unknown.v[i]);
        buf_printf(&b, ": unknown code of unknown class%.*s\n", STR_ARG(hint));
        stream_add(cli->out, buf_str(&b));
    }
    return is_known ? STATUS_DONE : STATUS_FINDINGS;
}

/* A log: standard input, or a file whose name is no code that is known. */
static bool is_log(struct cli *cli, const struct error_db *db, struct str operand) {
    error_hits hits = {0};
    struct stat st;
    if (str_is(operand, "-")) return true;
    errors_decode(cli->a, db, operand, S(""), &hits);
    return hits.n == 0 && stat(operand.p, &st) == 0 && S_ISREG(st.st_mode);
}

int command_error(struct cli *cli) {
    struct error_db db = {0};
    struct str error, log, target = S("");
    struct rules rules;
    target_refs targets = {0};
    if (!errors_load(cli->a, &db, &error)) return cli_error(cli, "%.*s", STR_ARG(error));
    if (cli_has(cli, OPT_TARGET)) {
        if (read_rules(cli, NULL, 0, false, &rules) || !choose_targets(cli, &rules, &targets))
            return STATUS_FAILED;
        if (targets.n != 1) return cli_error(cli, "error takes one --target");
        target = target_name(targets.v[0]);
    }
    if (cli_has(cli, OPT_SEARCH)) {
        if (cli->operands.n) return cli_error(cli, "error takes a CODE or --search, not both");
        return search(cli, &db, cli_value(cli, OPT_SEARCH), target);
    }
    if (cli->operands.n == 0)
        return cli_error(cli, "error takes a code such as 507015 or EI0002, a line of a log, or a "
                              "log: FILE or -");
    if (cli->operands.n == 1 && is_log(cli, &db, cli->operands.v[0]))
        return read_log(cli, &db, cli->operands.v[0].p, target);
    if (are_lines(cli, &log)) return tell_log(cli, &db, log, target);
    return decode(cli, &db, target);
}
