/* SPDX-License-Identifier: Apache-2.0 */
/* Virtual memory as the driver API has it: addresses are reserved, memory is made, and mapped
 * there. Memory is a file without a name, so that it can be mapped more than once. Only where the
 * host is the device. */
#include "memory.h"
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

struct physical {
    size_t size;
    int file, device, users; /* users: the handle, and mappings */
};
struct mapping {
    struct mapping *next;
    unsigned char *base;
    size_t size;
    struct physical *memory;
    unsigned int access;
};
static struct mapping *mappings;

static bool is_even(size_t size) { return size && size % CM_VIRTUAL_GRANULARITY == 0; }

/* Lock held in all that follows. */
static void drop(struct physical *memory) {
    if (--memory->users) return;
    cm_devices[memory->device].used -= memory->size;
    cm_count(&cm_stats.frees, 1);
    close(memory->file);
    free(memory);
}

/* The reservation that holds all of this. */
static struct cm_allocation *reserved(const void *pointer, size_t size) {
    struct cm_allocation *a = cm_memory_find(pointer);
    const unsigned char *p = pointer;
    return a && a->kind == CM_RESERVED && size <= (size_t)(a->base + a->size - p) ? a : NULL;
}

static struct mapping *mapped(const unsigned char *p) {
    struct mapping *m = mappings;
    while (m && (p < m->base || p >= m->base + m->size)) m = m->next;
    return m;
}

static bool is_mapped(const unsigned char *p, size_t size) {
    for (size_t done = 0; done < size;) {
        const struct mapping *m = mapped(p + done);
        if (!m) return false;
        done = (size_t)(m->base + m->size - p);
    }
    return true;
}

/* ---- addresses ---- */

