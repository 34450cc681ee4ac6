/* SPDX-License-Identifier: Apache-2.0 */
/* The arithmetic of collectives. */
#include "comm.h"
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK = 2048 }; /* elements at a time: what is read of all ranks before any is written */

/* ---- 16-bit floats, by way of float ---- */

static float float_of(uint32_t bits) {
    float f;
    memcpy(&f, &bits, sizeof f);
    return f;
}

static uint32_t bits_of(float f) {
    uint32_t bits;
    memcpy(&bits, &f, sizeof bits);
    return bits;
}

static float from_half(uint16_t h) {
    uint32_t sign = (uint32_t)(h & 0x8000) << 16, e = h >> 10 & 31, m = h & 1023;
    if (e == 31) return float_of(sign | 0x7f800000 | m << 13);
    if (e) return float_of(sign | (e + 112) << 23 | m << 13);
    return float_of(sign | bits_of((float)m * 0x1p-24f));
}

/* Adding and taking away a power of two rounds to the half's last place, to nearest and even. */
static uint16_t to_half(float f) {
    uint32_t bits = bits_of(f), sign = bits >> 16 & 0x8000, a = bits & 0x7fffffff;
    if (a > 0x7f800000) return 0x7fff;
    if (a >= 0x477ff000) return (uint16_t)(sign | 0x7c00);
    if (a < 0x38800000) /* subnormal: in units of 2^-24, which the addition rounds to */
        return (uint16_t)(sign | (bits_of(float_of(a) + 0.5f) - bits_of(0.5f)));
    return (uint16_t)(sign | (a - 0x38000000 + 0xfff + (a >> 13 & 1)) >> 13);
}

static float from_bfloat(uint16_t b) { return float_of((uint32_t)b << 16); }

static uint16_t to_bfloat(float f) {
    uint32_t bits = bits_of(f);
    if ((bits & 0x7fffffff) > 0x7f800000) return 0x7fff;
    return (uint16_t)((bits + 0x7fff + (bits >> 16 & 1)) >> 16);
}

/* ---- reductions: a chunk of the sum, and one rank's numbers ---- */

/* Signed numbers wrap around, as they do on a device. */
#define COMBINE(name, S, A, load)                                                                 \
    __attribute__((no_sanitize("signed-integer-overflow"))) static void name(                     \
        void *sum_, const void *x_, size_t n, cmCommRedOp_t op, int first) {                      \
        A *sum = sum_;                                                                            \
        const S *x = x_;                                                                          \
        for (size_t i = 0; i < n; i++) {                                                          \
            A v = load(x[i]);                                                                     \
            if (first)                                                                            \
                sum[i] = v;                                                                       \
            else if (op == cmCommSum || op == cmCommAvg)                                          \
                sum[i] = (A)(sum[i] + v);                                                         \
            else if (op == cmCommProd)                                                            \
                sum[i] = (A)(sum[i] * v);                                                         \
            else if (op == cmCommMax ? sum[i] < v : v < sum[i])                                   \
                sum[i] = v;                                                                       \
        }                                                                                         \
    }
#define STORE(name, S, A, save)                                                                   \
    static void name(void *to_, const void *sum_, size_t n, int divide) {                         \
        S *to = to_;                                                                              \
        const A *sum = sum_;                                                                      \
        for (size_t i = 0; i < n; i++) to[i] = save(divide ? (A)(sum[i] / (A)divide) : sum[i]);   \
    }
#define SCALE(name, S, A, load, save)                                                             \
    __attribute__((no_sanitize("signed-integer-overflow"))) static void name(                     \
        void *to_, const void *from_, size_t n, const void *by) {                                 \
        S *to = to_, one;                                                                         \
        const S *from = from_;                                                                    \
        memcpy(&one, by, sizeof one);                                                             \
        const A factor = load(one);                                                               \
        for (size_t i = 0; i < n; i++) to[i] = save((A)(load(from[i]) * factor));                 \
    }
