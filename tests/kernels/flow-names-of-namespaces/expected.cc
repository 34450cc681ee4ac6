int expected(const run &r, int t) {
    return r.in[t] + 12 + (r.warp_of(t) == 0 ? 7 : 0) + (r.warp_of(t) == 1 ? r.shfl_xor(t, 1) : 0);
}
