// A thread goes round until another one of its block writes, and looks by plain loads.
__device__ void wait_for(volatile int *flag, int value) {
    while (true) {
        if (flag[0] == value) break;
    }
}
__global__ void k(int *out, const int *in) {
    __shared__ volatile int flag;
    __shared__ int box[2];
    volatile int *p = &flag;
    if (threadIdx.x == 0) flag = 0;
    __syncthreads();
    int last = blockDim.x - 1;
    if (threadIdx.x == 0 && last > 0) {
        while (*p == 0) {}
        box[0] += 1;
        flag = 2;
    } else if (threadIdx.x == last) {
        box[0] = in[last];
        flag = 1;
        if (last > 0) wait_for(&flag, 2);
        box[1] = box[0] * 2;
        flag = 3;
    } else {
        for (; flag != 3;) {}
    }
    __syncthreads();
    out[threadIdx.x] = box[0] + box[1] + threadIdx.x;
}
void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
