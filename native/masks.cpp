#include "masks.hpp"

#include <cmath>

namespace secondlook {

namespace {
// Correlations are clipped here before atanh; a bound beyond it calls everything independent.
constexpr double kClip = 0.9999999;
constexpr double kEverything = 1e30;
}  // namespace

Bounds FisherBounds::at(int level) const {
    Bounds bounds;
    bounds.count = count_;
    const double scale = std::sqrt(n_ - level - 3.0);
    for (int a = 0; a < count_; ++a) {
        const double t = std::tanh(critical_[a] / scale);
        bounds.squared[a] = t >= kClip ? kEverything : t * t;
    }
    return bounds;
}

}  // namespace secondlook
