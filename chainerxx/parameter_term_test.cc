// SPDX-License-Identifier: MIT
#include "chainerxx/parameter_term.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <type_traits>
#include <vector>

#include "chainerxx/chainerxx.h"
#include "cupyxx/cupyxx.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"
#include "gradcheck/numerical_grad.h"

namespace chainerxx {
namespace {

namespace F = functions;
using cupyxx::testing::expect_allclose;
using cupyxx::testing::expect_array_equal;
using cupyxx::testing::expect_elements;
using cupyxx::testing::expect_error;

class ParameterTermTest : public cupyxx::testing::DeviceTest {
 protected:
  void SetUp() override {
    layer.W = cupyxx::array({{1.0, -2.0, 0.5}, {3.0, 4.0, -1.0}});
    layer.b = cupyxx::array({0.5, 2.0});
    layer.gW = cupyxx::zeros_like(layer.W);
    layer.gb = cupyxx::zeros_like(layer.b);
  }
  /// The gradients of a loss by W and b, beside numerical ones.
  template <class Loss>
  void check(const Loss& loss) {
    layer.gW.fill(0);
    layer.gb.fill(0);
    const Variable y = loss();
    y.backward();
    const auto value = [&] { return std::vector<ndarray>{ndarray(loss().data())}; };
    const auto expected = gradcheck::numerical_grad(value, {layer.W, layer.b},
                                                    {cupyxx::ones({}, cupyxx::float64)}, 1e-4);
    expect_allclose(layer.gW, expected[0], 1e-6, 1e-6);
    expect_allclose(layer.gb, expected[1], 1e-6, 1e-6);
  }

