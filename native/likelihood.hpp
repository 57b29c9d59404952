// How well DAGs fit Gaussian data: n times the log residual variances of their families, plus a penalty per parent.
#pragma once
#include <cstdint>
#include <map>
#include <vector>

#include "sweep.hpp"

namespace secondlook {

// A family's score is n * log(residual variance) + penalty per parent; small is good.
struct FamilyScore {
    CorrelationView correlation;
    double n;
    double penalty;
};

// Parents by variable, ascending.
using Dag = std::vector<std::vector<std::int32_t>>;

// Scores of many DAGs over the same data; a family met again is not computed again.
class Likelihood {
public:
    explicit Likelihood(const FamilyScore& score) : score_(score) {}
    // Infinite where a family has as many parents as rows less one, or is collinear.
    double of(const Dag& dag);

private:
    double log_left(int v, const std::vector<std::int32_t>& parents) const;

    FamilyScore score_;
    std::map<std::vector<std::int32_t>, double> known_;  // by variable and parents
};

}  // namespace secondlook
