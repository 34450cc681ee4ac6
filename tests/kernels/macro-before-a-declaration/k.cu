// A macro that is a statement, without a semicolon: `CHECKED_HERE bool` is no type.
#define CHECKED_HERE static_assert(sizeof(int) == 4, "int has four bytes");
__global__ void k(int *out, const int *in, int n) {
    CHECKED_HERE
    bool odd = in[threadIdx.x] & 1;
    __syncthreads();
    out[threadIdx.x] = odd + n;
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in, 6); }
