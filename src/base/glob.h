/* SPDX-License-Identifier: Apache-2.0 */
/* glob.h - file name patterns as .gitignore defines them; on bytes, without recursion. */
#ifndef CM_GLOB_H
#define CM_GLOB_H

#include "base.h"

/* Whether the whole path matches: `*` and `?` stop at '/', `[a-z]` `[!a-z]` `[[:alpha:]]` match
 * one byte other than '/', `\` takes the next byte literally, and a component `**` stands for any
 * number of components (at the end of a pattern: at least one). A pattern that ends in '\' or in
 * an open bracket matches nothing. Time is at most proportional to pattern length x path length.
 */
bool glob_match(struct str pattern, struct str path);

/* One line of an ignore file. */
struct glob_rule {
    struct str pattern;  /* without the marks below */
    bool negated;        /* `!`: takes back what earlier rules said */
    bool directory_only; /* trailing '/' */
    bool anchored;       /* another '/': matches the path, not the last component */
};

struct glob_rules {
    struct glob_rule *v;
    size_t n, cap;
};

/* No path is as long; it bounds what a hostile ignore file can cost. */
enum { GLOB_MAX_PATTERN = 4096 };

/* Reads one line (without its newline). False for a blank line, a comment, or a pattern longer
 * than GLOB_MAX_PATTERN. *out views line. */
bool glob_parse_rule(struct str line, struct glob_rule *out);

/* Adds every rule of an ignore file's text, which must outlive the rules. */
void glob_add_rules(struct arena *a, struct glob_rules *rules, struct str text);

enum glob_verdict { GLOB_UNDECIDED, GLOB_MATCH, GLOB_TAKEN_BACK };

/* What the last rule that applies to path says; path is relative to where the rules are. */
enum glob_verdict glob_decide(const struct glob_rules *rules, struct str path, bool is_directory);

/* Whether the rules match path or a directory above it. */
bool glob_covers(const struct glob_rules *rules, struct str path, bool is_directory);

#endif
