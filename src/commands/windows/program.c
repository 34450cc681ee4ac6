/* SPDX-License-Identifier: Apache-2.0 */
/* program.c - what tells this program from another build of it: its file, as no note is inside. */
#include "commands/cache.h"

#include <sys/stat.h>

void cache_add_program(struct buf *b) {
    char path[PATH_MAX];
    struct stat st;
    buf_addz(b, CM_VERSION ":");
    ssize_t n = readlink("/proc/self/exe", path, sizeof path);
    if (n > 0 && stat(path, &st) == 0)
        buf_printf(b, "%lld %lld.%09ld;", (long long)st.st_size, (long long)st.st_mtim.tv_sec,
                   st.st_mtim.tv_nsec);
}
