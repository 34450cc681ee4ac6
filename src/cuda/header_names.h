/* SPDX-License-Identifier: Apache-2.0 */
/* header_names.h - the names that the runtime's headers declare.
 *
 * A port that keeps a name of CUDA's libraries (cub::DeviceScan, cg::this_cluster) counts on a
 * header of ours that has it. tools/header_names lists what they declare when the program is
 * built, so that no list is kept by hand; here a name is looked up. Namespaces and classes are
 * known with their members; members of objects are not, as that takes the object's type. */
#ifndef CM_HEADER_NAMES_H
#define CM_HEADER_NAMES_H

#include "base/base.h"

/* In order. "a::b" is a name, "a::" a namespace or class, "a::*" one that takes names over from
 * elsewhere, so that it may have more. */
extern const char *const cm_header_names[]; /* of the headers for programs on libcmrt */
extern const size_t cm_header_name_count;
extern const char *const cm_sycl_names[]; /* of those for kernels in SYCL */
extern const size_t cm_sycl_name_count;

struct header_names {
    const char *const *v;
    size_t n;
};
/* Those of a port whose kernels are SYCL's, or of any other. */
struct header_names header_names_of(bool sycl);

/* Whether a header declares the name, a namespace or a class of that name included. */
bool header_names_declare(struct header_names names, struct arena *a, struct str name);
/* How many parts of a::b::c, the first included, spell a name that no header declares, though one
 * declares all that is around it; 0: none do, or nobody can tell. */
size_t header_names_absent(struct header_names names, struct arena *a, const struct str *parts,
                           size_t n);

#endif
