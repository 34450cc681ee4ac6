int expected(const run &r, int t) {
    return r.in[0] + r.in[t];
}
