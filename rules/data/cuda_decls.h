/* cuda_decls.h - declarations that stand in for CUDA's headers, so that a C++ parser can read CUDA
 * sources where no toolkit is installed (src/semantic/). Nothing here can be linked or run.
 *
 * It is no copy of any header: only what decides how other text parses and what type it has is
 * here, in the loosest form that does. Names that are missing cost their own line one diagnostic,
 * and nothing else. Works for clang's -x cuda, for C++ and for C. */
#ifndef CUDA_MORPH_CUDA_DECLS_H
#define CUDA_MORPH_CUDA_DECLS_H

#include <stddef.h>

#ifdef __cplusplus
#define CM_DEFAULT(value) = value
#define CM_C extern "C"
#else
#define CM_DEFAULT(value)
#define CM_C extern
#endif

/* ---- the language ---- */

#ifdef __CUDA__
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __managed__ __attribute__((device))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define CM_BOTH __host__ __device__
#else
#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __managed__
#define __launch_bounds__(...)
#define CM_BOTH
#endif
#define __forceinline__ inline __attribute__((always_inline))
#define __noinline__ __attribute__((noinline))
#define __grid_constant__
#define __cluster_dims__(...)
#define __align__(n) __attribute__((aligned(n)))
#ifndef __restrict__
#define __restrict__ __restrict
#endif
#define CUDART_CB
#define CUDARTAPI
#define CUDAAPI
/* Guards of CUDA's headers, which other headers ask for. */
#define __DRIVER_TYPES_H__
#define __CUDA_RUNTIME_H__
#define __CUDA_RUNTIME_API_H__
#define CUDART_VERSION 12040
#define CUDA_VERSION 12040

/* ---- vector types ---- */

#define CM_VECTORS(name, type)                                                                    \
    struct name##1 { type x; };                                                                   \
    struct name##2 { type x, y; };                                                                \
    struct name##3 { type x, y, z; };                                                             \
    struct name##4 { type x, y, z, w; };                                                          \
    typedef struct name##1 name##1;                                                               \
    typedef struct name##2 name##2;                                                               \
    typedef struct name##3 name##3;                                                               \
    typedef struct name##4 name##4;                                                               \
    static inline CM_BOTH name##1 make_##name##1(type x) { name##1 v = {x}; return v; }           \
    static inline CM_BOTH name##2 make_##name##2(type x, type y) {                                \
        name##2 v = {x, y}; return v; }                                                           \
    static inline CM_BOTH name##3 make_##name##3(type x, type y, type z) {                        \
        name##3 v = {x, y, z}; return v; }                                                        \
    static inline CM_BOTH name##4 make_##name##4(type x, type y, type z, type w) {                \
        name##4 v = {x, y, z, w}; return v; }
CM_VECTORS(char, signed char)
CM_VECTORS(uchar, unsigned char)
CM_VECTORS(short, short)
CM_VECTORS(ushort, unsigned short)
CM_VECTORS(int, int)
CM_VECTORS(uint, unsigned int)
CM_VECTORS(long, long)
CM_VECTORS(ulong, unsigned long)
CM_VECTORS(longlong, long long)
CM_VECTORS(ulonglong, unsigned long long)
CM_VECTORS(float, float)
CM_VECTORS(double, double)

#ifdef __cplusplus
struct dim3 {
    unsigned int x, y, z;
    CM_BOTH constexpr dim3(unsigned int x = 1, unsigned int y = 1, unsigned int z = 1)
        : x(x), y(y), z(z) {}
    CM_BOTH constexpr dim3(uint3 v) : x(v.x), y(v.y), z(v.z) {}
    CM_BOTH constexpr operator uint3() const { return uint3{x, y, z}; }
};
#else
typedef struct dim3 { unsigned int x, y, z; } dim3;
#endif

/* ---- runtime and driver: types ---- */

