// SPDX-License-Identifier: MIT
#include "cupyxx/linalg.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"
#include "cupyxx/type_functions.h"

namespace cupyxx {
namespace {

using testing::expect_elements;
using testing::expect_error;
using Ints = std::vector<std::int64_t>;
using Doubles = std::vector<double>;

class LinalgTest : public testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(LinalgTest);

// Small whole numbers, so that every dtype and every order of summation is exact.
ndarray numbers(const Shape& shape, cupyxx::dtype dtype = float32, int step = 3) {
  std::vector<std::int64_t> values;
  for (std::int64_t i = 0; i < shape.element_count(); ++i) values.push_back(i * step % 7 - 3);
  return array(values, dtype).reshape(shape);
}

// NumPy's matmul of two stacks of equal rank, by its definition.
Doubles reference(const ndarray& a, const ndarray& b) {
  const std::int64_t m = a.shape()[a.ndim() - 2], k = a.shape().back(), n = b.shape().back();
  const Doubles x = a.to_vector<double>(), y = b.to_vector<double>();
  const std::int64_t stack = a.size() / std::max<std::int64_t>(m * k, 1);
  Doubles c;
  for (std::int64_t s = 0; s < stack; ++s) {
    for (std::int64_t i = 0; i < m; ++i) {
      for (std::int64_t j = 0; j < n; ++j) {
        double sum = 0;
        for (std::int64_t l = 0; l < k; ++l) {
          sum += x[static_cast<std::size_t>((s * m + i) * k + l)] *
                 y[static_cast<std::size_t>((s * k + l) * n + j)];
        }
        c.push_back(sum);
      }
    }
  }
  return c;
}

TEST_P(LinalgTest, DotOfVectorsIsZeroDimensional) {
  expect_elements<std::int64_t>(dot(array({1, 2, 3}), array({4, 5, 6})), {}, {32});
  expect_elements<double>(dot(array({1.5, 2.0}), array({2.0, 4.0})), {}, {11});
}

TEST_P(LinalgTest, DotOfMatrices) {
  const ndarray a = array({{1, 2}, {3, 4}}), b = array({{5, 6}, {7, 8}});
  expect_elements<std::int64_t>(dot(a, b), {2, 2}, {19, 22, 43, 50});
  expect_elements<std::int64_t>(a.dot(b), {2, 2}, {19, 22, 43, 50});
  expect_elements<std::int64_t>(dot(a, array({1, 10})), {2}, {21, 43});
  expect_elements<std::int64_t>(dot(array({1, 10}), a), {2}, {31, 42});
}

TEST_P(LinalgTest, DotWithZeroDimensionalOperandScales) {
  expect_elements<std::int64_t>(dot(array({1, 2}), array(3, int64)), {2}, {3, 6});
  expect_elements<std::int64_t>(dot(array(2, int64), array(3, int64)), {}, {6});
}

TEST_P(LinalgTest, DotOfStacksPairsEveryRowWithEveryMatrix) {
  const ndarray a = numbers({2, 3, 4}), b = numbers({5, 4, 2}, float32, 2);
  const ndarray c = dot(a, b);
  ASSERT_EQ(c.shape(), (Shape{2, 3, 5, 2}));
  for (int i = 0; i < 2; ++i) {
    for (int s = 0; s < 5; ++s) {
      EXPECT_EQ(c(i, slice(), s).to_vector<double>(), reference(a(i), b(s)));
    }
  }
  expect_elements<double>(dot(a(0, 0), b), {5, 2}, c(0, 0).to_vector<double>());
}

TEST_P(LinalgTest, EveryDtypeKeepsItself) {
  for (const cupyxx::dtype type :
       {int8, uint8, int16, uint16, int32, uint32, int64, uint64, float16, float32, float64}) {
    const ndarray a = numbers({3, 4}, int64).astype(type), b = numbers({4, 5}, int64).astype(type);
    const ndarray c = dot(a, b);
    EXPECT_EQ(c.dtype(), type);
    const Doubles exact = reference(numbers({3, 4}, int64), numbers({4, 5}, int64));
    std::vector<double> expected;
    for (const double value : exact) {
      expected.push_back(array(value, float64).astype(int64).astype(type).item<double>());
    }
    EXPECT_EQ(c.to_vector<double>(), expected) << type;
  }
}

TEST_P(LinalgTest, BoolIsOrOfAnds) {
  const ndarray a = array({{true, false}, {false, false}});
  const ndarray b = array({{true, true}, {true, false}});
  const ndarray c = dot(a, b);
  EXPECT_EQ(c.dtype(), bool_);
  EXPECT_EQ(c.to_vector<std::int64_t>(), (Ints{1, 1, 0, 0}));
}

TEST_P(LinalgTest, DtypesArePromoted) {
  const auto dtype_of_dot = [](cupyxx::dtype x, cupyxx::dtype y) {
    return dot(numbers({2, 3}, x), numbers({3, 2}, y)).dtype();
  };
  EXPECT_EQ(dtype_of_dot(float32, float64), float64);
  EXPECT_EQ(dtype_of_dot(float16, float32), float32);
  EXPECT_EQ(dtype_of_dot(int32, float32), float64);
  EXPECT_EQ(dtype_of_dot(int8, int16), int16);
}

TEST_P(LinalgTest, IntegersWrap) {
  const ndarray a = full({2}, 100, int8);
  expect_elements<std::int64_t>(dot(a, a), {}, {static_cast<std::int8_t>(20000)});
}

TEST_P(LinalgTest, EmptyInnerDimensionGivesZeros) {
  expect_elements<double>(dot(zeros({2, 0}), zeros({0, 3})), {2, 3}, Doubles(6, 0.0));
  expect_elements<double>(dot(zeros({0}), zeros({0})), {}, {0});
  expect_elements<double>(matmul(zeros({2, 3, 0}), zeros({0, 1})), {2, 3, 1}, Doubles(6, 0.0));
  EXPECT_EQ(dot(zeros({0, 2}), zeros({2, 3})).shape(), (Shape{0, 3}));
}

TEST_P(LinalgTest, EveryLayoutGivesTheSameProduct) {
  for (const cupyxx::dtype type : {float32, float64, int32}) {
    const ndarray a = numbers({9, 12}, type), b = numbers({12, 7}, type, 2);
    const Doubles expected = reference(a, b);
    const auto layouts = [type](const ndarray& x) {
      const Shape shape = x.shape();
      const ndarray wide = zeros({2 * shape[0], 2 * shape[1]}, type);
      std::vector<ndarray> all = {x, x.T().copy().T()};
      for (const ndarray& part : {ndarray(wide(slice(0, shape[0]), slice(0, shape[1]))),
                                  ndarray(wide(slice(shape[0], none), slice(shape[1], none))),
                                  ndarray(wide(slice(none, none, 2), slice(none, none, 2)))}) {
        const ndarray holder = part.copy();
        copyto(holder, x);
        all.push_back(holder);
      }
      const ndarray gap = zeros({shape[0], 2 * shape[1] + 1}, type);
      copyto(gap(slice(), slice(0, shape[1])), x);
      all.push_back(gap(slice(), slice(0, shape[1])));
      const ndarray skip = zeros({shape[0], 2 * shape[1]}, type);
      copyto(skip(slice(), slice(none, none, 2)), x);
      all.push_back(skip(slice(), slice(none, none, 2)));
      const ndarray back = x(slice(none, none, -1), slice(none, none, -1)).copy();
      all.push_back(back(slice(none, none, -1), slice(none, none, -1)));
      return all;
    };
    for (const ndarray& x : layouts(a)) {
      for (const ndarray& y : layouts(b)) {
        expect_elements<double>(dot(x, y), {9, 7}, expected);
      }
    }
  }
}

TEST_P(LinalgTest, StridedVectors) {
  const ndarray v = arange(10)(slice(none, none, 3)), w = arange(4);
  expect_elements<std::int64_t>(dot(v, w), {}, {0 + 3 + 12 + 27});
  expect_elements<std::int64_t>(dot(v(slice(none, none, -1)), w), {}, {6 + 6});
  expect_elements<std::int64_t>(dot(broadcast_to(array(2), {4}), w), {}, {12});
}

TEST_P(LinalgTest, MatmulBroadcastsStacks) {
  const ndarray a = numbers({2, 1, 3, 4}), b = numbers({5, 4, 2}, float32, 2);
  const ndarray c = matmul(a, b);
  ASSERT_EQ(c.shape(), (Shape{2, 5, 3, 2}));
  for (int i = 0; i < 2; ++i) {
    for (int s = 0; s < 5; ++s) {
      EXPECT_EQ(c(i, s).to_vector<double>(), reference(a(i, 0), b(s)));
    }
  }
}

TEST_P(LinalgTest, MatmulOfAStackAndOneMatrix) {
  const ndarray a = numbers({6, 3, 4}), b = numbers({4, 5}, float32, 2);
  EXPECT_EQ(matmul(a, b).to_vector<double>(), reference(a.reshape({18, 4}), b));
  const ndarray swapped = matmul(b.T(), a.transpose({0, 2, 1}));
  ASSERT_EQ(swapped.shape(), (Shape{6, 5, 3}));
  EXPECT_EQ(swapped.transpose({0, 2, 1}).to_vector<double>(), matmul(a, b).to_vector<double>());
}

TEST_P(LinalgTest, MatmulOfVectorsDropsTheirAxis) {
  const ndarray a = numbers({2, 3, 4}), v = numbers({4}), w = numbers({3});
  EXPECT_EQ(matmul(a, v).shape(), (Shape{2, 3}));
  EXPECT_EQ(matmul(a, v).to_vector<double>(), reference(a.reshape({6, 4}), v.reshape({4, 1})));
  EXPECT_EQ(matmul(w, a).shape(), (Shape{2, 4}));
  EXPECT_EQ(matmul(w, a)(1).to_vector<double>(), reference(w.reshape({1, 3}), a(1)));
  EXPECT_EQ(matmul(v, v).shape(), Shape{});
}

TEST_P(LinalgTest, ErrorsNameTheOperationAndTheShapes) {
  const ndarray a = zeros({2, 3}), b = zeros({4, 5}), scalar = zeros({});
  expect_error<ShapeError>([&] { matmul(a, b); },
                           "matmul: inner dimensions differ: (2, 3) and (4, 5)");
  expect_error<ShapeError>([&] { dot(a, b); }, "dot: inner dimensions differ: (2, 3) and (4, 5)");
  expect_error<ShapeError>([&] { inner(a, b); },
                           "inner: inner dimensions differ: (2, 3) and (4, 5)");
  expect_error<ShapeError>([&] { matmul(a, scalar); },
                           "matmul: an operand has no axes: (2, 3) and ()");
  expect_error<ShapeError>([&] { matmul(zeros({2, 2, 3}), zeros({3, 3, 1})); }, "matmul: ");
  expect_error<ShapeError>([&] { vdot(a, b); }, "vdot: sizes differ; (2, 3) and (4, 5)");
  expect_error<TypeError>([&] { dot(a, {}); }, "dot: ");
  expect_error<ShapeError>([&] { tensordot(a, b, 1); }, "tensordot: contracted axes differ: ");
  const ndarray m = arange(4.0).reshape({2, 2}), out = zeros({2, 2});
  EXPECT_EQ(tensordot(m, m, 1, {.out = out}).data(), out.data());
  testing::expect_array_equal(out, matmul(m, m));
  tensordot(m, m, {0}, {0}, {.out = out});
  testing::expect_array_equal(out, matmul(m.T(), m));
  expect_error<ShapeError>([&] { tensordot(m, m, 1, {.out = zeros({2})}); },
                           "tensordot: out has shape (2,), the result (2, 2)");
  expect_error<AxisError>([&] { tensordot(a, b, 3); }, "tensordot: ");
  expect_error<ValueError>(
      [&] {
        tensordot(a, a, {0, 0}, {0, 0});
      },
      "tensordot: an axis is given twice; (0, 0)");
  expect_error<ShapeError>([&] { trace(zeros({3})); }, "trace: needs two axes; the shape is (3,)");
  expect_error<ShapeError>([&] { gemm(zeros({3}), a); },
                           "gemm: operands must be matrices; (3,) and (2, 3)");
}

TEST_P(LinalgTest, ProductsTakeOutByName) {
  const ndarray m = arange(4.0).reshape({2, 2});
  const auto expect_written = [&](const ndarray& expected, auto&& call) {
    const ndarray out = zeros({2, 2});
    EXPECT_TRUE(call(out).shares_memory(out));
    testing::expect_array_equal(out, expected.astype(float64));
  };
  expect_written(array({{2, 3}, {6, 11}}), [&](const ndarray& y) { return dot(m, m, {.out = y}); });
  expect_written(array({{2, 3}, {6, 11}}),
                 [&](const ndarray& y) { return matmul(m, m, {.out = y}); });
  expect_written(array({{6, 11}, {22, 39}}), [&](const ndarray& y) {
    return linalg::multi_dot({m, m, m}, {.out = y});
  });
  expect_written(array({{3, 4}, {6, 8}}), [&](const ndarray& y) {
    return outer({1, 2}, {3, 4}, {.out = y});
  });
  const ndarray square = m.copy();
  matmul(square, square, {.out = square});
  testing::expect_array_equal(square, matmul(m, m));
  expect_error<ShapeError>([&] { matmul(m, m, {.out = zeros({2})}); }, "matmul: ");
}

TEST_P(LinalgTest, OutOfDotMustFitExactly) {
  const ndarray a = numbers({2, 3}), b = numbers({3, 4});
  const ndarray out = zeros({2, 4}, float32);
  const ndarray result = dot(a, b, out);
  EXPECT_TRUE(result.shares_memory(out));
  EXPECT_EQ(out.to_vector<double>(), reference(a, b));
  expect_error<ShapeError>(
      [&] {
        dot(a, b, zeros({4, 2}, float32));
      },
      "dot: out has the wrong shape; (4, 2) instead of (2, 4)");
  expect_error<ValueError>(
      [&] {
        dot(a, b, zeros({2, 4}));
      },
      "dot: out has the wrong dtype; float64 instead of float32");
  expect_error<ValueError>(
      [&] {
        dot(a, b, zeros({4, 2}, float32).T());
      },
      "dot: out is not C-contiguous");
}

TEST_P(LinalgTest, OutOfMatmulMayHaveAnyLayoutAndKindredDtype) {
  const ndarray a = numbers({2, 3}), b = numbers({3, 4});
  const ndarray strided = zeros({4, 2}, float64);
  matmul(a, b, strided.T());
  EXPECT_EQ(strided.T().to_vector<double>(), reference(a, b));
  expect_error<DtypeError>(
      [&] {
        matmul(a, b, zeros({2, 4}, int32));
      },
      "matmul: the result cannot be cast by same_kind; from float32 to int32");
}

TEST_P(LinalgTest, OutMayBeAnOperand) {
  const ndarray a = numbers({4, 4}, float64), b = numbers({4, 4}, float64, 2);
  const Doubles expected = reference(a, b);
  const std::uint64_t before = a.version();
  matmul(a, b, a);
  EXPECT_EQ(a.to_vector<double>(), expected);
  EXPECT_GT(a.version(), before);
}

TEST_P(LinalgTest, VdotFlattens) {
  const ndarray a = array({{1, 2}, {3, 4}});
  expect_elements<std::int64_t>(vdot(a, a.T()), {}, {1 + 6 + 6 + 16});
}

TEST_P(LinalgTest, InnerSumsOverLastAxes) {
  const ndarray a = array({{1, 2}, {3, 4}}), b = array({{1, 0}, {1, 1}, {0, 2}});
  expect_elements<std::int64_t>(inner(a, b), {2, 3}, {1, 3, 4, 3, 7, 8});
  EXPECT_EQ(inner(numbers({2, 3, 4}), numbers({5, 6, 4})).shape(), (Shape{2, 3, 5, 6}));
  expect_elements<std::int64_t>(inner(a, array(2)), {2, 2}, {2, 4, 6, 8});
}

TEST_P(LinalgTest, OuterFlattens) {
  expect_elements<std::int64_t>(outer(array({{1, 2}, {3, 4}}), array({1, 10})), {4, 2},
                                {1, 10, 2, 20, 3, 30, 4, 40});
  EXPECT_EQ(outer(zeros({2, 0}), zeros({3})).shape(), (Shape{0, 3}));
}

TEST_P(LinalgTest, TensordotContractsNamedAxes) {
  const ndarray a = arange(60.0).reshape({3, 4, 5}), b = arange(24.0).reshape({4, 3, 2});
  // From NumPy's manual.
  expect_elements<double>(tensordot(a, b, {1, 0}, {0, 1}), {5, 2},
                          {4400, 4730, 4532, 4874, 4664, 5018, 4796, 5162, 4928, 5306});
  EXPECT_EQ(tensordot(a, b, 0).shape(), (Shape{3, 4, 5, 4, 3, 2}));
  expect_elements<double>(tensordot(a, a, 3), {}, {59.0 * 60 * 119 / 6});
  EXPECT_EQ(tensordot(a, b, -2, 0).shape(), (Shape{3, 5, 3, 2}));
}

TEST_P(LinalgTest, TraceSumsADiagonal) {
  const ndarray a = arange(12).reshape({3, 4});
  expect_elements<std::int64_t>(trace(a), {}, {0 + 5 + 10});
  expect_elements<std::int64_t>(trace(a, 1), {}, {1 + 6 + 11});
  expect_elements<std::int64_t>(trace(a, -1), {}, {4 + 9});
  expect_elements<std::int64_t>(trace(a, 9), {}, {0});
  EXPECT_EQ(trace(a.astype(int8)).dtype(), int64);
  EXPECT_EQ(trace(a, 0, 0, 1, {.dtype = float32}).dtype(), float32);
  EXPECT_EQ(trace(zeros({2, 3, 4}), 0, 0, 2).shape(), (Shape{3}));
}

TEST_P(LinalgTest, NormOfVectors) {
  const ndarray v = array({3.0, -4.0, 0.0});
  const double infinity = std::numeric_limits<double>::infinity();
  const std::pair<linalg::Order, double> cases[] = {
      {{}, 5}, {2, 5}, {1, 7}, {0, 2}, {infinity, 4}, {-infinity, 0}, {3, std::cbrt(91.0)}};
  for (const auto& [order, expected] : cases) {
    EXPECT_NEAR(linalg::norm(v, {.ord = order}).item<double>(), expected, 1e-14 * expected);
  }
  EXPECT_EQ(linalg::norm(v, none, 0).item<double>(), linalg::norm(v, {.axis = 0}).item<double>());
  EXPECT_EQ(linalg::norm(array({3, 4})).dtype(), float64);
  EXPECT_EQ(linalg::norm(array({3.0f, 4.0f})).dtype(), float32);
  expect_error<ValueError>([&] { linalg::norm(v, {.ord = "fro"}); },
                           "linalg.norm: invalid order for vectors; 'fro'");
}

TEST_P(LinalgTest, NormIsMadeInOnePass) {
  for (const dtype type : {float16, bfloat16_, float32, float64, complex64, complex128}) {
    SCOPED_TRACE(type.name());
    // 1, 2, ..., 7 and again, transposed: 140 is the sum of their squares.
    const ndarray a = (arange(7000) % 7 + 1).reshape({100, 70}).astype(type).T();
    const ndarray x = type.is_complex() ? a * cupyxx::complex<double>(0.6, 0.8) : a;
    const ndarray all = linalg::norm(x), rows = linalg::norm(x, {.axis = 0, .keepdims = true});
    const double eps = finfo(type).eps;
    EXPECT_EQ(all.dtype(), type.real_part());
    EXPECT_EQ(all.shape(), Shape());
    EXPECT_NEAR(all.item<double>(), std::sqrt(140e3), 4 * eps * std::sqrt(140e3));
    EXPECT_EQ(linalg::norm(x, {.keepdims = true}).shape(), (Shape{1, 1}));
    EXPECT_EQ(rows.shape(), (Shape{1, 100}));
    for (const double row : rows.astype(float64).to_vector<double>()) {
      EXPECT_NEAR(row, std::sqrt(1400.0), 4 * eps * std::sqrt(1400.0));
    }
  }
  // Squares that float16 cannot hold.
  EXPECT_EQ(linalg::norm(full({100}, 1000.0, float16)).item<double>(), 10000);
  // Of nothing and of one, and what is not finite.
  EXPECT_EQ(linalg::norm(zeros({0, 3}), {.axis = 0}).to_vector<double>(),
            (std::vector<double>{0, 0, 0}));
  EXPECT_EQ(linalg::norm(array(-3.0)).item<double>(), 3);
  EXPECT_TRUE(std::isnan(linalg::norm(array({1.0, NAN})).item<double>()));
  EXPECT_TRUE(std::isinf(linalg::norm(array({1.0, -INFINITY})).item<double>()));
}

TEST_P(LinalgTest, NormOfMatrices) {
  const ndarray a = array({{3.0, 0.0}, {4.0, 5.0}});  // singular values sqrt(45), sqrt(5)
  const double infinity = std::numeric_limits<double>::infinity();
  const std::pair<linalg::Order, double> cases[] = {{{}, std::sqrt(50.0)},
                                                    {"fro", std::sqrt(50.0)},
                                                    {1, 7},
                                                    {-1, 5},
                                                    {infinity, 9},
                                                    {-infinity, 3},
                                                    {2, std::sqrt(45.0)},
                                                    {-2, std::sqrt(5.0)},
                                                    {"nuc", std::sqrt(45.0) + std::sqrt(5.0)}};
  for (const auto& [order, expected] : cases) {
    EXPECT_NEAR(linalg::norm(a, {.ord = order}).item<double>(), expected, 1e-13);
    const ndarray kept = linalg::norm(a, {.ord = order, .axis = {0, 1}, .keepdims = true});
    EXPECT_EQ(kept.shape(), (Shape{1, 1}));
    EXPECT_NEAR(kept.item<double>(), expected, 1e-13);
  }
  expect_elements<double>(linalg::norm(a, {.axis = 0}), {2}, {5, 5});
  expect_elements<double>(linalg::norm(a, {.ord = 1, .axis = -1, .keepdims = true}), {2, 1},
                          {3, 9});
  expect_elements<double>(linalg::norm(a, 1, {.axis = -1, .keepdims = true}), {2, 1}, {3, 9});
  expect_error<ValueError>([&] { linalg::norm(a, {.ord = 3}); },
                           "linalg.norm: invalid order for matrices; 3");
  expect_error<ShapeError>(
      [&] {
        linalg::norm(zeros({2, 2, 2}), {.ord = 1});
      },
      "linalg.norm: an order needs one or two axes; the shape is (2, 2, 2)");
}

TEST_P(LinalgTest, GemmTakesTransposedViewsBiasAndOldElements) {
  for (const cupyxx::dtype type : {float16, float32, float64}) {
    for (const auto& [m, n, k] : {std::array<std::int64_t, 3>{2, 3, 4}, {20, 30, 40}}) {
      const ndarray x = numbers({m, k}, type), w = numbers({n, k}, type, 2);
      const ndarray bias = numbers({n}, type, 5);
      Doubles expected = reference(x, w.T());
      expect_elements<double>(gemm(x, w.T()), {m, n}, expected);
      const Doubles row = bias.to_vector<double>();
      for (std::size_t i = 0; i < expected.size(); ++i) expected[i] += row[i % row.size()];
      const ndarray y = gemm(x, w.T(), {.bias = bias});
      expect_elements<double>(y, {m, n}, expected);
      const ndarray same = gemm(x, w.T(), {.out = y, .accumulate = true, .bias = bias});
      EXPECT_TRUE(same.shares_memory(y));
      for (double& value : expected) value *= 2;
      expect_elements<double>(y, {m, n}, expected);
      for (double& value : expected) value = std::max(0.0, value / 2);
      expect_elements<double>(gemm(x, w.T(), {.bias = bias, .relu = true}), {m, n}, expected);
      expect_elements<double>(gemm(x.T(), x), {k, k}, reference(x.T(), x));
    }
  }
}

TEST_P(LinalgTest, GemmOfNarrowMatricesMayAddUpInFloat32) {
  for (const cupyxx::dtype type : {float16, bfloat16_}) {
    for (const auto& [m, n, k] : {std::array<std::int64_t, 3>{2, 3, 4}, {72, 40, 200}, {1, 1, 9}}) {
      const ndarray gy = numbers({k, m}, float32).astype(type);
      const ndarray x = numbers({k, n}, float32, 2).astype(type);
      const ndarray sums = ones({m, n}, float32);
      const Doubles expected = reference(gy.T(), x);
      EXPECT_TRUE(gemm(gy.T(), x, {.out = sums, .accumulate = true}).shares_memory(sums));
      const Doubles found = sums.to_vector<double>();
      for (std::size_t i = 0; i < expected.size(); ++i) {
        EXPECT_NEAR(found[i], 1 + expected[i], 1e-5 * (1 + std::abs(expected[i]))) << i;
      }
      gemm(gy.T(), x, {.out = sums, .bias = zeros({n}, float32)});
      EXPECT_NEAR(sums.to_vector<double>()[0], expected[0], 1e-5 * (1 + std::abs(expected[0])));
    }
  }
  expect_error<ValueError>(
      [] {
        gemm(zeros({2, 2}, float16), zeros({2, 2}, float16), {.out = zeros({2, 2}, float64)});
      },
      "gemm: out has the wrong dtype");
}

TEST_P(LinalgTest, GemmGoesOnWithGelu) {
  for (const auto& [type, bound] :
       {std::pair{float64, 1e-9}, {float32, 1e-5}, {float16, 4e-3}, {bfloat16_, 0.03}}) {
    const std::int64_t m = 64, n = 96, k = 48;
    const ndarray x = (numbers({m, k}, float32) / 8).astype(type);
    const ndarray w = (numbers({n, k}, float32, 2) / 8).astype(type);
    const ndarray bias = (numbers({n}, float32, 5) / 4).astype(type);
    const ndarray before = empty({m, n}, type);
    const Doubles y =
        gemm(x, w.T(), {.bias = bias, .gelu = true, .pre_activation = before}).to_vector<double>();
    const Doubles exact = reference(x, w.T()), row = bias.to_vector<double>();
    const Doubles u = before.to_vector<double>();
    // The gradient of sum(gelu(u) g) by u, at the u that was written.
    const ndarray g = (numbers({m, k}, float32, 4) / 8).astype(type);
    const Doubles gu =
        gemm(g, w.T(), {.gelu_gradient = true, .pre_activation = before}).to_vector<double>();
    const Doubles product = reference(g, w.T());
    for (std::size_t i = 0; i < exact.size(); ++i) {
      const double v = exact[i] + row[i % row.size()];
      EXPECT_NEAR(u[i], v, bound * (1 + std::abs(v)));
      const auto inner = [](double z) { return 0.7978845608028654 * (z + 0.044715 * z * z * z); };
      const double t = std::tanh(inner(u[i]));
      EXPECT_NEAR(y[i], 0.5 * u[i] * (1 + t), bound * (1 + std::abs(v)));
      const double slope = 0.5 * (1 + t) + 0.5 * u[i] * (1 - t * t) * 0.7978845608028654 *
                                               (1 + 3 * 0.044715 * u[i] * u[i]);
      EXPECT_NEAR(gu[i], product[i] * slope, bound * (1 + std::abs(product[i])));
    }
  }
  const ndarray a = zeros({2, 3}), b = zeros({3, 4});
  expect_error<ValueError>([&] { gemm(a, b, {.gelu = true}); },
                           "gemm: gelu and gelu_gradient need pre_activation");
  expect_error<ValueError>(
      [&] {
        gemm(a, b, {.pre_activation = zeros({2, 4})});
      },
      "gemm: pre_activation goes with gelu and gelu_gradient");
}

// Ten bits of each factor: relative errors up to 2^-11, and the exact product on the host.
TEST_P(LinalgTest, AComputeScopeAllowsShorterFactors) {
  const ndarray a = numbers({256, 512}, float32) / 7, b = numbers({512, 384}, float32, 2) / 7;
  const Doubles exact = matmul(a, b).to_vector<double>();
  const Doubles bound = matmul(absolute(a), absolute(b)).to_vector<double>();
  for (const auto& [precision, bits] :
       {std::pair{Precision::tf32, 10}, {Precision::float16, 10}, {Precision::bfloat16, 7}}) {
    const ComputeScope scope(precision);
    const ndarray c = matmul(a, b);
    EXPECT_EQ(c.dtype(), float32);
    const Doubles found = c.to_vector<double>();
    double worst = 0;
    for (std::size_t i = 0; i < exact.size(); ++i) {
      worst = std::max(worst, std::abs(found[i] - exact[i]) / bound[i]);
    }
    EXPECT_LE(worst, std::ldexp(2.0, -bits)) << name_of(precision);
    if (device().is_cpu()) {
      EXPECT_EQ(worst, 0);
    } else {
      EXPECT_GT(worst, 0) << name_of(precision);
    }
  }
  EXPECT_EQ(matmul(a, b).to_vector<double>(), exact);
}

TEST_P(LinalgTest, GemmAddsTheSumsOfRows) {
  for (const cupyxx::dtype type : {float16, float32, float64}) {
    for (const auto& [m, n, k] : {std::array<std::int64_t, 3>{2, 3, 4}, {70, 300, 90}, {1, 1, 3}}) {
      const ndarray gy = numbers({k, m}, type), x = numbers({k, n}, type, 2);
      const ndarray sums = ones({m}, type), strided = ones({m, 2}, type)(slice(), 1);
      Doubles expected(static_cast<std::size_t>(m), 1);
      const Doubles elements = gy.to_vector<double>();
      for (std::size_t i = 0; i < elements.size(); ++i) {
        expected[i % expected.size()] += elements[i];
      }
      const Doubles product = gemm(gy.T(), x).to_vector<double>();
      EXPECT_EQ(gemm(gy.T(), x, {.row_sums = sums}).to_vector<double>(), product);
      expect_elements<double>(sums, {m}, expected);
      gemm(gy.T(), x, {.row_sums = strided});
      expect_elements<double>(strided, {m}, expected);
    }
  }
}

TEST_P(LinalgTest, AddsTheSumsOfManyNarrowRows) {
  const ndarray gy = (arange(8192 * 520) % 5 - 2).reshape({8192, 520}).astype(bfloat16_);
  const ndarray x = (arange(8192 * 8) % 3 - 1).reshape({8192, 8}).astype(bfloat16_);
  const ndarray product = ones({520, 8}, float32), sums = full({520}, 2, float32);
  gemm(gy.T(), x, {.out = product, .accumulate = true, .row_sums = sums});
  const ndarray wide = gy.astype(float64);
  EXPECT_EQ(sums.to_vector<double>(), (wide.sum(0) + 2).to_vector<double>());
  EXPECT_EQ(product.to_vector<double>(),
            (dot(wide.T(), x.astype(float64)) + 1).to_vector<double>());
}

TEST_P(LinalgTest, GemmChecksOutAndBias) {
  const ndarray a = zeros({2, 3}), b = zeros({3, 4});
  expect_error<ShapeError>([&] { gemm(a, b, {.row_sums = zeros({3})}); },
                           "gemm: row_sums must have an element for each row; (3,) instead of "
                           "(2,)");
  expect_error<ShapeError>(
      [&] {
        gemm(a, b, {.out = zeros({2, 3})});
      },
      "gemm: out has the wrong shape; (2, 3) instead of (2, 4)");
  expect_error<ValueError>([&] { gemm(a, b, {.accumulate = true}); }, "gemm: accumulate needs out");
  expect_error<ShapeError>([&] { gemm(a, b, {.bias = zeros({3})}); },
                           "gemm: bias must be a row of the product; (3,) instead of (4,)");
}

}  // namespace
}  // namespace cupyxx
