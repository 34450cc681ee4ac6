/* SPDX-License-Identifier: Apache-2.0 */
/* The books of a watched program.
 *
 * Each allocation has a bit for each byte, whether it was written, and for each four bytes who
 * wrote and read them last. Two accesses by threads of one block are in an order if a barrier, or
 * within a warp an operation of the warp, lies between them; by threads of two blocks of one
 * launch only where both are atomic, or the later block has gone through a fence or an atomic
 * function before (it may have waited for the other). Threads of a block take turns, so a race is
 * seen whatever came of it. */
#include "watch.h"
#include <cuda_morph/check.h>
#include <elf.h>
#include <fcntl.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct side {
    uint32_t interval, launch, block;
    uint16_t rank, warp_interval;
    uint8_t bytes, atomic, compares, any;
    const void *from;
};
struct cell {
    struct side wrote, updated, read[2]; /* updated: atomically */
};

/* Memory that is watched: an allocation, or the shared memory of the block that runs. */
struct region {
    unsigned char *base;
    size_t size;
    enum cm_memory kind;
    const void *site; /* who asked for it */
    bool shared, gone;
    unsigned char *written; /* a bit for each byte; NULL: all are */
    struct cell *cells;     /* for each four; NULL: too many */
    uint32_t interval;      /* shared: the block's first */
    char name[64];
};

enum { MOST = 1 << 16, GONE = 1024, MOST_CELLS = 1 << 26 };

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct region *regions, gone[GONE], statics[256];
static size_t count, room, gone_count, static_count;
static uint32_t launch; /* that makes the access, under `lock` */
/* A cooperative grid's blocks run at once, each on a thread of the machine, with its own books. */
static _Thread_local struct region *own_statics, *own_dynamic;

/* ---- which checks ---- */

unsigned int cm_watch_names(const char *list) {
    static const struct {
        const char *name;
        unsigned int bits;
    } names[] = {{"0", 0},
                 {"1", CM_CHECK_MEMORY},
                 {"memory", CM_CHECK_MEMORY},
                 {"race", CM_CHECK_RACE},
                 {"init", CM_CHECK_INIT},
                 {"sync", CM_CHECK_SYNC},
                 {"leak", CM_CHECK_LEAK},
                 {"all", CM_CHECK_ALL}};
    unsigned int bits = 0;
    while (list && *list) {
        size_t length = strcspn(list, ","), i = 0, n = sizeof names / sizeof *names;
        while (i < n && (strlen(names[i].name) != length || strncmp(names[i].name, list, length)))
            i++;
        if (i < n)
            bits |= names[i].bits;
        else
            fprintf(stderr,
                    "cuda-morph: CUDA_MORPH_CHECK has no check '%.*s'; there are memory, "
                    "race, init, sync, leak and all\n",
                    (int)length, list);
        list += length + (list[length] == ',');
    }
    return bits;
}

/* ---- memory comes and goes ---- */

static void *zeroes(size_t size) {
    void *p = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE,
                   -1, 0);
    return p == MAP_FAILED ? NULL : p;
}

static void make_books(struct region *r, bool init) {
    if (init && cm_settings.checks & CM_CHECK_INIT) r->written = zeroes(r->size / 8 + 1);
    if (cm_settings.checks & CM_CHECK_RACE && r->size / 4 < MOST_CELLS)
        r->cells = zeroes((r->size / 4 + 2) * sizeof *r->cells);
}

static void drop_books(struct region *r) {
    if (r->written) munmap(r->written, r->size / 8 + 1);
    if (r->cells) munmap(r->cells, (r->size / 4 + 2) * sizeof *r->cells);
    r->written = NULL;
    r->cells = NULL;
}

void cm_watch_new(const struct cm_allocation *a) {
    if (!cm_settings.checks || count >= MOST) return;
    struct region r = {.base = a->base, .size = a->size, .kind = a->kind, .site = cm_caller()};
    make_books(&r, a->kind == CM_DEVICE_MEMORY);
    pthread_mutex_lock(&lock);
    if (count == room) {
        size_t more = room ? room * 2 : 64;
        struct region *grown = realloc(regions, more * sizeof *regions);
        if (grown) regions = grown, room = more;
    }
    if (count < room) regions[count++] = r;
    pthread_mutex_unlock(&lock);
}

