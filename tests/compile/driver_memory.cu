// The driver interface without kernels: devices, contexts, memory, streams and events.
#include <cuda.h>
#include <stdio.h>
#include <string.h>

static int bad(CUresult result, const char *what) {
    const char *text = "?";
    if (result == CUDA_SUCCESS) return 0;
    cuGetErrorString(result, &text);
    printf("FAIL: %s: %s\n", what, text);
    return 1;
}
#define DO(call)                                                                                  \
    if (bad(call, #call)) return 1

int main(void) {
    int devices = 0, major = 0, threads = 0;
    char name[100] = "";
    size_t total = 0, available = 0;
    CUdevice device;
    CUcontext context;
    CUstream stream;
    CUevent event;
    CUdeviceptr a, b;
    unsigned int in[256], out[256];
    DO(cuInit(0));
    DO(cuDeviceGetCount(&devices));
    DO(cuDeviceGet(&device, 0));
    DO(cuDeviceGetName(name, sizeof name, device));
    DO(cuDeviceTotalMem(&total, device));
    DO(cuDeviceGetAttribute(&threads, CU_DEVICE_ATTRIBUTE_MAX_THREADS_PER_BLOCK, device));
    DO(cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device));
    DO(cuDevicePrimaryCtxRetain(&context, device));
    DO(cuCtxSetCurrent(context));
    DO(cuMemGetInfo(&available, &total));
    DO(cuStreamCreate(&stream, CU_STREAM_NON_BLOCKING));
    DO(cuEventCreate(&event, CU_EVENT_DISABLE_TIMING));
    for (int i = 0; i < 256; i++) in[i] = i * i;
    DO(cuMemAlloc(&a, sizeof in));
    DO(cuMemAlloc(&b, sizeof in));
    DO(cuMemcpyHtoDAsync(a, in, sizeof in, stream));
    DO(cuMemcpyDtoDAsync(b, a, sizeof in, stream));
    DO(cuMemsetD32Async(b, 7, 16, stream));
    DO(cuEventRecord(event, stream));
    DO(cuEventSynchronize(event));
    DO(cuMemcpyDtoH(out, b, sizeof out));
    DO(cuEventDestroy(event));
    DO(cuStreamDestroy(stream));
    DO(cuMemFree(a));
    DO(cuMemFree(b));
    DO(cuDevicePrimaryCtxRelease(device));
    int good = devices > 0 && threads >= 256 && total >= available && strlen(name) > 0;
    for (int i = 0; i < 256; i++) good = good && out[i] == (i < 16 ? 7u : in[i]);
    printf("%s\n", good ? "PASS" : "FAIL");
    return !good;
}
