// SPDX-License-Identifier: Apache-2.0
// What CUDA's C++ headers add to the C functions beside pointers.hpp: symbols, kernels and channel
// formats.
#ifndef CUDA_MORPH_CPU_HOST_HPP
#define CUDA_MORPH_CPU_HOST_HPP

#include <cuda_morph/cpu/kernel.hpp>
#include <cuda_morph/cpu/pointers.hpp>

namespace cm {
// How many of them the shared memory of a block holds at most: for arrays of dynamic shared memory
// that are declared outside of functions.
template <class T> constexpr size_t shared_limit = 227 * 1024 / sizeof(T);
} // namespace cm

// ---- symbols: variables of the program, by reference ----

namespace cm {
namespace detail {
template <class T> inline void *address(const T &symbol) {
    return const_cast<void *>(reinterpret_cast<const volatile void *>(&symbol));
}
} // namespace detail
} // namespace cm

template <class T>
inline cmError_t cmMemcpyToSymbol(const T &symbol, const void *from, size_t size,
                                  size_t offset = 0, cmMemcpyKind = cmMemcpyHostToDevice) {
    return cmSymbolCopy(cm::detail::address(symbol), from, size, offset, sizeof(T), 1, nullptr, 1);
}
template <class T>
inline cmError_t cmMemcpyToSymbolAsync(const T &symbol, const void *from, size_t size,
                                       size_t offset, cmMemcpyKind, cmStream_t stream = nullptr) {
    return cmSymbolCopy(cm::detail::address(symbol), from, size, offset, sizeof(T), 1, stream, 0);
}
template <class T>
inline cmError_t cmMemcpyFromSymbol(void *to, const T &symbol, size_t size, size_t offset = 0,
                                    cmMemcpyKind = cmMemcpyDeviceToHost) {
    return cmSymbolCopy(to, cm::detail::address(symbol), size, offset, sizeof(T), 0, nullptr, 1);
}
template <class T>
inline cmError_t cmMemcpyFromSymbolAsync(void *to, const T &symbol, size_t size, size_t offset,
                                         cmMemcpyKind, cmStream_t stream = nullptr) {
    return cmSymbolCopy(to, cm::detail::address(symbol), size, offset, sizeof(T), 0, stream, 0);
}
template <class P, class T> inline cmError_t cmGetSymbolAddress(P **pointer, const T &symbol) {
    if (!pointer) return cmErrorInvalidValue;
    *pointer = reinterpret_cast<P *>(const_cast<T *>(&symbol));
    return cmSuccess;
}
template <class P, class T, size_t N>
inline cmError_t cmGetSymbolAddress(P **pointer, const T (&symbol)[N]) {
    if (!pointer) return cmErrorInvalidValue;
    *pointer = reinterpret_cast<P *>(const_cast<T *>(&symbol[0]));
    return cmSuccess;
}
template <class T> inline cmError_t cmGetSymbolSize(size_t *size, const T &) {
    if (!size) return cmErrorInvalidValue;
    *size = sizeof(T);
    return cmSuccess;
}

// ---- kernels as functions of the host ----

template <class... P>
inline cmError_t cmLaunchKernel(void (*kernel)(P...), dim3 grid, dim3 block, void **arguments,
                                size_t shared = 0, cmStream_t stream = nullptr) {
    cmError_t error;
    cm::detail::signature<void (*)(P...)>::unpack({grid, block, shared, stream, 0}, kernel,
                                                  "(through a pointer)", arguments, nullptr,
                                                  nullptr, nullptr, 0, &error);
    return error;
}
template <class... P>
inline cmError_t cmLaunchCooperativeKernel(void (*kernel)(P...), dim3 grid, dim3 block,
                                           void **arguments, size_t shared = 0,
                                           cmStream_t stream = nullptr) {
    cmError_t error;
    cm::detail::signature<void (*)(P...)>::unpack({grid, block, shared, stream, 1}, kernel,
                                                  "(through a pointer)", arguments, nullptr,
                                                  nullptr, nullptr, 0, &error);
    return error;
}

