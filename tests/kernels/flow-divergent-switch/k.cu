// No barrier: a switch that each thread takes its own way, and a goto out of two loops.
__global__ void k(int *out, const int *in) {
    int v = in[threadIdx.x], n = 0;
    switch (v % 4) {
    case 0: n = 1; break;
    case 1: n = 2; // falls through
    case 2: n += 10; break;
    default:
        for (int i = 0; i < 4; i++)
            for (int j = 0; j < 4; j++)
                if (i * j > v % 8) {
                    n = i * 100 + j;
                    goto done;
                }
    }
done:
    out[threadIdx.x] = n;
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
