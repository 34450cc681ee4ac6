/* SPDX-License-Identifier: Apache-2.0 */
// Kernels that are looked up by name, as the driver API does it. A module is a shared library of
// ported kernels, or the program itself; each kernel is made known by one line behind it, which
// the port writes where a kernel with C's linkage is not launched in its file:
//     extern "C" __global__ void saxpy(float a, float *x, int n) { ... }
//     CM_MODULE_KERNEL(saxpy, saxpy);
// Shared libraries are compiled with -DCM_MODULE -shared -fPIC -Wl,-Bsymbolic.
#ifndef CUDA_MORPH_MODULE_H
#define CUDA_MORPH_MODULE_H

#include <cuda_morph/cuda.h>

struct cmModuleKernel {
    const char *name;
    cmError_t (*launch)(const cm::detail::shape &where, void **arguments);
    unsigned count; // of parameters; their sizes and alignments follow
    const unsigned *sizes, *alignments;
    const cmModuleKernel *next; // of those that the program itself has
};

namespace cm {
namespace module {

inline const cmModuleKernel *&own() { // what is linked into the program
    static const cmModuleKernel *first = nullptr;
    return first;
}

template <auto Kernel, class F = std::decay_t<decltype(Kernel)>> struct describe;
template <auto Kernel, class... P> struct describe<Kernel, void (*)(P...)> {
    static constexpr unsigned sizes[sizeof...(P) + 1] = {sizeof(std::decay_t<P>)..., 0};
    static constexpr unsigned alignments[sizeof...(P) + 1] = {alignof(std::decay_t<P>)..., 0};
    static cmError_t launch(const cm::detail::shape &where, void **arguments) {
        using call = cm::detail::constant<Kernel>;
        cmError_t error;
        cm::detail::signature<void (*)(P...)>::unpack(where, call{}, call::name(), arguments,
                                                      nullptr, nullptr, nullptr, 0, &error);
        return error;
    }
    static cmModuleKernel kernel(const char *name) {
        return {name, launch, sizeof...(P), sizes, alignments, nullptr};
    }
};

struct enlist {
    explicit enlist(cmModuleKernel *kernel) { kernel->next = own(), own() = kernel; }
};

} // namespace module
} // namespace cm

// NAME: what cuModuleGetFunction() is asked for; the rest: the kernel, with its template
// arguments.
#define CM_MODULE_KERNEL(NAME, ...)                                                               \
    extern "C" __attribute__((visibility("default"))) cmModuleKernel cm_kernel_##NAME;            \
    cmModuleKernel cm_kernel_##NAME = cm::module::describe<__VA_ARGS__>::kernel(#NAME);           \
    CM_MODULE_ENLIST(NAME)
#ifdef CM_MODULE // a shared library: its kernels are found by their symbols alone
#define CM_MODULE_ENLIST(NAME)
#else
#define CM_MODULE_ENLIST(NAME) static const cm::module::enlist cm_enlist_##NAME(&cm_kernel_##NAME);
#endif

#endif
