// SPDX-License-Identifier: MIT
// How the elements of an array lie in memory. Included by ndarray.h.
#pragma once

#include <string_view>

#include "cupyxx/dtype.h"
#include "cupyxx/export.h"
#include "cupyxx/values/choice.h"

namespace cupyxx {

/// In which order elements lie in memory, or are read: rows first, columns first, columns first
/// only where the argument lies so, or as the argument lies. What is made of arrays, element by
/// element, is in order K: its axes are ordered in memory as those of the operands, without gaps,
/// and in C order where they disagree; see docs/numpy.md. Other new arrays are in C order unless
/// asked.
enum class Order : char { C = 'C', F = 'F', A = 'A', K = 'K' };
namespace internal {
template <>
struct Choices<Order> {
  static constexpr std::string_view kWhat = "order";
  static constexpr NamedValue<Order> kAll[] = {
      {"C", Order::C}, {"F", Order::F}, {"A", Order::A}, {"K", Order::K}};
};
}  // namespace internal

/// The order by its name: `ravel(a, {.order = "F"})`.
struct OrderOptions {
  Choice<Order> order = Order::C;
};
/// Options of copy.
struct CopyOptions {
  Choice<Order> order = Order::K;
};

/// Options of astype.
struct AstypeOptions {
  Choice<Order> order = Order::K;
  Choice<Casting> casting = Casting::unsafe;
  bool copy = true;  ///< false: return the array itself where nothing changes
};

/// How an array lies in memory.
struct Flags {
  bool c_contiguous;
  bool f_contiguous;
  bool owndata;
  bool writeable;

  /// The flag with NumPy's name or letter: "C_CONTIGUOUS" or "C", "F", "O", "W". Throws IndexError.
  CUPYXX_API bool operator[](std::string_view name) const;
};

}  // namespace cupyxx
