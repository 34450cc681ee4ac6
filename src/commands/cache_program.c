/* SPDX-License-Identifier: Apache-2.0 */
/* cache_program.c - what tells this program from another build of it, for the keys of caches. */
#include "commands/cache.h"

#include <elf.h>
#include <link.h>
#include <sys/stat.h>

/* The linker's hash of the program, in the notes of its file. */
static int add_build_id(struct dl_phdr_info *info, size_t size, void *b) {
    (void)size;
    for (int i = 0; i < info->dlpi_phnum; i++) {
        const ElfW(Phdr) *header = &info->dlpi_phdr[i];
        const char *p = (const char *)(info->dlpi_addr + header->p_vaddr);
        const char *end = p + header->p_memsz;
        while (header->p_type == PT_NOTE && end - p >= (ptrdiff_t)sizeof(ElfW(Nhdr))) {
            const ElfW(Nhdr) *note = (const void *)p;
            size_t name = (note->n_namesz + 3u) & ~3u, text = (note->n_descsz + 3u) & ~3u;
            p += sizeof *note;
            if (name + text > (size_t)(end - p)) break;
            if (note->n_type == NT_GNU_BUILD_ID) {
                buf_printf(b, "%u:", (unsigned)note->n_descsz);
                buf_add(b, (struct str){p + name, note->n_descsz});
                return 2;
            }
            p += name + text;
        }
    }
    return 1; /* the program itself comes first: no other file is asked */
}

/* A version number says little about a program that is being worked on; but one that was built
 * again from the same sources, as in CI, is the same. */
void cache_add_program(struct buf *b) {
    struct stat st;
    buf_addz(b, CM_VERSION ":");
    if (dl_iterate_phdr(add_build_id, b) == 2) return;
    if (stat("/proc/self/exe", &st) == 0)
        buf_printf(b, "%lld %lld.%09ld;", (long long)st.st_size, (long long)st.st_mtim.tv_sec,
                   st.st_mtim.tv_nsec);
}
