/* SPDX-License-Identifier: Apache-2.0 */
/* trace.c - which code a program ran, for tests/mutate/mutate.py: linked into what gcc built with
 * -fsanitize-coverage=trace-pc, when the environment names a folder CM_TRACE.
 *
 * $CM_TRACE/PROGRAM has a byte for each of the program's code, 1 where a block of code was
 * entered. It is mapped by all processes of the program, so that how they end does not matter and
 * nothing is lost when they run at the same time. run_fixtures says when a case ends;
 * $CM_TRACE/cases then has, for each such byte, its 32-bit place and a bit for each case. */
#include <dlfcn.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MAX_CASES = 4096 };

extern const char __ehdr_start[] __attribute__((visibility("hidden")));
extern const char __etext[] __attribute__((visibility("hidden")));

static unsigned char *map;      /* NULL: nobody asks, or it is too early */
static unsigned char *(*cases); /* by place: a bit for each case, or NULL */
static size_t size, n_cases;

__attribute__((visibility("hidden"))) void __sanitizer_cov_trace_pc(void) {
    size_t place = (size_t)((const char *)__builtin_return_address(0) - __ehdr_start);
    if (map && place < size) map[place] = 1;
}

__attribute__((constructor)) static void open_map(void) {
    const char *folder = getenv("CM_TRACE");
    char path[4096];
    Dl_info info;
    if (!folder || !dladdr(__ehdr_start, &info)) return;
    const char *name = strrchr(info.dli_fname, '/');
    size = (size_t)(__etext - __ehdr_start);
    snprintf(path, sizeof path, "%s/%s", folder, name ? name + 1 : info.dli_fname);
    int fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (fd < 0 || ftruncate(fd, (off_t)size) != 0) return;
    void *at = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    if (at != MAP_FAILED) map = at;
}

/* What run since the last call belongs to the next case. */
void trace_case(void) {
    if (!map || n_cases == MAX_CASES) return;
    if (!cases) cases = calloc(size, sizeof *cases);
    for (size_t i = 0; i < size; i++) {
        if (!map[i]) continue;
        if (!cases[i]) cases[i] = calloc(MAX_CASES / 8, 1);
        cases[i][n_cases / 8] |= (unsigned char)(1 << n_cases % 8);
        map[i] = 0;
    }
    n_cases++;
}

__attribute__((destructor)) static void write_cases(void) {
    const char *folder = getenv("CM_TRACE");
    char path[4096];
    if (!cases || !folder) return;
    snprintf(path, sizeof path, "%s/cases", folder);
    FILE *f = fopen(path, "wb");
    for (uint32_t i = 0; f && i < size; i++)
        if (cases[i] && fwrite(&i, sizeof i, 1, f)) fwrite(cases[i], MAX_CASES / 8, 1, f);
    if (f) fclose(f);
}
