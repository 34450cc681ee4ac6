int expected(const run &r, int t) {
    return r.in[(t + 2) % r.threads] + r.in[(t + 1) % r.threads];
}
