int expected(const run &r, int t) {
    auto from = [&](int i, int by) { return r.there(i ^ by) ? r.in[i ^ by] % 16 : 0; };
    int first = r.warp_of(t) * r.warp;
    bool high = false;
    for (int i = first; i < first + r.warp && i < r.threads; i++) high = high || from(i, 4) > 12;
    int sum = from(t, 1) + from(t, 2) + (high ? 0 : from(t, 4));
    return (r.warp_of(t) + 2 < 3 ? r.warp_of(t) + 2 : 3) * sum;
}
