// The engine without Python, for the sanitizers: every step, on data that is random, hub-like, collinear, huge.
// Whether the answers are right is asked by the Python tests; here they must be the same however they are
// computed, and the memory and the threads must behave.
#include <cmath>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "orient.hpp"
#include "second_look.hpp"

using namespace secondlook;

namespace {

int passed = 0, failed = 0;

void check(bool holds, const std::string& what) {
    holds ? ++passed : ++failed;
    if (!holds) std::printf("FAILED: %s\n", what.c_str());
}

using Values = std::vector<double>;
const Values kCritical{3.290526731491926, 1.959963984540054, 1.2815515655446004};  // alpha 0.001, 0.05, 0.2
const VoteLimits kVote{3, -1, 5000.0, 1e6}, kAnySize{-1, -1, 5000.0, 1e6};
const Rule kRules[] = {Rule::overwrite, Rule::first, Rule::majority, Rule::conservative, Rule::vote};

struct Data {
    int d;
    double n;
    Values correlation;
};

Data identity(int d, double n) {
    Data data{d, n, Values(static_cast<std::size_t>(d) * d, 0.0)};
    for (int i = 0; i < d; ++i) data.correlation[static_cast<std::size_t>(i) * d + i] = 1.0;
    return data;
}

Data equal(int d, double n, double r) {
    Data data{d, n, Values(static_cast<std::size_t>(d) * d, r)};
    for (int i = 0; i < d; ++i) data.correlation[static_cast<std::size_t>(i) * d + i] = 1.0;
    return data;
}

// A star: the first variable causes all others, whose correlation is therefore r * r.
Data star(int d, double n, double r) {
    Data data = equal(d, n, r * r);
    for (int j = 1; j < d; ++j)
        data.correlation[j] = data.correlation[static_cast<std::size_t>(j) * d] = r;
    return data;
}

// The sample correlation of n rows of a random linear model with about `degree` edges at a variable.
Data sample(int d, int n, double degree, unsigned seed) {
    std::mt19937 random(seed);
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> uniform;
    std::vector<Values> x(d, Values(n));
    for (int j = 0; j < d; ++j) {
        for (double& value : x[j]) value = normal(random);
        for (int i = 0; i < j; ++i) {
            if (uniform(random) * (d - 1) >= degree) continue;
            const double weight = (uniform(random) < 0.5 ? -1.0 : 1.0) * (0.3 + uniform(random));
            for (int row = 0; row < n; ++row) x[j][row] += weight * x[i][row];
        }
    }
    for (Values& column : x) {
        double mean = 0.0, square = 0.0;
        for (double value : column) mean += value / n;
        for (double& value : column) value -= mean, square += value * value;
        for (double& value : column) value /= std::sqrt(square);
    }
    Data data = identity(d, n);
    for (int i = 0; i < d; ++i)
        for (int j = 0; j < i; ++j) {
            double r = 0.0;
            for (int row = 0; row < n; ++row) r += x[i][row] * x[j][row];
            data.correlation[static_cast<std::size_t>(i) * d + j] = data.correlation[static_cast<std::size_t>(j) * d + i] = r;
        }
    return data;
}

struct Options {
    int threads = 1;
    std::string kernels;
    int max_level = -1;
    double max_tests = 0.0;
    Values critical = kCritical;
};

struct Run {
    Control control;
    Problem problem;
    Run(Data&&, const Options&) = delete;  // the problem only looks at the data
    Run(const Data& data, const Options& options)
        : problem{{data.correlation.data(), data.d},
                  FisherBounds(options.critical.data(), static_cast<int>(options.critical.size()), data.n),
                  options.max_level, *find_kernels(options.kernels.c_str()), control} {
        control.threads = options.threads;
        control.max_tests = options.max_tests;
        control.interrupted = [] { return false; };
    }
};

// Everything an engine step returns, written one number after another: equal answers are equal texts.
struct Transcript {
    std::vector<std::uint64_t> numbers;
    template <class T>
    void add(const std::vector<T>& values) {
        numbers.push_back(values.size());
        for (const T& value : values) numbers.push_back(static_cast<std::uint64_t>(value));
    }
    void add(const Report& report) {
        add(report.tests), add(report.hubs);
        for (std::uint64_t number : {static_cast<std::uint64_t>(report.collinear.count), static_cast<std::uint64_t>(report.level_capped),
                                     static_cast<std::uint64_t>(report.rows_exhausted), static_cast<std::uint64_t>(report.outcome)})
            numbers.push_back(number);
        for (const auto& example : report.collinear.examples) add(example);
    }
    void add(const Look& look) {
        add(look.edges.first), add(look.edges.second), add(look.edges.alphas);
        add(look.sepsets.first), add(look.sepsets.second), add(look.sepsets.alphas), add(look.sepsets.begin), add(look.sepsets.members);
        add(look.report);
    }
    void add(const Oriented& oriented) {
        add(oriented.marks.forward), add(oriented.marks.backward);
        add(oriented.conflicts.where);
        for (const double support : oriented.conflicts.support) numbers.push_back(static_cast<std::uint64_t>(1e9 * support));
    }
    void add(const Votes& votes) {
        add(votes.triples.x), add(votes.triples.y), add(votes.triples.z), add(votes.triples.alphas);
        add(votes.separating), add(votes.containing), add(votes.held_to), add(votes.held_variables), add(votes.report);
    }
};

Oriented oriented(Run& run, const Look& look, Rule rule, Transcript& transcript) {
    Evidence evidence;
    const SepsetsView sepsets = look.sepsets.view();
    evidence.sepsets = &sepsets;
    Votes votes;
    if (rule != Rule::overwrite && rule != Rule::first) {
        votes = vote(run.problem, look.edges, rule == Rule::vote ? kVote : kAnySize);
        transcript.add(votes);
        evidence.triples = &votes.triples;
        evidence.separating = votes.separating.data(), evidence.containing = votes.containing.data();
    }
    const Oriented marks = orient(look.edges, run.problem.correlation.d, rule, evidence, run.control);
    transcript.add(marks);
    return marks;
}

// Both looks and both orientations.
Transcript whole_search(const Data& data, Rule rule, const Options& options) {
    Run run(data, options);
    Transcript transcript;
    const Look first = first_look(run.problem);
    transcript.add(first);
    if (first.report.outcome != Outcome::done) return transcript;
    const Oriented marks = oriented(run, first, rule, transcript);
    const MarkedEdges marked{first.edges.first.data(), first.edges.second.data(), marks.marks.forward.data(), marks.marks.backward.data(), first.edges.size()};
    const Look second = second_look(run.problem, marked, first.sepsets.view());
    transcript.add(second);
    oriented(run, second, rule, transcript);
    return transcript;
}

void same_however_computed(const std::string& name, const Data& data, int max_level = -1) {
    for (Rule rule : kRules) {
        Options options;
        options.max_level = max_level;
        const std::string what = name + ", rule " + std::to_string(static_cast<int>(rule));
        const Transcript expected = whole_search(data, rule, options);
        check(expected.numbers.size() > 10, what + ": an answer");
        options.threads = 4;
        check(whole_search(data, rule, options).numbers == expected.numbers, what + ": 4 threads");
        for (const char* kernels : {"baseline", "avx2"}) {
            options.kernels = kernels;
            if (find_kernels(kernels)) check(whole_search(data, rule, options).numbers == expected.numbers, what + ": " + kernels);
        }
    }
}

void one_pass_is_separate_runs() {
    const Data data = sample(12, 60, 3.0, 5);
    Options all;
    all.critical.clear();
    for (int a = 0; a < 64; ++a) all.critical.push_back(4.0 - 0.055 * a);
    Run run(data, all);
    const Look together = first_look(run.problem);
    for (int a = 0; a < 64; ++a) {
        Options one;
        one.critical = {all.critical[a]};
        Run alone(data, one);
        const Look look = first_look(alone.problem);
        Pairs at_a;
        for (std::size_t e = 0; e < together.edges.size(); ++e)
            if (together.edges.alphas[e] >> a & 1) at_a.add(together.edges.first[e], together.edges.second[e], 1);
        check(at_a.first == look.edges.first && at_a.second == look.edges.second, "one pass of 64 alphas, alpha " + std::to_string(a));
    }
}

void known_answers() {
    Options options;
    const Data unrelated = identity(20, 100), one = identity(1, 100), alike = equal(8, 100000, 0.5), five_rows = equal(8, 5, 0.99);
    const Data leaves = star(30, 1e6, 0.6);
    Run none(unrelated, options);
    check(first_look(none.problem).edges.size() == 0, "nothing is correlated, nothing is adjacent");
    Run single(one, options);
    check(first_look(single.problem).edges.size() == 0, "one variable");
    Run complete(alike, options);
    check(first_look(complete.problem).edges.size() == 28, "equal correlations, complete graph");
    Options lenient;
    lenient.critical = {0.1};  // calls everything dependent
    Run few(five_rows, lenient);
    const Look exhausted = first_look(few.problem);
    check(exhausted.report.rows_exhausted && exhausted.report.tests.size() == 2, "five rows end at level 1");
    Run hub(leaves, options);
    const Look look = first_look(hub.problem);
    check(look.edges.size() == 29, "a star stays a star");
    bool by_hub = true;
    for (std::size_t r = 0; r < look.sepsets.size(); ++r)
        by_hub = by_hub && look.sepsets.begin[r + 1] - look.sepsets.begin[r] == 1 && look.sepsets.members[look.sepsets.begin[r]] == 0;
    check(by_hub && look.sepsets.size() == 29 * 28 / 2, "the hub separates its leaves");
    check(find_kernels("abacus") == nullptr, "unknown kernels");
}

void collinear() {
    Data sum = identity(5, 200);  // the last is the normed sum of the first two
    for (int i : {0, 1}) sum.correlation[5 * i + 4] = sum.correlation[5 * 4 + i] = std::sqrt(0.5);
    Data twins = equal(6, 200, 0.5);
    twins.correlation[1] = twins.correlation[6] = 1.0;
    Data all_the_same = equal(10, 50, 1.0);
    for (const Data* data : {&sum, &twins, &all_the_same}) {
        same_however_computed("collinear", *data);
        Options options;
        options.critical = {0.001};
        Run run(*data, options);
        const Look look = first_look(run.problem);
        // No set of the sum's search holds all three of the collinear ones.
        check(data == &sum || (look.report.collinear.count > 0 && !look.report.collinear.examples.empty()), "collinear sets are reported");
    }
}

void budgets() {
    const Data hubs = star(60, 1e6, 0.6);
    std::vector<std::uint64_t> said;
    for (int threads : {1, 2, 4}) {
        Options options;
        options.threads = threads, options.max_tests = 20000.0;
        Run run(hubs, options);
        const Report report = first_look(run.problem).report;
        check(report.outcome == Outcome::over_budget, "a hub exceeds the budget");
        check(!report.hubs.empty() && report.hubs[0] == 0 && report.estimate > options.max_tests, "the hub is named");
        Transcript transcript;
        transcript.add(report);
        if (threads == 1) said = transcript.numbers;
        check(transcript.numbers == said, "the refusal knows no threads");
    }
    Options enough;
    enough.max_level = 2;
    Run run(hubs, enough);
    const Report report = first_look(run.problem).report;
    check(report.outcome == Outcome::done && report.level_capped, "max_level is a remedy");
}

void interruption() {
    const Data endless = star(150, 1e9, 0.6);
    for (int threads : {1, 4}) {
        Options options;
        options.threads = threads;
        Run run(endless, options);
        int asked = 0;
        run.control.interrupted = [&asked] { return ++asked > 3; };
        check(first_look(run.problem).report.outcome == Outcome::interrupted, "the first look hears an interruption");
        check(asked == 4, "and stops asking");
    }
}

}  // namespace

int main() {
    known_answers();
    one_pass_is_separate_runs();
    same_however_computed("sparse", sample(200, 150, 4.0, 1));
    same_however_computed("dense", sample(40, 400, 12.0, 2), 3);
    same_however_computed("small", sample(3, 30, 1.0, 3));
    same_however_computed("more variables than rows", sample(60, 12, 4.0, 4));
    same_however_computed("hubs", star(80, 500, 0.4), 2);
    collinear();
    budgets();
    interruption();
    std::printf("%d passed, %d failed\n", passed, failed);
    return failed ? 1 : 0;
}
