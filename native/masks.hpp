// Sets of alphas as bits, and what an alpha asks of a partial correlation.
#pragma once
#include <cstdint>

namespace secondlook {

// Bit a stands for the a-th alpha of the chunk, alphas ascending. One engine pass serves up to 64 of them.
using Mask = std::uint64_t;
constexpr int kMaxAlphas = 64;

// A pivot this small, relative to its variable's variance, makes a question untestable.
constexpr double kPivotFloor = 1e-8;

inline int lowest(Mask mask) { return __builtin_ctzll(mask); }

// The squared partial correlation up to which a pair counts as independent, for one size of conditioning set.
// It falls with rising alpha, so the lowest alpha of a mask has the loosest bound.
struct Bounds {
    int count = 0;
    double squared[kMaxAlphas] = {};

    double loosest(Mask mask) const { return mask ? squared[lowest(mask)] : -1.0; }

    // The alphas of `mask` at which numerator / denominator does not exceed the bound: since bounds fall, the
    // first ones. Counted without a branch, which would be mispredicted for every pair anew.
    Mask independent(Mask mask, double numerator, double denominator) const {
        int below = 0;
        if (count <= 8) {
            for (int a = 0; a < count; ++a) below += numerator <= squared[a] * denominator ? 1 : 0;
        } else {
            // Bisection; bounds beyond `count` are zero and the last step stays within the array.
            for (int step = kMaxAlphas / 2; step > 0; step /= 2)
                below += numerator <= squared[below + step - 1] * denominator && below + step <= count ? step : 0;
            below += below < count && numerator <= squared[below] * denominator ? 1 : 0;
        }
        return below == kMaxAlphas ? mask : mask & ((Mask{1} << below) - 1);
    }
};

// Fisher's z, critical value by critical value, turned into bounds on the squared partial correlation.
class FisherBounds {
public:
    FisherBounds(const double* critical, int count, double n) : critical_(critical), count_(count), n_(n) {}
    bool testable(int level) const { return n_ - level - 3.0 > 0.0; }
    Bounds at(int level) const;
    int count() const { return count_; }

private:
    const double* critical_;
    int count_;
    double n_;
};

}  // namespace secondlook
