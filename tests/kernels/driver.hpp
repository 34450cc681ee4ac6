// SPDX-License-Identifier: Apache-2.0
// What tests/e2e/kernels.sh puts in front of the cases of this folder, to make one program of all
// of them: the data that kernels get, the shapes that they run in, and the comparison with what
// each case says is right. A case is added by CASE(name, block sizes...) behind its text, which has
//
//     void launch(int *out, const int *in, int threads);   starts the kernel with one block
//     int expected(const run &r, int t);                   what out[t] must be
//
//     cases             runs all of them; cases NAME... those
//
// A line per case: "NAME: right", or the first thread of the first shape that is wrong. What a
// thread reads of a lane that is not there is 0, as libcmrt has it (tests/cpu/absent_lanes.cu).
#ifndef TESTS_KERNELS_DRIVER_HPP
#define TESTS_KERNELS_DRIVER_HPP

#include <cuda_morph/cuda.h>

#include <cuda_morph/cooperative_groups.h>
#include <cuda_morph/cub.h>

#include <cstdio>
#include <cstring>
#include <initializer_list>
#include <new>
#include <vector>

// One block, as expected() sees it.
struct run {
    const int *in;
    int threads, warp;

    int warp_of(int t) const { return t / warp; }
    int lane(int t) const { return t % warp; }
    bool there(int t) const { return t < threads; }
    // The input of the thread whose lane differs in these bits.
    int shfl_xor(int t, int bits) const { return there(t ^ bits) ? in[t ^ bits] : 0; }
};

namespace driver {

struct kernel_case {
    const char *name;
    void (*launch)(int *out, const int *in, int threads);
    int (*expected)(const run &r, int t);
    std::vector<int> sizes;
};
inline std::vector<kernel_case> &cases() {
    static std::vector<kernel_case> all;
    return all;
}
struct added {
    added(const kernel_case &c) { cases().push_back(c); }
};

constexpr int most = 256, rounds = 2;

// Whether one block computes what it should; else it says what is wrong.
inline bool right(const kernel_case &c, const run &r, int *out) {
    memset(out, 0xee, most * sizeof *out);
    c.launch(out, r.in, r.threads);
    const cmError_t error = cmDeviceSynchronize();
    if (error != cmSuccess) {
        printf("%s: %d threads, warps of %d: %s\n", c.name, r.threads, r.warp,
               cmGetErrorString(error));
        return false;
    }
    for (int t = 0; t < r.threads; t++) {
        const int want = c.expected(r, t);
        if (out[t] == want) continue;
        printf("%s: %d threads, warps of %d: out[%d] is %d, expected %d\n", c.name, r.threads,
               r.warp, t, out[t], want);
        return false;
    }
    return true;
}

inline bool right(const kernel_case &c, int warp) {
    int *in, *out;
    cmMallocManaged(&in, rounds * most * sizeof *in);
    cmMallocManaged(&out, most * sizeof *out);
    for (int i = 0; i < rounds * most; i++) in[i] = i * 37 % 101;
    bool good = true;
    for (int threads : c.sizes)
        for (int round = 0; round < rounds && good; round++)
            good = right(c, run{in + round * most, threads, warp}, out);
    cmFree(in);
    cmFree(out);
    return good;
}

inline bool named(const char *name, char **names) {
    if (!*names) return true;
    for (; *names; names++)
        if (!strcmp(name, *names)) return true;
    return false;
}

} // namespace driver

#define CASE(name, ...) static driver::added added_case({name, launch, expected, {__VA_ARGS__}});

int main(int, char **argv) {
    cmDeviceProp device;
    cmGetDeviceProperties(&device, 0);
    for (const driver::kernel_case &c : driver::cases()) {
        if (!driver::named(c.name, argv + 1)) continue;
        if (driver::right(c, device.warpSize)) printf("%s: right\n", c.name);
        fflush(stdout);
    }
    return 0;
}

#endif
