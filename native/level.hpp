// One level of a sweep over many rows: shared by the skeleton and by the second look.
#pragma once
#include <cstdint>
#include <set>
#include <vector>

#include "masks.hpp"
#include "progress.hpp"
#include "sepsets.hpp"
#include "sweep.hpp"

namespace secondlook {

// Pairs i < j, sorted, with the alphas they concern.
struct Pairs {
    std::vector<std::int32_t> first, second;
    std::vector<Mask> alphas;

    std::size_t size() const { return alphas.size(); }
    void add(int i, int j, Mask mask);
    void reserve(std::size_t pairs) { first.reserve(pairs), second.reserve(pairs), alphas.reserve(pairs); }
    void drop_empty();
};

// For each row, the variables it may condition on, ascending, and at which alphas.
struct Candidates {
    std::vector<std::size_t> start;
    std::vector<std::int32_t> id;
    std::vector<Mask> alphas;

    int count(int i) const { return static_cast<int>(start[i + 1] - start[i]); }
};

// Candidates that are the neighbours in an undirected graph.
Candidates neighbours(const Pairs& edges, int d);

// Sets of variables found to be collinear. All are counted; the smallest ones are kept as examples.
struct Collinear {
    static constexpr std::size_t kExamples = 1000;
    std::int64_t count = 0;
    std::set<std::vector<std::int32_t>> examples;  // by first members; sizes differ
    void add(const std::int32_t* set, int size, int with);
    void append(const Collinear& other);
};

// What an engine run reports beside its graphs.
struct Report {
    std::vector<std::int64_t> tests;  // per level
    Collinear collinear;
    bool level_capped = false;  // max_level stopped a search that could have gone on
    bool rows_exhausted = false;  // too few rows to test the next level
    Outcome outcome = Outcome::done;
    std::vector<std::int32_t> hubs;  // rows that asked most, when the budget was exceeded
    double estimate = 0.0;           // tests that the refused level could have taken
};

struct Problem {
    CorrelationView correlation;
    FisherBounds fisher;
    int max_level;  // -1 for no limit
    const Kernels& kernels;
    Control& control;
};

// Who may condition on whom; asked anew at every level, after the pairs of the level before were settled.
struct LevelSource {
    explicit LevelSource(int few_fall_from) : few_fall_from(few_fall_from) {}
    virtual ~LevelSource() = default;
    virtual const Candidates& candidates() = 0;
    const int few_fall_from;  // the level from which on most pairs that ask will ask in vain
};

// Sweeps all levels from `level` on while any row can ask, closing `open` pairs as they are separated. Returns the
// separating sets that every worker found. Where `places` are given, one for every open pair, the first record of
// each pair goes there.
std::vector<Sepsets> sweep_levels(Problem& problem, Pairs& open, LevelSource& source, int level, Report& report,
                                  Places* places = nullptr);

}  // namespace secondlook
