// Threads sum in memory, behind a return that some of them take, in blocks of rows and layers:
// each its own element of a matrix, and, in `repeated`, rows that begin the same element anew.
// threads: 1 31 32 33 200
__global__ void product(float *c, const int *in, int n, int m) {
    int col = threadIdx.x, row = threadIdx.y + blockDim.y * threadIdx.z;
    if (col >= n) return;
    c[row * n + col] = row;
    for (int i = 0; i < m; i++) c[row * n + col] += in[i % n] * (i + col);
}

__global__ void repeated(float *c, const int *in, int n, int m) {
    int col = threadIdx.x;
    if (col < n && threadIdx.y < 2) {
        c[col] = threadIdx.z;
        for (int i = 0; i < m; i++) c[col] += in[i % n];
        for (int i = 0; i < m; i++) {
            if (i % 2 == 0) c[col] -= 1;
        }
    }
}

__global__ void same_place(float *c, const int *in, int n, int m) {
    if (threadIdx.x == 0 && threadIdx.y == 0 && threadIdx.z == 0)
        for (int i = 0; i < m; i++) c[0] += in[i % n];
}

__global__ void gather(int *out, const float *c, int n) {
    for (int row = 0; row < 4; row++)
        if ((int)threadIdx.x < n) out[threadIdx.x] += (int)c[row * n + threadIdx.x];
}

void launch(int *out, const int *in, int threads) {
    float *c;
    int n = threads > 3 ? threads - 2 : threads; // not all pass
    cudaMemset(out, 0, threads * sizeof(int));
    cudaMallocManaged((void **)&c, sizeof(float) * 1024);
    for (int i = 0; i < 1024; i++) c[i] = 0;
    product<<<1, dim3(threads, 2, 2)>>>(c, in, n, 5);
    gather<<<1, threads>>>(out, c, n);
    repeated<<<1, dim3(threads, 2, 2)>>>(c, in, n, 5);
    gather<<<1, threads>>>(out, c, n);
    same_place<<<1, dim3(threads, 2, 2)>>>(c, in, n, 5);
    gather<<<1, threads>>>(out, c, n);
    cudaDeviceSynchronize();
    cudaFree(c);
}
