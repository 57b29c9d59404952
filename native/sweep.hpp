// One row of a level: every conditioning set of one size drawn from a row's candidates, against all its targets.
//
// The sets are walked in lexicographic order as a prefix tree. Each prefix holds the residual covariances of
// what is still needed given the prefix; one more member costs a rank-1 update, and at the last member a test
// of i and j given the set costs a handful of flops, for all targets j at once and for all alphas at once.
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
    // Level 1 of several rows together, target by target, so that one row of the matrix serves them all.
    void sweep_block(const Row* rows, int count, const Bounds& bounds, Listener& listener, Meter& meter);

private:
    // A row at level 1: its conditioning variables as the kernel wants them.
    struct FirstLevel {
        int next = 0;  // target
        int count = 0;
        std::vector<double> r_is, var_i, bound;
        std::vector<std::int32_t> id;
        std::vector<Mask> alphas;
    };
    // Residual covariances given a prefix: candidates c and targets t, each compacted to what its alphas need.
    struct Node {
        Mask alphas = 0;
        int n_c = 0, n_t = 0, live = 0;
        double r_ii = 1.0;
        std::vector<std::int32_t> candidate, own, slot;  // candidates: id, own position among targets or -1; targets: slot
        std::vector<Mask> candidate_alphas;
        std::vector<double> r_ic, r_cc, r_ct;  // n_c, n_c x n_c (upper), n_c x n_t
        std::vector<double> r_it, r_tt, bound;
        void reserve(int candidates, int targets);
    };

    void begin(int level, const Bounds& bounds, Listener& listener, Meter& meter);
    void load(FirstLevel& state, const Row& row);
    void ask_pair(const FirstLevel& state, const Row& row, int target);
    void walk(int depth);
    void last_two(Node& node, int p);
    void load_root(Node& root);
    bool extend(const Node& node, int p, Node& child);
    // A hit is independent at some of the alphas that ask, or untestable. True when no alpha asks any more.
    bool settle(int slot, const SetQuestion& question, double r_sj, double r_jj, double r_ij);
    bool pivots_hold(double r_ss, double var_i);

    CorrelationView c_;
    const Kernels& kernels_;
    const Row* row_ = nullptr;
    const Bounds* bounds_ = nullptr;
    Listener* listener_ = nullptr;
    Meter* meter_ = nullptr;
    int level_ = 0;
    Mask set_alphas_ = 0;
    std::vector<std::int32_t> set_;
    std::vector<FirstLevel> first_;
    std::vector<Node> nodes_;
    std::vector<std::int32_t> hits_, kept_c_, kept_t_, place_;
    std::vector<double> r_it_, r_tt_, factor_;
};

double choose(double n, double k);  // binomial coefficient, as an estimate

}  // namespace secondlook
