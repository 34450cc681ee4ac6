/* SPDX-License-Identifier: Apache-2.0 */
/* format_sarif.c - SARIF 2.1.0, as code scanning services read it: one run for each target, so
 * that the alerts of one do not close those of another. Columns count UTF-16 code units. */
#include "report/pipeline.h"
#include "report/printer.h"

enum { LONGEST_TEXT = 1000 }; /* GitHub refuses descriptions of more than 1,024 characters */

static void start(struct printer *p, struct buf *out) {
    printer_hold(p, out->a, p->run->n_targets + 1);
}

/* What could not be checked waits behind the results of the targets. */
static struct growing *notifications(struct printer *p) { return &p->held[p->run->n_targets]; }

static void add_separated(struct growing *g, const struct buf *b) {
    growing_add(g, g->n ? S(",\n") : S("\n"));
    growing_add(g, buf_str(b));
}

static void add_text(struct buf *b, const char *key, struct str text) {
    if (text.n > LONGEST_TEXT) text.n = LONGEST_TEXT;
    buf_printf(b, "\"%s\": {\"text\": ", key);
    add_json_text(b, text.n ? text : S("(no text)"));
    buf_addc(b, '}');
}

static void add_artifact(struct buf *b, struct str path) {
    struct buf uri;
    buf_init(&uri, b->a);
    bool is_absolute = path.n && path.p[0] == '/';
    if (is_absolute) buf_addz(&uri, "file://");
    add_uri_path(&uri, path);
    buf_addz(b, "\"artifactLocation\": {\"uri\": ");
    add_json_text(b, buf_str(&uri));
    if (!is_absolute) buf_addz(b, ", \"uriBaseId\": \"%SRCROOT%\"");
    buf_addc(b, '}');
}

static void add_region(struct buf *b, const char *key, const struct place *at) {
    buf_printf(b,
               "\"%s\": {\"startLine\": %u, \"startColumn\": %u, \"endLine\": %u, "
               "\"endColumn\": %u}",
               key, at->line, at->utf16, at->end_line, at->end_utf16);
}

static void add_replacements(struct buf *b, const struct check_edits *edits, const char **comma) {
    for (size_t i = 0; i < edits->n; i++) {
        buf_printf(b, "%s{", *comma);
        add_region(b, "deletedRegion", &edits->v[i].at);
        buf_addz(b, ", \"insertedContent\": {\"text\": ");
        add_json_text(b, edits->v[i].text);
        buf_addz(b, "}}");
        *comma = ", ";
    }
}

static void add_fix(struct buf *b, const struct check_file *file, const struct check_finding *f) {
    const char *comma = "";
    if (f->edits.n == 0) return;
    buf_addz(b, ",\n \"fixes\": [{");
    add_text(b, "description",
             f->is_unsafe ? S("Unsafe fix: it may change what the code does") : S("Rewrite"));
    buf_addz(b, ", \"artifactChanges\": [{");
    add_artifact(b, file->project_path);
    buf_addz(b, ", \"replacements\": [");
    add_replacements(b, &f->imports, &comma);
    add_replacements(b, &f->edits, &comma);
    buf_addz(b, "]}]}]");
}

static void add_result(struct printer *p, struct arena *a, const struct check_file *file,
                       const struct check_finding *f) {
    struct buf b;
    buf_init(&b, a);
    buf_addz(&b, "{\"ruleId\": ");
    add_json_text(&b, f->rule->id);
    buf_printf(&b, ", \"ruleIndex\": %zu, \"level\": \"%s\", ", (size_t)(f->rule - p->run->rules),
               severity_name(f->severity));
    struct str message = f->message;
    if (f->advice.n) message = arena_printf(a, "%.*s. %.*s", STR_ARG(message), STR_ARG(f->advice));
    add_text(&b, "message", message);
    buf_addz(&b, ",\n \"locations\": [{\"physicalLocation\": {");
    add_artifact(&b, file->project_path);
    buf_addz(&b, ", ");
    add_region(&b, "region", &f->at);
    buf_printf(&b,
               "}}],\n \"partialFingerprints\": {\"primaryLocationLineHash\": \"%016llx:%u\", "
               "\"cudaMorph/v1\": \"%016llx\"}",
               (unsigned long long)f->line_hash, f->occurrence,
               (unsigned long long)f->fingerprint);
    add_fix(&b, file, f);
    buf_addc(&b, '}');
    add_separated(&p->held[f->target], &b);
}

