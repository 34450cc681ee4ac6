// PTX is code for NVIDIA's GPUs: a processor has no multiprocessor to be on.
__global__ void k(int *out) {
    unsigned multiprocessor;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(multiprocessor));
    out[threadIdx.x] = multiprocessor;
}
