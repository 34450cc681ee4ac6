/* SPDX-License-Identifier: Apache-2.0 */
// The core of the CUDA driver API over the runtime: devices, contexts, memory, streams, events,
// and kernels by name. cuMemAlloc() is cmDrvMemAlloc(), with the same arguments; streams and
// events are the runtime's own. A module is a shared library of ported kernels (module.h), what
// rtc.h compiled, or the program itself. PTX and cubins are for NVIDIA's GPUs: loading them fails
// with CUDA_ERROR_NO_BINARY_FOR_GPU, unless the program has kernels of its own (module.h).
#ifndef CUDA_MORPH_DRIVER_H
#define CUDA_MORPH_DRIVER_H

extern "C++" { // it may be included within extern "C"

#include <cuda_morph/cpu/library.hpp>
#include <cuda_morph/module.h>
#include <elf.h>
#include <link.h>
#include <string>
#include <unistd.h>
#include <vector>

#define __cuda_cuda_h__
#define CM_DRV_VERSION CMRT_VERSION

#include <cuda_morph/cpu/driver_core.hpp>

struct cmDrvModule_st {
    void *library; // NULL: the program's own kernels
};
typedef cmDrvModule_st *cmDrvModule;
typedef const cmModuleKernel *cmDrvFunction;
typedef enum cmDrvJit_option {
    CM_DRV_JIT_MAX_REGISTERS = 0,
    CM_DRV_JIT_THREADS_PER_BLOCK = 1,
    CM_DRV_JIT_WALL_TIME = 2,
    CM_DRV_JIT_INFO_LOG_BUFFER = 3,
    CM_DRV_JIT_INFO_LOG_BUFFER_SIZE_BYTES = 4,
    CM_DRV_JIT_ERROR_LOG_BUFFER = 5,
    CM_DRV_JIT_ERROR_LOG_BUFFER_SIZE_BYTES = 6,
    CM_DRV_JIT_OPTIMIZATION_LEVEL = 7,
    CM_DRV_JIT_TARGET_FROM_CUCONTEXT = 8,
    CM_DRV_JIT_TARGET = 9,
    CM_DRV_JIT_LOG_VERBOSE = 12
} cmDrvJit_option;
typedef enum cmDrvFunction_attribute {
    CM_DRV_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK = 0,
    CM_DRV_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES = 1,
    CM_DRV_FUNC_ATTRIBUTE_CONST_SIZE_BYTES = 2,
    CM_DRV_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES = 3,
    CM_DRV_FUNC_ATTRIBUTE_NUM_REGS = 4,
    CM_DRV_FUNC_ATTRIBUTE_PTX_VERSION = 5,
    CM_DRV_FUNC_ATTRIBUTE_BINARY_VERSION = 6,
    CM_DRV_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES = 8
} cmDrvFunction_attribute;
#define CM_DRV_LAUNCH_PARAM_END ((void *)0x00)
#define CM_DRV_LAUNCH_PARAM_BUFFER_POINTER ((void *)0x01)
#define CM_DRV_LAUNCH_PARAM_BUFFER_SIZE ((void *)0x02)

namespace cm {
namespace driver {

// How many bytes an ELF image has: its section headers stand at the end.
inline size_t image_size(const void *image) {
    const auto *h = static_cast<const Elf64_Ehdr *>(image);
    return h->e_shoff + static_cast<size_t>(h->e_shentsize) * h->e_shnum;
}
inline bool runs_here(const void *image) {
    static const Elf64_Ehdr *const self =
        reinterpret_cast<const Elf64_Ehdr *>(dlsym(RTLD_DEFAULT, "__ehdr_start"));
    const auto *h = static_cast<const Elf64_Ehdr *>(image);
    const bool elf = memcmp(h->e_ident, ELFMAG, SELFMAG) == 0;
    return elf && h->e_type == ET_DYN && (!self || h->e_machine == self->e_machine);
}
inline cmDrvResult load(cmDrvModule *module, const void *image) {
    if (!module || !image) return CM_DRV_ERROR_INVALID_VALUE;
    if (!runs_here(image)) {
        if (!cm::module::own()) {
            fprintf(stderr,
                    "cuda-morph: this module is code for NVIDIA's GPUs; on the CPU a module "
                    "is a shared library of ported kernels (cuda_morph/module.h)\n");
            return CM_DRV_ERROR_NO_BINARY_FOR_GPU;
        }
        *module = new cmDrvModule_st{nullptr};
        return CM_DRV_SUCCESS;
    }
    char path[] = "/tmp/cuda-morph-XXXXXX";
    const int file = mkstemp(path);
    if (file < 0) return CM_DRV_ERROR_OPERATING_SYSTEM;
    const size_t size = image_size(image);
    const bool written = write(file, image, size) == static_cast<ssize_t>(size);
    close(file);
    void *const library = written ? dlopen(path, RTLD_NOW | RTLD_LOCAL) : nullptr;
    unlink(path);
    if (!library) {
        fprintf(stderr, "cuda-morph: a module cannot be loaded: %s\n", dlerror());
        return CM_DRV_ERROR_SHARED_OBJECT_INIT_FAILED;
    }
    *module = new cmDrvModule_st{library};
    return CM_DRV_SUCCESS;
}
inline cmDrvFunction find(cmDrvModule module, const char *name) {
    if (module->library)
        return static_cast<cmDrvFunction>(
            dlsym(module->library, (std::string("cm_kernel_") + name).c_str()));
    for (cmDrvFunction k = cm::module::own(); k; k = k->next)
        if (!strcmp(k->name, name)) return k;
    return nullptr;
}
// Where the arguments lie in one buffer (CU_LAUNCH_PARAM_BUFFER_POINTER).
inline std::vector<void *> unpack(cmDrvFunction f, void **extra) {
    std::vector<void *> where;
    char *buffer = nullptr;
    for (; *extra != CM_DRV_LAUNCH_PARAM_END; extra += 2)
        if (*extra == CM_DRV_LAUNCH_PARAM_BUFFER_POINTER) buffer = static_cast<char *>(extra[1]);
    size_t at = 0;
    for (unsigned i = 0; buffer && i < f->count; i++) {
        at = (at + f->alignments[i] - 1) / f->alignments[i] * f->alignments[i];
        where.push_back(buffer + at);
        at += f->sizes[i];
    }
    return where;
}

} // namespace driver
} // namespace cm

#include <cuda_morph/cpu/driver_copy.hpp>
#include <cuda_morph/cpu/driver_memory.hpp>
#include <cuda_morph/cpu/driver_more.hpp>
#include <cuda_morph/cpu/driver_virtual.hpp>

// ---- modules and kernels ----

inline cmDrvResult cmDrvModuleLoadData(cmDrvModule *module, const void *image) {
    return cm::driver::load(module, image);
}
inline cmDrvResult cmDrvModuleLoadDataEx(cmDrvModule *module, const void *image, unsigned,
                                         cmDrvJit_option *, void **) {
    return cm::driver::load(module, image);
}
inline cmDrvResult cmDrvModuleLoadFatBinary(cmDrvModule *module, const void *image) {
    return cm::driver::load(module, image);
}
inline cmDrvResult cmDrvModuleLoad(cmDrvModule *module, const char *path) {
    FILE *const file = path ? fopen(path, "rb") : nullptr;
    if (!file) return CM_DRV_ERROR_FILE_NOT_FOUND;
    std::vector<char> image;
    char part[4096];
    for (size_t n; (n = fread(part, 1, sizeof part, file)) > 0;)
        image.insert(image.end(), part, part + n);
    fclose(file);
    image.resize(image.size() + sizeof(Elf64_Ehdr)); // a short file is none, and not read beyond
    return cm::driver::load(module, image.data());
}
inline cmDrvResult cmDrvModuleUnload(cmDrvModule module) {
    if (!module) return CM_DRV_ERROR_INVALID_VALUE;
    cmDeviceSynchronize();
    if (module->library) dlclose(module->library);
    delete module;
    return CM_DRV_SUCCESS;
}
inline cmDrvResult cmDrvModuleGetFunction(cmDrvFunction *function, cmDrvModule module,
                                          const char *name) {
    if (!function || !module || !name) return CM_DRV_ERROR_INVALID_VALUE;
    *function = cm::driver::find(module, name);
    return *function ? CM_DRV_SUCCESS : CM_DRV_ERROR_NOT_FOUND;
}
inline cmDrvResult cmDrvModuleGetGlobal(cmDrvDeviceptr *pointer, size_t *size, cmDrvModule module,
                                        const char *name) {
    if (!module || !name) return CM_DRV_ERROR_INVALID_VALUE;
    void *const at = dlsym(module->library ? module->library : RTLD_DEFAULT, name);
    Dl_info info;
    ElfW(Sym) *symbol = nullptr;
    if (!at) return CM_DRV_ERROR_NOT_FOUND;
    if (pointer) *pointer = reinterpret_cast<uintptr_t>(at);
    if (size && dladdr1(at, &info, reinterpret_cast<void **>(&symbol), RTLD_DL_SYMENT) && symbol)
        *size = symbol->st_size;
    return CM_DRV_SUCCESS;
}
inline cmDrvResult cmDrvLaunchKernel(cmDrvFunction f, unsigned gx, unsigned gy, unsigned gz,
                                     unsigned bx, unsigned by, unsigned bz, unsigned shared,
                                     cmStream_t stream, void **arguments, void **extra) {
    if (!f) return CM_DRV_ERROR_INVALID_HANDLE;
    std::vector<void *> unpacked;
    if (!arguments && extra) {
        unpacked = cm::driver::unpack(f, extra);
        arguments = unpacked.data();
        if (unpacked.size() != f->count) return CM_DRV_ERROR_INVALID_VALUE;
    }
    if (f->count && !arguments) return CM_DRV_ERROR_INVALID_VALUE;
    return cm::driver::result(
        f->launch({dim3(gx, gy, gz), dim3(bx, by, bz), shared, stream, 0}, arguments));
}
inline cmDrvResult cmDrvLaunchCooperativeKernel(cmDrvFunction f, unsigned gx, unsigned gy,
                                                unsigned gz, unsigned bx, unsigned by, unsigned bz,
                                                unsigned shared, cmStream_t stream,
                                                void **arguments) {
    if (!f) return CM_DRV_ERROR_INVALID_HANDLE;
    return cm::driver::result(
        f->launch({dim3(gx, gy, gz), dim3(bx, by, bz), shared, stream, 1}, arguments));
}
inline cmDrvResult cmDrvFuncGetAttribute(int *value, cmDrvFunction_attribute attribute,
                                         cmDrvFunction f) {
    cmFuncAttributes all;
    if (!value || !f) return CM_DRV_ERROR_INVALID_VALUE;
    cmFuncGetAttributes(&all, f);
    *value = attribute == CM_DRV_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK ? all.maxThreadsPerBlock
             : attribute == CM_DRV_FUNC_ATTRIBUTE_NUM_REGS            ? all.numRegs
             : attribute == CM_DRV_FUNC_ATTRIBUTE_PTX_VERSION         ? all.ptxVersion
             : attribute == CM_DRV_FUNC_ATTRIBUTE_BINARY_VERSION      ? all.binaryVersion
             : attribute == CM_DRV_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES
                 ? all.maxDynamicSharedSizeBytes
                 : 0;
    return CM_DRV_SUCCESS;
}
inline cmDrvResult cmDrvFuncSetAttribute(cmDrvFunction f, cmDrvFunction_attribute, int) {
    return f ? CM_DRV_SUCCESS : CM_DRV_ERROR_INVALID_HANDLE;
}
inline cmDrvResult cmDrvFuncSetCacheConfig(cmDrvFunction f, cmFuncCache) {
    return f ? CM_DRV_SUCCESS : CM_DRV_ERROR_INVALID_HANDLE;
}
inline cmDrvResult cmDrvOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, cmDrvFunction,
                                                                  int threads, size_t shared) {
    return cm::driver::result(cmOccupancyBlocks(blocks, threads, shared));
}
inline cmDrvResult cmDrvOccupancyMaxPotentialBlockSize(int *grid, int *block, cmDrvFunction f,
                                                       size_t (*shared_of)(int), size_t shared,
                                                       int limit) {
    return cm::driver::result(cmOccupancyMaxPotentialBlockSizeVariableSMem(
        grid, block, f, [=](int n) { return shared_of ? shared_of(n) : shared; }, limit));
}

} // extern "C++"

#endif
