int expected(const run &r, int t) {
    int n = 0;
    for (int i = t % 7;; i++) {
        if (i % 3 == 1) continue;
        if (n > r.in[t] % 20) return n;
        if (i == 17) return -n;
        n += i;
    }
}
