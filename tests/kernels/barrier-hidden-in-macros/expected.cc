int expected(const run &r, int t) {
    int sum = r.in[t] + r.in[r.threads - 1 - t];
    return 2 * sum;
}
