/* SPDX-License-Identifier: Apache-2.0 */
/* classes.h - what classes.c tells of types: classes without constructors, lists, variables. */
#ifndef CM_CUDA_CLASSES_H
#define CM_CUDA_CLASSES_H

#include "cuda/cu.h"

/* A type as far as it is told: `type` is the innermost one, "" for what nobody knows (pointers,
 * too), in so many arrays and lists. */
struct cu_shape {
    struct str type;
    uint32_t arrays;
    uint32_t elements; /* of a member's arrays together; 0: not told */
    bool nests;        /* a list may stand in braces twice: std::array */
    bool grows;        /* std::vector: each of its values has its own braces */
};
struct cu_member {
    struct str name;
    struct cu_shape type;
};
struct cu_class {
    VEC(struct cu_member) members; /* bases are first, without a name */
    bool given;                    /* members have values of their own */
    struct cu *in;                 /* the text that defines it */
    uint32_t open;                 /* where its body opens there */
    struct str name;
};
/* What the words of a declaration before its name say. */
struct cu_shape cu_shape_of(const struct cu *f, struct str words);
/* Follows other names of the type; true: it is a class without constructors, that is *class. */
bool cu_resolve(struct cu *f, struct cu_shape *shape, struct cu_class *class);
/* The same for a class with constructors. */
bool cu_resolve_constructed(struct cu *f, struct cu_shape *shape, struct cu_class *class);
/* What the k-th parameter of its constructors is that take so many arguments and do not copy,
 * where all agree. */
struct cu_shape cu_constructor_shape(const struct cu_class *class, size_t k, size_t count);
/* Whether the type is one of CUDA's vectors, and the program has no class of that name. */
bool cu_is_vector(struct cu *f, struct str type);
/* Its member of that name, or NULL. */
const struct cu_member *cu_member_of(const struct cu_class *class, struct str name);
/* Where the words of a type begin that end before token i; i: there are none. */
uint32_t cu_type_start(const struct cu *f, uint32_t i);
/* What the variable is that is called so at token i, below so many subscripts or stars. */
struct cu_shape cu_variable_shape(struct cu *f, uint32_t i, uint32_t subscripts);

#endif
