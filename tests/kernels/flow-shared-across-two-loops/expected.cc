int expected(const run &r, int t) {
    auto a = [&](int i) { return i % 2 ? r.in[i] : 1; };
    int next = a((t + 1) % r.threads);
    return t % 2 ? a(t) * 5 + 3 + next + 1 : (1 + next) * 5 + 3;
}
