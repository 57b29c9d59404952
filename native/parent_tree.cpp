#include "parent_tree.hpp"

#include <algorithm>
#include <cmath>

namespace secondlook {

ParentTree::ParentTree(const FamilyScore& score, int variable) : score_(score), v_(variable) {
    nodes_.push_back({-1, -1, -1, 1.0, false, false, {}, {}, {}, 0.0, {}});
}

std::vector<int> ParentTree::path(int node) const {
    std::vector<int> members;
    for (; node > 0; node = nodes_[node].parent) members.push_back(node);
    std::reverse(members.begin(), members.end());
    return members;
}

bool ParentTree::takes(int leaf, int z) const {
    for (int at = leaf; at > 0; at = nodes_[at].parent)
        if (nodes_[at].variable == z) return true;
    return false;
}

int ParentTree::rank(int node, int z) const {
    const auto& ranks = nodes_[node].ranks;
    const auto found = std::lower_bound(ranks.begin(), ranks.end(), std::make_pair(z, 0));
    return found != ranks.end() && found->first == z ? found->second : -1;
}

bool ParentTree::prefers(int leaf, int z) const {
    if (rank(leaf, z) >= 0) return true;
    for (int at = leaf; at > 0; at = nodes_[at].parent) {
        const int of_z = rank(nodes_[at].parent, z);
        if (of_z >= 0 && of_z < nodes_[at].rank) return true;
    }
    return false;
}

// Residual covariances given the members follow from their factors; what then gains is listed, best first.
void ParentTree::expand(int at) {
    const int d = score_.correlation.d;
    const double* row = score_.correlation.row(v_);
    std::vector<double> covariance(row, row + d), variance(d, 1.0);
    for (const int k : path(at)) {
        const std::vector<double>& factor = nodes_[k].factor;
        const double of_v = factor[v_];
        for (int z = 0; z < d; ++z) {
            covariance[z] -= of_v * factor[z];
            variance[z] -= factor[z] * factor[z];
        }
        variance[nodes_[k].variable] = 0.0;
    }
    variance[v_] = 0.0;
    Node& node = nodes_[at];
    const double enough = node.left * std::exp(-score_.penalty / score_.n);
    for (int z = 0; z < d; ++z) {
        if (!(variance[z] > kPivotFloor)) continue;
        const double left = node.left - covariance[z] * covariance[z] / variance[z];
        if (left < enough && left > kPivotFloor) node.branches.push_back({z, -1, left});
    }
    std::sort(node.branches.begin(), node.branches.end(), [](const Branch& a, const Branch& b) { return a.left < b.left; });
    for (std::size_t b = 0; b < node.branches.size(); ++b) node.ranks.emplace_back(node.branches[b].variable, static_cast<int>(b));
    std::sort(node.ranks.begin(), node.ranks.end());
    node.expanded = true;
}

int ParentTree::descend(int at, std::size_t branch) {
    const int d = score_.correlation.d, z = nodes_[at].branches[branch].variable;
    const double* row = score_.correlation.row(z);
    std::vector<double> factor(row, row + d);
    double variance = 1.0;
    for (const int k : path(at)) {
        const std::vector<double>& earlier = nodes_[k].factor;
        const double of_z = earlier[z];
        variance -= of_z * of_z;
        for (int c = 0; c < d; ++c) factor[c] -= of_z * earlier[c];
    }
    const double scale = 1.0 / std::sqrt(variance);
    for (double& value : factor) value *= scale;
    const int child = static_cast<int>(nodes_.size());
    nodes_[at].branches[branch].node = child;
    nodes_.push_back({at, z, static_cast<int>(branch), nodes_[at].branches[branch].left, false, false, std::move(factor), {}, {}, 0.0, {}});
    return child;
}

namespace {

// The inverse of a symmetric positive definite matrix of m rows, in place.
void invert(std::vector<double>& matrix, int m) {
    for (int p = 0; p < m; ++p) {
        double* const row_p = matrix.data() + static_cast<std::size_t>(p) * m;
        const double pivot = row_p[p];
        for (int b = 0; b < m; ++b)
            if (b != p) row_p[b] /= pivot;
        for (int a = 0; a < m; ++a) {
            if (a == p) continue;
            double* const row_a = matrix.data() + static_cast<std::size_t>(a) * m;
            const double share = row_a[p];
            for (int b = 0; b < m; ++b)
                if (b != p) row_a[b] -= share * row_p[b];
            row_a[p] = -share / pivot;
        }
        row_p[p] = 1.0 / pivot;
    }
}

}  // namespace

// Takes out the parent whose loss costs least, as long as that gains.
const ParentTree::Node& ParentTree::shrunk(int leaf) {
    if (nodes_[leaf].shrunk) return nodes_[leaf];
    std::vector<std::int32_t> parents;
    for (const int k : path(leaf)) parents.push_back(nodes_[k].variable);
    double left = nodes_[leaf].left;
    std::vector<double> precision;
    while (parents.size() > 1) {
        const int k = static_cast<int>(parents.size()), m = k + 1;
        std::vector<std::int32_t> family(parents);
        family.push_back(v_);
        precision.resize(static_cast<std::size_t>(m) * m);
        for (int a = 0; a < m; ++a)
            for (int b = 0; b < m; ++b) precision[a * m + b] = score_.correlation.row(family[a])[family[b]];
        invert(precision, m);
        int least = -1;
        double best = left * std::exp(score_.penalty / score_.n);
        for (int p = 0; p < k; ++p) {
            const double shared = precision[k * m + p] * precision[k * m + p] / precision[p * m + p];
            const double without = 1.0 / (precision[k * m + k] - shared);
            if (without < best) best = without, least = p;
        }
        if (least < 0) break;
        left = best;
        parents.erase(parents.begin() + least);
    }
    Node& node = nodes_[leaf];
    std::sort(parents.begin(), parents.end());
    node.score = score_.n * std::log(left) + score_.penalty * static_cast<double>(parents.size());
    node.parents = std::move(parents);
    node.shrunk = true;
    return node;
}

}  // namespace secondlook
