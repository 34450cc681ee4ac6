int expected(const run &r, int t) {
    return 3 * (t + 1) + r.threads - t;
}
