/* SPDX-License-Identifier: Apache-2.0 */
/* capi.h - what libcudamorph.so exports: the porter of Python for programs that are no C, such
 * as the import hook of `cuda-morph run`.
 *
 * The ABI is plain: pointers, 64-bit numbers, NUL-terminated strings in UTF-8. It changes only
 * together with cm_py_abi(). Nothing prints, exits or reads a file but the rules that are named.
 * A porter is used by one thread at a time. */
#ifndef CM_CAPI_H
#define CM_CAPI_H

#include <stdint.h>

#define CM_API __attribute__((visibility("default")))

enum { CM_PY_ABI = 2 };

enum cm_py_flags {
    CM_PY_UNSAFE_FIXES = 1, /* apply what is close as well, as --unsafe-fixes does */
    CM_PY_REMARKS = 2       /* list what needs manual porting in `message` */
};

enum cm_py_status {
    CM_PY_PLAIN,     /* no CUDA in it: `output` is not set */
    CM_PY_UNCHANGED, /* CUDA in it, and nothing to rewrite */
    CM_PY_PORTED,    /* `output` and `edits` hold the port */
    CM_PY_REFUSED    /* `message` says why the text was left as it is */
};

struct cm_py_porter;

struct cm_py_edit {
    uint64_t start, end; /* bytes of the input that are replaced */
    uint64_t length;     /* by so many bytes of the output */
};

struct cm_py_result {
    int64_t status; /* enum cm_py_status */
    const char *output;
    uint64_t output_length;
    const struct cm_py_edit *edits; /* by position, without overlap */
    uint64_t n_edits;
    const char *message; /* lines of text, NUL-terminated; never NULL */
    int64_t is_local;    /* it depends on which files lie around this one: not to be kept */
};

/* CM_PY_ABI of this library. */
CM_API int64_t cm_py_abi(void);

/* The version of the tool, as of --version. */
CM_API const char *cm_py_version(void);

/* A porter for a target, by name or alias. `rules` and `versions` are NULL or end with NULL: rule
 * files as of --rules, and "rocm=6.4" as of --target-version. NULL on failure, with a sentence in
 * `error`, cut off at error_size bytes. */
CM_API struct cm_py_porter *cm_py_open(const char *target, const char *const *rules,
                                       const char *const *versions, uint64_t flags, char *error,
                                       uint64_t error_size);
CM_API void cm_py_close(struct cm_py_porter *porter);

/* The target's name proper, and a fact of rules/targets: NULL when there is none. */
CM_API const char *cm_py_target(const struct cm_py_porter *porter);
CM_API const char *cm_py_fact(struct cm_py_porter *porter, const char *key);

/* What a C or C++ name of CUDA's is called on the target: "musaMalloc" for "cudaMalloc". The name
 * itself where it stays, is unknown, or has a counterpart that is not the same (close ones count
 * under CM_PY_UNSAFE_FIXES). Lives as long as the porter; NULL: out of memory. */
CM_API const char *cm_py_c_name(struct cm_py_porter *porter, const char *name);

/* Tells one set of rules from another: part of every cache key. */
CM_API uint64_t cm_py_rules_hash(const struct cm_py_porter *porter);

/* Whether no rule can have anything to do with these bytes: fast, and never wrongly true. */
CM_API int64_t cm_py_is_plain(struct cm_py_porter *porter, const char *bytes, uint64_t length);

/* Ports the bytes of one Python file; `name` is for messages. The result lives until the next
 * call with the same porter. */
CM_API void cm_py_port(struct cm_py_porter *porter, const char *name, const char *bytes,
                       uint64_t length, struct cm_py_result *result);

#endif