void cm_watch_gone(const void *base) {
    if (!cm_settings.checks) return;
    pthread_mutex_lock(&lock);
    for (size_t i = count; i-- > 0;)
        if (regions[i].base == base) {
            drop_books(&regions[i]);
            gone[gone_count++ % GONE] = regions[i];
            regions[i] = regions[--count];
            break;
        }
    pthread_mutex_unlock(&lock);
}

static struct region *find(const unsigned char *at) {
    static _Thread_local size_t last;
    if (last < count && (size_t)(at - regions[last].base) < regions[last].size)
        return &regions[last];
    for (size_t i = 0; i < count; i++)
        if ((size_t)(at - regions[i].base) < regions[i].size) return &regions[last = i];
    return NULL;
}

static void set_written(struct region *r, const unsigned char *at, size_t size) {
    if (!r->written) return;
    for (size_t i = (size_t)(at - r->base); size && i < r->size; i++, size--)
        r->written[i / 8] |= (unsigned char)(1 << i % 8);
}

void cm_watch_written(const void *address, size_t size) {
    if (!(cm_settings.checks & CM_CHECK_INIT)) return;
    pthread_mutex_lock(&lock);
    struct region *r = find(address);
    if (r) set_written(r, address, size);
    pthread_mutex_unlock(&lock);
}

void cm_watch_all_written(void) {
    if (!(cm_settings.checks & CM_CHECK_INIT)) return;
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < count; i++) {
        if (regions[i].written) munmap(regions[i].written, regions[i].size / 8 + 1);
        regions[i].written = NULL;
    }
    pthread_mutex_unlock(&lock);
}

void cm_watch_leaks(void) {
    char place[256], text[500];
    bool own;
    for (size_t i = 0; i < count; i++) {
        const struct region *r = &regions[i];
        if (r->kind == CM_REGISTERED || r->kind == CM_RESERVED) continue;
        cm_place_of(r->site, place, sizeof place, &own);
        snprintf(text, sizeof text, "%zu bytes allocated at %s were never freed", r->size, place);
        cm_report("leak", NULL, text, NULL);
    }
}

/* ---- shared memory: dynamic, and the variables of kernels ---- */

/* Local variables of functions, one per thread of the machine, that are not this runtime's:
   __shared__ ones. Their names tell: _ZZ4kernPiE4tile. */
static void take_symbols(const ElfW(Ehdr) * h, size_t size) {
    const ElfW(Shdr) *sections = (const void *)((const char *)h + h->e_shoff);
    if (h->e_shoff + h->e_shnum * sizeof *sections > size) return;
    for (unsigned int s = 0; s < h->e_shnum; s++) {
        if (sections[s].sh_type != SHT_SYMTAB || sections[s].sh_link >= h->e_shnum) continue;
        const ElfW(Sym) *symbols = (const void *)((const char *)h + sections[s].sh_offset);
        const char *names = (const char *)h + sections[sections[s].sh_link].sh_offset;
        for (size_t i = 0; i < sections[s].sh_size / sizeof *symbols; i++) {
            const char *name = names + symbols[i].st_name;
            bool is_variable = (symbols[i].st_info & 15) == STT_TLS && symbols[i].st_size;
            if (!is_variable || strncmp(name, "_ZZ", 3) != 0 || strstr(name, "N2cm")) continue;
            if (strncmp(name, "_ZZN3cub", 8) == 0 || static_count == 256) continue;
            struct region *r = &statics[static_count++];
            *r = (struct region){.size = symbols[i].st_size, .shared = true};
            r->base = (unsigned char *)(uintptr_t)symbols[i].st_value; /* offset, for now */
            const char *end = strrchr(name, 'E'), *own = end ? end + 1 : name;
            while (*own >= '0' && *own <= '9') own++;
            snprintf(r->name, sizeof r->name, "shared variable '%.40s'", own);
            char *tail = strstr(r->name, "_0");
            if (tail) *tail = '\0';
        }
    }
}

/* Only the program itself: kernels of its shared libraries are watched without names. */
static void find_statics(void) {
    int file = open("/proc/self/exe", O_RDONLY | O_CLOEXEC);
    off_t size = file < 0 ? 0 : lseek(file, 0, SEEK_END);
    void *whole = size > (off_t)sizeof(ElfW(Ehdr))
                      ? mmap(NULL, (size_t)size, PROT_READ, MAP_PRIVATE, file, 0)
                      : MAP_FAILED;
    if (whole != MAP_FAILED) {
        take_symbols(whole, (size_t)size);
        munmap(whole, (size_t)size);
    }
    if (file >= 0) close(file);
}

