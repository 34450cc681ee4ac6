int expected(const run &r, int t) {
    return r.in[r.threads - 1 - t] + 1 + t + 3 + t % 2 + t;
}
