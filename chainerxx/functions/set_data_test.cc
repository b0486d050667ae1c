// SPDX-License-Identifier: MIT
// Variables that get other data between forward and backward: backward reads no memory beyond what
// forward knew, and gives no gradient of something else.
#include <gtest/gtest.h>

#include <vector>

#include "chainerxx/backward_options.h"
#include "chainerxx/functions/functions.h"
#include "chainerxx/variable.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/testing/expect.h"

namespace chainerxx {
namespace {

using cupyxx::Shape;
using cupyxx::testing::expect_array_equal, cupyxx::testing::expect_error;

ndarray filled(const Shape& shape) { return cupyxx::ones(shape, cupyxx::float32); }

TEST(SetDataTest, ResultsOfFunctionsKeepTheirForm) {
  const Variable x(filled({30, 20}));
  const Variable y = functions::softmax(x);
  for (const ndarray& other : {filled({1, 20}), filled({20, 30}), filled({30, 21}),
                               cupyxx::ones({30, 20}, cupyxx::float64)}) {
    expect_error<cupyxx::ValueError>(
        [&] { y.set_data(other); },
        "set_data: the result of a function keeps its shape, dtype and device; ");
  }
  EXPECT_EQ(y.shape(), Shape({30, 20}));
  y.set_data(filled({30, 20}));  // other values of the same form are the user's business
  y.set_grad(filled({30, 20}));
  y.backward();
  EXPECT_EQ(x.grad().shape(), x.shape());
}

TEST(SetDataTest, WhatTakesTheirPlaceHasIt) {
  const Variable x(filled({30, 20}));
  const Variable y = functions::softmax(x), other(filled({2})), like(filled({30, 20}));
  expect_error<cupyxx::ValueError>([&] { other.set_creator(*y.creator()); },
                                   "set_creator: the variable is not like the result");
  EXPECT_EQ(other.creator(), nullptr);
  Function* const made = y.creator();
  like.set_creator(*made);
  EXPECT_EQ(like.creator(), made);
  EXPECT_EQ(y.creator(), nullptr);
}

TEST(SetDataTest, AResultWithoutItsGraphTakesAnyForm) {
  const Variable x(filled({3}));
  const Variable y = functions::exp(x);
  y.unchain_backward();
  y.set_data(filled({7}));
  EXPECT_EQ(y.size(), 7);
}

TEST(SetDataTest, BackwardRefusesAnInputOfAnotherForm) {
  const Shape image{1, 1, 30, 30};
  const auto refuses = [&](const Variable& x, const Variable& y, const ndarray& other) {
    x.set_data(other);
    y.set_grad(cupyxx::ones_like(y.data()));
    expect_error<cupyxx::ValueError>([&] { y.backward(); },
                                     "was given data of another shape or dtype after forward");
    EXPECT_TRUE(x.grad().is_none());
  };
  for (const Shape& other : {Shape{1, 1, 2, 2}, Shape{1, 1, 300, 300}, Shape{900}}) {
    const Variable a(filled(image)), b(filled(image)), c(filled(image)), d(filled(image)),
        e(filled(image));
    refuses(a, functions::max_pooling_2d(a, 2), filled(other));
    refuses(b, functions::average_pooling_2d(b, 2), filled(other));
    refuses(c, functions::sum(c), filled(other));
    refuses(d, functions::exp(d), filled(other));
    refuses(e, e * e, filled(other));
  }
  const Variable x(filled({5}));
  refuses(x, functions::relu(x), cupyxx::ones({5}, cupyxx::float64));
}

TEST(SetDataTest, AVariableIsUsedAgainWithOtherBatches) {
  const Variable x(filled({3, 4}));
  Variable last = functions::sum(x);
  for (const std::int64_t batch : {3, 5, 2}) {
    x.set_data(filled({batch, 4}));
    x.cleargrad();
    last = functions::sum(x * x);
    last.backward();
    expect_array_equal(x.grad(), cupyxx::full({batch, 4}, 2, cupyxx::float32));
  }
}

TEST(SetDataTest, GradientsOfTheFirstOrderAreThoseOfTheOldData) {
  const Variable x(filled({3}));
  const Variable y = functions::sum(x * x * x);
  x.set_data(cupyxx::full({3}, 5, cupyxx::float32));
  y.backward();
  expect_array_equal(x.grad(), cupyxx::full({3}, 3, cupyxx::float32));
}

TEST(SetDataTest, GradientsAsVariablesWouldBeThoseOfTheNewData) {
  const Variable x(filled({3}));
  const Variable y = functions::sum(x * x * x);
  x.set_data(cupyxx::full({3}, 5, cupyxx::float32));
  expect_error<cupyxx::ValueError>([&] { y.backward({.enable_double_backprop = true}); },
                                   "was given other data by set_data after forward");
  const Variable z = functions::exp(x), s = functions::sum(z);
  z.set_data(filled({3}));
  expect_error<cupyxx::ValueError>([&] { s.backward({.enable_double_backprop = true}); },
                                   "was given other data by set_data after forward");
}

}  // namespace
}  // namespace chainerxx
