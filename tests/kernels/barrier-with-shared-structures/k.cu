// Structures, arrays of arrays and a pointer into them in shared memory.
struct Row {
    int data[8];
    int count;
};

__global__ void k(int *out, const int *in) {
    __shared__ Row rows[32];
    Row &row = rows[threadIdx.x / 8];
    if (threadIdx.x % 8 == 0) row.count = 0;
    __syncthreads();
    row.data[threadIdx.x % 8] = in[threadIdx.x];
    atomicAdd(&row.count, 1);
    __syncthreads();
    int sum = 0, *data = row.data;
    for (int i = 0; i < row.count; i++) sum += data[i];
    out[threadIdx.x] = sum;
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
