// A variable that is threadIdx.x gives way to it where it is added to what is unsigned, and
// nowhere else: a sum with int stays signed, and a wider one wide.
// threads: 1 31 32 33 256
__global__ void k(int *out, const int *in, int base) {
    int t = threadIdx.x, bx = blockIdx.x;
    size_t wide = threadIdx.x;
    unsigned u = threadIdx.x;
    int i = blockIdx.x * blockDim.x + t;
    int j = u + (blockIdx.x * blockDim.x);
    long long far = (long long)blockIdx.x * blockDim.x + t;
    auto later = [=](int more) { return blockIdx.x * blockDim.x + t + more; };
    int negative = (base + t) / 2 + (int)(blockIdx.x * 4) + t - t * 2;
    bool below = (int)(blockIdx.x * 2) + t - 300 < 0;
    size_t all = blockIdx.x * blockDim.x + wide - (bx + t);
    out[i] = in[j] + negative + (below ? 1 : 0) + (int)far + (int)all + (int)later(1);
}

void launch(int *out, const int *in, int threads) {
    k<<<1, threads>>>(out, in, -1000);
    cudaDeviceSynchronize();
}
