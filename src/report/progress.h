/* SPDX-License-Identifier: Apache-2.0 */
/* progress.h - one line on a terminal that says how far a pass over many files is.
 *
 * It appears after a second, is written anew ten times a second at most, goes away before
 * anything else is printed (stream.c), and is never there in a pipe, in CI, with --quiet or with
 * TERM=dumb.
 */
#ifndef CM_PROGRESS_H
#define CM_PROGRESS_H

#include "report/stream.h"

#include <pthread.h>

struct progress {
    struct stream *stream; /* NULL: nothing is shown */
    pthread_mutex_t lock;
    size_t count, done;
    double start, shown; /* seconds of the monotonic clock */
};

/* Starts to count up to `count` files; shows nothing where `quiet`, or where `s` is no terminal.
 */
void progress_start(struct progress *p, struct stream *s, size_t count, bool quiet);
/* One more file is done. Any thread may call it that nobody prints beside. */
void progress_step(struct progress *p);
/* Takes the line away. */
void progress_end(struct progress *p);
/* "123 of 1100 files, 450 files/s, 2 s left": what stands there after `seconds`. */
struct str progress_text(size_t done, size_t count, double seconds, char *p, size_t room);

#endif
