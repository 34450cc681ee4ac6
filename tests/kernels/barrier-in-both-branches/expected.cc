int expected(const run &r, int t) {
    return r.threads % 5 > 3 ? r.in[r.threads - 1 - t] : r.in[0];
}
