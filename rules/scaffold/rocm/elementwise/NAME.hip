@include head.hip@
__global__ void @name@_kernel(const float *x, const float *y, float *z, size_t n)
{
    size_t step = static_cast<size_t>(gridDim.x) * blockDim.x;
    for (size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step)
        z[i] = x[i] + y[i]; // Yours
}

@include host.hip@
int main()
{
    const size_t n = 1000003;
    std::vector<float> x(n), y(n), want(n);
    for (size_t i = 0; i < n; i++) {
        x[i] = static_cast<float>(i % 1000);
        y[i] = static_cast<float>(i % 77);
        want[i] = x[i] + y[i]; // Yours
    }
    float *dx = upload(x), *dy = upload(y), *dz = upload(want);
    @name@_kernel<<<1024, BLOCK>>>(dx, dy, dz, n);
    CHECK(hipGetLastError());
    return compare(dz, want, 0);
}
