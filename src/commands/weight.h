/* SPDX-License-Identifier: Apache-2.0 */
/* weight.h - how much what stands in a place matters to those who look after the project. */
#ifndef CM_WEIGHT_H
#define CM_WEIGHT_H

#include "cudamorph.h"
#include "rules/rules.h"

enum weight {
    WEIGHT_FULL,
    WEIGHT_ASIDE, /* tests, examples, documentation, CI, what others wrote and programs write */
    WEIGHT_CUDA,  /* build files and scripts that are CUDA's by their name: the variant for CUDA */
};

/* By the path from the project's root and the lists check.* of rules/words.json. */
enum weight weight_of(const struct cm_session *s, enum cm_language language, struct str path);

/* A file as its findings are weighed. */
struct weighed {
    enum weight weight;
    enum cm_language language;
    struct str path, text;
};

/* How bad a finding is in the file, where no configuration says it: as its rule says, but that
 * what may be no device, an import that already falls back, and what a build reaches with CUDA
 * only are for those who ask; so is a script that calls a vendor's tools, where no vendor is
 * named. */
enum severity weighed_finding(const struct weighed *file, const struct cm_finding *f,
                              bool names_vendor);
/* A severity in such a place. */
enum severity weighed_severity(const struct weighed *file, enum severity own);

/* Python: whether the line that begins at `at` is an import in a `try` that lives without it. */
bool is_guarded_import(struct str text, size_t at);

/* CMake: whether `at` stands in an if() whose condition asks for CUDA: a build without does not
 * come there. */
bool is_behind_switch(struct str text, size_t at);

#endif
