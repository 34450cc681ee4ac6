// A macro gives a variable a second name: both mean the same place.
#define shown hidden

__global__ void k(int *out, const int *in) {
    __shared__ int s[256];
    int shown = 0;
    hidden = in[threadIdx.x];
    s[threadIdx.x] = hidden;
    __syncthreads();
    out[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x] + shown + hidden * 2;
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
#undef shown
