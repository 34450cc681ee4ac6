/* SPDX-License-Identifier: Apache-2.0 */
/* project.h - what the C++ files of one tree tell each other, and what is asked about that. */
#ifndef CM_CUDA_PROJECT_H
#define CM_CUDA_PROJECT_H

#include "base/base.h"
#include "rules/rules.h"

struct cu;
struct sy_tree;

/* ---- tell.c ---- */

/* What a line tells: a name that the file defines; a class, a colon and a function of it that is
 * called as one of CUDA's; a path that it includes in quotes or angle brackets, or in quotes one
 * that rules name; alone, that it defines such a name as one of another vendor's; a constant that
 * may be about warps with its value; alone: it has code for devices; what src/sycl has to say of
 * functions of the device. */
enum cu_told {
    TELLS_NAME = 'n',
    TELLS_MEMBER = 'm',
    TELLS_QUOTED = 'i',
    TELLS_ANGLED = 'a',
    TELLS_OFFICIAL = 'o',
    TELLS_LAYER = 'l',
    TELLS_WIDTH = 'w',
    TELLS_DEVICE = 'd',
    TELLS_SYCL = 's'
};
/* Writes what a file tells the others. */
void cu_tell(struct buf *b, const struct rules *rules, struct str src);

/* ---- project.c ---- */

/* A path that a file includes. */
struct cu_project_include {
    struct str path;
    bool angled;
    bool official; /* rules name it: in quotes only a file beside can be meant */
};

struct cu_project_file {
    struct str path;
    VEC(struct str) names;
    VEC(struct cu_project_include) includes;
    VEC(struct str) widths;  /* "32 NAME" */
    VEC(struct str) members; /* class:function, where rules know the name of the function */
    VEC(struct str) device;  /* what TELLS_SYCL tells */
    uint32_t next;           /* + 1: in its bucket */
    uint32_t inclusion;      /* the first of `includes` among the project's */
    bool is_layer;           /* defines CUDA's names as those of another vendor */
    bool is_loose;           /* a header that no #include of the project can mean */
};

/* An #include of a file of the project. */
struct cu_inclusion {
    uint32_t file, include;
    uint32_t same; /* the first one of the project that says the same */
    uint32_t next; /* + 1: in its bucket */
};

/* Names, as a bit for the hash of each: most others are known not to be among them at once. */
struct cu_name_bits {
    uint64_t v[256];
};

/* A name that a file of the project defines. */
struct cu_defined {
    struct str name;
    uint32_t file;
    uint32_t next; /* + 1: in its bucket */
};

/* The C++ files of one tree that define names of rules or include something. */
struct cu_project {
    VEC(struct cu_project_file) files;
    uint32_t *buckets; /* by the last part of the path */
    size_t n_buckets;
    bool any_name;
    struct cu_name_bits width_names; /* that a file has in `widths` */
    VEC(struct cu_defined) defined;  /* every file's `names` */
    uint32_t *defined_buckets;       /* by the name */
    size_t n_defined_buckets;
    VEC(uint32_t) with_members; /* the files that have any, in order */
    VEC(struct cu_inclusion) inclusions;
    uint32_t *inclusion_buckets; /* by the last part of what is included */
    size_t n_inclusion_buckets;
    struct sy_tree *tree; /* of a port to SYCL, or NULL: src/sycl/tree.c */
    uint64_t hash;
};

/* Adds what a file told; copies it into `a`. */
void cu_project_add(struct cu_project *p, struct arena *a, struct str path, struct str told);
/* To be called when all are there, before any is asked about. */
void cu_project_link(struct cu_project *p, struct arena *a);
/* The file of that path, + 1; 0: there is none. */
uint32_t cu_project_file(const struct cu_project *p, struct str path);
/* parts[file]: which part of the tree it belongs to, of those that #include lines hold together;
 * a number, the same for all files of the part. */
void cu_project_parts(const struct cu_project *p, uint32_t *parts);
/* The same for the same files, in whichever order they came; 0 where none defines a name. */
uint64_t cu_project_hash(const struct cu_project *p);
/* The header by which a tree's copy of that library is known, "cub/cub.cuh", if the target has one
 * of its own ("copied_libraries"); else an empty string. */
struct str cu_copied_header(const struct cu *f, struct str library);
/* Whether the file of that path lies in such a copy; what it defines is no program's own. */
bool cu_is_copy(const struct cu *f, struct str path);
/* Whether another file, one that this file includes or that may be included by the command line,
 * defines a macro or a type of that name. */
bool cu_is_redefined(struct cu *f, struct str name);
/* The value of a constant that a file which this one sees defines as 32, 31 or 5; false: none
 * does, or they differ. */
bool cu_number_of(struct cu *f, struct str name, int64_t *out);
/* Whether a class of a file that this one sees has a method of that name. */
bool cu_has_method(struct cu *f, struct str name);
/* Declares the functions that classes of those files have, in the bodies that this file gives to
 * functions of the class. */
void cu_declare_members(struct cu *f);

/* Whether the project has the file that an #include in quotes of the one at `from` means first. */
bool cu_is_beside(const struct cu_project *p, struct str from, struct str include);
/* Whether that #include can mean the file of that path. */
bool cu_may_include(const struct cu_project *p, const struct cu_inclusion *in, struct str path);
/* Whether an #include can mean a file of the project, which may be NULL: headers that rules name
 * and those of C and C++ are none, but for a file beside that is called so. */
bool cu_is_project_header(const struct rules *rules, const struct cu_project *p, struct str from,
                          struct str include, bool quoted);
/* Appends the files of the project that an #include can mean, in order, by their numbers. */
struct cu_files {
    uint32_t *v;
    size_t n, cap;
};
void cu_included_files(const struct cu_project *p, struct arena *a, struct str include,
                       struct cu_files *out);
/* Whether the path is called as headers are. */
bool cu_is_header(struct str path);
/* The next #include, in the order of the files, that can mean the file of that path; `after` NULL:
 * the first. NULL: no more. */
const struct cu_inclusion *cu_next_includer(const struct cu_project *p, struct str path,
                                            const struct cu_inclusion *after);

#endif
