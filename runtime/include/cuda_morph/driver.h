/* SPDX-License-Identifier: Apache-2.0 */
// The core of the CUDA driver API over the runtime: devices, contexts, memory, streams, events,
// and kernels by name. cuMemAlloc() is cmDrvMemAlloc(), with the same arguments; streams and
// events are the runtime's own. A module is a shared library of ported kernels (module.h), what
// rtc.h compiled, or the program itself. PTX and cubins are for NVIDIA's GPUs: loading them fails
// with CUDA_ERROR_NO_BINARY_FOR_GPU, unless the program has kernels of its own (module.h).
#ifndef CUDA_MORPH_DRIVER_H
#define CUDA_MORPH_DRIVER_H

#include <cuda_morph/cpu/library.hpp>
#include <cuda_morph/module.h>
#include <elf.h>
#include <link.h>
#include <string>
#include <unistd.h>
#include <vector>

#define __cuda_cuda_h__
#define CM_DRV_VERSION CMRT_VERSION

typedef enum cmDrvResult {
#define CM_DRV(name, value) CM_DRV_##name = value,
#include <cuda_morph/driver_errors.def>
#undef CM_DRV
} cmDrvResult;

typedef int cmDrvDevice;
typedef unsigned long long cmDrvDeviceptr;
struct cmDrvContext_st {
    int device;
    unsigned flags;
};
typedef cmDrvContext_st *cmDrvContext;
struct cmDrvModule_st {
    void *library; // NULL: the program's own kernels
};
typedef cmDrvModule_st *cmDrvModule;
typedef const cmModuleKernel *cmDrvFunction;
struct cmDrvUuid {
    char bytes[16];
};
struct cmDrvCtxCreateParams {
    void *execAffinityParams, *cigParams;
    int numExecAffinityParams;
};
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

// The numbers of both interfaces are the same, but for a few that only the runtime has.
inline cmDrvResult result(cmError_t error) {
    return static_cast<cmDrvResult>(error > 8 && error < 34 ? 1 : static_cast<int>(error));
}
inline bool &ready() {
    static bool initialized = false;
    return initialized;
}
inline std::vector<cmDrvContext> &stack() { // of the calling thread
    static thread_local std::vector<cmDrvContext> contexts;
    return contexts;
}
inline void *pointer(cmDrvDeviceptr p) {
    return reinterpret_cast<void *>(static_cast<uintptr_t>(p));
}
inline cmDrvContext primary(int device) {
    static cmDrvContext_st contexts[64];
    contexts[device % 64].device = device;
    return &contexts[device % 64];
}
inline cmDrvResult make_current(cmDrvContext context) {
    return context ? result(cmSetDevice(context->device)) : CM_DRV_SUCCESS;
}

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

inline cmDrvResult cmDrvInit(unsigned flags) {
    if (flags) return CM_DRV_ERROR_INVALID_VALUE;
    int count = 0;
    if (cmGetDeviceCount(&count) || !count) return CM_DRV_ERROR_NO_DEVICE;
    cm::driver::ready() = true;
    return CM_DRV_SUCCESS;
}
inline cmDrvResult cmDrvDriverGetVersion(int *version) {
    return cm::driver::result(cmDriverGetVersion(version));
}
// Every number has a name; others are CUDA_ERROR_INVALID_VALUE.
inline cmDrvResult cmDrvGetErrorName(cmDrvResult error, const char **name) {
    if (!name) return CM_DRV_ERROR_INVALID_VALUE;
    switch (error) {
#define CM_DRV(text, value)                                                                       \
    case CM_DRV_##text:                                                                           \
        *name = "CUDA_" #text;                                                                    \
        return CM_DRV_SUCCESS;
#include <cuda_morph/driver_errors.def>
#undef CM_DRV
    }
    *name = nullptr;
    return CM_DRV_ERROR_INVALID_VALUE;
}
inline cmDrvResult cmDrvGetErrorString(cmDrvResult error, const char **text) {
    const cmDrvResult known = cmDrvGetErrorName(error, text);
    if (!known) *text = cmGetErrorString(static_cast<cmError_t>(error));
    return known;
}

// ---- devices and contexts ----

