#include <cstring>

#include "kernels.hpp"

namespace secondlook {

namespace baseline {
extern const Kernels table;
}
#ifdef SECONDLOOK_X86
namespace avx2 {
extern const Kernels table;
}
#endif

const Kernels* find_kernels(const char* name) {
    const bool any = name[0] == '\0';
#ifdef SECONDLOOK_X86
    if (__builtin_cpu_supports("avx2") && (any || std::strcmp(name, "avx2") == 0)) return &avx2::table;
#endif
    return any || std::strcmp(name, "baseline") == 0 ? &baseline::table : nullptr;
}

}  // namespace secondlook
