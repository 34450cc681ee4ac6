int expected(const run &r, int t) { return (r.threads - 1 - t) * 3 + 4 * t; }
