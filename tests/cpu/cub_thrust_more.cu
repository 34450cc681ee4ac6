// SPDX-License-Identifier: Apache-2.0
// What CUB sums in, partitions into three; Thrust's references to elements, partitions by a
// stencil, objects in memory that is there: against loops on the host.
#include <cstdio>
#include <cub/cub.cuh>
#include <thrust/device_delete.h>
#include <thrust/device_malloc.h>
#include <thrust/device_new.h>
#include <thrust/device_vector.h>
#include <thrust/execution_policy.h>
#include <thrust/host_vector.h>
#include <thrust/partition.h>
#include <vector>

static int failures = 0;
static void check(bool good, const char *what) {
    if (good) return;
    printf("FAIL: %s\n", what);
    failures++;
}
struct not_zero {
    __host__ __device__ bool operator()(float v) const { return v != 0; }
};
struct below {
    int most;
    __host__ __device__ bool operator()(int v) const { return v < most; }
};
struct odd {
    __host__ __device__ bool operator()(int v) const { return v % 2 != 0; }
};

// The two calls of CUB's: what it wants, and the work.
template <class Call> static void twice(Call call) {
    void *room = nullptr;
    size_t bytes = 0;
    call(room, bytes);
    cudaMalloc(&room, bytes);
    call(room, bytes);
    cudaDeviceSynchronize();
    cudaFree(room);
}

// Booleans and bytes are summed in what comes out.
static void sums() {
    const int n = 300;
    float *in;
    unsigned char *bytes;
    int *out, *ends;
    double *sum;
    cudaMallocManaged(&in, n * sizeof *in), cudaMallocManaged(&bytes, n);
    cudaMallocManaged(&out, 3 * sizeof *out), cudaMallocManaged(&ends, 4 * sizeof *ends);
    cudaMallocManaged(&sum, sizeof *sum);
    int some = 0, total = 0;
    double exact = 0;
    for (int i = 0; i < n; i++) {
        in[i] = i % 3 ? 16777216.0f + 2 * i : 0, bytes[i] = (unsigned char)i;
        some += in[i] != 0, total += bytes[i], exact += in[i];
    }
    cub::TransformInputIterator<bool, not_zero, float *> set(in, not_zero());
    twice([&](void *p, size_t &s) { cub::DeviceReduce::Sum(p, s, set, out, n); });
    check(*out == some, "booleans summed as integers");
    twice([&](void *p, size_t &s) { cub::DeviceReduce::Sum(p, s, bytes, out, n); });
    check(*out == total, "bytes summed as integers");
    twice([&](void *p, size_t &s) { cub::DeviceReduce::Sum(p, s, in, sum, n); });
    check(*sum == exact, "floats summed as doubles");
    ends[0] = 0, ends[1] = 100, ends[2] = 100, ends[3] = n;
    twice([&](void *p, size_t &s) {
        cub::DeviceSegmentedReduce::Sum(p, s, bytes, out, 3, ends, ends + 1);
    });
    int first = 0;
    for (int i = 0; i < 100; i++) first += bytes[i];
    check(out[0] == first && out[1] == 0 && out[2] == total - first, "bytes of segments");
    cudaFree(in), cudaFree(bytes), cudaFree(out), cudaFree(ends), cudaFree(sum);
}

static void three_parts() {
    const int n = 20;
    int *in, *small, *odds, *rest, *counts;
    cudaMallocManaged(&in, 5 * n * sizeof *in);
    small = in + n, odds = small + n, rest = odds + n, counts = rest + n;
    std::vector<int> want[3];
    for (int i = 0; i < n; i++) {
        in[i] = i * 7 % n;
        want[in[i] < 5 ? 0 : in[i] % 2 ? 1 : 2].push_back(in[i]);
    }
    twice([&](void *p, size_t &s) {
        cub::DevicePartition::If(p, s, in, small, odds, rest, counts, n, below{5}, odd());
    });
    check(counts[0] == (int)want[0].size() && counts[1] == (int)want[1].size(), "the counts");
    const int *got[] = {small, odds, rest};
    for (int k = 0; k < 3; k++)
        for (size_t i = 0; i < want[k].size(); i++) check(got[k][i] == want[k][i], "the parts");
    cudaFree(in);
}

static void references() {
    thrust::device_vector<int> v(3);
    v[0] = 1, v[1] = 2, v[2] = 3;
    thrust::device_reference<int> a = v[0], b = v[1];
    (a = b) = v[2]; // the element is written, and what is returned is the reference
    check(v[0] == 3 && v[1] == 2, "a reference set to another");
    int &raw = thrust::raw_reference_cast(a);
    int value = 0;
    cudaMemcpy(&value, &raw, sizeof value, cudaMemcpyDeviceToHost);
    check(value == 3, "raw_reference_cast");
}

static void stencils() {
    const int n = 10;
    thrust::device_vector<int> in(n), by(n), yes(n, -1), no(n, -1);
    std::vector<int> want_yes, want_no;
    for (int i = 0; i < n; i++) {
        in[i] = 100 + i, by[i] = i * i % 5;
        (i * i % 5 % 2 ? want_yes : want_no).push_back(100 + i);
    }
    for (const bool stable : {false, true}) {
        const auto ends = stable ? thrust::stable_partition_copy(thrust::device, in.begin(),
                                                                 in.end(), by.begin(), yes.begin(),
                                                                 no.begin(), odd())
                                 : thrust::partition_copy(in.begin(), in.end(), by.begin(),
                                                          yes.begin(), no.begin(), odd());
        check(ends.first - yes.begin() == (int)want_yes.size() &&
                  ends.second - no.begin() == (int)want_no.size(),
              "how many by the stencil");
        for (size_t i = 0; i < want_yes.size(); i++) check(yes[i] == want_yes[i], "the chosen");
        for (size_t i = 0; i < want_no.size(); i++) check(no[i] == want_no[i], "the others");
    }
}

static void objects() {
    thrust::device_ptr<int> room = thrust::device_malloc<int>(4);
    thrust::device_ptr<int> zeros = thrust::device_new<int>(room, (size_t)4);
    check(zeros.get() == room.get() && zeros[0] == 0 && zeros[3] == 0, "new in place");
    thrust::device_ptr<int> sevens = thrust::device_new<int>(room, 7, 4);
    check(sevens[0] == 7 && sevens[3] == 7, "new like another");
    thrust::device_delete(sevens, 4);
}

int main() {
    sums();
    three_parts();
    references();
    stencils();
    objects();
    if (!failures) printf("PASS\n");
    return failures != 0;
}
