int expected(const run &r, int t) {
    int n = r.in[(t + 1) % r.threads];
    return n + 2 + n + 3 + r.in[t] + 3;
}
