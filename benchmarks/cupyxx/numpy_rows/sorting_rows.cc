// SPDX-License-Identifier: MIT
#include "benchmarks/cupyxx/numpy_rows/rows.h"

namespace benchmarks::numpy_rows {

namespace {

constexpr Row kRows[] = {
    ROW("in1d", "np.in1d(l, q)", in1d(d.l, d.q)),
    ROW("isin", "np.isin(l, q)", isin(d.l, d.q)),
    ROW("isin float64", "np.isin(a, fp)", isin(d.a, d.fp)),
    ROW("intersect1d", "np.intersect1d(l, q)", intersect1d(d.l, d.q)),
    ROW("setdiff1d", "np.setdiff1d(l, q)", setdiff1d(d.l, d.q)),
    ROW("setxor1d", "np.setxor1d(l, q)", setxor1d(d.l, d.q)),
    ROW("union1d", "np.union1d(l, q)", union1d(d.l, d.q)),
    ROW("unique", "np.unique(l)", unique(d.l)),
    ROW("unique float64", "np.unique(a)", unique(d.a)),
    ROW("unique with counts", "np.unique(l, return_counts=True)",
        unique(d.l, {.return_counts = true})),
    ROW("sort", "np.sort(a)", sort(d.a)),
    ROW("sort float32", "np.sort(f)", sort(d.f)),
    ROW("sort int64", "np.sort(l)", sort(d.l)),
    ROW("sort rows", "np.sort(A)", sort(d.A)),
    ROW("sort columns", "np.sort(A, 0)", sort(d.A, 0)),
    ROW("argsort", "np.argsort(a)", argsort(d.a)),
    ROW("argsort int64", "np.argsort(l)", argsort(d.l)),
    ROW("lexsort", "np.lexsort([a, k])", lexsort({d.a, d.k})),
    ROW("partition", "np.partition(a, n // 2)", partition(d.a, d.n / 2)),
    ROW("argpartition", "np.argpartition(a, n // 2)", argpartition(d.a, d.n / 2)),
    ROW("searchsorted", "np.searchsorted(xp, a)", searchsorted(d.xp, d.a)),
    ROW("searchsorted many", "np.searchsorted(s, xp)", searchsorted(d.s, d.xp)),
    ROW("sort_complex", "np.sort_complex(c)", sort_complex(d.c)),
    ROW("argmax", "np.argmax(a)", argmax(d.a)),
    ROW("argmax rows", "np.argmax(A, 1)", argmax(d.A, 1)),
    ROW("argmax columns", "np.argmax(A, 0)", argmax(d.A, 0)),
    ROW("argmin", "np.argmin(i)", argmin(d.i)),
    ROW("nanargmax", "np.nanargmax(z)", nanargmax(d.z)),
    ROW("nanargmin", "np.nanargmin(z)", nanargmin(d.z)),
    ROW("count_nonzero", "np.count_nonzero(m)", count_nonzero(d.m)),
    ROW("count_nonzero float64", "np.count_nonzero(a)", count_nonzero(d.a)),
};

}  // namespace

std::span<const Row> sorting_rows() { return kRows; }

}  // namespace benchmarks::numpy_rows
