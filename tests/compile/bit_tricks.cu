// Integer intrinsics: counting, reversing and shuffling bits and bytes; casts of bits.
#include <cuda_runtime.h>
#include <cstdint>
#include <cstdio>
#include <cstring>

__global__ void bits(const uint32_t *in, uint32_t *out) {
    uint32_t v = in[threadIdx.x], *o = out + threadIdx.x * 10;
    o[0] = __popc(v);
    o[1] = __clz(v);
    o[2] = __ffs(v);
    o[3] = __brev(v);
    o[4] = __byte_perm(v, 0x11223344u, 0x3456);
    o[5] = __popcll(((unsigned long long)v << 32) | v);
    o[6] = __umulhi(v, v);
    o[7] = __float_as_uint(__uint2float_rn(v));
    o[8] = __funnelshift_l(v, 0x80000001u, 3);
    o[9] = __mul24((int)(v & 0xfff), 5) + __sad(3, 10, v & 0xff);
}

int main() {
    const int n = 64;
    static uint32_t in[n], out[n * 10], *d_in, *d_out;
    for (int i = 0; i < n; i++) in[i] = (i + 1) * 2654435761u;
    cudaMalloc(&d_in, sizeof(in));
    cudaMalloc(&d_out, sizeof(out));
    cudaMemcpy(d_in, in, sizeof(in), cudaMemcpyHostToDevice);
    bits<<<1, n>>>(d_in, d_out);
    cudaMemcpy(out, d_out, sizeof(out), cudaMemcpyDeviceToHost);
    cudaFree(d_in);
    cudaFree(d_out);
    bool good = cudaGetLastError() == cudaSuccess;
    for (int i = 0; i < n; i++) {
        uint32_t v = in[i], *o = out + i * 10, ones = 0, reversed = 0, asBits;
        int lead = 0, first = 0;
        for (int b = 0; b < 32; b++) {
            ones += v >> b & 1;
            reversed |= (v >> b & 1) << (31 - b);
        }
        while (lead < 32 && !(v >> (31 - lead) & 1)) lead++;
        while (!(v >> first & 1)) first++;
        float f = (float)v;
        memcpy(&asBits, &f, 4);
        // Bytes 0-3 are those of v, 4-7 those of 0x11223344; the selector is read from its low end.
        uint32_t perm = 0x22u | 0x33u << 8 | 0x44u << 16 | (v >> 24) << 24;
        good = good && o[0] == ones && o[1] == (uint32_t)lead && o[2] == (uint32_t)first + 1 &&
               o[3] == reversed && o[4] == perm && o[5] == 2 * ones &&
               o[6] == (uint32_t)(((uint64_t)v * v) >> 32) && o[7] == asBits &&
               o[8] == (0x80000001u << 3 | v >> 29) && o[9] == (v & 0xfff) * 5 + 7 + (v & 0xff);
    }
    printf("%s\n", good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}
