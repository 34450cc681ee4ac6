int expected(const run &r, int t) {
    int v = r.in[t];
    if (v % 4 < 3) return v % 4 == 0 ? 1 : v % 4 == 1 ? 12 : 10;
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            if (i * j > v % 8) return i * 100 + j;
    return 0;
}
