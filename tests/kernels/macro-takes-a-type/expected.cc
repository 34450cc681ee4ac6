int expected(const run &r, int t) {
    return r.there(t ^ 1) ? r.in[t ^ 1] + 1 : 0;
}
