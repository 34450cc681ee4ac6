// What the host tells the kernel; plain data, read by both sides.
#pragma once

#include <cstdint>

struct @Name@TilingData {
    uint64_t rows, columns; // the input as a matrix: all axes but the last, and the last
    uint64_t perCore;       // rows of one core
    uint64_t tile;          // elements of a row that are in the unified buffer at a time
};
