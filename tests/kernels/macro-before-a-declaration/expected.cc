int expected(const run &r, int t) {
    return (r.in[t] & 1) + 6;
}
