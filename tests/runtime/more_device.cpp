// Cooperative groups, 16-bit floats, random numbers, textures, math, against independent values.
#include "check.h"
#include <cuda_morph/bf16.h>
#include <cuda_morph/blas.h>
#include <cuda_morph/complex.h>
#include <cuda_morph/cooperative_groups.h>
#include <cuda_morph/curand_kernel.h>
#include <cuda_morph/fp16.h>
#include <vector>

namespace cg = cooperative_groups;

template <class T> struct buffer {
    T *p;
    explicit buffer(size_t n) { OK(cmMallocManaged(&p, n * sizeof(T))); }
    ~buffer() { OK(cmFree(p)); }
    T &operator[](size_t i) { return p[i]; }
};

// ---- cooperative groups ----

__global__ void groups(int *out) {
    cg::thread_block block = cg::this_thread_block();
    auto tile = cg::tiled_partition<8>(block);
    const int t = block.thread_rank();
    int *o = out + t * 8;
    o[0] = cg::reduce(tile, t, cg::plus<int>());
    o[1] = cg::inclusive_scan(tile, 2, cg::plus<int>());
    o[2] = cg::exclusive_scan(tile, t);
    o[3] = tile.shfl(t, 3);
    o[4] = tile.shfl_down(t, 1);
    o[5] = int(tile.ballot(t % 3 == 0)) + 1000 * int(tile.meta_group_rank());
    o[6] = o[7] = -1;
    if (t % 4 == 1) {
        cg::coalesced_group some = cg::coalesced_threads();
        o[6] = cg::reduce(some, 1, cg::plus<int>());
        o[7] = int(some.thread_rank());
    }
    block.sync();
}

__global__ void grid_sum(int *data, int *total, int n) {
    cg::grid_group grid = cg::this_grid();
    for (int step = 0; step < 3; step++) {
        for (unsigned long long i = grid.thread_rank(); i < unsigned(n); i += grid.size())
            data[i] += step;
        grid.sync();
        // What other blocks wrote before the barrier is there.
        if (grid.thread_rank() == 0)
            for (int i = 0; i < n; i++) total[step] += data[i];
        grid.sync();
    }
}

static void cooperative() {
    const int n = 96;
    buffer<int> out(n * 8);
    OK(cm::launch<groups>(1, n)(out.p));
    OK(cmDeviceSynchronize());
    for (int t = 0; t < n; t++) {
        const int first = t / 8 * 8;
        int ballot = 0, before = 0;
        for (int i = 0; i < 8; i++) ballot |= ((first + i) % 3 == 0) << i;
        for (int i = first; i < t; i++) before += i;
        const int *o = &out[t * 8];
        CHECK(o[0] == 8 * first + 28 && o[1] == 2 * (t % 8 + 1) && o[2] == before);
        CHECK(o[3] == first + 3 && o[4] == (t % 8 < 7 ? t + 1 : t));
        CHECK(o[5] == ballot + 1000 * (t / 8));
        CHECK(o[6] == (t % 4 == 1 ? 8 : -1) && o[7] == (t % 4 == 1 ? t % 32 / 4 : -1));
    }
    int blocks, device = 0, processors, m = 1000;
    OK(cmOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, grid_sum, 64, 0));
    OK(cmDeviceGetAttribute(&processors, cmDevAttrMultiProcessorCount, device));
    CHECK(blocks > 0);
    buffer<int> data(1000), total(3);
    memset(data.p, 0, 4000), memset(total.p, 0, 12);
    void *arguments[] = {&data.p, &total.p, &m};
    OK(cmLaunchCooperativeKernel(grid_sum, dim3(7), dim3(64), arguments));
    OK(cmDeviceSynchronize());
    CHECK(total[0] == 0 && total[1] == 1000 && total[2] == 3000);
    // More than the processors would ask for, as on a middling GPU; but not any number.
    const int threads = blocks * processors * 64, room = threads < 32768 ? 32768 : threads;
    memset(data.p, 0, 4000), memset(total.p, 0, 12);
    OK(cmLaunchCooperativeKernel(grid_sum, dim3(room / 64), dim3(64), arguments));
    OK(cmDeviceSynchronize());
    CHECK(total[1] == 1000 && total[2] == 3000);
    GIVES(cmErrorCooperativeLaunchTooLarge,
          cmLaunchCooperativeKernel(grid_sum, dim3(room / 64 + 1), dim3(64), arguments));
}

// ---- 16 bits: every half to float and back, rounding at the half-way points ----

