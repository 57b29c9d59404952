#include "sepsets.hpp"

#include <algorithm>

namespace secondlook {

void Sepsets::append(const Sepsets& other) {
    for (std::size_t r = 0; r < other.size(); ++r)
        add(other.first[r], other.second[r], other.alphas[r], other.members.data() + other.begin[r],
            static_cast<int>(other.begin[r + 1] - other.begin[r]));
}

namespace {

// A stable counting sort of `order` by key[order[.]], keys in [0, d).
std::vector<std::uint32_t> sorted_by(const std::vector<std::int32_t>& key, std::vector<std::uint32_t> order, int d) {
    std::vector<std::uint32_t> place(static_cast<std::size_t>(d) + 1, 0), out(order.size());
    for (std::int32_t k : key) ++place[k + 1];
    for (int k = 0; k < d; ++k) place[k + 1] += place[k];
    for (std::uint32_t r : order) out[place[key[r]]++] = r;
    return out;
}

}  // namespace

Sepsets merged(std::vector<Sepsets>& parts, int d) {
    Sepsets all = std::move(parts.front());
    for (std::size_t w = 1; w < parts.size(); ++w) {
        all.append(parts[w]);
        parts[w] = Sepsets();
    }
    std::vector<std::uint32_t> order(all.size());
    for (std::size_t r = 0; r < order.size(); ++r) order[r] = static_cast<std::uint32_t>(r);
    order = sorted_by(all.first, sorted_by(all.second, std::move(order), d), d);
    const auto same_pair = [&](std::uint32_t a, std::uint32_t b) {
        return all.first[a] == all.first[b] && all.second[a] == all.second[b];
    };
    for (std::size_t r = 0, end; r < order.size(); r = end) {
        for (end = r + 1; end < order.size() && same_pair(order[r], order[end]); ++end) {
        }
        if (end - r > 1)
            std::sort(order.begin() + r, order.begin() + end, [&](std::uint32_t a, std::uint32_t b) {
                return lowest(all.alphas[a]) < lowest(all.alphas[b]);
            });
    }
    Sepsets out;
    out.first.resize(all.size()), out.second.resize(all.size()), out.alphas.resize(all.size());
    out.begin.resize(all.size() + 1), out.members.resize(all.members.size());
    std::size_t filled = 0;
    for (std::size_t at = 0; at < order.size(); ++at) {
        const std::uint32_t r = order[at];
        out.first[at] = all.first[r], out.second[at] = all.second[r], out.alphas[at] = all.alphas[r];
        for (std::size_t m = all.begin[r]; m < all.begin[r + 1]; ++m) out.members[filled++] = all.members[m];
        out.begin[at + 1] = filled;
    }
    return out;
}

SepsetIndex::SepsetIndex(const SepsetsView& sepsets, int d)
    : sepsets_(sepsets), row_(static_cast<std::size_t>(d) + 1, 0), column_(row_), by_second_(sepsets.size()), place_(d, -1) {
    for (std::size_t r = 0; r < sepsets.size(); ++r) ++row_[sepsets.first[r] + 1], ++column_[sepsets.second[r] + 1];
    for (int i = 0; i < d; ++i) row_[i + 1] += row_[i], column_[i + 1] += column_[i];
    std::vector<std::size_t> next(column_.begin(), column_.end() - 1);
    for (std::size_t r = 0; r < sepsets.size(); ++r) by_second_[next[sepsets.second[r]]++] = static_cast<std::uint32_t>(r);
}

Mask SepsetIndex::containing_from(std::size_t record, int y) const {
    const std::int32_t first = sepsets_.first[record], second = sepsets_.second[record];
    const auto* members = sepsets_.members;
    Mask alphas = 0;
    for (std::size_t r = record; r < sepsets_.size() && sepsets_.first[r] == first && sepsets_.second[r] == second; ++r)
        if (std::binary_search(members + sepsets_.begin[r], members + sepsets_.begin[r + 1], y)) alphas |= sepsets_.alphas[r];
    return alphas;
}

Mask SepsetIndex::containing(int x, int z, int y) const {
    const int i = std::min(x, z), j = std::max(x, z);
    const auto* seconds = sepsets_.second;
    const auto* found = std::lower_bound(seconds + row_[i], seconds + row_[i + 1], j);
    const std::size_t r = found - seconds;
    return r < row_[i + 1] && seconds[r] == j ? containing_from(r, y) : 0;
}

void SepsetIndex::look_from(int x) {
    const auto spread = [&](int from, bool keep) {
        // Backwards, so that the first of a pair's records stays.
        for (std::size_t r = row_[from + 1]; r-- > row_[from];) place_[sepsets_.second[r]] = keep ? static_cast<std::int64_t>(r) : -1;
        for (std::size_t at = column_[from + 1]; at-- > column_[from];)
            place_[sepsets_.first[by_second_[at]]] = keep ? static_cast<std::int64_t>(by_second_[at]) : -1;
    };
    if (x_ >= 0) spread(x_, false);
    spread(x, true);
    x_ = x;
}

}  // namespace secondlook
