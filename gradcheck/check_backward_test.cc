// SPDX-License-Identifier: MIT
#include "gradcheck/check_backward.h"

#include <gtest/gtest.h>

#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect_error.h"
#include "gradcheck/testing/toy_variable.h"

namespace gradcheck {
namespace {

using cupyxx::array;
using cupyxx::ndarray;
using cupyxx::testing::expect_error;
using testing::ToyNode;
using testing::ToyVariable;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

class CheckBackwardTest : public cupyxx::testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(CheckBackwardTest);

TEST_P(CheckBackwardTest, AcceptsRightGradients) {
  const ndarray x = array({{0.5, -1.0}, {0.25, 2.0}});
  const ndarray gy = array({{1.0, 2.0}, {-1.0, 0.5}});
  check_backward([](const ToyVariable& v) { return tanh(v); }, {x}, gy, {.eps = 1e-3});
  check_backward([](ToyVariable v) { return v * tanh(v); }, x, gy);
  check_backward([](const ToyVariable& a, const ToyVariable& b) { return a * b; }, {x, gy}, {gy});
}

TEST_P(CheckBackwardTest, ReportsTheWorstElementAndItsIndex) {
  const ndarray x = array({{0.0, 2.0}, {-1.0, 0.0}});
  try {
    check_backward([](const ToyVariable& v) { return wrong_cube(v); }, x, cupyxx::ones({2, 2}),
                   {.eps = 0.5, .atol = 0.25, .rtol = 0});
    FAIL();
  } catch (const Mismatch& error) {
    // Differences of x^3 with step 0.5 are 3 x^2 + 0.25; the gradient claims 4 x.
    EXPECT_STREQ(error.what(),
                 "check_backward: gradient of input 0: 2 of 4 elements differ; at (1, 0): -4.0 by "
                 "backward and 3.25 by differences, difference 7.25, tolerance 0.25");
    EXPECT_EQ(error.worst().index, (cupyxx::Shape{1, 0}));
    EXPECT_EQ(error.worst().differing, 2);
  }
}

/// x, whose gradient is twice the gradient that it is given, and written over it.
ToyVariable doubling_in_place(const ToyVariable& x) {
  return {x.data().copy(), {x}, [](const ToyNode&, const ndarray& gy) {
            gy *= 2;
            return std::vector<ndarray>{gy};
          }};
}

TEST_P(CheckBackwardTest, FindsABackwardThatWritesToItsGradient) {
  const ndarray x = array({0.5, -1.0}), gy = array({1.0, 3.0});
  expect_error<Mismatch>(
      [&] { check_backward([](const ToyVariable& v) { return doubling_in_place(v); }, x, gy); },
      "2 of 2 elements differ; at (1,): 6.0 by backward and ");
  EXPECT_EQ(gy.to_vector<double>(), (std::vector<double>{1, 3}));
}

TEST_P(CheckBackwardTest, RefusesInputsWithoutGradients) {
  const auto f = [](const ToyVariable& v) { return v * v; };
  expect_error<cupyxx::ValueError>(
      [&] {
        check_backward(f, array({1, 2}), array({1.0, 1.0}));
      },
      "check_backward: no input is floating, and there are no parameters: nothing would be "
      "compared; int64");
  expect_error<cupyxx::ValueError>(
      [&] { check_backward(f, array({cupyxx::complex<double>(1, 2)}), array({1.0})); },
      "complex128");
}

TEST_P(CheckBackwardTest, CountsAGradientThatNeverArrivesAsZero) {
  expect_error<Mismatch>(
      [] { check_backward([](const ToyVariable& v) { return detached_double(v); }, array({1.0})); },
      "at (0,): 0.0 by backward and 2.0");
  check_backward([](const ToyVariable& v) { return detached_double(v); }, array({1.0}), {},
                 {.no_grad = {0}});
}

TEST_P(CheckBackwardTest, StartsFromOneForScalars) {
  check_backward([](const ToyVariable& v) { return tanh(v); }, array(0.5));
  expect_error<cupyxx::ValueError>(
      [] {
        check_backward([](const ToyVariable& v) { return tanh(v); }, array({0.5, 1.0}));
      },
      "check_backward: an output of several elements needs a gradient; (2,)");
}

TEST_P(CheckBackwardTest, TakesSeveralOutputs) {
  const ndarray a = array({0.5, -1.0}), b = array({2.0, 0.25}), g = array({1.0, -2.0});
  const auto pair = [](const ToyVariable& x, const ToyVariable& y) {
    return std::pair(tanh(x), x * y);
  };
  check_backward(pair, {a, b}, {g, b});
  check_backward(pair, {a, b}, {ndarray(), b});
  const auto wrong = [](const ToyVariable& x, const ToyVariable& y) {
    return std::vector<ToyVariable>{x * y, wrong_cube(y)};
  };
  check_backward(wrong, {a, b}, {g, ndarray()});
  EXPECT_THROW(check_backward(wrong, {a, b}, {g, g}), Mismatch);
  expect_error<cupyxx::ValueError>(
      [&] {
        check_backward(pair, {a, b}, {g});
      },
      "check_backward: one gradient for each output is needed; 2 "
      "outputs, 1 gradients");
}

ToyVariable product_of(const std::vector<ToyVariable>& xs) { return xs[0] * xs[1]; }

TEST_P(CheckBackwardTest, TakesAllSortsOfCallables) {
  const ndarray a = array({0.5, -1.0}), g = array({1.0, -2.0});
  check_backward(product_of, {a, g}, g);
  check_backward([](std::span<const ToyVariable> xs) { return xs[0] * xs[1]; }, {a, g}, g);
  check_backward<ToyVariable>([](const auto& x, const auto& y) { return x * y; }, {a, g}, g);
  struct Counter {
    ToyVariable operator()(const ToyVariable& x) {
      ++calls;
      return tanh(x);
    }
    int calls = 0;
  } counter;
  check_backward(counter, a, g);
  EXPECT_EQ(counter.calls, 5);  // once for the gradients, twice for each element
  expect_error<cupyxx::TypeError>(
      [&] {
        check_backward([](const ToyVariable& x) { return x; }, {a, g}, g);
      },
      "check_backward: the function does not take this number of inputs; 2");
  expect_error<cupyxx::TypeError>(
      [&] {
        check_backward<ToyVariable>([](const auto& x) { return x; }, {a, g}, g);
      },
      "check_backward: the function does not take this number of inputs; 2");
}

/// As functions of chainerxx are: called with variables one by one or in a vector.
struct Product {
  using variable_type = ToyVariable;
  template <class... Variables>
  ToyVariable operator()(const Variables&... xs) const {
    return (*this)(std::vector<ToyVariable>{xs...});
  }
  ToyVariable operator()(const std::vector<ToyVariable>& xs) const { return xs[0] * factor(xs[1]); }
  ToyVariable (*factor)(const ToyVariable&) = [](const ToyVariable& x) { return tanh(x); };
};

TEST_P(CheckBackwardTest, TakesFunctionsThatNameTheirVariables) {
  const ndarray a = array({0.5, -1.0}), b = array({2.0, 0.25}), g = array({1.0, -2.0});
  check_backward(Product(), {a, b}, g);
  const Product product;
  check_backward(product, {a, b}, g);
  EXPECT_THROW(check_backward(Product{testing::wrong_cube}, {a, b}, g), Mismatch);
}

TEST_P(CheckBackwardTest, DifferentiatesInFloat64OnRequest) {
  // The differences of float32 are off by more than 1e-6 here.
  const ndarray x = array({0.3f, -0.7f, 1.1f}), g = array({1.0f, 1.0f, 1.0f});
  const auto f = [](const ToyVariable& v) { return tanh(v); };
  check_backward(f, x, g, {.atol = 1e-6, .rtol = 1e-6, .float64 = true});
  check_backward(f, x, g, {.eps = 1e-2, .atol = 1e-3, .rtol = 1e-3});
}

TEST_P(CheckBackwardTest, ChecksParameters) {
  static ndarray W, gW;
  W = array({2.0, 3.0});
  gW = cupyxx::zeros({2});
  const auto scale = [](const ToyVariable& x) {
    return ToyVariable(x.data() * W, {x}, [](const ToyNode& node, const ndarray& gy) {
      gW += gy * node.inputs[0]->data;
      return std::vector<ndarray>{gy * W};
    });
  };
  const ndarray x = array({1.0, -1.0}), g = array({0.5, 1.0});
  gW.fill(7);
  check_backward(scale, x, g, {.parameters = W, .gradients = gW});
  EXPECT_EQ(W.to_vector<double>(), (std::vector<double>{2, 3}));
  expect_error<Mismatch>(
      [&] { check_backward(scale, x, g, {.parameters = W, .gradients = g.copy()}); },
      "check_backward: gradient of parameter 0: 2 of 2 elements differ");
  expect_error<cupyxx::ValueError>(
      [&] { check_backward(scale, x, g, {.parameters = W}); },
      "check_backward: one gradient for each parameter is needed; 1 parameters, 0 gradients");
}

// Of two arrays in braces: refused_forms.txt.
template <class F>
concept TakesOptions = requires(F f, const ndarray& x) {
  check_backward(f, x, x, {.eps = 1e-2});
  check_backward(f, x, x, {1e-2, 1e-4});
};
using OfToys = ToyVariable (*)(const ToyVariable&);
static_assert(TakesOptions<OfToys>);

TEST_P(CheckBackwardTest, LeavesTheInputsAlone) {
  const ndarray x = array({1.0, 2.0}), g = array({1.0, 1.0});
  check_backward([](const ToyVariable& v) { return tanh(v); }, x, g);
  EXPECT_EQ(x.to_vector<double>(), (std::vector<double>{1, 2}));
  const auto careless = [](const ToyVariable& v) {
    const ToyVariable y = tanh(v);
    v.data().fill(0);
    return y;
  };
  expect_error<Mismatch>([&] { check_backward(careless, x, g); },
                         "check_backward: input 0 was changed by the function; 2 of 2 elements");
  EXPECT_EQ(x.to_vector<double>(), (std::vector<double>{1, 2}));
}

TEST_P(CheckBackwardTest, SkipsInputsThatAreNotFloating) {
  const auto pick = [](const ToyVariable& x, const ToyVariable& times) {
    return ToyVariable(x.data() * times.data(), {x, times},
                       [](const ToyNode& n, const ndarray& gy) {
                         return std::vector<ndarray>{gy * n.inputs[1]->data, ndarray()};
                       });
  };
  check_backward(pick, {array({1.0, 2.0}), array({3, 4})}, array({1.0, 1.0}));
}

TEST_P(CheckBackwardTest, RejectsGradientsOfAnotherShape) {
  const auto summed = [](const ToyVariable& x) {
    return ToyVariable(x.data() * 2, {x}, [](const ToyNode&, const ndarray&) {
      return std::vector<ndarray>{cupyxx::ones({1})};
    });
  };
  expect_error<Mismatch>(
      [&] {
        check_backward(summed, array({1.0, 2.0}), array({1.0, 1.0}));
      },
      "check_backward: input 0 and its gradient differ in shape or dtype; (2,) float64 and (1,) "
      "float64");
}

TEST_P(CheckBackwardTest, RefusesNumbersOfInputsThatAreNotThere) {
  const ndarray x = array({1.0, 2.0}), g = array({1.0, 1.0});
  const auto f = [](const ToyVariable& a, const ToyVariable& b) { return a * b; };
  check_backward(f, {x, x}, g, {.no_grad = {1}});
  expect_error<cupyxx::ValueError>(
      [&] {
        check_backward(f, {x, x}, g, {.no_grad = {0, 2}});
      },
      "check_backward: no_grad names inputs by number, from 0; 2, 2 inputs");
  expect_error<cupyxx::ValueError>(
      [&] {
        check_backward(f, {x, x}, g, {.no_grad = {-1}});
      },
      "check_backward: no_grad names inputs by number, from 0; -1, 2 inputs");
}

TEST_P(CheckBackwardTest, PassesNothingThatWasNotCompared) {
  const auto square = [](const ToyVariable& a) { return a * a; };
  expect_error<cupyxx::ValueError>(
      [&] {
        check_backward(square, array({1.0, 2.0}), ndarray());
      },
      "check_backward: the gradients of all 1 outputs are None: nothing would be compared");
  expect_error<Mismatch>(
      [&] {
        check_backward(square, array({1.0, kNan}), array({1.0, 1.0}));
      },
      "check_backward: gradient of input 0: nothing to compare at (1,), which is NaN by backward "
      "and by differences");
  expect_error<Mismatch>(
      [&] {
        check_backward(square, array({1.0, 2.0}), array({kNan, 1.0}));
      },
      "check_backward: gradient of input 0: nothing to compare at (0,)");
  expect_error<cupyxx::TypeError>(
      [&] {
        check_backward([](const ToyVariable& a, const ToyVariable& b) { return a * b; },
                       {array({1.0}), ndarray()}, array({1.0}));
      },
      "check_backward: input 1 is None");
  for (const double eps : {std::numeric_limits<double>::infinity(), kNan}) {
    expect_error<cupyxx::ValueError>(
        [&] { check_backward(square, array({1.0}), array({1.0}), {.eps = eps}); },
        "numerical_grad: eps must be finite; ");
  }
}

struct Shared : ToyVariable {
  using ToyVariable::ToyVariable;
  static inline int backwards = 0;
  void backward() const { ++backwards; }
  const void* creator() const { return &backwards; }  // the same of all
};

TEST_P(CheckBackwardTest, GoesBackwardOnceFromOutputsOfOneFunction) {
  Shared::backwards = 0;
  const auto twins = [](const Shared& x) { return std::vector<Shared>{x, x}; };
  check_backward(twins, array({1.0}), {array({0.0}), array({1.0})});
  EXPECT_EQ(Shared::backwards, 1);
}

static_assert(Differentiable<ToyVariable> && !Differentiable<ndarray> && !Differentiable<int>);

}  // namespace
}  // namespace gradcheck
