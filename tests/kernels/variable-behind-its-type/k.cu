// A variable that is declared with its type, in one statement, and lives over a barrier.
__global__ void k(int *out, const int *in) {
    __shared__ int s[256];
    struct Mine {
        int a = 5, b;
    } mine, *at = &mine;
    union {
        int word;
        unsigned bits;
    } both;
    enum { ONE, TWO } which = threadIdx.x % 2 ? TWO : ONE;
    at->b = in[threadIdx.x];
    both.word = threadIdx.x;
    s[threadIdx.x] = mine.b;
    __syncthreads();
    out[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x] + 3 * mine.a + both.word + 100 * which;
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