static void add_notification(struct printer *p, struct arena *a, const struct check_file *file,
                             const struct cm_note *note) {
    struct buf b;
    buf_init(&b, a);
    buf_addz(&b, "{\"level\": \"error\", ");
    add_text(&b, "message", note->message);
    buf_addz(&b, ", \"locations\": [{\"physicalLocation\": {");
    add_artifact(&b, file->project_path);
    if (note->line) buf_printf(&b, ", \"region\": {\"startLine\": %u}", note->line);
    buf_addz(&b, "}}]}");
    add_separated(notifications(p), &b);
}

static void file(struct printer *p, struct buf *out, const struct check_file *f) {
    for (size_t i = 0; i < f->n_findings; i++) add_result(p, out->a, f, &f->findings[i]);
    for (size_t i = 0; i < f->n_notes; i++)
        if (f->notes[i].fatal) add_notification(p, out->a, f, &f->notes[i]);
}

/* torch-cuda/amp is TorchCudaAmp, as Azure DevOps wants a name. */
static void add_name(struct buf *b, struct str id) {
    bool first = true;
    buf_addz(b, ", \"name\": \"");
    for (size_t i = 0; i < id.n; i++) {
        char c = id.p[i];
        bool is_word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        if (is_word) buf_addc(b, first && c >= 'a' && c <= 'z' ? (char)(c - 32) : c);
        first = !is_word;
    }
    buf_addc(b, '"');
}

static void add_rule(struct buf *b, const struct check_rule *rule, struct str pages) {
    static const char *const words[] = {"recommendation", "warning", "error"};
    size_t slash = str_find(rule->id, S("/"), 0);
    buf_addz(b, "{\"id\": ");
    add_json_text(b, rule->id);
    add_name(b, rule->id);
    buf_addz(b, ", ");
    add_text(b, "shortDescription", rule->title);
    buf_addz(b, ", ");
    add_text(b, "fullDescription", rule->why);
    buf_addz(b, ", ");
    add_text(b, "help",
             arena_printf(b->a, "%.*s\n\ncuda-morph explain %.*s", STR_ARG(rule->why),
                          STR_ARG(rule->id)));
    if (pages.n) {
        buf_addz(b, ", \"helpUri\": ");
        add_json_text(b, rule_page(b->a, pages, rule->id));
    }
    buf_printf(b, ", \"defaultConfiguration\": {\"level\": \"%s\"}",
               severity_name(rule->severity));
    buf_printf(b, ", \"properties\": {\"problem.severity\": \"%s\", \"tags\": [",
               words[rule->severity]);
    add_json_text(b, str_sub(rule->id, 0, slash));
    buf_addz(b, "]}}");
}

static void add_run(struct printer *p, struct buf *out, size_t target,
                    const struct check_totals *totals) {
    buf_addz(out, "{\"tool\": {\"driver\": {\"name\": \"cuda-morph\", \"fullName\": "
                  "\"cuda-morph " CM_VERSION "\", \"semanticVersion\": \"" CM_VERSION "\", ");
    if (p->run->pages.n) {
        buf_addz(out, "\"informationUri\": ");
        add_json_text(out, p->run->pages);
        buf_addz(out, ", ");
    }
    buf_addz(out, "\"rules\": [");
    for (size_t i = 0; i < p->run->n_rules; i++) {
        buf_addz(out, i ? ",\n" : "\n");
        add_rule(out, &p->run->rules[i], p->run->pages);
    }
    buf_addz(out, "\n]}},\n");
    add_pipeline(out, p->run->targets[target]);
    buf_addz(out, "\"columnKind\": \"utf16CodeUnits\",\n\"originalUriBaseIds\": {\"%SRCROOT%\": "
                  "{\"description\": {\"text\": \"root of the repository\"}}},\n");
    buf_printf(out,
               "\"invocations\": [{\"executionSuccessful\": %s, "
               "\"toolExecutionNotifications\": [",
               totals->failed ? "false" : "true");
    buf_add(out, growing_str(notifications(p)));
    buf_addz(out, "]}],\n\"results\": [");
    buf_add(out, growing_str(&p->held[target]));
    buf_addz(out, p->held[target].n ? "\n]}" : "]}");
}

static void end(struct printer *p, struct buf *out, const struct check_totals *totals) {
    buf_addz(out, "{\"$schema\": \"https://json.schemastore.org/sarif-2.1.0.json\",\n"
                  "\"version\": \"2.1.0\",\n\"runs\": [");
    for (size_t i = 0; i < p->run->n_targets; i++) {
        if (i) buf_addz(out, ",\n");
        add_run(p, out, i, totals);
    }
    buf_addz(out, "]}\n");
}

const struct printer_class format_sarif = {"sarif", start, file, end};
