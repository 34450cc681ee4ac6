int expected(const run &r, int t) {
    unsigned other = ((r.threads - 1 - t) * 7 + 1) * 5 + 3, mine = (t * 7 + 1) * 5 + 3;
    return (other ^ (mine * 5 + 3)) & 0xffff;
}
