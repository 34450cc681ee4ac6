/* SPDX-License-Identifier: Apache-2.0 */
/* What a watched program did wrong, in sentences: on standard error, or as lines of JSON to the
   file of CUDA_MORPH_CHECK_OUTPUT, too. Lines of sources come from addr2line, which the compiler's
   package brings; without it a place is a file and an offset. */
#include "watch.h"
#include <dlfcn.h>
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#if __has_include(<execinfo.h>)
#include <execinfo.h>
#else /* musl walks no stacks: reports name the innermost place alone */
#define backtrace(frames, most) 0
#endif

enum { MOST_REPORTS = 100, MOST_PLACES = 512, MOST_FRAMES = 24 };

struct cm_watched cm_watched;

bool cm_block_where(struct cm_where *out) {
    return cm_watched.where && cm_watched.where(out);
}

/* ---- where code is ---- */

static struct place {
    const void *from;
    char text[256];
    bool own;
} places[MOST_PLACES];
static size_t place_count;
static pthread_mutex_t place_lock = PTHREAD_MUTEX_INITIALIZER; /* blocks that wait run at once */

static bool is_ours(const char *file) { return strstr(file, "cuda_morph/") != NULL; }

/* The functions that were inlined there, the innermost first: the first of the program's own. */
static bool ask(const char *module, size_t offset, struct place *p) {
    char command[600], line[400];
    snprintf(command, sizeof command, "addr2line -i -e '%s' 0x%zx 2>/dev/null", module, offset);
    FILE *answer = popen(command, "r");
    bool found = false, first = true;
    while (answer && fgets(line, sizeof line, answer)) {
        line[strcspn(line, "\n")] = '\0';
        char *extra = strstr(line, " (discriminator");
        if (extra) *extra = '\0';
        if (!strncmp(line, "??", 2) || found) continue;
        if (first) p->own = !is_ours(line);
        first = false;
        if (is_ours(line)) continue;
        char folder[300];
        const char *text = line;
        if (getcwd(folder, sizeof folder) && !strncmp(line, folder, strlen(folder)) &&
            line[strlen(folder)] == '/')
            text = line + strlen(folder) + 1;
        snprintf(p->text, sizeof p->text, "%.250s", text);
        found = true;
    }
    if (answer) pclose(answer);
    return found;
}

static void look_up(struct place *p) {
    Dl_info info;
    p->own = false;
    if (!p->from || !dladdr(p->from, &info) || !info.dli_fname) {
        snprintf(p->text, sizeof p->text, "an unknown place");
        return;
    }
    size_t offset = (size_t)((const char *)p->from - (const char *)info.dli_fbase) - 1;
    char exe[300];
    ssize_t n = readlink("/proc/self/exe", exe, sizeof exe - 1);
    exe[n > 0 ? n : 0] = '\0';
    const char *module = access(info.dli_fname, R_OK) == 0 ? info.dli_fname : exe;
    if (!ask(module, offset, p))
        snprintf(p->text, sizeof p->text, "%.200s+0x%zx", info.dli_fname, offset);
}

void cm_place_of(const void *from, char *text, size_t room, bool *own) {
    static struct place spare;
    struct place *p = NULL;
    pthread_mutex_lock(&place_lock);
    for (size_t i = 0; i < place_count && !p; i++)
        if (places[i].from == from) p = &places[i];
    if (!p) {
        p = place_count < MOST_PLACES ? &places[place_count++] : &spare;
        p->from = from;
        look_up(p);
    }
    snprintf(text, room, "%s", p->text);
    *own = p->own;
    pthread_mutex_unlock(&place_lock);
}

const void *cm_caller(void) {
    void *frames[MOST_FRAMES];
    Dl_info mine, other;
    int n = backtrace(frames, MOST_FRAMES);
    if (!dladdr((void *)(uintptr_t)&cm_caller, &mine)) return NULL;
    for (int i = 1; i < n; i++)
        if (dladdr(frames[i], &other) && other.dli_fbase != mine.dli_fbase) return frames[i];
    return NULL;
}

/* ---- reports ---- */

static struct told {
    const char *kind;
    const void *one, *other;
} told[MOST_REPORTS];
static size_t told_count, reports;

bool cm_report_new(const char *kind, const void *one, const void *other) {
    for (size_t i = 0; i < told_count; i++)
        if (!strcmp(told[i].kind, kind) && told[i].one == one && told[i].other == other)
            return false;
    if (told_count == MOST_REPORTS) return false;
    told[told_count++] = (struct told){kind, one, other};
    return true;
}

static void add_json(FILE *file, const char *key, const char *text, int length) {
    fprintf(file, "\"%s\": \"", key);
    for (int i = 0; i < length && text[i]; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c == '"' || c == '\\')
            fprintf(file, "\\%c", c);
        else if (c < ' ')
            fputc(' ', file);
        else
            fputc(c, file);
    }
    fputc('"', file);
}

static void write_line(const char *kind, const struct cm_where *w, const char *sentence,
                       const char *more) {
    const char *path = getenv("CUDA_MORPH_CHECK_OUTPUT");
    FILE *file = path && *path ? fopen(path, "ae") : NULL;
    if (!file) return;
    fputc('{', file);
    add_json(file, "kind", kind, 100);
    if (w) {
        fputs(", ", file);
        add_json(file, "kernel", w->kernel, w->kernel_length);
        fprintf(file, ", \"block\": [%u, %u, %u], \"thread\": [%u, %u, %u]", w->index[0],
                w->index[1], w->index[2], w->thread[0], w->thread[1], w->thread[2]);
    }
    fputs(", ", file);
    add_json(file, "message", sentence, 1000);
    if (more) fputs(", ", file);
    if (more) add_json(file, "more", more, 1000);
    fputs("}\n", file);
    fclose(file);
}

