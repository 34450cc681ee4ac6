// Barriers in strings, comments and code that is never compiled are none.
__global__ void k(int *out, const int *in) {
    const char *s = "__syncthreads();", *raw = R"x(} __syncthreads(); { " )x";
    // __syncthreads();
#if 0
    __syncthreads();
#endif
    out[threadIdx.x] = in[threadIdx.x] + s[0] + raw[0];
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
