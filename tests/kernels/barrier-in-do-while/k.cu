// do-while whose condition each thread has for itself, but which is the same; continue.
__global__ void k(int *out, const int *in) {
    __shared__ int s[256];
    int v = in[threadIdx.x], i = 0;
    do {
        s[threadIdx.x] = v;
        __syncthreads();
        v = s[(threadIdx.x + i) % blockDim.x] + 1;
        __syncthreads();
        if (i == 1) continue;
        v += 10;
    } while (++i < 3);
    out[threadIdx.x] = v;
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
