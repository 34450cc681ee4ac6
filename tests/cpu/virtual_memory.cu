// The driver API's virtual memory: one range of addresses over memory of two pieces, a kernel and
// copies across them, memory that is mapped twice, and what is refused.
#include <cuda.h>
#include <cuda_runtime.h>
#include <stdio.h>

static int failures;
#define GIVES(result, call)                                                                       \
    do {                                                                                          \
        CUresult got = (call);                                                                    \
        if (got != (result)) failures++, printf("line %d: %s: %d\n", __LINE__, #call, (int)got);  \
    } while (0)
#define DO(call) GIVES(CUDA_SUCCESS, call)
#define HOLDS(condition)                                                                          \
    if (!(condition)) failures++, printf("line %d: %s\n", __LINE__, #condition)

__global__ void count(int *x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] += i;
}

int main() {
    CUdevice device;
    CUcontext context;
    int supported = 0;
    size_t step = 0, before, after, total;
    DO(cuInit(0));
    DO(cuDeviceGet(&device, 0));
    DO(cuDevicePrimaryCtxRetain(&context, device));
    DO(cuCtxSetCurrent(context));
    DO(cuDeviceGetAttribute(&supported, CU_DEVICE_ATTRIBUTE_VIRTUAL_MEMORY_MANAGEMENT_SUPPORTED,
                            device));
    HOLDS(supported);
    CUmemAllocationProp prop = {};
    prop.type = CU_MEM_ALLOCATION_TYPE_PINNED;
    prop.location.type = CU_MEM_LOCATION_TYPE_DEVICE;
    prop.location.id = device;
    DO(cuMemGetAllocationGranularity(&step, &prop, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
    HOLDS(step && !(step & (step - 1)));
    DO(cuMemGetInfo(&before, &total));

    CUdeviceptr range = 0, twin = 0;
    CUmemGenericAllocationHandle low, high;
    DO(cuMemAddressReserve(&range, 2 * step, 4 * step, 0, 0));
    HOLDS(range % (4 * step) == 0);
    DO(cuMemCreate(&low, step, &prop, 0));
    DO(cuMemCreate(&high, step, &prop, 0));
    DO(cuMemGetInfo(&after, &total));
    HOLDS(after == before - 2 * step);
    DO(cuMemMap(range, step, 0, low, 0));
    DO(cuMemMap(range + step, step, 0, high, 0));
    CUmemAccessDesc access = {};
    access.location = prop.location;
    access.flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
    DO(cuMemSetAccess(range, 2 * step, &access, 1));
    unsigned long long flags = 0;
    DO(cuMemGetAccess(&flags, &prop.location, range));
    HOLDS(flags == CU_MEM_ACCESS_FLAGS_PROT_READWRITE);

    const int n = (int)(2 * step / sizeof(int)), middle = n / 2;
    int *x = (int *)range, around[4] = {0};
    DO(cuMemsetD32(range, 7, n));
    count<<<(n + 255) / 256, 256>>>(x, n);
    DO(cuMemcpyDtoH(around, (CUdeviceptr)(x + middle - 2), sizeof around)); // over the border
    for (int i = 0; i < 4; i++) HOLDS(around[i] == middle - 2 + i + 7);

    // The upper piece at another place, too: one memory.
    DO(cuMemAddressReserve(&twin, step, 0, 0, 0));
    DO(cuMemMap(twin, step, 0, high, 0));
    DO(cuMemSetAccess(twin, step, &access, 1));
    DO(cuMemsetD32(twin, 99, 1));
    DO(cuMemcpyDtoH(around, range + step, sizeof(int)));
    HOLDS(around[0] == 99);
    CUmemAllocationProp back = {};
    DO(cuMemGetAllocationPropertiesFromHandle(&back, high));
    HOLDS(back.type == CU_MEM_ALLOCATION_TYPE_PINNED && back.location.id == device);

    const CUresult wrong = CUDA_ERROR_INVALID_VALUE;
    CUdeviceptr none;
    CUmemGenericAllocationHandle no_memory;
    GIVES(wrong, cuMemAddressReserve(&none, step + 1, 0, 0, 0));
    GIVES(wrong, cuMemCreate(&no_memory, step / 2, &prop, 0));
    GIVES(CUDA_ERROR_OUT_OF_MEMORY, cuMemCreate(&no_memory, total / step * step * 2, &prop, 0));
    GIVES(wrong, cuMemMap(range, step, 0, low, 0));        // there is something
    GIVES(wrong, cuMemMap(range + 2 * step, step, 0, low, 0)); // not reserved
    GIVES(wrong, cuMemMap(twin, step, step, low, 0));      // beyond the memory
    GIVES(wrong, cuMemUnmap(range + step / 2, step));
    GIVES(wrong, cuMemAddressFree(range, 2 * step)); // still mapped
    GIVES(wrong, cuMemFree(range));
    GIVES(wrong, cuMemSetAccess((CUdeviceptr)&around, step, &access, 1));

    DO(cuMemRelease(low));
    GIVES(wrong, cuMemRelease(low));
    GIVES(wrong, cuMemMap(twin, step, 0, low, 0));
    DO(cuMemRelease(high));
    DO(cuMemcpyDtoH(around, range, sizeof(int))); // mapped memory stays
    HOLDS(around[0] == 7);
    DO(cuMemUnmap(range, 2 * step));
    GIVES(wrong, cuMemUnmap(range, 2 * step));
    DO(cuMemUnmap(twin, step));
    DO(cuMemAddressFree(range, 2 * step));
    DO(cuMemAddressFree(twin, step));
    GIVES(wrong, cuMemAddressFree(twin, step));
    DO(cuMemGetInfo(&after, &total));
    HOLDS(after == before);
    DO(cuDevicePrimaryCtxRelease(device));
    printf("%s\n", failures ? "FAIL" : "PASS");
    return failures != 0;
}
