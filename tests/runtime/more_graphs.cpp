// Graphs beyond a list of operations: children, events, memory, changes and questions.
#include "check.h"
#include <cuda_morph/cuda.h>

__global__ void add(int *x, int by) { x[threadIdx.x] += by; }
__global__ void twice(int *x) { x[threadIdx.x] *= 2; }
static void count_up(void *data) { ++*static_cast<int *>(data); }

static int run(cmGraphExec_t exec, const int *memory) {
    int value = 0;
    OK(cmGraphLaunch(exec, nullptr));
    OK(cmMemcpy(&value, memory, sizeof value, cmMemcpyDeviceToHost));
    return value;
}
static cmKernelNodeParams kernel(cm_node_kernel function, void **arguments) {
    cmKernelNodeParams p;
    p.func = function, p.gridDim = dim3(1), p.blockDim = dim3(4);
    p.sharedMemBytes = 0, p.kernelParams = arguments, p.extra = nullptr;
    return p;
}

static void children_and_updates() {
    cmGraph_t child, graph, inside;
    cmGraphNode_t zero, addition, node, last;
    cmGraphExec_t exec;
    int *x, by = 5, calls = 0;
    OK(cmMalloc(&x, 16));
    void *arguments[] = {&x, &by}, *one[] = {&x};
    cmMemsetParams clear = {x, 16, 0, 1, 16, 1};
    OK(cmGraphCreate(&child, 0));
    OK(cmGraphAddMemsetNode(&zero, child, nullptr, 0, &clear));
    cmKernelNodeParams params = kernel(add, arguments);
    OK(cmGraphAddKernelNode(&addition, child, &zero, 1, &params));
    OK(cmGraphCreate(&graph, 0));
    OK(cmGraphAddChildGraphNode(&node, graph, nullptr, 0, child));
    GIVES(cmErrorInvalidValue, cmGraphAddChildGraphNode(&last, graph, nullptr, 0, graph));
    params = kernel(twice, one);
    OK(cmGraphAddKernelNode(&last, graph, &node, 1, &params));
    OK(cmGraphDestroy(child)); // it was copied
    cmGraphNodeType type;
    OK(cmGraphNodeGetType(node, &type));
    CHECK(type == cmGraphNodeTypeGraph);
    OK(cmGraphChildGraphNodeGetGraph(node, &inside));
    size_t count = 0;
    OK(cmGraphGetNodes(inside, nullptr, &count));
    CHECK(count == 2);
    OK(cmGraphInstantiate(&exec, graph));
    CHECK(run(exec, x) == 10 && run(exec, x) == 10);

    // A node of the child, and one of the graph, in what was made of them.
    cmGraphNode_t nodes[2];
    OK(cmGraphGetNodes(inside, nodes, &count));
    by = 7;
    params = kernel(add, arguments);
    OK(cmGraphExecKernelNodeSetParams(exec, nodes[1], &params));
    CHECK(run(exec, x) == 14);
    clear.value = 1;
    OK(cmGraphExecMemsetNodeSetParams(exec, nodes[0], &clear));
    CHECK(run(exec, x) == 2 * (0x01010101 + 7));
    cmHostNodeParams host = {count_up, &calls};
    GIVES(cmErrorInvalidValue, cmGraphExecHostNodeSetParams(exec, last, &host)); // of another type

    // All of it anew, from a graph of the same shape.
    cmGraph_t other;
    cmGraphNode_t where;
    cmGraphExecUpdateResult result;
    by = 100;
    params = kernel(add, arguments);
    OK(cmGraphKernelNodeSetParams(nodes[1], &params));
    OK(cmGraphClone(&other, graph));
    OK(cmGraphExecUpdate(exec, other, &where, &result));
    CHECK(result == cmGraphExecUpdateSuccess && run(exec, x) == 200);
    OK(cmGraphGetNodes(other, nullptr, &count));
    CHECK(count == 2);
    OK(cmGraphGetNodes(other, nodes, &count));
    OK(cmGraphRemoveDependencies(other, &nodes[0], &nodes[1], 1));
    GIVES(cmErrorGraphExecUpdateFailure, cmGraphExecUpdate(exec, other, &where, &result));
    CHECK(result == cmGraphExecUpdateErrorTopologyChanged);
    OK(cmGraphDestroyNode(nodes[1]));
    OK(cmGraphAddHostNode(&last, other, &nodes[0], 1, &host));
    cmGraphExecUpdateResultInfo info;
    GIVES(cmErrorGraphExecUpdateFailure, cmGraphExecUpdate(exec, other, &info));
    CHECK(info.result == cmGraphExecUpdateErrorNodeTypeChanged && info.errorNode == last);
    CHECK(run(exec, x) == 200); // as it was
    OK(cmGraphExecDestroy(exec));
    OK(cmGraphDestroy(graph));
    OK(cmGraphDestroy(other));
    GIVES(cmErrorInvalidValue, cmGraphGetNodes(inside, nullptr, &count)); // gone with its node
    OK(cmFree(x));
}

