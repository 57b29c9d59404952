// The strata of a set of columns: which rows agree in all of them.
#pragma once
#include <algorithm>
#include <cstdint>
#include <vector>

#include "contingency.hpp"

namespace secondlook {

// While all combinations of levels are few, strata are numbered by mixed radix and some may be empty; beyond, only
// those that occur are numbered, so that there are never many more than rows.
template <class Code>
class Strata {
public:
    explicit Strata(const CodesView& codes) : codes_(codes) {}

    // Asked for the same set again, nothing is done.
    void split(const std::int32_t* S, std::size_t size) {
        if (known_ && size == set_.size() && std::equal(S, S + size, set_.begin())) return;
        set_.assign(S, S + size);
        known_ = true;
        count_ = 1;
        stratum_.assign(codes_.n, 0);
        for (std::size_t k = 0; k < size; ++k) refine(S[k]);
    }

    std::uint64_t count() const { return count_; }
    const std::vector<std::uint32_t>& of_row() const { return stratum_; }

    // How many cells a table may have without being large beside the rows.
    std::uint64_t roomy() const { return std::max<std::uint64_t>(kRoom, 4 * codes_.n); }

    const std::vector<std::uint32_t>& sizes() {
        sizes_.assign(count_, 0);
        for (std::uint32_t s : stratum_) ++sizes_[s];
        return sizes_;
    }

    // Rows in the order of their strata: stratum s has order[begin[s]] .. order[begin[s + 1] - 1].
    void gather(std::vector<std::uint32_t>& begin, std::vector<std::uint32_t>& order) {
        begin.assign(count_ + 1, 0);
        for (std::uint32_t s : stratum_) ++begin[s + 1];
        for (std::uint64_t s = 0; s < count_; ++s) begin[s + 1] += begin[s];
        sizes_.assign(begin.begin(), begin.end() - 1);
        order.resize(codes_.n);
        for (std::size_t r = 0; r < codes_.n; ++r) order[sizes_[stratum_[r]]++] = static_cast<std::uint32_t>(r);
    }

private:
    static constexpr std::uint64_t kRoom = 1 << 14;
    static constexpr std::uint64_t kFree = ~std::uint64_t{0};

    void refine(std::int32_t column) {
        const Code* code = static_cast<const Code*>(codes_.data) + static_cast<std::size_t>(column) * codes_.n;
        const std::uint64_t levels = static_cast<std::uint64_t>(codes_.levels[column]);
        if (count_ * levels > roomy()) return number_those_that_occur(code, levels);
        for (std::size_t r = 0; r < codes_.n; ++r)
            stratum_[r] = static_cast<std::uint32_t>(stratum_[r] * levels + static_cast<std::uint64_t>(code[r]));
        count_ *= levels;
    }

    // A hash table of twice as many places as rows; numbers go by first appearance.
    void number_those_that_occur(const Code* code, std::uint64_t levels) {
        int bits = 4;
        while ((std::size_t{1} << bits) < 2 * codes_.n) ++bits;
        const std::size_t last = (std::size_t{1} << bits) - 1;
        key_.assign(last + 1, kFree);
        number_.resize(last + 1);
        count_ = 0;
        for (std::size_t r = 0; r < codes_.n; ++r) {
            const std::uint64_t key = stratum_[r] * levels + static_cast<std::uint64_t>(code[r]);
            std::size_t place = (key * 0x9E3779B97F4A7C15ull) >> (64 - bits);
            while (key_[place] != key && key_[place] != kFree) place = (place + 1) & last;
            if (key_[place] == kFree) key_[place] = key, number_[place] = static_cast<std::uint32_t>(count_++);
            stratum_[r] = number_[place];
        }
    }

    CodesView codes_;
    std::vector<std::int32_t> set_;
    bool known_ = false;
    std::uint64_t count_ = 1;
    std::vector<std::uint32_t> stratum_, sizes_, number_;
    std::vector<std::uint64_t> key_;
};

}  // namespace secondlook
