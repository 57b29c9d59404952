// From a skeleton and what is known of its unshielded triples to a graph, for every alpha: the raw rules.
// They promise what the literature and SPEC promise, not a valid graph: a cycle can come out of conflicts.
#pragma once
#include "level.hpp"
#include "votes.hpp"

namespace secondlook {

enum class Rule { overwrite, first, majority, conservative, vote };

// An edge whose two ends were both asked to carry an arrowhead.
struct Conflict {
    std::int32_t alpha, x, y;
    double toward_y, toward_x;  // support for x -> y and for y -> x: sums of weights, or numbers of colliders
};

struct Oriented {
    std::vector<Mask> forward, backward;  // per edge: alphas with a mark first -> second, second -> first
    std::vector<Conflict> conflicts;
};

// What a rule may look at: separating sets (overwrite, first) or votes (the others).
struct Evidence {
    const SepsetsView* sepsets = nullptr;
    const Triples* triples = nullptr;
    const std::uint32_t *separating = nullptr, *containing = nullptr;  // per triple and alpha of its mask
};

Oriented orient(const Pairs& edges, int d, Rule rule, const Evidence& evidence);

}  // namespace secondlook
