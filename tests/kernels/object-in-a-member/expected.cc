int expected(const run &r, int t) {
    int n = 2 - r.warp_of(t);
    return r.in[t] + (n > 0 ? n * r.shfl_xor(t, 1) : 0);
}
