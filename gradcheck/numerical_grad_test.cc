// SPDX-License-Identifier: MIT
#include "gradcheck/numerical_grad.h"

#include <gtest/gtest.h>

#include <cmath>
#include <tuple>
#include <vector>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/math.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect_error.h"

namespace gradcheck {
namespace {

using cupyxx::array;
using cupyxx::ndarray;
using cupyxx::testing::expect_error;

void expect_near(const ndarray& actual, const std::vector<double>& expected, double tolerance) {
  const auto values = actual.to_vector<double>();
  ASSERT_EQ(values.size(), expected.size());
  for (std::size_t i = 0; i < values.size(); ++i) EXPECT_NEAR(values[i], expected[i], tolerance);
}

class NumericalGradTest : public cupyxx::testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(NumericalGradTest);

TEST_P(NumericalGradTest, DifferentiatesEachElement) {
  const ndarray x = array({{1.0, -2.0}, {0.5, 3.0}});
  const ndarray gy = array({{1.0, 1.0}, {2.0, -1.0}});
  const auto g = numerical_grad([&] { return x * x + 3 * x; }, x, gy);
  ASSERT_EQ(g.size(), 1u);
  EXPECT_EQ(g[0].shape(), x.shape());
  EXPECT_EQ(g[0].dtype(), x.dtype());
  EXPECT_EQ(g[0].device(), x.device());
  expect_near(g[0], {5, -1, 8, -9}, 1e-9);
}

TEST_P(NumericalGradTest, WeighsSeveralOutputsOfSeveralInputs) {
  const ndarray a = array({1.0, 2.0}), b = array({3.0, -1.0});
  const ndarray g0 = array({1.0, 2.0}), g1 = array({0.5, 1.0});
  const auto check = [&](const std::vector<ndarray>& g) {
    ASSERT_EQ(g.size(), 2u);
    expect_near(g[0], {3 + 0.5, -2 + 1}, 1e-9);
    expect_near(g[1], {1 + 1, 4 + 2}, 1e-9);
  };
  check(numerical_grad([&] { return std::vector<ndarray>{a * b, a + 2 * b}; }, {a, b}, {g0, g1}));
  check(numerical_grad([&] { return std::tuple(ndarray(a * b), ndarray(a + 2 * b)); }, {a, b},
                       {g0, g1}));
}

TEST_P(NumericalGradTest, UsesTheStepAsGiven) {
  const ndarray x = array({0.5});
  const auto g = numerical_grad([&] { return cupyxx::exp(x); }, x, array({1.0}), 0.1);
  expect_near(g[0], {(std::exp(0.6) - std::exp(0.4)) / 0.2}, 1e-12);
}

TEST_P(NumericalGradTest, LeavesOutputsWithoutGradientOut) {
  const ndarray x = array({1.0, 2.0});
  const auto g = numerical_grad(
      [&] {
        return std::vector<ndarray>{x * x, x};
      },
      x, {ndarray(), array({1.0, 5.0})});
  expect_near(g[0], {1, 5}, 1e-9);
}

TEST_P(NumericalGradTest, RestoresTheInputs) {
  const ndarray x = array({1.0, 2.0, 0.1});
  numerical_grad([&] { return x * x; }, x, array({1.0, 1.0, 1.0}));
  EXPECT_EQ(x.to_vector<double>(), (std::vector<double>{1.0, 2.0, 0.1}));
  int calls = 0;
  const auto failing = [&]() -> ndarray {
    if (++calls == 3) throw cupyxx::ValueError("f: fails");
    return x * x;
  };
  EXPECT_THROW(numerical_grad(failing, x, array({1.0, 1.0, 1.0})), cupyxx::ValueError);
  EXPECT_EQ(x.to_vector<double>(), (std::vector<double>{1.0, 2.0, 0.1}));
}

TEST_P(NumericalGradTest, TakesViewsAndScalars) {
  const ndarray base = array({{1.0, 2.0}, {3.0, 4.0}});
  const ndarray x = base.transpose();
  const auto g = numerical_grad([&] { return x * x; }, x, cupyxx::ones({2, 2}));
  expect_near(g[0], {2, 6, 4, 8}, 1e-9);
  const ndarray s = array(3.0);
  expect_near(numerical_grad([&] { return s * s; }, s, array(1.0))[0], {6}, 1e-9);
  // f may return the input itself, whose elements change under it.
  expect_near(numerical_grad([&] { return x; }, x, cupyxx::ones({2, 2}))[0], {1, 1, 1, 1}, 1e-9);
}

TEST_P(NumericalGradTest, DividesByTheStepThatTheDtypeAllows) {
  const ndarray x = array({1.0f, 100.0f});
  expect_near(numerical_grad([&] { return x * 2; }, x, array({1.0f, 1.0f}))[0], {2, 2}, 1e-6);
  const ndarray h = array({1.0f, 2.0f}, cupyxx::float16);
  expect_near(numerical_grad([&] { return h * 2; }, h, array({1.0f, 1.0f}))[0], {2, 2}, 1e-6);
  const ndarray large = array({1e6f});
  expect_error<cupyxx::ValueError>(
      [&] { numerical_grad([&] { return large * 2; }, large, array({1.0f})); },
      "numerical_grad: eps does not change an element of this dtype; 0.001 and 1000000.0, float32");
}

TEST_P(NumericalGradTest, RejectsWhatDoesNotFit) {
  const ndarray x = array({1.0, 2.0});
  const auto f = [&] { return x * x; };
  expect_error<cupyxx::DtypeError>(
      [&] {
        numerical_grad(f, array({1, 2}), array({1.0, 1.0}));
      },
      "numerical_grad: inputs must be floating; int64");
  ndarray rows = cupyxx::ones({3, 2});
  rows.set_writeable(false);
  expect_error<cupyxx::ValueError>(
      [&] {
        numerical_grad([&] { return rows * 2; }, rows, cupyxx::ones({3, 2}));
      },
      "numerical_grad: inputs are changed in place, and this one is read-only, as what "
      "broadcast_to gives: take x.copy(); (3, 2), float64");
  expect_error<cupyxx::ValueError>(
      [&] {
        numerical_grad(f, x, {x, x});
      },
      "numerical_grad: one gradient for each output is needed; 1 "
      "outputs, 2 gradients");
  expect_error<cupyxx::ShapeError>([&] { numerical_grad(f, x, array({1.0})); },
                                   "numerical_grad: the shapes of output 0 and its gradient "
                                   "differ; (2,) and (1,)");
}

TEST_P(NumericalGradTest, RefusesComplexOutputs) {
  const ndarray x = array({1.0, 2.0}), g = array({1.0, 1.0});
  const auto spectrum = [&] { return x.astype(cupyxx::complex128); };
  expect_error<cupyxx::DtypeError>(
      [&] { numerical_grad(spectrum, x, g); },
      "numerical_grad: differences are of real outputs: return the real and the imaginary part; "
      "output 0 is complex128, its gradient float64");
  expect_error<cupyxx::DtypeError>(
      [&] { numerical_grad([&] { return x * 2; }, x, g.astype(cupyxx::complex64)); },
      "output 0 is float64, its gradient complex64");
}

TEST_P(NumericalGradTest, RejectsAMixtureOfHostAndDevice) {
  if (device().is_cpu()) return;  // the case needs a device
  const ndarray x = array({1.0}), gy = array({1.0}).to_cpu();
  expect_error<cupyxx::TypeError>(
      [&] { numerical_grad([&] { return x * x; }, x, gy); },
      "numerical_grad: arrays on the host and on a device are mixed; cuda:0 and cpu");
}

}  // namespace
}  // namespace gradcheck
