#include "sepsets.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

namespace secondlook {

void Sepsets::append(const Sepsets& other) {
    const std::uint64_t offset = members.size();
    first.insert(first.end(), other.first.begin(), other.first.end());
    second.insert(second.end(), other.second.begin(), other.second.end());
    alphas.insert(alphas.end(), other.alphas.begin(), other.alphas.end());
    members.insert(members.end(), other.members.begin(), other.members.end());
    begin.reserve(begin.size() + other.size());
    for (std::size_t r = 1; r < other.begin.size(); ++r) begin.push_back(offset + other.begin[r]);
}

namespace {

// A stable counting sort of `order` by key[order[.]], keys in [0, d).
std::vector<std::uint32_t> sorted_by(const std::vector<std::int32_t>& key, const std::vector<std::uint32_t>& order, int d) {
    std::vector<std::uint32_t> place(static_cast<std::size_t>(d) + 1, 0), out(order.size());
    for (std::int32_t k : key) ++place[k + 1];
    for (int k = 0; k < d; ++k) place[k + 1] += place[k];
    for (std::uint32_t r : order) out[place[key[r]]++] = r;
    return out;
}

// Merges row by row: the records of a row are those whose first is that variable.
class Merger {
public:
    Merger(const Places& places, const Sepsets& others, int d) : places_(places), others_(others), order_(others.size()), rows_(d + 1) {
        std::iota(order_.begin(), order_.end(), 0u);
        order_ = sorted_by(others.first, sorted_by(others.second, order_, d), d);
        for (const std::int32_t i : others.first) ++rows_[i + 1].other;
        for (int i = 0; i < d; ++i) {
            rows_[i + 1].other += rows_[i].other;
            rows_[i + 1].place = std::upper_bound(places.first + rows_[i].place, places.first + places.size(), i) - places.first;
        }
    }

    // First the sizes of the rows, each on its own,
    void count(int i) {
        Start& next = rows_[i + 1];
        for (std::size_t r = rows_[i].place; r < next.place; ++r)
            if (places_.alphas[r]) ++next.record, next.member += places_.size_of(r);
        next.record += next.other - rows_[i].other;
        for (std::size_t at = rows_[i].other; at < next.other; ++at) next.member += others_.view().size_of(order_[at]);
    }

    // then room for them,
    void make_room(Sepsets& merged) {
        for (std::size_t i = 1; i < rows_.size(); ++i) rows_[i].record += rows_[i - 1].record, rows_[i].member += rows_[i - 1].member;
        const Start& all = rows_.back();
        merged.first.resize(all.record), merged.second.resize(all.record), merged.alphas.resize(all.record);
        merged.begin.resize(all.record + 1), merged.members.resize(all.member);
    }

    // then the rows.
    void fill(int i, Sepsets& merged) const {
        constexpr std::int32_t none = std::numeric_limits<std::int32_t>::max();
        const std::int32_t* second = places_.second;
        const SepsetsView others = others_.view();
        const Start& end = rows_[i + 1];
        Start at = rows_[i];
        std::fill(merged.first.begin() + at.record, merged.first.begin() + end.record, i);
        const auto other_j = [&] { return at.other < end.other ? others.second[order_[at.other]] : none; };
        std::int32_t other = other_j();
        Pair pair;
        while (at.place < end.place || at.other < end.other) {
            const std::size_t r = at.place;
            // Most pairs have one place and nothing else.
            if (r < end.place && second[r] < other && (r + 1 == end.place || second[r + 1] != second[r])) {
                ++at.place;
                if (places_.alphas[r]) write({places_.alphas[r], places_.set(r), places_.size_of(r)}, second[r], at, merged);
                continue;
            }
            const std::int32_t j = r < end.place ? std::min(second[r], other) : other;
            pair.size = 0;
            for (; at.place < end.place && second[at.place] == j; ++at.place)
                if (places_.alphas[at.place]) pair.add({places_.alphas[at.place], places_.set(at.place), places_.size_of(at.place)});
            for (; other == j; ++at.other, other = other_j()) {
                const std::size_t o = order_[at.other];
                pair.add({others.alphas[o], others.set(o), others.size_of(o)});
            }
            for (int k = 0; k < pair.size; ++k) write(pair.records[k], j, at, merged);
        }
    }

private:
    // Where a row starts: among the places, among the others, and in what they are merged to.
    struct Start {
        std::size_t place = 0, other = 0, record = 0, member = 0;
    };

