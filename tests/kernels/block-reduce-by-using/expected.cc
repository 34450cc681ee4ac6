int expected(const run &r, int t) {
    int sum = 0;
    for (int i = 0; i < r.threads; i++) sum += r.in[i];
    return t ? r.in[t] : sum;
}