  F::Linear layer{3, 2, {.dtype = cupyxx::float64}};
};
CUPYXX_TEST_ON_DEVICES(ParameterTermTest);

// It was a constant, and trained nothing.
TEST_P(ParameterTermTest, HasGradientsWhereAVariableIsExpected) {
  const ndarray& mask = cupyxx::array({{1.0, 0.0, 2.0}, {0.0, 1.0, 1.0}});
  check([&] { return F::sum(layer.W * layer.W); });
  check([&] { return F::sum(layer.W * layer.W * layer.W) + 0.01 * F::sum(layer.b * layer.b); });
  check([&] { return F::sum(F::exp(-layer.b)); });
  check([&] { return F::sum(F::square(2 * layer.W - 1)); });
  check([&] { return F::sum(F::square(1 - layer.W / 3)); });
  check([&] { return F::sum(1.5 / layer.b); });
  check([&] { return F::sum(F::square(layer.W + layer.W * layer.W)); });
  check([&] { return F::sum(F::square(layer.W * mask)) + F::sum(mask / layer.W); });
  check([&] { return F::sum((layer.W - mask) * (layer.W - mask)); });
  check([&] { return F::sum(F::square(layer.b / (layer.b * layer.b + 1))); });
  check([&] { return F::sum(F::square(layer.W * cupyxx::array({1.0, 2.0, 3.0}))); });
}

// They were constants, and trained nothing.
TEST_P(ParameterTermTest, MethodsHaveGradientsToo) {
  check([&]() -> Variable { return 0.5 * (layer.W * layer.W).sum(); });
  check([&]() -> Variable { return layer.W.sum(); });
  check([&]() -> Variable { return (layer.W * layer.W).mean() + layer.b.mean(); });
  check([&] { return F::sum(F::square((layer.W * layer.W).sum(0))); });
  check([&] { return F::sum(F::square(layer.W.sum({.axis = 1, .keepdims = true}) * layer.W)); });
  check([&] { return F::sum(F::square(layer.W.mean(1, {.keepdims = true}) - layer.W)); });
  check([&] { return F::sum(F::square(layer.W.mean({.axis = 0}))); });
  const Variable h(cupyxx::array({{1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}}));
  check([&] { return F::sum(F::square(F::matmul(h, layer.W.T()))); });
  check([&] { return F::sum(F::square(F::matmul(h, (2 * layer.W).transpose(1, 0)))); });
  check([&] { return F::sum(F::square(F::matmul(layer.W.transpose({1, 0}), layer.W))); });
  check([&] { return F::sum(F::square(layer.W.reshape(3, 2) * layer.b)); });
  check([&] { return F::sum(F::square(layer.W.reshape({6}).sum() * layer.b.reshape(-1, 1))); });
  Variable loss = F::sum(layer(h));
  loss += 0.01 * (layer.W * layer.W).sum();
  const ndarray gW = layer.gW;
  gW.fill(0);
  loss.backward();
  expect_allclose(gW, h.data().sum(0) + 0.02 * ndarray(layer.W), 1e-12, 1e-12);
}

// They were constants, and trained nothing.
TEST_P(ParameterTermTest, FunctionsOfArraysHaveGradients) {
  namespace cp = cupyxx;
  check([&]() -> Variable { return cp::sum(layer.W); });
  check([&]() -> Variable { return cp::sum(cp::square(layer.W)); });
  check([&]() -> Variable { return 0.5 * cp::square(layer.W).sum(); });
  check([&]() -> Variable { return cp::sqrt(cp::sum(cp::square(layer.W))); });
  check([&]() -> Variable { return cp::abs(layer.W).sum() + cp::mean(layer.b); });
  check([&] { return F::sum(F::square(cp::sum(layer.W, 0))); });
  check([&] { return F::sum(F::square(cp::mean(layer.W, {.axis = 1, .keepdims = true}))); });
  check([&] { return F::sum(F::square(cp::var(layer.W, 1, {.keepdims = true}) * layer.W)); });
  check([&]() -> Variable { return cp::max(layer.W) - cp::min(layer.b) * cp::prod(layer.b); });
  check([&]() -> Variable { return cp::std(layer.W, 0).sum(); });
  check([&]() -> Variable { return cp::exp(layer.W).sum() + cp::log(layer.b).sum(); });
  check([&]() -> Variable { return cp::sum(cp::sin(layer.W) * cp::cos(layer.W)); });
  check([&]() -> Variable { return cp::sum(cp::log1p(layer.b) + cp::expm1(layer.b)); });
  check([&]() -> Variable { return cp::sum(cp::add(layer.W, 1) * cp::subtract(2, layer.W)); });
  check([&]() -> Variable { return cp::sum(cp::multiply(layer.W, cp::negative(layer.W))); });
  check([&]() -> Variable { return cp::sum(cp::true_divide(layer.W, layer.b.reshape(2, 1))); });
  check([&]() -> Variable { return cp::sum(cp::power(layer.W, 3)); });
  check([&]() -> Variable { return cp::sum(cp::power(2, layer.W)); });
  check([&]() -> Variable { return cp::sum(cp::power(layer.b, layer.b)); });
  check([&]() -> Variable { return cp::sum(cp::square(layer.W(0))); });
  check([&]() -> Variable { return cp::linalg::norm(layer.W) + cp::linalg::norm(layer.b); });
  const ndarray h = cp::array({{1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}});
  check([&] { return F::sum(F::square(F::matmul(h, cp::transpose(layer.W)))); });
  check([&] { return F::sum(F::square(cp::reshape(layer.W, {3, 2}) * layer.b)); });
  check([&] { return F::sum(cp::ravel(layer.W * layer.W)) + F::sum(cp::squeeze(layer.b)); });
  check([&] { return F::sum(F::square(cp::transpose(layer.W, {1, 0}))); });
  check([&] { return F::sum(F::square(layer.W.astype(cp::float64) + layer.W.astype<double>())); });
  // NOLINTNEXTLINE(modernize-use-nullptr)
  Variable loss = 0;
  loss += 0.01 * cp::sum(cp::square(layer.W));
  layer.gW.fill(0);
  loss.backward();
  expect_allclose(layer.gW, 0.02 * ndarray(layer.W), 1e-12, 1e-12);
}

TEST_P(ParameterTermTest, FunctionsOfArraysAreArraysWhereOnesAreWanted) {
  namespace cp = cupyxx;
  const ndarray w = layer.W.copy();
  expect_array_equal(cp::exp(layer.W), cp::exp(w));
  expect_array_equal(cp::arctan(layer.W), cp::arctan(w));
  expect_array_equal(cp::sum(layer.W, {.axis = 0}), w.sum(0));
  expect_array_equal(cp::sum(layer.W, 1, {.keepdims = true}), w.sum(1, {.keepdims = true}));
  expect_array_equal(cp::maximum(layer.W, 0), cp::maximum(w, 0));
  expect_array_equal(cp::maximum(0, layer.W), cp::maximum(0, w));
  expect_array_equal(cp::add(layer.b, {1.0, 2.0}), cp::array({1.5, 4.0}));
  const std::vector<double> list{1, 2};
  expect_array_equal(cp::add(layer.b, list), cp::array({1.5, 4.0}));
  expect_array_equal(cp::dot(layer.W, layer.W.T()), cp::dot(w, w.T()));
  expect_array_equal(cp::where(layer.W > 0, layer.W, 0), cp::where(w > 0, w, 0));
  expect_array_equal(cp::clip(layer.W, 0, 1), cp::clip(w, 0, 1));
  expect_array_equal(layer.W.astype(cp::int32), w.astype(cp::int32));
  EXPECT_EQ(Variable(layer.W.astype(cp::int32)).dtype(), cp::int32);
  expect_array_equal(cp::matmul(w, layer.W.T()), cp::matmul(w, w.T()));
  const ndarray out = cp::empty_like(w);
  cp::exp(layer.W, out);
  expect_array_equal(out, cp::exp(w));
  double total = 1;
  total += cp::sum(layer.W);
  EXPECT_EQ(total, 6.5);
  EXPECT_TRUE(bool(cp::isfinite(layer.W).all()));
}

// A constant would leave the parameter as it is, without a word.
TEST_P(ParameterTermTest, FunctionsOfArraysWithoutAGradientAreErrors) {
  namespace cp = cupyxx;
  const auto expect_refusal = [](const auto& term, const std::string& name,
                                 const std::string& other =
                                     "the function of chainerxx::functions") {
    const std::string text = cp::message("Variable: cupyxx::", name, " of a layer's array, ");
    expect_error<cp::TypeError>([&] { F::sum(term); }, text);
    expect_error<cp::TypeError>([&] { F::sum(term); },
                                ", which is an array without a gradient: write " + other);
  };
  expect_refusal(cp::arctan(layer.W), "arctan");
  expect_refusal(cp::maximum(layer.W, 0), "maximum");
  expect_refusal(cp::dot(layer.W, layer.W.T()), "dot", "F::matmul(layer.W, x)");
  expect_refusal(layer.W.dot(layer.W.T()), "dot", "F::matmul(layer.W, x)");
  expect_refusal(layer.W.clip(0, layer.W + 1), "clip");
  expect_refusal(layer.W.trace(), "trace", "F::sum(F::diagonal(layer.W))");
  expect_refusal(layer.W.take({0, 1}, 1), "take", "layer.W(indices)");
  expect_refusal(layer.W.repeat(2, 1), "repeat", "F::repeat(");
  expect_refusal(cp::tensordot(layer.W, layer.W, 2), "tensordot", "F::tensordot(");
  expect_refusal(cp::where(layer.W > 0, layer.W, 0.0), "where", "F::where(mask, layer.W, x)");
  expect_refusal(cp::where(layer.W > 0, 0.0, layer.W), "where", "F::where(mask, layer.W, x)");
  expect_refusal(cp::matmul(layer.W, layer.W.T()), "matmul", "F::matmul(layer.W, x)");
  const ndarray& x = cp::ones_like(layer.W);
  for (const auto& joined :
       {cp::concatenate({layer.W, layer.W}), cp::concatenate({layer.W, layer.W}, 1),
        cp::concatenate({layer.W * 2, layer.W * 2}, {.axis = 1}), cp::concatenate(layer.W, x),
        cp::concatenate(x, layer.W)}) {
    expect_refusal(joined, "concatenate", "F::concat({layer.W, x}, axis)");
    EXPECT_EQ(joined.size(), 12);
  }
  expect_refusal(cp::stack({layer.W, layer.W}), "stack", "F::stack(");
  expect_refusal(cp::vstack({layer.W, layer.W}), "vstack", "F::vstack(");
  expect_refusal(cp::hstack({layer.W(0), layer.W(1)}), "hstack", "F::hstack(");
  for (const auto& product :
       {cp::einsum("ij->", layer.W), cp::einsum("ij,ij->", layer.W, x),
        cp::einsum("ij,ij->", x, layer.W), cp::einsum("ij,ij->", {layer.W, layer.W})}) {
    expect_refusal(product, "einsum", "F::einsum(subscripts, layer.W, x)");
    EXPECT_EQ(product.ndim(), 0);
  }
  for (const auto& norm :
       {cp::linalg::norm(layer.W, 1), cp::linalg::norm(layer.W, "fro"),
        cp::linalg::norm(layer.W, 2, {.axis = 1}), cp::linalg::norm(layer.W, {.axis = 1})}) {
    expect_refusal(norm, "linalg::norm", "F::sum(F::absolute(layer.W))");
  }
  expect_array_equal(cp::linalg::norm(layer.W, 1), cp::linalg::norm(ndarray(layer.W), 1));
  expect_refusal(cp::tile(layer.W, 2), "tile", "F::tile(");
  expect_refusal(cp::tril(layer.W), "tril");
  const ndarray constant = cp::maximum(layer.W, 0);
  EXPECT_EQ(F::sum(constant).item<double>(), 8.5);
  // What has none anywhere is one.
  const Variable mask = cp::greater(layer.W, 0);
  expect_array_equal(mask.data(), ndarray(layer.W) > 0);
  EXPECT_EQ(F::sum(F::where(cp::isfinite(layer.W), layer.W, 0.0)).item<double>(), 5.5);
  ndarray again;
  const auto square = cp::square(layer.W);
  layer.W *= 2;
  expect_error<cp::ValueError>([&] { F::sum(square); }, "changed since");
}

TEST_P(ParameterTermTest, MethodsAreArraysWhereOnesAreWanted) {
  const cupyxx::ndarray w = layer.W.copy();
  expect_array_equal(layer.W.T(), w.T());
  expect_array_equal(layer.W.reshape(3, -1), w.reshape(3, -1));
  expect_array_equal(layer.W.reshape({2, 3}, cupyxx::Order::F),
                     w.reshape({2, 3}, cupyxx::Order::F));
  expect_array_equal(layer.W.sum(0), w.sum(0));
  expect_array_equal(layer.W.sum(1, {.keepdims = true}), w.sum(1, {.keepdims = true}));
  expect_array_equal(layer.W.mean({.axis = 1}), w.mean({.axis = 1}));
  const double sum = layer.W.sum();
  EXPECT_EQ(sum, 5.5);
  layer.W.T()(0) = 7;  // a view, as of other arrays
  expect_elements<double>(layer.W, {2, 3}, {7, -2, 0.5, 7, 4, -1});
}

// They were constants, and trained nothing.
TEST_P(ParameterTermTest, EveryMethodThatVariablesHave) {
  check([&]() -> Variable { return layer.W.max() * 3 - layer.b.min(); });
  check([&] { return F::sum(F::square(layer.W.max(1))); });
  check([&] { return F::sum(F::square(layer.W.min({.axis = 0, .keepdims = true}) * layer.W)); });
  check([&] { return F::sum(layer.W.prod(0)) + F::square(layer.b.prod()); });
  check([&] { return F::sum(layer.W.var(1)) + F::sum(layer.W.std(0)) + layer.b.var(); });
  check([&] { return F::sum(F::square(layer.W.flatten() * layer.W.ravel())); });
  check([&] { return F::sum(F::square(layer.b.reshape(1, 2).squeeze(0) * 2)); });
  check([&] { return F::sum(F::square(layer.W.swapaxes(0, -1) * layer.b)); });
  const cupyxx::ndarray w = layer.W.copy();
  expect_array_equal(layer.W.swapaxes(0, -1), w.T());
  expect_array_equal(layer.W.flatten(cupyxx::Order::F), w.flatten(cupyxx::Order::F));
  expect_array_equal(layer.W.std({.axis = 0, .ddof = 1}), w.std({.axis = 0, .ddof = 1}));
  expect_error<cupyxx::TypeError>([&] { F::sum(layer.W.std({.axis = 0, .ddof = 1})); },
                                  "Variable: `std` of a layer's array, (2, 3), with options that");
  EXPECT_EQ(layer.W.max(), 4);
  expect_error<cupyxx::AxisError>([&] { layer.W.swapaxes(0, 2); }, "swapaxes");
}

// They were constants, and trained nothing.
TEST_P(ParameterTermTest, PartsHaveGradients) {
  using cupyxx::ellipsis, cupyxx::newaxis, cupyxx::slice;
  check([&]() -> Variable { return layer.W(0).sum() * layer.W(1, 2); });
  check([&] { return F::sum(F::square(layer.W(slice(), 1))) + layer.W(ellipsis, -1).max(); });
  check([&] { return F::sum(layer.W(0) * layer.W(1)) + F::sum(2 / layer.W(slice(), 0)); });
  check([&] { return F::sum(F::square(layer.b(newaxis, slice()) * layer.W.T())); });
  check([&] { return F::sum(F::square(layer.W({0, 1, 1}))); });
  check([&] { return F::sum(F::square(layer.W({0, 1}, {2, 2})) * layer.b); });
  check([&] { return F::sum(F::square(layer.W(slice(), {true, false, true}))); });
  check([&] { return F::sum(F::square(layer.W(cupyxx::array({1, 1, 0})))); });
  check([&] { return F::sum(F::square(layer.W(layer.W > 0))); });
  check([&] { return F::sum(F::square(layer.W(cupyxx::nonzero(layer.W < 0.7)))); });
  check([&] { return F::sum(F::square(layer.W(cupyxx::Shape{1, 0}))); });
  check([&] {
    const auto row = layer.W(1);
    const auto rows = layer.W({1, 0});
    const Variable element = layer.W(0, 0);
    return F::sum(row * row * element) + F::sum(F::square(rows.T()));
  });
  check([&] { return F::sum(exp(layer.W(0))) + F::sum(pow(layer.W(1), 2)); });
}

TEST_P(ParameterTermTest, PartsAreThoseOfArrays) {
  using cupyxx::slice;
  const cupyxx::ndarray w = layer.W.copy();
  expect_array_equal(layer.W(1), w(1));
  expect_array_equal(layer.W({1, 0}), w({1, 0}));
  expect_array_equal(layer.W(slice(), {true, false, true}), w(slice(), {true, false, true}));
  const double element = layer.W(0, 1);
  EXPECT_EQ(element, -2);
  EXPECT_TRUE(layer.W(0, 1) < 0);
  layer.W(0) = 5;
  layer.W(1, slice(0, 2)) += 1;
  ++layer.W(0, 0);
  expect_elements<double>(layer.W, {2, 3}, {6, 5, 5, 4, 5, -1});
  layer.W({1}) = {1, 2, 3};
  layer.W(layer.W > 4) *= 2;
  expect_elements<double>(layer.W, {2, 3}, {12, 10, 10, 1, 2, 3});
  swap(layer.W(0), layer.W(1));
  layer.W(slice(), 0) = layer.W(slice(), 2);
  layer.W(0) -= layer.W(1) / 10;
  expect_elements<double>(layer.W, {2, 3}, {2, 1, 2, 10, 10, 10});
  layer.b = layer.W(1, slice(1, 3));
  expect_elements<double>(layer.b, {2}, {10, 10});
  expect_error<cupyxx::IndexError>([&] { layer.W(2); }, "");
  expect_error<cupyxx::IndexError>([&] { layer.W(0, 0, 0); }, "");
}

TEST_P(ParameterTermTest, PartsThatHaveChangedAreRefused) {
  const char* const text = "whose elements have been changed since";
  auto element = layer.W(0, 1);
  auto rows = layer.W({0, 0});
  const cupyxx::ndarray ids = cupyxx::array({1, 0});
  const auto chosen = layer.W(ids);
  EXPECT_NO_THROW(F::sum(rows) + Variable(element) + F::sum(chosen));
  rows += 1;  // a copy
  expect_error<cupyxx::ValueError>([&] { F::sum(rows); }, text);
  ids(0) = 0;
  expect_error<cupyxx::ValueError>([&] { F::sum(chosen); }, text);
  element += 1;
  expect_error<cupyxx::ValueError>([&] { Variable x = element; }, text);
  const auto row = layer.W(0);
  layer.W(1) = 0;
  expect_error<cupyxx::ValueError>([&] { F::sum(row); }, text);
  const auto W = layer.W;
  expect_error<cupyxx::ValueError>(
      [&] { F::sum(W(0)); }, "Variable: a copy of a layer's array, (2, 3), knows no gradient");
}

TEST_P(ParameterTermTest, OptionsThatHaveNoGradientAreNamed) {
  const auto narrow = layer.W.sum({.axis = 0, .dtype = cupyxx::float32});
  EXPECT_EQ(narrow.dtype(), cupyxx::float32);
  expect_error<cupyxx::TypeError>(
      [&] { F::sum(narrow); },
      "Variable: `sum` of a layer's array, (2, 3), with options that "
      "have no gradient; `F::sum(layer.W, ..)` knows axis and keepdims");
  const auto masked = layer.b.mean({.where = {true, false}});
  expect_error<cupyxx::TypeError>([&] { F::sum(masked); }, "`mean` of a layer's array, (2,)");
}

// C's functions took them for numbers.
TEST_P(ParameterTermTest, FunctionsAreFoundWithoutANamespace) {
  check([&] { return F::sum(pow(layer.W, 2)) + F::sum(pow(layer.b * layer.b + 1, 1.5)); });
  check([&] { return F::sum(exp(layer.b)) + F::sum(log(layer.b * 2)) + F::sum(abs(-layer.W)); });
  check([&] { return F::sum(sin(layer.W * 2)) + F::sum(cos(layer.W)); });
  check([&] { return F::sum(pow(layer.b, layer.b)); });
}

// einsum, broadcast and identity made roots of them, and nothing came to the layer.
TEST_P(ParameterTermTest, StandsAmongInputsThatAreGivenOneByOne) {
  const Variable x(cupyxx::array({{1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}}));
  const auto square = [](const Variable& y) { return F::sum(F::square(y)); };
  check([&] { return square(F::einsum("ij,kj->ik", x, layer.W)); });
  check([&] { return square(F::einsum("ij,kj->ik", layer.W * 2, layer.W)); });
  check([&] {
    const auto [b, row] = F::broadcast(layer.b, cupyxx::ones({3, 1}));
    return square(b * row);
  });
  check([&] {
    const auto [row, b] = F::broadcast(cupyxx::ones({3, 1}), layer.b);
    return square(b * row);
  });
  check([&] {
    const auto [one, W, twice] = F::identity(x, layer.W, layer.b * 2);
    return square(one * W) + square(twice);
  });
  check([&] {
    const Variable gates(cupyxx::ones({2, 18}));
    const auto [c, h] = F::tree_lstm(x, layer.W, layer.W, gates);
    return square(c) + square(h);
  });
}

TEST_P(ParameterTermTest, StandsBesideVariables) {
  const Variable x(cupyxx::array({{1.0, 2.0, 3.0}, {4.0, 5.0, 6.0}}));
  check([&] { return F::sum(F::square(x * (layer.W * 2))); });
  check([&] { return F::sum(F::square(layer.W * layer.W + x)); });
  check([&] { return F::sum(F::linear(x, layer.W * 0.5, layer.b * 2)); });
  Variable loss = F::sum(layer(x));
  loss += F::sum(layer.W * layer.W);
  const Variable term = layer.b * 3;
  EXPECT_EQ(term.creator()->label(), "_ * 3");
}

TEST_P(ParameterTermTest, IsAnArrayWhereOneIsWanted) {
  const cupyxx::ndarray w = layer.W.copy(), b = layer.b.copy();
  const ndarray product = layer.W * layer.W;
  expect_array_equal(product, w * w);
  expect_array_equal(-layer.W, -w);
  expect_array_equal(layer.W + 1, w + 1);
  expect_array_equal(1 - layer.W, 1 - w);
  expect_array_equal(layer.W / w, w / w);
  expect_array_equal(cupyxx::sum(layer.W * layer.W), cupyxx::sum(w * w));
  expect_array_equal((layer.W * 2).sum(0), (w * 2).sum(0));
  expect_array_equal((layer.W * 2)(0), (w * 2)(0));
  expect_array_equal(cupyxx::exp(layer.b - b), cupyxx::ones({2}));
  expect_array_equal(layer.b * layer.b > 1, b * b > 1);
  const double total = (layer.b * layer.b).sum();
  EXPECT_EQ(total, 4.25);
  std::ostringstream text, expected;
  text << layer.b * 2;
  expected << b * 2;
  EXPECT_EQ(text.str(), expected.str());
  const std::vector<ndarray> arrays = {layer.b * 2, b};
  EXPECT_EQ(arrays.size(), 2u);
  const ndarray wide = layer.b * cupyxx::array({1, 2});
  EXPECT_EQ(wide.dtype(), cupyxx::float64);
}

TEST_P(ParameterTermTest, StandsBesideItsParameterInAChoice) {
  for (const bool scales : {false, true}) {
    check([&] { return F::sum(F::square(scales ? layer.W * 2 : layer.W)); });
    const ndarray w = scales ? layer.W * 2 : layer.W;
    EXPECT_EQ(w.shape(), layer.W.shape());
  }
}

TEST_P(ParameterTermTest, UpdatesParametersInPlace) {
  const ndarray handle = layer.b;
  layer.b -= 0.5 * layer.b;
  expect_elements<double>(handle, {2}, {0.25, 1});
  layer.b *= layer.b + 1;
  expect_elements<double>(handle, {2}, {0.3125, 2});
  layer.b = layer.b * 2;  // another array, as of arrays
  expect_elements<double>(layer.b, {2}, {0.625, 4});
  expect_elements<double>(handle, {2}, {0.3125, 2});
  check([&] { return F::sum(layer.b * layer.b); });
}

TEST_P(ParameterTermTest, ASecondOrderIsThere) {
  const Variable loss = F::sum(layer.b * layer.b * layer.b);
  const Variable g = grad({loss}, {layer.b}, {.enable_double_backprop = true})[0];
  expect_elements<double>(g.data(), {2}, {0.75, 12});
  F::sum(g).backward();
  expect_elements<double>(layer.gb, {2}, {3, 12});
}

// float32 weights stay float32 beside a wider array, as variables do.
TEST_P(ParameterTermTest, ArraysBesideItTakeItsType) {
  F::Linear narrow(1, 1);
  narrow.W.fill(3);
  const Variable y = F::sum(narrow.W * cupyxx::array({2.0}));
  EXPECT_EQ(y.dtype(), cupyxx::float32);
  y.backward();
  expect_elements<float>(narrow.gW, {1, 1}, {2});
}

TEST_P(ParameterTermTest, FollowsVolatileVariables) {
  const Variable x(cupyxx::ones({2, 3}, cupyxx::float64), true);
  EXPECT_TRUE((x * (layer.W * 2)).volatile_());
}

TEST_P(ParameterTermTest, WhatHasChangedSinceIsRefused) {
  const char* const text =
      "Variable: arithmetic of a layer's array, (2,), whose elements have been changed since";
  auto twice = layer.b * 2;
  twice += 1;
  expect_error<cupyxx::ValueError>([&] { F::sum(twice); }, text);
  expect_error<cupyxx::ValueError>([&] { F::sum(twice * 2); }, text);
  const auto square = layer.b * layer.b;
  layer.b += 1;
  expect_error<cupyxx::ValueError>([&] { F::sum(square); }, text);
  expect_elements<double>(square, {2}, {0.25, 4});
}

TEST_P(ParameterTermTest, ACopyOfTheHandleHasNoGradient) {
  const auto W = layer.W;
  expect_error<cupyxx::ValueError>(
      [&] { F::sum(W * W); }, "Variable: a copy of a layer's array, (2, 3), knows no gradient");
  const ndarray constant = layer.W;
  EXPECT_NO_THROW(F::sum(constant * constant));
}

// A step within the loss, as of meta-learning: the parameters behind it depend on those before it.
TEST_P(ParameterTermTest, GradientsByAllParametersOfAModel) {
  struct Model : FunctionSet {
    F::Linear& l = add("l", F::Linear(3, 2, {.dtype = cupyxx::float64}));
  } model;
  const ndarray x = cupyxx::array({{1.0, -2.0, 0.5}, {0.3, 1.0, 2.0}});
  const auto outer = [&] {
    const Variable inner = F::mean(F::square(F::tanh(model.l(x)) - 0.5));
    const auto g = grad({inner}, model.params(), {.enable_double_backprop = true});
    const Variable W = model.l.W - 0.1 * g[0], b = model.l.b - 0.1 * g[1];
    return F::mean(F::square(F::linear(x, W, b) - 1));
  };
  model.cleargrads();
  outer().backward();
  const auto value = [&] { return std::vector<ndarray>{ndarray(outer().data())}; };
  const auto expected = gradcheck::numerical_grad(value, {model.l.W, model.l.b},
                                                  {cupyxx::ones({}, cupyxx::float64)}, 1e-4);
  expect_allclose(model.l.gW, expected[0], 1e-6, 1e-7);
  expect_allclose(model.l.gb, expected[1], 1e-6, 1e-7);
}

TEST_P(ParameterTermTest, AnotherArrayInItsNameIsNotOfParameters) {
  auto term = layer.W * 2;
  term = layer.W;
  F::sum(term).backward();
  expect_array_equal(layer.gW, cupyxx::ones_like(layer.W));
  auto total = cupyxx::sum(layer.W);
  total = cupyxx::sum(cupyxx::array({1.0, 2.0}));
  EXPECT_EQ(total.item<double>(), 3);
  EXPECT_THROW(F::exp(total), cupyxx::ValueError);
}

TEST_P(ParameterTermTest, ANormOfZerosHasTheGradientZero) {
  layer.b.fill(0);
  layer.gW.fill(0);
  layer.gb.fill(0);
  F::sum(cupyxx::linalg::norm(layer.b)).backward();
  expect_array_equal(layer.gb, cupyxx::zeros_like(layer.b));
  F::sum(cupyxx::linalg::norm(layer.W)).backward();
  expect_allclose(layer.gW, layer.W / cupyxx::linalg::norm(layer.W.copy()), 1e-6, 1e-7);
}

// They were constants, and trained nothing.
TEST_P(ParameterTermTest, PartsOfPartsAndRowsHaveGradients) {
  const auto squares_of_rows = [](const auto& array) {
    Variable sum;
    for (const auto& row : array) sum += F::sum(row * row);
    return sum;
  };
  check([&] { return squares_of_rows(layer.W); });
  check([&] { return squares_of_rows(layer.W.T()); });
  check([&] { return squares_of_rows(layer.W * 2); });
  check([&] { return squares_of_rows(layer.W(cupyxx::slice(), cupyxx::slice(0, 2))); });
  check([&] {
    Variable sum;
    for (auto& row : layer.W) {
      for (const auto& x : row) sum += x * x * x;
    }
    for (const auto& x : layer.b) sum += F::exp(x);
    return sum;
  });
  check([&] { return F::square(layer.W(0)(1)); });
  check([&] { return F::sum(F::square((layer.W * 2)(0))); });
  check([&] { return F::sum(F::square((layer.W * layer.W)({0, 1}, {1, 0}))); });
  check([&] { return F::sum(F::square(layer.W.T()(cupyxx::slice(0, 2))(1))); });
  check([&] { return F::sum(F::square(layer.W({1, 0})(0) * 3)); });
}

// They were constants, too.
TEST_P(ParameterTermTest, BoundsAndRunningSumsHaveGradients) {
  check([&] { return F::sum(F::square(layer.W.clip(-1.5, 2))); });
  check([&] { return F::sum(F::square(layer.W.clip(0))); });
  check([&] { return F::sum(F::square(layer.W.clip({.max = 0.7}))); });
  check([&] { return F::sum(F::square(cupyxx::clip(layer.W, cupyxx::none, 0.7))); });
  check([&] { return F::sum(F::square(layer.W.cumsum())); });
  check([&] { return F::sum(F::square(cupyxx::cumsum(layer.W, 1))); });
  check([&] { return F::sum(F::square(layer.W.cumprod({.axis = 0}))); });
  check([&] { return F::sum(F::square(layer.W.mT()(1))); });
  ndarray bounded = cupyxx::empty_like(layer.W);
  layer.W.clip(0, 1, bounded);
  expect_array_equal(bounded, layer.W.clip(0, 1));
}

TEST_P(ParameterTermTest, PartsOfPartsAndRowsWriteAsOfOtherArrays) {
  for (auto row : layer.W) row *= 2;  // NOLINT(performance-for-range-copy)
  for (auto& row : layer.W) row += 1;
  expect_array_equal(layer.W, cupyxx::array({{3.0, -3.0, 2.0}, {7.0, 9.0, -1.0}}));
  layer.W(0)(1) = 5;
  layer.W(1)(cupyxx::slice(0, 2)) = 7;
  layer.W(1)(2) += 3;
  expect_array_equal(layer.W, cupyxx::array({{3.0, 5.0, 2.0}, {7.0, 7.0, 2.0}}));
  auto term = layer.W * 1;
  const auto row = term(1);
  term(0) = 9;
  expect_array_equal(term, cupyxx::array({{9.0, 9.0, 9.0}, {7.0, 7.0, 2.0}}));
  EXPECT_THROW(F::sum(row), cupyxx::ValueError);  // what it is a part of has been changed
  EXPECT_THROW(F::sum(term(1)), cupyxx::ValueError);
  const auto part = layer.W(0);
  layer.W(0, 0) = 1;
  EXPECT_THROW(F::sum(part(1)), cupyxx::ValueError);
  // Parts of a copy of rows that has been changed are none of the parameter.
  auto rows = layer.W({0, 1});
  EXPECT_EQ(F::sum(rows({0})).item<float>(), layer.W(0).sum().item<float>());
  rows *= 10;
  EXPECT_THROW(F::sum(rows({0})), cupyxx::ValueError);
  EXPECT_THROW(F::sum(rows(0)), cupyxx::ValueError);
  EXPECT_THROW(F::sum(rows(0)({0, 1})), cupyxx::ValueError);
  auto copy = layer.W;
  for (const auto& of_copy : copy) EXPECT_THROW(F::sum(of_copy), cupyxx::ValueError);
}

TEST_P(ParameterTermTest, AlgorithmsOfTheStandardLibraryTakeRows) {
  ndarray numbers = layer.W(0).copy();
  std::sort(numbers.begin(), numbers.end());
  layer.b = cupyxx::array({3.0, 1.0}, layer.b.dtype());
  std::sort(layer.b.begin(), layer.b.end());
  expect_array_equal(layer.b, cupyxx::array({1.0, 3.0}));
  std::reverse(layer.b.begin(), layer.b.end());
  expect_array_equal(layer.b, cupyxx::array({3.0, 1.0}));
  std::stable_sort(layer.W(0).begin(), layer.W(0).end());
  expect_array_equal(layer.W(0), numbers);
}

TEST_P(ParameterTermTest, ListsInBracesAreNoSilentConstants) {
  const ndarray x = cupyxx::ones(layer.W.shape());
  const auto refused = [](const auto& make) { EXPECT_THROW(F::sum(make()), cupyxx::TypeError); };
  refused([&] { return cupyxx::tile(layer.W, {2, 2}); });
  refused([&] { return cupyxx::broadcast_to(layer.W, {2, 2, 3}); });
  refused([&] { return cupyxx::expand_dims(layer.W, {0, 1}); });
  refused([&] { return cupyxx::flip(layer.W, {0, 1}); });
  refused([&] { return cupyxx::moveaxis(layer.W, {0}, {1}); });
  refused([&] { return cupyxx::pad(layer.W, {{1, 1}, {0, 2}}); });
  refused([&] { return cupyxx::pad(layer.W, {{1}, {2}}, "edge"); });
  refused([&] { return cupyxx::roll(layer.W, {1, 1}, {0, 1}); });
  refused([&] { return cupyxx::take(layer.W, {0, 1}); });
  refused([&] { return cupyxx::take(layer.W, {0, 1}, 1); });
  refused([&] { return cupyxx::take(layer.W, {0, 1}, {.axis = 1}); });
  refused([&] { return cupyxx::take(layer.W, cupyxx::array({0, 1}), {.axis = 1}); });
  refused([&] { return cupyxx::take(layer.W, 1, {.axis = 1}); });
  refused([&] { return cupyxx::median(layer.W, {.axis = 1}); });
  refused([&] { return cupyxx::average(layer.W, {.weights = x}); });
  refused([&] { return cupyxx::sort(layer.W, {.axis = 0}); });
  refused([&] { return cupyxx::compress({true, false}, layer.W, 0); });
  refused([&] { return cupyxx::tensordot(layer.W, x, {{0, 1}, {0, 1}}); });
  // Nor are parameters that stand behind another array.
  refused([&] { return cupyxx::tensordot(x, layer.W); });
  refused([&] { return cupyxx::tensordot(x, layer.W, {{0, 1}, {0, 1}}); });
  refused([&] { return cupyxx::compress(cupyxx::array({true, false}), layer.W, 0); });
  refused([&] { return cupyxx::compress(cupyxx::array({true, false}), layer.W, {0}); });
  refused([&] { return cupyxx::inner(x, layer.W); });
  refused([&] { return cupyxx::kron(x, layer.W); });
  refused([&] { return cupyxx::outer(x, layer.W * 2); });
  refused([&] { return cupyxx::vdot(x, layer.W); });
  const ndarray twice = cupyxx::tile(layer.W, {2, 1});
  expect_array_equal(twice(cupyxx::slice(2, 4)), layer.W);
}

TEST_P(ParameterTermTest, SynonymsAreTheSame) {
  layer.gW.fill(0);
  layer.gb.fill(0);
  F::sum(cupyxx::amax(layer.W) + cupyxx::amin(layer.W, 0)).backward();
  const ndarray found = layer.gW.copy();
  layer.gW.fill(0);
  layer.gb.fill(0);
  F::sum(cupyxx::max(layer.W) + cupyxx::min(layer.W, 0)).backward();
  expect_array_equal(found, layer.gW);
  expect_array_equal(F::transpose(cupyxx::swapaxes(layer.W, 0, 1)).data(), layer.W);
  EXPECT_THROW(F::sum(cupyxx::trace(layer.W)), cupyxx::TypeError);
  EXPECT_THROW(F::sum(cupyxx::expand_dims(layer.W, 0)), cupyxx::TypeError);
  EXPECT_THROW(F::sum(cupyxx::multiply(layer.W, std::vector<double>{1, 2, 3})), cupyxx::TypeError);
}

// A running mean: what it was made of is let go, so that neither memory nor the stack grow with it.
TEST_P(ParameterTermTest, OnesOfEachOtherInALoopAreArrays) {
  auto mean = layer.W * 1.0;
  for (int i = 0; i < 100000; ++i) mean = mean * 0.99 + layer.W * 0.01;
  expect_allclose(mean, layer.W, 1e-4, 1e-4);
}

}  // namespace
}  // namespace chainerxx
