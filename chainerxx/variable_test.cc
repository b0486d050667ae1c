// SPDX-License-Identifier: MIT
#include "chainerxx/variable.h"

#include <gtest/gtest.h>

#include <concepts>
#include <utility>
#include <vector>

#include "chainerxx/function.h"
#include "chainerxx/functions/math/elementary.h"
#include "chainerxx/scope.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/math.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"
#include "typecheck/expect.h"

namespace chainerxx {
namespace {

using cupyxx::Shape;
using cupyxx::testing::expect_elements;
using cupyxx::testing::expect_error;
using Floats = std::vector<float>;

class VariableTest : public cupyxx::testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(VariableTest);

Variable scalar(float value) { return Variable(cupyxx::array({value})); }

float grad_of(const Variable& v) { return v.grad().item<float>(); }

TEST_P(VariableTest, PartsOfArraysAreRootsAsArraysAre) {
  const ndarray a = cupyxx::arange(6, {.dtype = cupyxx::float32}).reshape({3, 2});
  const auto part = a(cupyxx::slice(1, 3));
  const std::vector<Variable> roots = {Variable(a(cupyxx::slice(1, 3))),
                                       Variable(part),
                                       Variable{a(0)},
                                       Variable(a({0, 2})),
                                       Variable(a(a > 2.0f)),
                                       Variable(a(1, 1))};
  for (const Variable& x : roots) {
    (2 * x).backward(cupyxx::ones_like(x.data()));
    ASSERT_FALSE(x.grad().is_none());
    expect_elements<float>(x.grad().ravel(), {x.size()},
                           Floats(static_cast<std::size_t>(x.size()), 2));
  }
  EXPECT_EQ(Variable(a({0, 2}), true).creator(), nullptr);
  EXPECT_EQ((Variable(part, true) * 2).creator(), nullptr);  // volatile
  // Where a variable is expected they are constants, as arrays are.
  const Variable fixed = part;
  const Variable x(part);
  (x * fixed + a(0)).backward(cupyxx::ones_like(part));
  EXPECT_TRUE(fixed.grad().is_none());
  expect_elements<float>(x.grad(), {2, 2}, {2, 3, 4, 5});
}

// The first lines of the tutorial.
TEST_P(VariableTest, DifferentiatesThePolynomialOfTheTutorial) {
  const Variable x = scalar(5);
  const Variable y = functions::pow(x, 2) - 2 * x + 1;
  EXPECT_EQ(y.data().item<float>(), 16);
  EXPECT_EQ(y.dtype(), cupyxx::float32);
  y.backward();
  EXPECT_EQ(grad_of(x), 8);
}

TEST_P(VariableTest, KeepsGradientsOfIntermediatesOnRequest) {
  const Variable x = scalar(5);
  const Variable z = 2 * x;
  const Variable y = functions::pow(x, 2) - z + 1;
  y.backward();
  EXPECT_TRUE(z.grad().is_none());
  EXPECT_EQ(grad_of(y), 1);
  y.backward(true);
  EXPECT_EQ(grad_of(z), -1);
}

TEST_P(VariableTest, StartsFromTheGradientThatIsGiven) {
  const ndarray gy = cupyxx::full({2}, 2, cupyxx::float32);
  const Variable x(cupyxx::array({1.0f, 3.0f}));
  const Variable y = x * x;
  y.backward(gy);
  expect_elements<float>(x.grad(), {2}, {4, 12});
  y.backward(Variable(gy));  // roots add up
  expect_elements<float>(x.grad(), {2}, {8, 24});
  const Variable z = scalar(3) * 2, loss = z * z;
  loss.backward(cupyxx::array({2.0f}), {.retain_grad = true});
  EXPECT_EQ(grad_of(z), 24);
  // A bool is Chainer's retain_grad.
  const Variable w = scalar(3) * 2;
  (w * w).backward(true);
  EXPECT_EQ(grad_of(w), 12);
  expect_error<cupyxx::DtypeError>([&] { y.backward(cupyxx::ones({2})); },
                                   "set_grad: the gradient's dtype differs from the data's; "
                                   "float64 and float32");
}

TEST_P(VariableTest, StartsFromTheGradientThatIsSet) {
  const Variable x(cupyxx::array({{1.0f, 2.0f, 3.0f}, {4.0f, 5.0f, 6.0f}}));
  const Variable y = functions::pow(x, 2) - 2 * x + 1;
  y.set_grad(cupyxx::ones({2, 3}, cupyxx::float32));
  y.backward();
  expect_elements<float>(x.grad(), {2, 3}, {0, 2, 4, 6, 8, 10});
}

TEST_P(VariableTest, NeedsAGradientForSeveralElements) {
  const Variable x(cupyxx::ones({2, 3}, cupyxx::float32));
  expect_error<cupyxx::ValueError>(
      [&] { (x + 1).backward(); },
      "backward: a variable of several elements needs its gradient set; shape (2, 3)");
}

TEST_P(VariableTest, AddsTheGradientsOfAllBranches) {
  const Variable x = scalar(3);
  const Variable h = x * 2;
  const Variable y = h * h + h * x + x;  // 4x^2 + 2x^2 + x
  y.backward();
  EXPECT_EQ(grad_of(x), 12 * 3 + 1);
}

TEST_P(VariableTest, AddsTheSameVariableGivenTwice) {
  const Variable x = scalar(3);
  (x * x + (x + x)).backward();
  EXPECT_EQ(grad_of(x), 8);
}

TEST_P(VariableTest, RootsAccumulateOverSeveralBackwards) {
  const Variable x = scalar(2);
  const Variable h = x * 3;
  const Variable y = h * h;
  y.backward();
  EXPECT_EQ(grad_of(x), 36);
  y.backward();  // intermediates start anew, roots add up
  EXPECT_EQ(grad_of(x), 72);
  const Variable other = x * 5;
  other.backward();
  EXPECT_EQ(grad_of(x), 77);
}

// What one function hands to two inputs must not be changed through one of them.
TEST_P(VariableTest, SharedGradientsAreNotWrittenThrough) {
  const Variable a = scalar(1), b = scalar(2);
  const Variable y = a + b;
  (y + a).backward();
  EXPECT_EQ(grad_of(a), 2);
  EXPECT_EQ(grad_of(b), 1);
}

TEST_P(VariableTest, GradientsOfRootsAreTheUsersOwn) {
  const Variable a = scalar(1), b = scalar(2);
  const Variable y = a + b;
  y.set_grad(cupyxx::array({7.0f}));
  y.backward();
  const ndarray kept = a.grad();
  y.backward();
  EXPECT_EQ(kept.item<float>(), 7);
  EXPECT_EQ(grad_of(a), 14);
  EXPECT_EQ(grad_of(y), 7);
}

TEST_P(VariableTest, GradientsOfRootsShareNoElements) {
  const Variable a = scalar(1), b = scalar(2), c = scalar(3);
  const Variable y = (a + b) - (-c);
  const ndarray gy = cupyxx::array({7.0f});
  y.set_grad(gy);
  y.backward();
  for (const Variable& x : {a, b, c}) x.grad() *= 2;  // as one clips by hand
  EXPECT_EQ(grad_of(a), 14);
  EXPECT_EQ(grad_of(b), 14);
  EXPECT_EQ(grad_of(c), 14);
  EXPECT_EQ(gy.item<float>(), 7);
}

TEST_P(VariableTest, LongChainsAreFreedWithoutRecursion) {
  Variable x = scalar(1);
  const Variable root = x;
  for (int i = 0; i < 200000; ++i) x = -x;
  x.backward();
  EXPECT_EQ(grad_of(root), 1);
}

TEST_P(VariableTest, VolatileVariablesLeaveNoGraph) {
  const Variable x(cupyxx::array({2.0f}), true);
  const Variable y = x * x;
  EXPECT_TRUE(y.volatile_());
  EXPECT_EQ(y.creator(), nullptr);
}

TEST_P(VariableTest, VolatileMustNotBeMixed) {
  const Variable x = scalar(1);
  const Variable v(cupyxx::array({2.0f}), true);
  expect_error<cupyxx::ValueError>(
      [&] { x + v; },
      "_ + _: volatile and non-volatile variables are mixed; input 1 is volatile, input 0 is not");
}

TEST_P(VariableTest, ClearingVolatileStartsRecording) {
  const Variable x(cupyxx::array({2.0f}), true);
  const Variable feature = x * 3;
  feature.set_volatile(false);
  const Variable y = feature * feature;
  y.backward();
  EXPECT_EQ(grad_of(feature), 12);
  EXPECT_TRUE(x.grad().is_none());
}

TEST_P(VariableTest, ArraysAreConstantsThatFollowTheOthers) {
  const ndarray c = cupyxx::array({4.0f});
  const Variable x = scalar(3);
  (x * c).backward();
  EXPECT_EQ(grad_of(x), 4);
  const Variable v(cupyxx::array({2.0f}), true);
  EXPECT_TRUE((c * v).volatile_());
  EXPECT_FALSE((x * c).volatile_());
}

TEST_P(VariableTest, NoGradScopeRecordsNothing) {
  const Variable x = scalar(3);
  Variable y;
  {
    const NoGradScope scope;
    EXPECT_FALSE(is_recording());
    y = x * x;
  }
  EXPECT_TRUE(is_recording());
  EXPECT_EQ(y.creator(), nullptr);
  EXPECT_FALSE(y.volatile_());
}

// They trained nothing, without a word.
TEST_P(VariableTest, ResultsWithoutAGraphRefuseBackward) {
  const Variable is_volatile(cupyxx::array({2.0f}), true);
  const Variable y = is_volatile * is_volatile;
  for (const bool twice : {false, true}) {
    expect_error<cupyxx::ValueError>([&] { y.backward({.enable_double_backprop = twice}); },
                                     "backward: the variable is a volatile result");
  }
  Variable z;
  {
    const NoGradScope scope;
    z = scalar(3) * 2;
  }
  expect_error<cupyxx::ValueError>([&] { z.backward(); },
                                   "backward: the variable was computed without a graph");
  // As the start of a graph they have gradients, and what the user has made does nothing.
  const Variable w = z * z;
  w.backward();
  EXPECT_EQ(grad_of(z), 12);
  y.set_volatile(false);
  EXPECT_NO_THROW(y.backward());
  EXPECT_NO_THROW(is_volatile.backward());
  EXPECT_NO_THROW(scalar(3).backward());
}

TEST_P(VariableTest, UnchainBackwardCutsTheHistory) {
  const Variable x = scalar(3);
  const Variable h = x * 2;
  const Variable y = h * h;
  y.unchain_backward();
  EXPECT_EQ(y.creator(), nullptr);
  EXPECT_EQ(h.creator(), nullptr);
  const Variable z = h * 5;
  z.backward();
  EXPECT_EQ(grad_of(h), 5);
  EXPECT_TRUE(x.grad().is_none());
}

// Truncated backpropagation as in the tutorial: the latest state survives as a root.
TEST_P(VariableTest, UnchainKeepsWhatIsHeld) {
  Variable h = scalar(1);
  Variable loss;
  for (int i = 0; i < 3; ++i) {
    h = h * 2;
    loss += h;
  }
  EXPECT_EQ(loss.data().item<float>(), 14);
  loss.backward();
  loss.unchain_backward();
  EXPECT_EQ(h.creator(), nullptr);
  EXPECT_EQ(h.data().item<float>(), 8);
}

// Chainer's `loss = 0`, before the first loop and behind each update.
TEST_P(VariableTest, SumsBeginAtTheLiteralZero) {
  const Variable x = scalar(3);
  Variable loss = 0;  // NOLINT(modernize-use-nullptr): this is the form
  EXPECT_TRUE(loss.is_none());
  for (int i = 1; i < 4; ++i) loss += x * i;
  loss.backward();
  EXPECT_EQ(grad_of(x), 6);
  loss = 0;
  EXPECT_TRUE(loss.is_none());
  loss -= x;
  EXPECT_EQ(loss.data().item<float>(), -3);
  expect_error<cupyxx::TypeError>([&] { loss = 2; },
                                  "Variable: 2 is assigned; a variable is no number but 0");
  EXPECT_EQ(loss.data().item<float>(), -3);
}

// `loss = 0.0`, as most type it.
TEST_P(VariableTest, SumsBeginAtTheConstantZeroPointZero) {
  const Variable x = scalar(3);
  Variable loss = 0.0;
  EXPECT_TRUE(loss.is_none());
  for (int i = 1; i < 4; ++i) loss += x * i;
  loss.backward();
  EXPECT_EQ(grad_of(x), 6);
  loss = 0.0F;
  EXPECT_TRUE(loss.is_none());
  loss -= x;
  EXPECT_EQ(loss.data().item<float>(), -3);
  struct Totals {
    Variable sum = 0.;
  } totals;
  totals.sum += x;
  EXPECT_EQ(totals.sum.data().item<float>(), 3);
  // Elsewhere it is a number.
  const double zero = 0.0;
  EXPECT_EQ((x * 0.0 + 0.0).data().item<float>(), 0);
  EXPECT_EQ(functions::add(x, zero).data().item<float>(), 3);
  EXPECT_EQ(functions::pow(x, 0.0).data().item<float>(), 1);
}

// Beside a variable the literal 0 is a number.
TEST_P(VariableTest, TheLiteralZeroIsANumberInArithmetic) {
  const Variable x = scalar(3);
  const auto number = [](const Variable& y) { return y.data().item<float>(); };
  EXPECT_EQ(number(x + 0), 3);
  EXPECT_EQ(number(0 + x), 3);
  EXPECT_EQ(number(x - 0), 3);
  EXPECT_EQ(number(0 - x), -3);
  EXPECT_EQ(number(x * 0), 0);
  EXPECT_EQ(number(0 * x), 0);
  EXPECT_EQ(number(0 / x), 0);
  EXPECT_EQ(number(x.pow(0)), 1);
  EXPECT_EQ(number(pow(x, 0)), 1);
  EXPECT_EQ(number(functions::add(x, 0) + functions::sub(0, x)), 0);
  EXPECT_EQ(number(functions::rpow(x, 0)), 0);
  EXPECT_EQ(number(x + 1.5), 4.5F);
  Variable y = x;
  y += 0;
  y -= 0L;
  y *= 0U;
  EXPECT_EQ(number(y), 0);
}

TEST_P(VariableTest, RefusesInputsChangedInPlace) {
  const Variable x = scalar(3);
  const Variable y = x * x;
  x.data() += 1;
  expect_error<cupyxx::ValueError>([&] { y.backward(); },
                                   "_ * _: input 0 was changed in place after forward; shape (1,)");
}

TEST_P(VariableTest, RefusesResultsChangedInPlace) {
  const Variable x = scalar(3);
  const Variable y = functions::exp(x);
  y.data() += 1;
  expect_error<cupyxx::ValueError>(
      [&] { y.backward(); },
      "exp: an array that backward needs was changed in place after forward; shape (1,)");
}

TEST_P(VariableTest, SetGradChecksShapeAndDtype) {
  const Variable x(cupyxx::ones({2, 3}, cupyxx::float32));
  expect_error<cupyxx::ShapeError>(
      [&] { x.set_grad(cupyxx::ones({3}, cupyxx::float32)); },
      "set_grad: the gradient's shape differs from the data's; (3,) and (2, 3)");
  expect_error<cupyxx::DtypeError>(
      [&] {
        x.set_grad(cupyxx::ones({2, 3}, cupyxx::float64));
      },
      "set_grad: the gradient's dtype differs from the data's; float64 and float32");
  x.set_grad(ndarray());
  EXPECT_TRUE(x.grad().is_none());
}

TEST_P(VariableTest, DescribesItself) {
  const Variable x(cupyxx::ones({2, 3}, cupyxx::float32));
  EXPECT_EQ(x.label(), "(2, 3), float32");
  EXPECT_EQ(Variable(cupyxx::ones({}, cupyxx::float64)).label(), "float64");
  EXPECT_EQ(x.len(), 6);
  EXPECT_EQ(x.shape(), Shape({2, 3}));
  EXPECT_EQ(x.rank(), 0);
  EXPECT_EQ((x * x + x).rank(), 2);
  EXPECT_EQ(x.device(), device());
}

TEST_P(VariableTest, ArithmeticIsLabelledAsInChainer) {
  const Variable x = scalar(3);
  const auto label = [](const Variable& v) { return v.creator()->label(); };
  EXPECT_EQ(label(x + 1), "_ + 1");
  EXPECT_EQ(label(x - 2.5), "_ + (-2.5)");
  EXPECT_EQ(label(0.5 - x), "0.5 - _");
  EXPECT_EQ(label(x * 3.0f), "_ * 3.0");
  EXPECT_EQ(label(x / 4), "_ * 0.25");
  EXPECT_EQ(label(2 / x), "2 / _");
  EXPECT_EQ(label(functions::pow(x, 3)), "_ ** 3");
  EXPECT_EQ(label(functions::pow(2.0, x)), "2.0 ** _");
  EXPECT_EQ(label(-x), "__neg__");
}

TEST_P(VariableTest, ArithmeticChecksShapesAndDtypes) {
  const Variable x(cupyxx::ones({2, 3}, cupyxx::float32));
  expect_error<typecheck::InvalidType>(
      [&] { x + Variable(cupyxx::ones({2}, cupyxx::float32)); },
      "Expect: in_types[0].shape == in_types[1].shape\nActual: (2, 3) != (2,)");
  expect_error<typecheck::InvalidType>(
      [&] {
        x + Variable(cupyxx::ones({2, 3}, cupyxx::float64));
      },
      "Expect: in_types[0].dtype == in_types[1].dtype\nActual: float32 != float64");
}

TEST_P(VariableTest, ComparesElements) {
  const Variable x(cupyxx::array({1.0, 2.0, 3.0}));
  expect_elements<bool>(x < 2, {3}, {true, false, false});
  expect_elements<bool>(2 < x, {3}, {false, false, true});
  expect_elements<bool>(2 <= x, {3}, {false, true, true});
  expect_elements<bool>(2 > x, {3}, {true, false, false});
  expect_elements<bool>(2.5 >= x, {3}, {true, true, false});
  expect_error<cupyxx::ValueError>([&] { static_cast<void>(1 < x < 3); },
                                   "less: `a < b < c` compares the truth values of `a < b`, (3,)");
  expect_error<cupyxx::ValueError>([&] { static_cast<void>(x >= x > 1); }, "greater: `a < b < c`");
}

TEST_P(VariableTest, NoneIsRefused) {
  const Variable none;
  expect_error<cupyxx::TypeError>([&] { none.data(); }, "data: the variable is None");
  expect_error<cupyxx::TypeError>([&] { scalar(1) + none; }, "_ + _: input 1 is None");
  expect_error<cupyxx::TypeError>([] { Variable v{ndarray()}; }, "Variable: the data is None");
}

// `for (ndarray row : model(x).data())` walks over elements that the loop holds.
static_assert(std::same_as<decltype(std::declval<Variable>().data()), ndarray>);
static_assert(std::same_as<decltype(std::declval<Variable>().array()), ndarray>);
static_assert(std::same_as<decltype(std::declval<Variable>().grad()), ndarray>);
static_assert(std::same_as<decltype(std::declval<const Variable&>().data()), const ndarray&>);

TEST_P(VariableTest, ListsInBracesChooseRows) {
  const Variable x(cupyxx::array({{1.0f, 2.0f}, {3.0f, 4.0f}, {5.0f, 6.0f}}));
  expect_elements<float>(x({2, 0}).data(), {2, 2}, {5, 6, 1, 2});
  expect_elements<float>(x({true, false, true}).data(), {2, 2}, {1, 2, 5, 6});
  expect_elements<float>(x({{0}, {2}}).data(), {2, 1, 2}, {1, 2, 5, 6});
  x({0, 0, 2}).sum().backward();
  expect_elements<float>(x.grad(), {3, 2}, {2, 2, 0, 0, 1, 1});
}

TEST_P(VariableTest, LoopsGoOverRows) {
  const Variable x(cupyxx::array({{1.0f, 2.0f}, {3.0f, 4.0f}, {5.0f, 6.0f}}));
  // NOLINTNEXTLINE(modernize-use-nullptr)
  Variable sum = 0;
  float factor = 1;
  for (auto& row : x) sum += (factor++) * row.sum();
  sum.backward();
  expect_elements<float>(x.grad(), {3, 2}, {1, 1, 2, 2, 3, 3});
  int rows = 0;
  // NOLINTNEXTLINE(performance-for-range-copy)
  for (auto row : x.exp()) {
    EXPECT_EQ(row.shape(), cupyxx::Shape({2}));
    ++rows;
  }
  EXPECT_EQ(rows, 3);
  // NOLINTNEXTLINE(performance-for-range-copy)
  for (auto row : Variable(cupyxx::zeros({0, 2}))) ADD_FAILURE() << row;
  const auto go_over = [](const Variable& v) {
    // NOLINTNEXTLINE(performance-for-range-copy)
    for (auto row : v) ADD_FAILURE() << row;
  };
  expect_error<cupyxx::TypeError>([&] { go_over(Variable(cupyxx::array(1.0f))); },
                                  "begin: a variable without axes has no parts to go over");
  expect_error<cupyxx::TypeError>([&] { go_over(Variable()); }, "begin: the variable is None");
}

}  // namespace
}  // namespace chainerxx
