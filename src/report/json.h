/* SPDX-License-Identifier: Apache-2.0 */
/* json.h - the files of --report and --accounting.
 *
 * The whole: {"version": 1, "tool": {"name", "version"}, "targets": [TARGET...], "files":
 * [FILE...], "totals": {TARGET: {"files", "changed", "not_processed", "counts"}}}
 *
 * A FILE of --report: {"path", "target", "language", "changed", "counts", "findings", "edits",
 * "notes"}, where "edits" are those that belong to no finding (added imports and helpers).
 *
 * A FILE of --accounting: {"path", "target", "language", "counts", "tokens"}.
 *
 * Lines and columns count from 1, columns in bytes; start and end are byte offsets from 0, end
 * exclusive. */
#ifndef CM_REPORT_JSON_H
#define CM_REPORT_JSON_H

#include "cudamorph.h"
#include "report/text.h"

struct json_file {
    struct str path, target, input; /* input: the bytes that offsets refer to */
    enum cm_language language;
    const struct cm_result *result;
};

/* Appends one FILE of --report or of --accounting. */
void json_report_file(struct buf *b, const struct json_file *f);
void json_accounting_file(struct buf *b, const struct json_file *f);

/* Everything before the first FILE, and after the last one. FILEs are separated by ",\n". */
void json_start(struct buf *b, const struct str *targets, size_t n);
void json_end(struct buf *b, const struct str *targets, const struct totals *totals, size_t n);

#endif
