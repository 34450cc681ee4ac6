// What a function of another unit does is not known: it may wait.
__device__ int outside(int);

__global__ void k(int *out) {
    out[threadIdx.x] = outside(threadIdx.x);
}
