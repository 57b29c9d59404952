// Searches and tests, as Python calls them. Only the bindings know Python.
#include <nanobind/stl/optional.h>

#include <optional>
#include <stdexcept>
#include <string>

#include "bindings.hpp"
#include "contingency.hpp"
#include "orient.hpp"
#include "second_look.hpp"

using namespace secondlook;

namespace {

nb::dict to_dict(const Report& report) {
    nb::dict out;
    out["tests"] = report.tests;
    out["collinear_count"] = report.collinear.count;
    nb::list examples;
    for (const auto& set : report.collinear.examples) examples.append(nb::tuple(nb::cast(set)));
    out["collinear"] = examples;
    out["level_capped"] = report.level_capped;
    out["rows_exhausted"] = report.rows_exhausted;
    out["over_budget"] = report.outcome == Outcome::over_budget;
    out["hubs"] = report.hubs;
    out["estimate"] = report.estimate;
    return out;
}

nb::dict to_dict(Look&& look) {
    nb::dict out;
    out["first"] = to_numpy<std::int32_t>(std::move(look.edges.first));
    out["second"] = to_numpy<std::int32_t>(std::move(look.edges.second));
    out["alphas"] = to_numpy<std::uint64_t>(std::move(look.edges.alphas));
    out["sepset_first"] = to_numpy<std::int32_t>(std::move(look.sepsets.first));
    out["sepset_second"] = to_numpy<std::int32_t>(std::move(look.sepsets.second));
    out["sepset_alphas"] = to_numpy<std::uint64_t>(std::move(look.sepsets.alphas));
    out["sepset_begin"] = to_numpy<std::uint64_t>(std::move(look.sepsets.begin));
    out["sepset_members"] = to_numpy<std::int32_t>(std::move(look.sepsets.members));
    out["report"] = to_dict(look.report);
    return out;
}

Pairs to_pairs(const Ints& first, const Ints& second, const Masks& alphas) {
    Pairs pairs;
    pairs.first = to_vector<std::int32_t>(first);
    pairs.second = to_vector<std::int32_t>(second);
    pairs.alphas = to_vector<Mask>(alphas);
    return pairs;
}

SepsetsView to_view(const Ints& first, const Ints& second, const Masks& alphas, const Masks& begin, const Ints& members) {
    return {first.data(), second.data(), alphas.data(), begin.data(), members.data(), alphas.size()};
}

const Kernels& kernels_named(const std::string& name) {
    const Kernels* found = find_kernels(name.c_str());
    if (!found) throw std::invalid_argument("this machine has no kernels named '" + name + "'");
    return *found;
}

// The question every engine call starts from: a correlation matrix, its rows, and critical values per alpha.
struct Input {
    Control control;
    Problem problem;