struct cmLaunchAttribute {
    cmLaunchAttributeID id;
    cmLaunchAttributeValue val;
};
struct cmLaunchConfig_t {
    dim3 gridDim, blockDim;
    size_t dynamicSmemBytes;
    cmStream_t stream;
    cmLaunchAttribute *attrs;
    unsigned int numAttrs;
};
template <class... P, class... A>
inline cmError_t cmLaunchKernelEx(const cmLaunchConfig_t *config, void (*kernel)(P...),
                                  A &&...arguments) {
    int cooperative = 0;
    for (unsigned i = 0; i < config->numAttrs; i++)
        if (config->attrs[i].id == cmLaunchAttributeCooperative)
            cooperative = config->attrs[i].val.cooperative;
    using pointer = void (*)(P...);
    return typename cm::detail::signature<pointer>::template launcher<pointer>{
        {config->gridDim, config->blockDim, config->dynamicSmemBytes, config->stream, cooperative},
        kernel,
        "(through a pointer)"}(static_cast<P>(arguments)...);
}

// A node's kernel: what a graph keeps of a function until it knows the arguments.
class cm_node_kernel {
    void (*function_)();
    cmError_t (*add_)(void (*)(), const cm::detail::shape &, void **, cmGraphNode_t *, cmGraph_t,
                      const cmGraphNode_t *, size_t);

  public:
    cm_node_kernel() : function_(nullptr), add_(nullptr) {}
    cm_node_kernel(std::nullptr_t) : cm_node_kernel() {}
    template <class... P>
    cm_node_kernel(void (*kernel)(P...))
        : function_(reinterpret_cast<void (*)()>(kernel)),
          add_([](void (*function)(), const cm::detail::shape &where, void **arguments,
                  cmGraphNode_t *node, cmGraph_t graph, const cmGraphNode_t *after, size_t count) {
              using pointer = void (*)(P...);
              cmError_t error;
              cm::detail::signature<pointer>::unpack(where, reinterpret_cast<pointer>(function),
                                                     "(through a pointer)", arguments, node, graph,
                                                     after, count, &error);
              return error;
          }) {}
    cmError_t add(const cm::detail::shape &where, void **arguments, cmGraphNode_t *node,
                  cmGraph_t graph, const cmGraphNode_t *after, size_t count) const {
        return add_ ? add_(function_, where, arguments, node, graph, after, count)
                    : cmErrorInvalidDeviceFunction;
    }
};
struct cmKernelNodeParams {
    cm_node_kernel func;
    dim3 gridDim, blockDim;
    unsigned int sharedMemBytes;
    void **kernelParams, **extra;
};
inline cmError_t cmGraphAddKernelNode(cmGraphNode_t *node, cmGraph_t graph,
                                      const cmGraphNode_t *after, size_t count,
                                      const cmKernelNodeParams *params) {
    if (!node || !params) return cmErrorInvalidValue;
    return params->func.add(
        {params->gridDim, params->blockDim, params->sharedMemBytes, nullptr, 0},
        params->kernelParams, node, graph, after, count);
}

inline cmError_t cmGraphExecKernelNodeSetParams(cmGraphExec_t exec, cmGraphNode_t node,
                                                const cmKernelNodeParams *params) {
    cmGraph_t scratch;
    cmGraphNode_t made;
    cmError_t error = cmGraphCreate(&scratch, 0);
    if (error) return error;
    error = cmGraphAddKernelNode(&made, scratch, nullptr, 0, params);
    if (!error) error = cmGraphNodeReplace(exec, node, made);
    cmGraphDestroy(scratch);
    return error;
}
inline cmError_t cmGraphKernelNodeSetParams(cmGraphNode_t node, const cmKernelNodeParams *params) {
    return cmGraphExecKernelNodeSetParams(nullptr, node, params);
}
// The forms of CUDA 11 and 12.
inline cmError_t cmGraphExecUpdate(cmGraphExec_t exec, cmGraph_t graph, cmGraphNode_t *node,
                                   cmGraphExecUpdateResult *result) {
    return cmGraphExecUpdateFrom(exec, graph, node, result);
}
inline cmError_t cmGraphExecUpdate(cmGraphExec_t exec, cmGraph_t graph,
                                   cmGraphExecUpdateResultInfo *info) {
    if (!info) return cmErrorInvalidValue;
    info->errorFromNode = nullptr;
    return cmGraphExecUpdateFrom(exec, graph, &info->errorNode, &info->result);
}

