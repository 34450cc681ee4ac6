int expected(const run &r, int t) {
    int tile = t / 8 * 8, here = r.threads - tile < 8 ? r.threads - tile : 8;
    return r.in[t] + r.shfl_xor(t, 1) + (r.warp_of(t) == 0 ? here : 0) + t % 8;
}
