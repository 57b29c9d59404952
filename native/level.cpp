#include "level.hpp"

#include <algorithm>
#include <numeric>

namespace secondlook {

void Pairs::add(int i, int j, Mask mask) {
    first.push_back(i);
    second.push_back(j);
    alphas.push_back(mask);
}

void Pairs::drop_empty() {
    std::size_t kept = 0;
    for (std::size_t e = 0; e < size(); ++e) {
        // Which pairs are empty cannot be predicted, so every one is copied and kept by counting on.
        const Mask mask = alphas[e];
        first[kept] = first[e], second[kept] = second[e], alphas[kept] = mask;
        kept += mask ? 1 : 0;
    }
    first.resize(kept), second.resize(kept), alphas.resize(kept);
}

Candidates neighbours(const Pairs& edges, int d) {
    Candidates rows;
    rows.start.assign(static_cast<std::size_t>(d) + 1, 0);
    for (std::size_t e = 0; e < edges.size(); ++e) ++rows.start[edges.first[e] + 1], ++rows.start[edges.second[e] + 1];
    std::partial_sum(rows.start.begin(), rows.start.end(), rows.start.begin());
    rows.id.resize(2 * edges.size()), rows.alphas.resize(2 * edges.size());
    std::vector<std::size_t> next(rows.start.begin(), rows.start.end() - 1);
    const auto put = [&](int row, int other, Mask mask) {
        rows.id[next[row]] = other;
        rows.alphas[next[row]++] = mask;
    };
    // Lower neighbours of every row come first: edges are sorted, so both halves arrive in order.
    for (std::size_t e = 0; e < edges.size(); ++e) put(edges.second[e], edges.first[e], edges.alphas[e]);
    for (std::size_t e = 0; e < edges.size(); ++e) put(edges.first[e], edges.second[e], edges.alphas[e]);
    return rows;
}

void Collinear::add(const std::int32_t* set, int size, int with) {
    ++count;
    std::vector<std::int32_t> variables(set, set + size);
    if (with >= 0) variables.push_back(with);
    std::sort(variables.begin(), variables.end());
    examples.insert(std::move(variables));
    if (examples.size() > kExamples) examples.erase(std::prev(examples.end()));
}

void Collinear::append(const Collinear& other) {
    count += other.count;
    for (const auto& variables : other.examples) examples.insert(variables);
    while (examples.size() > kExamples) examples.erase(std::prev(examples.end()));
}

namespace {

// The pairs of a level, also reachable from their second member.
struct Halves {
    std::vector<std::size_t> upper;   // pairs (i, .): [upper[i], upper[i + 1])
    std::vector<std::size_t> lower;   // positions in `pair` of pairs (., i)
    std::vector<std::uint32_t> pair;

    Halves(const Pairs& pairs, int d) : upper(d + 1, 0), lower(d + 1, 0), pair(pairs.size()) {
        for (std::size_t e = 0; e < pairs.size(); ++e) ++upper[pairs.first[e] + 1], ++lower[pairs.second[e] + 1];
        std::partial_sum(upper.begin(), upper.end(), upper.begin());
        std::partial_sum(lower.begin(), lower.end(), lower.begin());
        std::vector<std::size_t> next(lower.begin(), lower.end() - 1);
        for (std::size_t e = 0; e < pairs.size(); ++e) pair[next[pairs.second[e]]++] = static_cast<std::uint32_t>(e);
    }
};

// A worker's own room: nothing is shared while rows are swept.
struct Worker : Listener {
    Worker(const Problem& problem) : sweeper(problem.correlation, problem.kernels) {}
    Mask independent(const Row& row, int target, Mask alphas, const std::int32_t* set, int size) override {
        const std::size_t e = pair[row.open - open.data() + target];
        if (places && !places->alphas[e]) {
            places->alphas[e] = alphas, places->single[e] = set[0];
            return alphas;
        }
        const bool late = target < n_late;
        (late ? late_sepsets : sepsets).add(row.i, row.targets[target], alphas, set, size);
        if (both) (late ? late_closed : closed).push_back({e, alphas});
        return alphas;
    }
    void untestable(const std::int32_t* set, int size, int with) override { collinear.add(set, size, with); }

