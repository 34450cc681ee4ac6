int expected(const run &r, int t) {
    return 3 * (r.threads - 1 - t) + t;
}
