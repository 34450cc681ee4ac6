int expected(const run &r, int) { return 6 * r.threads; }
