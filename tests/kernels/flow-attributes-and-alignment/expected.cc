int expected(const run &r, int t) {
    int sum = 4 * r.in[t] + 6;
    for (int i = 0; i < 4; i++) sum += r.in[(t + i) % r.threads] + (t + i) % r.threads % 4;
    return sum;
}
