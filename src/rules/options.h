/* SPDX-License-Identifier: Apache-2.0 */
/* options.h - what a port depends on besides the file, the rules and the target.
 *
 * One row each, so that no option can be forgotten where all of them count: the session's hash,
 * which is part of every cache key, is made of the rows. A new one is a row here, a row of
 * cli/options.def, and a line of commands/inputs.c that reads the one into the other. */
#ifndef CM_OPTIONS_H
#define CM_OPTIONS_H

#include "base/base.h"

#define PORT_OPTIONS(OPTION)                                                                      \
    OPTION(unsafe_fixes) /* apply fixes whose meaning is close, too */                            \
    OPTION(lint)         /* rules that only check asks, too */                                    \
    OPTION(verify) /* what those know to be wrong on the target is said, and fixed where safe */  \
    OPTION(launch_functions) /* C++: write kernel launches as function calls */                   \
    OPTION(vendor_calls)     /* C++: the vendor's own functions and types (--host-api vendor) */  \
    OPTION(host_kernels)     /* C++: kernels go where host code goes (--kernels host) */          \
    OPTION(sycl_kernels)     /* C++: kernels become SYCL's (--kernels sycl) */                    \
    OPTION(helper_modules)   /* Python: what files of a package share is a module of its own */   \
    OPTION(foreign_suppressions) /* `#ignore-cuda`, a bare `# noqa` suppress their line, too */

struct port_options {
#define OPTION(name) bool name;
    PORT_OPTIONS(OPTION)
#undef OPTION
};

/* A number that differs where any of the options does. */
static inline uint64_t port_options_hash(const struct port_options *o) {
    uint64_t hash = 0;
#define OPTION(name) hash = hash * 2 + o->name;
    PORT_OPTIONS(OPTION)
#undef OPTION
    return hash;
}

#endif
