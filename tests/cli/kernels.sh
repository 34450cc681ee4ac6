#!/bin/sh
# Kernels for a machine without a GPU: which become loops, where they are cut, and what is said of it.
. "${0%/*}/helper"

cat >k.cu <<'EOF'
__global__ void add(const float *a, float *b, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) b[i] += a[i];
}

__global__ void sum(const float *in, float *out, int n) {
    __shared__ float s[256];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n) return;
    float v = in[i]; // one value
    s[threadIdx.x] = v;
    for (int k = blockDim.x / 2; k > 0; k >>= 1) {
        __syncthreads();
        if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];
    }
    __syncthreads();
    out[i] = s[0] - v;
}

__global__ void some(int *a) {
    if (threadIdx.x < 8) __syncthreads();
    a[threadIdx.x] = 1;
}

__device__ int outside(int);
__global__ void far(int *a) { a[threadIdx.x] = outside(a[threadIdx.x]); }
__global__ void steps(int *a) {
    a += threadIdx.x;
    *a = 1;
}
EOF
cat >wanted <<'EOF'
__global__ void sum(const float *in, float *out, int n) {
    CM_LEAVING_BLOCK;
    __shared__ float s[256];
    cm::each<float> v;
    CM_THREADS(threadIdx, v) {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        if (i >= n) CM_LEAVE;
        v = in[i]; // one value
        s[threadIdx.x] = v;
    };
    CM_ALL_LEFT;
    for (int k = blockDim.x / 2; k > 0; k >>= 1) {
        CM_BARRIER(__syncthreads());
        CM_THREADS(threadIdx) {
            if (threadIdx.x < k) s[threadIdx.x] += s[threadIdx.x + k];
        };
    }
    CM_BARRIER(__syncthreads());
    CM_THREADS(threadIdx, v) {
        int i = blockIdx.x * blockDim.x + threadIdx.x;
        out[i] = s[0] - v;
    };
}
EOF
run port k.cu --target cpu
exits 0 'kernels are ported'
sed -n '/void sum/,/^}/p' "$out" >got
check 'a kernel with barriers is cut into loops' cmp wanted got
prints 'void add(const float *a, float *b, int n) CM_EACH_THREAD {' 'one without is one loop'
check 'and nothing of it changes' grep -q '^    if (i < n) b\[i\] += a\[i\];$' "$out"
check 'a barrier that only some come to stays as it is' \
    grep -q '^    if (threadIdx.x < 8) __syncthreads();$' "$out"
cp "$out" again.cu
run port again.cu --target cpu
check 'porting it again changes nothing' cmp again.cu "$out"

run port k.cu --target cpu --explain-kernels -q
exits 0 '--explain-kernels'
check 'says of each kernel how it runs' test "$(wc -l <"$out")" = 5
prints 'k.cu:1:17: add: thread loop' 'a thread loop'
prints 'k.cu:6:17: sum: fission' 'fission'
prints 'k.cu:20:17: some: fibers; 21:9: a barrier depends on what differs' 'fibers, where and why'
prints '`outside`: what it does is not in this file' 'a function of elsewhere'
prints 'k.cu:27:17: steps: thread loop, not vectorised; 27:28: it changes a parameter' 'a parameter that threads change'
run port k.cu --target rocm --explain-kernels
exits 2 'elsewhere kernels run as they are'
run port k.cu --target cpu --explain-kernels --diff
exits 2 'it goes with no other result'
done_testing