#define CM_HANDLE(name, tag) typedef struct tag *name
CM_HANDLE(cudaStream_t, CUstream_st);
CM_HANDLE(cudaEvent_t, CUevent_st);
CM_HANDLE(cudaGraph_t, CUgraph_st);
CM_HANDLE(cudaGraphExec_t, CUgraphExec_st);
CM_HANDLE(cudaGraphNode_t, CUgraphNode_st);
CM_HANDLE(cudaMemPool_t, CUmemPoolHandle_st);
CM_HANDLE(cudaArray_t, cudaArray);
CM_HANDLE(cudaMipmappedArray_t, cudaMipmappedArray);
CM_HANDLE(CUcontext, CUctx_st);
CM_HANDLE(CUmodule, CUmod_st);
CM_HANDLE(CUfunction, CUfunc_st);
CM_HANDLE(CUlinkState, CUlinkState_st);
typedef cudaStream_t CUstream;
typedef cudaEvent_t CUevent;
typedef int CUdevice;
typedef int CUdevice_attribute;
typedef int CUresult;
typedef unsigned long long CUdeviceptr;
typedef unsigned long long cudaTextureObject_t, cudaSurfaceObject_t;
CM_HANDLE(cublasHandle_t, cublasContext);
CM_HANDLE(cublasLtHandle_t, cublasLtContext);
CM_HANDLE(cudnnHandle_t, cudnnContext);
CM_HANDLE(curandGenerator_t, curandGenerator_st);
CM_HANDLE(cusparseHandle_t, cusparseContext);
CM_HANDLE(cusolverDnHandle_t, cusolverDnContext);
CM_HANDLE(ncclComm_t, ncclComm);
CM_HANDLE(nvrtcProgram, _nvrtcProgram);
typedef int cufftHandle;
typedef int cublasStatus_t, cudnnStatus_t, curandStatus_t, cusparseStatus_t, cusolverStatus_t,
    cufftResult, ncclResult_t, nvrtcResult;
typedef float cufftReal;
typedef double cufftDoubleReal;
typedef float2 cuFloatComplex, cuComplex, cufftComplex;
typedef double2 cuDoubleComplex, cufftDoubleComplex;

typedef enum cudaError { cudaSuccess = 0 } cudaError_t, cudaError_enum;
enum cudaMemcpyKind {
    cudaMemcpyHostToHost,
    cudaMemcpyHostToDevice,
    cudaMemcpyDeviceToHost,
    cudaMemcpyDeviceToDevice,
    cudaMemcpyDefault
};
typedef int cudaDeviceAttr, cudaLimit, cudaFuncAttribute, cudaFuncCache, cudaSharedMemConfig,
    cudaStreamCaptureMode, cudaStreamCaptureStatus, cudaMemoryAdvise, cudaDataType_t;
struct cudaDeviceProp {
    char name[256];
    size_t totalGlobalMem, sharedMemPerBlock, totalConstMem, memPitch, sharedMemPerMultiprocessor;
    int regsPerBlock, warpSize, maxThreadsPerBlock, maxThreadsDim[3], maxGridSize[3], clockRate,
        major, minor, multiProcessorCount, memoryClockRate, memoryBusWidth, l2CacheSize,
        maxThreadsPerMultiProcessor, concurrentKernels, unifiedAddressing, managedMemory,
        cooperativeLaunch, pciBusID, pciDeviceID, pciDomainID, canMapHostMemory, integrated,
        asyncEngineCount, computeMode, kernelExecTimeoutEnabled;
};
struct cudaExtent { size_t width, height, depth; };
struct cudaPos { size_t x, y, z; };
struct cudaPitchedPtr { void *ptr; size_t pitch, xsize, ysize; };
struct cudaFuncAttributes {
    size_t sharedSizeBytes, constSizeBytes, localSizeBytes;
    int maxThreadsPerBlock, numRegs, ptxVersion, binaryVersion;
};
struct cudaPointerAttributes { int type, device; void *devicePointer, *hostPointer; };
struct cudaChannelFormatDesc { int x, y, z, w, f; };
#ifndef __cplusplus
typedef struct cudaDeviceProp cudaDeviceProp;
#endif

/* ---- half and bfloat16 ---- */

#ifdef __cplusplus
struct __half { unsigned short bits; CM_BOTH __half() {} CM_BOTH __half(float);
    CM_BOTH operator float() const; };
struct __half2 { __half x, y; };
struct __nv_bfloat16 { unsigned short bits; CM_BOTH __nv_bfloat16() {}
    CM_BOTH __nv_bfloat16(float); CM_BOTH operator float() const; };
