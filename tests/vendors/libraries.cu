// CUDA's libraries over memory that only the device can reach: what a call points to is copied for
// it, also by way of arrays of pointers; Thrust has memory that both sides see, and says so where
// it is given another. Prints PASS.
#include <cublas_v2.h>
#include <cuda_runtime.h>
#include <thrust/device_ptr.h>
#include <thrust/device_vector.h>
#include <thrust/reduce.h>
#include <thrust/sort.h>
#include <thrust/system_error.h>

#include <cstdio>

#include "check.cuh"

struct Node {
    int value;
    Node *next;
};

// A list that lies in the device's memory, node by node; the last one becomes another.
__global__ void walk(Node **first, Node *end, int *sum) {
    for (Node *n = *first; n; n = n->next) {
        *sum += n->value;
        n->value = -n->value;
        if (n->value == -3) n->next = end;
    }
}

static void pointers() {
    enum { N = 4 };
    Node *nodes[N], host, **first;
    int *sum, total = 0;
    CHECK(cudaMalloc((void **)&first, sizeof *first));
    CHECK(cudaMalloc((void **)&sum, sizeof(int)));
    CHECK(cudaMemset(sum, 0, sizeof(int)));
    for (int i = 0; i < N; i++) CHECK(cudaMalloc((void **)&nodes[i], sizeof(Node)));
    for (int i = 0; i < N; i++) { // 1, 2, 3, and 40 apart
        host.value = i < 3 ? i + 1 : 40;
        host.next = i < 2 ? nodes[i + 1] : nullptr;
        CHECK(cudaMemcpy(nodes[i], &host, sizeof host, cudaMemcpyHostToDevice));
    }
    CHECK(cudaMemcpy(first, &nodes[0], sizeof nodes[0], cudaMemcpyHostToDevice));
    walk<<<1, 1>>>(first, nodes[3], sum);
    CHECK(cudaMemcpy(&total, sum, sizeof total, cudaMemcpyDeviceToHost));
    HOLDS(total == 46);
    CHECK(cudaMemcpy(&host, nodes[2], sizeof host, cudaMemcpyDeviceToHost));
    HOLDS(host.value == -3 && host.next == nodes[3]); // an address of the device again
    CHECK(cudaMemcpy(&host, nodes[0], sizeof host, cudaMemcpyDeviceToHost));
    HOLDS(host.value == -1 && host.next == nodes[1]);
    for (int i = 0; i < N; i++) CHECK(cudaFree(nodes[i]));
    CHECK(cudaFree(first));
    CHECK(cudaFree(sum));
}

static void blas() {
    enum { N = 8, BATCH = 3 };
    cublasHandle_t handle;
    float host[N], *x[BATCH], *y, **list, one = 1, two = 2, result = 0, *on_device;
    HOLDS(cublasCreate(&handle) == CUBLAS_STATUS_SUCCESS);
    CHECK(cudaMalloc((void **)&y, sizeof host));
    CHECK(cudaMalloc((void **)&on_device, sizeof(float)));
    CHECK(cudaMemcpy(on_device, &two, sizeof two, cudaMemcpyHostToDevice));
    for (int b = 0; b < BATCH; b++) {
        for (int i = 0; i < N; i++) host[i] = float(b + 1);
        CHECK(cudaMalloc((void **)&x[b], sizeof host));
        CHECK(cudaMemcpy(x[b], host, sizeof host, cudaMemcpyHostToDevice));
    }
    HOLDS(!cublasSdot(handle, N, x[1], 1, x[2], 1, &result) && result == 2 * 3 * N);
    HOLDS(!cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE));
    HOLDS(!cublasSscal(handle, N, on_device, x[0], 1));
    HOLDS(!cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST));
    HOLDS(!cublasSasum(handle, N, x[0], 1, &result) && result == 2 * N);
    // Each matrix by its pointer, and these in the device's memory, too.
    CHECK(cudaMalloc((void **)&list, sizeof x));
    CHECK(cudaMemcpy(list, x, sizeof x, cudaMemcpyHostToDevice));
    HOLDS(!cublasStrsmBatched(handle, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N,
                              CUBLAS_DIAG_UNIT, 1, N, &two, list, 1, list, 1, BATCH));
    for (int b = 0; b < BATCH; b++) {
        CHECK(cudaMemcpy(host, x[b], sizeof host, cudaMemcpyDeviceToHost));
        HOLDS(host[N - 1] == 2 * float(b == 0 ? 2 : b + 1));
        CHECK(cudaFree(x[b]));
    }
    (void)one;
    CHECK(cudaFree(y));
    CHECK(cudaFree(list));
    CHECK(cudaFree(on_device));
    HOLDS(!cublasDestroy(handle));
}

static void thrusts() {
    thrust::device_vector<int> v(100);
    for (int i = 0; i < 100; i++) v[i] = (i * 37) % 100;
    thrust::sort(v.begin(), v.end());
    HOLDS(v[0] == 0 && v[99] == 99 && thrust::reduce(v.begin(), v.end()) == 4950);
    CHECK(cudaMemset(thrust::raw_pointer_cast(v.data()), 0, sizeof(int) * 100));
    HOLDS(thrust::reduce(v.begin(), v.end()) == 0);
    int *raw, value = 7;
    CHECK(cudaMalloc((void **)&raw, 4 * sizeof(int)));
    CHECK(cudaMemset(raw, 0, 4 * sizeof(int)));
    thrust::device_ptr<int> p(raw);
    p[2] = value; // one by one it goes
    p[2] += 1;
    HOLDS(p[2] == 8 && p[1] == 0);
    const char *said = "";
    try {
        HOLDS(thrust::reduce(p, p + 4) == 8); // where the host can read it
    } catch (const thrust::system_error &error) {
        said = "refused";
        HOLDS(error.code().value() == cudaErrorNotSupported);
    }
    std::printf("%s\n", said);
    CHECK(cudaFree(raw));
}

int main() {
    pointers();
    blas();
    thrusts();
    CHECK(cudaDeviceSynchronize());
    std::printf("PASS\n");
    return 0;
}
