#pragma once
#include <cstdint>
namespace fe {
struct PlatFormInfos;
}
namespace platform_ascendc {
enum class CoreMemType { UB };
struct PlatformAscendC {
    explicit PlatformAscendC(fe::PlatFormInfos *);
    uint32_t GetCoreNumAiv() const;
    uint32_t GetCoreNumAic() const;
    uint32_t GetLibApiWorkSpaceSize() const;
    void GetCoreMemSize(const CoreMemType &, uint64_t &) const;
};
} // namespace platform_ascendc
