// target: rocm
// select: cuda-silent,cuda-ptx
// PTX in the middle of C++.
#include <cuda_runtime.h>

__device__ unsigned lane_id() {
    unsigned id;
    // want: cuda-ptx/inline
    asm("mov.u32 %0, %%laneid;" : "=r"(id));
    return id;
}

__device__ unsigned lane_id_volatile() {
    unsigned id;
    // want: cuda-ptx/inline
    asm volatile("mov.u32 %0, %laneid;" : "=r"(id));
    return id;
}

__device__ int xor3(int a, int b, int c) {
    int d;
    // want: cuda-ptx/inline
    asm("lop3.b32 %0, %1, %2, %3, 0x96;" : "=r"(d) : "r"(a), "r"(b), "r"(c));
    return d;
}

__device__ int load_cached(const int *p) {
    int v;
    // want: cuda-ptx/inline
    asm volatile("ld.global.cg.s32 %0, [%1];" : "=r"(v) : "l"(p));
    return v;
}

__device__ float approx(float x) {
    float y;
    // want: cuda-ptx/inline
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

__device__ void fence() {
    // want: cuda-ptx/inline
    asm volatile("membar.gl;" ::: "memory");
    // want: cuda-ptx/inline
    __asm__ __volatile__("membar.sys;" ::: "memory");
}

__device__ void barrier(int id, int n) {
    // want: cuda-ptx/inline
    asm volatile("bar.sync %0, %1;" : : "r"(id), "r"(n) : "memory");
}

__device__ void copy_async(unsigned smem, const void *gmem) {
    // want: cuda-ptx/inline
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;\n" ::"r"(smem), "l"(gmem));
    // want: cuda-ptx/inline
    asm volatile("cp.async.commit_group;\n" ::);
    // want: cuda-ptx/inline
    asm volatile("cp.async.wait_group 0;\n");
}

__device__ void mma(float *d, const unsigned *a, const unsigned *b) {
    // want: cuda-ptx/inline
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 "
        "{%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};\n"
        : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

__device__ unsigned clock_low() {
    unsigned t;
    // want: cuda-ptx/inline
    asm volatile("mov.u32 %0, %%clock;" : "=r"(t));
    return t;
}

__device__ void stop() {
    // want: cuda-ptx/inline
    asm("trap;");
    // want: cuda-ptx/inline
    asm volatile("exit;");
}

#if defined(__HIP_PLATFORM_AMD__)
__device__ void wait() {
    // ok: cuda-ptx/inline
    asm volatile("s_sleep 1");
}
#endif

#ifdef __x86_64__
inline void cpu_relax() {
    // ok: cuda-ptx/inline
    asm volatile("pause" ::: "memory");
}
#endif

struct Asm {
    int asm_count;
    // ok: cuda-ptx/inline
    void assemble() { asm_count++; }
};

// ok: cuda-ptx/inline
// asm volatile("membar.gl;" ::: "memory");
const char *listing() {
    // ok: cuda-ptx/inline
    return "asm volatile(\"bar.sync 0;\")";
}

inline void compiler_barrier() {
    // ok: cuda-ptx/inline
    asm volatile("" ::: "memory");
}

// want: cuda-ptx/inline
#define BAR0() asm volatile("bar.sync 0;")
