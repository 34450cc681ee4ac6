// A kernel that takes a reference to managed memory, and one that changes its own parameters.
struct Data {
    int more;
};
__global__ void bump(Data &d) { d.more += 1; }
__global__ void k(int *out, const int *in, const Data d, int n) {
    n += threadIdx.x;
    out += threadIdx.x;
    __syncthreads();
    *out = in[threadIdx.x] + d.more + n;
}

void launch(int *out, const int *in, int threads) {
    Data *d;
    cudaMallocManaged(&d, sizeof *d);
    d->more = 41;
    bump<<<1, 1>>>(*d);
    cudaDeviceSynchronize();
    k<<<1, threads>>>(out, in, *d, 5);
    cudaDeviceSynchronize();
    cudaFree(d);
}
