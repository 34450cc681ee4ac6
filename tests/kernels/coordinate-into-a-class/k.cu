// j is of a type that a template is given, across a barrier: unsigned(threadIdx.x) is written whole,
// and the grammar has to read what the macros of shared memory hide.
template <typename T, int N>
__global__ void k(int *out, const int *in, T n) {
    __shared__ __align__(16) T a[N];
    __shared__ __align__(16) T b[N];
    float kept[2][2] = {};
    T sum = 0;
    for (T j = threadIdx.x; j < n + threadIdx.x; j += n) {
        a[threadIdx.x] = in[threadIdx.x];
        b[threadIdx.x] = T(1);
        kept[1][1] += 1;
        __syncthreads();
        sum += a[threadIdx.x] + b[threadIdx.x];
    }
    out[threadIdx.x] = (int)(sum & 7) + (int)kept[1][1];
}

void launch(int *out, const int *in, int threads) { k<int, 1024><<<1, threads>>>(out, in, 1024); }
