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

