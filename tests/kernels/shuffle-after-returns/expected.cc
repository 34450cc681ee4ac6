int expected(const run &r, int t) {
    int first = r.warp_of(t) * r.warp, here = 0;
    if (r.warp_of(t) % 2) return -1;
    for (int i = first; i < first + r.warp && i < r.threads; i += 2) here++;
    return r.in[t] + r.shfl_xor(t, 2) + (t % 2 ? 0 : here);
}