static int take_tls(struct dl_phdr_info *info, size_t size, void *base) {
    (void)size;
    *(unsigned char **)base = info->dlpi_tls_data;
    return 1; /* the program is the first */
}

/* A new block begins with shared memory that nobody has written. */
static void begin_block(struct region *r, const struct cm_where *w) {
    uint32_t block = (uint32_t)w->block ^ launch << 20;
    if (r->interval == block + 1) return;
    r->interval = block + 1;
    if (!r->written && !r->cells) make_books(r, true);
    if (r->written) memset(r->written, 0, r->size / 8 + 1);
    if (r->cells) memset(r->cells, 0, (r->size / 4 + 2) * sizeof *r->cells);
}

static struct region *copy_of(const struct region *of, size_t n) {
    struct region *copy = malloc(n * sizeof *copy);
    if (copy) memcpy(copy, of, n * sizeof *copy);
    return copy;
}

/* A copy of it with its place on this thread of the machine; its books are the same. */
static bool find_static(const unsigned char *at, struct region *out, const struct cm_where *w) {
    static bool known;
    static _Thread_local unsigned char *base;
    if (!known) find_statics();
    known = true;
    if (!base) dl_iterate_phdr(take_tls, &base);
    if (!own_statics && static_count) own_statics = copy_of(statics, static_count);
    if (!base || !own_statics) return false;
    for (size_t i = 0; i < static_count; i++) {
        unsigned char *here = base + (uintptr_t)statics[i].base;
        if ((size_t)(at - here) >= statics[i].size) continue;
        begin_block(&own_statics[i], w);
        *out = own_statics[i];
        out->base = here;
        return true;
    }
    return false;
}

static struct region *find_dynamic(const struct cm_where *w, const unsigned char *at) {
    static const struct region fresh = {.shared = true, .name = "dynamic shared memory"};
    struct region *r = own_dynamic;
    if (!w->low || at < w->low || at >= w->high) return NULL;
    if (!r && !(r = own_dynamic = copy_of(&fresh, 1))) return NULL;
    if (r->base != w->shared || r->size != w->shared_size) {
        drop_books(r);
        *r = fresh;
        r->base = w->shared;
        r->size = w->shared_size;
    }
    return r;
}

void cm_watch_thread_ends(void) {
    for (size_t i = 0; own_statics && i < static_count; i++) drop_books(&own_statics[i]);
    if (own_dynamic) drop_books(own_dynamic);
    free(own_statics);
    free(own_dynamic);
    own_statics = own_dynamic = NULL;
}

void cmCheckAligned(const char *file, unsigned int line, unsigned int column, const void *address,
                    size_t alignment, const char *type) {
    struct cm_where where;
    char text[500];
    bool kernel = cm_block_where(&where);
    if (!(cm_settings.checks & CM_CHECK_MEMORY) || !kernel) return;
    if (!address || !((uintptr_t)address % alignment)) return;
    if (!cm_report_new("memory", file, (const void *)(uintptr_t)(line * 1000u + column))) return;
    snprintf(text, sizeof text,
             "access at %s:%u to address %p, which is no multiple of %zu, as type %s", file, line,
             address, alignment, type);
    cm_report("memory", &where, text, NULL);
}

void cmCheckBounds(const char *file, unsigned int line, unsigned int column, long long index,
                   const char *type) {
    struct cm_where where;
    char text[500];
    bool kernel = cm_block_where(&where);
    if (!(cm_settings.checks & CM_CHECK_MEMORY) || !kernel) return;
    if (!cm_report_new("memory", file, (const void *)(uintptr_t)(line * 1000u + column))) return;
    snprintf(text, sizeof text, "index %lld at %s:%u is outside of an array of type %s", index,
             file, line, type);
    cm_report("memory", &where, text, NULL);
}

/* ---- what is wrong ---- */

enum { CM_NULL_PAGE = 4096 }; /* where no machine has memory */

struct access {
    const unsigned char *at;
    size_t size;
    bool writes, atomic, updates, compares, bytes;
    const void *from;
    struct cm_where where;
};

static const char *verb(bool writes, bool atomic) {
    return atomic ? "atomic access" : writes ? "write" : "read";
}

