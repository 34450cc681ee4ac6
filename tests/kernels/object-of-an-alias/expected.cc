int expected(const run &r, int t) {
    int v = r.in[t];
    for (int i = r.warp_of(t); i < 4; i++) v += r.there(t ^ 1) ? i + 1 : 0;
    return v;
}
