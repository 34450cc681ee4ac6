int expected(const run &r, int t) {
    return 3 * (1 + (t + 1) % r.threads) * (2 + t);
}
