/* SPDX-License-Identifier: Apache-2.0 */
/* printer.h - the output formats of `check`. A printer formats and decides nothing.
 *
 * start, file (for each file, in order) and end append to *out what can be written at once; what a
 * format may write only at the end waits in `held`. Each format is one file, format_NAME.c. */
#ifndef CM_REPORT_PRINTER_H
#define CM_REPORT_PRINTER_H

#include "report/escape.h"
#include "report/finding.h"
#include "report/growing.h"

struct printer;

/* The notes of a rule that were not shown one by one. */
struct note_sum {
    size_t places, files;
    struct str first; /* path of the first of these files, malloc'ed */
    size_t last;      /* number of the file that was counted last */
};

struct printer_class {
    const char *name;
    void (*start)(struct printer *p, struct buf *out);
    void (*file)(struct printer *p, struct buf *out, const struct check_file *f);
    void (*end)(struct printer *p, struct buf *out, const struct check_totals *totals);
};

extern const struct printer_class format_full, format_concise, format_json, format_jsonl,
    format_sarif, format_github, format_gitlab, format_junit, format_rdjson, format_sonar,
    format_markdown, format_statistics;

struct printer {
    const struct printer_class *class;
    const struct check_run *run;
    bool color;
    size_t printed;         /* findings so far */
    size_t n_files;         /* that it was given */
    bool *told;             /* [rule] whether the reader knows why it matters */
    bool folds_notes;       /* notes are summed up at the end */
    struct note_sum *notes; /* [rule] */
    struct growing *held;   /* as many as the format needs; see printer_hold */
    size_t n_held;
};

/* Gives the printer n texts to fill; for start. */
void printer_hold(struct printer *p, struct arena *a, size_t n);
/* Frees them. False: memory ran out and a text is not whole. */
bool printer_close(struct printer *p);

/* "path:line:column: " of a finding, for a terminal; cell and line in it for a notebook. */
void add_headline(struct buf *b, const struct check_file *f, const struct check_finding *finding,
                  bool color);
/* The id of a rule, which leads to its page. */
void add_rule_id(struct buf *b, const struct printer *p, struct str id);
/* "rule" or, with several targets, "rule, target". */
void add_rule_and_target(struct buf *b, const struct printer *p,
                         const struct check_finding *finding);
/* The findings' target as the formats for machines name it; "" for all. */
struct str finding_target(const struct printer *p, const struct check_finding *finding);

struct rule_count {
    size_t count, rule; /* findings, number of the rule in the run */
};
/* The rules that have findings, the most frequent first; in `a`. *n: how many. */
struct rule_count *rules_by_count(struct arena *a, const struct printer *p,
                                  const struct check_totals *totals, size_t *n);

#endif
