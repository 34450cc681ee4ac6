// A program of the driver API without kernels, with NVTX around its parts. Ported, it runs on any
// back end of libcmrt; what it prints at the end is PASS.
#include <cuda.h>
#include <nvtx3/nvToolsExt.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#define CHECK(call)                                                                               \
    do {                                                                                          \
        CUresult result = (call);                                                                 \
        const char *text = "?";                                                                   \
        if (result != CUDA_SUCCESS) {                                                             \
            cuGetErrorName(result, &text);                                                        \
            std::fprintf(stderr, "line %d: %s: %s\n", __LINE__, #call, text);                     \
            std::exit(1);                                                                         \
        }                                                                                         \
    } while (0)
#define HOLDS(condition)                                                                          \
    if (!(condition)) std::fprintf(stderr, "line %d: %s\n", __LINE__, #condition), std::exit(1)

struct Range {
    explicit Range(const char *name) { nvtxRangePushA(name); }
    ~Range() { nvtxRangePop(); }
};

static void devices() {
    Range range("devices");
    CUdevice device;
    CUcontext context, current, popped;
    int count = 0, attribute = 0, major = 0, least = 0, greatest = 0, active = 0;
    char name[64] = "";
    unsigned flags;
    size_t total = 0, limit = 0;
    CHECK(cuDeviceGetCount(&count));
    HOLDS(count == 2);
    CHECK(cuDeviceGet(&device, 1));
    HOLDS(cuDeviceGet(&device, 2) == CUDA_ERROR_INVALID_DEVICE);
    CHECK(cuDeviceGetName(name, sizeof name, device));
    CHECK(cuDeviceTotalMem(&total, device));
    CHECK(cuDeviceGetAttribute(&attribute, CU_DEVICE_ATTRIBUTE_WARP_SIZE, device));
    CHECK(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device));
    HOLDS(name[0] && total && attribute == 32 && major > 0);
    CHECK(cuCtxCreate(&context, CU_CTX_SCHED_AUTO, device));
    CHECK(cuCtxGetCurrent(&current));
    HOLDS(current == context);
    CHECK(cuCtxGetDevice(&device));
    HOLDS(device == 1);
    CHECK(cuCtxGetStreamPriorityRange(&least, &greatest));
    HOLDS(least >= greatest);
    CHECK(cuCtxGetLimit(&limit, CU_LIMIT_STACK_SIZE));
    CHECK(cuCtxSetLimit(CU_LIMIT_STACK_SIZE, limit));
    CHECK(cuCtxPopCurrent(&popped));
    HOLDS(popped == context);
    CHECK(cuCtxPushCurrent(context));
    CHECK(cuDevicePrimaryCtxGetState(0, &flags, &active));
    CHECK(cuCtxDestroy(context));
}

static void memory() {
    Range range("memory");
    const size_t n = 1000;
    std::vector<unsigned> a(n), b(n, 7);
    CUdeviceptr d, e, base;
    size_t available, total, size;
    for (size_t i = 0; i < n; i++) a[i] = unsigned(i * i);
    CHECK(cuMemGetInfo(&available, &total));
    CHECK(cuMemAlloc(&d, n * sizeof(unsigned)));
    CHECK(cuMemAlloc(&e, n * sizeof(unsigned)));
    CHECK(cuMemcpyHtoD(d, a.data(), n * sizeof(unsigned)));
    CHECK(cuMemcpyDtoD(e, d, n * sizeof(unsigned)));
    CHECK(cuMemsetD32(e, 0x01020304, 3));
    CHECK(cuMemsetD16(e + 12, 0xabcd, 2));
    CHECK(cuMemsetD8(e + 16, 0x11, 4));
    CHECK(cuMemcpyDtoH(b.data(), e, n * sizeof(unsigned)));
    HOLDS(b[0] == 0x01020304 && b[2] == 0x01020304 && b[3] == 0xabcdabcd && b[4] == 0x11111111);
    HOLDS(b[5] == 25 && b[n - 1] == (n - 1) * (n - 1));
    HOLDS(cuMemsetD32(e + 2, 0, 1) == CUDA_ERROR_INVALID_VALUE);
    CHECK(cuMemGetAddressRange(&base, &size, e + 100));
    HOLDS(base == e && size == n * sizeof(unsigned));
    unsigned type = 0;
    int ordinal = -1;
    CHECK(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, e));
    CHECK(cuPointerGetAttribute(&ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, e));
    HOLDS(type == CU_MEMORYTYPE_DEVICE && ordinal == 0);

    // Rows of a matrix.
    CUdeviceptr matrix;
    size_t pitch;
    CHECK(cuMemAllocPitch(&matrix, &pitch, 100, 8, 4));
    std::vector<char> in(800, 3), out(800, 0);
    CUDA_MEMCPY2D copy;
    std::memset(&copy, 0, sizeof copy);
    copy.srcMemoryType = CU_MEMORYTYPE_HOST;
    copy.srcHost = in.data();
    copy.srcPitch = 100;
    copy.dstMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.dstDevice = matrix;
    copy.dstPitch = pitch;
    copy.WidthInBytes = 100;
    copy.Height = 8;
    CHECK(cuMemcpy2D(&copy));
    CHECK(cuMemsetD2D8(matrix, pitch, 9, 50, 2));
    std::memset(&copy, 0, sizeof copy);
    copy.srcMemoryType = CU_MEMORYTYPE_DEVICE;
    copy.srcDevice = matrix;
    copy.srcPitch = pitch;
    copy.srcY = 1;
    copy.dstMemoryType = CU_MEMORYTYPE_HOST;
    copy.dstHost = out.data();
    copy.dstPitch = 100;
    copy.WidthInBytes = 100;
    copy.Height = 7;
    CHECK(cuMemcpy2D(&copy));
    HOLDS(out[0] == 9 && out[49] == 9 && out[50] == 3 && out[100] == 3 && out[699] == 3);
    CHECK(cuMemFree(matrix));
    CHECK(cuMemFree(d));
    CHECK(cuMemFree(e));
    HOLDS(cuMemFree(e) == CUDA_ERROR_INVALID_VALUE);
    HOLDS(cuMemAlloc(&d, size_t(1) << 60) == CUDA_ERROR_OUT_OF_MEMORY);
    size_t now;
    CHECK(cuMemGetInfo(&now, &total));
    HOLDS(now == available);
}

