// Loops that threads leave one by one declare variables of one name, and one of another variable's.
__global__ void share_name(int *out, const int *in, int n) {
    __shared__ int s[1024];
    int t = threadIdx.x, limit = in[t] & 3, sum = 0, j = 7;
    for (int i = 0; i < limit; i++) {
        s[t] = in[t] + i;
        __syncthreads();
        sum += s[t];
        __syncthreads();
    }
    for (int i = limit; i > 0; --i) {
        s[t] = i;
        __syncthreads();
        sum += s[t] * 10;
    }
    for (int j = 0; j < limit; j++)
        if (j < n) {
            s[t] = j;
            __syncthreads();
            sum += s[t] * 100;
        }
    for (int n = limit, i = 1; n > 0; --n, i += 2) {
        s[t] = i;
        __syncthreads();
        sum += s[t] * 1000;
    }
    out[t] = sum + j + n;
}
void launch(int *out, const int *in, int threads) {
    share_name<<<1, threads>>>(out, in, 2);
    cudaDeviceSynchronize();
}
