#include "orient.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

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

void note_conflicts(const MarkGraph& graph, const Demand& demand, Conflicts& conflicts) {
    std::size_t count = 0;
    for (int e = 0; e < graph.end(graph.d() - 1); ++e) count += __builtin_popcountll(demand[e] & demand[graph.twin(e)]);
    conflicts.reserve(count / 2);
    for (int u = 0; u < graph.d(); ++u)
        for (int e = graph.begin(u); e < graph.end(u); ++e)
            if (u < graph.other(e))
                for (Mask left = demand[e] & demand[graph.twin(e)]; left; left &= left - 1)
                    conflicts.add(lowest(left), u, graph.other(e), 1.0, 1.0);
}

// The alphas at which a collider x -> y <- z asks for an arrowhead at y, for the variable x that both look from and
// the entry of y in its list. Nothing is directed yet, so a mark one way says that an edge is there.
Mask asked_at(const MarkGraph& graph, const Near& near, const SepsetsOf& sepsets, int to_y) {
    const int y = graph.other(to_y), from_y = graph.twin(to_y);
    const Mask wanted = graph.out(to_y);
    Mask demand = 0;
    for (int to_z = graph.begin(y); to_z < graph.end(y) && demand != wanted; ++to_z) {
        if (to_z == from_y) continue;
        const int z = graph.other(to_z);
        const Mask unshielded = wanted & graph.out(to_z) & ~near.adjacent(z) & ~demand;
        if (unshielded) demand |= unshielded & ~sepsets.containing(z, y);
    }
    return demand;
}

// Colliders are met with centres ascending and the last one wins, so an edge asked for at both ends points at
// its higher end: whether a collider exists is all that matters, not how many there are or when they are met.
Outcome overwrite(MarkGraph& graph, const SepsetIndex& sepsets, Control& control, Conflicts& conflicts) {
    struct Worker {
        Near near;
        SepsetsOf sepsets;
    };
    const int entries = graph.end(graph.d() - 1);
    Demand demand(entries, 0);
    std::vector<Worker> workers(std::max(1, control.threads), {Near(graph), SepsetsOf(sepsets, graph.d())});
    const Outcome outcome = run_rows(graph.d(), 4.0 * entries, control, [&](int x, int w, Meter&) {
        workers[w].near.look_from(x);
        workers[w].sepsets.look_from(x);
        for (int to_y = graph.begin(x); to_y < graph.end(x); ++to_y) demand[to_y] = asked_at(graph, workers[w].near, workers[w].sepsets, to_y);
    });
    if (outcome != Outcome::done) return outcome;
    for (int y = 0; y < graph.d(); ++y)
        for (int to_x = graph.begin(y); to_x < graph.end(y); ++to_x) graph.direct(graph.twin(to_x), demand[graph.twin(to_x)]);
    note_conflicts(graph, demand, conflicts);
    return outcome;
}

