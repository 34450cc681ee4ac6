int expected(const run &r, int t) {
    return r.in[t] + 5 + (r.warp_of(t) == 0 ? r.shfl_xor(t, 1) : 0);
}