static void small_floats() {
    for (unsigned i = 0; i < 65536; i++) {
        const __half h = __ushort_as_half(static_cast<unsigned short>(i));
        const float f = __half2float(h);
        if (f != f) continue;
        CHECK(__half_as_ushort(__float2half(f)) == i);
        CHECK(__half_as_ushort(__double2half(f)) == i);
        const __nv_bfloat16 b = __ushort_as_bfloat16(static_cast<unsigned short>(i));
        const float g = __bfloat162float(b);
        if (g == g) CHECK(__bfloat16_as_ushort(__float2bfloat16(g)) == i);
        if (i % 0x8000 >= 0x7bff) continue;
        const float next = __half2float(__ushort_as_half(static_cast<unsigned short>(i + 1)));
        const float middle = (f + next) / 2; // exact; the even one wins
        CHECK(__half_as_ushort(__float2half(middle)) == i + i % 2);
        CHECK(__half_as_ushort(__double2half(middle)) == i + i % 2);
        CHECK(__half_as_ushort(__float2half(std::nextafter(middle, next))) == i + 1);
        CHECK(__half_as_ushort(__float2half_rz(middle)) == i);
    }
    CHECK(__half_as_ushort(__float2half(65519.99f)) == 0x7bff);
    CHECK(__half_as_ushort(__float2half(65520.0f)) == 0x7c00);
    CHECK(float(__hfma(__half(2.0f), __half(3.0f), __half(0.5f))) == 6.5f);
    const __half2 a = __floats2half2_rn(1, 2), b = __hadd2(a, a);
    CHECK(__low2float(b) == 2 && __high2float(b) == 4 && __hlt(a.x, a.y) && __hbeq2(b, a + a));
    CHECK(__half2int_rn(__half(2.5f)) == 2 && __half2int_rz(__half(-2.9f)) == -2);
}

// ---- random numbers: sequences that NVIDIA's own headers give on the host ----

static void random_numbers() {
    curandState x;
    curand_init(1234, 7, 1000000007, &x);
    const unsigned x0 = curand(&x), x1 = curand(&x);
    CHECK(x0 == 0x1f516232u && x1 == 0xb5e92c61u);
    curandState jumped, stepped;
    curand_init(42, 0, 1000, &jumped);
    curand_init(42, 0, 0, &stepped);
    for (int i = 0; i < 1000; i++) curand(&stepped);
    for (int i = 0; i < 10; i++) CHECK(curand(&jumped) == curand(&stepped));
    curandStatePhilox4_32_10_t p;
    curand_init(0, 0, 0, &p); // Random123's known answer for a zero counter and key
    CHECK(curand(&p) == 0x6627e8d5 && curand(&p) == 0xe169c58d);
    CHECK(curand(&p) == 0xbc57ac4c && curand(&p) == 0x9b00dbd8);
    curandStatePhilox4_32_10_t q;
    curand_init(99, 3, 13, &p);
    curand_init(99, 3, 0, &q);
    for (int i = 0; i < 13; i++) curand(&q);
    const uint4 four = curand4(&p);
    CHECK(four.x == curand(&q) && four.y == curand(&q) && four.z == curand(&q));
    double sum = 0, squares = 0;
    for (int i = 0; i < 100000; i++) {
        const float v = curand_normal(&x), u = curand_uniform(&x);
        CHECK(u > 0 && u <= 1);
        sum += v, squares += double(v) * v;
    }
    CHECK(std::fabs(sum / 100000) < 0.02 && std::fabs(squares / 100000 - 1) < 0.02);
}

// ---- textures ----

__global__ void sample(cmTextureObject_t t, float *out, float x, float y) {
    *out = tex2D<float>(t, x, y);
}
__global__ void paint(cmSurfaceObject_t s) {
    surf2Dwrite(float(threadIdx.x * 10 + threadIdx.y), s, int(threadIdx.x * 4), threadIdx.y);
}

static float at(cmArray_t array, cmTextureFilterMode filter, cmTextureAddressMode address,
                bool normalized, float x, float y) {
    cmResourceDesc resource{};
    cmTextureDesc how{};
    cmTextureObject_t texture;
    resource.resType = cmResourceTypeArray;
    resource.res.array.array = array;
    how.addressMode[0] = how.addressMode[1] = address;
    how.filterMode = filter;
    how.normalizedCoords = normalized;
    OK(cmCreateTextureObject(&texture, &resource, &how, nullptr));
    buffer<float> out(1);
    OK(cm::launch<sample>(1, 1)(texture, out.p, x, y));
    OK(cmDestroyTextureObject(texture));
    return out[0];
}

