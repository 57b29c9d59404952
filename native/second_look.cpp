#include "second_look.hpp"

#include <algorithm>
#include <utility>

namespace secondlook {

namespace {

struct Parents : LevelSource {
    Parents(const MarkedEdges& marked, const CorrelationView& correlation);
    const Candidates& candidates() override { return rows; }
    Candidates rows;
    std::vector<double> r;  // of each row with its candidates, side by side
};

Parents::Parents(const MarkedEdges& marked, const CorrelationView& correlation) : LevelSource(2) {
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

// What the parents say about the pairs that the first look removed: whether they hold the set that separated them,
// else whether one of them does. The second look's candidates never change, so no pair waits for another.
class Recheck {
public:
    Recheck(const Problem& problem, const Parents& parents, const SepsetsView& removed)
        : problem_(problem), parents_(parents), removed_(removed), bounds_(problem.fisher.at(1)),
          places_{removed.first, removed.second, std::vector<Mask>(removed.size()), std::vector<std::int32_t>(removed.size(), -1), removed},
          open_(removed.size()) {}

    // The pairs (i, j) of one row that ask for sets of one member, side by side.
    struct Asking {
        std::vector<std::int32_t> j;
        std::vector<double> r_ij, bound;
        std::vector<Mask> alphas;
        std::vector<std::size_t> record;  // the first look's first one

        void make_room(std::size_t pairs) {
            if (j.size() >= pairs) return;
            j.resize(pairs), r_ij.resize(pairs), bound.resize(pairs), alphas.resize(pairs), record.resize(pairs);
        }
    };

    // A pair of the row, and the candidate that may separate it or cannot be tested with it.
    struct Hit {
        std::int32_t pair;
        std::uint32_t candidate;
    };

    struct Worker {
        explicit Worker(int d) : parents(d, 0) {}
        Sepsets found;  // what the places had no room for
        Collinear collinear;
        std::vector<Mask> parents;  // of the row at hand: the alphas at which a variable is one
        Asking asking;
        std::vector<Hit> hits;
        std::int64_t tests = 0;
    };

    void row(int i, Worker& worker, Meter& meter) {
        worker.tests = 0;
        const int pairs = confirm(i, worker);
        if (pairs == 0) return;
        ask_parents_of_row(i, pairs, worker);
        ask_parents_of_others(i, pairs, worker);
        meter.count(worker.tests);
    }

    const Places& places() const { return places_; }

    // The pairs that ask for larger sets.
    Pairs open() const {
        Pairs all;
        for (std::size_t r = 0; r < open_.size(); ++r)
            if (open_[r]) all.add(removed_.first[r], removed_.second[r], open_[r]);
        return all;
    }

private:
    // The first record whose lower end is i or beyond.
    std::size_t begin(int i) const { return std::lower_bound(removed_.first, removed_.first + removed_.size(), i) - removed_.first; }

    // Where the parents of the pair's lower end hold the set that separated it, that set is the answer: every
    // set the second look asks before it was asked before it in the first look. The others go on asking, for sets
    // of one member only where it had no more: else these were asked in vain. Returns how many of these there are.
    int confirm(int i, Worker& worker) {
        const Candidates& rows = parents_.rows;
        Asking& asking = worker.asking;
        std::size_t r = begin(i);
        const std::size_t end = begin(i + 1);
        if (r < end) problem_.correlation.fetch(i);
        asking.make_room(end - r);
        for (std::size_t c = rows.start[i]; c < rows.start[i + 1]; ++c) worker.parents[rows.id[c]] = rows.alphas[c];
        int pairs = 0;
        while (r < end) {
            const std::size_t record = r;
            const std::int32_t j = removed_.second[r];
            Mask open = 0, singles = 0;
            for (; r < end && removed_.second[r] == j; ++r) {
                const std::int32_t* set = removed_.set(r);
                const int size = removed_.size_of(r);
                Mask held = removed_.alphas[r];
                for (int m = 0; m < size; ++m) held &= worker.parents[set[m]];
                places_.alphas[r] = held;
                const Mask lost = removed_.alphas[r] & ~held;
                open |= lost;
                singles |= size == 1 ? lost : 0;
            }
            open_[record] = open;
            asking.j[pairs] = j, asking.alphas[pairs] = singles, asking.record[pairs] = record;
            pairs += singles ? 1 : 0;
        }
        for (std::size_t c = rows.start[i]; c < rows.start[i + 1]; ++c) worker.parents[rows.id[c]] = 0;
        const double* row_i = problem_.correlation.row(i);
        for (int k = 0; k < pairs; ++k) asking.r_ij[k] = row_i[asking.j[k]], asking.bound[k] = bounds_.loosest(asking.alphas[k]);
        return pairs;
    }

    // Parent by parent, so that the row of each is read once, for all pairs.
    void ask_parents_of_row(int i, int pairs, Worker& worker) {
        const Candidates& rows = parents_.rows;
        const std::size_t begin = rows.start[i], end = rows.start[i + 1];
        if (worker.hits.size() < static_cast<std::size_t>(pairs) + 1) worker.hits.resize(pairs + 1);
        if (begin < end) problem_.correlation.fetch(rows.id[begin]);
        for (std::size_t c = begin; c < end; ++c) {
            if (c + 1 < end) problem_.correlation.fetch(rows.id[c + 1]);
            const double* row_s = problem_.correlation.row(rows.id[c]);
            const int hits = find_hits(row_s, c, pairs, worker.asking, worker.hits.data());
            for (int h = 0; h < hits; ++h) {
                const int k = worker.hits[h].pair;
                settle(i, k, c, parents_.r[c], row_s[worker.asking.j[k]], worker);
            }
        }
        worker.tests += static_cast<std::int64_t>(end - begin) * pairs;
    }

    // Hits cannot be predicted, so every pair is written down and kept by counting on; likewise below.
    int find_hits(const double* row_s, std::size_t c, int pairs, const Asking& asking, Hit* hits) const {
        const std::int32_t* j = asking.j.data();
        const double *r_ij = asking.r_ij.data(), *bound = asking.bound.data();
        const double r_is = parents_.r[c], var_i = 1.0 - r_is * r_is, bound_s = bounds_.loosest(parents_.rows.alphas[c]);
        int found = 0;
        for (int k = 0; k < pairs; ++k) {
            const double r_js = row_s[j[k]], rest = r_ij[k] - r_is * r_js, var_j = 1.0 - r_js * r_js;
            const double loosest = bound[k] < bound_s ? bound[k] : bound_s;
            hits[found] = {k, static_cast<std::uint32_t>(c)};
            found += (rest * rest <= loosest * (var_i * var_j)) | (var_j <= kPivotFloor) | (var_i <= kPivotFloor);
        }
        return found;
    }

    // Of j only what is kept beside its parents is at hand, but of i the whole row.
    void ask_parents_of_others(int i, int pairs, Worker& worker) {
        const double* row_i = problem_.correlation.row(i);
        const Asking& asking = worker.asking;
        std::size_t hits = 0;
        for (int k = 0; k < pairs; ++k) {
            if (!asking.alphas[k]) continue;
            const double r_ij = asking.r_ij[k], bound = asking.bound[k];
            const std::size_t begin = parents_.rows.start[asking.j[k]], end = parents_.rows.start[asking.j[k] + 1];
            if (worker.hits.size() < hits + (end - begin) + 1) worker.hits.resize(2 * (hits + (end - begin) + 1));
            Hit* list = worker.hits.data();
            for (std::size_t c = begin; c < end; ++c) {
                const double r_js = parents_.r[c], r_is = row_i[parents_.rows.id[c]], rest = r_ij - r_is * r_js;
                const double var_i = 1.0 - r_is * r_is, var_j = 1.0 - r_js * r_js;
                list[hits] = {k, static_cast<std::uint32_t>(c)};
                hits += (rest * rest <= bound * (var_i * var_j)) | (var_j <= kPivotFloor) | (var_i <= kPivotFloor);
            }
            worker.tests += static_cast<std::int64_t>(end - begin);
        }
        for (std::size_t h = 0; h < hits; ++h) {
            const auto [k, c] = worker.hits[h];
            settle(i, k, c, row_i[parents_.rows.id[c]], parents_.r[c], worker);
        }
    }

    // A hit: independent given candidate c at some of the alphas that ask and know it, or untestable.
    void settle(int i, int k, std::size_t c, double r_is, double r_js, Worker& worker) {
        Asking& pair = worker.asking;
        const std::int32_t s = parents_.rows.id[c];
        const Mask asking = pair.alphas[k] & parents_.rows.alphas[c];
        if (!asking || s == i || s == pair.j[k]) return;
        const double var_i = 1.0 - r_is * r_is, var_j = 1.0 - r_js * r_js, rest = pair.r_ij[k] - r_is * r_js;
        if (var_i <= kPivotFloor || var_j <= kPivotFloor) {
            worker.collinear.add(&s, 1, var_i <= kPivotFloor ? i : pair.j[k]);
            return;
        }
        const Mask found = bounds_.independent(asking, rest * rest, var_i * var_j);
        if (!found) return;
        pair.alphas[k] &= ~found;
        pair.bound[k] = bounds_.loosest(pair.alphas[k]);
        open_[pair.record[k]] &= ~found;
        // The place of a record that does not stand is free. Those of other rows are not even looked at.
        const auto of_pair = [&](std::size_t r) { return r < removed_.size() && removed_.second[r] == pair.j[k] && removed_.first[r] == i; };
        std::size_t r = pair.record[k];
        while (of_pair(r) && places_.alphas[r]) ++r;
        if (of_pair(r))
            places_.alphas[r] = found, places_.single[r] = s;
        else
            worker.found.add(i, pair.j[k], found, &s, 1);
    }

    const Problem& problem_;
    const Parents& parents_;
    const SepsetsView& removed_;
    Bounds bounds_;
    Places places_;
    std::vector<Mask> open_;  // at the first record of a pair: the alphas at which it asks
};

// Asks all sets of one member; returns what the places had no room for.
std::vector<Sepsets> ask_singles(Problem& problem, Recheck& recheck, double pairs, Report& report) {
    const int d = problem.correlation.d;
    std::vector<Recheck::Worker> workers(std::max(1, problem.control.threads), Recheck::Worker(d));
    problem.control.tests = 0;
    report.outcome = run_rows(d, pairs, problem.control, [&](int i, int w, Meter& meter) { recheck.row(i, workers[w], meter); });
    report.tests = {0, problem.control.tests};
    std::vector<Sepsets> found;
    for (auto& worker : workers) {
        found.push_back(std::move(worker.found));
        report.collinear.append(worker.collinear);
    }
    return found;
}

// The edges of the first look and the pairs that the second could not separate again, both sorted. No alpha has a
// pair in both.
Pairs united(const MarkedEdges& edges, const Pairs& open) {
    Pairs all;
    all.reserve(edges.count + open.size());
    const auto key = [](const auto& pairs, std::size_t e) { return std::make_pair(pairs.first[e], pairs.second[e]); };
    std::size_t o = 0;
    for (std::size_t e = 0; e < edges.count; ++e) {
        for (; o < open.size() && key(open, o) < key(edges, e); ++o) all.add(open.first[o], open.second[o], open.alphas[o]);
        Mask alphas = edges.forward[e] | edges.backward[e];
        if (o < open.size() && key(open, o) == key(edges, e)) alphas |= open.alphas[o++];
        all.add(edges.first[e], edges.second[e], alphas);
    }
    for (; o < open.size(); ++o) all.add(open.first[o], open.second[o], open.alphas[o]);
    return all;
}

}  // namespace

Look second_look(Problem& problem, const MarkedEdges& first, const SepsetsView& removed) {
    Look look;
    Parents parents(first, problem.correlation);
    Recheck recheck(problem, parents, removed);
    std::vector<Sepsets> found = ask_singles(problem, recheck, removed.size(), look.report);
    if (look.report.outcome != Outcome::done) return look;
    Pairs open = recheck.open();
    for (Sepsets& sets : sweep_levels(problem, open, parents, 2, look.report)) found.push_back(std::move(sets));
    if (look.report.outcome != Outcome::done) return look;
    look.edges = united(first, open);
    look.report.outcome = merge(recheck.places(), found, problem.correlation.d, problem.control, look.sepsets);
    return look;
}

Look ask_parents(Problem& problem, Pairs open, const MarkedEdges& graph) {
    Parents parents(graph, problem.correlation);
    Look look;
    const std::vector<std::int32_t> first = open.first, second = open.second;
    Places places{first.data(), second.data(), std::vector<Mask>(first.size()), std::vector<std::int32_t>(first.size()), {}};
    std::vector<Sepsets> others = sweep_levels(problem, open, parents, 1, look.report, &places);
    if (look.report.outcome != Outcome::done) return look;
    look.report.outcome = merge(places, others, problem.correlation.d, problem.control, look.sepsets);
    look.edges = std::move(open);
    return look;
}

}  // namespace secondlook
