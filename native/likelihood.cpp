#include "likelihood.hpp"

#include <cmath>
#include <limits>

namespace secondlook {

double Likelihood::log_left(int v, const std::vector<std::int32_t>& parents) const {
    const int m = static_cast<int>(parents.size());
    if (!(score_.n > m + 1.0)) return std::numeric_limits<double>::infinity();
    std::vector<std::int32_t> family(parents);
    family.push_back(v);
    std::vector<double> rest(static_cast<std::size_t>(m + 1) * (m + 1));
    for (int a = 0; a <= m; ++a)
        for (int b = 0; b <= m; ++b) rest[a * (m + 1) + b] = score_.correlation.row(family[a])[family[b]];
    for (int p = 0; p < m; ++p) {
        const double* row_p = rest.data() + static_cast<std::size_t>(p) * (m + 1);
        if (!(row_p[p] > kPivotFloor)) return std::numeric_limits<double>::infinity();
        for (int a = p + 1; a <= m; ++a) {
            double* row_a = rest.data() + static_cast<std::size_t>(a) * (m + 1);
            const double share = row_a[p] / row_p[p];
            for (int b = p + 1; b <= m; ++b) row_a[b] -= share * row_p[b];
        }
    }
    const double left = rest.back();
    return left > kPivotFloor ? std::log(left) : std::numeric_limits<double>::infinity();
}

double Likelihood::of(const Dag& parents) {
    double fit = 0.0, edges = 0.0;
    std::vector<std::int32_t> key;
    for (std::size_t v = 0; v < parents.size(); ++v) {
        if (parents[v].empty()) continue;  // all of its unit variance is left
        key.assign(1, static_cast<std::int32_t>(v));
        key.insert(key.end(), parents[v].begin(), parents[v].end());
        const auto [at, is_new] = known_.try_emplace(key, 0.0);
        if (is_new) at->second = log_left(static_cast<int>(v), parents[v]);
        fit += at->second, edges += static_cast<double>(parents[v].size());
    }
    return score_.n * fit + score_.penalty * edges;
}

}  // namespace secondlook
