#include "sweep.hpp"

#include <algorithm>
#include <cmath>

namespace secondlook {

namespace {
// A target that is in the conditioning set must never be hit: no bound reaches it and its variance looks sound.
constexpr double kNever = -1.0;
constexpr double kSound = 1e9;
// What a core keeps close of the correlation matrix at level 1.
constexpr int kCachedDoubles = 1 << 15;
}  // namespace

double choose(double n, double k) {
    if (k > n) return 0.0;
    double ways = 1.0;
    for (double step = 1.0; step <= k; ++step) ways *= (n - k + step) / step;
    return ways;
}

void Sweeper::begin(int level, const Bounds& bounds, Listener& listener, Meter& meter) {
    bounds_ = &bounds, listener_ = &listener, meter_ = &meter, level_ = level;
    set_.resize(level);
}

void Sweeper::sweep(const Row& row, int level, const Bounds& bounds, Listener& listener, Meter& meter) {
    if (level == 1) return sweep_block(&row, 1, bounds, listener, meter);
    begin(level, bounds, listener, meter);
    row_ = &row;
    if (nodes_.size() < static_cast<std::size_t>(level - 1)) nodes_.resize(level - 1);
    load_root(nodes_[0]);
    walk(0);
}

bool Sweeper::pivots_hold(double r_ss, double var_i) {
    if (r_ss > kPivotFloor && var_i > kPivotFloor * r_ss) return true;
    listener_->untestable(set_.data(), level_, r_ss > kPivotFloor ? row_->i : -1);
    return false;
}

bool Sweeper::settle(int slot, const SetQuestion& question, double r_sj, double r_jj, double r_ij) {
    Mask& open = row_->open[slot];
    const Mask asking = open & set_alphas_;
    if (!asking) return false;
    const double var_j = r_jj * question.r_ss - r_sj * r_sj;
    if (var_j <= kPivotFloor * question.r_ss) {
        listener_->untestable(set_.data(), level_, row_->targets[slot]);
        return false;
    }
    const double numerator = r_ij * question.r_ss - question.r_is * r_sj;
    const Mask found = bounds_->independent(asking, numerator * numerator, question.var_i * var_j);
    if (!found) return false;
    open &= ~listener_->independent(*row_, slot, found, set_.data(), level_);
    return !open;
}

// ---- level 1: every pair walks the conditioning variables in order, until no alpha asks any more ----

void Sweeper::sweep_block(const Row* rows, int count, const Bounds& bounds, Listener& listener, Meter& meter) {
    begin(1, bounds, listener, meter);
    if (first_.size() < static_cast<std::size_t>(count)) first_.resize(count);
    for (int r = 0; r < count; ++r) load(first_[r], rows[r]);
    if (count == 1) {
        for (int t = 0; t < rows->n_targets; ++t) ask_pair(first_[0], *rows, t);
        return;
    }
    // A tile of the matrix's rows stays in cache while every row of the block meets its targets there.
    const int tile = std::max(1, kCachedDoubles / c_.d);
    for (int begin = 0; begin < c_.d; begin += tile)
        for (int r = 0; r < count; ++r) {
            int& next = first_[r].next;
            while (next < rows[r].n_targets && rows[r].targets[next] < begin + tile) ask_pair(first_[r], rows[r], next++);
        }
}

void Sweeper::load(FirstLevel& state, const Row& row) {
    const double* row_i = c_.row(row.i);
    row_ = &row;
    state.next = state.count = 0;
    if (state.id.size() < static_cast<std::size_t>(row.n_candidates)) {
        const std::size_t size = row.n_candidates;
        state.id.resize(size), state.alphas.resize(size), state.r_is.resize(size);
        state.var_i.resize(size), state.bound.resize(size);
    }
    for (int c = 0; c < row.n_candidates; ++c) {
        const int s = set_[0] = row.candidates[c], at = state.count;
        const double r_is = row_i[s], var_i = 1.0 - r_is * r_is;
        if (!pivots_hold(1.0, var_i)) continue;
        state.id[at] = s, state.alphas[at] = row.candidate_alphas[c];
        state.r_is[at] = r_is, state.var_i[at] = var_i;
        state.bound[at] = bounds_->loosest(row.candidate_alphas[c]);
        ++state.count;
    }
}

void Sweeper::ask_pair(const FirstLevel& state, const Row& row, int target) {
    if (!row.open[target]) return;
    row_ = &row;
    const int j = row.targets[target], count = state.count;
    const Singles singles{state.id.data(), state.r_is.data(), state.var_i.data(), state.bound.data()};
    PairQuestion pair{c_.row(row.i)[j], bounds_->loosest(row.open[target]), c_.row(j)};
    int c = 0;
    for (; c < count; ++c) {
        c = kernels_.first_single(pair, singles, c, count);
        if (c == count) break;
        if (state.id[c] == j) continue;
        set_[0] = state.id[c], set_alphas_ = state.alphas[c];
        const SetQuestion question{1.0, state.r_is[c], state.var_i[c], state.bound[c]};
        if (settle(target, question, pair.row_j[state.id[c]], 1.0, pair.r_ij)) break;
        pair.bound = bounds_->loosest(row.open[target]);
    }
    meter_->count(std::min(c + 1, count));
}

// ---- level 2 and up: a tree of prefixes ----

void Sweeper::Node::reserve(int candidates, int targets) {
    const auto grow = [](auto& values, std::size_t size) {
        if (values.size() < size) values.resize(size);
    };
    const std::size_t c = candidates, t = targets;
    grow(candidate, c), grow(own, c), grow(candidate_alphas, c), grow(r_ic, c), grow(r_cc, c * c), grow(r_ct, c * t);
    grow(slot, t), grow(r_it, t), grow(r_tt, t), grow(bound, t);
}

void Sweeper::load_root(Node& root) {
    const double* row_i = c_.row(row_->i);
    root.reserve(row_->n_candidates, row_->n_targets);
    const auto grow = [](auto& values, std::size_t size) {
        if (values.size() < size) values.resize(size);
    };
    grow(hits_, row_->n_targets), grow(r_it_, row_->n_targets), grow(r_tt_, row_->n_targets);
    grow(kept_t_, row_->n_targets), grow(place_, row_->n_targets);
    grow(kept_c_, row_->n_candidates), grow(factor_, row_->n_candidates);
    root.alphas = ~Mask{0}, root.r_ii = 1.0, root.n_c = row_->n_candidates, root.n_t = 0;
    for (int t = 0; t < row_->n_targets; ++t) {
        if (!row_->open[t]) continue;
        const int at = root.n_t++;
        root.slot[at] = t, root.r_tt[at] = 1.0;
        root.r_it[at] = row_i[row_->targets[t]], root.bound[at] = bounds_->loosest(row_->open[t]);
    }
    root.live = root.n_t;
    // Both lists ascend, so one walk finds the targets that are candidates themselves.
    for (int c = 0, t = 0; c < root.n_c; ++c) {
        const int id = root.candidate[c] = row_->candidates[c];
        root.candidate_alphas[c] = row_->candidate_alphas[c];
        while (t < root.n_t && row_->targets[root.slot[t]] < id) ++t;
        root.own[c] = t < root.n_t && row_->targets[root.slot[t]] == id ? t : -1;
        root.r_ic[c] = row_i[id];
        const double* row_c = c_.row(id);
        double* r_cc = root.r_cc.data() + static_cast<std::size_t>(c) * root.n_c;
        double* r_ct = root.r_ct.data() + static_cast<std::size_t>(c) * root.n_t;
        for (int other = c; other < root.n_c; ++other) r_cc[other] = row_c[row_->candidates[other]];
        for (int target = 0; target < root.n_t; ++target) r_ct[target] = row_c[row_->targets[root.slot[target]]];
    }
}

// Chooses the next member of the set, in order, with `level - depth` members still to come.
void Sweeper::walk(int depth) {
    Node& node = nodes_[depth];
    const int to_come = level_ - depth;
    for (int p = 0; p + to_come <= node.n_c && node.live > 0; ++p) {
        if (p > 0 && node.n_c > 16) meter_->expect(choose(node.n_c - p, to_come) * node.live);
        set_[depth] = node.candidate[p];
        const double r_pp = node.r_cc[static_cast<std::size_t>(p) * node.n_c + p];
        if (!(r_pp > kPivotFloor)) {
            listener_->untestable(set_.data(), depth + 1, -1);
            continue;
        }
        if (to_come == 2) {
            last_two(node, p);
            if (depth == 0 && node.live * 2 < node.n_t) load_root(node);
        } else if (extend(node, p, nodes_[depth + 1])) {
            walk(depth + 1);
            node.live = 0;
            for (int t = 0; t < node.n_t; ++t) node.live += (row_->open[node.slot[t]] & node.alphas) != 0;
        }
    }
}

// Conditions on candidate p: what is left of the node, or false when no set can follow.
bool Sweeper::extend(const Node& node, int p, Node& child) {
    const int depth = static_cast<int>(&node - nodes_.data());
    const double* cc_p = node.r_cc.data() + static_cast<std::size_t>(p) * node.n_c;
    const double* ct_p = node.r_ct.data() + static_cast<std::size_t>(p) * node.n_t;
    const double per_variance = 1.0 / cc_p[p], share = node.r_ic[p] * per_variance;
    child.alphas = node.candidate_alphas[p];
    child.r_ii = node.r_ii - share * node.r_ic[p];
    if (!(child.r_ii > kPivotFloor)) {
        listener_->untestable(set_.data(), depth + 1, row_->i);
        return false;
    }
    int n_c = 0, n_t = 0;
    for (int s = p + 1; s < node.n_c; ++s)
        if (node.candidate_alphas[s] & child.alphas) kept_c_[n_c++] = s;
    if (n_c < level_ - depth - 1) return false;
    for (int t = 0; t < node.n_t; ++t) {
        place_[t] = -1;
        if (t == node.own[p] || !(row_->open[node.slot[t]] & child.alphas)) continue;
        place_[t] = n_t;
        kept_t_[n_t++] = t;
    }
    if (n_t == 0) return false;
    child.n_c = n_c, child.n_t = child.live = n_t;
    child.reserve(n_c, n_t);
    for (int at = 0; at < n_t; ++at) {
        const int t = kept_t_[at];
        child.slot[at] = node.slot[t];
        child.bound[at] = bounds_->loosest(row_->open[node.slot[t]] & child.alphas);
        child.r_it[at] = node.r_it[t] - share * ct_p[t];
        child.r_tt[at] = node.r_tt[t] - ct_p[t] * (ct_p[t] * per_variance);
    }
    for (int at = 0; at < n_c; ++at) {
        const int s = kept_c_[at];
        const double factor = cc_p[s] * per_variance;
        child.candidate[at] = node.candidate[s];
        child.candidate_alphas[at] = node.candidate_alphas[s] & child.alphas;
        child.own[at] = node.own[s] < 0 ? -1 : place_[node.own[s]];
        child.r_ic[at] = node.r_ic[s] - share * cc_p[s];
        const double* cc_s = node.r_cc.data() + static_cast<std::size_t>(s) * node.n_c;
        const double* ct_s = node.r_ct.data() + static_cast<std::size_t>(s) * node.n_t;
        double* r_cc = child.r_cc.data() + static_cast<std::size_t>(at) * n_c;
        double* r_ct = child.r_ct.data() + static_cast<std::size_t>(at) * n_t;
        for (int other = at; other < n_c; ++other) r_cc[other] = cc_s[kept_c_[other]] - factor * cc_p[kept_c_[other]];
        for (int t = 0; t < n_t; ++t) r_ct[t] = ct_s[kept_t_[t]] - factor * ct_p[kept_t_[t]];
    }
    return true;
}

// Candidate p and every later s end the set. The covariances given p are never stored, only formed on the way.
void Sweeper::last_two(Node& node, int p) {
    const double* cc_p = node.r_cc.data() + static_cast<std::size_t>(p) * node.n_c;
    const double* ct_p = node.r_ct.data() + static_cast<std::size_t>(p) * node.n_t;
    const double per_variance = 1.0 / cc_p[p], share = node.r_ic[p] * per_variance;
    const double r_ii = node.r_ii - share * node.r_ic[p];
    if (!(r_ii > kPivotFloor)) return listener_->untestable(set_.data(), level_ - 1, row_->i);
    for (int t = 0; t < node.n_t; ++t) {
        r_it_[t] = node.r_it[t] - share * ct_p[t];
        r_tt_[t] = node.r_tt[t] - ct_p[t] * (ct_p[t] * per_variance);
    }
    const int own_p = node.own[p];
    const double bound_p = own_p < 0 ? 0.0 : node.bound[own_p];
    if (own_p >= 0) node.bound[own_p] = kNever, r_tt_[own_p] = kSound;
    for (int s = p + 1; s < node.n_c && node.live > 0; ++s) {
        set_alphas_ = node.candidate_alphas[p] & node.candidate_alphas[s];
        if (!set_alphas_) continue;
        set_[level_ - 1] = node.candidate[s];
        const double factor = cc_p[s] * per_variance;
        const double r_ss = node.r_cc[static_cast<std::size_t>(s) * node.n_c + s] - factor * cc_p[s];
        const double r_is = node.r_ic[s] - share * cc_p[s];
        const SetQuestion question{r_ss, r_is, r_ii * r_ss - r_is * r_is, bounds_->loosest(set_alphas_)};
        if (!pivots_hold(r_ss, question.var_i)) continue;
        const int own_s = node.own[s];
        const double bound_s = own_s < 0 ? 0.0 : node.bound[own_s], tt_s = own_s < 0 ? 0.0 : r_tt_[own_s];
        if (own_s >= 0) node.bound[own_s] = kNever, r_tt_[own_s] = kSound;
        const double* ct_s = node.r_ct.data() + static_cast<std::size_t>(s) * node.n_t;
        const int found = kernels_.deeper(question, ct_s, ct_p, factor, r_it_.data(), r_tt_.data(),
                                          node.bound.data(), node.n_t, hits_.data());
        meter_->count(node.n_t);
        if (own_s >= 0) node.bound[own_s] = bound_s, r_tt_[own_s] = tt_s;
        for (int h = 0; h < found; ++h) {
            const int at = hits_[h];
            const Mask before = row_->open[node.slot[at]] & node.alphas;
            settle(node.slot[at], question, ct_s[at] - factor * ct_p[at], r_tt_[at], r_it_[at]);
            const Mask after = row_->open[node.slot[at]] & node.alphas;
            node.bound[at] = bounds_->loosest(after);
            if (before && !after) --node.live;
        }
    }
    if (own_p >= 0) node.bound[own_p] = bound_p;
}

}  // namespace secondlook
