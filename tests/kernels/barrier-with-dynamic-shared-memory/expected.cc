int expected(const run &r, int t) {
    return r.in[r.threads - 1 - t] + (t + 1) % r.threads * 2;
}
