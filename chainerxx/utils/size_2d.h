// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstdint>
#include <limits>
#include <string>

namespace chainerxx {

/// A height and a width: of a window, a stride, a padding. One integer means both, `{2, 1}` height
/// and width; the default stands for None.
struct Size2D {
  static constexpr std::int64_t kNone = std::numeric_limits<std::int64_t>::min();

  constexpr Size2D() = default;
  template <std::integral T>
  constexpr Size2D(T both)  // NOLINT(google-explicit-constructor)
      : h(static_cast<std::int64_t>(both)), w(static_cast<std::int64_t>(both)) {}
  constexpr Size2D(std::int64_t height, std::int64_t width) : h(height), w(width) {}

  std::int64_t h = kNone;
  std::int64_t w = kNone;

  constexpr bool is_none() const { return h == kNone; }
  /// "(3, 2)".
  std::string str() const { return "(" + std::to_string(h) + ", " + std::to_string(w) + ")"; }

  friend constexpr bool operator==(const Size2D&, const Size2D&) = default;
};

}  // namespace chainerxx
