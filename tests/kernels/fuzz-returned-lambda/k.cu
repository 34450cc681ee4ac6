// A lambda that is called where it is returned: its own `return` is not the function's.
struct Seen { int v; };
__device__ int of_others(Seen given, int by) {
    int v = __shfl_xor_sync(~0u, given.v, by);
    if (by == 2) return [given, v] { return given.v + v; }();
    if (by == 1)
        return v;
    else
        [&] { return v += 100; }();
    return [given] { return given.v; }() + v;
}
__global__ void k(int *out, const int *in) {
    Seen seen = {in[threadIdx.x]};
    int a = of_others(seen, 1), b = of_others(seen, 2), c = of_others(seen, 4);
    out[threadIdx.x] = a + 3 * b + 9 * c;
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
