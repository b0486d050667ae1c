// SPDX-License-Identifier: MIT
#include "benchmarks/cupyxx/numpy_rows/rows.h"

namespace benchmarks::numpy_rows {

namespace {

constexpr double kMatrix = 1e5;  // elements of the largest matrix that is decomposed

constexpr Row kRows[] = {
    ROW("dot", "np.dot(a, b)", dot(d.a, d.b)),
    ROW("dot float32", "np.dot(f, g)", dot(d.f, d.g)),
    ROW("vdot", "np.vdot(c, e)", vdot(d.c, d.e)),
    ROW("inner", "np.inner(a, b)", inner(d.a, d.b)),
    ROW("outer", "np.outer(a[:r], b[:r])", outer(d.a(slice(0, d.r)), d.b(slice(0, d.r)))),
    ROW("matmul", "np.matmul(S, S)", matmul(d.S, d.S)),
    ROW("matmul with a vector", "np.matmul(A, A[0])", matmul(d.A, d.A(0))),
    ROW("matmul int64", "np.matmul(K[:100], K[:, :100])",
        matmul(d.K(slice(0, 100)), d.K(slice(), slice(0, 100)))),
    ROW_UP_TO(kMatrix, "tensordot", "np.tensordot(A, B, 1)", tensordot(d.A, d.B, 1)),
    ROW("kron", "np.kron(A[:r // 2, :r // 2], np.ones((2, 2)))",
        kron(d.A(slice(0, d.r / 2), slice(0, d.r / 2)), ones({2, 2}))),
    ROW("trace", "np.trace(A)", trace(d.A)),
    ROW("linalg.matrix_power", "np.linalg.matrix_power(S, 3)", linalg::matrix_power(d.S, 3)),
    ROW_UP_TO(kMatrix, "linalg.multi_dot", "np.linalg.multi_dot([A, B, A[:, 0]])",
              linalg::multi_dot({d.A, d.B, ndarray(d.A(slice(), 0))})),
    ROW("linalg.cholesky", "np.linalg.cholesky(P)", linalg::cholesky(d.P)),
    ROW_UP_TO(kMatrix, "linalg.qr", "np.linalg.qr(S)", linalg::qr(d.S)),
    ROW_UP_TO(kMatrix, "linalg.svd", "np.linalg.svd(S)", linalg::svd(d.S)),
    ROW_UP_TO(kMatrix, "linalg.eigh", "np.linalg.eigh(P)", linalg::eigh(d.P)),
    ROW_UP_TO(kMatrix, "linalg.eigvalsh", "np.linalg.eigvalsh(P)", linalg::eigvalsh(d.P)),
    ROW_UP_TO(kMatrix, "linalg.eig", "np.linalg.eig(S)", linalg::eig(d.S)),
    ROW_UP_TO(kMatrix, "linalg.eigvals", "np.linalg.eigvals(S)", linalg::eigvals(d.S)),
    ROW("linalg.norm", "np.linalg.norm(a)", linalg::norm(d.a)),
    ROW("linalg.norm rows", "np.linalg.norm(A, axis=1)", linalg::norm(d.A, {.axis = 1})),
    ROW("linalg.norm 1", "np.linalg.norm(A, 1)", linalg::norm(d.A, {.ord = 1})),
    ROW_UP_TO(kMatrix, "linalg.cond", "np.linalg.cond(S)", linalg::cond(d.S)),
    ROW("linalg.det", "np.linalg.det(S)", linalg::det(d.S)),
    ROW("linalg.slogdet", "np.linalg.slogdet(S)", linalg::slogdet(d.S)),
    ROW_UP_TO(kMatrix, "linalg.matrix_rank", "np.linalg.matrix_rank(S)", linalg::matrix_rank(d.S)),
    ROW("linalg.solve", "np.linalg.solve(P, R)", linalg::solve(d.P, d.R)),
    ROW_UP_TO(kMatrix, "linalg.lstsq", "np.linalg.lstsq(S, R, None)", linalg::lstsq(d.S, d.R)),
    ROW("linalg.inv", "np.linalg.inv(P)", linalg::inv(d.P)),
    ROW_UP_TO(kMatrix, "linalg.pinv", "np.linalg.pinv(S)", linalg::pinv(d.S)),
    ROW_UP_TO(kMatrix, "linalg.tensorsolve", "np.linalg.tensorsolve(P, R[:, 0])",
              linalg::tensorsolve(d.P, d.R(slice(), 0))),
    ROW_UP_TO(kMatrix, "linalg.tensorinv", "np.linalg.tensorinv(P, 1)", linalg::tensorinv(d.P, 1)),
    // Fourier transforms.
    ROW("fft.fft", "np.fft.fft(c)", fft::fft(d.c)),
    ROW("fft.fft of reals", "np.fft.fft(a)", fft::fft(d.a)),
    ROW("fft.fft of rows", "np.fft.fft(A)", fft::fft(d.A)),
    ROW("fft.ifft", "np.fft.ifft(c)", fft::ifft(d.c)),
    ROW("fft.rfft", "np.fft.rfft(a)", fft::rfft(d.a)),
    ROW("fft.irfft", "np.fft.irfft(c)", fft::irfft(d.c)),
    ROW("fft.hfft", "np.fft.hfft(c)", fft::hfft(d.c)),
    ROW("fft.ihfft", "np.fft.ihfft(a)", fft::ihfft(d.a)),
    ROW("fft.fftn", "np.fft.fftn(A)", fft::fftn(d.A)),
    ROW("fft.ifftn", "np.fft.ifftn(A)", fft::ifftn(d.A)),
    ROW("fft.rfftn", "np.fft.rfftn(A)", fft::rfftn(d.A)),
    ROW("fft.irfftn", "np.fft.irfftn(A)", fft::irfftn(d.A)),
    ROW("fft.fft2", "np.fft.fft2(A)", fft::fft2(d.A)),
    ROW("fft.ifft2", "np.fft.ifft2(A)", fft::ifft2(d.A)),
    ROW("fft.rfft2", "np.fft.rfft2(A)", fft::rfft2(d.A)),
    ROW("fft.irfft2", "np.fft.irfft2(A)", fft::irfft2(d.A)),
    ROW("fft.fftfreq", "np.fft.fftfreq(n)", fft::fftfreq(d.n)),
    ROW("fft.rfftfreq", "np.fft.rfftfreq(n)", fft::rfftfreq(d.n)),
    ROW("fft.fftshift", "np.fft.fftshift(a)", fft::fftshift(d.a)),
    ROW("fft.ifftshift", "np.fft.ifftshift(a)", fft::ifftshift(d.a)),
};

}  // namespace

std::span<const Row> linear_algebra_rows() { return kRows; }

}  // namespace benchmarks::numpy_rows
