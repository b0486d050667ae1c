// SPDX-License-Identifier: MIT
#include "cupyxx/ndarray.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iterator>
#include <limits>
#include <span>
#include <sstream>
#include <type_traits>
#include <vector>

#include "cupyxx/core/nested_list.h"
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

class NdArray : public testing::DeviceTest {};
CUPYXX_TEST_ON_DEVICES(NdArray);

TEST_P(NdArray, HandlesShareTheArray) {
  const ndarray a = zeros({3});
  const ndarray b = a;
  b(1) = 5;
  expect_elements<double>(a, {3}, {0, 5, 0});
  ndarray c = a.copy();
  c(0) = 7;
  EXPECT_EQ(a(0).item<int>(), 0);
  c = a;  // rebinds
  EXPECT_EQ(c.body(), a.body());
}

TEST_P(NdArray, TheDefaultIsNone) {
  const ndarray none;
  EXPECT_TRUE(none.is_none());
  EXPECT_FALSE(zeros({0}).is_none());
  expect_error<TypeError>([&] { none.copy(); }, "copy: the array is None");
  expect_error<TypeError>([&] { none.item(); }, "item: the array is None");
  expect_error<TypeError>([&] { none(0); }, "getitem: the array is None");
}

TEST_P(NdArray, HasAttributes) {
  const ndarray a = empty({2, 3, 4}, float32);
  EXPECT_EQ(a.shape(), (Shape{2, 3, 4}));
  EXPECT_EQ(a.strides(), (Strides{48, 16, 4}));
  EXPECT_EQ(a.ndim(), 3);
  EXPECT_EQ(a.size(), 24);
  EXPECT_EQ(a.itemsize(), 4);
  EXPECT_EQ(a.nbytes(), 96);
  EXPECT_EQ(a.dtype(), float32);
  EXPECT_EQ(a.device(), device());
  EXPECT_EQ(a.len(), 2);
  EXPECT_EQ(a.T().shape(), (Shape{4, 3, 2}));
  EXPECT_EQ(a.T().strides(), (Strides{4, 16, 48}));
  expect_error<TypeError>([] { array(1).len(); }, "len: a 0-d array has no length");
}

TEST_P(NdArray, FlagsTellTheLayout) {
  const ndarray a = zeros({2, 3});
  EXPECT_TRUE(a.flags().c_contiguous && a.flags().owndata && a.flags().writeable);
  EXPECT_FALSE(a.flags().f_contiguous);
  EXPECT_TRUE(a.T().flags().f_contiguous);
  EXPECT_FALSE(a.T().flags().c_contiguous);
  EXPECT_FALSE(a.T().flags().owndata);
  EXPECT_FALSE(a(slice(), slice(none, 2)).flags().c_contiguous);
  EXPECT_TRUE(a(1).flags().c_contiguous);
  EXPECT_TRUE(zeros({3}).flags().f_contiguous);
  EXPECT_TRUE(zeros({0, 4}).T().flags().c_contiguous);
}

TEST_P(NdArray, ViewsShareMemory) {
  const ndarray a = arange(6);
  const ndarray views[] = {a.reshape({2, 3}), a.T(),         a(slice(1, 3)),
                           a.view(),          a.view(uint8), a.ravel()};
  for (const ndarray& view : views) EXPECT_TRUE(view.shares_memory(a));
  EXPECT_FALSE(a.copy().shares_memory(a));
  EXPECT_FALSE(a.flatten().shares_memory(a));
  EXPECT_FALSE(a.astype(int64).shares_memory(a));
  EXPECT_TRUE(a.astype(int64, false).shares_memory(a));
  a.reshape({2, 3})(1, 2) = 50;
  EXPECT_EQ(a(5).item<int>(), 50);
}

