// target: rocm
// select: cuda-silent,cuda-ptx
// Which device is this? Numbers and names that mean something else elsewhere.
#include <cuda_runtime.h>
#include <cstring>
#include <string>

struct Version {
    int major, minor;
};

bool has_tensor_cores(int device) {
    cudaDeviceProp prop;
    cudaGetDeviceProperties(&prop, device);
    // want: cuda-silent/capability
    return prop.major >= 7;
}

bool is_hopper(const cudaDeviceProp &deviceProp) {
    // want: cuda-silent/capability
    return deviceProp.major == 9 && deviceProp.minor == 0;
}

int sm(const cudaDeviceProp *props) {
    // want: cuda-silent/capability
    return props->major * 10 + props->minor;
}

int sm_hundred(const cudaDeviceProp &p) {
    // want: cuda-silent/capability
    return 100 * p.major + 10 * p.minor;
}

bool from_torch() {
    auto *dprops = at::cuda::getCurrentDeviceProperties();
    // want: cuda-silent/capability
    bool sm90 = dprops->major >= 9;
    // want: cuda-silent/capability
    bool sm8x = at::cuda::getCurrentDeviceProperties()->major == 8;
    return sm90 || sm8x;
}

int by_attribute(int device) {
    int major, minor;
    // want: cuda-silent/capability
    cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device);
    // ok: cuda-silent/capability
    cudaDeviceGetAttribute(&minor, cudaDevAttrMultiProcessorCount, device);
    return major;
}

int by_driver(CUdevice device) {
    int major;
    // want: cuda-silent/capability
    cuDeviceGetAttribute(&major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
    return major;
}

// ok: cuda-silent/capability
bool new_enough(const Version &version) { return version.major >= 9; }

bool enough_memory(const cudaDeviceProp &prop) {
    // ok: cuda-silent/capability
    return prop.totalGlobalMem >= 8ull << 30 && prop.multiProcessorCount > 8;
}

void print(const cudaDeviceProp &prop) {
    // ok: cuda-silent/capability
    printf("compute capability %d.%d\n", prop.major, prop.minor);
}

bool is_mi200(const hipDeviceProp_t &prop) {
    // want: cuda-silent/arch-name
    return strcmp(prop.gcnArchName, "gfx90a") == 0;
}

bool is_mi300(const hipDeviceProp_t &prop) {
    // want: cuda-silent/arch-name
    return std::string(prop.gcnArchName) == "gfx942";
}

bool is_cdna(const hipDeviceProp_t &prop) {
    // ok: cuda-silent/arch-name
    return strncmp(prop.gcnArchName, "gfx9", 4) == 0;
}

bool is_mi100(const hipDeviceProp_t &prop) {
    // ok: cuda-silent/arch-name
    return std::string(prop.gcnArchName).find("gfx908") == 0;
}

bool by_name(const cudaDeviceProp &prop) {
    // ok: cuda-silent/arch-name
    return strcmp(prop.name, "Tesla V100") == 0;
}
