#include "order_search.hpp"

#include <algorithm>
#include <functional>
#include <queue>

namespace secondlook {

namespace {

// Parents before children; of those that could come next the lowest index.
std::vector<std::int32_t> topological_order(const Dag& dag) {
    const int d = static_cast<int>(dag.size());
    std::vector<std::vector<std::int32_t>> children(d);
    std::vector<int> waiting(d);
    std::priority_queue<int, std::vector<int>, std::greater<int>> ready;
    for (int v = 0; v < d; ++v) {
        for (const std::int32_t p : dag[v]) children[p].push_back(v);
        waiting[v] = static_cast<int>(dag[v].size());
        if (!waiting[v]) ready.push(v);
    }
    std::vector<std::int32_t> order;
    while (!ready.empty()) {
        order.push_back(ready.top());
        ready.pop();
        for (const std::int32_t c : children[order.back()])
            if (!--waiting[c]) ready.push(c);
    }
    return order;
}

// A move has to gain this much, so that rounding cannot make the search go round in circles.
constexpr double kLeastGain = 1e-9;
}  // namespace

OrderSearch::OrderSearch(const FamilyScore& score, Control& control)
    : score_(score), control_(control), place_(score.correlation.d), leaf_(score.correlation.d), own_(score.correlation.d),
      without_(score.correlation.d), with_(score.correlation.d) {
    trees_.reserve(score.correlation.d);
    for (int v = 0; v < score.correlation.d; ++v) trees_.emplace_back(score, v);
}

// Where w's tree ends for those at places before `limit`, v left out or put in.
int OrderSearch::grown(int w, int limit, int v, bool with_v) {
    return trees_[w].grow([&](int z) { return z == v ? with_v : place_[z] < limit; });
}

void OrderSearch::take(std::vector<std::int32_t> order) {
    order_ = std::move(order);
    for (std::size_t k = 0; k < order_.size(); ++k) place_[order_[k]] = static_cast<int>(k);
    for (const std::int32_t w : order_) leaf_[w] = grown(w, place_[w], -1, false);
}

// The leaves that all places of v would lead to. Most variables neither take v nor would: they keep their leaf.
void OrderSearch::try_places(int v) {
    const int d = static_cast<int>(order_.size()), here = place_[v];
    int place = 0, leaf = grown(v, 0, -1, false);
    own_[0] = leaf;
    for (int k = 0; k < d; ++k) {
        const int w = order_[k];
        if (w == v) continue;
        const bool before = here < k;
        without_[w] = before && trees_[w].takes(leaf_[w], v) ? grown(w, k, v, false) : leaf_[w];
        with_[w] = !before && trees_[w].prefers(leaf_[w], v) ? grown(w, k, v, true) : leaf_[w];
        if (trees_[v].prefers(leaf, w)) leaf = grown(v, k + 1, v, false);
        own_[++place] = leaf;
    }
}

void OrderSearch::put(int v, int place) {
    order_.erase(order_.begin() + place_[v]);
    order_.insert(order_.begin() + place, v);
    for (std::size_t k = 0; k < order_.size(); ++k) place_[order_[k]] = static_cast<int>(k);
    for (const std::int32_t w : order_) leaf_[w] = w == v ? own_[place] : (place_[w] < place ? without_[w] : with_[w]);
}

// Moves v to its best place, the first of equals; false when that gains nothing.
bool OrderSearch::move(int v) {
    try_places(v);
    const int here = place_[v];
    // Scores relative to v in front of all: going behind w trades w's leaf with v for the one without.
    double score = 0.0, best = 0.0, at_here = 0.0;
    int best_place = 0, place = 0;
    for (const std::int32_t w : order_) {
        if (w == v) continue;
        if (place == here) at_here = score;
        if (without_[w] != with_[w]) score += trees_[w].score(without_[w]) - trees_[w].score(with_[w]);
        if (own_[place + 1] != own_[place]) score += trees_[v].score(own_[place + 1]) - trees_[v].score(own_[place]);
        ++place;
        if (score < best) best = score, best_place = place;
    }
    if (place == here) at_here = score;
    if (!(at_here - best > kLeastGain)) return false;
    put(v, best_place);
    return true;
}

OrderResult OrderSearch::improve(const Dag& start) {
    OrderResult result;
    const int d = static_cast<int>(start.size());
    take(topological_order(start));
    for (bool gained = true; gained;) {
        gained = false;
        for (int v = 0; v < d; ++v) gained = move(v) || gained;
        if (control_.interrupted && control_.interrupted()) {
            result.outcome = Outcome::interrupted;
            return result;
        }
    }
    result.dag.resize(d);
    for (int v = 0; v < d; ++v) {
        result.dag[v] = trees_[v].parents(leaf_[v]);
        result.score += trees_[v].score(leaf_[v]);
    }
    return result;
}

}  // namespace secondlook
