int expected(const run &r, int t) {
    auto of = [&](int i, int at) {
        int kept[4] = {1, 2, 3, i};
        kept[i % 3] += r.in[i];
        return kept[at];
    };
    int n = (t + 1) % r.threads, sum = 0;
    for (int i = 0; i < 4; i++) sum = sum * 3 + of(t, i) + (i == 2 ? of(n, n % 4) : 0);
    return sum;
}
