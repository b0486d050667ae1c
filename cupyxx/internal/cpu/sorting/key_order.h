// SPDX-License-Identifier: MIT
// The stable order of unsigned keys. Where vectors of numbers are sorted, a number is a key with
// its place in the low bits; elsewhere keys are sorted digit by digit beside their places.
#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <memory>
#include <vector>

#include "cupyxx/internal/cpu/sorting/sort_loops.h"

namespace cupyxx::internal::cpu {

constexpr int kDigits = 256;

/// A key and where it was. Places of 32 bits keep a pair of 4-byte keys in 8 bytes.
template <class Key, class Place>
struct Item {
  Key key;
  Place place;
};

/// Rows below this length are merged; longer ones are sorted digit by digit.
constexpr std::int64_t kRadixLength = 256;

/// Sorts n items by key, stably; returns where they are, `items` or `other`.
template <class T>
T* sort_items(T* items, T* other, std::int64_t n) {
  using Key = decltype(T::key);
  if (n < kRadixLength) {
    std::stable_sort(items, items + n, [](const T& a, const T& b) { return a.key < b.key; });
    return items;
  }
  constexpr int kPasses = sizeof(Key);
  std::vector<std::int64_t> counts(kPasses * kDigits);
  for (std::int64_t i = 0; i < n; ++i) {
    const Key key = items[i].key;
    for (int pass = 0; pass < kPasses; ++pass) {
      ++counts[static_cast<std::size_t>(pass * kDigits + (key >> (8 * pass) & 255))];
    }
  }
  for (int pass = 0; pass < kPasses; ++pass) {
    std::int64_t* next = counts.data() + pass * kDigits;
    const int shift = 8 * pass;
    if (next[items[0].key >> shift & 255] == n) continue;  // one digit for all
    std::int64_t sum = 0;
    for (int digit = 0; digit < kDigits; ++digit) {
      const std::int64_t count = next[digit];
      next[digit] = sum;
      sum += count;
    }
    for (std::int64_t i = 0; i < n; ++i) other[next[items[i].key >> shift & 255]++] = items[i];
    std::swap(items, other);
  }
  return items;
}

/// Sorts up to `n` keys; the room for them is kept from row to row.
template <class Key>
class KeyOrder {
 public:
  explicit KeyOrder(std::int64_t n) : size_(static_cast<std::size_t>(n)) {}

  /// Writes the places of the n keys key_of(0), ... in their order.
  template <class KeyOf>
  void sort(std::int64_t n, const KeyOf& key_of, std::int64_t* places) {
    // One digit or two are counted faster than numbers are compared.
    const bool is_short = sizeof(Key) <= 2 && n >= kRadixLength;
    const bool has_numbers = !is_short && n >> 32 == 0 && sorts_values(n);
    if (has_numbers && sort_numbers(n, key_of, places)) return;
    if (n >> 32 == 0) {
      sort_digits<std::uint32_t>(n, key_of, places);
    } else {
      sort_digits<std::uint64_t>(n, key_of, places);
    }
  }

 private:
  using Number = std::uint64_t;

  /// Numbers have room for the highest bits of the keys, and mostly those tell them apart.
  template <class KeyOf>
  bool sort_numbers(std::int64_t n, const KeyOf& key_of, std::int64_t* places) {
    if (numbers_ == nullptr) numbers_.reset(new Number[2 * size_]);
    Number *const numbers = numbers_.get(), *const sorted = numbers + size_;
    Number least = ~Number{0}, most = 0;
    for (std::int64_t i = 0; i < n; ++i) {
      const Number key = key_of(i);
      least = std::min(least, key);
      most = std::max(most, key);
      numbers[i] = key;
    }
    const int place_bits = static_cast<int>(std::bit_width(static_cast<Number>(n - 1)));
    const int bits = static_cast<int>(std::bit_width(most - least)) + place_bits;
    const int dropped = std::max(bits - 64, 0);
    for (std::int64_t i = 0; i < n; ++i) {
      numbers[i] = (numbers[i] - least) >> dropped << place_bits | static_cast<Number>(i);
    }
    if (!sort_values({SortType::u64, numbers, sorted, n})) return false;
    const Number mask = (Number{1} << place_bits) - 1;
    for (std::int64_t i = 0; i < n; ++i) places[i] = static_cast<std::int64_t>(sorted[i] & mask);
    if (dropped > 0) order_equal(n, key_of, sorted, place_bits, places);
    return true;
  }

  /// Puts keys in order whose highest bits are the same.
  template <class KeyOf>
  static void order_equal(std::int64_t n, const KeyOf& key_of, const Number* sorted, int place_bits,
                          std::int64_t* places) {
    for (std::int64_t first = 0; first + 1 < n;) {
      std::int64_t end = first + 1;
      while (end < n && sorted[end] >> place_bits == sorted[first] >> place_bits) ++end;
      if (end - first > 1) {
        std::stable_sort(places + first, places + end,
                         [&](std::int64_t i, std::int64_t j) { return key_of(i) < key_of(j); });
      }
      first = end;
    }
  }

  template <class Place, class KeyOf>
  void sort_digits(std::int64_t n, const KeyOf& key_of, std::int64_t* places) const {
    using Entry = Item<Key, Place>;
    const auto length = static_cast<std::size_t>(n);
    const std::unique_ptr<Entry[]> items(new Entry[2 * length]);
    for (std::int64_t i = 0; i < n; ++i) {
      items[static_cast<std::size_t>(i)] = {key_of(i), static_cast<Place>(i)};
    }
    const Entry* sorted = sort_items(items.get(), items.get() + length, n);
    for (std::int64_t i = 0; i < n; ++i) places[i] = static_cast<std::int64_t>(sorted[i].place);
  }

  std::size_t size_;
  std::unique_ptr<Number[]> numbers_;
};

}  // namespace cupyxx::internal::cpu
