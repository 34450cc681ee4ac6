/* SPDX-License-Identifier: Apache-2.0 */
/* escape.h - text from outside, made harmless for where it is printed.
 *
 * Names and source text may hold anything: escape sequences that rewrite a terminal, bidirectional
 * controls that reorder a line, line breaks, or what a CI server takes for a command of its own
 * ("::error::" at the start of a line, "##[error]" anywhere). */
#ifndef CM_REPORT_ESCAPE_H
#define CM_REPORT_ESCAPE_H

#include "base/base.h"

/* For a line of a log that does not start with it: buf_add_visible, and no "##[". */
void add_log_text(struct buf *b, struct str s);
/* A path at the start of a line of a log; "./" goes before one that looks like a command. */
void add_log_path(struct buf *b, struct str path);
/* A JSON string literal with its quotes. Controls of all kinds are escaped; bytes that are not
 * UTF-8 become U+FFFD. */
void add_json_text(struct buf *b, struct str s);
/* XML character data or an attribute's value; what is no character of XML 1.0 is made visible. */
void add_xml_text(struct buf *b, struct str s);
/* The message of a workflow command of GitHub's, and a property such as a file name. */
void add_github_data(struct buf *b, struct str s);
void add_github_property(struct buf *b, struct str s);
/* A path as (part of) a URI: percent-encoded but for '/'. */
void add_uri_path(struct buf *b, struct str path);

/* Whether a character is a control of any kind: C0, DEL, C1, bidirectional, invisible. */
bool is_control(uint32_t code);

#endif