/* ---- suppressions: lines of `KIND PATTERN` in the file of CUDA_MORPH_CHECK_SUPPRESSIONS ---- */

/* Whether the pattern is that of a word of the text: a place, a kernel's name. */
static bool is_word_of(const char *pattern, const char *text, int length) {
    char word[300];
    for (int i = 0; i < length && text[i];) {
        int n = 0;
        for (; i < length && text[i] && !strchr(" ,\n", text[i]); i++)
            if (n < (int)sizeof word - 1) word[n++] = text[i];
        while (n > 0 && strchr(":.;", word[n - 1])) n--;
        word[n] = '\0';
        if (n && fnmatch(pattern, word, 0) == 0) return true;
        while (i < length && text[i] && strchr(" ,\n", text[i])) i++;
    }
    return false;
}

static bool is_suppressed(const char *kind, const struct cm_where *w, const char *sentence,
                          const char *more) {
    const char *path = getenv("CUDA_MORPH_CHECK_SUPPRESSIONS");
    FILE *file = path && *path ? fopen(path, "re") : NULL;
    char line[400], of[100], pattern[300];
    bool found = false;
    while (file && !found && fgets(line, sizeof line, file)) {
        if (sscanf(line, "%99s %299s", of, pattern) != 2 || *of == '#') continue;
        if (strcmp(of, "*") && strcmp(of, kind)) continue;
        found = is_word_of(pattern, sentence, 2000) || (more && is_word_of(pattern, more, 2000)) ||
                (w && is_word_of(pattern, w->kernel, w->kernel_length));
    }
    if (file) fclose(file);
    return found;
}

/* As many as were asked for: the program ends here. */
static void stop_after(size_t most) {
    if (!most || reports < most) return;
    fprintf(stderr, "cuda-morph: stopped after %zu report%s\n", reports, reports == 1 ? "" : "s");
    fflush(NULL);
    _exit(1);
}

void cm_report(const char *kind, const struct cm_where *w, const char *sentence,
               const char *more) {
    const char *most = getenv("CUDA_MORPH_CHECK_STOP");
    if (is_suppressed(kind, w, sentence, more)) return;
    reports++;
    if (w)
        fprintf(stderr,
                "cuda-morph: %s: kernel %.*s, block (%u, %u, %u), thread (%u, %u, %u): %s\n", kind,
                w->kernel_length, w->kernel, w->index[0], w->index[1], w->index[2], w->thread[0],
                w->thread[1], w->thread[2], sentence);
    else
        fprintf(stderr, "cuda-morph: %s: %s\n", kind, sentence);
    if (more) fprintf(stderr, "%s\n", more);
    write_line(kind, w, sentence, more);
    stop_after(most ? strtoul(most, NULL, 10) : 0);
}

/* ---- barriers ---- */

void cm_report_lanes(const void *from, unsigned int warp, uint64_t mask, uint64_t missing) {
    struct cm_where where;
    char place[256], text[500];
    bool own, known = cm_block_where(&where);
    if (!cm_report_new("sync", from, NULL)) return;
    cm_place_of(from, place, sizeof place, &own);
    snprintf(text, sizeof text,
             "lanes of mask %llx of warp %u never came to a warp operation at %s: %llx",
             (unsigned long long)mask, warp, place, (unsigned long long)missing);
    cm_report("sync", known ? &where : NULL, text, NULL);
}

void cm_report_mask(const void *from, unsigned int lane, uint64_t mask) {
    struct cm_where where;
    char place[256], text[500];
    bool own, known = cm_block_where(&where);
    if (!cm_report_new("sync", from, NULL)) return;
    cm_place_of(from, place, sizeof place, &own);
    snprintf(text, sizeof text,
             "lane %u comes to a warp operation at %s with mask %llx, which is without it", lane,
             place, (unsigned long long)mask);
    cm_report("sync", known ? &where : NULL, text, NULL);
}

bool cm_report_barriers(const void *one, unsigned int thread, const void *other,
                        unsigned int other_thread, bool differ) {
    struct cm_where where;
    char here[256], there[256], text[700];
    bool own, known = cm_block_where(&where);
    cm_place_of(one, here, sizeof here, &own);
    cm_place_of(other, there, sizeof there, &own);
    bool one_line = strcmp(here, there) == 0;
    if (one_line && !differ) return false;
    if (!cm_report_new("sync", one, other)) return true;
    snprintf(text, sizeof text,
             "threads of the block wait at different barriers: number %u at %s, number %u at %s%s",
             thread, here, other_thread, there, one_line ? " (two in one line)" : "");
    cm_report("sync", known ? &where : NULL, text, NULL);
    return true;
}

void cm_report_missed(const void *from, unsigned int thread, unsigned int over,
                      unsigned int over_first) {
    struct cm_where where;
    char place[256], text[500];
    bool own, known = cm_block_where(&where);
    if (!cm_report_new("sync", from, NULL)) return;
    cm_place_of(from, place, sizeof place, &own);
    snprintf(text, sizeof text,
             "threads of the block wait at the barrier at %s, number %u is one of them, and %u "
             "went past it to the kernel's end, number %u first",
             place, thread, over, over_first);
    cm_report("sync", known ? &where : NULL, text, NULL);
}
