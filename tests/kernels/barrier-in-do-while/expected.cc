int expected(const run &r, int t) {
    return r.in[(t + 3) % r.threads] + 23;
}
