/* SPDX-License-Identifier: Apache-2.0 */
/* asked.h - which files lie around the sources: each question goes to the disk once, and the
 * cache keeps all of them with their answers. A run that starts from the cache asks them again:
 * while all answers are the same, so is all that was found by them. */
#ifndef CM_ASKED_H
#define CM_ASKED_H

#include "base/base.h"

struct asked_file {
    struct str path;
    uint64_t hash; /* of the path */
    bool is_there;
};

/* The questions of one thread. */
struct asked {
    struct arena *a;
    VEC(struct asked_file) files;
    uint32_t *slots; /* a hash table of positions in files, plus 1 */
    size_t n_slots;
};

/* An empty one, whose memory is the arena's. */
void asked_init(struct asked *asked, struct arena *a);
/* Whether something is at the path. `asked` is a struct asked: a struct py_disk's. */
bool asked_exists(void *asked, struct str path);
/* Adds the questions of a text of asked_text; one that is damaged ends them. */
void asked_add(struct asked *asked, struct str text);
/* All questions and answers as one text, in the arena of `asked`. */
struct str asked_text(const struct asked *asked);
/* Whether the disk still says what stands in such a text. */
bool asked_holds(struct str text);

#endif
