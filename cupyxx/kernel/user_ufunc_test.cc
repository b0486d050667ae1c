// SPDX-License-Identifier: MIT
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "cupyxx/creation.h"
#include "cupyxx/error.h"
#include "cupyxx/functional.h"
#include "cupyxx/manipulation.h"
#include "cupyxx/math.h"
#include "cupyxx/testing/devices.h"
#include "cupyxx/testing/expect.h"

namespace cupyxx {
namespace {

using testing::expect_array_equal;
using testing::expect_elements;
using testing::expect_error;

class UserUfunc : public testing::DeviceTest {};

const user_ufunc& squared_diff() {
  static const user_ufunc f =
      create_ufunc("squared_diff", {"bb->b", "ii->i", "ee->e", "ff->f", "dd->d"},
                   "out0 = (in0 - in1) * (in0 - in1)", {.doc = "The square of the difference."});
  return f;
}

// floor and remainder of a division, for positive numbers.
const user_ufunc& parts() {
  static const user_ufunc f("parts", 2, 2,
                            {{"ii->ii", "out0 = in0 / in1; out1 = in0 % in1"},
                             {"dd->dd", "out0 = whole(in0 / in1); out1 = in0 - out0 * in1"}},
                            {.preamble = "__device__ double whole(double x) { return floor(x); }"});
  return f;
}

TEST_P(UserUfunc, KnowsWhatItIs) {
  const user_ufunc& f = parts();
  EXPECT_EQ(f.name(), "parts");
  EXPECT_EQ(f.nin(), 2);
  EXPECT_EQ(f.nout(), 2);
  EXPECT_EQ(f.nargs(), 4);
  EXPECT_EQ(f.types(), (std::vector<std::string>{"ii->ii", "dd->dd"}));
  EXPECT_EQ(squared_diff().doc(), "The square of the difference.");
}

// As numpy.add would with these loops.
TEST_P(UserUfunc, ChoosesTheFirstLoopThatFits) {
  // Of no elements: nothing is compiled.
  const auto type_of = [](const ndarray& a) { return a.dtype(); };
  const user_ufunc& f = squared_diff();
  const ndarray small = ones({0}, int8), whole = ones({0}, int32), wide = ones({0}, int64);
  const ndarray half = ones({0}, float16), single = ones({0}, float32);
  EXPECT_EQ(type_of(f(small, small)), int8);
  EXPECT_EQ(type_of(f(small, whole)), int32);
  EXPECT_EQ(type_of(f(wide, wide)), float64);
  EXPECT_EQ(type_of(f(half, small)), float16);
  EXPECT_EQ(type_of(f(half, single)), float32);
  EXPECT_EQ(type_of(f(whole, single)), float64);
  EXPECT_EQ(type_of(f(ones({0}, bool_), small)), int8);
  // C++ numbers are weak.
  EXPECT_EQ(type_of(f(single, 2)), float32);
  EXPECT_EQ(type_of(f(single, 2.5)), float32);
  EXPECT_EQ(type_of(f(2.5, half)), float16);
  EXPECT_EQ(type_of(f(small, 2)), int8);
  EXPECT_EQ(type_of(f(small, 2.5)), float64);
  expect_error<DtypeError>([&] { f(zeros({0}, complex64), single); },
                           "squared_diff: no loop for complex64 and float32");
}

TEST_P(UserUfunc, BroadcastsAnyLayout) {
  const ndarray a = arange(6, float32).reshape({2, 3}), b = arange(3, float32);
  expect_elements<float>(squared_diff()(a, b), {2, 3}, {0, 0, 0, 9, 9, 9});
  expect_elements<float>(squared_diff()(a.T(), 1), {3, 2}, {1, 4, 0, 9, 1, 16});
  EXPECT_EQ(squared_diff()(3, 1).item<int>(), 4);
  EXPECT_EQ(squared_diff()(zeros({0, 3}), b).shape(), (Shape{0, 3}));
  const ndarray large = arange(100000, float64);
  expect_array_equal(squared_diff()(large, 1.0), square(large - 1));
  expect_error<ShapeError>([&] { squared_diff()(a, arange(2, float32)); }, "squared_diff: ");
}

TEST_P(UserUfunc, OptionsAreThoseOfUfuncs) {
  const ndarray a = arange(4, float32), b = full({4}, 2, float32);
  const ndarray out = full({4}, -1, float32);
  const ndarray back = squared_diff()(a, b, {.out = out});
  EXPECT_EQ(back.data(), out.data());
  expect_elements<float>(out, {4}, {4, 1, 0, 1});
  // Another dtype by the casting rule.
  const ndarray narrow = zeros({4}, float16), whole = zeros({4}, int32);
  squared_diff()(a, b, {.out = narrow});
  expect_elements<float>(narrow.astype(float32), {4}, {4, 1, 0, 1});
  expect_error<DtypeError>(
      [&] { squared_diff()(a, b, {.out = whole}); },
      "squared_diff: cannot cast the result from float32 to int32 with casting "
      "rule 'same_kind'");
  squared_diff()(a, b, {.out = whole, .casting = Casting::unsafe});
  expect_elements<int>(whole, {4}, {4, 1, 0, 1});
  // The loop by its result.
  EXPECT_EQ(squared_diff()(a, b, {.dtype = float64}).dtype(), float64);
  EXPECT_EQ(squared_diff()(arange(3, float64), 1, {.dtype = float32}).dtype(), float32);
  expect_error<DtypeError>([&] { squared_diff()(a, b, {.dtype = int64}); },
                           "squared_diff: no loop for float32 and float32 that gives int64");
  // A mask.
  const ndarray mask = array({true, false, true, false});
  const ndarray kept = full({4}, 9, float32);
  squared_diff()(a, b, {.out = kept, .where = mask});
  expect_elements<float>(kept, {4}, {4, 9, 0, 9});
  expect_elements<float>(squared_diff()(a, b, {.where = mask}), {4}, {4, 0, 0, 0});
  // An input may be the output.
  const ndarray turned = arange(4, float32);
  squared_diff()(turned(slice(none, none, -1)), 0, {.out = turned});
  expect_elements<float>(turned, {4}, {9, 4, 1, 0});
  expect_error<ShapeError>(
      [&] {
        squared_diff()(a, b, {.out = zeros({2, 4}, float32)});
      },
      "squared_diff: out has shape (2, 4), the result (4,)");
  expect_error<ValueError>(
      [&] { squared_diff()(a, b, {.out = broadcast_to(zeros({1}, float32), {4})}); },
      "is read-only");
}

TEST_P(UserUfunc, GivesSeveralResults) {
  const std::vector<ndarray> whole = parts().call_all(array({7, 9}, int32), 4);
  ASSERT_EQ(whole.size(), 2u);
  expect_elements<int>(whole[0], {2}, {1, 2});
  expect_elements<int>(whole[1], {2}, {3, 1});
  const std::vector<ndarray> real = parts().call_all(array({7.5, 9.25}), 4);
  expect_elements<double>(real[0], {2}, {1, 2});
  expect_elements<double>(real[1], {2}, {3.5, 1.25});
  EXPECT_THROW(parts()(array({7, 9}, int32), 4), TypeError);  // the second would be lost
  EXPECT_THROW(parts()(array({7, 9}, int32), 4, UfuncOptions{}), TypeError);
  const ndarray second = zeros({2}, float32);
  const ndarray dividends = array({7.5, 9.25});
  const Operand x(dividends), y(4);
  const Operand* const inputs[] = {&x, &y};
  const ndarray out[] = {ndarray(), second};
  const std::vector<ndarray> results = parts().call(inputs, out, {});
  EXPECT_EQ(results[1].data(), second.data());
  expect_elements<float>(second, {2}, {3.5, 1.25});
}

TEST_P(UserUfunc, TextsSeeTheirTypes) {
  const user_ufunc f = create_ufunc("bytes", {"?->l", "b->l", "f->l", "D->l"},
                                    "out0_type n = sizeof(in0_type); out0 = n");
  EXPECT_EQ(f(ones({}, bool_)).item<int>(), 1);
  EXPECT_EQ(f(ones({}, int8)).item<int>(), 1);
  EXPECT_EQ(f(ones({}, float32)).item<int>(), 4);
  EXPECT_EQ(f(ones({}, complex128)).item<int>(), 16);
  const user_ufunc number("number", 1, 1, {{"d->d", "out0 = in0 + i"}});
  const ndarray turned = zeros({2, 3}).T();
  expect_elements<double>(number(turned), {3, 2}, {0, 1, 2, 3, 4, 5});
}

TEST_P(UserUfunc, ThreeInputsAndMixedTypes) {
  const user_ufunc blend = create_ufunc("blend", {"?ff->f", "?dd->d"}, "out0 = in0 ? in1 : in2");
  const ndarray mask = array({true, false, true}), x = arange(3, float32);
  expect_elements<float>(blend(mask, x, -1), {3}, {0, -1, 2});
  const ndarray out = zeros({3}, float64);
  blend(mask, x, -1, {.out = out});
  expect_elements<double>(out, {3}, {0, -1, 2});
}

TEST_P(UserUfunc, WrongCallsAndSpecificationsAreNamed) {
  const ndarray x = ones({2}), nothing;
  expect_error<TypeError>([&] { squared_diff()(x); }, "squared_diff: expected 2 inputs, given 1");
  expect_error<TypeError>([&] { squared_diff()(x, nothing); }, "squared_diff: argument 1 is None");
  expect_error<TypeError>([&] { squared_diff()(none, x); }, "squared_diff: argument 0 is None");
  expect_error<ValueError>([] { user_ufunc("f", 1, 1, {}); }, "f: there is no loop");
  expect_error<ValueError>([] { create_ufunc("f", {"f->f"}); }, "f: the loop 'f->f' has no text");
  expect_error<ValueError>([] { create_ufunc("f", {"ff"}, "out0 = in0"); },
                           "f: a signature has a '->'; 'ff'");
  expect_error<ValueError>(
      [] {
        create_ufunc("f", {"f->f", "dd->d"}, "out0 = in0");
      },
      "f: a signature is a dtype code for each of the 1 inputs, '->' and one for each of the 1 "
      "results; 'dd->d'");
  expect_error<ValueError>(
      [] {
        user_ufunc("f", 4, 1, {{"ffff->f", "out0 = in0"}});
      },
      "f: a ufunc has 1 to 3 inputs and 1 or 2 results; nin 4, nout 1");
  expect_error<ValueError>([] { create_ufunc("two words", {"f->f"}, "out0 = in0"); },
                           "the name 'two words' is not an identifier");
  expect_error<TypeError>([] { create_ufunc("f", {"x->f"}, "out0 = in0"); }, "x");
  const user_ufunc broken = create_ufunc("broken", {"d->d"}, "out0 = nonsense");
  expect_error<CompileError>([&] { broken(x); }, "broken: the source does not compile");
}

CUPYXX_TEST_ON_DEVICES(UserUfunc);

}  // namespace
}  // namespace cupyxx
