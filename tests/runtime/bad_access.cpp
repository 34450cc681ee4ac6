// A kernel reaches what is not its memory: in checked mode the error names kernel, block and
// thread. argv[1]: read behind the end (default), write before the beginning, use what is freed,
// go wild where nothing is; with a handler of its own for that.
#include <csignal>
#include <cstdlib>
#include <cuda_morph/cuda.h>

__global__ void beyond(const int *in, int *out, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i <= n) out[i % 4] = in[i];
}
__global__ void before(int *out) {
    if (threadIdx.x == 7) out[-1024] = 1;
}
__global__ void wild(int *out) {
    if (blockIdx.x == 2) out[(1LL << 44) / 4] = 1;
}
__global__ void freed(int *out) { out[threadIdx.x] = 1; }

int main(int argc, char **argv) {
    const char how = argc > 1 ? *argv[1] : 'r';
    int *in, *out;
    cmMalloc(&in, 128 * sizeof(int));
    cmMalloc(&out, 4 * sizeof(int));
    if (how == 'f') cmFree(out);
    if (how == 'h') std::signal(SIGSEGV, [](int) { std::_Exit(7); });
    if (how == 'g' || how == 'h')
        cm::launch<wild>(3, 1)(out);
    else if (how == 'r')
        cm::launch<beyond>(5, 32)(in, out, 128);
    else if (how == 'w')
        cm::launch<before>(1, 32)(in);
    else
        cm::launch<freed>(1, 4)(out);
    const cmError_t error = cmDeviceSynchronize();
    printf("%s\n", cmGetErrorName(error));
    // It stays, and goes with a reset.
    void *p;
    const bool sticky = cmMalloc(&p, 4) == error;
    return error == cmErrorIllegalAddress && sticky && !cmDeviceReset() && !cmMalloc(&p, 4) ? 0
                                                                                            : 1;
}
