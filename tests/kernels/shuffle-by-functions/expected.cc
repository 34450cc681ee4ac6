int expected(const run &r, int t) {
    int pair = r.there(t ^ 2) ? r.in[t ^ 2] + r.shfl_xor(t ^ 2, 1) : 0;
    int n = r.in[t] + r.shfl_xor(t, 1) + pair;
    n += r.warp_of(t) == 1 ? r.shfl_xor(t, 8) : 0;
    return n + 7 + r.shfl_xor(t, 4) + r.shfl_xor(t, 16);
}
