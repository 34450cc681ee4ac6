int expected(const run &r, int t) {
    int x = t % 8, rows = r.threads / 8, y = rows - 1 - t / 8, v = 0;
    for (int i = y; i < rows; i++) v += r.in[i * 8 + 7 - x];
    return v + (y == 1 ? 1000 : 0);
}
