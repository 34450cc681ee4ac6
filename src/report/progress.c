/* SPDX-License-Identifier: Apache-2.0 */
/* progress.c - how far a pass is: for people who wait, so only on their terminal and only where
 * there is something to wait for. */
#include "report/progress.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static double now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec / 1e9;
}

static bool is_wanted(const struct stream *s) {
    const char *ci = getenv("CI"), *term = getenv("TERM");
    if ((ci && *ci) || !term || strcmp(term, "dumb") == 0) return false;
    return isatty(s->fd);
}

void progress_start(struct progress *p, struct stream *s, size_t count, bool quiet) {
    *p = (struct progress){.stream = !quiet && is_wanted(s) ? s : NULL, .count = count};
    pthread_mutex_init(&p->lock, NULL);
    p->start = p->shown = now();
}

struct str progress_text(size_t done, size_t count, double seconds, char *p, size_t room) {
    double rate = seconds > 0 ? (double)done / seconds : 0;
    size_t left = rate > 0 ? (size_t)((double)(count - done) / rate + 0.5) : 0;
    int n = left < 100 ? snprintf(p, room, "%zu of %zu files, %.0f files/s, %zu s left", done,
                                  count, rate, left)
                       : snprintf(p, room, "%zu of %zu files, %.0f files/s, %zu min left", done,
                                  count, rate, (left + 30) / 60);
    return (struct str){p, n < 0 ? 0 : (size_t)n < room ? (size_t)n : room - 1};
}

void progress_step(struct progress *p) {
    char text[120];
    if (!p->stream) return;
    pthread_mutex_lock(&p->lock);
    double t = now();
    p->done++;
    if (t - p->start >= 1 && t - p->shown >= 0.1 && p->done < p->count) {
        stream_status(p->stream,
                      progress_text(p->done, p->count, t - p->start, text, sizeof text));
        p->shown = t;
    }
    pthread_mutex_unlock(&p->lock);
}

void progress_end(struct progress *p) {
    if (p->stream) stream_status(p->stream, S(""));
    pthread_mutex_destroy(&p->lock);
}
