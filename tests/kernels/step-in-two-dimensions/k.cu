// A stencil and a product of matrices without barriers, in blocks whose rows hang over the edge;
// a thread may leave in the branch where all are.
__global__ void stencil(const int *in, int *b, int nx, int ny) {
    int x = threadIdx.x, y = threadIdx.y;
    if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1)
        b[y * nx + x] = in[y * nx + x - 1] + 2 * in[y * nx + x + 1] + 3 * in[(y - 1) * nx + x];
}

__global__ void product(const int *in, const int *b, int *c, int nx, int ny) {
    int col = threadIdx.x, row = threadIdx.y;
    if (row < ny && col < nx) {
        float sum = 0;
        for (int k = 0; k < nx; k++) sum += in[row * nx + k] % 7 * b[k % ny * nx + col];
        c[row * nx + col] = sum;
    }
}

void launch(int *out, const int *in, int threads) {
    int nx = threads > 8 ? 8 : threads, ny = threads / nx;
    int *b;
    cudaMemset(out, 0, threads * sizeof(int));
    cudaMallocManaged((void **)&b, sizeof(int) * 1024);
    for (int i = 0; i < 1024; i++) b[i] = i % 3;
    stencil<<<1, dim3(nx + 3, ny + 2)>>>(in, b, nx, ny);
    product<<<1, dim3(nx + 1, ny + 3)>>>(in, b, out, nx, ny);
    cudaDeviceSynchronize();
    cudaFree(b);
}