    struct Closed {
        std::size_t pair;
        Mask alphas;
    };
    Sweeper sweeper;
    Places* places = nullptr;  // at level 1 of a first look; no two workers ask about one pair at once
    Sepsets sepsets;
    Collinear collinear;
    // The targets at hand, their pairs and their alphas.
    std::vector<std::int32_t> targets;
    std::vector<std::size_t> pair;
    std::vector<Mask> open;
    std::vector<Row> rows;
    // When a row sweeps both halves at once, what it found is put in order after the level.
    bool both = false;
    int n_late = 0;  // targets whose own row comes first
    std::vector<Closed> closed, late_closed;
    Sepsets late_sepsets;
};

// At level 1 rows are swept in blocks that share the reading of the correlation matrix. So many candidates per
// column read are best, measured at d = 1000 and d = 5000; and every thread should have some blocks.
constexpr int kCandidatesPerColumn = 20, kCandidatesPerFarColumn = 40;

int rows_per_task(const Candidates& candidates, const Pairs& open, int level, const CorrelationView& matrix, int threads) {
    if (level > 1 || candidates.id.size() < open.size()) return 1;  // the tree of prefixes, row by row
    const double d = matrix.d;
    const double block = (matrix.is_far() ? kCandidatesPerFarColumn : kCandidatesPerColumn) * d * d / candidates.id.size();
    const double fair = threads > 1 ? d / (8.0 * threads) : d;
    return static_cast<int>(std::max(1.0, std::min(block, fair)));
}

void take_candidates(Row& row, int i, const Candidates& candidates) {
    row.i = i;
    row.candidates = candidates.id.data() + candidates.start[i];
    row.candidate_alphas = candidates.alphas.data() + candidates.start[i];
    row.n_candidates = candidates.count(i);
}

// The tests a level can take at most, row by row.
std::vector<double> row_bounds(const Halves& halves, const Candidates& candidates, int level, int d) {
    std::vector<double> tests(d);
    for (int i = 0; i < d; ++i)
        tests[i] = choose(candidates.count(i), level) *
                   static_cast<double>(halves.upper[i + 1] - halves.upper[i] + halves.lower[i + 1] - halves.lower[i]);
    return tests;
}

void name_hubs(Report& report, std::vector<double> tests) {
    std::vector<std::int32_t> order(tests.size());
    std::iota(order.begin(), order.end(), 0);
    std::stable_sort(order.begin(), order.end(), [&](int a, int b) { return tests[a] > tests[b]; });
    order.resize(std::min<std::size_t>(order.size(), 5));
    report.hubs = order;
    report.estimate = std::accumulate(tests.begin(), tests.end(), 0.0);
}

class LevelRun {
public:
    LevelRun(Problem& problem, Pairs& open, const Candidates& candidates, int level, bool few_fall)
        : problem_(problem), open_(open), candidates_(candidates), level_(level), few_fall_(few_fall),
          halves_(open, problem.correlation.d), bounds_(problem.fisher.at(level)) {}

    // Whether some alpha lets some row choose a set of this size for a pair still open.
    bool has_work() const {
        for (int i = 0; i < problem_.correlation.d; ++i)
            if (candidates_.count(i) >= level_ && row_has_work(i)) return true;
        return false;
    }

    Outcome run(std::vector<Worker>& workers, Report& report) {
        const int d = problem_.correlation.d;
        const std::vector<double> most = row_bounds(halves_, candidates_, level_, d);
        const double expected = std::accumulate(most.begin(), most.end(), 0.0);
        problem_.control.tests = 0;
        const Outcome outcome = few_fall_ ? run_whole(workers, expected) : run_halves(workers, expected);
        report.tests.resize(level_ + 1);
        report.tests[level_] = problem_.control.tests;
        if (outcome == Outcome::over_budget) name_hubs(report, most);
        return outcome;
    }

private:
    // A pair (i, j) belongs to row i, then, with what is still open, to row j: each half is swept to its end
    // before the other starts, so no row waits for another and the answer knows no threads.
    Outcome run_halves(std::vector<Worker>& workers, double expected) {
        const int d = problem_.correlation.d, rows = rows_per_task(candidates_, open_, level_, problem_.correlation, problem_.control.threads);
        Outcome outcome = Outcome::done;
        for (const bool upper : {true, false}) {
            if (outcome != Outcome::done) break;
            outcome = run_rows((d + rows - 1) / rows, expected, problem_.control, [&](int task, int w, Meter& meter) {
                sweep_half(task * rows, std::min(d, (task + 1) * rows), upper, workers[w], meter);
            });
        }
        return outcome;
    }

    // Where few pairs fall, one tree of prefixes serves both halves of a row: both rows of a pair ask about it as if
    // the other did not, and afterwards the lower row's word goes first.
    Outcome run_whole(std::vector<Worker>& workers, double expected) {
        for (Worker& worker : workers) worker.both = true;
        const Outcome outcome = run_rows(problem_.correlation.d, expected, problem_.control,
                                         [&](int i, int w, Meter& meter) { sweep_both(i, workers[w], meter); });
        for (const Worker& worker : workers)
            for (const auto& [pair, alphas] : worker.closed) open_.alphas[pair] &= ~alphas;
        for (Worker& worker : workers) {
            const Sepsets& late = worker.late_sepsets;
            for (std::size_t r = 0; r < late.size(); ++r) {
                Mask& open = open_.alphas[worker.late_closed[r].pair];
                const Mask alphas = late.alphas[r] & open;
                open &= ~alphas;
                const int size = static_cast<int>(late.begin[r + 1] - late.begin[r]);
                if (alphas) worker.sepsets.add(late.first[r], late.second[r], alphas, late.members.data() + late.begin[r], size);
            }
            worker.closed.clear(), worker.late_closed.clear();
            worker.late_sepsets = Sepsets();
            worker.both = false, worker.n_late = 0;
        }
        return outcome;
    }

