#include "contingency.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "bits.hpp"
#include "strata.hpp"

namespace secondlook {

namespace {

constexpr std::size_t kTableEntries = 1 << 16;
constexpr std::int32_t kMostBitLevels = 16;  // bits of so many levels take twice the memory of the codes
constexpr std::size_t kInterruptEvery = 1 << 23;  // rows counted between two looks at Ctrl-C

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

// Answers one question after another; its scratch memory serves them all.
template <class Code>
class Tester {
public:
    Tester(const Categories& table, Divergence divergence)
        : table_(table), codes_(table.codes()), divergence_(divergence), strata_(codes_),
          shares_(2.0 * static_cast<double>(codes_.n) * *std::max_element(codes_.levels, codes_.levels + codes_.d)),
          sums_(table.entropy(), shares_, divergence), kernels_(bit_kernels()) {}

    Totals operator()(std::int32_t i, std::int32_t j, const std::int32_t* S, std::size_t size) {
        const std::uint64_t rows = codes_.levels[i], columns = codes_.levels[j];
        sums_.widths(static_cast<std::uint32_t>(rows), static_cast<std::uint32_t>(columns));
        Totals totals;
        if (few_cells(i, j, S, size)) {
            block_.resize(rows * columns);
            within_.resize((size + 1) * table_.words());
            count_bits({i, j, S, size}, 0, nullptr, codes_.n, totals);
            return totals;
        }
        strata_.split(S, size);
        if (rows * columns <= strata_.roomy() / strata_.count())
            count_all(column(i), column(j), rows, columns, totals);
        else
            count_apart(column(i), column(j), columns, totals);
        return totals;
    }

    double statistic(const Totals& totals) const {
        // What rounding alone can amount to is nothing.
        if (totals.sum <= static_cast<std::int64_t>(totals.terms)) return 0.0;
        return divergence_ == Divergence::g2 ? 2.0 * table_.entropy().back(totals.sum) : shares_.back(totals.sum);
    }

private:
    struct Question {
        std::int32_t i, j;
        const std::int32_t* S;
        std::size_t size;
    };

    const Code* column(std::int32_t k) const { return static_cast<const Code*>(codes_.data) + static_cast<std::size_t>(k) * codes_.n; }

    bool few_cells(std::int32_t i, std::int32_t j, const std::int32_t* S, std::size_t size) const {
        std::uint64_t cells = 1;
        const auto fits = [&](std::int32_t k) {
            cells *= static_cast<std::uint64_t>(codes_.levels[k]);
            return table_.bits(k, 0) != nullptr && cells <= kernels_.most_cells;
        };
        return fits(i) && fits(j) && std::all_of(S, S + size, fits);
    }

    // The strata one by one as bits: `rows` holds those of the levels chosen so far, null for all.
    void count_bits(const Question& asked, std::size_t depth, const std::uint64_t* rows, std::uint32_t size, Totals& totals) {
        if (size < 2) return;
        if (depth == asked.size) return count_stratum(asked, rows, size, totals);
        std::uint64_t* inner = &within_[depth * table_.words()];
        for (std::int32_t level = 0; level < codes_.levels[asked.S[depth]]; ++level) {
            const std::uint64_t* own = table_.bits(asked.S[depth], level);
            const std::uint32_t count = kernels_.meet(own, rows ? rows : own, inner, table_.words());
            count_bits(asked, depth + 1, inner, count, totals);
        }
    }

    // One stratum's block; its last row and column are what the others leave.
    void count_stratum(const Question& asked, const std::uint64_t* rows, std::uint32_t size, Totals& totals) {
        const std::int32_t height = codes_.levels[asked.i], width = codes_.levels[asked.j];
        std::uint64_t* inner = &within_[asked.size * table_.words()];
        std::uint32_t* last = &block_[static_cast<std::size_t>(height - 1) * width];
        std::uint32_t left = size;
        for (std::int32_t c = 0; c + 1 < width; ++c) {
            const std::uint64_t* own = table_.bits(asked.j, c);
            left -= last[c] = kernels_.count(own, rows ? rows : own, table_.words());
            if (last[c] == size) return;  // a column that does not vary: the stratum says nothing
        }
        if (left == size) return;
        last[width - 1] = left;
        for (std::int32_t r = 0; r + 1 < height; ++r) {
            const std::uint64_t* own = table_.bits(asked.i, r);
            std::uint32_t* counts = &block_[static_cast<std::size_t>(r) * width];
            left = kernels_.meet(own, rows ? rows : own, inner, table_.words());
            if (left == size) return;
            for (std::int32_t c = 0; c + 1 < width; ++c) {
                left -= counts[c] = left ? kernels_.count(inner, table_.bits(asked.j, c), table_.words()) : 0;
                last[c] -= counts[c];
            }
            last[width - 1] -= counts[width - 1] = left;
        }
        sums_.add_block(block_.data(), totals);
    }

