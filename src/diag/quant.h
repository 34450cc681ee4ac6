/* SPDX-License-Identifier: Apache-2.0 */
/* quant.h - how a model directory is quantised, read from its files (never from its name), and
 * what each target makes of that: rules/quant/methods.json. */
#ifndef CM_QUANT_H
#define CM_QUANT_H

#include "diag/data.h"

/* What one serving stack makes of it. */
struct quant_stack {
    struct str name, verdict, note, source; /* note: may be empty */
};

struct quant_answer {
    struct str target, verdict, note; /* verdict: yes, no, depends, unknown */
    struct str instead, source; /* what to do on this target where it is not yes; may be empty */
    VEC(struct quant_stack) stacks;
};

struct quant_method {
    struct str name, alternative, source;
    str_vec names; /* what files call it */
    VEC(struct quant_answer) answers;
};

struct quant_methods {
    VEC(struct quant_method) v;
};

/* A fact about the model and the file that says so. */
struct quant_evidence {
    struct str file, text;
};

struct quant_model {
    struct str method; /* as the files call it; "none" when they say it is not quantised */
    bool is_known;     /* some file said so, or tensors did */
    VEC(struct quant_evidence) evidence;
    VEC(struct quant_evidence) problems; /* files that could not be read */
    size_t tensors;
};

/* The methods of rules/quant/, and one of them by its name or NULL. False with *error. */
bool quant_load(struct arena *a, struct quant_methods *out, struct str *error);
const struct quant_method *quant_find(const struct quant_methods *m, struct str name);

/* Reads config.json, the files of quantisers and the headers of safetensors in a directory. False
 * with *error when dir is no directory. */
bool quant_inspect(struct arena *a, const char *dir, struct quant_model *out, struct str *error);

#endif
