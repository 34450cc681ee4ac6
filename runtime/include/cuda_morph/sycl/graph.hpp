// SPDX-License-Identifier: Apache-2.0
// Graphs: what a stream is given while it is captured is kept, and put into a stream again when
// the graph is launched, in the same order; nodes that are added come after those that they depend
// on. No extension of SYCL is needed; what DPC++'s gains by knowing the whole graph is not gained
// here.
#ifndef CUDA_MORPH_SYCL_GRAPH_HPP
#define CUDA_MORPH_SYCL_GRAPH_HPP

#include <cuda_morph/sycl/array.hpp>
#include <cuda_morph/sycl/host.hpp>
#include <cuda_morph/sycl/memory.hpp>
#include <cuda_morph/sycl/pointers.hpp>

struct cmGraphExec_st {
    cmGraph_st graph;
};

namespace cm {
namespace detail {

inline std::vector<std::size_t> numbers_of(const cmGraphNode_t *nodes, std::size_t count) {
    std::vector<std::size_t> numbers;
    for (std::size_t i = 0; i < count; i++) numbers.push_back(nodes[i]->number);
    return numbers;
}

// Puts the nodes into the stream, each after those that it depends on.
inline cmError_t run_graph(const cmGraph_st &graph, cmStream_t stream) {
    std::vector<bool> done(graph.nodes.size());
    for (std::size_t left = graph.nodes.size(), before = left + 1; left && left < before;) {
        before = left;
        for (const auto &node : graph.nodes) {
            bool ready = !done[node->number];
            for (const std::size_t other : node->after) ready = ready && done[other];
            if (!ready) continue;
            if (node->command)
                if (const cmError_t error = node->command(stream)) return error;
            done[node->number] = true;
            left--;
        }
    }
    return cmSuccess;
}

template <class F>
cmError_t add_node(cmGraphNode_t *node, cmGraph_t graph, const cmGraphNode_t *after,
                   std::size_t count, cmGraphNodeType type, F command) {
    if (!node || !graph || (count && !after)) return said(cmErrorInvalidValue);
    *node = graph->add(type, std::move(command), numbers_of(after, count));
    return cmSuccess;
}

inline bound kernel_of(const cmKernelNodeParams *p) {
    const shape where{p->gridDim, p->blockDim, p->sharedMemBytes, nullptr};
    return bound_by(p->func, where, p->kernelParams);
}
inline bound memset_of(const cmMemsetParams *p) {
    const cmMemsetParams what = *p;
    return [=](cmStream_t stream) {
        const std::size_t row = what.height > 1 ? what.pitch : what.width * what.elementSize;
        return cmMemsetElementsAsync(what.dst, row, what.value, what.elementSize, what.width,
                                     what.height, stream);
    };
}
inline bound copy_of(void *to, const void *from, std::size_t size, cmMemcpyKind kind) {
    return [=](cmStream_t stream) { return cmMemcpyAsync(to, from, size, kind, stream); };
}
inline bound copy_of(const cmMemcpy3DParms *p) {
    const cmMemcpy3DParms what = *p;
    return [=](cmStream_t stream) { return cmMemcpy3DAsync(&what, stream); };
}
inline bound call_of(const cmHostNodeParams *p) {
    const cmHostNodeParams what = *p;
    return [=](cmStream_t stream) { return cmLaunchHostFunc(stream, what.fn, what.userData); };
}

// Another command for a node, which a graph that is ready to run knows by its number.
inline cmError_t set_node(cmGraphExec_t exec, cmGraphNode_t node, bound command) {
    if (!exec || !node || !command || node->number >= exec->graph.nodes.size())
        return said(cmErrorInvalidValue);
    exec->graph.nodes[node->number]->command = std::move(command);
    return cmSuccess;
}
inline cmError_t set_node(cmGraphNode_t node, bound command) {
    if (!node || !command) return said(cmErrorInvalidValue);
    node->command = std::move(command);
    return cmSuccess;
}

} // namespace detail
} // namespace cm

inline cmError_t cmStreamBeginCapture(cmStream_t stream, cmStreamCaptureMode) {
    cm::detail::runtime &all = cm::detail::runtime::get();
    const std::lock_guard<std::recursive_mutex> hold(all.lock);
    cmStream_st *s = all.stream(stream);
    if (!s || s->capture) return cm::detail::said(cmErrorInvalidValue);
    if (!stream || stream == cmStreamLegacy)
        return cm::detail::said(cmErrorStreamCaptureUnsupported);
    s->capture = new cmGraph_st;
    return cmSuccess;
}
inline cmError_t cmStreamEndCapture(cmStream_t stream, cmGraph_t *graph) {
    cm::detail::runtime &all = cm::detail::runtime::get();
    const std::lock_guard<std::recursive_mutex> hold(all.lock);
    cmStream_st *s = all.stream(stream);
    if (!s || !s->capture || !graph) return cm::detail::said(cmErrorInvalidValue);
    *graph = s->capture;
    all.end_capture(s->capture);
    return cmSuccess;
}
inline cmError_t cmStreamIsCapturing(cmStream_t stream, cmStreamCaptureStatus *status) {
    if (!status) return cm::detail::said(cmErrorInvalidValue);
    *status =
        cm::detail::is_captured(stream) ? cmStreamCaptureStatusActive : cmStreamCaptureStatusNone;
    return cmSuccess;
}
inline cmError_t cmGraphCreate(cmGraph_t *graph, unsigned int) {
    if (!graph) return cm::detail::said(cmErrorInvalidValue);
    *graph = new cmGraph_st;
    return cmSuccess;
}
inline cmError_t cmGraphDestroy(cmGraph_t graph) {
    if (!graph) return cm::detail::said(cmErrorInvalidValue);
    delete graph;
    return cmSuccess;
}
inline cmError_t cmGraphClone(cmGraph_t *clone, cmGraph_t original) {
    if (!clone || !original) return cm::detail::said(cmErrorInvalidValue);
    *clone = new cmGraph_st(*original);
    return cmSuccess;
}

