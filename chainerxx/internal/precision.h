// SPDX-License-Identifier: MIT
// Copies of parameters in the form in which products and convolutions read them: in a narrower
// type, with the channels last, or both. They are kept with the parameter's memory, made again when
// the parameter has changed, and brought up to date by the optimizer's own launch.
#pragma once

#include <cstdint>
#include <memory>

#include "cupyxx/dtype.h"
#include "cupyxx/ndarray.h"
#include "cupyxx/shape.h"

namespace chainerxx::internal {

using cupyxx::ndarray;

/// One copy of one array.
struct KeptCopy {
  ndarray array;            // of the original's shape
  const void* original;     // its first element
  cupyxx::Strides strides;  // those of the original
  bool channels_last;       // else in C order
  std::uint64_t ahead = 0;  // version() of the original less version() of the array

  bool is_current(const ndarray& from) const { return from.version() - array.version() == ahead; }
  /// Says that the array holds the elements of `from` as they are now.
  void mark(const ndarray& from) { ahead = from.version() - array.version(); }
};

/// The elements of W, C-contiguous, in another dtype or with the order of the axes 0, 2, ..., 1.
/// The same array again as long as W has not changed. Within a capture, runs of the graph look
/// whether W has changed otherwise, and bring it up to date.
ndarray kept_copy(const ndarray& W, cupyxx::dtype dtype, bool channels_last = false);

/// A parameter in the dtype in which a function computes: W itself, or a kept copy.
inline ndarray narrow_parameter(const ndarray& W, cupyxx::dtype dtype) {
  return W.is_none() || W.dtype() == dtype ? W : kept_copy(W, dtype);
}

/// The copy of W that was asked for last, which an update of W may write along; null when there is
/// none, or when W may be written to unseen.
std::shared_ptr<KeptCopy> last_kept_copy(const ndarray& W);

}  // namespace chainerxx::internal
