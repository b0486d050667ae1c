// SPDX-License-Identifier: MIT
// Solving and decomposing; the expectations are NumPy's, or what the factors must satisfy.
#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "cupyxx/creation.h"
#include "cupyxx/linalg.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace cupyxx::linalg {
namespace {

using testing::expect_allclose;
using testing::expect_error;

class Decomposition : public testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(Decomposition);

ndarray square() { return array({{4., 1., 2.}, {1., 3., 0.}, {2., 0., 5.}}); }

TEST_P(Decomposition, Solves) {
  const ndarray a = square(), u = array({{0., 2., 1.}, {1., 1., 1.}, {3., 0., -1.}});
  expect_allclose(
      solve(u, array({1, 2, 3})),
      array(std::vector<double>{1.2, 0.19999999999999996, 0.6000000000000001}).reshape({3}), 1e-10);
  expect_allclose(solve(u, a),
                  array(std::vector<double>{0, 1, 0.5999999999999999, 3, -1.0000000000000002, 2.6,
                                            -2, 3.0000000000000004, -3.2})
                      .reshape({3, 3}),
                  1e-10);
  expect_allclose(
      solve(stack({a, u}), array({{{1}, {2}, {3}}})),
      array(std::vector<double>{-0.3023255813953489, 0.7674418604651163, 0.7209302325581396, 1.2,
                                0.19999999999999996, 0.6000000000000001})
          .reshape({2, 3, 1}),
      1e-10);
  expect_allclose(
      inv(u),
      array(std::vector<double>{-0.2, 0.4, 0.19999999999999998, 0.8, -0.6000000000000001, 0.2,
                                -0.6000000000000001, 1.2000000000000002, -0.4})
          .reshape({3, 3}),
      1e-10);
  expect_allclose(
      inv(stack({a, u.T()})),
      array(std::vector<double>{0.3488372093023256, -0.11627906976744187, -0.13953488372093023,
                                -0.11627906976744187, 0.372093023255814, 0.04651162790697675,
                                -0.13953488372093023, 0.04651162790697675, 0.2558139534883721,
                                -0.19999999999999996, 0.8, -0.6000000000000001, 0.3999999999999999,
                                -0.6000000000000001, 1.2000000000000002, 0.2, 0.2, -0.4})
          .reshape({2, 3, 3}),
      1e-10);
  expect_allclose(det(u), array(std::vector<double>{4.999999999999999}).reshape({}), 1e-10);
  expect_allclose(det(stack({a, u})),
                  array(std::vector<double>{43.000000000000014, 4.999999999999999}).reshape({2}),
                  1e-10);
  expect_allclose(det(zeros({0, 0})), array(std::vector<double>{1}).reshape({}), 1e-10);
  EXPECT_EQ(inv(a.astype(float32)).dtype(), float32);
  EXPECT_EQ(inv(identity(2, int32)).dtype(), float64);
  EXPECT_EQ(inv(a).device(), device());
}

TEST_P(Decomposition, Factors) {
  const ndarray a = square();
  expect_allclose(cholesky(a),
                  array(std::vector<double>{2, 0, 0, 0.5, 1.6583123951777, 0, 1,
                                            -0.30151134457776363, 1.9771421064483223})
                      .reshape({3, 3}),
                  1e-10);
  expect_allclose(
      eigh(a).eigenvalues,
      array(std::vector<double>{1.8548973087995775, 3.476023602918134, 6.669079088282287})
          .reshape({3}),
      1e-10);
  expect_allclose(
      eigvalsh(a, 'U'),
      array(std::vector<double>{1.8548973087995775, 3.476023602918134, 6.669079088282287})
          .reshape({3}),
      1e-10);
  const EighResult e = eigh(a);
  expect_allclose(matmul(e.eigenvectors * e.eigenvalues, e.eigenvectors.T()), a, 1e-12);
  const ndarray tall = arange(12.).reshape({4, 3}) + eye(4, 3);
  expect_allclose(
      qr(tall).q,
      array(std::vector<double>{-0.08873565094161129, 0.10400756240300388, -0.5512613321975744,
                                -0.26620695282483414, -0.9459735437606758, 0.09843952360671088,
                                -0.5324139056496683, -0.004952741066809929, -0.6759513954327385,
                                -0.7986208584745025, 0.3070699461422093, 0.4790723482193191})
          .reshape({4, 3}),
      1e-10);
  expect_allclose(
      qr(tall).r,
      array(std::vector<double>{-11.269427669584644, -13.132876339358486, -15.085060660073935, 0,
                                -1.589829882445952, -1.1886578560343586, 0, 0, -1.4240917748437316})
          .reshape({3, 3}),
      1e-10);
  expect_allclose(
      qr(tall.T(), QrMode::complete).r,
      array(std::vector<double>{-2.449489742783178, -7.348469228349536, -12.655697004379757,
                                -16.73817990901839, 0, -2.23606797749979, -2.2360679774997907,
                                -4.024922359499624, 0, 0, -0.912870929175277, -2.3734644158557208})
          .reshape({3, 4}),
      1e-10);
  expect_allclose(
      qr(tall, QrMode::r).r,
      array(std::vector<double>{-11.269427669584644, -13.132876339358486, -15.085060660073935, 0,
                                -1.589829882445952, -1.1886578560343586, 0, 0, -1.4240917748437316})
          .reshape({3, 3}),
      1e-10);
  const QrResult whole = qr(tall, QrMode::complete);
  expect_allclose(matmul(whole.q, whole.r), tall, 1e-12, 1e-12);
  expect_allclose(matmul(whole.q.T(), whole.q), identity(4), 1e-12, 1e-12);
}

TEST_P(Decomposition, SingularValues) {
  const ndarray tall = arange(12.).reshape({4, 3}) + eye(4, 3);
  expect_allclose(
      svd(tall, true, false).s,
      array(std::vector<double>{23.03852182972662, 1.107479977792001, 0.9999999999999994})
          .reshape({3}),
      1e-10);
  for (const bool full : {false, true}) {
    for (const ndarray& x : {tall, tall.T(), stack({tall, tall * 2})}) {
      const SvdResult d = svd(x, full);
      const std::int64_t k = 3;
      const ndarray u = d.u(ellipsis, slice(k)), vh = d.vh(ellipsis, slice(k), slice());
      expect_allclose(matmul(u * expand_dims(d.s, -2), vh), x, 1e-11, 1e-11);
      EXPECT_EQ(d.u.shape().back(), full ? x.shape()[x.ndim() - 2] : k);
    }
  }
}

// Factors are checked by what they must satisfy, in float32 and float64, one matrix and many.
TEST_P(Decomposition, StacksOfBothTypesSatisfyTheirEquations) {
  for (const dtype type : {float32, float64}) {
    const double tolerance = type == float32 ? 2e-5 : 1e-13;
    for (const std::int64_t count : {1, 5}) {
      SCOPED_TRACE(std::string(type.name()) + " x " + std::to_string(count));
      // Far from singular, and symmetric positive definite.
      const ndarray r = sin(arange(count * 36.).reshape({count, 6, 6}) * 1.7).astype(type);
      const ndarray s = matmul(r, r.swapaxes(-1, -2)) + identity(6, type);
      const ndarray g = r + 3 * identity(6, type);
      const ndarray one = broadcast_to(identity(6, type), {count, 6, 6});
      EXPECT_EQ(inv(g).dtype(), type);
      expect_allclose(matmul(g, inv(g)), one, 0, tolerance);
      const ndarray b = cos(arange(count * 12.).reshape({count, 6, 2})).astype(type);
      expect_allclose(matmul(g, solve(g, b)), b, 0, tolerance * 5);
      const ndarray l = cholesky(s);
      expect_allclose(matmul(l, l.swapaxes(-1, -2)), s, 0, tolerance * 20);
      expect_allclose(l, tril(l), 0, 0);
      for (const ndarray& x :
           std::vector<ndarray>{g, g(ellipsis, slice(4)), g(slice(), slice(4))}) {
        const QrResult whole = qr(x, QrMode::complete), part = qr(x);
        expect_allclose(matmul(whole.q, whole.r), x, 0, tolerance * 20);
        expect_allclose(matmul(part.q, part.r), x, 0, tolerance * 20);
        expect_allclose(part.r, triu(part.r), 0, 0);
        for (const bool full : {false, true}) {
          const SvdResult d = svd(x, full);
          const std::int64_t k = d.s.shape().back();
          const ndarray u = d.u(ellipsis, slice(k)), vh = d.vh(ellipsis, slice(k), slice());
          expect_allclose(matmul(u * expand_dims(d.s, 1), vh), x, 0, tolerance * 20);
          expect_allclose(matmul(d.u.swapaxes(-1, -2), d.u),
                          broadcast_to(identity(d.u.shape().back(), type),
                                       {count, d.u.shape().back(), d.u.shape().back()}),
                          0, tolerance * 5);
          expect_allclose(svd(x, full, false).s, d.s, 0, tolerance * 20);
        }
      }
      for (const char uplo : {'L', 'U'}) {
        const ndarray part = uplo == 'L' ? tril(s) : triu(s);  // the other one is not read
        const EighResult e = eigh(part, uplo);
        const ndarray v = e.eigenvectors;
        expect_allclose(matmul(v * expand_dims(e.eigenvalues, 1), v.swapaxes(-1, -2)), s, 0,
                        tolerance * 50);
        expect_allclose(eigvalsh(part, uplo), e.eigenvalues, 0, tolerance * 50);
      }
    }
  }
}

TEST_P(Decomposition, DeterminantsHaveSignsAndLogarithms) {
  // NumPy's: det, and slogdet of the same.
  const ndarray a = array({{{1., 2.}, {3., 4.}}, {{2., 0.}, {0., 3.}}, {{1., 2.}, {2., 4.}}});
  expect_allclose(det(a), array({-2., 6., 0.}), 1e-14, 1e-15);
  const SlogdetResult d = slogdet(a);
  expect_allclose(d.sign, array({-1., 1., 0.}), 0, 0);
  expect_allclose(d.logdet(slice(2)), array({0.6931471805599455, 1.791759469228055}), 1e-14);
  EXPECT_EQ(d.logdet(2).item<double>(), -HUGE_VAL);
  expect_allclose(slogdet(zeros({0, 0})).sign, ones({}), 0, 0);
  EXPECT_EQ(slogdet(a.astype(float32)).logdet.dtype(), float32);
  expect_allclose(det(identity(200) * 0.001), array(0.), 0, 0);
  expect_allclose(slogdet(identity(200) * 0.001).logdet, array(-1381.5510557964287), 1e-12);
}

TEST_P(Decomposition, EmptyMatricesHaveEmptyFactors) {
  // Of a stack of none there is no condition to find; of matrices of none there is none.
  for (const Order& order :
       {Order(), Order(2), Order(-2), Order(1), Order(INFINITY), Order("fro"), Order("nuc")}) {
    EXPECT_EQ(cond(zeros({0, 3, 3}), order).shape(), Shape({0}));
  }
  EXPECT_EQ(cond(zeros({2, 0, 4, 3})).shape(), Shape({2, 0}));
  expect_error<LinAlgError>(
      [] {
        cond(zeros({2, 0, 0}));
      },
      "linalg.cond: not defined for an empty array; (2, 0, 0)");
  EXPECT_EQ(inv(zeros({0, 3, 3})).shape(), (Shape{0, 3, 3}));
  EXPECT_EQ(solve(zeros({0, 0}), zeros({0, 2})).shape(), (Shape{0, 2}));
  EXPECT_EQ(cholesky(zeros({2, 0, 0})).shape(), (Shape{2, 0, 0}));
  EXPECT_EQ(eigvalsh(zeros({0, 0})).shape(), (Shape{0}));
  const SvdResult d = svd(zeros({3, 0}));
  expect_allclose(d.u, identity(3), 0, 0);
  EXPECT_EQ(d.vh.shape(), (Shape{0, 0}));
  EXPECT_EQ(qr(zeros({3, 0})).q.shape(), (Shape{3, 0}));
  expect_allclose(qr(zeros({3, 0}), QrMode::complete).q, identity(3), 0, 0);
}

TEST_P(Decomposition, OperandsStayAsTheyAre) {
  const ndarray a = square(), before = a.copy();
  inv(a);
  cholesky(a.T());
  svd(a.T());
  eigh(a);
  qr(a.T());
  solve(a.T(), a);
  expect_allclose(a, before, 0, 0);
}

TEST_P(Decomposition, ReportsWhatIsImpossible) {
  expect_error<LinAlgError>(
      [] {
        svd(full({2, 2}, NAN)).s.get();
      },
      "linalg.svd: does not converge");
  expect_error<LinAlgError>(
      [] {
        inv(stack({identity(2), zeros({2, 2})})).get();
      },
      "linalg.inv: the matrix is singular");
  expect_error<LinAlgError>([] { inv(ones({2, 2})).get(); }, "linalg.inv: the matrix is singular");
  expect_error<LinAlgError>(
      [] {
        solve(zeros({2, 2}), ones({2})).get();
      },
      "linalg.solve: the matrix is singular");
  expect_error<LinAlgError>(
      [] {
        det(ones({2, 3}));
      },
      "linalg.det: the last two axes must be square; (2, 3)");
  expect_error<LinAlgError>(
      [] {
        cholesky(array({{1., 2.}, {2., 1.}})).get();
      },
      "linalg.cholesky: the matrix is not positive definite");
  expect_error<LinAlgError>([] { inv(ones({2})); },
                            "linalg.inv: needs two axes at least; the shape is (2,)");
  expect_error<ShapeError>([] { solve(identity(2), ones({3})); },
                           "linalg.solve: sizes do not fit; (2, 2) and (3,)");
  // NumPy 1.24 takes the first for a stack of vectors, NumPy 2 both for a matrix.
  expect_error<ShapeError>(
      [] {
        solve(stack({identity(3), identity(3)}), ones({2, 3}));
      },
      "(2, 3, 3) and (2, 3); several axes are matrices: of a stack of vectors "
      "write b(ellipsis, newaxis)");
  const ndarray doubled = 2 * identity(2);
  expect_allclose(solve(stack({identity(2), doubled}), array({{2, 4}, {6, 8}})),
                  array({{{2.0, 4.0}, {6.0, 8.0}}, {{1.0, 2.0}, {3.0, 4.0}}}));
  EXPECT_EQ(pinv(zeros({0, 3, 1}, int64)).dtype(), float64);
  EXPECT_EQ(pinv(zeros({0, 3, 1}, int64)).shape(), (Shape{0, 1, 3}));
  EXPECT_EQ(pinv(zeros({2, 0, 3})).shape(), (Shape{2, 3, 0}));
  expect_error<DtypeError>(
      [] {
        inv(ones({2, 2}, float16));
      },
      "linalg.inv: not for this dtype; float16");
}

ndarray complex_square() {
  using Z = complex<double>;
  return array(std::vector<Z>{
                   {2, 1}, {1, -1}, {0, 0}, {0, 1}, {3, 0}, {1, 0}, {2, 0}, {1, 2}, {4, -1}})
      .reshape({3, 3});
}

void expect_near(const ndarray& actual, const ndarray& expected, double bound) {
  expect_allclose(actual, expected, bound, bound);
}

ndarray adjoint(const ndarray& a) { return swapaxes(a, -1, -2).conj(); }

TEST_P(Decomposition, ComplexMatrices) {
  for (const dtype type : {complex64, complex128}) {
    const double bound = type == complex64 ? 1e-5 : 1e-12;
    const ndarray a = complex_square().astype(type), one = eye(3, 3, 0, type);
    // Twice, since stacks of small matrices are worked on side by side.
    for (const ndarray& x : {a, stack({a, a.T() + one})}) {
      const ndarray ones_like = broadcast_to(one, x.shape());
      expect_near(matmul(x, inv(x)), ones_like, bound);
      expect_near(matmul(x, solve(x, broadcast_to(a, x.shape()))), broadcast_to(a, x.shape()),
                  bound);
      const auto [sign, logdet] = slogdet(x);
      EXPECT_EQ(logdet.dtype(), type.real_part());
      expect_near(sign * exp(logdet), det(x), bound * 30);
      const ndarray h = matmul(adjoint(x), x) + one;
      const ndarray l = cholesky(h);
      expect_near(matmul(l, adjoint(l)), h, bound * 30);
      expect_near(triu(l, 1), zeros(x.shape(), type), 0);
      const auto [w, v] = eigh(h);
      EXPECT_EQ(w.dtype(), type.real_part());
      expect_near(matmul(v * expand_dims(w, -2), adjoint(v)), h, bound * 30);
      expect_near(eigvalsh(h), w, bound * 30);
      const auto [q, r] = qr(x);
      expect_near(matmul(q, r), x, bound * 10);
      expect_near(matmul(adjoint(q), q), ones_like, bound);
      for (const ndarray& m :
           std::vector<ndarray>{x, x(ellipsis, slice(2), slice()), x(ellipsis, slice(2))}) {
        const auto [u, s, vh] = svd(m, false);
        EXPECT_EQ(s.dtype(), type.real_part());
        expect_near(matmul(u * expand_dims(s, -2), vh), m, bound * 10);
        expect_near(svd(m, true, false).s, s, bound * 10);
      }
      const auto [values, vectors] = eig(x);
      expect_near(matmul(x, vectors), vectors * expand_dims(values, -2), bound * 30);
      expect_near(eigvals(x), values, bound * 30);
      EXPECT_EQ(values.dtype(), type);
      EXPECT_EQ(values.device(), device());
    }
  }
  // NumPy's.
  expect_allclose(det(complex_square()), array(complex<double>(24, -4)), 1e-12);
}

TEST_P(Decomposition, EigenvaluesOfAnyMatrix) {
  const auto [w, v] = eig(array({{0., -1.}, {1., 0.}}));
  expect_allclose(w, array(std::vector<complex<double>>{{0, 1}, {0, -1}}), 1e-14);
  const double h = std::sqrt(0.5);
  expect_allclose(
      v, array(std::vector<complex<double>>{{h, 0}, {h, 0}, {0, -h}, {0, h}}).reshape({2, 2}),
      1e-14);
  const auto real = eig(array({{2., 0.}, {0., 3.}}));
  EXPECT_EQ(real.eigenvalues.dtype(), float64);
  expect_allclose(real.eigenvalues, array({2., 3.}), 1e-14);
  expect_allclose(real.eigenvectors, eye(2), 1e-14);
  EXPECT_EQ(eigvals(eye(2).astype(float32)).dtype(), float32);
  EXPECT_EQ(eig(zeros({0, 0})).eigenvectors.shape(), (Shape{0, 0}));
  expect_error<LinAlgError>(
      [] {
        eig(array({{1., double(NAN)}, {0., 1.}}));
      },
      "linalg.eig: the array must not contain infs or NaNs");
  expect_error<LinAlgError>(
      [] {
        eigvals(zeros({2, 3}));
      },
      "linalg.eigvals: the last two axes must be square; (2, 3)");
  expect_error<LinAlgError>([] { eig(zeros({2})); }, "linalg.eig: needs two axes at least");
  expect_error<TypeError>([] { eig(ndarray()); }, "linalg.eig: the array is None");
}

// On a device nothing was left of a matrix where rcond was 1 or more. Values of NumPy 1.24.
TEST_P(Decomposition, BoundsOfLeastSquaresAreWithinOne) {
  const ndarray a = array({{0., 2., 0.5}, {2., 1., -1.}, {1.5, 2., 2.}, {3., 1., 4.}});
  const ndarray b = arange(4.0);
  const ndarray x = array({0.63849765, 0.0529236, 0.29534784});
  for (const double rcond : {-1.0, 0.0, 0.001, 1.0, 2.5}) {
    const LstsqResult found = lstsq(a, b, rcond);
    EXPECT_EQ(found.rank, 3) << rcond;
    expect_allclose(found.x, x, 1e-7, 1e-7);
  }
  const LstsqResult one = lstsq(a, b, 0.5);
  EXPECT_EQ(one.rank, 1);
  expect_allclose(one.x, array({0.35328636, 0.23703469, 0.42861543}), 1e-7, 1e-7);
}

TEST_P(Decomposition, Tensors) {
  const ndarray a = (eye(24) * 2 + eye(24, 24, 3)).reshape({6, 4, 2, 3, 4});
  const ndarray b = arange(24.0).reshape({6, 4});
  const ndarray x = tensorsolve(a, b);
  EXPECT_EQ(x.shape(), (Shape{2, 3, 4}));
  expect_allclose(tensordot(a, x, 3), b, 1e-12);
  const ndarray moved = moveaxis(a, {2, 3}, {0, 1});
  expect_allclose(tensorsolve(moved, b, {0, 1}), tensorsolve(moveaxis(moved, {0, 1}, {3, 4}), b),
                  1e-12);
  const ndarray inverse = tensorinv(a, 2);
  EXPECT_EQ(inverse.shape(), (Shape{2, 3, 4, 6, 4}));
  expect_allclose(tensordot(inverse, b, 2), x, 1e-12);
  expect_error<ValueError>([&] { tensorinv(a, 0); }, "linalg.tensorinv: ind must be positive; 0");
  expect_error<LinAlgError>(
      [&] {
        tensorinv(zeros({2, 3}), 1);
      },
      "linalg.tensorinv: the tensor must be square; (2, 3) with ind 1");
  expect_error<LinAlgError>(
      [&] {
        tensorsolve(zeros({2, 3}), zeros({2}));
      },
      "linalg.tensorsolve: the tensor must be square; (2, 3) and (2,)");
}

}  // namespace
}  // namespace cupyxx::linalg
