/* SPDX-License-Identifier: Apache-2.0 */
/* regex.h - PCRE2 behind one door: patterns from rules, compiled on first use, with limits so that
 * no rule file can make a match run away. */
#ifndef CM_REGEX_H
#define CM_REGEX_H

#include "base/base.h"

/* Compiled patterns of one thread, by the address of their owner (a rule). */
struct regex_cache;
struct regex_cache *regex_cache_new(void); /* NULL when there is no memory */
void regex_cache_free(struct regex_cache *c);
/* For patterns of the program's own, tried on many lines: they become machine code where PCRE2 can
 * do that, before the first is compiled. Those of rule files don't: steps are counted differently
 * there, and what reaches a limit would depend on the machine. */
void regex_trust_patterns(struct regex_cache *c);

/* A text comes: no pattern has run away on it yet. */
void regex_begin(struct regex_cache *c);
/* The next pattern that ran away on the text: some of its matches may be missing. *cursor starts
 * at 0. */
bool regex_next_limited(const struct regex_cache *c, size_t *cursor, struct str *pattern);

/* Whether `subject` contains a match of `pattern`. A pattern that doesn't compile, or a match past
 * its limits, is no match (rules are checked when they are loaded). One that reaches its limits
 * again and again is not tried any more on this text. */
bool regex_match(struct regex_cache *c, const void *owner, struct str pattern, struct str subject);

/* The first match at or after byte `from`: *start and *end are its own, and *group is the part in
 * the first parentheses, or all of it. */
bool regex_find(struct regex_cache *c, const void *owner, struct str pattern, struct str subject,
                size_t from, size_t *start, size_t *end, struct str *group);
/* A group of the match that regex_find just found in `subject`: 1, 2 or 3; or nothing. */
struct str regex_group(const struct regex_cache *c, size_t number, struct str subject);

#endif
