// Loops without barriers, behind bounds checks that some threads fail, that threads step through
// together: sums in registers and in memory, with branches and loops in them.
__global__ void sums(float *y, const int *in, int n) {
    int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j < n) {
        float sum = 0;
        for (int i = 0; i < n; i++) sum += in[(i * 3 + 1) % n] * (j + 1);
        y[j] = sum;
    }
}

__global__ void in_memory(float *y, const int *in, int n) {
    int j = threadIdx.x;
    if (j < n) {
        y[j] = 0;
        for (int i = 0; i < n; i++) y[j] += in[i] * y[n + i];
        for (int i = 0; i < n; i++) {
            if (i % 3 == 0) y[j] += in[j];
        }
    }
}

__global__ void nested(float *y, const int *in, int n, int m) {
    int j = threadIdx.x;
    if (j >= n) return;
    float sum = 0, most = 0;
    for (int i = 0; i < m; i++) {
        for (int k = 0; k < m; k++) sum += in[j] * (i + k);
        most = sum;
    }
    y[j] = sum + most;
}

__global__ void own_rows(float *y, const int *in, int n, int m) {
    int j = threadIdx.x;
    if (j >= n) return;
    float sum = 0;
    for (int i = 0; i < m; i++) sum += in[j * m % n] * i;
    y[j] = sum;
}

__global__ void own_bounds(float *y, const int *in, int n) {
    int j = threadIdx.x;
    float sum = 0;
    for (int i = 0; i < j % 5; i++) sum += in[i % n];
    if (j < n) y[j] = sum;
}

__global__ void gather(int *out, const float *y) { out[threadIdx.x] += (int)y[threadIdx.x]; }

void launch(int *out, const int *in, int threads) {
    float *y;
    cudaMemset(out, 0, threads * sizeof(int));
    int n = threads > 3 ? threads - 2 : threads; // not all pass
    cudaMallocManaged((void **)&y, sizeof(float) * 1024);
    for (int i = 0; i < 1024; i++) y[i] = 0;
    sums<<<1, threads>>>(y, in, n);
    gather<<<1, threads>>>(out, y);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; i++) y[n + i] = i % 2;
    in_memory<<<1, threads>>>(y, in, n);
    cudaDeviceSynchronize();
    for (int i = n; i < 1024; i++) y[i] = 0;
    gather<<<1, threads>>>(out, y);
    nested<<<1, threads>>>(y, in, n, 4);
    gather<<<1, threads>>>(out, y);
    own_rows<<<1, threads>>>(y, in, n, 3);
    gather<<<1, threads>>>(out, y);
    own_bounds<<<1, threads>>>(y, in, n);
    gather<<<1, threads>>>(out, y);
    cudaDeviceSynchronize();
    cudaFree(y);
}
