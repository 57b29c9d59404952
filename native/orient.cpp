#include "orient.hpp"

#include <algorithm>
#include <tuple>

#include "fraction.hpp"
#include "mark_graph.hpp"

namespace secondlook {

namespace {

// Where x - y - z is unshielded and the separating set of x and z lacks y.
Mask collider(const MarkGraph& graph, const SepsetIndex& sepsets, int y, int to_x, int to_z) {
    const int x = graph.other(to_x), z = graph.other(to_z);
    Mask alphas = graph.present(to_x) & graph.present(to_z);
    if (alphas) alphas &= ~graph.adjacent(x, z);
    return alphas ? alphas & ~sepsets.containing(x, z, y) : 0;
}

// At each entry u -> v, the alphas at which some collider asks for an arrowhead at v.
using Demand = std::vector<Mask>;

void note_conflicts(const MarkGraph& graph, const Demand& demand, std::vector<Conflict>& conflicts) {
    for (int u = 0; u < graph.d(); ++u)
        for (int e = graph.begin(u); e < graph.end(u); ++e)
            if (u < graph.other(e))
                for (Mask left = demand[e] & demand[graph.twin(e)]; left; left &= left - 1)
                    conflicts.push_back({lowest(left), u, graph.other(e), 1.0, 1.0});
}

// Colliders are met with centres ascending and the last one wins, so an edge asked for at both ends points at
// its higher end: whether a collider exists is all that matters, not how many there are.
void overwrite(MarkGraph& graph, const SepsetIndex& sepsets, std::vector<Conflict>& conflicts) {
    Demand demand(graph.end(graph.d() - 1), 0);
    for (int y = 0; y < graph.d(); ++y)
        for (int to_x = graph.begin(y); to_x < graph.end(y); ++to_x)
            for (int to_z = graph.begin(y); to_z < graph.end(y); ++to_z) {
                const int in_x = graph.twin(to_x), in_z = graph.twin(to_z);
                if (!(graph.present(to_x) & ~(demand[in_x] & demand[in_z])) || to_x == to_z) continue;
                const Mask found = collider(graph, sepsets, y, to_x, to_z);
                demand[in_x] |= found;
                demand[in_z] |= found;
            }
    for (int y = 0; y < graph.d(); ++y)
        for (int to_x = graph.begin(y); to_x < graph.end(y); ++to_x) graph.direct(graph.twin(to_x), demand[graph.twin(to_x)]);
    note_conflicts(graph, demand, conflicts);
}

// The same walk, but a collider is taken only where no arrow leaves its centre yet along its own edges.
void keep_first(MarkGraph& graph, const SepsetIndex& sepsets, std::vector<Conflict>& conflicts) {
    Demand demand(graph.end(graph.d() - 1), 0);
    for (int y = 0; y < graph.d(); ++y)
        for (int to_x = graph.begin(y); to_x < graph.end(y); ++to_x)
            for (int to_z = to_x + 1; to_z < graph.end(y); ++to_z) {
                const Mask found = collider(graph, sepsets, y, to_x, to_z);
                const int in_x = graph.twin(to_x), in_z = graph.twin(to_z);
                demand[in_x] |= found;
                demand[in_z] |= found;
                const Mask free = found & graph.out(in_x) & graph.out(in_z);
                graph.direct(in_x, free);
                graph.direct(in_z, free);
            }
    note_conflicts(graph, demand, conflicts);
}

enum class Verdict { ambiguous, collider, other };

Verdict verdict(Rule rule, std::int64_t sets, std::int64_t holding) {
    if (sets == 0) return Verdict::ambiguous;
    if (rule == Rule::conservative)
        return holding == 0 ? Verdict::collider : (holding == sets ? Verdict::other : Verdict::ambiguous);
    if (2 * holding == sets) return Verdict::ambiguous;
    return 2 * holding < sets ? Verdict::collider : Verdict::other;
}

// One collider's say about the edge between a centre and x: an arrowhead at the centre.
struct Say {
    std::uint32_t edge;
    std::int32_t alpha;
    bool upward;  // the arrow points at the edge's higher end
    std::int64_t numerator, denominator;
};

void settle_edge(MarkGraph& graph, Rule rule, const Pairs& edges, const Say* begin, const Say* end, std::vector<Conflict>& conflicts) {
    FractionSum balance, up, down;
    for (const Say* say = begin; say != end; ++say) {
        (say->upward ? up : down).add(say->numerator, say->denominator);
        balance.add(say->upward ? say->numerator : -say->numerator, say->denominator);
    }
    const int low = edges.first[begin->edge], high = edges.second[begin->edge];
    const bool contested = begin->upward != (end - 1)->upward;  // sorted: downward says come first
    if (contested) conflicts.push_back({begin->alpha, low, high, up.value(), down.value()});
    // Majority and conservative triples know no weights: an edge they disagree about stays undirected.
    const int sign = contested && rule != Rule::vote ? 0 : balance.sign();
    const Mask alpha = Mask{1} << begin->alpha;
    if (sign > 0) graph.direct(graph.entry(low, high), alpha);
    if (sign < 0) graph.direct(graph.entry(high, low), alpha);
}

AmbiguousTriples by_votes(MarkGraph& graph, Rule rule, const Pairs& edges, const Evidence& evidence, std::vector<Conflict>& conflicts) {
    const Triples& triples = *evidence.triples;
    AmbiguousTriples ambiguous;
    std::vector<Say> says;
    const bool weighed = rule == Rule::vote;
    std::size_t at = 0;
    for (std::size_t t = 0; t < triples.size(); ++t) {
        const int y = triples.y[t], to_x = graph.entry(y, triples.x[t]), to_z = graph.entry(y, triples.z[t]);
        Mask undecided = 0;
        for (Mask left = triples.alphas[t]; left; left &= left - 1, ++at) {
            const std::int64_t sets = evidence.separating[at], holding = evidence.containing[at];
            const Verdict found = verdict(rule, sets, holding);
            if (found == Verdict::ambiguous) undecided |= left & -left;
            if (found != Verdict::collider) continue;
            for (const int entry : {to_x, to_z})
                says.push_back({static_cast<std::uint32_t>(graph.edge(entry)), lowest(left), graph.other(entry) < y,
                                weighed ? sets - 2 * holding : 1, weighed ? sets : 1});
        }
        if (undecided) ambiguous.add(triples.x[t], y, triples.z[t], undecided);
    }
    ambiguous.seal();
    std::sort(says.begin(), says.end(), [](const Say& a, const Say& b) {
        return std::tie(a.edge, a.alpha, a.upward, a.denominator, a.numerator) <
               std::tie(b.edge, b.alpha, b.upward, b.denominator, b.numerator);
    });
    for (std::size_t begin = 0, end; begin < says.size(); begin = end) {
        for (end = begin; end < says.size() && says[end].edge == says[begin].edge && says[end].alpha == says[begin].alpha;) ++end;
        settle_edge(graph, rule, edges, says.data() + begin, says.data() + end, conflicts);
    }
    return ambiguous;
}

}  // namespace

Oriented orient(const Pairs& edges, int d, Rule rule, const Evidence& evidence) {
    MarkGraph graph(edges, d);
    Oriented result;
    AmbiguousTriples ambiguous;
    if (rule == Rule::overwrite || rule == Rule::first) {
        const SepsetIndex sepsets(*evidence.sepsets, d);
        (rule == Rule::overwrite ? overwrite : keep_first)(graph, sepsets, result.conflicts);
    } else {
        ambiguous = by_votes(graph, rule, edges, evidence, result.conflicts);
    }
    meek(graph, ambiguous);
    result.forward.assign(edges.size(), 0);
    result.backward.assign(edges.size(), 0);
    for (int u = 0; u < d; ++u)
        for (int e = graph.begin(u); e < graph.end(u); ++e)
            (u < graph.other(e) ? result.forward : result.backward)[graph.edge(e)] = graph.out(e);
    return result;
}

}  // namespace secondlook
