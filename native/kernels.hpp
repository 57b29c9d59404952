// The innermost loops, built once per instruction set and chosen when the module starts.
// They touch plain arrays only: nothing here may be shared between builds by the linker.
#pragma once
#include <cstdint>

#include "masks.hpp"

namespace secondlook {

// One conditioning set P + {s}, s its last member. All r are residual covariances given P.
struct SetQuestion {
    double r_ss;   // of s
    double r_is;   // of i and s
    double var_i;  // r_ii * r_ss - r_is^2
    double bound;  // loosest squared bound among the alphas that know this set
    Mask alphas;   // those alphas
};

// One pair i, j against many single conditioning variables s at once.
struct PairQuestion {
    double r_ij;
    double bound;         // loosest squared bound among the alphas that ask about the pair
    const double* row_j;  // of the correlation matrix
};

// Sixteen conditioning variables of row i side by side, so that a pair reads one short stretch of memory.
struct Singles {
    static constexpr int kLanes = 16;
    double r_is[kLanes];    // correlation with i
    std::int32_t id[kLanes];
};

// Level 2 and up: the conditioning sets of one row as a tree of prefixes, in lexicographic order.
struct PrefixTree {
    // Residual covariances given a prefix, one record per length of the prefix. Rows belong to candidates c,
    // columns to candidates (r_cc, upper part only) or to targets t (r_ct).
    struct Node {
        Mask alphas;
        double r_ii;
        double *r_ic, *r_cc, *r_ct, *r_it, *r_tt;
    };

    int level, n_c;
    int n_t;      // targets, padded to whole vectors with ones that are never hit
    int live;     // targets that still ask; the caller counts them down
    const Mask* alphas;         // of the candidates
    const std::int32_t* own;    // a candidate's position among the targets, or -1
    const double* squared;      // bounds by alpha
    double* bound;              // per target: loosest bound among the alphas that still ask
    Node* nodes;                // [0, level): the root is filled by the caller
    std::int32_t* set;          // positions of the members among the candidates
    std::int64_t* flags;        // room for n_t
    std::int32_t* hits;         // room for n_t positions, and one more

    // What the walker tells its caller.
    void* caller;
    // These targets are independent given the set, or untestable; r_sj = row_s[t] - factor * row_p[t].
    void (*settle)(void* caller, const SetQuestion& question, const double* row_s, const double* row_p, double factor,
                   const double* r_it, const double* r_tt, int hits);
    void (*untestable)(void* caller, int size, bool with_i);  // the first `size` members, maybe with i
    void (*counted)(void* caller, std::int64_t tests);
    void (*expect)(void* caller, int candidates, int members);  // this much may follow below the current prefix
};

// A target that must never be hit: no bound reaches it and its variance looks sound.
constexpr double kNever = -1.0;
constexpr double kSound = 1e9;

struct Kernels {
    // Level 1: the first block in [from, count) with variables that separate i and j, or cannot be tested, or
    // are j itself, and which lanes these are; count when there is none.
    int (*first_singles)(const PairQuestion& question, const Singles* blocks, int from, int count, std::uint32_t& lanes);
    // Walks all sets whose first member is at position `from` or later. Returns early, with the position to go
    // on from, when most targets have stopped asking and the root is worth packing anew.
    int (*walk)(PrefixTree& tree, int from);
    const char* name;
};

// The fastest build this machine runs, or the named one ("baseline", "avx2"); null when it cannot be run.
const Kernels* find_kernels(const char* name);

}  // namespace secondlook
