// What cuda_morph/hip_ext.h computes, lane by lane, on an emulated wave of WAVE lanes, against
// what CUDA's manual says about groups of 32.
#include <cuda_morph/hip_atomic.h>
#include <cuda_morph/hip_ext.h>
#include <cuda_morph/hip_wmma.h>

#include <cstdio>
#include <cstring>

namespace cg = cooperative_groups;

pthread_barrier_t mock_barrier;
int mock_word[WAVE];
bool mock_here[WAVE];
thread_local int mock_lane;

static int passed, failed;

static void check(bool good, const char *what, int line) {
    if (good) {
        __atomic_fetch_add(&passed, 1, __ATOMIC_RELAXED);
    } else {
        __atomic_fetch_add(&failed, 1, __ATOMIC_RELAXED);
        fprintf(stderr, "lanes.cpp:%d: wave %d, lane %d: %s\n", line, WAVE, mock_lane, what);
    }
}
#define CHECK(condition) check(condition, #condition, __LINE__)

// Runs body on the lanes of here.
struct task {
    void (*body)();
    int lane;
};
static void *start(void *p) {
    task *t = static_cast<task *>(p);
    mock_lane = t->lane;
    t->body();
    return nullptr;
}
static void wave(unsigned long long here, void (*body)()) {
    pthread_t thread[WAVE];
    task tasks[WAVE];
    unsigned count = 0;
    for (int i = 0; i < WAVE; i++) count += mock_here[i] = here >> i & 1;
    pthread_barrier_init(&mock_barrier, nullptr, count);
    for (int i = 0; i < WAVE; i++) {
        tasks[i] = task{body, i};
        if (mock_here[i]) pthread_create(&thread[i], nullptr, start, &tasks[i]);
    }
    for (int i = 0; i < WAVE; i++)
        if (mock_here[i]) pthread_join(thread[i], nullptr);
    pthread_barrier_destroy(&mock_barrier);
}

struct triple {
    float a;
    int b;
    short c;
};
static triple operator+(triple x, triple y) {
    return triple{x.a + y.a, x.b + y.b, static_cast<short>(x.c + y.c)};
}

static void votes_and_shuffles() {
    int wide = mock_lane, lane = mock_lane % 32, half = mock_lane / 32;
    unsigned low = (1u << lane) - 1u;
    CHECK(cm_lane_id() == static_cast<unsigned>(lane));
    CHECK(cm_lanemask_lt() == low && cm_lanemask_ge() == ~low);
    CHECK(cm_lanemask_le() == (low | 1u << lane) && cm_lanemask_gt() == ~(low | 1u << lane));
    CHECK(cm_activemask32() == CM_FULL_MASK);
    CHECK(cm_ballot32(wide == 3 || wide == 40) == (half ? 1u << 8 : 1u << 3));
    CHECK(cm_any32(wide == 40) == (half == 1));
    CHECK(cm_all32(wide != 40) == (half == 0));
    CHECK(cm_ballot_sync(0xffu, lane % 2) == 0xaau);
    CHECK(!cm_any_sync(0xffu, lane == 8) && cm_all_sync(0xffu, lane < 8));
    cm_syncwarp();

    CHECK(cm_shfl_sync(CM_FULL_MASK, wide, 5) == half * 32 + 5);
    CHECK(cm_shfl_sync(CM_FULL_MASK, wide, 37) == half * 32 + 5);
    CHECK(cm_shfl_sync(CM_FULL_MASK, wide, 1, 8) == wide / 8 * 8 + 1);
    CHECK(cm_shfl_down_sync(CM_FULL_MASK, wide, 1) == (lane == 31 ? wide : wide + 1));
    CHECK(cm_shfl_up_sync(CM_FULL_MASK, 0.5 * wide, 2) == 0.5 * (lane < 2 ? wide : wide - 2));
    CHECK(cm_shfl_xor_sync(CM_FULL_MASK, static_cast<short>(wide), 16) == (wide ^ 16));

    CHECK(cm_reduce_add_sync(CM_FULL_MASK, wide) == (half ? 1520 : 496));
    CHECK(cm_reduce_max_sync(CM_FULL_MASK, wide) == half * 32 + 31);
    CHECK(cm_reduce_min_sync(CM_FULL_MASK, -wide) == -(half * 32 + 31));
    // Two masks at the same call: even lanes and odd ones.
    unsigned mine = lane % 2 ? 0xaaaaaaaau : 0x55555555u;
    CHECK(cm_reduce_add_sync(mine, lane) == (lane % 2 ? 256 : 240));
    CHECK(cm_reduce_or_sync(mine, 1u << lane) == mine);
    CHECK(cm_reduce_xor_sync(mine, 3u) == 0u && cm_reduce_and_sync(mine, mine) == mine);

    CHECK(cm_match_any_sync(CM_FULL_MASK, wide % 4) == 0x11111111u << lane % 4);
    CHECK(cm_match_any_sync(CM_FULL_MASK, 1ull << 40 * (lane % 2)) == mine);
    CHECK(cm_match_any_sync(mine, 7) == mine);
    int same = -1;
    CHECK(cm_match_all_sync(CM_FULL_MASK, half, &same) == CM_FULL_MASK && same == 1);
    CHECK(cm_match_all_sync(CM_FULL_MASK, lane == 9, &same) == 0 && same == 0);
    CHECK(cm_match_all_sync(mine, lane % 2, &same) == mine && same == 1);
}

