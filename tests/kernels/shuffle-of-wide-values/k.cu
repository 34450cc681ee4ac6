// Shuffled are doubles, chars, bools, 64 bits, halves of a pair, elements, and sums of them.
__global__ void k(int *out, const int *in) {
    int x = in[threadIdx.x];
    double d = x * 0.5;
    unsigned char c = x;
    long long l = (long long)x << 33;
    float a[2] = {x * 0.25f, 1};
    d += __shfl_xor_sync(~0u, d, 1);
    c += __shfl_xor_sync(~0u, c, 2);
    l += __shfl_xor_sync(~0u, l, 4);
    a[1] += __shfl_xor_sync(~0u, a[0] + 1, 1);
    out[threadIdx.x] = int(d * 2) + c + int(l >> 33) + int(a[1] * 4);
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
