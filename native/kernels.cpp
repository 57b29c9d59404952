// Compiled once per instruction set: SECONDLOOK_ISA names the build.
#include "kernels.hpp"

#include "masks.hpp"

namespace secondlook {
namespace SECONDLOOK_ISA {
namespace {

constexpr int kBlock = 64;

// Not independent and testable is by far the commonest outcome, so a block is first only counted
// (which vectorises), and looked through again when it holds a hit.
inline bool hit(const SetQuestion& q, double r_ij, double r_jj, double r_sj, double bound) {
    const double numerator = r_ij * q.r_ss - q.r_is * r_sj;
    const double var_j = r_jj * q.r_ss - r_sj * r_sj;
    const double loosest = bound < q.bound ? bound : q.bound;
    return (numerator * numerator <= loosest * (q.var_i * var_j)) | (var_j <= kPivotFloor * q.r_ss);
}

int first_single(const PairQuestion& q, const Singles& singles, int from, int count) {
    constexpr int kStride = 16;
    const auto separates = [&](int c) {
        const double r_js = q.row_j[singles.id[c]];
        const double numerator = q.r_ij - singles.r_is[c] * r_js;
        const double var_j = 1.0 - r_js * r_js;
        const double loosest = singles.bound[c] < q.bound ? singles.bound[c] : q.bound;
        return (numerator * numerator <= loosest * (singles.var_i[c] * var_j)) | (var_j <= kPivotFloor);
    };
    int c = from;
    for (; c + kStride <= count; c += kStride) {
        long long any = 0;
        for (int at = c; at < c + kStride; ++at) any += separates(at) ? 1 : 0;
        if (any) break;
    }
    while (c < count && !separates(c)) ++c;
    return c;
}

int deeper(const SetQuestion& q, const double* row_s, const double* row_p, double factor, const double* r_ij,
           const double* r_jj, const double* bounds, int count, std::int32_t* hits) {
    int found = 0;
    for (int begin = 0; begin < count; begin += kBlock) {
        const int end = begin + kBlock < count ? begin + kBlock : count;
        long long any = 0;
        for (int j = begin; j < end; ++j)
            any += hit(q, r_ij[j], r_jj[j], row_s[j] - factor * row_p[j], bounds[j]) ? 1 : 0;
        if (any == 0) continue;
        for (int j = begin; j < end; ++j)
            if (hit(q, r_ij[j], r_jj[j], row_s[j] - factor * row_p[j], bounds[j])) hits[found++] = j;
    }
    return found;
}

void eliminate(double* out, const double* row, const double* pivot_row, double factor, int count) {
    for (int j = 0; j < count; ++j) out[j] = row[j] - factor * pivot_row[j];
}

}  // namespace

extern const Kernels table;
const Kernels table = {first_single, deeper, eliminate, SECONDLOOK_ISA_NAME};

}  // namespace SECONDLOOK_ISA
}  // namespace secondlook
