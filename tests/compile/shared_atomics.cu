// cuda::atomic and cuda::atomic_ref, in memory of a block and of the device.
#include <cuda/atomic>
#include <cuda/std/limits>
#include <cuda/std/type_traits>
#include <cuda_runtime.h>

struct slot {
    cuda::atomic<unsigned long long, cuda::thread_scope_device> key;
    int value;
};
__device__ cuda::atomic<int, cuda::thread_scope_device> taken;

template <class T> __global__ void insert(slot *table, const T *keys, int n) {
    static_assert(cuda::std::is_integral<T>::value, "keys are numbers");
    __shared__ cuda::atomic<int, cuda::thread_scope_block> count;
    if (threadIdx.x == 0) count.store(0, cuda::std::memory_order_relaxed);
    __syncthreads();
    unsigned long long empty = cuda::std::numeric_limits<unsigned long long>::max();
    slot &mine = table[keys[threadIdx.x] % n];
    if (mine.key.compare_exchange_strong(empty, keys[threadIdx.x], cuda::memory_order_acq_rel,
                                         cuda::memory_order_acquire)) {
        count.fetch_add(1, cuda::memory_order_relaxed);
        cuda::atomic_ref<int, cuda::thread_scope_device>(mine.value).fetch_max(3);
    }
    __syncthreads();
    if (threadIdx.x == 0) taken += count.load();
    cuda::atomic_thread_fence(cuda::memory_order_seq_cst, cuda::thread_scope_device);
}

int main() {
    insert<unsigned><<<1, 64>>>(nullptr, nullptr, 1);
    return cudaDeviceSynchronize() != cudaSuccess;
}
