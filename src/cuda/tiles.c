/* SPDX-License-Identifier: Apache-2.0 */
/* tiles.c - tiles that are made of a tile: cg::tiled_partition<16>(tile).
 *
 * CUDA divides any tile of a block; HIP has templates for a block alone. The threads of a tile are
 * neighbours in their block, so a tile of a tile has the threads that one of the block has: what
 * differs is its number, which is counted within the tile it is made of. A program that asks for
 * that, or names the type of both, is told. */
#include "cuda/classes.h"

/* Whether the variable that the name at token i means is a tile of a block. */
static bool is_tile(struct cu *f, uint32_t i) {
    for (uint32_t p = i; (p = cu_same_before(f, p)) != NO_NODE;) {
        uint32_t start = cu_type_start(f, p), end = p + 1;
        if (start == p) continue;
        for (uint32_t t = start; t < p; t++)
            if (cu_is(f, t, CU_TILE_TYPE)) return true;
        if (!cu_is(f, p - 1, "auto") && !cu_is(f, p - 1, "&")) return false;
        while (end < f->tokens.n && !cu_is(f, end, ";") && !cu_is(f, end, "(")) end++;
        for (uint32_t t = p; t < end; t++)
            if (cu_is(f, t, CU_TILE_GROUP)) return cu_is(f, t + 1, "<");
        return false;
    }
    return false;
}

/* Whether the function of token i asks for what differs: a tile's number, or its type in full. */
static bool asks(struct cu *f, uint32_t i) {
    const struct byte_range *functions;
    size_t n = cu_functions(f, &functions), k = 0;
    while (k < n && !(functions[k].start <= i && i < functions[k].end)) k++;
    if (k == n) return true;
    for (uint32_t t = functions[k].start; t < functions[k].end; t++) {
        struct str word = cu_text(f, t);
        if (str_starts(word, S(CU_TILE_NUMBER))) return true;
        if (!str_is(word, CU_TILE_TYPE) || !cu_is(f, t + 1, "<")) continue;
        uint32_t close = cu_template_end(f, t + 1);
        for (uint32_t c = t + 1; close != NO_NODE && c < close; c++)
            if (cu_is(f, c, ",")) return true;
    }
    return false;
}

void cu_match_tiles(struct cu *f) {
    bool may = cu_may_have(f, S(CU_TILE_GROUP));
    for (uint32_t i = 1; may && i + 1 < f->tokens.n; i++) {
        struct cu_match m = {.kind = CU_SEQUENCE, .first = i};
        struct cu_call call = {0};
        bool makes = cu_is(f, i, CU_TILE_GROUP) && cu_is(f, i + 1, "<") &&
                     !cu_region_at(f, f->tokens.v[i].start);
        if (!makes || !cu_read_call(f, i + 1, &call) || call.arguments.n != 1) continue;
        struct cu_argument a = call.arguments.v[0];
        if (a.last != a.first + 1 || !cu_is_word(f, a.first) || !is_tile(f, a.first)) continue;
        if (asks(f, i)) {
            cu_report(f, "cm::tile_of_tile", i);
            continue;
        }
        while (m.first > 1 && cu_is(f, m.first - 1, "::") && cu_is_word(f, m.first - 2))
            m.first -= 2;
        const char *key = m.first < i ? "cm::tile_of($n..., $s...)" : "cm::tile_of($s...)";
        if (!cu_find_row(f, key, &m)) continue;
        struct cu_capture space = {S("n"), m.first, i};
        struct cu_capture size = {S("s"), call.template_first + 1, call.template_last - 1};
        if (m.first < i) vec_push(f->a, &m.captures, space);
        vec_push(f->a, &m.captures, size);
        m.last = call.close + 1;
        cu_add_found(f, m);
    }
}
