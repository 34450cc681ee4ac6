/* SPDX-License-Identifier: Apache-2.0 */
/* The functions that g++ and clang++ call under -fsanitize=thread and -fsanitize=bounds, as
   libcmrt_check: each access goes to libcmrt, which knows the kernel, the block and the thread.
   The compilers' own libraries know threads of the machine only, on which the threads of a block
   take turns. A program is linked with this in their place. */
#include <cuda_morph/check.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define FROM __builtin_return_address(0)
#define HOOK __attribute__((visibility("default")))

HOOK void __tsan_init(void) {}
HOOK void __tsan_func_entry(void *from) { (void)from; }
HOOK void __tsan_func_exit(void) {}
HOOK void __tsan_vptr_update(void **at, void *value) { (void)at, (void)value; }
HOOK void __tsan_vptr_read(void **at) { (void)at; }
HOOK void __tsan_read_range(void *at, unsigned long size) {
    cmCheckAccess(at, size, CM_ACCESS_READ, FROM);
}
HOOK void __tsan_write_range(void *at, unsigned long size) {
    cmCheckAccess(at, size, CM_ACCESS_WRITE, FROM);
}

#define PLAIN(size)                                                                               \
    HOOK void __tsan_read##size(void *at) { cmCheckAccess(at, size, CM_ACCESS_READ, FROM); }      \
    HOOK void __tsan_write##size(void *at) { cmCheckAccess(at, size, CM_ACCESS_WRITE, FROM); }    \
    HOOK void __tsan_unaligned_read##size(void *at) {                                             \
        cmCheckAccess(at, size, CM_ACCESS_READ, FROM);                                            \
    }                                                                                             \
    HOOK void __tsan_unaligned_write##size(void *at) {                                            \
        cmCheckAccess(at, size, CM_ACCESS_WRITE, FROM);                                           \
    }                                                                                             \
    HOOK void __tsan_read_write##size(void *at) {                                                 \
        cmCheckAccess(at, size, CM_ACCESS_WRITE, FROM);                                           \
    }                                                                                             \
    HOOK void __tsan_unaligned_read_write##size(void *at) {                                       \
        cmCheckAccess(at, size, CM_ACCESS_WRITE, FROM);                                           \
    }                                                                                             \
    HOOK void __tsan_volatile_read##size(void *at) {                                              \
        cmCheckAccess(at, size, CM_ACCESS_READ, FROM);                                            \
    }                                                                                             \
    HOOK void __tsan_volatile_write##size(void *at) {                                             \
        cmCheckAccess(at, size, CM_ACCESS_WRITE, FROM);                                           \
    }
PLAIN(1)
PLAIN(2)
PLAIN(4)
PLAIN(8)
PLAIN(16)

/* An access that is atomic: it writes, or reads, and races with no other that is. */
#define WATCH(at, what)                                                                           \
    cmCheckAccess((const void *)(at), sizeof *(at), CM_ACCESS_ATOMIC | (what), FROM)
#define FETCH(bits, type, name, builtin)                                                          \
    HOOK type __tsan_atomic##bits##_fetch_##name(volatile type *at, type value, int order) {      \
        (void)order;                                                                              \
        WATCH(at, CM_ACCESS_WRITE | CM_ACCESS_UPDATE);                                            \
        return builtin(at, value, __ATOMIC_SEQ_CST);                                              \
    }
#define COMPARE(bits, type, kind, weak)                                                           \
    HOOK int __tsan_atomic##bits##_compare_exchange_##kind(volatile type *at, type *want,         \
                                                           type value, int order, int other) {    \
        (void)order, (void)other;                                                                 \
        WATCH(at, CM_ACCESS_WRITE | CM_ACCESS_UPDATE | CM_ACCESS_COMPARE);                        \
        return __atomic_compare_exchange_n(at, want, value, weak, __ATOMIC_SEQ_CST,               \
                                           __ATOMIC_SEQ_CST);                                     \
    }
