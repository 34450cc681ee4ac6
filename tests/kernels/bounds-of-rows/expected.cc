int expected(const run &r, int t) {
    int n = r.threads, v = 0, w = n < 7 ? n : 7, h = n < 7 ? 1 : n / 7;
    if (t >= 2 && t < n - 2) v = r.in[t - 2] + 2 * r.in[t + 2];
    if (t <= 20) v += 8 + r.in[t];
    if (t < n - 3 && t >= 4 && r.in[t] % 3 != 0) v += 3 * r.in[t];
    if (t / w < 8 && t / w < h && r.in[t] % 2 == 0) v += r.in[t];
    return v;
}