    struct Record {
        Mask alphas;
        const std::int32_t* set;
        int size;
    };

    // The records of one pair by their lowest alpha. No alpha has two.
    struct Pair {
        int size;
        Record records[kMaxAlphas];

        void add(const Record& record) {
            int at = size++;
            for (; at > 0 && lowest(record.alphas) < lowest(records[at - 1].alphas); --at) records[at] = records[at - 1];
            records[at] = record;
        }
    };

    static void write(const Record& record, std::int32_t j, Start& at, Sepsets& merged) {
        merged.second[at.record] = j, merged.alphas[at.record] = record.alphas;
        for (int m = 0; m < record.size; ++m) merged.members[at.member++] = record.set[m];
        merged.begin[++at.record] = at.member;
    }

    const Places& places_;
    const Sepsets& others_;
    std::vector<std::uint32_t> order_;  // of the others, by pair
    std::vector<Start> rows_;
};

}  // namespace

Outcome merge(const Places& places, std::vector<Sepsets>& others, int d, Control& control, Sepsets& merged) {
    Sepsets all = std::move(others.front());
    for (std::size_t w = 1; w < others.size(); ++w) all.append(others[w]);
    const double work = static_cast<double>(places.size() + all.size());
    Merger merger(places, all, d);
    const Outcome outcome = run_rows(d, work, control, [&](int i, int, Meter&) { merger.count(i); });
    if (outcome != Outcome::done) return outcome;
    merger.make_room(merged);
    return run_rows(d, work, control, [&](int i, int, Meter&) { merger.fill(i, merged); });
}

SepsetIndex::SepsetIndex(const SepsetsView& sepsets, int d)
    : sepsets_(sepsets), row_(static_cast<std::size_t>(d) + 1, 0), column_(row_), by_second_(sepsets.size()) {
    for (std::size_t r = 0; r < sepsets.size(); ++r) ++row_[sepsets.first[r] + 1], ++column_[sepsets.second[r] + 1];
    for (int i = 0; i < d; ++i) row_[i + 1] += row_[i], column_[i + 1] += column_[i];
    std::vector<std::size_t> next(column_.begin(), column_.end() - 1);
    for (std::size_t r = 0; r < sepsets.size(); ++r) by_second_[next[sepsets.second[r]]++] = static_cast<std::uint32_t>(r);
}

Mask SepsetIndex::containing_from(std::size_t record, int y) const {
    const std::int32_t first = sepsets_.first[record], second = sepsets_.second[record];
    Mask alphas = 0;
    for (std::size_t r = record; r < sepsets_.size() && sepsets_.second[r] == second && sepsets_.first[r] == first; ++r) {
        const std::int32_t* set = sepsets_.set(r);
        for (int m = 0; m < sepsets_.size_of(r); ++m) alphas |= set[m] == y ? sepsets_.alphas[r] : 0;
    }
    return alphas;
}

Mask SepsetIndex::containing(int x, int z, int y) const {
    const int i = std::min(x, z), j = std::max(x, z);
    const auto* seconds = sepsets_.second;
    const auto* found = std::lower_bound(seconds + row_[i], seconds + row_[i + 1], j);
    const std::size_t r = found - seconds;
    return r < row_[i + 1] && seconds[r] == j ? containing_from(r, y) : 0;
}

void SepsetsOf::look_from(int x) {
    const auto spread = [&](int from, bool keep) {
        // Backwards, so that the first of a pair's records stays.
        for (std::size_t r = index_.row_[from + 1]; r-- > index_.row_[from];)
            place_[index_.sepsets_.second[r]] = keep ? static_cast<std::int64_t>(r) : -1;
        for (std::size_t at = index_.column_[from + 1]; at-- > index_.column_[from];)
            place_[index_.sepsets_.first[index_.by_second_[at]]] = keep ? static_cast<std::int64_t>(index_.by_second_[at]) : -1;
    };
    if (x_ >= 0) spread(x_, false);
    spread(x, true);
    x_ = x;
}

}  // namespace secondlook
