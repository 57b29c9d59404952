// One row of a level: every conditioning set of one size drawn from a row's candidates, against all its targets.
//
// The sets are walked in lexicographic order as a prefix tree. Each prefix holds the residual covariances of what is still needed given the prefix; one more
// member costs a rank-1 update, and at the last member a test of i and j given the set costs a handful of
// flops, for all targets j at once and for all alphas at once.
#pragma once
#include <cstdint>
#include <functional>
#include <vector>

#include "kernels.hpp"
#include "masks.hpp"
#include "progress.hpp"

namespace secondlook {

struct CorrelationView {
    const double* values;  // d x d, row by row, symmetric, unit diagonal
    int d;
    const double* row(int i) const { return values + static_cast<std::size_t>(i) * d; }
    // Whether the matrix is so far beyond every cache that fetching a row takes longer than a few tests.
    bool is_far() const { return d >= 2048; }
    // Has a row brought near while other work goes on: worth it where most of it will be read, here and there.
    void fetch(int i) const {
        for (int s = 0; s < d; s += 8) __builtin_prefetch(row(i) + s, 0, 2);
    }
};

// What row i asks: which candidates may condition at which alphas, which pairs (i, j) are open at which alphas.
struct Row {
    int i = 0;
    const std::int32_t* candidates = nullptr;  // ascending
    const Mask* candidate_alphas = nullptr;
    int n_candidates = 0;
    const std::int32_t* targets = nullptr;
    Mask* open = nullptr;  // updated: alphas still asking about (i, target)
    int n_targets = 0;
};

class Listener {
public:
    virtual ~Listener() = default;
    // (i, target) is independent given `set` at these alphas; returns those that need not ask any more.
    virtual Mask independent(const Row& row, int target_index, Mask alphas, const std::int32_t* set, int size) = 0;
    // These variables (a set, with i or a target) are collinear: nothing was decided.
    virtual void untestable(const std::int32_t* set, int size, int with) = 0;
};

class Sweeper {
public:
    Sweeper(CorrelationView correlation, const Kernels& kernels) : c_(correlation), kernels_(kernels) {}
    void sweep(const Row& row, int level, const Bounds& bounds, Listener& listener, Meter& meter);
    // The same for a row whose candidates and targets are those of the sweep before, all targets still open.
    void sweep_again(const Row& row, int level, const Bounds& bounds, Listener& listener, Meter& meter);
    // Level 1 of several rows together, pair by pair: the way for rows with many candidates.
    void sweep_block(const Row* rows, int count, const Bounds& bounds, Listener& listener, Meter& meter);

private:
    // A row at level 1: its conditioning variables as the kernel wants them.
    struct FirstLevel {
        int count = 0;
        std::vector<Singles> blocks;
        std::vector<Mask> alphas;
    };
    struct Meeting {
        std::int32_t row, target;
    };

    void begin(int level, const Bounds& bounds, Listener& listener, Meter& meter);
    void load(FirstLevel& state, const Row& row);
    void ask_pair(const FirstLevel& state, const Row& row, int target);
    void prepare_tree(const Row& row, int level, const Bounds& bounds, Listener& listener, Meter& meter);
    void make_room();
    void load_root(int from);
    void settle_hits(const SetQuestion& question, const double* row_s, const double* row_p, double factor,
                     const double* r_it, const double* r_tt, int hits);
    // A hit is independent at some of the alphas that ask, or untestable. True when no alpha asks any more.
    bool settle(int slot, const SetQuestion& question, double r_sj, double r_jj, double r_ij);

    CorrelationView c_;
    const Kernels& kernels_;
    const Row* row_ = nullptr;
    const Bounds* bounds_ = nullptr;
    Listener* listener_ = nullptr;
    Meter* meter_ = nullptr;
    int level_ = 0;
    std::vector<std::int32_t> set_;
    std::vector<FirstLevel> first_;
    std::vector<Meeting> meetings_;
    std::vector<std::int32_t> place_;
    // The prefix tree and its room, one slab per depth.
    PrefixTree tree_{};
    std::vector<PrefixTree::Node> nodes_;
    std::vector<std::vector<double>> slabs_;
    std::vector<std::int32_t> positions_, own_, candidate_, slot_, hits_;
    std::vector<double> bound_;
    std::vector<std::int64_t> flags_;
    int live_ = 0;
};

double choose(double n, double k);  // binomial coefficient, as an estimate

}  // namespace secondlook
