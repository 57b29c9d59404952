// PC again with conditioning sets drawn from the parents just found, for every alpha in one pass.
#pragma once
#include "mark_graph.hpp"
#include "skeleton.hpp"

namespace secondlook {

// Candidates are parents and undirected neighbours. Only pairs removed by a non-empty set, all of them in
// `removed`, are asked again: an edge of the first look cannot fall, since every set that may ask about it was
// asked before, and what was independent given nothing still is.
Look second_look(Problem& problem, const MarkedEdges& first, const SepsetsView& removed);

// Asks any pairs anew, each at its alphas, with non-empty sets of parents and undirected neighbours in a graph. The
// edges of the answer are the pairs that nothing separates.
Look ask_parents(Problem& problem, Pairs open, const MarkedEdges& graph);

}  // namespace secondlook
