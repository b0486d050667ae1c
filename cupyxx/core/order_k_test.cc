// SPDX-License-Identifier: MIT
// Results lie in memory as NumPy 1.24 lets its results lie (order K), and hold the same numbers as
// those of C-contiguous operands.
#include "cupyxx/core/order_k.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "cupyxx/creation.h"
#include "cupyxx/fuse.h"
#include "cupyxx/indexing.h"
#include "cupyxx/internal/collapse_axes.h"
#include "cupyxx/kernel.h"
#include "cupyxx/logic.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/polynomials.h"
#include "cupyxx/reduction.h"
#include "cupyxx/sorting.h"
#include "cupyxx/statistics.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"
#include "cupyxx/testing/testdata/order_k_cases.h"

namespace cupyxx {
namespace {

Shape numbers(const std::string& text) {
  Shape list;
  std::istringstream from(text);
  for (std::string number; std::getline(from, number, ',');) list.push_back(std::stoll(number));
  return list;
}

// An array of small numbers, or of truth values, that lies as "SHAPE:STRIDES" says.
ndarray lay(const std::string& text, bool is_mask) {
  const std::size_t colon = text.find(':');
  const Shape shape = numbers(text.substr(0, colon));
  Strides strides = numbers(text.substr(colon + 1));
  std::int64_t low = 0, high = 0;
  for (int axis = 0; axis < shape.ndim(); ++axis) {
    const std::int64_t reach = (shape[axis] - 1) * strides[axis];
    (reach < 0 ? low : high) += reach;
  }
  const ndarray counted = arange(high - low + 1);
  const ndarray memory = is_mask ? counted % 3 != 0 : (counted * 7 % 11 + 1).astype(float64);
  for (std::int64_t& step : strides) step *= memory.itemsize();
  return {shape, memory.dtype(), memory, strides, -low * memory.itemsize()};
}

// The strides along axes longer than 1.
std::string strides_of(const ndarray& a) {
  std::string text;
  for (int axis = 0; axis < a.ndim(); ++axis) {
    text +=
        (axis == 0 ? "" : ",") + (a.shape()[axis] == 1 ? "-" : std::to_string(a.strides()[axis]));
  }
  return text;
}

ndarray run(const std::string& operation, std::int64_t number, const std::vector<ndarray>& x) {
  Shape axes;
  for (int axis = 0; axis < x[0].ndim(); ++axis) {
    if ((number >> axis & 1) != 0) axes.push_back(axis);
  }
  const auto reduced = [&](const auto& reduce) { return number == 0 ? x[0] + 0 : reduce(); };
  if (operation == "negative") return negative(x[0]);
  if (operation == "add") return x[0] + x[1];
  if (operation == "less") return x[0] < x[1];
  if (operation == "where") return where(x[0], x[1], x[2]);
  if (operation == "clip") return clip(x[0], x[1], x[2]);
  if (operation == "masked") return add(x[0], x[1], {.where = x[2]});
  if (operation == "modf") return modf(x[0])[1];
  if (operation == "copy") return copy(x[0]);
  if (operation == "astype") return x[0].astype(float32);
  if (operation == "empty_like") return full_like(empty_like(x[0]), 1);
  if (operation == "concatenate") return concatenate(x, static_cast<int>(number));
  if (operation == "stack") return stack(x, static_cast<int>(number));
  if (operation == "sum") return reduced([&] { return sum(x[0], axes); });
  if (operation == "mean") return reduced([&] { return mean(x[0], axes); });
  if (operation == "keepdims") {
    return reduced([&] { return sum(x[0], axes, {.keepdims = true}); });
  }
  if (operation == "accumulate") return maximum.accumulate(x[0], static_cast<int>(number));
  ADD_FAILURE() << "unknown operation " << operation;
  return {};
}

void check_case(const std::string& line) {
  SCOPED_TRACE(line);
  std::istringstream words(line);
  std::string operation, word, expected;
  words >> operation;
  std::int64_t number = 0;
  if (const std::size_t slash = operation.find('/'); slash != std::string::npos) {
    number = std::stoll(operation.substr(slash + 1));
    operation.resize(slash);
  }
  std::vector<ndarray> operands, plain;
  while (words >> word && word != ">") {
    const bool is_mask = (operation == "where" && operands.empty()) ||
                         (operation == "masked" && operands.size() == 2);
    operands.push_back(lay(word, is_mask));
    plain.push_back(operands.back().copy(Order::C));
  }
  words >> expected;
  const ndarray result = run(operation, number, operands);
  ASSERT_EQ(strides_of(result), expected);
  ASSERT_TRUE(result.flags().owndata);
  ASSERT_TRUE(internal::is_dense(*result.body()));
  ASSERT_EQ(result.to_vector<double>(), run(operation, number, plain).to_vector<double>());
}

class OrderK : public testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(OrderK);

/// How many cases there were.
int check_cases(std::istream& lines) {
  int count = 0;
  for (std::string line; std::getline(lines, line) && !::testing::Test::HasFatalFailure();
       ++count) {
    check_case(line);
  }
  return count;
}

// CUPYXX_ORDER_K_CASES names a file with more of them, which make_order_k.py has written.
TEST_P(OrderK, ResultsLieAsNumPysDo) {
  std::istringstream cases(testdata::kFiles[0].text);
  EXPECT_EQ(check_cases(cases), 600);
  if (const char* const path = std::getenv("CUPYXX_ORDER_K_CASES")) {
    std::ifstream more(path);
    EXPECT_GT(check_cases(more), 0) << path;
  }
}

// An image batch of shape (n, c, h, w) that lies channels last.
ndarray images(dtype type = float32) {
  return (arange(2 * 4 * 5 * 3) % 23 - 7)
      .astype(type)
      .reshape({2, 4, 5, 3})
      .transpose({0, 3, 1, 2});
}

TEST_P(OrderK, ChannelsLastStaysSo) {
  const ndarray x = images(), w = images() + 1;
  const Strides last = x.strides();
  EXPECT_EQ((x + w).strides(), last);
  EXPECT_EQ((x * 2).strides(), last);
  EXPECT_EQ(exp(x).strides(), last);
  EXPECT_EQ(x.copy().strides(), last);
  EXPECT_EQ(array(x).strides(), last);
  EXPECT_EQ(zeros_like(x).strides(), last);
  EXPECT_EQ(ones_like(x).strides(), last);
  EXPECT_EQ(full_like(x, 3).strides(), last);
  EXPECT_EQ(where(x > 0, x, 0).strides(), last);
  EXPECT_EQ(clip(x, 0, 1).strides(), last);
  EXPECT_EQ(around(x, 1).strides(), last);
  EXPECT_EQ(isclose(x, w).strides(), (Strides{60, 1, 15, 3}));
  EXPECT_EQ((x < w).strides(), (Strides{60, 1, 15, 3}));
  EXPECT_EQ(x.astype(float64).strides(), (Strides{480, 8, 120, 24}));
  EXPECT_EQ(concatenate({x, w}, 1).strides(), (Strides{480, 4, 120, 24}));
  // With a value for each channel; a part of the channels, of the rows.
  EXPECT_EQ((x + arange(3).astype(float32).reshape({1, 3, 1, 1})).strides(), last);
  EXPECT_EQ(negative(x(slice(), slice(2))).strides(), (Strides{160, 4, 40, 8}));
  EXPECT_EQ(negative(x(slice(), slice(), slice(none, none, 2))).strides(),
            (Strides{120, 4, 60, 12}));
  // Operands that disagree have a result in C order.
  const ndarray plain = ascontiguousarray(x);
  EXPECT_TRUE((x + plain).flags().c_contiguous);
  EXPECT_TRUE((plain + x).flags().c_contiguous);
  testing::expect_allclose(x + plain, plain * 2, 0);
  EXPECT_TRUE(x.copy(Order::C).flags().c_contiguous);
}

TEST_P(OrderK, InPlaceAndIntoAnOutOfTheSameLayout) {
  const ndarray x = images(), w = images() + 1, plain = x.copy(Order::C) + w.copy(Order::C);
  const ndarray sum = x.copy();
  const void* const memory = sum.elements();
  sum += w;
  EXPECT_EQ(sum.elements(), memory);
  EXPECT_EQ(sum.strides(), x.strides());
  testing::expect_allclose(sum, plain, 0);
  const ndarray wide = zeros_like(x, float64), narrow = zeros_like(x), other = zeros(x.shape());
  EXPECT_EQ(add(x, w, {.out = wide}).strides(), wide.strides());
  testing::expect_allclose(wide, plain, 0);
  add(x, w, {.out = narrow});
  testing::expect_allclose(narrow, plain, 0);
  add(x, w, {.out = other});
  testing::expect_allclose(other, plain, 0);
  const ndarray holes = x.copy();  // in part
  holes(slice(), slice(none, none, 2)) += 5;
  EXPECT_EQ(holes.item<float>(1, 1, 2, 0), x.item<float>(1, 1, 2, 0));
}

TEST_P(OrderK, OtherDevicesKeepTheLayout) {
  const ndarray x = images(), host = x.to_cpu();
  EXPECT_EQ(host.strides(), x.strides());
  EXPECT_EQ(host.to(x.device()).strides(), x.strides());
  EXPECT_EQ(host.to_vector<float>(), x.to_vector<float>());
  const ndarray part = x(slice(), slice(1, none)).to_cpu();
  EXPECT_EQ(part.to_vector<float>(), x(slice(), slice(1, none)).to_vector<float>());
  const ndarray target = zeros_like(x);
  target.set(host);
  EXPECT_EQ(target.to_vector<float>(), x.to_vector<float>());
  target.set(host.copy(Order::C));
  EXPECT_EQ(target.to_vector<float>(), x.to_vector<float>());
}

TEST_P(OrderK, RoutinesThatWalkOverMemoryAreRight) {
  const ndarray x = images(float64), plain = x.copy(Order::C);
  const ndarray p = array({0.5, -1.0, 2.0});
  testing::expect_allclose(polyval(p, x), polyval(p, plain), 0);
  EXPECT_EQ(polyval(p, x).strides(), x.strides());
  testing::expect_allclose(polyval(p, x(slice(), slice(2))), polyval(p, plain(slice(), slice(2))),
                           0);
  testing::expect_allclose(cumsum(x + 0, 2), cumsum(plain, 2), 0);
  testing::expect_allclose(sort(x + 0, 1), sort(plain, 1), 0);
  testing::expect_allclose(spacing(x * 2), spacing(plain * 2), 0);
  const ndarray mask = x > 3;
  testing::expect_allclose((x + 0)(mask).get(), plain(plain > 3).get(), 0);
  const ndarray marked = x.copy();
  marked(mask) = plain(plain > 3).get() * 2;
  testing::expect_allclose(marked, where(plain > 3, plain * 2, plain), 0);
  testing::expect_allclose(maximum.accumulate(x, 3), maximum.accumulate(plain, 3), 0);
  testing::expect_allclose(logaddexp.reduce(x, {1, 2}), logaddexp.reduce(plain, {1, 2}), 1e-14);
}

TEST_P(OrderK, KernelsAndFusedFunctionsToo) {
  const ndarray x = images(), w = images() + 1, plain = x.copy(Order::C) * 2 + w.copy(Order::C);
  const ElementwiseKernel twice("T x, T y", "T z", "z = x * 2 + y", "twice_plus");
  EXPECT_EQ(twice(x, w).strides(), x.strides());
  testing::expect_allclose(twice(x, w), plain, 0);
  // The number of an element is that in C order, wherever it lies.
  const ElementwiseKernel numbered("T x", "T z", "z = i", "numbered_in_c_order");
  EXPECT_EQ(numbered(x).strides(), x.strides());
  testing::expect_array_equal(numbered(x), arange(x.size()).astype(float32).reshape(x.shape()));
  // What the text indexes has no say.
  const ElementwiseKernel raw("raw T x, T y", "T z", "z = x[i] * 2 + y", "raw_twice_plus");
  EXPECT_EQ(raw(x.copy(Order::C), w).strides(), x.strides());
  EXPECT_TRUE(raw(x, w.copy(Order::C)).flags().c_contiguous);
  testing::expect_allclose(raw(x, w), plain, 0);
  const ReductionKernel total("T x", "T y", "x", "a + b", "y = a", "0", "total_in_order_k");
  const ndarray over_rows = total(x, {.axis = 2}), held = total(x, {.axis = 2, .keepdims = true});
  EXPECT_EQ(over_rows.strides(), sum(x, 2).strides());
  EXPECT_EQ(over_rows.strides(), (Strides{60, 4, 12}));
  testing::expect_allclose(over_rows, sum(plain - w - x, 2), 0);
  testing::expect_allclose(held, sum(plain - w - x, 2, {.keepdims = true}), 0);
  const auto fused = fuse([](const auto& a, const auto& b) { return a * 2.0f + b; });
  EXPECT_EQ(fused(x, w).strides(), x.strides());
  testing::expect_allclose(fused(x, w), plain, 0);
  testing::expect_allclose(fused(x, w.copy(Order::C)), plain, 0);
}

// What a launch goes over: one run, whatever the order of the axes.
TEST(OrderKLayout, EqualLayoutsAreOneRun) {
  std::int64_t shape[kMaxNdim] = {2, 3, 4, 5};
  std::int64_t strides[3][kMaxNdim];
  for (auto& row : strides) std::copy_n(std::vector<std::int64_t>{240, 4, 60, 12}.begin(), 4, row);
  EXPECT_EQ(internal::collapse_axes(4, shape, strides, 3, false), 1);
  EXPECT_EQ(shape[0], 120);
  EXPECT_EQ(strides[0][0], 4);
  EXPECT_EQ(strides[2][0], 4);
}

TEST(OrderKLayout, ShapesOfOneElementAndOfNone) {
  const ndarray one = ones({1, 1, 1}).transpose({2, 0, 1});
  EXPECT_TRUE((one + one).flags().c_contiguous);
  const ndarray none_there = zeros({0, 3, 4}).T();
  EXPECT_EQ((none_there + 1).shape(), (Shape{4, 3, 0}));
  EXPECT_EQ(none_there.copy().shape(), (Shape{4, 3, 0}));
  EXPECT_EQ(sum(none_there, 2).to_vector<double>(), std::vector<double>(12));
}

}  // namespace
}  // namespace cupyxx
