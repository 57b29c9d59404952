#include "sweep.hpp"

#include <algorithm>
#include <cmath>

namespace secondlook {

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

bool Sweeper::settle(int slot, const SetQuestion& question, double r_sj, double r_jj, double r_ij) {
    Mask& open = row_->open[slot];
    const Mask asking = open & question.alphas;
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
    // Pairs are met by target, so that the target's row of the matrix is at hand for every row of the block.
    place_.assign(static_cast<std::size_t>(c_.d) + 1, 0);
    for (int r = 0; r < count; ++r)
        for (int t = 0; t < rows[r].n_targets; ++t) ++place_[rows[r].targets[t] + 1];
    for (int j = 0; j < c_.d; ++j) place_[j + 1] += place_[j];
    meetings_.resize(place_[c_.d]);
    for (int r = 0; r < count; ++r)
        for (int t = 0; t < rows[r].n_targets; ++t) meetings_[place_[rows[r].targets[t]]++] = {r, t};
    // Asking takes its time, during which the row of the target after the next pairs can be fetched.
    int ahead = -1;
    for (std::size_t m = 0; m < meetings_.size(); ++m) {
        const Row& row = rows[meetings_[m].row];
        const int target = row.targets[meetings_[m].target];
        if (target != ahead && c_.is_far() && place_[target] < static_cast<std::int32_t>(meetings_.size())) {
            const Meeting& next = meetings_[place_[target]];
            c_.fetch(rows[next.row].targets[next.target]);
        }
        ahead = target;
        ask_pair(first_[meetings_[m].row], row, meetings_[m].target);
    }
}

void Sweeper::load(FirstLevel& state, const Row& row) {
    const double* row_i = c_.row(row.i);
    row_ = &row;
    constexpr int lanes = Singles::kLanes;
    const std::size_t blocks = (row.n_candidates + lanes - 1) / lanes;
    if (state.blocks.size() < blocks) state.blocks.resize(blocks), state.alphas.resize(blocks * lanes);
    const auto put = [&](int at, std::int32_t s, double r_is) {
        state.blocks[at / lanes].id[at % lanes] = s;
        state.blocks[at / lanes].r_is[at % lanes] = r_is;
    };
    state.count = 0;
    for (int c = 0; c < row.n_candidates; ++c) {
        const int s = row.candidates[c];
        const double r_is = row_i[s];
        if (!(1.0 - r_is * r_is > kPivotFloor)) {
            set_[0] = s;
            listener_->untestable(set_.data(), 1, row.i);
            continue;
        }
        state.alphas[state.count] = row.candidate_alphas[c];
        put(state.count++, s, r_is);
    }
    for (int at = state.count; at % lanes != 0; ++at) put(at, row.i, 0.0);  // never looked at
}

void Sweeper::ask_pair(const FirstLevel& state, const Row& row, int target) {
    if (!row.open[target]) return;
    row_ = &row;
    const int j = row.targets[target], count = state.count;
    const double* row_j = c_.row(j);
    PairQuestion pair{row_j[row.i], bounds_->loosest(row.open[target]), row_j};
    const int blocks = (count + Singles::kLanes - 1) / Singles::kLanes;
    std::uint32_t lanes = 0;
    // Bounds only tighten while a pair is asked, so no lane of a block joins those that were hit.
    for (int b = kernels_.first_singles(pair, state.blocks.data(), 0, blocks, lanes); b < blocks;
         b = kernels_.first_singles(pair, state.blocks.data(), b + 1, blocks, lanes)) {
        const Singles& block = state.blocks[b];
        for (; lanes; lanes &= lanes - 1) {
            const int lane = lowest(lanes), c = b * Singles::kLanes + lane;
            set_[0] = block.id[lane];
            if (c >= count || set_[0] == j) continue;
            const double r_is = block.r_is[lane];
            const SetQuestion question{1.0, r_is, 1.0 - r_is * r_is, 0.0, state.alphas[c]};
            if (!settle(target, question, pair.row_j[set_[0]], 1.0, pair.r_ij)) continue;
            meter_->count(c + 1);
            return;
        }
        pair.bound = bounds_->loosest(row.open[target]);
    }
    meter_->count(count);
}

// ---- level 2 and up: a tree of prefixes ----

void Sweeper::prepare_tree(const Row& row, int level, const Bounds& bounds, Listener& listener, Meter& meter) {
    begin(level, bounds, listener, meter);
    row_ = &row;
    tree_.level = level, tree_.n_c = row.n_candidates, tree_.alphas = row.candidate_alphas, tree_.squared = bounds.squared;
    tree_.caller = this;
    tree_.settle = [](void* self, const SetQuestion& question, const double* row_s, const double* row_p, double factor,
                      const double* r_it, const double* r_tt, int hits) {
        static_cast<Sweeper*>(self)->settle_hits(question, row_s, row_p, factor, r_it, r_tt, hits);
    };
    tree_.untestable = [](void* self, int size, bool with_i) {
        Sweeper& own = *static_cast<Sweeper*>(self);
        for (int m = 0; m < size; ++m) own.set_[m] = own.row_->candidates[own.positions_[m]];
        own.listener_->untestable(own.set_.data(), size, with_i ? own.row_->i : -1);
    };
    tree_.counted = [](void* self, std::int64_t tests) { static_cast<Sweeper*>(self)->meter_->count(tests); };
    tree_.expect = [](void* self, int candidates, int members) {
        const Sweeper& own = *static_cast<Sweeper*>(self);
        own.meter_->expect(choose(candidates, members) * own.tree_.live);
    };
}

void Sweeper::sweep(const Row& row, int level, const Bounds& bounds, Listener& listener, Meter& meter) {
    prepare_tree(row, level, bounds, listener, meter);
    for (int from = 0; from < row.n_candidates;) {
        load_root(from);
        if (tree_.live == 0) return;
        from = kernels_.walk(tree_, from);
    }
}

void Sweeper::sweep_again(const Row& row, int level, const Bounds& bounds, Listener& listener, Meter& meter) {
    prepare_tree(row, level, bounds, listener, meter);
    make_room();
    for (int t = 0; t < live_; ++t) bound_[t] = bounds.loosest(row.open[slot_[t]]);
    kernels_.walk(tree_, 0);
}

namespace {

template <class T>
void grow(std::vector<T>& values, std::size_t size) {
    if (values.size() < size) values.resize(size);
}

}  // namespace

// One slab per depth of the tree. The last depth only holds what is left of i and of the targets.
void Sweeper::make_room() {
    const std::size_t n_c = row_->n_candidates, n_t = (live_ + 3) / 4 * 4;
    grow(positions_, level_), grow(bound_, n_t), grow(flags_, n_t), grow(hits_, n_t + 1), grow(nodes_, level_), grow(slabs_, level_);
    for (int depth = 0; depth < level_; ++depth) {
        const bool last = depth > 0 && depth + 1 == level_;
        grow(slabs_[depth], 2 * n_t + (last ? 0 : n_c + n_c * n_c + n_c * n_t));
        double* room = slabs_[depth].data();
        PrefixTree::Node& node = nodes_[depth];
        node.r_it = room, node.r_tt = room + n_t;
        node.r_ic = room + 2 * n_t, node.r_cc = node.r_ic + n_c, node.r_ct = node.r_cc + n_c * n_c;
    }
    tree_.n_t = static_cast<int>(n_t), tree_.live = live_;
    tree_.own = own_.data(), tree_.bound = bound_.data(), tree_.nodes = nodes_.data();
    tree_.set = positions_.data(), tree_.flags = flags_.data(), tree_.hits = hits_.data();
}

// Covariances straight from the matrix, for the candidates from `from` on and the targets that still ask.
void Sweeper::load_root(int from) {
    const double* row_i = c_.row(row_->i);
    const std::size_t n_c = row_->n_candidates;
    grow(slot_, row_->n_targets), grow(own_, n_c);
    live_ = 0;
    for (int t = 0; t < row_->n_targets; ++t)
        if (row_->open[t]) slot_[live_++] = t;
    make_room();
    const int live = live_;
    const std::size_t n_t = tree_.n_t;
    PrefixTree::Node& root = nodes_[0];
    root.alphas = ~Mask{0}, root.r_ii = 1.0;
    for (std::size_t t = 0; t < n_t; ++t) {
        const bool real = static_cast<int>(t) < live;
        root.r_it[t] = real ? row_i[row_->targets[slot_[t]]] : 0.0;
        root.r_tt[t] = real ? 1.0 : kSound;
        bound_[t] = real ? bounds_->loosest(row_->open[slot_[t]]) : kNever;
    }
    // Both lists ascend, so one walk finds the targets that are candidates themselves.
    candidate_.assign(live, -1);
    for (int c = 0, t = 0; c < row_->n_candidates; ++c) {
        while (t < live && row_->targets[slot_[t]] < row_->candidates[c]) ++t;
        own_[c] = t < live && row_->targets[slot_[t]] == row_->candidates[c] ? t : -1;
        if (own_[c] >= 0) candidate_[t] = c;
    }
    for (std::size_t c = from; c < n_c; ++c) {
        const double* row_c = c_.row(row_->candidates[c]);
        root.r_ic[c] = row_i[row_->candidates[c]];
        for (std::size_t other = c; other < n_c; ++other) root.r_cc[c * n_c + other] = row_c[row_->candidates[other]];
        double* r_ct = root.r_ct + c * n_t;
        // What an earlier candidate has read is near; the matrix is far.
        for (int t = 0; t < live; ++t) {
            const int k = candidate_[t];
            r_ct[t] = k >= from && k < static_cast<int>(c) ? root.r_cc[k * n_c + c] : row_c[row_->targets[slot_[t]]];
        }
        for (std::size_t t = live; t < n_t; ++t) r_ct[t] = 0.0;
    }
}

void Sweeper::settle_hits(const SetQuestion& question, const double* row_s, const double* row_p, double factor,
                          const double* r_it, const double* r_tt, int hits) {
    for (int m = 0; m < level_; ++m) set_[m] = row_->candidates[positions_[m]];
    for (int h = 0; h < hits; ++h) {
        const int t = hits_[h];
        if (!row_->open[slot_[t]]) continue;
        const bool closed = settle(slot_[t], question, row_s[t] - factor * row_p[t], r_tt[t], r_it[t]);
        bound_[t] = bounds_->loosest(row_->open[slot_[t]]);
        if (closed) --tree_.live;
    }
}

}  // namespace secondlook
