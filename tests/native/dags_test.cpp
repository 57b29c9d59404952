// DAGs of graphs and the search over orders without Python, for the sanitizers: random graphs that few DAGs fit,
// collinear columns, more variables than rows, hubs, interruptions.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <random>
#include <string>
#include <vector>

#include "extension.hpp"
#include "order_search.hpp"

using namespace secondlook;

namespace {

int passed = 0, failed = 0;

void check(bool holds, const std::string& what) {
    holds ? ++passed : ++failed;
    if (!holds) std::printf("FAILED: %s\n", what.c_str());
}

struct Data {
    int d;
    double n;
    std::vector<double> correlation;

    FamilyScore score(double penalty) const { return {{correlation.data(), d}, n, penalty}; }
};

// Correlations of n rows of a random linear model; a `collinear` one has a last column that is the sum of two others.
Data sample(int d, int n, double chance, unsigned seed, bool collinear = false) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> uniform;
    std::vector<std::vector<double>> x(d, std::vector<double>(n));
    for (int j = 0; j < d; ++j) {
        for (double& value : x[j]) value = normal(random);
        for (int i = 0; i < j; ++i) {
            if (uniform(random) >= chance) continue;
            const double weight = uniform(random) < 0.5 ? -0.8 : 0.8;
            for (int row = 0; row < n; ++row) x[j][row] += weight * x[i][row];
        }
    }
    if (collinear)
        for (int row = 0; row < n; ++row) x[d - 1][row] = x[0][row] + x[1][row];
    for (std::vector<double>& column : x) {
        double mean = 0.0, square = 0.0;
        for (const double value : column) mean += value / n;
        for (double& value : column) value -= mean, square += value * value;
        for (double& value : column) value /= std::sqrt(square);
    }
    Data data{d, static_cast<double>(n), std::vector<double>(static_cast<std::size_t>(d) * d, 1.0)};
    for (int i = 0; i < d; ++i)
        for (int j = 0; j < d; ++j) {
            double r = 0.0;
            for (int row = 0; row < n; ++row) r += x[i][row] * x[j][row];
            if (i != j) data.correlation[static_cast<std::size_t>(i) * d + j] = r;
        }
    return data;
}

bool acyclic(const Dag& dag) {
    const int d = static_cast<int>(dag.size());
    std::vector<char> taken(d, 0);
    for (int left = d; left; --left) {
        int source = -1;
        for (int v = 0; v < d && source < 0; ++v)
            if (!taken[v] && std::all_of(dag[v].begin(), dag[v].end(), [&](int p) { return taken[p]; })) source = v;
        if (source < 0) return false;
        taken[source] = 1;
    }
    return true;
}

std::size_t arrows(const Dag& dag) {
    std::size_t count = 0;
    for (const auto& parents : dag) count += parents.size();
    return count;
}

struct Graph {
    std::vector<std::int32_t> first, second;
    std::vector<Mask> forward, backward;

    MarkGraph marks(int d) const { return MarkGraph(MarkedEdges{first.data(), second.data(), forward.data(), backward.data(), first.size()}, d); }
};

// Graphs of arrows and lines at 64 alphas.
Graph random_graphs(int d, double chance, unsigned seed) {
    std::mt19937_64 random(seed);
    std::uniform_real_distribution<double> uniform;
    Graph graph;
    for (int i = 0; i < d; ++i)
        for (int j = i + 1; j < d; ++j) {
            if (uniform(random) >= chance) continue;
            graph.first.push_back(i), graph.second.push_back(j);
            const Mask there = random(), ahead = random(), line = random() & random();
            graph.forward.push_back(there & (ahead | line));
            graph.backward.push_back(there & (~ahead | line));
        }
    return graph;
}

