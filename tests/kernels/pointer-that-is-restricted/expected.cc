int expected(const run &r, int t) { return 2 * (3 + 2 * r.in[t]); }
