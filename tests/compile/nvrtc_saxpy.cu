// A kernel compiled while the program runs, from a string, and launched through the driver.
#include <cuda.h>
#include <nvrtc.h>
#include <iostream>
#include <string>
#include <vector>

#define NVRTC_SAFE_CALL(x)                                                                        \
    do {                                                                                          \
        nvrtcResult result = x;                                                                   \
        if (result != NVRTC_SUCCESS) {                                                            \
            std::cerr << "\nerror: " #x " failed with error " << nvrtcGetErrorString(result)      \
                      << '\n';                                                                    \
            return 1;                                                                             \
        }                                                                                         \
    } while (0)
#define CUDA_SAFE_CALL(x)                                                                         \
    do {                                                                                          \
        CUresult result = x;                                                                      \
        if (result != CUDA_SUCCESS) {                                                             \
            const char *msg;                                                                      \
            cuGetErrorName(result, &msg);                                                         \
            std::cerr << "\nerror: " #x " failed with error " << msg << '\n';                     \
            return 1;                                                                             \
        }                                                                                         \
    } while (0)

const char *saxpy = "extern \"C\" __global__                                         \n"
                    "void saxpy(float a, float *x, float *y, float *out, size_t n) { \n"
                    "    size_t tid = blockIdx.x * blockDim.x + threadIdx.x;         \n"
                    "    if (tid < n) out[tid] = a * x[tid] + y[tid];                \n"
                    "}                                                               \n";

int main() {
    nvrtcProgram prog;
    NVRTC_SAFE_CALL(nvrtcCreateProgram(&prog, saxpy, "saxpy.cu", 0, NULL, NULL));
    nvrtcResult compiled = nvrtcCompileProgram(prog, 0, NULL);
    size_t logSize;
    NVRTC_SAFE_CALL(nvrtcGetProgramLogSize(prog, &logSize));
    std::string log(logSize, '\0');
    NVRTC_SAFE_CALL(nvrtcGetProgramLog(prog, &log[0]));
    if (compiled != NVRTC_SUCCESS) {
        std::cerr << log;
        return 1;
    }
    size_t ptxSize;
    NVRTC_SAFE_CALL(nvrtcGetPTXSize(prog, &ptxSize));
    std::vector<char> ptx(ptxSize);
    NVRTC_SAFE_CALL(nvrtcGetPTX(prog, ptx.data()));
    NVRTC_SAFE_CALL(nvrtcDestroyProgram(&prog));

    CUdevice device;
    CUcontext context;
    CUmodule module;
    CUfunction kernel;
    CUDA_SAFE_CALL(cuInit(0));
    CUDA_SAFE_CALL(cuDeviceGet(&device, 0));
    CUDA_SAFE_CALL(cuCtxCreate(&context, 0, device));
    CUDA_SAFE_CALL(cuModuleLoadDataEx(&module, ptx.data(), 0, 0, 0));
    CUDA_SAFE_CALL(cuModuleGetFunction(&kernel, module, "saxpy"));
    size_t n = 32 * 128, bytes = n * sizeof(float);
    float a = 5.1f;
    std::vector<float> x(n), y(n), out(n);
    for (size_t i = 0; i < n; ++i) x[i] = float(i), y[i] = float(i * 2);
    CUdeviceptr dX, dY, dOut;
    CUDA_SAFE_CALL(cuMemAlloc(&dX, bytes));
    CUDA_SAFE_CALL(cuMemAlloc(&dY, bytes));
    CUDA_SAFE_CALL(cuMemAlloc(&dOut, bytes));
    CUDA_SAFE_CALL(cuMemcpyHtoD(dX, x.data(), bytes));
    CUDA_SAFE_CALL(cuMemcpyHtoD(dY, y.data(), bytes));
    void *args[] = {&a, &dX, &dY, &dOut, &n};
    CUDA_SAFE_CALL(cuLaunchKernel(kernel, 32, 1, 1, 128, 1, 1, 0, NULL, args, 0));
    CUDA_SAFE_CALL(cuCtxSynchronize());
    CUDA_SAFE_CALL(cuMemcpyDtoH(out.data(), dOut, bytes));
    CUDA_SAFE_CALL(cuMemFree(dX));
    CUDA_SAFE_CALL(cuMemFree(dY));
    CUDA_SAFE_CALL(cuMemFree(dOut));
    CUDA_SAFE_CALL(cuModuleUnload(module));
    CUDA_SAFE_CALL(cuCtxDestroy(context));
    for (size_t i = 0; i < n; ++i) {
        float difference = out[i] - (a * x[i] + y[i]);
        if (difference > 0.01f || difference < -0.01f) {
            std::cout << "FAIL\n";
            return 1;
        }
    }
    std::cout << "PASS\n";
}
