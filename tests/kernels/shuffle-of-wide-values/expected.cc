int expected(const run &r, int t) {
    int x = r.in[t], one = r.shfl_xor(t, 1);
    unsigned char c = x + r.shfl_xor(t, 2);
    return x + one + c + x + r.shfl_xor(t, 4) + 4 + (r.there(t ^ 1) ? one + 4 : 0);
}
