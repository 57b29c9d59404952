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
        for (int j = i + 1; j < c.d; ++j) {
            if (!(r[j] * r[j] > tightest)) continue;
            edges.first[at] = i, edges.second[at] = j;
            edges.alphas[at++] = all & ~bounds.independent(all, r[j] * r[j], 1.0);
        }
    };
    return run_rows(c.d, tests, problem.control, fill);
}

struct NeighboursNow : LevelSource {
    NeighboursNow(const Pairs& edges, int d) : edges(edges), d(d) {}
    const Candidates& candidates() override { return rows = neighbours(edges, d); }
    const Pairs& edges;
    int d;
    Candidates rows;
};

struct Fixed : LevelSource {
    const Candidates& candidates() override { return rows; }
    Candidates rows;
};

Candidates parents(const MarkedEdges& marked, int d) {
    std::vector<std::vector<std::pair<std::int32_t, Mask>>> of(d);
    for (std::size_t e = 0; e < marked.count; ++e) {
        if (marked.forward[e]) of[marked.second[e]].push_back({marked.first[e], marked.forward[e]});
        if (marked.backward[e]) of[marked.first[e]].push_back({marked.second[e], marked.backward[e]});
    }
    Candidates rows;
    rows.start.push_back(0);
    for (auto& list : of) {
        std::sort(list.begin(), list.end());
        for (const auto& [id, mask] : list) rows.id.push_back(id), rows.alphas.push_back(mask);
        rows.start.push_back(rows.id.size());
    }
    return rows;
}

// The alphas of `mask` at which all of a set are candidates of one row.
Mask offered(const Candidates& rows, int row, const std::int32_t* set, std::size_t size, Mask mask) {
    const auto begin = rows.id.begin() + rows.start[row], end = rows.id.begin() + rows.start[row + 1];
    for (std::size_t m = 0; m < size && mask; ++m) {
        const auto at = std::lower_bound(begin, end, set[m]);
        mask &= at != end && *at == set[m] ? rows.alphas[at - rows.id.begin()] : 0;
    }
    return mask;
}

// What the second look must ask anew. Where the parents of the pair's lower end hold the set that separated it,
// that set is the answer: every set that the second look asks before it was asked before it in the first look.
Pairs still_open(const Sepsets& removed, const Candidates& parents, Sepsets& confirmed) {
    Pairs open;
    for (std::size_t r = 0; r < removed.size(); ++r) {
        const int i = removed.first[r], j = removed.second[r];
        const std::int32_t* set = removed.members.data() + removed.begin[r];
        const std::size_t size = removed.begin[r + 1] - removed.begin[r];
        const Mask again = offered(parents, i, set, size, removed.alphas[r]), left = removed.alphas[r] & ~again;
        if (again) confirmed.add(i, j, again, set, static_cast<int>(size));
        if (!left) continue;
        // Records are sorted by pair, and a pair may have several.
        if (open.size() && open.first.back() == i && open.second.back() == j)
            open.alphas.back() |= left;
        else
            open.add(i, j, left);
    }
    return open;
}

// Two sorted lists as one; a pair in both keeps the alphas of both.
Pairs united(const Pairs& a, const Pairs& b) {
    Pairs all;
    std::size_t i = 0, j = 0;
    while (i < a.size() || j < b.size()) {
        const bool a_left = i < a.size(), b_left = j < b.size();
        const auto key = [](const Pairs& p, std::size_t e) { return std::make_pair(p.first[e], p.second[e]); };
        if (a_left && b_left && key(a, i) == key(b, j)) {
            all.add(a.first[i], a.second[i], a.alphas[i] | b.alphas[j]);
            ++i, ++j;
        } else if (!b_left || (a_left && key(a, i) < key(b, j))) {
            all.add(a.first[i], a.second[i], a.alphas[i]);
            ++i;
        } else {
            all.add(b.first[j], b.second[j], b.alphas[j]);
            ++j;
        }
    }
    return all;
}

}  // namespace

Look first_look(Problem& problem) {
    Look look;
    look.report.outcome = marginal(problem, look.edges, look.report);
    if (look.report.outcome != Outcome::done) return look;
    NeighboursNow source(look.edges, problem.correlation.d);
    sweep_levels(problem, look.edges, source, look.sepsets, look.report);
    return look;
}

Look second_look(Problem& problem, const MarkedEdges& first, const Sepsets& removed) {
    Look look;
    Fixed source;
    source.rows = parents(first, problem.correlation.d);
    Pairs open = still_open(removed, source.rows, look.sepsets);
    sweep_levels(problem, open, source, look.sepsets, look.report);
    Pairs kept;
    for (std::size_t e = 0; e < first.count; ++e)
        kept.add(first.first[e], first.second[e], first.forward[e] | first.backward[e]);
    look.edges = united(kept, open);
    return look;
}

}  // namespace secondlook
