int expected(const run &r, int t) {
    std::vector<int> s(r.in, r.in + r.threads);
    for (int half = r.threads / 2; half > 0; half >>= 1)
        for (int i = 0; i < half; i++) s[i] += s[i + half] % 7;
    int v = s[t] + 1 + 16;
    if (t < 3) v += 2;
    if (t < 2.5f) v += 8;
    if (t == 0) v += 32;
    if (t < 5) v += 64;
    return v + 128 + v;
}
