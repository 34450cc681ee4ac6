int expected(const run &r, int t) {
    int n = 0;
    for (int i = 0; i < r.threads; i++) n += r.in[i] % 4 == r.in[t] % 4;
    return n * 10 + 1;
}
