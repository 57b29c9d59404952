// The graphs of all alphas at once as sorted adjacency lists. An entry is v in the list of u; its mask says at
// which alphas there is a mark u -> v. A mark one way only is an arrow, marks both ways are an undirected edge.
#pragma once
#include <cstdint>
#include <vector>

#include "level.hpp"

namespace secondlook {

// Edges with the alphas at which there is a mark first -> second, and second -> first.
struct MarkedEdges {
    const std::int32_t *first, *second;
    const Mask *forward, *backward;
    std::size_t count;

    Pairs pairs() const;  // with the alphas of either mark
};

class MarkGraph {
public:
    MarkGraph(const Pairs& edges, int d);  // everything undirected
    MarkGraph(const MarkedEdges& edges, int d);

    int d() const { return static_cast<int>(start_.size()) - 1; }
    int begin(int u) const { return start_[u]; }
    int end(int u) const { return start_[u + 1]; }
    int degree(int u) const { return start_[u + 1] - start_[u]; }
    int other(int entry) const { return other_[entry]; }
    int twin(int entry) const { return twin_[entry]; }
    std::size_t edge(int entry) const { return edge_[entry]; }  // position in the pairs the graph was made from
    int entry(int u, int v) const;  // -1 when adjacent at no alpha
    Mask adjacent(int u, int v) const;

    Mask out(int entry) const { return out_[entry]; }
    Mask present(int entry) const { return out_[entry] | out_[twin_[entry]]; }
    Mask directed(int entry) const { return out_[entry] & ~out_[twin_[entry]]; }   // u -> v
    Mask undirected(int entry) const { return out_[entry] & out_[twin_[entry]]; }  // u - v
    void direct(int entry, Mask alphas) { out_[entry] |= alphas, out_[twin_[entry]] &= ~alphas; }  // now u -> v

private:
    std::vector<int> start_, other_, twin_;
    std::vector<Mask> out_;
    std::vector<std::uint32_t> edge_;
};

// One variable's adjacencies spread out over all variables, so that asking about a pair is one look-up.
class Near {
public:
    explicit Near(const MarkGraph& graph) : graph_(graph), adjacent_(graph.d(), 0) {}
    void look_from(int x) {
        if (x_ >= 0)
            for (int e = graph_.begin(x_); e < graph_.end(x_); ++e) adjacent_[graph_.other(e)] = 0;
        for (int e = graph_.begin(x); e < graph_.end(x); ++e) adjacent_[graph_.other(e)] = graph_.present(e);
        x_ = x;
    }
    Mask adjacent(int z) const { return adjacent_[z]; }
    // Where x - y - z is unshielded, for entries (y, x) and (y, z) of y's list and the x looked from.
    Mask unshielded(int entry_x, int entry_z) const {
        return graph_.present(entry_x) & graph_.present(entry_z) & ~adjacent_[graph_.other(entry_z)];
    }

private:
    const MarkGraph& graph_;
    std::vector<Mask> adjacent_;
    int x_ = -1;
};

// The alphas at which the middle of a triple a - b - c is undecided: Meek's rules leave it alone there.
class AmbiguousTriples {
public:
    void add(int a, int b, int c, Mask alphas) { entries_.push_back({key(a, b, c), alphas}); }
    void seal();
    AmbiguousTriples renamed(const std::int32_t* names) const;
    Mask at(int a, int b, int c) const;

private:
    struct Entry {
        std::uint64_t key;
        Mask alphas;
    };
    static std::uint64_t key(std::uint64_t a, std::uint64_t b, std::uint64_t c) {
        return a < c ? b << 42 | a << 21 | c : b << 42 | c << 21 | a;  // up to two million variables
    }
    std::vector<Entry> entries_;
};

// Meek's rules 1-3 in the fixed order of SPEC 2: each rule lists its candidates first, then applies them one by
// one; rules 2 and 3 do not look again whether a listed pair is still undirected. No alpha sees another.
void meek(MarkGraph& graph, const AmbiguousTriples& ambiguous);

}  // namespace secondlook
