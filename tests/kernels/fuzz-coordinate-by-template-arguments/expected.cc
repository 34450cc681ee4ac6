int expected(const run &r, int t) { return t + r.in[t]; }
