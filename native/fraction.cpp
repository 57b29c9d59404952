#include "fraction.hpp"

#include <cmath>

namespace secondlook {

namespace {

using Wide = __int128;

Wide gcd(Wide a, Wide b) {
    while (b) {
        const Wide rest = a % b;
        a = b;
        b = rest;
    }
    return a < 0 ? -a : a;
}

}  // namespace

double FractionSum::value() const {
    double sum = 0.0;
    for (const auto& [denominator, numerator] : terms_)
        sum += static_cast<double>(numerator) / static_cast<double>(denominator);
    return sum;
}

int FractionSum::sign() const {
    Wide top = 0, bottom = 1;
    for (const auto& [denominator, numerator] : terms_) {
        if (numerator == 0) continue;
        const Wide common = gcd(bottom, denominator);
        Wide left, right, sum, wider;
        if (__builtin_mul_overflow(top, denominator / common, &left) ||
            __builtin_mul_overflow(static_cast<Wide>(numerator), bottom / common, &right) ||
            __builtin_add_overflow(left, right, &sum) ||
            __builtin_mul_overflow(bottom, denominator / common, &wider)) {
            const double approximate = value();
            return std::abs(approximate) < 1e-12 ? 0 : (approximate > 0.0 ? 1 : -1);
        }
        const Wide shared = sum == 0 ? wider : gcd(sum, wider);
        top = sum / shared;
        bottom = wider / shared;
    }
    return top == 0 ? 0 : (top > 0 ? 1 : -1);
}

}  // namespace secondlook
