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
    for (std::size_t e = 0; e < size(); ++e)
        if (alphas[e]) first[kept] = first[e], second[kept] = second[e], alphas[kept++] = alphas[e];
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
        sepsets.add(row.i, row.targets[target], alphas, set, size);
        return alphas;
    }
    void untestable(const std::int32_t* set, int size, int with) override { collinear.add(set, size, with); }

    Sweeper sweeper;
    Sepsets sepsets;
    Collinear collinear;
    // Targets and their open alphas, for rows whose pairs do not lie side by side.
    std::vector<std::int32_t> targets;
    std::vector<Mask> open;
};

// At level 1 this many rows at most share one pass over the correlation matrix, and no more than keep their
// candidates in a core's cache.
constexpr int kBlock = 64;
constexpr std::size_t kCachedCandidates = 12000;

int rows_per_task(const Candidates& candidates, int level, int d) {
    if (level > 1) return 1;
    const std::size_t degree = candidates.id.size() / d + 1;
    return static_cast<int>(std::max<std::size_t>(4, std::min<std::size_t>(kBlock, kCachedCandidates / degree)));
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
    LevelRun(Problem& problem, Pairs& open, const Candidates& candidates, int level)
        : problem_(problem), open_(open), candidates_(candidates), level_(level),
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
        const int rows = rows_per_task(candidates_, level_, d), tasks = (d + rows - 1) / rows;
        problem_.control.tests = 0;
        // A pair (i, j) belongs to row i, then, with what is still open, to row j: each half is swept to its
        // end before the other starts, so no row waits for another and the answer knows no threads.
        Outcome outcome = Outcome::done;
        for (const bool upper : {true, false}) {
            if (outcome != Outcome::done) break;
            outcome = run_rows(tasks, expected, problem_.control, [&](int task, int w, Meter& meter) {
                sweep_rows(task * rows, std::min(d, (task + 1) * rows), upper, workers[w], meter);
            });
        }
        report.tests.resize(level_ + 1);
        report.tests[level_] = problem_.control.tests;
        if (outcome == Outcome::over_budget) name_hubs(report, most);
        return outcome;
    }

private:
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
    void sweep_rows(int begin, int end, bool upper, Worker& worker, Meter& meter) {
        const std::vector<std::size_t>& half = upper ? halves_.upper : halves_.lower;
        worker.targets.clear(), worker.open.clear();
        for (std::size_t at = half[begin]; at < half[end]; ++at) {
            const std::size_t e = upper ? at : halves_.pair[at];
            worker.targets.push_back(upper ? open_.second[e] : open_.first[e]);
            worker.open.push_back(open_.alphas[e]);
        }
        Row rows[kBlock];
        int count = 0;
        for (int i = begin; i < end; ++i) {
            if (half[i] == half[i + 1] || candidates_.count(i) < level_) continue;
            Row& row = rows[count++];
            take_candidates(row, i, candidates_);
            row.targets = worker.targets.data() + (half[i] - half[begin]);
            row.open = worker.open.data() + (half[i] - half[begin]);
            row.n_targets = static_cast<int>(half[i + 1] - half[i]);
        }
        if (level_ == 1)
            worker.sweeper.sweep_block(rows, count, bounds_, worker, meter);
        else if (count > 0)
            worker.sweeper.sweep(rows[0], level_, bounds_, worker, meter);
        for (std::size_t at = half[begin]; at < half[end]; ++at)
            open_.alphas[upper ? at : halves_.pair[at]] = worker.open[at - half[begin]];
    }

    Problem& problem_;
    Pairs& open_;
    const Candidates& candidates_;
    int level_;
    Halves halves_;
    Bounds bounds_;
};

}  // namespace

void sweep_levels(Problem& problem, Pairs& open, LevelSource& source, Sepsets& sepsets, Report& report) {
    std::vector<Worker> workers;
    workers.reserve(std::max(1, problem.control.threads));
    for (int w = 0; w < std::max(1, problem.control.threads); ++w) workers.emplace_back(problem);
    for (int level = 1; report.outcome == Outcome::done; ++level) {
        const Candidates& candidates = source.candidates();
        LevelRun run(problem, open, candidates, level);
        if (!run.has_work()) break;
        report.level_capped = problem.max_level >= 0 && level > problem.max_level;
        report.rows_exhausted = !problem.fisher.testable(level);
        if (report.level_capped || report.rows_exhausted) break;
        report.outcome = run.run(workers, report);
        open.drop_empty();
    }
    std::vector<Sepsets> parts;
    for (Worker& worker : workers) {
        parts.push_back(std::move(worker.sepsets));
        report.collinear.append(worker.collinear);
    }
    sepsets = merged(parts, problem.correlation.d);
}

}  // namespace secondlook
