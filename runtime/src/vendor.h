/* What the vendors' back ends share: opening their libraries when the first call needs them. */
#ifndef CMRT_VENDOR_H
#define CMRT_VENDOR_H

#include "internal.h"

/* A function of a vendor's library, and where its address goes. */
struct cm_symbol {
    const char *name;
    void **to;
};
/* For lists FUNCTION(result, name, parameters): a pointer name_ to each, and its row. */
#define CM_FUNCTION_POINTER(result, name, parameters) static result(*name##_) parameters;
#define CM_FUNCTION_SYMBOL(result, name, parameters) {#name, (void **)(void *)&name##_},

/* Opens the first of the libraries (NULL ends the list) that is there, and takes the functions
   from it. On failure false, and `why` says what is missing. Nothing is ever closed: libraries of
   drivers do not survive it. */
bool cm_vendor_load(const char *const *files, const struct cm_symbol *symbols, size_t count,
                    char *why, size_t room);

/* A vendor's error as CUDA's. */
struct cm_error_row {
    int vendors;
    cmError_t cudas;
};
cmError_t cm_vendor_error(int error, const struct cm_error_row *rows, size_t count);

/* What the CPU says of a device, less what holds for the host only; the caller adds a name and the
   memory. */
void cm_vendor_describe(struct cmDeviceProp *properties, int device, const char *name,
                        size_t memory);

/* The end of a function of a back end with a use() and an error_of() of its own: what the vendor's
   call says, made on that device. */
#define CM_RETURN_ON(device, call)                                                                \
    do {                                                                                          \
        cmError_t error_ = use(device);                                                           \
        return error_ ? error_ : error_of(call);                                                  \
    } while (0)

#endif