    Input(const Matrix& correlation, double n, const Doubles& critical, int max_level, double max_tests, int threads,
          const std::string& kernels)
        : problem{{correlation.data(), static_cast<int>(correlation.shape(0))},
                  FisherBounds(critical.data(), static_cast<int>(critical.size()), n), max_level, kernels_named(kernels), control} {
        if (critical.size() < 1 || critical.size() > kMaxAlphas) throw std::invalid_argument("1 to 64 alphas at a time");
        if (correlation.shape(0) != correlation.shape(1)) throw std::invalid_argument("the correlation matrix is not square");
        prepare(control, threads, max_tests);
    }
    Input(const Input&) = delete;
};

nb::dict bind_skeleton(const Matrix& correlation, double n, const Doubles& critical, int max_level, double max_tests,
                       int threads, const std::string& kernels) {
    Input input(correlation, n, critical, max_level, max_tests, threads, kernels);
    Look look = without_gil([&] { return first_look(input.problem); });
    raise_if_interrupted(look.report.outcome);
    return to_dict(std::move(look));
}

nb::dict bind_second_look(const Matrix& correlation, double n, const Doubles& critical, const Ints& first, const Ints& second,
                          const Masks& forward, const Masks& backward, const Ints& sepset_first,
                          const Ints& sepset_second, const Masks& sepset_alphas, const Masks& sepset_begin,
                          const Ints& sepset_members, int max_level, double max_tests, int threads, const std::string& kernels) {
    Input input(correlation, n, critical, max_level, max_tests, threads, kernels);
    Look look = without_gil([&] {
        const SepsetsView removed = to_view(sepset_first, sepset_second, sepset_alphas, sepset_begin, sepset_members);
        const MarkedEdges marked{first.data(), second.data(), forward.data(), backward.data(), first.size()};
        return second_look(input.problem, marked, removed);
    });
    raise_if_interrupted(look.report.outcome);
    return to_dict(std::move(look));
}

nb::dict to_dict(Triples&& triples) {
    nb::dict out;
    out["x"] = to_numpy<std::int32_t>(std::move(triples.x));
    out["y"] = to_numpy<std::int32_t>(std::move(triples.y));
    out["z"] = to_numpy<std::int32_t>(std::move(triples.z));
    out["alphas"] = to_numpy<std::uint64_t>(std::move(triples.alphas));
    return out;
}

nb::dict bind_vote(const Matrix& correlation, double n, const Doubles& critical, const Ints& first, const Ints& second,
                   const Masks& alphas, int max_size, double max_sets, double max_questions, int max_level,
                   double max_tests, int threads, const std::string& kernels) {
    Input input(correlation, n, critical, max_level, max_tests, threads, kernels);
    Votes votes = without_gil([&] { return vote(input.problem, to_pairs(first, second, alphas), {max_size, max_level, max_sets, max_questions}); });
    raise_if_interrupted(votes.report.outcome);
    nb::dict out = to_dict(std::move(votes.triples));
    out["separating"] = to_numpy<std::uint32_t>(std::move(votes.separating));
    out["containing"] = to_numpy<std::uint32_t>(std::move(votes.containing));
    out["held_to"] = votes.held_to;
    out["held_variables"] = votes.held_variables;
    out["report"] = to_dict(votes.report);
    return out;
}

nb::dict bind_triples(const Ints& first, const Ints& second, const Masks& alphas, int d) {
    return to_dict(unshielded_triples(MarkGraph(to_pairs(first, second, alphas), d)));
}

nb::dict bind_voting_sizes(const Ints& first, const Ints& second, const Masks& alphas, int d, int n_alphas, int max_size,
                           int max_level, double max_sets, double max_questions) {
    VotingSizes sizes = voting_sizes(MarkGraph(to_pairs(first, second, alphas), d), n_alphas, {max_size, max_level, max_sets, max_questions});
    nb::dict out;
    out["sizes"] = to_numpy<std::int32_t>(std::move(sizes.size));
    out["held_to"] = sizes.held_to;
    out["held_variables"] = sizes.held_variables;
    return out;
}

Rule rule_named(const std::string& name) {
    if (name == "overwrite") return Rule::overwrite;
    if (name == "first") return Rule::first;
    if (name == "majority") return Rule::majority;
    if (name == "conservative") return Rule::conservative;
    if (name == "vote") return Rule::vote;
    throw std::invalid_argument("no collider rule named '" + name + "'");
}

nb::dict run_orient(const Pairs& edges, int d, Rule rule, const Evidence& evidence, int threads) {
    Control control;
    prepare(control, threads, 0.0);
    Oriented oriented = without_gil([&] { return orient(edges, d, rule, evidence, control); });
    raise_if_interrupted(oriented.outcome);
    nb::dict out;
    out["forward"] = to_numpy<std::uint64_t>(std::move(oriented.marks.forward));
    out["backward"] = to_numpy<std::uint64_t>(std::move(oriented.marks.backward));
    out["conflicts"] = to_numpy<std::int32_t>(std::move(oriented.conflicts.where));
    out["conflict_support"] = to_numpy<double>(std::move(oriented.conflicts.support));
    return out;
}

nb::dict bind_orient_by_sepsets(int d, const Ints& first, const Ints& second, const Masks& alphas,
                                const Ints& sepset_first, const Ints& sepset_second, const Masks& sepset_alphas,
                                const Masks& sepset_begin, const Ints& sepset_members, const std::string& rule, int threads) {
    const SepsetsView sepsets = to_view(sepset_first, sepset_second, sepset_alphas, sepset_begin, sepset_members);
    Evidence evidence;
    evidence.sepsets = &sepsets;
    return run_orient(to_pairs(first, second, alphas), d, rule_named(rule), evidence, threads);
}

nb::dict bind_orient_by_votes(int d, const Ints& first, const Ints& second, const Masks& alphas,
                              const Ints& x, const Ints& y, const Ints& z, const Masks& triple_alphas,
                              const Counts& separating, const Counts& containing, const std::string& rule,
                              const std::optional<Ints>& rank) {
    Triples triples;
    triples.x = to_vector<std::int32_t>(x);
    triples.y = to_vector<std::int32_t>(y);
    triples.z = to_vector<std::int32_t>(z);
    triples.alphas = to_vector<Mask>(triple_alphas);
    Evidence evidence;
    evidence.triples = &triples;
    evidence.separating = separating.data();
    evidence.containing = containing.data();
    if (rank) evidence.rank = rank->data();
    return run_orient(to_pairs(first, second, alphas), d, rule_named(rule), evidence, 1);
}

nb::dict bind_ask_parents(const Matrix& correlation, double n, const Doubles& critical, const Ints& open_first,
                          const Ints& open_second, const Masks& open_alphas, const Ints& first, const Ints& second,
                          const Masks& forward, const Masks& backward, int max_level, double max_tests, int threads,
                          const std::string& kernels) {
    Input input(correlation, n, critical, max_level, max_tests, threads, kernels);
    Look look = without_gil([&] {
        const MarkedEdges graph{first.data(), second.data(), forward.data(), backward.data(), first.size()};
        return ask_parents(input.problem, to_pairs(open_first, open_second, open_alphas), graph);
    });
    raise_if_interrupted(look.report.outcome);
    return to_dict(std::move(look));
}

// Columns of codes side by side, of the narrowest unsigned type that holds them.
using Codes = nb::ndarray<nb::ro, nb::ndim<2>, nb::c_contig, nb::device::cpu>;

void bind_categories(Categories* self, const Codes& codes, const Ints& levels) {
    const int width = codes.dtype().bits / 8;
    if (width != 1 && width != 2 && width != 4) throw std::invalid_argument("codes have one, two or four bytes");
    if (codes.shape(0) != levels.size() || levels.size() < 1) throw std::invalid_argument("one number of levels per column");
    if (codes.shape(1) < 1 || codes.shape(1) >> 31) throw std::invalid_argument("1 to 2^31 - 1 rows");
    new (self) Categories({codes.data(), width, codes.shape(1), static_cast<int>(levels.size()), levels.data()});
}

nb::dict bind_independence(const Categories& self, const Ints& first, const Ints& second, const Masks& begin, const Ints& members,
                           bool pearson) {
    const SetsView questions{first.data(), second.data(), begin.data(), members.data(), first.size()};
    Independence found = without_gil([&] { return self.test(questions, pearson ? Divergence::pearson : Divergence::g2, interrupted); });
    if (found.interrupted) throw nb::python_error();
    nb::dict out;
    out["statistic"] = to_numpy<double>(std::move(found.statistic));
    out["freedom"] = to_numpy<double>(std::move(found.freedom));
    out["informative"] = to_numpy<double>(std::move(found.informative));
    return out;
}

nb::object bind_log_likelihoods(const Categories& self, const Ints& first, const Masks& begin, const Ints& members) {
    const SetsView families{first.data(), nullptr, begin.data(), members.data(), first.size()};
    Likelihoods found = without_gil([&] { return self.log_likelihoods(families, interrupted); });
    if (found.interrupted) throw nb::python_error();
    return to_numpy<double>(std::move(found.value));
}

}  // namespace

