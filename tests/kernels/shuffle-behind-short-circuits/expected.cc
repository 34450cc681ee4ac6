int expected(const run &r, int t) {
    bool odd = false;
    for (int i = 0; i < r.warp && i < r.threads; i++) odd = odd || r.in[i] % 2;
    return (r.warp_of(t) == 0 && odd) + 2 + (r.warp_of(t) == 1 ? r.shfl_xor(t, 1) : 0);
}
