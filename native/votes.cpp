#include "votes.hpp"

#include <algorithm>
#include <numeric>

namespace secondlook {

namespace {

int count_bits(Mask mask) { return __builtin_popcountll(mask); }

// How many neighbours each variable has at each alpha.
std::vector<int> degrees(const MarkGraph& graph, int n_alphas) {
    std::vector<int> degree(static_cast<std::size_t>(graph.d()) * n_alphas, 0);
    for (int i = 0; i < graph.d(); ++i)
        for (int e = graph.begin(i); e < graph.end(i); ++e)
            for (Mask left = graph.present(e); left; left &= left - 1)
                ++degree[static_cast<std::size_t>(i) * n_alphas + lowest(left)];
    return degree;
}

double sets_up_to(int degree, int size) {
    double sets = 1.0;
    for (int k = 1; k <= size; ++k) sets += choose(degree, k);
    return sets;
}

// How many pairs, adjacent or not, join i to a variable two steps away, at each alpha; no more than there are.
std::vector<double> partners(const MarkGraph& graph, const std::vector<int>& degree, int i, int n_alphas) {
    std::vector<double> count(n_alphas, 0.0);
    for (int e = graph.begin(i); e < graph.end(i); ++e)
        for (Mask left = graph.present(e); left; left &= left - 1)
            count[lowest(left)] += degree[static_cast<std::size_t>(graph.other(e)) * n_alphas + lowest(left)] - 1;
    for (double& c : count) c = std::min<double>(c, graph.d() - 1);
    return count;
}

// Counts of one row's sets, by target and alpha. Alphas that agree come in runs of bits, so a hit adds one at
// the run's first alpha and takes it off after the last; summing over alphas gives the counts.
class Tally {
public:
    void reset(std::size_t targets, int n_alphas) {
        width_ = n_alphas + 1;
        counts_.assign(targets * width_, 0);
    }
    // Adds one at the alphas [first, end).
    void add(std::size_t target, int first, int end) {
        std::int32_t* at = counts_.data() + target * width_;
        ++at[first];
        --at[end];
    }
    // Writes the counts of a target at the alphas of a mask, in order. Asked for few targets, so nothing is summed
    // before it is asked for.
    void counts(std::size_t target, Mask alphas, std::uint32_t* out) const {
        const std::int32_t* steps = counts_.data() + target * width_;
        std::int32_t sum = 0;
        for (int a = 0; alphas; ++a, alphas >>= 1) {
            sum += steps[a];
            if (alphas & 1) *out++ = static_cast<std::uint32_t>(sum);
        }
    }

private:
    std::size_t width_ = 0;
    std::vector<std::int32_t> counts_;
};

// The say of every ordered pair of neighbours of every centre: block of entry (y, x) holds, for every z of y's
// list and every alpha where x - y - z is unshielded, what x's own sets said.
struct Sides {
    std::vector<std::size_t> block;  // per entry of y's list, where its counts begin
    std::vector<std::uint32_t> separating, containing;

    explicit Sides(const MarkGraph& graph) : block(1, 0) {
        Near near(graph);
        for (int y = 0; y < graph.d(); ++y)
            for (int ex = graph.begin(y); ex < graph.end(y); ++ex) {
                near.look_from(graph.other(ex));
                std::size_t size = block.back();
                for (int ez = graph.begin(y); ez < graph.end(y); ++ez)
                    if (ex != ez) size += count_bits(near.unshielded(ex, ez));
                block.push_back(size);
            }
        separating.resize(block.back()), containing.resize(block.back());
    }
};

class RowVoter : public Listener {
public:
    RowVoter(Problem& problem, const MarkGraph& graph, const Candidates& rows, const VotingSizes& sizes, Sides& sides)
        : sweeper_(problem.correlation, problem.kernels), problem_(problem), graph_(graph), rows_(rows), sizes_(sizes),
          sides_(sides), near_(graph), place_(graph.d()), neighbour_(graph.d()), ends_(graph.d(), 0) {}

    Mask independent(const Row&, int target, Mask alphas, const std::int32_t* set, int size) override {
        while (alphas) {
            const int first = lowest(alphas);
            const Mask above = ~(alphas >> first);
            const int end = above ? std::min(first + lowest(above), kMaxAlphas) : kMaxAlphas;
            separating_.add(target, first, end);
            for (int m = 0; m < size; ++m) containing_.add(neighbour_[set[m]] * targets_.size() + target, first, end);
            alphas = end < kMaxAlphas ? alphas & (~Mask{0} << end) : 0;
        }
        return 0;  // every set has its say
    }
    void untestable(const std::int32_t* set, int size, int with) override { collinear.add(set, size, with); }