static void groups() {
    int wide = mock_lane, lane = mock_lane % 32, half = mock_lane / 32;
    cg::thread_block_tile<32> tile;
    cg::thread_block_tile<8> eight;
    CHECK(cg::reduce(tile, wide, cg::plus<int>()) == (half ? 1520 : 496));
    CHECK(cg::reduce(eight, wide, cg::greater<int>()) == wide / 8 * 8 + 7);
    CHECK(cg::reduce(eight, lane % 8, cg::less<int>()) == 0);
    triple sum = cg::reduce(tile, triple{1.5f, lane, 2}, cg::plus<triple>());
    CHECK(sum.a == 48.0f && sum.b == 496 && sum.c == 64);
    CHECK(cg::inclusive_scan(tile, 2) == 2 * (lane + 1));
    CHECK(cg::inclusive_scan(eight, lane % 8 == 3, cg::bit_or<int>()) == (lane % 8 >= 3));
    CHECK(cg::exclusive_scan(tile, lane) == lane * (lane - 1) / 2);
    CHECK(cm::ballot(eight, wide % 8 > 5) == 0xc0u && cm::ballot(tile, lane == 31) == 1u << 31);
    CHECK(cm::any(eight, wide == 9) == (wide / 8 == 1));
    CHECK(cm::all(eight, wide != 9) == (wide / 8 != 1));
    CHECK(cm::meta_group_rank(eight) == wide / 8u && cm::meta_group_size(eight) == WAVE / 8u);
}

static void memory() {
    int lane = mock_lane % 32;
    cg::thread_block_tile<32> tile;
    static int from[100], to[100];
    from[lane] = lane, from[lane + 32] = lane + 32, from[lane + 64] = lane + 64;
    cm_syncwarp();
    cg::memcpy_async(cg::this_thread_block(), to, from, 95 * sizeof(int) + 1);
    cg::wait(cg::this_thread_block());
    CHECK(to[lane] == lane && to[94] == 94 && to[95] == 95 && to[96] == 0);
    static int ones;
    cg::invoke_one(tile, [] { __atomic_fetch_add(&ones, 1, __ATOMIC_RELAXED); });
    cm_syncwarp();
    CHECK(ones == WAVE / 32);
    static int total;
    cm_atomicAdd_block(&total, 2);
    cm_syncwarp();
    CHECK(total == 2 * WAVE);
    static unsigned count, wrapped, down;
    cm_atomicInc_system(&count, WAVE);
    cm_atomicInc_system(&wrapped, 3);
    cm_atomicDec_system(&down, 4);
    cm_syncwarp();
    CHECK(count == WAVE && wrapped == 0);
    CHECK(down == (WAVE == 32 ? 3 : 1)); // 4, 3, 2, 1, 0, 4 ...
    alignas(4) static unsigned short pair[2];
    cm_atomicAdd(&pair[1], static_cast<unsigned short>(3));
    cm_syncwarp();
    CHECK(pair[0] == 0 && pair[1] == 3 * WAVE);
}

// A tile for each 32 lanes: a lies in rows, b in columns, and the halves of a wave of 64 have
// numbers of their own. Small whole numbers, which every type holds.
template <class T, class Element, class Sum, int M, int N, int K> static bool multiplies() {
    namespace wmma = nvcuda::wmma;
    static Element a[2][M * K], b[2][K * N];
    static Sum c[2][M * N];
    const int half = mock_lane / 32;
    if (mock_lane % 32 == 0) {
        for (int i = 0; i < M * K; i++)
            a[half][i] = static_cast<Element>(static_cast<float>((i * 7 + half) % 5));
        for (int i = 0; i < K * N; i++)
            b[half][i] = static_cast<Element>(static_cast<float>((i * 3 + half) % 4));
        for (int i = 0; i < M * N; i++) c[half][i] = static_cast<Sum>(static_cast<float>(i % 6));
    }
    wmma::fragment<wmma::matrix_a, M, N, K, T, wmma::row_major> fa;
    wmma::fragment<wmma::matrix_b, M, N, K, T, wmma::col_major> fb;
    wmma::fragment<wmma::accumulator, M, N, K, Sum> fc;
    wmma::load_matrix_sync(fa, a[half], K);
    wmma::load_matrix_sync(fb, b[half], K);
    wmma::load_matrix_sync(fc, c[half], M, wmma::mem_col_major);
    wmma::mma_sync(fc, fa, fb, fc);
    for (int i = 0; i < fc.num_elements; i++)
        fc.x[i] = static_cast<Sum>(static_cast<float>(fc.x[i]) * 2.0f);
    wmma::store_matrix_sync(c[half], fc, N, wmma::mem_row_major);
    bool good = true;
    for (int i = 0; i < M; i++)
        for (int j = 0; j < N; j++) {
            float sum = static_cast<float>((j * M + i) % 6);
            for (int k = 0; k < K; k++)
                sum += static_cast<float>(a[half][i * K + k]) *
                       static_cast<float>(b[half][j * K + k]);
            good = good && static_cast<float>(c[half][i * N + j]) == 2.0f * sum;
        }
    mock_meet();
    return good;
}

