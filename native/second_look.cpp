#include "second_look.hpp"

#include <algorithm>
#include <utility>

namespace secondlook {

namespace {

struct Parents : LevelSource {
    Parents(const MarkedEdges& marked, const CorrelationView& correlation);
    const Candidates& candidates() override { return rows; }
    // The alphas of `mask` at which all members of a set are candidates of a row.
    Mask hold(int row, const std::int32_t* set, std::size_t size, Mask mask) const;
    Candidates rows;
    std::vector<double> r;  // of each row with its candidates, side by side
};

Parents::Parents(const MarkedEdges& marked, const CorrelationView& correlation) {
    const int d = correlation.d;
    Pairs pairs;
    pairs.first.assign(marked.first, marked.first + marked.count);
    pairs.second.assign(marked.second, marked.second + marked.count);
    pairs.alphas.assign(marked.count, 0);
    rows = neighbours(pairs, d);
    // The marks that arrive at either end, in the order in which `neighbours` lists the edges.
    std::vector<std::size_t> next(rows.start.begin(), rows.start.end() - 1);
    for (std::size_t e = 0; e < marked.count; ++e) rows.alphas[next[marked.second[e]]++] = marked.forward[e];
    for (std::size_t e = 0; e < marked.count; ++e) rows.alphas[next[marked.first[e]]++] = marked.backward[e];
    // What is at no alpha a parent is no candidate.
    std::size_t kept = 0, begin = 0;
    for (int i = 0; i < d; ++i) {
        const std::size_t end = rows.start[i + 1];
        for (std::size_t c = begin; c < end; ++c)
            if (rows.alphas[c]) rows.id[kept] = rows.id[c], rows.alphas[kept++] = rows.alphas[c];
        begin = end, rows.start[i + 1] = kept;
    }
    rows.id.resize(kept), rows.alphas.resize(kept), r.resize(kept);
    for (int i = 0; i < d; ++i)
        for (std::size_t c = rows.start[i]; c < rows.start[i + 1]; ++c) r[c] = correlation.row(i)[rows.id[c]];
}

Mask Parents::hold(int row, const std::int32_t* set, std::size_t size, Mask mask) const {
    std::size_t c = rows.start[row];
    const std::size_t end = rows.start[row + 1];
    for (std::size_t m = 0; m < size && mask; ++m, ++c) {
        while (c < end && rows.id[c] < set[m]) ++c;
        if (c == end || rows.id[c] != set[m]) return 0;
        mask &= rows.alphas[c];
    }
    return mask;
}

// Pairs that the first look removed, sorted; those of row i are [row[i], row[i + 1]).
struct Removed {
    Pairs pairs;                      // with the alphas that are still asked about
    std::vector<std::size_t> record;  // of the separating sets: those of pair e are [record[e], record[e + 1])
    std::vector<std::size_t> row;

    Removed(const SepsetsView& sepsets, int d) : row(static_cast<std::size_t>(d) + 1, 0) {
        const std::size_t n = sepsets.size();
        pairs.first.reserve(n), pairs.second.reserve(n), pairs.alphas.reserve(n), record.reserve(n + 1);
        for (std::size_t r = 0; r < n; ++r) {
            if (pairs.size() && pairs.first.back() == sepsets.first[r] && pairs.second.back() == sepsets.second[r]) {
                pairs.alphas.back() |= sepsets.alphas[r];
                continue;
            }
            record.push_back(r);
            pairs.add(sepsets.first[r], sepsets.second[r], sepsets.alphas[r]);
            ++row[pairs.first.back() + 1];
        }
        record.push_back(n);
        for (int i = 0; i < d; ++i) row[i + 1] += row[i];
    }
};

// Sets of one member: the second look's candidates never change, so no pair waits for another.
class Recheck {
public:
    Recheck(const Problem& problem, const Parents& parents, const SepsetsView& sepsets, Removed& removed)
        : problem_(problem), parents_(parents), sepsets_(sepsets), removed_(removed), bounds_(problem.fisher.at(1)) {}

    // A pair (i, j) of the row at hand, and the alphas at which it still asks for sets of one member.
    struct Asking {
        std::size_t pair;
        std::int32_t j;
        double r_ij;
        Mask alphas;
    };

    struct Worker {
        Sepsets found;
        Collinear collinear;
        std::vector<Asking> asking;
        std::int64_t tests = 0;
    };

    void row(int i, Worker& worker, Meter& meter) const {
        const double* row_i = problem_.correlation.row(i);
        worker.asking.clear();
        for (std::size_t e = removed_.row[i]; e < removed_.row[i + 1]; ++e)
            if (const Mask singles = confirm(e, worker.found)) {
                const std::int32_t j = removed_.pairs.second[e];
                worker.asking.push_back({e, j, row_i[j], singles});
            }
        worker.tests = 0;
        ask_parents_of_row(i, worker);
        for (Asking& pair : worker.asking) ask_parents_of_other(i, row_i, pair, worker);
        meter.count(worker.tests);
    }

private:
    // Where the parents of the pair's lower end hold the set that separated it, that set is the answer: every
    // set the second look asks before it was asked before it in the first look. Returns the alphas at which sets
    // of one member are still to be asked; where it took a larger set, they were asked in vain.
    Mask confirm(std::size_t e, Sepsets& found) const {
        Mask singles = 0;
        const int i = removed_.pairs.first[e], j = removed_.pairs.second[e];
        for (std::size_t r = removed_.record[e]; r < removed_.record[e + 1]; ++r) {
            const std::int32_t* set = sepsets_.members + sepsets_.begin[r];
            const std::size_t size = sepsets_.begin[r + 1] - sepsets_.begin[r];
            const Mask again = parents_.hold(i, set, size, sepsets_.alphas[r]);
            if (again) found.add(i, j, again, set, static_cast<int>(size));
            removed_.pairs.alphas[e] &= ~again;
            if (size == 1) singles |= sepsets_.alphas[r] & ~again;
        }
        return singles;
    }

