int expected(const run &r, int t) {
    int sum = 0, rounds = 0, mine = 0, middle = 1, some = 0;
    for (int i = 0; i <= t; i++) sum += r.in[i];
    for (int step = 1; step < r.threads; step *= 2) {
        rounds++;
        if (t % 2) some += rounds;
        mine += r.in[t] % 5 + (middle *= 3);
    }
    return 2 * sum + 100 * rounds + mine + some;
}
