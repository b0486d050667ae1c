// SPDX-License-Identifier: MIT
// Selections that have been named or passed, but not read: `auto s = a(rows)`. Their elements are
// taken when they are read, or just before the array or an index changes, whichever comes first. So
// `a(mask) = 0` never gathers, and a name is a copy all the same.
//
// Every memory that a selection reads lists it (Storage::pending); touch() takes what is listed.
#pragma once

#include <vector>

#include "cupyxx/core/body.h"
#include "cupyxx/ndarray.h"

namespace cupyxx::internal {

/// The elements of `base` at `index`, as a new array.
using TakeSelection = ndarray(const ndarray& base, const std::vector<Index>& index);
TakeSelection take_selection;  // of selection.cc

/// A body that waits for the elements that `take` takes of `base` at `index`, which holds at least
/// one array.
Body* new_pending(const ndarray& base, std::vector<Index> index, TakeSelection* take);

/// The base and the index of a body that is still pending.
struct PendingTarget {
  const ndarray& base;
  const std::vector<Index>& index;
};
PendingTarget target_of(const Body* body);

/// Keeps a pending body from being taken while its own statement writes to the base.
class OwnWriteScope {
 public:
  explicit OwnWriteScope(Body* body);
  ~OwnWriteScope();
  OwnWriteScope(const OwnWriteScope&) = delete;
  OwnWriteScope& operator=(const OwnWriteScope&) = delete;

 private:
  Body* body_;
};

}  // namespace cupyxx::internal
