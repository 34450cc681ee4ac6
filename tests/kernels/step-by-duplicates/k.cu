// Threads of four rows do the same: each sets a place to 0 and sums there, as PolyBench's do.
__global__ void k(float *y, const int *in, int n) {
    int j = threadIdx.x;
    if (j < n) {
        y[j] = 0;
        for (int i = 0; i < n; i++) y[j] += in[i] * (j + 1);
    }
}

__global__ void gather(int *out, const float *y) { out[threadIdx.x] = (int)y[threadIdx.x]; }

void launch(int *out, const int *in, int threads) {
    float *y;
    cudaMallocManaged((void **)&y, sizeof(float) * 256);
    k<<<1, dim3(threads, 4)>>>(y, in, threads);
    gather<<<1, threads>>>(out, y);
    cudaDeviceSynchronize();
    cudaFree(y);
}
