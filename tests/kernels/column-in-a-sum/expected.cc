int expected(const run &r, int t) {
    return r.in[t] + (t - 1000) / 2 + t - t * 2 + (t - 300 < 0 ? 1 : 0) + t + 0 + t + 1;
}
