@include head.cpp@
static void @name@(sycl::queue &q, const float *x, const float *y, float *z, size_t n)
{
    size_t groups = (n + GROUP - 1) / GROUP;
    q.parallel_for(sycl::nd_range<1>(groups * GROUP, GROUP), [=](sycl::nd_item<1> item) {
        size_t i = item.get_global_id(0);
        if (i < n) z[i] = x[i] + y[i]; // Yours
    });
    q.wait_and_throw();
}

@include host.cpp@
int main()
{
    sycl::queue q{sycl::default_selector_v, sycl::property::queue::in_order()};
    const size_t n = 1000003;
    std::vector<float> x(n), y(n), want(n);
    for (size_t i = 0; i < n; i++) {
        x[i] = static_cast<float>(i % 1000);
        y[i] = static_cast<float>(i % 77);
        want[i] = x[i] + y[i]; // Yours
    }
    float *dx = upload(q, x), *dy = upload(q, y);
    float *dz = upload(q, std::vector<float>(n, -1.0f));
    @name@(q, dx, dy, dz, n);
    return compare(download(q, dz, n), want, 0);
}
