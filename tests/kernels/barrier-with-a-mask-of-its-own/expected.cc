int expected(const run &r, int t) { return r.shfl_xor(t, 1) + r.in[t]; }
