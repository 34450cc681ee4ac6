int expected(const run &r, int t) {
    auto by_2 = [&r](int i) { return r.there(i) ? r.in[i] + r.shfl_xor(i, 2) : 0; };
    auto by_8 = [&](int i) { return r.there(i) ? 2 * by_2(i) + by_2(i ^ 8) : 0; };
    int pair = r.there(t ^ 2) ? r.in[t ^ 2] + r.shfl_xor(t ^ 2, 1) : 0;
    return 2 * by_8(t) + by_8(t ^ 16) + r.in[t] + r.shfl_xor(t, 1) + pair + 4;
}
