// Graphs with conditional nodes: if and else, a loop, a choice, one inside the other, in graphs
// made by hand and by capture.
#include <cuda_runtime.h>
#include <stdio.h>

static int failures;
#define GIVES(error, call)                                                                        \
    do {                                                                                          \
        cudaError_t got = (call);                                                                 \
        if (got != (error)) failures++, printf("line %d: %s: %d\n", __LINE__, #call, (int)got);   \
    } while (0)
#define DO(call) GIVES(cudaSuccess, call)
#define HOLDS(condition)                                                                          \
    if (!(condition)) failures++, printf("line %d: %s\n", __LINE__, #condition)

__global__ void set_from(cudaGraphConditionalHandle handle, const int *x) {
    if (threadIdx.x == 0) cudaGraphSetConditional(handle, *x);
}
__global__ void add(int *x, int by) {
    if (threadIdx.x == 0) *x += by;
}
__global__ void count_down(cudaGraphConditionalHandle handle, int *left, int *done) {
    if (threadIdx.x) return;
    *done += 1;
    *left -= 1;
    cudaGraphSetConditional(handle, *left > 0);
}

static cudaGraphNode_t add_kernel(cudaGraph_t graph, cudaGraphNode_t after, int *x, int by) {
    cudaGraphNode_t node;
    void *arguments[] = {&x, &by};
    cudaGraphNodeParams params = {cudaGraphNodeTypeKernel};
    params.kernel.func = (void *)add;
    params.kernel.gridDim = dim3(1, 1, 1);
    params.kernel.blockDim = dim3(32, 1, 1);
    params.kernel.kernelParams = arguments;
    DO(cudaGraphAddNode(&node, graph, &after, NULL, after != NULL, &params));
    return node;
}

static cudaGraphNode_t setter(cudaGraph_t graph, cudaGraphConditionalHandle handle, int *x) {
    cudaGraphNode_t node;
    void *arguments[] = {&handle, &x};
    cudaGraphNodeParams params = {cudaGraphNodeTypeKernel};
    params.kernel.func = (void *)set_from;
    params.kernel.gridDim = dim3(1, 1, 1);
    params.kernel.blockDim = dim3(32, 1, 1);
    params.kernel.kernelParams = arguments;
    DO(cudaGraphAddNode(&node, graph, NULL, NULL, 0, &params));
    return node;
}

// x[0] decides; a branch counts in x[1], x[2] ..., and what follows in x[9].
static void branches(int *x, cudaGraphConditionalNodeType type, unsigned size) {
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t node;
    cudaGraphConditionalHandle handle;
    DO(cudaGraphCreate(&graph, 0));
    DO(cudaGraphConditionalHandleCreate(&handle, graph));
    cudaGraphNode_t first = setter(graph, handle, x);
    cudaGraphNodeParams params = {cudaGraphNodeTypeConditional};
    params.conditional.handle = handle;
    params.conditional.type = type;
    params.conditional.size = size;
    DO(cudaGraphAddNode(&node, graph, &first, NULL, 1, &params));
    for (unsigned i = 0; i < size; i++) {
        cudaGraphNode_t half = add_kernel(params.conditional.phGraph_out[i], NULL, x + 1 + i, 1);
        add_kernel(params.conditional.phGraph_out[i], half, x + 1 + i, 1);
    }
    add_kernel(graph, node, x + 9, 1);
    cudaGraphNodeType kind;
    DO(cudaGraphNodeGetType(node, &kind));
    HOLDS(kind == cudaGraphNodeTypeConditional);
    DO(cudaGraphInstantiate(&exec, graph, 0));
    DO(cudaGraphDestroy(graph)); // what was made of it stays
    for (int value = 0; value < 4; value++) {
        for (int i = 0; i < 10; i++) x[i] = 0;
        x[0] = value;
        DO(cudaGraphLaunch(exec, 0));
        DO(cudaDeviceSynchronize());
        for (unsigned i = 0; i < size; i++) {
            bool chosen = type == cudaGraphCondTypeSwitch ? i == (unsigned)value
                                                          : (i == 0) == (value != 0);
            HOLDS(x[1 + i] == (chosen ? 2 : 0));
        }
        HOLDS(x[9] == 1);
    }
    DO(cudaGraphExecDestroy(exec));
}

// For each of x[0] rounds, x[1] steps; counted in x[3] and x[4].
static void loops(int *x) {
    cudaStream_t s, inner;
    cudaGraph_t graph;
    cudaGraphExec_t exec;
    cudaGraphNode_t node;
    cudaGraphConditionalHandle outer_handle, inner_handle;
    cudaStreamCaptureStatus status;
    const cudaGraphNode_t *after;
    size_t count = 9;
    DO(cudaStreamCreate(&s));
    DO(cudaStreamCreate(&inner));
    DO(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    DO(cudaStreamGetCaptureInfo(s, &status, NULL, &graph, &after, NULL, &count));
    HOLDS(status == cudaStreamCaptureStatusActive && count == 0);
    DO(cudaGraphConditionalHandleCreate(&outer_handle, graph, 1, cudaGraphCondAssignDefault));
    add<<<1, 32, 0, s>>>(x + 5, 1);
    DO(cudaStreamGetCaptureInfo(s, &status, NULL, &graph, &after, NULL, &count));
    HOLDS(count == 1);
    cudaGraphNodeParams params = {cudaGraphNodeTypeConditional};
    params.conditional.handle = outer_handle;
    params.conditional.type = cudaGraphCondTypeWhile;
    params.conditional.size = 1;
    DO(cudaGraphAddNode(&node, graph, after, NULL, count, &params));
    DO(cudaStreamUpdateCaptureDependencies(s, &node, NULL, 1, cudaStreamSetCaptureDependencies));
    add<<<1, 32, 0, s>>>(x + 6, 1);
    DO(cudaStreamEndCapture(s, &graph));

    cudaGraph_t body = params.conditional.phGraph_out[0];
    DO(cudaGraphConditionalHandleCreate(&inner_handle, body));
    cudaGraphNode_t steps = add_kernel(body, setter(body, inner_handle, x + 1), x + 2, 10);
    cudaGraphNodeParams again = {cudaGraphNodeTypeConditional};
    again.conditional.handle = inner_handle;
    again.conditional.type = cudaGraphCondTypeWhile;
    again.conditional.size = 1;
    DO(cudaGraphAddNode(&node, body, &steps, NULL, 1, &again));
    DO(cudaStreamBeginCaptureToGraph(inner, again.conditional.phGraph_out[0], NULL, NULL, 0,
                                     cudaStreamCaptureModeGlobal));
    count_down<<<1, 32, 0, inner>>>(inner_handle, x + 2, x + 4);
    DO(cudaStreamEndCapture(inner, NULL));
    DO(cudaStreamBeginCaptureToGraph(inner, body, &node, NULL, 1, cudaStreamCaptureModeGlobal));
    count_down<<<1, 32, 0, inner>>>(outer_handle, x, x + 3);
    DO(cudaStreamEndCapture(inner, NULL));
    GIVES(cudaErrorIllegalState, cudaStreamUpdateCaptureDependencies(inner, &node, NULL, 1, 0));

    DO(cudaGraphInstantiate(&exec, graph, 0));
    for (int rounds = 1; rounds < 4; rounds++) {
        for (int i = 0; i < 10; i++) x[i] = 0;
        x[0] = rounds;
        x[1] = 1;
        DO(cudaGraphLaunch(exec, s));
        DO(cudaStreamSynchronize(s));
        HOLDS(x[0] == 0 && x[3] == rounds && x[4] == 10 * rounds && x[2] == 0);
        HOLDS(x[5] == 1 && x[6] == 1);
    }
    DO(cudaGraphExecDestroy(exec));
    DO(cudaGraphDestroy(graph));
    DO(cudaStreamDestroy(s));
    DO(cudaStreamDestroy(inner));
}

int main() {
    int *x;
    cudaGraph_t graph;
    cudaGraphConditionalHandle handle;
    DO(cudaMallocManaged(&x, 10 * sizeof(int)));
    branches(x, cudaGraphCondTypeIf, 1);
    branches(x, cudaGraphCondTypeIf, 2);
    branches(x, cudaGraphCondTypeSwitch, 3);
    loops(x);
    DO(cudaGraphCreate(&graph, 0));
    GIVES(cudaErrorInvalidValue, cudaGraphConditionalHandleCreate(&handle, NULL));
    GIVES(cudaErrorInvalidValue, cudaGraphConditionalHandleCreate(&handle, graph, 0, 7));
    DO(cudaGraphConditionalHandleCreate(&handle, graph));
    DO(cudaGraphDestroy(graph));
    DO(cudaFree(x));
    printf("%s\n", failures ? "FAIL" : "PASS");
    return failures != 0;
}