struct __nv_bfloat162 { __nv_bfloat16 x, y; };
typedef __half half;
typedef __half2 half2;
typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;
#endif

/* ---- functions of the host ---- */

CM_C const char *cudaGetErrorString(cudaError_t);
CM_C const char *cudaGetErrorName(cudaError_t);
#ifdef __cplusplus
/* Whatever the arguments: what matters is the name, and what comes back. */
#define CM_CALL(result, name)                                                                     \
    template <class... A> __host__ __device__ result name(A...);
#define CM_KERNEL_CALL(result, name)                                                              \
    template <class K, class... A> __host__ __device__ result name(K, A...);
CM_CALL(cudaError_t, cudaMalloc)
CM_CALL(cudaError_t, cudaMallocAsync)
CM_CALL(cudaError_t, cudaMallocHost)
CM_CALL(cudaError_t, cudaMallocManaged)
CM_CALL(cudaError_t, cudaMallocPitch)
CM_CALL(cudaError_t, cudaHostAlloc)
CM_CALL(cudaError_t, cudaHostRegister)
CM_CALL(cudaError_t, cudaHostGetDevicePointer)
CM_CALL(cudaError_t, cudaFree)
CM_CALL(cudaError_t, cudaFreeAsync)
CM_CALL(cudaError_t, cudaFreeHost)
CM_CALL(cudaError_t, cudaMemcpy)
CM_CALL(cudaError_t, cudaMemcpyAsync)
CM_CALL(cudaError_t, cudaMemcpy2D)
CM_CALL(cudaError_t, cudaMemcpy2DAsync)
CM_CALL(cudaError_t, cudaMemcpyPeer)
CM_CALL(cudaError_t, cudaMemset)
CM_CALL(cudaError_t, cudaMemsetAsync)
CM_CALL(cudaError_t, cudaMemGetInfo)
CM_CALL(cudaError_t, cudaMemAdvise)
CM_CALL(cudaError_t, cudaMemPrefetchAsync)
CM_CALL(cudaError_t, cudaGetDevice)
CM_CALL(cudaError_t, cudaSetDevice)
CM_CALL(cudaError_t, cudaGetDeviceCount)
CM_CALL(cudaError_t, cudaGetDeviceProperties)
CM_CALL(cudaError_t, cudaDeviceGetAttribute)
CM_CALL(cudaError_t, cudaDeviceSynchronize)
CM_CALL(cudaError_t, cudaDeviceReset)
CM_CALL(cudaError_t, cudaDeviceSetLimit)
CM_CALL(cudaError_t, cudaDeviceEnablePeerAccess)
CM_CALL(cudaError_t, cudaDeviceCanAccessPeer)
CM_CALL(cudaError_t, cudaStreamCreate)
CM_CALL(cudaError_t, cudaStreamCreateWithFlags)
CM_CALL(cudaError_t, cudaStreamCreateWithPriority)
CM_CALL(cudaError_t, cudaStreamDestroy)
CM_CALL(cudaError_t, cudaStreamSynchronize)
CM_CALL(cudaError_t, cudaStreamWaitEvent)
CM_CALL(cudaError_t, cudaStreamQuery)
CM_CALL(cudaError_t, cudaStreamBeginCapture)
CM_CALL(cudaError_t, cudaStreamEndCapture)
CM_CALL(cudaError_t, cudaGraphLaunch)
CM_CALL(cudaError_t, cudaGraphInstantiate)
CM_CALL(cudaError_t, cudaEventCreate)
CM_CALL(cudaError_t, cudaEventCreateWithFlags)
CM_CALL(cudaError_t, cudaEventDestroy)
CM_CALL(cudaError_t, cudaEventRecord)
CM_CALL(cudaError_t, cudaEventSynchronize)
CM_CALL(cudaError_t, cudaEventElapsedTime)
CM_CALL(cudaError_t, cudaEventQuery)
CM_CALL(cudaError_t, cudaGetLastError)
CM_CALL(cudaError_t, cudaPeekAtLastError)
CM_KERNEL_CALL(cudaError_t, cudaFuncSetAttribute)
CM_KERNEL_CALL(cudaError_t, cudaFuncSetCacheConfig)
CM_KERNEL_CALL(cudaError_t, cudaLaunchKernel)
CM_KERNEL_CALL(cudaError_t, cudaLaunchCooperativeKernel)
#define CM_SYMBOL_CALL(name)                                                                      \
    template <class S, class... A> cudaError_t name(S &&, A...);