TEST_P(NdArray, ReadsTheBytesAsAnotherDtype) {
  const ndarray a = array({1.0f, -2.0f});
  expect_elements<std::int64_t>(a.view(int32), {2}, {0x3f800000, -0x40000000});
  EXPECT_EQ(a.view(uint8).shape(), (Shape{8}));
  EXPECT_EQ(a.view(float64).shape(), (Shape{1}));
  expect_error<ValueError>([] { zeros({3}, float32).view(float64); },
                           "view: the last axis of 12 bytes is no multiple of the 8 bytes of "
                           "float64");
  expect_error<ValueError>(
      [] {
        zeros({2, 4}, float32).T().view(float64);
      },
      "view: the last axis must be contiguous");
  expect_error<ValueError>([] { array(1.0).view(float32); }, "view: a 0-d array");
}

TEST_P(NdArray, SetShapeNeverCopies) {
  ndarray a = arange(6);
  a.set_shape({2, 3});
  EXPECT_EQ(a.shape(), (Shape{2, 3}));
  ndarray t = a.T();
  expect_error<ShapeError>([&] { t.set_shape({6}); },
                           "set_shape: shape (3, 2) cannot become (6,) without a copy");
}

// ---- To C++ and back.

TEST_P(NdArray, GivesItsElementsAsNumbers) {
  EXPECT_EQ(array({5}).item<int>(), 5);
  EXPECT_EQ(array(2.5).item<double>(), 2.5);
  EXPECT_EQ(array(2.75).item<int>(), 2);
  EXPECT_EQ(array({true}).item<bool>(), true);
  EXPECT_EQ(array(std::vector<std::uint64_t>{~0ull}).item<std::uint64_t>(), ~0ull);
  EXPECT_EQ(full({1, 1}, 3, float16).item<float>(), 3);
  expect_error<ValueError>(
      [] {
        zeros({2, 3}).item<int>();
      },
      "item: only an array of one element has a value; (2, 3)");
  expect_error<ValueError>([] { zeros({0}).item<int>(); }, "(0,)");
}

TEST_P(NdArray, GivesItsElementsAsAVector) {
  const ndarray a = arange(6).reshape({2, 3});
  EXPECT_EQ(a.T().to_vector<int>(), (std::vector<int>{0, 3, 1, 4, 2, 5}));
  EXPECT_EQ(a(slice(none, none, -1), 0).to_vector<float>(), (std::vector<float>{3, 0}));
  EXPECT_EQ((a > 3).to_vector<bool>(), (std::vector<bool>{false, false, false, false, true, true}));
  EXPECT_TRUE(zeros({0, 3}).to_vector<double>().empty());
  EXPECT_EQ(array(7).to_vector<int>(), std::vector<int>{7});
}

TEST_P(NdArray, GivesItsElementsAsNestedLists) {
  const NestedList list = arange(6, int8).reshape({2, 3}).T().tolist();
  EXPECT_EQ(list.str(), "[[0, 3], [1, 4], [2, 5]]");
  EXPECT_EQ(list[2][1].number().as_int64(), 5);
  EXPECT_FALSE(list[0][0].number().dtype());  // a weak number
  EXPECT_EQ(array({1.5, -0.0}, float16).tolist().str(), "[1.5, -0.0]");
  EXPECT_EQ(array({0.1f}).tolist().str(), "[0.10000000149011612]");
  EXPECT_EQ(array(true).tolist().str(), "True");
  EXPECT_EQ(array({{true, false}}).tolist().str(), "[[True, False]]");
  EXPECT_EQ(zeros({2, 0}).tolist().str(), "[[], []]");
  expect_error<TypeError>([&] { list.number(); }, "NestedList: a list is no number");
  expect_error<TypeError>([&] { list[0][0].items(); }, "NestedList: a number has no items; 0");
  expect_error<IndexError>([&] { list[3]; }, "NestedList: index 3 is out of range for a list of 3");
  expect_error<TypeError>([] { ndarray().tolist(); }, "tolist: the array is None");
}

TEST_P(NdArray, GivesItsElementsInPlace) {
  const ndarray a = arange(6, int32).to_cpu();
  a.span<std::int32_t>()[2] = 40;
  EXPECT_EQ(a(2).item<int>(), 40);
  EXPECT_EQ(a.span<const std::int32_t>().size(), 6u);
  expect_error<DtypeError>([&] { a.span<float>(); }, "span: the array holds int32, not float32");
  expect_error<ValueError>([&] { a(slice(none, none, 2)).span<std::int32_t>(); },
                           "span: the array is not C-contiguous; strides (8,)");
  if (device().is_cuda()) {
    expect_error<TypeError>([] { zeros({2}).span<double>(); }, "span: the array is on cuda:0");
  }
}

