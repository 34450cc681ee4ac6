int expected(const run &r, int t) {
    return r.in[r.threads - 1 - t] + 15 + t + 100 * (t % 2);
}
