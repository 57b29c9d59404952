// Counting without Python, for the sanitizers: every way of counting, on tables that are random, degenerate, wide.
// Whether the answers are right is asked by the Python tests; here a slow count by definition must agree, and the
// memory and the threads must behave.
#include <cmath>
#include <cstdio>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "contingency.hpp"

using namespace secondlook;

namespace {

int passed = 0, failed = 0;

void check(bool holds, const std::string& what) {
    holds ? ++passed : ++failed;
    if (!holds) std::printf("FAILED: %s\n", what.c_str());
}

const std::function<bool()> kNever = [] { return false; };

template <class Code>
struct Data {
    std::size_t n;
    std::vector<std::int32_t> levels;
    std::vector<Code> codes;

    Data(std::size_t rows, std::vector<std::int32_t> most, unsigned seed) : n(rows), levels(std::move(most)) {
        std::mt19937 random(seed);
        for (std::int32_t of_column : levels)
            for (std::size_t r = 0; r < n; ++r) codes.push_back(static_cast<Code>(random() % static_cast<unsigned>(of_column)));
    }
    CodesView view() const { return {codes.data(), sizeof(Code), n, static_cast<int>(levels.size()), levels.data()}; }
    std::int32_t at(std::size_t row, std::size_t column) const { return static_cast<std::int32_t>(codes[column * n + row]); }
};

struct Sets {
    std::vector<std::int32_t> first, second, members;
    std::vector<std::uint64_t> begin{0};
    void add(std::int32_t i, std::int32_t j, const std::vector<std::int32_t>& S) {
        first.push_back(i), second.push_back(j);
        members.insert(members.end(), S.begin(), S.end());
        begin.push_back(members.size());
    }
    SetsView view() const { return {first.data(), second.data(), begin.data(), members.data(), first.size()}; }
};

// Every pair of columns given the first few of the others.
Sets all_questions(int d) {
    Sets sets;
    for (int i = 0; i < d; ++i)
        for (int j = i + 1; j < d; ++j) {
            std::vector<std::int32_t> S;
            sets.add(i, j, S);
            for (int k = 0; k < d; ++k) {
                if (k == i || k == j) continue;
                S.push_back(k);
                sets.add(i, j, S);
            }
        }
    return sets;
}

template <class Code>
double slow_statistic(const Data<Code>& data, const Sets& sets, std::size_t q, Divergence divergence) {
    using Key = std::vector<std::int32_t>;
    std::map<Key, double> cell, row, column, all;
    for (std::size_t r = 0; r < data.n; ++r) {
        Key S;
        for (std::uint64_t m = sets.begin[q]; m < sets.begin[q + 1]; ++m) S.push_back(data.at(r, sets.members[m]));
        Key x = S, y = S;
        x.push_back(data.at(r, sets.first[q])), y.push_back(data.at(r, sets.second[q]));
        Key both = x;
        both.push_back(y.back());
        ++all[S], ++row[x], ++column[y], ++cell[both];
    }
    double sum = 0.0;
    for (const auto& [x, count_x] : row)
        for (const auto& [y, count_y] : column) {
            if (!std::equal(x.begin(), x.end() - 1, y.begin(), y.end() - 1)) continue;
            Key both = x;
            both.push_back(y.back());
            const double expected = count_x * count_y / all[Key(x.begin(), x.end() - 1)];
            const auto found = cell.find(both);
            const double observed = found == cell.end() ? 0.0 : found->second;
            if (divergence == Divergence::pearson) sum += (observed - expected) * (observed - expected) / expected;
            else if (observed > 0.0) sum += 2.0 * observed * std::log(observed / expected);
        }
    return sum;
}

template <class Code>
void agrees(const std::string& name, const Data<Code>& data) {
    const Categories table(data.view());
    const Sets sets = all_questions(static_cast<int>(data.levels.size()));
    for (Divergence divergence : {Divergence::g2, Divergence::pearson}) {
        const Independence found = table.test(sets.view(), divergence, kNever);
        bool same = !found.interrupted;
        for (std::size_t q = 0; q < sets.first.size(); ++q) {
            const double expected = slow_statistic(data, sets, q, divergence);
            same = same && std::abs(found.statistic[q] - expected) <= 1e-8 * (1.0 + expected);
        }
        check(same, name + ": the statistics are those of the definition");
    }
    const Likelihoods fitted = table.log_likelihoods(sets.view(), kNever);
    bool sound = !fitted.interrupted;
    for (double value : fitted.value) sound = sound && value <= 1e-9 && std::isfinite(value);
    check(sound, name + ": log-likelihoods are finite and not positive");
}

void threads_share_a_table() {
    const Data<std::uint8_t> data(500, {2, 3, 9, 2, 4}, 7);
    const Categories table(data.view());
    const Sets sets = all_questions(5);
    const std::vector<double> expected = table.test(sets.view(), Divergence::g2, kNever).statistic;
    std::vector<std::vector<double>> found(4);
    std::vector<std::thread> workers;
    for (auto& own : found)
        workers.emplace_back([&] { own = table.test(sets.view(), Divergence::g2, kNever).statistic; });
    for (auto& worker : workers) worker.join();
    for (const auto& own : found) check(own == expected, "threads that share a table get the same answers");
}

void interruption() {
    const Data<std::uint8_t> data(1 << 22, {2, 2, 2}, 8);
    const Categories table(data.view());
    const Sets sets = all_questions(3);
    int asked = 0;
    check(table.test(sets.view(), Divergence::g2, [&] { return ++asked > 1; }).interrupted, "an interruption is heard");
    check(asked == 2, "and ends the asking");
}

}  // namespace

int main() {
    agrees("few levels", Data<std::uint8_t>(200, {2, 2, 3, 2}, 1));
    agrees("rows that fill words", Data<std::uint8_t>(128, {2, 3, 2, 2}, 2));
    agrees("many levels", Data<std::uint8_t>(150, {11, 40, 2, 9}, 3));
    agrees("constant column", Data<std::uint8_t>(60, {1, 2, 3, 1}, 4));
    agrees("two bytes", Data<std::uint16_t>(300, {700, 300, 2, 3}, 5));
    agrees("four bytes", Data<std::int32_t>(120, {70000, 2, 100, 70000}, 6));
    agrees("one row", Data<std::uint8_t>(1, {2, 2, 2, 2}, 9));
    agrees("many combinations", Data<std::uint8_t>(400, {2, 2, 8, 8, 8, 8, 8, 8, 8}, 10));
    threads_share_a_table();
    interruption();
    std::printf("%d passed, %d failed\n", passed, failed);
    return failed ? 1 : 0;
}
