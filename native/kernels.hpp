// The innermost loops, built once per instruction set and chosen when the module starts.
// They touch plain arrays only: nothing here may be shared between builds by the linker.
#pragma once
#include <cstdint>

namespace secondlook {

// One conditioning set P + {s} against many targets j at once. All r are residual covariances given P.
struct SetQuestion {
    double r_ss;   // of the last member s
    double r_is;   // of i and s
    double var_i;  // r_ii * r_ss - r_is^2
    double bound;  // loosest squared bound among the alphas that know this set
};

// One pair i, j against many single conditioning variables s at once.
struct PairQuestion {
    double r_ij;
    double bound;         // loosest squared bound among the alphas that ask about the pair
    const double* row_j;  // of the correlation matrix
};

// The conditioning variables of row i, side by side: which, their correlation with i, what i keeps of its
// variance given each, and the loosest squared bound among the alphas that know each.
struct Singles {
    const std::int32_t* id;
    const double *r_is, *var_i, *bound;
};

struct Kernels {
    // Level 1: the first position in [from, count) whose variable separates i and j, or cannot be tested, or
    // is j itself; count when there is none.
    int (*first_single)(const PairQuestion& question, const Singles& singles, int from, int count);
    // Level 2 and up: r_sj is formed on the way from two rows of the parent prefix.
    int (*deeper)(const SetQuestion& question, const double* row_s, const double* row_p, double factor,
                  const double* r_ij, const double* r_jj, const double* bounds, int count, std::int32_t* hits);
    // out = row - factor * pivot_row.
    void (*eliminate)(double* out, const double* row, const double* pivot_row, double factor, int count);
    const char* name;
};

// The fastest build this machine runs, or the named one ("baseline", "avx2"); null when it cannot be run.
const Kernels* find_kernels(const char* name);

}  // namespace secondlook
