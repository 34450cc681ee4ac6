int expected(const run &r, int t) { return (r.in[r.threads - 1] + 1) * (t == 0 ? 2 : 1); }
