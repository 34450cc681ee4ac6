int expected(const run &r, int t) {
    int a = r.in[t], b = r.in[(t + 1) % r.threads], c = r.in[(t + 2) % r.threads];
    return a + 2 * b + c;
}