static void tiles() {
    namespace wmma = nvcuda::wmma;
    CHECK((multiplies<__half, __half, float, 16, 16, 16>()));
    CHECK((multiplies<__half, __half, __half, 32, 8, 16>()));
    CHECK((multiplies<__half, __half, float, 8, 32, 16>()));
    CHECK((multiplies<signed char, signed char, int, 16, 16, 16>()));
    CHECK((multiplies<unsigned char, unsigned char, int, 32, 8, 16>()));
    CHECK((multiplies<wmma::precision::tf32, float, float, 16, 16, 8>()));
    CHECK((multiplies<double, double, double, 8, 8, 4>()));
    wmma::fragment<wmma::matrix_a, 16, 16, 16, signed char, wmma::col_major> a;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, signed char, wmma::row_major> b;
    wmma::fragment<wmma::accumulator, 16, 16, 16, int> c;
    wmma::fill_fragment(a, 1);
    wmma::fill_fragment(b, -1);
    wmma::fill_fragment(c, -0x7fffffff);
    wmma::mma_sync(c, a, b, c, true);
    CHECK(c.x[0] == -0x7fffffff - 1 && c.x[7] == c.x[0]);
    wmma::fill_fragment(c, -0x7fffffff);
    wmma::mma_sync(c, a, b, c);
    CHECK(c.x[0] == 0x7fffffff - 14);
    wmma::fragment<wmma::accumulator, 16, 16, 16, __half> h;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> f;
    wmma::fragment<wmma::matrix_a, 16, 16, 16, __half, wmma::row_major> ha;
    wmma::fragment<wmma::matrix_b, 16, 16, 16, __half, wmma::row_major> hb;
    wmma::fill_fragment(ha, 60000.0f);
    wmma::fill_fragment(hb, 2.0f);
    wmma::fill_fragment(f, 1.0f);
    wmma::mma_sync(h, ha, hb, f, true);
    CHECK(static_cast<float>(h.x[3]) == 65504.0f);
    CHECK(wmma::__float_to_tf32(1.00048828125f) == 1.0009765625f);
}

static void everyone() {
    votes_and_shuffles();
    groups();
    memory();
    tiles();
}

// Lanes 2, 3, 5, 7 (and 34, 40 of a wave of 64) are here; the others have returned.
static void some() {
    int lane = mock_lane % 32, half = mock_lane / 32;
    unsigned here = half ? 0x104u : 0xacu;
    CHECK(cm_activemask32() == here);
    CHECK(cm_reduce_add_sync(CM_FULL_MASK, lane) == (half ? 10 : 17));
    CHECK(cm_reduce_min_sync(here & ~4u, lane) == (half ? 8 : 3));
    CHECK(cm_match_any_sync(CM_FULL_MASK, 1) == here);
    cg::coalesced_group group;
    int size = WAVE == 64 ? 6 : 4;
    CHECK(cg::reduce(group, 3, cg::plus<int>()) == 3 * size);
    CHECK(cg::inclusive_scan(group, 1) == static_cast<int>(group.thread_rank()) + 1);
}

struct span {
    int first, last;
};

static cuda::atomic<int, cuda::thread_scope_block> shared_count(0);
static cuda::atomic<span> widest(span{0, 0});
static int ordinary = 0;

// All lanes at once.
static void counting() {
    shared_count.fetch_add(2, cuda::std::memory_order_relaxed);
    shared_count--;
    cuda::atomic_ref<int, cuda::thread_scope_device>(ordinary).fetch_max(mock_lane);
    span old = widest.load();
    while (!widest.compare_exchange_weak(old, span{old.first + 1, mock_lane})) {
    }
    mock_meet();
    CHECK(shared_count == WAVE && ordinary == WAVE - 1 && widest.load().first == WAVE);
}

