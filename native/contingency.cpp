#include "contingency.hpp"

#include <algorithm>
#include <cmath>

#include "strata.hpp"

namespace secondlook {

namespace {

constexpr std::size_t kTableEntries = 1 << 16;
constexpr std::size_t kInterruptEvery = 1 << 23;  // rows counted between two looks at Ctrl-C

// Sums are kept as integers in units of a power of two: they do not depend on the order of their terms, so an
// answer does not depend on the order of columns, levels or rows.
class FixedPoint {
public:
    explicit FixedPoint(double largest_sum) : scale_(std::exp2(61 - std::ceil(std::log2(std::max(largest_sum, 1.0))))) {}
    std::int64_t of(long double value) const { return static_cast<std::int64_t>(std::llroundl(value * scale_)); }
    double back(std::int64_t sum) const { return static_cast<double>(sum) / scale_; }

private:
    double scale_;
};

// c log c for whole c.
class Entropy {
public:
    explicit Entropy(std::size_t n) : fixed_(4.0 * n * std::log(n + 1.0)), known_(std::min(n + 1, kTableEntries)) {
        for (std::size_t c = 2; c < known_.size(); ++c) known_[c] = computed(c);
    }
    std::int64_t operator()(std::uint64_t c) const { return c < known_.size() ? known_[c] : computed(c); }
    double back(std::int64_t sum) const { return fixed_.back(sum); }

private:
    std::int64_t computed(std::uint64_t c) const {
        const long double count = static_cast<long double>(c);
        return fixed_.of(count * std::log(count));
    }
    FixedPoint fixed_;
    std::vector<std::int64_t> known_;
};

struct Totals {
    std::int64_t sum = 0;      // of the statistic, in fixed point
    std::uint64_t terms = 0;   // rounded once each
    double freedom = 0.0;
    std::uint64_t informative = 0;
};

// What one stratum adds, from its cells that are not empty. Row and column sums are kept at hand.
class StratumSums {
public:
    StratumSums(const Entropy& entropy, const FixedPoint& shares, Divergence divergence)
        : entropy_(entropy), shares_(shares), divergence_(divergence) {}

    void widths(std::uint32_t rows, std::uint32_t columns) {
        of_row_.assign(rows, 0);
        of_column_.assign(columns, 0);
    }

    // A block of rows x columns counts, row by row.
    void add_block(const std::uint32_t* block, Totals& totals) {
        const std::size_t rows = of_row_.size(), columns = of_column_.size();
        std::fill(of_column_.begin(), of_column_.end(), 0);
        std::uint64_t all = 0;
        for (std::size_t r = 0; r < rows; ++r) {
            std::uint32_t sum = 0;
            for (std::size_t c = 0; c < columns; ++c) {
                sum += block[r * columns + c];
                of_column_[c] += block[r * columns + c];
            }
            of_row_[r] = sum;
            all += sum;
        }
        if (!margins(all, of_row_, of_column_, totals)) return;
        for (std::size_t r = 0; r < rows; ++r) {
            if (!of_row_[r]) continue;
            for (std::size_t c = 0; c < columns; ++c)
                if (const std::uint32_t count = block[r * columns + c]) cell(count, of_row_[r], of_column_[c], all, totals);
        }
    }

    // The same from the sorted keys (row * columns + column) of the stratum's rows.
    void add_sorted(const std::uint64_t* key, std::size_t size, Totals& totals) {
        const std::uint64_t columns = of_column_.size();
        for (std::size_t k = 0; k < size; ++k) ++of_row_[key[k] / columns], ++of_column_[key[k] % columns];
        seen_rows_.clear(), seen_columns_.clear();
        for (std::size_t k = 0; k < size; ++k) {
            if (k == 0 || key[k] / columns != key[k - 1] / columns) seen_rows_.push_back(of_row_[key[k] / columns]);
            std::uint32_t& count = of_column_[key[k] % columns];
            if (count & kSeen) continue;
            seen_columns_.push_back(count);
            count |= kSeen;
        }
        if (margins(size, seen_rows_, seen_columns_, totals))
            for (std::size_t k = 0, next; k < size; k = next) {
                for (next = k; next < size && key[next] == key[k];) ++next;
                cell(next - k, of_row_[key[k] / columns], of_column_[key[k] % columns] & ~kSeen, size, totals);
            }
        for (std::size_t k = 0; k < size; ++k) of_row_[key[k] / columns] = of_column_[key[k] % columns] = 0;
    }

private:
    static constexpr std::uint32_t kSeen = 1u << 31;

