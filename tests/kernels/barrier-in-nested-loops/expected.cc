int expected(const run &r, int t) {
    int v = 0;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j <= i; j++) v += r.in[(t + j) % r.threads] + i;
    return v;
}
