// auto, decltype and auto pointers live across a barrier.
__global__ void k(int *out, const int *in) {
    __shared__ int s[256];
    auto v = in[threadIdx.x];
    decltype(v) w = v + 1;
    auto *mine = s + threadIdx.x;
    decltype(auto) n = blockDim.x;
    *mine = v;
    __syncthreads();
    out[threadIdx.x] = s[n - 1 - threadIdx.x] + w + *mine;
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