static void say(const struct access *a, const char *kind, const char *what, const char *more) {
    char place[256], text[1200];
    bool own;
    cm_place_of(a->from, place, sizeof place, &own);
    snprintf(text, sizeof text, "%s of %zu bytes at %s: %s", verb(a->writes, a->atomic), a->size,
             place, what);
    cm_report(kind, a->where.grid ? &a->where : NULL, text, more);
}

static void say_outside(const struct access *a, const struct region *r, bool freed) {
    char what[700], place[256];
    bool own, behind = a->at >= r->base + r->size || a->at + a->size > r->base + r->size;
    size_t by = freed                                   ? (size_t)(a->at - r->base)
                : a->at < r->base                       ? (size_t)(r->base - a->at)
                : a->at - r->base >= (ptrdiff_t)r->size ? (size_t)(a->at - r->base) - r->size
                                                        : 0;
    if (r->shared) {
        snprintf(what, sizeof what, "%zu bytes %s the %zu bytes of %s", by,
                 behind ? "behind" : "before", r->size, r->name);
    } else {
        cm_place_of(r->site, place, sizeof place, &own);
        snprintf(what, sizeof what, "%zu bytes %s the %zu bytes allocated at %s%s", by,
                 freed    ? "into"
                 : behind ? "behind"
                          : "before",
                 r->size, place, freed ? ", which are freed" : "");
    }
    if (cm_report_new("memory", a->from, NULL)) say(a, "memory", what, NULL);
}

/* The memory that an access outside of any probably meant; *freed: it is no more. */
static const struct region *nearest(const unsigned char *at, bool *freed) {
    const struct region *best = NULL;
    /* So far away nothing else can be. */
    size_t distance = cm_guarded_has(at) ? SIZE_MAX : CM_GUARD;
    *freed = false;
    for (size_t i = 0; i < GONE && i < gone_count; i++)
        if ((size_t)(at - gone[i].base) < gone[i].size) {
            *freed = true;
            return &gone[i];
        }
    for (size_t i = 0; i < count; i++) {
        const struct region *r = &regions[i];
        size_t d = at < r->base ? (size_t)(r->base - at) : (size_t)(at - r->base) - r->size;
        if (d >= distance) continue;
        distance = d;
        best = r;
    }
    return best;
}

/* A plain read beside a compare-and-swap needs no order: what was read is what is expected there,
   or it is read again (CUDA's own example of an atomic function). */
static bool is_expectation(const struct side *s, const struct access *a, bool wrote) {
    return (s->compares && !a->writes) || (a->compares && !wrote && !s->atomic);
}

static bool is_ordered(const struct side *s, const struct access *a, bool shared, bool wrote) {
    const struct cm_where *w = &a->where;
    if (!s->any || s->launch != launch || (s->atomic && a->atomic)) return true;
    if (is_expectation(s, a, wrote)) return true;
    if (s->block != (uint32_t)w->block) return shared || w->grid->fenced;
    if (s->rank == w->rank || s->interval != w->interval) return true;
    return s->rank / (unsigned)cm_settings.warp_size == w->warp &&
           s->warp_interval != (uint16_t)w->warp_interval;
}

static void tell_race(const struct access *a, const struct region *r, const struct side *s,
                      bool wrote) {
    char place[256], what[700], more[700];
    bool own, own_here;
    cm_place_of(a->from, place, sizeof place, &own_here);
    cm_place_of(s->from, place, sizeof place, &own);
    /* Atomic functions are this runtime's own; what else it does is in order. */
    if (!(own || s->atomic) || !(own_here || a->atomic)) return;
    if (!cm_report_new("race", a->from, s->from)) return;
    snprintf(what, sizeof what, "another thread's %s is in no order with it, in %s",
             verb(wrote, s->atomic), r->shared ? r->name : "global memory");
    unsigned int x = a->where.grid->call.block.x, y = a->where.grid->call.block.y;
    snprintf(more, sizeof more, "    the %s at %s by thread (%u, %u, %u) of block number %u",
             verb(wrote, s->atomic), place, s->rank % x, s->rank / x % y, s->rank / x / y,
             s->block);
    say(a, "race", what, more);
}

/* Two writes that nothing orders: no matter, if both are of the same value. That is known when
   this thread of the machine makes its next access, or has come to the end of its block. */
static _Thread_local struct {
    bool any;
    struct access second;
    struct region region;
    struct side first;
    unsigned char value[16];
} doubt;

