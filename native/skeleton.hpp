// PC-stable's skeleton and separating sets for every alpha in one pass, and the second look at them.
#pragma once
#include "level.hpp"

namespace secondlook {

struct Look {
    Pairs edges;  // the union over alphas; a pair's alphas say whose graph still has it
    Sepsets sepsets;
    Report report;
};

Look first_look(Problem& problem);

// The edges of a first look with the marks its orientation gave them.
struct MarkedEdges {
    const std::int32_t *first, *second;
    const Mask *forward, *backward;  // alphas with a mark first -> second, second -> first
    std::size_t count;
};

// Reruns PC with conditioning sets drawn from the parents (and undirected neighbours) just found. Only pairs
// removed by a non-empty set, all of them in `removed`, are asked again: an edge of the first look cannot fall,
// since every set that may ask about it was asked before, and what was independent given nothing still is.
Look second_look(Problem& problem, const MarkedEdges& first, const Sepsets& removed);

}  // namespace secondlook
