// SPDX-License-Identifier: MIT
// What the other chapters' operands leave out: short and middle axes, elements that are apart,
// masks, indices along inner axes, and dtypes that are not the usual ones.
#include "benchmarks/cupyxx/numpy_rows/rows.h"

namespace benchmarks::numpy_rows {

namespace {

slice every(std::int64_t step) { return slice(none, none, step); }

constexpr Row kRows[] = {
    ROW("layout T - row", "T - T[0]", d.T - d.T(0)),
    ROW("layout T - column", "T - T[:, :1]", d.T - d.T(slice(), slice(none, 1))),
    ROW("layout T turned", "T[:, ::-1].copy()", d.T(slice(), every(-1)).copy()),
    ROW("layout T sum", "T.sum(1)", d.T.sum(1)),
    ROW("layout T column sum", "T[:, 1].sum()", d.T(slice(), 1).sum()),
    ROW("layout T sort", "np.sort(T, 1)", sort(d.T, 1)),
    ROW("layout T norm", "np.linalg.norm(T, axis=1)", linalg::norm(d.T, none, 1)),
    ROW("layout T cumsum", "T.cumsum(0)", d.T.cumsum(0)),
    ROW("layout T columns", "T[:, [2, 0, 1]]", ndarray(d.T(slice(), {2, 0, 1}))),
    ROW("layout C flip", "np.flip(C, 1).copy()", flip(d.C, 1).copy()),
    ROW("layout C swapaxes", "C.swapaxes(0, 1).copy()", d.C.swapaxes(0, 1).copy()),
    ROW("layout C * middle", "C * C[:, :1]", d.C* d.C(slice(), slice(none, 1))),
    ROW("layout C * last", "C * C[:, :, :1]", d.C* d.C(slice(), slice(), slice(none, 1))),
    ROW("layout C concatenate", "np.concatenate([C, C], 2)", concatenate({d.C, d.C}, 2)),
    ROW("layout C pad", "np.pad(C, 1)", pad(d.C, 1)),
    ROW("layout C repeat", "np.repeat(C, 3, 1)", repeat(d.C, 3, 1)),
    ROW("layout C tile", "np.tile(C, (1, 2, 1))", tile(d.C, {1, 2, 1})),
    ROW("layout C take", "np.take(C, [1, 5, 3], 2)", take(d.C, {1, 5, 3}, 2)),
    ROW("layout C sum middle", "C.sum(1)", d.C.sum(1)),
    ROW("layout C max last", "C.max(2)", d.C.max(2)),
    ROW("layout C var last", "C.var(2)", d.C.var(2)),
    ROW("layout C argmax middle", "C.argmax(1)", d.C.argmax(1)),
    ROW("layout C sort middle", "np.sort(C, 1)", sort(d.C, 1)),
    ROW("layout C einsum", "np.einsum('bij,bij->b', C, C)", einsum("bij,bij->b", d.C, d.C)),
    ROW("layout A.T @ A", "A.T @ A", matmul(d.A.T(), d.A)),
    ROW("layout A.T sum", "A.T.sum(0)", d.A.T().sum(0)),
    ROW("layout A inner part", "A[1:-1, 1:-1].sum(0)", d.A(slice(1, -1), slice(1, -1)).sum(0)),
    ROW("layout A column + row", "A[:, :1] + A[0]", d.A(slice(), slice(none, 1)) + d.A(0)),
    ROW("layout A roll both", "np.roll(A, (1, 1), (0, 1))", roll(d.A, {1, 1}, {0, 1})),
    ROW("layout A median rows", "np.median(A, 1)", median(d.A, 1)),
    ROW("layout A median columns", "np.median(A, 0)", median(d.A, 0)),
    ROW("layout A nansum", "np.nansum(A, 0)", nansum(d.A, 0)),
    ROW("layout A nanmax", "np.nanmax(A, 1)", nanmax(d.A, 1)),
    ROW("layout a[::2] sum", "a[::2].sum()", d.a(every(2)).sum()),
    ROW("layout a[::2] max", "a[::2].max()", d.a(every(2)).max()),
    ROW("layout a[::2] exp", "np.exp(a[::2])", exp(d.a(every(2)))),
    ROW("layout a[::2] dot", "np.dot(a[::2], b[::2])", dot(d.a(every(2)), d.b(every(2)))),
    ROW("layout f[::2] sum", "f[::2].sum()", d.f(every(2)).sum()),
    ROW("layout a[::-1] argmax", "a[::-1].argmax()", d.a(every(-1)).argmax()),
    ROW("layout m[::2] any", "m[::2].any()", d.m(every(2)).any()),
    ROW("indices of columns", "A[:, K[0]]", ndarray(d.A(slice(), d.K(0)))),
    ROW("indices below zero", "a[-1 - idx]", ndarray(d.a(-1 - d.idx))),
    ROW("indices of int32", "a[idx.astype(np.int32)]", ndarray(d.a(d.idx.astype(int32)))),
    ROW("indices assigned to rows", "W.__setitem__(K[0], A)", d.W(d.K(0)) = d.A),
    ROW("mask of columns", "A[:, M[0]]", ndarray(d.A(slice(), d.M(0)))),
    ROW("mask of few", "a[m1]", ndarray(d.a(d.m1))),
    ROW("mask inverted", "~m", ~d.m),
    ROW("mask as float64", "m.astype(np.float64)", d.m.astype(float64)),
    ROW("mask times float64", "a * m", d.a* d.m),
    ROW("mask any of rows", "M.any(1)", d.M.any(1)),
    ROW("mask argmax", "m1.argmax()", d.m1.argmax()),
    ROW("dtypes floor_divide int8", "t // 7", floor_divide(d.t, 7)),
    ROW("dtypes floor_divide int32", "o // 7", floor_divide(d.o, 7)),
    ROW("dtypes floor_divide int64", "i // 7", floor_divide(d.i, 7)),
    ROW("dtypes floor_divide of two", "o // o", floor_divide(d.o, d.o)),
    ROW("dtypes remainder int32", "o % 7", d.o % 7),
    ROW("dtypes sum int8", "t.sum()", d.t.sum()),
    ROW("dtypes max int8", "t.max()", d.t.max()),
    ROW("dtypes sort int8", "np.sort(t)", sort(d.t)),
    ROW("dtypes add float16", "h + h", d.h + d.h),
    ROW("dtypes sum float16", "h.sum()", d.h.sum()),
    ROW("dtypes absolute float16", "abs(h)", cupyxx::abs(d.h)),
    ROW("dtypes exp float16", "np.exp(h)", exp(d.h)),
    ROW("dtypes multiply complex64", "x * x", d.x* d.x),
    ROW_UP_TO(1e5, "dtypes sqrt complex64", "np.sqrt(x)", sqrt(d.x)),
    ROW_UP_TO(1e5, "dtypes exp complex64", "np.exp(x)", exp(d.x)),
    ROW("dtypes sum complex64", "x.sum()", d.x.sum()),
    ROW("dtypes argmax complex128", "c.argmax()", d.c.argmax()),
    ROW("dtypes argmax int64 rows", "K.argmax(1)", d.K.argmax(1)),
    ROW("dtypes argmax float32 columns", "A.astype(np.float32).argmax(0)",
        d.A.astype(float32).argmax(0)),
    ROW("dtypes polyval float32", "np.polyval(p, f)", polyval(d.p, d.f)),
    ROW("dtypes power 1.5 float32", "f ** 1.5", power(d.f, 1.5)),
};

}  // namespace

std::span<const Row> layout_rows() { return kRows; }

}  // namespace benchmarks::numpy_rows
