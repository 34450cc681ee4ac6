int expected(const run &r, int t) {
    int n = r.threads > 3 ? r.threads - 2 : r.threads, sum = 0;
    if (t >= n) return 0;
    for (int i = 0; i < n; i++) sum += r.in[(i * 3 + 1) % n] * (t + 1);
    for (int i = 0; i < n; i++) sum += r.in[i] * (i % 2) + (i % 3 == 0 ? r.in[t] : 0);
    int all = 0;
    for (int i = 0; i < 4; i++)
        for (int k = 0; k < 4; k++) all += r.in[t] * (i + k);
    sum += 2 * all;
    for (int i = 0; i < 3; i++) sum += r.in[t * 3 % n] * i;
    for (int i = 0; i < t % 5; i++) sum += r.in[i % n];
    return sum;
}
