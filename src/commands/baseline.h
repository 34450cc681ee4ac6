/* SPDX-License-Identifier: Apache-2.0 */
/* baseline.h - findings that a project knows of and leaves for later: the file of --baseline.
 *
 * {"version": 1, "findings": [
 * {"path": "src/a.py", "rule": "torch-cuda/memory", "target": "portable", "fingerprint": "..."}
 * ]}, one on a line and sorted, so that branches merge. A path is from the project's root. The
 * fingerprint stays when the line moves; an entry whose file is gone counts for any other file,
 * so that it survives a renaming. */
#ifndef CM_BASELINE_H
#define CM_BASELINE_H

#include "commands/project.h"
#include "report/finding.h"

struct baseline_entry {
    struct str path, rule, target;
    uint64_t fingerprint;
    bool used, checked, is_gone; /* checked: its file was looked at in this run */
};

struct baseline {
    struct arena *a;
    VEC(struct baseline_entry) entries; /* sorted when they were parsed */
    VEC(struct baseline_entry *) gone;  /* by fingerprint */
};

/* False with a sentence in *error. `text` is the file's, name is for the error. */
bool baseline_parse(struct baseline *b, struct arena *a, struct str name, struct str text,
                    const struct project *project, struct str *error);

/* Whether the finding is recorded; its entry is used up. */
bool baseline_take(struct baseline *b, struct str path, uint64_t fingerprint);
/* Says that the file was looked at, so that what was not found in it is not there any more. */
void baseline_checked(struct baseline *b, struct str path);
/* Whether what this entry records was looked for in this run and is not there. */
static inline bool baseline_is_stale(const struct baseline_entry *e) {
    return !e->used && (e->checked || e->is_gone);
}

/* Adds an entry; the strings are copied. */
void baseline_add(struct baseline *b, struct str path, struct str rule, struct str target,
                  uint64_t fingerprint);
/* The text of the file; without the stale entries if those are to go. */
struct str baseline_text(struct baseline *b, bool prune);

#endif
