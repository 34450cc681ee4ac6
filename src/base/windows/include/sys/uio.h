/* SPDX-License-Identifier: Apache-2.0 */
/* uio.h - pieces of one output. */
#ifndef CM_WINDOWS_UIO_H
#define CM_WINDOWS_UIO_H

struct iovec {
    void *iov_base;
    size_t iov_len;
};

#endif
