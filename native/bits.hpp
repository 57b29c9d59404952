// Counting rows as bits: how many, and how many of two sets meet.
#pragma once
#include <cstddef>
#include <cstdint>

namespace secondlook {

struct BitKernels {
    // out = a & b, and how many bits that are.
    std::uint32_t (*meet)(const std::uint64_t* a, const std::uint64_t* b, std::uint64_t* out, std::size_t words);
    // How many bits a & b has.
    std::uint32_t (*count)(const std::uint64_t* a, const std::uint64_t* b, std::size_t words);
    // Up to so many cells, a pass over bits for each is faster than one pass over the rows.
    std::uint64_t most_cells;
};

// The fastest that this processor runs.
const BitKernels& bit_kernels();

}  // namespace secondlook
