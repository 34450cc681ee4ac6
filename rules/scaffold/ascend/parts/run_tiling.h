// What the host tells the kernel; plain data, read by both sides.
#pragma once

#include <cstdint>

struct @Name@TilingData {
    uint64_t length;  // elements in all
    uint64_t perCore; // elements of one core; the last one may have less
    uint64_t tile;    // elements that are in the unified buffer at a time
};