static void events() {
    cmGraph_t graph;
    cmGraphNode_t first, record, wait;
    cmGraphExec_t exec;
    cmEvent_t before, after;
    cmStream_t a, b;
    int calls = 0;
    cmHostNodeParams host = {count_up, &calls};
    OK(cmEventCreate(&before));
    OK(cmEventCreate(&after));
    OK(cmStreamCreateWithFlags(&a, cmStreamNonBlocking));
    OK(cmStreamCreateWithFlags(&b, cmStreamNonBlocking));
    OK(cmGraphCreate(&graph, 0));
    OK(cmGraphAddEventWaitNode(&wait, graph, nullptr, 0, before));
    OK(cmGraphAddHostNode(&first, graph, &wait, 1, &host));
    OK(cmGraphAddEventRecordNode(&record, graph, &first, 1, after));
    OK(cmGraphInstantiate(&exec, graph));
    for (int i = 1; i <= 3; i++) {
        OK(cmLaunchHostFunc(a, count_up, &calls));
        OK(cmEventRecord(before, a));
        OK(cmGraphLaunch(exec, b));
        OK(cmStreamWaitEvent(a, after, 0));
        OK(cmStreamSynchronize(a));
        CHECK(calls == 2 * i && cmEventQuery(after) == cmSuccess);
    }
    OK(cmEventDestroy(before));
    GIVES(cmErrorInvalidResourceHandle, cmGraphLaunch(exec, b));
    OK(cmGraphExecDestroy(exec));
    OK(cmGraphDestroy(graph));
    OK(cmEventDestroy(after));
    OK(cmStreamDestroy(a));
    OK(cmStreamDestroy(b));
}