#include <cuda_morph/cpu/graph_nodes.hpp>

template <class F> inline cmError_t cmFuncSetAttribute(F, cmFuncAttribute attribute, int value) {
    if (attribute == cmFuncAttributeMaxDynamicSharedMemorySize && value > 227 * 1024)
        return cmErrorInvalidValue;
    return cmSuccess;
}
template <class F> inline cmError_t cmFuncSetCacheConfig(F, cmFuncCache) { return cmSuccess; }
template <class F> inline cmError_t cmFuncSetSharedMemConfig(F, cmSharedMemConfig) {
    return cmSuccess;
}
template <class F> inline cmError_t cmFuncGetAttributes(cmFuncAttributes *attributes, F) {
    if (!attributes) return cmErrorInvalidValue;
    *attributes = cmFuncAttributes{};
    attributes->maxThreadsPerBlock = 1024;
    attributes->numRegs = 32;
    attributes->ptxVersion = attributes->binaryVersion = 80;
    attributes->maxDynamicSharedSizeBytes = 48 * 1024;
    return cmSuccess;
}
template <class F>
inline cmError_t cmOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, F, int threads,
                                                             size_t shared) {
    return cmOccupancyBlocks(blocks, threads, shared);
}
template <class F>
inline cmError_t cmOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, F, int threads,
                                                                      size_t shared,
                                                                      unsigned int) {
    return cmOccupancyBlocks(blocks, threads, shared);
}
template <class F, class Shared>
inline cmError_t cmOccupancyMaxPotentialBlockSizeVariableSMem(int *grid, int *block, F,
                                                              Shared shared, int limit = 0) {
    int device, processors, most = 0;
    cmError_t error = cmGetDevice(&device);
    if (!error) error = cmDeviceGetAttribute(&processors, cmDevAttrMultiProcessorCount, device);
    for (int t = limit > 0 && limit < 1024 ? limit : 1024; !error && t > 0; t -= 32) {
        int blocks;
        error = cmOccupancyBlocks(&blocks, t, shared(t));
        if (error || blocks * t <= most) continue;
        most = blocks * t;
        *block = t;
        *grid = blocks * processors;
    }
    return error;
}
template <class F>
inline cmError_t cmOccupancyMaxPotentialBlockSize(int *grid, int *block, F kernel,
                                                  size_t shared = 0, int limit = 0) {
    return cmOccupancyMaxPotentialBlockSizeVariableSMem(
        grid, block, kernel, [shared](int) { return shared; }, limit);
}

template <class F>
inline cmError_t cmOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block, F kernel,
                                                           size_t shared = 0, int limit = 0,
                                                           unsigned int = 0) {
    return cmOccupancyMaxPotentialBlockSize(grid, block, kernel, shared, limit);
}

// ---- hints without a consequence ----

// A kernel begins when those before it in its stream have ended, however it was launched.
inline void cmGridDependencySynchronize() {}
inline void cmTriggerProgrammaticLaunchCompletion() {}
// Memory of graphs goes when they do.
inline cmError_t cmDeviceGraphMemTrim(int device) {
    int value;
    return cmDeviceGetAttribute(&value, cmDevAttrWarpSize, device);
}
// Attributes of a kernel's node: the access policy is a hint, and all that can be set here.
inline cmError_t cmGraphKernelNodeSetAttribute(cmGraphNode_t node, cmLaunchAttributeID id,
                                               const cmLaunchAttributeValue *value) {
    cmGraphNodeType type;
    const cmError_t error = cmGraphNodeGetType(node, &type);
    if (error) return error;
    return value && type == cmGraphNodeTypeKernel && id == cmLaunchAttributeAccessPolicyWindow
               ? cmSuccess
               : cmErrorInvalidValue;
}

#endif
