/* SPDX-License-Identifier: Apache-2.0 */
/* probes.h - what a target needs on a machine, and what is there: "probes" of rules/targets/, as
 * rules/README.md describes it. */
#ifndef CM_PROBES_H
#define CM_PROBES_H

#include "diag/machine.h"

enum probe_kind {
    PROBE_FILE,
    PROBE_NODE,
    PROBE_LIBRARY,
    PROBE_TOOL,
    PROBE_PYTHON,
    PROBE_VARIABLE
};
enum probe_need { NEED_REQUIRED, NEED_RECOMMENDED, NEED_OPTIONAL };

struct probe_item {
    struct str id, title;
    enum probe_kind kind;
    enum probe_need need;
    struct str purpose; /* looked at for this command only; empty: for all of a target */
    bool full;          /* looked at under --full only */
    bool proof;         /* where it is, so is the vendor's software or device */
    str_vec any;        /* one of these has to be there */
    str_vec dirs;       /* libraries and tools: where else to look */
    str_vec version_files;
    struct str version_pattern;
    struct str version_ask; /* tools: the argument that makes it say its version; empty: none */
    struct str key; /* what its version is called in the tables of versions; empty: none */
    struct str fix, source;
};

struct probe_device {
    struct str vendor, class_prefix, id, name, source; /* of PCI; id empty: any */
};

struct probe_variable {
    struct str name, note, source;
};

/* The C functions of a library that count devices, called in a child process; all return 0 when
 * they could: `int init(0)`, may be empty; without drivers `int count(int *)`; with them
 * `int drivers(unsigned *, void **)` lists drivers, `int count(void *, unsigned *, void **)` the
 * devices of one, and `int properties(void *, void *)` says of what type one is. */
struct probe_query {
    struct str library, init, drivers, count, properties;
};

/* How torch.compile is called on the target. */
struct probe_compile {
    struct str backend, code, note, source; /* backend empty: nothing is known */
    VEC(struct probe_variable) modes;       /* name: the mode; note: what it does there */
};

struct probe_target {
    struct str name, title;
    int64_t order;
    VEC(struct probe_device) devices;
    VEC(struct probe_variable) select;    /* what chooses devices, the strongest first */
    VEC(struct probe_variable) conflicts; /* what should not be set */
    VEC(struct probe_item) items;
    struct probe_query query;
    struct probe_compile compile;
};
typedef VEC(struct probe_target) probe_targets;

struct found_device {
    struct str bus, vendor, id, name; /* name: "" when the id is not in the list */
};

struct found_item {
    const struct probe_item *item;
    bool found;
    struct str path, version;
    struct str unread;    /* why a file that its version would stand in was not read */
    struct str python;    /* of a package: the version of Python it is installed for, if known */
    struct str problem;   /* it is there, but: cannot be opened, names no directory */
    struct str elsewhere; /* of a package that is not found: where another Python has it */
};

struct found_target {
    const struct probe_target *target;
    VEC(struct found_device) devices;
    VEC(struct found_item) items;
    int counted;    /* devices by the vendor's library; -1: not asked or no answer */
    bool detected;  /* a device, by PCI, by its file or by the vendor's library */
    bool installed; /* the vendor's software, with or without a device */
};

/* Reads the targets in the binary and, where a file has probes, in `paths` (files, or directories
 * with targets/), in their order. False with a sentence in *error. */
bool probes_load(struct arena *a, const struct str *paths, size_t n, probe_targets *out,
                 struct str *error);
/* Reads what programs for CUDA are built with: toolkit, compilers, BLAS, the container. */
bool probes_load_host(struct arena *a, struct probe_target *out, struct str *error);
/* Looks at the machine, also for the items of `purpose` (empty: none). */
void probes_run(const struct machine *m, const struct probe_target *t, bool full,
                struct str purpose, struct found_target *out);

#endif
