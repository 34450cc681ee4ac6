// cuRAND on the host: an offset skips what it says, seeds differ, and the moments are right.
#include <cuda_runtime.h>
#include <curand.h>

#include <cmath>
#include <cstdio>
#include <vector>

static std::vector<unsigned> bits(curandRngType_t type, unsigned long long seed,
                                  unsigned long long offset, size_t n) {
    std::vector<unsigned> out(n);
    unsigned *d;
    curandGenerator_t g;
    cudaMalloc((void **)&d, n * sizeof(unsigned));
    curandCreateGenerator(&g, type);
    curandSetPseudoRandomGeneratorSeed(g, seed);
    curandSetGeneratorOffset(g, offset);
    if (curandGenerate(g, d, n) != CURAND_STATUS_SUCCESS) out.clear();
    cudaMemcpy(out.data(), d, out.size() * sizeof(unsigned), cudaMemcpyDeviceToHost);
    curandDestroyGenerator(g);
    cudaFree(d);
    return out;
}

int main() {
    bool good = true;
    for (curandRngType_t type : {CURAND_RNG_PSEUDO_PHILOX4_32_10, CURAND_RNG_PSEUDO_XORWOW,
                                 CURAND_RNG_PSEUDO_MRG32K3A}) {
        const std::vector<unsigned> all = bits(type, 42, 0, 10000), other = bits(type, 43, 0, 100);
        const std::vector<unsigned> rest = bits(type, 42, 8192, 1000);
        good = good && all.size() == 10000 && rest.size() == 1000;
        int same = 0;
        for (size_t i = 0; good && i < rest.size(); i++) good = rest[i] == all[8192 + i];
        for (size_t i = 0; good && i < other.size(); i++) same += other[i] == all[i];
        good = good && same < 3;
    }
    const size_t n = 50000;
    double *d;
    unsigned *p;
    curandGenerator_t g;
    std::vector<double> log(n);
    std::vector<unsigned> counts(n);
    cudaMalloc((void **)&d, n * sizeof(double));
    cudaMalloc((void **)&p, n * sizeof(unsigned));
    curandCreateGenerator(&g, CURAND_RNG_PSEUDO_DEFAULT);
    curandSetPseudoRandomGeneratorSeed(g, 7);
    good = good && curandGenerateLogNormalDouble(g, d, n, 0.5, 0.25) == CURAND_STATUS_SUCCESS;
    good = good && curandGeneratePoisson(g, p, n, 4.0) == CURAND_STATUS_SUCCESS;
    cudaMemcpy(log.data(), d, n * sizeof(double), cudaMemcpyDeviceToHost);
    cudaMemcpy(counts.data(), p, n * sizeof(unsigned), cudaMemcpyDeviceToHost);
    curandDestroyGenerator(g);
    cudaFree(d);
    cudaFree(p);
    double mean = 0, variance = 0, poisson = 0;
    for (size_t i = 0; i < n; i++) mean += std::log(log[i]) / n, poisson += double(counts[i]) / n;
    for (size_t i = 0; i < n; i++) variance += std::pow(std::log(log[i]) - 0.5, 2) / n;
    good = good && std::fabs(mean - 0.5) < 0.01 && std::fabs(variance - 0.0625) < 0.005;
    good = good && std::fabs(poisson - 4.0) < 0.06;
    printf("%s\n", good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}