static void atomics() {
    cuda::atomic<unsigned char> small(250);
    CHECK(small.fetch_add(10) == 250 && small == 4 && small.fetch_sub(5) == 4 && small == 255);
    cuda::std::atomic<double> real(1.5);
    CHECK((real += 2.0) == 3.5 && real.fetch_min(1.0) == 3.5 && real.exchange(7.0) == 1.0);
    int row[4] = {};
    cuda::atomic<int *> place(row);
    CHECK(place.fetch_add(3) == row && place == row + 3 && --place == row + 2);
    cuda::atomic<unsigned> bits(12u);
    CHECK((bits |= 3u) == 15u && bits.fetch_and(6u) == 15u && (bits ^= 2u) == 4u);
    unsigned seen = 5u;
    CHECK(!bits.compare_exchange_strong(seen, 9u, cuda::std::memory_order_acquire,
                                        cuda::std::memory_order_relaxed));
    CHECK(seen == 4u && bits.compare_exchange_weak(seen, 9u) && bits.load() == 9u);
    cuda::atomic<bool> flag(false);
    flag = true;
    flag.wait(false);
    flag.notify_all();
    CHECK(flag.exchange(false, cuda::std::memory_order_acq_rel) && !flag);
    cuda::atomic_thread_fence(cuda::std::memory_order_seq_cst, cuda::thread_scope_device);
    CHECK(cuda::std::numeric_limits<int>::max() == 0x7fffffff &&
          cuda::std::plus<int>()(2, 3) == 5);
}

static void arithmetic() {
    CHECK(cm_dp4a(0x01ff027f, 0x02030481, 10) == 10 + 2 - 3 + 8 - 127 * 127);
    CHECK(cm_dp4a(0xff000002u, 0x02000003u, 1u) == 1u + 510 + 6);
    CHECK(cm_dp4a(char4{1, -2, 3, 4}, char4{5, 6, -7, 8}, 1) == 1 + 5 - 12 - 21 + 32);
    CHECK(cm_dp2a_lo(0x0003ffff, 0x040302fe, 1) == 1 + 2 + 6);
    CHECK(cm_dp2a_hi(0x0003ffffu, 0x0403fe02u, 1u) == 1u + 65535 * 3 + 12);
    CHECK(cm_bfe_u32(0x12345678u, 8, 12) == 0x456u && cm_bfe_u32(~0u, 28, 32) == 15u);
    CHECK(cm_bfe_u32(~0u, 32, 4) == 0 && cm_bfe_u32(~0u, 0, 0) == 0);
    CHECK(cm_bfe_s32(0x00000f00, 8, 4) == -1 && cm_bfe_s32(0x00000700, 8, 4) == 7);
    CHECK(cm_bfe_s32(-2, 31, 1) == -1 && cm_bfe_s32(0x40000000, 30, 8) == 1);
    CHECK(cm_bfi_b32(0xau, 0xffffu, 4, 4) == 0xffafu && cm_bfi_b32(~0u, 0u, 31, 8) == 1u << 31);
    CHECK(cm_lop3<0x96>(12u, 10u, 6u) == (12u ^ 10u ^ 6u));
    CHECK(cm_lop3<0xea>(12u, 10u, 6u) == ((12u & 10u) | 6u));
    char from[17], to[17];
    memset(from, 1, sizeof(from));
    memset(to, 9, sizeof(to));
    cm_pipeline_memcpy_async(to, from, 8, 3);
    CHECK(to[4] == 1 && to[5] == 0 && to[7] == 0 && to[8] == 9);
    const char *text = nullptr;
    CHECK(cm_error_name(hipSuccess, &text) == hipSuccess && !strcmp(text, "hipSuccess"));
    CHECK(cm_error_string(hipSuccess, &text) == hipSuccess && !strcmp(text, "no error"));
    float v = 1.5f;
    cm_stcs(&v, 2);
    CHECK(cm_ldcs(&v) == 2.0f && cm_ldcg(&v) == 2.0f && cm_ldca(&v) == 2.0f);
    cm_stwt(&v, 3.0f);
    CHECK(cm_ldcv(&v) == 3.0f);
    cm_pipeline_commit();
    cm_pipeline_wait_prior(0);
    cm_nanosleep(1000);
}

int main() {
    wave(WAVE == 64 ? ~0ull : 0xffffffffull, everyone);
    wave(WAVE == 64 ? 0x104000000acull & ~0ull : 0xacull, some);
    wave(WAVE == 64 ? ~0ull : 0xffffffffull, counting);
    wave(1, arithmetic);
    wave(1, atomics);
    printf("lanes %d: %d passed, %d failed\n", WAVE, passed, failed);
    return failed != 0;
}
