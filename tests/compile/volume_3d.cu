// A volume with pitch: cudaMalloc3D, cudaMemcpy3D, extents and positions.
#include <cuda_runtime.h>
#include <stdio.h>
#include <string.h>

enum { W = 17, H = 9, D = 6 };

__global__ void scale(cudaPitchedPtr volume, int w, int h, int d, float factor) {
    int x = blockIdx.x * blockDim.x + threadIdx.x;
    int y = blockIdx.y * blockDim.y + threadIdx.y;
    int z = blockIdx.z * blockDim.z + threadIdx.z;
    if (x >= w || y >= h || z >= d) return;
    char *slice = (char *)volume.ptr + z * volume.pitch * h;
    float *row = (float *)(slice + y * volume.pitch);
    row[x] *= factor;
}

int main(void) {
    static float in[D][H][W], out[D][H][W];
    for (int i = 0; i < W * H * D; i++) (&in[0][0][0])[i] = 0.5f * i;
    cudaExtent extent = make_cudaExtent(W * sizeof(float), H, D);
    cudaPitchedPtr device;
    if (cudaMalloc3D(&device, extent) != cudaSuccess) return 1;
    cudaMemset3D(device, 0, extent);

    cudaMemcpy3DParms up = {};
    up.srcPtr = make_cudaPitchedPtr(in, W * sizeof(float), W, H);
    up.dstPtr = device;
    up.extent = extent;
    up.kind = cudaMemcpyHostToDevice;
    cudaMemcpy3D(&up);
    scale<<<dim3(3, 2, 2), dim3(8, 8, 4)>>>(device, W, H, D, 4.0f);

    cudaMemcpy3DParms down;
    memset(&down, 0, sizeof(down));
    down.srcPtr = device;
    down.dstPtr = make_cudaPitchedPtr(out, W * sizeof(float), W, H);
    down.srcPos = make_cudaPos(0, 0, 1);
    down.dstPos = make_cudaPos(0, 0, 1);
    down.extent = make_cudaExtent(W * sizeof(float), H, D - 1);
    down.kind = cudaMemcpyDeviceToHost;
    bool good = cudaMemcpy3D(&down) == cudaSuccess;
    cudaFree(device.ptr);
    for (int z = 0; z < D; z++)
        for (int y = 0; y < H; y++)
            for (int x = 0; x < W; x++)
                good = good && out[z][y][x] == (z == 0 ? 0.0f : 4.0f * in[z][y][x]);
    printf("%s\n", good ? "PASS" : "FAIL");
    return good ? 0 : 1;
}
