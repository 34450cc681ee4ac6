int expected(const run &r, int t) {
    int limit = r.in[t] & 3, sum = 0;
    for (int i = 0; i < limit; i++) sum += r.in[t] + i;
    for (int i = limit; i > 0; --i) sum += i * 10;
    for (int j = 0; j < limit && j < 2; j++) sum += j * 100;
    for (int n = limit, i = 1; n > 0; --n, i += 2) sum += i * 1000;
    return sum + 7 + 2;
}
