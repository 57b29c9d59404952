// PC again with conditioning sets drawn from the parents just found, for every alpha in one pass.
#pragma once
#include "skeleton.hpp"

namespace secondlook {

// The edges of a first look with the marks its orientation gave them.
struct MarkedEdges {
    const std::int32_t *first, *second;
    const Mask *forward, *backward;  // alphas with a mark first -> second, second -> first
    std::size_t count;
};

// Candidates are parents and undirected neighbours. Only pairs removed by a non-empty set, all of them in
// `removed`, are asked again: an edge of the first look cannot fall, since every set that may ask about it was
// asked before, and what was independent given nothing still is.
Look second_look(Problem& problem, const MarkedEdges& first, const SepsetsView& removed);

}  // namespace secondlook