void extensions() {
    for (const int d : {0, 1, 2, 5, 12, 40}) {
        const Graph graph = random_graphs(d, d < 6 ? 0.9 : 0.2, 7u + d);
        const MarkGraph marks = graph.marks(d);
        int consistent = 0;
        for (int alpha = 0; alpha < 64; ++alpha) {
            const Extension found = extend(marks, alpha);
            std::size_t edges = 0, kept = 0, directed = 0;
            for (std::size_t e = 0; e < graph.first.size(); ++e) {
                const bool ahead = graph.forward[e] >> alpha & 1, back = graph.backward[e] >> alpha & 1;
                edges += ahead || back;
                if (ahead == back) continue;
                const int tail = ahead ? graph.first[e] : graph.second[e], head = ahead ? graph.second[e] : graph.first[e];
                const auto& parents = found.dag[head];
                ++directed, kept += std::find(parents.begin(), parents.end(), tail) != parents.end();
            }
            check(static_cast<int>(found.dag.size()) == d && acyclic(found.dag), "an extension is a DAG");
            check(arrows(found.dag) == edges, "an extension has the edges of its graph");
            check(!found.consistent || kept == directed, "a consistent extension keeps every arrow");
            consistent += found.consistent;
        }
        check(d < 12 || consistent < 64, "not every random graph has a consistent extension");
        check(d > 2 || consistent == 64, "every graph on two nodes has one");
    }
}

void known_scores() {
    const Data data{2, 100.0, {1.0, 0.6, 0.6, 1.0}};
    Likelihood likelihood(data.score(5.0));
    check(likelihood.of({{}, {}}) == 0.0, "the empty graph is the zero of scores");
    check(std::abs(likelihood.of({{}, {0}}) - (100.0 * std::log(0.64) + 5.0)) < 1e-9, "one arrow has the score of its correlation");
    check(likelihood.of({{1}, {}}) == likelihood.of({{}, {0}}), "both arrows fit alike");
    const Data few{2, 2.0, {1.0, 0.6, 0.6, 1.0}};
    check(std::isinf(Likelihood(few.score(5.0)).of({{}, {0}})), "too many parents for the rows have no score");
}

void searches(const std::string& what, const Data& data, double penalty) {
    Control control;
    OrderSearch search(data.score(penalty), control);
    Likelihood likelihood(data.score(penalty));
    std::vector<double> scores;
    const Dag empty(data.d);
    Dag chain(data.d);
    for (int v = 1; v < data.d; ++v) chain[v].push_back(v - 1);
    for (const Dag& start : {empty, chain, empty}) {
        const OrderResult found = search.improve(start);
        check(found.outcome == Outcome::done && acyclic(found.dag), what + ": a search ends in a DAG");
        check(found.score <= 1e-6, what + ": which is no worse than the empty one");
        check(std::isfinite(found.score), what + ": and has a score");
        const double again = likelihood.of(found.dag);
        check(!std::isfinite(again) || std::abs(again - found.score) < 1e-5 * (1.0 + std::abs(again)), what + ": its own");
        scores.push_back(found.score);
    }
    check(scores.front() == scores.back(), what + ": what it learnt before changes nothing");
}

void interruption() {
    const Data data = sample(30, 200, 0.3, 3);
    Control control;
    int asked = 0;
    control.interrupted = [&asked] { return ++asked > 0; };
    OrderSearch search(data.score(10.0), control);
    check(search.improve(Dag(30)).outcome == Outcome::interrupted, "a search hears an interruption");
    check(asked == 1, "after the first round");
}

}  // namespace

int main() {
    extensions();
    known_scores();
    searches("one variable", sample(1, 10, 0.0, 1), 5.0);
    searches("sparse", sample(40, 500, 0.05, 2), 12.0);
    searches("dense", sample(12, 200, 0.6, 4), 10.0);
    searches("collinear", sample(8, 100, 0.3, 5, true), 9.0);
    searches("more variables than rows", sample(30, 8, 0.2, 6), 12.0);
    searches("no penalty to speak of", sample(10, 60, 0.3, 8), 1e-3);
    interruption();
    std::printf("%d passed, %d failed\n", passed, failed);
    return failed ? 1 : 0;
}