    void take_targets(Worker& worker, bool upper, int begin, int end) const {
        const std::vector<std::size_t>& half = upper ? halves_.upper : halves_.lower;
        for (std::size_t at = half[begin]; at < half[end]; ++at) {
            const std::size_t e = upper ? at : halves_.pair[at];
            worker.pair.push_back(e);
            worker.targets.push_back(upper ? open_.second[e] : open_.first[e]);
            worker.open.push_back(open_.alphas[e]);
        }
    }

    void sweep_both(int i, Worker& worker, Meter& meter) {
        worker.targets.clear(), worker.pair.clear(), worker.open.clear();
        if (candidates_.count(i) < level_) return;
        take_targets(worker, false, i, i + 1);
        worker.n_late = static_cast<int>(worker.targets.size());
        take_targets(worker, true, i, i + 1);
        if (worker.targets.empty()) return;
        Row row;
        take_candidates(row, i, candidates_);
        row.targets = worker.targets.data(), row.open = worker.open.data();
        row.n_targets = static_cast<int>(worker.targets.size());
        worker.sweeper.sweep(row, level_, bounds_, worker, meter);
    }

    bool row_has_work(int i) const {
        int allowed[kMaxAlphas] = {};
        const auto begin = candidates_.id.begin() + candidates_.start[i], end = candidates_.id.begin() + candidates_.start[i + 1];
        for (std::size_t c = candidates_.start[i]; c < candidates_.start[i + 1]; ++c)
            for (Mask left = candidates_.alphas[c]; left; left &= left - 1) ++allowed[lowest(left)];
        const auto asks = [&](int j, Mask open) {
            const auto at = std::lower_bound(begin, end, j);
            const Mask own = at != end && *at == j ? candidates_.alphas[at - candidates_.id.begin()] : 0;
            for (Mask left = open; left; left &= left - 1)
                if (allowed[lowest(left)] - static_cast<int>(own >> lowest(left) & 1) >= level_) return true;
            return false;
        };
        for (std::size_t e = halves_.upper[i]; e < halves_.upper[i + 1]; ++e)
            if (asks(open_.second[e], open_.alphas[e])) return true;
        for (std::size_t at = halves_.lower[i]; at < halves_.lower[i + 1]; ++at)
            if (asks(open_.first[halves_.pair[at]], open_.alphas[halves_.pair[at]])) return true;
        return false;
    }

    // The targets of rows [begin, end) that lie above (or below) them, as one block.
    void sweep_half(int begin, int end, bool upper, Worker& worker, Meter& meter) {
        const std::vector<std::size_t>& half = upper ? halves_.upper : halves_.lower;
        worker.targets.clear(), worker.pair.clear(), worker.open.clear();
        take_targets(worker, upper, begin, end);
        worker.rows.resize(end - begin);
        int count = 0;
        for (int i = begin; i < end; ++i) {
            if (half[i] == half[i + 1] || candidates_.count(i) < level_) continue;
            Row& row = worker.rows[count++];
            take_candidates(row, i, candidates_);
            row.targets = worker.targets.data() + (half[i] - half[begin]);
            row.open = worker.open.data() + (half[i] - half[begin]);
            row.n_targets = static_cast<int>(half[i + 1] - half[i]);
        }
        if (end - begin > 1)
            worker.sweeper.sweep_block(worker.rows.data(), count, bounds_, worker, meter);
        else if (count > 0)
            worker.sweeper.sweep(worker.rows[0], level_, bounds_, worker, meter);
        for (std::size_t t = 0; t < worker.pair.size(); ++t) open_.alphas[worker.pair[t]] = worker.open[t];
    }

    Problem& problem_;
    Pairs& open_;
    const Candidates& candidates_;
    int level_;
    bool few_fall_;
    Halves halves_;
    Bounds bounds_;
};

}  // namespace

std::vector<Sepsets> sweep_levels(Problem& problem, Pairs& open, LevelSource& source, int level, Report& report,
                                  Places* places) {
    const int threads = std::max(1, problem.control.threads);
    std::vector<Worker> workers;
    workers.reserve(threads);
    for (int w = 0; w < threads; ++w) workers.emplace_back(problem);
    for (; report.outcome == Outcome::done; ++level, places = nullptr) {
        const Candidates& candidates = source.candidates();
        LevelRun run(problem, open, candidates, level, level >= source.few_fall_from);
        if (!run.has_work()) break;
        report.level_capped = problem.max_level >= 0 && level > problem.max_level;
        report.rows_exhausted = !problem.fisher.testable(level);
        if (report.level_capped || report.rows_exhausted) break;
        for (Worker& worker : workers) worker.places = places;
        report.outcome = run.run(workers, report);
        open.drop_empty();
    }
    std::vector<Sepsets> found;
    for (Worker& worker : workers) {
        found.push_back(std::move(worker.sepsets));
        report.collinear.append(worker.collinear);
    }
    return found;
}

}  // namespace secondlook
