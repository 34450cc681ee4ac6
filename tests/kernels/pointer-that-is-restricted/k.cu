// Restricted pointers of a thread's own live across barriers, and go to functions with barriers.
__device__ int turned(int *__restrict__ mine, const int *__restrict theirs, int by) {
    __syncthreads();
    *mine += theirs[by];
    __syncthreads();
    return *mine;
}

__global__ void k(int *__restrict__ out, const int *__restrict__ in) {
    __shared__ int a[256], b[256];
    int *__restrict__ mine = a + threadIdx.x;
    const int *const __restrict__ first = threadIdx.x % 2 ? in : in + threadIdx.x % 2;
    int *__restrict other = b + (threadIdx.x ^ 0);
    *mine = in[threadIdx.x];
    *other = 3;
    __syncthreads();
    mine = b + threadIdx.x;
    __syncthreads();
    *mine += first[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = turned(mine, a, threadIdx.x) + *other;
}

void launch(int *out, const int *in, int threads) { k<<<1, threads>>>(out, in); }
