// Best-order search: which order of the variables, each taking the best parents among those before it, gives the DAG
// of the smallest score? One variable at a time moves to its best place, until no single move gains.
#pragma once
#include <cstdint>
#include <vector>

#include "parent_tree.hpp"
#include "progress.hpp"

namespace secondlook {

struct OrderResult {
    Dag dag;
    double score = 0.0;
    Outcome outcome = Outcome::done;
};

class OrderSearch {
public:
    OrderSearch(const FamilyScore& score, Control& control);
    // Starts from an order that fits the DAG. What one search learnt of families serves the next.
    OrderResult improve(const Dag& start);

private:
    void take(std::vector<std::int32_t> order);
    bool move(int v);
    void try_places(int v);
    void put(int v, int place);
    int grown(int w, int limit, int v, bool with_v);

    FamilyScore score_;
    Control& control_;
    std::vector<ParentTree> trees_;
    std::vector<std::int32_t> order_, place_;
    std::vector<int> leaf_;                 // of each variable's tree, for those before it
    std::vector<int> own_, without_, with_; // leaves: of v at each place; of each other one without and with v before
};

}  // namespace secondlook
