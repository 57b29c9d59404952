// Counting for categories: statistics of independence within strata, and log-likelihoods of families.
#pragma once
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace secondlook {

// n rows of d columns of codes 0 .. levels - 1, a column's rows side by side; `width` bytes a code (1, 2 or 4).
struct CodesView {
    const void* data;
    int width;
    std::size_t n;
    int d;
    const std::int32_t* levels;
};

// Question q is about first[q] and second[q] given members[begin[q]] .. members[begin[q + 1] - 1].
// Families leave `second` empty: first[q] given its parents.
struct SetsView {
    const std::int32_t* first;
    const std::int32_t* second;
    const std::uint64_t* begin;
    const std::int32_t* members;
    std::size_t size;
};

// Sums are kept as integers in units of a power of two: they do not depend on the order of their terms, so an
// answer does not depend on the order of columns, levels or rows.
class FixedPoint {
public:
    explicit FixedPoint(double largest_sum);
    std::int64_t of(long double value) const;
    double back(std::int64_t sum) const { return static_cast<double>(sum) / scale_; }

private:
    double scale_;
};

// c log c for whole c up to n.
class Entropy {
public:
    explicit Entropy(std::size_t n);
    std::int64_t operator()(std::uint64_t c) const { return c < known_.size() ? known_[c] : computed(c); }
    double back(std::int64_t sum) const { return fixed_.back(sum); }

private:
    std::int64_t computed(std::uint64_t c) const;
    FixedPoint fixed_;
    std::vector<std::int64_t> known_;
};

enum class Divergence { g2, pearson };

struct Independence {
    bool interrupted = false;
    std::vector<double> statistic;
    std::vector<double> freedom;      // (levels seen - 1) * (levels seen - 1), summed over the strata
    std::vector<double> informative;  // rows in strata where both columns vary
};

struct Likelihoods {
    bool interrupted = false;
    std::vector<double> value;
};

// A table of categories made ready for counting; never changed, so that any number of threads may ask. Memory beside
// the table is a small multiple of the rows, whatever the number of levels or the size of the sets.
class Categories {
public:
    explicit Categories(const CodesView& given);
    Categories(const Categories&) = delete;

    Independence test(const SetsView& questions, Divergence divergence, const std::function<bool()>& interrupted) const;
    Likelihoods log_likelihoods(const SetsView& families, const std::function<bool()>& interrupted) const;

    const CodesView& codes() const { return codes_; }
    const Entropy& entropy() const { return entropy_; }
    // The rows at which a column has a level, as bits; null for columns of many levels.
    const std::uint64_t* bits(std::int32_t column, std::int32_t level) const {
        return where_[column] == kNoBits ? nullptr : &bits_[where_[column] + static_cast<std::size_t>(level) * words()];
    }
    // Of the bits of one level, in blocks of 512: what a wide register holds.
    std::size_t words() const { return (codes_.n + 511) / 512 * 8; }

private:
    static constexpr std::size_t kNoBits = ~std::size_t{0};
    void make_bits();

    std::vector<unsigned char> data_;
    std::vector<std::int32_t> levels_;
    CodesView codes_;
    Entropy entropy_;
    std::vector<std::size_t> where_;
    std::vector<std::uint64_t> bits_;
};

}  // namespace secondlook
