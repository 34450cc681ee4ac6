// SPDX-License-Identifier: Apache-2.0
// CUB's functions beside its algorithms: bit fields, and what asks for devices and streams.
// Included by cub.h.
#ifndef CUDA_MORPH_CPU_CUB_UTILITIES_HPP
#define CUDA_MORPH_CPU_CUB_UTILITIES_HPP

namespace cub {

// The `width` bits of v from bit `from` on.
template <class T> inline unsigned BFE(T v, unsigned from, unsigned width) {
    const unsigned long long all = ~0ull, bits = static_cast<unsigned long long>(v);
    return static_cast<unsigned>(bits >> from & (width < 64 ? ~(all << width) : all));
}
// x, with the `width` lowest bits of y in the place of those from bit `from` on.
inline void BFI(unsigned &result, unsigned x, unsigned y, unsigned from, unsigned width) {
    const unsigned long long mask = (width < 32 ? ~(~0ull << width) : 0xffffffffull) << from;
    result =
        static_cast<unsigned>((x & ~mask) | (static_cast<unsigned long long>(y) << from & mask));
}
inline unsigned SHR_ADD(unsigned x, unsigned shift, unsigned addend) {
    return (x >> shift) + addend;
}
inline unsigned SHL_ADD(unsigned x, unsigned shift, unsigned addend) {
    return (x << shift) + addend;
}
inline unsigned IADD3(unsigned x, unsigned y, unsigned z) { return x + y + z; }

inline int CurrentDevice() {
    int device = -1;
    return cmGetDevice(&device) == cmSuccess ? device : -1;
}
inline int DeviceCountUncached() {
    int count = -1;
    return cmGetDeviceCount(&count) == cmSuccess ? count : -1;
}
inline int DeviceCountCachedValue() { return DeviceCountUncached(); }
inline int DeviceCount() { return DeviceCountUncached(); }
// What kernels are compiled for: the device's own architecture.
inline cmError_t PtxVersionUncached(int &version, int device) {
    int major = 0, minor = 0;
    cmError_t error = cmDeviceGetAttribute(&major, cmDevAttrComputeCapabilityMajor, device);
    if (error == cmSuccess)
        error = cmDeviceGetAttribute(&minor, cmDevAttrComputeCapabilityMinor, device);
    version = major * 100 + minor * 10;
    return error;
}
inline cmError_t PtxVersionUncached(int &version) {
    return PtxVersionUncached(version, CurrentDevice());
}
inline cmError_t PtxVersion(int &version, int device) {
    return PtxVersionUncached(version, device);
}
inline cmError_t PtxVersion(int &version) { return PtxVersionUncached(version); }
inline cmError_t SyncStream(cmStream_t stream) { return cmStreamSynchronize(stream); }

} // namespace cub

#endif
