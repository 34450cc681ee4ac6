int expected(const run &r, int t) {
    return r.threads * 101 * 7 + r.threads;
}
