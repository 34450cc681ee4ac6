/* SPDX-License-Identifier: Apache-2.0 */
/* cache.h - what earlier runs found out about the same files, so that an unchanged file is neither
 * read nor parsed again.
 *
 * One file below $XDG_CACHE_HOME/cuda-morph (else ~/.cache/cuda-morph) holds the last run of one
 * command line in one directory. Its name is the hash of all that answers depend on beside the
 * sources: the program, the rules, the options, the configuration. In it stands a record for each
 * source: the state that the file was in, the hash of its bytes, what it tells about the project,
 * and the engine's answers. The file is replaced as a whole, so runs at the same time do no harm;
 * one that is damaged counts as none; where nothing can be written there is no cache, and no
 * complaint. Old files go when there are too many. */
#ifndef CM_CACHE_H
#define CM_CACHE_H

#include "cudamorph.h"

/* The state of a file that cannot change without a trace; size UINT64_MAX: not to be trusted. */
struct cache_stat {
    uint64_t dev, ino, size;
    int64_t mtime_ns, ctime_ns;
};
/* False where there is no such file. */
bool cache_stat(const char *path, struct cache_stat *out);

struct cache_record {
    uint64_t path; /* str_hash of it */
    struct cache_stat stat;
    struct hash128 content;
    struct str facts;  /* cm_facts_of */
    struct str answer; /* encoded results, one for each target; empty: nothing to tell */
    bool by_facts;     /* the answer depends on the facts of the project */
    bool by_disk;      /* ... and on what the disk was asked */
};

/* What the records depend on together. */
struct cache_ground {
    uint64_t facts_hash; /* of the project */
    struct str asked;    /* asked_text() */
};

struct cache {
    struct arena *a;
    const char *path; /* of the file; NULL: there is no cache */
    struct str text;  /* the file as it was, or empty */
    size_t n;         /* records in it */
    struct cache_ground ground;
    int64_t now_ns; /* when it was opened */
};

/* Finds the file for a run that depends on `key` and reads it. */
void cache_open(struct cache *c, struct arena *a, struct hash128 key);
/* The record of a path; its strings are views that live as long as the cache. */
bool cache_find(const struct cache *c, uint64_t path, struct cache_record *out);
/* Replaces the file. `records` are sorted by this. */
void cache_write(struct cache *c, struct cache_record *records, size_t n,
                 struct cache_ground ground);

/* Adds to a key what tells this program from other builds of it. */
void cache_add_program(struct buf *b);
/* The path of a folder of ours for other caches, made where it is missing, with a '/' behind it;
 * NULL where nobody says where caches are, or others may write there. */
const char *cache_folder(struct arena *a, const char *name);

/* ---- results (cache_result.c) ---- */

/* Appends a result without its output, and without the findings that are kept as they are. */
void cache_encode(struct buf *b, const struct cm_result *r);
/* Reads one from the front of *text; strings are views into it. False when it is damaged. */
bool cache_decode(struct arena *a, struct str *text, struct cm_result *out);

#endif
