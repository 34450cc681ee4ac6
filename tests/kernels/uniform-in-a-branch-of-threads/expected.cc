int expected(const run &r, int t) { return r.in[t] % 7 < 3 ? 3 : r.in[t] % 7; }