static void settle_doubt(void) {
    if (!doubt.any) return;
    doubt.any = false;
    if (memcmp(doubt.second.at, doubt.value, doubt.second.size))
        tell_race(&doubt.second, &doubt.region, &doubt.first, true);
}

void cm_watch_block_ends(void) {
    if (!doubt.any) return;
    pthread_mutex_lock(&lock);
    settle_doubt();
    pthread_mutex_unlock(&lock);
}

static void say_race(const struct access *a, const struct region *r, const struct side *s,
                     bool wrote) {
    bool plain = wrote && a->writes && !a->atomic && !s->atomic && a->size <= sizeof doubt.value;
    if (!plain) {
        tell_race(a, r, s, wrote);
    } else if (!doubt.any) {
        doubt.any = true;
        doubt.second = *a;
        doubt.region = *r;
        doubt.first = *s;
        memcpy(doubt.value, a->at, a->size);
    }
}

static void note(struct side *s, const struct access *a, unsigned int bytes) {
    *s = (struct side){.interval = a->where.interval,
                       .launch = launch,
                       .block = (uint32_t)a->where.block,
                       .rank = (uint16_t)a->where.rank,
                       .warp_interval = (uint16_t)a->where.warp_interval,
                       .bytes = (uint8_t)bytes,
                       .atomic = a->atomic,
                       .compares = a->compares,
                       .any = 1,
                       .from = a->from};
}

static void check_races(struct region *r, const struct access *a) {
    size_t first = (size_t)(a->at - r->base), end = first + a->size;
    for (size_t g = first / 4; g * 4 < end; g++) {
        struct cell *c = &r->cells[g];
        unsigned int bytes = 0;
        for (unsigned int k = 0; k < 4; k++)
            bytes |= (g * 4 + k >= first && g * 4 + k < end) ? 1u << k : 0;
        if (c->wrote.bytes & bytes && !is_ordered(&c->wrote, a, r->shared, true))
            say_race(a, r, &c->wrote, true);
        if (c->updated.bytes & bytes && !is_ordered(&c->updated, a, r->shared, true))
            say_race(a, r, &c->updated, true);
        for (int i = 0; i < 2 && a->writes; i++)
            if (c->read[i].bytes & bytes && !is_ordered(&c->read[i], a, r->shared, false))
                say_race(a, r, &c->read[i], false);
        if (a->writes) {
            note(a->atomic ? &c->updated : &c->wrote, a, bytes);
        } else if (c->read[0].rank != a->where.rank || !c->read[0].any) {
            if (c->read[0].interval == a->where.interval) c->read[1] = c->read[0];
            note(&c->read[0], a,
                 bytes | (c->read[0].rank == a->where.rank ? c->read[0].bytes : 0));
        } else {
            note(&c->read[0], a, bytes | c->read[0].bytes);
        }
    }
}

static void check_init(struct region *r, const struct access *a) {
    bool own;
    char place[256];
    size_t first = (size_t)(a->at - r->base);
    if (a->writes && !a->updates) {
        set_written(r, a->at, a->size);
        return;
    }
    for (size_t i = first; i < first + a->size; i++)
        if (!(r->written[i / 8] >> i % 8 & 1)) {
            cm_place_of(a->from, place, sizeof place, &own);
            if ((own || a->atomic) && cm_report_new("init", a->from, NULL)) {
                char what[600], site[256];
                if (!r->shared) cm_place_of(r->site, site, sizeof site, &own);
                snprintf(what, sizeof what, "nothing was written there, in %s%s",
                         r->shared ? r->name : "the memory allocated at ", r->shared ? "" : site);
                say(a, "init", what, NULL);
            }
            set_written(r, a->at, a->size);
            return;
        }
}

static void check_aligned(const struct access *a) {
    size_t need = a->size > 16 ? 16 : a->size;
    char what[100];
    if (need & (need - 1) || !((uintptr_t)a->at & (need - 1))) return;
    if (!cm_report_new("memory", a->from, NULL)) return;
    snprintf(what, sizeof what, "the address %p is not a multiple of %zu", (const void *)a->at,
             need);
    say(a, "memory", what, NULL);
}

/* ---- an access ---- */

