// Which parents a variable takes from any set of predecessors: grown one by one by the best gain, then shrunk.
// Sets that lead to the same first steps share them, so each step is computed once for all orders that take it.
#pragma once
#include <cstdint>
#include <utility>
#include <vector>

#include "likelihood.hpp"

namespace secondlook {

class ParentTree {
public:
    ParentTree(const FamilyScore& score, int variable);

    // The node where growing ends when `available(z)` says who may be a parent.
    template <class Available>
    int grow(Available available) {
        int at = 0;
        for (;;) {
            const std::size_t b = first_branch(at, available);
            if (b == nodes_[at].branches.size()) return at;
            at = nodes_[at].branches[b].node < 0 ? descend(at, b) : nodes_[at].branches[b].node;
        }
    }
    // Whether growing that ended at this leaf took z.
    bool takes(int leaf, int z) const;
    // Whether it would have gone another way with z available too.
    bool prefers(int leaf, int z) const;

    double score(int leaf) { return shrunk(leaf).score; }
    const std::vector<std::int32_t>& parents(int leaf) { return shrunk(leaf).parents; }

private:
    struct Branch {
        std::int32_t variable;
        std::int32_t node;  // -1 until somebody goes there
        double left;        // residual variance there
    };
    struct Node {
        std::int32_t parent, variable, rank;  // the node before, what was added to it, which of its branches this is
        double left;                          // residual variance of the tree's variable
        bool expanded, shrunk;
        std::vector<double> factor;           // what `variable` has in common with every z beyond the members before
        std::vector<Branch> branches;         // those that gain, best first
        std::vector<std::pair<std::int32_t, std::int32_t>> ranks;  // (variable, branch), by variable
        double score;
        std::vector<std::int32_t> parents;
    };

    template <class Available>
    std::size_t first_branch(int at, Available available) {
        if (!nodes_[at].expanded) expand(at);
        const std::vector<Branch>& branches = nodes_[at].branches;
        std::size_t b = 0;
        while (b < branches.size() && !available(branches[b].variable)) ++b;
        return b;
    }
    void expand(int node);
    int descend(int node, std::size_t branch);
    const Node& shrunk(int node);
    std::vector<int> path(int node) const;  // from the first member to the last
    int rank(int node, int z) const;        // of z's branch, or -1

    FamilyScore score_;
    int v_;
    std::vector<Node> nodes_;
};

}  // namespace secondlook