    // Whether both columns vary; if not, the stratum says nothing.
    bool margins(std::uint64_t all, const std::vector<std::uint32_t>& rows, const std::vector<std::uint32_t>& columns,
                 Totals& totals) const {
        std::uint64_t rows_seen = 0, columns_seen = 0;
        for (std::uint32_t count : rows) rows_seen += count > 0;
        for (std::uint32_t count : columns) columns_seen += count > 0;
        if (rows_seen < 2 || columns_seen < 2) return false;
        totals.freedom += static_cast<double>(rows_seen - 1) * static_cast<double>(columns_seen - 1);
        totals.informative += all;
        if (divergence_ == Divergence::pearson) return true;
        for (std::uint32_t count : rows) totals.sum -= entropy_(count);
        for (std::uint32_t count : columns) totals.sum -= entropy_(count);
        totals.sum += entropy_(all);
        totals.terms += rows_seen + columns_seen + 1;
        return true;
    }

    void cell(std::uint64_t count, std::uint64_t row, std::uint64_t column, std::uint64_t all, Totals& totals) const {
        ++totals.terms;
        if (divergence_ == Divergence::g2) {
            totals.sum += entropy_(count);
            return;
        }
        // The cells' shares of sum(observed^2 / expected) - n; empty cells have none.
        const long double expected = static_cast<long double>(row) * static_cast<long double>(column);
        const long double excess = static_cast<long double>(count) * static_cast<long double>(all) - expected;
        totals.sum += shares_.of(static_cast<long double>(count) * (excess / expected));
    }

    const Entropy& entropy_;
    const FixedPoint& shares_;
    Divergence divergence_;
    std::vector<std::uint32_t> of_row_, of_column_, seen_rows_, seen_columns_;
};

// Ctrl-C is listened for every few million rows.
class Patience {
public:
    Patience(std::size_t n, const std::function<bool()>& interrupted) : n_(n), interrupted_(interrupted) {}
    bool over() {
        since_ += n_ + 1;
        if (since_ < kInterruptEvery) return false;
        since_ = 0;
        return interrupted_();
    }

private:
    std::size_t n_, since_ = 0;
    const std::function<bool()>& interrupted_;
};

template <class Code>
class Tester {
public:
    Tester(const CodesView& codes, Divergence divergence)
        : codes_(codes), divergence_(divergence), strata_(codes), entropy_(codes.n),
          shares_(2.0 * static_cast<double>(codes.n) * most_levels(codes)), sums_(entropy_, shares_, divergence) {}

    Totals operator()(std::int32_t i, std::int32_t j, const std::int32_t* S, std::size_t size) {
        strata_.split(S, size);
        const std::uint64_t rows = codes_.levels[i], columns = codes_.levels[j];
        const Code* x = column(i);
        const Code* y = column(j);
        sums_.widths(static_cast<std::uint32_t>(rows), static_cast<std::uint32_t>(columns));
        Totals totals;
        if (rows * columns <= strata_.roomy() / strata_.count())
            count_all(x, y, rows, columns, totals);
        else
            count_apart(x, y, columns, totals);
        return totals;
    }

    double statistic(const Totals& totals) const {
        // What rounding alone can amount to is nothing.
        if (totals.sum <= static_cast<std::int64_t>(totals.terms)) return 0.0;
        return divergence_ == Divergence::g2 ? 2.0 * entropy_.back(totals.sum) : shares_.back(totals.sum);
    }

private:
    static double most_levels(const CodesView& codes) { return *std::max_element(codes.levels, codes.levels + codes.d); }
    const Code* column(std::int32_t k) const { return static_cast<const Code*>(codes_.data) + static_cast<std::size_t>(k) * codes_.n; }

