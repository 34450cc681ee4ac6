int expected(const run &r, int t) {
    int sum = 0, n = r.threads;
    for (int i = t; i < 300; i += n) sum++;
    return t + 5 + sum + (t > 9 ? t : 9) + 2 * t + 2 * t + (t > 3 ? t : 3) + (n > 40 ? n : 40) +
           (n > 50 ? n : 50) + 2 * t + 1;
}
