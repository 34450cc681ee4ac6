int expected(const run &r, int t) {
    std::vector<int> s(r.in, r.in + r.threads);
    for (int &v : s) v += 1;
    for (int step = r.threads / 2; step > 0; step >>= 1)
        for (int i = 0; i < step; i++) s[i] += s[i + step];
    return s[t] + r.in[r.threads - 1 - t] + 1;
}
