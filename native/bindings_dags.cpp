// DAGs of graphs, their scores, and the search over orders, as Python calls them.
#include "bindings.hpp"
#include "extension.hpp"
#include "order_search.hpp"

namespace secondlook {

namespace {

// DAGs side by side: the arrows of the k-th are [begin[k], begin[k + 1]), sorted by head.
struct Dags {
    std::vector<std::int32_t> tails, heads;
    std::vector<std::uint64_t> begin{0};

    void add(const Dag& dag) {
        for (std::size_t v = 0; v < dag.size(); ++v)
            for (const std::int32_t p : dag[v]) tails.push_back(p), heads.push_back(static_cast<std::int32_t>(v));
        begin.push_back(tails.size());
    }
};

nb::dict to_dict(Dags&& dags) {
    nb::dict out;
    out["tails"] = to_numpy<std::int32_t>(std::move(dags.tails));
    out["heads"] = to_numpy<std::int32_t>(std::move(dags.heads));
    out["begin"] = to_numpy<std::uint64_t>(std::move(dags.begin));
    return out;
}

std::vector<Dag> to_dags(const Ints& tails, const Ints& heads, const Masks& begin, int d) {
    std::vector<Dag> dags(begin.size() - 1, Dag(d));
    for (std::size_t k = 0; k + 1 < begin.size(); ++k)
        for (std::size_t e = begin.data()[k]; e < begin.data()[k + 1]; ++e) dags[k][heads.data()[e]].push_back(tails.data()[e]);
    return dags;
}

nb::dict bind_extensions(const Ints& first, const Ints& second, const Masks& forward, const Masks& backward, int d, int n_alphas) {
    const MarkGraph graph(MarkedEdges{first.data(), second.data(), forward.data(), backward.data(), first.size()}, d);
    Dags dags;
    std::vector<bool> consistent;
    for (int a = 0; a < n_alphas; ++a) {
        const Extension found = extend(graph, a);
        dags.add(found.dag);
        consistent.push_back(found.consistent);
    }
    nb::dict out = to_dict(std::move(dags));
    out["consistent"] = consistent;
    return out;
}

std::vector<double> bind_scores(const Matrix& correlation, double n, double penalty, const Ints& tails, const Ints& heads, const Masks& begin) {
    const int d = static_cast<int>(correlation.shape(0));
    Likelihood likelihood({{correlation.data(), d}, n, penalty});
    std::vector<double> scores;
    for (const Dag& dag : to_dags(tails, heads, begin, d)) scores.push_back(likelihood.of(dag));
    return scores;
}

nb::dict bind_best_orders(const Matrix& correlation, double n, double penalty, const Ints& tails, const Ints& heads, const Masks& begin) {
    Control control;
    prepare(control, 1, 0.0);
    Dags dags;
    std::vector<double> scores;
    Outcome outcome = Outcome::done;
    without_gil([&] {
        const int d = static_cast<int>(correlation.shape(0));
        OrderSearch search({{correlation.data(), d}, n, penalty}, control);
        for (const Dag& start : to_dags(tails, heads, begin, d)) {
            const OrderResult found = search.improve(start);
            dags.add(found.dag);
            scores.push_back(found.score);
            outcome = found.outcome;
            if (outcome != Outcome::done) break;
        }
        return 0;
    });
    raise_if_interrupted(outcome);
    nb::dict out = to_dict(std::move(dags));
    out["scores"] = scores;
    return out;
}

}  // namespace

void bind_dags(nb::module_& m) {
    m.def("extensions", &bind_extensions, nb::kw_only(), nb::arg("first"), nb::arg("second"), nb::arg("forward"),
          nb::arg("backward"), nb::arg("d"), nb::arg("n_alphas"));
    m.def("scores", &bind_scores, nb::arg("correlation"), nb::arg("n"), nb::kw_only(), nb::arg("penalty"), nb::arg("tails"),
          nb::arg("heads"), nb::arg("begin"));
    m.def("best_orders", &bind_best_orders, nb::arg("correlation"), nb::arg("n"), nb::kw_only(), nb::arg("penalty"),
          nb::arg("tails"), nb::arg("heads"), nb::arg("begin"));
}

}  // namespace secondlook
