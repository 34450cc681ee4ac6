// PTX is code for NVIDIA's GPUs.
__global__ void k(int *out) {
    unsigned lane;
    asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
    out[threadIdx.x] = lane;
}
