static float *upload(const std::vector<float> &v)
{
    float *p = nullptr;
    CHECK(hipMalloc(reinterpret_cast<void **>(&p), v.size() * sizeof(float)));
    CHECK(hipMemcpy(p, v.data(), v.size() * sizeof(float), hipMemcpyHostToDevice));
    return p;
}

static int compare(const float *device, const std::vector<float> &want, double tolerance)
{
    std::vector<float> got(want.size());
    CHECK(hipDeviceSynchronize());
    CHECK(hipMemcpy(got.data(), device, got.size() * sizeof(float), hipMemcpyDeviceToHost));
    double worst = 0;
    for (size_t i = 0; i < want.size(); i++)
        worst = std::fmax(worst, std::fabs(static_cast<double>(got[i]) - want[i]));
    std::printf("@name@: largest difference %g, allowed %g\n", worst, tolerance);
    return worst <= tolerance ? 0 : 1;
}

