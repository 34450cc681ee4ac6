int expected(const run &r, int t) {
    int last = r.threads - 1, box = r.in[last] + (last > 0);
    return box + box * 2 + t;
}
