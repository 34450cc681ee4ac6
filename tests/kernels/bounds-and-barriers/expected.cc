int expected(const run &r, int i) {
    int size = (r.threads + 2) / 3, t = i % size;
    int v = r.in[i] + t + (t == 0 ? r.in[i] * 3 : 0);
    if (i > 0) v += t ? r.in[i - 1] : r.in[i];
    return v + (i >= 3 && i <= r.threads - 4 ? 1 : 0);
}
