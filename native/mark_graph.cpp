#include "mark_graph.hpp"

#include <algorithm>

namespace secondlook {

MarkGraph::MarkGraph(const Pairs& edges, int d) : start_(static_cast<std::size_t>(d) + 1, 0) {
    for (std::size_t e = 0; e < edges.size(); ++e) ++start_[edges.first[e] + 1], ++start_[edges.second[e] + 1];
    for (int u = 0; u < d; ++u) start_[u + 1] += start_[u];
    other_.resize(start_[d]), twin_.resize(start_[d]), out_.resize(start_[d]), edge_.resize(start_[d]);
    std::vector<int> next(start_.begin(), start_.end() - 1), lower(edges.size());
    const auto put = [&](int u, int v, std::size_t e) {
        const int at = next[u]++;
        other_[at] = v, out_[at] = edges.alphas[e], edge_[at] = static_cast<std::uint32_t>(e);
        return at;
    };
    // Lower neighbours fill the front of every list before upper ones follow, so lists are sorted.
    for (std::size_t e = 0; e < edges.size(); ++e) lower[e] = put(edges.second[e], edges.first[e], e);
    for (std::size_t e = 0; e < edges.size(); ++e) {
        const int upper = put(edges.first[e], edges.second[e], e);
        twin_[upper] = lower[e], twin_[lower[e]] = upper;
    }
}

Pairs MarkedEdges::pairs() const {
    Pairs all;
    for (std::size_t e = 0; e < count; ++e) all.add(first[e], second[e], forward[e] | backward[e]);
    return all;
}

MarkGraph::MarkGraph(const MarkedEdges& edges, int d) : MarkGraph(edges.pairs(), d) {
    for (int u = 0; u < d; ++u)
        for (int e = start_[u]; e < start_[u + 1]; ++e) out_[e] = (u < other_[e] ? edges.forward : edges.backward)[edge_[e]];
}

int MarkGraph::entry(int u, int v) const {
    const auto begin = other_.begin() + start_[u], end = other_.begin() + start_[u + 1];
    const auto found = std::lower_bound(begin, end, v);
    return found != end && *found == v ? static_cast<int>(found - other_.begin()) : -1;
}

Mask MarkGraph::adjacent(int u, int v) const {
    const int found = degree(u) < degree(v) ? entry(u, v) : entry(v, u);
    return found < 0 ? 0 : present(found);
}

void AmbiguousTriples::seal() {
    std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) { return a.key < b.key; });
}

AmbiguousTriples AmbiguousTriples::renamed(const std::int32_t* names) const {
    constexpr std::uint64_t kLast = (std::uint64_t{1} << 21) - 1;
    AmbiguousTriples out;
    for (const Entry& entry : entries_)
        out.add(names[entry.key >> 21 & kLast], names[entry.key >> 42], names[entry.key & kLast], entry.alphas);
    out.seal();
    return out;
}

Mask AmbiguousTriples::at(int a, int b, int c) const {
    const std::uint64_t wanted = key(a, b, c);
    auto found = std::lower_bound(entries_.begin(), entries_.end(), wanted,
                                  [](const Entry& entry, std::uint64_t k) { return entry.key < k; });
    Mask alphas = 0;
    for (; found != entries_.end() && found->key == wanted; ++found) alphas |= found->alphas;
    return alphas;
}

