int expected(const run &r, int t) { return r.threads * (r.threads - 1) / 2; }