cmError_t cmVirtualReserve(void **pointer, size_t size, size_t alignment) {
    CM_ENTER();
    CM_NEED(cm_backend->host, cmErrorNotSupported);
    CM_NEED(pointer && is_even(size) && !(alignment & (alignment - 1)), cmErrorInvalidValue);
    if (alignment < CM_VIRTUAL_GRANULARITY) alignment = CM_VIRTUAL_GRANULARITY;
    CM_NEED(size <= SIZE_MAX - alignment, cmErrorMemoryAllocation);
    unsigned char *all = mmap(NULL, size + alignment, PROT_NONE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    CM_NEED(all != MAP_FAILED, cmErrorMemoryAllocation);
    const size_t before = -(uintptr_t)all & (alignment - 1);
    if (before) munmap(all, before);
    munmap(all + before + size, alignment - before);
    const struct cm_allocation a = {
        .base = all + before, .size = size, .kind = CM_RESERVED, .device = cm_current()};
    cm_lock_take();
    const bool fine = cm_memory_insert(&a);
    cm_lock_give();
    if (!fine) munmap(a.base, size);
    CM_NEED(fine, cmErrorMemoryAllocation);
    *pointer = a.base;
    return cmSuccess;
}

cmError_t cmVirtualFree(void *pointer, size_t size) {
    CM_ENTER();
    cm_lock_take();
    const struct cm_allocation *found = reserved(pointer, size);
    bool fine = found && found->base == pointer && found->size == size;
    for (const struct mapping *m = mappings; m && fine; m = m->next)
        fine = m->base < (unsigned char *)pointer || m->base >= (unsigned char *)pointer + size;
    struct cm_allocation removed;
    if (fine) cm_memory_remove(pointer, 1u << CM_RESERVED, &removed);
    if (fine) munmap(pointer, size);
    cm_lock_give();
    return cm_fail(fine ? cmSuccess : cmErrorInvalidValue);
}

/* ---- memory ---- */

cmError_t cmPhysicalCreate(cmPhysical_t *handle, size_t size, int device) {
    CM_ENTER();
    CM_NEED(cm_backend->host, cmErrorNotSupported);
    CM_NEED(handle && is_even(size), cmErrorInvalidValue);
    CM_NEED(device >= 0 && device < cm_settings.devices, cmErrorInvalidDevice);
    struct physical *memory = calloc(1, sizeof *memory);
    CM_NEED(memory, cmErrorMemoryAllocation);
    const int file = memfd_create("cuda-morph", MFD_CLOEXEC);
    *memory = (struct physical){.size = size, .file = file, .device = device, .users = 1};
    cm_lock_take();
    size_t *used = &cm_devices[device].used;
    void *made = NULL;
    const bool room = size <= cm_settings.memory && *used <= cm_settings.memory - size;
    if (room && file >= 0 && !ftruncate(file, (off_t)size))
        made = cm_handle_new(CM_PHYSICAL, memory);
    if (made) *used += size, cm_count(&cm_stats.allocations, 1);
    cm_lock_give();
    if (!made && file >= 0) close(file);
    if (!made) free(memory);
    CM_NEED(made, cmErrorMemoryAllocation);
    *handle = (uintptr_t)made;
    return cmSuccess;
}

cmError_t cmPhysicalRelease(cmPhysical_t handle) {
    CM_ENTER();
    cm_lock_take();
    struct physical *memory = cm_handle_take(CM_PHYSICAL, (void *)(uintptr_t)handle);
    if (memory) drop(memory);
    cm_lock_give();
    return cm_fail(memory ? cmSuccess : cmErrorInvalidValue);
}

cmError_t cmPhysicalGetDevice(int *device, cmPhysical_t handle) {
    CM_ENTER();
    CM_NEED(device, cmErrorInvalidValue);
    cm_lock_take();
    const struct physical *memory = cm_handle_get(CM_PHYSICAL, (void *)(uintptr_t)handle);
    if (memory) *device = memory->device;
    cm_lock_give();
    return cm_fail(memory ? cmSuccess : cmErrorInvalidValue);
}

/* ---- both ---- */

cmError_t cmVirtualMap(void *pointer, size_t size, size_t offset, cmPhysical_t handle) {
    CM_ENTER();
    CM_NEED(is_even(size) && offset % CM_VIRTUAL_GRANULARITY == 0, cmErrorInvalidValue);
    struct mapping *made = calloc(1, sizeof *made);
    CM_NEED(made, cmErrorMemoryAllocation);
    cmError_t error = cmErrorInvalidValue;
    cm_lock_take();
    struct physical *memory = cm_handle_get(CM_PHYSICAL, (void *)(uintptr_t)handle);
    bool fine = memory && reserved(pointer, size) && offset <= memory->size &&
                size <= memory->size - offset && (uintptr_t)pointer % CM_VIRTUAL_GRANULARITY == 0;
    for (size_t at = 0; fine && at < size; at += CM_VIRTUAL_GRANULARITY)
        fine = !mapped((unsigned char *)pointer + at);
    if (fine) {
        void *there =
            mmap(pointer, size, PROT_NONE, MAP_SHARED | MAP_FIXED, memory->file, (off_t)offset);
        error = there == MAP_FAILED ? cmErrorMemoryAllocation : cmSuccess;
    }
    if (!error) {
        *made = (struct mapping){mappings, pointer, size, memory, 0};
        mappings = made;
        memory->users++;
    }
    cm_lock_give();
    if (error) free(made);
    return cm_fail(error);
}

cmError_t cmVirtualUnmap(void *pointer, size_t size) {
    CM_ENTER();
    unsigned char *const first = pointer, *const end = first + size;
    cm_lock_take();
    bool fine = reserved(pointer, size) && is_mapped(first, size);
    for (const struct mapping *m = mappings; m && fine; m = m->next) /* only whole ones */
        fine = m->base >= end || m->base + m->size <= first ||
               (m->base >= first && m->base + m->size <= end);
    for (struct mapping **at = &mappings; *at && fine;) {
        struct mapping *m = *at;
        if (m->base < first || m->base >= end) {
            at = &m->next;
            continue;
        }
        *at = m->next;
        mmap(m->base, m->size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED,
             -1, 0);
        drop(m->memory);
        free(m);
    }
    cm_lock_give();
    return cm_fail(fine ? cmSuccess : cmErrorInvalidValue);
}

cmError_t cmVirtualSetAccess(void *pointer, size_t size, unsigned int access) {
    CM_ENTER();
    CM_NEED(access == 0 || access == 1 || access == 3, cmErrorInvalidValue);
    unsigned char *const first = pointer;
    cm_lock_take();
    const bool fine = size && reserved(pointer, size) && is_mapped(first, size);
    for (struct mapping *m = mappings; m && fine; m = m->next) {
        if (m->base + m->size <= first || m->base >= first + size) continue;
        m->access = access;
        mprotect(m->base, m->size, access == 3 ? PROT_READ | PROT_WRITE : access ? PROT_READ : 0);
    }
    cm_lock_give();
    return cm_fail(fine ? cmSuccess : cmErrorInvalidValue);
}

cmError_t cmVirtualGetAccess(unsigned int *access, const void *pointer) {
    CM_ENTER();
    CM_NEED(access, cmErrorInvalidValue);
    cm_lock_take();
    const struct mapping *m = mapped(pointer);
    if (m) *access = m->access;
    cm_lock_give();
    return cm_fail(m ? cmSuccess : cmErrorInvalidValue);
}
