// Consistent extensions (Dor and Tarsi 1992): a DAG with a graph's skeleton, arrows and v-structures, if there is one.
#pragma once
#include "likelihood.hpp"
#include "mark_graph.hpp"

namespace secondlook {

struct Extension {
    Dag dag;
    bool consistent = true;  // false: no DAG keeps every arrow without a new v-structure, so this one does not
};

// Takes away one sink after the other: no arrow leaves it, and its undirected neighbours are adjacent to all that is
// adjacent to it. Without such a one, what has fewest outgoing arrows, then violations, then the lowest index.
Extension extend(const MarkGraph& graph, int alpha);

}  // namespace secondlook
