#include "extension.hpp"

#include <algorithm>
#include <functional>
#include <queue>
#include <tuple>

namespace secondlook {

namespace {

class Sinks {
public:
    Sinks(const MarkGraph& graph, int alpha)
        : graph_(graph), bit_(Mask{1} << alpha), outgoing_(graph.d(), 0), violations_(graph.d(), 0), removed_(graph.d(), 0) {
        for (int i = 0; i < graph.d(); ++i) {
            for (int e = graph.begin(i); e < graph.end(i); ++e) {
                if (graph.directed(e) & bit_) ++outgoing_[i];
                if (graph.undirected(e) & bit_) violations_[i] += apart(i, graph.other(e));
            }
            queue(i);
        }
    }

    Extension run() {
        Extension result;
        result.dag.resize(graph_.d());
        while (!heap_.empty()) {
            const auto [out, wrong, x] = heap_.top();
            heap_.pop();
            if (removed_[x] || out != outgoing_[x] || wrong != violations_[x]) continue;
            result.consistent = result.consistent && !out && !wrong;
            for (int e = graph_.begin(x); e < graph_.end(x); ++e)
                if (stands(e)) result.dag[x].push_back(graph_.other(e));
            remove(x);
        }
        return result;
    }

private:
    bool stands(int entry) const { return (graph_.present(entry) & bit_) && !removed_[graph_.other(entry)]; }
    bool adjacent(int u, int v) const { return graph_.adjacent(u, v) & bit_; }
    void queue(int i) { heap_.emplace(outgoing_[i], violations_[i], i); }

    // How many others adjacent to v are not adjacent to y.
    int apart(int v, int y) const {
        int count = 0;
        for (int e = graph_.begin(v); e < graph_.end(v); ++e)
            count += stands(e) && graph_.other(e) != y && !adjacent(graph_.other(e), y);
        return count;
    }

    void remove(int x) {
        for (int e = graph_.begin(x); e < graph_.end(x); ++e) {
            if (!stands(e)) continue;
            const int v = graph_.other(e);
            if (graph_.directed(graph_.twin(e)) & bit_) --outgoing_[v];
            if (graph_.undirected(e) & bit_) violations_[v] -= apart(v, x);
            for (int to_y = graph_.begin(v); to_y < graph_.end(v); ++to_y) {
                const int y = graph_.other(to_y);
                violations_[v] -= y != x && stands(to_y) && (graph_.undirected(to_y) & bit_) && !adjacent(x, y);
            }
        }
        removed_[x] = 1;
        for (int e = graph_.begin(x); e < graph_.end(x); ++e)
            if (stands(e)) queue(graph_.other(e));
    }

    using Key = std::tuple<int, int, int>;
    const MarkGraph& graph_;
    Mask bit_;
    std::vector<int> outgoing_, violations_;
    std::vector<char> removed_;
    std::priority_queue<Key, std::vector<Key>, std::greater<Key>> heap_;  // outdated entries are passed over
};

}  // namespace

Extension extend(const MarkGraph& graph, int alpha) { return Sinks(graph, alpha).run(); }

}  // namespace secondlook
