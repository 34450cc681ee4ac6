@include head.hip@
/* The sum over one wave, whatever its width: valid in lane 0. */
__device__ float wave_sum(float v)
{
    for (int offset = warpSize / 2; offset > 0; offset /= 2) v += __shfl_down(v, offset, warpSize);
    return v;
}

/* The sum of each row: one block per row. */
__global__ void @name@_kernel(const float *x, float *z, size_t columns)
{
    __shared__ float part[BLOCK / 32]; // as many as there are waves at most
    const float *row = x + static_cast<size_t>(blockIdx.x) * columns;
    float sum = 0;
    for (size_t i = threadIdx.x; i < columns; i += blockDim.x) sum += row[i]; // Yours
    sum = wave_sum(sum);
    int lane = static_cast<int>(threadIdx.x) % warpSize;
    int wave = static_cast<int>(threadIdx.x) / warpSize;
    int waves = static_cast<int>(blockDim.x) / warpSize;
    if (lane == 0) part[wave] = sum;
    __syncthreads();
    if (wave != 0) return;
    sum = wave_sum(lane < waves ? part[lane] : 0.0f);
    if (lane == 0) z[blockIdx.x] = sum;
}

@include host.hip@
int main()
{
    const size_t rows = 301, columns = 1003;
    std::vector<float> x(rows * columns), want(rows, 0.0f);
    for (size_t i = 0; i < x.size(); i++) {
        x[i] = static_cast<float>(i % 17);
        want[i / columns] += x[i]; // Yours: whole numbers, so that any order gives the same
    }
    float *dx = upload(x), *dz = upload(std::vector<float>(rows, -1.0f));
    @name@_kernel<<<static_cast<unsigned>(rows), BLOCK>>>(dx, dz, columns);
    CHECK(hipGetLastError());
    return compare(dz, want, 0);
}
