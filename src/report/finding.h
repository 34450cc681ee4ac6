/* SPDX-License-Identifier: Apache-2.0 */
/* finding.h - what `check` found, as the printers of every format get it.
 *
 * All texts are views that the caller keeps alive while a file is printed. */
#ifndef CM_REPORT_FINDING_H
#define CM_REPORT_FINDING_H

#include "cudamorph.h"
#include "report/place.h"
#include "rules/rules.h"

/* A rule that check knows: those of the rule database, and its own. */
struct check_rule {
    struct str id, title, why;
    enum severity severity;
};

struct check_edit {
    size_t start, end; /* bytes of the file that are replaced */
    struct place at;
    struct str text;
};

struct check_edits {
    const struct check_edit *v;
    size_t n;
};

/* One of the places that a finding stands for. */
struct check_place {
    struct place at;
    size_t start, end;
    const struct check_rule *rule;
    struct str token;
};

struct check_finding {
    const struct check_rule *rule;
    enum severity severity;     /* the rule's own, or as the configuration says */
    size_t target;              /* number among the targets of the run */
    bool is_general;            /* the same for all of them */
    struct str token;           /* the CUDA name or literal */
    struct str message, advice; /* sentences; advice may be empty */
    struct str remedy;          /* of the message, what differs from target to target */
    size_t start, end;
    struct place at;
    uint32_t cell, cell_line, cell_column; /* of a notebook's cell, from 1; else 0 */
    struct str line; /* the line of the file that it starts in, without its end */
    size_t line_start;
    uint64_t fingerprint;       /* of rule, target, the line's text and `occurrence` */
    uint64_t line_hash;         /* of the line's text alone */
    uint32_t occurrence;        /* from 1: among findings with the same rule, target and text */
    struct check_edits edits;   /* the fix; none: there is no rewrite */
    struct check_edits imports; /* lines that the file's fixes need once, whichever are taken */
    bool is_fixable;            /* --fix rewrites it; without edits, together with another one */
    bool is_unsafe;             /* the fix may change what the code does */
    const struct check_place *places; /* of a finding that stands for several, its own first */
    size_t n_places;
    uint32_t more; /* what it and its places speak for, and no finding names */
};

struct check_file {
    struct str path;         /* as it was named or found */
    struct str project_path; /* from the root of the repository, or absolute outside of it */
    struct str text;         /* its bytes */
    struct str owners;       /* by CODEOWNERS, divided by blanks; empty: nobody */
    const struct check_finding *findings; /* by position, rule and target */
    size_t n_findings;
    const struct cm_note *notes; /* what could not be checked */
    size_t n_notes;
};

/* Sums over all files of a run. */
struct check_totals {
    size_t files, files_with_findings;
    size_t by_severity[SEV_ERROR + 1];
    size_t *by_rule; /* [number of the rule] */
    size_t findings, fixable, fixed, baselined, suppressed, failed;
};

/* What stays the same for a run. */
struct check_run {
    const struct str *targets;
    size_t n_targets;
    const struct check_rule *rules; /* by id */
    size_t n_rules;
    struct str pages; /* address of the rules' pages, without a last '/'; empty: nobody said it */
};

/* "error", "warning", "note". */
const char *severity_name(enum severity s);
/* The address of a rule's page, as the site has them; empty where `pages` is. */
struct str rule_page(struct arena *a, struct str pages, struct str id);

#endif
