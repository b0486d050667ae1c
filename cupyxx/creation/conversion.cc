// SPDX-License-Identifier: MIT
#include <cctype>
#include <string>
#include <utility>

#include "cupyxx/core/arrays.h"
#include "cupyxx/creation.h"
#include "cupyxx/error.h"

namespace cupyxx {

void internal::throw_short_range(std::int64_t found, std::int64_t count) {
  throw ValueError(
      message("fromiter: the range has fewer elements than count; ", found, " and ", count));
}

namespace {

// The letter of a requirement.
char letter_of(std::string_view name) {
  std::string upper;
  for (const char c : name) upper += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  constexpr std::pair<char, std::string_view> kLong[] = {
      {'C', "CONTIGUOUS"}, {'F', "FORTRAN"},   {'C', "C_CONTIGUOUS"}, {'F', "F_CONTIGUOUS"},
      {'A', "ALIGNED"},    {'W', "WRITEABLE"}, {'O', "OWNDATA"},      {'E', "ENSUREARRAY"}};
  for (const auto& [letter, text] : kLong) {
    if (upper == text || (upper.size() == 1 && upper[0] == letter)) return letter;
  }
  throw ValueError(message("require: there is no requirement '", name, "'"));
}

}  // namespace

ndarray require(const ndarray& a, cupyxx::dtype dtype,
                std::initializer_list<std::string_view> requirements) {
  internal::check_not_none("require", a);
  std::string letters;
  for (const std::string_view name : requirements) letters += letter_of(name);
  const auto asks = [&](char letter) { return letters.find(letter) != letters.npos; };
  if (asks('C') && asks('F')) {
    throw ValueError("require: an array cannot be in C and in Fortran order; 'C' and 'F'");
  }
  const Order order = asks('F') ? Order::F : asks('C') ? Order::C : Order::K;
  const ndarray result = asarray(a, dtype, order);
  const Flags flags = result.flags();
  const bool fulfilled = (!asks('W') || flags.writeable) && (!asks('O') || flags.owndata);
  return fulfilled ? result : result.copy(order);
}

}  // namespace cupyxx
