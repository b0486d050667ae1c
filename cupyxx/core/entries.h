// SPDX-License-Identifier: MIT
// What may stand in an index, and what a single element becomes.
#pragma once

#include <concepts>
#include <span>
#include <string_view>
#include <type_traits>

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
}  // namespace internal

}  // namespace cupyxx
