// Types with their class key, as C has them, live over a barrier.
struct Pair { int a, b; };
enum Side { LEFT = 3, RIGHT = 4 };
union Word { int i; unsigned u; };
__global__ void k(int *out, const int *in) {
    __shared__ struct Pair s[256];
    struct Pair mine = {in[threadIdx.x], 1};
    const struct Pair other = {int(threadIdx.x), 2};
    enum Side side = threadIdx.x % 2 ? RIGHT : LEFT;
    union Word word;
    word.i = threadIdx.x;
    struct Later;
    s[threadIdx.x] = mine;
    __syncthreads();
    out[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x].a + mine.b + other.a + side + word.i;
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
