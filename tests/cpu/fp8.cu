// Numbers of 8 bits: their values, roundings and limits, as types and as storage.
#include <cuda_fp8.h>
#include <cuda_runtime.h>
#include <cmath>
#include <cstdio>

static int wrong;
static void is(int line, unsigned got, unsigned expected) {
    if (got == expected) return;
    printf("line %d: %#x instead of %#x\n", line, got, expected);
    wrong++;
}
#define IS(got, expected) is(__LINE__, (got), (expected))

static unsigned e4m3(float x, __nv_saturation_t s = __NV_SATFINITE) {
    return __nv_cvt_float_to_fp8(x, s, __NV_E4M3);
}
static unsigned e5m2(float x, __nv_saturation_t s = __NV_SATFINITE) {
    return __nv_cvt_float_to_fp8(x, s, __NV_E5M2);
}

__global__ void scale(const __nv_fp8_e4m3 *in, __nv_fp8_e4m3 *out, __half by) {
    out[threadIdx.x] = __nv_fp8_e4m3(float(in[threadIdx.x]) * __half2float(by));
}

static void codes() {
    for (unsigned c = 0; c < 256; c++) { // every number is itself
        __nv_fp8_e4m3 a;
        __nv_fp8_e5m2 b;
        a.__x = b.__x = static_cast<__nv_fp8_storage_t>(c);
        if (!std::isnan(float(a))) IS(__nv_fp8_e4m3(float(a)).__x, c);
        if (!std::isnan(float(b)) && !std::isinf(float(b))) IS(__nv_fp8_e5m2(float(b)).__x, c);
        if (c < 0x7f && c > 0) {
            __nv_fp8_e4m3 before;
            before.__x = static_cast<__nv_fp8_storage_t>(c - 1);
            IS(float(before) < float(a), 1);
        }
    }
}

int main() {
    IS(e4m3(0), 0), IS(e4m3(-0.0f), 0x80), IS(e4m3(1), 0x38), IS(e4m3(-1), 0xb8);
    IS(e4m3(448), 0x7e), IS(e4m3(464), 0x7e), IS(e4m3(465), 0x7e), IS(e4m3(1e9f), 0x7e);
    IS(e4m3(464, __NV_NOSAT), 0x7e), IS(e4m3(465, __NV_NOSAT), 0x7f);
    IS(e4m3(-INFINITY), 0xfe), IS(e4m3(-INFINITY, __NV_NOSAT), 0xff), IS(e4m3(NAN), 0x7f);
    IS(e4m3(1.0625f), 0x38), IS(e4m3(1.1875f), 0x3a); // ties go to the even one
    IS(e4m3(std::ldexp(1.0f, -9)), 1), IS(e4m3(std::ldexp(1.0f, -10)), 0);
    IS(e4m3(std::ldexp(1.5f, -10)), 1), IS(e4m3(std::ldexp(1.0f, -6)), 8);
    IS(e5m2(1), 0x3c), IS(e5m2(57344), 0x7b), IS(e5m2(61440, __NV_NOSAT), 0x7c);
    IS(e5m2(61439, __NV_NOSAT), 0x7b), IS(e5m2(INFINITY), 0x7b), IS(e5m2(-1.5f), 0xbe);
    codes();

    const __nv_fp8x4_e4m3 four(make_float4(1, -1, 448, 0.5f));
    IS(four.__x, 0x307eb838u);
    const float4 back(four);
    IS(back.x == 1 && back.y == -1 && back.z == 448 && back.w == 0.5f, 1);
    const __half2_raw pair = __nv_cvt_fp8x2_to_halfraw2(0xb838, __NV_E4M3);
    IS(pair.x, 0x3c00), IS(pair.y, 0xbc00);
    IS(__nv_cvt_halfraw_to_fp8(__float2half(2), __NV_SATFINITE, __NV_E5M2), 0x40);
    IS(__nv_fp8x2_e5m2(__halves2half2(__float2half(1), __float2half(2))).__x, 0x403c);

    __nv_fp8_e4m3 *in, *out;
    if (cudaMallocManaged(&in, 32) || cudaMallocManaged(&out, 32)) return 1;
    for (int i = 0; i < 32; i++) in[i] = __nv_fp8_e4m3(i);
    scale<<<1, 32>>>(in, out, __float2half(0.5f));
    if (cudaDeviceSynchronize()) return 1;
    for (int i = 0; i < 32; i += 4) IS(float(out[i]) == float(__nv_fp8_e4m3(i / 2)), 1);
    puts(wrong ? "FAIL" : "PASS");
    return cudaFree(in) || cudaFree(out) || wrong;
}
