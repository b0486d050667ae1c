// SPDX-License-Identifier: MIT
// Routines of cupyxx of layers' arrays: the arrays that they make of others, and where a variable
// is expected an error, never a constant, which would leave the parameter untrained without a word.
// tools/parameter_calls.py writes the forms for every routine of the headers.
#include <gtest/gtest.h>

#include <concepts>
#include <string>
#include <type_traits>

#include "chainerxx/chainerxx.h"
#include "cupyxx/cupyxx.h"
#include "cupyxx/testing/expect.h"

namespace chainerxx {
namespace {

namespace cp = cupyxx;
using cp::testing::expect_array_equal;

class ParameterCalls : public ::testing::Test {
 protected:
  void SetUp() override {
    layer.W = cp::array({{3.0, 1.0}, {1.0, 2.0}});
    layer.b = cp::array({0.5, 2.0});
    layer.zero_grads();
  }
  /// What `call` makes of the layer's arrays is what it makes of others, and no variable.
  template <class Call>
  void check(const char* text, const Call& call) {
    SCOPED_TRACE(text);
    const ndarray w = layer.W.copy(), b = layer.b.copy();
    const auto term = call(layer.W, layer.b);
    static_assert(!std::same_as<std::remove_cvref_t<decltype(term)>, ndarray>, "a constant");
    expect_array_equal(term, call(w, b));
    try {
      const Variable y = term;
      ADD_FAILURE() << "a constant of dtype " << y.dtype().name();
    } catch (const cp::TypeError& error) {
      const std::string words = error.what();
      EXPECT_NE(words.find("of a layer's array, "), std::string::npos) << words;
      EXPECT_NE(words.find("write "), std::string::npos) << words;
    }
  }

