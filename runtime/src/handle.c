/* SPDX-License-Identifier: Apache-2.0 */
/* Handles: a slot's number with the count of its uses, so that a stale handle is recognised and
   never followed. Slots are reused; the count makes each use a new handle. */
#include "state.h"
#include <stdlib.h>

struct slot {
    void *object;
    uint32_t uses, next_free;
    enum cm_kind kind;
};

static struct slot *slots;
static uint32_t slot_count, slot_room, first_free; /* first_free: number + 1; 0 is none */

/* kind: 4 bits, number: 24, uses: 31; small numbers stay free for CUDA's special handles. */
static void *encode(uint32_t number) {
    uint64_t uses = slots[number].uses & 0x7fffffff;
    return (void *)(uintptr_t)(uses << 32 | (uint64_t)number << 8 | slots[number].kind << 4 | 0xc);
}

void *cm_handle_new(enum cm_kind kind, void *object) {
    uint32_t number;
    if (first_free) {
        number = first_free - 1;
        first_free = slots[number].next_free;
    } else {
        if (slot_count == slot_room) {
            uint32_t room = slot_room ? slot_room * 2 : 64;
            struct slot *more = room > 1u << 24 ? NULL : realloc(slots, room * sizeof *more);
            if (!more) return NULL;
            slots = more;
            slot_room = room;
        }
        number = slot_count++;
        slots[number].uses = 0;
    }
    slots[number].object = object;
    slots[number].kind = kind;
    slots[number].uses++;
    return encode(number);
}

static struct slot *find(enum cm_kind kind, const void *handle) {
    uint64_t value = (uint64_t)(uintptr_t)handle;
    uint32_t number = value >> 8 & 0xffffff;
    if ((value & 15) != 0xc || number >= slot_count || slots[number].kind != kind ||
        !slots[number].object || encode(number) != handle)
        return NULL;
    return &slots[number];
}

void *cm_handle_get(enum cm_kind kind, const void *handle) {
    struct slot *slot = find(kind, handle);
    return slot ? slot->object : NULL;
}

void *cm_handle_take(enum cm_kind kind, const void *handle) {
    struct slot *slot = find(kind, handle);
    if (!slot) return NULL;
    void *object = slot->object;
    slot->object = NULL;
    slot->next_free = first_free;
    first_free = (uint32_t)(slot - slots) + 1;
    return object;
}