TEST_P(NdArray, KeepsElementsThatHaveNoOtherOwner) {
  const ndarray a = arange(4.).to_cpu();
  static_assert(std::is_same_v<decltype(a.span<double>()), std::span<double>>);
  double sum = 0;
  for (const double x : (a * 2).span<double>()) {
    const ndarray other = (a + 100).copy();  // takes the memory that was freed
    sum += x;
  }
  EXPECT_EQ(sum, 12);
  const auto row = (a.reshape({2, 2}) + 1)(1).span<const double>();
  const auto chosen = (a + 1)(a > 1).span<double>();
  const ndarray one = a + 100, two = zeros({2});
  EXPECT_EQ(row[0] + row[1] + chosen[1], 11);
  const std::span<const double> view = a(slice(1, none)).span<double>();
  EXPECT_EQ(view[0], 1);
}

TEST_P(NdArray, HasATruthValueOfOneElement) {
  EXPECT_TRUE(static_cast<bool>(array({3})));
  EXPECT_FALSE(static_cast<bool>(array(0.0)));
  EXPECT_TRUE(static_cast<bool>(full({1}, std::numeric_limits<double>::quiet_NaN())));
  expect_error<ValueError>([] { static_cast<void>(static_cast<bool>(ones({2}))); },
                           "bool: the truth value of an array with 2 elements is ambiguous");
}

TEST_P(NdArray, IteratesOverTheFirstAxis) {
  const ndarray a = arange(6).reshape({3, 2});
  int sum = 0;
  for (const auto& row : a) sum += row(1).item<int>();
  EXPECT_EQ(sum, 1 + 3 + 5);
  for (auto&& row : a) std::move(row) = 1;
  expect_elements<int>(a, {3, 2}, {1, 1, 1, 1, 1, 1});
}

TEST_P(NdArray, TheStandardLibraryReadsItsRows) {
  static_assert(std::input_iterator<ndarray::Iterator>);
  static_assert(std::sentinel_for<ndarray::Iterator, ndarray::Iterator>);
  const ndarray a = array({3.0, 1.0, 2.0});
  const std::vector<double> values(a.begin(), a.end());
  EXPECT_EQ(values, (std::vector<double>{3, 1, 2}));
  EXPECT_EQ(std::count_if(a.begin(), a.end(), [](double x) { return x > 1; }), 2);
  const ndarray b = arange(6).reshape({3, 2});
  const std::vector rows(b.begin(), b.end());
  static_assert(std::is_same_v<decltype(rows), const std::vector<ndarray>>);
  expect_elements<int>(rows[0], {2}, {0, 1});
  expect_elements<int>(rows[2], {2}, {4, 5});
  EXPECT_THROW(std::vector<double>(b.begin(), b.end()), ValueError);
}

TEST_P(NdArray, PrintsAsNumPy) {
  std::ostringstream os;
  os << arange(6).reshape({2, 3}) << "\n" << array({1.5f, -2.0f});
  EXPECT_EQ(os.str(), "[[0 1 2]\n [3 4 5]]\n[ 1.5 -2. ]");
}

// ---- Casts.