#define TYPE(word, S, A, load, save)                                                              \
    COMBINE(combine_##word, S, A, load)                                                           \
    STORE(store_##word, S, A, save)                                                               \
    SCALE(scale_##word, S, A, load, save)
#define SAME(x) (x)
TYPE(i8, int8_t, int8_t, SAME, SAME)
TYPE(u8, uint8_t, uint8_t, SAME, SAME)
TYPE(i32, int32_t, int32_t, SAME, SAME)
TYPE(u32, uint32_t, uint32_t, SAME, SAME)
TYPE(i64, int64_t, int64_t, SAME, SAME)
TYPE(u64, uint64_t, uint64_t, SAME, SAME)
TYPE(half, uint16_t, float, from_half, to_half)
TYPE(float, float, float, SAME, SAME)
TYPE(double, double, double, SAME, SAME)
TYPE(bfloat, uint16_t, float, from_bfloat, to_bfloat)

static const struct {
    size_t size;
    void (*combine)(void *sum, const void *x, size_t n, cmCommRedOp_t op, int first);
    void (*store)(void *to, const void *sum, size_t n, int divide);
    void (*scale)(void *to, const void *from, size_t n, const void *by);
} types[] = {
    [cmCommInt8] = {1, combine_i8, store_i8, scale_i8},
    [cmCommUint8] = {1, combine_u8, store_u8, scale_u8},
    [cmCommInt32] = {4, combine_i32, store_i32, scale_i32},
    [cmCommUint32] = {4, combine_u32, store_u32, scale_u32},
    [cmCommInt64] = {8, combine_i64, store_i64, scale_i64},
    [cmCommUint64] = {8, combine_u64, store_u64, scale_u64},
    [cmCommFloat16] = {2, combine_half, store_half, scale_half},
    [cmCommFloat32] = {4, combine_float, store_float, scale_float},
    [cmCommFloat64] = {8, combine_double, store_double, scale_double},
    [cmCommBfloat16] = {2, combine_bfloat, store_bfloat, scale_bfloat},
};

size_t cm_comm_size(cmCommDataType_t type) {
    return (unsigned)type < sizeof types / sizeof types[0] ? types[type].size : 0;
}

/* ---- moving ---- */

/* Elements [first, first + n) of all ranks, reduced into `sum`. */
static void reduce(const struct cm_comm_work *const *w, int ranks, size_t first, size_t n,
                   void *sum) {
    cmCommDataType_t type = w[0]->type;
    _Alignas(8) unsigned char scaled[CHUNK * sizeof(uint64_t)];
    for (int r = 0; r < ranks; r++) {
        const unsigned char *from = w[r]->from + first * types[type].size;
        if (w[r]->scale.on) {
            cm_comm_scale(type, scaled, from, n, w[r]->scale.value);
            from = scaled;
        }
        types[type].combine(sum, from, n, w[0]->op, r == 0);
    }
}

static void reduce_all(const struct cm_comm_work *const *w, int ranks, void *sum) {
    const struct cm_comm_work *one = w[0];
    size_t size = types[one->type].size;
    int divide = one->op == cmCommAvg ? ranks : 0;
    int parts = one->kind == CM_REDUCE_SCATTER ? ranks : 1;
    for (int part = 0; part < parts; part++)
        for (size_t i = 0; i < one->count; i += CHUNK) {
            size_t n = one->count - i < CHUNK ? one->count - i : CHUNK;
            reduce(w, ranks, (size_t)part * one->count + i, n, sum);
            for (int r = 0; r < ranks; r++)
                if (one->kind == CM_ALL_REDUCE || (one->kind == CM_REDUCE && r == one->root) ||
                    (one->kind == CM_REDUCE_SCATTER && r == part))
                    types[one->type].store(w[r]->to + i * size, sum, n, divide);
        }
}

size_t cm_comm_elements(const struct cm_comm_work *w, int ranks) {
    return w->kind == CM_REDUCE_SCATTER ? w->count * (size_t)ranks : w->count;
}

void cm_comm_scale(cmCommDataType_t type, void *to, const void *from, size_t count,
                   const void *by) {
    types[type].scale(to, from, count, by);
}

bool cm_comm_agree(const struct cm_comm_work *const *w, int ranks) {
    const struct cm_comm_work *one = w[0];
    const bool pair = one->kind == CM_SEND || one->kind == CM_RECEIVE;
    bool same = true;
    for (int r = 1; r < ranks && pair; r++)
        same &= w[r]->count * types[w[r]->type].size == one->count * types[one->type].size;
    for (int r = 1; r < ranks && !pair; r++)
        same &= w[r]->kind == one->kind && w[r]->count == one->count && w[r]->type == one->type &&
                w[r]->op == one->op && w[r]->root == one->root;
    return same;
}

int cm_comm_move(const struct cm_comm_work *const *w, int ranks) {
    const struct cm_comm_work *one = w[0];
    size_t bytes = one->count * types[one->type].size;
    if (!bytes) return 0;
    if (one->kind == CM_SEND || one->kind == CM_RECEIVE) {
        const struct cm_comm_work *give = one->kind == CM_SEND ? one : w[1];
        memmove(w[one->kind == CM_SEND]->to, give->from, bytes);
    } else if (one->kind == CM_BROADCAST) {
        for (int r = 0; r < ranks; r++)
            if (w[r]->to != w[one->root]->from) memmove(w[r]->to, w[one->root]->from, bytes);
    } else if (one->kind == CM_ALL_GATHER) {
        for (int r = 0; r < ranks; r++)
            for (int s = 0; s < ranks; s++)
                if (w[r]->to + (size_t)s * bytes != w[s]->from)
                    memmove(w[r]->to + (size_t)s * bytes, w[s]->from, bytes);
    } else {
        void *sum = malloc(CHUNK * sizeof(uint64_t));
        if (!sum) return -1;
        reduce_all(w, ranks, sum);
        free(sum);
    }
    return 0;
}

/* ---- for transports ---- */

static size_t wide(cmCommDataType_t type) {
    return type == cmCommFloat16 || type == cmCommBfloat16 ? sizeof(float) : cm_comm_size(type);
}

static void widen(cmCommDataType_t type, void *to, const void *from, size_t n) {
    types[type].combine(to, from, n, cmCommSum, 1);
}

static void narrow(cmCommDataType_t type, void *to, const void *from, size_t n, int divide) {
    types[type].store(to, from, n, divide);
}

const struct cm_comm_tools cm_comm_tools = {cm_comm_size, wide, widen, narrow};