    void run(int i, Meter& meter) {
        find_targets(i);
        if (targets_.empty()) return;
        const int degree = graph_.degree(i), n_alphas = problem_.fisher.count();
        separating_.reset(targets_.size(), n_alphas);
        containing_.reset(targets_.size() * degree, n_alphas);
        for (int k = 0; k < degree; ++k) neighbour_[graph_.other(graph_.begin(i) + k)] = k;
        Row row;
        row.i = i;
        row.targets = targets_.data(), row.open = open_.data(), row.n_targets = static_cast<int>(targets_.size());
        empty_set(row, meter);
        // Candidates and targets stay the same for all sizes; only the alphas that may still use a size change.
        for (int level = 1; take_usable(row, level); ++level) {
            if (!problem_.fisher.testable(level)) {
                rows_exhausted = true;
                break;
            }
            const Bounds bounds = problem_.fisher.at(level);
            if (level == 1)
                sweeper_.sweep(row, level, bounds, *this, meter);
            else
                sweeper_.sweep_again(row, level, bounds, *this, meter);
        }
        store(i);
    }

    Collinear collinear;
    bool rows_exhausted = false;

private:
    // Who ends an unshielded triple that starts at i, and at which alphas.
    void find_targets(int i) {
        near_.look_from(i);
        targets_.clear();
        for (int ey = graph_.begin(i); ey < graph_.end(i); ++ey) {
            const int y = graph_.other(ey), own = graph_.twin(ey);
            for (int ez = graph_.begin(y); ez < graph_.end(y); ++ez) {
                const Mask alphas = ez == own ? 0 : near_.unshielded(own, ez);
                if (!alphas) continue;
                const int z = graph_.other(ez);
                if (!ends_[z]) targets_.push_back(z);
                ends_[z] |= alphas;
            }
        }
        std::sort(targets_.begin(), targets_.end());
        open_.resize(targets_.size());
        for (std::size_t t = 0; t < targets_.size(); ++t) {
            const int z = targets_[t];
            place_[z] = static_cast<int>(t);
            open_[t] = ends_[z];
            ends_[z] = 0;
        }
    }

    void empty_set(const Row& row, Meter& meter) {
        const Bounds bounds = problem_.fisher.at(0);
        meter.count(row.n_targets);
        for (int t = 0; t < row.n_targets; ++t) {
            const double r = problem_.correlation.row(row.i)[row.targets[t]];
            if (const Mask found = bounds.independent(row.open[t], r * r, 1.0)) independent(row, t, found, nullptr, 0);
        }
    }

    // Leaves out what no alpha can use at this size; false when nothing is left. Level 1 decides which candidates
    // and targets there are, later levels only take alphas away from them.
    bool take_usable(Row& row, int level) {
        const int n_alphas = problem_.fisher.count();
        Mask allowed = 0;
        for (int a = 0; a < n_alphas; ++a)
            if (sizes_.size[static_cast<std::size_t>(row.i) * n_alphas + a] >= level) allowed |= Mask{1} << a;
        if (!allowed) return false;
        if (level == 1) {
            candidates_.clear(), candidate_alphas_.clear();
            for (std::size_t c = rows_.start[row.i]; c < rows_.start[row.i + 1]; ++c)
                if (rows_.alphas[c] & allowed) candidates_.push_back(rows_.id[c]), candidate_alphas_.push_back(rows_.alphas[c]);
            row.candidates = candidates_.data(), row.candidate_alphas = candidate_alphas_.data();
            row.n_candidates = static_cast<int>(candidates_.size());
        }
        int usable = 0;
        for (Mask& alphas : candidate_alphas_) usable += (alphas &= allowed) != 0;
        for (Mask& alphas : open_) alphas &= allowed;
        return usable >= level;
    }

    void store(int i) {
        for (int ey = graph_.begin(i); ey < graph_.end(i); ++ey) {
            const int y = graph_.other(ey), own = graph_.twin(ey), k = ey - graph_.begin(i);
            std::size_t at = sides_.block[own];
            for (int ez = graph_.begin(y); ez < graph_.end(y); ++ez) {
                if (ez == own) continue;
                const Mask alphas = near_.unshielded(own, ez);
                if (!alphas) continue;
                const std::size_t target = place_[graph_.other(ez)];
                separating_.counts(target, alphas, sides_.separating.data() + at);
                containing_.counts(k * targets_.size() + target, alphas, sides_.containing.data() + at);
                at += count_bits(alphas);
            }
        }
    }