CM_SYMBOL_CALL(cudaMemcpyToSymbol)
CM_SYMBOL_CALL(cudaMemcpyToSymbolAsync)
CM_SYMBOL_CALL(cudaGetSymbolAddress)
template <class P, class S, class... A> cudaError_t cudaMemcpyFromSymbol(P, const S &, A...);
#endif

#ifdef __CUDA__
/* What clang makes of <<<>>>. */
extern "C" unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t bytes = 0,
                                                void *stream = 0);
extern "C" int cudaConfigureCall(dim3 grid, dim3 block, size_t bytes = 0,
                                 cudaStream_t stream = 0);

/* ---- in kernels ---- */

extern const __device__ uint3 threadIdx, blockIdx;
extern const __device__ dim3 blockDim, gridDim;
extern const __device__ int warpSize;
__device__ void __syncthreads();
__device__ void __syncwarp(unsigned mask = 0xffffffff);
__device__ int __syncthreads_count(int);
__device__ int __syncthreads_and(int);
__device__ int __syncthreads_or(int);
__device__ void __threadfence();
__device__ void __threadfence_block();
__device__ void __threadfence_system();
__device__ unsigned __ballot_sync(unsigned mask, int predicate);
__device__ unsigned __ballot(int predicate);
__device__ unsigned __activemask();
__device__ int __any_sync(unsigned mask, int predicate);
__device__ int __all_sync(unsigned mask, int predicate);
__device__ int __any(int predicate);
__device__ int __all(int predicate);
template <class T> __device__ unsigned __match_any_sync(unsigned mask, T value);
template <class T> __device__ unsigned __match_all_sync(unsigned mask, T value, int *predicate);
#define CM_SHUFFLE(name)                                                                          \
    template <class T> __device__ T name##_sync(unsigned mask, T v, int lane, int width = 32);    \
    template <class T> __device__ T name(T v, int lane, int width = 32);
CM_SHUFFLE(__shfl)
CM_SHUFFLE(__shfl_up)
CM_SHUFFLE(__shfl_down)
CM_SHUFFLE(__shfl_xor)
__device__ int __popc(unsigned);
__device__ int __popcll(unsigned long long);
__device__ int __ffs(int);
__device__ int __ffsll(long long);
__device__ int __clz(int);
__device__ int __clzll(long long);
__device__ unsigned __brev(unsigned);
__device__ unsigned __byte_perm(unsigned, unsigned, unsigned);
__device__ long long clock64();
__device__ long clock();
__device__ void __nanosleep(unsigned);
__device__ void __trap();
template <class T> __device__ T __ldg(const T *);
#define CM_ATOMIC(name)                                                                           \
    template <class T, class U> __device__ T name(T *, U);                                        \
    template <class T, class U> __device__ T name##_block(T *, U);                                \
    template <class T, class U> __device__ T name##_system(T *, U);
CM_ATOMIC(atomicAdd)
CM_ATOMIC(atomicSub)
CM_ATOMIC(atomicMax)
CM_ATOMIC(atomicMin)
CM_ATOMIC(atomicAnd)
CM_ATOMIC(atomicOr)
CM_ATOMIC(atomicXor)
CM_ATOMIC(atomicExch)
CM_ATOMIC(atomicInc)
CM_ATOMIC(atomicDec)
template <class T, class U, class V> __device__ T atomicCAS(T *, U, V);
CM_BOTH float rsqrtf(float);
CM_BOTH double rsqrt(double);
CM_BOTH float __expf(float);
CM_BOTH float __logf(float);
CM_BOTH float __fdividef(float, float);
CM_BOTH __half __float2half(float);
CM_BOTH float __half2float(__half);
CM_BOTH __nv_bfloat16 __float2bfloat16(float);
CM_BOTH float __bfloat162float(__nv_bfloat16);
__device__ int __float_as_int(float);
__device__ float __int_as_float(int);
#endif

#endif
