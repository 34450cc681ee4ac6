// An array of objects with constructors lives across a barrier.
struct Cell {
    int v = threadIdx.x + 1;
};

__global__ void k(int *out, const int *in) {
    __shared__ int s[256];
    Cell cells[2];
    cells[1].v *= 3;
    s[threadIdx.x] = cells[0].v;
    __syncthreads();
    out[threadIdx.x] = cells[1].v + s[blockDim.x - 1 - threadIdx.x];
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
