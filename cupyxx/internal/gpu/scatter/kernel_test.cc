// SPDX-License-Identifier: MIT
// The text of the kernels that write through index arrays, run on the host as a device would run
// it.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

inline unsigned long long atomicMax(unsigned long long* p, unsigned long long value) {
  const unsigned long long old = *p;
  *p = std::max(old, value);
  return old;
}
template <class T>
T atomicAdd(T* p, T value) {
  const T old = *p;
  *p += value;
  return old;
}

#include "cupyxx/extension/testing/emulated_device.h"
#include "cupyxx/internal/kernels/error_word.h"

namespace cupyxx::internal::kernels {
inline void report(ErrorWord* word, ErrorCode code, unsigned operation, long long value,
                   long long bound) {
  if (word->code == 0) *word = {code, operation, value, bound};
}
}  // namespace cupyxx::internal::kernels

#define CUPYXX_EMULATED_DEVICE
#include "cupyxx/internal/kernels/range.h"
#include "cupyxx/internal/kernels/scatter.h"

namespace cupyxx::internal::kernels {
namespace {

template <class Kernel>
void launch(i64 blocks, bool backwards, const Kernel& kernel) {
  emulated::launch({static_cast<unsigned>(blocks), 1}, {256, 1}, backwards, kernel);
}

ScatterLayout layout(std::vector<i64> extents, std::vector<i64> strides) {
  ScatterLayout made{};
  made.rank = static_cast<int>(extents.size());
  std::copy(extents.begin(), extents.end(), made.extent);
  std::copy(strides.begin(), strides.end(), made.stride);
  return made;
}

TEST(CombineKernel, NumbersRowsAndReportsTheFirstError) {
  const std::vector<i64> first = {0, -1, 2}, second = {1, 0};
  std::vector<i64> rows(6);
  ErrorWord error{};
  CombineArgs args{};
  args.index[0] = first.data();
  args.index[1] = second.data();
  args.stride[0][0] = 1;  // (3, 1)
  args.stride[1][1] = 1;  // (2,)
  args.bound[0] = 3;
  args.bound[1] = 4;
  args.rank = 2;
  args.extent[0] = 3;
  args.extent[1] = 2;
  args.count = 2;
  args.rows = rows.data();
  args.size = 6;
  args.error = &error;
  args.operation = 5;
  launch(1, false, [&] { combine_rows(args); });
  EXPECT_EQ(rows, (std::vector<i64>{1, 0, 9, 8, 9, 8}));
  EXPECT_EQ(error.code, 0u);
  args.bound[0] = 2;
  launch(1, false, [&] { combine_rows(args); });
  EXPECT_EQ(rows, (std::vector<i64>{1, 0, 5, 4, kNoRow, kNoRow}));
  EXPECT_EQ(error.code, kIndexOutOfRange);
  EXPECT_EQ(error.operation, 5u);
  EXPECT_EQ(error.value, 2);
  EXPECT_EQ(error.bound, 2);
}

TEST(ScatterKernel, TheLastOccurrenceWinsInAnyOrderOfBlocks) {
  // Rows of two columns of a 4 x 3 array, written backwards along its rows; one row is out of
  // range.
  const std::vector<i64> rows = {3, 0, 3, kNoRow, 0, 3};
  std::vector<int> values(12);
  std::iota(values.begin(), values.end(), 10);
  const std::vector<int> expected = {18, 19, 0, 0, 0, 0, 0, 0, 0, 20, 21, 0};
  for (const bool backwards : {false, true}) {
    for (const Winner winner : {Winner::noted, Winner::sorted}) {
      std::vector<int> target(12);
      std::vector<u64> mark(4);
      std::vector<i64> order(6), sorted;
      std::iota(order.begin(), order.end(), 0);
      ScatterArgs args{};
      args.target = reinterpret_cast<char*>(target.data());
      args.values = reinterpret_cast<const char*>(values.data());
      args.rows = rows.data();
      args.mark = mark.data();
      args.n = 6;
      args.inner = args.value_step = 2;
      args.winner = winner;
      args.row = layout({4}, {12});
      args.rest = layout({2}, {4});
      if (winner == Winner::sorted) {
        const auto less = [&](i64 i, i64 j) {
          return rows[static_cast<std::size_t>(i)] < rows[static_cast<std::size_t>(j)];
        };
        std::stable_sort(order.begin(), order.end(), less);
        for (const i64 i : order) sorted.push_back(rows[static_cast<std::size_t>(i)]);
        args.rows = sorted.data();
        args.order = order.data();
      } else {
        launch(2, backwards, [&] { note_winners(args); });
      }
      launch(2, backwards, [&] { scatter<int>(args); });
      EXPECT_EQ(target, expected) << static_cast<int>(winner);
    }
  }
}

TEST(ScatterKernel, FollowsStridesOfRowsAndElements) {
  // Places (1, 2) and (0, 0) of the first two axes of a transposed 2 x 3 x 2 array.
  const std::vector<i64> rows = {5, 0};
  const std::vector<short> values = {7, 8};
  std::vector<short> target(12);
  ScatterArgs args{};
  args.target = reinterpret_cast<char*>(target.data());
  args.values = reinterpret_cast<const char*>(values.data());
  args.rows = rows.data();
  args.n = 2;
  args.inner = 2;
  args.winner = Winner::any;
  args.row = layout({2, 3}, {2, 4});
  args.rest = layout({2}, {12});
  launch(1, false, [&] { scatter<short>(args); });
  EXPECT_EQ(target, (std::vector<short>{7, 0, 0, 0, 0, 7, 8, 0, 0, 0, 0, 8}));
}

struct Minus {
  static float apply(float x, int y) { return x - static_cast<float>(y); }
  static float combine(float x, float) { return x; }
};
struct Plus {
  static float apply(float x, float y) { return x + y; }
  static float combine(float x, float y) { return x + y; }
};

TEST(AtKernel, TakesOccurrencesInTheirOrder) {
  const std::vector<i64> rows = {kNoRow, 0, 2, 2, 2}, order = {4, 1, 0, 2, 3};
  const std::vector<int> operands = {1, 10, 100, 1000, 9};
  std::vector<float> target = {5, 5, 5};
  AtArgs args{};
  args.target = reinterpret_cast<char*>(target.data());
  args.operands = operands.data();
  args.rows = rows.data();
  args.order = order.data();
  args.n = 5;
  args.inner = args.operand_step = 1;
  args.row = layout({3}, {4});
  launch(1, false, [&] { at_runs<float, int, Minus>(args); });
  EXPECT_EQ(target, (std::vector<float>{-5, 5, 5 - 1101}));
}

TEST(AtKernel, LongRunsComeTogetherFromPieces) {
  // Three runs that begin and end between, at and beyond the bounds of pieces; two columns.
  const i64 n = 4 * kTailPieces + 100;
  std::vector<i64> rows(static_cast<std::size_t>(n)), order(rows.size());
  for (i64 i = 0; i < n; ++i) {
    rows[static_cast<std::size_t>(i)] = i < 300 ? 0 : i < 2 * kTailPieces ? 1 : 3;
    order[static_cast<std::size_t>(i)] = n - 1 - i;
  }
  std::vector<float> operands(static_cast<std::size_t>(2 * n));
  for (std::size_t i = 0; i < operands.size(); ++i) operands[i] = static_cast<float>(i % 7);
  std::vector<float> expected(8, 1);
  for (std::size_t j = 0; j < rows.size(); ++j) {
    for (std::size_t r = 0; r < 2; ++r) {
      expected[static_cast<std::size_t>(2 * rows[j]) + r] +=
          operands[static_cast<std::size_t>(2 * order[j]) + r];
    }
  }
  for (const bool backwards : {false, true}) {
    std::vector<float> target(8, 1), tails(10);
    AtArgs args{};
    args.target = reinterpret_cast<char*>(target.data());
    args.operands = operands.data();
    args.tails = tails.data();
    args.rows = rows.data();
    args.order = order.data();
    args.n = n;
    args.inner = args.operand_step = 2;
    args.row = layout({4}, {8});
    args.rest = layout({2}, {4});
    launch(1, backwards, [&] { at_tails<float, Plus>(args); });
    launch(3, backwards, [&] { at_runs<float, float, Plus>(args); });
    EXPECT_EQ(target, expected);  // small integers: exact in any order
  }
}

TEST(AtKernel, AtomicAdditionsSkipWhatIsOutOfRange) {
  const std::vector<i64> rows = {1, kNoRow, 1};
  const std::vector<double> operands = {2, 3, 4};
  std::vector<double> target(2);
  AtArgs args{};
  args.target = reinterpret_cast<char*>(target.data());
  args.operands = operands.data();
  args.rows = rows.data();
  args.n = 3;
  args.inner = args.operand_step = 1;
  args.row = layout({2}, {8});
  launch(1, false, [&] { add_atomically<double>(args); });
  EXPECT_EQ(target, (std::vector<double>{0, 6}));
}

TEST(RangeKernel, ContinuesTheDifferenceOfTheFirstTwo) {
  std::vector<float> out(5);
  RangeArgs args{};
  args.out = out.data();
  args.n = 5;
  args.first = 0.1f;
  args.second = 0.4f;
  launch(1, false, [&] { fill_range<float, float>(args); });
  const float delta = 0.4f - 0.1f;
  EXPECT_EQ(out,
            (std::vector<float>{0.1f, 0.4f, 0.1f + 2 * delta, 0.1f + 3 * delta, 0.1f + 4 * delta}));
  std::vector<signed char> bytes(4);
  args.out = bytes.data();
  args.n = 4;
  args.first_bits = 100;
  args.second_bits = 110;
  launch(1, false, [&] { fill_range<signed char, u64>(args); });
  EXPECT_EQ(bytes, (std::vector<signed char>{100, 110, 120, -126}));
}

TEST(RangeKernel, LinspaceEndsWhereItWasTold) {
  std::vector<double> out(3);
  LinspaceArgs args{};
  args.out = out.data();
  args.n = 3;
  args.start = 1;
  args.step = 0.35;
  args.span = 0.7;
  args.parts = 2;
  args.last = 1.7;
  args.ends = true;
  launch(1, false, [&] { fill_linspace(args); });
  EXPECT_EQ(out, (std::vector<double>{1, 1.35, 1.7}));
  args.step = 0;  // has underflowed
  args.ends = false;
  launch(1, false, [&] { fill_linspace(args); });
  EXPECT_EQ(out, (std::vector<double>{1, 0.5 * 0.7 + 1, 0.7 + 1}));
}

}  // namespace
}  // namespace cupyxx::internal::kernels
