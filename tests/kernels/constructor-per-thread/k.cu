// A generator of random numbers, seeded by a member initialiser, lives across a barrier.
struct Seed {
    unsigned s = threadIdx.x * 7 + 1;
    __device__ unsigned next() { return s = s * 5 + 3; }
};

__global__ void k(int *out, const int *in) {
    __shared__ unsigned sh[256];
    Seed r;
    sh[threadIdx.x] = r.next();
    __syncthreads();
    out[threadIdx.x] = (sh[blockDim.x - 1 - threadIdx.x] ^ r.next()) & 0xffff;
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
