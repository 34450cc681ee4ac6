int expected(const run &r, int t) {
    int first = r.warp_of(t) * r.warp, same = 0, sum = 0;
    for (int i = first; i < first + r.warp && i < r.threads; i++) {
        same += r.in[i] % 3 == r.in[t] % 3;
        sum += r.in[i];
    }
    return same + sum + r.in[t % 8 ? t - 1 : t];
}
