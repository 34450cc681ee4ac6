int expected(const run &r, int t) {
    return ((unsigned)t - 5 > 3 ? r.in[t] : 0) + 1 + (t < 9 ? 1 : 0) + (t < 6 ? 2 : 0) + 4;
}
