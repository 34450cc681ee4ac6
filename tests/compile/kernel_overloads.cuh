// Kernels of a header: a template whose arguments only a call finds out.
#pragma once

template <class T, class Op>
__global__ void apply(T *data, int n, Op op) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = op(data[i]);
}
__global__ static void fill(int *data, int n, int value) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) data[i] = value;
}
__global__ void scale(int *data, int n, int by, int shift);