    // One table for all strata, which is at most a few times as large as the data.
    void count_all(const Code* x, const Code* y, std::uint64_t rows, std::uint64_t columns, Totals& totals) {
        const std::uint64_t block = rows * columns;
        table_.assign(strata_.count() * block, 0);
        const std::vector<std::uint32_t>& stratum = strata_.of_row();
        for (std::size_t r = 0; r < codes_.n; ++r) ++table_[stratum[r] * block + x[r] * columns + y[r]];
        for (std::uint64_t s = 0; s < strata_.count(); ++s) sums_.add_block(&table_[s * block], totals);
    }

    // The rows of each stratum brought together and sorted by cell.
    void count_apart(const Code* x, const Code* y, std::uint64_t columns, Totals& totals) {
        strata_.gather(begin_, order_);
        key_.resize(codes_.n);
        for (std::size_t k = 0; k < codes_.n; ++k)
            key_[k] = static_cast<std::uint64_t>(x[order_[k]]) * columns + static_cast<std::uint64_t>(y[order_[k]]);
        for (std::size_t s = 0; s + 1 < begin_.size(); ++s) {
            if (begin_[s + 1] - begin_[s] < 2) continue;
            std::sort(key_.begin() + begin_[s], key_.begin() + begin_[s + 1]);
            sums_.add_sorted(&key_[begin_[s]], begin_[s + 1] - begin_[s], totals);
        }
    }

    CodesView codes_;
    Divergence divergence_;
    Strata<Code> strata_;
    Entropy entropy_;
    FixedPoint shares_;
    StratumSums sums_;
    std::vector<std::uint32_t> table_, begin_, order_;
    std::vector<std::uint64_t> key_;
};

template <class Code>
Independence tested(const CodesView& codes, const SetsView& questions, Divergence divergence,
                    const std::function<bool()>& interrupted) {
    Independence out;
    out.statistic.resize(questions.size), out.freedom.resize(questions.size), out.informative.resize(questions.size);
    Tester<Code> tester(codes, divergence);
    Patience patience(codes.n, interrupted);
    for (std::size_t q = 0; q < questions.size; ++q) {
        const std::uint64_t begin = questions.begin[q];
        const Totals totals = tester(questions.first[q], questions.second[q], questions.members + begin, questions.begin[q + 1] - begin);
        out.statistic[q] = tester.statistic(totals);
        out.freedom[q] = totals.freedom;
        out.informative[q] = static_cast<double>(totals.informative);
        if ((out.interrupted = patience.over())) break;
    }
    return out;
}

// The log-likelihood of a column given strata: sum of c log c over the cells, less that over the strata.
template <class Code>
Likelihoods fitted(const CodesView& codes, const SetsView& families, const std::function<bool()>& interrupted) {
    Likelihoods out;
    out.value.resize(families.size);
    Strata<Code> strata(codes);
    const Entropy entropy(codes.n);
    Patience patience(codes.n, interrupted);
    const auto sum = [&] {
        std::int64_t found = 0;
        for (std::uint32_t count : strata.sizes()) found += entropy(count);
        return found;
    };
    std::vector<std::int32_t> members;
    for (std::size_t q = 0; q < families.size; ++q) {
        members.assign(families.members + families.begin[q], families.members + families.begin[q + 1]);
        strata.split(members.data(), members.size());
        const std::int64_t of_parents = sum();
        members.push_back(families.first[q]);
        strata.split(members.data(), members.size());
        out.value[q] = entropy.back(sum() - of_parents);
        if ((out.interrupted = patience.over())) break;
    }
    return out;
}

}  // namespace

Independence test_independence(const CodesView& codes, const SetsView& questions, Divergence divergence,
                               const std::function<bool()>& interrupted) {
    if (codes.width == 1) return tested<std::uint8_t>(codes, questions, divergence, interrupted);
    if (codes.width == 2) return tested<std::uint16_t>(codes, questions, divergence, interrupted);
    return tested<std::int32_t>(codes, questions, divergence, interrupted);
}

Likelihoods log_likelihoods(const CodesView& codes, const SetsView& families, const std::function<bool()>& interrupted) {
    if (codes.width == 1) return fitted<std::uint8_t>(codes, families, interrupted);
    if (codes.width == 2) return fitted<std::uint16_t>(codes, families, interrupted);
    return fitted<std::int32_t>(codes, families, interrupted);
}

}  // namespace secondlook
