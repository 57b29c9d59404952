#include "bits.hpp"

namespace secondlook {

namespace {

std::uint32_t meet_plain(const std::uint64_t* a, const std::uint64_t* b, std::uint64_t* out, std::size_t words) {
    std::uint64_t found = 0;
    for (std::size_t w = 0; w < words; ++w) {
        out[w] = a[w] & b[w];
        found += static_cast<std::uint64_t>(__builtin_popcountll(out[w]));
    }
    return static_cast<std::uint32_t>(found);
}

std::uint32_t count_plain(const std::uint64_t* a, const std::uint64_t* b, std::size_t words) {
    std::uint64_t found = 0;
    for (std::size_t w = 0; w < words; ++w) found += static_cast<std::uint64_t>(__builtin_popcountll(a[w] & b[w]));
    return static_cast<std::uint32_t>(found);
}

#ifdef SECONDLOOK_X86
// The oldest x86-64 has no instruction that counts bits; nearly all others do.
__attribute__((target("popcnt"))) std::uint32_t meet_popcnt(const std::uint64_t* a, const std::uint64_t* b, std::uint64_t* out,
                                                            std::size_t words) {
    std::uint64_t found = 0;
    for (std::size_t w = 0; w < words; ++w) {
        out[w] = a[w] & b[w];
        found += static_cast<std::uint64_t>(__builtin_popcountll(out[w]));
    }
    return static_cast<std::uint32_t>(found);
}

__attribute__((target("popcnt"))) std::uint32_t count_popcnt(const std::uint64_t* a, const std::uint64_t* b, std::size_t words) {
    std::uint64_t one = 0, two = 0;
    std::size_t w = 0;
    for (; w + 1 < words; w += 2) {
        one += static_cast<std::uint64_t>(__builtin_popcountll(a[w] & b[w]));
        two += static_cast<std::uint64_t>(__builtin_popcountll(a[w + 1] & b[w + 1]));
    }
    if (w < words) one += static_cast<std::uint64_t>(__builtin_popcountll(a[w] & b[w]));
    return static_cast<std::uint32_t>(one + two);
}
#endif

}  // namespace

const BitKernels& bit_kernels() {
    static const BitKernels plain{meet_plain, count_plain};
#ifdef SECONDLOOK_X86
    static const BitKernels counting{meet_popcnt, count_popcnt};
    if (__builtin_cpu_supports("popcnt")) return counting;
#endif
    return plain;
}

}  // namespace secondlook
