// SPDX-License-Identifier: MIT
#include "gradcheck/check_double_backward.h"

#include <gtest/gtest.h>

#include <vector>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/math.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect_error.h"
#include "gradcheck/testing/toy_variable.h"

namespace gradcheck::testing {

struct ToyGradOptions {
  std::vector<ToyVariable> grad_outputs = {};
  bool enable_double_backprop = false;
};

/// 3 x^2, whose gradient is right or that of 2 x^2.
ToyVariable slope_of_cube(const ToyVariable& x, bool is_right) {
  const auto right = [](const ToyNode& node, const ndarray& gy) {
    return std::vector<ndarray>{gy * node.inputs[0]->data * 6};
  };
  const auto wrong = [](const ToyNode& node, const ndarray& gy) {
    return std::vector<ndarray>{gy * node.inputs[0]->data * 4};
  };
  return is_right ? ToyVariable(3 * x.data() * x.data(), {x}, right)
                  : ToyVariable(3 * x.data() * x.data(), {x}, wrong);
}

bool g_is_right = true;

/// Of cubes only.
std::vector<ToyVariable> grad(const std::vector<ToyVariable>&, const std::vector<ToyVariable>& xs,
                              const ToyGradOptions& options) {
  std::vector<ToyVariable> grads;
  grads.reserve(xs.size());
  for (const ToyVariable& x : xs) {
    grads.push_back(slope_of_cube(x, g_is_right) * options.grad_outputs[0]);
  }
  return grads;
}

}  // namespace gradcheck::testing

namespace gradcheck {
namespace {

using cupyxx::array;
using cupyxx::ndarray;
using cupyxx::testing::expect_error;
using testing::ToyVariable;

class CheckDoubleBackwardTest : public cupyxx::testing::DeviceTest {
 public:
  ~CheckDoubleBackwardTest() override { testing::g_is_right = true; }
};
CUPYXX_TEST_ON_DEVICES(CheckDoubleBackwardTest);

ToyVariable cube(const ToyVariable& x) { return ToyVariable(x.data() * x.data() * x.data()); }

TEST_P(CheckDoubleBackwardTest, AcceptsRightGradients) {
  const ndarray x = array({0.5, -2.0}), gy = array({1.0, 3.0}), ggx = array({2.0, -1.0});
  EXPECT_NO_THROW(check_double_backward(cube, x, gy, ggx));
}

/// Called with variables one by one or in a vector.
struct Cube {
  using variable_type = ToyVariable;
  template <class X>
  ToyVariable operator()(const X& x) const {
    return cube(x);
  }
  ToyVariable operator()(const std::vector<ToyVariable>& xs) const { return cube(xs[0]); }
};

TEST_P(CheckDoubleBackwardTest, TakesFunctionsThatNameTheirVariables) {
  const ndarray x = array({0.5, -2.0}), gy = array({1.0, 3.0}), ggx = array({2.0, -1.0});
  EXPECT_NO_THROW(check_double_backward(Cube(), x, gy, ggx));
  testing::g_is_right = false;
  EXPECT_THROW(check_double_backward(Cube(), x, gy, ggx), Mismatch);
}

TEST_P(CheckDoubleBackwardTest, NamesTheInputOfAWrongOne) {
  testing::g_is_right = false;
  const ndarray x = array({0.5, 2.0}), gy = array({1.0, 3.0}), ggx = array({1.0, 1.0});
  // d/dx (3 x^2 gy ggx) = 6 x gy = 36 at the second element, 24 by the wrong function.
  expect_error<Mismatch>([&] { check_double_backward(cube, x, gy, ggx); },
                         "check_backward: gradient of input 0: 2 of 2 elements differ; at (1,): "
                         "24.0 by backward and 36.0");
}

TEST_P(CheckDoubleBackwardTest, NeedsAllGradients) {
  const ndarray x = array({0.5, 2.0});
  expect_error<cupyxx::ValueError>(
      [&] { check_double_backward(cube, x, {}, x); },
      "check_double_backward: one gradient for each output is needed; 1 outputs, 0 gradients");
  expect_error<cupyxx::ValueError>(
      [&] {
        check_double_backward(cube, x, x, {x, x});
      },
      "check_double_backward: one gradient of a gradient for each "
      "input is needed; 1 inputs, 2 gradients");
  expect_error<cupyxx::ValueError>(
      [&] { check_double_backward(cube, x, x, x, {.no_grad = {2}}); },
      "check_double_backward: no_grad names inputs by number, from 0; 2, 1 inputs");
}

}  // namespace
}  // namespace gradcheck