    // Parent by parent, so that the row of each is read once, for all pairs.
    void ask_parents_of_row(int i, Worker& worker) const {
        for (std::size_t c = parents_.rows.start[i]; c < parents_.rows.start[i + 1]; ++c) {
            const std::int32_t s = parents_.rows.id[c];
            const double* row_s = problem_.correlation.row(s);
            std::size_t kept = 0;
            for (Asking pair : worker.asking) {
                if (s != pair.j) ask(i, s, parents_.rows.alphas[c], parents_.r[c], row_s[pair.j], pair, worker);
                worker.asking[kept] = pair;
                kept += pair.alphas ? 1 : 0;
            }
            worker.asking.resize(kept);
        }
    }

    // Of j only what is kept beside its parents is at hand, but of i the whole row.
    void ask_parents_of_other(int i, const double* row_i, Asking& pair, Worker& worker) const {
        for (std::size_t c = parents_.rows.start[pair.j]; c < parents_.rows.start[pair.j + 1] && pair.alphas; ++c) {
            const std::int32_t s = parents_.rows.id[c];
            if (s != i) ask(i, s, parents_.rows.alphas[c], row_i[s], parents_.r[c], pair, worker);
        }
    }

    // One test of i and j given s, for the alphas that ask and know s.
    void ask(int i, std::int32_t s, Mask alphas, double r_is, double r_js, Asking& pair, Worker& worker) const {
        const Mask asking = pair.alphas & alphas;
        if (!asking) return;
        ++worker.tests;
        const double var_i = 1.0 - r_is * r_is, var_j = 1.0 - r_js * r_js, rest = pair.r_ij - r_is * r_js;
        if (var_i <= kPivotFloor || var_j <= kPivotFloor) {
            worker.collinear.add(&s, 1, var_i <= kPivotFloor ? i : pair.j);
            return;
        }
        if (rest * rest > bounds_.loosest(asking) * (var_i * var_j)) return;
        const Mask found = bounds_.independent(asking, rest * rest, var_i * var_j);
        worker.found.add(i, pair.j, found, &s, 1);
        pair.alphas &= ~found;
        removed_.pairs.alphas[pair.pair] &= ~found;
    }

    const Problem& problem_;
    const Parents& parents_;
    const SepsetsView& sepsets_;
    Removed& removed_;
    Bounds bounds_;
};

// Asks all sets of one member; what is found goes to `parts`.
void ask_singles(Problem& problem, const Parents& parents, const SepsetsView& sepsets, Removed& removed,
                 std::vector<Sepsets>& parts, Report& report) {
    const Recheck recheck(problem, parents, sepsets, removed);
    const int d = problem.correlation.d;
    std::vector<Recheck::Worker> workers(std::max(1, problem.control.threads));
    for (auto& worker : workers) worker.found.reserve(sepsets.size() / workers.size() + 1);
    problem.control.tests = 0;
    report.outcome = run_rows(d, 4.0 * sepsets.size(), problem.control,
                              [&](int i, int w, Meter& meter) { recheck.row(i, workers[w], meter); });
    report.tests = {0, problem.control.tests};
    for (auto& worker : workers) {
        parts.push_back(std::move(worker.found));
        report.collinear.append(worker.collinear);
    }
    removed.pairs.drop_empty();
}

// Two sorted lists as one; a pair in both keeps the alphas of both.
Pairs united(const Pairs& a, const Pairs& b) {
    Pairs all;
    std::size_t i = 0, j = 0;
    while (i < a.size() || j < b.size()) {
        const bool a_left = i < a.size(), b_left = j < b.size();
        const auto key = [](const Pairs& p, std::size_t e) { return std::make_pair(p.first[e], p.second[e]); };
        if (a_left && b_left && key(a, i) == key(b, j)) {
            all.add(a.first[i], a.second[i], a.alphas[i] | b.alphas[j]);
            ++i, ++j;
        } else if (!b_left || (a_left && key(a, i) < key(b, j))) {
            all.add(a.first[i], a.second[i], a.alphas[i]);
            ++i;
        } else {
            all.add(b.first[j], b.second[j], b.alphas[j]);
            ++j;
        }
    }
    return all;
}

}  // namespace

Look second_look(Problem& problem, const MarkedEdges& first, const SepsetsView& removed) {
    const int d = problem.correlation.d;
    Look look;
    Parents parents(first, problem.correlation);
    Removed again(removed, d);
    std::vector<Sepsets> parts;
    ask_singles(problem, parents, removed, again, parts, look.report);
    if (look.report.outcome == Outcome::done)
        for (Sepsets& found : sweep_levels(problem, again.pairs, parents, 2, look.report)) parts.push_back(std::move(found));
    look.sepsets = merged(parts, d);
    look.edges = united(first.pairs(), again.pairs);
    return look;
}

Look ask_parents(Problem& problem, Pairs open, const MarkedEdges& graph) {
    Parents parents(graph, problem.correlation);
    Look look;
    std::vector<Sepsets> parts = sweep_levels(problem, open, parents, 1, look.report);
    look.sepsets = merged(parts, problem.correlation.d);
    look.edges = std::move(open);
    return look;
}

}  // namespace secondlook
