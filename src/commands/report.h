/* SPDX-License-Identifier: Apache-2.0 */
/* report.h - the forms of `report`: one function each, from surveys to text. */
#ifndef CM_REPORT_H
#define CM_REPORT_H

#include "commands/owners.h"
#include "commands/port_verify.h"
#include "commands/survey.h"

/* A target's figures in an earlier report. */
struct report_before {
    bool is_there;
    struct str date, revision;
    size_t counts[CM_OUTCOMES];
};

/* What was surveyed, and what is said of it besides. */
struct report {
    const struct survey *surveys;
    size_t n;
    struct str project, revision, date; /* revision: of git, or empty; date: 2026-11-23 */
    const struct project *place;
    const struct owners *owners;
    const struct report_before *before;   /* one for each survey, or NULL */
    const struct verify_counts *verified; /* of --verify: one for each survey, or NULL */
    struct str basis;                     /* what the estimates are made of, as a sentence */
    const struct effort *effort;
    bool verbose; /* text: the details of many targets, too */
};

/* ---- report_facts.c ---- */

/* Project, revision and date; the texts live in the arena. The project is that of `operand`, where
 * it lies in another one than the current directory (NULL: it does not). */
void report_facts(struct report *r, struct arena *a, const struct project *place,
                  const char *operand);
/* Reads the classes of work of rules/data/effort.json. */
void report_read_effort(struct report *r, struct arena *a);
/* Minutes that the manual places of a target may take: low and high. */
void report_effort(const struct report *r, const struct survey *s, size_t minutes[2]);
/* An earlier report as JSON; false with *error. */
bool report_read_before(struct report *r, struct arena *a, const char *path, struct str *error);
/* "should run after 12 manual places" or "port leaves nothing for a hand"; in a. */
struct str report_verdict(struct arena *a, const struct survey *s);

/* ---- the forms ---- */

/* For a terminal. */
void report_text(struct buf *b, const struct report *r, bool color);

/* {"version": 1, "tool": {"name", "version"}, "project", "revision", "date", "targets":
 * [{"target", "title", "files_read", "files_with_cuda", "files_failed", "lines", "counts",
 * "percent", "minutes": [low, high], "verification" (with --verify): {"files", "verified",
 * "failing", "not_verified"}, "libraries": [{"library", "counts", "percent"}], "manual":
 * [{"rule", "token", "message", "advice", "times", "places": [{"path", "line"}]}], "files":
 * [{"path", "language", "lines", "counts", "percent", "libraries"} or {"path", "problem"}]}]} */
void report_json(struct buf *b, const struct report *r);

/* One page with everything in it; shared: the most important of it, below 300 KB. */
void report_html(struct buf *b, const struct report *r, bool shared);

/* For a pull request: a table of the targets, then what comes up most. */
void report_markdown(struct buf *b, const struct report *r);
/* A row for each target and file. */
void report_csv(struct buf *b, const struct report *r);
/* The badge of shields.io's endpoint. */
void report_badge(struct buf *b, const struct report *r);

#endif
