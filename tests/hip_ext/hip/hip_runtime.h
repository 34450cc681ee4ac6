/* SPDX-License-Identifier: Apache-2.0 */
// A wave of WAVE lanes made of host threads, as far as cuda_morph/hip_ext.h needs one. Every lane
// that is here takes part in every exchange, so an exchange is: write, meet, read, meet.
#pragma once
#include <cstddef>
#include <pthread.h>

#define __device__
#define __host__
#define __builtin_amdgcn_fence(order, scope)
#define __builtin_amdgcn_wave_barrier() mock_meet()
#define __threadfence()
#define __builtin_amdgcn_s_sleep(n)
#define __builtin_debugtrap() __builtin_trap()

#define __HIP_MEMORY_SCOPE_SINGLETHREAD 1
#define __HIP_MEMORY_SCOPE_WORKGROUP 3
#define __HIP_MEMORY_SCOPE_AGENT 4
#define __HIP_MEMORY_SCOPE_SYSTEM 5
#define __hip_atomic_load(p, order, scope) __atomic_load_n(p, order)
#define __hip_atomic_store(p, v, order, scope) __atomic_store_n(p, v, order)
#define __hip_atomic_exchange(p, v, order, scope) __atomic_exchange_n(p, v, order)
#define __hip_atomic_fetch_add(p, v, order, scope) __atomic_fetch_add(p, v, order)
#define __hip_atomic_compare_exchange_strong(p, old, v, order, failed, scope) \
    __atomic_compare_exchange_n(p, old, v, false, order, failed)

enum hipError_t { hipSuccess };
inline const char *hipGetErrorName(hipError_t) { return "hipSuccess"; }
inline const char *hipGetErrorString(hipError_t) { return "no error"; }

struct int2 { int x, y; };
struct alignas(16) int4 { int x, y, z, w; };
struct char4 { signed char x, y, z, w; };
struct uchar4 { unsigned char x, y, z, w; };

extern pthread_barrier_t mock_barrier;
extern int mock_word[WAVE];
extern bool mock_here[WAVE];
extern thread_local int mock_lane;

inline void mock_meet() { pthread_barrier_wait(&mock_barrier); }
inline unsigned __lane_id() { return static_cast<unsigned>(mock_lane); }

inline unsigned long long __ballot(int predicate) {
    mock_word[mock_lane] = predicate != 0;
    mock_meet();
    unsigned long long bits = 0;
    for (int i = 0; i < WAVE; i++)
        if (mock_here[i] && mock_word[i]) bits |= 1ull << i;
    mock_meet();
    return bits;
}

// A lane that is not here gives 0, as ds_bpermute does.
inline int mock_read(int word, int lane) {
    mock_word[mock_lane] = word;
    mock_meet();
    int result = mock_here[lane] ? mock_word[lane] : 0;
    mock_meet();
    return result;
}
inline int __shfl(int word, int lane, int width) {
    return mock_read(word, (lane & (width - 1)) + (mock_lane & ~(width - 1)));
}
inline int __shfl_down(int word, unsigned delta, int width) {
    int from = mock_lane + static_cast<int>(delta);
    bool inside = (mock_lane & (width - 1)) + static_cast<int>(delta) < width;
    return mock_read(word, inside ? from : mock_lane);
}
inline int __shfl_up(int word, unsigned delta, int width) {
    int from = mock_lane - static_cast<int>(delta);
    return mock_read(word, from < (mock_lane & ~(width - 1)) ? mock_lane : from);
}
inline int __shfl_xor(int word, int lanes, int width) {
    int from = mock_lane ^ lanes;
    return mock_read(word, from >= ((mock_lane + width) & ~(width - 1)) ? mock_lane : from);
}

inline unsigned atomicCAS(unsigned *address, unsigned compare, unsigned value) {
    __atomic_compare_exchange_n(address, &compare, value, false, __ATOMIC_RELAXED,
                                __ATOMIC_RELAXED);
    return compare;
}
inline unsigned atomicCAS_system(unsigned *address, unsigned compare, unsigned value) {
    return atomicCAS(address, compare, value);
}
template <class T> T atomicAdd(T *address, T value) {
    return __atomic_fetch_add(address, value, __ATOMIC_RELAXED);
}
