int expected(const run &r, int t) {
    return r.in[r.threads - 1 - t] + r.in[t] * 3;
}
