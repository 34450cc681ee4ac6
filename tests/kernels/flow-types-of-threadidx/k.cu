// What C++ deduces from threadIdx.x and blockDim.x is unsigned int.
template <class T> __device__ T larger_of(T a, T b) { return a > b ? a : b; }
template <class T> __device__ T twice(T a) {
    a += a;
    return a;
}
#define MY_THREAD auto mine = threadIdx.x

__global__ void k(int *out, const int *in) {
    auto t = threadIdx.x;
    t += 5;
    decltype(threadIdx.x) u = 7;
    u = t;
    int sum = 0;
    for (auto i = threadIdx.x; i < 300; i += blockDim.x) sum++;
    auto at = [&](auto a) { return a * 2; };
    auto me = [&] { return threadIdx.x; };
    auto n = blockDim.x;
    out[threadIdx.x] = u + sum + larger_of(threadIdx.x, 9u) + twice(threadIdx.x) +
                       at(threadIdx.x) + larger_of(me(), 3u) + larger_of(blockDim.x, 40u) + larger_of(n, 50u);
}

__global__ void by_macro(int *out, const int *in) {
    MY_THREAD;
    mine *= 2;
    mine++;
    out[threadIdx.x] += mine;
}

void launch(int *out, const int *in, int threads) {
    k<<<1, threads>>>(out, in);
    by_macro<<<1, threads>>>(out, in);
}
