// SPDX-License-Identifier: MIT
// The kernels' text, run on the host as the launcher would run it on a device.
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <vector>

#define CUPYXX_EMULATED_DEVICE
#include "cupyxx/extension/testing/emulated_device.h"
#include "cupyxx/internal/kernels/compact.h"
#include "cupyxx/internal/kernels/scan.h"
#include "cupyxx/internal/kernels/sort.h"

namespace cupyxx::internal::kernels {
namespace {

template <class Kernel>
void launch(i64 blocks, const Kernel& kernel) {
  for (const bool backwards : {false, true}) {
    emulated::launch({static_cast<unsigned>(blocks), 1}, {256, 1}, backwards, kernel);
  }
}

template <class Op, class T>
std::vector<T> scan(const std::vector<T>& in, i64 rows) {
  std::vector<T> out(in.size()), again = out;
  ScanArgs args{};
  args.in = in.data();
  args.rows = rows;
  args.n = static_cast<i64>(in.size()) / rows;
  args.tiles = (args.n + kScanTile - 1) / kScanTile;
  args.groups = (args.tiles + kScanGroup - 1) / kScanGroup;
  const auto slots = static_cast<std::size_t>(rows * (args.tiles + args.groups));
  for (const bool backwards : {false, true}) {
    std::vector<u64> parts(1 + slots * scan_words(sizeof(T)));
    args.ticket = parts.data();
    args.parts = parts.data() + 1;
    args.out = backwards ? again.data() : out.data();
    emulated::launch({static_cast<unsigned>(rows * args.tiles), 1}, {256, 1}, backwards,
                     [&] { scan_tiles<Op, T>(args); });
  }
  EXPECT_EQ(out, again);
  if (args.n <= kScanPerWarp) {
    args.out = again.data();
    launch((rows + kScanWarps - 1) / kScanWarps, [&] { scan_short<Op, T>(args); });
    EXPECT_EQ(out, again);
  }
  return out;
}

template <class T>
std::vector<T> numbers(i64 n) {
  std::vector<T> values(static_cast<std::size_t>(n));
  unsigned state = 1;
  for (T& value : values) {
    state = state * 1664525u + 1013904223u;
    value = static_cast<T>(static_cast<int>(state >> 20) % 1000 - 500);
  }
  return values;
}

TEST(ScanKernel, AgreesWithLoops) {
  for (const i64 n : {1, 31, 257, 512, 513, 4096, 4097, 9001}) {
    const std::vector<i64> in = numbers<i64>(3 * n);
    const std::vector<double> floats(in.begin(), in.end());
    std::vector<i64> sums = in, products = in;
    for (i64 i = 0; i < 3 * n; ++i) {
      if (i % n == 0) continue;
      sums[static_cast<std::size_t>(i)] += sums[static_cast<std::size_t>(i - 1)];
      products[static_cast<std::size_t>(i)] = ops::wrap_mul(
          products[static_cast<std::size_t>(i)], products[static_cast<std::size_t>(i - 1)]);
    }
    EXPECT_EQ((scan<ScanSum, i64>(in, 3)), sums) << n;
    EXPECT_EQ((scan<ScanProduct, i64>(in, 3)), products) << n;
    EXPECT_EQ((scan<ScanSum, double>(floats, 3)), std::vector<double>(sums.begin(), sums.end()));
  }
}

TEST(ScanKernel, CarriesFromGroupToGroup) {
  const i64 n = (kScanGroup + 2) * kScanTile + 5;
  std::vector<i64> sums(static_cast<std::size_t>(n), 3);
  const std::vector<i64> in = sums;
  std::partial_sum(in.begin(), in.end(), sums.begin());
  EXPECT_EQ((scan<ScanSum, i64>(in, 1)), sums);
}

template <class T>
std::vector<i64> stable_order(const std::vector<T>& in, i64 rows) {
  const i64 n = static_cast<i64>(in.size()) / rows;
  std::vector<i64> order(in.size());
  for (i64 row = 0; row < rows; ++row) {
    const auto begin = order.begin() + row * n;
    std::iota(begin, begin + n, 0);
    std::stable_sort(begin, begin + n, [&](i64 i, i64 j) {
      return SortKey<T>::of(in[static_cast<std::size_t>(row * n + i)]) <
             SortKey<T>::of(in[static_cast<std::size_t>(row * n + j)]);
    });
  }
  return order;
}

template <class T>
void check_short(i64 rows, i64 n, int shared = 1) {
  const std::vector<T> in = numbers<T>(rows * n);
  std::vector<i64> places(in.size());
  SortArgs args{};
  args.source = in.data();
  args.places = places.data();
  args.rows = rows;
  args.n = n;
  args.width = 1;
  while (args.width < n) args.width *= 2;
  args.shared = shared;
  launch((rows + shared - 1) / shared, [&] { sort_short<T>(args); });
  EXPECT_EQ(places, stable_order(in, rows)) << n;
}

TEST(SortKernel, ShortRowsAreSortedStably) {
  for (const i64 n : {1, 2, 3, 100, 1024, 2047, 2048}) {
    check_short<i16>(2, n);
    check_short<double>(2, n);
    check_short<u8>(2, n);
  }
}

TEST(SortKernel, ShortRowsShareABlock) {
  check_short<float>(5, 1, 2048);
  check_short<u8>(70, 30, 64);
  check_short<i64>(9, 100, 4);
  check_short<i16>(3, 1024, 2);
}

// The passes over digits, from and to two arrays in turn; where the result is.
template <class T, class Place>
void run_passes(SortArgs& args, void* const (&keys)[2], void* const (&order)[2]) {
  args.tiles = (args.n + kSortTile - 1) / kSortTile;
  for (int pass = 0; pass < static_cast<int>(sizeof(T)); ++pass) {
    std::vector<i64> counts(static_cast<std::size_t>(args.rows * kDigits * args.tiles));
    args.shift = 8 * pass;
    args.from = keys[pass % 2];
    args.to = keys[(pass + 1) % 2];
    args.order[0] = order[pass % 2];
    args.order[1] = order[(pass + 1) % 2];
    args.counts = counts.data();
    const auto blocks = static_cast<unsigned>(args.rows * args.tiles);
    emulated::launch({blocks, 1}, {256, 1}, false, [&] { sort_count<T>(args); });
    const std::size_t per_row = counts.size() / static_cast<std::size_t>(args.rows);
    for (auto begin = counts.begin(); begin != counts.end();
         begin += static_cast<std::ptrdiff_t>(per_row)) {
      std::partial_sum(begin, begin + static_cast<std::ptrdiff_t>(per_row), begin);
    }
    emulated::launch({blocks, 1}, {256, 1}, pass % 2 == 0, [&] { sort_scatter<T, Place>(args); });
  }
}

template <class T>
std::vector<T> in_order(const std::vector<T>& in, i64 rows, const std::vector<i64>& order) {
  const std::size_t n = in.size() / static_cast<std::size_t>(rows);
  std::vector<T> out(in.size());
  for (std::size_t i = 0; i < in.size(); ++i) {
    out[i] = in[i / n * n + static_cast<std::size_t>(order[i])];
  }
  return out;
}

template <class T>
void check_values(i64 rows, i64 n) {
  std::vector<T> values = numbers<T>(rows * n), buffer(values.size());
  const std::vector<T> expected = in_order(values, rows, stable_order(values, rows));
  SortArgs args{};
  args.rows = rows;
  args.n = n;
  run_passes<T, NoPlace>(args, {values.data(), buffer.data()}, {nullptr, nullptr});
  EXPECT_EQ(sizeof(T) % 2 == 0 ? values : buffer, expected) << n;
}

template <class T, class Place>
void check_places(i64 rows, i64 n) {
  using Key = typename SortKey<T>::type;
  const std::vector<T> in = numbers<T>(rows * n);
  std::vector<Key> keys[2] = {std::vector<Key>(in.size()), std::vector<Key>(in.size())};
  std::vector<Place> order[2] = {std::vector<Place>(in.size()), std::vector<Place>(in.size())};
  std::vector<i64> places(in.size());
  std::vector<T> values(in.size());
  SortArgs args{};
  args.source = in.data();
  args.values = values.data();
  args.places = places.data();
  args.rows = rows;
  args.n = n;
  args.to = keys[0].data();
  args.order[1] = order[0].data();
  launch(3, [&] { sort_keys<T, Place>(args); });
  run_passes<Key, Place>(args, {keys[0].data(), keys[1].data()},
                         {order[0].data(), order[1].data()});
  launch(3, [&] { sort_finish<T, Place>(args); });
  const std::vector<i64> expected = stable_order(in, rows);
  EXPECT_EQ(places, expected) << n;
  EXPECT_EQ(values, in_order(in, rows, expected)) << n;
}

TEST(SortKernel, LongRowsAreSortedStably) {
  check_values<u8>(2, 2500);
  check_values<i16>(1, kSortTile);
  check_values<float>(2, kSortTile + 1);
  check_values<double>(1, 9001);
}

TEST(SortKernel, PlacesGoAlong) {
  check_places<u8, u32>(2, 2500);
  check_places<i16, u64>(2, kSortTile);
  check_places<float, u32>(2, kSortTile + 1);
  check_places<i64, u32>(1, 9001);
}

TEST(SearchKernel, FindsBothSides) {
  std::vector<float> sorted = {-3, -0.0f, 0, 2, 2, 7};
  const std::vector<float> values = {-4, 0, 2, 8, __builtin_nanf("")};
  std::vector<i64> out(values.size());
  SearchArgs args{sorted.data(), values.data(), out.data(), 6, 5, 0};
  launch(1, [&] { search<float>(args); });
  EXPECT_EQ(out, (std::vector<i64>{0, 1, 3, 6, 6}));
  args.right = 1;
  launch(1, [&] { search<float>(args); });
  EXPECT_EQ(out, (std::vector<i64>{0, 3, 5, 6, 6}));
}

// Flags of any bytes, of which `offset` are skipped.
void check_compact(i64 n, int offset) {
  const std::vector<short> source = numbers<short>(n);
  std::vector<unsigned char> flags(static_cast<std::size_t>(n + offset));
  for (std::size_t i = 0; i < flags.size(); ++i) {
    flags[i] = i % 5 < 2 ? 0 : static_cast<unsigned char>(1u << i % 8 | (i % 3 == 0 ? 255 : 0));
  }
  std::vector<i64> positions;
  std::vector<short> elements;
  for (i64 i = 0; i < n; ++i) {
    if (flags[static_cast<std::size_t>(i + offset)] == 0) continue;
    positions.push_back(i);
    elements.push_back(source[static_cast<std::size_t>(i)]);
  }
  const i64 tiles = (n + kFlagTile - 1) / kFlagTile;
  std::vector<i64> counts(static_cast<std::size_t>(tiles)), found(positions.size());
  std::vector<short> chosen(elements.size());
  CompactArgs args{flags.data() + offset, counts.data(), source.data(), found.data(), n};
  launch(tiles, [&] { count_flags(args); });
  std::partial_sum(counts.begin(), counts.end(), counts.begin());
  ASSERT_EQ(counts.back(), static_cast<i64>(positions.size()));
  launch(tiles, [&] { compact<i64, true>(args); });
  EXPECT_EQ(found, positions) << n;
  args.out = chosen.data();
  launch(tiles, [&] { compact<short, false>(args); });
  EXPECT_EQ(chosen, elements) << n;
}

TEST(CompactKernel, WritesPositionsAndElements) {
  for (const i64 n : {1, 15, 16, 4096, 4097, 9000}) {
    check_compact(n, 0);
    check_compact(n, 3);
  }
}

}  // namespace
}  // namespace cupyxx::internal::kernels
