int expected(const run &r, int t) {
    int nx = r.threads > 8 ? 8 : r.threads, ny = r.threads / nx, sum = 0;
    int row = t / nx, col = t % nx;
    if (t >= nx * ny) return 0;
    for (int k = 0; k < nx; k++) {
        int x = col, y = k % ny, b = (y * nx + x) % 3;
        if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1)
            b = r.in[y * nx + x - 1] + 2 * r.in[y * nx + x + 1] + 3 * r.in[(y - 1) * nx + x];
        sum += r.in[row * nx + k] % 7 * b;
    }
    return sum;
}
