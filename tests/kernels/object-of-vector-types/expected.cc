int expected(const run &r, int t) {
    int v = r.in[t], w = r.warp_of(t);
    if (w == 0) v += r.shfl_xor(t, 1);
    if (w < 2) v += r.shfl_xor(t, 2);
    return v + (w == 1 ? r.shfl_xor(t, 4) : 0);
}