    Sweeper sweeper_;
    Problem& problem_;
    const MarkGraph& graph_;
    const Candidates& rows_;
    const VotingSizes& sizes_;
    Sides& sides_;
    Near near_;
    Tally separating_, containing_;  // by target; by neighbour and target
    std::vector<int> place_, neighbour_;
    std::vector<std::int32_t> targets_, candidates_;
    std::vector<Mask> ends_, open_, candidate_alphas_;
};

// Calls visit(entry of x, entry of z, alphas) for all unshielded triples x - y - z, x < z, sorted by (y, x, z).
template <class Visit>
void for_triples(const MarkGraph& graph, int y, Near& near, Visit visit) {
    for (int ex = graph.begin(y); ex < graph.end(y); ++ex) {
        near.look_from(graph.other(ex));
        for (int ez = ex + 1; ez < graph.end(y); ++ez)
            if (const Mask alphas = near.unshielded(ex, ez)) visit(ex, ez, alphas);
    }
}

void add_triple(Triples& triples, int x, int y, int z, Mask alphas) {
    triples.x.push_back(x), triples.y.push_back(y), triples.z.push_back(z), triples.alphas.push_back(alphas);
}

// Adds x's say and z's say about every triple.
void combine(const MarkGraph& graph, const Sides& sides, Votes& votes) {
    Near near(graph);
    std::vector<std::size_t> next;
    for (int y = 0; y < graph.d(); ++y) {
        const int begin = graph.begin(y);
        next.assign(sides.block.begin() + begin, sides.block.begin() + graph.end(y));
        // Both blocks stand at each other's place: earlier neighbours of either were passed before.
        for_triples(graph, y, near, [&](int ex, int ez, Mask alphas) {
            add_triple(votes.triples, graph.other(ex), y, graph.other(ez), alphas);
            std::size_t &of_x = next[ex - begin], &of_z = next[ez - begin];
            for (Mask left = alphas; left; left &= left - 1, ++of_x, ++of_z) {
                votes.separating.push_back(sides.separating[of_x] + sides.separating[of_z]);
                votes.containing.push_back(sides.containing[of_x] + sides.containing[of_z]);
            }
        });
    }
}

}  // namespace

Triples unshielded_triples(const MarkGraph& graph) {
    Triples triples;
    Near near(graph);
    for (int y = 0; y < graph.d(); ++y)
        for_triples(graph, y, near, [&](int ex, int ez, Mask alphas) {
            add_triple(triples, graph.other(ex), y, graph.other(ez), alphas);
        });
    return triples;
}

VotingSizes voting_sizes(const MarkGraph& graph, int n_alphas, const VoteLimits& limits) {
    const std::vector<int> degree = degrees(graph, n_alphas);
    VotingSizes out{std::vector<std::int32_t>(degree.size()), std::vector<std::int32_t>(n_alphas, -1),
                    std::vector<std::int32_t>(n_alphas, 0)};
    const int most = degree.empty() ? 0 : *std::max_element(degree.begin(), degree.end());
    std::vector<double> asked(static_cast<std::size_t>(n_alphas) * (most + 1), 0.0);  // if sizes stop at k
    for (int i = 0; i < graph.d(); ++i) {
        const std::vector<double> targets = partners(graph, degree, i, n_alphas);
        for (int a = 0; a < n_alphas; ++a) {
            const std::size_t at = static_cast<std::size_t>(i) * n_alphas + a;
            const int wanted = limits.max_size < 0 ? degree[at] : std::min(degree[at], limits.max_size);
            int size = limits.max_level < 0 ? wanted : std::min(wanted, limits.max_level);
            while (size > 0 && sets_up_to(degree[at], size) > limits.max_sets) --size;
            out.size[at] = size;
            for (int k = 0; k <= most; ++k) asked[static_cast<std::size_t>(a) * (most + 1) + k] += targets[a] * sets_up_to(degree[at], std::min(k, size));
        }
    }
    for (int a = 0; a < n_alphas; ++a) {
        int size = most;
        while (size > 0 && asked[static_cast<std::size_t>(a) * (most + 1) + size] > limits.max_questions) --size;
        for (int i = 0; i < graph.d(); ++i) {
            const std::size_t at = static_cast<std::size_t>(i) * n_alphas + a;
            const int wanted = limits.max_size < 0 ? degree[at] : std::min(degree[at], limits.max_size);
            out.size[at] = std::min(out.size[at], size);
            if (out.size[at] == wanted || degree[at] == 0) continue;
            out.held_to[a] = std::max(out.held_to[a], out.size[at]);
            ++out.held_variables[a];
        }
    }
    return out;
}

Votes vote(Problem& problem, const Pairs& edges, const VoteLimits& limits) {
    const int d = problem.correlation.d;
    const MarkGraph graph(edges, d);
    const Candidates rows = neighbours(edges, d);
    const VotingSizes sizes = voting_sizes(graph, problem.fisher.count(), limits);
    Sides sides(graph);
    Votes votes;
    votes.held_to = sizes.held_to, votes.held_variables = sizes.held_variables;
    std::vector<RowVoter> voters;
    voters.reserve(std::max(1, problem.control.threads));
    for (int w = 0; w < std::max(1, problem.control.threads); ++w) voters.emplace_back(problem, graph, rows, sizes, sides);
    problem.control.tests = 0;
    votes.report.outcome = run_rows(d, 10.0 * sides.separating.size(), problem.control,
                                    [&](int i, int w, Meter& meter) { voters[w].run(i, meter); });
    votes.report.tests.assign(1, problem.control.tests);
    for (const RowVoter& voter : voters) {
        votes.report.collinear.append(voter.collinear);
        votes.report.rows_exhausted |= voter.rows_exhausted;
    }
    if (votes.report.outcome == Outcome::done) combine(graph, sides, votes);
    return votes;
}

}  // namespace secondlook
