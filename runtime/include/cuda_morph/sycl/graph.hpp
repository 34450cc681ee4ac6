// SPDX-License-Identifier: Apache-2.0
// Graphs: what a stream is given while it is captured is kept, and put into a stream again when
// the graph is launched, in the same order. No extension of SYCL is needed; what DPC++'s gains by
// knowing the whole graph is not gained here.
#ifndef CUDA_MORPH_SYCL_GRAPH_HPP
#define CUDA_MORPH_SYCL_GRAPH_HPP

#include <cuda_morph/sycl/host.hpp>

struct cmGraphExec_st {
    cmGraph_st graph;
};

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
// Nodes are asked for by number alone.
inline cmError_t cmGraphGetNodes(cmGraph_t graph, cmGraphNode_t *nodes, size_t *count) {
    if (!graph || !count) return cm::detail::said(cmErrorInvalidValue);
    if (nodes) return cm::detail::said(cmErrorNotSupported);
    *count = graph->commands.size();
    return cmSuccess;
}
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
    for (const auto &command : exec->graph.commands)
        if (const cmError_t error = command(stream)) return error;
    return cmSuccess;
}
// Another graph of as many commands takes the place of the first.
inline cmError_t cmGraphExecUpdate(cmGraphExec_t exec, cmGraph_t graph, cmGraphNode_t *node,
                                   cmGraphExecUpdateResult *result) {
    if (!exec || !graph || !result) return cm::detail::said(cmErrorInvalidValue);
    if (node) *node = nullptr;
    const bool same = exec->graph.commands.size() == graph->commands.size();
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
