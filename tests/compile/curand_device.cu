// Pi by throwing darts: one generator per thread, its state kept in global memory.
#include <cuda_runtime.h>
#include <curand_kernel.h>
#include <cmath>
#include <cstdio>

__global__ void setup(curandState *states, unsigned long long seed) {
    int id = threadIdx.x + blockIdx.x * blockDim.x;
    curand_init(seed, id, 0, &states[id]);
}

__global__ void darts(curandState_t *states, unsigned int *hits, int throws) {
    int id = threadIdx.x + blockIdx.x * blockDim.x;
    curandState local = states[id];
    unsigned int count = 0;
    for (int i = 0; i < throws; i++) {
        float x = curand_uniform(&local), y = curand_uniform(&local);
        count += x * x + y * y <= 1.0f;
    }
    states[id] = local;
    atomicAdd(hits, count);
}

__global__ void philox(float *out, unsigned int *bits) {
    curandStatePhilox4_32_10_t state;
    curand_init(7, threadIdx.x, 0, &state);
    float4 four = curand_uniform4(&state);
    out[threadIdx.x] = four.x + four.y + four.z + four.w;
    bits[threadIdx.x] = curand(&state);
}

int main() {
    const int threads = 64, blocks = 4, throws = 400;
    curandState *states;
    unsigned int *hits, count = 0, bits[32], *d_bits;
    float *d_out, out[32];
    cudaMalloc(&states, threads * blocks * sizeof(curandState));
    cudaMalloc(&hits, sizeof(*hits));
    cudaMalloc(&d_out, sizeof(out));
    cudaMalloc(&d_bits, sizeof(bits));
    cudaMemset(hits, 0, sizeof(*hits));
    setup<<<blocks, threads>>>(states, 42ULL);
    darts<<<blocks, threads>>>(states, hits, throws);
    philox<<<1, 32>>>(d_out, d_bits);
    cudaMemcpy(&count, hits, sizeof(count), cudaMemcpyDeviceToHost);
    cudaMemcpy(out, d_out, sizeof(out), cudaMemcpyDeviceToHost);
    cudaMemcpy(bits, d_bits, sizeof(bits), cudaMemcpyDeviceToHost);
    cudaFree(states);
    cudaFree(hits);
    cudaFree(d_out);
    cudaFree(d_bits);
    double pi = 4.0 * count / (double(threads) * blocks * throws);
    bool good = cudaGetLastError() == cudaSuccess && std::fabs(pi - 3.14159) < 0.05;
    for (int i = 0; i < 32; i++) good = good && out[i] > 0.0f && out[i] <= 4.0f;
    good = good && bits[0] != bits[1];
    printf("%s (pi is about %.3f)\n", good ? "PASS" : "FAIL", pi);
    return good ? 0 : 1;
}
