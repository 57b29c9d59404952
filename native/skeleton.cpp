#include "skeleton.hpp"

#include <algorithm>
#include <numeric>

namespace secondlook {

namespace {

// Level 0: which alphas call i and j dependent. Rows are counted, then filled, so that threads share no list.
Outcome marginal(Problem& problem, Pairs& edges, Report& report) {
    const CorrelationView& c = problem.correlation;
    const Bounds bounds = problem.fisher.at(0);
    const Mask all = bounds.count == kMaxAlphas ? ~Mask{0} : (Mask{1} << bounds.count) - 1;
    const double tightest = bounds.squared[bounds.count - 1];
    std::vector<std::size_t> start(static_cast<std::size_t>(c.d) + 1, 0);
    const double tests = 0.5 * c.d * (c.d - 1.0);
    report.tests.assign(1, 0);
    if (problem.control.max_tests > 0.0 && tests > problem.control.max_tests) {
        report.estimate = tests;
        return Outcome::over_budget;
    }
    problem.control.tests = 0;
    const auto count = [&](int i, int, Meter& meter) {
        const double* r = c.row(i);
        std::size_t found = 0;
        for (int j = i + 1; j < c.d; ++j) found += r[j] * r[j] > tightest ? 1 : 0;
        start[i + 1] = found;
        meter.count(c.d - 1 - i);
    };
    Outcome outcome = run_rows(c.d, tests, problem.control, count);
    if (outcome != Outcome::done) return outcome;
    report.tests.assign(1, problem.control.tests);
    std::partial_sum(start.begin(), start.end(), start.begin());
    edges.first.resize(start[c.d]), edges.second.resize(start[c.d]), edges.alphas.resize(start[c.d]);
    const auto fill = [&](int i, int, Meter&) {
        const double* r = c.row(i);
        std::size_t at = start[i];
        // Which pairs are dependent cannot be predicted, so j is written down first and kept by counting on.
        for (int j = i + 1; j < c.d && at < start[i + 1]; ++j) {
            edges.second[at] = j;
            at += r[j] * r[j] > tightest ? 1 : 0;
        }
        for (std::size_t e = start[i]; e < start[i + 1]; ++e) {
            const double r_ij = r[edges.second[e]];
            edges.first[e] = i, edges.alphas[e] = all & ~bounds.independent(all, r_ij * r_ij, 1.0);
        }
    };
    return run_rows(c.d, tests, problem.control, fill);
}

struct NeighboursNow : LevelSource {
    NeighboursNow(const Pairs& edges, int d) : LevelSource(3), edges(edges), d(d) {}
    const Candidates& candidates() override { return rows = neighbours(edges, d); }
    const Pairs& edges;
    int d;
    Candidates rows;
};

}  // namespace

Look first_look(Problem& problem) {
    Look look;
    look.report.outcome = marginal(problem, look.edges, look.report);
    if (look.report.outcome != Outcome::done) return look;
    NeighboursNow source(look.edges, problem.correlation.d);
    const std::vector<std::int32_t> first = look.edges.first, second = look.edges.second;
    Places places{first.data(), second.data(), std::vector<Mask>(first.size()), std::vector<std::int32_t>(first.size()), {}};
    std::vector<Sepsets> others = sweep_levels(problem, look.edges, source, 1, look.report, &places);
    if (look.report.outcome != Outcome::done) return look;
    look.report.outcome = merge(places, others, problem.correlation.d, problem.control, look.sepsets);
    return look;
}

}  // namespace secondlook
