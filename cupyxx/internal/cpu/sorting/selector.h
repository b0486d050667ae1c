// SPDX-License-Identifier: MIT
// Selection after Floyd and Rivest: two pivots from a sample enclose the place that is looked for,
// one pass splits the elements into those before, between and after them, and few are between.
// A pass has no branch that depends on the elements.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "cupyxx/internal/kernels/sort.h"

namespace cupyxx::internal::cpu {

/// Numbers that are compared as they are; half and bfloat16 by their keys.
template <class T>
auto comparable(T x) {
  if constexpr (std::is_arithmetic_v<T>) {
    return x;
  } else {
    return kernels::SortKey<T>::of(x);
  }
}
template <class T>
using Comparable = decltype(comparable(T()));

template <class C>
bool is_nan(C x) {
  if constexpr (std::is_floating_point_v<C>) return x != x;
  return false;
}
template <class C>
bool before(C x, C y) {
  return x < y || (is_nan(y) && !is_nan(x));
}

/// Elements that are moved themselves.
template <class T>
struct Values {
  using Item = T;
  static auto key(Item x) { return comparable(x); }
};

/// Positions of elements that stay where they are.
template <class T>
struct Positions {
  using Item = std::int64_t;
  const T* elements = nullptr;
  auto key(Item x) const { return comparable(elements[x]); }
};

/// Below this many elements the standard library selects.
constexpr std::int64_t kSmall = 128;
/// Rounds after which it does so in any case: its worst case is bounded.
constexpr int kRounds = 24;

template <class Source>
class Selector {
  using Item = typename Source::Item;
  using Key = decltype(std::declval<Source>().key(Item()));

 public:
  explicit Selector(std::int64_t n) : spare_(new Item[static_cast<std::size_t>(n)]) {}

  void set_source(Source source) { source_ = source; }

  /// Puts [begin, end) of the row in order at the places `kth`, which are sorted and lie there.
  void select(Item* row, std::int64_t begin, std::int64_t end, std::span<const std::int64_t> kth,
              int round = 0) {
    while (!kth.empty() && end - begin > 1) {
      if (end - begin <= kSmall || round++ > kRounds) return select_small(row, begin, end, kth);
      const std::int64_t k = kth[kth.size() / 2];
      const Pivots pivots = choose(row + begin, end - begin, k - begin);
      if (is_nan(pivots.high)) {
        end = move_nan_last(row, begin, end);
        kth = kth.first(count_below(kth, end));
        continue;
      }
      const Split split = divide(row, begin, end, pivots);
      const std::size_t low = count_below(kth, split.between), high = count_below(kth, split.after);
      select(row, begin, split.between, kth.first(low), round);
      select(row, split.after, end, kth.subspan(high), round);
      if (pivots.low == pivots.high) return;  // all between them are equal
      kth = kth.subspan(low, high - low);
      begin = split.between;
      end = split.after;
    }
  }

  struct Pivots {
    Key low, high;
  };

  /// Pivots around place k of n elements: from a sample, `deviations` standard ones to both sides.
  /// One pivot where the two would enclose most elements, as those of few kinds do.
  Pivots choose(const Item* items, std::int64_t n, std::int64_t k, double deviations = 2) {
    const auto size = static_cast<std::int64_t>(std::pow(static_cast<double>(n), 2.0 / 3) / 2);
    const double part = static_cast<double>(k) / static_cast<double>(n);
    const double center = part * static_cast<double>(size);
    const double margin = 1 + deviations * std::sqrt(center * (1 - part) + 1);
    const auto rank = [&](double place) {
      return std::clamp(static_cast<std::int64_t>(place), std::int64_t{0}, size - 1);
    };
    sample_.resize(static_cast<std::size_t>(size));
    const std::int64_t step = n / size;
    for (std::int64_t i = 0; i < size; ++i) {  // at uneven distances, which no period meets
      const std::uint64_t mixed = static_cast<std::uint64_t>(i) * 0x9e3779b97f4a7c15u >> 33;
      const std::int64_t place = i * step + static_cast<std::int64_t>(mixed) % step;
      sample_[static_cast<std::size_t>(i)] = source_.key(items[place]);
    }
    const auto less = [](Key x, Key y) { return before(x, y); };
    const auto at = [&](std::int64_t from, std::int64_t place) {
      std::nth_element(sample_.begin() + from, sample_.begin() + place, sample_.end(), less);
      return sample_[static_cast<std::size_t>(place)];
    };
    const std::int64_t low = rank(center - margin), high = rank(center + margin);
    const Key first = at(0, low), last = high > low ? at(low + 1, high) : first;
    const auto enclosed = std::count_if(sample_.begin(), sample_.end(), [&](Key x) {
      return !before(x, first) && !before(last, x);
    });
    if (2 * enclosed <= size) return {first, last};
    const Key middle = at(0, rank(center));
    return {middle, middle};
  }

 private:
  /// Where the elements between the pivots begin, and those after them.
  struct Split {
    std::int64_t between, after;
  };

  static std::size_t count_below(std::span<const std::int64_t> kth, std::int64_t bound) {
    return static_cast<std::size_t>(std::lower_bound(kth.begin(), kth.end(), bound) - kth.begin());
  }

  void select_small(Item* row, std::int64_t begin, std::int64_t end,
                    std::span<const std::int64_t> kth) {
    const auto less = [this](Item x, Item y) { return before(source_.key(x), source_.key(y)); };
    for (const std::int64_t k : kth) {
      std::nth_element(row + begin, row + k, row + end, less);
      begin = k + 1;
    }
  }

  /// NaN to the end of [begin, end); returns where the first one stands.
  std::int64_t move_nan_last(Item* row, std::int64_t begin, std::int64_t end) {
    return std::partition(row + begin, row + end,
                          [this](Item x) { return !is_nan(source_.key(x)); }) -
           row;
  }

  /// NaN is after every pivot.
  Split divide(Item* row, std::int64_t begin, std::int64_t end, Pivots pivots) {
    Item* front = row + begin;  // [begin, front) is before the pivots
    Item* between = spare_.get();
    Item* after = between + (end - begin);  // [after, end of the spare) is after them
    for (const Item *item = row + begin, *last = row + end; item < last; ++item) {
      const Item x = *item;
      const Key key = source_.key(x);
      const bool is_before = key < pivots.low, is_after = !(key <= pivots.high);
      *front = x;
      front += is_before ? 1 : 0;
      after -= is_after ? 1 : 0;
      *(is_after ? after : between) = x;
      between += !is_before && !is_after ? 1 : 0;
    }
    const Split split{front - row, front - row + (between - spare_.get())};
    std::copy(spare_.get(), between, front);
    std::copy(after, spare_.get() + (end - begin), row + split.after);
    return split;
  }

  Source source_{};
  std::unique_ptr<Item[]> spare_;
  std::vector<Key> sample_;
};

}  // namespace cupyxx::internal::cpu
