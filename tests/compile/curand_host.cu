// Random numbers made by the host API: their means and ranges, and that a seed repeats them.
#include <cuda_runtime.h>
#include <curand.h>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#define CURAND_CALL(x)                                                                            \
    do {                                                                                          \
        if ((x) != CURAND_STATUS_SUCCESS) {                                                       \
            printf("Error at %s:%d\n", __FILE__, __LINE__);                                       \
            return EXIT_FAILURE;                                                                  \
        }                                                                                         \
    } while (0)

int main() {
    const size_t n = 20000;
    float *device;
    cudaMalloc((void **)&device, n * sizeof(float));
    std::vector<float> uniform(n), again(n), normal(n);
    curandGenerator_t generator;
    CURAND_CALL(curandCreateGenerator(&generator, CURAND_RNG_PSEUDO_PHILOX4_32_10));
    for (std::vector<float> *v : {&uniform, &again}) {
        CURAND_CALL(curandSetPseudoRandomGeneratorSeed(generator, 1234ULL));
        CURAND_CALL(curandSetGeneratorOffset(generator, 0));
        CURAND_CALL(curandGenerateUniform(generator, device, n));
        cudaMemcpy(v->data(), device, n * sizeof(float), cudaMemcpyDeviceToHost);
    }
    CURAND_CALL(curandGenerateNormal(generator, device, n, 10.0f, 2.0f));
    cudaMemcpy(normal.data(), device, n * sizeof(float), cudaMemcpyDeviceToHost);
    CURAND_CALL(curandDestroyGenerator(generator));
    cudaFree(device);
    double mean = 0, normalMean = 0, variance = 0;
    bool good = uniform == again;
    for (size_t i = 0; i < n; i++) {
        good = good && uniform[i] > 0.0f && uniform[i] <= 1.0f;
        mean += uniform[i] / n;
        normalMean += normal[i] / n;
        variance += (normal[i] - 10.0) * (normal[i] - 10.0) / n;
    }
    good = good && std::fabs(mean - 0.5) < 0.02 && std::fabs(normalMean - 10.0) < 0.1 &&
           std::fabs(variance - 4.0) < 0.3;
    printf("%s\n", good ? "PASS" : "FAIL");
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