#define ATOMIC(bits, type)                                                                        \
    HOOK type __tsan_atomic##bits##_load(const volatile type *at, int order) {                    \
        (void)order;                                                                              \
        WATCH(at, CM_ACCESS_READ);                                                                \
        return __atomic_load_n(at, __ATOMIC_SEQ_CST);                                             \
    }                                                                                             \
    HOOK void __tsan_atomic##bits##_store(volatile type *at, type value, int order) {             \
        (void)order;                                                                              \
        WATCH(at, CM_ACCESS_WRITE);                                                               \
        __atomic_store_n(at, value, __ATOMIC_SEQ_CST);                                            \
    }                                                                                             \
    HOOK type __tsan_atomic##bits##_exchange(volatile type *at, type value, int order) {          \
        (void)order;                                                                              \
        WATCH(at, CM_ACCESS_WRITE);                                                               \
        return __atomic_exchange_n(at, value, __ATOMIC_SEQ_CST);                                  \
    }                                                                                             \
    HOOK type __tsan_atomic##bits##_compare_exchange_val(volatile type *at, type want,            \
                                                         type value, int order, int other) {      \
        (void)order, (void)other;                                                                 \
        WATCH(at, CM_ACCESS_WRITE | CM_ACCESS_COMPARE);                                           \
        __atomic_compare_exchange_n(at, &want, value, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST); \
        return want;                                                                              \
    }                                                                                             \
    FETCH(bits, type, add, __atomic_fetch_add)                                                    \
    FETCH(bits, type, sub, __atomic_fetch_sub)                                                    \
    FETCH(bits, type, and, __atomic_fetch_and)                                                    \
    FETCH(bits, type, or, __atomic_fetch_or)                                                      \
    FETCH(bits, type, xor, __atomic_fetch_xor)                                                    \
    FETCH(bits, type, nand, __atomic_fetch_nand)                                                  \
    COMPARE(bits, type, strong, false)                                                            \
    COMPARE(bits, type, weak, false)
ATOMIC(8, uint8_t)
ATOMIC(16, uint16_t)
ATOMIC(32, uint32_t)
ATOMIC(64, uint64_t)

HOOK void __tsan_atomic_thread_fence(int order) {
    (void)order;
    cmCheckAccess(NULL, 0, CM_ACCESS_ATOMIC, FROM);
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
}
HOOK void __tsan_atomic_signal_fence(int order) { (void)order; }

/* ---- blocks of bytes: the linker sends the program's own calls here (--wrap) ---- */

void *__real_memcpy(void *to, const void *from, size_t size);
void *__real_memmove(void *to, const void *from, size_t size);
void *__real_memset(void *to, int value, size_t size);

void *__wrap_memcpy(void *to, const void *from, size_t size) {
    cmCheckAccess(from, size, CM_ACCESS_READ | CM_ACCESS_BYTES, FROM);
    cmCheckAccess(to, size, CM_ACCESS_WRITE | CM_ACCESS_BYTES, FROM);
    return __real_memcpy(to, from, size);
}
void *__wrap_memmove(void *to, const void *from, size_t size) {
    cmCheckAccess(from, size, CM_ACCESS_READ | CM_ACCESS_BYTES, FROM);
    cmCheckAccess(to, size, CM_ACCESS_WRITE | CM_ACCESS_BYTES, FROM);
    return __real_memmove(to, from, size);
}
void *__wrap_memset(void *to, int value, size_t size) {
    cmCheckAccess(to, size, CM_ACCESS_WRITE | CM_ACCESS_BYTES, FROM);
    return __real_memset(to, value, size);
}

/* ---- arrays whose size the compiler knows ---- */

struct place {
    const char *file;
    uint32_t line, column;
};
struct type {
    uint16_t kind, info;
    char name[];
};
struct out_of_bounds {
    struct place place;
    const struct type *array, *index;
};

static long long index_of(const struct type *type, void *handle) {
    int bits = 1 << (type->info >> 1);
    if (bits > 64) return 0;
    uintptr_t value = (uintptr_t)handle;
    return type->info & 1 && bits < 64 ? (long long)(value << (64 - bits)) >> (64 - bits)
                                       : (long long)value;
}

HOOK void __ubsan_handle_out_of_bounds(struct out_of_bounds *data, void *index) {
    cmCheckBounds(data->place.file, data->place.line, data->place.column,
                  index_of(data->index, index), data->array->name);
}
HOOK void __ubsan_handle_out_of_bounds_abort(struct out_of_bounds *data, void *index) {
    __ubsan_handle_out_of_bounds(data, index);
}

/* ---- addresses that a type cannot have ---- */

struct mismatch {
    struct place place;
    const struct type *type;
    unsigned char alignment, kind; /* the first as a power of two */
};

HOOK void __ubsan_handle_type_mismatch_v1(struct mismatch *data, void *address) {
    cmCheckAligned(data->place.file, data->place.line, data->place.column, address,
                   (size_t)1 << data->alignment, data->type->name);
}
HOOK void __ubsan_handle_type_mismatch_v1_abort(struct mismatch *data, void *address) {
    __ubsan_handle_type_mismatch_v1(data, address);
}
