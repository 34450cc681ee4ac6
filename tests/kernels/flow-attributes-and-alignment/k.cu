// Attributes, alignment and pragmas around declarations and loops.
__global__ void k(int *out, const int *in) {
    __shared__ __align__(16) int s[256];
    [[maybe_unused]] int unused = 3, v = in[threadIdx.x];
    alignas(16) int quad[4] = {v, v + 1, v + 2, v + 3};
    s[threadIdx.x] = quad[threadIdx.x % 4];
    __syncthreads();
#pragma unroll 4
    for (int i = 0; i < 4; i++) {
        quad[i] += s[(threadIdx.x + i) % blockDim.x];
        __syncthreads();
    }
    int4 q = *reinterpret_cast<int4 *>(quad);
    out[threadIdx.x] = q.x + q.y + q.z + q.w;
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