/* True: the access must not be made. */
static bool in_kernel(const struct access *a) {
    bool freed, memory = cm_settings.checks & CM_CHECK_MEMORY;
    struct region *r = find(a->at);
    if (!r && (r = find_dynamic(&a->where, a->at))) begin_block(r, &a->where);
    struct region here;
    if (!r && find_static(a->at, &here, &a->where)) r = &here;
    if (r && (a->at < r->base || a->at + a->size > r->base + r->size)) {
        if (memory) say_outside(a, r, false);
        return memory && !r->shared;
    }
    if (!r) {
        const struct region *near = nearest(a->at, &freed);
        bool null = (uintptr_t)a->at < CM_NULL_PAGE;
        if (null && memory && cm_report_new("memory", a->from, NULL))
            say(a, "memory", "through a null pointer", NULL);
        bool nobodys = null || near || cm_guarded_has(a->at);
        if (!nobodys || !memory) return false;
        if (near)
            say_outside(a, near, freed);
        else if (!null && cm_report_new("memory", a->from, NULL))
            say(a, "memory", "no memory that is allocated is near", NULL);
        return true;
    }
    if (memory && !a->bytes) check_aligned(a);
    if (r->cells) check_races(r, a);
    if (r->written) check_init(r, a);
    return false;
}

/* ---- what the host asks for ---- */

void cm_watch_bad_copy(const void *at, size_t size, bool writes) {
    struct access a = {.at = at, .size = size, .writes = writes, .from = cm_caller()};
    bool freed = false;
    if (!(cm_settings.checks & CM_CHECK_MEMORY)) return;
    pthread_mutex_lock(&lock);
    const struct region *r = find(at);
    if (!r) r = nearest(at, &freed);
    if (r) say_outside(&a, r, freed);
    pthread_mutex_unlock(&lock);
}

void cm_watch_bad_free(const void *at) {
    char place[256], site[256], text[700];
    const void *from = cm_caller();
    bool own, freed = false;
    if (!(cm_settings.checks & CM_CHECK_MEMORY) || !cm_report_new("memory", from, NULL)) return;
    pthread_mutex_lock(&lock);
    const struct region *r = find(at);
    if (!r) r = nearest(at, &freed);
    cm_place_of(from, place, sizeof place, &own);
    if (r) cm_place_of(r->site, site, sizeof site, &own);
    if (r && (freed || at != r->base))
        snprintf(text, sizeof text, "address %p is freed at %s: %s the %zu bytes allocated at %s",
                 at, place, freed ? "that was done before, for" : "it is not the beginning of",
                 r->size, site);
    else
        snprintf(text, sizeof text, "address %p is freed at %s: %s", at, place,
                 r ? "that is another function's memory" : "it was not allocated");
    cm_report("memory", NULL, text, NULL);
    pthread_mutex_unlock(&lock);
}

static _Thread_local int in_library;

void cmCheckLibrary(int step) { in_library += step; }

static void on_host(const struct access *a) {
    struct region *r = find(a->at);
    char place[256], what[600];
    bool own;
    if (!r) return;
    if (a->writes) set_written(r, a->at, a->size);
    if (r->kind != CM_DEVICE_MEMORY || !(cm_settings.checks & CM_CHECK_MEMORY) || in_library)
        return;
    cm_place_of(a->from, place, sizeof place, &own);
    if (!own || !cm_report_new("memory", a->from, NULL)) return;
    cm_place_of(r->site, place, sizeof place, &own);
    snprintf(what, sizeof what, "the host cannot reach the device's memory, allocated at %s",
             place);
    say(a, "memory", what, NULL);
}

void cmCheckAccess(const void *address, size_t size, int what, const void *from) {
    struct access a = {.at = address,
                       .size = size,
                       .writes = what & CM_ACCESS_WRITE,
                       .atomic = what & CM_ACCESS_ATOMIC,
                       .updates = what & CM_ACCESS_UPDATE,
                       .compares = what & CM_ACCESS_COMPARE,
                       .bytes = what & CM_ACCESS_BYTES,
                       .from = from};
    static _Thread_local bool inside; /* a report's own accesses are none */
    if (!cm_settings.checks || inside) return;
    inside = true;
    bool stop = false, kernel = cm_block_where(&a.where);
    pthread_mutex_lock(&lock);
    settle_doubt();
    if (kernel) launch = a.where.grid->number;
    if (kernel && a.atomic) a.where.grid->fenced = true;
    if (size && kernel)
        stop = in_kernel(&a);
    else if (size)
        on_host(&a);
    pthread_mutex_unlock(&lock);
    inside = false;
    if (stop) cm_watched.trap(cmErrorIllegalAddress);
}