static void textures() {
    cmArray_t array;
    cmSurfaceObject_t surface;
    cmResourceDesc resource{};
    const cmChannelFormatDesc format = cmCreateChannelDesc<float>();
    OK(cmMallocArray(&array, &format, 8, 4, cmArraySurfaceLoadStore));
    resource.resType = cmResourceTypeArray;
    resource.res.array.array = array;
    OK(cmCreateSurfaceObject(&surface, &resource));
    OK(cm::launch<paint>(1, dim3(8, 4))(surface));
    OK(cmDestroySurfaceObject(surface));
    float back[4][8];
    OK(cmMemcpy2DFromArray(back, 32, array, 0, 0, 32, 4, cmMemcpyDeviceToHost));
    CHECK(back[3][7] == 73 && back[0][1] == 10);
    const auto point = cmFilterModePoint, linear = cmFilterModeLinear;
    CHECK(at(array, point, cmAddressModeClamp, false, 2.9f, 1.1f) == 21);
    CHECK(at(array, point, cmAddressModeClamp, false, -5, 99) == 3);
    CHECK(at(array, point, cmAddressModeBorder, false, -1, 0) == 0);
    CHECK(at(array, linear, cmAddressModeClamp, false, 3.0f, 2.0f) == 26.5f);
    CHECK(at(array, linear, cmAddressModeClamp, false, 2.75f, 1.5f) == 23.5f);
    CHECK(at(array, point, cmAddressModeWrap, true, 1.125f + 1 / 16.0f, 0.125f) == 10);
    CHECK(at(array, point, cmAddressModeMirror, true, -0.01f, 0.0f) == 0);
    OK(cmFreeArray(array));
}

// ---- integers and conversions ----

static void intrinsics() {
    CHECK(__popc(0xf0f0u) == 8 && __clz(1) == 31 && __clz(0) == 32 && __ffs(8) == 4);
    CHECK(__brev(1u) == 0x80000000u && __brev(0x12345678u) == 0x1e6a2c48u);
    CHECK(__mulhi(-1, 2) == -1 && __umulhi(0x80000000u, 6u) == 3);
    CHECK(__byte_perm(0x33221100u, 0x77665544u, 0x7531) == 0x77553311u);
    CHECK(__byte_perm(0x33221100u, 0x77665544u, 0xfdb9) == 0x77553311u); // three bits count
    CHECK(__funnelshift_l(0x80000000u, 1u, 4) == 0x18u && __funnelshift_r(1, 0, 0) == 1);
    CHECK(__dp4a(0x01020304, 0x01010101, 5) == 15);
    CHECK(__float2int_rn(2.5f) == 2 && __float2int_ru(2.1f) == 3 &&
          __float2int_rz(1e20f) == INT_MAX);
    CHECK(__float2int_rn(NAN) == 0 && __float_as_int(1.0f) == 0x3f800000);
    CHECK(min(3, 4u) == 3u && max(1.5f, 2) == 2.0f && fminf(NAN, 1.0f) == 1.0f);
    CHECK(rsqrtf(4.0f) == 0.5f && std::fabs(sinpi(0.5) - 1) < 1e-15);
    CHECK(__hiloint2double(__double2hiint(-2.5), __double2loint(-2.5)) == -2.5);
}

// ---- cuBLAS: C = 2 A^T B + 3 C against the definition, in column-major order ----

static void blas() {
    const int m = 5, n = 4, k = 7;
    buffer<double> a(k * m), b(k * n), c(m * n);
    double want[m * n];
    for (int i = 0; i < k * m; i++) a[i] = i % 5 - 2;
    for (int i = 0; i < k * n; i++) b[i] = i % 7 - 3;
    for (int j = 0; j < n; j++)
        for (int i = 0; i < m; i++) {
            double sum = 0;
            for (int l = 0; l < k; l++) sum += a[i * k + l] * b[j * k + l];
            want[j * m + i] = 2 * sum + 3 * (c[j * m + i] = i + j);
        }
    cmBlasHandle_t h;
    const double two = 2, three = 3;
    double dot = 0;
    int at = 0;
    CHECK(cmBlasCreate(&h) == CM_BLAS_STATUS_SUCCESS);
    CHECK(cmBlasDgemm(h, CM_BLAS_OP_T, CM_BLAS_OP_N, m, n, k, &two, a.p, k, b.p, k, &three, c.p,
                      m) == CM_BLAS_STATUS_SUCCESS);
    CHECK(cmBlasDdot(h, 3, a.p, 1, a.p, 1, &dot) == CM_BLAS_STATUS_SUCCESS && dot == 5);
    CHECK(cmBlasIdamax(h, 5, a.p, 1, &at) == CM_BLAS_STATUS_SUCCESS && at == 1);
    CHECK(cmBlasDgemm(h, CM_BLAS_OP_N, CM_BLAS_OP_N, m, n, k, &two, a.p, 1, b.p, k, &three, c.p,
                      m) == CM_BLAS_STATUS_INVALID_VALUE);
    CHECK(cmBlasDestroy(h) == CM_BLAS_STATUS_SUCCESS);
    for (int i = 0; i < m * n; i++) CHECK(c[i] == want[i]);
    const cuDoubleComplex z = cuCdiv(make_cuDoubleComplex(4, 2), make_cuDoubleComplex(1, 1));
    CHECK(z.x == 3 && z.y == -1 && cuCabsf(make_cuComplex(3, 4)) == 5);
}

int main() {
    blas();
    cooperative();
    small_floats();
    random_numbers();
    textures();
    intrinsics();
    return failures != 0;
}
