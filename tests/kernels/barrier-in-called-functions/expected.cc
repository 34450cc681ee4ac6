int expected(const run &r, int t) {
    return 2 * r.in[(t + 3) % r.threads] + 1 + (t + 1) % r.threads + r.in[t];
}
