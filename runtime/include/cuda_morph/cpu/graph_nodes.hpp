// SPDX-License-Identifier: Apache-2.0
// Graphs' nodes of any kind, with CUDA 12's parameters, and captures that are looked at and led
// on: part of host.hpp. Edges have no data here; a place for it is taken.
#ifndef CUDA_MORPH_CPU_GRAPH_NODES_HPP
#define CUDA_MORPH_CPU_GRAPH_NODES_HPP

struct cmConditionalNodeParams {
    cmGraphConditionalHandle handle;
    cmGraphConditionalNodeType type;
    unsigned int size;
    cmGraph_t *phGraph_out;
};
// CUDA has a union in the place of what follows the type.
struct cmGraphNodeParams {
    cmGraphNodeType type;
    int reserved0[3];
    cmKernelNodeParams kernel;
    struct {
        int flags, reserved;
        cmMemcpy3DParms copyParams;
    } memcpy;
    cmMemsetParams memset;
    cmHostNodeParams host;
    struct {
        cmGraph_t graph;
    } graph;
    struct {
        cmEvent_t event;
    } eventWait, eventRecord;
    cmMemAllocNodeParams alloc;
    struct {
        void *dptr;
    } free;
    cmConditionalNodeParams conditional;
};

inline cmError_t cmGraphAddNode(cmGraphNode_t *node, cmGraph_t graph, const cmGraphNode_t *after,
                                size_t count, cmGraphNodeParams *p) {
    if (!p) return cmErrorInvalidValue;
    switch (p->type) {
    case cmGraphNodeTypeKernel:
        return cmGraphAddKernelNode(node, graph, after, count, &p->kernel);
    case cmGraphNodeTypeMemcpy:
        return cmGraphAddMemcpyNode(node, graph, after, count, &p->memcpy.copyParams);
    case cmGraphNodeTypeMemset:
        return cmGraphAddMemsetNode(node, graph, after, count, &p->memset);
    case cmGraphNodeTypeHost:
        return cmGraphAddHostNode(node, graph, after, count, &p->host);
    case cmGraphNodeTypeGraph:
        return cmGraphAddChildGraphNode(node, graph, after, count, p->graph.graph);
    case cmGraphNodeTypeEmpty:
        return cmGraphAddEmptyNode(node, graph, after, count);
    case cmGraphNodeTypeWaitEvent:
        return cmGraphAddEventWaitNode(node, graph, after, count, p->eventWait.event);
    case cmGraphNodeTypeEventRecord:
        return cmGraphAddEventRecordNode(node, graph, after, count, p->eventRecord.event);
    case cmGraphNodeTypeMemAlloc:
        return cmGraphAddMemAllocNode(node, graph, after, count, &p->alloc);
    case cmGraphNodeTypeMemFree:
        return cmGraphAddMemFreeNode(node, graph, after, count, p->free.dptr);
    case cmGraphNodeTypeConditional:
        return cmGraphAddConditional(node, graph, after, count, p->conditional.handle,
                                     p->conditional.type, p->conditional.size,
                                     &p->conditional.phGraph_out);
    }
    return cmErrorInvalidValue;
}
inline cmError_t cmGraphAddNode(cmGraphNode_t *node, cmGraph_t graph, const cmGraphNode_t *after,
                                const void *, size_t count, cmGraphNodeParams *p) {
    return cmGraphAddNode(node, graph, after, count, p);
}
inline cmError_t cmGraphConditionalHandleCreate(cmGraphConditionalHandle *handle, cmGraph_t graph,
                                                unsigned int first = 0) {
    return cmGraphConditionalHandleCreate(handle, graph, first, 0);
}

inline cmError_t cmStreamBeginCaptureToGraph(cmStream_t stream, cmGraph_t graph,
                                             const cmGraphNode_t *after, const void *,
                                             size_t count, cmStreamCaptureMode mode) {
    return cmStreamBeginCaptureInto(stream, graph, after, count, mode);
}
inline cmError_t cmStreamGetCaptureInfo(cmStream_t stream, cmStreamCaptureStatus *status,
                                        unsigned long long *number = nullptr,
                                        cmGraph_t *graph = nullptr,
                                        const cmGraphNode_t **after = nullptr,
                                        size_t *count = nullptr) {
    return cmStreamGetCapture(stream, status, number, graph, after, count);
}
inline cmError_t cmStreamGetCaptureInfo(cmStream_t stream, cmStreamCaptureStatus *status,
                                        unsigned long long *number, cmGraph_t *graph,
                                        const cmGraphNode_t **after, const void *, size_t *count) {
    return cmStreamGetCapture(stream, status, number, graph, after, count);
}
inline cmError_t cmStreamUpdateCaptureDependencies(cmStream_t stream, const cmGraphNode_t *after,
                                                   size_t count, unsigned int flags = 0) {
    return cmStreamContinueCapture(stream, after, count, flags);
}
inline cmError_t cmStreamUpdateCaptureDependencies(cmStream_t stream, const cmGraphNode_t *after,
                                                   const void *, size_t count,
                                                   unsigned int flags) {
    return cmStreamContinueCapture(stream, after, count, flags);
}

// Edges with data that says nothing, as CUDA 12.3 and later have them.
inline cmError_t cmGraphAddDependencies(cmGraph_t graph, const cmGraphNode_t *from,
                                        const cmGraphNode_t *to, const void *, size_t count) {
    return cmGraphAddDependencies(graph, from, to, count);
}
inline cmError_t cmGraphRemoveDependencies(cmGraph_t graph, const cmGraphNode_t *from,
                                           const cmGraphNode_t *to, const void *, size_t count) {
    return cmGraphRemoveDependencies(graph, from, to, count);
}

#endif
