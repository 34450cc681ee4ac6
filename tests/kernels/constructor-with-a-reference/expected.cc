int expected(const run &r, int t) {
    int o = r.threads - 1 - t;
    return r.in[t] + 2 * (1 + t % 3) + r.in[o] + 1 + o % 3;
}
