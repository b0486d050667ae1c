// SPDX-License-Identifier: MIT
// Other printing options for a while.
#pragma once

#include "cupyxx/printing.h"

namespace cupyxx {

/// Prints with other options until the end of the scope, as NumPy's context manager:
/// `cupyxx::printoptions scope({.precision = 3});`. It sets what all threads print with.
class printoptions {
 public:
  /// Throws as set_printoptions does.
  explicit printoptions(const PrintOptions& options) : outside_(get_printoptions()) {
    set_printoptions(options);
    inside_ = get_printoptions();
  }
  ~printoptions() { set_printoptions(outside_); }
  printoptions(const printoptions&) = delete;
  printoptions& operator=(const printoptions&) = delete;
  /// What is set within the scope.
  const PrintOptions& options() const { return inside_; }

 private:
  PrintOptions outside_;
  PrintOptions inside_;
};

}  // namespace cupyxx
