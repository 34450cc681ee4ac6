/* SPDX-License-Identifier: Apache-2.0 */
/* stream.c - output with errors that are remembered: stdio forgets which one it was, and a full
 * disk is not a closed pipe. */
#include "report/stream.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

void stream_init(struct stream *s, int fd, bool buffered) {
    s->fd = fd;
    s->error = 0;
    s->color = false;
    s->buffered = buffered;
    s->n = 0;
}

static const char *env_value(const char *name) {
    const char *z = getenv(name);
    return z && *z ? z : NULL;
}

void stream_choose_color(struct stream *s, enum color_choice choice) {
    const char *off = env_value("CLICOLOR"), *term = env_value("TERM");
    if (choice != COLOR_AUTO)
        s->color = choice == COLOR_ALWAYS;
    else if (env_value("NO_COLOR"))
        s->color = false;
    else if (env_value("FORCE_COLOR") || env_value("CLICOLOR_FORCE"))
        s->color = true;
    else if (off && strcmp(off, "0") == 0)
        s->color = false;
    else if (!term || strcmp(term, "dumb") == 0)
        s->color = false;
    else
        s->color = isatty(s->fd);
}

/* Where a status line stands that the next output has to take away. */
static struct stream *status_stream;

static void write_all(struct stream *s, struct str text) {
    struct stream *status = text.n ? status_stream : NULL;
    if (status) {
        status_stream = NULL;
        write_all(status, S("\r\033[K"));
    }
    while (text.n && !s->error) {
        ssize_t n = write(s->fd, text.p, text.n);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0)
            s->error = errno;
        else
            text = str_sub(text, (size_t)n, text.n);
    }
}

void stream_status(struct stream *s, struct str line) {
    if (!line.n && !status_stream) return;
    write_all(s, line.n ? line : S("\r"));
    status_stream = line.n ? s : NULL;
}

bool stream_flush(struct stream *s) {
    write_all(s, (struct str){s->buffer, s->n});
    s->n = 0;
    return !s->error;
}

void stream_add(struct stream *s, struct str text) {
    if (s->n + text.n > sizeof s->buffer) stream_flush(s);
    if (!s->buffered || text.n > sizeof s->buffer) {
        write_all(s, text);
        return;
    }
    if (text.n) memcpy(s->buffer + s->n, text.p, text.n);
    s->n += text.n;
}

void stream_addz(struct stream *s, const char *text) { stream_add(s, str_of(text)); }

void stream_printf(struct stream *s, const char *fmt, ...) {
    char text[4096];
    va_list ap;
    va_start(ap, fmt);
    int n = vsnprintf(text, sizeof text, fmt, ap);
    va_end(ap);
    if (n < 0) return;
    stream_add(s, (struct str){text, (size_t)n < sizeof text ? (size_t)n : sizeof text - 1});
}
