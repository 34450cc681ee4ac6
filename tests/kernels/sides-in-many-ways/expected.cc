int expected(const run &r, int t) {
    int v = t % 3;
    int device = 3 + 10 * (v + 1) + 1000 * (v * 2) + 100000 * (v + 4) + 10000000;
    int host = 10 + 1000 * 3 + 100000 * 10 + 10000000;
    return device * 8 + 7 - host;
}