  links::Linear layer{2, 2, {.dtype = cp::float64}};
  const ndarray x = cp::array({{2.0, 0.0}, {1.0, 1.0}}), v = cp::array({1.0, 3.0});
};

#define CHECK(...)                                                                          \
  check(#__VA_ARGS__, [&]([[maybe_unused]] const auto& W, [[maybe_unused]] const auto& b) { \
    return __VA_ARGS__;                                                                     \
  })

TEST_F(ParameterCalls, OfLinearAlgebra) {
  CHECK(cp::linalg::solve(W, v));
  CHECK(cp::linalg::solve(x, b));
  CHECK(cp::linalg::solve(W, {1, 2}));
  CHECK(cp::linalg::inv(W));
  CHECK(cp::linalg::pinv(W));
  CHECK(cp::linalg::pinv(W, {.rcond = 1e-9}));
  CHECK(cp::linalg::det(W));
  CHECK(cp::linalg::cond(W));
  CHECK(cp::linalg::cholesky(W));
  CHECK(cp::linalg::matrix_power(W, 2));
  CHECK(cp::linalg::norm(W, 1));
  CHECK(cp::linalg::svd(W).s);
  CHECK(cp::linalg::svd(W)[1]);
  CHECK(cp::linalg::svd(W, {.full_matrices = false}).u);
  CHECK(cp::linalg::qr(W).r);
  CHECK(cp::linalg::eigh(W).eigenvalues);
  CHECK(cp::linalg::eigvalsh(W));
  CHECK(cp::linalg::slogdet(W).logdet);
  CHECK(cp::linalg::lstsq(W, v).x);
  CHECK(cp::linalg::lstsq(W, v)[0]);
  CHECK(cp::linalg::outer(b, v));
  CHECK(cp::linalg::trace(W));
  CHECK(cp::linalg::diagonal(W));
  CHECK(cp::linalg::multi_dot({x, W}));
  CHECK(cp::linalg::multi_dot({W, W}));
  const ndarray product = cp::empty({2, 2});
  expect_array_equal(cp::linalg::multi_dot({layer.W, x}, product), cp::dot(layer.W, x));
  expect_array_equal(product, cp::dot(layer.W, x));
  CHECK(cp::dot(x, W));
  CHECK(cp::dot(b, {1, 2}));
  CHECK(cp::dot(W, 2));
  CHECK(cp::kron(W, x));
  CHECK(cp::kron(x, W));
  CHECK(cp::trace(W));
  CHECK(cp::tensordot(W, x, {{0}, {1}}));
  CHECK(cp::einsum("ij,jk->ik", {W, x}));
  CHECK(cp::einsum("ij,jk->ik", {x, W}));
  CHECK(cp::einsum("ij,jk->ik", x, W));
  CHECK(cp::einsum("ij,jk->ik", {x, W}, {.optimize = true}));
  // Results take their own types, too.
  const auto [u, s, vh] = cp::linalg::svd(layer.W);
  EXPECT_THROW(Variable{u}.size(), cp::TypeError);
  const cp::linalg::SvdResult plain = cp::linalg::svd(layer.W);
  expect_array_equal(plain.s, s);
  EXPECT_EQ(cp::linalg::matrix_rank(layer.W).item<std::int64_t>(), 2);
  EXPECT_EQ(Variable(cp::argmax(layer.W)).item<std::int64_t>(), 0);
}

TEST_F(ParameterCalls, OfShapes) {
  CHECK(cp::split(W, 2)[0]);
  CHECK(cp::split(W, {1}, 1)[1]);
  CHECK(cp::array_split(W, 2, {.axis = 1})[1]);
  CHECK(cp::vsplit(W, 2)[0]);
  CHECK(cp::atleast_1d(W));
  CHECK(cp::atleast_2d(b));
  CHECK(cp::atleast_3d(W));
  CHECK(cp::diag(W));
  CHECK(cp::diag(b, 1));
  CHECK(cp::roll(W, 1));
  CHECK(cp::roll(W, {1, 1}, {0, 1}));
  CHECK(cp::rot90(W, 1, {1, 0}));
  CHECK(cp::tile(W, {2, 2}));
  CHECK(cp::pad(W, {{1, 1}, {0, 0}}));
  CHECK(cp::pad(W, 1, {.mode = "edge"}));
  CHECK(cp::expand_dims(W, {.axis = 0}));
  CHECK(cp::moveaxis(W, {0, 1}, {1, 0}));
  CHECK(cp::broadcast_to(b, {2, 2}));
  CHECK(cp::broadcast_arrays(W, x)[0]);
  CHECK(cp::take(W, {0, 1}, 1));
  CHECK(cp::take(W, {0, 1}, {.axis = 1}));
  CHECK(cp::take_along_axis(W, cp::argsort(W), 1));
  CHECK(cp::compress({true, false}, W, 0));
  CHECK(cp::insert(W, 0, 1, 0));
  CHECK(cp::append(x, W));
  CHECK(cp::append(b, {1, 2}));
  CHECK(cp::where(x > 0, W, x));
  CHECK(cp::where(x > 0, 0, W));
  CHECK(cp::triu(W));
  CHECK(cp::meshgrid(b, v)[0]);
  CHECK(cp::meshgrid(v, b, {.indexing = "ij"})[1]);
  CHECK(cp::reshape(W, {4, 1}, "F"));
  CHECK(cp::reshape(W, {4, 1}, {.order = "F"}));
  CHECK(cp::ravel(W, "F"));
  CHECK(cp::ravel(W, {.order = "F"}));
  CHECK(cp::permute_dims(W, {1, 0}));
  CHECK(cp::unstack(W)[1]);
  const auto [top, bottom] = cp::split(layer.W, 2);
  EXPECT_THROW(Variable{top}.size(), cp::TypeError);
  EXPECT_EQ(cp::concatenate(cp::split(layer.W, 2), 1).size(), 4);
  const cp::Arrays parts = cp::split(layer.W, 2);
  EXPECT_EQ(parts.size(), 2U);
  // All ways to the parts know where they come from.
  const auto terms = cp::split(layer.W, 2);
  EXPECT_THROW(Variable{*terms.rbegin()}.size(), cp::TypeError);
  EXPECT_THROW(Variable{*terms.cbegin()}.size(), cp::TypeError);
  EXPECT_THROW(Variable{terms.data()[1]}.size(), cp::TypeError);
}

TEST_F(ParameterCalls, ListsOfPartsGrow) {
  cp::Arrays parts = cp::split(layer.W, 2);
  parts.push_back(x);
  expect_array_equal(cp::concatenate(parts), cp::concatenate({layer.W, x}));
}

TEST_F(ParameterCalls, FunctionsMayChangeWhatTheyHold) {
  int calls = 0;
  const auto sums = cp::apply_along_axis(
      [&calls, own = 0](const ndarray& a) mutable {
        calls = ++own;
        return cp::sum(a);
      },
      0, layer.W);
  expect_array_equal(sums, cp::sum(layer.W, 0));
  EXPECT_EQ(calls, 2);
}

TEST_F(ParameterCalls, OfLists) {
  CHECK(cp::concatenate({x, W}));
  CHECK(cp::concatenate({W, x}, 1));
  CHECK(cp::concatenate({x, W, x}, {.axis = 1}));
  CHECK(cp::concatenate({x, W}, cp::none));
  CHECK(cp::concatenate({x, W}, {1}));
  CHECK(cp::concatenate({W, W}, {.axis = 1}));
  CHECK(cp::stack({x, W}, {1}));
  CHECK(cp::concatenate({W, W}));
  CHECK(cp::concatenate({W(0), b}));
  CHECK(cp::concatenate({W * 2, x}));
  CHECK(cp::concatenate(x, x, W));
  CHECK(cp::concatenate(cp::split(W, 2), 1));
  CHECK(cp::concatenate(W));
  CHECK(cp::concat({x, W}, 1));
  CHECK(cp::stack({W, x}));
  CHECK(cp::stack({x, W, x}, 1));
  CHECK(cp::stack({x, W}, {.axis = 2}));
  CHECK(cp::stack(x, W));
  CHECK(cp::vstack({x, W}));
  CHECK(cp::vstack(W));
  CHECK(cp::row_stack({x, W}));
  CHECK(cp::hstack({x, W}));
  CHECK(cp::dstack({x, W}));
  CHECK(cp::column_stack({b, W}));
  CHECK(cp::block({W, W}));
  CHECK(cp::block({{W, x}, {x, W}}));
  CHECK(cp::block({{x, x}, {W, W}}));
  CHECK(cp::block({{W}, {W}}));
  CHECK(cp::block({{W}, {x}}));
  CHECK(cp::block({x, W}));
  // Lists of other arrays are those of before.
  static_assert(std::same_as<decltype(cp::concatenate({x, x})), ndarray>);
  static_assert(std::same_as<decltype(cp::vstack({{1, 2}, {3, 4}})), ndarray>);
  static_assert(std::same_as<decltype(cp::concatenate({v, {1, 2}})), ndarray>);
  static_assert(std::same_as<decltype(cp::concatenate({x, x}, 1)), ndarray>);
  static_assert(std::same_as<decltype(cp::concatenate({x, x}, {1})), ndarray>);
  static_assert(std::same_as<decltype(cp::concat({x, x}, {1})), ndarray>);
  static_assert(std::same_as<decltype(cp::stack({x, x}, {-1})), ndarray>);
  static_assert(std::same_as<decltype(cp::concatenate({x, x}, {.axis = 1})), ndarray>);
  static_assert(std::same_as<decltype(cp::concatenate({x, x}, cp::none)), ndarray>);
  static_assert(std::same_as<decltype(cp::stack({x, x}, {.axis = 1})), ndarray>);
  static_assert(std::same_as<decltype(cp::hstack({x, x}, {.dtype = cp::float32})), ndarray>);
  static_assert(std::same_as<decltype(cp::block({{x, x}, {x, x}})), ndarray>);
  static_assert(std::same_as<decltype(cp::einsum("ij->i", {x})), ndarray>);
}

TEST_F(ParameterCalls, OfStatisticsAndOthers) {
  CHECK(cp::sort(W, {.axis = 0}));
  CHECK(cp::median(W, {.axis = 0}));
  CHECK(cp::percentile(W, {10, 20}));
  CHECK(cp::percentile(W, 50));
  CHECK(cp::quantile(W, 0.5, {.axis = 1}));
  CHECK(cp::ptp(W, {.axis = 0}));
  CHECK(cp::nanmax(W));
  CHECK(cp::nansum(W, {.axis = 0}));
  CHECK(cp::average(W, {.axis = 0}));
  CHECK(cp::cov(W));
  CHECK(cp::diff(W, {.axis = 0}));
  CHECK(cp::gradient(b, v)[0]);
  CHECK(cp::cumsum(W, 0, {.dtype = cp::float64}));
  CHECK(cp::clip(x, 0, W));
  CHECK(cp::trapz(b));
  CHECK(cp::trapz(b, {1, 2}));
  CHECK(cp::interp(b, {0, 1}, {2, 3}));
  CHECK(cp::convolve(b, {1, 2}));
  CHECK(cp::convolve(v, b, "same"));
  CHECK(cp::cross(cp::append(b, 1), cp::append(v, 1)));
  CHECK(cp::nan_to_num(W));
  CHECK(cp::real(W));
  CHECK(cp::around(W, 2));
  CHECK(cp::polyval({1, 2}, b));
  CHECK(cp::vander(b));
  CHECK(cp::unique(b));
  CHECK(cp::unique(b, {.return_counts = true}).values);
  CHECK(cp::histogram(b, 3).bin_edges);
  CHECK(cp::cumulative_sum(b, {.include_initial = true}));
  CHECK(cp::fft::fft(W));
  CHECK(cp::fft::fft2(W, {4, 4}));
  CHECK(cp::fft::rfft(W, {.axis = 0}));
  CHECK(cp::special::softmax(W));
  CHECK(cp::special::softmax(W, {.axis = 0}));
  CHECK(cp::special::logsumexp(W, {.axis = 1}));
  CHECK(cp::apply_along_axis([](const ndarray& a) { return cp::sum(a); }, 0, W));
}

TEST_F(ParameterCalls, OtherNamesAndOptionsHaveTheGradient) {
  const auto gradient = [&](const Variable& y) {
    layer.zero_grads();
    functions::sum(y).backward();
    return layer.gW.copy();
  };
  expect_array_equal(gradient(cp::amax(layer.W, {.axis = 0})),
                     gradient(functions::max(layer.W, 0)));
  expect_array_equal(gradient(cp::amin(layer.W, 1, {.keepdims = true})),
                     gradient(functions::min(layer.W, 1)));
  expect_array_equal(gradient(cp::squeeze(layer.W.reshape({2, 1, 2}), {.axis = 1})),
                     cp::ones({2, 2}));
}

TEST_F(ParameterCalls, OfMethods) {
  CHECK(W.reshape({4, 1}, cp::Order::F));
  CHECK(W.reshape({4, 1}, {.order = cp::Order::F}));
  CHECK(W.flatten(cp::Order::F));
  CHECK(W.ravel(cp::Order::F));
  CHECK(W.astype(cp::float64, {.copy = true}));
  CHECK(W.conj());
  CHECK(W.dot(2));
  CHECK(W.dot(x));
  CHECK(W.take(1));
  CHECK(W.take(0, 1));
  CHECK(W.take({0, 1}, {.axis = 1}));
  CHECK(W.cumsum(0, {.dtype = cp::float64}));
  CHECK(W.trace());
}

}  // namespace
}  // namespace chainerxx