// Centres ascending, and a collider is taken only where no arrow leaves its centre yet along its own edges.
void keep_first(MarkGraph& graph, const SepsetIndex& sepsets, Conflicts& conflicts) {
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

// What the colliders ask of every edge at every alpha: sums of weights, or numbers of colliders.
class Support {
public:
    Support(std::size_t edges, int n_alphas) : n_alphas_(n_alphas), up_(edges * n_alphas, 0.0), down_(edges * n_alphas, 0.0) {}
    void add(std::size_t edge, int alpha, bool upward, double weight) { (upward ? up_ : down_)[edge * n_alphas_ + alpha] += weight; }
    double up(std::size_t edge, int alpha) const { return up_[edge * n_alphas_ + alpha]; }
    double down(std::size_t edge, int alpha) const { return down_[edge * n_alphas_ + alpha]; }
    // Sums of doubles cannot tell a tie from a hair's breadth; these are told apart by exact fractions.
    bool close(std::size_t edge, int alpha) const {
        return up(edge, alpha) > 0.0 && down(edge, alpha) > 0.0 && std::abs(up(edge, alpha) - down(edge, alpha)) < 1e-9;
    }

private:
    int n_alphas_;
    std::vector<double> up_, down_;  // an arrow up points at the edge's higher end
};

// Calls say(entry of y's list, alpha, numerator, denominator) for both edges of every collider, and
// undecided(triple, alphas) for every triple without a verdict.
template <class Say, class Undecided>
void tell(const MarkGraph& graph, Rule rule, const Evidence& evidence, Say say, Undecided undecided) {
    const Triples& triples = *evidence.triples;
    std::size_t at = 0;
    int ex = 0, ez = 0;
    for (std::size_t t = 0; t < triples.size(); ++t) {
        const int y = triples.y[t];
        // Triples are sorted, so both entries only ever move on.
        const bool new_centre = t == 0 || triples.y[t - 1] != y;
        if (new_centre) ex = graph.begin(y);
        if (new_centre || triples.x[t - 1] != triples.x[t]) ez = graph.begin(y);
        while (graph.other(ex) != triples.x[t]) ++ex;
        while (graph.other(ez) != triples.z[t]) ++ez;
        Mask open = 0;
        for (Mask left = triples.alphas[t]; left; left &= left - 1, ++at) {
            const std::int64_t sets = evidence.separating[at], holding = evidence.containing[at];
            const Verdict found = verdict(rule, sets, holding);
            if (found == Verdict::ambiguous) open |= left & -left;
            if (found != Verdict::collider) continue;
            for (const int entry : {ex, ez}) say(entry, lowest(left), sets - 2 * holding, sets);
        }
        if (open) undecided(t, open);
    }
}

// The sign of exact differences, for those edges and alphas where doubles are too close to call.
std::map<std::pair<std::size_t, int>, FractionSum> exact_balances(const MarkGraph& graph, Rule rule, const Evidence& evidence, const Support& support) {
    std::map<std::pair<std::size_t, int>, FractionSum> balances;
    const auto say = [&](int entry, int alpha, std::int64_t numerator, std::int64_t denominator) {
        const std::size_t edge = graph.edge(entry);
        if (!support.close(edge, alpha)) return;
        const bool upward = graph.other(entry) < graph.other(graph.twin(entry));
        balances[{edge, alpha}].add(upward ? numerator : -numerator, denominator);
    };
    tell(graph, rule, evidence, say, [](std::size_t, Mask) {});
    return balances;
}

AmbiguousTriples by_votes(MarkGraph& graph, Rule rule, const Pairs& edges, const Evidence& evidence, Conflicts& conflicts) {
    const Triples& triples = *evidence.triples;
    const bool weighed = rule == Rule::vote;
    AmbiguousTriples ambiguous;
    Mask used = 0;
    for (const Mask alphas : triples.alphas) used |= alphas;
    const int n_alphas = used ? 64 - __builtin_clzll(used) : 0;
    Support support(edges.size(), n_alphas);
    bool any_close = false;
    tell(
        graph, rule, evidence,
        [&](int entry, int alpha, std::int64_t numerator, std::int64_t denominator) {
            const bool upward = graph.other(entry) < graph.other(graph.twin(entry));
            const double weight = weighed ? static_cast<double>(numerator) / static_cast<double>(denominator) : 1.0;
            support.add(graph.edge(entry), alpha, upward, weight);
        },
        [&](std::size_t t, Mask alphas) { ambiguous.add(triples.x[t], triples.y[t], triples.z[t], alphas); });
    ambiguous.seal();
    for (std::size_t e = 0; e < edges.size() && weighed && !any_close; ++e)
        for (int a = 0; a < n_alphas; ++a) any_close = any_close || support.close(e, a);
    std::map<std::pair<std::size_t, int>, FractionSum> exact;
    if (any_close) exact = exact_balances(graph, rule, evidence, support);
    for (std::size_t e = 0; e < edges.size(); ++e) {
        const int upward = graph.entry(edges.first[e], edges.second[e]);
        for (int a = 0; a < n_alphas; ++a) {
            const double up = support.up(e, a), down = support.down(e, a);
            const bool contested = up > 0.0 && down > 0.0;
            if (contested) conflicts.add(a, edges.first[e], edges.second[e], up, down);
            int sign = up > down ? 1 : (up < down ? -1 : 0);
            if (weighed && support.close(e, a)) sign = exact.at({e, a}).sign();
            // Majority and conservative triples know no weights: an edge they disagree about stays undirected.
            if (contested && !weighed) sign = 0;
            if (sign > 0) graph.direct(upward, Mask{1} << a);
            if (sign < 0) graph.direct(graph.twin(upward), Mask{1} << a);
        }
    }
    return ambiguous;
}

// The marks of a graph, edge by edge.
Marks marks_of(const MarkGraph& graph, std::size_t edges) {
    Marks marks{std::vector<Mask>(edges, 0), std::vector<Mask>(edges, 0)};
    for (int u = 0; u < graph.d(); ++u)
        for (int e = graph.begin(u); e < graph.end(u); ++e)
            (u < graph.other(e) ? marks.forward : marks.backward)[graph.edge(e)] = graph.out(e);
    return marks;
}

// Meek's rules on a copy of the graph whose variables are called by their ranks.
Marks closed_by_rank(const MarkGraph& graph, const AmbiguousTriples& ambiguous, const Pairs& edges, const std::int32_t* rank) {
    const std::size_t n = edges.size();
    const Marks raw = marks_of(graph, n);
    std::vector<std::pair<std::uint64_t, std::size_t>> order(n);
    const auto flipped = [&](std::size_t e) { return rank[edges.first[e]] > rank[edges.second[e]]; };
    for (std::size_t e = 0; e < n; ++e) {
        const std::uint64_t a = rank[edges.first[e]], b = rank[edges.second[e]];
        order[e] = {std::min(a, b) << 32 | std::max(a, b), e};
    }
    std::sort(order.begin(), order.end());
    std::vector<std::int32_t> first(n), second(n);
    std::vector<Mask> forward(n), backward(n);
    for (std::size_t k = 0; k < n; ++k) {
        const auto [key, e] = order[k];
        first[k] = static_cast<std::int32_t>(key >> 32), second[k] = static_cast<std::int32_t>(key & 0xffffffffu);
        forward[k] = flipped(e) ? raw.backward[e] : raw.forward[e];
        backward[k] = flipped(e) ? raw.forward[e] : raw.backward[e];
    }
    MarkGraph renamed({first.data(), second.data(), forward.data(), backward.data(), n}, graph.d());
    meek(renamed, ambiguous.renamed(rank));
    const Marks closed = marks_of(renamed, n);
    Marks marks{std::vector<Mask>(n), std::vector<Mask>(n)};
    for (std::size_t k = 0; k < n; ++k) {
        const std::size_t e = order[k].second;
        marks.forward[e] = flipped(e) ? closed.backward[k] : closed.forward[k];
        marks.backward[e] = flipped(e) ? closed.forward[k] : closed.backward[k];
    }
    return marks;
}

}  // namespace

Oriented orient(const Pairs& edges, int d, Rule rule, const Evidence& evidence, Control& control) {
    MarkGraph graph(edges, d);
    Oriented result;
    AmbiguousTriples ambiguous;
    if (rule == Rule::overwrite || rule == Rule::first) {
        SepsetIndex sepsets(*evidence.sepsets, d);
        if (rule == Rule::overwrite)
            result.outcome = overwrite(graph, sepsets, control, result.conflicts);
        else
            keep_first(graph, sepsets, result.conflicts);
    } else {
        ambiguous = by_votes(graph, rule, edges, evidence, result.conflicts);
    }
    if (result.outcome != Outcome::done) return result;
    if (evidence.rank) {
        result.marks = closed_by_rank(graph, ambiguous, edges, evidence.rank);
    } else {
        meek(graph, ambiguous);
        result.marks = marks_of(graph, edges.size());
    }
    return result;
}

}  // namespace secondlook