// ---- nodes ----

inline cmError_t cmGraphAddKernelNode(cmGraphNode_t *node, cmGraph_t graph,
                                      const cmGraphNode_t *after, size_t count,
                                      const cmKernelNodeParams *params) {
    if (!params) return cm::detail::said(cmErrorInvalidValue);
    cm::detail::bound ready = cm::detail::kernel_of(params);
    if (!ready) return cm::detail::said(cmErrorInvalidDeviceFunction);
    return cm::detail::add_node(node, graph, after, count, cmGraphNodeTypeKernel,
                                std::move(ready));
}
inline cmError_t cmGraphAddMemsetNode(cmGraphNode_t *node, cmGraph_t graph,
                                      const cmGraphNode_t *after, size_t count,
                                      const cmMemsetParams *params) {
    if (!params) return cm::detail::said(cmErrorInvalidValue);
    return cm::detail::add_node(node, graph, after, count, cmGraphNodeTypeMemset,
                                cm::detail::memset_of(params));
}
inline cmError_t cmGraphAddMemcpyNode(cmGraphNode_t *node, cmGraph_t graph,
                                      const cmGraphNode_t *after, size_t count,
                                      const cmMemcpy3DParms *params) {
    if (!params) return cm::detail::said(cmErrorInvalidValue);
    return cm::detail::add_node(node, graph, after, count, cmGraphNodeTypeMemcpy,
                                cm::detail::copy_of(params));
}
inline cmError_t cmGraphAddMemcpyNode1D(cmGraphNode_t *node, cmGraph_t graph,
                                        const cmGraphNode_t *after, size_t count, void *to,
                                        const void *from, size_t size, cmMemcpyKind kind) {
    return cm::detail::add_node(node, graph, after, count, cmGraphNodeTypeMemcpy,
                                cm::detail::copy_of(to, from, size, kind));
}
inline cmError_t cmGraphAddHostNode(cmGraphNode_t *node, cmGraph_t graph,
                                    const cmGraphNode_t *after, size_t count,
                                    const cmHostNodeParams *params) {
    if (!params || !params->fn) return cm::detail::said(cmErrorInvalidValue);
    return cm::detail::add_node(node, graph, after, count, cmGraphNodeTypeHost,
                                cm::detail::call_of(params));
}
inline cmError_t cmGraphAddEmptyNode(cmGraphNode_t *node, cmGraph_t graph,
                                     const cmGraphNode_t *after, size_t count) {
    return cm::detail::add_node(node, graph, after, count, cmGraphNodeTypeEmpty,
                                cm::detail::bound());
}
// The child is copied; its nodes run in the node's place.
inline cmError_t cmGraphAddChildGraphNode(cmGraphNode_t *node, cmGraph_t graph,
                                          const cmGraphNode_t *after, size_t count,
                                          cmGraph_t child) {
    if (!child) return cm::detail::said(cmErrorInvalidValue);
    const std::shared_ptr<const cmGraph_st> copy = std::make_shared<cmGraph_st>(*child);
    return cm::detail::add_node(
        node, graph, after, count, cmGraphNodeTypeGraph,
        [copy](cmStream_t stream) { return cm::detail::run_graph(*copy, stream); });
}
inline cmError_t cmGraphAddDependencies(cmGraph_t graph, const cmGraphNode_t *from,
                                        const cmGraphNode_t *to, size_t count) {
    if (!graph || (count && (!from || !to))) return cm::detail::said(cmErrorInvalidValue);
    for (size_t i = 0; i < count; i++) to[i]->after.push_back(from[i]->number);
    return cmSuccess;
}
inline cmError_t cmGraphNodeGetType(cmGraphNode_t node, cmGraphNodeType *type) {
    if (!node || !type) return cm::detail::said(cmErrorInvalidValue);
    *type = node->type;
    return cmSuccess;
}
// `*count`: how many there is room for, and then how many there are.
inline cmError_t cmGraphGetNodes(cmGraph_t graph, cmGraphNode_t *nodes, size_t *count) {
    if (!graph || !count) return cm::detail::said(cmErrorInvalidValue);
    for (size_t i = 0; nodes && i < *count; i++)
        nodes[i] = i < graph->nodes.size() ? graph->nodes[i].get() : nullptr;
    if (!nodes || *count > graph->nodes.size()) *count = graph->nodes.size();
    return cmSuccess;
}
inline cmError_t cmGraphGetRootNodes(cmGraph_t graph, cmGraphNode_t *nodes, size_t *count) {
    if (!graph || !count) return cm::detail::said(cmErrorInvalidValue);
    size_t found = 0;
    for (const auto &node : graph->nodes) {
        if (!node->after.empty()) continue;
        if (nodes && found < *count) nodes[found] = node.get();
        found++;
    }
    if (!nodes || *count > found) *count = found;
    return cmSuccess;
}
inline cmError_t cmGraphKernelNodeSetParams(cmGraphNode_t node, const cmKernelNodeParams *params) {
    if (!params) return cm::detail::said(cmErrorInvalidValue);
    return cm::detail::set_node(node, cm::detail::kernel_of(params));
}
inline cmError_t cmGraphExecKernelNodeSetParams(cmGraphExec_t exec, cmGraphNode_t node,
                                                const cmKernelNodeParams *params) {
    if (!params) return cm::detail::said(cmErrorInvalidValue);
    return cm::detail::set_node(exec, node, cm::detail::kernel_of(params));
}
inline cmError_t cmGraphExecMemsetNodeSetParams(cmGraphExec_t exec, cmGraphNode_t node,
                                                const cmMemsetParams *params) {
    if (!params) return cm::detail::said(cmErrorInvalidValue);
    return cm::detail::set_node(exec, node, cm::detail::memset_of(params));
}
inline cmError_t cmGraphExecMemcpyNodeSetParams1D(cmGraphExec_t exec, cmGraphNode_t node, void *to,
                                                  const void *from, size_t size,
                                                  cmMemcpyKind kind) {
    return cm::detail::set_node(exec, node, cm::detail::copy_of(to, from, size, kind));
}
inline cmError_t cmGraphExecHostNodeSetParams(cmGraphExec_t exec, cmGraphNode_t node,
                                              const cmHostNodeParams *params) {
    if (!params || !params->fn) return cm::detail::said(cmErrorInvalidValue);
    return cm::detail::set_node(exec, node, cm::detail::call_of(params));
}

