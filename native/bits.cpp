#include "bits.hpp"

namespace secondlook {

namespace {

// One body for every instruction set; the compiler makes of it what the set has.
#define SECONDLOOK_BIT_KERNELS(NAME, CELLS, TARGET)                                                                           \
    TARGET std::uint32_t meet_##NAME(const std::uint64_t* a, const std::uint64_t* b, std::uint64_t* out, std::size_t words) { \
        std::uint64_t found = 0;                                                                                              \
        for (std::size_t w = 0; w < words; ++w) {                                                                             \
            const std::uint64_t both = a[w] & b[w];                                                                           \
            out[w] = both;                                                                                                    \
            found += static_cast<std::uint64_t>(__builtin_popcountll(both));                                                  \
        }                                                                                                                     \
        return static_cast<std::uint32_t>(found);                                                                             \
    }                                                                                                                         \
    TARGET std::uint32_t count_##NAME(const std::uint64_t* a, const std::uint64_t* b, std::size_t words) {                    \
        std::uint64_t found = 0;                                                                                              \
        for (std::size_t w = 0; w < words; ++w) found += static_cast<std::uint64_t>(__builtin_popcountll(a[w] & b[w]));       \
        return static_cast<std::uint32_t>(found);                                                                             \
    }                                                                                                                         \
    const BitKernels NAME##_kernels{meet_##NAME, count_##NAME, CELLS};

SECONDLOOK_BIT_KERNELS(plain, 64, )
#ifdef SECONDLOOK_X86
// The oldest x86-64 has no instruction that counts bits; the newest count eight words at once.
SECONDLOOK_BIT_KERNELS(popcnt, 128, __attribute__((target("popcnt"))))
SECONDLOOK_BIT_KERNELS(wide, 512, __attribute__((target("avx512f,avx512vl,avx512vpopcntdq"))))
#endif
#undef SECONDLOOK_BIT_KERNELS

}  // namespace

const BitKernels& bit_kernels() {
#ifdef SECONDLOOK_X86
    if (__builtin_cpu_supports("avx512vpopcntdq") && __builtin_cpu_supports("avx512vl")) return wide_kernels;
    if (__builtin_cpu_supports("popcnt")) return popcnt_kernels;
#endif
    return plain_kernels;
}

}  // namespace secondlook
