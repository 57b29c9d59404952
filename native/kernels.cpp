// Compiled once per instruction set: SECONDLOOK_ISA names the build.
#include "kernels.hpp"

#include "masks.hpp"

namespace secondlook {
namespace SECONDLOOK_ISA {
namespace {

int first_singles(const PairQuestion& question, const Singles* blocks, int from, int count, std::uint32_t& lanes) {
    const double r_ij = question.r_ij, pair_bound = question.bound;
    const double* const row_j = question.row_j;
    std::int64_t found[Singles::kLanes];
    for (int b = from; b < count; ++b) {
        const Singles& block = blocks[b];
        const auto hit = [&](int k) {
            const double r_js = row_j[block.id[k]];
            const double numerator = r_ij - block.r_is[k] * r_js;
            const double var_i = 1.0 - block.r_is[k] * block.r_is[k], var_j = 1.0 - r_js * r_js;
            return (numerator * numerator <= pair_bound * (var_i * var_j)) | (var_j <= kPivotFloor);
        };
        std::int64_t any = 0;
        for (int k = 0; k < Singles::kLanes; ++k) {
            found[k] = hit(k) ? 1 : 0;
            any |= found[k];
        }
        if (!any) continue;
        lanes = 0;
        for (int k = 0; k < Singles::kLanes; ++k) lanes |= static_cast<std::uint32_t>(found[k]) << k;
        return b;
    }
    return count;
}

// The targets, of which there are whole vectors, that are independent given the set or cannot be tested.
inline int find_hits(const SetQuestion& question, const double* row_s, const double* row_p, double factor,
                     const double* r_it, const double* r_tt, const double* bound, int count, std::int64_t* flags, std::int32_t* hits) {
    const double r_ss = question.r_ss, r_is = question.r_is, var_i = question.var_i, set_bound = question.bound;
    if (count % 4 != 0) __builtin_unreachable();  // whole vectors
    const auto hit = [=](int t) {
        const double r_st = row_s[t] - factor * row_p[t];
        const double numerator = r_it[t] * r_ss - r_is * r_st;
        const double var_t = r_tt[t] * r_ss - r_st * r_st;
        const double loosest = bound[t] < set_bound ? bound[t] : set_bound;
        return (numerator * numerator <= loosest * (var_i * var_t)) | (var_t <= kPivotFloor * r_ss);
    };
    // Flags cost next to nothing beside the arithmetic; only one look at all of them together can branch.
    std::int64_t any = 0;
#pragma GCC ivdep
    for (int t = 0; t < count; ++t) {
        const std::int64_t flag = hit(t) ? 1 : 0;
        flags[t] = flag;
        any |= flag;
    }
    if (!any) return 0;
    int n_hits = 0;
    for (int t = 0; t < count; ++t) {
        hits[n_hits] = t;
        n_hits += static_cast<int>(flags[t]);
    }
    return n_hits;
}

double bound_of(const PrefixTree& tree, Mask alphas) { return tree.squared[lowest(alphas)]; }

// What is left of i and of the targets given p: shared by inner nodes and by the last two members.
void condition(const PrefixTree& tree, const PrefixTree::Node& node, int p, double per_variance, PrefixTree::Node& child) {
    const double* ct_p = node.r_ct + static_cast<std::int64_t>(p) * tree.n_t;
    const double share = node.r_ic[p] * per_variance;
    const int n_t = tree.n_t;
    if (n_t % 4 != 0) __builtin_unreachable();  // whole vectors
#pragma GCC ivdep
    for (int t = 0; t < n_t; ++t) {
        child.r_it[t] = node.r_it[t] - share * ct_p[t];
        child.r_tt[t] = node.r_tt[t] - ct_p[t] * (ct_p[t] * per_variance);
    }
    if (tree.own[p] >= 0) child.r_tt[tree.own[p]] = kSound;
}

// Candidate p and every later s end the set. Covariances given p are not stored, only formed on the way.
void last_two(PrefixTree& tree, const PrefixTree::Node& node, int p, PrefixTree::Node& child) {
    const int n_c = tree.n_c, n_t = tree.n_t, size = tree.level;
    const double* cc_p = node.r_cc + static_cast<std::int64_t>(p) * n_c;
    const double* ct_p = node.r_ct + static_cast<std::int64_t>(p) * n_t;
    const double per_variance = 1.0 / cc_p[p], share = node.r_ic[p] * per_variance;
    std::int64_t tests = 0;
    for (int s = p + 1; s < n_c && tree.live > 0; ++s) {
        const Mask alphas = child.alphas & tree.alphas[s];
        if (!alphas) continue;
        tree.set[size - 1] = s;
        const double factor = cc_p[s] * per_variance;
        const double r_ss = node.r_cc[static_cast<std::int64_t>(s) * n_c + s] - factor * cc_p[s];
        const double r_is = node.r_ic[s] - share * cc_p[s];
        const SetQuestion question{r_ss, r_is, child.r_ii * r_ss - r_is * r_is, bound_of(tree, alphas), alphas};
        if (!(r_ss > kPivotFloor) || !(question.var_i > kPivotFloor * r_ss)) {
            tree.untestable(tree.caller, size, r_ss > kPivotFloor);
            continue;
        }
        const int own = tree.own[s];
        const double own_bound = own < 0 ? 0.0 : tree.bound[own], own_tt = own < 0 ? 0.0 : child.r_tt[own];
        if (own >= 0) tree.bound[own] = kNever, child.r_tt[own] = kSound;
        const double* ct_s = node.r_ct + static_cast<std::int64_t>(s) * n_t;
        const int found = find_hits(question, ct_s, ct_p, factor, child.r_it, child.r_tt, tree.bound, n_t, tree.flags, tree.hits);
        tests += tree.live;
        if (own >= 0) tree.bound[own] = own_bound, child.r_tt[own] = own_tt;
        if (found) tree.settle(tree.caller, question, ct_s, ct_p, factor, child.r_it, child.r_tt, found);
    }
    tree.counted(tree.caller, tests);
}

// Residual covariances of the later candidates given p.
void extend(const PrefixTree& tree, const PrefixTree::Node& node, int p, PrefixTree::Node& child) {
    const std::int64_t n_c = tree.n_c, n_t = tree.n_t;
    const double* cc_p = node.r_cc + p * n_c;
    const double* ct_p = node.r_ct + p * n_t;
    const double per_variance = 1.0 / cc_p[p], share = node.r_ic[p] * per_variance;
    if (n_t % 4 != 0) __builtin_unreachable();  // whole vectors
    for (std::int64_t s = p + 1; s < n_c; ++s) {
        const double factor = cc_p[s] * per_variance;
        const double *cc_s = node.r_cc + s * n_c, *ct_s = node.r_ct + s * n_t;
        double *cc_out = child.r_cc + s * n_c, *ct_out = child.r_ct + s * n_t;
        child.r_ic[s] = node.r_ic[s] - share * cc_p[s];
        // Depths lie in slabs of their own, so nothing overlaps.
#pragma GCC ivdep
        for (std::int64_t c = s; c < n_c; ++c) cc_out[c] = cc_s[c] - factor * cc_p[c];
#pragma GCC ivdep
        for (std::int64_t t = 0; t < n_t; ++t) ct_out[t] = ct_s[t] - factor * ct_p[t];
    }
}

// Chooses the next member from position `from` on, with `level - depth` members still to come.
int walk_from(PrefixTree& tree, int depth, int from) {
    const PrefixTree::Node& node = tree.nodes[depth];
    PrefixTree::Node& child = tree.nodes[depth + 1];
    const int to_come = tree.level - depth, n_c = tree.n_c;
    for (int p = from; p + to_come <= n_c && tree.live > 0; ++p) {
        child.alphas = node.alphas & tree.alphas[p];
        if (!child.alphas) continue;
        if (p > from && n_c > 16 && to_come > 2) tree.expect(tree.caller, n_c - p, to_come);
        tree.set[depth] = p;
        const double r_pp = node.r_cc[static_cast<std::int64_t>(p) * n_c + p];
        child.r_ii = node.r_ii - node.r_ic[p] * (node.r_ic[p] / r_pp);
        if (!(r_pp > kPivotFloor) || !(child.r_ii > kPivotFloor)) {
            tree.untestable(tree.caller, depth + 1, r_pp > kPivotFloor);
            continue;
        }
        const int own = tree.own[p];
        const double own_bound = own < 0 ? 0.0 : tree.bound[own];
        if (own >= 0) tree.bound[own] = kNever;
        condition(tree, node, p, 1.0 / r_pp, child);
        if (to_come == 2) {
            last_two(tree, node, p, child);
        } else {
            extend(tree, node, p, child);
            walk_from(tree, depth + 1, p + 1);
        }
        if (own >= 0) tree.bound[own] = own_bound;
        if (depth == 0 && tree.live * 2 < tree.n_t - 3) return p + 1;
    }
    return n_c;
}

// Sets of one member: nothing is eliminated.
int walk_singles(PrefixTree& tree, int from) {
    const PrefixTree::Node& root = tree.nodes[0];
    std::int64_t tests = 0;
    int s = from;
    for (; s < tree.n_c && tree.live * 2 >= tree.n_t - 3; ++s) {
        if (!tree.alphas[s]) continue;
        const double r_is = root.r_ic[s];
        const SetQuestion question{1.0, r_is, 1.0 - r_is * r_is, bound_of(tree, tree.alphas[s]), tree.alphas[s]};
        tree.set[0] = s;
        if (question.var_i > kPivotFloor) {
            const int own = tree.own[s];
            const double own_bound = own < 0 ? 0.0 : tree.bound[own];
            if (own >= 0) tree.bound[own] = kNever, root.r_tt[own] = kSound;
            const double* ct_s = root.r_ct + static_cast<std::int64_t>(s) * tree.n_t;
            const int found = find_hits(question, ct_s, ct_s, 0.0, root.r_it, root.r_tt, tree.bound, tree.n_t, tree.flags, tree.hits);
            tests += tree.live;
            if (own >= 0) tree.bound[own] = own_bound, root.r_tt[own] = 1.0;
            if (found) tree.settle(tree.caller, question, ct_s, ct_s, 0.0, root.r_it, root.r_tt, found);
        } else {
            tree.untestable(tree.caller, 1, true);
        }
    }
    tree.counted(tree.caller, tests);
    return s;
}

int walk(PrefixTree& tree, int from) { return tree.level == 1 ? walk_singles(tree, from) : walk_from(tree, 0, from); }

}  // namespace

extern const Kernels table;
const Kernels table = {first_singles, walk, SECONDLOOK_ISA_NAME};

}  // namespace SECONDLOOK_ISA
}  // namespace secondlook
