// A table in linear memory behind a texture object, fetched by index.
#include <cuda_runtime.h>
#include <cstdio>

__global__ void gather(cudaTextureObject_t table, const int *index, float *out, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) out[i] = tex1Dfetch<float>(table, index[i]) * 2.0f;
}

int main() {
    const int n = 256;
    float h[n], out[n], *d_table, *d_out;
    int index[n], *d_index;
    for (int i = 0; i < n; i++) {
        h[i] = i * 0.25f;
        index[i] = (i * 77) % n;
    }
    cudaMalloc(&d_table, sizeof(h));
    cudaMalloc(&d_out, sizeof(out));
    cudaMalloc(&d_index, sizeof(index));
    cudaMemcpy(d_table, h, sizeof(h), cudaMemcpyHostToDevice);
    cudaMemcpy(d_index, index, sizeof(index), cudaMemcpyHostToDevice);

    cudaResourceDesc res = {};
    res.resType = cudaResourceTypeLinear;
    res.res.linear.devPtr = d_table;
    res.res.linear.desc = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
    res.res.linear.sizeInBytes = sizeof(h);
    cudaTextureDesc tex = {};
    tex.readMode = cudaReadModeElementType;
    cudaTextureObject_t table;
    bool good = cudaCreateTextureObject(&table, &res, &tex, NULL) == cudaSuccess;
    gather<<<2, 128>>>(table, d_index, d_out, n);
    cudaMemcpy(out, d_out, sizeof(out), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++) good = good && out[i] == h[index[i]] * 2.0f;
    cudaDestroyTextureObject(table);

    cudaFree(d_table);
    cudaFree(d_out);
    cudaFree(d_index);
    puts(good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}
