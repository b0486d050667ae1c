// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "chainerxx/variable.h"

namespace chainerxx {

/// The size of what a layer is applied to: a number, or `none`, for which the layer takes it from
/// its first call and makes its parameters then. An optimizer that was set up before finds them
/// there.
class InputSize {
 public:
  InputSize(std::int64_t size) : size_(size) {}  // NOLINT(google-explicit-constructor)
  template <internal::NoneLike N>
  InputSize(N) : is_none_(true) {}  // NOLINT(google-explicit-constructor)

  bool is_none() const { return is_none_; }
  /// The number; 0 of none.
  std::int64_t value() const { return size_; }

 private:
  std::int64_t size_ = 0;
  bool is_none_ = false;
};

}  // namespace chainerxx
