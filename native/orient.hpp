// From a skeleton and what is known of its unshielded triples to a graph, for every alpha: the raw rules.
// They promise what the literature and SPEC promise, not a valid graph: a cycle can come out of conflicts.
#pragma once
#include "level.hpp"
#include "votes.hpp"

namespace secondlook {

enum class Rule { overwrite, first, majority, conservative, vote };

// Edges whose two ends were both asked to carry an arrowhead. Hubs have millions.
struct Conflicts {
    std::vector<std::int32_t> where;  // alpha, x, y of each in turn
    std::vector<double> support;      // for x -> y and for y -> x: sums of weights, or numbers of colliders

    void reserve(std::size_t conflicts) { where.reserve(3 * conflicts), support.reserve(2 * conflicts); }
    void add(std::int32_t alpha, std::int32_t x, std::int32_t y, double toward_y, double toward_x) {
        for (const std::int32_t number : {alpha, x, y}) where.push_back(number);
        for (const double weight : {toward_y, toward_x}) support.push_back(weight);
    }
};

struct Marks {
    std::vector<Mask> forward, backward;  // per edge: alphas with a mark first -> second, second -> first
};

struct Oriented {
    Marks marks;
    Conflicts conflicts;
    Outcome outcome = Outcome::done;
};

// What a rule may look at: separating sets (overwrite, first) or votes (the others).
struct Evidence {
    const SepsetsView* sepsets = nullptr;
    const Triples* triples = nullptr;
    const std::uint32_t *separating = nullptr, *containing = nullptr;  // per triple and alpha of its mask
    // The order in which Meek's rules go through the variables, which matters where they conflict; null for the
    // column order.
    const std::int32_t* rank = nullptr;
};

Oriented orient(const Pairs& edges, int d, Rule rule, const Evidence& evidence, Control& control);

}  // namespace secondlook
