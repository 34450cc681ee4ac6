/* SPDX-License-Identifier: Apache-2.0 */
/* Watching a program's memory (CUDA_MORPH_CHECK): which bytes are whose, which were written, and
   which two accesses nothing puts in an order. watch.c keeps the books, report.c says what is
   wrong; accesses come from cmCheckAccess(), blocks and barriers from block.c. */
#ifndef CMRT_WATCH_H
#define CMRT_WATCH_H

#include "grid.h"
#include "memory.h"

/* Bits of cm_settings.checks, by their names in CUDA_MORPH_CHECK. */
enum {
    CM_CHECK_MEMORY = 1,
    CM_CHECK_RACE = 2,
    CM_CHECK_INIT = 4,
    CM_CHECK_SYNC = 8,
    CM_CHECK_LEAK = 16,
    CM_CHECK_ALL = 31
};
/* The bits of a list of names; 1 is memory. Unknown names are said on standard error. */
unsigned int cm_watch_names(const char *list);

/* Memory that a program has from here on, and had until now. */
void cm_watch_new(const struct cm_allocation *allocation);
void cm_watch_gone(const void *base);
/* Bytes that were written from elsewhere: copies, fills, libraries. */
void cm_watch_written(const void *address, size_t size);
/* A copy or fill that does not fit into its memory, or whose memory is gone; an address to be
   freed that is none. */
void cm_watch_bad_copy(const void *at, size_t size, bool writes);
void cm_watch_bad_free(const void *at);
/* A function of the host, or a library, may have written all of them. */
void cm_watch_all_written(void);
/* The thread of the machine that calls has come to the end of a block. */
void cm_watch_block_ends(void);
/* It ends itself: what it kept of shared memory is given back. */
void cm_watch_thread_ends(void);
/* Says what was never given back; at the program's end. */
void cm_watch_leaks(void);

/* ---- who runs, by block.c ---- */

struct cm_where {
    struct cm_grid *grid;
    uint64_t block; /* its number in the grid */
    unsigned int index[3], thread[3], rank, warp;
    uint32_t interval;         /* a new number for each block and after each of its barriers */
    uint32_t warp_interval;    /* after each operation of the warp */
    unsigned char *low, *high; /* room for dynamic shared memory */
    unsigned char *shared;     /* where it begins */
    size_t shared_size;
    const char *kernel;
    int kernel_length;
};
/* What block.c, which stands above, gives: who runs (false outside of kernels), and the end of a
   kernel. */
struct cm_watched {
    bool (*where)(struct cm_where *out);
    void (*trap)(cmError_t error);
};
extern struct cm_watched cm_watched;
bool cm_block_where(struct cm_where *out);

/* ---- report.c ---- */

/* Where code is: "a.cu:7", by the debugger's tables; *own tells whether it is the program's and
   not of this runtime's headers. `from` is a return address. */
void cm_place_of(const void *from, char *text, size_t room, bool *own);
/* The first return address above this library. */
const void *cm_caller(void);
/* Whether that pair has not been told yet, and there is room for one more. */
bool cm_report_new(const char *kind, const void *one, const void *other);
/* Lanes that never came to an operation of their warp; a lane whose mask is without itself; two
   threads that wait at two barriers (false: the places are one, and `differ` does not say better);
   a barrier at which one thread waits, while others have come to the kernel's end. */
void cm_report_lanes(const void *from, unsigned int warp, uint64_t mask, uint64_t missing);
void cm_report_mask(const void *from, unsigned int lane, uint64_t mask);
bool cm_report_barriers(const void *one, unsigned int thread, const void *other,
                        unsigned int other_thread, bool differ);
void cm_report_missed(const void *from, unsigned int thread, unsigned int over,
                      unsigned int over_first);
/* One report: the kind, a sentence, and further lines (each may be NULL). */
void cm_report(const char *kind, const struct cm_where *where, const char *sentence,
               const char *more);

#endif