    // One table for all strata, which is at most a few times as large as the data.
    void count_all(const Code* x, const Code* y, std::uint64_t rows, std::uint64_t columns, Totals& totals) {
        const std::uint64_t block = rows * columns;
        counts_.assign(strata_.count() * block, 0);
        const std::vector<std::uint32_t>& stratum = strata_.of_row();
        for (std::size_t r = 0; r < codes_.n; ++r) ++counts_[stratum[r] * block + x[r] * columns + y[r]];
        for (std::uint64_t s = 0; s < strata_.count(); ++s) sums_.add_block(&counts_[s * block], totals);
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

    const Categories& table_;
    CodesView codes_;
    Divergence divergence_;
    Strata<Code> strata_;
    FixedPoint shares_;
    StratumSums sums_;
    const BitKernels& kernels_;
    std::vector<std::uint32_t> counts_, begin_, order_, block_;
    std::vector<std::uint64_t> key_, within_;
};

// The questions by their sets, so that those about the same strata follow each other.
std::vector<std::size_t> by_set(const SetsView& questions) {
    std::vector<std::size_t> order(questions.size);
    std::iota(order.begin(), order.end(), std::size_t{0});
    const auto begin = [&](std::size_t q) { return questions.members + questions.begin[q]; };
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return std::lexicographical_compare(begin(a), begin(a + 1), begin(b), begin(b + 1));
    });
    return order;
}

template <class Code>
Independence tested(const Categories& table, const SetsView& questions, Divergence divergence,
                    const std::function<bool()>& interrupted) {
    Independence out;
    out.statistic.resize(questions.size), out.freedom.resize(questions.size), out.informative.resize(questions.size);
    Tester<Code> tester(table, divergence);
    Patience patience(table.codes().n, interrupted);
    for (std::size_t q : by_set(questions)) {
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
Likelihoods fitted(const Categories& table, const SetsView& families, const std::function<bool()>& interrupted) {
    Likelihoods out;
    out.value.resize(families.size);
    Strata<Code> strata(table.codes());
    Patience patience(table.codes().n, interrupted);
    const auto sum = [&] {
        std::int64_t found = 0;
        for (std::uint32_t count : strata.sizes()) found += table.entropy()(count);
        return found;
    };
    std::vector<std::int32_t> members;
    for (std::size_t q = 0; q < families.size; ++q) {
        members.assign(families.members + families.begin[q], families.members + families.begin[q + 1]);
        strata.split(members.data(), members.size());
        const std::int64_t of_parents = sum();
        members.push_back(families.first[q]);
        strata.split(members.data(), members.size());
        out.value[q] = table.entropy().back(sum() - of_parents);
        if ((out.interrupted = patience.over())) break;
    }
    return out;
}

template <class Code>
void set_bits(const CodesView& codes, int column, std::uint64_t* bits, std::size_t words) {
    const Code* code = static_cast<const Code*>(codes.data) + static_cast<std::size_t>(column) * codes.n;
    for (std::size_t r = 0; r < codes.n; ++r) bits[static_cast<std::size_t>(code[r]) * words + r / 64] |= std::uint64_t{1} << (r % 64);
}

}  // namespace

FixedPoint::FixedPoint(double largest_sum) : scale_(std::exp2(61 - std::ceil(std::log2(std::max(largest_sum, 1.0))))) {}

std::int64_t FixedPoint::of(long double value) const { return static_cast<std::int64_t>(std::llroundl(value * scale_)); }

Entropy::Entropy(std::size_t n)
    : fixed_(4.0 * static_cast<double>(n) * std::log(static_cast<double>(n) + 1.0)), known_(std::min(n + 1, kTableEntries)) {
    for (std::size_t c = 2; c < known_.size(); ++c) known_[c] = computed(c);
}

std::int64_t Entropy::computed(std::uint64_t c) const {
    const long double count = static_cast<long double>(c);
    return fixed_.of(count * std::log(count));
}

Categories::Categories(const CodesView& given)
    : data_(static_cast<const unsigned char*>(given.data),
            static_cast<const unsigned char*>(given.data) + given.n * static_cast<std::size_t>(given.d) * given.width),
      levels_(given.levels, given.levels + given.d),
      codes_{data_.data(), given.width, given.n, given.d, levels_.data()}, entropy_(given.n) {
    make_bits();
}

void Categories::make_bits() {
    std::size_t size = 0;
    for (std::int32_t levels : levels_) {
        where_.push_back(levels > kMostBitLevels ? kNoBits : size);
        if (levels <= kMostBitLevels) size += static_cast<std::size_t>(levels) * words();
    }
    bits_.assign(size, 0);
    for (int k = 0; k < codes_.d; ++k) {
        if (where_[k] == kNoBits) continue;
        std::uint64_t* own = &bits_[where_[k]];
        if (codes_.width == 1) set_bits<std::uint8_t>(codes_, k, own, words());
        else if (codes_.width == 2) set_bits<std::uint16_t>(codes_, k, own, words());
        else set_bits<std::int32_t>(codes_, k, own, words());
    }
}

Independence Categories::test(const SetsView& questions, Divergence divergence, const std::function<bool()>& interrupted) const {
    if (codes_.width == 1) return tested<std::uint8_t>(*this, questions, divergence, interrupted);
    if (codes_.width == 2) return tested<std::uint16_t>(*this, questions, divergence, interrupted);
    return tested<std::int32_t>(*this, questions, divergence, interrupted);
}

Likelihoods Categories::log_likelihoods(const SetsView& families, const std::function<bool()>& interrupted) const {
    if (codes_.width == 1) return fitted<std::uint8_t>(*this, families, interrupted);
    if (codes_.width == 2) return fitted<std::uint16_t>(*this, families, interrupted);
    return fitted<std::int32_t>(*this, families, interrupted);
}

}  // namespace secondlook
