int expected(const run &, int t) { return t + 2 * t + t + 1 + 8; }
