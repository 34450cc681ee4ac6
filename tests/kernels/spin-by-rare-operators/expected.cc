int expected(const run &r, int t) { return r.in[t % 4] + 1; }
