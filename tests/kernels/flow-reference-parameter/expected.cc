int expected(const run &r, int t) {
    return r.in[t] + 42 + 5 + t;
}