NB_MODULE(_native, m) {
    m.doc() = "The C++ engine of secondlook: searches and counting. Arrays in, arrays out.";
    m.def("skeleton", &bind_skeleton, nb::arg("correlation"), nb::arg("n"), nb::arg("critical"), nb::kw_only(),
          nb::arg("max_level"), nb::arg("max_tests"), nb::arg("threads"), nb::arg("kernels") = "");
    m.def("second_look", &bind_second_look, nb::arg("correlation"), nb::arg("n"), nb::arg("critical"), nb::kw_only(),
          nb::arg("first"), nb::arg("second"), nb::arg("forward"), nb::arg("backward"), nb::arg("sepset_first"),
          nb::arg("sepset_second"), nb::arg("sepset_alphas"), nb::arg("sepset_begin"), nb::arg("sepset_members"),
          nb::arg("max_level"), nb::arg("max_tests"), nb::arg("threads"), nb::arg("kernels") = "");
    m.def("ask_parents", &bind_ask_parents, nb::arg("correlation"), nb::arg("n"), nb::arg("critical"), nb::kw_only(),
          nb::arg("open_first"), nb::arg("open_second"), nb::arg("open_alphas"), nb::arg("first"), nb::arg("second"),
          nb::arg("forward"), nb::arg("backward"), nb::arg("max_level"), nb::arg("max_tests"), nb::arg("threads"), nb::arg("kernels") = "");
    bind_dags(m);
    m.def("vote", &bind_vote, nb::arg("correlation"), nb::arg("n"), nb::arg("critical"), nb::kw_only(), nb::arg("first"),
          nb::arg("second"), nb::arg("alphas"), nb::arg("max_size"), nb::arg("max_sets"), nb::arg("max_questions"),
          nb::arg("max_level"), nb::arg("max_tests"), nb::arg("threads"), nb::arg("kernels") = "");
    m.def("unshielded_triples", &bind_triples, nb::kw_only(), nb::arg("first"), nb::arg("second"), nb::arg("alphas"), nb::arg("d"));
    m.def("voting_sizes", &bind_voting_sizes, nb::kw_only(), nb::arg("first"), nb::arg("second"), nb::arg("alphas"),
          nb::arg("d"), nb::arg("n_alphas"), nb::arg("max_size"), nb::arg("max_level"), nb::arg("max_sets"), nb::arg("max_questions"));
    m.def("orient_by_sepsets", &bind_orient_by_sepsets, nb::kw_only(), nb::arg("d"), nb::arg("first"),
          nb::arg("second"), nb::arg("alphas"), nb::arg("sepset_first"), nb::arg("sepset_second"), nb::arg("sepset_alphas"),
          nb::arg("sepset_begin"), nb::arg("sepset_members"), nb::arg("rule"), nb::arg("threads"));
    m.def("orient_by_votes", &bind_orient_by_votes, nb::kw_only(), nb::arg("d"), nb::arg("first"),
          nb::arg("second"), nb::arg("alphas"), nb::arg("x"), nb::arg("y"), nb::arg("z"), nb::arg("triple_alphas"),
          nb::arg("separating"), nb::arg("containing"), nb::arg("rule"), nb::arg("rank") = nb::none());
    nb::class_<Categories>(m, "Categories")
        .def("__init__", &bind_categories, nb::arg("codes"), nb::arg("levels"))
        .def("independence", &bind_independence, nb::kw_only(), nb::arg("first"), nb::arg("second"), nb::arg("begin"),
             nb::arg("members"), nb::arg("pearson"))
        .def("log_likelihoods", &bind_log_likelihoods, nb::kw_only(), nb::arg("first"), nb::arg("begin"), nb::arg("members"));
}
