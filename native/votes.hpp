// What the conditioning sets say about every unshielded triple x - y - z, counted for all alphas.
#pragma once
#include "level.hpp"
#include "mark_graph.hpp"

namespace secondlook {

struct Triples {
    std::vector<std::int32_t> x, y, z;  // x < z, sorted by (y, x, z)
    std::vector<Mask> alphas;           // where x - y - z is unshielded

    std::size_t size() const { return alphas.size(); }
};

Triples unshielded_triples(const MarkGraph& graph);

// How large the voting sets may be. What a limit cut off is reported per alpha, never silent.
struct VoteLimits {
    int max_size;         // of a set, as the rule has it; -1 for any size
    int max_level;        // what the search allows; -1 for any size
    double max_sets;      // one neighbourhood offers no more sets than this: beyond, only smaller sizes
    double max_questions; // one alpha asks no more than this: beyond, all neighbourhoods use smaller sizes
};

struct Votes {
    Triples triples;
    // One number per triple and alpha of its mask, in order: sets that separate x and z, and those that hold y.
    std::vector<std::uint32_t> separating, containing;
    // Per alpha: the largest size used by a neighbourhood below what the rule asks for (-1: nothing was cut off),
    // and by how many neighbourhoods.
    std::vector<std::int32_t> held_to, held_variables;
    Report report;
};

// The largest set size of every neighbourhood at every alpha, after both limits: size[i * n_alphas + alpha].
struct VotingSizes {
    std::vector<std::int32_t> size;
    std::vector<std::int32_t> held_to, held_variables;  // as in Votes
};

VotingSizes voting_sizes(const MarkGraph& graph, int n_alphas, const VoteLimits& limits);

// Collects all sets S within adj(x) and all within adj(z) that separate x and z; a set within both counts twice.
Votes vote(Problem& problem, const Pairs& edges, const VoteLimits& limits);

}  // namespace secondlook
