// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <string>

#include "cupyxx/core/index.h"

namespace chainerxx {

/// A height and a width: of a window, a stride, a padding. One integer means both, `{2, 1}` height
/// and width; the default stands for None.
struct Size2D {
  static constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::min();

  constexpr Size2D() = default;
  template <std::same_as<cupyxx::None> N>
  constexpr Size2D(N) {}  // NOLINT(google-explicit-constructor)
  template <std::integral T>
  constexpr Size2D(T both)  // NOLINT(google-explicit-constructor)
      : h(static_cast<std::int64_t>(both)), w(static_cast<std::int64_t>(both)) {}
  template <std::integral H, std::integral W>  // no list of options is a size
  constexpr Size2D(H height, W width)
      : h(static_cast<std::int64_t>(height)), w(static_cast<std::int64_t>(width)) {}

  std::int64_t h = kNone;
  std::int64_t w = kNone;

  constexpr bool is_none() const { return h == kNone; }
  /// "(3, 2)".
  std::string str() const { return "(" + std::to_string(h) + ", " + std::to_string(w) + ")"; }

  friend constexpr bool operator==(const Size2D&, const Size2D&) = default;
};

namespace internal {

/// What stands for a size in an argument list; a bool does not.
template <class S>
concept SizeLike = std::same_as<S, Size2D> || std::same_as<S, cupyxx::None> ||
    (std::integral<S> && !std::same_as<S, bool>);

/// The first member of options that would be mistaken for a size: `{2, 1}` is the stride of the
/// manual, `{.stride = 2, .pad = 1}` options.
class ByName {
 public:
  constexpr ByName() {}  // NOLINT(modernize-use-equals-default): that would be an aggregate
};

}  // namespace internal
}  // namespace chainerxx
