/* SPDX-License-Identifier: Apache-2.0 */
/* stream.h - standard output and standard error, with errors that are noticed.
 *
 * A stream writes to a file descriptor. The first failure is kept in `error` and everything after
 * it is dropped, so callers print without looking and ask once, at the end. A closed pipe (EPIPE)
 * is kept like any other error; main.c decides that it is none. */
#ifndef CM_STREAM_H
#define CM_STREAM_H

#include "base/base.h"

enum { STREAM_BUFFER = 64 * 1024 };

struct stream {
    int fd;
    int error;     /* errno of the first failed write, or 0 */
    bool color;    /* escape sequences are wanted */
    bool buffered; /* false: every call writes at once */
    size_t n;
    char buffer[STREAM_BUFFER];
};

enum color_choice { COLOR_AUTO, COLOR_ALWAYS, COLOR_NEVER };

/* Without colors, until they are chosen. */
void stream_init(struct stream *s, int fd, bool buffered);
/* An explicit choice wins; else NO_COLOR, FORCE_COLOR or CLICOLOR_FORCE, CLICOLOR=0, TERM=dumb,
 * and whether it is a terminal, in this order. Empty variables count as absent. */
void stream_choose_color(struct stream *s, enum color_choice choice);
void stream_add(struct stream *s, struct str text);
void stream_addz(struct stream *s, const char *text);
/* At most 4,096 bytes. */
void stream_printf(struct stream *s, const char *fmt, ...) CM_PRINTF(2, 3);
/* A line for people on a terminal, in place of the one before; empty: none. It stays without a
 * newline until something is written to any stream, which takes it away first. */
void stream_status(struct stream *s, struct str line);
/* Returns false when any write so far has failed. */
bool stream_flush(struct stream *s);

#endif
