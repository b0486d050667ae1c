// SPDX-License-Identifier: MIT
// Users' kernels. Expected values were computed with NumPy.
#include "cupyxx/kernel.h"

#include <gtest/gtest.h>

#include "cupyxx/core/index.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace cupyxx {
namespace {

using testing::expect_elements;
using testing::expect_error;

class ElementwiseKernelTest : public testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(ElementwiseKernelTest);

const ElementwiseKernel& squared_diff() {
  static const auto& kernel = *new ElementwiseKernel("float32 x, float32 y", "float32 z",
                                                     "z = (x - y) * (x - y)", "squared_diff");
  return kernel;
}
const ElementwiseKernel& squared_diff_generic() {
  static const auto& kernel = *new ElementwiseKernel(
      "T x, T y", "T z", "T diff = x - y; z = diff * diff;", "squared_diff_generic");
  return kernel;
}
const ElementwiseKernel& add_reverse() {
  static const auto& kernel =
      *new ElementwiseKernel("T x, raw T y", "T z", "z = x + y[n - i - 1]", "add_reverse");
  return kernel;
}

TEST_P(ElementwiseKernelTest, BroadcastsArraysAndNumbers) {
  auto x = arange(10).astype(float32).reshape({2, 5});
  auto y = arange(5).astype(float32);
  auto z = squared_diff()(x, y);
  EXPECT_EQ(z.dtype(), float32);
  expect_elements<float>(z, {2, 5}, {0, 0, 0, 0, 0, 25, 25, 25, 25, 25});
  expect_elements<float>(squared_diff()(x, 5), {2, 5}, {25, 16, 9, 4, 1, 0, 1, 4, 9, 16});
  expect_elements<float>(squared_diff()(5, 2.5), {}, {6.25});
}

TEST_P(ElementwiseKernelTest, TakesComplexElementsAndNumbers) {
  using Z = complex<double>;
  const auto z = squared_diff_generic()(array({Z(1, 2), Z(3)}), Z(1));
  EXPECT_EQ(z.to_vector<Z>(), (std::vector<Z>{{-4, 0}, {4, 0}}));
  const auto single = squared_diff_generic()(array({complex<float>(0, 1)}), 1);
  EXPECT_EQ(single.dtype(), complex64);
  EXPECT_EQ(single.item<Z>(), Z(0, -2));
}

TEST_P(ElementwiseKernelTest, WritesIntoGivenOutputs) {
  auto x = arange(10).astype(float32).reshape({2, 5});
  auto y = arange(5).astype(float32);
  auto z = empty({2, 5}, float32);
  const auto before = z.version();
  auto result = squared_diff()(x, y, z);
  EXPECT_TRUE(result.shares_memory(z));
  EXPECT_GT(z.version(), before);
  expect_elements<float>(z, {2, 5}, {0, 0, 0, 0, 0, 25, 25, 25, 25, 25});
  // A None output is made.
  expect_elements<float>(squared_diff()(x(0), y, none), {5}, {0, 0, 0, 0, 0});
}

TEST_P(ElementwiseKernelTest, PlaceholdersTakeTheTypeOfTheArguments) {
  for (const dtype type : {int8, uint16, int64, float16, float32, float64}) {
    auto x = arange(6).astype(type);
    auto z = squared_diff_generic()(x, 2);
    EXPECT_EQ(z.dtype(), type);
    expect_elements<double>(z, {6}, {4, 1, 0, 1, 4, 9});
  }
  auto mixed = squared_diff_generic()(arange(3), array({0.5, 0.5, 0.5}));
  EXPECT_EQ(mixed.dtype(), float64);
  expect_elements<double>(mixed, {3}, {0.25, 0.25, 2.25});
  auto wide = squared_diff_generic()(arange(3), 0.5);
  EXPECT_EQ(wide.dtype(), float64);
  // The output decides first.
  auto out = empty({3}, float64);
  squared_diff_generic()(array({1.0f, 2.0f, 3.0f}), 0.5, out);
  expect_elements<double>(out, {3}, {0.25, 2.25, 6.25});
}

TEST_P(ElementwiseKernelTest, SeveralPlaceholdersAndOutputs) {
  const ElementwiseKernel divide("X x, Y y", "X q, Y r", "q = x / y; r = x % y", "divide");
  const auto results =
      divide.call_all(array({7, 8, 9}).astype(int64), array({2, 3, 4}).astype(int32));
  ASSERT_EQ(results.size(), 2u);
  EXPECT_EQ(results[0].dtype(), int64);
  EXPECT_EQ(results[1].dtype(), int32);
  expect_elements<int>(results[0], {3}, {3, 2, 2});
  expect_elements<int>(results[1], {3}, {1, 2, 1});
}

TEST_P(ElementwiseKernelTest, NoOutputIsLost) {
  const ElementwiseKernel both("T x", "T a, T b", "a = x + 1; b = x * 2", "both");
  const std::string text =
      "both: the kernel has 2 outputs; call_all(...) returns them, or give them behind the inputs";
  expect_error<TypeError>([&] { both(arange(2)); }, text);
  expect_error<TypeError>([&] { both({arange(2)}, {}); }, text);
  auto a = empty({2}, int64), b = empty({2}, int64);
  expect_elements<int>(both(arange(2), a, b), {2}, {1, 2});
  expect_elements<int>(b, {2}, {0, 2});
}

TEST_P(ElementwiseKernelTest, ViewsOfAnyStrides) {
  auto x = arange(24).astype(float32).reshape({2, 3, 4});
  auto y = x(slice(none, none, -1), ellipsis, slice(none, none, 2));  // (2, 3, 2)
  expect_elements<float>(squared_diff()(y, 1), {2, 3, 2},
                         {121, 169, 225, 289, 361, 441, 1, 1, 9, 25, 49, 81});
  expect_elements<float>(squared_diff()(x(0).T(), 0), {4, 3},
                         {0, 16, 64, 1, 25, 81, 4, 36, 100, 9, 49, 121});
  auto target = zeros({2, 4}, float32);
  squared_diff()(array({1.0f, 2.0f}), 0, target(slice(), 1));
  expect_elements<float>(target, {2, 4}, {0, 1, 0, 0, 0, 4, 0, 0});
  // Six axes that do not merge.
  auto six = arange(64).astype(float32).reshape({2, 2, 2, 2, 2, 2});
  auto turned = six.transpose();
  EXPECT_EQ((squared_diff()(six, turned)(1, 0, 0, 0, 0, 0).item<float>()), 961);
}

TEST_P(ElementwiseKernelTest, LargeArraysInEveryLayout) {
  const std::int64_t size = 300007;
  auto x = arange(2 * size).astype(float32);
  auto z = squared_diff()(x(slice(none, none, 2)), x(slice(none, size)));
  auto expected = arange(size).astype(float32);
  testing::expect_array_equal(z, expected * expected);
  auto off = squared_diff()(x(slice(1, size)), x(slice(none, size - 1)));  // not aligned
  testing::expect_array_equal(off, ones({size - 1}, float32));
  // Threads may begin in the middle of a row.
  const ElementwiseKernel numbered("T x", "int64 z", "z = x * n + i", "numbered");
  auto turned = numbered(arange(700 * 500).reshape({500, 700}).T());
  testing::expect_array_equal(turned, arange(700 * 500).reshape({500, 700}).T() * 350000 +
                                          arange(700 * 500).reshape({700, 500}));
}

TEST_P(ElementwiseKernelTest, RawArgumentsAreIndexedFreely) {
  auto x = array({1, 2, 3, 4, 5, 6});
  auto y = array({10, 20, 30, 40, 50, 60});
  expect_elements<int>(add_reverse()(x, y), {6}, {61, 52, 43, 34, 25, 16});
  // Of any shape and strides.
  auto turned = y.reshape({2, 3}).T();  // 10 40 20 50 30 60
  expect_elements<int>(add_reverse()(x, turned), {6}, {61, 32, 53, 24, 45, 16});
  // `i` counts in C order whatever the layout of the other arguments.
  auto f = x.reshape({3, 2}).T();  // 1 3 5, 2 4 6
  expect_elements<int>(add_reverse()(f, y), {2, 3}, {61, 53, 45, 32, 24, 16});
  const ElementwiseKernel pick("raw T y", "T z", "z = y(i, y.shape(1) - 1) + y.ndim() + y.size()",
                               "pick");
  expect_elements<int>(pick({turned}, {.size = 3}), {3}, {48, 58, 68});
}

TEST_P(ElementwiseKernelTest, AllRawNeedsTheSize) {
  const ElementwiseKernel scatter("raw T x, raw int64 at", "raw T z", "z[at[i]] = x[i]", "scatter");
  auto z = zeros({4}, float32);
  scatter({array({1.0f, 2.0f, 3.0f}), array({3, 0, 2}), z}, {.size = 3});
  expect_elements<float>(z, {4}, {2, 0, 3, 1});
  expect_error<ValueError>([&] { scatter(z, array({1}), z); },
                           "scatter: all arguments are raw; give the size");
  expect_error<ValueError>(
      [&] {
        squared_diff()({z, z}, {.size = 4});
      },
      "squared_diff: size is for calls whose arrays are all raw");
}

TEST_P(ElementwiseKernelTest, OutputsHoldTheirOldValues) {
  const ElementwiseKernel step("T grad", "T param, T m",
                               "m += (grad - m) * (T)0.5; param -= m; if (param < 0) param = 0;",
                               "step");
  auto grad = array({1.0, 2.0, -4.0});
  auto param = array({1.0, 0.5, 1.0});
  auto m = array({0.0, 0.0, 2.0});
  step(grad, param, m);
  expect_elements<double>(m, {3}, {0.5, 1, -1});
  expect_elements<double>(param, {3}, {0.5, 0, 2});
  auto h = arange(4).astype(float16);
  const ElementwiseKernel twice("", "T x", "x += x", "twice");
  twice(h);
  expect_elements<float>(h, {4}, {0, 2, 4, 6});
}

TEST_P(ElementwiseKernelTest, OverlappingInputsAreCopied) {
  auto a = arange(6).astype(float32);
  squared_diff()(a(slice(none, -1)), 0, a(slice(1, none)));
  expect_elements<float>(a, {6}, {0, 0, 1, 4, 9, 16});
}

TEST_P(ElementwiseKernelTest, EmptyAndZeroDimensional) {
  EXPECT_EQ(squared_diff()(zeros({0, 3}, float32), 1).shape(), (Shape{0, 3}));
  expect_elements<float>(squared_diff()(array({3.0f})(0), array({1.0f})(0)), {}, {4});
}

TEST_P(ElementwiseKernelTest, PreambleLoopPrepAndAfterLoop) {
  const ElementwiseKernel kernel(
      "T x, raw T table", "T z", "z = scaled(x) + first", "scaled_sum",
      {.preamble = "template <class U> __device__ U scaled(U x) { return 3 * x; }",
       .loop_prep = "const T first = table[0];",
       .after_loop = "(void)first;"});
  expect_elements<int>(kernel(array({1, 2, 3}), array({100, 7})), {3}, {103, 106, 109});
  expect_elements<int>(kernel(array({1, 2, 3, 4}).reshape({2, 2}).T(), array({100})), {2, 2},
                       {103, 109, 106, 112});
  const ElementwiseKernel kept("T x, T y", "T z", "z = x * y", "kept", {.reduce_dims = false});
  expect_elements<int>(kept(arange(4).reshape({1, 2, 2}), 2), {1, 2, 2}, {0, 2, 4, 6});
}

TEST_P(ElementwiseKernelTest, OptionsReachBothCompilers) {
  const ElementwiseKernel kernel(
      "T x", "T z", "z = x * FACTOR", "defined",
      {.options = {"-DFACTOR=3", "--use_fast_math", "--fmad=true", "-lineinfo"}});
  expect_elements<float>(kernel(array({1.0f, 2.0f})), {2}, {3, 6});
  const ReductionKernel total("T x", "T y", "x * FACTOR", "a + b", "y = a", "0", "defined_total",
                              {.options = {"-DFACTOR=2"}});
  expect_elements<float>(total(array({1.0f, 2.0f})), {}, {6});
}

TEST_P(ElementwiseKernelTest, NoElementsAndNoAxes) {
  EXPECT_EQ(squared_diff()(zeros({0}, float32), 1).shape(), (Shape{0}));
  EXPECT_EQ(squared_diff()(zeros({3, 0}, float32), zeros({1}, float32)).shape(), (Shape{3, 0}));
  const auto out = zeros({2, 0}, float32);
  EXPECT_TRUE(squared_diff()(zeros({0}, float32), 1, out).shares_memory(out));
  expect_elements<float>(squared_diff()(array(5.0f, float32), array(2.0f, float32)), {}, {9});
  const ElementwiseKernel none_at_all("raw T x", "raw T z", "z[i] = x[i]", "none_at_all");
  auto z = zeros({2}, float32);
  none_at_all({zeros({2}, float32), z}, {.size = 0});
  expect_elements<float>(z, {2}, {0, 0});
}

TEST_P(ElementwiseKernelTest, RawArgumentsKnowTheirLayout) {
  const ElementwiseKernel layout("raw T y, raw T x", "int64 z",
                                 "z = y.shape()[0] * 1000 + y.shape()[1] * 100 + y.strides()[0] + "
                                 "x.ndim() + x.size()",
                                 "layout");
  auto y = zeros({2, 3}, int32);
  expect_elements<int>(layout({y, array(7).astype(int32)}, {.size = 1}), {1}, {2313});
  expect_elements<int>(layout({y.T(), array(7).astype(int32)}, {.size = 1}), {1}, {3205});
}

TEST_P(ElementwiseKernelTest, AtomicsAndIntrinsics) {
  const ElementwiseKernel histogram("int32 bin", "raw int32 count",
                                    "atomicAdd(&count[bin], 1); atomicMax(&count[4], bin)",
                                    "histogram");
  auto count = zeros({5}, int32);
  histogram(arange(1000).astype(int32) % 4, count);
  expect_elements<int>(count, {5}, {250, 250, 250, 250, 3});
  const ElementwiseKernel intrinsics("float32 x", "float32 z",
                                     "z = __fdividef(x, 2.0f) + rcbrt(8.0f) + __saturatef(x)",
                                     "intrinsics");
  expect_elements<float>(intrinsics(array({4.0f})), {1}, {3.5});
}

TEST_P(ElementwiseKernelTest, NamesOfTheGeneratorAreFree) {
  const ElementwiseKernel kernel("U u, V e, U args, V base, U rest", "U p0, V j",
                                 "U o0 = u + args; p0 = o0 + rest; j = e * base", "kernel");
  for (const bool strided : {false, true}) {
    auto u = arange(4).reshape({2, 2});
    if (strided) u = u.T();
    const auto out = kernel.call_all(u, u.astype(float32), 10, 2, u);
    expect_elements<int>(out[0], {2, 2},
                         strided ? std::vector{10, 14, 12, 16} : std::vector{10, 12, 14, 16});
    expect_elements<float>(
        out[1], {2, 2}, strided ? std::vector<float>{0, 4, 2, 6} : std::vector<float>{0, 2, 4, 6});
  }
}

TEST_P(ElementwiseKernelTest, MathematicsOfBothCompilers) {
  const ElementwiseKernel kernel("T x", "T z", "z = sqrt(x) + max(x, T(2)) + rsqrt(x) + exp(x - x)",
                                 "formula");
  expect_elements<double>(kernel(array({4.0, 1.0})), {2}, {7.5, 5});
  expect_elements<float>(kernel(array({4.0f, 1.0f})), {2}, {7.5, 5});
}

TEST_P(ElementwiseKernelTest, BoolOutputs) {
  const ElementwiseKernel greater("T x, T y", "bool z", "z = x > y", "greater");
  auto z = greater(arange(4), 1);
  EXPECT_EQ(z.dtype(), bool_);
  expect_elements<int>(z, {4}, {0, 0, 1, 1});
}

class ReductionKernelTest : public testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(ReductionKernelTest);

const ReductionKernel& l2norm() {
  static const auto& kernel =
      *new ReductionKernel("T x", "T y", "x * x", "a + b", "y = sqrt(a)", "0", "l2norm");
  return kernel;
}

TEST_P(ReductionKernelTest, ReducesOverAxes) {
  auto x = arange(10).astype(float32).reshape({2, 5});
  testing::expect_allclose(l2norm()(x, {.axis = 1}), array({5.47722578f, 15.96871948f}));
  testing::expect_allclose(l2norm()(x, {.axis = 0}),
                           array({5.0f, 6.08276272f, 7.28010988f, 8.54400349f, 9.8488574f}));
  testing::expect_allclose(l2norm()(x), array({16.88194275f})(0));
  EXPECT_EQ(l2norm()(x, {.axis = 1, .keepdims = true}).shape(), (Shape{2, 1}));
  EXPECT_EQ(l2norm()(x, {.axis = {0, 1}, .keepdims = true}).shape(), (Shape{1, 1}));
  auto out = empty({2}, float32);
  auto result = l2norm()(x, {.axis = -1, .out = out});
  EXPECT_TRUE(result.shares_memory(out));
  testing::expect_allclose(out, array({5.47722578f, 15.96871948f}));
}

TEST_P(ReductionKernelTest, AxesOfEveryStride) {
  const ReductionKernel sum("T x", "T y", "x", "a + b", "y = a", "0", "total");
  auto x = arange(24).reshape({2, 3, 4});
  expect_elements<int>(sum(x.transpose({2, 0, 1}), {.axis = 1}), {4, 3},
                       {12, 20, 28, 14, 22, 30, 16, 24, 32, 18, 26, 34});
  expect_elements<int>(
      sum(x(slice(none, none, -1), ellipsis, slice(none, none, 2)), {.axis = {0, 2}}), {3},
      {28, 44, 60});
  // More elements than threads of a block, and more results than one.
  auto large = arange(30000).reshape({3, 10000});
  expect_elements<std::int64_t>(sum(large, {.axis = 1}), {3}, {49995000, 149995000, 249995000});
  EXPECT_EQ(sum(large, {.axis = 0}).to_vector<std::int64_t>()[9999], 59997);
  EXPECT_EQ(sum(large).item<std::int64_t>(), 449985000);
}

TEST_P(ReductionKernelTest, SeveralInputsNumbersAndTypes) {
  const ReductionKernel dot("T a, T b, float64 scale", "T y", "a * b * scale", "a + b", "y = a",
                            "0", "scaled_dot", {.reduce_type = "double"});
  auto x = arange(6).astype(float32).reshape({2, 3});
  expect_elements<float>(dot({x, array({1.0f, 2.0f, 3.0f}), 0.5}, {.axis = 1}), {2}, {4, 13});
  const ReductionKernel extremes(
      "T x", "T low, T high, int64 count", "Both{x, x}",
      "Both{min(a.low, b.low), max(a.high, b.high)}", "low = a.low; high = a.high; count = n", "",
      "extremes", {.reduce_type = "Both", .preamble = "struct Both { T low, high; };"});
  const auto both = extremes.call_all({array({3, -1, 4, 1})});
  ASSERT_EQ(both.size(), 3u);
  EXPECT_EQ(both[0].item<int>(), -1);
  EXPECT_EQ(both[1].item<int>(), 4);
  EXPECT_EQ(both[2].item<int>(), 4);
}

TEST_P(ReductionKernelTest, ElementsAreNumberedInCOrder) {
  const ReductionKernel numbers("T x, raw T w", "T y", "w[i]", "a + b", "y = a + 100 * i", "0",
                                "numbers");
  auto w = arange(6);
  auto x = zeros({3, 2}, int64);
  expect_elements<int>(numbers({x, w}, {.axis = 0}), {2}, {6, 109});
  expect_elements<int>(numbers({x.reshape({2, 3}).T(), w}), {}, {15});
  expect_error<ValueError>(
      [&] {
        numbers({x, w}, {.axis = 1});
      },
      "numbers: raw arguments need the reduced axes to be the first ones");
}

TEST_P(ReductionKernelTest, NoElements) {
  EXPECT_EQ(l2norm()(zeros({0, 3}), {.axis = 1}).shape(), (Shape{0}));
  expect_elements<double>(l2norm()(zeros({0, 3}), {.axis = 0}), {3}, {0, 0, 0});
  const ReductionKernel largest("T x", "T y", "x", "max(a, b)", "y = a", "", "largest");
  expect_elements<double>(largest(array({-2.0, -1.0, -3.0})), {}, {-1});
  expect_error<ValueError>(
      [&] {
        largest(zeros({2, 0}), {.axis = 1});
      },
      "largest: no elements to reduce and no identity; the shape is (2, 0)");
}

TEST_P(ReductionKernelTest, WrongCalls) {
  auto x = zeros({2, 3});
  expect_error<AxisError>([&] { l2norm()(x, {.axis = 2}); }, "l2norm");
  expect_error<TypeError>(
      [&] {
        l2norm()({x, x, x});
      },
      "l2norm: expected 1 arguments, or 2 with outputs; given 3");
  expect_error<ShapeError>([&] { l2norm()(x, {.axis = 0, .out = zeros({2})}); },
                           "l2norm: argument y: expected shape (3,), given (2,)");
  expect_error<TypeError>(
      [&] {
        l2norm()({x, zeros({3})}, {.axis = 0, .out = zeros({3})});
      },
      "l2norm: out is given twice");
  expect_error<ValueError>([&] { ReductionKernel("T x", "raw T y", "x", "a", "", "0", "bad"); },
                           "bad: out_params: 'y' is raw");
  expect_error<ValueError>([&] { ReductionKernel("T x", "T a", "x", "a", "", "0", "bad"); },
                           "bad: out_params: the name 'a' is reserved");
  const ReductionKernel raw("raw T x", "T y", "0", "a + b", "y = a", "0", "all_raw");
  expect_error<ValueError>([&] { raw(x); }, "all_raw: all inputs are raw; one must give the shape");
}

TEST(ElementwiseKernelErrors, WrongSpecifications) {
  const auto make = [](const char* in, const char* out, const char* name = "bad") {
    return [=] { ElementwiseKernel(in, out, "", name); };
  };
  expect_error<ValueError>(make("T n", "T z"), "bad: in_params: the name 'n' is reserved");
  expect_error<ValueError>(make("T x", "T i"), "bad: out_params: the name 'i' is reserved");
  expect_error<ValueError>(make("T _x", "T z"), "the name '_x' is reserved");
  expect_error<ValueError>(make("T x, T x", "T z"), "bad: in_params: the name 'x' is used twice");
  expect_error<ValueError>(make("T x", "T x"), "bad: out_params: the name 'x' is used twice");
  expect_error<ValueError>(make("T x y", "T z"),
                           "expected 'type name' or 'raw type name'; found 'T x y'");
  expect_error<ValueError>(make("T x,", "T z"), "found ''");
  expect_error<ValueError>(make("T 2x", "T z"), "bad: in_params: '2x' is not a name");
  expect_error<ValueError>(make("T x", ""), "bad: out_params: no output");
  expect_error<ValueError>(make("T x", "T z", "a b"), "the name 'a b' is not an identifier");
  expect_error<TypeError>(make("float31 x", "T z"),
                          "bad: in_params: unknown type 'float31'; expected a NumPy dtype name");
  expect_error<TypeError>(make("float8_e4m3 x", "T z"), "kernels have no type float8_e4m3");
  expect_error<TypeError>(make("3 x", "T z"), "'3' is no placeholder");
}

TEST_P(ElementwiseKernelTest, WrongCalls) {
  auto x = zeros({3}, float32);
  expect_error<TypeError>([&] { squared_diff()(x); },
                          "squared_diff: expected 2 arguments, or 3 with outputs; given 1");
  expect_error<TypeError>([&] { squared_diff()(x, none); }, "squared_diff: argument y is None");
  expect_error<DtypeError>([&] { squared_diff()(zeros({3}, float64), x); },
                           "squared_diff: argument x: expected float32, given float64");
  expect_error<DtypeError>([&] { squared_diff()(x, x, zeros({3}, float64)); },
                           "squared_diff: argument z: expected float32, given float64");
  expect_error<TypeError>([&] { squared_diff()(x, x, 1); },
                          "squared_diff: argument z is an output: expected an array");
  expect_error<ShapeError>([&] { squared_diff()(x, x, zeros({1}, float32)); },
                           "squared_diff: argument z: expected shape (3,), given (1,)");
  expect_error<ShapeError>([&] { squared_diff()(x, zeros({2}, float32)); }, "squared_diff");
  expect_error<ValueError>([&] { squared_diff()(x, x, broadcast_to(zeros({1}, float32), {3})); },
                           "squared_diff: argument z is read-only");
  expect_error<TypeError>([&] { add_reverse()(x, 1.0f); },
                          "add_reverse: argument y is raw: expected an array, given a number");
  expect_error<DtypeError>([&] { add_reverse()(x, zeros({3}, int8)); },
                           "add_reverse: argument y: expected float32, given int8");
  const ElementwiseKernel super("X x, Y y", "Z z", "z = x - y", "super_generic");
  expect_error<ValueError>([&] { super(x, x); },
                           "super_generic: argument z: type Z cannot be determined from the "
                           "inputs; give the output");
  const ElementwiseKernel whole("int8 x", "int8 z", "z = x", "whole");
  expect_error<DtypeError>([&] { whole(1.5); },
                           "whole: argument x: expected int8, given the number 1.5");
  expect_error<OverflowError>([&] { whole(300); }, "whole: argument x");
}

TEST_P(ElementwiseKernelTest, TextsThatDoNotCompile) {
  const ElementwiseKernel broken("T x", "T z", "z = nonsense(x)", "broken");
  expect_error<CompileError>([&] { broken(zeros({2})); }, "broken: the source does not compile");
  expect_error<CompileError>([&] { broken(zeros({2})); }, "nonsense");
  // Ten lines around the first error instead of everything.
  std::string filler;
  for (int line = 0; line < 60; ++line) filler += "// line " + std::to_string(line) + " of many\n";
  const ElementwiseKernel late("T x", "T z", "z = x", "late",
                               {.preamble = filler + "int wrong = nonsense;\n" + filler});
  try {
    late(zeros({2}));
    ADD_FAILURE() << "late compiles";
  } catch (const CompileError& error) {
    const std::string text = error.what();
    EXPECT_NE(text.find(" | int wrong = nonsense;\n"), std::string::npos) << text;
    EXPECT_NE(text.find(" | // line 59 of many\n"), std::string::npos) << text;
    EXPECT_EQ(text.find("// line 50 of many"), std::string::npos) << text;
    int shown = 0;
    for (std::size_t at = text.find(" | // line"); at != std::string::npos; ++shown) {
      at = text.find(" | // line", at + 1);
    }
    EXPECT_EQ(shown, 9);
  }
}

// CuPy's own preambles do so.
TEST_P(ElementwiseKernelTest, PreamblesMayRepeatStandardTypedefs) {
  const ElementwiseKernel own("int64 x", "int64 z", "int64_t y = twice(x); z = y + bits", "own",
                              {.preamble = "// typedef char uint8_t;\n"
                                           "typedef unsigned int uint32_t;\n"
                                           "typedef long long int int64_t; typedef signed char "
                                           "int8_t;\n"
                                           "using uint64_t = unsigned long long;\n"
                                           "__device__ int64_t twice(int64_t x) { return 2 * x; }\n"
                                           "const uint64_t bits = 8 * sizeof(uint32_t);\n"});
  expect_elements<std::int64_t>(own(arange(3)), {3}, {32, 34, 36});
  const ReductionKernel reduction("T x", "T y", "x", "a + b", "y = (int64_t)a", "0", "own_sum",
                                  {.preamble = "typedef long long int64_t, intptr_t;\n"});
  expect_elements<std::int64_t>(reduction(arange(4)), {}, {6});
}

// Arguments that are None, and outputs that are not.
TEST_P(ElementwiseKernelTest, SayWhichArgumentIsNone) {
  const ndarray nothing, x = arange(3, float32);
  expect_error<TypeError>([&] { squared_diff()(nothing, x); }, "squared_diff: argument x is None");
  expect_error<TypeError>([&] { add_reverse()(x, nothing); }, "add_reverse: argument y is None");
  const ReductionKernel total("T x, T w", "T y", "x * w", "a + b", "y = a", "0", "total");
  expect_error<TypeError>([&] { total({x, nothing}); }, "total: argument w is None");
  expect_error<TypeError>([&] { total({nothing, x}, {.axis = 0}); }, "total: argument x is None");
  EXPECT_EQ(total({x, x, nothing}).item<float>(), 5.0f);  // an output that is None is made
}

}  // namespace
}  // namespace cupyxx
