// A linked structure in managed memory, read by the host and the device without copies.
#include <cuda_runtime.h>
#include <cstdio>
#include <cstring>
#include <new>

class Managed {
  public:
    void *operator new(size_t size) {
        void *p = nullptr;
        if (cudaMallocManaged(&p, size) != cudaSuccess) throw std::bad_alloc();
        return p;
    }
    void operator delete(void *p) {
        cudaDeviceSynchronize();
        cudaFree(p);
    }
};

struct Node : public Managed {
    int values[16];
    long long sum;
    Node *next;
};

__global__ void sumNodes(Node *head) {
    int wanted = blockIdx.x * blockDim.x + threadIdx.x;
    Node *node = head;
    for (int i = 0; i < wanted && node; i++) node = node->next;
    if (!node) return;
    node->sum = 0;
    for (int v : node->values) node->sum += v;
}

int main() {
    Node *head = nullptr;
    for (int i = 0; i < 40; i++) {
        Node *node = new Node;
        for (int j = 0; j < 16; j++) node->values[j] = i * j;
        node->next = head;
        head = node;
    }
    int device = 0;
    cudaGetDevice(&device);
    cudaMemAdvise(head, sizeof(Node), cudaMemAdviseSetPreferredLocation, device);
    cudaMemPrefetchAsync(head, sizeof(Node), device, 0);
    sumNodes<<<2, 32>>>(head);
    bool good = cudaDeviceSynchronize() == cudaSuccess;
    cudaMemPrefetchAsync(head, sizeof(Node), cudaCpuDeviceId, 0);
    cudaDeviceSynchronize();
    int i = 39;
    while (head) {
        good = good && head->sum == 120LL * i--;
        Node *next = head->next;
        delete head;
        head = next;
    }
    float *both;
    cudaMallocManaged(&both, 100 * sizeof(float), cudaMemAttachGlobal);
    memset(both, 0, 100 * sizeof(float));
    cudaFree(both);
    printf("%s\n", good && i == -1 ? "PASS" : "FAIL");
    return good && i == -1 ? 0 : 1;
}
