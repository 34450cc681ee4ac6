int expected(const run &r, int t) {
    int n = 1 + r.warp_of(t);
    return r.in[t] + n * (n + 1) / 2 * r.shfl_xor(t, 1);
}
