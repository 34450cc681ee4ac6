int expected(const run &r, int t) {
    int first = r.warp_of(t) * r.warp, most = 0;
    for (int i = first; i < first + r.warp && i < r.threads; i++)
        most = r.in[i] % 4 > most ? r.in[i] % 4 : most;
    return (r.in[first] % 4 > 1 ? 100 : 0) + most + r.in[first] % 3 * 10;
}
