int expected(const run &r, int t) {
    return r.in[t] + 4 + r.shfl_xor(t, 1);
}
