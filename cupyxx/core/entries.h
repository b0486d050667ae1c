// SPDX-License-Identifier: MIT
// What may stand in an index, and what a single element becomes.
#pragma once

#include <concepts>
#include <cstdint>
#include <initializer_list>
#include <span>
#include <string_view>
#include <type_traits>

#include "cupyxx/values/integer.h"

namespace cupyxx {

class Index;

/// An entry of an index list: a basic one, or an array of integers or bool.
template <class T>
concept IndexEntry = std::constructible_from<Index, const T&>;
template <class T>
concept IndexList = std::convertible_to<const T&, std::span<const Index>>;

namespace internal {
class Entry;
/// Characters, to which no element converts by itself: `text = a.sum()` would be one of them.
template <class T>
concept Character = std::is_same_v<T, char> || std::is_same_v<T, wchar_t> ||
    std::is_same_v<T, char8_t> || std::is_same_v<T, char16_t> || std::is_same_v<T, char32_t>;
/// What a single element converts to by itself.
template <class T>
concept ElementNumber = std::is_arithmetic_v<T> && !std::is_same_v<T, bool> && !Character<T>;
/// What people write for an index that is none.
template <class T>
concept NoIndex = std::floating_point<T> || std::convertible_to<const T&, std::string_view>;

/// An integer of a list that indexes, or a list of them: `a({{0}, {2}}, {1, 3})` has four elements.
/// (C++ takes `{0}` for 0 where a plain integer is wanted.)
class ListedIndex {
 public:
  template <ExtentNumber I>
  ListedIndex(I number)  // NOLINT(google-explicit-constructor)
      : number_(Int64(number)) {}
  template <IntegerClass C>
  ListedIndex(const C& number)  // NOLINT(google-explicit-constructor)
      : number_(Int64(number)) {}
  template <NoInteger F>
  ListedIndex(F an_index_is_an_integer) = delete;      // NOLINT(google-explicit-constructor)
  ListedIndex(std::initializer_list<ListedIndex> row)  // NOLINT(google-explicit-constructor)
      : row_(row), is_row_(true) {}

  bool is_row() const { return is_row_; }
  std::int64_t number() const { return number_; }
  std::initializer_list<ListedIndex> row() const { return row_; }

 private:
  std::int64_t number_ = 0;
  std::initializer_list<ListedIndex> row_;  // lives as long as the call
  bool is_row_ = false;
};
}  // namespace internal

}  // namespace cupyxx
