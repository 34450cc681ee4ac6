// Reads behind the end of its memory: in checked mode the error names kernel, block and thread.
#include <cuda_morph/cuda.h>

__global__ void beyond(const int *in, int *out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n) out[i % 4] = in[i];
}

int main() {
    int *in, *out;
    cmMalloc(&in, 128 * sizeof(int));
    cmMalloc(&out, 4 * sizeof(int));
    cm::launch<beyond>(5, 32)(in, out, 128);
    const cmError_t error = cmDeviceSynchronize();
    printf("%s\n", cmGetErrorName(error));
    return error == cmErrorIllegalAddress ? 0 : 1;
}
