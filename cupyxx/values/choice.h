// SPDX-License-Identifier: MIT
// Choices among the values of an enumeration: by value, or by NumPy's text for it.
#pragma once

#include <concepts>
#include <cstddef>
#include <string_view>

#include "cupyxx/export.h"

namespace cupyxx {

namespace internal {
template <class E>
struct NamedValue {
  std::string_view name;
  E value;
};
/// What is chosen (`kWhat`) and its values with NumPy's texts (`kAll`); beside each enumeration.
template <class E>
struct Choices;
[[noreturn]] CUPYXX_API void throw_no_choice(std::string_view operation, std::string_view what,
                                             const std::string_view* names, std::size_t count,
                                             std::string_view given);
/// The value that a text names; throws ValueError, which lists the texts and begins with the
/// operation where it is known, for another one.
template <class E>
E named(std::string_view name, std::string_view operation = {}) {
  constexpr std::size_t kCount = sizeof(Choices<E>::kAll) / sizeof(NamedValue<E>);
  std::string_view names[kCount];
  for (std::size_t i = 0; i < kCount; ++i) {
    if (Choices<E>::kAll[i].name == name) return Choices<E>::kAll[i].value;
    names[i] = Choices<E>::kAll[i].name;
  }
  throw_no_choice(operation, Choices<E>::kWhat, names, kCount, name);
}
}  // namespace internal

/// A value of an enumeration, or NumPy's text for it: `.order = Order::F` and `.order = "F"` are
/// the same. Throws ValueError for a text that names none.
template <class E>
class Choice {
 public:
  // Templates for the reason given at Shape.
  template <std::same_as<E> V>
  constexpr Choice(V value) : value_(value) {}  // NOLINT(google-explicit-constructor)
  template <class T>
  requires std::convertible_to<const T&, std::string_view> Choice(const T& name)  // NOLINT
      : value_(internal::named<E>(name)) {}
  constexpr operator E() const { return value_; }  // NOLINT(google-explicit-constructor)

 private:
  E value_;
};

}  // namespace cupyxx