inline cmDrvResult cmDrvDeviceGetCount(int *count) {
    if (!cm::driver::ready()) return CM_DRV_ERROR_NOT_INITIALIZED;
    return cm::driver::result(cmGetDeviceCount(count));
}
inline cmDrvResult cmDrvDeviceGet(cmDrvDevice *device, int ordinal) {
    int count = 0;
    const cmDrvResult error = cmDrvDeviceGetCount(&count);
    if (error) return error;
    if (ordinal < 0 || ordinal >= count) return CM_DRV_ERROR_INVALID_DEVICE;
    *device = ordinal;
    return CM_DRV_SUCCESS;
}
inline cmDrvResult cmDrvDeviceGetName(char *name, int size, cmDrvDevice device) {
    cmDeviceProp prop;
    const cmError_t error = cmGetDeviceProperties(&prop, device);
    if (!error && size > 0) snprintf(name, static_cast<size_t>(size), "%s", prop.name);
    return cm::driver::result(error);
}
inline cmDrvResult cmDrvDeviceTotalMem(size_t *size, cmDrvDevice device) {
    cmDeviceProp prop;
    const cmError_t error = cmGetDeviceProperties(&prop, device);
    if (!error) *size = prop.totalGlobalMem;
    return cm::driver::result(error);
}
inline cmDrvResult cmDrvDeviceGetAttribute(int *value, cmDeviceAttr attribute,
                                           cmDrvDevice device) {
    return cm::driver::result(cmDeviceGetAttribute(value, attribute, device));
}
inline cmDrvResult cmDrvDeviceComputeCapability(int *major, int *minor, cmDrvDevice device) {
    const cmDrvResult error =
        cmDrvDeviceGetAttribute(major, cmDevAttrComputeCapabilityMajor, device);
    return error ? error : cmDrvDeviceGetAttribute(minor, cmDevAttrComputeCapabilityMinor, device);
}
inline cmDrvResult cmDrvDeviceGetUuid(cmDrvUuid *uuid, cmDrvDevice device) {
    memset(uuid->bytes, 0, sizeof uuid->bytes);
    uuid->bytes[15] = static_cast<char>(device + 1);
    return CM_DRV_SUCCESS;
}
inline cmDrvResult cmDrvDeviceGetPCIBusId(char *text, int size, cmDrvDevice device) {
    return cm::driver::result(cmDeviceGetPCIBusId(text, size, device));
}
inline cmDrvResult cmDrvDeviceGetByPCIBusId(cmDrvDevice *device, const char *text) {
    return cm::driver::result(cmDeviceGetByPCIBusId(device, text));
}
inline cmDrvResult cmDrvDeviceCanAccessPeer(int *can, cmDrvDevice device, cmDrvDevice peer) {
    return cm::driver::result(cmDeviceCanAccessPeer(can, device, peer));
}
inline cmDrvResult cmDrvCtxPushCurrent(cmDrvContext context) {
    if (!context) return CM_DRV_ERROR_INVALID_CONTEXT;
    cm::driver::stack().push_back(context);
    return cm::driver::make_current(context);
}
inline cmDrvResult cmDrvCtxPopCurrent(cmDrvContext *context) {
    auto &stack = cm::driver::stack();
    if (stack.empty()) return CM_DRV_ERROR_INVALID_CONTEXT;
    if (context) *context = stack.back();
    stack.pop_back();
    return cm::driver::make_current(stack.empty() ? nullptr : stack.back());
}
inline cmDrvResult cmDrvCtxCreate(cmDrvContext *context, unsigned flags, cmDrvDevice device) {
    cmDrvDevice known;
    const cmDrvResult error = cmDrvDeviceGet(&known, device);
    if (error) return error;
    *context = new cmDrvContext_st{device, flags};
    return cmDrvCtxPushCurrent(*context);
}
inline cmDrvResult cmDrvCtxCreate(cmDrvContext *context, cmDrvCtxCreateParams *, unsigned flags,
                                  cmDrvDevice device) {
    return cmDrvCtxCreate(context, flags, device);
}
inline cmDrvResult cmDrvCtxDestroy(cmDrvContext context) {
    if (!context) return CM_DRV_ERROR_INVALID_CONTEXT;
    auto &stack = cm::driver::stack();
    cmDeviceSynchronize();
    if (!stack.empty() && stack.back() == context) cmDrvCtxPopCurrent(nullptr);
    delete context;
    return CM_DRV_SUCCESS;
}
inline cmDrvResult cmDrvCtxSetCurrent(cmDrvContext context) {
    auto &stack = cm::driver::stack();
    if (!stack.empty()) stack.pop_back();
    if (context) stack.push_back(context);
    return cm::driver::make_current(context);
}
inline cmDrvResult cmDrvCtxGetCurrent(cmDrvContext *context) {
    *context = cm::driver::stack().empty() ? nullptr : cm::driver::stack().back();
    return CM_DRV_SUCCESS;
}
inline cmDrvResult cmDrvCtxGetDevice(cmDrvDevice *device) {
    if (cm::driver::stack().empty()) return CM_DRV_ERROR_INVALID_CONTEXT;
    *device = cm::driver::stack().back()->device;
    return CM_DRV_SUCCESS;
}
inline cmDrvResult cmDrvCtxGetApiVersion(cmDrvContext, unsigned *version) {
    *version = CMRT_VERSION;
    return CM_DRV_SUCCESS;
}
inline cmDrvResult cmDrvCtxSynchronize() { return cm::driver::result(cmDeviceSynchronize()); }
inline cmDrvResult cmDrvCtxEnablePeerAccess(cmDrvContext peer, unsigned flags) {
    if (!peer) return CM_DRV_ERROR_INVALID_CONTEXT;
    return cm::driver::result(cmDeviceEnablePeerAccess(peer->device, flags));
}
inline cmDrvResult cmDrvCtxDisablePeerAccess(cmDrvContext peer) {
    if (!peer) return CM_DRV_ERROR_INVALID_CONTEXT;
    return cm::driver::result(cmDeviceDisablePeerAccess(peer->device));
}
inline cmDrvResult cmDrvDevicePrimaryCtxRetain(cmDrvContext *context, cmDrvDevice device) {
    cmDrvDevice known;
    const cmDrvResult error = cmDrvDeviceGet(&known, device);
    if (!error) *context = cm::driver::primary(device);
    return error;
}
inline cmDrvResult cmDrvDevicePrimaryCtxRelease(cmDrvDevice) { return CM_DRV_SUCCESS; }
inline cmDrvResult cmDrvDevicePrimaryCtxSetFlags(cmDrvDevice, unsigned) { return CM_DRV_SUCCESS; }
inline cmDrvResult cmDrvProfilerStart() { return cm::driver::result(cmProfilerStart()); }
inline cmDrvResult cmDrvProfilerStop() { return cm::driver::result(cmProfilerStop()); }

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

#endif
