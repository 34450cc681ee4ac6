// A variable is declared without a value, gets one in a branch, and is read behind a barrier.
__global__ void k(int *out, const int *in) {
    __shared__ int s[256];
    int a, b = 3, *p;
    bool odd;
    if (threadIdx.x % 2) {
        a = in[threadIdx.x];
        p = &b;
        odd = true;
    } else {
        a = 1, odd = false;
        p = &a;
    }
    s[threadIdx.x] = a;
    __syncthreads();
    *p += s[(threadIdx.x + 1) % blockDim.x];
    out[threadIdx.x] = a * 5 + b + odd;
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
