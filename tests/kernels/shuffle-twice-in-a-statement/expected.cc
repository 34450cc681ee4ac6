int expected(const run &r, int t) {
    int far = r.there(t ^ 2) ? r.shfl_xor(t ^ 2, 1) : 0;
    return r.shfl_xor(t, 1) + r.shfl_xor(t, 2) + 3 * far + r.in[r.warp_of(t) * r.warp];
}