static void CUDA_CB done(CUstream, CUresult status, void *data) {
    if (status == CUDA_SUCCESS) ++*static_cast<int *>(data);
}
static void CUDA_CB count(void *data) { ++*static_cast<int *>(data); }

static void order() {
    nvtxRangeId_t range = nvtxRangeStartA("order");
    CUstream a, b;
    CUevent start, end;
    CUdeviceptr d;
    int *pinned, calls = 0;
    unsigned flags = 0;
    float ms;
    CHECK(cuStreamCreate(&a, CU_STREAM_NON_BLOCKING));
    CHECK(cuStreamCreateWithPriority(&b, CU_STREAM_DEFAULT, 0));
    CHECK(cuStreamGetFlags(a, &flags));
    HOLDS(flags == CU_STREAM_NON_BLOCKING);
    CHECK(cuEventCreate(&start, CU_EVENT_DEFAULT));
    CHECK(cuEventCreate(&end, CU_EVENT_DEFAULT));
    CHECK(cuMemAllocHost((void **)&pinned, 64 * sizeof(int)));
    CHECK(cuMemAllocAsync(&d, 64 * sizeof(int), a));
    for (int i = 0; i < 64; i++) pinned[i] = i;
    CHECK(cuEventRecord(start, a));
    CHECK(cuMemcpyHtoDAsync(d, pinned, 64 * sizeof(int), a));
    CHECK(cuStreamAddCallback(a, done, &calls, 0));
    CHECK(cuEventRecord(end, a));
    CHECK(cuStreamWaitEvent(b, end, 0));
    CHECK(cuMemsetD32Async(d, 5, 10, b));
    CHECK(cuMemcpyDtoHAsync(pinned, d, 64 * sizeof(int), b));
    CHECK(cuLaunchHostFunc(b, count, &calls));
    CHECK(cuStreamSynchronize(b));
    HOLDS(calls == 2 && pinned[9] == 5 && pinned[10] == 10 && pinned[63] == 63);
    CHECK(cuStreamQuery(b));
    CHECK(cuEventElapsedTime(&ms, start, end));
    CHECK(cuMemFreeAsync(d, b));

    CUgraph graph;
    CUgraphExec exec;
    CHECK(cuStreamBeginCapture(a, CU_STREAM_CAPTURE_MODE_GLOBAL));
    CHECK(cuLaunchHostFunc(a, count, &calls));
    CHECK(cuStreamEndCapture(a, &graph));
    CHECK(cuGraphInstantiate(&exec, graph, 0));
    CHECK(cuGraphLaunch(exec, a));
    CHECK(cuGraphLaunch(exec, a));
    CHECK(cuStreamSynchronize(a));
    HOLDS(calls == 4);
    CHECK(cuGraphExecDestroy(exec));
    CHECK(cuGraphDestroy(graph));

    CHECK(cuMemFreeHost(pinned));
    CHECK(cuEventDestroy(start));
    CHECK(cuEventDestroy(end));
    CHECK(cuStreamDestroy(a));
    CHECK(cuStreamDestroy(b));
    HOLDS(cuStreamQuery(a) == CUDA_ERROR_INVALID_HANDLE);
    nvtxRangeEnd(range);
}

static void peers() {
    CUcontext first, second;
    CUdeviceptr a, b;
    int value = 41, got = 0;
    CHECK(cuDevicePrimaryCtxRetain(&first, 0));
    CHECK(cuDevicePrimaryCtxRetain(&second, 1));
    CHECK(cuCtxSetCurrent(first));
    CHECK(cuMemAlloc(&a, sizeof(int)));
    CHECK(cuCtxSetCurrent(second));
    CHECK(cuMemAlloc(&b, sizeof(int)));
    CHECK(cuMemcpyHtoD(a, &value, sizeof(int)));
    CHECK(cuMemcpyPeer(b, second, a, first, sizeof(int)));
    CHECK(cuMemcpyDtoH(&got, b, sizeof(int)));
    HOLDS(got == 41);
    CHECK(cuMemFree(a));
    CHECK(cuMemFree(b));
    CHECK(cuDevicePrimaryCtxRelease(0));
    CHECK(cuDevicePrimaryCtxRelease(1));
}

int main() {
    int version = 0;
    CUcontext context;
    HOLDS(cuDeviceGetCount(&version) == CUDA_ERROR_NOT_INITIALIZED);
    CHECK(cuInit(0));
    CHECK(cuDriverGetVersion(&version));
    devices();
    CHECK(cuDevicePrimaryCtxRetain(&context, 0));
    CHECK(cuCtxSetCurrent(context));
    nvtxMarkA("start");
    memory();
    order();
    peers();
    CHECK(cuCtxSynchronize());
    std::printf("PASS\n");
    return 0;
}
