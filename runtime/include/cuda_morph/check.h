/* SPDX-License-Identifier: Apache-2.0 */
/* What a program that was compiled to be watched (cmcc -sanitize, libcmrt_check) tells libcmrt of
   each access to memory. Programs do not call these by themselves. */
#ifndef CUDA_MORPH_CHECK_H
#define CUDA_MORPH_CHECK_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#pragma GCC visibility push(default)

/* UPDATE: it reads what it writes. COMPARE: it writes only if the value is still the expected one.
 */
enum {
    CM_ACCESS_READ = 0,
    CM_ACCESS_WRITE = 1,
    CM_ACCESS_ATOMIC = 2,
    CM_ACCESS_UPDATE = 4,
    CM_ACCESS_COMPARE = 8,
    CM_ACCESS_BYTES = 16 /* byte by byte: any address will do */
};

/* An access of `size` bytes that the code at `from` is about to make. It may end the kernel. */
void cmCheckAccess(const void *address, size_t size, int what, const void *from);
/* Code of a library's runs on the host in the place of kernels (Thrust's): from 1 to -1 this
   thread may reach the device's memory. */
void cmCheckLibrary(int step);
/* Threads of several warps have met that are not the whole block: what follows is in order with
   what was before. */
void cmCheckMet(void);
/* The barrier that this thread comes to next: a number for each that is written in a source. */
void cmCheckBarrier(unsigned int mark);
/* A thread of the block has come to the kernel's end, and not by a return before. */
void cmCheckEnd(unsigned int thread);
/* An index outside of an array of `bound` elements, in a source. */
void cmCheckBounds(const char *file, unsigned int line, unsigned int column, long long index,
                   const char *type);
/* A type's access to an address that is no multiple of what the type needs, or NULL. */
void cmCheckAligned(const char *file, unsigned int line, unsigned int column, const void *address,
                    size_t alignment, const char *type);

#pragma GCC visibility pop

#ifdef __cplusplus
}
#endif

#endif
