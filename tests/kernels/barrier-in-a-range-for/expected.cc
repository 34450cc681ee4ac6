int expected(const run &r, int t) {
    auto at = [&](int d) { return r.in[(t + d) % r.threads]; };
    return at(0) + 6 * at(1) + 11 * at(2) + 6 * at(3);
}
