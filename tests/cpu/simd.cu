// SIMD intrinsics of bytes and halves of a word, and conversions that round in one direction,
// against what they are defined to be.
#include <climits>
#include <cstdio>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

__global__ void simd(const unsigned *in, unsigned *out) {
    const unsigned a = in[0], b = in[1];
    int i = 0;
    out[i++] = __vadd4(a, b);
    out[i++] = __vaddss4(a, b);
    out[i++] = __vaddus4(a, b);
    out[i++] = __vsub2(a, b);
    out[i++] = __vsubss2(a, b);
    out[i++] = __vsubus2(a, b);
    out[i++] = __vmaxs4(a, b);
    out[i++] = __vminu4(a, b);
    out[i++] = __vavgs4(a, b);
    out[i++] = __vavgu4(a, b);
    out[i++] = __vhaddu4(a, b);
    out[i++] = __vabsdiffs4(a, b);
    out[i++] = __vabsdiffu4(a, b);
    out[i++] = __vabs4(a);
    out[i++] = __vabsss4(a);
    out[i++] = __vneg4(a);
    out[i++] = __vnegss2(a);
    out[i++] = __vcmpgts4(a, b);
    out[i++] = __vcmpgtu4(a, b);
    out[i++] = __vsetles2(a, b);
    out[i++] = __vseteq4(a, b);
    out[i++] = __vsads4(a, b);
    out[i++] = __vsadu2(a, b);
    out[i++] = __uhadd(a, b);
    out[i++] = __urhadd(a, b);
}

__global__ void rounded(const int *in, float *out) {
    const int big = in[0]; // 16777217: between two floats
    out[0] = __int2float_rn(big);
    out[1] = __int2float_rd(-big);
    out[2] = __int2float_ru(big);
    out[3] = __int2float_rz(-big);
    out[4] = __ull2float_rz(ULLONG_MAX);
    out[5] = __ull2float_ru(ULLONG_MAX);
    out[6] = __double2float_rd(0.1);
    out[7] = __double2float_ru(0.1);
    out[8] = __half2float(__int2half_rz(2049));
    out[9] = __half2float(__int2half_ru(2049));
    out[10] = static_cast<float>(__half2int_rd(__float2half(-1.5f)));
    out[11] = static_cast<float>(__half2uint_ru(__float2half(1.25f)));
}

int main() {
    // Bytes of a: 80 7f ff 05, of b: 7f 01 01 05.
    const unsigned expected[] = {0xff80000au, 0xff7f000au, 0xff80ff0au, 0x017efe00u, 0x8000fe00u,
                                 0x017efe00u, 0x7f7f0105u, 0x7f010105u, 0xff400005u, 0x80408005u,
                                 0x7f408005u, 0xff7e0200u, 0x017efe00u, 0x807f0105u, 0x7f7f0105u,
                                 0x808101fbu, 0x7f8100fbu, 0x00ff0000u, 0xffffff00u, 0x00010001u,
                                 0x00000001u, 0x0000017fu, 0x0000ff7eu, 0x7fc08005u, 0x7fc08005u};
    const float results[] = {16777216.0f, -16777218.0f, 16777218.0f, -16777216.0f,
                             18446742974197923840.0f, 18446744073709551616.0f, 0.099999994f,
                             0.1f, 2048.0f, 2050.0f, -2.0f, 2.0f};
    const int words = sizeof(expected) / sizeof(*expected), numbers = sizeof(results) / sizeof(*results);
    unsigned *in, *out;
    int *big;
    float *floats;
    cudaMallocManaged(&in, 2 * sizeof(*in));
    cudaMallocManaged(&out, words * sizeof(*out));
    cudaMallocManaged(&big, sizeof(*big));
    cudaMallocManaged(&floats, numbers * sizeof(*floats));
    in[0] = 0x807fff05u, in[1] = 0x7f010105u, *big = 16777217;
    simd<<<1, 1>>>(in, out);
    rounded<<<1, 1>>>(big, floats);
    bool good = cudaDeviceSynchronize() == cudaSuccess;
    for (int i = 0; i < words; i++)
        if (out[i] != expected[i]) good = false, std::printf("%d: %08x, not %08x\n", i, out[i], expected[i]);
    for (int i = 0; i < numbers; i++)
        if (floats[i] != results[i]) good = false, std::printf("%d: %.9g, not %.9g\n", i, floats[i], results[i]);
    std::printf(good ? "PASS\n" : "FAIL\n");
    return good ? 0 : 1;
}
