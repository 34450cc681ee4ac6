int expected(const run &r, int t) {
    return r.in[t] + r.shfl_xor(t, 1);
}
