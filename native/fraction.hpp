// Sums of small fractions compared exactly, so that equal supports are equal on any machine and in any order.
#pragma once
#include <cstdint>
#include <map>

namespace secondlook {

class FractionSum {
public:
    // Adds numerator / denominator (denominator > 0).
    void add(std::int64_t numerator, std::int64_t denominator) { terms_[denominator] += numerator; }
    // -1, 0 or 1. Exact while the common denominator fits 126 bits; beyond that, a difference below 1e-12 is a tie.
    int sign() const;
    double value() const;

private:
    std::map<std::int64_t, std::int64_t> terms_;  // numerators by denominator
};

}  // namespace secondlook
