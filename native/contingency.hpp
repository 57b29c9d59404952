// Counting for categories: statistics of independence within strata, and log-likelihoods of families.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace secondlook {

// n rows of d columns of codes 0 .. levels - 1, a column's rows side by side; `width` bytes a code (1, 2 or 4).
struct CodesView {
    const void* data;
    int width;
    std::size_t n;
    int d;
    const std::int32_t* levels;
};

// Question q is about first[q] and second[q] given members[begin[q]] .. members[begin[q + 1] - 1].
// Families leave `second` empty: first[q] given its parents.
struct SetsView {
    const std::int32_t* first;
    const std::int32_t* second;
    const std::uint64_t* begin;
    const std::int32_t* members;
    std::size_t size;
};

enum class Divergence { g2, pearson };

struct Independence {
    bool interrupted = false;
    std::vector<double> statistic;
    std::vector<double> freedom;      // (levels seen - 1) * (levels seen - 1), summed over the strata
    std::vector<double> informative;  // rows in strata where both columns vary
};

struct Likelihoods {
    bool interrupted = false;
    std::vector<double> value;
};

// Memory is a small multiple of the rows, whatever the number of levels or the size of the sets.
Independence test_independence(const CodesView& codes, const SetsView& questions, Divergence divergence,
                               const std::function<bool()>& interrupted);
Likelihoods log_likelihoods(const CodesView& codes, const SetsView& families, const std::function<bool()>& interrupted);

}  // namespace secondlook
