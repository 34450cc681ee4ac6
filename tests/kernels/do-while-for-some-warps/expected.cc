int expected(const run &r, int t) { return r.warp_of(t) % 3 == 2 ? r.in[t] : r.shfl_xor(t, 1); }
