// A lambda with an explicit list of captures reads threadIdx, in a kernel that is cut.
__global__ void k(int *out, const int *in, int n) {
    __shared__ int s[256];
    {
        auto at = [n] { return int(threadIdx.x) + n; };
        s[threadIdx.x] = at();
    }
    __syncthreads();
    out[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in, 3); }
