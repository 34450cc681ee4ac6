#!/bin/sh
# SPDX-License-Identifier: Apache-2.0
# Widths of warps that a header names: check tells a use of them, as the header itself can't know.
. "${0%/*}/helper"

mkdir -p src other
cat >src/widths.h <<'END'
static const int WS = 32; // lanes
constexpr int LG = 5;
#define TILE 32
END
cat >src/use.cu <<'END'
#include "widths.h"
__global__ void k(int *x) {
    int lane = threadIdx.x % WS;
    int warp = threadIdx.x >> LG;
    int column = threadIdx.x % TILE;
    x[warp] = __shfl_sync(0xffffffff, lane, 0) + column;
}
END
cp src/use.cu other/use.cu
flags='--isolated --target rocm --select cuda-silent --format concise'
# shellcheck disable=SC2086
run check src $flags
exits 1 'a width from a header'
prints 'src/use.cu:3:16: warning: The number 32 as the width of a warp: `threadIdx.x % WS`' 'a remainder'
prints 'src/use.cu:4:16: warning: The number 32 as the width of a warp: `threadIdx.x >> LG`' 'a shift by its logarithm'
check 'a tile is no warp, and the header is quiet' test "$(wc -l <"$out")" = 2
# shellcheck disable=SC2086
run check other $flags
exits 0 'without the header'
silent out 'nothing is known without it'
sed 's/WS = 32/WS = 16/' src/widths.h >other/widths.h
# shellcheck disable=SC2086
run check other $flags
check 'another width is none of a warp' test "$(cut -d: -f1,2 "$out")" = other/use.cu:4

done_testing
