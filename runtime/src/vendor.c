/* Opening vendors' libraries. */
#include "vendor.h"
#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

bool cm_vendor_load(const char *const *files, const struct cm_symbol *symbols, size_t count,
                    char *why, size_t room) {
    void *library = NULL;
    for (size_t i = 0; files[i] && !library; i++) {
        library = dlopen(files[i], RTLD_NOW | RTLD_GLOBAL);
        if (!library && i == 0) {
            const char *text = dlerror();
            snprintf(why, room, "%s", text ? text : files[i]);
        }
    }
    if (!library) return false;
    for (size_t i = 0; i < count; i++) {
        *symbols[i].to = dlsym(library, symbols[i].name);
        if (*symbols[i].to) continue;
        snprintf(why, room, "%s lacks %s", files[0], symbols[i].name);
        return false;
    }
    return true;
}

cmError_t cm_vendor_error(int error, const struct cm_error_row *rows, size_t count) {
    if (!error) return cmSuccess;
    for (size_t i = 0; i < count; i++)
        if (rows[i].vendors == error) return rows[i].cudas;
    return cmErrorUnknown;
}

void cm_vendor_describe(struct cmDeviceProp *p, int device, const char *name, size_t memory) {
    cm_backend_cpu.describe(p, device);
    snprintf(p->name, sizeof p->name, "%s", name ? name : "");
    snprintf(p->uuid.bytes, sizeof p->uuid.bytes, "%.8s %d", cm_backend->name, device);
    p->totalGlobalMem = memory;
    p->integrated = 0;
    p->managedMemory = cm_backend->managed;
    p->concurrentManagedAccess = p->pageableMemoryAccess = 0;
    p->pageableMemoryAccessUsesHostPageTables = p->directManagedMemAccessFromHost = 0;
    p->hostNativeAtomicSupported = p->canUseHostPointerForRegisteredMem = 0;
    p->canMapHostMemory = 0;
}
