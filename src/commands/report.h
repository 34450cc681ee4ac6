/* SPDX-License-Identifier: Apache-2.0 */
/* report.h - the forms of `report`: one function each, from surveys to text. */
#ifndef CM_REPORT_H
#define CM_REPORT_H

#include "commands/survey.h"

/* For a terminal. */
void report_text(struct buf *b, const struct survey *surveys, size_t n, bool color);

/* {"version": 1, "tool": {"name", "version"}, "targets": [{"target", "title", "files_read",
 * "files_with_cuda", "files_failed", "lines", "counts", "percent", "libraries": [{"library",
 * "counts", "percent"}], "manual": [{"rule", "token", "message", "advice", "times", "places":
 * [{"path", "line"}]}], "files": [{"path", "language", "lines", "counts", "percent", "libraries"}
 * or
 * {"path", "problem"}]}]} */
void report_json(struct buf *b, const struct survey *surveys, size_t n);

/* One page without scripts and without anything from elsewhere. */
void report_html(struct buf *b, const struct survey *surveys, size_t n);

#endif
