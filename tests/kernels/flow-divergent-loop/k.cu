// No barrier: threads go round loops as often as each likes, and continue, break and return.
__global__ void __launch_bounds__(256, 2) k(int *out, const int *in) {
    int n = 0;
    for (int i = threadIdx.x % 7;; i++) {
        if (i % 3 == 1) continue;
        if (n > in[threadIdx.x] % 20) break;
        if (i == 17) {
            out[threadIdx.x] = -n;
            return;
        }
        n += i;
    }
    out[threadIdx.x] = n;
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
