// SPDX-License-Identifier: MIT
// Kernels of literal texts run as those of strings do; wrong ones do not compile.
#include "cupyxx/literal_kernel.h"

#include <gtest/gtest.h>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace cupyxx {
namespace {

using testing::expect_array_equal;
using testing::expect_elements;

class LiteralKernelTest : public testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(LiteralKernelTest);

TEST_P(LiteralKernelTest, RunsAsTheStringFormDoes) {
  const auto literal = elementwise_kernel<"T x, raw float32 y, int32 k", "T z, bool w",
                                          "T d = x - (T)y[i]; z = d * T(k); w = d > 0; // (">("d");
  const ElementwiseKernel text("T x, raw float32 y, int32 k", "T z, bool w",
                               "T d = x - (T)y[i]; z = d * T(k); w = d > 0; // (", "d");
  for (const dtype type : {float32, float64, int16}) {
    auto x = arange(6).astype(type);
    auto y = arange(6, 0, -1).astype(float32);
    const auto expected = text.call_all(x, y, 3);
    const auto found = literal.call_all(x, y, 3);
    expect_array_equal(found[0], expected[0]);
    expect_array_equal(found[1], expected[1]);
    EXPECT_THROW(literal(x, y, 3), TypeError);  // w would be lost
  }
  EXPECT_EQ(literal.name(), "d");
  const ElementwiseKernel& same = literal;
  EXPECT_EQ(same.name(), "d");
}

TEST_P(LiteralKernelTest, OutputsAndSizes) {
  const auto other = elementwise_kernel<"X x, Y y", "Z z", "z = x - y">("other");
  auto z = empty({3}, int64);
  other(array({5.0, 6.0, 7.0}), array({1, 2, 3}), z);
  expect_elements<int>(z, {3}, {4, 4, 4});
  const auto scatter = elementwise_kernel<"raw T x", "raw T z", "z[n - 1 - i] = x[i]">("scatter");
  auto target = zeros({3}, int64);
  scatter.sized(3, array({1, 2, 3}), target);
  expect_elements<int>(target, {3}, {3, 2, 1});
}

TEST_P(LiteralKernelTest, Reductions) {
  const auto l2norm =
      reduction_kernel<"T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0">("l2norm");
  auto x = arange(10).astype(float32).reshape({2, 5});
  testing::expect_allclose(l2norm(x, {.axis = 1}), array({5.47722578f, 15.96871948f}));
  const auto dot = reduction_kernel<"T x, T y", "T z", "x * y", "a + b", "z = a", "0">("dot");
  expect_elements<float>(dot.over({.axis = 1}, x, x), {2}, {30, 255});
}

// The two parsers agree on what is right.
template <FixedString kIn, FixedString kOut>
void expect_verdict(bool good) {
  using namespace internal::literal;
  constexpr List in = parse(kIn.view());
  constexpr List all = parse(kOut.view(), in);
  const bool literal =
      in.wrong == Wrong::nothing && all.wrong == Wrong::nothing && all.count != in.count;
  bool text = true;
  try {
    ElementwiseKernel(kIn.view(), kOut.view(), "z = 0", "verdict");
  } catch (const Error&) {
    text = false;
  }
  EXPECT_EQ(literal, good) << kIn.view() << " -> " << kOut.view();
  EXPECT_EQ(text, good) << kIn.view() << " -> " << kOut.view();
}

TEST(LiteralSpecification, AgreesWithTheStringForm) {
  expect_verdict<"T x, T y", "T z">(true);
  expect_verdict<" raw  T x ,float32   y", "\n raw bool z">(true);
  expect_verdict<"", "f4 z">(true);
  expect_verdict<"double x, <i8 y, bfloat16 w, half h", "T z">(true);
  expect_verdict<"T x", "">(false);
  expect_verdict<"T x,", "T z">(false);
  expect_verdict<"T", "T z">(false);
  expect_verdict<"T x y", "T z">(false);
  expect_verdict<"T n", "T z">(false);
  expect_verdict<"T _x", "T z">(false);
  expect_verdict<"T x", "T i">(false);
  expect_verdict<"T x", "T x">(false);
  expect_verdict<"T 2x", "T z">(false);
  expect_verdict<"float31 x", "T z">(false);
  expect_verdict<"complex64 x, c16 y", "T z">(true);
  expect_verdict<"float8_e4m3 x", "T z">(false);
  expect_verdict<"3 x", "T z">(false);
  expect_verdict<"f3 x", "T z">(false);
}

}  // namespace
}  // namespace cupyxx
