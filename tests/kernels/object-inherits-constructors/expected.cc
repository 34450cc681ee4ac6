int expected(const run &r, int t) {
    return r.in[t] + (2 + r.warp_of(t)) * r.shfl_xor(t, 1);
}
