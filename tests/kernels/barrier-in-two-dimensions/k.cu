// Rows of a block: threadIdx.y is not the same for all, and a row may be less than a warp.
// threads: 32 64 256
__global__ void k(int *out, const int *in) {
    __shared__ int s[32][8];
    int x = threadIdx.x, y = threadIdx.y, t = y * 8 + x;
    s[y][x] = in[t];
    __syncthreads();
    int v = 0;
    for (int i = y; i < blockDim.y; i++) v += s[i][7 - x];
    if (threadIdx.y == 1) v += 1000;
    __syncthreads();
    s[y][x] = v;
    __syncthreads();
    out[t] = s[blockDim.y - 1 - y][x];
}

void launch(int *out, const int *in, int threads) { k<<<1, dim3(8, threads / 8)>>>(out, in); }
