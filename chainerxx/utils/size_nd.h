// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstdint>
#include <optional>

#include "cupyxx/core/index.h"
#include "cupyxx/shape.h"

namespace chainerxx {

/// A size for each of the axes of a signal: of a window, a stride, a padding. One integer means all
/// axes, `{2, 1, 1}` one after the other; the default stands for None.
class SizeND {
 public:
  SizeND() = default;
  template <std::same_as<cupyxx::None> N>
  SizeND(N) {}  // NOLINT(google-explicit-constructor)
  template <std::integral T>
  requires(!std::same_as<T, bool>) SizeND(T all)  // NOLINT(google-explicit-constructor)
      : all_(static_cast<std::int64_t>(all)) {}
  template <std::integral... I>  // no list of options is a size
  requires(sizeof...(I) > 1 && (!std::same_as<I, bool> && ...))
      SizeND(I... each)  // NOLINT(google-explicit-constructor)
      : each_(cupyxx::Shape(each...)) {}
  template <std::same_as<cupyxx::Shape> S>
  SizeND(const S& each) : each_(each) {}  // NOLINT(google-explicit-constructor)

  /// Whether nothing was said.
  bool is_none() const { return !all_ && !each_; }
  /// The sizes of `ndim` axes, or nothing where other ones were named one by one.
  std::optional<cupyxx::Shape> of(int ndim) const {
    if (each_) {
      if (each_->ndim() != ndim) return {};
      return each_;
    }
    cupyxx::Shape sizes;
    for (int i = 0; all_ && i < ndim; ++i) sizes.push_back(*all_);
    return sizes;
  }

 private:
  std::optional<std::int64_t> all_;
  std::optional<cupyxx::Shape> each_;
};

namespace internal {
/// What stands for a size of each axis in an argument list; a bool does not.
template <class S>
concept SizeNDLike = std::same_as<S, SizeND> || std::same_as<S, cupyxx::None> ||
    (std::integral<S> && !std::same_as<S, bool>);
}  // namespace internal

}  // namespace chainerxx