static void memory() {
    cmGraph_t graph;
    cmGraphNode_t alloc, fill, copy, release;
    cmGraphExec_t exec;
    cmMemAllocNodeParams params = {};
    int host = 0;
    size_t available, now, total;
    OK(cmMemGetInfo(&available, &total));
    params.poolProps.location.type = cmMemLocationTypeDevice;
    params.bytesize = 4096;
    OK(cmGraphCreate(&graph, 0));
    OK(cmGraphAddMemAllocNode(&alloc, graph, nullptr, 0, &params));
    cmMemsetParams set = {params.dptr, 4096, 3, 1, 4096, 1};
    OK(cmGraphAddMemsetNode(&fill, graph, &alloc, 1, &set));
    OK(cmGraphAddMemcpyNode1D(&copy, graph, &fill, 1, &host, params.dptr, 4,
                              cmMemcpyDeviceToHost));
    GIVES(cmErrorInvalidValue, cmFree(params.dptr)); // not allocated outside of a run
    GIVES(cmErrorInvalidValue, cmGraphAddMemFreeNode(&release, graph, &copy, 1, &host));
    OK(cmGraphInstantiate(&exec, graph));
    for (int i = 0; i < 2; i++) { // freed by the program
        host = 0;
        OK(cmGraphLaunch(exec, nullptr));
        OK(cmDeviceSynchronize());
        CHECK(host == 0x03030303);
        OK(cmFree(params.dptr));
        GIVES(cmErrorInvalidValue, cmFree(params.dptr)); // twice
    }
    OK(cmGraphExecDestroy(exec));
    OK(cmGraphAddMemFreeNode(&release, graph, &copy, 1, params.dptr));
    OK(cmGraphInstantiate(&exec, graph));
    OK(cmGraphDestroy(graph));
    for (int i = 0; i < 3; i++) OK(cmGraphLaunch(exec, nullptr)); // freed by a node
    OK(cmDeviceSynchronize());
    OK(cmGraphExecDestroy(exec));
    OK(cmMemGetInfo(&now, &total));
    CHECK(now == available);

    // Captured; what is left allocated is the program's when the graph is gone.
    cmStream_t s;
    int *x, *y;
    OK(cmStreamCreate(&s));
    OK(cmStreamBeginCapture(s, cmStreamCaptureModeGlobal));
    OK(cmMallocAsync(&x, 64, s));
    OK(cmMallocAsync(&y, 64, s));
    OK(cmMemsetAsync(x, 9, 64, s));
    OK(cmMemcpyAsync(y, x, 64, cmMemcpyDeviceToDevice, s));
    OK(cmFreeAsync(x, s));
    OK(cmStreamEndCapture(s, &graph));
    OK(cmGraphInstantiate(&exec, graph));
    OK(cmGraphDestroy(graph));
    OK(cmGraphLaunch(exec, s));
    OK(cmStreamSynchronize(s));
    OK(cmGraphExecDestroy(exec));
    OK(cmMemcpy(&host, y, 4, cmMemcpyDeviceToHost));
    CHECK(host == 0x09090909);
    OK(cmFree(y));
    OK(cmStreamDestroy(s));
    OK(cmMemGetInfo(&now, &total));
    CHECK(now == available);
}

static void questions() {
    cmGraph_t graph;
    cmGraphNode_t n[4], found[4], to[4];
    size_t count = 4;
    OK(cmGraphCreate(&graph, 0));
    OK(cmGraphAddEmptyNode(&n[0], graph, nullptr, 0));
    OK(cmGraphAddEmptyNode(&n[1], graph, nullptr, 0));
    OK(cmGraphAddEmptyNode(&n[2], graph, n, 2));
    OK(cmGraphAddEmptyNode(&n[3], graph, &n[2], 1));
    OK(cmGraphGetRootNodes(graph, found, &count));
    CHECK(count == 2 && found[0] == n[0] && found[1] == n[1]);
    OK(cmGraphGetEdges(graph, nullptr, nullptr, &count));
    CHECK(count == 3);
    OK(cmGraphGetEdges(graph, found, to, &count));
    CHECK(found[0] == n[0] && to[0] == n[2] && found[2] == n[2] && to[2] == n[3]);
    count = 4;
    OK(cmGraphNodeGetDependencies(n[2], found, &count));
    CHECK(count == 2 && found[1] == n[1]);
    OK(cmGraphNodeGetDependentNodes(n[2], nullptr, &count));
    CHECK(count == 1);
    OK(cmGraphDestroyNode(n[2]));
    GIVES(cmErrorInvalidValue, cmGraphDestroyNode(n[2]));
    OK(cmGraphGetRootNodes(graph, nullptr, &count));
    CHECK(count == 3);
    GIVES(cmErrorInvalidValue, cmGraphRemoveDependencies(graph, &n[0], &n[3], 1));
    OK(cmGraphDestroy(graph));
}

static void other_processes() {
    cmIpcMemHandle handle;
    cmIpcEventHandle of_event;
    cmEvent_t event;
    void *p;
    OK(cmMalloc(&p, 64));
    GIVES(cmErrorNotSupported, cmIpcGetMemHandle(&handle, p));
    GIVES(cmErrorNotSupported, cmIpcOpenMemHandle(&p, handle, 0));
    GIVES(cmErrorNotSupported, cmIpcCloseMemHandle(p));
    OK(cmEventCreateWithFlags(&event, cmEventInterprocess | cmEventDisableTiming));
    GIVES(cmErrorNotSupported, cmIpcGetEventHandle(&of_event, event));
    OK(cmEventDestroy(event));
    OK(cmFree(p));
}

int main() {
    children_and_updates();
    events();
    memory();
    questions();
    other_processes();
    return failures != 0;
}