// ---- graphs that are ready to run ----

inline cmError_t cmGraphInstantiateWithFlags(cmGraphExec_t *exec, cmGraph_t graph,
                                             unsigned long long) {
    if (!exec || !graph) return cm::detail::said(cmErrorInvalidValue);
    *exec = new cmGraphExec_st{*graph};
    return cmSuccess;
}
inline cmError_t cmGraphInstantiate(cmGraphExec_t *exec, cmGraph_t graph,
                                    unsigned long long flags = 0) {
    return cmGraphInstantiateWithFlags(exec, graph, flags);
}
inline cmError_t cmGraphInstantiate(cmGraphExec_t *exec, cmGraph_t graph, cmGraphNode_t *node,
                                    char *log, size_t size) {
    if (node) *node = nullptr;
    if (log && size) *log = 0;
    return cmGraphInstantiateWithFlags(exec, graph, 0);
}
inline cmError_t cmGraphExecDestroy(cmGraphExec_t exec) {
    if (!exec) return cm::detail::said(cmErrorInvalidValue);
    delete exec;
    return cmSuccess;
}
inline cmError_t cmGraphUpload(cmGraphExec_t exec, cmStream_t) {
    return cm::detail::said(exec ? cmSuccess : cmErrorInvalidValue);
}
inline cmError_t cmGraphLaunch(cmGraphExec_t exec, cmStream_t stream) {
    if (!exec) return cm::detail::said(cmErrorInvalidValue);
    return cm::detail::run_graph(exec->graph, stream);
}
// Another graph of as many commands takes the place of the first.
inline cmError_t cmGraphExecUpdate(cmGraphExec_t exec, cmGraph_t graph, cmGraphNode_t *node,
                                   cmGraphExecUpdateResult *result) {
    if (!exec || !graph || !result) return cm::detail::said(cmErrorInvalidValue);
    if (node) *node = nullptr;
    const bool same = exec->graph.nodes.size() == graph->nodes.size();
    *result = same ? cmGraphExecUpdateSuccess : cmGraphExecUpdateErrorTopologyChanged;
    if (same) exec->graph = *graph;
    return cm::detail::said(same ? cmSuccess : cmErrorGraphExecUpdateFailure);
}
inline cmError_t cmGraphExecUpdate(cmGraphExec_t exec, cmGraph_t graph,
                                   cmGraphExecUpdateResultInfo *info) {
    if (!info) return cm::detail::said(cmErrorInvalidValue);
    info->errorFromNode = nullptr;
    return cmGraphExecUpdate(exec, graph, &info->errorNode, &info->result);
}

#endif
