// SPDX-License-Identifier: MIT
// Between which numbers the bins of a histogram lie.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>

#include "cupyxx/core/index.h"

namespace cupyxx {

/// The range of a histogram in its place: `histogram(a, 10, {0, 1})`.
class BinRange {
 public:
  // A template for the reason given at Shape.
  template <class A, class B>
  requires(std::is_arithmetic_v<A>&& std::is_arithmetic_v<B>)
      BinRange(A low, B high)  // NOLINT(google-explicit-constructor)
      : range_(static_cast<double>(low), static_cast<double>(high)) {}
  const std::pair<double, double>& range() const { return range_; }

 private:
  std::pair<double, double> range_;
};

/// The same as an option, `{.range = {0, 256}}`: unset, `none` or std::nullopt for the range of the
/// data.
class BinRangeOption : public std::optional<std::pair<double, double>> {
 public:
  using Base = std::optional<std::pair<double, double>>;

  BinRangeOption() = default;
  template <class A, class B>
  requires(std::is_arithmetic_v<A>&& std::is_arithmetic_v<B>)
      BinRangeOption(A low, B high)  // NOLINT(google-explicit-constructor)
      : Base(std::pair(static_cast<double>(low), static_cast<double>(high))) {}
  template <class A, class B>
  BinRangeOption(const std::pair<A, B>& range)  // NOLINT(google-explicit-constructor)
      : BinRangeOption(range.first, range.second) {}
  BinRangeOption(const std::pair<double, double>& range) : Base(range) {}  // NOLINT
  BinRangeOption(const Base& range) : Base(range) {}                       // NOLINT
  BinRangeOption(std::nullopt_t) {}                                        // NOLINT
  BinRangeOption(None) {}                                                  // NOLINT
};

/// The numbers of bins along both axes of histogram2d: `{.bins = 5}`, `{.bins = {2, 3}}`.
class BinCounts {
 public:
  template <class A>
  requires std::is_integral_v<A> BinCounts(A both) : BinCounts(both, both) {}  // NOLINT
  template <class A, class B>
  requires(std::is_integral_v<A>&& std::is_integral_v<B>)
      BinCounts(A x, B y)  // NOLINT(google-explicit-constructor)
      : counts_{internal::Int(x), internal::Int(y)} {}
  BinCounts(const std::array<int, 2>& counts) : counts_(counts) {}  // NOLINT
  int operator[](std::size_t axis) const { return counts_[axis]; }

 private:
  std::array<int, 2> counts_;
};

/// The ranges along both axes of histogram2d: `{.range = {{0, 1}, {0, 10}}}`; unset, `none` or
/// std::nullopt for those of the data.
class BinRanges : public std::optional<std::array<BinRange, 2>> {
 public:
  using Base = std::optional<std::array<BinRange, 2>>;

  BinRanges() = default;
  BinRanges(const BinRange& x, const BinRange& y) : Base(std::array<BinRange, 2>{x, y}) {}
  BinRanges(std::nullopt_t) {}  // NOLINT(google-explicit-constructor)
  BinRanges(None) {}            // NOLINT(google-explicit-constructor)
};

}  // namespace cupyxx
