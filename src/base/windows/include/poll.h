/* SPDX-License-Identifier: Apache-2.0 */
/* poll.h - whether a pipe has something to read; everything else is always ready. */
#ifndef CM_WINDOWS_POLL_H
#define CM_WINDOWS_POLL_H

enum { POLLIN = 1, POLLOUT = 4, POLLERR = 8, POLLHUP = 16 };
struct pollfd {
    int fd;
    short events, revents;
};
/* POSIX's. */
int poll(struct pollfd *v, unsigned n, int milliseconds);

#endif
