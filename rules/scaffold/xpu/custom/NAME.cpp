#include <sycl/sycl.hpp>

#include <cmath>
#include <cstdio>
#include <vector>

constexpr size_t GROUP = 256;

static void @name@(sycl::queue &q, const float *x, float *z, size_t n)
{
    size_t groups = (n + GROUP - 1) / GROUP;
    q.parallel_for(sycl::nd_range<1>(groups * GROUP, GROUP), [=](sycl::nd_item<1> item) {
        size_t i = item.get_global_id(0);
        if (i < n) z[i] = x[i]; // Yours
    });
    q.wait_and_throw();
}

static int compare(const std::vector<float> &got, const std::vector<float> &want, double tolerance)
{
    double worst = 0;
    for (size_t i = 0; i < want.size(); i++)
        worst = std::fmax(worst, std::fabs(static_cast<double>(got[i]) - want[i]));
    std::printf("@name@: largest difference %g, allowed %g\n", worst, tolerance);
    return worst <= tolerance ? 0 : 1;
}

static float *upload(sycl::queue &q, const std::vector<float> &v)
{
    float *p = sycl::malloc_device<float>(v.size(), q);
    q.memcpy(p, v.data(), v.size() * sizeof(float)).wait();
    return p;
}

static std::vector<float> download(sycl::queue &q, const float *p, size_t n)
{
    std::vector<float> v(n);
    q.memcpy(v.data(), p, n * sizeof(float)).wait();
    return v;
}

int main()
{
    sycl::queue q{sycl::default_selector_v, sycl::property::queue::in_order()};
    const size_t n = 1000003;
    std::vector<float> x(n);
    for (size_t i = 0; i < n; i++) x[i] = static_cast<float>(i % 1000);
    std::vector<float> want = x; // Yours
    float *dx = upload(q, x);
    float *dz = upload(q, std::vector<float>(n, -1.0f));
    @name@(q, dx, dz, n);
    return compare(download(q, dz, n), want, 0);
}
