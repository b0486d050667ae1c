// SPDX-License-Identifier: MIT
#include "benchmarks/cupyxx/numpy_rows/rows.h"

namespace benchmarks::numpy_rows {

namespace {

constexpr Row kRows[] = {
    ROW("empty", "np.empty(n)", empty({d.n})),
    ROW("zeros", "np.zeros(n)", zeros({d.n})),
    ROW("ones", "np.ones(n)", ones({d.n})),
    ROW("full", "np.full(n, 7.0)", full({d.n}, 7.0)),
    ROW("empty_like", "np.empty_like(a)", empty_like(d.a)),
    ROW("zeros_like", "np.zeros_like(a)", zeros_like(d.a)),
    ROW("ones_like", "np.ones_like(a)", ones_like(d.a)),
    ROW("full_like", "np.full_like(a, 7)", full_like(d.a, 7)),
    ROW("eye", "np.eye(r)", eye(d.r)),
    ROW("identity", "np.identity(r)", identity(d.r)),
    ROW("tri", "np.tri(r)", tri(d.r)),
    ROW("tril", "np.tril(A)", tril(d.A)),
    ROW("triu", "np.triu(A)", triu(d.A)),
    ROW("vander", "np.vander(a[:n // 10], 10)", vander(d.a(slice(0, d.n / 10)), 10)),
    ROW("diag", "np.diag(a[:r])", diag(d.a(slice(0, d.r)))),
    ROW("diag of a matrix", "np.diag(A)", diag(d.A)),
    ROW("diagflat", "np.diagflat(a[:r])", diagflat(d.a(slice(0, d.r)))),
    ROW("array", "np.array(a)", array(d.a)),
    ROW("asarray", "np.asarray(a)", asarray(d.a)),
    ROW("asanyarray", "np.asanyarray(a)", asanyarray(d.a)),
    ROW("ascontiguousarray", "np.ascontiguousarray(A.T)", ascontiguousarray(d.A.T())),
    ROW("asfortranarray", "np.asfortranarray(A)", asfortranarray(d.A)),
    ROW("asarray_chkfinite", "np.asarray_chkfinite(a)", asarray_chkfinite(d.a)),
    ROW("copy", "np.copy(a)", copy(d.a)),
    ROW("fromfunction", "np.fromfunction(lambda y, x: y + x, (r, r))",
        fromfunction([](const ndarray& y, const ndarray& x) { return y + x; }, {d.r, d.r})),
    ROW("arange", "np.arange(n)", arange(d.n)),
    ROW("arange float64", "np.arange(0.0, float(n), 1.0)",
        arange(0.0, static_cast<double>(d.n), 1.0)),
    ROW("linspace", "np.linspace(0, 1, n)", linspace(0.0, 1.0, d.n)),
    ROW("logspace", "np.logspace(0, 1, n)", logspace(0.0, 1.0, d.n)),
    ROW("geomspace", "np.geomspace(1, 10, n)", geomspace(1.0, 10.0, d.n)),
    ROW("meshgrid", "np.meshgrid(a[:r], b[:r])",
        meshgrid({d.a(slice(0, d.r)), d.b(slice(0, d.r))})),
    ROW("indices", "np.indices((r, r))", indices({d.r, d.r})),
    ROW("mgrid", "np.mgrid[0:r, 0:r]", mgrid({{0, d.r}, {0, d.r}})),
    ROW("ogrid", "np.ogrid[0:r, 0:r]", ogrid({{0, d.r}, {0, d.r}})),
    ROW("bartlett", "np.bartlett(n)", bartlett(d.n)),
    ROW("blackman", "np.blackman(n)", blackman(d.n)),
    ROW("hamming", "np.hamming(n)", hamming(d.n)),
    ROW("hanning", "np.hanning(n)", hanning(d.n)),
    ROW("kaiser", "np.kaiser(n, 14.0)", kaiser(d.n, 14.0)),
};

}  // namespace

std::span<const Row> creation_rows() { return kRows; }

}  // namespace benchmarks::numpy_rows
