int expected(const run &r, int t) {
    int n = r.threads > 3 ? r.threads - 2 : r.threads, total = 0, c[4];
    if (t >= n) return 0;
    for (int row = 0; row < 4; row++) {
        c[row] = row;
        for (int i = 0; i < 5; i++) c[row] += r.in[i % n] * (i + t);
        total += c[row];
    }
    c[0] = 1 - 3; // the last layer's; every second of five steps takes 1
    for (int i = 0; i < 5; i++) c[0] += r.in[i % n];
    total += c[0] + c[1] + c[2] + c[3];
    for (int i = 0; i < 5 && t == 0; i++) c[0] += r.in[i % n];
    return total + c[0] + c[1] + c[2] + c[3];
}