TEST_P(NdArray, CastsFloatsThatNoIntegerHoldsAsX86Does) {
  // NumPy 1.24 on x86-64 gives these.
  constexpr double kInf = std::numeric_limits<double>::infinity();
  const auto cast = [&](dtype from, dtype to) {
    const ndarray a =
        array({std::numeric_limits<double>::quiet_NaN(), kInf, -kInf, 3e9, -3e9, 300.7, -1.5})
            .astype(from);
    const auto found = a.astype(to).to_vector<std::int64_t>();
    // The contiguous loop and the strided one agree.
    EXPECT_EQ(array(std::vector<double>(14, 300.7))
                  .astype(to)(slice(none, none, 2))
                  .to_vector<std::int64_t>(),
              std::vector<std::int64_t>(7, found[5]));
    return found;
  };
  using V = std::vector<std::int64_t>;
  constexpr std::int64_t k32 = INT32_MIN;
  constexpr std::int64_t k64 = INT64_MIN;
  for (const dtype from : {float32, float64}) {
    EXPECT_EQ(cast(from, int8), (V{0, 0, 0, 0, 0, 44, -1}));
    EXPECT_EQ(cast(from, uint8), (V{0, 0, 0, 0, 0, 44, 255}));
    EXPECT_EQ(cast(from, int16), (V{0, 0, 0, 0, 0, 300, -1}));
    EXPECT_EQ(cast(from, uint16), (V{0, 0, 0, 0, 0, 300, 65535}));
    EXPECT_EQ(cast(from, int32), (V{k32, k32, k32, k32, k32, 300, -1}));
    EXPECT_EQ(cast(from, int64), (V{k64, k64, k64, 3000000000, -3000000000, 300, -1}));
    EXPECT_EQ(cast(from, uint64), (V{k64, 0, k64, 3000000000, -3000000000, 300, -1}));
    EXPECT_EQ(cast(from, bool_), (V{1, 1, 1, 1, 1, 1, 1}));
  }
}

TEST_P(NdArray, CastsBetweenIntegersByWrapping) {
  const ndarray a = array(std::vector<std::int64_t>{300, -1, 70000, INT64_MIN});
  expect_elements<int>(a.astype(uint8), {4}, {44, 255, 112, 0});
  expect_elements<int>(a.astype(int16), {4}, {300, -1, 4464, 0});
  expect_elements<int>(a.astype(bool_), {4}, {1, 1, 1, 1});
  expect_elements<double>(a.astype(float32), {4}, {300, -1, 70000, -9223372036854775808.0});
  expect_elements<float>(array({65520.0, 65519.0, 1e-8}).astype(float16), {3},
                         {std::numeric_limits<float>::infinity(), 65504, 0});
}

TEST_P(NdArray, FillsAndSets) {
  const ndarray a = empty({2, 2}, uint8);
  a.fill(7);
  expect_elements<int>(a, {2, 2}, {7, 7, 7, 7});
  a.T().fill(2.9);
  expect_elements<int>(a, {2, 2}, {2, 2, 2, 2});
  expect_error<OverflowError>([&] { a.fill(300); }, "fill: 300 does not fit uint8");
  a.set(array({{1, 2}, {3, 4}}));
  expect_elements<int>(a, {2, 2}, {1, 2, 3, 4});
  EXPECT_EQ(full({2}, 1000, int64).to_vector<int>(), (std::vector<int>{1000, 1000}));
}

// ---- Devices.

TEST_P(NdArray, MovesBetweenDevices) {
  const ndarray a = arange(6).reshape({2, 3}).T();
  const ndarray host = a.to_cpu();
  EXPECT_EQ(host.device(), Device::cpu());
  EXPECT_EQ(host.to_vector<int>(), a.to_vector<int>());
  EXPECT_EQ(a.to(device()).body(), a.body());
  EXPECT_EQ(host.to(device()).to_vector<int>(), a.to_vector<int>());
}

TEST_P(NdArray, RefusesAbsentDevices) {
  const auto enter = [] { const DeviceScope scope(Device::cuda(99)); };
  expect_error<DeviceError>(enter, "DeviceScope: no CUDA device 99");
  EXPECT_EQ(current_device(), device());
  expect_error<DeviceError>([] { zeros({2}).to_gpu(99); }, "to: no CUDA device 99");
}

TEST_P(NdArray, RefusesAbsurdSizes) {
  expect_error<ValueError>([] { zeros({-1}); },
                           "zeros: negative dimensions are not allowed; (-1,)");
  expect_error<ValueError>([] { empty({1LL << 62, 4}); }, "");
  expect_error<ValueError>([] { empty({1LL << 61}, float64); }, "empty: array is too big");
}

}  // namespace
}  // namespace cupyxx
