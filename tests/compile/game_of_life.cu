// Conway's game on a torus, double-buffered, with bytes in shared memory around each block.
#include <cuda_runtime.h>
#include <stdio.h>
#include <string.h>

#define SIDE 64
#define EDGE 16

__global__ void generation(const unsigned char *from, unsigned char *to) {
    __shared__ unsigned char cell[EDGE + 2][EDGE + 2];
    int bx = blockIdx.x * EDGE - 1, by = blockIdx.y * EDGE - 1;
    for (int i = threadIdx.y * EDGE + threadIdx.x; i < (EDGE + 2) * (EDGE + 2); i += EDGE * EDGE) {
        int x = (bx + i % (EDGE + 2) + SIDE) % SIDE, y = (by + i / (EDGE + 2) + SIDE) % SIDE;
        cell[i / (EDGE + 2)][i % (EDGE + 2)] = from[y * SIDE + x];
    }
    __syncthreads();
    int sum = 0;
    for (int dy = 0; dy < 3; dy++)
        for (int dx = 0; dx < 3; dx++) sum += cell[threadIdx.y + dy][threadIdx.x + dx];
    unsigned char alive = cell[threadIdx.y + 1][threadIdx.x + 1];
    int x = bx + 1 + threadIdx.x, y = by + 1 + threadIdx.y;
    to[y * SIDE + x] = sum == 3 || (sum == 4 && alive);
}

int main(void) {
    static unsigned char world[SIDE * SIDE], result[SIDE * SIDE];
    // A glider moves one cell down and right in four generations.
    int glider[5][2] = {{1, 0}, {2, 1}, {0, 2}, {1, 2}, {2, 2}};
    for (int i = 0; i < 5; i++) world[(glider[i][1] + 60) % SIDE * SIDE + glider[i][0] + 14] = 1;
    unsigned char *buffer[2];
    for (int i = 0; i < 2; i++) cudaMalloc((void **)&buffer[i], sizeof world);
    cudaMemcpy(buffer[0], world, sizeof world, cudaMemcpyHostToDevice);
    dim3 grid(SIDE / EDGE, SIDE / EDGE), block(EDGE, EDGE);
    const int generations = 40;
    for (int g = 0; g < generations; g++) generation<<<grid, block>>>(buffer[g % 2], buffer[(g + 1) % 2]);
    cudaMemcpy(result, buffer[generations % 2], sizeof result, cudaMemcpyDeviceToHost);
    int wrong = cudaGetLastError() != cudaSuccess;
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            wrong += result[(y + generations / 4) % SIDE * SIDE + (x + generations / 4) % SIDE] !=
                     world[y * SIDE + x];
    for (int i = 0; i < 2; i++) cudaFree(buffer[i]);
    puts(wrong ? "FAIL" : "PASS");
    return wrong != 0;
}
