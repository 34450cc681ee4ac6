int expected(const run &r, int t) {
    int most = 0, odd = 0;
    for (int i = 0; i < r.threads; i++) {
        most = r.in[i] % 8 > most ? r.in[i] % 8 : most;
        odd += r.in[i] % 2;
    }
    return most + (odd > 3 ? odd : 0) + 1000;
}
