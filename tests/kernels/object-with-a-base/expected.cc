int expected(const run &r, int t) {
    return r.in[t] + 3 + (r.warp_of(t) && r.there(t ^ 1) ? r.in[t ^ 1] + 3 : 0);
}