namespace {

struct Listed {
    int a, b;
    int entry;  // of b in the list of a
    Mask alphas;
};

// Ordered pairs (a, b) with b outer and a inner, both ascending, and the alphas at which they are `wanted`.
template <class Wanted>
void list(const MarkGraph& graph, Wanted wanted, std::vector<Listed>& pairs) {
    pairs.clear();
    for (int b = 0; b < graph.d(); ++b)
        for (int e = graph.begin(b); e < graph.end(b); ++e)
            if (const Mask alphas = wanted(graph.twin(e))) pairs.push_back({graph.other(e), b, graph.twin(e), alphas});
}

// R1: a -> b - c with a and c not adjacent gives b -> c.
Mask rule_1(MarkGraph& graph, const AmbiguousTriples& ambiguous, Mask within, std::vector<Listed>& pairs) {
    Mask changed = 0;
    list(graph, [&](int e) { return graph.directed(e) & within; }, pairs);
    Mask open = 0;  // where b has lines left
    for (std::size_t p = 0; p < pairs.size(); ++p) {
        const auto& [a, b, unused, listed] = pairs[p];
        if (p == 0 || pairs[p - 1].b != b) {
            open = 0;
            for (int e = graph.begin(b); e < graph.end(b); ++e) open |= graph.undirected(e);
        }
        if (!(listed & open)) continue;
        for (int e = graph.begin(b); e < graph.end(b); ++e) {
            const int c = graph.other(e);
            Mask alphas = listed & graph.undirected(e);
            if (!alphas || c == a) continue;
            alphas &= ~graph.adjacent(a, c);
            if (alphas) alphas &= ~ambiguous.at(a, b, c);
            graph.direct(e, alphas);
            changed |= alphas;
        }
    }
    return changed;
}

// R2: a -> c -> b and a - b gives a -> b.
Mask rule_2(MarkGraph& graph, Mask within, std::vector<Listed>& pairs) {
    Mask changed = 0;
    list(graph, [&](int e) { return graph.undirected(e) & within; }, pairs);
    for (const auto& [a, b, entry, listed] : pairs) {
        Mask applies = 0;
        for (int e = graph.begin(a); e < graph.end(a) && applies != listed; ++e) {
            const Mask first = graph.directed(e) & listed & ~applies;
            if (!first) continue;
            const int onward = graph.entry(graph.other(e), b);
            if (onward >= 0) applies |= first & graph.directed(onward);
        }
        changed |= applies & ~graph.directed(entry);
        graph.direct(entry, applies);
    }
    return changed;
}

// R3: a - c -> b, a - e -> b with c and e not adjacent, and a - b, gives a -> b.
Mask rule_3(MarkGraph& graph, const AmbiguousTriples& ambiguous, Mask within, std::vector<Listed>& pairs) {
    struct Middle {
        int node;
        Mask alphas;
    };
    Mask changed = 0;
    std::vector<Middle> middles;
    list(graph, [&](int e) { return graph.undirected(e) & within; }, pairs);
    for (const auto& [a, b, entry, listed] : pairs) {
        middles.clear();
        for (int e = graph.begin(a); e < graph.end(a); ++e) {
            const Mask first = graph.undirected(e) & listed;
            if (!first || e == entry) continue;
            const int onward = graph.entry(graph.other(e), b);
            const Mask both = onward < 0 ? 0 : first & graph.directed(onward);
            if (both) middles.push_back({graph.other(e), both});
        }
        Mask applies = 0;
        for (std::size_t c = 0; c < middles.size(); ++c)
            for (std::size_t e = c + 1; e < middles.size(); ++e) {
                Mask alphas = middles[c].alphas & middles[e].alphas & ~applies;
                if (alphas) alphas &= ~graph.adjacent(middles[c].node, middles[e].node);
                if (alphas) alphas &= ~ambiguous.at(middles[c].node, a, middles[e].node);
                applies |= alphas;
            }
        changed |= applies & ~graph.directed(entry);
        graph.direct(entry, applies);
    }
    return changed;
}

}  // namespace

void meek(MarkGraph& graph, const AmbiguousTriples& ambiguous) {
    std::vector<Listed> pairs;
    // An alpha at which a round changed nothing is done: no alpha sees another.
    for (Mask within = ~Mask{0}; within;) {
        Mask changed = rule_1(graph, ambiguous, within, pairs);
        changed |= rule_2(graph, within, pairs);
        changed |= rule_3(graph, ambiguous, within, pairs);
        within = changed;
    }
}

}  // namespace secondlook
