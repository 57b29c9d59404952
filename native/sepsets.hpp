// Separating sets of all alphas, sparsely: only sets with at least one member are recorded.
// A pair that some alpha has lost without a record was independent given nothing.
#pragma once
#include <cstddef>
#include <cstdint>
#include <vector>

#include "masks.hpp"
#include "progress.hpp"

namespace secondlook {

// Records to be read, wherever they lie.
struct SepsetsView {
    const std::int32_t *first, *second;
    const Mask* alphas;
    const std::uint64_t* begin;
    const std::int32_t* members;
    std::size_t count;

    std::size_t size() const { return count; }
    const std::int32_t* set(std::size_t r) const { return members + begin[r]; }
    int size_of(std::size_t r) const { return static_cast<int>(begin[r + 1] - begin[r]); }
};

struct Sepsets {
    std::vector<std::int32_t> first, second;  // first < second
    std::vector<Mask> alphas;                 // the alphas that lost the pair to this set
    std::vector<std::uint64_t> begin{0};      // members of record r: [begin[r], begin[r + 1])
    std::vector<std::int32_t> members;        // ascending within a record

    std::size_t size() const { return alphas.size(); }
    void add(int i, int j, Mask mask, const std::int32_t* set, int count) {
        first.push_back(i < j ? i : j);
        second.push_back(i < j ? j : i);
        alphas.push_back(mask);
        for (int m = 0; m < count; ++m) members.push_back(set[m]);
        begin.push_back(members.size());
    }
    void append(const Sepsets& other);
    SepsetsView view() const { return {first.data(), second.data(), alphas.data(), begin.data(), members.data(), size()}; }
};

// A place for nearly every record, in the order of the pairs: so nearly nothing needs to be sorted. A pair may have
// several places, one after another; an empty one has no alpha. The record is a set of one member, or, where
// `single` is negative, the set that `old` has at this place.
struct Places {
    const std::int32_t *first, *second;
    std::vector<Mask> alphas;
    std::vector<std::int32_t> single;
    SepsetsView old;

    std::size_t size() const { return alphas.size(); }
    const std::int32_t* set(std::size_t r) const { return single[r] < 0 ? old.set(r) : &single[r]; }
    int size_of(std::size_t r) const { return single[r] < 0 ? old.size_of(r) : 1; }
};

// The records in `places`, and those that workers found no place for, in one canonical order: by pair, then by the
// lowest alpha.
Outcome merge(const Places& places, std::vector<Sepsets>& others, int d, Control& control, Sepsets& merged);

// Finds the records of a pair in sorted Sepsets.
class SepsetIndex {
public:
    SepsetIndex(const SepsetsView& sepsets, int d);
    // The alphas at which y is in the set that separated x and z.
    Mask containing(int x, int z, int y) const;

private:
    friend class SepsetsOf;
    Mask containing_from(std::size_t record, int y) const;

    SepsetsView sepsets_;
    std::vector<std::size_t> row_;     // records whose first is i: [row_[i], row_[i + 1])
    std::vector<std::size_t> column_;  // positions in by_second_ of those whose second is i, likewise
    std::vector<std::uint32_t> by_second_;
};

// The records of one variable spread out over all others, so that what separated it from any is one look-up.
class SepsetsOf {
public:
    SepsetsOf(const SepsetIndex& index, int d) : index_(index), place_(d, -1) {}
    void look_from(int x);
    Mask containing(int z, int y) const { return place_[z] < 0 ? 0 : index_.containing_from(place_[z], y); }

private:
    const SepsetIndex& index_;
    std::vector<std::int64_t> place_;  // the first record of x and every variable, or -1
    int x_ = -1;
};

}  // namespace secondlook
