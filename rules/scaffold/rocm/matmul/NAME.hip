@include head.hip@
constexpr int TILE = 16; // TILE x TILE threads are BLOCK

/* c = a x b by tiles in shared memory; a is m x k, b is k x n. */
__global__ void @name@_kernel(const float *a, const float *b, float *c, int m, int n, int k)
{
    __shared__ float ta[TILE][TILE + 1], tb[TILE][TILE + 1];
    int tx = static_cast<int>(threadIdx.x), ty = static_cast<int>(threadIdx.y);
    int row = static_cast<int>(blockIdx.y) * TILE + ty, column = static_cast<int>(blockIdx.x) * TILE + tx;
    float sum = 0;
    for (int at = 0; at < k; at += TILE) {
        ta[ty][tx] = row < m && at + tx < k ? a[static_cast<size_t>(row) * k + at + tx] : 0.0f;
        tb[ty][tx] = at + ty < k && column < n ? b[static_cast<size_t>(at + ty) * n + column] : 0.0f;
        __syncthreads();
        for (int i = 0; i < TILE; i++) sum += ta[ty][i] * tb[i][tx];
        __syncthreads();
    }
    if (row < m && column < n) c[static_cast<size_t>(row) * n + column] = sum; // Yours
}

@include host.hip@
int main()
{
    static_assert(TILE * TILE == BLOCK, "a block is one tile");
    const int m = 65, n = 47, k = 33;
    std::vector<float> a(m * k), b(k * n), want(m * n, 0.0f);
    for (size_t i = 0; i < a.size(); i++) a[i] = static_cast<float>(i % 5);
    for (size_t i = 0; i < b.size(); i++) b[i] = static_cast<float>(i % 7);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n; j++)
            for (int l = 0; l < k; l++) want[i * n + j] += a[i * k + l] * b[l * n + j];
    float *da = upload(a), *db = upload(b), *dc = upload(want);
    dim3 grid((n + TILE - 1) / TILE, (m + TILE - 1) / TILE), block(TILE, TILE);
    @name@_kernel<<<grid, block>>>(da, db, dc, m, n, k);
    CHECK(hipGetLastError());
    return compare(dc, want, 0);
}
