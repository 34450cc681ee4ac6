// Values that are written through a reference that the head of an `if`, a `switch` or a loop declares.
__global__ void k(int *out, const int *in) {
    double a = 0;
    int b = 0, c = 0, d = 0;
    if (auto &r = a; true) r = threadIdx.x;
    switch (int &r = b; 0) { default: r = 2 * threadIdx.x; }
    if (int &r = c; (r = threadIdx.x + 1)) {}
    for (auto &&r = d; r < 7;) r += 4;
    if (const int &r = d; r > 100) return;
    __syncthreads();
    out[threadIdx.x] = int(a) + b + c + d;
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
